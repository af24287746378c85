/* Random edits of a whole program. */
#include "generator.h"

/* Some statement that is really there, or TINY_NONE. */
static uint32_t some_statement(maker *m) {
    for (unsigned tries = 0; tries < 30; tries++) {
        uint32_t s = below(m, (uint32_t)m->p->stmts.size);
        if (m->p->stmts.data[s].kind != STMT_NOTHING) return s;
    }
    return TINY_NONE;
}

static void swap_with_next(maker *m, uint32_t s) {
    tiny_stmt *a = tiny_at(m->p, s), *b = a->next == TINY_NONE ? NULL : tiny_at(m->p, a->next);
    if (!b || a->kind == STMT_START || b->kind == STMT_START) return;
    uint32_t first = a->next, second = b->next;
    tiny_stmt kept = *a;
    *a = *b;
    *b = kept;
    a->next = first;
    b->next = second;
}

static void change_event(maker *m, tiny_stmt *t) {
    if (!m->p->events) return;
    uint32_t event = below(m, m->p->events);
    if (t->kind == STMT_WAIT || t->kind == STMT_NOTIFY || t->kind == STMT_NOTIFY_AFTER ||
        t->kind == STMT_CANCEL)
        t->target = TINY_NONE;
    if (t->kind == STMT_WAIT)
        t->events = (uint8_t)(1u << event);
    else if (t->kind == STMT_NOTIFY || t->kind == STMT_NOTIFY_AFTER || t->kind == STMT_CANCEL)
        t->number = (int32_t)event;
}

static void change_notification(maker *m, uint32_t s) {
    if (tiny_at(m->p, s)->kind == STMT_NOTIFY && m->p->body[tiny_at(m->p, s)->owner].role != BODY_UPDATE) {
        uint32_t delay = tiny_expr_add(m->p, EXPR_NUMBER, 0, (int32_t)below(m, 2), TINY_NONE, TINY_NONE);
        tiny_at(m->p, s)->kind = STMT_NOTIFY_AFTER;
        tiny_at(m->p, s)->a = delay;
    } else if (tiny_at(m->p, s)->kind == STMT_NOTIFY_AFTER &&
               m->p->body[tiny_at(m->p, s)->owner].role != BODY_UPDATE) {
        tiny_at(m->p, s)->kind = STMT_NOTIFY;
    }
}

static void change_number(maker *m) {
    if (!m->p->exprs.size) return;
    tiny_expr *e = &m->p->exprs.data[below(m, (uint32_t)m->p->exprs.size)];
    if (e->kind == EXPR_NUMBER && e->number < 3) e->number = (int32_t)below(m, 3);
    static const uint8_t comparisons[] = {OP_EQ, OP_NE, OP_LT, OP_GT};
    if (e->kind == EXPR_BINARY && e->op >= OP_EQ && e->op <= OP_GE) e->op = comparisons[below(m, 4)];
}

static void add_thread(maker *m) {
    if (m->p->bodies == TINY_MOST_BODIES) return;
    make_thread(m);
}

void mutate(maker *m) {
    uint32_t s = some_statement(m);
    if (s == TINY_NONE) return;
    bool kept = tiny_at(m->p, s)->kind == STMT_START;
    switch (below(m, 9)) {
    case 0:
        if (!kept) tiny_at(m->p, s)->kind = STMT_NOTHING;
        break;
    case 1:
    case 2: make_statement(m, s, 1, true); break;
    case 3: make_statement(m, m->p->body[tiny_at(m->p, s)->owner].first, 1, true); break;
    case 4: change_number(m); break;
    case 5: swap_with_next(m, s); break;
    case 6: change_event(m, tiny_at(m->p, s)); break;
    case 7: change_notification(m, s); break;
    default:
        if (chance(m, 40))
            add_thread(m);
        else
            change_number(m);
        break;
    }
}
