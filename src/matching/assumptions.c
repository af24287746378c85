#include "matching/assumptions.h"

typedef VEC(const term *) symbol_set;

typedef struct constraint {
    symbol_set a, b;
} constraint;

struct assumptions {
    const terms *terms;
    bool by_origin;
    acceptance accept;
    VEC(constraint) list; /* pairwise disjoint, also when swapped */
    /* Enumeration: for every constraint, for every element of its smaller side, the index chosen on
     * the larger side. */
    VEC(size_t) choice;
    bool running;
};

/* --- small sets: a handful of symbols each -------------------------------------------------------------- */

static bool set_has(const symbol_set *s, const term *x) {
    for (size_t i = 0; i < s->size; i++)
        if (s->data[i] == x) return true;
    return false;
}

static void set_add(symbol_set *s, const term *x) {
    if (!set_has(s, x)) vec_push(s, x);
}

/* The elements of `of` that are (or are not) in `in`. */
static symbol_set set_filter(const symbol_set *of, const symbol_set *in, bool wanted) {
    symbol_set out = {0};
    for (size_t i = 0; i < of->size; i++)
        if (set_has(in, of->data[i]) == wanted) vec_push(&out, of->data[i]);
    return out;
}

static void constraint_free(constraint *c) {
    vec_free(&c->a);
    vec_free(&c->b);
}

static constraint constraint_filter(const constraint *of, const constraint *in, bool wanted) {
    return (constraint){set_filter(&of->a, &in->a, wanted), set_filter(&of->b, &in->b, wanted)};
}

static bool is_empty(const constraint *c) {
    return !c->a.size && !c->b.size;
}

/* --- construction (Alg 20) ------------------------------------------------------------------------------ */

static bool acceptable(const assumptions *x, const constraint *c) {
    size_t more = c->a.size > c->b.size ? c->a.size - c->b.size : c->b.size - c->a.size;
    return x->accept == ACCEPT_ALL || more == 0 || (x->accept == ACCEPT_ALMOST_REGULAR && more == 1);
}

/* Separates the constraints already there against c, and c against them; c is consumed. */
static void separate(assumptions *x, constraint *c) {
    size_t present = x->list.size;
    for (size_t i = 0; i < present && !is_empty(c); i++) {
        constraint common = constraint_filter(&x->list.data[i], c, true);
        constraint rest = constraint_filter(&x->list.data[i], c, false);
        constraint remaining = constraint_filter(c, &x->list.data[i], false);
        if (!is_empty(&common) && !is_empty(&rest)) {
            constraint_free(&x->list.data[i]);
            x->list.data[i] = common;
            vec_push(&x->list, rest);
        } else {
            constraint_free(&common);
            constraint_free(&rest);
        }
        constraint_free(c);
        *c = remaining;
    }
}

static void add_constraint(assumptions *x, constraint c) {
    separate(x, &c);
    symbol_set swapped = c.a;
    c.a = c.b;
    c.b = swapped;
    separate(x, &c);
    swapped = c.a; /* back, so that left symbols stay left */
    c.a = c.b;
    c.b = swapped;
    if (is_empty(&c))
        constraint_free(&c);
    else
        vec_push(&x->list, c);
}

/* --- preprocessing (Alg 19) ----------------------------------------------------------------------------- */

static bool same_class(const assumptions *x, const term *p, const term *q) {
    return p->width == q->width &&
           (!x->by_origin || term_symbol_origin(x->terms, p) == term_symbol_origin(x->terms, q));
}

static const term *first_unclassified(const symbol_set *a, const symbol_set *b) {
    return a->size ? a->data[0] : b->size ? b->data[0] : NULL;
}

static void take_class(const assumptions *x, symbol_set *from, const term *like, symbol_set *out) {
    for (size_t i = 0; i < from->size;) {
        if (same_class(x, from->data[i], like)) {
            vec_push(out, from->data[i]);
            vec_remove(from, i);
        } else {
            i++;
        }
    }
}

/* Symbols on both sides stand for themselves; the rest may be mapped to each other. */
static void add_one_class(assumptions *x, constraint *c) {
    symbol_set common = set_filter(&c->a, &c->b, true);
    for (size_t i = 0; i < common.size; i++) {
        constraint single = {{0}, {0}};
        vec_push(&single.a, common.data[i]);
        vec_push(&single.b, common.data[i]);
        add_constraint(x, single);
    }
    constraint rest = {set_filter(&c->a, &common, false), set_filter(&c->b, &common, false)};
    if (is_empty(&rest))
        constraint_free(&rest);
    else
        add_constraint(x, rest);
    vec_free(&common);
    constraint_free(c);
}

bool assumptions_add_sets(assumptions *x, const term *const *left, size_t left_count,
                          const term *const *right, size_t right_count) {
    x->running = false;
    symbol_set a = {0}, b = {0};
    for (size_t i = 0; i < left_count; i++) set_add(&a, left[i]);
    for (size_t i = 0; i < right_count; i++) set_add(&b, right[i]);
    for (const term *like; (like = first_unclassified(&a, &b));) {
        constraint c = {{0}, {0}};
        take_class(x, &a, like, &c.a);
        take_class(x, &b, like, &c.b);
        add_one_class(x, &c);
    }
    vec_free(&a);
    vec_free(&b);
    for (size_t i = 0; i < x->list.size; i++)
        if (!acceptable(x, &x->list.data[i])) return false;
    return true;
}

bool assumptions_add(assumptions *x, const term_support *left, const term_support *right) {
    return assumptions_add_sets(x, left ? left->symbol : NULL, left ? left->size : 0,
                                right ? right->symbol : NULL, right ? right->size : 0);
}

/* --- generation (Alg 21) -------------------------------------------------------------------------------- */

static size_t smaller(const constraint *c) {
    return c->a.size < c->b.size ? c->a.size : c->b.size;
}
static size_t larger(const constraint *c) {
    return c->a.size < c->b.size ? c->b.size : c->a.size;
}

/* Advances an injective choice of `count` out of `range`, in lexicographic order; false when it was the last
 * (and starts over). */
static bool next_injection(size_t *chosen, size_t count, size_t range) {
    for (size_t i = count; i-- > 0;) {
        for (size_t candidate = chosen[i] + 1; candidate < range; candidate++) {
            bool taken = false;
            for (size_t j = 0; j < i; j++) taken |= chosen[j] == candidate;
            if (taken) continue;
            chosen[i] = candidate;
            size_t next = 0;
            for (size_t k = i + 1; k < count; k++, next++) { /* smallest free values for the rest */
                for (bool used = true; used;) {
                    used = false;
                    for (size_t j = 0; j < k; j++) used |= chosen[j] == next;
                    next += used;
                }
                chosen[k] = next;
            }
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) chosen[i] = i;
    return false;
}

static void start(assumptions *x) {
    vec_clear(&x->choice);
    for (size_t i = 0; i < x->list.size; i++)
        for (size_t k = 0; k < smaller(&x->list.data[i]); k++) vec_push(&x->choice, k);
}

static bool advance(assumptions *x) {
    size_t end = x->choice.size;
    for (size_t i = x->list.size; i-- > 0;) {
        size_t count = smaller(&x->list.data[i]);
        end -= count;
        if (next_injection(x->choice.data + end, count, larger(&x->list.data[i]))) return true;
    }
    return false;
}

bool assumptions_next(assumptions *x, equalities *out) {
    vec_clear(out);
    if (!x->running) {
        x->running = true;
        start(x);
    } else if (!advance(x)) {
        x->running = false;
        return false;
    }
    size_t at = 0;
    for (size_t i = 0; i < x->list.size; i++) {
        const constraint *c = &x->list.data[i];
        bool left_is_smaller = c->a.size <= c->b.size;
        for (size_t k = 0; k < smaller(c); k++, at++) {
            size_t other = x->choice.data[at];
            equality e = left_is_smaller ? (equality){c->a.data[k], c->b.data[other]}
                                         : (equality){c->a.data[other], c->b.data[k]};
            if (e.left != e.right) vec_push(out, e);
        }
    }
    return true;
}

uint64_t assumptions_count(const assumptions *x) {
    uint64_t total = 1;
    for (size_t i = 0; i < x->list.size; i++)
        for (size_t k = 0, n = larger(&x->list.data[i]); k < smaller(&x->list.data[i]); k++)
            if (__builtin_mul_overflow(total, (uint64_t)(n - k), &total)) return UINT64_MAX;
    return total;
}

/* --- life ----------------------------------------------------------------------------------------------- */

assumptions *assumptions_create(const terms *c, bool separate_by_origin, acceptance accept) {
    assumptions *x = mem_zero(1, sizeof *x);
    x->terms = c;
    x->by_origin = separate_by_origin;
    x->accept = accept;
    return x;
}

void assumptions_reset(assumptions *x) {
    for (size_t i = 0; i < x->list.size; i++) constraint_free(&x->list.data[i]);
    vec_clear(&x->list);
    x->running = false;
}

void assumptions_destroy(assumptions *x) {
    if (!x) return;
    assumptions_reset(x);
    vec_free(&x->list);
    vec_free(&x->choice);
    mem_free(x);
}
