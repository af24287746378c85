/* Control and data flow inside one function: which registers are live before an instruction, which jumps are
 * back edges.
 *
 * Most registers are temporaries of one block. Only those that live across blocks are tracked for every
 * block; liveness at an instruction is worked out from the end of its block when it is first asked for. */
#ifndef HEDDLE_ANALYSIS_FLOW_H
#define HEDDLE_ANALYSIS_FLOW_H

#include "base/bits.h"
#include "base/map.h"
#include "program/program.h"

typedef struct flow {
    const function *of;
    uint32_t *cross;          /* per register: its number among those that live across blocks, or NO_INDEX */
    uint32_t *cross_register; /* and back */
    uint32_t cross_count;
    size_t words;           /* of one set of such registers */
    uint64_t *live_in;      /* one set per block */
    uint64_t *loop_heads;   /* blocks that are the target of a back edge (of a depth-first walk) */
    uint64_t *joins;        /* blocks that several jumps lead to */
    struct live_rows *rows; /* answers of flow_live so far */
} flow;

flow flow_compute(const function *f);
void flow_free(flow *f);

/* Registers live before instruction `index` of block `b`: a bit set over all registers, valid as
 * long as f. */
const uint64_t *flow_live(const flow *f, uint32_t b, uint32_t index);

static inline bool flow_is_loop_head(const flow *f, uint32_t b) {
    return bits_has(f->loop_heads, b);
}

static inline bool flow_is_join(const flow *f, uint32_t b) {
    return bits_has(f->joins, b);
}

/* Those of all functions of a program, each computed when it is first asked for. */
typedef struct flows {
    const program *p;
    flow *at; /* per function; without `of`: nobody asked yet */
} flows;

flows flows_open(const program *p);
void flows_close(flows *f);
void flows_compute(flows *f, uint32_t function); /* for flows_of alone */

static inline const flow *flows_of(flows *f, uint32_t function) {
    if (!f->at[function].of) flows_compute(f, function);
    return &f->at[function];
}

/* The successor blocks of a block: 0, 1 or 2 of them. */
uint32_t block_targets(const block *b, uint32_t out[2]);

/* Calls visit for every operand that an instruction reads. */
void instruction_each_operand(const instruction *i, void (*visit)(void *data, const operand *o), void *data);

#endif
