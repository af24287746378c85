#include "explore/limits.h"

#include "base/clock.h"
#include "base/invariant.h"
#include "machine/seen.h"
#include "machine/setup.h"

enum { LOOK_EVERY = 256 }; /* transitions between two looks at the clock */

limits limits_start(machine *m, const explore_options *options, outcome *out) {
    return (limits){m, options, out, clock_wall(), clock_cpu(), 0};
}

void limits_refresh(limits *l) {
    statistics *s = &l->out->stats;
    s->seconds = clock_wall() - l->started;
    s->cpu_seconds = clock_cpu() - l->started_cpu;
    s->solver_queries = solver_stats(machine_solver(l->machine))->queries;
    s->peak_memory_bytes = memory_peak();
}

static reason_kind limit_of_counts(const explore_options *o, const statistics *s) {
    if (o->max_transitions && s->transitions >= o->max_transitions) return REASON_TRANSITIONS;
    if (o->max_states && s->states >= o->max_states) return REASON_STATES;
    return REASON_NONE;
}

bool limits_memory_is_up(const explore_options *o) {
    enum { RESERVE = 64 }; /* the part that it may grow by until the next look */
    return o->bytes && memory_in_use() > o->bytes - o->bytes / RESERVE;
}

static reason_kind limit_of_resources(const explore_options *o, const statistics *s) {
    if (o->interrupted && o->interrupted(o->interrupted_data)) return REASON_INTERRUPTED;
    if (!o->deterministic && o->seconds > 0 && s->seconds > o->seconds) return REASON_TIME;
    if (limits_memory_is_up(o)) return REASON_MEMORY;
    return REASON_NONE;
}

/* What was explored without that order has to be explored again: the sooner the better, if
 * nothing was found. */
static reason_kind limit_of_heap_order(const limits *l) {
    bool begins_again = l->options->begins_again && !l->out->violations.size;
    bool open = begins_again && seen_heap_order_is_open(machine_seen_so_far(l->machine));
    return open ? REASON_INTERRUPTED : REASON_NONE;
}

bool limits_allow(limits *l) {
    assert(!l->out->concluded);
    statistics *s = &l->out->stats;
    reason_kind reason = limit_of_counts(l->options, s);
    if (!reason && s->transitions >= l->next_look) {
        l->next_look = s->transitions + LOOK_EVERY;
        limits_refresh(l);
        reason = limit_of_resources(l->options, s);
        if (!reason) reason = limit_of_heap_order(l);
        if (l->options->progress) l->options->progress(l->options->progress_data, s);
    }
    if (!reason) return true;
    outcome_doubt(l->out, reason, (position){0, 0});
    return false;
}
