#include "machine/pairs.h"

#include "base/invariant.h"
#include "base/map.h"
#include "machine/positions.h"
#include "machine/relations.h"
#include "machine/state.h"

typedef struct object_pair {
    uint32_t a, b;
} object_pair;

typedef struct walk {
    terms *terms;
    const state *a, *b;
    value_pairs *out;
    map forward, backward;  /* bijection between dynamic object names */
    VEC(object_pair) open;  /* matched dynamic objects whose cells are still to be compared */
    map placed_a, placed_b; /* objects on whose positions the states depend */
} walk;

static bool add_pair(walk *w, const term *left, const term *right) {
    if (left == right && term_is_const(left)) return true;
    if (term_is_const(left) && term_is_const(right)) return false;
    if (left->width != right->width) return false;
    value_pair p = {left, right};
    vec_push(&w->out->list, p);
    return true;
}

/* --- positions ------------------------------------------------------------------------------------------ */

static const uint64_t first_of_threads = UINT64_C(1) << 32; /* behind all names of objects */

static void note_positions(void *data, value v) {
    map *placed = data;
    const term_support *symbols = v.bits ? v.bits->support : NULL;
    for (uint32_t k = 0; symbols && k < symbols->size; k++) {
        uint32_t name = object_of_position(symbols->symbol[k]);
        if (name != NO_INDEX) map_put(placed, name, 1);
        uint32_t thread = thread_of_rank(symbols->symbol[k]);
        if (thread != NO_INDEX) map_put(placed, first_of_threads | thread, symbols->symbol[k]->width);
    }
}

static void find_positions(const state *s, map *placed) {
    object_names reachable = {0};
    state_reachable_objects(s, &reachable);
    state_each_symbolic_value(s, &reachable, note_positions, placed);
    for (uint32_t i = 0; i < s->path_count; i++) note_positions(placed, (value){s->path->conjunct[i], 0});
    vec_free(&reachable);
}

static bool match_positions(walk *w, uint32_t a, uint32_t b) {
    if (!w->out->positions) return true;
    if (map_get(&w->placed_a, a) == MAP_NONE && map_get(&w->placed_b, b) == MAP_NONE) return true;
    return add_pair(w, object_position(w->terms, a), object_position(w->terms, b));
}

/* A thread stands for itself only. */
static bool match_threads_positions(walk *w) {
    for (uint32_t t = 0; w->out->positions && t < w->a->thread_count; t++) {
        uint64_t width = map_get(&w->placed_a, first_of_threads | t);
        if (width == MAP_NONE) width = map_get(&w->placed_b, first_of_threads | t);
        if (width == MAP_NONE) continue;
        const term *position = thread_rank(w->terms, (unsigned)width, t);
        if (!add_pair(w, position, position)) return false;
    }
    return true;
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* Two names of dynamic objects must stand for each other throughout. Dangling pointers
 * match dangling pointers. */
static bool match_objects(walk *w, uint32_t a, uint32_t b) {
    bool alive_a = state_object(w->a, a) != NULL, alive_b = state_object(w->b, b) != NULL;
    if (alive_a != alive_b) return false;
    uint64_t to = map_get(&w->forward, a), from = map_get(&w->backward, b);
    if (to != MAP_NONE || from != MAP_NONE) return to == b && from == a;
    assert(w->forward.size == w->backward.size); /* one to one */
    map_put(&w->forward, a, b);
    map_put(&w->backward, b, a);
    if (alive_a) vec_push(&w->open, ((object_pair){a, b}));
    return match_positions(w, a, b); /* where it was, if it is gone */
}

static bool match_values(walk *w, value a, value b) {
    if (!a.bits || !b.bits) return value_equal(a, b);
    uint32_t to_a = value_object(a), to_b = value_object(b);
    bool both_dynamic =
        to_a != NO_INDEX && to_a >= w->a->static_count && to_b != NO_INDEX && to_b >= w->b->static_count;
    if (both_dynamic) {
        bool same_part = a.base - to_a == b.base - to_b;
        if (!same_part || !match_objects(w, to_a, to_b)) return false;
    } else if (a.base != b.base) {
        return false;
    }
    return add_pair(w, a.bits, b.bits);
}

/* Cells that hold the very same constants are skipped fast; symbolic ones always count, because a renaming
 * must respect them. */
static bool match_cells(walk *w, const value *a, const value *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (a[i].bits == b[i].bits && a[i].base == b[i].base && a[i].base <= w->a->static_count &&
            (!a[i].bits || term_is_const(a[i].bits)))
            continue;
        if (!match_values(w, a[i], b[i])) return false;
    }
    return true;
}

static bool match_contents(walk *w, memory_object *a, memory_object *b) {
    quick_answer answer = objects_compare(a, b, w->a->static_count);
    if (answer != QUICK_OPEN) return answer == QUICK_EQUAL;
    return objects_agree(a, b, RELATION_MATCHED) && match_cells(w, a->cell, b->cell, a->cells);
}

static bool match_values_of_threads(walk *w, const thread_part *a, const thread_part *b) {
    thread_data x = thread_values(a), y = thread_values(b);
    for (uint32_t k = 0; k < THREAD_SPANS; k++)
        if (!match_cells(w, x.span[k].v, y.span[k].v, x.span[k].count)) return false;
    return true;
}

/* Of what is pending: relative to now, and both are there or neither. */
static bool match_due(walk *w, time_span a, const term *now_a, time_span b, const term *now_b) {
    for (uint32_t i = 0; i < a.count; i++) {
        const term *x = *time_at(a, i), *y = *time_at(b, i);
        if (x && !add_pair(w, term_sub(w->terms, x, now_a), term_sub(w->terms, y, now_b))) return false;
    }
    return true;
}

static bool match_time(walk *w, const term *a, const term *b) {
    if (!a || !b) return a == b;
    return add_pair(w, a, b);
}

static bool match_schedulers(walk *w, const scheduler_part *a, const scheduler_part *b) {
    if (!schedulers_agree(a, b, RELATION_MATCHED)) return false;
    scheduler_times x = times_of(a), y = times_of(b);
    for (uint32_t k = 0; k < DUE_TIMES; k++)
        if (!match_due(w, x.due[k], a->time, y.due[k], b->time)) return false;
    for (uint32_t k = 0; k < OWN_TIMES && !w->out->ignore_time; k++)
        if (!match_time(w, *time_at(x.own[k], 0), *time_at(y.own[k], 0))) return false;
    return true;
}

/* Most pairs differ in some constant: worth looking for before anything is compared in full. */
static bool differ_at_once(const state *a, const state *b) {
    for (uint32_t i = 0; i < a->static_count; i++)
        if (a->objects[i] != b->objects[i] &&
            objects_compare(a->objects[i], b->objects[i], a->static_count) == QUICK_DIFFERENT)
            return true;
    for (uint32_t t = 0; t < a->thread_count; t++) {
        if (a->threads[t] == b->threads[t]) continue;
        thread_data x = thread_values(a->threads[t]), y = thread_values(b->threads[t]);
        for (uint32_t k = 0; k < THREAD_SPANS; k++)
            for (uint32_t i = 0; i < x.span[k].count; i++) {
                const term *p = x.span[k].v[i].bits, *q = y.span[k].v[i].bits;
                if (p != q && p && q && term_is_const(p) && term_is_const(q)) return true;
            }
    }
    return false;
}

static bool match_everything(walk *w) {
    ALL_PARTS_OF_STATES
    const state *a = w->a, *b = w->b;
    if (!match_schedulers(w, a->scheduler, b->scheduler)) return false;
    if (a->thread_count != b->thread_count) return false;
    for (uint32_t t = 0; t < a->thread_count; t++)
        if (!threads_agree(a->threads[t], b->threads[t], RELATION_MATCHED)) return false;
    if (differ_at_once(a, b) || !match_threads_positions(w)) return false;
    for (uint32_t i = 0; i < a->static_count; i++)
        if (!match_contents(w, a->objects[i], b->objects[i]) || !match_positions(w, i, i)) return false;
    for (uint32_t t = 0; t < a->thread_count; t++)
        if (!match_values_of_threads(w, a->threads[t], b->threads[t])) return false;
    for (size_t i = 0; i < w->open.size; i++) {
        assert(state_object(a, w->open.data[i].a) && state_object(b, w->open.data[i].b));
        const memory_object *x = state_object(a, w->open.data[i].a),
                            *y = state_object(b, w->open.data[i].b); /* only their caches change */
        if (!match_contents(w, (memory_object *)x, (memory_object *)y)) return false;
    }
    return true;
}

bool pairs_collect(terms *c, const state *a, const state *b, value_pairs *out) {
    assert(a->static_count == b->static_count);
    vec_clear(&out->list);
    walk w = {.terms = c, .a = a, .b = b, .out = out};
    if (out->positions) {
        find_positions(a, &w.placed_a);
        find_positions(b, &w.placed_b);
    }
    bool equal = match_everything(&w);
    map_free(&w.placed_a);
    map_free(&w.placed_b);
    map_free(&w.forward);
    map_free(&w.backward);
    vec_free(&w.open);
    return equal;
}

void pairs_free(value_pairs *p) {
    vec_free(&p->list);
}
