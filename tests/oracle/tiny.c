#include "tiny.h"

void tiny_copy(tiny_program *to, const tiny_program *from) {
    *to = *from;
    to->exprs.data = mem_duplicate(from->exprs.data, from->exprs.size * sizeof *from->exprs.data);
    to->exprs.capacity = from->exprs.size;
    to->stmts.data = mem_duplicate(from->stmts.data, from->stmts.size * sizeof *from->stmts.data);
    to->stmts.capacity = from->stmts.size;
}

void tiny_free(tiny_program *p) {
    vec_free(&p->exprs);
    vec_free(&p->stmts);
}

/* --- building ------------------------------------------------------------------------------------------- */

static uint32_t new_stmt(tiny_program *p, tiny_stmt_kind kind, uint32_t owner) {
    tiny_stmt s = {.kind = (uint8_t)kind,
                   .owner = (uint8_t)owner,
                   .target = TINY_NONE,
                   .a = TINY_NONE,
                   .body = TINY_NONE,
                   .other = TINY_NONE,
                   .next = TINY_NONE};
    vec_push(&p->stmts, s);
    return (uint32_t)(p->stmts.size - 1);
}

uint32_t tiny_list(tiny_program *p, uint32_t owner) {
    return new_stmt(p, STMT_NOTHING, owner);
}

uint32_t tiny_add_body(tiny_program *p, body_role role) {
    uint32_t number = p->bodies++;
    p->body[number] = (tiny_body){.role = (uint8_t)role, .handler = TINY_NONE};
    p->body[number].first = tiny_list(p, number);
    return number;
}

bool tiny_controls(const tiny_stmt *s) {
    return s->kind >= STMT_KILL && s->kind <= STMT_SYNC_RESET;
}

uint32_t tiny_expr_add(tiny_program *p, tiny_expr_kind kind, unsigned op, int32_t number, uint32_t a,
                       uint32_t b) {
    tiny_expr e = {(uint8_t)kind, (uint8_t)op, number, a, b, TINY_NONE};
    vec_push(&p->exprs, e);
    return (uint32_t)(p->exprs.size - 1);
}

uint32_t tiny_insert(tiny_program *p, uint32_t before, tiny_stmt_kind kind) {
    uint32_t s = new_stmt(p, kind, p->stmts.data[before].owner);
    p->stmts.data[s].next = p->stmts.data[before].next;
    p->stmts.data[before].next = s;
    return s;
}
