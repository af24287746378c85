/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_CEGAR_INTERNAL_H
#define HEDDLE_CEGAR_INTERNAL_H

#include "analysis/analyses.h"
#include "base/heap.h"
#include "base/map.h"
#include "cegar/cegar.h"
#include "cegar/variant.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "partial/abstract.h"
#include "reduction/persistent.h"
#include "reduction/thread_sets.h"

typedef VEC(const term *) term_list;
typedef struct cegar cegar;

/* --- precision.c: what is kept of the data -------------------------------------------------------------- */

typedef struct precision precision;

precision *precision_create(machine *m, const abstraction_options *how);
void precision_destroy(precision *p);
uint32_t precision_version(const precision *p); /* grows with every addition */

/* Constants at this place are kept from now on. False: they already are, or may not be because there were
 * too many. */
bool precision_track(precision *p, const term *place);

/* Given up, but now it may have more of them, if these are not more than `most`. */
bool precision_track_again(precision *p, const term *place, uint64_t most);
bool precision_is_tracked(const precision *p, const term *place);
/* A constant of a heap object that nobody asked for. */
bool precision_keeps_of_heap(precision *p, const term *place, const term *constant, uint64_t location);
bool precision_may_track(const precision *p, const term *place); /* not given up */

/* Constants of cells that were accessed to order memory are kept, too, as long as there are few. */
void precision_track_unasked(precision *p, const effect *touched);

/* Whether a tracked place may keep this constant at that location; too many different ones and it
 * is given up. */
bool precision_keeps(precision *p, const term *place, const term *constant, uint64_t location);

/* The same for the distance of two places. */
bool precision_keeps_distance(precision *p, const term *distance, const term *constant, uint64_t location);
bool precision_may_keep_distance(const precision *p, const term *distance); /* not given up */
bool precision_keep_distance_again(precision *p, const term *distance); /* given up, but now more of them */

/* The predicate is decided where the scope of a state is this one. False: known already. In place of a
 * predicate there may be a distance, the difference of two places: its constant is looked for. */
bool precision_add(precision *p, uint64_t scope, const term *predicate);
const term_list *precision_predicates(const precision *p, uint64_t scope); /* NULL: none */
uint64_t precision_scope_of(const precision *p, const state *s, uint32_t moved);
size_t precision_size(const precision *p);                    /* tracked places and predicates */
bool precision_mentions(const precision *p, uint32_t object); /* now or before: of a static object */

/* --- graph.c: the abstract reachability graph ----------------------------------------------------------- */

#define NO_NODE UINT32_MAX

typedef VEC(uint32_t) node_list;

typedef struct arg_node {
    state *s; /* NULL: removed */
    uint32_t parent, first_child, next_sibling;
    uint32_t covered_by; /* NO_NODE: it is not */
    node_list covers;    /* those that say they are covered by this one */
    transition by;       /* from the parent ... */
    step_way *went;      /* ... this way */
    uint32_t version;    /* of the precision it was made with */
    uint32_t depth;
    uint64_t control;
    uint32_t pattern, next_alike; /* where it is found, see graph */
    uint64_t constants;
    bool waiting;
    bool expanded;
    uint64_t set;       /* bit i: transition i of the enabled ones is enough, with others so marked */
    uint64_t taken;     /* of these, those that were not asleep */
    uint64_t enabled;   /* hash of the transitions that the bits stand for */
    uint64_t sleep;     /* bit t: the next step of thread t need not be taken from here */
    object_list relied; /* the set is enough until one of these objects matters */
    bool partly;        /* the set does not hold all of them ... */
    bool wants_rest;    /* ... but they are needed after all, ... */
    bool wants_more;    /* ... or some of them, as an object matters now */
    uint32_t distance;  /* to a check, for graph.order */
} arg_node;

/* The nodes of one control whose states have constants at the same numbers. One of them can cover a state
 * only if the state has the same constants there. */
typedef struct constant_pattern {
    VEC(uint32_t) at;
    map nodes; /* hash of the constants -> a node, others by next_alike */
} constant_pattern;

typedef struct graph {
    machine *machine;
    VEC(arg_node) nodes;
    size_t live;            /* nodes that were not removed */
    map by_control;         /* control hash -> index into buckets */
    map by_pattern;         /* control and pattern -> index into patterns */
    VEC(node_list) buckets; /* of patterns */
    VEC(constant_pattern) patterns;
    number_list numbers;  /* of the present state */
    number_heap waiting;  /* taken in the order that was asked for */
    size_t first_waiting; /* breadth first */
    search_order order;
    uint64_t dives, dived; /* depth first: how often it began at the oldest node, and the nodes since then */
    const distances *distances; /* ORDER_ERROR_DISTANCE */
    call_sites stack;           /* of the thread that is looked at */
    substitution *known;        /* for comparing */
    uint64_t attempts;
} graph;

void graph_open(graph *g, machine *m, search_order order);
void graph_close(graph *g);
uint32_t graph_add(graph *g, state *s, uint32_t parent, transition by, step_way *went, uint32_t version);

/* By a node that says no more than this one. If more sleeps there, it wakes up. */
bool graph_cover(graph *g, uint32_t node);
void graph_queue(graph *g, uint32_t node);

/* The nodes that are not covered and have the control of s, and where they have constants the same ones: all
 * that could say no more than s. */
void graph_find_alike(graph *g, const state *s, node_list *out);
uint32_t graph_next(graph *g); /* NO_NODE: nothing waits */

void graph_end_dive(graph *g); /* depth first: goes on from the oldest node that waits */

/* Removes the whole subtree of a node, which waits then. */
void graph_begin_again(graph *g, uint32_t node);
size_t graph_live(const graph *g);

/* --- abstraction.c -------------------------------------------------------------------------------------- */

typedef VEC(state *) state_list;

/* What the precision says about the end of a step of thread `moved`: one state, or, with the Boolean domain,
 * one for each combination of predicates. NULL: done; else why not. */
reason_kind abstraction_of(cegar *x, const state *s, uint32_t moved, state_list *out);

/* --- trace.c: is there such a path? --------------------------------------------------------------------- */

typedef struct trace_step {
    const state *from; /* abstract */
    const state *to;   /* abstract; NULL for the last step if it ended otherwise than by stopping */
    transition by;
    const step_way *went;
} trace_step;

typedef struct abstract_trace {
    VEC(trace_step) steps;
    const successor *end; /* of the last step */
} abstract_trace;

typedef enum { TRACE_FEASIBLE, TRACE_SPURIOUS, TRACE_UNDECIDED } trace_answer;

typedef struct trace_reason {
    VEC(term_list) before; /* before step i: conditions of an unsatisfiable core on the values there */
    VEC(term_list) fixed;  /* those among them that depend on no input */
    VEC(term_list) equal;  /* if asked for: equalities of their places that hold on this path, ... */
    VEC(term_list) apart;  /* ... and the distances that these are about */
    bool values;           /* it is the exact values that matter: a number was not exact where it had to be */
    reason_kind trouble;   /* TRACE_UNDECIDED */
} trace_reason;

trace_answer trace_examine(cegar *x, const abstract_trace *t, bool equalities, trace_reason *why);
void trace_reason_free(trace_reason *r);

/* --- replay.c ------------------------------------------------------------------------------------------- */

/* Some state of it has objects that are not told apart: it may be no path although it was found feasible. */
bool trace_has_summaries(const abstract_trace *t);

/* The same path from the initial state, as a list of successors. False: not found. */
bool trace_replay(cegar *x, const abstract_trace *t, path *out);

/* --- refine.c ------------------------------------------------------------------------------------------- */

/* How often paths came that end alike: what else is tried then. */
typedef enum {
    PATIENT,
    STUBBORN,     /* constants before predicates, and what places have in common */
    VERY_STUBBORN /* also constants that had been given up, as there were too many */
} stubbornness;

/* To be asked once for each path. */
stubbornness refine_stubbornness(cegar *x, const successor *end);

/* Makes the precision finer where the reason says. Returns the first step before which something changes, or
 * NO_INDEX: nothing does. `nodes` are those of the trace, the first being the root. */
uint32_t refine(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                stubbornness how);

/* --- reduce.c: which transitions are enough ------------------------------------------------------------- */

typedef struct reduction {
    bool sets, sleeps, aware;
    thread_sets *threads; /* preemptive */
    persistent *segments; /* systemc */
    relevance matters;
    object_list relied;
    effect of_sleeper;
    uint32_t **block_ranks; /* of each function, for cycles.c */
    size_t functions;
    call_sites stack_before, stack_after; /* of a thread, around a step */
} reduction;

reduction *reduction_create(cegar *x); /* NULL: none was asked for */
void reduction_destroy(reduction *r);

/* Fills cegar.chosen with the transitions to be taken from a node now, as indices. */
void reduction_select(cegar *x, uint32_t node, const transitions *enabled);

/* Of the threads that are asleep when a step is taken from the node: those that still are behind it. */
uint64_t reduction_sleep_behind(cegar *x, uint32_t node, uint64_t asleep, transition by,
                                const effect *touched);
uint64_t reduction_thread_bit(transition by); /* in sets of sleeping threads; 0: it never sleeps */

/* What may show that something is known of an object. */
void reduction_look_at_state(cegar *x, uint32_t node);
void reduction_look_at_effect(cegar *x, const effect *touched);
void reduction_look_at_precision(cegar *x);

/* --- cycles.c ------------------------------------------------------------------------------------------- */

/* When nothing waits: queues the nodes that must take the rest. False: there are none. */
bool cycles_take_the_rest(cegar *x);
void cycles_forget(reduction *r);

/* --- cegar.c -------------------------------------------------------------------------------------------- */

/* Sets `stop` if there is no time or memory left. Cheap, but for each 16th count. */
void cegar_look_at_limits(cegar *x, uint64_t count);

struct cegar {
    machine *machine;
    const explore_options *options;
    const cegar_variant *variant;
    outcome *out;
    judge judge;
    limits limits;
    step_options how;
    const kernel_traits *kernel;
    bool ignore_time;
    uint32_t apart; /* heap objects of one place that have names of their own */
    precision *precision;
    substitution *values; /* of predicates */
    graph graph;
    reduction *reduction;
    indices chosen;
    map seen;             /* hash of a spurious path -> what was tried */
    map ends;             /* hash of where spurious paths end -> how often */
    uint64_t unset_bytes; /* told apart so far, see trace.c */
    bool thorough;        /* hard predicates are decided, too: they were missed */
    bool splits;          /* open predicates are decided either way, each in a state of its own */
    bool heap_constants;  /* constants in heap objects are kept, for summaries to have them */
    size_t restart_at;    /* nodes at which all of them are made anew, if ... */
    bool has_old_nodes;   /* ... some were made with less precision than there is */
    bool stop;
};

static inline rename_options names_of(const cegar *x) {
    return (rename_options){.apart = x->apart, .ignore_time = x->ignore_time};
}
static inline uint32_t at_most_apart(uint32_t objects) {
    return objects < ABSTRACT_MOST_APART ? objects : ABSTRACT_MOST_APART;
}

#endif
