/* The reference semantics: states of flat code, and all successors of one step of one thread.
 *
 * A step is one operation that others can notice (code.h) and what the thread does on its own behind it.
 * Inputs, woken waiters and spurious wake-ups are enumerated. Written from POSIX and docs/semantics.md, not
 * from the machine: exit and failing assumptions end the execution at once, nothing is postponed, nothing is
 * left out. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_SIMULATE_H
#define HEDDLE_TESTS_ORACLE_THREADS_SIMULATE_H

#include "code.h"

enum { MOST_THREADS = 6, MOST_FRAMES = 4, MOST_OBJECTS = 24, MOST_CELLS = 64 };

typedef struct sim_object {
    uint8_t alive, heap;
    uint16_t first, count; /* cells */
} sim_object;

typedef struct sim_frame {
    uint8_t body;
    uint8_t box; /* 1 + object, 0: none */
    uint16_t pc;
    uint32_t result; /* register of the caller */
    int64_t reg[MOST_REGISTERS];
} sim_frame;

typedef struct sim_thread {
    uint8_t status; /* thread_status */
    uint8_t frames, atomic, woken, patient;
    int64_t result;
    sim_frame frame[MOST_FRAMES];
} sim_thread;

typedef enum { SIM_UNBORN, SIM_ALIVE, SIM_ENDED } thread_status;

typedef struct sim_state {
    uint32_t threads, objects, cells;
    sim_object object[MOST_OBJECTS];
    int64_t cell[MOST_CELLS];
    uint8_t owner[MOST_MUTEXES];   /* 1 + thread, 0: free */
    uint8_t further[MOST_MUTEXES]; /* recursive: how many times more than once */
    uint8_t writer[MOST_RWLOCKS];  /* 1 + thread, 0: none */
    uint8_t readers[MOST_RWLOCKS];
    uint8_t arrived[MOST_BARRIERS]; /* set of threads */
    uint8_t once[MOST_ONCES];       /* 0: not yet, 1: now, 2: done */
    uint8_t waiters[MOST_CONDITIONS];
    int32_t permits[MOST_SEMAPHORES];
    sim_thread thread[MOST_THREADS];
} sim_state;

typedef enum sim_end {
    SIM_GOES_ON,
    SIM_FINISHED,  /* the program ended */
    SIM_DISCARDED, /* an assumption failed */
    SIM_BROKEN,    /* memory is violated */
    SIM_REFUSED    /* too large, or not a program that makes sense */
} sim_end;

typedef struct sim_successor {
    sim_state to;
    sim_end end;
    uint32_t violation; /* 2 * line + 1 for memory, 2 * line for assertions; 0: none */
} sim_successor;

typedef VEC(sim_successor) sim_successors;

typedef struct simulator {
    const program_tree *p;
    const flat_code *code;
    bool spurious; /* condition waits may return on their own */
} simulator;

/* Something that the next operation of a thread accesses. */
typedef struct sim_access {
    uint32_t object;
    int32_t low, high; /* cells low .. high-1 */
    bool writes, certainly_writes, atomic, valid;
} sim_access;

/* Its next operation tries for a lock or a permit, and others have it. */
bool sim_attempt_fails(const simulator *s, const sim_state *x, uint32_t thread);

sim_end sim_start(const simulator *s, sim_state *out); /* before main's first noticeable operation */
bool sim_is_alive(const sim_state *x, uint32_t thread);
bool sim_is_enabled(const simulator *s, const sim_state *x, uint32_t thread);
/* No matter who is in an atomic section. */
bool sim_is_blocked(const simulator *s, const sim_state *x, uint32_t thread);
bool sim_waits(const simulator *s, const sim_state *x, uint32_t thread); /* blocked, but not in a join */
bool sim_is_within_section(const sim_state *x, uint32_t thread);
unsigned sim_next_accesses(const simulator *s, const sim_state *x, uint32_t thread, sim_access out[2]);
void sim_step(const simulator *s, const sim_state *x, uint32_t thread, sim_successors *out);

#endif
