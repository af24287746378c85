/* Processes that kill, reset, disable each other, or make each other throw. */
#include "base/hash.h"
#include "design_internal.h"

static uint32_t some_thread(maker *m, uint32_t but) {
    uint32_t found = but, seen = 0;
    for (uint32_t b = 1; b < m->p->bodies; b++)
        if (m->p->body[b].role == BODY_THREAD && b != but && below(m, ++seen) == 0) found = b;
    return found;
}

/* A statement of some thread, of whatever block: heads of blocks are among them. */
static uint32_t some_place(maker *m) {
    uint32_t found = TINY_NONE, seen = 0;
    for (uint32_t s = 0; s < m->p->stmts.size; s++)
        if (m->p->body[m->p->stmts.data[s].owner].role == BODY_THREAD && below(m, ++seen) == 0) found = s;
    return found;
}

static tiny_stmt_kind some_kind(maker *m) {
    static const uint8_t kinds[] = {STMT_KILL,   STMT_KILL,    STMT_RESET,      STMT_RESET,
                                    STMT_RESET,  STMT_THROW,   STMT_THROW,      STMT_THROW,
                                    STMT_THROW,  STMT_DISABLE, STMT_DISABLE,    STMT_DISABLE,
                                    STMT_ENABLE, STMT_ENABLE,  STMT_SYNC_RESET, STMT_SYNC_RESET};
    return (tiny_stmt_kind)kinds[below(m, sizeof kinds)];
}

static void give_handler(maker *m, uint32_t body) {
    if (m->p->body[body].handler != TINY_NONE) return;
    uint32_t list = tiny_list(m->p, body);
    make_list(m, list, 1 + below(m, 3), 0, false);
    m->p->body[body].handler = list;
}

/* The library does not let such processes be disabled. */
static bool waits_for_time(const tiny_program *p, uint32_t body) {
    for (size_t s = 0; s < p->stmts.size; s++) {
        const tiny_stmt *t = &p->stmts.data[s];
        bool timed = t->kind == STMT_WAIT_TIME || (t->kind == STMT_WAIT && t->a != TINY_NONE);
        if (timed && t->owner == body) return true;
    }
    return false;
}

void design_add_control(tiny_program *p, uint64_t seed) {
    maker m = {.p = p, .random = {hash_pair(seed, 0xc0)}};
    m.taste = (flavour){.assign = 30, .update = 15, .wait = 15, .notify_after = 15, .check = 10};
    if (!p->globals || !p->events) return;
    for (unsigned count = 1 + below(&m, 4); count; count--) {
        uint32_t place = some_place(&m);
        if (place == TINY_NONE) return;
        uint32_t owner = p->stmts.data[place].owner;
        uint32_t target = chance(&m, 12) ? owner : some_thread(&m, owner);
        tiny_stmt_kind kind = some_kind(&m);
        if (kind == STMT_DISABLE && waits_for_time(p, target)) kind = STMT_RESET;
        if (kind == STMT_THROW) give_handler(&m, target);
        uint32_t s = tiny_insert(p, place, kind);
        tiny_at(p, s)->number = (int32_t)target;
        tiny_at(p, s)->op = kind == STMT_SYNC_RESET && chance(&m, 70);
    }
}

bool design_has_control(const tiny_program *p) {
    for (size_t s = 0; s < p->stmts.size; s++)
        if (tiny_controls(&p->stmts.data[s])) return true;
    return false;
}
