/* The counters of a run under their public names: one table for JSON, text and heddle_result_statistic.
 * docs/statistics.md defines each of them. */
#ifndef HEDDLE_REPORT_COUNTERS_H
#define HEDDLE_REPORT_COUNTERS_H

#include "explore/explore.h"
#include "machine/record.h"

#include <jansson.h>

typedef struct counters { /* everything that is counted while a program is explored */
    statistics explorer;
    machine_statistics machine;
    solver_statistics solver;
} counters;

typedef struct counter_info {
    const char *name;
    enum { COUNTER_NUMBER, COUNTER_SIZE, COUNTER_SECONDS } kind;
    size_t offset; /* in struct counters: uint64_t, size_t or double by kind */
} counter_info;

extern const counter_info counter_table[];
extern const size_t counter_count;

double counter_value(const counters *c, const counter_info *which);
const counter_info *counter_find(const char *name);         /* NULL: there is none */
void counters_from_json(counters *c, const json_t *object); /* as report_json wrote them */

#endif
