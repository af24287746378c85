#include "generator.h"

#include "base/hash.h"

/* --- random numbers ------------------------------------------------------------------------------------- */

uint64_t random_next(random_source *r) {
    return hash_mix(r->state += UINT64_C(0x9e3779b97f4a7c15));
}
uint32_t random_below(random_source *r, uint32_t n) {
    return (uint32_t)(random_next(r) >> 33) % n;
}
bool random_chance(random_source *r, uint32_t percent) {
    return random_below(r, 100) < percent;
}

/* --- profiles ------------------------------------------------------------------------------------------- */

static const char *const names[PROFILES] = {"concrete", "symbolic", "timing", "suspend", "update",
                                            "memory",   "listing",  "mixed",  "cut"};

const char *profile_name(profile p) {
    return names[p];
}

flavour flavour_of(profile which) {
    flavour f = {.assign = 20,
                 .update = 10,
                 .branch = 10,
                 .loop = 2,
                 .wait = 14,
                 .wait_many = 4,
                 .timeout = 1,
                 .wait_time = 10,
                 .notify = 22,
                 .notify_after = 8,
                 .cancel = 2,
                 .check = 8,
                 .element = 8};
    switch (which) {
    case PROFILE_CONCRETE: f.stop = 1; break;
    case PROFILE_SYMBOLIC:
        f.input = 25;
        f.assume = 3;
        f.check = 12;
        break;
    case PROFILE_TIMING:
        f.timeout = 8;
        f.wait_time = 16;
        f.notify_after = 14;
        f.time = 12;
        f.cancel = 4;
        break;
    case PROFILE_SUSPEND: f.suspend = 25; break;
    case PROFILE_UPDATE: f.request = 25; break;
    case PROFILE_MEMORY:
        f.call = 8;
        f.element = 30;
        f.pointed = 20;
        f.hazard = 10;
        break;
    case PROFILE_CUT:
        f.assume = 10;
        f.check = 16;
        f.hazard = 15;
        f.pointed = 8;
        f.suspend = 2;
        break;
    default:
        f.input = 8;
        f.assume = 3;
        f.suspend = 6;
        f.request = 6;
        f.call = 4;
        f.timeout = 4;
        f.time = 4;
        f.pointed = 6;
        f.stop = 1;
        f.hazard = 3;
        break;
    }
    return f;
}

/* --- bodies --------------------------------------------------------------------------------------------- */

static void add_locals(maker *m, uint32_t body) {
    tiny_body *b = &m->p->body[body];
    static const uint8_t types[] = {TINY_INT, TINY_INT, TINY_BOOL, TINY_U8, TINY_UINT};
    if (chance(m, 40))
        b->local[b->locals++] =
            (tiny_local){.type = types[below(m, sizeof types)], .initial = (int32_t)below(m, 2)};
    if (m->taste.pointed && chance(m, 60)) {
        uint32_t g = below(m, value_globals(m));
        bool null = may_be_wrong(m);
        b->local[b->locals++] =
            (tiny_local){.type = m->p->global[g].type, .pointer = true, .initial = null ? -1 : (int32_t)g};
    }
}

void make_thread(maker *m) {
    if (m->p->bodies == TINY_MOST_BODIES) return;
    uint32_t body = tiny_add_body(m->p, BODY_THREAD), head = m->p->body[body].first;
    add_locals(m, body);
    bool endless = chance(m, 40);
    make_list(m, head, endless ? below(m, 3) : 2 + below(m, 5), 2, false);
    if (!endless) return;
    while (m->p->stmts.data[head].next != TINY_NONE) head = m->p->stmts.data[head].next;
    uint32_t loop = tiny_insert(m->p, head, STMT_FOREVER), block = tiny_list(m->p, body), at = block;
    tiny_at(m->p, loop)->body = block;
    bool first = chance(m, 50);
    if (first) fill_some_wait(m, at = tiny_insert(m->p, at, STMT_WAIT), body);
    make_list(m, at, 1 + below(m, 4), 1, true);
    while (m->p->stmts.data[at].next != TINY_NONE) at = m->p->stmts.data[at].next;
    if (!first) fill_some_wait(m, at = tiny_insert(m->p, at, STMT_WAIT), body);
    if (!chance(m, 20)) return;
    uint32_t condition = make_condition(m, body), way_out = tiny_insert(m->p, at, STMT_IF);
    uint32_t yes = tiny_list(m->p, body), no = tiny_list(m->p, body);
    tiny_insert(m->p, yes, chance(m, 60) ? STMT_BREAK : STMT_RETURN);
    tiny_at(m->p, way_out)->a = condition;
    tiny_at(m->p, way_out)->body = yes;
    tiny_at(m->p, way_out)->other = no;
    make_list(m, loop, below(m, 2), 1, false); /* reached after the break */
}

static void make_globals(maker *m) {
    static const uint8_t types[] = {TINY_INT,  TINY_INT, TINY_INT,  TINY_BOOL,
                                    TINY_UINT, TINY_U8,  TINY_CHAR, TINY_SHORT};
    uint32_t count = 1 + below(m, 3);
    for (uint32_t g = 0; g < count; g++) {
        tiny_global *x = &m->p->global[m->p->globals++];
        *x = (tiny_global){.type = types[below(m, sizeof types)]};
        if (chance(m, m->taste.element)) x->elements = (uint8_t)(2 + below(m, 3));
        x->input = m->taste.input && chance(m, 40);
        if (x->input) {
            x->low = (int32_t)below(m, 2);
            x->high = x->type == TINY_BOOL ? 1 : x->low + 1 + (int32_t)below(m, 3);
            if (x->type == TINY_BOOL || x->elements) x->low = 0;
            if (x->elements && x->type != TINY_BOOL) x->high = 1;
            if (x->type == TINY_U8 && !x->elements && chance(m, 20)) x->low = 0, x->high = 255;
        } else if (!x->elements) {
            x->low = x->type == TINY_BOOL ? (int32_t)below(m, 2) : (int32_t)below(m, 3);
        }
    }
    if (!m->taste.pointed || !chance(m, 50)) return;
    m->taste.heap = 5;
    uint8_t type = m->p->global[below(m, count)].type;
    m->p->global[m->p->globals++] = (tiny_global){.type = type, .pointer = true};
}

static void make_functions(maker *m) {
    for (uint32_t k = 0; k < 2 && m->taste.call && chance(m, 70); k++) {
        uint32_t body = tiny_add_body(m->p, BODY_FUNCTION);
        tiny_body *b = &m->p->body[body];
        if (chance(m, 60)) {
            bool pointer = m->taste.pointed && chance(m, 60);
            b->parameter = true;
            uint32_t g = below(m, value_globals(m));
            b->local[b->locals++] =
                (tiny_local){.type = pointer ? m->p->global[g].type : TINY_INT, .pointer = pointer};
        }
        make_list(m, b->first, 1 + below(m, 3), 1, true);
    }
}

static void make_updates(maker *m) {
    for (uint32_t k = 0; k < 2 && m->taste.request && chance(m, k ? 60 : 90); k++) {
        uint32_t body = tiny_add_body(m->p, BODY_UPDATE);
        make_list(m, m->p->body[body].first, 1 + below(m, 2), 1, true);
    }
}

static uint32_t add_start(maker *m, uint32_t at) {
    uint32_t limit = m->limited ? make_number(m, (int32_t)below(m, 5)) : TINY_NONE;
    uint32_t s = tiny_insert(m->p, at, STMT_START);
    tiny_at(m->p, s)->a = limit;
    return s;
}

static uint32_t end_of_list(const maker *m, uint32_t at) {
    while (m->p->stmts.data[at].next != TINY_NONE) at = m->p->stmts.data[at].next;
    return at;
}

static void fill_main(maker *m) {
    uint32_t at = m->p->body[0].first;
    if (chance(m, 25)) make_list(m, at, 1 + below(m, 2), 0, false);
    at = add_start(m, end_of_list(m, at));
    if (chance(m, 15)) {
        make_list(m, at, below(m, 3), 1, false);
        at = add_start(m, end_of_list(m, at));
    }
    make_list(m, at, below(m, 3), 1, false);
}

void generate(uint64_t seed, profile which, tiny_program *out) {
    *out = (tiny_program){0};
    maker m = {.p = out, .random = {hash_pair(seed, which)}, .taste = flavour_of(which)};
    if (which == PROFILE_LISTING) {
        make_listing(&m, below(&m, listing_count()));
        if (chance(&m, 60)) m.taste = flavour_of(PROFILE_CONCRETE);
        for (uint32_t edits = below(&m, 7); edits; edits--) mutate(&m);
        return;
    }
    if (!m.taste.input && which != PROFILE_CONCRETE && chance(&m, 30)) m.taste.input = 10;
    m.limited = m.taste.time && chance(&m, 60);
    tiny_add_body(out, BODY_MAIN);
    out->events = (uint8_t)(1 + below(&m, 3));
    out->event_array = chance(&m, which == PROFILE_MEMORY || which == PROFILE_MIXED ? 40 : 8);
    make_globals(&m);
    make_functions(&m);
    make_updates(&m);
    uint32_t threads =
        (chance(&m, 20) ? 3u : 2u) + below(&m, which == PROFILE_SYMBOLIC || which == PROFILE_MIXED ? 2 : 3);
    if (m.taste.suspend || chance(&m, 30)) { /* bodies first, so that threads can name each other */
        uint32_t first = out->bodies;
        for (uint32_t t = 0; t < threads; t++) make_thread(&m);
        for (size_t s = 0; s < out->stmts.size; s++) { /* those made before the others existed */
            tiny_stmt *x = &out->stmts.data[s];
            if (x->kind == STMT_SUSPEND || x->kind == STMT_RESUME)
                x->number = (int32_t)(first + below(&m, threads));
        }
    } else {
        for (uint32_t t = 0; t < threads; t++) make_thread(&m);
    }
    fill_main(&m);
}
