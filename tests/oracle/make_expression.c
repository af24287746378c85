/* Random expressions. */
#include "generator.h"

uint32_t make_number(maker *m, int32_t n) {
    return tiny_expr_add(m->p, EXPR_NUMBER, 0, n, TINY_NONE, TINY_NONE);
}

uint32_t make_binary(maker *m, tiny_operator op, uint32_t a, uint32_t b) {
    return tiny_expr_add(m->p, EXPR_BINARY, op, 0, a, b);
}

bool may_be_wrong(maker *m) {
    return m->taste.hazard && chance(m, m->taste.hazard);
}

/* A constant index or divisor that is wrong does not compile. */
bool is_variable(const maker *m, uint32_t e) {
    uint8_t kind = m->p->exprs.data[e].kind;
    return kind == EXPR_GLOBAL || kind == EXPR_ELEMENT || kind == EXPR_LOCAL || kind == EXPR_POINTED;
}

static uint32_t make_index(maker *m, uint32_t body, unsigned elements, unsigned depth) {
    if (chance(m, 50)) return make_number(m, (int32_t)below(m, elements));
    uint32_t v = make_value(m, body, depth ? depth - 1 : 0);
    if (is_variable(m, v) && may_be_wrong(m)) return v;
    return make_binary(m, OP_AND, v, make_number(m, elements >= 4 ? 3 : 1));
}

uint32_t make_global(maker *m, uint32_t body, unsigned depth) {
    uint32_t g = below(m, value_globals(m));
    unsigned elements = m->p->global[g].elements;
    if (!elements) return tiny_expr_add(m->p, EXPR_GLOBAL, 0, (int32_t)g, TINY_NONE, TINY_NONE);
    uint32_t index = make_index(m, body, elements, depth);
    return tiny_expr_add(m->p, EXPR_ELEMENT, 0, (int32_t)g, index, TINY_NONE);
}

int32_t find_local(maker *m, uint32_t body, bool pointer) {
    const tiny_body *b = &m->p->body[body];
    int32_t found = -1;
    for (unsigned k = 0, seen = 0; k < b->locals; k++)
        if (b->local[k].pointer == pointer && below(m, ++seen) == 0) found = (int32_t)k;
    return found;
}

uint32_t value_globals(const maker *m) {
    uint32_t count = m->p->globals;
    while (count && m->p->global[count - 1].pointer) count--;
    return count;
}

uint32_t make_pointer(maker *m, uint32_t body) {
    uint32_t values = value_globals(m), pointers = m->p->globals - values;
    if (pointers && chance(m, 50))
        return tiny_expr_add(m->p, EXPR_GLOBAL, 0, (int32_t)(values + below(m, pointers)), TINY_NONE,
                             TINY_NONE);
    int32_t local = find_local(m, body, true);
    return local < 0 ? TINY_NONE : tiny_expr_add(m->p, EXPR_LOCAL, 0, local, TINY_NONE, TINY_NONE);
}

tiny_type pointed_type(const maker *m, uint32_t body, uint32_t pointer) {
    const tiny_expr *e = &m->p->exprs.data[pointer];
    return e->kind == EXPR_LOCAL ? m->p->body[body].local[e->number].type : m->p->global[e->number].type;
}

static uint32_t make_input(maker *m) {
    static const uint8_t types[] = {TINY_BOOL, TINY_U8, TINY_INT, TINY_UINT, TINY_CHAR, TINY_LONG};
    tiny_type t = types[below(m, sizeof types)];
    return tiny_expr_add(m->p, EXPR_INPUT, t,
                         t == TINY_BOOL  ? 0
                         : chance(m, 70) ? 1
                                         : 3,
                         TINY_NONE, TINY_NONE);
}

uint32_t make_leaf(maker *m, uint32_t body, unsigned depth) {
    if (m->taste.input && chance(m, m->taste.input)) return make_input(m);
    if (m->limited && m->taste.time && chance(m, m->taste.time))
        return tiny_expr_add(m->p, EXPR_TIME, 0, 0, TINY_NONE, TINY_NONE);
    if (m->taste.pointed && chance(m, m->taste.pointed)) {
        uint32_t pointer = make_pointer(m, body);
        bool null = chance(m, 10);
        if (pointer != TINY_NONE)
            return tiny_expr_add(m->p, null ? EXPR_IS_NULL : EXPR_POINTED, 0, 0, pointer, TINY_NONE);
    }
    if (chance(m, 30)) return make_number(m, (int32_t)below(m, 4) - (chance(m, 10) ? 2 : 0));
    int32_t local = chance(m, 25) ? find_local(m, body, false) : -1;
    if (local >= 0) return tiny_expr_add(m->p, EXPR_LOCAL, 0, local, TINY_NONE, TINY_NONE);
    return make_global(m, body, depth);
}

uint32_t make_value(maker *m, uint32_t body, unsigned depth) {
    if (!depth || chance(m, 45)) return make_leaf(m, body, depth);
    static const uint8_t operators[] = {OP_ADD, OP_ADD, OP_SUB, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR};
    uint32_t a = make_value(m, body, depth - 1), e;
    switch (below(m, 10)) {
    case 0: {
        uint32_t divisor = may_be_wrong(m) ? make_leaf(m, body, 0) : TINY_NONE;
        if (divisor == TINY_NONE || !is_variable(m, divisor))
            divisor = make_number(m, 1 + (int32_t)below(m, 3));
        return make_binary(m, chance(m, 50) ? OP_DIV : OP_REM, a, divisor);
    }
    case 1: return make_binary(m, chance(m, 50) ? OP_SHL : OP_SHR, a, make_number(m, (int32_t)below(m, 3)));
    case 2: {
        uint32_t condition = make_condition(m, body), b = make_value(m, body, depth - 1);
        e = tiny_expr_add(m->p, EXPR_SELECT, 0, 0, condition, a);
        m->p->exprs.data[e].c = b;
        return e;
    }
    case 3: return tiny_expr_add(m->p, EXPR_UNARY, OP_NOT + below(m, 3), 0, a, TINY_NONE);
    case 4: return tiny_expr_add(m->p, EXPR_CAST, below(m, TINY_TYPES), 0, a, TINY_NONE);
    default: return make_binary(m, operators[below(m, sizeof operators)], a, make_value(m, body, depth - 1));
    }
}

static uint32_t make_comparison(maker *m, uint32_t body) {
    static const uint8_t operators[] = {OP_EQ, OP_EQ, OP_NE, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
    uint32_t a = chance(m, 70) ? make_leaf(m, body, 1) : make_value(m, body, 2);
    uint32_t b = chance(m, 60) ? make_number(m, (int32_t)below(m, 3)) : make_leaf(m, body, 1);
    return make_binary(m, operators[below(m, sizeof operators)], a, b);
}

uint32_t make_condition(maker *m, uint32_t body) {
    switch (below(m, 8)) {
    case 0:
    case 1: {
        uint32_t a = make_comparison(m, body);
        return make_binary(m, chance(m, 50) ? OP_BOTH : OP_EITHER, a, make_comparison(m, body));
    }
    case 2: return tiny_expr_add(m->p, EXPR_UNARY, OP_NOT, 0, make_leaf(m, body, 1), TINY_NONE);
    case 3: return make_leaf(m, body, 1);
    default: return make_comparison(m, body);
    }
}

uint32_t make_delay(maker *m, uint32_t body) {
    if (chance(m, 80)) return make_number(m, (int32_t)below(m, 3));
    return make_binary(m, OP_AND, make_leaf(m, body, 0), make_number(m, 1));
}
