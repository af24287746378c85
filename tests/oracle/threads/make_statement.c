#include "make.h"

static uint32_t add(maker *m, stmt_kind kind, uint32_t before) {
    return tree_stmt(m->p, kind, before);
}

/* A new list with some statements. */
static uint32_t make_block(maker *m, unsigned count, unsigned depth) {
    uint32_t first = tree_stmt(m->p, STMT_NOTHING, NONE);
    make_list(m, first, count, depth);
    return first;
}

static uint32_t last_of(maker *m, uint32_t s) {
    while (tree_at(m->p, s)->next != NONE) s = tree_at(m->p, s)->next;
    return s;
}

static uint32_t put_number(maker *m, stmt_kind kind, uint32_t before, uint32_t number) {
    uint32_t s = add(m, kind, before);
    tree_at(m->p, s)->number = (int32_t)number;
    return s;
}

static uint32_t put_into(maker *m, stmt_kind kind, uint32_t before, uint32_t number) {
    uint32_t s = put_number(m, kind, before, number), target = make_local(m);
    tree_at(m->p, s)->target = target;
    return s;
}

static uint32_t put_condition(maker *m, stmt_kind kind, uint32_t before) {
    uint32_t condition = make_condition(m), s = add(m, kind, before);
    tree_at(m->p, s)->a = condition;
    return s;
}

/* --- groups of statements: each returns the last -------------------------------------------------------- */

static uint32_t make_assign(maker *m, uint32_t before) {
    uint32_t target = chance(m, 65) ? make_place(m) : make_local(m), value = make_value(m, 2);
    uint32_t s = add(m, STMT_ASSIGN, before);
    tree_at(m->p, s)->target = target;
    tree_at(m->p, s)->a = value;
    return s;
}

static uint32_t make_change(maker *m, uint32_t before) {
    static const expr_kind operators[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_OR, EXPR_XOR};
    uint32_t target = chance(m, 80) ? make_place(m) : make_local(m), value = make_value(m, 1);
    uint32_t s = add(m, STMT_CHANGE, before);
    tree_at(m->p, s)->target = target;
    tree_at(m->p, s)->op = (uint8_t)operators[below(m, 5)];
    tree_at(m->p, s)->a = value;
    return s;
}

static uint32_t make_branch(maker *m, uint32_t before, unsigned depth) {
    uint32_t condition = make_condition(m), body = make_block(m, 1 + below(m, 2), depth);
    uint32_t other = chance(m, 30) ? make_block(m, 1, depth) : NONE, s = add(m, STMT_IF, before);
    tree_at(m->p, s)->a = condition;
    tree_at(m->p, s)->body = body;
    tree_at(m->p, s)->other = other;
    return s;
}

/* while (1) { …; } */
static uint32_t make_endless(maker *m, uint32_t before) {
    uint32_t body = make_block(m, 1 + below(m, 2), 0), always = make_number(m, 1),
             s = add(m, STMT_WHILE, before);
    tree_at(m->p, s)->a = always;
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t make_spin(maker *m, uint32_t before) {
    if (m->taste.endless && chance(m, m->taste.endless)) return make_endless(m, before);
    uint32_t body = make_block(m, chance(m, 20), 0), s = put_condition(m, STMT_WHILE, before);
    tree_at(m->p, s)->body = body;
    return s;
}

/* while (g < n) { …; g = g + 1; }: ends, unless somebody interferes */
static uint32_t make_loop(maker *m, uint32_t before, unsigned depth) {
    uint32_t counter = make_place(m), most = make_number(m, 1 + (int32_t)below(m, 2)),
             one = make_number(m, 1);
    uint32_t less = tree_expr(m->p, EXPR_LESS, 0, counter, most), body = make_block(m, below(m, 2), depth);
    uint32_t up = add(m, STMT_CHANGE, last_of(m, body)), s = add(m, STMT_WHILE, before);
    tree_at(m->p, up)->target = counter;
    tree_at(m->p, up)->op = EXPR_ADD;
    tree_at(m->p, up)->a = one;
    tree_at(m->p, s)->a = less;
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t put_assignment(maker *m, uint32_t before, uint32_t place, int32_t value) {
    uint32_t number = make_number(m, value), s = add(m, STMT_ASSIGN, before);
    tree_at(m->p, s)->target = place;
    tree_at(m->p, s)->a = number;
    return s;
}

/* while (condition) { g = 1; …; g = 0; }, also by a lock */
static uint32_t make_blink(maker *m, uint32_t before) {
    uint32_t body = tree_stmt(m->p, STMT_NOTHING, NONE), place = tree_expr(m->p, EXPR_GLOBAL, 0, NONE, NONE);
    bool locks = m->p->mutexes && chance(m, 40);
    uint32_t mutex = locks ? below(m, m->p->mutexes) : 0;
    int32_t value = (int32_t)below(m, 2);
    uint32_t s = locks ? put_number(m, STMT_LOCK, body, mutex) : put_assignment(m, body, place, value);
    if (chance(m, 20)) make_list(m, s, 1, 0);
    s = last_of(m, s);
    if (locks)
        put_number(m, STMT_UNLOCK, s, mutex);
    else
        put_assignment(m, s, place, 1 - value);
    uint32_t condition = make_condition(m), loop = add(m, STMT_WHILE, before);
    tree_at(m->p, loop)->a = condition;
    tree_at(m->p, loop)->body = body;
    return loop;
}

/* if (g == 0 && g == 1 && g == 0 …) assert(0) */
static uint32_t make_look(maker *m, uint32_t before) {
    uint32_t condition = NONE, place = tree_expr(m->p, EXPR_GLOBAL, 0, NONE, NONE);
    int32_t value = (int32_t)below(m, 2);
    for (unsigned k = 2 + below(m, 3); k > 0; k--, value = 1 - value) {
        uint32_t seen = tree_expr(m->p, EXPR_EQUAL, 0, place, make_number(m, value));
        condition = condition == NONE ? seen : tree_expr(m->p, EXPR_BOTH, 0, seen, condition);
    }
    uint32_t body = tree_stmt(m->p, STMT_NOTHING, NONE), never = make_number(m, 0);
    tree_at(m->p, add(m, STMT_ASSERT, body))->a = never;
    uint32_t s = add(m, STMT_IF, before);
    tree_at(m->p, s)->a = condition;
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t make_rounds(maker *m, uint32_t before, unsigned depth) {
    if (m->loops == 2) return before;
    m->loops++;
    uint32_t body = make_block(m, 1, depth);
    m->loops--;
    uint32_t s = put_number(m, STMT_FOR, before, 1 + below(m, 2));
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t make_locked(maker *m, uint32_t before, unsigned depth) {
    uint32_t mutex = below(m, m->p->mutexes), s = put_number(m, STMT_LOCK, before, mutex);
    if (m->p->mutex[mutex] == MUTEX_CHECKED && chance(m, 60)) {
        uint32_t target = make_local(m);
        tree_at(m->p, s)->target = target;
    }
    make_list(m, s, 1 + below(m, 2), depth);
    s = last_of(m, s);
    return chance(m, 95) ? put_number(m, STMT_UNLOCK, s, mutex) : s;
}

static uint32_t make_trylock(maker *m, uint32_t before, unsigned depth) {
    uint32_t mutex = below(m, m->p->mutexes), s = put_into(m, STMT_TRYLOCK, before, mutex);
    uint32_t got = tree_expr(m->p, EXPR_EQUAL, 0, tree_at(m->p, s)->target, make_number(m, 0));
    uint32_t body = make_block(m, 1, depth);
    put_number(m, STMT_UNLOCK, last_of(m, body), mutex);
    uint32_t branch = add(m, STMT_IF, s);
    tree_at(m->p, branch)->a = got;
    tree_at(m->p, branch)->body = body;
    return branch;
}

/* lock; while (condition) wait; …; unlock */
static uint32_t make_wait(maker *m, uint32_t before) {
    uint32_t mutex = below(m, m->p->mutexes), s = put_number(m, STMT_LOCK, before, mutex);
    uint32_t body = tree_stmt(m->p, STMT_NOTHING, NONE);
    uint32_t wait = put_number(m, STMT_WAIT, body, below(m, m->p->conditions));
    tree_at(m->p, wait)->op = (uint8_t)mutex;
    s = put_condition(m, chance(m, 60) ? STMT_WHILE : STMT_IF, s);
    tree_at(m->p, s)->body = body;
    if (chance(m, 60)) s = chance(m, 50) ? make_assign(m, s) : make_change(m, s);
    return put_number(m, STMT_UNLOCK, s, mutex);
}

/* lock; …; signal; unlock */
static uint32_t make_signal(maker *m, uint32_t before) {
    uint32_t mutex = below(m, m->p->mutexes), condition = below(m, m->p->conditions);
    bool locked = chance(m, 80), inside = chance(m, 70);
    stmt_kind kind = chance(m, 65) ? STMT_SIGNAL : STMT_BROADCAST;
    uint32_t s = locked ? put_number(m, STMT_LOCK, before, mutex) : before;
    s = chance(m, 50) ? make_assign(m, s) : make_change(m, s);
    if (inside) s = put_number(m, kind, s, condition);
    if (locked) s = put_number(m, STMT_UNLOCK, s, mutex);
    return inside ? s : put_number(m, kind, s, condition);
}

static uint32_t make_semaphore(maker *m, uint32_t before) {
    uint32_t which = below(m, m->p->semaphores), kind = below(m, 10);
    if (kind < 4) return put_number(m, STMT_DOWN, before, which);
    if (kind < 9) return put_number(m, STMT_UP, before, which);
    return put_into(m, STMT_TRYDOWN, before, which);
}

/* lock; …; unlock, or if (trylock == 0) { …; unlock } */
static uint32_t make_rwlocked(maker *m, uint32_t before, unsigned depth) {
    static const stmt_kind kinds[] = {STMT_READ_LOCK,  STMT_READ_LOCK, STMT_WRITE_LOCK,
                                      STMT_WRITE_LOCK, STMT_TRY_READ,  STMT_TRY_WRITE};
    uint32_t lock = below(m, m->p->rwlocks);
    stmt_kind kind = kinds[below(m, 6)];
    if (kind == STMT_READ_LOCK || kind == STMT_WRITE_LOCK) {
        uint32_t s = put_number(m, kind, before, lock);
        make_list(m, s, 1 + below(m, 2), depth);
        return put_number(m, STMT_RELEASE, last_of(m, s), lock);
    }
    uint32_t s = put_into(m, kind, before, lock);
    uint32_t got = tree_expr(m->p, EXPR_EQUAL, 0, tree_at(m->p, s)->target, make_number(m, 0));
    uint32_t body = make_block(m, 1, depth);
    put_number(m, STMT_RELEASE, last_of(m, body), lock);
    uint32_t branch = add(m, STMT_IF, s);
    tree_at(m->p, branch)->a = got;
    tree_at(m->p, branch)->body = body;
    return branch;
}

static uint32_t make_meet(maker *m, uint32_t before) {
    uint32_t which = below(m, m->p->barriers);
    return chance(m, 40) ? put_into(m, STMT_MEET, before, which) : put_number(m, STMT_MEET, before, which);
}

static uint32_t some_body(maker *m, body_role role);

static uint32_t make_once(maker *m, uint32_t before) {
    uint32_t body = some_body(m, BODY_ONCE), s = put_number(m, STMT_ONCE, before, below(m, m->p->onces));
    tree_at(m->p, s)->op = (uint8_t)body;
    return s;
}

static uint32_t make_copy(maker *m, uint32_t before) {
    uint32_t to = below(m, 2), s = put_number(m, chance(m, 75) ? STMT_COPY : STMT_FILL, before, to);
    tree_at(m->p, s)->op = (uint8_t)(1 - to);
    return s;
}

static uint32_t make_hook(maker *m, uint32_t before) {
    uint32_t body = some_body(m, BODY_FUNCTION), s = put_number(m, STMT_HOOK, before, below(m, m->p->hooks));
    tree_at(m->p, s)->op = (uint8_t)body;
    return s;
}

static uint32_t make_section(maker *m, uint32_t before) {
    m->in_section = true;
    uint32_t body = make_block(m, 1 + below(m, 3), 1), s = add(m, STMT_ATOMIC, before);
    m->in_section = false;
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t make_atomic(maker *m, uint32_t before, stmt_kind kind) {
    static const expr_kind operators[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_OR, EXPR_AND, EXPR_XOR};
    uint32_t place = make_place(m), a = kind == STMT_LOAD ? NONE : make_value(m, 1);
    uint32_t b = kind == STMT_CAS ? make_value(m, 1) : NONE, target = NONE;
    bool silent = kind == STMT_STORE || (kind == STMT_FETCH && chance(m, 50));
    if (!silent) target = make_local(m);
    uint32_t s = add(m, kind, before);
    stmt *at = tree_at(m->p, s);
    at->place = place;
    at->target = target;
    at->a = a;
    at->b = b;
    at->op = (uint8_t)operators[below(m, 6)];
    if (kind != STMT_CAS) return s;
    const expr *x = &m->p->exprs.data[place];
    bool c11 = x->kind == EXPR_GLOBAL && m->p->atomic[x->number];
    at->number = (int32_t)(c11 ? CAS_STRONG + below(m, 2) : below(m, CAS_STYLES));
    at->op = (uint8_t)below(m, 2);
    return s;
}

static uint32_t make_assert(maker *m, uint32_t before) {
    uint32_t s = put_condition(m, STMT_ASSERT, before);
    tree_at(m->p, s)->number = (int32_t)below(m, ASSERT_STYLES);
    return s;
}

/* if (condition) leave, in one of several ways */
static uint32_t make_leaving(maker *m, uint32_t before) {
    static const stmt_kind ways[] = {STMT_EXIT, STMT_ABORT, STMT_RETURN, STMT_RETURN, STMT_LEAVE};
    uint32_t value = make_value(m, 0), body = tree_stmt(m->p, STMT_NOTHING, NONE);
    bool once = m->p->body[m->body].role == BODY_ONCE; /* which a thread had better not leave by its end */
    uint32_t leave = add(m, ways[below(m, once ? 4 : 5)], body);
    tree_at(m->p, leave)->a = value;
    uint32_t s = put_condition(m, STMT_IF, before);
    tree_at(m->p, s)->body = body;
    return s;
}

static uint32_t make_input(maker *m, uint32_t before) {
    bool by_assumption = chance(m, 30) && !m->in_section;
    uint32_t s =
        put_into(m, by_assumption ? STMT_RANGE : STMT_INPUT, before, by_assumption ? 3 : 2u << below(m, 2));
    tree_at(m->p, s)->op = (uint8_t)below(m, 2);
    return s;
}

/* One of the bodies with this role, of which there are at most two, one behind the other. */
static uint32_t some_body(maker *m, body_role role) {
    for (uint32_t k = 1; k < m->p->bodies; k++)
        if (m->p->body[k].role == role)
            return k + 1 < m->p->bodies && m->p->body[k + 1].role == role ? k + below(m, 2) : k;
    return NONE;
}

/* if (0 < v0) v<…> = f(v0 - 1, …), in f */
static uint32_t make_recursion(maker *m, uint32_t before) {
    uint32_t own = tree_expr(m->p, EXPR_LOCAL, 0, NONE, NONE), zero = make_number(m, 0);
    uint32_t positive = tree_expr(m->p, EXPR_LESS, 0, zero, own), one = make_number(m, 1);
    uint32_t less = tree_expr(m->p, EXPR_SUB, 0, own, one), pointer = make_pointer(m), target = make_local(m);
    uint32_t body = tree_stmt(m->p, STMT_NOTHING, NONE);
    stmt *s = tree_at(m->p, put_number(m, STMT_CALL, body, m->body));
    s->a = less;
    s->b = pointer;
    s->target = target;
    uint32_t branch = add(m, STMT_IF, before);
    tree_at(m->p, branch)->a = positive;
    tree_at(m->p, branch)->body = body;
    return branch;
}

static uint32_t make_call(maker *m, uint32_t before) {
    uint32_t callee = some_body(m, BODY_FUNCTION);
    body_role role = m->p->body[m->body].role;
    if (role == BODY_FUNCTION && callee != NONE && chance(m, 70)) return make_recursion(m, before);
    if (callee == NONE || (role != BODY_MAIN && role != BODY_THREAD)) return make_assign(m, before);
    bool hooked = m->p->hooks && chance(m, 50);
    uint32_t a = make_value(m, 1), b = make_pointer(m),
             target = chance(m, 70) ? make_local(m) : make_place(m);
    uint32_t s = put_number(m, STMT_CALL, before, hooked ? below(m, m->p->hooks) : callee);
    tree_at(m->p, s)->op = hooked;
    tree_at(m->p, s)->a = a;
    tree_at(m->p, s)->b = b;
    tree_at(m->p, s)->target = target;
    return s;
}

static uint32_t make_heap(maker *m, uint32_t before) {
    uint32_t pointer = make_pointer_variable(m), value = make_value(m, 0);
    bool frees = chance(m, 40);
    uint32_t s = put_number(m, frees ? STMT_FREE : STMT_MALLOC, before, 1 + below(m, 2));
    if (!frees) tree_at(m->p, s)->target = pointer;
    tree_at(m->p, s)->a = frees ? pointer : value;
    return s;
}

static uint32_t make_point(maker *m, uint32_t before) {
    uint32_t target = make_pointer_variable(m), value = make_pointer(m), s = add(m, STMT_POINT, before);
    tree_at(m->p, s)->target = target;
    tree_at(m->p, s)->a = value;
    return s;
}

/* A thread with a higher number than the creator's, so that creation ends. */
static uint32_t make_create(maker *m, uint32_t before) {
    body *own = &m->p->body[m->body];
    uint32_t first = m->body + 1, count = 0, candidates[MOST_BODIES];
    for (uint32_t k = first; k < m->p->bodies; k++)
        if (m->p->body[k].role == BODY_THREAD) candidates[count++] = k;
    bool may = own->role == BODY_MAIN || own->role == BODY_THREAD;
    if (!count || own->slots == MOST_SLOTS || !may || m->loops) return before;
    uint32_t chosen = candidates[below(m, count)], slot = own->slots++;
    uint32_t argument = m->p->body[chosen].takes_pointer ? make_pointer(m) : make_value(m, 1);
    uint32_t s = put_number(m, STMT_CREATE, before, slot);
    tree_at(m->p, s)->op = (uint8_t)chosen;
    tree_at(m->p, s)->a = argument;
    if (chance(m, 40)) make_list(m, s, 1, 0);
    s = last_of(m, s);
    if (!chance(m, 60)) return s;
    uint32_t join = put_number(m, STMT_JOIN, s, slot), target = chance(m, 50) ? make_local(m) : NONE;
    tree_at(m->p, join)->target = target;
    return join;
}

/* --- choosing ------------------------------------------------------------------------------------------- */

static uint32_t make_group(maker *m, uint32_t before, unsigned depth) {
    const taste *w = &m->taste;
    bool deep = depth > 0, free = !m->in_section, locks = free && m->p->mutexes;
    bool once = m->p->body[m->body].role == BODY_ONCE;
    struct {
        unsigned weight;
        int what;
    } choices[] = {{w->assign, 0},
                   {w->change, 1},
                   {deep ? w->branch : 0, 2},
                   {free ? w->spin : 0, 3},
                   {deep && free ? w->loop : 0, 4},
                   {deep ? w->rounds : 0, 5},
                   {deep && locks ? w->lock : 0, 6},
                   {deep && locks ? w->trylock : 0, 7},
                   {locks && m->p->conditions ? w->wait : 0, 8},
                   {locks && m->p->conditions ? w->signal : 0, 9},
                   {free && m->p->semaphores ? w->semaphore : 0, 10},
                   {free ? w->create : 0, 11},
                   {deep && free ? w->section : 0, 12},
                   {w->fetch, 13},
                   {w->exchange, 14},
                   {w->cas, 15},
                   {w->load, 16},
                   {w->store, 17},
                   {w->assume, 18},
                   {w->assert, 19},
                   {free ? w->leave : 0, 20},
                   {w->input, 21},
                   {free ? w->call : 0, 22},
                   {w->heap, 23},
                   {w->point, 24},
                   {deep && free ? w->rwlock : 0, 25},
                   {free ? w->barrier : 0, 26},
                   {free && !once ? w->once : 0, 27},
                   {w->copy, 28},
                   {w->hook, 29},
                   {free ? w->blink : 0, 30},
                   {w->look, 31}};
    enum { CHOICES = sizeof choices / sizeof *choices };
    unsigned total = 0, k = 0;
    for (unsigned i = 0; i < CHOICES; i++) total += choices[i].weight;
    unsigned at = below(m, total);
    while (at >= choices[k].weight) at -= choices[k++].weight;
    unsigned inner = deep ? depth - 1 : 0;
    switch (choices[k].what) {
    case 1: return make_change(m, before);
    case 2: return make_branch(m, before, inner);
    case 3: return make_spin(m, before);
    case 4: return make_loop(m, before, inner);
    case 5: return make_rounds(m, before, inner);
    case 6: return make_locked(m, before, inner);
    case 7: return make_trylock(m, before, inner);
    case 8: return make_wait(m, before);
    case 9: return make_signal(m, before);
    case 10: return make_semaphore(m, before);
    case 11: return make_create(m, before);
    case 12: return make_section(m, before);
    case 13: return make_atomic(m, before, STMT_FETCH);
    case 14: return make_atomic(m, before, STMT_EXCHANGE);
    case 15: return make_atomic(m, before, STMT_CAS);
    case 16: return make_atomic(m, before, STMT_LOAD);
    case 17: return make_atomic(m, before, STMT_STORE);
    case 18: return put_condition(m, STMT_ASSUME, before);
    case 19: return make_assert(m, before);
    case 20: return make_leaving(m, before);
    case 21: return make_input(m, before);
    case 22: return make_call(m, before);
    case 23: return make_heap(m, before);
    case 24: return make_point(m, before);
    case 25: return make_rwlocked(m, before, inner);
    case 26: return make_meet(m, before);
    case 27: return make_once(m, before);
    case 28: return make_copy(m, before);
    case 29: return make_hook(m, before);
    case 30: return make_blink(m, before);
    case 31: return make_look(m, before);
    default: return make_assign(m, before);
    }
}

void make_list(maker *m, uint32_t before, unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; i++) before = make_group(m, before, depth);
}
