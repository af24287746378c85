/* Happens-before by clock vectors, and reversible races.
 *
 * The newest event is compared with earlier ones from the latest to the first; whatever it conflicts with is
 * joined into its clock, so an event that is reached without being in the clock yet races with it directly:
 * nothing stands between them.
 *
 * A blocking operation adds a twist. lock(p) unlock(p) lock(q): the unlocking races with q's lock directly
 * but cannot come after it, q would not be enabled. What can be reversed are the two lockings, and the
 * unlocking between them does not happen then. So behind a conflict that cannot be reversed the search for
 * one that can goes on, with a second clock that knows only q's own past and the reversible races
 * found so far. */
#include "dpor/internal.h"

static void start_row(const dpor *x, uint32_t *row, uint32_t thread, uint32_t previous) {
    assert(thread < x->born.size);
    uint32_t from = previous != NO_INDEX ? previous : x->born.data[thread];
    clock_start(row, from != NO_INDEX ? clock_row(x, from) : NULL, x->threads);
}

static bool something_is_open(const dpor *x, const uint32_t *clock) {
    return clock_is_open(clock, x->last.data, x->last.size);
}

/* Completes the row of an event or blocked operation, described by `second`, and appends its races. */
static void find_races(dpor *x, race second, uint32_t *row, const state *control) {
    uint32_t *candidates = row;
    bool open = something_is_open(x, row);
    footprint_filter filter = footprint_filter_of(&second.touched);
    for (uint32_t i = second.second; open && i-- > 0;) {
        if (!footprint_filters_meet(x->filters.data[i], filter)) continue;
        const event *e = &x->events.data[i];
        if (i < candidates[e->thread]) continue;
        if (!footprint_conflict(x->accesses.data, &e->touched, x->accesses.data, &second.touched)) continue;
        assert(e->thread != second.thread); /* its own events are in its clock from the beginning */
        race r = second;
        r.first = i;
        r.indirect = i < row[e->thread];
        r.settled = NOT_SETTLED;
        bool reversible = could_come_first(x, &r, control);
        if (!reversible && candidates == row) {
            candidates = x->reversible_clock.data;
            memcpy(candidates, row, x->threads * sizeof *row);
        }
        if (!r.indirect) clock_join(row, clock_row(x, i), x->threads);
        if (reversible) {
            if (candidates != row) clock_join(candidates, clock_row(x, i), x->threads);
            assert(r.first < r.second);
            vec_push(&x->races, r);
            schedule_learn_race(x, &r);
        }
        open = something_is_open(x, candidates);
    }
}

FOR_ASSERTIONS static uint32_t thread_of_event(const void *data, uint32_t position) {
    const dpor *x = data;
    return x->events.data[position].thread;
}

FOR_ASSERTIONS static bool is_right_clock(const dpor *x, uint32_t position) {
    clock_rows rows = {x->clocks.data, x->threads, (uint32_t)x->last.size, thread_of_event, x};
    return clock_is_right(&rows, position);
}

void order_event(dpor *x) {
    assert(x->events.size && x->nodes.size == x->events.size);
    uint32_t position = (uint32_t)x->events.size - 1;
    const event *e = &x->events.data[position];
    uint32_t *row = clock_row(x, position);
    start_row(x, row, e->thread, e->previous);
    row[e->thread] = position + 1;
    if (e->waited) {
        for (uint32_t t = 0; t < x->last.size; t++)
            if (x->last.data[t] != NO_INDEX) row[t] = x->last.data[t] + 1;
        return;
    }
    race second = {.second = position, .thread = e->thread, .touched = e->touched};
    find_races(x, second, row, x->nodes.data[position].s);
    slow_assert(is_right_clock(x, position));
}

void order_blocked(dpor *x, const state *s) {
    const event *newest = x->events.size ? &vec_last(&x->events) : NULL;
    bool cut_off = newest && newest->touched.everything; /* others could have gone on */
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        pending p = {0};
        machine_pending(x->machine, s, t, &p);
        if (!p.live || (p.enabled && !cut_off) || (newest && newest->thread == t && cut_off)) continue;
        if (!x->exits_anywhere && machine_is_at_program_end(x->machine, s, t))
            continue; /* it waits for all others */
        race second = {.second = (uint32_t)x->events.size, .thread = t};
        note_awaited(x, p.next);
        second.touched = footprint_add(&x->accesses, p.next->data, p.next->size);
        start_row(x, x->second_clock.data, t, x->last.data[t]);
        find_races(x, second, x->second_clock.data, s);
    }
}

const uint32_t *reversed_clock(dpor *x, const race *r, const footprint *touched) {
    bool executed = r->second < x->events.size;
    if (executed && !r->indirect && touched->begin == r->touched.begin) return clock_row(x, r->second);
    uint32_t *row = x->second_clock.data;
    start_row(x, row, r->thread, executed ? x->events.data[r->second].previous : x->last.data[r->thread]);
    for (uint32_t i = (uint32_t)x->events.size; i-- > r->first + 1;) {
        const event *e = &x->events.data[i];
        if (i < row[e->thread] || happens_before(x, r->first, i)) continue;
        if (footprint_conflict(x->accesses.data, &e->touched, x->accesses.data, touched))
            clock_join(row, clock_row(x, i), x->threads);
    }
    return row;
}
