#include "generator.h"

#include "base/hash.h"

/* --- random numbers --------------------------------------------------------------------------------------------------- */

uint64_t random_next(random_source *r) { return hash_mix(r->state += UINT64_C(0x9e3779b97f4a7c15)); }
uint32_t random_below(random_source *r, uint32_t n) { return (uint32_t)(random_next(r) >> 33) % n; }
bool random_chance(random_source *r, uint32_t percent) { return random_below(r, 100) < percent; }

static uint32_t below(maker *m, uint32_t n) { return random_below(&m->random, n); }
static bool chance(maker *m, uint32_t percent) { return random_chance(&m->random, percent); }

/* --- profiles -------------------------------------------------------------------------------------------------------------- */

static const char *const names[PROFILES] = {"concrete", "symbolic", "timing", "suspend", "update", "memory", "listing", "mixed"};

const char *profile_name(profile p) { return names[p]; }

flavour flavour_of(profile which) {
    flavour f = {.assign = 20, .update = 10, .branch = 10, .loop = 2, .wait = 14, .wait_many = 4, .timeout = 1, .wait_time = 10,
                 .notify = 22, .notify_after = 8, .cancel = 2, .check = 8, .element = 8};
    switch (which) {
    case PROFILE_CONCRETE: f.stop = 1; break;
    case PROFILE_SYMBOLIC: f.input = 25; f.assume = 3; f.check = 12; break;
    case PROFILE_TIMING: f.timeout = 8; f.wait_time = 16; f.notify_after = 14; f.time = 12; f.cancel = 4; break;
    case PROFILE_SUSPEND: f.suspend = 25; break;
    case PROFILE_UPDATE: f.request = 25; break;
    case PROFILE_MEMORY: f.call = 8; f.element = 30; f.pointed = 20; f.hazard = 10; break;
    default:
        f.input = 8; f.assume = 3; f.suspend = 6; f.request = 6; f.call = 4; f.timeout = 4; f.time = 4; f.pointed = 6; f.stop = 1;
        f.hazard = 3;
        break;
    }
    return f;
}

/* --- expressions --------------------------------------------------------------------------------------------------------------- */

static uint32_t number(maker *m, int32_t n) { return tiny_expr_add(m->p, EXPR_NUMBER, 0, n, TINY_NONE, TINY_NONE); }

static uint32_t binary(maker *m, tiny_operator op, uint32_t a, uint32_t b) {
    return tiny_expr_add(m->p, EXPR_BINARY, op, 0, a, b);
}

static uint32_t make_value(maker *m, uint32_t body, unsigned depth);

static bool may_be_wrong(maker *m) { return m->taste.hazard && chance(m, m->taste.hazard); }

/* A constant index or divisor that is wrong does not compile. */
static bool is_variable(const maker *m, uint32_t e) {
    uint8_t kind = m->p->exprs.data[e].kind;
    return kind == EXPR_GLOBAL || kind == EXPR_ELEMENT || kind == EXPR_LOCAL || kind == EXPR_POINTED;
}

static uint32_t make_index(maker *m, uint32_t body, unsigned elements, unsigned depth) {
    if (chance(m, 50)) return number(m, (int32_t)below(m, elements));
    uint32_t v = make_value(m, body, depth ? depth - 1 : 0);
    if (is_variable(m, v) && may_be_wrong(m)) return v;
    return binary(m, OP_AND, v, number(m, elements >= 4 ? 3 : 1));
}

static uint32_t make_global(maker *m, uint32_t body, unsigned depth) {
    uint32_t g = below(m, m->p->globals);
    unsigned elements = m->p->global[g].elements;
    if (!elements) return tiny_expr_add(m->p, EXPR_GLOBAL, 0, (int32_t)g, TINY_NONE, TINY_NONE);
    uint32_t index = make_index(m, body, elements, depth);
    return tiny_expr_add(m->p, EXPR_ELEMENT, 0, (int32_t)g, index, TINY_NONE);
}

static int32_t find_local(maker *m, uint32_t body, bool pointer) {
    const tiny_body *b = &m->p->body[body];
    int32_t found = -1;
    for (unsigned k = 0, seen = 0; k < b->locals; k++)
        if (b->local[k].pointer == pointer && below(m, ++seen) == 0) found = (int32_t)k;
    return found;
}

static uint32_t make_input(maker *m) {
    static const uint8_t types[] = {TINY_BOOL, TINY_U8, TINY_INT, TINY_UINT, TINY_CHAR, TINY_LONG};
    tiny_type t = types[below(m, sizeof types)];
    return tiny_expr_add(m->p, EXPR_INPUT, t, t == TINY_BOOL ? 0 : chance(m, 70) ? 1 : 3, TINY_NONE, TINY_NONE);
}

static uint32_t make_leaf(maker *m, uint32_t body, unsigned depth) {
    if (m->taste.input && chance(m, m->taste.input)) return make_input(m);
    if (m->limited && m->taste.time && chance(m, m->taste.time)) return tiny_expr_add(m->p, EXPR_TIME, 0, 0, TINY_NONE, TINY_NONE);
    int32_t pointer = m->taste.pointed && chance(m, m->taste.pointed) ? find_local(m, body, true) : -1;
    if (pointer >= 0) return tiny_expr_add(m->p, EXPR_POINTED, 0, pointer, TINY_NONE, TINY_NONE);
    if (chance(m, 30)) return number(m, (int32_t)below(m, 4) - (chance(m, 10) ? 2 : 0));
    int32_t local = chance(m, 25) ? find_local(m, body, false) : -1;
    if (local >= 0) return tiny_expr_add(m->p, EXPR_LOCAL, 0, local, TINY_NONE, TINY_NONE);
    return make_global(m, body, depth);
}

static uint32_t make_value(maker *m, uint32_t body, unsigned depth) {
    if (!depth || chance(m, 45)) return make_leaf(m, body, depth);
    static const uint8_t operators[] = {OP_ADD, OP_ADD, OP_SUB, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR};
    uint32_t a = make_value(m, body, depth - 1), e;
    switch (below(m, 10)) {
    case 0: {
        uint32_t divisor = may_be_wrong(m) ? make_leaf(m, body, 0) : TINY_NONE;
        if (divisor == TINY_NONE || !is_variable(m, divisor)) divisor = number(m, 1 + (int32_t)below(m, 3));
        return binary(m, chance(m, 50) ? OP_DIV : OP_REM, a, divisor);
    }
    case 1: return binary(m, chance(m, 50) ? OP_SHL : OP_SHR, a, number(m, (int32_t)below(m, 3)));
    case 2: {
        uint32_t condition = make_condition(m, body), b = make_value(m, body, depth - 1);
        e = tiny_expr_add(m->p, EXPR_SELECT, 0, 0, condition, a);
        m->p->exprs.data[e].c = b;
        return e;
    }
    case 3: return tiny_expr_add(m->p, EXPR_UNARY, OP_NOT + below(m, 3), 0, a, TINY_NONE);
    case 4: return tiny_expr_add(m->p, EXPR_CAST, below(m, TINY_TYPES), 0, a, TINY_NONE);
    default: return binary(m, operators[below(m, sizeof operators)], a, make_value(m, body, depth - 1));
    }
}

static uint32_t make_comparison(maker *m, uint32_t body) {
    static const uint8_t operators[] = {OP_EQ, OP_EQ, OP_NE, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
    uint32_t a = chance(m, 70) ? make_leaf(m, body, 1) : make_value(m, body, 2);
    uint32_t b = chance(m, 60) ? number(m, (int32_t)below(m, 3)) : make_leaf(m, body, 1);
    return binary(m, operators[below(m, sizeof operators)], a, b);
}

uint32_t make_condition(maker *m, uint32_t body) {
    switch (below(m, 8)) {
    case 0:
    case 1: {
        uint32_t a = make_comparison(m, body);
        return binary(m, chance(m, 50) ? OP_BOTH : OP_EITHER, a, make_comparison(m, body));
    }
    case 2: return tiny_expr_add(m->p, EXPR_UNARY, OP_NOT, 0, make_leaf(m, body, 1), TINY_NONE);
    case 3: return make_leaf(m, body, 1);
    default: return make_comparison(m, body);
    }
}

static uint32_t make_delay(maker *m, uint32_t body) {
    if (chance(m, 80)) return number(m, (int32_t)below(m, 3));
    return binary(m, OP_AND, make_leaf(m, body, 0), number(m, 1));
}

/* --- statements ------------------------------------------------------------------------------------------------------------------ */

static uint32_t make_target(maker *m, uint32_t body) {
    int32_t pointer = m->taste.pointed && chance(m, 2u * m->taste.pointed) ? find_local(m, body, true) : -1;
    if (pointer >= 0) return tiny_expr_add(m->p, EXPR_POINTED, 0, pointer, TINY_NONE, TINY_NONE);
    int32_t local = chance(m, 15) ? find_local(m, body, false) : -1;
    if (local >= 0) return tiny_expr_add(m->p, EXPR_LOCAL, 0, local, TINY_NONE, TINY_NONE);
    return make_global(m, body, 1);
}

static tiny_type target_type(maker *m, uint32_t body, uint32_t target) {
    const tiny_expr *e = &m->p->exprs.data[target];
    bool local = e->kind == EXPR_LOCAL || e->kind == EXPR_POINTED;
    return local ? m->p->body[body].local[e->number].type : m->p->global[e->number].type;
}

static void fill_assignment(maker *m, uint32_t s, uint32_t body, bool endless) {
    uint32_t target = make_target(m, body);
    tiny_type type = target_type(m, body, target);
    /* The text names the target of a range twice, so it must be the same place both times. */
    const tiny_expr *place = &m->p->exprs.data[target];
    bool fixed = place->kind != EXPR_ELEMENT || m->p->exprs.data[place->a].kind == EXPR_NUMBER;
    if (m->taste.input && fixed && type != TINY_BOOL && chance(m, m->taste.input / 2)) {
        tiny_stmt *range = tiny_at(m->p, s);
        range->kind = STMT_RANGE;
        range->op = (uint8_t)type;
        range->target = target;
        range->number = (int32_t)below(m, 2);
        range->more = range->number + 1 + (int32_t)below(m, 2);
        return;
    }
    uint32_t value = chance(m, 40) ? number(m, (int32_t)below(m, 3)) : make_value(m, body, 2);
    bool bounded = type == TINY_BOOL || m->p->exprs.data[value].kind == EXPR_NUMBER;
    if (!bounded && (endless || chance(m, 50))) value = binary(m, OP_AND, value, number(m, chance(m, 50) ? 1 : 3));
    tiny_at(m->p, s)->target = target;
    tiny_at(m->p, s)->a = value;
}

static void fill_update(maker *m, uint32_t s, uint32_t body, bool endless) {
    static const uint8_t any[] = {OP_ADD, OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_SHL, OP_DIV};
    static const uint8_t bounded[] = {OP_AND, OP_OR, OP_XOR};
    uint32_t target = make_target(m, body);
    bool grows = !endless || target_type(m, body, target) == TINY_BOOL;
    tiny_operator op = grows ? any[below(m, sizeof any)] : bounded[below(m, sizeof bounded)];
    bool plain = op == OP_DIV || op == OP_SHL || chance(m, 70);
    uint32_t value = plain ? number(m, 1 + (int32_t)below(m, 2)) : binary(m, OP_AND, make_leaf(m, body, 1), number(m, 3));
    tiny_stmt *t = tiny_at(m->p, s);
    t->op = (uint8_t)op;
    t->target = target;
    t->a = value;
}

static uint32_t some_body(maker *m, body_role role, uint32_t most) {
    uint32_t found = TINY_NONE, seen = 0;
    for (uint32_t b = 0; b < m->p->bodies && b < most; b++)
        if (m->p->body[b].role == role && below(m, ++seen) == 0) found = b;
    return found;
}

static void make_list(maker *m, uint32_t head, unsigned count, unsigned depth, bool endless) {
    for (; count; count--) {
        head = make_statement(m, head, depth, endless);
        while (m->p->stmts.data[head].next != TINY_NONE) head = m->p->stmts.data[head].next;
    }
}

static uint32_t make_block(maker *m, uint32_t owner, unsigned count, unsigned depth, bool endless) {
    uint32_t head = tiny_list(m->p, owner);
    make_list(m, head, count, depth, endless);
    return head;
}

static void fill_branch(maker *m, uint32_t s, uint32_t body, unsigned depth, bool endless) {
    uint32_t condition = make_condition(m, body);
    uint32_t yes = make_block(m, body, 1 + below(m, 2), depth - 1, endless);
    uint32_t no = make_block(m, body, chance(m, 40), depth - 1, endless);
    tiny_at(m->p, s)->a = condition;
    tiny_at(m->p, s)->body = yes;
    tiny_at(m->p, s)->other = no;
}

static void fill_wait(maker *m, uint32_t s, uint32_t body, bool many, bool timed) {
    uint32_t delay = timed ? make_delay(m, body) : TINY_NONE;
    tiny_stmt *t = tiny_at(m->p, s);
    t->kind = STMT_WAIT;
    t->events = (uint8_t)(1u << below(m, m->p->events));
    if (many) t->events |= (uint8_t)(1u << below(m, m->p->events));
    t->op = many && chance(m, 50);
    t->a = delay;
}

static void fill_wait_of_some_kind(maker *m, uint32_t s, uint32_t body) {
    if (m->p->events && chance(m, 65)) {
        fill_wait(m, s, body, chance(m, 20), chance(m, 10));
        return;
    }
    uint32_t delay = make_delay(m, body);
    tiny_at(m->p, s)->kind = STMT_WAIT_TIME;
    tiny_at(m->p, s)->a = delay;
}

/* A loop over a dedicated counter: the last local, if the body has one to spare. */
static bool fill_loop(maker *m, uint32_t s, uint32_t body, unsigned depth) {
    tiny_body *b = &m->p->body[body];
    if (b->locals >= TINY_MOST_LOCALS) return false;
    int32_t counter = b->locals;
    b->local[b->locals] = (tiny_local){.type = TINY_INT};
    uint32_t block = make_block(m, body, 1 + below(m, 2), depth - 1, false);
    m->p->body[body].locals = (uint8_t)(counter + 1); /* visible only from here on: statements inside do not change it */
    if (m->p->body[body].role != BODY_UPDATE && chance(m, 80)) {
        uint32_t pause = tiny_insert(m->p, block, STMT_WAIT_TIME);
        fill_wait_of_some_kind(m, pause, body);
    }
    tiny_stmt *t = tiny_at(m->p, s);
    t->number = counter;
    t->more = 1 + (int32_t)below(m, 3);
    t->body = block;
    return true;
}

typedef struct option {
    uint8_t weight, kind;
} option;

static tiny_stmt_kind pick_kind(maker *m, body_role role, unsigned depth) {
    const flavour *f = &m->taste;
    bool thread = role == BODY_THREAD || role == BODY_FUNCTION, quiet = role == BODY_UPDATE, events = m->p->events > 0;
    const option options[] = {
        {f->assign, STMT_ASSIGN},
        {f->update, STMT_UPDATE},
        {depth ? f->branch : 0, STMT_IF},
        {depth && thread ? f->loop : 0, STMT_FOR},
        {thread && events ? f->wait + f->wait_many + f->timeout : 0, STMT_WAIT},
        {thread ? f->wait_time : 0, STMT_WAIT_TIME},
        {events && !quiet ? f->notify : 0, STMT_NOTIFY},
        {events ? f->notify_after : 0, STMT_NOTIFY_AFTER},
        {events && !quiet ? f->cancel : 0, STMT_CANCEL},
        {quiet ? 0 : f->suspend, STMT_SUSPEND},
        {quiet ? 0 : f->suspend, STMT_RESUME},
        {quiet ? 0 : f->request, STMT_REQUEST},
        {f->check, STMT_ASSERT},
        {f->assume, STMT_ASSUME},
        {role == BODY_THREAD ? f->call : 0, STMT_CALL},
        {thread ? f->stop : 0, STMT_STOP},
        {thread && f->pointed ? 3 : 0, STMT_POINT},
    };
    uint32_t total = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) total += options[i].weight;
    uint32_t pick = below(m, total);
    for (size_t i = 0;; i++) {
        if (pick < options[i].weight) return options[i].kind;
        pick -= options[i].weight;
    }
}

/* An address of the type that the pointer wants; false if there is none. */
static bool fill_point(maker *m, uint32_t s, uint32_t body) {
    int32_t pointer = find_local(m, body, true);
    if (pointer < 0) return false;
    uint32_t place = make_global(m, body, 0);
    if (m->p->global[m->p->exprs.data[place].number].type != m->p->body[body].local[pointer].type) return false;
    tiny_at(m->p, s)->number = pointer;
    tiny_at(m->p, s)->a = place;
    return true;
}

static bool fill_call(maker *m, uint32_t s, uint32_t body) {
    uint32_t callee = some_body(m, BODY_FUNCTION, TINY_MOST_BODIES);
    if (callee == TINY_NONE) return false;
    const tiny_body *f = &m->p->body[callee];
    uint32_t argument = TINY_NONE;
    if (f->parameter && f->local[0].pointer) {
        int32_t pointer = find_local(m, body, true);
        if (pointer < 0 || m->p->body[body].local[pointer].type != f->local[0].type) return false;
        argument = tiny_expr_add(m->p, EXPR_LOCAL, 0, pointer, TINY_NONE, TINY_NONE);
    } else if (f->parameter) {
        argument = make_value(m, body, 1);
    }
    tiny_at(m->p, s)->number = (int32_t)callee;
    tiny_at(m->p, s)->a = argument;
    return true;
}

static bool fill(maker *m, uint32_t s, uint32_t body, unsigned depth, bool endless) {
    tiny_stmt_kind kind = m->p->stmts.data[s].kind;
    const flavour *f = &m->taste;
    uint32_t expr;
    switch (kind) {
    case STMT_ASSIGN: fill_assignment(m, s, body, endless); return true;
    case STMT_UPDATE: fill_update(m, s, body, endless); return true;
    case STMT_IF: fill_branch(m, s, body, depth, endless); return true;
    case STMT_FOR: return fill_loop(m, s, body, depth);
    case STMT_WAIT: {
        uint32_t which = below(m, (uint32_t)f->wait + f->wait_many + f->timeout + 1u);
        fill_wait(m, s, body, which > f->wait && chance(m, 70), which > (uint32_t)f->wait + f->wait_many);
        return true;
    }
    case STMT_WAIT_TIME:
        expr = make_delay(m, body);
        tiny_at(m->p, s)->a = expr;
        return true;
    case STMT_NOTIFY_AFTER:
        expr = make_delay(m, body);
        tiny_at(m->p, s)->a = expr;
        tiny_at(m->p, s)->number = (int32_t)below(m, m->p->events);
        return true;
    case STMT_NOTIFY:
    case STMT_CANCEL: tiny_at(m->p, s)->number = (int32_t)below(m, m->p->events); return true;
    case STMT_SUSPEND:
    case STMT_RESUME:
    case STMT_REQUEST: {
        uint32_t other = some_body(m, kind == STMT_REQUEST ? BODY_UPDATE : BODY_THREAD, TINY_MOST_BODIES);
        tiny_at(m->p, s)->number = (int32_t)other;
        return other != TINY_NONE;
    }
    case STMT_ASSERT:
    case STMT_ASSUME:
        expr = make_condition(m, body);
        tiny_at(m->p, s)->a = expr;
        return true;
    case STMT_CALL: return fill_call(m, s, body);
    case STMT_POINT: return fill_point(m, s, body);
    default: return true;
    }
}

uint32_t make_statement(maker *m, uint32_t before, unsigned depth, bool endless) {
    uint32_t body = m->p->stmts.data[before].owner;
    tiny_stmt_kind kind = pick_kind(m, m->p->body[body].role, depth);
    uint32_t s = tiny_insert(m->p, before, kind);
    if (!fill(m, s, body, depth, endless)) tiny_at(m->p, s)->kind = STMT_NOTHING;
    return s;
}

/* --- bodies ---------------------------------------------------------------------------------------------------------------------- */

static void add_locals(maker *m, uint32_t body) {
    tiny_body *b = &m->p->body[body];
    static const uint8_t types[] = {TINY_INT, TINY_INT, TINY_BOOL, TINY_U8, TINY_UINT};
    if (chance(m, 40)) b->local[b->locals++] = (tiny_local){.type = types[below(m, sizeof types)], .initial = (int32_t)below(m, 2)};
    if (m->taste.pointed && chance(m, 60)) {
        uint32_t g = below(m, m->p->globals);
        bool null = may_be_wrong(m);
        b->local[b->locals++] = (tiny_local){.type = m->p->global[g].type, .pointer = true, .initial = null ? -1 : (int32_t)g};
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
    if (first) fill_wait_of_some_kind(m, at = tiny_insert(m->p, at, STMT_WAIT), body);
    make_list(m, at, 1 + below(m, 4), 1, true);
    while (m->p->stmts.data[at].next != TINY_NONE) at = m->p->stmts.data[at].next;
    if (!first) fill_wait_of_some_kind(m, tiny_insert(m->p, at, STMT_WAIT), body);
}

static void make_globals(maker *m) {
    static const uint8_t types[] = {TINY_INT, TINY_INT, TINY_INT, TINY_BOOL, TINY_UINT, TINY_U8, TINY_CHAR, TINY_SHORT};
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
}

static void make_functions(maker *m) {
    for (uint32_t k = 0; k < 2 && m->taste.call && chance(m, 70); k++) {
        uint32_t body = tiny_add_body(m->p, BODY_FUNCTION);
        tiny_body *b = &m->p->body[body];
        if (chance(m, 60)) {
            bool pointer = m->taste.pointed && chance(m, 60);
            b->parameter = true;
            uint32_t g = below(m, m->p->globals);
            b->local[b->locals++] = (tiny_local){.type = pointer ? m->p->global[g].type : TINY_INT, .pointer = pointer};
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
    uint32_t limit = m->limited ? number(m, (int32_t)below(m, 5)) : TINY_NONE;
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
        make_listing(&m);
        if (chance(&m, 60)) m.taste = flavour_of(PROFILE_CONCRETE);
        for (uint32_t edits = below(&m, 7); edits; edits--) mutate(&m);
        return;
    }
    if (!m.taste.input && which != PROFILE_CONCRETE && chance(&m, 30)) m.taste.input = 10;
    m.limited = m.taste.time && chance(&m, 60);
    tiny_add_body(out, BODY_MAIN);
    out->events = (uint8_t)(1 + below(&m, 3));
    make_globals(&m);
    make_functions(&m);
    make_updates(&m);
    uint32_t threads = 2 + below(&m, which == PROFILE_SYMBOLIC || which == PROFILE_MIXED ? 2 : 3);
    if (m.taste.suspend || chance(&m, 30)) { /* bodies first, so that threads can name each other */
        uint32_t first = out->bodies;
        for (uint32_t t = 0; t < threads; t++) make_thread(&m);
        for (size_t s = 0; s < out->stmts.size; s++) { /* those made before the others existed */
            tiny_stmt *x = &out->stmts.data[s];
            if (x->kind == STMT_SUSPEND || x->kind == STMT_RESUME) x->number = (int32_t)(first + below(&m, threads));
        }
    } else {
        for (uint32_t t = 0; t < threads; t++) make_thread(&m);
    }
    fill_main(&m);
}
