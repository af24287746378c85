/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_SHRINK_INTERNAL_H
#define HEDDLE_SHRINK_INTERNAL_H

#include "machine/machine.h"
#include "shrink/shrink.h"

typedef struct shrinker {
    machine *m;
    step_options how;
    violation *v; /* what is to be reached; its path and inputs are the best so far */
    const shrink_budget *most;
    uint64_t steps, until; /* made so far; limit of the present phase */
    double deadline;       /* of the present phase; 0: none */
    uint64_t looked_at;    /* last time somebody looked at the clock, in steps */
    const kernel_traits *kernel;
} shrinker;

/* False: stop and keep what there is. Call it before each step of the machine. */
bool shrinker_may_step(shrinker *k);

/* Executions from now on have these inputs; NULL: open ones. */
void shrinker_fix_inputs(shrinker *k, const valuation *inputs);

static inline bool is_switch(transition before, transition now) {
    return before.thread != now.thread && before.thread != MACHINE_KERNEL && now.thread != MACHINE_KERNEL;
}
static inline bool costs_at_most(shrink_cost a, shrink_cost b) {
    return a.switches <= b.switches && a.steps <= b.steps;
}
static inline bool costs_less(shrink_cost a, shrink_cost b) { /* in one respect, and no more in the other */
    return costs_at_most(a, b) && !costs_at_most(b, a);
}

/* --- execution.c: schedules with fixed inputs ----------------------------------------------------------- */

typedef struct execution {
    transitions steps;
    VEC(state *) states; /* before each step */
    shrink_cost cost;
    bool fails; /* the last step ends in the violation */
} execution;

/* Goes the first `keep` steps of `from` and then as the plan says, as far as that is possible: what cannot be
 * done is left out. Ends at the violation, at the end of the plan, or when it has cost more than `most`.
 * True: it ended in the violation. */
bool execution_follow(shrinker *k, const execution *from, size_t keep, const transitions *plan,
                      shrink_cost most, execution *out);
void execution_free(shrinker *k, execution *e);

/* The same schedule with open inputs: the path that the inputs given go. False: none was found. */
bool schedule_to_path(shrinker *k, const transitions *schedule, const valuation *inputs, path *out);

/* --- input_list.c --------------------------------------------------------------------------------------- */

typedef struct given_input {
    const term *symbol;
    uint64_t number;
} given_input;

typedef VEC(given_input) input_list;

void input_list_read(shrinker *k, input_list *out);      /* those of k->v */
valuation *input_list_valuation(const input_list *list); /* to be destroyed */
/* Without those that each thread draws from state `from` to state `to`: later ones move up. */
void input_list_without(shrinker *k, const input_list *list, const state *from, const state *to,
                        input_list *out);

/* --- delta.c -------------------------------------------------------------------------------------------- */
/* Makes an execution smaller, which runs with these inputs; they may change, too. */
void delta_reduce(shrinker *k, execution *best, input_list *inputs);

/* --- causes.c ------------------------------------------------------------------------------------------- */
/* The steps of an execution of threads in an order with few switches; `causes_only`: those that the last one
 * depends on. Nothing if there are too many. */
void causes_plan(shrinker *k, const execution *e, bool causes_only, transitions *plan);

/* --- few_switches.c ------------------------------------------------------------------------------------- */
typedef enum { SEARCH_FINDS, SEARCH_FINDS_NOTHING, SEARCH_GIVES_UP } search_end;
/* A path that costs less than that of k->v, the least in switches and then in steps. */
search_end few_switches_search(shrinker *k, path *out);

/* --- inputs.c ------------------------------------------------------------------------------------------- */
/* Small values for the inputs of k->v, and what each one has to be. */
void inputs_shrink(shrinker *k, shrunk *out);

/* --- switches.c ----------------------------------------------------------------------------------------- */
void switches_judge(shrinker *k, const execution *e, shrunk *out);
/* Whether the first `keep` steps and then the plan end in the violation, whatever that costs. */
bool schedule_still_fails(shrinker *k, const execution *e, size_t keep, const transitions *plan);

/* --- orders.c ------------------------------------------------------------------------------------------- */
/* Of a cooperative program, behind switches_judge. */
void orders_judge(shrinker *k, const execution *e, shrunk *out);

#endif
