#include "strategy/engine.h"

#include "base/clock.h"
#include "base/invariant.h"
#include "machine/setup.h"
#include "strategy/auto.h"

#include <stdio.h>

/* --- one explorer --------------------------------------------------------------------------------------- */

typedef struct named_progress {
    const explore_options *to;
    const char *engine;
} named_progress;

static void name_progress(void *data, const statistics *so_far) {
    const named_progress *n = data;
    statistics named = *so_far;
    snprintf(named.engines, sizeof named.engines, "%s", n->engine);
    n->to->progress(n->to->progress_data, &named);
}

/* In the time that is left. Limits in numbers are those of one exploration. */
static void begin_again(machine *m, const explorer *e, const explore_options *how, outcome *out) {
    explore_options rest = *how;
    rest.seconds -= how->seconds > 0 ? out->stats.seconds : 0;
    bool is_over = how->interrupted && how->interrupted(how->interrupted_data);
    if (is_over || (how->seconds > 0 && rest.seconds <= 0 && !how->deterministic)) return;
    outcome first = *out;
    *out = (outcome){0}; /* the same one: others may watch it */
    e->run(m, &rest, out);
    assert(out->concluded);
    outcome_add_earlier(out, &first);
}

void engine_explore(machine *m, const explorer *e, const explore_options *how, outcome *out) {
    explore_options named = *how;
    named_progress n = {how, e->name};
    named.begins_again = !how->from; /* a prefix belongs to the stops that it was made with */
    if (how->progress) {
        named.progress = name_progress;
        named.progress_data = &n;
    }
    e->run(m, &named, out);
    assert(out->concluded);
    if (!named.begins_again || !out->heap_order_is_open || out->violations.size || out->reduction_errors)
        return;
    named.stops |= STOP_HEAP_ORDER;
    begin_again(m, e, &named, out);
}

void engine_run(const strategy *s, const explorer *e, const explore_options *how, outcome *out,
                attempts *given_up) {
    double begin = clock_wall(), cpu_begin = clock_cpu();
    if (e == &explorer_auto)
        auto_run(s, how, out, given_up);
    else
        engine_explore(s->machine, e, how, out);
    assert(out->concluded);
    out->stats.seconds = clock_wall() - begin; /* of all attempts together */
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
}
