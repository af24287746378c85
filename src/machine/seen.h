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

typedef struct blocked_thread {
    bool known;
    bool spins; /* it goes round in a loop; else it waits */
    uint32_t thread;
    const char *file; /* where the program called what blocks; NULL: the program's file */
    position at;
} blocked_thread;

/* Two accesses that race, where their threads stand in the program: functions by number, so that it means the
 * same in a copy of the machine. */
typedef struct racing_places {
    bool known;
    uint32_t function[2];
    position at[2];
} racing_places;

typedef struct seen_place {
    position at;
    const char *file;  /* NULL: the program's */
    const char *about; /* what was done there, and who had called it; owned by the machine */
} seen_place;

typedef struct ids_compared { /* of two threads, first at this place */
    uint32_t one, other;
    seen_place at;
} ids_compared;

typedef struct machine_seen {
    bool coarse_copy;       /* a copy or fill of very many cells was taken as one step */
    bool thread_bound_hit;  /* with thread_bound_sticks */
    bool context_bound_hit; /* some transition was left out because of the context bound */
    bool weak_access;    /* a shared cell was accessed with weaker order than the machine's while there were
                            several threads ... */
    seen_place weak_at;  /* ... the first time here */
    bool loose_access;   /* one was read without acquiring, or written without releasing: what happens before
                            what is not what conflicts with what ... */
    seen_place loose_at; /* ... the first time here */
    bool lost_order;     /* of one such access nobody knows what it was declared to be */
    blocked_thread blocked_at_exit; /* preemptive: the first thread seen that was blocked for ever when the
                                       program ended */
    racing_places race; /* the first data race that was confirmed by somebody who was not asked about races */
    bool open_loop; /* preemptive: a loop that waits was met in an atomic section, or with inputs drawn before
                       there were other threads: whether it is ever left was not looked at ... */
    seen_place open_loop_at;     /* ... the first time here */
    bool program_ended;          /* preemptive: on some explored path */
    blocked_thread stands_still; /* preemptive: the first thread seen that waits or goes round in a state in
                                    which no thread can go on, main if it is one */
    VEC(bool) reached;           /* checks that were executed; those behind the end were not */
    /* Who frees and makes heap memory while there are other threads, and whether blocks were compared
     * (heap_order.c), from which machine_heap_order_is_open is told. */
    uint32_t heap_freed_by, heap_made_by;
    bool blocks_compared;
    bool reuse_refuted; /* by a replay: two blocks that were taken for one had lived at the same time */
    seen_place blocks_compared_at; /* the first time */
    /* Identities of threads (thread_id.c), from which machine_ids_come_again is told. */
    bool detaches;      /* some thread was detached */
    map joiners;        /* thread -> who joined it, on whatever path; NO_INDEX: several */
    map pairs_compared; /* thread << 32 | thread, those of ids_compared */
    VEC(ids_compared) ids_compared;
} machine_seen;

/* Gives the machine something to go on with, which it owns from then on, and returns what it has seen. */
machine_seen machine_exchange_seen(machine *m, machine_seen given);
const machine_seen *machine_seen_so_far(const machine *m);

/* What was confirmed by a replay stays true, whoever found it. */
void seen_keep_confirmed(machine_seen *into, const machine_seen *from);

bool seen_reached(const machine_seen *s, uint32_t check);
void seen_reach(machine_seen *s, uint32_t check);
void seen_free(machine_seen *s);

#endif
