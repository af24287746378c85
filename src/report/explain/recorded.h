/* A counterexample as a file tells it: what --trace writes, or a whole result of --json. Read to be followed
 * again, perhaps on a program that has changed (retrace.h).
 *
 * Nothing of the file is trusted: whatever does not fit makes reading fail with a message. */
#ifndef HEDDLE_REPORT_EXPLAIN_RECORDED_H
#define HEDDLE_REPORT_EXPLAIN_RECORDED_H

#include "base/vec.h"
#include "machine/machine.h"

#include <jansson.h>

typedef struct recorded_place { /* where a thread stood before it made a step */
    uint32_t id;                /* of the thread; MACHINE_KERNEL: the scheduler */
    const char *thread;
    const char *file, *function, *source; /* source: that line; each NULL if not known */
    const char *call;                     /* of a library function, with arguments; NULL: none */
    position at;                          /* line 0: nowhere in particular */
} recorded_place;

typedef struct recorded_draw {
    const char *name;
    uint64_t number;
} recorded_draw;

typedef struct recorded_step {
    recorded_place place;
    bool silent;            /* reports do not show it */
    bool first;             /* of its thread */
    recorded_place stopped; /* where the thread was left by its step before */
    uint32_t choice;
    VEC(recorded_draw) drawn;
} recorded_step;

typedef struct recorded_thread { /* preemptive: one that was created */
    uint32_t id, creator;
    const char *function;
    size_t number;
} recorded_thread;

typedef struct recorded_trace {
    json_t *root; /* owns all texts */
    VEC(recorded_step) steps;
    VEC(recorded_thread) threads;
    VEC(recorded_place) race;       /* none, or two */
    bool raced_before;              /* the first of these was made by an earlier step */
    const char *kind, *text;        /* of the violated property; NULL: none was */
    unsigned stops;                 /* stop_set */
    bool all;                       /* it may have passed violations of other checks */
    const json_t *options, *inputs; /* parts of root: an object, a list of files */
} recorded_trace;

/* NULL, or why it cannot be used; to be freed in either case. */
const char *recorded_read(const char *json, size_t length, recorded_trace *out);
void recorded_free(recorded_trace *t);

/* The number of a step (from 1) as reports count: those without anything to tell are left out. */
size_t recorded_number(const recorded_trace *t, size_t step);

#endif
