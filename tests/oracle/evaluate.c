#include "evaluate.h"

/* --- choices -------------------------------------------------------------------------------------------- */

uint32_t script_choose(script *s, uint32_t alternatives) {
    if (s->next == s->list.size) vec_push(&s->list, ((choice){0, alternatives}));
    return s->list.data[s->next++].taken;
}

bool script_count_up(script *s) {
    s->next = 0;
    while (s->list.size) {
        choice *last = &vec_last(&s->list);
        if (++last->taken < last->alternatives) return true;
        (void)vec_pop(&s->list);
    }
    return false;
}

/* --- types ---------------------------------------------------------------------------------------------- */

static unsigned width_of(tiny_type t) {
    static const uint8_t widths[TINY_TYPES] = {1, 8, 8, 16, 16, 32, 32, 64, 64};
    return widths[t];
}

static bool is_signed(tiny_type t) {
    return t == TINY_CHAR || t == TINY_SHORT || t == TINY_INT || t == TINY_LONG;
}

static int64_t wrap(uint64_t bits, tiny_type t) {
    switch (t) {
    case TINY_CHAR: return (int8_t)bits;
    case TINY_U8: return (uint8_t)bits;
    case TINY_SHORT: return (int16_t)bits;
    case TINY_USHORT: return (uint16_t)bits;
    case TINY_INT: return (int32_t)bits;
    case TINY_UINT: return (uint32_t)bits;
    default: return (int64_t)bits;
    }
}

int64_t convert(tiny_value v, tiny_type to) {
    return to == TINY_BOOL ? v.v != 0 : wrap((uint64_t)v.v, to);
}

static tiny_type promoted(tiny_type t) {
    return t < TINY_INT ? TINY_INT : t;
}

/* int < uint < long < ulong: each can hold or, by C++'s rule, absorbs the ones before it. */
static tiny_type common(tiny_type a, tiny_type b) {
    a = promoted(a);
    b = promoted(b);
    return a > b ? a : b;
}

/* --- operators ------------------------------------------------------------------------------------------ */

static tiny_value truth(bool b) {
    return (tiny_value){b, TINY_BOOL};
}

static int64_t shifted(tiny_operator op, int64_t a, uint64_t amount, tiny_type t) {
    unsigned width = width_of(t);
    if (op == OP_SHL) return amount >= width ? 0 : wrap((uint64_t)a << amount, t);
    if (is_signed(t)) return a >> (amount >= width ? width - 1 : amount);
    if (amount >= width) return 0;
    return t == TINY_ULONG ? (int64_t)((uint64_t)a >> amount) : a >> amount;
}

static int64_t divided(scope *s, tiny_operator op, int64_t a, int64_t b, tiny_type t) {
    if (b == 0) {
        s->check_failed = true;
        return 0;
    }
    if (t == TINY_ULONG)
        return (int64_t)(op == OP_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    if (b == -1) return op == OP_DIV ? wrap(-(uint64_t)a, t) : 0;
    return op == OP_DIV ? a / b : a % b;
}

static bool ordered(tiny_operator op, int64_t a, int64_t b, tiny_type t) {
    bool less = t == TINY_ULONG ? (uint64_t)a < (uint64_t)b : a < b;
    switch (op) {
    case OP_LT: return less;
    case OP_LE: return less || a == b;
    case OP_GT: return !less && a != b;
    default: return !less;
    }
}

tiny_value apply_binary(scope *s, tiny_operator op, tiny_value x, tiny_value y) {
    tiny_type t = op == OP_SHL || op == OP_SHR ? promoted(x.type) : common(x.type, y.type);
    int64_t a = convert(x, t), b = convert(y, t);
    switch (op) {
    case OP_ADD: return (tiny_value){wrap((uint64_t)a + (uint64_t)b, t), t};
    case OP_SUB: return (tiny_value){wrap((uint64_t)a - (uint64_t)b, t), t};
    case OP_MUL: return (tiny_value){wrap((uint64_t)a * (uint64_t)b, t), t};
    case OP_DIV:
    case OP_REM: return (tiny_value){divided(s, op, a, b, t), t};
    case OP_AND: return (tiny_value){wrap((uint64_t)a & (uint64_t)b, t), t};
    case OP_OR: return (tiny_value){wrap((uint64_t)a | (uint64_t)b, t), t};
    case OP_XOR: return (tiny_value){wrap((uint64_t)a ^ (uint64_t)b, t), t};
    case OP_SHL:
    case OP_SHR: return (tiny_value){shifted(op, a, (uint64_t)y.v, t), t};
    case OP_EQ: return truth(a == b);
    case OP_NE: return truth(a != b);
    default: return truth(ordered(op, a, b, t));
    }
}

static tiny_value apply_unary(tiny_operator op, tiny_value x) {
    if (op == OP_NOT) return truth(!x.v);
    tiny_type t = promoted(x.type);
    return (tiny_value){wrap(op == OP_NEGATE ? -(uint64_t)x.v : ~(uint64_t)x.v, t), t};
}

static tiny_value lazy(scope *s, const tiny_expr *e) {
    bool first = evaluate_truth(s, e->a);
    if (s->check_failed || first == (e->op == OP_EITHER)) return truth(first);
    return truth(evaluate_truth(s, e->b));
}

static tiny_value selected(scope *s, const tiny_expr *e, tiny_type t) {
    tiny_value v = evaluate(s, evaluate_truth(s, e->a) ? e->b : e->c);
    return (tiny_value){convert(v, t), t};
}

static tiny_value fresh(scope *s, const tiny_expr *e) {
    tiny_type t = e->op;
    if (e->number)
        return (tiny_value){script_choose(s->choices, (uint32_t)e->number + 1), common(t, TINY_INT)};
    int64_t lowest = t == TINY_CHAR ? -128 : 0;
    return (tiny_value){lowest + script_choose(s->choices, t == TINY_BOOL ? 2 : 256), t};
}

/* --- expressions ---------------------------------------------------------------------------------------- */

int64_t *pointer_place(scope *s, uint32_t expr) {
    const tiny_expr *e = &s->p->exprs.data[expr];
    if (e->kind == EXPR_LOCAL) return &s->locals[e->number];
    return e->kind == EXPR_GLOBAL ? &s->cells[s->cell_of[e->number]] : NULL;
}

int64_t pointer_value(scope *s, uint32_t expr) {
    const int64_t *place = pointer_place(s, expr);
    return place ? *place : 0;
}

static tiny_type pointed_type(const scope *s, uint32_t pointer) {
    const tiny_expr *e = &s->p->exprs.data[pointer];
    return e->kind == EXPR_LOCAL ? s->body->local[e->number].type : s->p->global[e->number].type;
}

static int64_t *pointed_cell(scope *s, int64_t pointer) {
    if (pointer >= HEAP_BASE && s->heap->life[pointer - HEAP_BASE] == SLOT_ALIVE)
        return &s->heap->value[pointer - HEAP_BASE];
    if (pointer > 0 && pointer < HEAP_BASE) return &s->cells[pointer - 1];
    s->check_failed = true;
    return NULL;
}

int64_t *evaluate_target(scope *s, uint32_t expr, tiny_type *type) {
    const tiny_expr *e = &s->p->exprs.data[expr];
    switch (e->kind) {
    case EXPR_GLOBAL: *type = s->p->global[e->number].type; return &s->cells[s->cell_of[e->number]];
    case EXPR_ELEMENT: {
        const tiny_global *g = &s->p->global[e->number];
        tiny_value index = evaluate(s, e->a);
        *type = g->type;
        bool inside = index.v >= 0 && index.v < g->elements;
        if (!inside) s->check_failed = true;
        return s->check_failed ? NULL : &s->cells[s->cell_of[e->number] + (uint32_t)index.v];
    }
    case EXPR_LOCAL: *type = s->body->local[e->number].type; return &s->locals[e->number];
    case EXPR_POINTED: *type = pointed_type(s, e->a); return pointed_cell(s, pointer_value(s, e->a));
    default: s->check_failed = true; return NULL;
    }
}

/* The type of a selection does not depend on which side is taken. */
static tiny_type static_type(const scope *s, uint32_t expr) {
    const tiny_expr *e = &s->p->exprs.data[expr];
    switch ((tiny_expr_kind)e->kind) {
    case EXPR_NUMBER: return TINY_INT;
    case EXPR_GLOBAL:
    case EXPR_ELEMENT: return s->p->global[e->number].type;
    case EXPR_LOCAL: return s->body->local[e->number].type;
    case EXPR_POINTED: return pointed_type(s, e->a);
    case EXPR_IS_NULL: return TINY_BOOL;
    case EXPR_TIME: return TINY_ULONG;
    case EXPR_UNARY: return e->op == OP_NOT ? TINY_BOOL : promoted(static_type(s, e->a));
    case EXPR_BINARY:
        if (e->op >= OP_EQ) return TINY_BOOL;
        if (e->op == OP_SHL || e->op == OP_SHR) return promoted(static_type(s, e->a));
        return common(static_type(s, e->a), static_type(s, e->b));
    case EXPR_SELECT: {
        tiny_type b = static_type(s, e->b), c = static_type(s, e->c);
        return b == c ? b : common(b, c);
    }
    case EXPR_CAST: return e->op;
    case EXPR_INPUT: return e->number ? common(e->op, TINY_INT) : e->op;
    }
    return TINY_INT;
}

tiny_value evaluate(scope *s, uint32_t expr) { /* the generator bounds the depth of expressions */
    const tiny_expr *e = &s->p->exprs.data[expr];
    if (s->check_failed) return (tiny_value){0, TINY_INT};
    switch ((tiny_expr_kind)e->kind) {
    case EXPR_NUMBER: return (tiny_value){e->number, TINY_INT};
    case EXPR_GLOBAL:
    case EXPR_ELEMENT:
    case EXPR_LOCAL:
    case EXPR_POINTED: {
        tiny_type type;
        const int64_t *place = evaluate_target(s, expr, &type);
        return (tiny_value){place ? *place : 0, type};
    }
    case EXPR_IS_NULL: return truth(pointer_value(s, e->a) == 0);
    case EXPR_TIME: return (tiny_value){(int64_t)s->time, TINY_ULONG};
    case EXPR_UNARY: return apply_unary(e->op, evaluate(s, e->a));
    case EXPR_BINARY: {
        if (e->op == OP_BOTH || e->op == OP_EITHER) return lazy(s, e);
        tiny_value a = evaluate(s, e->a), b = evaluate(s, e->b);
        return s->check_failed ? a : apply_binary(s, e->op, a, b);
    }
    case EXPR_SELECT: return selected(s, e, static_type(s, expr));
    case EXPR_CAST: return (tiny_value){convert(evaluate(s, e->a), e->op), e->op};
    case EXPR_INPUT: return fresh(s, e);
    }
    return (tiny_value){0, TINY_INT};
}

bool evaluate_truth(scope *s, uint32_t expr) {
    return evaluate(s, expr).v != 0;
}
