#include "shrink.h"

typedef struct shrinking {
    tiny_program *p;
    shrink_test still;
    void *data;
} shrinking;

/* Keeps the edited copy if it is still interesting. */
static bool settle(shrinking *x, tiny_program *edited) {
    bool better = x->still(x->data, edited);
    if (better) {
        tiny_free(x->p);
        *x->p = *edited;
    } else {
        tiny_free(edited);
    }
    return better;
}

static bool names_thread(const tiny_stmt *s) {
    return s->kind == STMT_SUSPEND || s->kind == STMT_RESUME || s->kind == STMT_REQUEST ||
           s->kind == STMT_CALL || tiny_controls(s);
}

static bool without_body(shrinking *x, uint32_t body) {
    if (x->p->body[body].absent) return false;
    tiny_program edited;
    tiny_copy(&edited, x->p);
    edited.body[body].absent = true;
    edited.stmts.data[edited.body[body].first].next = TINY_NONE;
    edited.body[body].handler = TINY_NONE;
    for (size_t i = 0; i < edited.stmts.size; i++)
        if (names_thread(&edited.stmts.data[i]) && (uint32_t)edited.stmts.data[i].number == body)
            edited.stmts.data[i].kind = STMT_NOTHING;
    return settle(x, &edited);
}

static bool without_statement(shrinking *x, uint32_t s) {
    tiny_program edited;
    tiny_copy(&edited, x->p);
    tiny_at(&edited, s)->kind = STMT_NOTHING;
    return settle(x, &edited);
}

/* A compound statement replaced by one of its blocks. */
static bool unwrapped(shrinking *x, uint32_t s, uint32_t block) {
    if (block == TINY_NONE) return false;
    tiny_program edited;
    tiny_copy(&edited, x->p);
    uint32_t rest = tiny_at(&edited, s)->next, last = block;
    while (tiny_at(&edited, last)->next != TINY_NONE) last = tiny_at(&edited, last)->next;
    tiny_at(&edited, s)->kind = STMT_NOTHING;
    tiny_at(&edited, s)->next = block;
    tiny_at(&edited, last)->next = rest;
    return settle(x, &edited);
}

static bool with_number(shrinking *x, uint32_t e, int32_t number) {
    const tiny_expr *old = &x->p->exprs.data[e];
    if (old->kind == EXPR_NUMBER && (old->number == number || old->number == 0)) return false;
    tiny_program edited;
    tiny_copy(&edited, x->p);
    edited.exprs.data[e] =
        (tiny_expr){.kind = EXPR_NUMBER, .number = number, .a = TINY_NONE, .b = TINY_NONE, .c = TINY_NONE};
    return settle(x, &edited);
}

static bool with_operand(shrinking *x, uint32_t e, uint32_t operand) {
    if (operand == TINY_NONE || x->p->exprs.data[e].kind == EXPR_ELEMENT) return false;
    tiny_program edited;
    tiny_copy(&edited, x->p);
    edited.exprs.data[e] = edited.exprs.data[operand];
    return settle(x, &edited);
}

static bool is_target(const tiny_program *p, uint32_t e) {
    for (size_t s = 0; s < p->stmts.size; s++)
        if (p->stmts.data[s].target == e || (p->stmts.data[s].kind == STMT_POINT && p->stmts.data[s].a == e))
            return true;
    return false;
}

/* Nodes that the text still shows. */
static void mark_expr(const tiny_program *p, uint32_t e, bool *used) {
    if (e == TINY_NONE || used[e]) return;
    used[e] = true;
    mark_expr(p, p->exprs.data[e].a, used);
    mark_expr(p, p->exprs.data[e].b, used);
    mark_expr(p, p->exprs.data[e].c, used);
}

static void mark_list(const tiny_program *p, uint32_t s, bool *stmts, bool *exprs) {
    for (; s != TINY_NONE; s = p->stmts.data[s].next) {
        const tiny_stmt *t = &p->stmts.data[s];
        stmts[s] = true;
        if (t->kind == STMT_NOTHING) continue;
        mark_expr(p, t->target, exprs);
        mark_expr(p, t->a, exprs);
        mark_list(p, t->body, stmts, exprs);
        mark_list(p, t->other, stmts, exprs);
    }
}

static bool shrink_statements(shrinking *x, const bool *used, size_t count) {
    bool better = false;
    for (uint32_t s = (uint32_t)count; s-- > 0;) {
        if (!used[s] || x->p->stmts.data[s].kind == STMT_NOTHING) continue;
        if (x->p->stmts.data[s].kind != STMT_START || x->p->stmts.data[s].next != TINY_NONE)
            better |= without_statement(x, s);
        if (x->p->stmts.data[s].kind == STMT_NOTHING) continue;
        if (x->p->stmts.data[s].body == TINY_NONE) continue;
        if (unwrapped(x, s, x->p->stmts.data[s].body))
            better = true;
        else
            better |= unwrapped(x, s, x->p->stmts.data[s].other);
    }
    return better;
}

static bool shrink_expressions(shrinking *x, const bool *used, size_t count) {
    bool better = false;
    for (uint32_t e = 0; e < count; e++) {
        if (!used[e] || is_target(x->p, e)) continue;
        if (with_number(x, e, 0) || with_number(x, e, 1)) {
            better = true;
            continue;
        }
        better |= with_operand(x, e, x->p->exprs.data[e].a) || with_operand(x, e, x->p->exprs.data[e].b) ||
                  with_operand(x, e, x->p->exprs.data[e].c);
    }
    return better;
}

static bool shrink_declarations(shrinking *x) {
    bool better = false;
    for (uint32_t b = x->p->bodies; b-- > 1;) better |= without_body(x, b);
    for (unsigned g = 0; g < x->p->globals; g++) {
        if (!x->p->global[g].input) continue;
        tiny_program edited;
        tiny_copy(&edited, x->p);
        edited.global[g].input = false;
        if (edited.global[g].elements) edited.global[g].low = 0;
        better |= settle(x, &edited);
    }
    return better;
}

void shrink(tiny_program *p, shrink_test still, void *data) {
    shrinking x = {p, still, data};
    for (bool better = true; better;) {
        better = shrink_declarations(&x);
        size_t stmts = p->stmts.size, exprs = p->exprs.size;
        bool *used_stmts = mem_zero(stmts + 1, sizeof *used_stmts),
             *used_exprs = mem_zero(exprs + 1, sizeof *used_exprs);
        for (uint32_t b = 0; b < p->bodies; b++)
            if (!p->body[b].absent) {
                mark_list(p, p->body[b].first, used_stmts, used_exprs);
                mark_list(p, p->body[b].handler, used_stmts, used_exprs);
            }
        better |= shrink_statements(&x, used_stmts, stmts);
        better |= shrink_expressions(&x, used_exprs, exprs);
        mem_free(used_stmts);
        mem_free(used_exprs);
    }
}
