#include "make.h"

static const char *const names[PROFILES] = {"data",   "locks",  "signals", "atomics",  "section",
                                            "memory", "inputs", "cut",     "nested",   "library",
                                            "calls",  "c11",    "spin",    "symbolic", "mixed"};

const char *profile_name(profile p) {
    return names[p];
}

static taste taste_of(profile which) {
    taste t = {.assign = 20,
               .change = 10,
               .branch = 10,
               .spin = 1,
               .loop = 1,
               .rounds = 2,
               .load = 2,
               .fetch = 3,
               .assert = 5,
               .element = 20,
               .hazard = 3};
    switch (which) {
    case PROFILE_DATA:
        t.branch = 16;
        t.rounds = t.loop = 4;
        break;
    case PROFILE_LOCKS:
        t.lock = 30;
        t.trylock = 6;
        t.kinds = 20;
        break;
    case PROFILE_SIGNALS:
        t.wait = 14;
        t.signal = 16;
        t.semaphore = 16;
        t.lock = 4;
        break;
    case PROFILE_ATOMICS:
        t.fetch = 16;
        t.cas = 16;
        t.exchange = 6;
        t.load = t.store = 8;
        t.spin = 8;
        break;
    case PROFILE_SECTION:
        t.section = 40;
        t.assume = 6;
        t.assert = 8;
        break;
    case PROFILE_MEMORY:
        t.heap = 16;
        t.point = 16;
        t.call = 6;
        t.follow = 45;
        t.hazard = 12;
        break;
    case PROFILE_INPUTS:
        t.input = 22;
        t.element = 30;
        t.hazard = 8;
        t.lock = t.section = t.cas = 4;
        t.assume = 3;
        break;
    case PROFILE_CUT:
        t.assume = 12;
        t.assert = 18;
        t.leave = 10;
        t.hazard = 10;
        t.lock = 6;
        t.element = 35;
        break;
    case PROFILE_NESTED:
        t.create = 24;
        t.call = 8;
        t.leave = 4;
        t.lock = 4;
        break;
    case PROFILE_LIBRARY:
        t.rwlock = 18;
        t.barrier = 8;
        t.once = 8;
        t.lock = 12;
        t.trylock = 4;
        t.kinds = 90;
        break;
    case PROFILE_CALLS:
        t.call = 14;
        t.hook = 8;
        t.copy = 14;
        t.follow = 10;
        t.element = 40;
        t.section = 3;
        t.lock = 4;
        break;
    case PROFILE_C11:
        t.c11 = 70;
        t.cas = 22;
        t.fetch = 10;
        t.exchange = t.load = t.store = 6;
        t.spin = 4;
        break;
    case PROFILE_SPIN:
        t.blink = 22;
        t.look = 22;
        t.spin = 10;
        t.endless = 30;
        t.input = 4;
        t.lock = 6;
        t.trylock = 8;
        break;
    case PROFILE_SYMBOLIC:
        t.input = 40;
        t.element = 45;
        t.branch = 16;
        t.hazard = 12;
        t.assume = 6;
        t.assert = 10;
        t.cas = t.fetch = t.lock = t.section = t.semaphore = t.wait = t.signal = 4;
        t.copy = t.call = 4;
        break;
    default:
        t.rwlock = t.barrier = t.once = t.copy = t.hook = 2;
        t.kinds = 20;
        t.c11 = 15;
        t.lock = t.section = t.cas = t.heap = t.point = t.input = t.semaphore = 6;
        t.wait = t.signal = t.assume = t.leave = t.call = t.create = t.trylock = t.spin = 3;
        t.follow = 15;
        t.hazard = 6;
        break;
    }
    return t;
}

/* --- declarations --------------------------------------------------------------------------------------- */

static void make_declarations(maker *m) {
    static const c_type types[] = {C_S32, C_S32, C_S32, C_U8, C_S8, C_U16, C_S16, C_U32, C_U64, C_S64};
    program_tree *p = m->p;
    p->pointed = types[below(m, 10)];
    p->globals = 1 + below(m, 3);
    for (uint32_t k = 0; k < p->globals; k++) {
        p->global[k] = chance(m, 50) ? p->pointed : types[below(m, 10)];
        p->initial[k] = chance(m, 70) ? 0 : (int32_t)below(m, 3);
        p->atomic[k] = chance(m, m->taste.c11);
    }
    p->arrays = m->taste.element > below(m, 30);
    for (uint32_t k = 0; k < p->arrays; k++) {
        p->array[k] = chance(m, 60) ? p->pointed : types[below(m, 10)];
        p->length[k] = chance(m, 80) ? 2 : 4;
    }
    if (m->taste.copy) { /* two of one type */
        p->arrays = 2;
        if (chance(m, 70)) p->array[0] = p->pointed;
        p->array[1] = p->array[0];
        p->length[0] = p->length[1] = 2;
        p->structures = chance(m, 50);
    }
    p->pointers = m->taste.follow ? 1 + below(m, 2) : 0;
    p->mutexes = m->taste.lock || m->taste.wait ? 1 + below(m, 2) : 0;
    p->conditions = m->taste.wait ? 1 + below(m, 2) : 0;
    for (uint32_t k = 0; k < p->mutexes; k++) /* no waiting with a spin lock */
        if (chance(m, m->taste.kinds))
            p->mutex[k] = (mutex_kind)(1 + below(m, p->conditions ? MUTEX_KINDS - 2 : MUTEX_KINDS - 1));
    p->rwlocks = m->taste.rwlock != 0;
    p->barriers = m->taste.barrier != 0;
    p->onces = m->taste.once != 0;
    p->hooks = m->taste.hook != 0;
    for (uint32_t k = 0; k < p->barriers; k++) p->needed[k] = chance(m, 80) ? 2 : 1 + 2 * below(m, 2);
    p->semaphores = m->taste.semaphore ? 1 + below(m, 2) : 0;
    for (uint32_t k = 0; k < p->semaphores; k++) p->permits[k] = (int32_t)below(m, 2);
}

static void make_signatures(maker *m, uint32_t threads) {
    program_tree *p = m->p;
    tree_body(p, BODY_MAIN);
    for (uint32_t k = 0; k < threads; k++) tree_body(p, BODY_THREAD);
    if (m->taste.call || m->taste.hook) p->hook[0] = tree_body(p, BODY_FUNCTION);
    if (m->taste.hook) tree_body(p, BODY_FUNCTION);
    if (m->taste.once) tree_body(p, BODY_ONCE);
    for (uint32_t k = 0; k < p->bodies; k++) {
        body *b = &p->body[k];
        for (uint32_t v = 0; v < MOST_LOCALS; v++)
            b->local[v] = chance(m, 75) ? C_S32 : (c_type)below(m, C_TYPES);
        b->takes_pointer = m->taste.follow && chance(m, 50);
        b->has_box = m->taste.follow && chance(m, 40);
        b->box_value = (int32_t)below(m, 3);
    }
}

/* --- main: create, do something, join, look at the result ----------------------------------------------- */

static uint32_t create_threads(maker *m, uint32_t before, uint32_t threads, uint32_t bodies) {
    for (uint32_t k = 0; k < threads; k++) {
        uint32_t chosen = 1 + (k < bodies ? k : below(m, bodies));
        uint32_t argument =
            m->p->body[chosen].takes_pointer ? make_pointer(m) : make_number(m, (int32_t)below(m, 3));
        before = tree_stmt(m->p, STMT_CREATE, before);
        stmt *s = tree_at(m->p, before);
        s->number = (int32_t)k;
        s->op = (uint8_t)chosen;
        s->a = argument;
    }
    return before;
}

static void make_main(maker *m, uint32_t threads, uint32_t bodies) {
    program_tree *p = m->p;
    m->body = 0;
    p->body[0].slots = threads; /* further ones are for what is created on the way */
    uint32_t at = p->body[0].first;
    make_list(m, at, chance(m, 30), 0);
    while (tree_at(p, at)->next != NONE) at = tree_at(p, at)->next;
    at = create_threads(m, at, threads, bodies);
    make_list(m, at, below(m, 3), 1);
    while (tree_at(p, at)->next != NONE) at = tree_at(p, at)->next;
    bool joins = chance(m, 85);
    for (uint32_t k = 0; k < threads; k++) {
        if (!joins || chance(m, 8)) continue;
        uint32_t target = chance(m, 30) ? make_local(m) : NONE;
        at = tree_stmt(p, STMT_JOIN, at);
        tree_at(p, at)->number = (int32_t)k;
        tree_at(p, at)->target = target;
    }
    for (unsigned k = below(m, 3); k > 0; k--) {
        uint32_t condition = make_condition(m);
        at = tree_stmt(p, STMT_ASSERT, at);
        tree_at(p, at)->a = condition;
        tree_at(p, at)->number = (int32_t)below(m, ASSERT_STYLES);
    }
}

void make_tree(uint64_t seed, profile which, program_tree *out) {
    *out = (program_tree){0};
    maker m = {.p = out, .random = {hash_pair(seed, which)}, .taste = taste_of(which)};
    bool nested = m.taste.create != 0;
    uint32_t threads = nested ? 1 + chance(&m, 75) : 2;
    threads += chance(&m, 25);
    uint32_t bodies = threads > 1 && chance(&m, 20) ? threads - 1 : threads;
    if (nested) bodies++;
    make_declarations(&m);
    make_signatures(&m, bodies);
    for (uint32_t k = 1; k < out->bodies; k++) {
        m.body = k;
        unsigned most = threads > 2 || out->body[k].role == BODY_ONCE ? 2 : 4;
        make_list(&m, out->body[k].first, 1 + below(&m, most), 2);
    }
    make_main(&m, threads, bodies);
}
