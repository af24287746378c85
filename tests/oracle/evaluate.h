/* Values of tiny expressions, with C++ conversions. */
#ifndef HEDDLE_TESTS_ORACLE_EVALUATE_H
#define HEDDLE_TESTS_ORACLE_EVALUATE_H

#include "tiny.h"

typedef struct tiny_value {
    int64_t v; /* of type ulong: its bits */
    uint8_t type;
} tiny_value;

/* Choices are a script: a run takes its numbers in order and, where it ends, zeros, noting how many
 * alternatives there were. The caller counts the script up to enumerate all runs. */
typedef struct choice {
    uint32_t taken, alternatives;
} choice;

typedef struct script {
    VEC(choice) list;
    size_t next;
} script;

uint32_t script_choose(script *s, uint32_t alternatives);
bool script_count_up(script *s); /* to the next run; false: there is none */

/* Objects made by `new`, one value each. A slot is reused only when no pointer names it any more. */
enum { HEAP_SLOTS = 6 };
#define HEAP_BASE (INT64_C(1) << 40)
typedef enum { SLOT_UNUSED, SLOT_ALIVE, SLOT_FREED } slot_life;

typedef struct tiny_heap {
    int64_t value[HEAP_SLOTS];
    uint8_t life[HEAP_SLOTS], unused[2];
} tiny_heap;

typedef struct scope { /* what an expression is evaluated in */
    const tiny_program *p;
    int64_t *cells;          /* of all globals in order */
    const uint32_t *cell_of; /* first cell of a global */
    int64_t *locals;         /* of the body; pointers are 1 + cell, HEAP_BASE + slot, or 0: null */
    tiny_heap *heap;
    const tiny_body *body;
    uint64_t time;
    script *choices;
    bool check_failed; /* an implicit check was violated: the value means nothing */
} scope;

tiny_value evaluate(scope *s, uint32_t expr);
bool evaluate_truth(scope *s, uint32_t expr);
int64_t convert(tiny_value v, tiny_type to);
tiny_value apply_binary(scope *s, tiny_operator op, tiny_value a, tiny_value b);

/* Where a pointer variable is, and what it holds (a number stands for null). */
int64_t *pointer_place(scope *s, uint32_t expr);
int64_t pointer_value(scope *s, uint32_t expr);

/* Where an assignment goes, and of what type. NULL after a failed check. */
int64_t *evaluate_target(scope *s, uint32_t expr, tiny_type *type);

#endif
