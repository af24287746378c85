/* The listings of [1] in docs/algorithms.md that show what reductions and matchers can get wrong, as trees to
 * be edited. */
#include "generator.h"

typedef struct writer {
    maker *m;
    uint32_t at; /* the last statement written */
} writer;

/* --- words ---------------------------------------------------------------------------------------------- */

static uint32_t number(writer *w, int32_t n) {
    return tiny_expr_add(w->m->p, EXPR_NUMBER, 0, n, TINY_NONE, TINY_NONE);
}
static uint32_t global(writer *w, int32_t g) {
    return tiny_expr_add(w->m->p, EXPR_GLOBAL, 0, g, TINY_NONE, TINY_NONE);
}

static uint32_t compare(writer *w, int32_t g, tiny_operator op, int32_t n) {
    uint32_t left = global(w, g);
    return tiny_expr_add(w->m->p, EXPR_BINARY, op, 0, left, number(w, n));
}

static tiny_stmt *put(writer *w, tiny_stmt_kind kind) {
    w->at = tiny_insert(w->m->p, w->at, kind);
    return tiny_at(w->m->p, w->at);
}

static void put_with(writer *w, tiny_stmt_kind kind, uint32_t a) {
    put(w, kind)->a = a;
}
static void put_event(writer *w, tiny_stmt_kind kind, int32_t event) {
    put(w, kind)->number = event;
}
static void wait_event(writer *w, unsigned event) {
    put(w, STMT_WAIT)->events = (uint8_t)(1u << event);
}
static void wait_time(writer *w, int32_t time) {
    put_with(w, STMT_WAIT_TIME, number(w, time));
}

static void assign(writer *w, int32_t g, int32_t n) {
    uint32_t target = global(w, g), value = number(w, n);
    tiny_stmt *s = put(w, STMT_ASSIGN);
    s->target = target;
    s->a = value;
}

static void notify_after(writer *w, int32_t event, int32_t delay) {
    uint32_t d = number(w, delay);
    put_event(w, STMT_NOTIFY_AFTER, event);
    tiny_at(w->m->p, w->at)->a = d;
}

/* A block of the statement just put; writing goes on inside until the place returned is given
 * back to `leave`. */
static uint32_t enter(writer *w, bool other) {
    uint32_t outside = w->at, list = tiny_list(w->m->p, w->m->p->stmts.data[outside].owner);
    if (other)
        tiny_at(w->m->p, outside)->other = list;
    else
        tiny_at(w->m->p, outside)->body = list;
    w->at = list;
    return outside;
}

static void leave(writer *w, uint32_t outside) {
    w->at = outside;
}

static uint32_t branch(writer *w, uint32_t condition) {
    put_with(w, STMT_IF, condition);
    leave(w, enter(w, true));
    return enter(w, false);
}

static void otherwise(writer *w, uint32_t outside) {
    leave(w, outside);
    (void)enter(w, true);
}

static uint32_t forever(writer *w) {
    put(w, STMT_FOREVER);
    return enter(w, false);
}

static void thread(writer *w) {
    w->at = w->m->p->body[tiny_add_body(w->m->p, BODY_THREAD)].first;
}

static void declare(writer *w, unsigned events, unsigned globals, int32_t limit) {
    tiny_program *p = w->m->p;
    p->events = (uint8_t)events;
    for (unsigned g = 0; g < globals; g++) p->global[p->globals++] = (tiny_global){.type = TINY_INT};
    w->at = p->body[tiny_add_body(p, BODY_MAIN)].first;
    put_with(w, STMT_START, limit < 0 ? TINY_NONE : number(w, limit));
}

/* --- the listings --------------------------------------------------------------------------------------- */

static void listing_2_6(writer *w) {
    declare(w, 1, 1, -1);
    thread(w), put_with(w, STMT_ASSERT, compare(w, 0, OP_EQ, 0));
    thread(w), put_event(w, STMT_NOTIFY, 0);
    thread(w), wait_event(w, 0), assign(w, 0, 1);
}

static void listing_2_7(writer *w) {
    declare(w, 2, 1, -1);
    thread(w), assign(w, 0, 1);
    thread(w), put_event(w, STMT_NOTIFY, 1);
    thread(w), put_event(w, STMT_NOTIFY, 0);
    thread(w), wait_event(w, 0), wait_event(w, 1), put_with(w, STMT_ASSERT, compare(w, 0, OP_EQ, 1));
}

static void listing_2_8(writer *w) {
    declare(w, 1, 2, -1);
    thread(w), assign(w, 0, 1), assign(w, 1, 0);
    thread(w);
    uint32_t back = branch(w, compare(w, 0, OP_EQ, 0));
    assign(w, 1, 1), leave(w, back);
    thread(w), back = branch(w, compare(w, 1, OP_GT, 0));
    put_with(w, STMT_ASSERT, number(w, 0)), leave(w, back);
}

static void listing_3_1(writer *w) {
    declare(w, 2, 1, -1);
    thread(w), wait_time(w, 0);
    uint32_t back = forever(w);
    put_event(w, STMT_NOTIFY, 1), wait_event(w, 0), leave(w, back);
    thread(w), back = forever(w);
    wait_event(w, 1), put_event(w, STMT_NOTIFY, 0), leave(w, back);
    thread(w), wait_time(w, 0), put_with(w, STMT_ASSERT, number(w, 0));
}

static void exchange(writer *w, int32_t mine, int32_t other) {
    thread(w);
    uint32_t loop = forever(w);
    wait_time(w, 0);
    uint32_t back = branch(w, compare(w, other, OP_GT, 0));
    assign(w, other, 0), otherwise(w, back), assign(w, mine, 1);
    leave(w, back), leave(w, loop);
}

static void listing_4_2(writer *w) {
    declare(w, 1, 2, -1);
    thread(w), wait_time(w, 0);
    uint32_t back = forever(w);
    wait_time(w, 0), put_with(w, STMT_ASSERT, compare(w, 1, OP_EQ, 0)), leave(w, back);
    exchange(w, 0, 1);
    exchange(w, 1, 0);
}

static void listing_5_3(writer *w) {
    declare(w, 1, 1, 5);
    thread(w);
    uint32_t now = tiny_expr_add(w->m->p, EXPR_TIME, 0, 0, TINY_NONE, TINY_NONE);
    put_with(w, STMT_WHILE, tiny_expr_add(w->m->p, EXPR_BINARY, OP_LT, 0, now, number(w, 3)));
    uint32_t back = enter(w, false);
    wait_time(w, 1), leave(w, back);
    put_with(w, STMT_ASSERT, number(w, 0));
    w->m->limited = true;
}

static void listing_5_4(writer *w) {
    declare(w, 1, 1, 9);
    w->m->p->global[0].low = 1;
    thread(w), assign(w, 0, 0);
    thread(w);
    uint32_t back = branch(w, compare(w, 0, OP_NE, 0));
    wait_time(w, 4), leave(w, back), wait_time(w, 4), notify_after(w, 0, 3);
    thread(w), wait_event(w, 0), put_with(w, STMT_ASSERT, number(w, 0));
    w->m->limited = true;
}

static void (*const listings[])(writer *) = {listing_2_6, listing_2_7, listing_2_8, listing_3_1,
                                             listing_4_2, listing_5_3, listing_5_4};

unsigned listing_count(void) {
    return sizeof listings / sizeof *listings;
}

void make_listing(maker *m, unsigned which) {
    writer w = {.m = m};
    listings[which](&w);
}
