/* What a witness says of a counterexample: the places that its execution comes by, in their order.
 *
 * Everything in the list is true of the execution (or of one that differs from it only in the order of
 * operations that others cannot see); what cannot be said for sure in the terms of the formats is left out,
 * so that a witness may describe more executions, never others. */
#ifndef HEDDLE_REPORT_FORMATS_WAYPOINTS_H
#define HEDDLE_REPORT_FORMATS_WAYPOINTS_H

#include "report/report.h"

typedef enum {
    WAYPOINT_PASS,   /* the thread comes to the statement that begins in this line */
    WAYPOINT_CREATE, /* a call that creates thread `created` */
    WAYPOINT_RETURN, /* a call of __VERIFIER_nondet_... returns `value` */
    WAYPOINT_TARGET  /* the violation; two in a row for a data race */
} waypoint_kind;

typedef struct waypoint {
    waypoint_kind kind;
    uint32_t thread; /* 0: main; else in order of creation, from 1 */
    uint32_t created;
    const char *file;
    /* Column 0: the leftmost that fits; CREATE, RETURN: of the parenthesis behind the arguments. */
    position at;
    const char *function; /* that it lies in; NULL: unknown */
    char *called;         /* CREATE: the function that the thread begins with; RETURN: nondet function */
    char *value;          /* RETURN: a C constant */
} waypoint;

typedef struct waypoints {
    VEC(waypoint) list;
    bool concurrent; /* more than one thread takes part */
} waypoints;

/* Of the trace of r, which must be there. False: it has no target that the formats know, as a deadlock. */
bool waypoints_collect(const report *r, waypoints *out);
void waypoints_free(waypoints *w);

#endif
