#include "tree.h"

unsigned c_bits(c_type t) {
    return 8u << (t / 2);
}

bool c_is_signed(c_type t) {
    return t & 1;
}

c_type c_promoted(c_type t) {
    return t < C_U32 ? C_S32 : t;
}

c_type c_common(c_type a, c_type b) {
    a = c_promoted(a);
    b = c_promoted(b);
    if (c_bits(a) != c_bits(b)) return c_bits(a) > c_bits(b) ? a : b;
    return c_is_signed(a) ? b : a;
}

int64_t c_convert(c_type t, int64_t value) {
    unsigned unused = 64 - c_bits(t);
    uint64_t shifted = (uint64_t)value << unused;
    return c_is_signed(t) ? (int64_t)shifted >> unused : (int64_t)(shifted >> unused);
}

/* --- building ------------------------------------------------------------------------------------------- */

uint32_t tree_expr(program_tree *p, expr_kind kind, int32_t number, uint32_t a, uint32_t b) {
    vec_push(&p->exprs, ((expr){(uint8_t)kind, number, a, b}));
    return (uint32_t)p->exprs.size - 1;
}

uint32_t tree_stmt(program_tree *p, stmt_kind kind, uint32_t before) {
    stmt s = {.kind = (uint8_t)kind,
              .target = NONE,
              .place = NONE,
              .a = NONE,
              .b = NONE,
              .body = NONE,
              .other = NONE,
              .next = NONE};
    uint32_t index = (uint32_t)p->stmts.size;
    if (before != NONE) {
        s.next = p->stmts.data[before].next;
        p->stmts.data[before].next = index;
    }
    vec_push(&p->stmts, s);
    return index;
}

stmt *tree_at(program_tree *p, uint32_t s) {
    return &p->stmts.data[s];
}

uint32_t tree_body(program_tree *p, body_role role) {
    uint32_t index = p->bodies++;
    p->body[index] = (body){.role = role, .first = tree_stmt(p, STMT_NOTHING, NONE)};
    return index;
}

/* --- types ---------------------------------------------------------------------------------------------- */

bool tree_is_pointer(const program_tree *p, uint32_t e) {
    return p->exprs.data[e].kind >= EXPR_NULL;
}

c_type tree_type(const program_tree *p, uint32_t in, uint32_t e) {
    const expr *x = &p->exprs.data[e];
    switch ((expr_kind)x->kind) {
    case EXPR_LOCAL: return x->number < MOST_LOCALS ? p->body[in].local[x->number] : C_S32;
    case EXPR_GLOBAL: return p->global[x->number];
    case EXPR_ELEMENT: return p->array[x->number];
    case EXPR_BOX:
    case EXPR_FOLLOW: return p->pointed;
    case EXPR_NEGATIVE:
    case EXPR_COMPLEMENT: return c_promoted(tree_type(p, in, x->a));
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_REM:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return c_common(tree_type(p, in, x->a), tree_type(p, in, x->b));
    default: return C_S32;
    }
}

/* --- the whole ------------------------------------------------------------------------------------------ */

void tree_copy(program_tree *to, const program_tree *from) {
    *to = *from;
    to->exprs.data = NULL;
    to->exprs.size = to->exprs.capacity = 0;
    to->stmts.data = NULL;
    to->stmts.size = to->stmts.capacity = 0;
    for (size_t i = 0; i < from->exprs.size; i++) vec_push(&to->exprs, from->exprs.data[i]);
    for (size_t i = 0; i < from->stmts.size; i++) vec_push(&to->stmts, from->stmts.data[i]);
}

void tree_free(program_tree *p) {
    vec_free(&p->exprs);
    vec_free(&p->stmts);
}
