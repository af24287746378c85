#include "strategy/blame.h"

#include "base/invariant.h"

/* Turns end by the clock, and steps and queries wherever they are: none of that says more than the limit. */
static bool was_broken_off(const doubt *d) {
    return d->why.kind == REASON_INTERRUPTED || d->why.kind == REASON_TIME;
}

/* With what was done for so long where it was broken off first. */
static doubt limit_as_doubt(const program *p, const outcome *o, reason_kind limit) {
    doubt d = {.why.kind = limit};
    for (size_t i = 0; i < o->doubts.size && !d.about; i++) {
        if (!was_broken_off(&o->doubts.data[i])) continue;
        d.about = o->doubts.data[i].about;
        d.busy = o->doubts.data[i].busy;
    }
    if (p->elaboration.busy) {
        d.about = p->elaboration.busy;
        d.busy = BUSY_ELABORATING;
    }
    return d;
}

static void blame(const program *p, outcome *o, reason_kind limit) {
    if (o->complete && !o->doubts.size) return;
    outcome_amend(o, &(amendment){.more = limit_as_doubt(p, o, limit), .is_said_by = was_broken_off});
    assert(outcome_verdict(o) != VERDICT_SAFE); /* a limit that was hit leaves a doubt */
}

static bool was_told_to_stop(const outcome *o) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (was_broken_off(&o->doubts.data[i])) return true;
    return false;
}

void blame_limits(const run_control *by, const program *p, outcome *o) {
    bool told = was_told_to_stop(o);
    control_stop who = control_stopped_by(by);
    if (control_time_is_up(by) || (told && who == STOPPED_BY_TIME))
        blame(p, o, REASON_TIME);
    else if (control_memory_is_up(by) || (told && who == STOPPED_BY_MEMORY))
        blame(p, o, REASON_MEMORY);
    else if (told)
        blame(p, o, REASON_INTERRUPTED);
}
