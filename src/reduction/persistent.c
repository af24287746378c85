#include "reduction/persistent.h"

#include "base/bits.h"
#include "base/invariant.h"

struct persistent {
    machine *machine;
    const segments *segments;
    por_kind kind;
    bool necessary_enabling;
    uint64_t *in_set; /* segments taken so far */
    uint32_t *work;   /* of these, still to be looked at */
    size_t work_size;
    uint64_t *enabled; /* segments that are enabled in the present state */
    uint32_t *next;    /* per thread: its next segment, or NO_INDEX */
    indices best, present;
    const uint64_t *dependent; /* of the segments, or the one below */
    uint64_t *by_relevance;    /* what of it is left with the objects that matter */
    uint32_t relevance_version;
};

persistent *persistent_create(machine *m, por_kind kind, bool necessary_enabling) {
    persistent *p = mem_zero(1, sizeof *p);
    p->machine = m;
    p->segments = machine_segments(m);
    p->kind = kind;
    p->necessary_enabling = necessary_enabling;
    p->dependent = p->segments->dependent;
    size_t n = p->segments->list.size;
    p->in_set = mem_zero(p->segments->words + 1, sizeof *p->in_set);
    p->enabled = mem_zero(p->segments->words + 1, sizeof *p->enabled);
    p->work = mem_alloc((n + 1) * sizeof *p->work);
    p->next = mem_alloc((machine_program(m)->threads.size + 1) * sizeof *p->next);
    return p;
}

void persistent_destroy(persistent *p) {
    if (!p) return;
    mem_free(p->in_set);
    mem_free(p->enabled);
    mem_free(p->work);
    mem_free(p->next);
    vec_free(&p->best);
    vec_free(&p->present);
    mem_free(p->by_relevance);
    mem_free(p);
}

/* What every thread would do next, and which of it is enabled. False: some live thread is not tracked. */
static bool look_at(persistent *p, const state *s) {
    memset(p->enabled, 0, p->segments->words * sizeof *p->enabled);
    size_t threads = machine_program(p->machine)->threads.size;
    for (uint32_t t = 1; t < threads; t++) {
        pending next;
        machine_pending(p->machine, s, t, &next);
        p->next[t] = next.live ? next.segment : NO_INDEX;
        assert(p->next[t] == NO_INDEX || p->segments->list.data[next.segment].thread == t);
        if (next.live && next.segment == NO_INDEX) return false;
        if (next.live && next.enabled) bits_add(p->enabled, next.segment);
    }
    return true;
}

static void take(persistent *p, uint32_t segment) {
    assert(segment < p->segments->list.size);
    if (bits_has(p->in_set, segment)) return;
    bits_add(p->in_set, segment);
    assert(p->work_size < p->segments->list.size); /* each is taken once */
    p->work[p->work_size++] = segment;
}

static void take_row(persistent *p, const uint64_t *matrix, uint32_t segment) {
    const uint64_t *row = segment_row(p->segments, matrix, segment);
    for (size_t w = 0; w < p->segments->words; w++)
        for (uint64_t rest = row[w] & ~p->in_set[w]; rest; rest &= rest - 1)
            take(p, (uint32_t)(64 * w + (size_t)__builtin_ctzll(rest)));
}

/* A set of which one member must run before a disabled segment can. */
static void take_enabling(persistent *p, por_kind kind, uint32_t segment) {
    if (!p->necessary_enabling) return;
    uint32_t next = p->next[p->segments->list.data[segment].thread];
    if (kind == POR_STUB2 && next != segment) {
        if (next != NO_INDEX) take(p, next);
        return;
    }
    take_row(p, p->segments->enabled_by, segment);
}

/* Whatever the enabled ones of the set depend on is in it. */
FOR_ASSERTIONS static bool is_closed(const persistent *p) {
    for (uint32_t i = 0; i < p->segments->list.size; i++) {
        if (!bits_has(p->in_set, i) || !bits_has(p->enabled, i)) continue;
        const uint64_t *row = segment_row(p->segments, p->dependent, i);
        for (size_t w = 0; w < p->segments->words; w++)
            if (row[w] & ~p->in_set[w]) return false;
    }
    return true;
}

/* Of `enabled`: at least one, in their order, each once. */
FOR_ASSERTIONS static bool is_choice(const indices *set, const transitions *enabled) {
    for (size_t i = 0; i < set->size; i++)
        if (set->data[i] >= enabled->size || (i && set->data[i - 1] >= set->data[i])) return false;
    return set->size > 0 || !enabled->size;
}

FOR_ASSERTIONS static bool holds(const indices *set, uint32_t index) {
    for (size_t i = 0; i < set->size; i++)
        if (set->data[i] == index) return true;
    return false;
}

/* False: the closure gives up and everything enabled must be explored (CT met a disabled segment). */
static bool work_off(persistent *p, por_kind kind) {
    while (p->work_size) {
        uint32_t segment = p->work[--p->work_size];
        if (bits_has(p->enabled, segment))
            take_row(p, p->dependent, segment);
        else if (kind == POR_CT)
            return false;
        else
            take_enabling(p, kind, segment);
    }
    slow_assert(is_closed(p));
    return true;
}

static bool close_over(persistent *p, por_kind kind, uint32_t first) {
    memset(p->in_set, 0, p->segments->words * sizeof *p->in_set);
    p->work_size = 0;
    take(p, first);
    return work_off(p, kind);
}

static void take_all(const transitions *enabled, indices *out) {
    vec_clear(out);
    for (uint32_t i = 0; i < enabled->size; i++) vec_push(out, i);
}

static void one_set(persistent *p, const transitions *enabled, por_kind kind, uint32_t first, indices *out) {
    assert(first < enabled->size && enabled->data[first].thread < machine_program(p->machine)->threads.size);
    if (!close_over(p, kind, p->next[enabled->data[first].thread])) {
        take_all(enabled, out);
        return;
    }
    vec_clear(out);
    for (uint32_t i = 0; i < enabled->size; i++)
        if (bits_has(p->in_set, p->next[enabled->data[i].thread])) vec_push(out, i);
    slow_assert(holds(out, first)); /* where it began */
}

static void keep_smaller(persistent *p) {
    if (p->present.size >= p->best.size) return;
    indices smaller = p->present;
    p->present = p->best;
    p->best = smaller;
}

static void smallest_set(persistent *p, const transitions *enabled) {
    take_all(enabled, &p->best);
    for (uint32_t first = 0; first < enabled->size && p->best.size > 1; first++) {
        one_set(p, enabled, POR_STUB, first, &p->present);
        keep_smaller(p);
        one_set(p, enabled, POR_STUB2, first, &p->present);
        keep_smaller(p);
    }
}

void persistent_compute(persistent *p, const state *s, const transitions *enabled, uint32_t first,
                        indices *out) {
    if (enabled->size < 2 || p->kind == POR_NONE || !look_at(p, s)) {
        take_all(enabled, out);
        return;
    }
    if (p->kind == POR_STUB_MIN) {
        smallest_set(p, enabled);
        vec_clear(out);
        for (size_t i = 0; i < p->best.size; i++) vec_push(out, p->best.data[i]);
    } else {
        one_set(p, enabled, p->kind, first, out);
    }
    slow_assert(is_choice(out, enabled));
}

/* --- for explorers that abstract ------------------------------------------------------------------------ */

static void consider_relevance(persistent *p, const relevance *matters) {
    const segments *all = p->segments;
    p->dependent = all->dependent;
    if (!matters) return;
    size_t n = all->list.size;
    bool known = p->by_relevance && p->relevance_version == matters->version;
    if (!p->by_relevance) p->by_relevance = mem_zero(n * all->words + 1, sizeof *p->by_relevance);
    if (!known) memset(p->by_relevance, 0, n * all->words * sizeof *p->by_relevance);
    for (uint32_t i = 0; i < n && !known; i++)
        for (uint32_t j = 0; j < n; j++)
            if (bits_has(segment_row(all, all->dependent, i), j) &&
                relevance_conflict(matters, &all->list.data[i].touches, &all->list.data[j].touches))
                bits_add(p->by_relevance + i * all->words, j);
    p->relevance_version = matters->version;
    p->dependent = p->by_relevance;
}

static void note_relied(object_list *relied, uint32_t object) {
    for (size_t i = 0; i < relied->size; i++)
        if (relied->data[i] == object) return;
    vec_push(relied, object);
}

static void note_ignored(const relevance *matters, const effect *touches, object_list *relied) {
    for (size_t k = 0; k < touches->size; k++)
        if (relevance_ignores(matters, &touches->data[k])) note_relied(relied, touches->data[k].name);
}

/* Whatever may have kept another segment out of the last closure. */
static void collect_relied(const persistent *p, const relevance *matters, object_list *relied) {
    const segments *all = p->segments;
    for (uint32_t i = 0; i < all->list.size; i++) {
        if (!bits_has(p->in_set, i) || !bits_has(p->enabled, i)) continue;
        for (uint32_t j = 0; j < all->list.size; j++) {
            if (bits_has(p->in_set, j) || !bits_has(segment_row(all, all->dependent, i), j)) continue;
            note_ignored(matters, &all->list.data[i].touches, relied);
            note_ignored(matters, &all->list.data[j].touches, relied);
        }
    }
}

static uint64_t closed_set(persistent *p, const transitions *enabled, por_kind kind, uint64_t from) {
    memset(p->in_set, 0, p->segments->words * sizeof *p->in_set);
    p->work_size = 0;
    for (uint32_t i = 0; i < enabled->size; i++)
        if (from >> i & 1) take(p, p->next[enabled->data[i].thread]);
    work_off(p, kind);
    uint64_t set = 0;
    for (uint32_t i = 0; i < enabled->size; i++)
        if (bits_has(p->in_set, p->next[enabled->data[i].thread])) set |= UINT64_C(1) << i;
    assert(!(from & ~set)); /* it grew out of these */
    return set;
}

uint64_t persistent_complete(persistent *p, const state *s, const transitions *enabled, uint64_t taken,
                             const relevance *matters, object_list *relied) {
    static const por_kind kinds[] = {POR_STUB, POR_STUB2};
    size_t n = enabled->size;
    uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, best = all, best_from = 0;
    por_kind best_kind = POR_STUB;
    assert(n <= 64 && !(taken & ~all)); /* bits are all that they have */
    if (relied) vec_clear(relied);
    if (n < 2 || !look_at(p, s)) return all;
    consider_relevance(p, matters);
    for (size_t i = 0; i < (taken ? 1 : n); i++)
        for (size_t k = 0; k < 2 && best & (best - 1); k++) {
            uint64_t from = taken ? taken : UINT64_C(1) << i, set = closed_set(p, enabled, kinds[k], from);
            if (__builtin_popcountll(set) >= __builtin_popcountll(best)) continue;
            best = set;
            best_from = from;
            best_kind = kinds[k];
        }
    if (relied && matters && best != all) {
        closed_set(p, enabled, best_kind, best_from);
        collect_relied(p, matters, relied);
    }
    p->dependent = p->segments->dependent;
    assert(best && !(best & ~all) && !(taken & ~best));
    return best;
}

bool persistent_independent(persistent *p, const state *s, uint32_t a, uint32_t b) {
    pending next;
    machine_pending(p->machine, s, a, &next);
    uint32_t of_a = next.segment;
    machine_pending(p->machine, s, b, &next);
    if (of_a == NO_INDEX || next.segment == NO_INDEX) return false;
    return !bits_has(segment_row(p->segments, p->segments->dependent, of_a), next.segment);
}

void persistent_closure(persistent *p, const state *s, por_kind kind, uint32_t first_segment, indices *out) {
    vec_clear(out);
    if (!look_at(p, s)) return;
    bool whole = !close_over(p, kind, first_segment);
    for (uint32_t i = 0; i < p->segments->list.size; i++)
        if (bits_has(whole ? p->enabled : p->in_set, i)) vec_push(out, i);
}
