#include "make.h"

uint32_t make_number(maker *m, int32_t n) {
    return tree_expr(m->p, EXPR_NUMBER, n, NONE, NONE);
}

static uint32_t leaf(maker *m, expr_kind kind, uint32_t number) {
    return tree_expr(m->p, kind, (int32_t)number, NONE, NONE);
}

uint32_t make_local(maker *m) {
    return leaf(m, EXPR_LOCAL, below(m, 2));
}

static uint32_t binary(maker *m, expr_kind kind, uint32_t a, uint32_t b) {
    return tree_expr(m->p, kind, 0, a, b);
}

/* Mostly within an array of this length. */
static uint32_t make_index(maker *m, uint32_t length) {
    if (chance(m, m->taste.hazard)) return make_value(m, 1);
    if (chance(m, 40)) return make_number(m, (int32_t)below(m, length));
    uint32_t value = chance(m, 50) ? make_local(m) : leaf(m, EXPR_GLOBAL, below(m, m->p->globals));
    return binary(m, EXPR_AND, value, make_number(m, length == 1 ? 0 : length < 4 ? 1 : 3));
}

uint32_t make_pointer_variable(maker *m) {
    if (m->p->pointers && chance(m, 50)) return leaf(m, EXPR_POINTER_GLOBAL, below(m, m->p->pointers));
    return leaf(m, EXPR_POINTER_LOCAL, below(m, MOST_POINTERS));
}

/* A global of the pointed type, or NONE. */
static uint32_t target_global(maker *m) {
    uint32_t start = below(m, m->p->globals);
    for (uint32_t k = 0; k < m->p->globals; k++) {
        uint32_t g = (start + k) % m->p->globals;
        if (m->p->global[g] == m->p->pointed && !m->p->atomic[g]) return g;
    }
    return NONE;
}

static uint32_t target_array(maker *m) {
    for (uint32_t k = 0; k < m->p->arrays; k++)
        if (m->p->array[k] == m->p->pointed) return k;
    return NONE;
}

uint32_t make_pointer(maker *m) {
    uint32_t g = target_global(m), a = target_array(m);
    switch (below(m, 8)) {
    case 0: return leaf(m, EXPR_NULL, 0);
    case 1:
        if (m->p->body[m->body].has_box) return leaf(m, EXPR_AT_BOX, 0);
        break;
    case 2:
    case 3:
        if (a != NONE)
            return tree_expr(m->p, EXPR_AT_ELEMENT, (int32_t)a, make_index(m, m->p->length[a]), NONE);
        break;
    case 4:
        if (chance(m, m->taste.hazard)) {
            uint32_t from = make_pointer_variable(m);
            return binary(m, EXPR_STEP, from, make_index(m, 2));
        }
        break;
    case 5: return make_pointer_variable(m);
    default: break;
    }
    return g != NONE ? leaf(m, EXPR_AT_GLOBAL, g) : make_pointer_variable(m);
}

uint32_t make_place(maker *m) {
    if (m->p->pointers && chance(m, m->taste.follow)) {
        uint32_t pointer = make_pointer_variable(m);
        return binary(m, EXPR_FOLLOW, pointer,
                      chance(m, m->taste.hazard) ? make_index(m, 2) : make_number(m, 0));
    }
    if (m->p->body[m->body].has_box && chance(m, m->taste.follow)) return leaf(m, EXPR_BOX, 0);
    if (m->p->arrays && chance(m, m->taste.element)) {
        uint32_t a = below(m, m->p->arrays);
        return tree_expr(m->p, EXPR_ELEMENT, (int32_t)a, make_index(m, m->p->length[a]), NONE);
    }
    return leaf(m, EXPR_GLOBAL, below(m, m->p->globals));
}

uint32_t make_value(maker *m, unsigned depth) {
    static const expr_kind operators[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB,  EXPR_MUL,   EXPR_AND,
                                          EXPR_OR,  EXPR_XOR, EXPR_LESS, EXPR_EQUAL, EXPR_REM};
    uint32_t kind = below(m, 10);
    if (depth == 0 || kind < 7) {
        if (kind < 3) return make_number(m, (int32_t)below(m, 4) - (chance(m, 10) ? 3 : 0));
        if (kind < 5) return make_local(m);
        return make_place(m);
    }
    if (chance(m, 10)) {
        expr_kind sign = chance(m, 50) ? EXPR_NEGATIVE : EXPR_COMPLEMENT;
        return tree_expr(m->p, sign, 0, make_value(m, depth - 1), NONE);
    }
    expr_kind op = operators[below(m, sizeof operators / sizeof *operators)];
    uint32_t a = make_value(m, depth - 1), b = make_value(m, depth - 1);
    if (op == EXPR_REM) {
        op = chance(m, 50) ? EXPR_REM : EXPR_DIV;
        b = chance(m, m->taste.hazard) ? binary(m, EXPR_AND, b, make_number(m, 3)) : make_number(m, 2);
    }
    return binary(m, op, a, b);
}

uint32_t make_condition(maker *m) {
    static const expr_kind relations[] = {EXPR_LESS,  EXPR_ATMOST,  EXPR_EQUAL,
                                          EXPR_EQUAL, EXPR_DIFFERS, EXPR_DIFFERS};
    if (m->p->pointers && chance(m, m->taste.follow / 2)) {
        uint32_t null = tree_expr(m->p, EXPR_IS_NULL, 0, make_pointer_variable(m), NONE);
        return chance(m, 50) ? null : tree_expr(m->p, EXPR_NOT, 0, null, NONE);
    }
    uint32_t a = chance(m, 60) ? make_place(m) : make_local(m);
    uint32_t b = chance(m, 75) ? make_number(m, (int32_t)below(m, 4)) : make_value(m, 1);
    expr_kind relation = relations[below(m, 6)];
    uint32_t simple = binary(m, relation, a, b);
    if (!chance(m, 12)) return simple;
    expr_kind both = chance(m, 50) ? EXPR_BOTH : EXPR_EITHER;
    return binary(m, both, simple, make_condition(m));
}
