#include "report/advice.h"

/* What most of the time went to, as far as the counters tell. */
static const char *advice_on_time(const report *r, const doubt *d) {
    if (d->busy == BUSY_ELABORATING)
        return "The time went to what runs before the simulation starts: fewer rounds of loops there.";
    if (d->busy == BUSY_ASKING)
        return "Most of the time went to queries of the solver: smaller ranges of inputs (__VERIFIER_assume) "
               "or fewer of them, narrower types, or products and remainders of constants there; "
               "--query-time N gives up queries that take longer and goes both ways.";
    if (r->result->explored == EXPLORED_EXECUTIONS)
        return "Most of the time went to executions: fewer threads or rounds of loops, or --engine search, "
               "which knows states again.";
    return "Most of the time went to states: fewer threads or rounds of loops, --context-bound 2 or --unwind "
           "N look at a part; --jobs uses more cores.";
}

const char *advice_for(const report *r, const doubt *d) {
    if (d->why.kind == REASON_TIME) return r->result->engine ? advice_on_time(r, d) : NULL;
    return reason_advice(d->why.kind);
}
