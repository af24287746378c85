/* What a machine has met on its way that limits or qualifies an answer.
 *
 * It belongs to one exploration: an explorer begins with nothing seen, and what was seen when it ends goes
 * with its outcome, through whatever process (explore_begin, explore_conclude). So the doubts of an explorer
 * that was given up are its own, and none is lost with the process that met it. */
#ifndef HEDDLE_MACHINE_SEEN_H
#define HEDDLE_MACHINE_SEEN_H

#include "base/map.h"
#include "base/vec.h"
#include "program/program.h"

typedef struct machine machine;

/* The parts of it, each a table of FIELD(form, type, name); how forms are sent is in strategy/wire.c. */
#define SEEN_FIELD(form, type, name) type name;

#define BLOCKED_THREAD_FIELDS(FIELD)                                                                         \
    FIELD(NUMBER, bool, known)                                                                               \
    FIELD(NUMBER, bool, spins) /* it goes round in a loop; else it waits */                                  \
    FIELD(NUMBER, uint32_t, thread)                                                                          \
    FIELD(TEXT, const char *, file) /* where the program called what blocks; NULL: the program's file */     \
    FIELD(WHOLE, position, at)

typedef struct blocked_thread {
    BLOCKED_THREAD_FIELDS(SEEN_FIELD)
} blocked_thread;

typedef uint32_t two_functions[2];
typedef position two_positions[2];

/* Two accesses that race, where their threads stand in the program: functions by number, so that it means the
 * same in a copy of the machine. */
#define RACING_PLACES_FIELDS(FIELD)                                                                          \
    FIELD(NUMBER, bool, known)                                                                               \
    FIELD(WHOLE, two_functions, function)                                                                    \
    FIELD(WHOLE, two_positions, at)

typedef struct racing_places {
    RACING_PLACES_FIELDS(SEEN_FIELD)
} racing_places;

#define SEEN_PLACE_FIELDS(FIELD)                                                                             \
    FIELD(WHOLE, position, at)                                                                               \
    FIELD(TEXT, const char *, file)  /* NULL: the program's */                                               \
    FIELD(TEXT, const char *, about) /* what was done there, and who had called it; owned by the machine */

typedef struct seen_place {
    SEEN_PLACE_FIELDS(SEEN_FIELD)
} seen_place;

/* Of two threads, first at this place. */
#define IDS_COMPARED_FIELDS(FIELD)                                                                           \
    FIELD(NUMBER, uint32_t, one)                                                                             \
    FIELD(NUMBER, uint32_t, other)                                                                           \
    FIELD(SEEN_PLACE, seen_place, at)

typedef struct ids_compared {
    IDS_COMPARED_FIELDS(SEEN_FIELD)
} ids_compared;

#define SEEN_FACT_FIELDS(FIELD)                                                                              \
    FIELD(NUMBER, bool, met)                                                                                 \
    FIELD(SEEN_PLACE, seen_place, at) /* the first time; line 0: the place says nothing */

typedef struct seen_fact {
    SEEN_FACT_FIELDS(SEEN_FIELD)
} seen_fact;

#undef SEEN_FIELD

/*  X(name, reason)                   what was met
 *
 * The reason is that of the doubt which follows wherever an exploration has met it. REASON_NONE: none by
 * itself, it is only asked about. */
#define SEEN_FACTS(X)                                                                                        \
    X(coarse_copy, REASON_COARSE_COPY)       /* a copy or fill of very many cells was taken as one step */   \
    X(thread_bound, REASON_TOO_MANY_THREADS) /* with step_options.threads: one that would create more */     \
                                             /* went no further */                                           \
    X(context_bound, REASON_CONTEXT_BOUND)   /* some transition was left out because of that bound */        \
    X(weak_access, REASON_MEMORY_MODEL)      /* a shared cell was accessed with weaker order than the */     \
                                             /* machine's while there were several threads */                \
    X(open_loop, REASON_OPEN_LOOP)           /* preemptive: a loop that waits was met in an atomic */        \
                                             /* section, or with inputs drawn before there were other */     \
                                             /* threads: whether it is ever left was not looked at */        \
    X(loose_access, REASON_NONE)             /* a shared cell was read without acquiring, or written */      \
                                             /* without releasing: what happens before what is not what */   \
                                             /* conflicts with what */                                       \
    X(lost_order, REASON_NONE)      /* of one such access nobody knows what it was declared to be */         \
    X(program_ended, REASON_NONE)   /* preemptive: on some explored path */                                  \
    X(assumed_away, REASON_NONE)    /* a path ended in a failed assumption, or where only stuck */           \
                                    /* threads are left */                                                   \
    X(ended_otherwise, REASON_NONE) /* or in another way, or nobody knows */                                 \
    X(blocks_compared, REASON_NONE) /* pointers to different blocks of the heap (heap_order.c) */            \
    X(reuse_refuted, REASON_NONE)   /* by a replay: two blocks that were taken for one had */                \
                                    /* lived at the same time */                                             \
    X(detached, REASON_NONE)        /* some thread was (thread_id.c) */

enum { /* their numbers */
#define NUMBER(name, reason) SEEN_##name,
       SEEN_FACTS(NUMBER)
#undef NUMBER
};

/* Preemptive: the first thread seen that was blocked for ever when the program ended; that waits or goes
 * round in a state in which no thread can go on, main if it is one. */
#define SEEN_BLOCKED(X) X(blocked_at_exit) X(stands_still)

/* Who frees and makes heap memory while there are other threads (heap_order.c): 1 + the thread;
 * or nobody, several. */
#define SEEN_WHO(X) X(heap_freed_by) X(heap_made_by)
enum { SEEN_NOBODY = 0, SEEN_SEVERAL = UINT32_MAX };

/* All that is seen, by its kind. machine_seen is made of this table, and so is whatever goes through it as a
 * whole, here and in strategy/wire.c: who adds a kind says there what becomes of it.
 *
 *  kind      what it is                                 of two parts          threads in it  to other processes
 *  --------  -----------------------------------------  --------------------  -------------  ------------------
 *  FACT      whether it was met, and where first        the first that did    none           whole
 *  BLOCKED   a thread                                   the first known       renamed        whole
 *  WHO       a thread, nobody or several                of both               renamed        whole
 *  COUNT     how often                                  the sum               none           whole
 *  RACE      the first data race that was confirmed by  the first known       none           whole
 *            somebody who was not asked about races
 *  CHECKS    those that were executed; those behind     of either             none           the program's own
 *            the end were not
 *  JOINERS   thread -> who joined it, on whatever       of both               renamed        whole
 *            path; NO_INDEX: several
 *  COMPARED  identities of threads, each pair once      of both               renamed        whole
 *  INDEX     thread << 32 | thread, those of COMPARED   as that               as that        as that
 *
 * From joiners and ids_compared machine_ids_come_again is told (thread_id.c). */
#define SEEN_MEMBERS(DO)                                                                                     \
    SEEN_FACTS(DO##_FACT)                                                                                    \
    SEEN_BLOCKED(DO##_BLOCKED)                                                                               \
    SEEN_WHO(DO##_WHO)                                                                                       \
    DO##_COUNT(endings_looked_at) DO##_RACE(race) DO##_CHECKS(reached) DO##_JOINERS(joiners)                 \
        DO##_COMPARED(ids_compared) DO##_INDEX(pairs_compared)

typedef struct machine_seen {
#define MEMBER_FACT(name, reason) seen_fact name;
#define MEMBER_BLOCKED(name)      blocked_thread name;
#define MEMBER_WHO(name)          uint32_t name;
#define MEMBER_COUNT(name)        uint64_t name;
#define MEMBER_RACE(name)         racing_places name;
#define MEMBER_CHECKS(name)       VEC(bool) name;
#define MEMBER_JOINERS(name)      map name;
#define MEMBER_COMPARED(name)     VEC(ids_compared) name;
#define MEMBER_INDEX(name)        map name;
    SEEN_MEMBERS(MEMBER)
#undef MEMBER_FACT
#undef MEMBER_BLOCKED
#undef MEMBER_WHO
#undef MEMBER_COUNT
#undef MEMBER_RACE
#undef MEMBER_CHECKS
#undef MEMBER_JOINERS
#undef MEMBER_COMPARED
#undef MEMBER_INDEX
} machine_seen;

/* An exploration begins with nothing seen, and takes what it has seen along when it ends. There is one at a
 * time: what was seen before one that begins inside it would be lost. */
void machine_begin_seeing(machine *m);
machine_seen machine_end_seeing(machine *m);
const machine_seen *machine_seen_so_far(const machine *m);

/* What is met between the two is none of what the exploration has seen: for steps from states that are made up
 * only to find out what would come, and for looks at what lies beyond the exploration. Pairs may nest. An
 * explorer whose own states are made up looks at them all the same: they are what it has explored. */
void machine_look_away(machine *m);
void machine_look_back(machine *m);

/* Facts that were met since this was asked last, while looking away or not, as bits: 1 << number. Those that
 * were met before are among them again. */
uint32_t machine_facts_noted(machine *m);

/* States were left out because of what was imagined, which does whatever they do. Facts with a reason are known
 * not to be met there; what else was imagined may be, and counts as met. */
void machine_keep_imagined(machine *m);

/* Both have been met, by parts of one exploration: all that holds of either holds of the whole. */
void seen_merge(machine_seen *into, const machine_seen *from);

/* What was confirmed by a replay stays true, whoever found it. */
void seen_keep_confirmed(machine_seen *into, const machine_seen *from);

/* How a path ends, or that it goes on: of every step that an explorer of real states makes. */
struct state;
struct successor;
void machine_note_ending(machine *m, const struct successor *s);

/* The order in which threads freed and made heap memory may have mattered, where it was not
 * followed (STOP_HEAP_ORDER). */
bool seen_heap_order_is_open(const machine_seen *seen);

/* Every path ended in a failed assumption. */
bool seen_all_assumed_away(const machine_seen *s);

void seen_note_who(uint32_t *who, uint32_t thread);
void seen_note_joined(machine_seen *s, uint32_t thread, uint32_t by);
void seen_note_ids_compared(machine_seen *s, ids_compared which);
bool seen_knows_ids_compared(const machine_seen *s, uint32_t one, uint32_t other);

/* Threads go by what `number` makes of their numbers, as in a machine that numbers them otherwise. */
void seen_rename_threads(machine_seen *s, uint32_t (*number)(void *data, uint32_t thread), void *data);

bool seen_reached(const machine_seen *s, uint32_t check);
void seen_reach(machine_seen *s, uint32_t check);
void seen_free(machine_seen *s);

/* Operations of two threads race, each the next one of its thread in a state that some execution really comes
 * to. Only the first such pair is kept. */
void machine_note_race(machine *m, const struct state *const at[2], const uint32_t threads[2]);

#endif
