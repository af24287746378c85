/* Designs in the order of Accellera's simulator: what becomes of a counterexample there, and one simulation.
 * It never changes a verdict. */
#ifndef HEDDLE_API_IN_ORDER_H
#define HEDDLE_API_IN_ORDER_H

#include "api/session.h"
#include "report/report.h"
#include "simulator/simulate.h"

typedef struct in_order {
    report_simulator shown; /* summary NULL: the program is no such design */
    char *summary, *printed;
} in_order;

/* With the inputs of a confirmed violation, whose trace is told already: the values of `v` are used up. */
in_order in_order_judge(session *s, violation *v, const trace *told);
void in_order_free(in_order *i);

bool in_order_is_possible(const session *s);

/* As simulate_run; `stimulus` has the inputs by name. */
void in_order_simulate(session *s, const simulate_options *how, const char *stimulus, outcome *out,
                       simulation *run);

#endif
