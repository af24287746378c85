/* The schedule of a counterexample as a compiled C program can follow it: who executes which access or call,
 * by its place in the program text, and what the inputs are.
 *
 * Found by going through the recorded path instruction by instruction. Library functions are seen as calls by
 * the program. */
#ifndef HEDDLE_NATIVE_SCHEDULE_H
#define HEDDLE_NATIVE_SCHEDULE_H

#include "report/trace/trace.h"

typedef enum { OPERATION_MEMORY, OPERATION_CALL, OPERATION_SECTION } operation_kind;

typedef struct operation {
    uint32_t thread;
    operation_kind kind;
    position at;
    /* Accesses or calls at the same place since the thread's last operation, which are not it. */
    uint32_t skip;
    bool continued; /* a further step of the same call */
    int64_t result; /* of the call, once it returned */
} operation;

typedef struct creation {
    uint32_t creator, count, created;
} creation;

/* An unknown value, by what the program text has at this place; in order for each thread. */
typedef struct drawn {
    uint32_t thread;
    position at;
    uint64_t value;
} drawn;

typedef struct given { /* by a call of the library at this place, whose result depends on unknown values */
    uint32_t thread;
    position at;
    uint64_t value;
    uint32_t function; /* NO_INDEX: one that the front end knows */
} given;

typedef struct block_made { /* of the heap, made by a call at this place; in order for each thread */
    uint32_t thread;
    position at;
    uint32_t object;
    uint64_t bytes;
    uint32_t slot; /* blocks that lay at one address have the same number; NO_INDEX: none did */
} block_made;

typedef struct schedule {
    VEC(operation) operations;
    VEC(creation) creations;
    VEC(drawn) inputs;
    VEC(drawn) handed; /* numbers that library functions hand out through pointers (PRINT_HANDED) */
    VEC(given) results;
    VEC(block_made) blocks;
    uint32_t slots;
    bool asks_places;    /* where objects lie was asked: all other blocks have addresses of their own */
    VEC(uint32_t) tails; /* by thread: accesses and calls after its last operation */
    trace_end end; /* ENDS_IN_RACE: the last two operations are those that race; they are not executed */
} schedule;

/* m as for trace_build. False: the path cannot be followed. */
bool schedule_build(machine *m, const trace_request *wanted, schedule *out);
void schedule_free(schedule *s);

/* The tables that runtime.c reads. */
void schedule_print(const schedule *s, text *out);

#endif
