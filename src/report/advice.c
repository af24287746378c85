#include "report/advice.h"

#include <string.h>

typedef struct advice {
    const char *reason; /* what it begins with */
    const char *hint;
} advice;

static const advice table[] = {
    {"memory model",
     "Weaker orders are not explored. --memory-model sc verifies the program for sequentially consistent "
     "machines; or make the access seq_cst."},
    {"call of `", "heddle dump --what stubs writes all functions that have no body, to be filled in and "
                  "given by --stubs."},
    {"memory limit", "Try more --memory, --visited compact, or a smaller instance."},
    {"depth limit", "Executions are longer than --max-depth; --engine search or cegar need no such limit."},
    {"step limit",
     "More than --step-limit instructions without a scheduling point: perhaps a loop that does not end."},
    {"too many paths within one step", "Try --stops loops, or --engine cegar."},
    {"too many threads",
     "More threads than --threads allows; a smaller number of them may show the same errors."},
    {"loop bound", "A loop goes round more often than --unwind allows."},
    {"context bound", "Executions with more switches than --context-bound were left out."},
    {"a possible violation could not be confirmed", "It may be none: the replay with fixed inputs did not "
                                                    "fail there. It depends on addresses, or on what the "
                                                    "solver gave up on (--query-time)."},
    {"path ended at a violation of a property that is not checked",
     "Add the property of that check (--property) to see how it happens."},
};

/* What most of the time went to, as far as the counters tell. */
static const char *advice_on_time(const report *r, const doubt *d) {
    if (d->busy == BUSY_ELABORATING)
        return "The time went to what runs before the simulation starts: fewer rounds of loops there.";
    if (d->busy == BUSY_ASKING)
        return "Most of the time went to queries of the solver: smaller ranges of inputs (__VERIFIER_assume) "
               "or fewer of them, narrower types, or products and remainders of constants there; "
               "--query-time N gives up queries that take longer and goes both ways.";
    if (!strcmp(r->result->engine ? r->result->engine : "", "dpor"))
        return "Most of the time went to executions: fewer threads or rounds of loops, or --engine search, "
               "which knows states again.";
    return "Most of the time went to states: fewer threads or rounds of loops, --context-bound 2 or --unwind "
           "N look at a part; --jobs uses more cores.";
}

const char *advice_for(const report *r, const doubt *d) {
    if (!strcmp(d->reason, "time limit")) return r->result->engine ? advice_on_time(r, d) : NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strncmp(d->reason, table[i].reason, strlen(table[i].reason))) return table[i].hint;
    return NULL;
}
