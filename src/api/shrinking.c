#include "api/shrinking.h"

#include "base/clock.h"
#include "explore/judge.h"

/* The budget counts steps, so that the same run gives the same counterexample; the clock is for programs with
 * slow steps. */
enum { LEAST_STEPS = 50000, STEPS_OF_LENGTH = 100, MOST_STEPS = 4000000 };
static const double least_seconds = 1;

static uint64_t steps_for(const outcome *o, const violation *v) {
    uint64_t most = o->stats.transitions < LEAST_STEPS ? LEAST_STEPS : o->stats.transitions;
    uint64_t of_length = STEPS_OF_LENGTH * v->path.size;
    if (most < of_length) most = of_length;
    return (most > MOST_STEPS ? MOST_STEPS : most) / o->violations.size;
}

/* As much as the search took, shared by all violations. The limits of the run go on to count. */
static shrink_budget budget_for(session *s, const outcome *o, const violation *v) {
    bool with_clock = !s->options->value[OPTION_DETERMINISTIC].on;
    double seconds = o->stats.seconds > least_seconds ? o->stats.seconds : least_seconds;
    return (shrink_budget){.steps = steps_for(o, v),
                           .deadline = with_clock ? clock_wall() + seconds / (double)o->violations.size : 0,
                           .interrupted = session_should_stop,
                           .interrupted_data = s};
}

shrunk *shrinking_run(session *s, outcome *o) {
    if (!s->options->value[OPTION_SHRINK].on || !o->violations.size) return NULL;
    explore_options how = session_explore_options(s);
    how.stops = o->stops;
    judge j = judge_create(s->machine, &how, o);
    shrunk *list = mem_zero(o->violations.size, sizeof *list);
    for (size_t i = 0; i < o->violations.size; i++) {
        violation *v = &o->violations.data[i];
        shrink_budget most = budget_for(s, o, v);
        if (v->confirmed) shrink_violation(s->machine, v, &j.how, &most, &list[i]);
    }
    return list;
}

void shrinking_free(shrunk *list, const outcome *o) {
    for (size_t i = 0; list && i < o->violations.size; i++) shrunk_free(&list[i]);
    mem_free(list);
}
