/* What every explorer takes and gives: options, limits, progress, and the outcome of a run.
 *
 * An outcome is honest by construction: it starts as "nothing found, nothing doubtful"; explorers add
 * violations (as paths that can be replayed) and doubts (reasons why `safe` may not be said). The verdict is
 * computed from both by outcome_verdict. */
#ifndef HEDDLE_EXPLORE_EXPLORE_H
#define HEDDLE_EXPLORE_EXPLORE_H

#include "base/diag.h"
#include "explore/shape.h"
#include "machine/machine.h"
#include "machine/seen.h"

/* --- options -------------------------------------------------------------------------------------------- */

/* All of these: choices.def. */
#define REDUCTION(number, name) POR_##number,
typedef enum por_kind {
#include "explore/choices.def"
    POR_KINDS
} por_kind;

#define MATCHER(number, name) MATCH_##number,
typedef enum match_kind {
#include "explore/choices.def"
    MATCH_KINDS
} match_kind;

#define ORDER(number, name) ORDER_##number,
typedef enum search_order {
#include "explore/choices.def"
    SEARCH_ORDERS
} search_order;

#define MEMORY_MODEL(number, name) MEMORY_##number,
typedef enum memory_model {
#include "explore/choices.def"
    MEMORY_MODELS
} memory_model;

typedef enum visited_kind {
    VISITED_FULL,
    VISITED_COMPACT,    /* differences and signatures; states are restored to be compared */
    VISITED_UNCONFIRMED /* signatures are believed, so `safe` becomes `unknown` */
} visited_kind;

/* ORDER_ASTAR: which abstraction tells how far it is. */
typedef enum {
    GUIDE_AUTO,   /* finer and finer ones while the search goes on, none at first */
    GUIDE_COARSE, /* what the property is about */
    GUIDE_FINE    /* also what that depends on */
} guide_kind;

#define PROPERTY(number, name) INDEX_OF_PROPERTY_##number,
enum {
#include "explore/choices.def"
    PROPERTIES
};
#define PROPERTY(number, name) PROPERTY_##number = 1 << INDEX_OF_PROPERTY_##number,
enum {
#include "explore/choices.def"
    ALL_PROPERTIES = (1 << PROPERTIES) - 1
};

const char *property_name(unsigned index);   /* of the PROPERTY_… that is 1 << index: "race" */
unsigned property_of_check(check_kind kind); /* the PROPERTY_… that a check of this kind belongs to */

/* A violated check of this kind is an answer. Bit k of `unasked`: although it is of these properties, a check
 * of check_kind k is not. */
bool check_is_asked_for(unsigned properties, unsigned unasked, check_kind kind);

/* Engine cegar: what is kept of the data, and where. */
typedef enum { DOMAIN_PRODUCT, DOMAIN_EXPLICIT, DOMAIN_CARTESIAN, DOMAIN_BOOLEAN } abstract_domain;
typedef enum { PRUNE_LAZY, PRUNE_FULL } prune_kind; /* what a refinement throws away */
typedef enum { SCOPE_AUTO, SCOPE_GLOBAL, SCOPE_THREAD, SCOPE_LOCATION } precision_scope;
typedef enum { BLOCKS_JOINS, BLOCKS_LARGE, BLOCKS_SMALL } block_kind; /* where states are abstracted */

typedef struct abstraction_options {
    abstract_domain domain;
    prune_kind prune;
    precision_scope scope;
    block_kind blocks;
    uint32_t apart; /* heap objects of one place that are told apart at first; 0: the preset */
} abstraction_options;

struct statistics;

typedef struct abstract_node { /* of the graph of an engine that abstracts */
    uint32_t number;
    uint32_t parent;     /* NO_INDEX: the first one */
    uint32_t covered_by; /* a node that stands for all of this one's states; NO_INDEX: none */
    const state *s;      /* partial/abstract.h */
    transition by;       /* from the parent */
} abstract_node;

typedef struct invariant_kind { /* what its states are the states of */
    unsigned stops;             /* steps that stop there */
    uint32_t apart;             /* partial/abstract.h, rename_options */
} invariant_kind;

typedef VEC(uint32_t) indices; /* of a list of transitions */

typedef struct explore_options {
    abstraction_options abstraction; /* engine cegar */
    por_kind por;
    match_kind match;
    search_order order;
    uint32_t weight;     /* ORDER_ASTAR: of the steps to go; 0: breadth first, 1: shortest counterexamples */
    guide_kind guide;    /* ORDER_ASTAR */
    bool all_ways_back;  /* ORDER_ASTAR: distances along all predecessors; off only to show what is missed */
    unsigned properties; /* PROPERTY_… */
    unsigned unasked;    /* see check_is_asked_for; paths end there all the same, which is a doubt */
    bool note_races; /* where nobody asks about races, one that is met on the way is noted (outcome.seen) */
    memory_model memory;
    unsigned stops; /* stop_set: with STOP_LOOP_HEAD states are also matched at loop heads, inside steps */
    /* A search that lost paths inside a step is tried again with STOP_LOOP_HEAD, within a budget. */
    bool loop_heads_if_needed;
    /* Exploration begins behind this prefix (explore/prefix.h), which belongs to the same `stops`; NULL:
     * in the initial state. What the way there meets is judged as well, and the outcome is never `safe`. */
    const char *from;
    bool begins_again;    /* whoever called begins again where outcome.heap_order_is_open: stop there */
    bool all;             /* go on after the first violation */
    bool deterministic;   /* limits count states, never seconds */
    bool check_reduction; /* execute declared-independent pairs in both orders and compare */
    bool proviso;         /* cycle proviso; off only to show the ignoring problem */
    /* Aware reduction: sets are completed when something they ignored becomes known; off only to show
     * what is missed. */
    bool validity;
    /* effects graph follows matched states; off only to show the lost-effects problem */
    bool edge_replacement;
    bool last_delta_cycle_test;  /* Alg 23's misprinted cycle test; on only to show that it is wrong */
    bool cycle_expansion;        /* Alg 10's expansion on cycles; off = A-SDPOR, unsound on cyclic spaces */
    bool stateful_effects;       /* Alg 9's effects graph; off = naive stateful DPOR */
    bool necessary_enabling;     /* off: disabled transitions contribute nothing (a mutant that must fail) */
    bool time_abstraction;       /* forget absolute time where that is sound */
    bool force_time_abstraction; /* even where it is not (a mutant that must fail) */
    visited_kind visited;        /* engine search: how the visited set keeps states */
    /* Engine search: states with one successor are passed without being stored; a chain is cut where a thread
     * jumps back once it has so many transitions. 0 = off. */
    uint64_t chain;
    bool fewest_steps_first; /* breadth first: the steps of chains count, too */
    bool chain_past_choices; /* chains take the first of several transitions (a mutant that must fail) */
    size_t visited_bytes;    /* bound of the visited set; 0 = none. States off the stack are evicted */
    uint64_t max_transitions, max_states, max_depth; /* 0 = none */
    uint32_t threads;    /* so many per execution, see step_options; 0: no such bound */
    double seconds;      /* wall clock; 0 = none */
    size_t bytes;        /* resident memory; 0 = none */
    bool state_tracking; /* lazypor: prune at visited states, as in the document; `safe` becomes `unknown` */
    bool dump_traces;    /* collect one canonical hash per explored trace class */
    /* Every executed step (tests); may be NULL. */
    void (*observe)(void *data, const state *from, transition by, const successor *to);
    void *observe_data;
    /* Engines that abstract: if the answer is safe, called with each state of an inductive invariant;
     * may be NULL. */
    void (*invariant)(void *data, const state *s, invariant_kind of);
    void *invariant_data;
    /* Engines that abstract: called with each node of the graph that they ended with; may be NULL. */
    void (*node)(void *data, const abstract_node *n);
    void *node_data;
    /* Engine search: a reduction of the caller's (docs/own-reduction.md) instead of the built-in sets,
     * with POR_AUTO; not called with POR_NONE, refused with others: where threads compete, which of the
     * enabled transitions are enough, ascending, into an empty list. What is no such list counts as all of
     * them. May be NULL. */
    void (*choose)(void *data, const state *s, const transitions *enabled, indices *out);
    void *choose_data;
    bool (*interrupted)(void *data); /* Ctrl-C */
    void *interrupted_data;
    void (*progress)(void *data, const struct statistics *so_far); /* called every few thousand transitions */
    void *progress_data;
} explore_options;

explore_options explore_default_options(void);

/* --- statistics: every counter means the same for every engine; docs/statistics.md defines them --------- */

enum { LONGEST_ENGINES = 40 };

typedef struct statistics {
    uint64_t states; /* distinct states stored or, stateless, visited at scheduling points */
    /* Executed steps of threads, scheduler and main; a fork inside a step ends it and begins two more. */
    uint64_t transitions;
    uint64_t executions; /* explored paths that came to an end (program end, match, assumption, violation) */
    uint64_t blocked_executions; /* of these, abandoned because a reduction found them redundant */
    uint64_t matched;            /* states recognised as visited */
    uint64_t match_attempts;     /* candidate pairs with equal hash that were compared */
    uint64_t hash_matches;       /* of these, not equal: the published "hash matches" figure */
    uint64_t evicted;            /* states dropped from a bounded visited set */
    uint64_t chained;            /* of the transitions, made from states that were not stored (chain) */
    uint64_t nodes, refinements; /* abstraction engines */
    uint64_t guide_states;       /* abstract states that guide the search */
    uint64_t solver_queries;
    uint64_t depth;            /* deepest stack */
    uint64_t reduction_checks; /* pairs executed in both orders by the reduction checker */
    double seconds, cpu_seconds;
    double guide_seconds; /* of these, spent on what guides the search */
    size_t visited_bytes; /* memory of the visited set in the end */
    size_t peak_memory_bytes;
    /* How far it is, for those who wait; 0: nobody knows. */
    uint64_t waiting; /* states that were found and not yet gone on from */
    double done;      /* depth first: the share of all choices that was tried, were all branches alike */
    char engines[LONGEST_ENGINES]; /* those at work, for whom progress is told; "": not said */
    search_shape shape;            /* engines search and dpor */
} statistics;

/* --- outcome -------------------------------------------------------------------------------------------- */

typedef enum {
    VERDICT_SAFE,
    VERDICT_UNSAFE,
    VERDICT_UNKNOWN,
    VERDICT_ERROR /* a reduction was wrong (outcome.reduction_errors): a bug, whatever else was found */
} verdict;

typedef enum {
    VIOLATION_CHECK,
    VIOLATION_DEADLOCK,
    VIOLATION_LIVELOCK,
    /* After the path, the next operations of the threads racing[0] and racing[1] conflict; or that of
     * racing[1] does with an earlier step, and nothing orders them (happens.h). */
    VIOLATION_RACE
} violation_kind;

/* What an outcome consists of is in tables of FIELD(form, type, name): the structures are made of them, and so
 * is what a process tells the one that forked it, where each form is spelled out (strategy/wire.c). */
#define OUTCOME_FIELD(form, type, name) type name;

typedef uint32_t racing_threads[2];

#define VIOLATION_FIELDS(FIELD)                                                                              \
    FIELD(NUMBER, violation_kind, kind)                                                                      \
    FIELD(AGAIN, uint32_t, check)        /* machine_check index; NO_INDEX: the one that the path ends in */  \
    FIELD(WHOLE, racing_threads, racing) /* VIOLATION_RACE */                                                \
    /* VIOLATION_RACE: number of the step of racing[0], from 1; 0: both are next */                          \
    FIELD(NUMBER, uint32_t, earlier)                                                                         \
    /* VIOLATION_RACE: race_places; 0: anywhere. Races at the same places are one */                         \
    FIELD(NUMBER, uint64_t, places)                                                                          \
    FIELD(WAY, path, path)            /* from the initial state; its last step ends in the violation */      \
    FIELD(AGAIN, bool, confirmed)     /* replayed concretely from the initial state, and it failed there */  \
    FIELD(AGAIN, valuation *, inputs) /* of the confirmed replay */

typedef struct violation {
    VIOLATION_FIELDS(OUTCOME_FIELD)
} violation;

typedef enum {
    DOUBT_OF_EXPLORER, /* another one, or more time, may do without */
    DOUBT_OF_PROGRAM   /* met in what the program really does: whoever explores all of it has it, too */
} doubt_reach;

typedef enum { BUSY_EXPLORING, BUSY_ASKING /* the solver */, BUSY_ELABORATING } busy_kind;

/* Why `safe` may not be said. */
#define DOUBT_FIELDS(FIELD)                                                                                  \
    FIELD(REASON, reason, why)                                                                               \
    FIELD(WHOLE, position, at)      /* line 0: nowhere in particular */                                      \
    FIELD(TEXT, const char *, file) /* of it; NULL: the program's */                                         \
    FIELD(NUMBER, doubt_reach, reach)                                                                        \
    /* What was done there, and who had called it; NULL: the reason says all. */                             \
    FIELD(TEXT, const char *, about)                                                                         \
    FIELD(NUMBER, busy_kind, busy) /* of what was broken off: where most of the time went */

typedef struct doubt {
    DOUBT_FIELDS(OUTCOME_FIELD)
} doubt;

typedef VEC(violation) violations;
typedef VEC(doubt) doubts;
typedef VEC(uint64_t) trace_hashes;

typedef enum explored_kind {
    EXPLORED_STATES,
    EXPLORED_EXECUTIONS, /* each for itself */
    EXPLORED_ABSTRACT_STATES
} explored_kind;

#define OUTCOME_FIELDS(FIELD)                                                                                \
    /* The first for each check, and for each two places that race. */                                       \
    FIELD(VIOLATIONS, violations, violations)                                                                \
    FIELD(DOUBTS, doubts, doubts)              /* without duplicates */                                      \
    FIELD(HASHES, trace_hashes, trace_classes) /* with dump_traces: sorted, unique */                        \
    /* What the machine met; the doubts that follow from it are among them. */                               \
    FIELD(SEEN, machine_seen, seen)                                                                          \
    FIELD(NUMBER, uint64_t, reduction_errors) /* pairs declared independent that are not: a bug */           \
    FIELD(NUMBER, bool, complete)             /* the whole (reduced) state space was explored */             \
    FIELD(NUMBER, bool, concluded)            /* the explorer has said all that it has to say, ... */        \
    FIELD(NUMBER, explored_kind, explored)    /* ... of these */                                             \
    FIELD(NUMBER, bool, heap_order_is_open)   /* whoever explores may begin again, with STOP_HEAP_ORDER */   \
    FIELD(WHOLE, statistics, stats)                                                                          \
    FIELD(TEXT, const char *, engine) /* what really ran, after `auto` was resolved */                       \
    FIELD(TEXT, const char *, por)                                                                           \
    FIELD(TEXT, const char *, match)                                                                         \
    FIELD(NUMBER, unsigned, stops) /* of the steps of paths */

typedef struct outcome {
    OUTCOME_FIELDS(OUTCOME_FIELD)
} outcome;

/* A run that was given up for another explorer. */
#define ATTEMPT_FIELDS(FIELD)                                                                                \
    FIELD(TEXT, const char *, engine)                                                                        \
    FIELD(TEXT, const char *, por)                                                                           \
    FIELD(TEXT, const char *, match)                                                                         \
    FIELD(REASON, reason, why)                                                                               \
    FIELD(WHOLE, double, seconds)

typedef struct attempt {
    ATTEMPT_FIELDS(OUTCOME_FIELD)
} attempt;

#undef OUTCOME_FIELD

typedef VEC(attempt) attempts;

/* Until it is concluded. */
void outcome_doubt(outcome *o, reason_kind kind, position at);
void outcome_add_doubt(outcome *o, doubt d); /* the same, with its file */
void outcome_doubt_fact(outcome *o, reason_kind kind, const seen_fact *met, doubt_reach reach);

void outcome_add_violation(outcome *o, violation v);

/* Another outcome is the answer: what the executions of this one were seen to do is true all the same. Of
 * abstract states, which do more, only what was confirmed. */
void outcome_leave_seen(const outcome *lost, machine_seen *to);

/* The explorer has begun anew and `o` is the answer: what it saw and the work that it did before count, too.
 * `before` is released. */
void outcome_add_earlier(outcome *o, outcome *before);

/* What somebody concludes who explored nothing, or not as an explorer does: it is not complete, and nothing
 * follows from what the machine met. See explore_conclude for all others. */
void outcome_conclude(outcome *o);

/* What is concluded is final, but for what nobody could know who explored:
 *
 *  - the run was stopped, which says more than the doubts about what was broken off by that;
 *  - a violation that another process found cannot be followed in this one;
 *  - a proof that was written down was not confirmed;
 *  - others saw what executions of the same program do.
 *
 * No amendment makes an answer surer than it was: it stays, or becomes unknown. */
typedef struct amendment {
    doubt more;                         /* REASON_NONE: none */
    bool (*is_said_by)(const doubt *d); /* doubts that go, as `more` says them; then it is the first one */
    bool only_confirmed;                /* violations that are not go; then `more` says why */
    const outcome *lost;                /* leaves what it saw: outcome_leave_seen */
    const machine_seen *seen;           /* of real executions, by others */
} amendment;

void outcome_amend(outcome *o, const amendment *by);

/* Doubts of another machine's exploration amend this one, with their texts: that machine may be gone before
 * this outcome is. */
void outcome_take_doubts(outcome *o, machine *keeps, const outcome *others);

verdict outcome_verdict(const outcome *o);

/* Of one property, never VERDICT_ERROR; `check` counts for VIOLATION_CHECK. */
verdict outcome_verdict_of(const outcome *o, violation_kind kind, uint32_t check);

/* Nothing was left out: what is not among the violations holds. */
bool outcome_is_exhaustive(const outcome *o);
bool outcome_is_vacuous(const outcome *o); /* every path ended in a failed assumption */

bool outcome_is_settled(const outcome *o); /* no other explorer, and no more time, can say more */
void outcome_free(outcome *o);

/* --- every explorer begins and ends so ------------------------------------------------------------------ */

void explore_begin(machine *m); /* not inside another exploration on this machine */

/* A step was made from a real state: one that some execution comes to. Abstract states may do more. */
void explore_note_step(machine *m, const explore_options *how, const state *from, const successor *to);

/* Facts that are doubts with these options, as bits (machine_facts_noted). */
uint32_t explore_doubtful_facts(const explore_options *how);

/* An outcome is final when its explorer returns it, but for outcome_amend. This adds the doubts that follow
 * from what the machine met since explore_begin, and hands what it met to the outcome. Once for each. */
void explore_conclude(machine *m, const explore_options *how, outcome *out);

/* --- violations ----------------------------------------------------------------------------------------- */

/* Replays the path of v twice from the initial state: symbolically for a model of its inputs, then concretely
 * with these. Sets v->inputs and v->confirmed: the concrete replay failed at the same check. `how` must be
 * what the explorer stepped with. */
bool violation_confirm(machine *m, violation *v, const step_options *how);

/* The two halves of it. The state at the end of the path with all its conditions, to be released; NULL: the
 * path does not lead to the violation. */
state *violation_replay(machine *m, violation *v, const step_options *how);
bool violation_replays_with(machine *m, violation *v, const step_options *how, const valuation *inputs);

/* Values for the inputs that the path condition speaks of; all others may be anything and are 0. NULL: none
 * is known. */
valuation *path_model(machine *m, const state *s);

/* Whether a step that ended so ends in this violation, the path of v aside. Never true of a race with an
 * earlier step, for which the path counts. */
bool violation_is_reached(machine *m, const violation *v, const valuation *inputs, const successor *end);

/* Whether two accesses of different threads to memory, neither ordered before the other, are a data race. */
bool access_race(const access *a, const access *b);

/* Whether the next operations of two threads race in this state: both may run now, and some accesses do. Says
 * which, and where they stand. */
bool state_races(machine *m, const state *s, const step_options *how, const uint32_t threads[2],
                 access racing[2], seen_place places[2]);

/* Appends what the next step of a thread touches, in this order, by executing it. */
void state_collect_next(machine *m, const state *s, const step_options *how, uint32_t thread, effect *to);

/* Where a thread stands in the program, and two of these, whichever comes first, as a number. */
uint64_t state_place(const state *s, uint32_t thread);
uint64_t race_places(uint64_t a, uint64_t b);

const char *por_name(por_kind k);     /* "stub-min" */
const char *match_name(match_kind k); /* "sbc-cv" */
bool por_from_name(const char *name, por_kind *out);
bool match_from_name(const char *name, match_kind *out);

#endif
