/* Smaller counterexamples: fewer context switches, fewer steps, small inputs, and what of them matters.
 *
 * A shrunk violation is one of the same check (a deadlock, a race of the same threads), confirmed by replay
 * from the initial state exactly as the first one was. It is never longer and never has more context
 * switches; if nothing better is found within the budget the violation stays what it was. It never
 * makes a verdict. */
#ifndef HEDDLE_SHRINK_SHRINK_H
#define HEDDLE_SHRINK_SHRINK_H

#include "explore/explore.h"

typedef struct shrink_budget {
    uint64_t steps;  /* of the machine */
    double deadline; /* on clock_wall; 0: none */
    bool (*interrupted)(void *data);
    void *interrupted_data;
    /* Long counterexamples: somebody who may find a short path to a violation of the same check within so
     * many transitions; gives how many it took. May be NULL. */
    uint64_t (*search_again)(void *data, const violation *v, uint64_t transitions, double deadline,
                             path *out);
    void *search_again_data;
} shrink_budget;

typedef struct shrink_cost {
    size_t switches, steps; /* steps of the machine */
} shrink_cost;

/* A step of another thread than the one before it, with no transition of the scheduler in between. Under the
 * systemc kernel: which process of a delta cycle comes next. */
typedef enum {
    SWITCH_NONE,
    SWITCH_UNKNOWN, /* nobody looked: the budget was used up */
    SWITCH_FORCED,  /* the thread before could not go on; systemc: this process was not ready earlier */
    /* If the thread before goes on instead (systemc: if the two change places), the rest of the schedule does
     * not lead to the violation. */
    SWITCH_NECESSARY,
    SWITCH_FREE /* it still does */
} switch_kind;

/* Systemc: the step comes before the next one of the thread, which need not follow at once, nor in the same
 * delta cycle, nor at all. If the thread comes first, the rest of the schedule does not lead
 * to the violation. */
typedef struct process_order {
    size_t step;
    uint32_t thread;
} process_order;

/* What an input has to be, with all others as they are. */
typedef enum {
    NEED_UNKNOWN, /* nobody looked, or the solver gave up */
    NEED_NOTHING, /* any value */
    NEED_RANGE,   /* exactly low .. high */
    NEED_NOT,     /* anything but low */
    NEED_AMONG    /* some of low .. high */
} need_kind;

typedef struct input_need {
    const term *symbol;
    need_kind kind;
    bool is_signed;
    uint64_t low, high; /* of the symbol's width */
    bool smallest;      /* nothing nearer to zero would do, given the inputs before it */
} input_need;

typedef struct shrunk {
    shrink_cost before, after;
    VEC(uint8_t) switches; /* switch_kind, one for each step of the path */
    VEC(process_order) orders;
    size_t orders_tried;   /* that is how many such orders somebody looked at, those that matter included */
    bool orders_known;     /* these were all; false: the budget was used up, or the kernel is preemptive */
    VEC(input_need) needs; /* of the inputs that some condition of the path mentions; all others: any value */
    bool needs_known;      /* false: nothing is known about inputs */
} shrunk;

/* v must be confirmed; `how` is what the explorer stepped with. */
void shrink_violation(machine *m, violation *v, const step_options *how, const shrink_budget *most,
                      shrunk *out);
void shrunk_free(shrunk *s);

shrink_cost shrink_cost_of(const path *p);

#endif
