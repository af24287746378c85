/* A counterexample (or a simulated schedule) as a person reads it.
 *
 * The recorded path is executed again with the inputs fixed, and what each step changed is read off the
 * states. A step of a trace is one run of a thread from scheduling point to scheduling point, or one
 * transition of the scheduler; the machine may have needed several steps for it. Everything in a trace is
 * text, so it outlives the machine. */
#ifndef HEDDLE_REPORT_TRACE_TRACE_H
#define HEDDLE_REPORT_TRACE_TRACE_H

#include "shrink/shrink.h"

typedef struct trace_change {
    char *name;
    char *before; /* NULL: it did not exist, e.g. a variable of a function just entered */
    char *after;
    char *in; /* a variable of this function of the thread that moves; NULL: any thread may see it */
} trace_change;

typedef struct trace_input { /* an unknown value that was drawn, and what it had to be */
    char *name, *value;
    position at;     /* where it was drawn */
    char *file;      /* in which that is; NULL: that of the program */
    uint32_t moment; /* instructions of the step before it */
    char *need;      /* "at least 4": what it has to be with all others as they are; NULL: not known */
    bool any;        /* nothing in particular */
    bool place;      /* drawn by nobody: where an object lies */
} trace_input;

typedef struct trace_place { /* where a thread was created */
    char *file;              /* NULL: that of the program */
    char *function;          /* "": none */
    position at;
    uint32_t moment; /* instructions of the step before it */
} trace_place;

/* A scalar of static memory, for waveforms: a global of the program, a signal or member of a design. */
typedef struct trace_variable {
    char *name; /* components separated by dots */
    scalar_type type;
    bool known; /* false: it has no value yet, or is no number */
    bool minor; /* a part of a design other than a signal: of interest if it changes */
    uint64_t initial;
} trace_variable;

typedef struct trace_sample { /* a variable has another value at the end of a step */
    uint32_t variable;        /* of trace.variables */
    bool known;
    uint64_t value;
} trace_sample;

typedef struct trace_value {
    char *name, *value;
} trace_value;

typedef struct trace_frame { /* a call that has not returned: who calls, and where */
    char *function, *file;   /* file NULL: that of the program */
    position at;
} trace_frame;

typedef VEC(trace_frame) trace_stack; /* the innermost call first */

typedef struct trace_drawn { /* any unknown value that the step met, for whoever follows the trace again */
    char *name;              /* of the input; TRACE_UNSET: a byte that was never written */
    uint64_t number;         /* its bits */
} trace_drawn;

#define TRACE_UNSET "uninitialised"
#define TRACE_PLACE "place" /* where an object lies, as a number that decides the order of addresses */

typedef struct trace_step {
    char *thread;      /* "scheduler" for its own transition */
    char *function;    /* in which the thread stands at `from`; "": none */
    uint32_t id;       /* of the thread: names need not be unique; MACHINE_KERNEL: the scheduler */
    uint32_t choice;   /* of the scheduler (transition.choice) */
    const char *phase; /* "main", "evaluate", "update" or "done": where the step began; "run": preemptive */
    char *call;        /* the library function that the thread is inside of, with its arguments; or NULL */
    uint64_t time, delta;
    char *file, *to_file;     /* of `from` and `to`; NULL: that of the program */
    trace_stack stack;        /* how the thread came to `from` */
    position from, to;        /* line 0: none (the scheduler), or the thread had no code left */
    bool thread_ended, stuck; /* stuck: at an assumption that does not hold */
    bool looping;             /* goes round for ever from now on without telling anybody */
    VEC(trace_input) inputs;
    VEC(trace_drawn) drawn;
    VEC(trace_change) changes;
    VEC(char *) notified;        /* events, each once */
    VEC(char *) waits;           /* what the thread waits for at the end of the step: events, or "time 7" */
    VEC(char *) woken;           /* threads that became runnable */
    VEC(char *) created;         /* threads */
    VEC(trace_place) created_at; /* of each of them, if the program itself says */
    VEC(trace_sample) samples;
    uint32_t depth;         /* frames of the thread when the step began */
    VEC(char *) joined;     /* threads whose end it waited for */
    VEC(trace_value) reads; /* shared memory that it read, and what was there */
    char *printed;          /* what the program printed; NULL: nothing */
    switch_kind switched;   /* from the step before; SWITCH_NONE: it is not known either */
    VEC(char *) first_of;   /* processes that must not come before it although they could */
} trace_step;

typedef struct trace_access { /* one side of a data race */
    uint32_t id;              /* of the thread */
    char *thread, *cell;
    const char *access; /* "reads" or "writes" */
    char *file;         /* NULL: that of the program */
    position at;
    trace_stack stack;
    size_t step; /* of the trace, from 1, in which it happens; 0: it comes next */
} trace_access;

typedef struct trace_thread { /* one that was created: which one it is, whatever it is called */
    uint32_t id, creator;
    char *name;
    char *function; /* what it runs: see machine_thread_task */
    size_t number;  /* its creator had created so many with this function before */
} trace_thread;

typedef struct trace {
    VEC(trace_step) steps;
    VEC(trace_variable) variables;
    uint64_t resolution;     /* of `time`, in femtoseconds; 0: time has no unit */
    VEC(trace_value) values; /* of the variables that occur in the violated check, at that moment */
    VEC(char *) blocked;     /* for a deadlock: the threads that wait, each with what it waits for ... */
    VEC(char *) others;      /* ... and those that go on meanwhile, or round in a loop */
    VEC(char *) lost;        /* for a leak: what was allocated and where */
    uint32_t check;         /* violated check, an index of the machine given to trace_build; NO_INDEX: none */
    VEC(trace_access) race; /* for a data race: both accesses */
    VEC(trace_thread) threads; /* preemptive: all but main */
    unsigned stops;            /* stop_set: what the explorer stepped with */
    position violated_at;      /* where the program itself stands at the violation; line 0: nowhere */
    char *violated_file;       /* NULL: that of the program */
    char *violated_in;         /* its function; NULL: none */
    trace_stack stack;         /* how it came there */
    bool followed;             /* false: the replay ended before the recorded path did */
    bool is_shrunk;            /* somebody tried to make it smaller */
    shrink_cost first, now;    /* then: what was found, and what it became */
    size_t orders_tried;       /* as in `shrunk` */
    bool orders_known;
} trace;

typedef enum { ENDS_ANYHOW, ENDS_IN_CHECK, ENDS_IN_DEADLOCK, ENDS_IN_LIVELOCK, ENDS_IN_RACE } trace_end;

typedef struct trace_request {
    const path *path;
    unsigned stops; /* what the explorer stepped with */
    const valuation *inputs;
    trace_end end;
    check violated;       /* ENDS_IN_CHECK: a copy, because a replay may find further checks */
    uint32_t racing[2];   /* ENDS_IN_RACE */
    uint32_t earlier;     /* ENDS_IN_RACE: see violation */
    const shrunk *shrunk; /* what is known of its switches and inputs; NULL: nothing */
} trace_request;

/* Replays the path on the machine that recorded it. */
void trace_build(machine *m, const trace_request *wanted, trace *out);
void trace_free(trace *t);
void trace_stack_free(trace_stack *s);

/* Preemptive: a step is one operation that others can see and what follows it; only the first step of a
 * thread may be without. Whether the next step of the thread has one. */
bool step_begins_with_operation(machine *m, const state *s, uint32_t thread);

const char *trace_short_file(const char *file); /* without its folders */

/* Which context switches and inputs of a shrunk trace matter, in a few lines; nothing if that
 * is not known. */
void trace_print_matters(const trace *t, const char *file, text *out);

#endif
