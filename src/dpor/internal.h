/* What the files of this folder share: the execution under way, its happens-before relation and its races.
 *
 * Position k of the execution has a node (the state before event k and what was chosen there) and, once a
 * step was taken, event k. Everything is kept in flat arrays that grow and shrink with the execution; a
 * snapshot of the state stands in every node, so going back costs nothing. Not for others. */
#ifndef HEDDLE_DPOR_INTERNAL_H
#define HEDDLE_DPOR_INTERNAL_H

#include "base/bits.h"
#include "base/invariant.h"
#include "base/map.h"
#include "dpor/clocks.h"
#include "dpor/dpor.h"
#include "dpor/footprint.h"
#include "explore/happens.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "machine/machine.h"

#define NOT_SETTLED UINT32_MAX

typedef struct event {
    uint32_t thread;
    path_step step;    /* with the choice, and which of its outcomes */
    uint32_t previous; /* position of the thread's event before it, or NO_INDEX */
    bool forked;       /* its step had several outcomes */
    bool waited;       /* for all others to stand still: it happens after everything before it */
    uint32_t number;   /* among the events of its thread */
    uint32_t cell;     /* what it touches first, as a hash; 0: nothing */
    footprint touched;
} event;

/* A step of a thread whose outcomes were all explored from here, or from an earlier node without being
 * disturbed since: its continuations are covered elsewhere. */
typedef struct sleeper {
    uint32_t thread;
    footprint touched; /* by any of the outcomes, as executed where it was put to sleep */
} sleeper;

/* One outcome of the step under way at a node. */
typedef struct way {
    state *to; /* owned until taken */
    footprint touched;
    successor end; /* without state and effect */
} way;

typedef struct node {
    state *s;
    uint32_t enabled_count;
    bool explored;                            /* some step was taken from here */
    bool under_way;                           /* the step of `thread` */
    uint32_t thread;                          /* ... */
    uint32_t ways_begin, ways_next, ways_end; /* its outcomes in `ways`: all of them, and the next to take */
    uint32_t sleep_begin, sleep_end;          /* in `sleepers`: inherited ones, then those explored here */
    uint32_t races_begin;                     /* in `races`: those of the event taken from here and above */
    uint32_t branches;                        /* wakeup tree: the first branch that waits, or NO_INDEX */
    uint32_t subtree;                         /* of the branch under way, until its last outcome takes it */
} node;

/* Event `first` and a later event of another thread conflict, and the later one could come first. */
typedef struct race {
    uint32_t first, second; /* positions; second is the number of events for an operation that is blocked */
    uint32_t thread;        /* of the second */
    bool indirect;          /* other events stand between them that would not happen in the reversed order */
    footprint touched;
    uint32_t settled; /* the reversal is covered in every execution that agrees with this one up to here */
} race;

typedef struct wakeup wakeup;
typedef struct schedule schedule;

typedef VEC(uint64_t) bit_rows;

typedef struct dpor {
    machine *machine;
    explore_options options;
    outcome *out;
    statistics *stats;
    judge judge;
    limits limits;
    bool orders;           /* happens-before and races are looked for */
    bool exits_anywhere;   /* the end of the program does not wait for other threads */
    bool forks;            /* some step had several outcomes */
    bool nothing_commutes; /* updates are taken as writes */
    bool rehearsed;        /* the first execution is over */
    bool again;            /* something was met that makes earlier conclusions invalid: start again */

    VEC(node) nodes;
    VEC(event) events;
    VEC(footprint_filter) filters; /* of the events */
    VEC(way) ways;
    VEC(sleeper) sleepers;
    VEC(race) races;
    accesses accesses; /* of events, ways and sleepers */

    uint32_t threads;     /* room in rows of clocks */
    VEC(uint32_t) clocks; /* row per event: per thread, 1 + position of its last event that happens before */
    bit_rows enabled;     /* row of bits per node */
    bit_rows tried;       /* ... threads that are to be tried (persistent, source), or were (none) */
    bit_rows awake;       /* buffer, one row */
    VEC(uint32_t) last;   /* per thread: position of its last event, or NO_INDEX */
    VEC(uint32_t) born;   /* per thread: position of the event that created it */
    uint32_t agreed;      /* positions below were not changed since races were last settled */

    map awaited, updated; /* cells that threads wait for, and cells changed by commuting updates */
    uint32_t restarts;
    wakeup *wakeup; /* optimal only */
    schedule *schedule;
    VEC(uint32_t) reversible_clock, second_clock; /* buffers, one row each */
    transitions transitions;
    successors successors;
    effect guard;       /* buffer */
    happens *happens;   /* in the present execution; NULL: nobody asks */
    bool orders_matter; /* declared ones, to races: what happens before what is followed from the beginning */
    bool stepped_back;  /* since it was brought up to date */
    map race_attempts;  /* pair of places -> how often a data race between them was tried to be confirmed */
} dpor;

static inline node *top(dpor *x) {
    assert(x->nodes.size);
    return &x->nodes.data[x->nodes.size - 1];
}
static inline uint32_t row_words(const dpor *x) {
    return (x->threads + 63) / 64;
}
static inline uint32_t *clock_row(const dpor *x, uint32_t position) {
    assert(position < x->events.size && ((size_t)position + 1) * x->threads <= x->clocks.capacity);
    return x->clocks.data + (size_t)position * x->threads;
}
static inline uint64_t *enabled_row(const dpor *x, uint32_t position) {
    assert(position < x->nodes.size);
    return x->enabled.data + (size_t)position * row_words(x);
}
static inline uint64_t *tried_row(const dpor *x, uint32_t position) {
    assert(position < x->nodes.size);
    return x->tried.data + (size_t)position * row_words(x);
}

/* Whether event `first` happens before event `second` (positions ascending). */
static inline bool happens_before(const dpor *x, uint32_t first, uint32_t second) {
    assert(first < second && second < x->events.size);
    return clock_row(x, second)[x->events.data[first].thread] > first;
}

bool is_asleep(const dpor *x, const node *n, uint32_t thread);

/* --- schedule.c ----------------------------------------------------------------------------------------- */

/* A thread to go on with where any that is awake will do; NO_INDEX: none is. */
uint32_t schedule_freely(dpor *x);
bool may_start(const dpor *x, const node *n, uint32_t thread); /* enabled and awake */

schedule *schedule_create(void);
void schedule_destroy(schedule *s);
void schedule_learn(dpor *x, event *e); /* completes the event */
void schedule_learn_race(dpor *x, const race *r);

/* --- order.c: happens-before of the newest event, and the races it is the second of --------------------- */

/* The newest event was pushed: fills its clock row and appends its races. */
void order_event(dpor *x);

/* The execution is over: appends the races of operations that are blocked in `s`, the last state in which
 * threads were looked at. */
void order_blocked(dpor *x, const state *s);

/* What the second event of a race happens after if it comes before the first and touches this:
 * a clock row. */
const uint32_t *reversed_clock(dpor *x, const race *r, const footprint *touched);

/* --- awaited.c: cells that threads wait for ------------------------------------------------------------- */

/* The step of `thread` from `s` touched this. Takes updates as writes where they must not commute, and notes
 * what the thread waited for. */
void note_touched(dpor *x, const state *s, uint32_t thread, effect *touched);
void note_awaited(dpor *x, const effect *cells);

/* --- guard.c: would a blocking operation be enabled in another order? ----------------------------------- */

/* The race's second event, standing as in `control`, could be executed before the first one, after the events
 * in between that do not depend on the first. */
bool could_come_first(dpor *x, const race *r, const state *control);

/* The thread's next step may depend on waiting for a cell. */
bool may_wait(const dpor *x, const state *s, uint32_t thread);

/* Executes the events between two positions that do not depend on the one at `first`, from the state before
 * it. NULL if they cannot be followed. The steps are appended to `steps` if that is not NULL. */
state *run_without(dpor *x, uint32_t first, uint32_t end, path *steps);

/* --- reversal.c ----------------------------------------------------------------------------------------- */

/* What the second event of a race touches if it comes before the first, after all events that do not depend
 * on the first; the number of its outcomes, 0 if that could not be found out. May append to the pool. */
footprint footprint_if_reversed(dpor *x, const race *r, uint32_t *outcomes);

/* --- backtrack.c: which threads must also be tried at earlier nodes ------------------------------------- */
void backtrack_by_source_set(dpor *x, const race *r);
void backtrack_by_persistent_set(dpor *x, const race *r);

/* --- wakeup.c: wakeup trees ----------------------------------------------------------------------------- */
wakeup *wakeup_create(void);
void wakeup_destroy(wakeup *w);
void wakeup_insert(dpor *x, race *r);    /* covers the reversal of r, and says up to where that is settled */
void wakeup_forget_execution(wakeup *w); /* before races of another execution are inserted */
uint32_t wakeup_thread(const wakeup *w, uint32_t branch);
uint32_t wakeup_take(wakeup *w, uint32_t *branches); /* removes the first branch; returns its subtree */
void wakeup_skip(wakeup *w, uint32_t *branches);     /* replaces the first branch by its subtree */
uint32_t wakeup_copy(wakeup *w, uint32_t subtree);
void wakeup_drop(wakeup *w, uint32_t subtree);

/* --- data_race.c ---------------------------------------------------------------------------------------- */
/* Reports data races between the newest event and earlier ones, if somebody wants to know; its races
 * begin at `first_race`. */
void report_data_races(dpor *x, size_t first_race);

#endif
