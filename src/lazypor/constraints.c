/* The trace constraint system of the execution under way.
 *
 * The document's list of constraints has every pair of dependent transitions. Program order and creation can
 * never be swapped (its section 4.1), and of the rest only those pairs need to be that nothing stands
 * between: the others follow by transitivity, and are met again as direct ones once those in between were
 * swapped. So constraints are kept as clock vectors, which answer "comes before" at once, and as a list of
 * the direct dependencies.
 *
 * The document's systems are separated: no transition disables another. Blocking operations are not, and add
 * a twist. lock(p) unlock(p) lock(q): the unlocking stands between the two lockings, but it does not happen
 * if those are swapped, and unlocking itself can never come after lock(q). So for an operation that may have
 * to wait, every dependency on what it waits for counts, direct or not, if the operation could go on in the
 * memory before the first event. Whatever touches the cells it waits for is ordered (operation.c sees to
 * that), so no event that would still happen in between changes them. */
#include "lazypor/internal.h"

static void start_row(const lazypor *x, uint32_t *row, uint32_t thread, uint32_t previous) {
    assert(thread < x->born.size && (previous == NO_INDEX || previous < x->length));
    uint32_t from = previous != NO_INDEX ? previous : x->born.data[thread];
    clock_start(row, from != NO_INDEX ? clock_row(x, from) : NULL, x->threads);
}

static bool something_is_open(const lazypor *x, const uint32_t *row) {
    return clock_is_open(row, x->last.data, x->last.size);
}

static bool touches(const lazypor *x, uint32_t position, const effect *cells) {
    footprint f = event_action(x, position)->touched;
    return footprint_conflict_exactly(x->accesses.data + f.begin, f.end - f.begin, cells->data, cells->size);
}

/* Whether the conflict is more than a thread's end and the wait for it, which have one order. */
static bool can_be_swapped(const lazypor *x, const action *a, const action *b) {
    if (a->touched.everything || b->touched.everything) return true;
    for (uint32_t i = a->touched.begin; i < a->touched.end; i++)
        for (uint32_t k = b->touched.begin; k < b->touched.end; k++)
            if (x->accesses.data[i].kind != ACCESS_END && x->accesses.data[k].kind != ACCESS_END &&
                access_conflict(&x->accesses.data[i], &x->accesses.data[k]))
                return true;
    return false;
}

static void list_direct(lazypor *x, uint32_t position, uint32_t *row) {
    const action *second = event_action(x, position);
    bool open = something_is_open(x, row);
    for (uint32_t i = position; open && i-- > 0;) {
        if (i < row[x->events.data[i].thread]) continue;
        const action *first = event_action(x, i);
        if (!actions_conflict(x, first, second)) continue;
        assert(x->events.data[i].thread != second->thread); /* its own are in its row from the beginning */
        clock_join(row, clock_row(x, i), x->threads);
        open = something_is_open(x, row);
        if (!can_be_swapped(x, first, second)) continue;
        preference_learn(x, first, second);
        assert(i < position);
        vec_push(&x->dependencies, ((dependency){.first = i, .second = position, .thread = second->thread}));
    }
}

/* Replaces, for an operation that may have to wait, the dependencies on what it waits for. */
static void list_guarded(lazypor *x, uint32_t thread, uint32_t previous, uint32_t position, size_t begins,
                         const effect *guard, const state *control) {
    assert(begins <= x->dependencies.size && position <= x->length);
    size_t kept = begins;
    for (size_t i = begins; i < x->dependencies.size; i++)
        if (!touches(x, x->dependencies.data[i].first, guard))
            x->dependencies.data[kept++] = x->dependencies.data[i];
    x->dependencies.size = kept;
    start_row(x, x->row.data, thread, previous);
    for (uint32_t i = position; i-- > 0;) {
        uint32_t other = x->events.data[i].thread;
        if (i < x->row.data[other] || other == thread || !touches(x, i, guard)) continue;
        if (!operation_may_go_on(x, control, x->nodes.data[i].s, thread)) continue;
        dependency d = {.first = i, .second = position, .thread = thread, .indirect = true};
        vec_push(&x->dependencies, d);
    }
}

FOR_ASSERTIONS static uint32_t thread_of_event(const void *data, uint32_t position) {
    const lazypor *x = data;
    return x->events.data[position].thread;
}

FOR_ASSERTIONS static bool is_right_row(const lazypor *x, uint32_t position) {
    clock_rows rows = {x->clocks.data, x->threads, (uint32_t)x->last.size, thread_of_event, x};
    return clock_is_right(&rows, position);
}

void constraints_add_event(lazypor *x) {
    assert(x->length && x->length <= x->events.size);
    uint32_t position = x->length - 1;
    const event *e = &x->events.data[position];
    uint32_t *row = clock_row(x, position);
    start_row(x, row, e->thread, e->previous);
    row[e->thread] = position + 1;
    list_direct(x, position, row);
    slow_assert(is_right_row(x, position));
    const state *control = x->nodes.data[position].s;
    const effect *guard = operation_guard(x, control, e->thread);
    if (guard->size) list_guarded(x, e->thread, e->previous, position, e->begins, guard, control);
    if (x->waits_for_end && machine_is_at_program_end(x->machine, control, e->thread))
        x->dependencies.size = e->begins; /* it has waited for all others */
}

void constraints_add_pending(lazypor *x, const state *s, bool cut_off) {
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        pending p = {0};
        machine_pending(x->machine, s, t, &p);
        if (!p.live || (x->waits_for_end && machine_is_at_program_end(x->machine, s, t))) continue;
        size_t begins = x->dependencies.size;
        if (cut_off && p.enabled && t != x->events.data[x->length - 1].thread)
            vec_push(&x->dependencies,
                     ((dependency){.first = x->length - 1, .second = x->length, .thread = t}));
        if (p.enabled) continue;
        const effect *guard = operation_guard(x, s, t);
        if (guard->size) list_guarded(x, t, x->last.data[t], x->length, begins, guard, s);
    }
}

const uint32_t *constraints_past(lazypor *x, const dependency *d) {
    assert(d->first < d->second && d->second <= x->length);
    bool executed = d->second < x->length;
    if (executed && !d->indirect) return clock_row(x, d->second);
    const action *swapped = &x->actions.data[x->swapped];
    uint32_t *row = x->row.data;
    start_row(x, row, d->thread, executed ? x->events.data[d->second].previous : x->last.data[d->thread]);
    for (uint32_t i = d->second; i-- > d->first + 1;)
        if (i >= row[x->events.data[i].thread] && !comes_before(x, d->first, i) &&
            actions_conflict(x, event_action(x, i), swapped))
            clock_join(row, clock_row(x, i), x->threads);
    return row;
}

/* --- threads -------------------------------------------------------------------------------------------- */

static void widen_rows(lazypor *x, uint32_t threads) {
    uint32_t wider = threads > 2 * x->threads ? threads : 2 * x->threads;
    VEC(uint32_t) clocks = {0};
    vec_reserve(&clocks, (size_t)wider * (x->events.size + 1));
    memset(clocks.data, 0, clocks.capacity * sizeof *clocks.data);
    for (uint32_t i = 0; i < x->length; i++)
        memcpy(clocks.data + (size_t)i * wider, clock_row(x, i), x->threads * sizeof *clocks.data);
    vec_free(&x->clocks);
    x->clocks.data = clocks.data;
    x->clocks.capacity = clocks.capacity;
    x->threads = wider;
    vec_reserve(&x->row, wider);
}

void constraints_note_threads(lazypor *x, const state *before, const state *after, uint32_t position) {
    if (before && !state_made_threads(before, after, x->events.data[position].thread)) return;
    if (state_thread_count(after) > x->threads) widen_rows(x, state_thread_count(after));
    while (x->last.size < state_thread_count(after)) {
        vec_push(&x->last, NO_INDEX);
        vec_push(&x->born, NO_INDEX);
    }
    for (uint32_t t = 0; t < state_thread_count(after); t++) {
        bool known = before && state_thread_status(before, t) != THREAD_UNBORN;
        if (!known && state_thread_status(after, t) != THREAD_UNBORN) {
            x->born.data[t] = position;
            x->last.data[t] = NO_INDEX;
        }
    }
}
