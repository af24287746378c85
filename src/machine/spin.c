/* Spinning: a thread that goes round a loop without telling anybody anything new sleeps until one of the
 * cells it touched changes. See spin_watch in state.h. */
#include "machine/internal.h"

#include <stddef.h>
#include <string.h>

/* Watches are no part of a state's identity, and copied as they are. */
static_assert(sizeof(spin_read) == 4 * sizeof(uint32_t) + sizeof(value),
              "what else tells watched cells apart is for watched_cell and touches");
static_assert(
    sizeof(void *) != 8 || offsetof(spin_watch, read) == 56,
    "what else a watch refers to is for thread_release and thread_set_spin, what else wakes its thread "
    "for preemptive_spins_in_vain");

/* What a cell holds whatever inputs are: within a step as between steps. */
static value peek_open(machine *m, const state *s, uint32_t object, uint64_t offset, unsigned width) {
    const step_options *step = m->step;
    m->step = NULL;
    value v = memory_peek(m, s, object, offset, width);
    m->step = step;
    return v;
}

bool preemptive_spins_in_vain(machine *m, const state *s, const thread_part *t) {
    if (!t->spin || !t->spin->waiting || t->spin->observed) return false;
    assert(t->status == THREAD_RUNNABLE && !t->atomic_depth); /* only there a round may be waited out */
    for (uint32_t i = 0; i < t->spin->count; i++) {
        const spin_read *r = &t->spin->read[i];
        if (!value_equal(peek_open(m, s, r->object, r->offset, r->width), r->seen)) return false;
    }
    return true;
}

static bool is_memory(const access *a) {
    return a->kind <= ACCESS_UPDATE;
}

static bool touched_exact_cells_only(const context *c) {
    if (c->wrote) return false;
    for (size_t i = 0; i < c->touched.size; i++) {
        const access *a = &c->touched.data[i];
        bool exact = is_memory(a) && a->name != ACCESS_ANY && a->high - a->low <= 8;
        if (!exact && a->kind != ACCESS_RUN && a->kind != ACCESS_CHECK) return false;
    }
    return true;
}

static spin_watch *new_watch(const state *s, uint32_t thread, uint32_t patience) {
    spin_watch *w = mem_zero(1, sizeof *w);
    w->refs = 1;
    w->patience = patience;
    assert(!s->threads[thread]->spin || s->threads[thread]->spin->refs);
    w->anchor = s->threads[thread];
    w->anchor->head.refs++;
    w->memory = state_clone_memory(s);
    return w;
}

/* What the cell must have held before this step if nobody disturbed the round: what the thread itself left
 * there, or, if it comes to the cell for the first time, what it held at the anchor. */
static spin_read *watched_cell(machine *m, spin_watch *w, uint32_t object, uint32_t offset, unsigned width) {
    for (uint32_t i = 0; i < w->count; i++) {
        spin_read *r = &w->read[i];
        if (r->object == object && r->offset == offset && r->width == width) return r;
    }
    w->read[w->count] =
        (spin_read){object, offset, width, .seen = peek_open(m, w->memory, object, offset, width)};
    assert(width >= 8 && width <= 64 && width % 8 == 0);
    return &w->read[w->count++];
}

static bool touches(const effect *e, const spin_read *cell) {
    for (size_t i = 0; i < e->size; i++) {
        const access *a = &e->data[i];
        bool same = is_memory(a) && a->name == cell->object && a->low == cell->offset;
        if (same && 8 * (a->high - a->low) == cell->width) return true;
    }
    return false;
}

/* The watch with what this step touched added; *undisturbed becomes false if another thread changed one of
 * the cells since the round began: the next round need not be like this one then. */
static spin_watch *watch_further(const run *r, const context *c, const spin_watch *old, bool *undisturbed) {
    spin_watch *w = mem_alloc(sizeof *w + (old->count + c->touched.size) * sizeof *w->read);
    memcpy(w, old, sizeof *w + old->count * sizeof *w->read);
    w->refs = 1;
    w->anchor->head.refs++;
    state_share(w->memory);
    w->steps++;
    round_widen(r->m, &w->round, c->round);
    *undisturbed &= !old->observed;
    for (size_t i = 0; i < c->touched.size; i++) {
        const access *a = &c->touched.data[i];
        if (!is_memory(a)) continue;
        unsigned width = 8 * (a->high - a->low);
        const spin_read *cell = watched_cell(r->m, w, a->name, a->low, width);
        value before = peek_open(r->m, r->from, a->name, a->low, width);
        *undisturbed &= before.bits && value_equal(before, cell->seen);
    }
    for (uint32_t i = 0; i < w->count; i++) {
        spin_read *cell = &w->read[i];
        if (!touches(&c->touched, cell)) continue;
        value left = peek_open(r->m, c->s, cell->object, cell->offset, cell->width);
        cell->changes |= !left.bits || !value_equal(cell->seen, left);
        cell->seen = left;
    }
    return w;
}

/* Whether a cell holds what it held at the anchor; if so that is what to watch it for. */
static bool cells_are_as_before(machine *m, const state *s, spin_watch *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        spin_read *r = &w->read[i];
        value before = peek_open(m, w->memory, r->object, r->offset, r->width);
        r->seen = peek_open(m, s, r->object, r->offset, r->width);
        if (!r->seen.bits || !value_equal(before, r->seen)) return false;
    }
    return true;
}

static bool own_objects_are_as_before(const state *s, uint32_t thread, const state *before) {
    if (s->dynamic_count != before->dynamic_count) return false;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        if (o->shared || o->owner != thread) continue;
        const memory_object *old = state_object(before, s->dynamic[i].name);
        if (!old || !objects_identical(old, o)) return false;
    }
    return true;
}

static bool comes_to_what_changes(const effect *e, const spin_watch *w) {
    for (uint32_t k = 0; k < w->count; k++) {
        const spin_read *cell = &w->read[k];
        for (size_t i = 0; cell->changes && i < e->size; i++) {
            const access *a = &e->data[i];
            bool same = is_memory(a) && (a->name == cell->object || a->name == ACCESS_ANY);
            if (same && a->low < cell->offset + (cell->width + 7) / 8 && cell->offset < a->high) return true;
        }
    }
    return false;
}

/* A round that changes cells and puts them back can be seen by others. One that somebody has come across is
 * not the same as one that nobody saw: there must be another for him to see something again. */
static void note_what_others_saw(context *c) {
    for (uint32_t t = 0; t < c->s->thread_count; t++) {
        const spin_watch *old = c->s->threads[t]->spin;
        if (t == c->thread || !old || old->observed || !comes_to_what_changes(&c->touched, old)) continue;
        spin_watch *w = mem_alloc(sizeof *w + old->count * sizeof *w->read);
        memcpy(w, old, sizeof *w + old->count * sizeof *w->read);
        w->refs = 1;
        w->observed = true;
        w->anchor->head.refs++;
        state_share(w->memory);
        thread_set_spin(state_own_thread(c->s, t), w);
    }
}

enum { FIRST_PATIENCE = 4, MOST_PATIENCE = 128 };

static void set_watch(context *c, spin_watch *w) {
    thread_set_spin(state_own_thread(c->s, c->thread), w);
}

void preemptive_step_ended(run *r, context *c) {
    const thread_part *now = c->s->threads[c->thread];
    assert(r->how->effects); /* spinning is recognised by what was touched */
    if (!r->m->options.sleep_spins || r->how->stay_awake) return;
    if (r->m->spins) note_what_others_saw(c);
    if (now->status != THREAD_RUNNABLE) return;
    bool round = c->loops > 0;
    if (!now->spin && !round) return;
    if (now->atomic_depth || !touched_exact_cells_only(c)) {
        if (now->spin) set_watch(c, NULL);
        return;
    }
    if (!now->spin) {
        r->m->spins = true;
        set_watch(c, new_watch(c->s, c->thread, FIRST_PATIENCE));
        return;
    }
    bool undisturbed = true;
    spin_watch *w = watch_further(r, c, now->spin, &undisturbed);
    bool back = undisturbed && round && threads_identical(w->anchor, now) &&
                own_objects_are_as_before(c->s, c->thread, w->memory) && cells_are_as_before(r->m, c->s, w);
    uint32_t patience = w->patience;
    bool moves_on = !back && round && (!undisturbed || w->steps >= patience); /* to where rounds begin */
    assert(!back || !w->observed);
    w->waiting = back;
    set_watch(c, w);
    if (moves_on)
        set_watch(c, new_watch(c->s, c->thread, patience < MOST_PATIENCE ? 2 * patience : MOST_PATIENCE));
    else if (!undisturbed)
        set_watch(c, NULL);
}
