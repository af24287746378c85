/* Making a machine, and what it is set to: options and limits that hold for every step. They are set between
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
    uint32_t threads;           /* limit of threads of an execution beside main, default 1,000 */
    uint32_t unwind;        /* preemptive: limit of iterations of a loop per call of its function; 0 = none */
    uint64_t sim_time;      /* systemc: limit of simulated time, in units of its resolution; 0 = none */
    uint32_t context_bound; /* preemptive: limit of switches away from a thread that could go on; 0 = none */
    /* preemptive: the end of the program competes with other threads. Otherwise it waits until they are
     * blocked or ended, which hides no violation but leaks at exit */
    bool exit_anywhere;
    /* preemptive: the program does not end while a thread is blocked for ever, which is a deadlock then */
    bool blocked_at_exit;
    bool spinning_at_exit; /* preemptive: nor while one goes round in a loop that waits */
    /* preemptive: a number that is read outside of its object is unknown instead of a violation. Replay
     * with fixed inputs ends there nevertheless */
    bool unknown_outside;
    bool check_leaks; /* preemptive: CHECK_LEAK is violated where the program ends with heap objects alive */
    bool sleep_spins; /* preemptive: an iteration that changed nothing becomes a wait (default on) */
    placement_kind placement;
    bool path_gc;    /* drop conjuncts of the path condition that no live value depends on (default on) */
    bool clear_dead; /* forget registers that are dead at a stop (default on) */
    /* exploration goes on after violations (--all) or past assertions that nobody asks
     * about: see segments_compute */
    bool checks_cut;
    bool (*interrupted)(void *data);
    void *interrupted_data;
} machine_options;

machine_options machine_default_options(void);
machine *machine_create(const program *p, terms *c, solver *s, const machine_options *options);
void machine_destroy(machine *m);

#endif
