/* What the files of this folder share: the depth-first stack and its nodes. Not for others. */
#ifndef HEDDLE_SEARCH_INTERNAL_H
#define HEDDLE_SEARCH_INTERNAL_H

#include "base/map.h"
#include "explore/judge.h"
#include "matching/visited.h"
#include "reduction/ample.h"
#include "reduction/checker.h"
#include "reduction/effects_graph.h"
#include "reduction/persistent.h"
#include "search/hangs.h"
#include "search/search.h"

enum { MARK_WORKING = 1, MARK_DONE = 2, MARK_PERSISTENT = 4 }; /* per enabled transition of a node */

typedef struct node {
    state *s;
    visited_entry *entry; /* NULL: not stored (stateless, or not at a scheduling point) */
    path_step by;         /* the step that led here ... */
    uint32_t chain;       /* ... and how many more after it, without a choice (chain.c) */
    bool past_full;       /* some state of this chain was expanded fully */
    effect touched;       /* of that step; only with dynamic reduction */
    bool expanded;
    bool scheduling; /* threads compete here: the evaluation phase */
    transitions enabled;
    VEC(uint8_t) marks;
    successors next;   /* of the transition under way ... */
    size_t next_index; /* ... explored so far */
    /* Happens-before: stack positions (relative to the delta cycle) that precede the step that led here. */
    VEC(uint64_t) before;
    uint32_t graph_id; /* in the effects graph */
    /* In the graph of hangs: of this state, of the way that led here, of the step under way. */
    uint32_t hang_state, hang_way, hang_step;
} node;

typedef struct queued {   /* breadth-first: a state waiting for its turn, or already expanded */
    state *s;             /* NULL: done with, or to be restored from its entry */
    visited_entry *entry; /* its own, or that of the state before it which has one; NULL: none */
    path_step by;
    uint32_t chain; /* as in node */
    uint32_t parent;
    uint32_t hang_state;
    uint32_t depth : 31; /* how many parents there are */
    bool done : 1;
} queued;

typedef struct guided guided;

typedef struct search {
    machine *machine;
    explore_options options;
    step_options how;
    outcome *out;
    statistics *stats;
    bool dynamic, static_sets, happens_before; /* what the chosen reduction consists of */
    const kernel_traits *kernel;
    bool cycles_pass_scheduler; /* so nobody who could run is left out on one */
    map races;                  /* pairs of places already reported */
    uint32_t looks_for_races;   /* for a note */
    persistent *persistent;     /* cooperative programs, unless the caller has a reduction of its own */
    ample *ample;               /* preemptive ones; NULL: no reduction, or the caller's own */
    visited *visited;
    effects_graph *graph;
    checker *checker;                     /* with check_reduction */
    call_sites stack_before, stack_after; /* of a thread, around a step of a chain */
    path begun;                           /* the steps of the prefix that it began behind */
    VEC(node) stack;                      /* nodes above `depth` keep their buffers for reuse */
    size_t depth;
    VEC(queued) queue; /* breadth-first only; parents come before children */
    size_t turn;       /* its element under expansion */
    guided *guided;    /* ORDER_ASTAR: the queue is not taken from its beginning */
    bool stop;
    double started, started_cpu;
    uint64_t next_look; /* at the clock, in transitions */
    indices buffer;
    path ahead;                /* steps behind the present state that were made without storing it */
    const state *ahead_from;   /* the state that the step under way leads from, if not the present one */
    transitions chain_enabled; /* buffers of chain.c ... */
    successors chain_next;     /* ... what comes after */
    transitions movers;        /* buffer of dead_threads.c ... */
    uint64_t looking_steps;    /* ... and what it has executed */
    uint32_t hang_step;        /* breadth-first: the step under way, for ... */
    hangs *hangs;              /* NULL: nobody asks who never gets on again */
} search;

node *search_top(search *x);
void search_try_everything(node *n);             /* every enabled transition, whatever the reduction says */
bool search_is_scheduling_point(const state *s); /* states are stored and matched here */
bool search_is_match_point(const state *s);      /* these, and loop heads if they are stops */
bool search_threads_compete(const search *x, const state *s, const transitions *enabled);

/* Indices of the enabled transitions that are enough where threads compete, into x->buffer. */
void search_choose_enough(search *x, const state *s, const transitions *enabled);

/* --- begin.c -------------------------------------------------------------------------------------------- */

/* The state to begin in, for the caller to release. NULL: nothing is to be explored, and the
 * outcome says why. */
state *search_begin(search *x);

/* --- limits.c ------------------------------------------------------------------------------------------- */
void search_look_at_limits(search *x);
void search_finish_statistics(search *x);

/* --- judge.c -------------------------------------------------------------------------------------------- */
/* Looks at a successor of the top node: records violations, doubts, deadlocks. True if exploration goes on
 * from it. */
bool search_judge(search *x, const successor *s);

judge search_open_judge(search *x);

typedef struct further_steps { /* behind the present state; of a search_record_path */
    search *x;
    const path_step *steps;
    size_t count;
} further_steps;

void search_record_path(void *data, path *out);

/* With dump_traces: the execution on the stack, completed by this last step, is a finished trace. */
void search_record_trace(search *x, const successor *last);

/* --- chain.c -------------------------------------------------------------------------------------------- */

/* The step `first` has led from `from` to *now. Goes on from there while there is no choice, and puts the
 * last state into *now; x->ahead is the way. Tells how many steps were made after the first. */
uint32_t search_follow_chain(search *x, const state *from, path_step first, state **now, bool *past_full);

typedef struct path_link { /* a step and the chain behind it */
    path_step by;
    uint32_t chain;
} path_link;
typedef VEC(path_link) path_links;

/* Appends these steps, with those of the chains, to a path that is empty. */
void search_unfold_chains(search *x, const path_links *links, path *out);
void search_close_chains(search *x); /* frees the buffers */

/* --- dead_threads.c ------------------------------------------------------------------------------------- */

/* Deadlocks are asked for, and nobody moves in s. */
bool search_stands_still(search *x, const state *s);

/* s is where x->ahead leads from the present state; it was matched. */
void search_look_for_dead_threads(search *x, state *s);

void search_begin_hangs(search *x); /* breadth-first: the first state of the queue */

/* After a complete search: those that its graph shows. */
void search_look_for_hangs(search *x);

/* --- dynamic.c: backtracking of dynamic reduction ------------------------------------------------------- */
/* The top node is the one stepped from. */
void dynamic_after_step(search *x, const effect *touched, uint32_t thread);
void dynamic_on_match(search *x, visited_entry *hit); /* the top node was matched */
void dynamic_order(search *x);                        /* fills `before` of the top node */
void dynamic_connect(search *x, uint32_t target);     /* edge of the effects graph into the top node */
/* Edge for a step from the top node that ended its path. */
void dynamic_connect_end(search *x, const effect *touched, uint32_t thread);

/* --- bfs.c ---------------------------------------------------------------------------------------------- */
void search_breadth_first(search *x);

typedef struct expansion { /* buffers */
    transitions enabled;
    successors list;
} expansion;

/* Takes the steps from element `turn` of the queue; new states are added at its end. */
void search_expand_queued(search *x, expansion *buffers);
void search_free_expansion(search *x, expansion *buffers);

state *search_queued_state(search *x, const queued *q); /* of one that waits; for the caller to release */
void search_finish_queued(search *x, queued *q);        /* it does not wait any more */

/* --- guided.c ------------------------------------------------------------------------------------------- */
void search_guided(search *x);

/* The state s was added to the queue; `only`: nothing else could have happened where the way to it began.
 * False: nothing can be violated from it, so it is done with. */
bool guided_receive(search *x, const state *s, bool only);

/* This element of the queue was met again: it is looked at if nobody has yet. */
void guided_meet_again(search *x, size_t element);

/* The state of this element of the queue was met again, by x->ahead from `turn`: is that way shorter, and
 * does it matter? */
bool guided_is_shorter(const search *x, size_t element);

#endif
