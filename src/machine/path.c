/* Path conditions: a set of conjuncts, kept small. */
#include "machine/internal.h"

static bool path_has(const state *s, const term *conjunct) {
    for (uint32_t i = s->path_count; i-- > 0;)
        if (s->path->conjunct[i] == conjunct) return true;
    return false;
}

/* Conjunctions are taken apart, so that slicing and collection see the pieces. */
void path_assume(machine *m, state *s, const term *condition) {
    (void)m;
    VEC(const term *) open = {0};
    vec_push(&open, condition);
    while (open.size) {
        const term *t = vec_pop(&open);
        if (t->op == TERM_AND && t->width == 1) {
            vec_push(&open, t->arg[1]);
            vec_push(&open, t->arg[0]);
        } else if (!term_is_true(t) && !path_has(s, t)) {
            state_add_path(s, t);
        }
    }
    vec_free(&open);
}

static void mark_symbols(machine *m, const term_support *symbols) {
    for (uint32_t i = 0; symbols && i < symbols->size; i++) m->marks.data[symbols->symbol[i]->id] = m->stamp;
}

static bool some_symbol_marked(const machine *m, const term_support *symbols) {
    for (uint32_t i = 0; symbols && i < symbols->size; i++)
        if (m->marks.data[symbols->symbol[i]->id] == m->stamp) return true;
    return false;
}

static void mark_value(void *data, value v) {
    machine *m = data;
    if (v.bits && !term_is_const(v.bits)) mark_symbols(m, v.bits->support);
}

/* Drops the conjuncts that no value of the state depends on, not even through other conjuncts. They are jointly satisfiable (the
 * path is feasible) and share no symbol with the rest, so the rest has the same solutions for every live symbol. */
void path_collect(machine *m, state *s) {
    if (!s->path_count || s->uncertain) return;
    size_t known = m->marks.size, count = terms_count(m->terms);
    if (known < count) {
        vec_reserve(&m->marks, count);
        memset(m->marks.data + known, 0, (count - known) * sizeof *m->marks.data);
        m->marks.size = count;
    }
    m->stamp++;
    object_names reachable = {0};
    state_reachable_objects(s, &reachable);
    state_each_value(s, &reachable, mark_value, m);
    vec_free(&reachable);

    VEC(const term *) kept = {0}, doubtful = {0};
    for (uint32_t i = 0; i < s->path_count; i++) vec_push(&doubtful, s->path->conjunct[i]);
    for (bool grown = true; grown && doubtful.size;) {
        grown = false;
        for (size_t i = 0; i < doubtful.size;) {
            if (some_symbol_marked(m, doubtful.data[i]->support)) {
                mark_symbols(m, doubtful.data[i]->support);
                vec_push(&kept, doubtful.data[i]);
                vec_remove(&doubtful, i);
                grown = true;
            } else {
                i++;
            }
        }
    }
    if (doubtful.size) state_set_path(s, kept.data, (uint32_t)kept.size);
    vec_free(&kept);
    vec_free(&doubtful);
}
