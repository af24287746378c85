/* Variables of tiny programs become signals: what is written shows after the update phase. */
#include "base/hash.h"
#include "design_internal.h"

static bool has_pointers(const tiny_program *p) {
    for (size_t e = 0; e < p->exprs.size; e++)
        if (p->exprs.data[e].kind == EXPR_POINTED || p->exprs.data[e].kind == EXPR_IS_NULL) return true;
    for (size_t s = 0; s < p->stmts.size; s++)
        if (p->stmts.data[s].kind == STMT_POINT) return true;
    for (uint32_t b = 0; b < p->bodies; b++)
        for (unsigned k = 0; k < p->body[b].locals; k++)
            if (p->body[b].local[k].pointer) return true;
    return false;
}

static bool writes(const tiny_program *p, const tiny_stmt *s, uint32_t global) {
    return (s->kind == STMT_ASSIGN || s->kind == STMT_UPDATE || s->kind == STMT_RANGE) &&
           p->exprs.data[s->target].kind == EXPR_GLOBAL &&
           (uint32_t)p->exprs.data[s->target].number == global;
}

/* Updates write no signals, and ranges name what they have written. */
static bool can_be_signal(const tiny_program *p, uint32_t global) {
    const tiny_global *g = &p->global[global];
    if (g->elements || g->pointer || g->input) return false;
    for (size_t s = 0; s < p->stmts.size; s++)
        if (writes(p, &p->stmts.data[s], global) &&
            (p->stmts.data[s].kind == STMT_RANGE || p->body[p->stmts.data[s].owner].role == BODY_UPDATE))
            return false;
    return true;
}

static uint32_t add_global(tiny_program *p, uint32_t number) {
    return tiny_expr_add(p, EXPR_GLOBAL, 0, (int32_t)number, TINY_NONE, TINY_NONE);
}

/* if (now != next) { now = next; notify changed, 0; } */
static uint32_t add_update(tiny_program *p, const design_signal *signal) {
    uint32_t body = tiny_add_body(p, BODY_UPDATE);
    uint32_t now = add_global(p, signal->global), next = add_global(p, signal->next);
    uint32_t differ = tiny_expr_add(p, EXPR_BINARY, OP_NE, 0, now, next);
    uint32_t target = add_global(p, signal->global), value = add_global(p, signal->next);
    uint32_t delta = tiny_expr_add(p, EXPR_NUMBER, 0, 0, TINY_NONE, TINY_NONE);
    uint32_t branch = tiny_insert(p, p->body[body].first, STMT_IF);
    uint32_t yes = tiny_list(p, body), no = tiny_list(p, body);
    uint32_t copy = tiny_insert(p, yes, STMT_ASSIGN), tell = tiny_insert(p, copy, STMT_NOTIFY_AFTER);
    tiny_at(p, branch)->a = differ;
    tiny_at(p, branch)->body = yes;
    tiny_at(p, branch)->other = no;
    tiny_at(p, copy)->target = target;
    tiny_at(p, copy)->a = value;
    tiny_at(p, tell)->number = (int32_t)signal->event;
    tiny_at(p, tell)->a = delta;
    return body;
}

static void make_write(tiny_program *p, uint32_t s, const design_signal *signal) {
    tiny_stmt old = p->stmts.data[s];
    if (old.kind == STMT_UPDATE) old.a = tiny_expr_add(p, EXPR_BINARY, old.op, 0, old.target, old.a);
    uint32_t target = add_global(p, signal->next), request = tiny_insert(p, s, STMT_REQUEST);
    tiny_at(p, request)->number = (int32_t)signal->update;
    tiny_at(p, s)->kind = STMT_ASSIGN;
    tiny_at(p, s)->target = target;
    tiny_at(p, s)->a = old.a;
}

static bool names_event(const tiny_stmt *s) {
    return s->kind == STMT_NOTIFY || s->kind == STMT_NOTIFY_AFTER || s->kind == STMT_CANCEL;
}

void design_add_signal(tiny_program *p, uint64_t seed, design_signal *out) {
    random_source r = {hash_pair(seed, 0x51)};
    *out = (design_signal){0};
    if (p->globals == TINY_MOST_GLOBALS || p->bodies == TINY_MOST_BODIES || p->event_array || !p->events ||
        has_pointers(p))
        return;
    uint32_t global = random_below(&r, p->globals);
    if (!can_be_signal(p, global)) return;
    *out = (design_signal){true, global, p->globals, random_below(&r, p->events), p->bodies};
    p->global[p->globals++] = p->global[global];
    size_t statements = p->stmts.size;
    for (uint32_t s = 0; s < statements; s++) {
        if (names_event(tiny_at(p, s)) && (uint32_t)tiny_at(p, s)->number == out->event)
            tiny_at(p, s)->kind = STMT_NOTHING;
        else if (writes(p, tiny_at(p, s), global))
            make_write(p, s, out);
    }
    add_update(p, out);
}
