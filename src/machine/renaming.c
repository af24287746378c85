#include "machine/renaming.h"

#include "base/invariant.h"
#include "base/map.h"

enum { MOST_STEPS = 20000 }; /* of one comparison: beyond it the answer is "no match" */

typedef struct node_pair {
    const term *a, *b;
} node_pair;

struct renaming {
    terms *terms;
    VEC(const term *) forward, backward; /* by term id; entries listed in `bound` */
    VEC(node_pair) bound;                /* the bijection so far, in order of binding: a trail for undoing */
    VEC(node_pair) open;
    map equal; /* pairs of nodes already matched under the present bijection: id_a << 32 | id_b */
    VEC(uint64_t) equal_trail;
    unsigned steps;
};

renaming *renaming_create(terms *c) {
    renaming *r = mem_zero(1, sizeof *r);
    r->terms = c;
    return r;
}

void renaming_destroy(renaming *r) {
    if (!r) return;
    vec_free(&r->forward);
    vec_free(&r->backward);
    vec_free(&r->bound);
    vec_free(&r->open);
    vec_free(&r->equal_trail);
    map_free(&r->equal);
    mem_free(r);
}

/* --- the bijection and its trail ------------------------------------------------------------------------ */

typedef struct mark {
    size_t bound, equal;
} mark;

static mark here(const renaming *r) {
    return (mark){r->bound.size, r->equal_trail.size};
}

static void undo(renaming *r, mark to) {
    assert(to.bound <= r->bound.size && to.equal <= r->equal_trail.size);
    while (r->bound.size > to.bound) {
        node_pair p = vec_pop(&r->bound);
        assert(r->forward.data[p.a->id] == p.b && r->backward.data[p.b->id] == p.a);
        r->forward.data[p.a->id] = r->backward.data[p.b->id] = NULL;
    }
    while (r->equal_trail.size > to.equal) map_remove(&r->equal, vec_pop(&r->equal_trail));
}

static void make_room(renaming *r) {
    size_t wanted = terms_count(r->terms);
    while (r->forward.size < wanted) {
        vec_push(&r->forward, NULL);
        vec_push(&r->backward, NULL);
    }
}

static bool bind(renaming *r, const term *a, const term *b) {
    assert(a->op == TERM_SYMBOL && b->op == TERM_SYMBOL);
    assert(a->id < r->forward.size && b->id < r->backward.size);
    const term *to = r->forward.data[a->id], *from = r->backward.data[b->id];
    if (to || from) return to == b && from == a;
    if (a->width != b->width) return false;
    r->forward.data[a->id] = b;
    r->backward.data[b->id] = a;
    vec_push(&r->bound, ((node_pair){a, b}));
    return true;
}

static bool known_equal(renaming *r, const term *a, const term *b) {
    return map_get(&r->equal, (uint64_t)a->id << 32 | b->id) != MAP_NONE;
}

static void remember_equal(renaming *r, const term *a, const term *b) {
    uint64_t key = (uint64_t)a->id << 32 | b->id;
    map_put(&r->equal, key, 1);
    vec_push(&r->equal_trail, key);
}

/* --- terms ---------------------------------------------------------------------------------------------- */

/* Matches two terms by walking down both. Operands of commutative operators are sorted by shape, so they
 * correspond unless two of them have the same shape; then the other order is tried once if the first fails at
 * the top level of the walk. */
static bool match_straight(renaming *r, const term *a, const term *b, const term **tie_a,
                           const term **tie_b) {
    vec_clear(&r->open);
    vec_push(&r->open, ((node_pair){a, b}));
    while (r->open.size) {
        node_pair p = vec_pop(&r->open);
        if (++r->steps > MOST_STEPS) return false;
        if (p.a->shape != p.b->shape || p.a->op != p.b->op || p.a->width != p.b->width ||
            p.a->value != p.b->value) {
            bool symbols = p.a->op == TERM_SYMBOL && p.b->op == TERM_SYMBOL;
            if (!symbols) return false;
        }
        if (p.a->op == TERM_CONST) continue;
        if (p.a->op == TERM_SYMBOL) {
            if (!bind(r, p.a, p.b)) return false;
            continue;
        }
        if (known_equal(r, p.a, p.b)) continue;
        remember_equal(r, p.a, p.b);
        if (!*tie_a && term_op_commutes(p.a->op) && p.a->arg[0]->shape == p.a->arg[1]->shape) {
            *tie_a = p.a;
            *tie_b = p.b;
        }
        for (unsigned k = p.a->arity; k-- > 0;) vec_push(&r->open, ((node_pair){p.a->arg[k], p.b->arg[k]}));
    }
    return true;
}

static bool match_terms(renaming *r, const term *a, const term *b) {
    mark start = here(r);
    const term *tie_a = NULL, *tie_b = NULL;
    if (match_straight(r, a, b, &tie_a, &tie_b)) return true;
    undo(r, start);
    if (!tie_a) return false;
    /* One retry: bind the operands of the first tie crosswise, then the whole. */
    const term *none_a = tie_a, *none_b = tie_b;
    if (match_straight(r, tie_a->arg[0], tie_b->arg[1], &none_a, &none_b) &&
        match_straight(r, tie_a->arg[1], tie_b->arg[0], &none_a, &none_b)) {
        remember_equal(r, tie_a, tie_b);
        if (match_straight(r, a, b, &none_a, &none_b)) return true;
    }
    undo(r, start);
    return false;
}

/* --- path conditions ------------------------------------------------------------------------------------ */

/* Each conjunct of one must match one of the other, one to one. */
static bool match_paths(renaming *r, const term *const *a, uint32_t count_a, const term *const *b,
                        uint32_t count_b) {
    if (count_a != count_b) return false;
    bool *used = mem_zero(count_b, sizeof *used);
    bool all = true;
    for (uint32_t i = 0; i < count_a && all; i++) {
        bool found = false;
        for (uint32_t j = 0; j < count_b && !found; j++) {
            if (used[j] || a[i]->shape != b[j]->shape) continue;
            found = match_terms(r, a[i], b[j]);
            if (found) used[j] = true;
        }
        all = found;
    }
    mem_free(used);
    return all;
}

bool renaming_match(renaming *r, const value_pairs *pairs, const term *const *path_a, uint32_t count_a,
                    const term *const *path_b, uint32_t count_b) {
    if (count_a != count_b) return false;
    for (size_t i = 0; i < pairs->list.size; i++)
        if (pairs->list.data[i].left->shape != pairs->list.data[i].right->shape) return false;
    make_room(r);
    r->steps = 0;
    bool all = true;
    for (size_t i = 0; i < pairs->list.size && all; i++)
        all = match_terms(r, pairs->list.data[i].left, pairs->list.data[i].right);
    all = all && match_paths(r, path_a, count_a, path_b, count_b);
    undo(r, (mark){0, 0});
    assert(!r->equal.size && !r->bound.size);
    return all;
}
