#include "flat.h"

typedef VEC(uint32_t) places; /* jumps whose target is not known yet */

typedef struct flattening {
    const tiny_program *p;
    flat *out;
} flattening;

static uint32_t emit(flattening *f, code_kind kind, unsigned base, uint32_t stmt, uint32_t target) {
    code c = {(uint8_t)kind, (uint8_t)base, stmt, target};
    vec_push(&f->out->code, c);
    return (uint32_t)(f->out->code.size - 1);
}

static uint32_t here(const flattening *f) {
    return (uint32_t)f->out->code.size;
}

static void land(flattening *f, places *jumps) {
    for (size_t i = 0; i < jumps->size; i++) f->out->code.data[jumps->data[i]].target = here(f);
    vec_free(jumps);
}

static void jump(flattening *f, places *jumps) {
    if (jumps) vec_push(jumps, emit(f, CODE_JUMP, 0, TINY_NONE, 0));
}

static void add_list(flattening *f, uint32_t head, unsigned base, places *breaks, places *returns);

static void add_loop(flattening *f, uint32_t number, unsigned base, places *returns) {
    const tiny_stmt *s = &f->p->stmts.data[number];
    places ends = {0};
    if (s->kind == STMT_FOR) emit(f, CODE_COUNT, base, number, 0);
    uint32_t top = here(f);
    if (s->kind == STMT_FOR) vec_push(&ends, emit(f, CODE_BELOW, base, number, 0));
    if (s->kind == STMT_WHILE) vec_push(&ends, emit(f, CODE_BRANCH, base, number, 0));
    add_list(f, s->body, base, &ends, returns);
    if (s->kind == STMT_FOR) emit(f, CODE_STEP, base, number, 0);
    emit(f, CODE_JUMP, 0, TINY_NONE, top);
    land(f, &ends);
}

static void add_if(flattening *f, uint32_t number, unsigned base, places *breaks, places *returns) {
    const tiny_stmt *s = &f->p->stmts.data[number];
    uint32_t branch = emit(f, CODE_BRANCH, base, number, 0);
    places ends = {0};
    add_list(f, s->body, base, breaks, returns);
    jump(f, &ends);
    f->out->code.data[branch].target = here(f);
    add_list(f, s->other, base, breaks, returns);
    land(f, &ends);
}

static void add_call(flattening *f, uint32_t number, unsigned base) {
    unsigned inner = base + TINY_MOST_LOCALS;
    if (inner + TINY_MOST_LOCALS > FLAT_SLOTS) {
        f->out->too_deep = true;
        return;
    }
    places returns = {0};
    emit(f, CODE_ENTER, base, number, inner);
    add_list(f, f->p->body[f->p->stmts.data[number].number].first, inner, NULL, &returns);
    land(f, &returns);
    emit(f, CODE_LEAVE, base, number, inner);
}

static void add_stmt(flattening *f, uint32_t number, unsigned base, places *breaks, places *returns) {
    switch (f->p->stmts.data[number].kind) {
    case STMT_NOTHING: break;
    case STMT_IF: add_if(f, number, base, breaks, returns); break;
    case STMT_FOR:
    case STMT_FOREVER:
    case STMT_WHILE: add_loop(f, number, base, returns); break;
    case STMT_BREAK: jump(f, breaks); break;
    case STMT_RETURN: jump(f, returns); break;
    case STMT_CALL: add_call(f, number, base); break;
    default: emit(f, CODE_DO, base, number, 0); break;
    }
}

static void add_list(flattening *f, uint32_t head, unsigned base, places *breaks, places *returns) {
    for (uint32_t s = head; s != TINY_NONE; s = f->p->stmts.data[s].next)
        add_stmt(f, s, base, breaks, returns);
}

void flat_make(const tiny_program *p, flat *out) {
    flattening f = {p, out};
    *out = (flat){0};
    for (uint32_t b = 0; b < p->bodies; b++) {
        if (p->body[b].role == BODY_FUNCTION || p->body[b].absent) continue;
        out->start[b] = here(&f);
        places returns = {0};
        add_list(&f, p->body[b].first, 0, NULL, &returns);
        land(&f, &returns);
        emit(&f, CODE_END, 0, TINY_NONE, 0);
        if (p->body[b].handler == TINY_NONE) continue;
        out->handler[b] = here(&f);
        add_list(&f, p->body[b].handler, 0, NULL, &returns);
        land(&f, &returns);
        emit(&f, CODE_END, 0, TINY_NONE, 0);
    }
}

void flat_free(flat *f) {
    vec_free(&f->code);
}
