/* Follows a recorded counterexample on the present program, which may have changed since: the same threads
 * make the same steps in the same order, with the same inputs.
 *
 * Steps are found by place (standing.h). Under the preemptive kernel a thread may do more than was recorded:
 * operations that are new are executed on the way to the next recorded one. A thread that is blocked there,
 * say by a lock that is new, lets the others go first: its steps are put off, and the answer says so. Under
 * the systemc kernel every step must be possible when its turn comes.
 *
 * Whatever is executed is a real execution of the present program, so a failure that is found is real. That
 * nothing fails says nothing about other schedules and inputs. */
#ifndef HEDDLE_REPORT_EXPLAIN_RETRACE_H
#define HEDDLE_REPORT_EXPLAIN_RETRACE_H

#include "report/explain/recorded.h"
#include "report/report.h"

typedef enum {
    RETRACE_STILL_FAILS,
    RETRACE_FAILS_OTHERWISE, /* another property that is asked for is violated */
    RETRACE_FIXED,           /* all steps were followed and the violation did not occur */
    RETRACE_DIVERGES         /* `step` cannot be followed */
} retrace_answer;

typedef struct retrace_request {
    const recorded_trace *recorded;
    const report_file *files; /* of the present program, for their lines */
    size_t file_count;
    unsigned properties; /* PROPERTY_… */
    unsigned unasked;    /* see check_is_asked_for */
    bool (*interrupted)(void *data);
    void *interrupted_data;
} retrace_request;

typedef struct retrace {
    retrace_answer answer;
    size_t step; /* of the recorded trace, from 1: where it fails or diverges */
    text said;   /* for people, several lines; the first one begins with the answer */
    path path;   /* what was executed */
    valuation *inputs;
    violation_kind failure; /* if it fails */
    uint32_t check;         /* VIOLATION_CHECK */
    uint32_t racing[2];     /* VIOLATION_RACE */
    uint32_t earlier;       /* VIOLATION_RACE: see violation */
} retrace;

const char *retrace_answer_name(retrace_answer a); /* "still fails" */

/* On a machine that has not run yet. */
void retrace_follow(machine *m, const retrace_request *wanted, retrace *out);
void retrace_free(retrace *r);

#endif
