/* The machine: the only place that knows how a program moves, and the narrow waist between languages and
 * explorers. This header is what an explorer steps with; what else one may ask for stands in the headers beside
 * it.
 *
 * A state is immutable from outside, reference counted, and its layout is nobody's business. Explorers ask:
 *
 *     machine_initial(m, stops)        the state before main's first instruction
 *     machine_enabled(m, s, out)       the transitions that may come next
 *     machine_pending(m, s, t, out)    what the next step of ANY live thread may touch, blocked or not, and who
 *                                      could enable it
 *     machine_step(m, s, t, how, out)  runs t to its next stop; each successor carries its own effect
 *     state_...(s, ...)                what a state says of threads, stacks, conditions and memory
 *
 * Promises
 *  - Deterministic: the same state, transition and options give the same successors in the same order, so a
 *    path is a list of (transition, index of successor) and can be replayed.
 *  - Independent steps commute literally: objects, threads and inputs are named by (creating thread, its
 *    running count).
 *  - A successor that the solver could not decide about is kept and marked `uncertain`; nothing is guessed.
 *  - Never recurses on program structure and never runs for ever: an endless step ends as STEP_LIMIT with its
 *    place. It never looks at visited states, and does not know which explorer calls it.
 *
 * Beside it, for explorers that need more: hangs.h (who is blocked for ever), seen.h (what an exploration met
 * that its answer must say), setup.h (what a machine is set to), record.h (names, statistics). For others:
 * setup.h (making one), watch.h (what happens inside a step), positions.h (unknown numbers that decide how
 * addresses compare), look.h (the contents of states, for reports). */
#ifndef HEDDLE_MACHINE_MACHINE_H
#define HEDDLE_MACHINE_MACHINE_H

#include "analysis/segment.h"
#include "base/vec.h"
#include "machine/reason.h"
#include "program/effect.h"
#include "program/program.h"
#include "solver/solver.h"
#include "term/term.h"

typedef struct machine machine;
typedef struct analyses analyses; /* analysis/analyses.h */
typedef struct state state;       /* reference counted */

/* The "thread" of the scheduler's own transition: update, notify, advance time. */
#define MACHINE_KERNEL UINT32_MAX

typedef struct transition {
    uint32_t thread; /* or MACHINE_KERNEL */
    uint32_t choice; /* 0 unless there are alternatives: the order of dependent channel updates */
} transition;

typedef VEC(transition) transitions;

/* How one state was reached from another. A list of them leads from the initial state to where it ends. */
typedef struct path_step {
    transition by;
    uint32_t successor; /* index in the list that machine_step gave */
} path_step;

typedef VEC(path_step) path;

bool transitions_have(const transitions *list, transition t);
bool transitions_find(const transitions *list, uint32_t thread, transition *out); /* the first of a thread */
void path_append(path *to, const path *more);

/* Where a step stops besides visible operations (which always stop it). */
typedef enum {
    STOP_VISIBLE = 0,
    STOP_LOOP_HEAD = 1,
    STOP_CALL = 2,
    STOP_INSTRUCTION = 4,
    STOP_JOIN = 8, /* where branches of one function come together again, if the step has split before */
    STOP_EVERY_JOIN = 16, /* there in any case: replay with fixed inputs stops at the same places */
    STOP_STATEMENT = 32,  /* behind every one (transform/statements.h); preemptive: others may go on there */
    /* Freeing and making heap memory are visible, too, and depend on each other. Of whole executions: said
     * where one begins (machine_initial), and known to its states. */
    STOP_HEAP_ORDER = 64
} stop_set;

/* Which way a step went, so that a step from another state can be led the same way. */
typedef enum {
    /* the outcome of a branch, a guard, an assumption, a check */
    WAY_NO,
    WAY_YES,
    /* whether an open offset is within its object, or a pointer moves no further than objects reach */
    WAY_OUTSIDE,
    WAY_INSIDE,
    WAY_NUMBER, /* a number that had to be exact, and was: an offset, a length */
    WAY_THREAD, /* the same of a thread that is there: its number in this process (machine_thread_key) */
    WAY_OPEN,   /* such a number, and it was not */
    WAY_PASS    /* no stop where branches come together */
} way_kind;

typedef struct way_mark {
    uint8_t kind;
    uint64_t number; /* WAY_NUMBER, WAY_THREAD */
} way_mark;

typedef struct step_way {
    VEC(way_mark) marks;
    VEC(const term *) conditions; /* of a step that follows: what the values must fulfil to go this way */
    size_t next;                  /* of a step that follows: the next mark */
    bool lost;                    /* of a step that follows: the marks did not fit */
    bool inside;                  /* the step ended where it would have gone on but for its options */
    size_t marks_begun, conditions_begun, next_begun; /* where the present instruction began */
} step_way;

typedef enum step_end {
    STEP_STOPPED,      /* at the next stop */
    STEP_VIOLATION,    /* `check` is violated here; the state is the one at the violated check */
    STEP_ASSUMED_AWAY, /* an assumption failed: the path ends and nothing is wrong */
    STEP_FINISHED,     /* the program ended */
    STEP_LIMIT,        /* a bound was hit (`place`, `reason`): whatever lies beyond is unknown */
} step_end;

typedef struct loop_course { /* what a step of a preemptive thread meant for the loops it was in */
    uint32_t left;           /* the outermost one that it left, of machine_waiting_loops; UINT32_MAX: none */
    uint64_t rounds;         /* bit k: it came to the head of number k again, and had not left it */
    bool stays;              /* it went on waiting where it was */
} loop_course;

typedef struct successor {
    state *to;      /* owned by the list */
    path_step step; /* that led here */
    step_end end;
    uint32_t check;   /* STEP_VIOLATION */
    reason why;       /* STEP_LIMIT */
    position place;   /* STEP_LIMIT, STEP_VIOLATION: where */
    const char *file; /* STEP_LIMIT, STEP_VIOLATION: of the place; NULL: the program's */
    uint32_t thread;  /* STEP_LIMIT, STEP_VIOLATION: who was at it */
    /* pieces of execution after a fork that belong to this successor and to none before it in the list */
    uint32_t parts;
    bool uncertain;     /* the solver could not confirm that this successor is feasible */
    effect touched;     /* filled if asked for */
    step_way *went;     /* filled if asked for; NULL: not */
    loop_course course; /* filled if asked for */
    const term *needed; /* STEP_LIMIT: a number that is not exact here; if it were there might be no limit */
} successor;

typedef VEC(successor) successors;

void successors_clear(machine *m, successors *list); /* releases the states and effects */
void successors_free(machine *m, successors *list);

/* How objects lie in memory relative to each other: nobody knows, or in the order in which they were made, or
 * the other way round. */
typedef enum { ADDRESSES_OPEN, ADDRESSES_UPWARDS, ADDRESSES_DOWNWARDS } address_order;

typedef struct step_options {
    unsigned stops; /* stop_set */
    bool effects;   /* fill successor.touched */
    bool early;     /* effects: also with what is done to memory that others can reach only later */
    bool continue_after_violation; /* a violated assertion also continues as if it were absent (--all) */
    bool record;                   /* fill successor.went */
    bool watch_loops;              /* fill successor.course */
    /* give up where the way parts: there are no successors then. For whoever only wants to know whether
     * there is exactly one */
    bool one_way;
    /* leave conjuncts that nothing depends on in short path conditions; before states are compared
     * machine_collect_path drops them */
    bool defer_path_gc;
    bool keep_path; /* path conditions keep what nothing depends on any more: for models of whole paths */
    /* for whoever asks what would come: loops and switches are not counted for bounds, and dead registers are
     * forgotten in any case */
    bool looks_ahead;
    /* of a state in which values are unknown: what must be known exactly is asked for where it is used, and
     * what cannot be told of such a state is a limit. Steps that follow a way are meant so, too */
    bool abstract;
    bool settle_times; /* a time with one value on this path is that value; abstract steps do so anyway */
    bool stay_awake;   /* threads that go round in vain do not sleep (machine_options.sleep_spins) */
    /* for reports of what was found: nothing is forgotten, nothing interrupts, and threads are called as on
     * this path */
    bool replay;
    /* at most so many beside main: the one that would create more goes no further, while others do (seen.h:
     * thread_bound). 0: the machine's own limit, where the execution ends */
    uint32_t threads;
    address_order addresses;
    /* Numbers for all inputs in the order they are drawn: input k of thread t is what this says of the symbol
     * that would have been made. NULL: inputs are open. Between steps they always are. */
    const valuation *inputs;
    const struct machine_watch *watch; /* who is told what happens; NULL: nobody */
    /* go this way, which an abstract step has recorded, whatever the values are: successor.went->conditions is
     * what they must fulfil. Path conditions are not extended by what is followed */
    const step_way *follow;
} step_options;

state *machine_initial(machine *m, unsigned stops); /* for an execution with these */
state *state_share(state *s);                       /* one more reference */
void state_release(machine *m, state *s);

/* Empty: the program ended, or nobody can go on. */
void machine_enabled(machine *m, const state *s, transitions *out);

/* Whether there is this step, as for a path that was recorded: perhaps machine_enabled keeps it for later. */
bool machine_can_step(machine *m, const state *s, transition t);

typedef struct pending {
    bool live;                  /* false: the thread has ended, nothing pending */
    bool enabled;               /* may run now */
    bool suspended;             /* blocked by a suspension, whatever it waits for */
    uint32_t segment;           /* static identity of the step (segment.h), NO_INDEX for main */
    const effect *may_touch;    /* static over-approximation of the next step; NULL for main */
    const effect *wakes_on;     /* events whose immediate notification may enable it */
    const uint64_t *enabled_by; /* bit set of the segments that may do so */
    /* preemptive: what the first operation of the next step touches, exactly; empty before a thread's first
     * step. Valid until the next call */
    const effect *next;
    bool section; /* preemptive: it begins an atomic section: `next` does not say what that touches */
    position at;  /* preemptive: of that operation */
} pending;

/* The next step of a thread, blocked or not. */
void machine_pending(machine *m, const state *s, uint32_t thread, pending *out);

void machine_step(machine *m, const state *s, transition t, const step_options *how, successors *out);

/* All transitions that the thread has here, one behind the other: for whoever schedules threads and explores
 * all that their steps may lead to, or asks what a thread would do. */
void machine_step_thread(machine *m, const state *s, uint32_t thread, const step_options *how,
                         successors *out);

/* --- what a state says ---------------------------------------------------------------------------------- */

typedef enum thread_status {
    THREAD_UNBORN,   /* not on this path, or no thread has this number */
    THREAD_RUNNABLE, /* may be blocked all the same, see machine_pending */
    THREAD_WAITING,
    THREAD_STARTING, /* main inside `start` */
    THREAD_ENDED,
    THREAD_STUCK,   /* preemptive: an assumption failed here; only its own path is over */
    THREAD_LOOPING, /* preemptive: goes round for ever without an operation that others see */
    THREAD_HANGING, /* preemptive: the same, before there were others, in a loop that waits (loops.h) */
    THREAD_DRAWING  /* preemptive: as LOOPING, but it draws inputs: with others it may do something else */
} thread_status;

static inline bool thread_goes_round(thread_status status) {
    return status == THREAD_LOOPING || status == THREAD_HANGING;
}

typedef struct thread_stand {
    thread_status status;
    bool in_section;      /* inside an atomic section */
    bool watched;         /* it goes round a loop, perhaps for nothing */
    uint32_t depth;       /* of its stack */
    uint32_t inputs_made; /* so far */
} thread_stand;

uint32_t state_thread_count(const state *s); /* numbers of threads are below it */
thread_stand state_thread(const state *s, uint32_t thread);
thread_status state_thread_status(const state *s, uint32_t thread);
/* It went round a loop for nothing, and waits until something changes that it looks at there. */
bool state_thread_sleeps(const state *s, uint32_t thread);
/* Whether the thread, which is in both, has made others between the two. */
bool state_made_threads(const state *before, const state *after, uint32_t thread);

/* Where the thread stands: the next instruction of each frame. */
void state_stack(const state *s, uint32_t thread, call_sites *out);
call_site state_innermost(const state *s, uint32_t thread); /* the last of these */
/* NULL: none. */
const instruction *machine_next_instruction(const machine *m, const state *s, uint32_t thread);

/* Whether the thread is the same in both but for running counts. */
bool state_same_thread(const state *a, const state *b, uint32_t thread);
/* Where and how it stands, by what it did itself: steps of other threads do not change it. */
uint64_t state_thread_key(const state *s, uint32_t thread);

/* What wakes a thread that sleeps in a loop, if it does. */
void state_add_watched(const state *s, uint32_t thread, effect *out);

/* A step was cut into pieces (step_options.stops) and this is between two of them: only its thread goes on. */
bool state_is_inside_step(const state *s);

typedef enum sim_phase {
    PHASE_MAIN,     /* main runs: before, between and after simulations */
    PHASE_EVALUATE, /* threads run; with none runnable the scheduler's transition is next */
    PHASE_UPDATE,   /* between dependent channel updates whose order is a choice */
    PHASE_DONE
} sim_phase;

sim_phase state_phase(const state *s);
const term *state_time(const state *s); /* simulated, of 64 bits */

/* The path condition: conjuncts over inputs. */
uint32_t state_path_count(const state *s);
const term *const *state_path(const state *s);
bool state_assumes(const state *s, const term *condition);                    /* as a conjunct */
state *state_assume(const state *s, const term *const *more, uint32_t count); /* a copy with further ones */
bool state_is_uncertain(const state *s); /* the solver could not decide some branch on the way here */
bool state_is_concrete(const state *s);  /* no value depends on an input, and nothing is assumed */

/* Objects are named: those of the program are 0 .. objects-1, others come after. */
typedef struct object_origin { /* as analyses name objects (future.h) */
    uint32_t object;           /* of the program; NO_INDEX: ... */
    uint64_t site;             /* ... made at this place */
} object_origin;
bool state_origin(const state *s, uint32_t object, object_origin *out); /* false: it is not there */

/* Nobody wrote between the two to this object, or to what the thread alone reaches. */
bool state_same_object(const state *a, const state *b, uint32_t object);
bool state_same_private_memory(const state *a, const state *b, uint32_t thread);

/* Calls visit for each cell of each object that was written since `before` (NULL: of all). */
struct value;
typedef void (*cell_visitor)(void *data, uint32_t object, uint32_t cell, struct value held);
void state_each_changed_cell(const state *before, const state *s, cell_visitor visit, void *data);

/* A key of what is in a cell; false: there is no such cell, or it depends on inputs. */
bool state_known_cell(const state *s, const access *cell, uint64_t *key);

/* The thread as in `control`, everything else as in `memory`: would it go on, and a state to try it. */
bool machine_would_go_on(machine *m, const state *memory, const state *control, uint32_t thread);
state *machine_mix(machine *m, const state *memory, const state *control, uint32_t thread);

/* Identical but for running counts; hashes without time and path condition.
 * EXACT: everything by name. SHAPE: inputs by width only. CONCRETE: numbers by value, symbolic values alike.
 * CONTROL: what every matcher needs equal: a symbolic value may match a number, so only cells that never hold
 * symbolic values count. */
typedef enum hash_kind { HASH_EXACT, HASH_SHAPE, HASH_CONCRETE, HASH_CONTROL, HASH_KINDS } hash_kind;
bool state_identical(const state *a, const state *b);
uint64_t state_hash(const state *s, hash_kind kind);

/* --- reading -------------------------------------------------------------------------------------------- */

const program *machine_program(const machine *m);
analyses *machine_analyses(const machine *m); /* of its program; they live as long as the machine */
const segments *machine_segments(const machine *m);
terms *machine_terms(const machine *m);
solver *machine_solver(const machine *m);

/* Checks of the program, plus those the machine itself makes at pointer accesses (found while running). */
size_t machine_check_count(const machine *m);
const check *machine_check(const machine *m, uint32_t index);

/* What is lost on the heap counts (machine_options.check_leaks). */
bool machine_checks_leaks(const machine *m);

/* Preemptive: its next step, if there is one, ends the program. */
bool machine_is_at_program_end(const machine *m, const state *s, uint32_t thread);

/* Preemptive: the end of the program competes with other threads (machine_options.exit_anywhere). */
bool machine_exits_anywhere(const machine *m);

void machine_collect_path(machine *m, state *s); /* what step_options.defer_path_gc has put off */

#endif
