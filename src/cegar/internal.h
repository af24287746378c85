/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_CEGAR_INTERNAL_H
#define HEDDLE_CEGAR_INTERNAL_H

#include "base/map.h"
#include "cegar/cegar.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "machine/abstract.h"
#include "reduction/ample.h"
#include "reduction/persistent.h"

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
bool precision_is_tracked(const precision *p, const term *place);
bool precision_may_track(const precision *p, const term *place); /* not given up */

/* Constants of cells that were accessed to order memory are kept, too, as long as there are few. */
void precision_track_unasked(precision *p, const effect *touched);

/* Whether a tracked place may keep this constant at that location; too many different ones and it is given
 * up. */
bool precision_keeps(precision *p, const term *place, const term *constant, uint64_t location);

/* The predicate is decided where the scope of a state is this one. False: known already. */
bool precision_add(precision *p, uint64_t scope, const term *predicate);
const term_list *precision_predicates(const precision *p, uint64_t scope); /* NULL: none */
uint64_t precision_scope_of(const precision *p, const state *s, uint32_t moved);
size_t precision_size(const precision *p); /* tracked places and predicates */

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
    bool partly;     /* a reduction left out transitions ... */
    bool wants_rest; /* ... that are needed after all */
    uint64_t taken;  /* bit i: transition i of the enabled ones, as far as there are 64 */
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
    map by_control;         /* control hash -> index into buckets */
    VEC(node_list) buckets; /* of patterns */
    VEC(constant_pattern) patterns;
    number_list numbers;   /* of the present state */
    VEC(uint32_t) waiting; /* taken in the order that was asked for */
    size_t first_waiting;  /* breadth first */
    search_order order;
    substitution *known; /* for comparing */
    uint64_t attempts;
} graph;

void graph_open(graph *g, machine *m, search_order order);
void graph_close(graph *g);
uint32_t graph_add(graph *g, state *s, uint32_t parent, transition by, step_way *went, uint32_t version);
bool graph_cover(graph *g, uint32_t node); /* by a node that says no more than this one */
void graph_queue(graph *g, uint32_t node);
uint32_t graph_next(graph *g);                    /* NO_NODE: nothing waits */
void graph_remove_below(graph *g, uint32_t node); /* its whole subtree, without itself */
size_t graph_live(const graph *g);

/* --- abstraction.c -------------------------------------------------------------------------------------- */

typedef VEC(state *) state_list;

/* What the precision says about the end of a step of thread `moved`: one state, or, with the Boolean domain,
 * one for each combination of predicates. NULL: done; else why not. */
const char *abstraction_of(cegar *x, const state *s, uint32_t moved, state_list *out);

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
    VEC(term_list) equal;  /* filled if asked for: equalities between their places that hold on this path */
    bool values;           /* it is the exact values that matter: a number was not exact where it had to be */
    const char *trouble;   /* TRACE_UNDECIDED */
} trace_reason;

trace_answer trace_examine(cegar *x, const abstract_trace *t, bool equalities, trace_reason *why);
void trace_reason_free(trace_reason *r);

/* The same path from the initial state, as a list of successors. False: not found. */
bool trace_replay(cegar *x, const abstract_trace *t, path *out);

/* --- refine.c ------------------------------------------------------------------------------------------- */

/* Makes the precision finer where the reason says. Returns the first step before which something changes, or
 * NO_INDEX: nothing does. `nodes` are those of the trace, the first being the root. */
uint32_t refine(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                bool stubborn);

/* Whether paths that end like this one came too often: to be asked once for each. */
bool refine_is_stubborn(cegar *x, const successor *end);

/* --- cegar.c -------------------------------------------------------------------------------------------- */

struct cegar {
    machine *machine;
    const explore_options *options;
    outcome *out;
    judge judge;
    limits limits;
    step_options how;
    bool preemptive, ignore_time;
    precision *precision;
    substitution *values; /* of predicates */
    graph graph;
    ample *ample;
    persistent *persistent;
    indices chosen;
    map seen; /* hash of a spurious path -> what was tried */
    map ends; /* hash of where spurious paths end -> how often */
    bool stop;
};

#endif
