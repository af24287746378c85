/* Which thread must also be tried at the node before the first event of a race. Both algorithms keep a set of
 * threads per node; they differ in what they take as enough. */
#include "dpor/internal.h"

/* --- source sets ---------------------------------------------------------------------------------------- */

/* Whether an event that does not depend on `first` can be executed right where that stands: nothing between
 * them happens before it. */
static bool is_initial(const dpor *x, const uint32_t *clock, uint32_t thread, uint32_t previous,
                       uint32_t first) {
    if (previous != NO_INDEX && previous > first) return false;
    for (uint32_t t = 0; t < x->last.size; t++)
        if (t != thread && clock[t] > first + 1) return false;
    return true;
}

/* Source-DPOR: the reversed execution continues with the events behind the first one that do not depend on
 * it, then the second. Any thread that can start that continuation is enough; a sleeping one has
 * it covered already. */
void backtrack_by_source_set(dpor *x, const race *r) {
    assert(r->first < r->second && r->second <= x->events.size);
    const node *n = &x->nodes.data[r->first];
    uint64_t *tried = tried_row(x, r->first);
    uint32_t found = NO_INDEX;
    for (uint32_t i = r->first + 1; i < r->second; i++) {
        const event *e = &x->events.data[i];
        if (happens_before(x, r->first, i) ||
            !is_initial(x, clock_row(x, i), e->thread, e->previous, r->first))
            continue;
        if (bits_has(tried, e->thread) || is_asleep(x, n, e->thread)) return;
        if (found == NO_INDEX) found = e->thread;
    }
    uint32_t previous =
        r->second < x->events.size ? x->events.data[r->second].previous : x->last.data[r->thread];
    if (found == NO_INDEX || bits_has(tried, r->thread) || is_asleep(x, n, r->thread)) {
        size_t pool = x->accesses.size;
        uint32_t outcomes;
        footprint second = footprint_if_reversed(x, r, &outcomes);
        bool initial = is_initial(x, reversed_clock(x, r, &second), r->thread, previous, r->first);
        x->accesses.size = pool;
        if (initial && (bits_has(tried, r->thread) || is_asleep(x, n, r->thread))) return;
        if (found == NO_INDEX) found = r->thread;
    }
    assert(found != NO_INDEX && found < x->threads);
    bits_add(tried, found);
}

/* --- persistent sets ------------------------------------------------------------------------------------ */

/* Flanagan and Godefroid: the second event's thread, or one with an event behind the first that happens
 * before the second's thread came to it; all enabled ones if none of these is enabled.
 *
 * With sleep sets that is not enough. The thread may be asleep at the node; it is not executed there then,
 * and the races that would have added further threads to the set are not seen: readers that read a cell of
 * their own before x, and one writer of x, lose half of the traces. The condition of source sets holds in
 * addition, which makes the set a superset of a source set. */
void backtrack_by_persistent_set(dpor *x, const race *r) {
    uint64_t *tried = tried_row(x, r->first);
    const uint64_t *enabled = enabled_row(x, r->first);
    uint32_t previous =
        r->second < x->events.size ? x->events.data[r->second].previous : x->last.data[r->thread];
    uint32_t from = previous != NO_INDEX ? previous : x->born.data[r->thread];
    uint32_t found = NO_INDEX;
    for (uint32_t t = 0; t < x->last.size; t++) {
        bool leads_there = t == r->thread || (from != NO_INDEX && clock_row(x, from)[t] > r->first + 1);
        if (!leads_there || !bits_has(enabled, t)) continue;
        if (found == NO_INDEX || t == r->thread || bits_has(tried, t)) found = t;
    }
    if (found != NO_INDEX)
        bits_add(tried, found);
    else
        bits_join(tried, enabled, row_words(x));
    backtrack_by_source_set(x, r);
}
