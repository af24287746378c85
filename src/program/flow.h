/* Control and data flow inside one function: which registers are live before an instruction, which jumps are
 * back edges. */
#ifndef HEDDLE_PROGRAM_FLOW_H
#define HEDDLE_PROGRAM_FLOW_H

#include "base/bits.h"
#include "program/program.h"

typedef struct flow {
    size_t words;    /* of one register set */
    uint32_t *first; /* first[b]: number of the first instruction of block b in the rows of `live` */
    uint64_t
        *live; /* one row per instruction: registers that may be read from here on before being written */
    uint64_t *loop_heads; /* blocks that are the target of a back edge (of a depth-first walk) */
} flow;

flow flow_compute(const function *f);
void flow_free(flow *f);

/* Registers live before instruction `index` of block `b`. */
static inline const uint64_t *flow_live(const flow *f, uint32_t b, uint32_t index) {
    return f->live + (size_t)(f->first[b] + index) * f->words;
}

static inline bool flow_is_loop_head(const flow *f, uint32_t b) {
    return bits_has(f->loop_heads, b);
}

/* The successor blocks of a block: 0, 1 or 2 of them. */
uint32_t block_targets(const block *b, uint32_t out[2]);

/* Calls visit for every operand that an instruction reads. */
void instruction_each_operand(const instruction *i, void (*visit)(void *data, const operand *o), void *data);

#endif
