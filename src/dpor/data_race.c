/* Data races: two conflicting accesses that can stand next to each other, not both of them atomic.
 *
 * A reversible race of the reduction is one if its accesses are; plain commuting updates do not conflict for
 * the reduction, so they are looked for on their own. The report is a path to a state in which both
 * operations are pending.
 *
 * That is all there is as long as every access to memory that orders anything acquires what it reads and
 * releases what it writes: steps that conflict then happen one before the other, and two accesses that do not
 * can be brought next to each other. Where weaker orders or locks that were not got leave steps in conflict
 * unordered, races are found by what happens before what (explore/happens.h) in every execution; that depends
 * on its trace only, so one execution of each trace is enough. One exception: an update that acquires does
 * not commute with others (awaited.c). */
#include "dpor/internal.h"
#include "machine/seen.h"

enum {
    MOST_ATTEMPTS = 4, /* to confirm a race between two places */
    MOST_NOTES_TRIED = 64,
    MOST_EXECUTIONS_FOR_NOTES = 200 /* in which what happens before what is followed, if nobody asks */
};

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
    for (uint32_t i = 0; i < p->first; i++) vec_push(out, p->x->events.data[i].step);
    state *s = run_without(p->x, p->first, p->second, out);
    if (s) state_release(p->x->machine, s);
}

static bool is_asked(const dpor *x) {
    return x->options.properties & PROPERTY_RACE;
}

/* Of interest to somebody. A race that nobody asked about is wanted once, if that is cheap. */
static bool is_wanted(const dpor *x) {
    if (x->judge.stop) return false;
    return is_asked(x) || (judge_wants_race_note(&x->judge) && x->race_attempts.size < MOST_NOTES_TRIED);
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
    if (is_asked(x))
        judge_violation(&x->judge, v, &(successor){0}, record_racing_path, &way);
    else
        judge_note_race(&x->judge, v, record_racing_path, &way);
    map_put(&x->race_attempts, v.places, x->out->violations.size > known ? MOST_ATTEMPTS : attempts + 1);
}

typedef struct earlier_race {
    dpor *x;
    uint32_t second;
} earlier_race;

static void record_path_before(void *data, path *out) {
    const earlier_race *r = data;
    for (uint32_t i = 0; i < r->second; i++) vec_push(out, r->x->events.data[i].step);
}

static bool is_tried_enough(dpor *x, uint64_t places) {
    uint64_t attempts = map_get(&x->race_attempts, places);
    return attempts != MAP_NONE && attempts >= MOST_ATTEMPTS;
}

static void report_earlier(dpor *x, uint32_t first, uint32_t second) {
    const event *a = &x->events.data[first], *b = &x->events.data[second];
    violation v = {.kind = VIOLATION_RACE, .racing = {a->thread, b->thread}, .earlier = first + 1};
    v.places = race_places(state_place(x->nodes.data[first].s, a->thread),
                           state_place(x->nodes.data[second].s, b->thread));
    if (is_tried_enough(x, v.places)) return;
    uint64_t attempts = map_get(&x->race_attempts, v.places);
    size_t known = x->out->violations.size;
    earlier_race way = {x, second};
    const state *at[] = {x->nodes.data[first].s, x->nodes.data[second].s};
    if (is_asked(x))
        judge_violation(&x->judge, v, &(successor){0}, record_path_before, &way);
    else
        judge_note_late_race(&x->judge, v, at, record_path_before, &way);
    bool found = x->out->violations.size > known;
    map_put(&x->race_attempts, v.places, found ? MOST_ATTEMPTS : attempts == MAP_NONE ? 1 : attempts + 1);
}

/* Brings what happened up to date; behind a step back it begins anew. */
static void follow_execution(dpor *x, happens_races *races) {
    if (!x->happens) x->happens = happens_create();
    if (x->stepped_back) happens_restart(x->happens);
    x->stepped_back = false;
    for (size_t i = happens_length(x->happens); i < x->events.size; i++) {
        const event *e = &x->events.data[i];
        bool newest = i + 1 == x->events.size;
        happens_add(x->happens, e->thread, x->accesses.data + e->touched.begin,
                    e->touched.end - e->touched.begin, newest ? races : NULL);
    }
}

/* What was done to memory that others could reach only later was left out so far, and updates that acquire
 * were taken as commuting. */
static void begin_with_orders(dpor *x) {
    x->orders_matter = x->again = true;
    x->judge.how.early = true;
}

static void report_unordered(dpor *x) {
    bool followed = is_asked(x) || x->stats->executions < MOST_EXECUTIONS_FOR_NOTES;
    if (!followed || !machine_seen_so_far(x->machine)->loose_access.met) return;
    if (is_asked(x) && !x->orders_matter) {
        begin_with_orders(x);
        return;
    }
    happens_races races = {0};
    follow_execution(x, &races);
    uint32_t newest = (uint32_t)x->events.size - 1;
    for (size_t i = 0; i < races.size && is_wanted(x); i++) report_earlier(x, races.data[i].step, newest);
    vec_free(&races);
}

static bool has_plain_update(const dpor *x, const footprint *f) {
    for (uint32_t i = f->begin; i < f->end; i++)
        if (x->accesses.data[i].kind == ACCESS_UPDATE && x->accesses.data[i].plain) return true;
    return false;
}

void report_data_races(dpor *x, size_t first_race) {
    if (!is_wanted(x)) return;
    uint32_t newest = (uint32_t)x->events.size - 1;
    const footprint touched = x->events.data[newest].touched;
    for (size_t i = first_race; i < x->races.size && is_wanted(x); i++) {
        const race *r = &x->races.data[i];
        if (!r->indirect && accesses_race(x, &x->events.data[r->first].touched, &touched))
            report(x, r->first, newest);
    }
    report_unordered(x);
    if (!has_plain_update(x, &touched)) return;
    for (uint32_t i = newest; i-- > 0 && is_wanted(x);)
        if (!happens_before(x, i, newest) && accesses_race(x, &x->events.data[i].touched, &touched))
            report(x, i, newest);
}
