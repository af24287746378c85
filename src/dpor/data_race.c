/* Data races: two conflicting accesses that can stand next to each other, not both of them atomic.
 *
 * A reversible race of the reduction is one if its accesses are; plain commuting updates do not conflict for
 * the reduction, so they are looked for on their own. The report is a path to a state in which both
 * operations are pending. */
#include "dpor/internal.h"

enum { MOST_ATTEMPTS = 4 }; /* to confirm a race between two places */

static bool accesses_race(const dpor *x, const footprint *a, const footprint *b) {
    for (uint32_t i = a->begin; i < a->end; i++)
        for (uint32_t k = b->begin; k < b->end; k++)
            if (access_race(&x->accesses.data[i], &x->accesses.data[k])) return true;
    return false;
}

typedef struct racing_path {
    dpor *x;
    uint32_t first, second;
} racing_path;

static void record_racing_path(void *data, path *out) {
    const racing_path *p = data;
    for (uint32_t i = 0; i < p->first; i++) {
        const event *e = &p->x->events.data[i];
        vec_push(out, ((path_step){{e->thread, 0}, e->successor}));
    }
    state *s = run_without(p->x, p->first, p->second, out);
    if (s) state_release(p->x->machine, s);
}

static void report(dpor *x, uint32_t first, uint32_t second) {
    const event *a = &x->events.data[first], *b = &x->events.data[second];
    violation v = {.kind = VIOLATION_RACE, .racing = {a->thread, b->thread}};
    v.places = race_places(state_place(x->nodes.data[first].s, a->thread),
                           state_place(x->nodes.data[second].s, b->thread));
    uint64_t attempts = map_get(&x->race_attempts, v.places);
    if (attempts == MAP_NONE) attempts = 0;
    if (attempts >= MOST_ATTEMPTS) return;
    size_t known = x->out->violations.size;
    racing_path way = {x, first, second};
    judge_violation(&x->judge, v, (position){0, 0}, record_racing_path, &way);
    map_put(&x->race_attempts, v.places, x->out->violations.size > known ? MOST_ATTEMPTS : attempts + 1);
}

static bool has_plain_update(const dpor *x, const footprint *f) {
    for (uint32_t i = f->begin; i < f->end; i++)
        if (x->accesses.data[i].kind == ACCESS_UPDATE && x->accesses.data[i].plain) return true;
    return false;
}

void report_data_races(dpor *x, size_t first_race) {
    uint32_t newest = (uint32_t)x->events.size - 1;
    const footprint touched = x->events.data[newest].touched;
    for (size_t i = first_race; i < x->races.size && !x->judge.stop; i++) {
        const race *r = &x->races.data[i];
        if (!r->indirect && accesses_race(x, &x->events.data[r->first].touched, &touched))
            report(x, r->first, newest);
    }
    if (!has_plain_update(x, &touched)) return;
    for (uint32_t i = newest; i-- > 0 && !x->judge.stop;)
        if (!happens_before(x, i, newest) && accesses_race(x, &x->events.data[i].touched, &touched))
            report(x, i, newest);
}
