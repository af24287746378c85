/* Path conditions: a set of conjuncts, kept small. */
#include "machine/internal.h"
#include "machine/positions.h"

static bool path_has(const state *s, const term *conjunct) {
    for (uint32_t i = s->path_count; i-- > 0;)
        if (s->path->conjunct[i] == conjunct) return true;
    return false;
}

/* --- bounds: a conjunct that compares a term with a constant -------------------------------------------- */

typedef struct bound {
    const term *of; /* NULL: the conjunct is no bound */
    bool is_signed;
    uint64_t low,
        high; /* inclusive, in an order where unsigned comparison of the (biased) numbers is right */
} bound;

static uint64_t biased(const term *number, bool is_signed) {
    assert(term_is_const(number));
    return is_signed ? number->value ^ (UINT64_C(1) << (number->width - 1)) : number->value;
}

static bound bound_of(const term *t) {
    bool negated = t->op == TERM_NOT;
    if (negated) t = t->arg[0];
    if (t->op != TERM_ULT && t->op != TERM_SLT) return (bound){0};
    bool is_signed = t->op == TERM_SLT, upper = term_is_const(t->arg[1]); /* x < k, else k < x */
    if (!upper && !term_is_const(t->arg[0])) return (bound){0};
    const term *of = t->arg[upper ? 0 : 1], *number = t->arg[upper ? 1 : 0];
    uint64_t k = biased(number, is_signed), most = term_mask(of->width);
    bool below = upper != negated; /* the numbers on the low side of k */
    if (upper ? k == 0 : k == most) return (bound){0};
    if (below) return (bound){of, is_signed, 0, upper ? k - 1 : k};
    return (bound){of, is_signed, upper ? k : k + 1, most};
}

static bool implies_bound(const bound *a, const bound *b) {
    return a->of == b->of && a->is_signed == b->is_signed && b->low <= a->low && a->high <= b->high;
}

/* Drops the bounds that a new one makes superfluous: a loop that counts under a symbolic limit would collect
 * one conjunct per turn. */
static void drop_weaker_bounds(state *s, const term *conjunct) {
    bound fresh = bound_of(conjunct);
    if (!fresh.of) return;
    uint32_t kept = 0;
    const term **rest = NULL;
    for (uint32_t i = 0; i < s->path_count; i++) {
        bound old = bound_of(s->path->conjunct[i]);
        bool weaker = old.of && implies_bound(&fresh, &old);
        if (weaker && !rest) {
            rest = mem_duplicate(s->path->conjunct, s->path_count * sizeof *rest);
            kept = i;
        } else if (rest && !weaker) {
            rest[kept++] = s->path->conjunct[i];
        }
    }
    assert(kept <= s->path_count);
    if (rest) state_set_path(s, rest, kept);
    mem_free(rest);
}

/* Conjunctions are taken apart, so that slicing and collection see the pieces. */
void path_assume(state *s, const term *condition) {
    assert(condition->width == 1);
    VEC(const term *) open = {0};
    vec_push(&open, condition);
    while (open.size) {
        const term *t = vec_pop(&open);
        if (t->op == TERM_AND && t->width == 1) {
            vec_push(&open, t->arg[1]);
            vec_push(&open, t->arg[0]);
        } else if (!term_is_true(t) && !path_has(s, t)) {
            drop_weaker_bounds(s, t);
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

static bool is_among(const object_names *names, uint32_t name) {
    for (size_t i = 0; i < names->size; i++)
        if (names->data[i] == name) return true;
    return false;
}

static bool is_gone(const state *s, uint32_t object) {
    return object >= s->static_count && !state_object(s, object);
}

typedef struct question {
    uint32_t object;
    bool found;
} question;

static void look_for_object(void *data, value v) {
    question *q = data;
    q->found |= value_object(v) == q->object;
}

static bool can_be_asked(const state *s, const object_names *reachable, uint32_t object) {
    question q = {object, false};
    state_each_value(s, reachable, look_for_object, &q);
    return q.found;
}

/* Only about where objects lie, one of which is gone without a trace: no pointer to it is left. */
static bool is_about_nobody(const machine *m, const state *s, const object_names *reachable, const term *t) {
    bool nobody = false;
    for (uint32_t k = 0; k < t->support->size; k++) {
        uint32_t object = object_of_position(t->support->symbol[k]);
        if (object == NO_INDEX || m->marks.data[t->support->symbol[k]->id] == m->stamp) return false;
        nobody |= is_gone(s, object) && !can_be_asked(s, reachable, object);
    }
    return nobody;
}

/* Drops such conjuncts. That some object lay elsewhere says nothing about others; that one lies where it was
 * says where others do not lie, which is lost: more is followed then. */
static void forget_places(machine *m, state *s, const object_names *reachable) {
    if (!m->compares_positions) return;
    VEC(const term *) kept = {0};
    for (uint32_t i = 0; i < s->path_count; i++) {
        const term *t = s->path->conjunct[i];
        if (!t->support || !is_about_nobody(m, s, reachable, t)) vec_push(&kept, t);
    }
    if (kept.size < s->path_count) state_set_path(s, kept.data, (uint32_t)kept.size);
    vec_free(&kept);
}

/* Where an object lies is part of it as long as somebody can ask. */
static void mark_positions(machine *m, const state *s, const object_names *reachable) {
    for (uint32_t i = 0; m->compares_positions && i < s->path_count; i++) {
        const term_support *symbols = s->path->conjunct[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            uint32_t name = object_of_position(symbols->symbol[k]);
            bool of_object =
                name != NO_INDEX && (name < s->static_count || is_among(reachable, name) || is_gone(s, name));
            if (of_object || thread_of_rank(symbols->symbol[k]) != NO_INDEX)
                m->marks.data[symbols->symbol[k]->id] = m->stamp;
        }
    }
}

/* Drops the conjuncts that no value of the state depends on, not even through other conjuncts. They are
 * jointly satisfiable (the path is feasible) and share no symbol with the rest, so the rest has the same
 * solutions for every live symbol. */
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
    state_each_symbolic_value(s, &reachable, mark_value, m);
    forget_places(m, s, &reachable);
    mark_positions(m, s, &reachable);
    vec_free(&reachable);

    VEC(const term *) kept = {0}, doubtful = {0};
    for (uint32_t i = 0; i < s->path_count; i++) vec_push(&doubtful, s->path->conjunct[i]);
    for (bool grown = true; grown && doubtful.size;) {
        grown = false;
        size_t left = 0;
        for (size_t i = 0; i < doubtful.size; i++) {
            const term *t = doubtful.data[i];
            if (some_symbol_marked(m, t->support)) {
                mark_symbols(m, t->support);
                vec_push(&kept, t);
                grown = true;
            } else {
                doubtful.data[left++] = t;
            }
        }
        doubtful.size = left;
    }
    if (doubtful.size) state_set_path(s, kept.data, (uint32_t)kept.size);
    vec_free(&kept);
    vec_free(&doubtful);
}
