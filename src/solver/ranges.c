#include "solver/ranges.h"

/* --- sets of numbers as sorted, disjoint, non-adjacent intervals -------------------------------------- */

enum { INTERVALS = 24, NESTING = 6 };

typedef struct interval {
    uint64_t low, high; /* both included */
} interval;

typedef struct number_set {
    interval part[INTERVALS];
    unsigned count;
    bool too_many;
} number_set;

static void append(number_set *set, uint64_t low, uint64_t high) {
    interval *last = set->count ? &set->part[set->count - 1] : NULL;
    if (last && last->high + 1 >= low) {
        if (high > last->high) last->high = high;
    } else if (set->count == INTERVALS) {
        set->too_many = true;
    } else {
        set->part[set->count++] = (interval){low, high};
    }
}

static number_set complement_of(const number_set *a, uint64_t mask) {
    number_set out = {.too_many = a->too_many};
    uint64_t next = 0;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->part[i].low > next) append(&out, next, a->part[i].low - 1);
        if (a->part[i].high == mask) return out;
        next = a->part[i].high + 1;
    }
    append(&out, next, mask);
    return out;
}

static number_set intersection_of(const number_set *a, const number_set *b) {
    number_set out = {.too_many = a->too_many || b->too_many};
    for (unsigned i = 0, k = 0; i < a->count && k < b->count;) {
        interval x = a->part[i], y = b->part[k];
        uint64_t low = x.low > y.low ? x.low : y.low, high = x.high < y.high ? x.high : y.high;
        if (low <= high) append(&out, low, high);
        if (x.high < y.high)
            i++;
        else
            k++;
    }
    return out;
}

/* From `first`, `length` numbers upwards, going on at 0 after the greatest. 0 < length <= mask. */
static number_set circular_interval(uint64_t first, uint64_t length, uint64_t mask) {
    number_set out = {0};
    uint64_t last = (first + length - 1) & mask;
    if (first <= last) {
        append(&out, first, last);
    } else {
        append(&out, 0, last);
        append(&out, first, mask);
    }
    return out;
}

/* --- conditions to sets ------------------------------------------------------------------------------- */

/* The numbers n of `set` as n + distance. */
static number_set moved(const number_set *set, uint64_t distance, uint64_t mask) {
    number_set low = {0}, all = {.too_many = set->too_many};
    for (unsigned i = 0; i < set->count;
         i++) { /* those that pass the greatest number come first afterwards */
        interval part = set->part[i];
        uint64_t room = mask - distance; /* the greatest number that does not pass */
        if (part.low > room)
            append(&all, (part.low + distance) & mask, (part.high + distance) & mask);
        else if (part.high > room)
            append(&all, 0, (part.high + distance) & mask);
        if (part.low <= room)
            append(&low, part.low + distance, (part.high < room ? part.high : room) + distance);
    }
    for (unsigned i = 0; i < low.count; i++) append(&all, low.part[i].low, low.part[i].high);
    return all;
}

static number_set negated(const number_set *set, uint64_t mask) {
    number_set out = {.too_many = set->too_many};
    bool has_zero = set->count && !set->part[0].low;
    if (has_zero) append(&out, 0, 0);
    for (unsigned i = set->count; i-- > 0;) {
        uint64_t low = set->part[i].low ? set->part[i].low : 1;
        if (low <= set->part[i].high) append(&out, -set->part[i].high & mask, -low & mask);
    }
    return out;
}

/* The numbers of the narrower width whose extension is in the set. */
static number_set truncated(const number_set *set, const term *extension) {
    uint64_t mask = term_mask(extension->width), narrow = term_mask(extension->arg[0]->width),
             top = narrow >> 1;
    number_set low = {.part = {{0, extension->op == TERM_ZEXT ? narrow : top}}, .count = 1};
    number_set out = intersection_of(set, &low);
    if (extension->op == TERM_ZEXT) return out;
    number_set high = {.part = {{mask ^ top, mask}}, .count = 1}, negative = intersection_of(set, &high);
    for (unsigned i = 0; i < negative.count; i++)
        append(&out, negative.part[i].low & narrow, negative.part[i].high & narrow);
    out.too_many |= negative.too_many;
    return out;
}

static bool is_negation(const term *t) {
    return t->op == TERM_MUL && term_is_const(t->arg[1]) && t->arg[1]->value == term_mask(t->width);
}

/* Goes from a term with its allowed values down to what it is made of. */
static const term *base_of(const term *t, number_set *set) {
    for (;; t = t->arg[0]) {
        uint64_t mask = term_mask(t->width);
        if (t->op == TERM_ADD && term_is_const(t->arg[1]))
            *set = moved(set, -t->arg[1]->value & mask, mask);
        else if (is_negation(t))
            *set = negated(set, mask);
        else if (t->op == TERM_ZEXT || t->op == TERM_SEXT)
            *set = truncated(set, t);
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
    if (length) *out = circular_interval(first, length, mask);
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
    if (t->op == TERM_AND) {
        *out = intersection_of(&a, &b);
    } else {
        uint64_t mask = term_mask((*base)->width);
        a = complement_of(&a, mask);
        b = complement_of(&b, mask);
        a = intersection_of(&a, &b);
        *out = complement_of(&a, mask);
    }
    return !out->too_many && !a.too_many && !b.too_many;
}

static bool condition_to_set(const term *t, const term **base, number_set *out, int nesting) {
    switch (t->op) {
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT: return comparison_to_set(t, base, out);
    case TERM_NOT: {
        number_set inner;
        if (!nesting || !condition_to_set(t->arg[0], base, &inner, nesting - 1)) return false;
        *out = complement_of(&inner, term_mask((*base)->width));
        return !out->too_many;
    }
    case TERM_AND:
    case TERM_OR: return nesting && junction_to_set(t, base, out, nesting - 1);
    default: return false;
    }
}

/* --- conjunctions ------------------------------------------------------------------------------------- */

bool ranges_is_about(const term *condition, const term *about) {
    const term *base;
    number_set set;
    return condition_to_set(condition, &base, &set, NESTING) && base == about;
}

enum { TERMS_WATCHED = 8 };

typedef struct watched_term {
    const term *base;
    number_set values;
} watched_term;

static watched_term *watch(watched_term *list, unsigned *count, const term *base) {
    for (unsigned i = 0; i < *count; i++)
        if (list[i].base == base) return &list[i];
    if (*count == TERMS_WATCHED) return NULL;
    watched_term *fresh = &list[(*count)++];
    fresh->base = base;
    fresh->values = (number_set){.part = {{0, term_mask(base->width)}}, .count = 1};
    return fresh;
}

ranges_verdict ranges_check(const term *const *conditions, size_t count, ranges_result *result) {
    watched_term list[TERMS_WATCHED];
    unsigned watched = 0;
    bool complete = true;
    for (size_t i = 0; i < count; i++) {
        const term *base;
        number_set set;
        if (!condition_to_set(conditions[i], &base, &set, NESTING)) {
            complete = false;
            continue;
        }
        watched_term *w = watch(list, &watched, base);
        number_set both = w ? intersection_of(&w->values, &set) : set;
        if (!w || both.too_many) {
            complete = false; /* leaving a condition out only makes the set larger */
            continue;
        }
        w->values = both;
        result->about = base;
        if (!both.count) return RANGES_EMPTY;
    }
    if (!complete || watched != 1 || !term_is_symbol(list[0].base)) return RANGES_UNDECIDED;
    result->about = list[0].base;
    result->value = list[0].values.part[0].low;
    return RANGES_POINT;
}
