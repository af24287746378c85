/* What the files of this folder share: the execution under way, its trace constraint system, and the
 * variations that are planned. Not for others.
 *
 * Position k of the execution has a node (the state before event k, and what is planned and done there) and,
 * once a step was taken, event k. Everything above the present length keeps its buffers for reuse, so that a
 * run in its stride allocates nothing. */
#ifndef HEDDLE_LAZYPOR_INTERNAL_H
#define HEDDLE_LAZYPOR_INTERNAL_H

#include "base/invariant.h"
#include "base/map.h"
#include "dpor/clocks.h"
#include "dpor/footprint.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "lazypor/lazypor.h"
#include "machine/machine.h"

#define ANY_OUTCOME UINT32_MAX

/* A step of a thread and what it touches, whatever its outcome. Equal ones exist once and go
 * by their index. */
typedef struct action {
    uint32_t thread;
    uint32_t own; /* of the accesses, what it really did; those behind could happen with other values */
    footprint touched;
} action;

typedef struct event {
    uint32_t did;      /* action */
    uint32_t thread;   /* of it */
    path_step step;    /* with the choice, and which of its outcomes */
    bool forked;       /* there were several */
    uint32_t previous; /* position of its thread's event before it, or NO_INDEX */
    uint32_t begins;   /* in `dependencies`: those whose second event it is */
} event;

/* A step of a planned variation. Trees of them share common beginnings. */
typedef struct plan {
    uint32_t step;    /* action */
    uint32_t outcome; /* of it, or ANY_OUTCOME */
    uint32_t behind;  /* the first of those that go on from it, or NO_INDEX: nothing more is planned */
    uint32_t beside;  /* the next one from the same node, or NO_INDEX */
} plan;

typedef VEC(uint32_t) action_list;

typedef struct node {
    state *s;
    bool looked_at; /* `enabled` is filled in */
    bool explored;  /* some step was taken from here */
    transitions enabled;
    successors outcomes; /* of the step of `stepped`, while some of them wait */
    uint32_t stepped;    /* thread, or NO_INDEX */
    uint32_t planned;    /* the first step planned from here, or NO_INDEX */
    /* Actions whose continuations were explored: executions that could begin with them are covered. Explored
     * at earlier nodes, and nothing that depends on them has happened since; then those explored here. */
    action_list covered;
} node;

/* A constraint of the execution that can be swapped: event `first` came before an operation of `thread` that
 * depends on it, and the other order may be possible. */
typedef struct dependency {
    uint32_t first, second; /* second is the number of events for an operation that is still blocked */
    uint32_t thread;
    bool indirect; /* other events stand between them that do not happen in the other order */
    bool settled;  /* whatever comes behind `second`, the swapped order is covered */
} dependency;

/* Copying a tree: the step that is next, and to which copied one it belongs. */
typedef struct copy {
    uint32_t original, anchor;
    bool behind;
} copy;

/* What is known of a thread, for choosing. */
typedef struct outlook {
    uint32_t rival; /* another thread that it competes with, or itself: sets of them as trees */
    bool competes;
    bool known, contested; /* its next operation touches a cell that threads compete for, ... */
    size_t cells_known;    /* ... when so many cells of that kind were known */
} outlook;

enum { LEARNED_PAIRS = 1024 };

typedef struct lazypor {
    machine *machine;
    explore_options options;
    outcome *out;
    statistics *stats;
    judge judge;
    limits limits;
    bool stop, restart;
    bool forks;          /* some step had several outcomes */
    bool learned;        /* an operation touched more than it did when it was used before */
    uint64_t patience;   /* executions before the next restart because of that */
    bool knows_rivals;   /* the first execution was used to learn who competes */
    bool waits_for_end;  /* the end of the program waits until no thread can go on */
    const state *ending; /* where the execution under way ended */

    VEC(node) nodes;   /* `depth` of them are in use */
    VEC(event) events; /* `length` of them */
    uint32_t depth, length;
    VEC(dependency) dependencies;
    VEC(plan) plans;
    uint32_t spare_plan; /* the first that is out of use */

    VEC(action) actions;
    accesses accesses; /* of the actions */
    map action_index;  /* hash -> the last action with it */
    action_list alike; /* per action: one with the same hash before it, or NO_INDEX */

    uint32_t threads;     /* room in a row of clocks */
    VEC(uint32_t) clocks; /* row per event: per thread, 1 + position of its last event that comes before */
    VEC(uint32_t) last, born; /* per thread: position of its last event, of the event that created it */

    map footprints;                        /* operation -> index in may_touch */
    VEC(accesses) may_touch;               /* all that an operation was seen to touch */
    map done_with;                         /* operation on one cell, and what that holds -> action */
    accesses guarded;                      /* cells that some operation was seen to wait for, */
    accesses updated;                      /* and cells that were changed by commuting updates */
    map contested;                         /* cells that threads were seen to compete for */
    uint64_t learned_pairs[LEARNED_PAIRS]; /* of conflicting actions, by hash: the last one learned from */
    VEC(outlook) outlooks;                 /* per thread */
    map visited;                           /* state tracking: hashes */

    /* buffers */
    VEC(uint32_t) row, needed; /* rows of clocks */
    VEC(uint32_t) sequence;    /* positions of the events of a swapped execution, without its last step ... */
    uint32_t swapped;          /* ... which is this action */
    VEC(const action *) elements; /* both, as actions */
    VEC(uint8_t) taken;           /* per element of it */
    action_list open;             /* covered actions on which nothing planned depends yet */
    VEC(copy) copying;
    successors tried;
    effect guard;
    accesses expected;
} lazypor;

static inline node *lazypor_top(lazypor *x) {
    assert(x->depth && x->depth <= x->nodes.size);
    return &x->nodes.data[x->depth - 1];
}
static inline uint32_t *clock_row(const lazypor *x, uint32_t position) {
    return x->clocks.data + (size_t)position * x->threads;
}
/* Whether event `first` comes before event `second` in every linear extension (positions ascending). */
static inline bool comes_before(const lazypor *x, uint32_t first, uint32_t second) {
    assert(first < second && second < x->length);
    return clock_row(x, second)[x->events.data[first].thread] > first;
}
static inline const action *event_action(const lazypor *x, uint32_t position) {
    assert(position < x->length && x->events.data[position].did < x->actions.size);
    return &x->actions.data[x->events.data[position].did];
}
static inline bool actions_conflict(const lazypor *x, const action *a, const action *b) {
    return footprint_conflict(x->accesses.data, &a->touched, x->accesses.data, &b->touched);
}

/* --- action.c ------------------------------------------------------------------------------------------- */

/* The index of an action whose accesses are the newest ones in `accesses`; they stay only if it is new. */
uint32_t action_intern(lazypor *x, action a);

/* --- operation.c: what a step touches, would touch, and needs ------------------------------------------- */

/* Outcome `index` of the step of `thread` from `s`. */
uint32_t operation_done(lazypor *x, const state *s, uint32_t thread, const successors *all, uint32_t index);

/* The second operation of a dependency in the other order, where it may read other values. The events that
 * come before it then are in `sequence`. */
uint32_t operation_foresee(lazypor *x, const dependency *d);

/* What the next operation of a thread will probably touch. Valid until the next call. */
const accesses *operation_expect(lazypor *x, const state *s, uint32_t thread);

/* What decides whether the thread may go on; empty if it always may. Valid until the next call. */
const effect *operation_guard(lazypor *x, const state *s, uint32_t thread);

/* Whether the thread, standing as in `control`, may go on with the memory of `memory`. */
bool operation_may_go_on(lazypor *x, const state *control, const state *memory, uint32_t thread);

/* --- constraints.c: the trace constraint system of the execution ---------------------------------------- */

/* The newest event was added: orders it, and lists the dependencies it is the second of. */
void constraints_add_event(lazypor *x);

/* Lists the dependencies of operations that did not happen in `s`, where the execution ended: of blocked
 * ones, and if the last event cut the others off, of every pending one on that event. */
void constraints_add_pending(lazypor *x, const state *s, bool cut_off);

/* The events that must stay before the second operation of a dependency, which is the action `swapped` then,
 * when it is swapped: a clock row. */
const uint32_t *constraints_past(lazypor *x, const dependency *d);

/* Makes room for the thread numbers of a state, and notes which of its threads event `position` created. */
void constraints_note_threads(lazypor *x, const state *before, const state *after, uint32_t position);

/* --- preference.c --------------------------------------------------------------------------------------- */

void preference_learn(lazypor *x, const action *a, const action *b); /* they were seen to depend */
void preference_moved(lazypor *x, uint32_t thread);                  /* it stands elsewhere now */
uint32_t preference_choose(lazypor *x, const node *n);               /* one of its enabled threads */

/* --- variation.c ---------------------------------------------------------------------------------------- */

/* Plans an execution in which the dependency is swapped, unless one is covered or planned already. */
void variation_plan(lazypor *x, dependency *d);

/* The step taken from node `from` has `count` outcomes: plans the others, each with what is planned behind it
 * (the tree `behind`). */
void variation_plan_outcomes(lazypor *x, uint32_t from, uint32_t taken, uint32_t count, uint32_t behind);

void variation_forget_step(lazypor *x, uint32_t index); /* it alone */
void variation_forget(lazypor *x, uint32_t tree);       /* with all behind and beside it */

#endif
