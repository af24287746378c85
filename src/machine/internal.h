/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_MACHINE_INTERNAL_H
#define HEDDLE_MACHINE_INTERNAL_H

#include "base/map.h"
#include "machine/machine.h"
#include "machine/state.h"
#include "program/flow.h"

/* One path of a step under way. A step starts with one; every fork makes another. */
typedef enum {
    DO_RUN,    /* interpret `thread` */
    DO_KERNEL, /* channel updates are done: notify and advance */
    DO_ADVANCE /* delta notifications are done and nobody is runnable: advance time */
} context_task;

enum { POLL_EVERY = 1024 }; /* instructions between two looks for interruptions */

typedef struct context {
    state *s;        /* owned, referenced by nobody else */
    uint32_t thread; /* slot that is interpreted */
    uint8_t task;    /* context_task */
    effect touched;
    uint32_t parts;                   /* see successor */
    uint64_t instructions, next_poll; /* work so far, and when to look for interruptions again */
    uint64_t loops;                   /* back edges taken */
    state *loop_witness;              /* a state at an earlier back edge, for finding endless loops */
    uint64_t loop_witness_at;
} context;

typedef VEC(context) contexts;

typedef struct run {
    machine *m;
    const step_options *how;
    successors *out;
    contexts work;
} run;

struct machine {
    const program *program;
    terms *terms;
    solver *solver;
    machine_options options;
    machine_statistics stats;
    flow *flows; /* per function */
    segments *segments;
    bool *may_be_symbolic; /* per static object */
    bool updates_commute;  /* no two channel updates depend on each other: their order is no choice */
    map dynamic_names;     /* thread << 32 | running count -> object name */
    VEC(check) checks;     /* of the program, then those made at pointer accesses */
    VEC(bool) check_reached;
    map pointer_checks; /* hash of (instruction, kind) -> check */
    const valuation *fixed_inputs;
    VEC(uint32_t) marks; /* by term id: stamp of the last collection that found the symbol live */
    uint32_t stamp;
    VEC(call_site) stack_buffer; /* for machine_pending */
    contexts work_buffer;        /* of the last step, for reuse */
};

/* --- interpret.c ---------------------------------------------------------------------------------------- */
void run_all(run *r); /* until no work is left */
void run_push(run *r, context c);
void run_end(run *r, context *c, step_end end); /* hands the state over as a successor */
void run_limit(run *r, context *c, const char *reason, position at);
void run_drop(context *c); /* the path is infeasible: forget it */
void run_violate(run *r, context *c, uint32_t check_index, position at);
uint32_t kernel_slot(const machine *m); /* the thread slot in which channel updates run */

/* Outcome of a question that may split the path. */
typedef enum {
    DECIDED_FALSE,
    DECIDED_TRUE,
    DECIDED_NEITHER /* the path condition has become unsatisfiable: drop the path */
} decision;

/* Is `condition` true on this path? If both are possible the present context goes on with true, and a copy
 * with false is pushed, which will come to the same question again and find it decided. Call it before
 * changing anything. */
decision run_decide(run *r, context *c, const term *condition);

void enter_function(run *r, context *c, uint32_t function_index,
                    uint32_t result_register); /* pushes a frame, makes its locals */
void context_advance(context *c);              /* behind the present instruction */
value operand_value(const machine *m, const context *c, const operand *o);
void context_touch(run *r, context *c, access_kind kind, uint32_t name);

/* --- memory.c: loads and stores ------------------------------------------------------------------------- */

typedef enum { ACCESS_DONE, ACCESS_ENDED /* the context was consumed */ } access_result;

access_result memory_load(run *r, context *c, const instruction *i, value address, unsigned width,
                          value *out);
access_result memory_store(run *r, context *c, const instruction *i, value address, value v);
access_result memory_update(run *r, context *c, const instruction *i, value address, arith op, value v);
access_result memory_havoc(run *r, context *c, const instruction *i, value address);
access_result memory_free(run *r, context *c, const instruction *i, value address);
value memory_allocate(run *r, context *c, const layout *shape, uint32_t count, bool heap);
void memory_clear(const machine *m, memory_object *o); /* all cells 0 */
value fresh_input(machine *m, context *c, uint32_t input_index, scalar_type type);

/* --- arithmetic.c --------------------------------------------------------------------------------------- */
const term *arith_term(terms *c, arith op, unsigned width, const term *a, const term *b, const term *d);

/* --- systemc.c: the cooperative kernel ------------------------------------------------------------------ */
void systemc_enabled(const machine *m, const state *s, transitions *out);
void systemc_step_kernel(run *r, context *c, uint32_t choice); /* the scheduler's own transition */
void systemc_continue(run *r, context *c);                     /* tasks DO_KERNEL, DO_ADVANCE */
void systemc_update_done(run *r, context *c);                  /* the function of a channel update returned */

/* Executes a sync instruction and moves its thread behind it. */
typedef enum { SYNC_GOES_ON, SYNC_STOPS, SYNC_CONSUMED } sync_result;
sync_result systemc_sync(run *r, context *c, const instruction *i);

/* --- path.c --------------------------------------------------------------------------------------------- */
void path_assume(state *s, const term *condition); /* adds its conjuncts that are not there yet */
void path_collect(machine *m, state *s);           /* garbage collection */

#endif
