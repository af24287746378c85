/* Making a machine, and what it is set to: options and limits that hold for every step. What is set here is set between
 * explorations, never while one is under way; what a single step is to do is said by step_options. */
#ifndef HEDDLE_MACHINE_SETUP_H
#define HEDDLE_MACHINE_SETUP_H

#include "machine/machine.h"
#include "machine/seen.h"

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
    bool thread_bound_sticks;   /* see machine_bound_threads */
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

machine_options machine_default_options(void);
machine *machine_create(const program *p, terms *c, solver *s, const machine_options *options);
void machine_destroy(machine *m);

/* Between explorations: at most so many threads per execution from now on, of whom the one that would create more goes no
 * further while the others do. What was seen tells. */
void machine_bound_threads(machine *m, uint32_t threads);

/* Whether the order in which threads freed and made heap memory may have mattered, which explorers look at
 * only once they were told to: freeing and making are visible operations then, and depend on each other.
 * Recorded paths belong to the setting that they were found with. */
bool machine_heap_order_is_open(const machine *m, const machine_seen *seen);
void machine_follow_heap_order(machine *m, bool on);
bool machine_follows_heap_order(const machine *m);

/* How objects lie in memory relative to each other: nobody knows (the preset), or in the order in which they
 * were made, or the other way round. */
typedef enum { ADDRESSES_OPEN, ADDRESSES_UPWARDS, ADDRESSES_DOWNWARDS } address_order;
void machine_order_addresses(machine *m, address_order order);

/* An execution with numbers for its inputs begins: which objects were there when is told from here on. */
void machine_begin_execution(machine *m);

/* From now on nothing is forgotten and nothing interrupts: for replaying recorded paths after the
 * exploration. It must be the machine that recorded them, because threads and objects are numbered in the
 * order of discovery. */
void machine_prepare_replay(machine *m);

#endif
