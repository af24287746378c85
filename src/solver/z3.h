/* Z3 as a child process: one SMT-LIB script in, its reply out. The process is killed when the deadline passes
 * or the run is interrupted, so Z3 can never hold up anybody. A machine without Z3 gets no replies, which is
 * not an error. */
#ifndef HEDDLE_SOLVER_Z3_H
#define HEDDLE_SOLVER_Z3_H

#include "solver/sat.h"
#include "solver/solver.h"

/* SOLVER_UNKNOWN also when there is no Z3, it failed, or it was stopped. `reply` (may be NULL) is everything
 * it wrote. */
solver_answer z3_run(const char *script, const sat_limits *limits, text *reply);

/* Checks a conjunction; after SOLVER_SAT, `model` (may be NULL) has a value for every symbol. */
solver_answer z3_check(terms *c, const term *const *conditions, size_t count, const sat_limits *limits,
                       valuation *model);

#endif
