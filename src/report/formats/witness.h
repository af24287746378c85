/* SV-COMP witnesses: what another tool can check a verdict with.
 *
 * YAML: format 2.0 for executions of one thread and for proofs, 2.2 for those of several; GraphML: 1.0. Only
 * C programs have witnesses. An unknown verdict has none. */
#ifndef HEDDLE_REPORT_FORMATS_WITNESS_H
#define HEDDLE_REPORT_FORMATS_WITNESS_H

#include "report/report.h"

typedef struct witness_stamp {
    char uuid[37];
    char time[24]; /* 2026-01-31T12:00:00Z */
} witness_stamp;

/* Of this moment; deterministic: made from the content, at the beginning of 1970. */
witness_stamp witness_make_stamp(const report *r, bool deterministic);

/* NULL, or why there is no witness; nothing is added then. */
const char *witness_yaml(const report *r, const witness_stamp *stamp, text *out);
const char *witness_graphml(const report *r, const witness_stamp *stamp, text *out);

#endif
