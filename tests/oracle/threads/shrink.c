#include "shrink.h"

typedef struct shrinking {
    program_tree *p;
    shrink_test still;
    void *data;
} shrinking;

/* Keeps the edited copy if it is still interesting. */
static bool settle(shrinking *x, program_tree *edited) {
    bool better = x->still(x->data, edited);
    if (better) {
        tree_free(x->p);
        *x->p = *edited;
    } else {
        tree_free(edited);
    }
    return better;
}

static bool names_body(const stmt *s, uint32_t body) {
    return ((s->kind == STMT_CREATE || s->kind == STMT_ONCE || s->kind == STMT_HOOK) && s->op == body) ||
           (s->kind == STMT_CALL && !s->op && (uint32_t)s->number == body);
}

static bool without_body(shrinking *x, uint32_t body) {
    if (x->p->body[body].absent) return false;
    program_tree edited;
    tree_copy(&edited, x->p);
    edited.body[body].absent = true;
    for (size_t i = 0; i < edited.stmts.size; i++) {
        if (!names_body(&edited.stmts.data[i], body)) continue;
        bool created = edited.stmts.data[i].kind == STMT_CREATE;
        edited.stmts.data[i].kind = STMT_NOTHING;
        /* The join may be that of another body: then it is put to the test. */
        for (size_t k = 0; created && k < edited.stmts.size; k++)
            if (edited.stmts.data[k].kind == STMT_JOIN &&
                edited.stmts.data[k].number == edited.stmts.data[i].number)
                edited.stmts.data[k].kind = STMT_NOTHING;
    }
    return settle(x, &edited);
}

/* A thread that is never created, and with it its join. */
static bool without_thread(shrinking *x, uint32_t s) {
    if (x->p->stmts.data[s].kind != STMT_CREATE) return false;
    program_tree edited;
    tree_copy(&edited, x->p);
    tree_at(&edited, s)->kind = STMT_NOTHING;
    for (uint32_t k = tree_at(&edited, s)->next; k != NONE; k = tree_at(&edited, k)->next)
        if (tree_at(&edited, k)->kind == STMT_JOIN &&
            tree_at(&edited, k)->number == tree_at(&edited, s)->number)
            tree_at(&edited, k)->kind = STMT_NOTHING;
    return settle(x, &edited);
}

static bool without_statement(shrinking *x, uint32_t s) {
    program_tree edited;
    tree_copy(&edited, x->p);
    tree_at(&edited, s)->kind = STMT_NOTHING;
    return settle(x, &edited);
}

/* A compound statement replaced by one of its blocks. */
static bool unwrapped(shrinking *x, uint32_t s, uint32_t block) {
    if (block == NONE) return false;
    program_tree edited;
    tree_copy(&edited, x->p);
    uint32_t rest = tree_at(&edited, s)->next, last = block;
    while (tree_at(&edited, last)->next != NONE) last = tree_at(&edited, last)->next;
    tree_at(&edited, s)->kind = STMT_NOTHING;
    tree_at(&edited, s)->next = block;
    tree_at(&edited, last)->next = rest;
    return settle(x, &edited);
}

static bool with_node(shrinking *x, uint32_t e, expr by) {
    program_tree edited;
    tree_copy(&edited, x->p);
    edited.exprs.data[e] = by;
    return settle(x, &edited);
}

static bool is_place(expr_kind kind) {
    return kind == EXPR_LOCAL || kind == EXPR_GLOBAL || kind == EXPR_ELEMENT || kind == EXPR_BOX ||
           kind == EXPR_FOLLOW || kind == EXPR_POINTER_LOCAL || kind == EXPR_POINTER_GLOBAL;
}

/* Something simpler of the same sort: a place stays a place where one is needed. */
static bool with_simpler(shrinking *x, uint32_t e, bool place_needed) {
    const expr *old = &x->p->exprs.data[e];
    bool pointer = tree_is_pointer(x->p, e);
    if (pointer)
        return !place_needed && old->kind != EXPR_NULL && with_node(x, e, (expr){EXPR_NULL, 0, NONE, NONE});
    if (place_needed) {
        bool complex = old->kind == EXPR_ELEMENT || old->kind == EXPR_FOLLOW || old->kind == EXPR_BOX;
        return complex && with_node(x, e, (expr){EXPR_GLOBAL, 0, NONE, NONE});
    }
    if (old->kind == EXPR_NUMBER)
        return old->number > 1 && with_node(x, e, (expr){EXPR_NUMBER, old->number / 2, NONE, NONE});
    for (int32_t n = 0; n < 2; n++)
        if (with_node(x, e, (expr){EXPR_NUMBER, n, NONE, NONE})) return true;
    uint32_t operands[] = {x->p->exprs.data[e].a, x->p->exprs.data[e].b};
    bool has_operands = x->p->exprs.data[e].kind >= EXPR_NOT && x->p->exprs.data[e].kind <= EXPR_EITHER;
    for (unsigned k = 0; has_operands && k < 2; k++)
        if (operands[k] != NONE && with_node(x, e, x->p->exprs.data[operands[k]])) return true;
    return false;
}

/* --- what the text still shows -------------------------------------------------------------------------- */

typedef struct marks {
    bool *stmts, *exprs, *places; /* places: assigned to, or their address is taken */
} marks;

static void mark_expr(const program_tree *p, uint32_t e, marks *m) {
    if (e == NONE || m->exprs[e]) return;
    m->exprs[e] = true;
    mark_expr(p, p->exprs.data[e].a, m);
    mark_expr(p, p->exprs.data[e].b, m);
}

static void mark_list(const program_tree *p, uint32_t s, marks *m) {
    for (; s != NONE; s = p->stmts.data[s].next) {
        const stmt *t = &p->stmts.data[s];
        m->stmts[s] = true;
        if (t->kind == STMT_NOTHING) continue;
        if (t->target != NONE) m->places[t->target] = true;
        if (t->place != NONE) m->places[t->place] = true;
        mark_expr(p, t->target, m);
        mark_expr(p, t->place, m);
        mark_expr(p, t->a, m);
        mark_expr(p, t->b, m);
        mark_list(p, t->body, m);
        mark_list(p, t->other, m);
    }
}

/* --- rounds --------------------------------------------------------------------------------------------- */

static bool shrink_statements(shrinking *x, const bool *used, size_t count) {
    bool better = false;
    for (uint32_t s = (uint32_t)count; s-- > 0;) {
        if (!used[s] || x->p->stmts.data[s].kind == STMT_NOTHING) continue;
        if (without_thread(x, s) || without_statement(x, s)) {
            better = true;
            continue;
        }
        if (x->p->stmts.data[s].body == NONE) continue;
        better |= unwrapped(x, s, x->p->stmts.data[s].body) || unwrapped(x, s, x->p->stmts.data[s].other);
    }
    return better;
}

static bool shrink_expressions(shrinking *x, const marks *m, size_t count) {
    bool better = false;
    for (uint32_t e = 0; e < count; e++)
        if (m->exprs[e])
            better |= with_simpler(x, e, m->places[e] && is_place((expr_kind)x->p->exprs.data[e].kind));
    return better;
}

static bool mentions(const program_tree *p, const bool *exprs, expr_kind kind, expr_kind other,
                     uint32_t number) {
    for (size_t e = 0; e < p->exprs.size; e++)
        if (exprs[e] && (p->exprs.data[e].kind == kind || p->exprs.data[e].kind == other) &&
            (uint32_t)p->exprs.data[e].number == number)
            return true;
    return false;
}

/* Declarations at the end of their lists that nothing mentions, boxes and types. */
static bool shrink_declarations(shrinking *x, const marks *m) {
    bool better = false;
    for (uint32_t b = x->p->bodies; b-- > 1;) better |= without_body(x, b);
    for (uint32_t b = 0; b < x->p->bodies; b++) {
        if (!x->p->body[b].has_box) continue;
        bool needed = false; /* some body uses a box: the test would not compile */
        for (size_t e = 0; e < x->p->exprs.size; e++)
            needed |= m->exprs[e] &&
                      (x->p->exprs.data[e].kind == EXPR_BOX || x->p->exprs.data[e].kind == EXPR_AT_BOX);
        if (needed) continue;
        program_tree edited;
        tree_copy(&edited, x->p);
        edited.body[b].has_box = false;
        better |= settle(x, &edited);
    }
    while (x->p->globals > 1 && !mentions(x->p, m->exprs, EXPR_GLOBAL, EXPR_AT_GLOBAL, x->p->globals - 1)) {
        program_tree edited;
        tree_copy(&edited, x->p);
        edited.globals--;
        if (!settle(x, &edited)) break;
        better = true;
    }
    while (x->p->arrays && !mentions(x->p, m->exprs, EXPR_ELEMENT, EXPR_AT_ELEMENT, x->p->arrays - 1)) {
        program_tree edited;
        tree_copy(&edited, x->p);
        edited.arrays--;
        if (!settle(x, &edited)) break;
        better = true;
    }
    return better;
}

void shrink_tree(program_tree *p, shrink_test still, void *data) {
    shrinking x = {p, still, data};
    for (bool better = true; better;) {
        size_t stmts = p->stmts.size, exprs = p->exprs.size;
        marks m = {mem_zero(stmts + 1, sizeof(bool)), mem_zero(exprs + 1, sizeof(bool)),
                   mem_zero(exprs + 1, sizeof(bool))};
        for (uint32_t b = 0; b < p->bodies; b++)
            if (!p->body[b].absent) mark_list(p, p->body[b].first, &m);
        better = shrink_declarations(&x, &m);
        better |= shrink_statements(&x, m.stmts, stmts);
        better |= shrink_expressions(&x, &m, exprs);
        mem_free(m.stmts);
        mem_free(m.exprs);
        mem_free(m.places);
    }
}
