/* A counterexample (or a simulated schedule) as a person reads it.
 *
 * The recorded path is executed again with the inputs fixed, and what each step changed is read off the
 * states. A step of a trace is one run of a thread from scheduling point to scheduling point, or one
 * transition of the scheduler; the machine may have needed several steps for it. Everything in a trace is
 * text, so it outlives the machine. */
#ifndef HEDDLE_REPORT_TRACE_H
#define HEDDLE_REPORT_TRACE_H

#include "explore/explore.h"

typedef struct trace_change {
    char *name;
    char *before; /* NULL: it did not exist, e.g. a variable of a function just entered */
    char *after;
} trace_change;

typedef struct trace_input { /* an unknown value that was drawn, and what it had to be */
    char *name, *value;
    position at;
} trace_input;

typedef struct trace_step {
    char *thread;      /* "scheduler" for its own transition */
    const char *phase; /* "main", "evaluate", "update" or "done": where the step began */
    uint64_t time, delta;
    position from, to; /* line 0: none (the scheduler), or the thread had no code left */
    bool thread_ended;
    VEC(trace_input) inputs;
    VEC(trace_change) changes;
    VEC(char *) notified; /* events, each once */
    VEC(char *) waits;    /* what the thread waits for at the end of the step: events, or "time 7" */
    VEC(char *) woken;    /* threads that became runnable */
} trace_step;

typedef struct trace_value {
    char *name, *value;
} trace_value;

typedef struct trace {
    VEC(trace_step) steps;
    VEC(trace_value) values; /* of the variables that occur in the violated check, at that moment */
    VEC(char *) blocked;     /* for a deadlock: the threads that wait, each with what it waits for */
    uint32_t check; /* violated check, an index of the machine given to trace_build; NO_INDEX: none */
    bool followed;  /* false: the replay ended before the recorded path did */
} trace;

/* Replays `steps` on m with `inputs`; the last one ends in the violation of `violated` (NULL: in none).
 * `stops` must be what the explorer stepped with. The machine should keep dead registers, or local variables
 * are missing from the trace; it may be another one than recorded the path, of the same program and terms. */
void trace_build(machine *m, const path *steps, unsigned stops, const valuation *inputs,
                 const check *violated, trace *out);
void trace_free(trace *t);

#endif
