/* Tiny programs as flat code for the reference: jumps instead of blocks, calls expanded in place. */
#ifndef HEDDLE_TESTS_ORACLE_FLAT_H
#define HEDDLE_TESTS_ORACLE_FLAT_H

#include "tiny.h"

typedef enum {
    CODE_DO,     /* the statement itself */
    CODE_BRANCH, /* to target unless the statement's condition holds */
    CODE_JUMP,   /* to target */
    CODE_COUNT,  /* loop counter of the statement: 0 */
    CODE_BELOW,  /* to target unless the counter is below the bound */
    CODE_STEP,   /* counter + 1 */
    CODE_ENTER,  /* the locals of the called body, at base `target` */
    CODE_LEAVE,  /* forget the locals at base `target` */
    CODE_END
} code_kind;

typedef struct code {
    uint8_t kind, base; /* base: first local slot of the body the statement belongs to */
    uint32_t stmt, target;
} code;

enum { FLAT_MOST_DEPTH = 3, FLAT_SLOTS = FLAT_MOST_DEPTH * TINY_MOST_LOCALS };

typedef struct flat {
    VEC(code) code;
    uint32_t start[TINY_MOST_BODIES];   /* of main, threads and updates */
    uint32_t handler[TINY_MOST_BODIES]; /* of threads that have one; else 0 */
    bool too_deep;                      /* calls nested beyond FLAT_MOST_DEPTH */
} flat;

void flat_make(const tiny_program *p, flat *out);
void flat_free(flat *f);

#endif
