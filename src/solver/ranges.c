#include "solver/ranges.h"

enum { NESTING = 6 };

/* --- conditions to sets --------------------------------------------------------------------------------- */

static bool is_negation(const term *t) {
    return t->op == TERM_MUL && term_is_const(t->arg[1]) && t->arg[1]->value == term_mask(t->width);
}

/* Goes from a term with its allowed values down to what it is made of. */
static const term *base_of(const term *t, number_set *set) {
    for (;; t = t->arg[0]) {
        uint64_t mask = term_mask(t->width);
        if (t->op == TERM_ADD && term_is_const(t->arg[1]))
            *set = numbers_moved(set, -t->arg[1]->value & mask, mask);
        else if (is_negation(t))
            *set = numbers_negated(set, mask);
        else if (t->op == TERM_ZEXT || t->op == TERM_SEXT)
            *set = numbers_before_extension(set, t->width, t->arg[0]->width, t->op == TERM_SEXT);
        else
            return t;
    }
}

/* The values of the base for which the comparison with a number holds. */
static bool comparison_to_set(const term *t, const term **base, number_set *out) {
    if (!term_is_const(t->arg[1])) return false;
    uint64_t mask = term_mask(t->arg[0]->width), number = t->arg[1]->value, sign = mask ^ mask >> 1;
    uint64_t first = t->op == TERM_EQ ? number : t->op == TERM_ULT ? 0 : sign;
    uint64_t length = t->op == TERM_EQ ? 1 : (number - first) & mask;
    *out = (number_set){0};
    if (length) *out = numbers_circular(first, length, mask);
    *base = base_of(t->arg[0], out);
    return !out->too_many;
}

static bool condition_to_set(const term *t, const term **base, number_set *out, int nesting);

/* a || b and a && b over the same base. */
static bool junction_to_set(const term *t, const term **base, number_set *out, int nesting) {
    const term *other;
    number_set a, b;
    if (!condition_to_set(t->arg[0], base, &a, nesting) || !condition_to_set(t->arg[1], &other, &b, nesting))
        return false;
    if (*base != other) return false;
    *out =
        t->op == TERM_AND ? numbers_intersection(&a, &b) : numbers_union(&a, &b, term_mask((*base)->width));
    return !out->too_many;
}

static bool condition_to_set(const term *t, const term **base, number_set *out, int nesting) {
    switch (t->op) {
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT: return comparison_to_set(t, base, out);
    case TERM_NOT: {
        number_set inner;
        if (!nesting || !condition_to_set(t->arg[0], base, &inner, nesting - 1)) return false;
        *out = numbers_complement(&inner, term_mask((*base)->width));
        return !out->too_many;
    }
    case TERM_AND:
    case TERM_OR: return nesting && junction_to_set(t, base, out, nesting - 1);
    default: return false;
    }
}

/* --- conjunctions --------------------------------------------------------------------------------------- */

void ranges_free(ranges *r) {
    vec_free(&r->watched);
    map_free(&r->index);
}

static watched_term *watch(ranges *r, const term *base) {
    uint64_t known = map_get(&r->index, base->id);
    if (known != MAP_NONE) return &r->watched.data[known];
    map_put(&r->index, base->id, r->watched.size);
    vec_reserve(&r->watched, r->watched.size + 1);
    watched_term *fresh = &r->watched.data[r->watched.size++];
    fresh->base = base;
    fresh->values = numbers_all(term_mask(base->width));
    return fresh;
}

const watched_term *ranges_of(const ranges *r, const term *t) {
    uint64_t known = map_get(&r->index, t->id);
    return known == MAP_NONE ? NULL : &r->watched.data[known];
}

static bool are_all_symbols(const ranges *r) {
    for (size_t i = 0; i < r->watched.size; i++)
        if (!term_is_symbol(r->watched.data[i].base)) return false;
    return true;
}

ranges_verdict ranges_collect(ranges *r, const term *const *conditions, size_t count) {
    bool complete = true;
    vec_clear(&r->watched);
    map_clear(&r->index);
    for (size_t i = 0; i < count; i++) {
        const term *base;
        number_set set;
        if (!condition_to_set(conditions[i], &base, &set, NESTING)) {
            complete = false;
            continue;
        }
        watched_term *w = watch(r, base);
        set = numbers_intersection(&w->values, &set);
        if (set.too_many) {
            complete = false; /* leaving a condition out only makes the set larger */
            continue;
        }
        w->values = set;
        r->emptied = base;
        if (!set.count) return RANGES_EMPTY;
    }
    return complete && are_all_symbols(r) ? RANGES_POINTS : RANGES_UNDECIDED;
}

const term *ranges_base(const term *condition) {
    const term *base;
    number_set set;
    return condition_to_set(condition, &base, &set, NESTING) ? base : NULL;
}
