/* One execution that follows a recorded one: what retrace.c decides, this does. Not for others. */
#ifndef HEDDLE_REPORT_EXPLAIN_RETRACE_COURSE_H
#define HEDDLE_REPORT_EXPLAIN_RETRACE_COURSE_H

#include "report/explain/retrace.h"
#include "report/explain/standing.h"

#define NOBODY (MACHINE_KERNEL - 1) /* a thread that was not recorded */

typedef struct given_draw {
    uint32_t thread; /* as it was numbered in the recording */
    const char *name;
    uint64_t number;
    bool taken;
} given_draw;

typedef enum {
    WENT_ON,
    WENT_TO_END,  /* of the program, or of the answer: see `ended` */
    WENT_NOWHERE, /* blocked */
    WENT_THERE    /* it stands where it should */
} went;

typedef struct course {
    player at;
    replay view;
    const retrace_request *wanted;
    const recorded_trace *recorded;
    retrace *out;
    bool answered, finished; /* finished: the program ended */
    size_t following;        /* the recorded step whose turn it is */
    VEC(uint32_t) numbers;   /* per recorded thread: its number here, NO_INDEX: not born yet */
    VEC(uint32_t) ids;       /* per thread here: its number in the recording, or NOBODY */
    VEC(given_draw) given;
    size_t first_given; /* all before it are taken */
    VEC(size_t) put_off;
    VEC(bool) done;   /* recorded steps that were made */
    uint32_t drawing; /* the thread that moves, as it was numbered */
    char *missing;    /* an input without a value, or NULL */
    bool lacks_place; /* it was asked where something lies, and the trace does not say */
    map unset;
    VEC(standing) stopped; /* systemc: per thread, where its last step has left it */
    size_t extra;
    happens *happens; /* on the path so far; NULL: nobody asks */
    text notes;
} course;

/* A thread may do more than was recorded: who made each operation of its own accord can make another one. */
static inline bool course_has_operations(const course *c) {
    return program_kernel(c->view.p)->steps_are_operations;
}

/* Threads are recognised by who created them. */
static inline bool course_has_births(const course *c) {
    return program_kernel(c->view.p)->creates_threads;
}

void course_open(course *c, machine *m);
void course_close(course *c);

/* --- answers: the course ends there --------------------------------------------------------------------- */
void course_answer(course *c, retrace_answer a);
bool course_is_kind(const course *c, const char *kind); /* of the recorded violation */
went course_fail(course *c, bool same, violation_kind kind, const char *name, const char *what);
/* The recorded step cannot be made; `thread` is NO_INDEX if there is none to look at. */
went course_diverge(course *c, const recorded_place *expected, uint32_t thread, const char *why);

/* --- threads -------------------------------------------------------------------------------------------- */
/* The thread that was recorded. Processes of a design go by their names, as long as these tell them apart. */
uint32_t course_thread(const course *c, const recorded_place *p);
uint32_t course_recorded_id(const course *c, uint32_t thread); /* its number in the recording, or NOBODY */

/* --- steps ---------------------------------------------------------------------------------------------- */
bool course_is_enabled(const course *c, transition t);
bool course_finds_step(const course *c, uint32_t thread, transition *out); /* one of the thread, enabled */
/* From one scheduling point to the next. */
went course_take_step(course *c, const recorded_place *expected, transition t);
/* One that was not recorded, as the machine offers it. */
went course_take_extra_step(course *c, const recorded_place *expected, transition t);
went course_judge_deadlock(course *c);

#endif
