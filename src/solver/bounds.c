#include "solver/bounds.h"

typedef __int128 wide;

void bounds_free(bounds_table *b) {
    marks_free(&b->known);
    vec_free(&b->values);
    vec_free(&b->open);
}

/* --- making bounds -------------------------------------------------------------------------------------- */

static int64_t least_of(unsigned width) {
    return term_signed(width, UINT64_C(1) << (width - 1));
}
static int64_t greatest_of(unsigned width) {
    return (int64_t)(term_mask(width) >> 1);
}

static bounds anything(unsigned width) {
    return (bounds){0, term_mask(width), least_of(width), greatest_of(width)};
}

static bounds exactly(unsigned width, uint64_t value) {
    return (bounds){value, value, term_signed(width, value), term_signed(width, value)};
}

static bool is_exact(const bounds *a) {
    return a->low == a->high;
}

/* Bounds as unsigned numbers, or anything if they do not fit the width. */
static bounds from_unsigned(unsigned width, wide low, wide high) {
    bounds out = anything(width);
    if (low < 0 || high > (wide)term_mask(width)) return out;
    out.low = (uint64_t)low;
    out.high = (uint64_t)high;
    return out;
}

static bounds from_signed(unsigned width, wide least, wide greatest) {
    bounds out = anything(width);
    if (least < least_of(width) || greatest > greatest_of(width)) return out;
    out.least = (int64_t)least;
    out.greatest = (int64_t)greatest;
    return out;
}

static void meet(bounds *a, const bounds *b) {
    if (b->low > a->low) a->low = b->low;
    if (b->high < a->high) a->high = b->high;
    if (b->least > a->least) a->least = b->least;
    if (b->greatest < a->greatest) a->greatest = b->greatest;
}

static void join(bounds *a, const bounds *b) {
    if (b->low < a->low) a->low = b->low;
    if (b->high > a->high) a->high = b->high;
    if (b->least < a->least) a->least = b->least;
    if (b->greatest > a->greatest) a->greatest = b->greatest;
}

static bool is_empty(const bounds *a) {
    return a->low > a->high || a->least > a->greatest;
}

/* Numbers that are all below or all above the sign boundary have the same order both ways. */
static void reconcile(bounds *a, unsigned width) {
    uint64_t mask = term_mask(width), top = mask >> 1;
    if (is_empty(a)) return;
    if (a->high <= top || a->low > top) {
        bounds same = {a->low, a->high, term_signed(width, a->low), term_signed(width, a->high)};
        meet(a, &same);
    }
    if (!is_empty(a) && (a->least >= 0 || a->greatest < 0)) {
        bounds same = {(uint64_t)a->least & mask, (uint64_t)a->greatest & mask, a->least, a->greatest};
        meet(a, &same);
    }
}

static bounds from_set(const number_set *set, unsigned width) {
    uint64_t top = term_mask(width) >> 1;
    bounds out = {set->part[0].low, set->part[set->count - 1].high, greatest_of(width), least_of(width)};
    for (unsigned i = 0; i < set->count; i++) {
        interval part = set->part[i];
        if (part.low <= top) {
            bounds low = {0, 0, (int64_t)part.low, (int64_t)(part.high < top ? part.high : top)};
            if (low.least < out.least) out.least = low.least;
            if (low.greatest > out.greatest) out.greatest = low.greatest;
        }
        if (part.high > top) {
            int64_t least = term_signed(width, part.low > top ? part.low : top + 1);
            int64_t greatest = term_signed(width, part.high);
            if (least < out.least) out.least = least;
            if (greatest > out.greatest) out.greatest = greatest;
        }
    }
    return out;
}

/* --- operators ------------------------------------------------------------------------------------------ */

static bounds truth(bool can_be_false, bool can_be_true) {
    bounds yes = exactly(1, 1), out = can_be_false ? exactly(1, 0) : yes;
    if (can_be_true) join(&out, &yes);
    return out;
}

static uint64_t ones_up_to(uint64_t n) {
    return n ? UINT64_MAX >> __builtin_clzll(n) : 0;
}

static bounds of_sum(unsigned width, const bounds *a, const bounds *b) {
    bounds out = from_unsigned(width, (wide)a->low + b->low, (wide)a->high + b->high);
    bounds signed_out = from_signed(width, (wide)a->least + b->least, (wide)a->greatest + b->greatest);
    meet(&out, &signed_out);
    return out;
}

static bounds of_product(unsigned width, const bounds *a, const bounds *b) {
    bounds out = anything(width);
    unsigned __int128 high = (unsigned __int128)a->high * b->high;
    if (high <= term_mask(width)) out = from_unsigned(width, (wide)a->low * b->low, (wide)high);
    wide corner[4] = {(wide)a->least * b->least, (wide)a->least * b->greatest, (wide)a->greatest * b->least,
                      (wide)a->greatest * b->greatest};
    wide least = corner[0], greatest = corner[0];
    for (int i = 1; i < 4; i++) {
        if (corner[i] < least) least = corner[i];
        if (corner[i] > greatest) greatest = corner[i];
    }
    bounds signed_out = from_signed(width, least, greatest);
    meet(&out, &signed_out);
    return out;
}

static bounds of_quotient(unsigned width, const bounds *a, const bounds *b) {
    return b->low ? from_unsigned(width, a->low / b->high, a->high / b->low) : anything(width);
}

static bounds of_rest(unsigned width, const bounds *a, const bounds *b) {
    if (a->high < b->low) return *a;
    uint64_t high = b->low && b->high - 1 < a->high ? b->high - 1 : a->high;
    return from_unsigned(width, 0, high);
}

/* Only for positive divisors; others are rare. */
static bounds of_signed_quotient(unsigned width, const bounds *a, const bounds *b) {
    if (b->least <= 0) return anything(width);
    int64_t least = a->least / (a->least < 0 ? b->least : b->greatest);
    int64_t greatest = a->greatest / (a->greatest < 0 ? b->greatest : b->least);
    return from_signed(width, least, greatest);
}

static bounds of_signed_rest(unsigned width, const bounds *a, const bounds *b) {
    if (b->least <= 0) return anything(width);
    int64_t limit = b->greatest - 1, least = 0, greatest = 0;
    if (a->least < 0) least = a->least > -limit ? a->least : -limit;
    if (a->greatest > 0) greatest = a->greatest < limit ? a->greatest : limit;
    return from_signed(width, least, greatest);
}

static bounds of_and(unsigned width, const bounds *a, const bounds *b) {
    return from_unsigned(width, 0, a->high < b->high ? a->high : b->high);
}

static bounds of_or(unsigned width, const bounds *a, const bounds *b) {
    return from_unsigned(width, a->low > b->low ? a->low : b->low, ones_up_to(a->high | b->high));
}

static bounds of_complement(unsigned width, const bounds *a) {
    uint64_t mask = term_mask(width);
    return (bounds){mask - a->high, mask - a->low, -1 - a->greatest, -1 - a->least};
}

static bounds of_extract(const term *t, const bounds *a) {
    return from_unsigned(t->width, a->low >> t->value, a->high >> t->value);
}

static bounds of_equality(const bounds *a, const bounds *b) {
    bool disjoint = a->high < b->low || b->high < a->low || a->greatest < b->least || b->greatest < a->least;
    return truth(!(is_exact(a) && is_exact(b) && a->low == b->low), !disjoint);
}

static bounds of_choice(const bounds *condition, const bounds *a, const bounds *b) {
    if (is_exact(condition)) return condition->low ? *a : *b;
    bounds out = *a;
    join(&out, b);
    return out;
}

static bounds of_operator(const term *t, const bounds *const *arg) {
    unsigned width = t->width;
    const bounds *a = arg[0], *b = arg[1];
    switch ((term_op)t->op) {
    case TERM_CONST: return exactly(width, t->value);
    case TERM_NOT: return of_complement(width, a);
    case TERM_AND: return of_and(width, a, b);
    case TERM_OR: return of_or(width, a, b);
    case TERM_XOR: return from_unsigned(width, 0, ones_up_to(a->high | b->high));
    case TERM_ADD: return of_sum(width, a, b);
    case TERM_MUL: return of_product(width, a, b);
    case TERM_UDIV: return of_quotient(width, a, b);
    case TERM_UREM: return of_rest(width, a, b);
    case TERM_SDIV: return of_signed_quotient(width, a, b);
    case TERM_SREM: return of_signed_rest(width, a, b);
    case TERM_LSHR: return from_unsigned(width, 0, a->high);
    case TERM_EQ: return of_equality(a, b);
    case TERM_ULT: return truth(a->high >= b->low, a->low < b->high);
    case TERM_SLT: return truth(a->greatest >= b->least, a->least < b->greatest);
    case TERM_ITE: return of_choice(a, b, arg[2]);
    case TERM_CONCAT: {
        unsigned low = t->arg[1]->width;
        return from_unsigned(width, ((wide)a->low << low) + b->low, ((wide)a->high << low) + b->high);
    }
    case TERM_EXTRACT: return of_extract(t, a);
    case TERM_ZEXT: return from_unsigned(width, a->low, a->high);
    case TERM_SEXT: return from_signed(width, a->least, a->greatest);
    case TERM_SYMBOL:
    case TERM_SHL:
    case TERM_ASHR:
    case TERM_OPS: break;
    }
    return anything(width);
}

/* --- walking -------------------------------------------------------------------------------------------- */

static const bounds *known_bounds(const bounds_table *b, const term *t) {
    uint32_t place;
    return marks_get(&b->known, t, &place) ? &b->values.data[place] : NULL;
}

static void compute(bounds_table *b, const ranges *r, const term *t) {
    const bounds *arg[3] = {NULL};
    for (unsigned i = 0; i < t->arity; i++) arg[i] = known_bounds(b, t->arg[i]);
    bounds out = of_operator(t, arg);
    const watched_term *range = ranges_of(r, t);
    if (range) {
        bounds given = from_set(&range->values, t->width);
        meet(&out, &given);
    }
    reconcile(&out, t->width);
    marks_put(&b->known, t, (uint32_t)b->values.size);
    vec_push(&b->values, out);
}

/* Returns a term without values below t, if there is one. */
static const term *compute_all_below(bounds_table *b, const ranges *r, const term *t) {
    vec_clear(&b->open);
    vec_push(&b->open, t);
    while (b->open.size) {
        const term *top = vec_last(&b->open);
        if (!known_bounds(b, top)) {
            size_t before = b->open.size;
            for (unsigned i = 0; i < top->arity; i++)
                if (!known_bounds(b, top->arg[i])) vec_push(&b->open, top->arg[i]);
            if (b->open.size > before) continue;
            compute(b, r, top);
            if (is_empty(known_bounds(b, top))) return top;
        }
        b->open.size--;
    }
    return NULL;
}

const term *bounds_refute(bounds_table *b, const ranges *r, const term *const *conditions, size_t count) {
    marks_forget(&b->known);
    vec_clear(&b->values);
    while (count) { /* the newest condition is the most likely one to be refuted */
        const term *condition = conditions[--count], *empty = compute_all_below(b, r, condition);
        if (empty) return empty;
        if (!known_bounds(b, condition)->high) return condition;
    }
    return NULL;
}
