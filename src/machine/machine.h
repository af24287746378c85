/* The machine: the only place that knows how a program moves, and the narrow waist between languages and
 * explorers.
 *
 * A state is immutable from outside. Explorers ask five questions:
 *
 *     machine_initial(m)              the state before main's first instruction
 *  *     machine_enabled(m, s, out)      the transitions (thread, choice) that may come next
 *     machine_pending(m, s, t, out)   what the next step of ANY live thread may touch, blocked or not, and
 * who could enable it machine_step(m, s, t, how, out) runs t to its next stop; each successor carries its own
 * effect
 *
 * Promises
 *  - Deterministic: the same state, transition and options give the same successors in the same order, so a
 * path is a list of (transition, index of successor) and can be replayed.
 *  - Independent steps commute literally: objects, threads and inputs are named by (creating thread, its
 * running count).
 *  - A successor whose feasibility the solver could not decide is kept and marked `uncertain`; nothing is
 * guessed.
 *  - Never recurses on program structure and never runs for ever: an endless step ends as STEP_LIMIT with its
 * place. It never looks at visited states, and does not know which explorer calls it. */
#ifndef HEDDLE_MACHINE_MACHINE_H
#define HEDDLE_MACHINE_MACHINE_H

#include "analysis/loops.h"
#include "analysis/segment.h"
#include "base/vec.h"
#include "machine/reason.h"
#include "machine/seen.h"
#include "program/effect.h"
#include "program/program.h"
#include "solver/solver.h"
#include "term/term.h"

typedef struct machine machine;
typedef struct state state; /* reference counted; layout in state.h for matching and report */

#define MACHINE_KERNEL                                                                                       \
    UINT32_MAX /* "thread" of the scheduler's own transition: update, notify, advance time */

typedef struct transition {
    uint32_t thread; /* or MACHINE_KERNEL */
    uint32_t choice; /* 0 unless the scheduler has alternatives (order of dependent channel updates) */
} transition;

typedef VEC(transition) transitions;

/* Where a step stops besides visible operations (which always stop it). */
typedef enum {
    STOP_VISIBLE = 0,
    STOP_LOOP_HEAD = 1,
    STOP_CALL = 2,
    STOP_INSTRUCTION = 4,
    STOP_JOIN = 8, /* where branches of one function come together again, if the step has split before */
    STOP_EVERY_JOIN = 16, /* there in any case: replay with fixed inputs stops at the same places */
    STOP_HEAP_ORDER = 64, /* recorded only: with machine_follow_heap_order */
    STOP_STATEMENT =
        32 /* behind every statement (transform/statements.h); preemptive: others may go on there */
} stop_set;

/* Which way a step went, so that a step from another state can be led the same way. */
typedef enum {
    WAY_NO,
    WAY_YES, /* the outcome of a branch, a guard, an assumption, a check */
    WAY_OUTSIDE,
    WAY_INSIDE, /* whether an open offset is within its object, or a pointer moves no further than objects
                   reach */
    WAY_NUMBER, /* a number that had to be exact, and was: an offset, a length, a thread */
    WAY_OPEN,   /* such a number, and it was not */
    WAY_PASS    /* no stop where branches come together */
} way_kind;

typedef struct way_mark {
    uint8_t kind;
    uint64_t number; /* WAY_NUMBER */
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
    state *to; /* owned by the list */
    step_end end;
    uint32_t check;   /* STEP_VIOLATION */
    reason why;       /* STEP_LIMIT */
    position place;   /* STEP_LIMIT, STEP_VIOLATION: where */
    const char *file; /* STEP_LIMIT, STEP_VIOLATION: of the place; NULL: the program's */
    uint32_t thread;  /* STEP_LIMIT, STEP_VIOLATION: who was at it */
    uint32_t parts; /* pieces of execution after a fork that belong to this successor and to none before it in
                       the list */
    bool uncertain; /* the solver could not confirm that this successor is feasible */
    effect touched; /* filled if asked for */
    step_way *went; /* filled if asked for; NULL: not */
    loop_course course; /* filled if asked for */
    const term *needed; /* STEP_LIMIT: a number that is not exact here; if it were there might be no limit */
} successor;

typedef VEC(successor) successors;

void successors_clear(machine *m, successors *list); /* releases the states and effects */
void successors_free(machine *m, successors *list);

typedef struct step_options {
    unsigned stops; /* stop_set */
    bool effects;   /* fill successor.touched */
    bool early;     /* effects: also with what is done to memory that others can reach only later */
    bool continue_after_violation; /* a violated assertion also continues as if it were absent (--all) */
    bool record;                   /* fill successor.went */
    bool watch_loops;              /* fill successor.course */
    bool one_way; /* give up where the way parts: there are no successors then. For whoever only wants to know
                     whether there is exactly one */
    bool defer_path_gc; /* leave conjuncts that nothing depends on in short path conditions; before states are
                           compared machine_collect_path drops them */
    const step_way *follow; /* go this way, whatever the values are: successor.went->conditions is what they
                          must fulfil. Path conditions are not extended by what is followed */
} step_options;

/* Whether objects that are made have places, which then tell states apart (placement.c). */
typedef enum {
    PLACE_NOWHERE,    /* states are equal if some renaming of objects makes them so */
    PLACE_FIRST_FREE, /* the lowest free addresses */
    PLACE_BY_TYPE     /* the lowest free slot among those of its type */
} placement_kind;

typedef struct machine_options {
    uint64_t step_instructions; /* limit of one step, default 1 million */
    uint64_t step_forks;        /* limit of paths of one step, default 2,000 */
    uint32_t call_depth;        /* limit of the call stack, default 10,000 */
    uint32_t threads;           /* limit of threads of an execution, default 1,000 */
    bool thread_bound_sticks;   /* beyond it the creating thread goes no further while the others do, to look
                                   for   violations; statistics tell. Else the path ends as a limit */
    uint32_t unwind;        /* preemptive: limit of iterations of a loop per call of its function; 0 = none */
    uint64_t sim_time;      /* systemc: limit of simulated time, in units of its resolution; 0 = none */
    uint32_t context_bound; /* preemptive: limit of switches away from a thread that could go on; 0 = none */
    bool exit_anywhere; /* preemptive: the end of the program competes with other threads. Otherwise it waits
                           until they are blocked or ended, which hides no violation but leaks at exit */
    bool blocked_at_exit;  /* preemptive: the program does not end while a thread is blocked for ever, which
                              is a deadlock then */
    bool spinning_at_exit; /* preemptive: nor while one goes round in a loop that waits */
    bool unknown_outside;  /* preemptive: a number that is read outside of its object is unknown instead of a
                              violation. Replay with fixed inputs ends there nevertheless */
    bool check_leaks; /* preemptive: CHECK_LEAK is violated where the program ends with heap objects alive */
    bool sleep_spins; /* preemptive: an iteration that changed nothing becomes a wait (default on) */
    placement_kind placement;
    bool path_gc;    /* drop conjuncts of the path condition that no live value depends on (default on) */
    bool clear_dead; /* forget registers that are dead at a stop (default on) */
    bool checks_cut; /* exploration goes on after violations (--all) or past assertions that nobody asks
                        about: see segments_compute */
    bool (*interrupted)(void *data);
    void *interrupted_data;
} machine_options;

typedef struct machine_statistics { /* of all explorations together */
    uint64_t steps, instructions, forks;
} machine_statistics;

machine_options machine_default_options(void);
machine *machine_create(const program *p, terms *c, solver *s, const machine_options *options);
void machine_destroy(machine *m);

state *machine_initial(machine *m);
state *state_share(state *s); /* one more reference */
void state_release(machine *m, state *s);

/* Empty: the program ended, or nobody can go on. */
void machine_enabled(machine *m, const state *s, transitions *out);

typedef struct pending {
    bool live;                  /* false: the thread has ended, nothing pending */
    bool enabled;               /* may run now */
    bool suspended;             /* blocked by a suspension, whatever it waits for */
    uint32_t segment;           /* static identity of the step (segment.h), NO_INDEX for main */
    const effect *may_touch;    /* static over-approximation of the next step; NULL for main */
    const effect *wakes_on;     /* events whose immediate notification may enable it */
    const uint64_t *enabled_by; /* bit set of the segments that may do so */
    const effect *next; /* preemptive: what the first operation of the next step touches, exactly; empty
                           before a thread's first step. Valid until the next call */
    bool section;       /* preemptive: it begins an atomic section: `next` does not say what that touches */
    position at;        /* preemptive: of that operation */
} pending;

/* The next step of a thread, blocked or not. */
void machine_pending(machine *m, const state *s, uint32_t thread, pending *out);

void machine_step(machine *m, const state *s, transition t, const step_options *how, successors *out);

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
    /* preemptive: as LOOPING, but it draws inputs: with others it may do something else, which is another path */
    THREAD_DRAWING
} thread_status;

static inline bool thread_goes_round(thread_status status) {
    return status == THREAD_LOOPING || status == THREAD_HANGING;
}

typedef struct thread_stand {
    thread_status status;
    bool in_section;                    /* inside an atomic section */
    bool watched;                       /* it goes round a loop, perhaps for nothing */
    bool sleeps;                        /* it has: it waits until something changes that it looks at there */
    uint32_t depth;                     /* of its stack */
    uint32_t threads_made, inputs_made; /* running counts, for names of those that are still to come */
} thread_stand;

uint32_t state_thread_count(const state *s); /* numbers of threads are below it */
thread_stand state_thread(const state *s, uint32_t thread);
thread_status state_thread_status(const state *s, uint32_t thread);

/* Where the thread stands: the next instruction of each frame. */
void state_stack(const state *s, uint32_t thread, call_sites *out);
call_site state_innermost(const state *s, uint32_t thread); /* the last of these */
const instruction *machine_next_instruction(const machine *m, const state *s,
                                            uint32_t thread); /* NULL: none */

/* Whether the thread is the same in both but for running counts; equal ones have equal keys. */
bool state_same_thread(const state *a, const state *b, uint32_t thread);
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
bool state_same_object(const state *a, const state *b,
                       uint32_t object); /* nobody wrote to it between the two */
bool state_same_private_memory(const state *a, const state *b,
                               uint32_t thread); /* what the thread alone reaches */

/* Calls visit for each cell of each object that was written since `before` (NULL: of all). */
struct value;
typedef void (*cell_visitor)(void *data, uint32_t object, uint32_t cell, struct value held);
void state_each_changed_cell(const state *before, const state *s, cell_visitor visit, void *data);

/* A key of what is in a cell; false: there is no such cell, or it depends on inputs. */
bool state_known_cell(const state *s, const access *cell, uint64_t *key);

/* The thread as it stands in `control`, everything else as in `memory`: would it go on, and a state to try it. */
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
const segments *machine_segments(const machine *m);
terms *machine_terms(const machine *m);
solver *machine_solver(const machine *m);
const machine_statistics *machine_stats(const machine *m);

/* What a copy of this machine did in another process counts here, too. */
void machine_add_statistics(machine *m, const machine_statistics *of_copy);

/* Operations of two threads race, each the next one of its thread in a state that some execution really comes
 * to. Only the first such pair is kept. */
void machine_note_race(machine *m, const state *const at[2], const uint32_t threads[2]);

/* "3 threads; 90 % of the time in queries of the solver, most of it in 12 at q.c:9:5, the longest of 8.1 s
 * with 24 conditions of 5310 terms; of 120,000 rounds of loops about 80 % in the one at q.c:7:5": what it was
 * busy with. */
void machine_describe_work(const machine *m, text *out);
void machine_begin_work(machine *m);         /* of an explorer: what was asked before is not its own */
bool machine_asked_mostly(const machine *m); /* most of the time went to queries of the solver */

/* A copy that lives as long as the machine. */
const char *machine_keep_text(machine *m, const char *s);

/* "main", or the start function of a created thread with a number if it has several: "worker#2". */
const char *machine_thread_name(const machine *m, uint32_t thread);

/* What a created thread is to run, which does not depend on lines or on other threads: the function, the
 * class of an object that is called, "main::lambda". */
void machine_thread_task(const machine *m, uint32_t thread, text *out);

/* Checks of the program, plus those the machine itself makes at pointer accesses (found while running). */
size_t machine_check_count(const machine *m);
const check *machine_check(const machine *m, uint32_t index);

/* Systemc: the simulation ended with nothing pending although some thread still waits. Preemptive: some
 * thread is blocked for ever, whatever the others do; none was stopped by an assumption, and nobody can end
 * the program (unless blocked_at_exit). The others may stand still, spin, or go on. */
bool machine_deadlocked(machine *m, const state *s);

/* Preemptive: some thread goes round for ever in a loop that waits (analysis/loops.h), whatever the others do;
 * as above none was stopped by an assumption, and nobody can end the program. PERHAPS: it draws inputs on its
 * way, and whether they can lead it out is not known. */
typedef enum { HANG_NOT, HANG_PERHAPS, HANG_CERTAIN } hang_answer;
hang_answer machine_livelocked(machine *m, const state *s);
/* Whether it stands in a loop that waits, and sleeps there or goes round without telling anybody. */
bool machine_spins_in_vain(machine *m, const state *s, uint32_t thread);
/* Who may be blocked, or go round in a loop that waits, for ever. */
typedef struct suspect {
    uint32_t thread;
    bool spins;      /* goes round: */
    loop_place loop; /* here */
} suspect;
typedef VEC(suspect) suspects;

/* Preemptive: those that wait, or (`spin`) that are in loops that wait. Who joins a thread is none unless
 * that one joins him: to wait for the end of somebody who goes on is no deadlock. */
void machine_list_blocked(machine *m, const state *s, suspects *out);
void machine_list_waiting(machine *m, const state *s, suspects *out);

/* Whether the suspect stays where it is whatever happens, by a look at all that can happen. PERHAPS: that is
 * too much, or depends on what is not known. */
hang_answer machine_stays_for_ever(machine *m, const state *s, const suspect *who);

/* The answers of machine_deadlocked and machine_livelocked, and where somebody else still moves but may not
 * be able to help, those of machine_stays_for_ever. */
hang_answer machine_blocked_for_ever(machine *m, const state *s);
hang_answer machine_spins_for_ever(machine *m, const state *s);

/* The loops that wait and have a frame of the thread in them, the outermost first. */
void machine_waiting_loops(machine *m, const state *s, uint32_t thread, loop_places *out);
/* Whether there are such. */
bool machine_is_in_waiting_loop(machine *m, const state *s, uint32_t thread);

/* Systemc: the thread waits or is suspended, in the midst of what it does. Methods are called when there is
 * something to do, and spare processes wait for work. */
bool machine_is_blocked(const machine *m, const state *s, uint32_t thread);

/* Preemptive: from now on at most so many threads per execution; the one that would create more goes no
 * further while the others do. */
void machine_bound_threads(machine *m, uint32_t threads);

/* What is lost on the heap counts (machine_options.check_leaks). */
bool machine_checks_leaks(const machine *m);
bool machine_sleeps(machine *m, const state *s, uint32_t thread); /* in a loop (sleep_spins) */

/* Preemptive: its next step, if there is one, ends the program. */
bool machine_is_at_program_end(const machine *m, const state *s, uint32_t thread);

/* Preemptive: the end of the program competes with other threads (machine_options.exit_anywhere). */
bool machine_exits_anywhere(const machine *m);

/* Switches path-condition garbage collection; a replay that wants a model of the whole path needs it off.
 * Returns the old setting. */
bool machine_set_path_gc(machine *m, bool on);
void machine_collect_path(machine *m, state *s); /* what step_options.defer_path_gc has put off */

/* From now on nothing is forgotten and nothing interrupts: for replaying recorded paths after the
 * exploration. It must be the machine that recorded them, because threads and objects are numbered in the
 * order of discovery. */
void machine_prepare_replay(machine *m);

/* What happens within steps, for whoever follows one execution with fixed inputs; a member that is NULL is
 * not wanted. It is told in the order in which it happens, of every path of a step. */
typedef enum {
    SEEN_NOTIFY,       /* event: at once */
    SEEN_NOTIFY_LATER, /* event, or events + thread for its timer; due: NULL in the next delta cycle */
    SEEN_CANCEL,       /* event */
    SEEN_WAIT,         /* thread: for the events that it has listed, or its timer */
    SEEN_WAIT_STATIC,  /* thread: as declared */
    SEEN_LISTEN,       /* thread: another one changes what it waits for, to the events that are told next */
    SEEN_LISTEN_TO,    /* event */
    SEEN_REQUEST,      /* update */
    SEEN_UPDATE,       /* update: begins */
    SEEN_SUSPEND,      /* thread */
    SEEN_RESUME,       /* thread: at once */
    SEEN_DISABLE,      /* thread */
    SEEN_ENABLE,       /* thread */
    SEEN_RUN_NOW       /* thread: before the one that runs goes on */
} seen_kind;

typedef enum {
    LIES_BEFORE,       /* the other one */
    LIES_RIGHT_BEHIND, /* the end of the other one */
    LIES_WHERE_WAS     /* the other one, or the other way round: one of them is gone */
} lie_kind;

struct value;

typedef struct machine_watch {
    void *data;
    void (*happens)(void *data, seen_kind what, uint32_t number, const term *due);
    void (*prints)(void *data, const state *s, print_form form, const struct value *given, uint32_t count);
    /* An input is about to be drawn: the last moment to give it a number in what machine_fix_inputs got.
     * `name` points to what it is called (bits NULL: see program.inputs). */
    void (*draws)(void *data, const state *s, struct value name, uint32_t input, const term *symbol);
    /* The same for unknown values that nobody drew one by one: of memory that gets any content, or of a byte
     * that was never written (input NO_INDEX; perhaps told again when it is read again). */
    void (*finds)(void *data, uint32_t input, const term *symbol);
    void (*enters)(void *data, uint32_t thread, uint32_t function);
    /* Memory is touched that others can reach only later (step_options.early). */
    void (*touches_early)(void *data, const state *s, uint32_t thread, const access *a);
    /* An input with arguments (explore/laws.h) was drawn; perhaps on one of several ways of a step. */
    void (*draws_by_law)(void *data, const state *s, const struct value *given, uint32_t count,
                         uint32_t input, const term *number);
    /* Somebody asks where an object lies, or for the rank of a thread: the last moment to give that a number,
     * which else is `preset`. Perhaps told again. */
    void (*places)(void *data, const term *symbol, uint64_t preset);
    /* ... and that one object lies so, as the answer was. */
    void (*lies)(void *data, const state *s, uint32_t one, uint32_t other, lie_kind how);
} machine_watch;

/* Gives the one who looked before. NULL: nobody looks any more. */
const machine_watch *machine_set_watch(machine *m, const machine_watch *w);

/* How objects lie in memory relative to each other: nobody knows (the preset), or in the order in which they
 * were made, or the other way round. */
typedef enum { ADDRESSES_OPEN, ADDRESSES_UPWARDS, ADDRESSES_DOWNWARDS } address_order;
void machine_order_addresses(machine *m, address_order order);

/* Where an object lies among all others: an unknown number that decides the order of addresses. It belongs to
 * the object like a cell that nobody writes: whoever takes one object for another must take its position for
 * that of the other, too. */
const term *object_position(terms *c, uint32_t object);
uint32_t object_of_position(const term *symbol);   /* NO_INDEX: it is something else */
bool machine_compares_positions(const machine *m); /* false: no state depends on positions */

/* The same for identities of threads: the unknown number that decides their order, and what else they are. */
const term *thread_rank(terms *c, unsigned width, uint32_t thread);
uint32_t thread_of_rank(const term *symbol); /* NO_INDEX: it is something else */

/* Whether identities of two threads were compared as if they were different, first at this place, although
 * the second may have been given that of the first: which of its end and the other's beginning comes first
 * depends on the schedule in a way that explorers do not look at. Asked of what was seen so far. */
bool machine_ids_come_again(const machine *m, seen_place *at);

/* Whether the order in which threads freed and made heap memory may have mattered, which explorers look at
 * only once they were told to: freeing and making are visible operations then, and depend on each other.
 * Recorded paths belong to the setting that they were found with. */
bool machine_heap_order_is_open(const machine *m, const machine_seen *seen);
void machine_follow_heap_order(machine *m, bool on);
bool machine_follows_heap_order(const machine *m);

/* Switches the detection of spinning threads (machine_options.sleep_spins). Returns the old setting. */
bool machine_set_sleep_spins(machine *m, bool on);
bool machine_lets_spins_sleep(const machine *m);

/* Values for all inputs in the order they are drawn, for concrete replay: the machine then takes input number
 * k of thread t from `v` (symbols it would have made) instead of making a symbol. NULL switches back. */
void machine_fix_inputs(machine *m, const valuation *v);

#endif
