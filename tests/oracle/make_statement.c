/* Random statements. */
#include "generator.h"

static uint32_t make_target(maker *m, uint32_t body) {
    if (m->taste.pointed && chance(m, 2u * m->taste.pointed)) {
        uint32_t pointer = make_pointer(m, body);
        if (pointer != TINY_NONE) return tiny_expr_add(m->p, EXPR_POINTED, 0, 0, pointer, TINY_NONE);
    }
    int32_t local = chance(m, 15) ? find_local(m, body, false) : -1;
    if (local >= 0) return tiny_expr_add(m->p, EXPR_LOCAL, 0, local, TINY_NONE, TINY_NONE);
    return make_global(m, body, 1);
}

static tiny_type target_type(maker *m, uint32_t body, uint32_t target) {
    const tiny_expr *e = &m->p->exprs.data[target];
    if (e->kind == EXPR_POINTED) return pointed_type(m, body, e->a);
    return e->kind == EXPR_LOCAL ? m->p->body[body].local[e->number].type : m->p->global[e->number].type;
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
    uint32_t value = chance(m, 40) ? make_number(m, (int32_t)below(m, 3)) : make_value(m, body, 2);
    bool bounded = type == TINY_BOOL || m->p->exprs.data[value].kind == EXPR_NUMBER;
    if (!bounded && (endless || chance(m, 50)))
        value = make_binary(m, OP_AND, value, make_number(m, chance(m, 50) ? 1 : 3));
    tiny_at(m->p, s)->target = target;
    tiny_at(m->p, s)->a = value;
}

static void fill_update(maker *m, uint32_t s, uint32_t body, bool endless) {
    static const uint8_t any[] = {OP_ADD, OP_ADD, OP_ADD, OP_SUB, OP_MUL,
                                  OP_AND, OP_OR,  OP_XOR, OP_SHL, OP_DIV};
    static const uint8_t bounded[] = {OP_AND, OP_OR, OP_XOR};
    uint32_t target = make_target(m, body);
    bool grows = !endless || target_type(m, body, target) == TINY_BOOL;
    tiny_operator op = grows ? any[below(m, sizeof any)] : bounded[below(m, sizeof bounded)];
    bool plain = op == OP_DIV || op == OP_SHL || chance(m, 70);
    uint32_t value = plain ? make_number(m, 1 + (int32_t)below(m, 2))
                           : make_binary(m, OP_AND, make_leaf(m, body, 1), make_number(m, 3));
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

void make_list(maker *m, uint32_t head, unsigned count, unsigned depth, bool endless) {
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

/* An index that chooses an event at run time, or TINY_NONE. */
static uint32_t make_event_index(maker *m, uint32_t body) {
    if (!m->p->event_array || m->p->events < 2 || !chance(m, 50)) return TINY_NONE;
    uint32_t v = make_leaf(m, body, 0);
    if (is_variable(m, v) && may_be_wrong(m)) return v;
    return make_binary(m, OP_AND, v, make_number(m, 1));
}

static void fill_event(maker *m, uint32_t s, uint32_t body) {
    uint32_t index = make_event_index(m, body);
    tiny_at(m->p, s)->target = index;
    tiny_at(m->p, s)->number = (int32_t)below(m, m->p->events);
}

static void fill_wait(maker *m, uint32_t s, uint32_t body, bool many, bool timed) {
    uint32_t delay = timed ? make_delay(m, body) : TINY_NONE;
    uint32_t index = make_event_index(m, body);
    tiny_stmt *t = tiny_at(m->p, s);
    t->kind = STMT_WAIT;
    t->target = index;
    t->events = (uint8_t)(1u << below(m, m->p->events));
    if (many) t->events |= (uint8_t)(1u << below(m, m->p->events));
    t->op = many && chance(m, 50);
    t->a = delay;
}

void fill_some_wait(maker *m, uint32_t s, uint32_t body) {
    if (m->p->events && chance(m, 65)) {
        fill_wait(m, s, body, chance(m, 20), chance(m, 10));
        return;
    }
    uint32_t delay = make_delay(m, body);
    tiny_at(m->p, s)->kind = STMT_WAIT_TIME;
    tiny_at(m->p, s)->a = delay;
}

/* A loop over a local of its own, if the body has one to spare. Statements inside may change it: the
 * reference refuses programs whose steps do not end. */
static bool fill_loop(maker *m, uint32_t s, uint32_t body, unsigned depth) {
    tiny_body *b = &m->p->body[body];
    if (b->locals >= TINY_MOST_LOCALS) return false;
    int32_t counter = b->locals++;
    b->local[counter] = (tiny_local){.type = TINY_INT};
    uint32_t block = make_block(m, body, 1 + below(m, 2), depth - 1, false);
    if (m->p->body[body].role != BODY_UPDATE && chance(m, 80)) {
        uint32_t pause = tiny_insert(m->p, block, STMT_WAIT_TIME);
        fill_some_wait(m, pause, body);
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
    bool thread = role == BODY_THREAD || role == BODY_FUNCTION, quiet = role == BODY_UPDATE,
         events = m->p->events > 0;
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
        {quiet ? 0 : 2 * f->heap, STMT_NEW},
        {quiet ? 0 : f->heap, STMT_DELETE},
        {quiet ? 0 : f->heap, STMT_COPY},
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
    uint32_t pointer = make_pointer(m, body), place = make_global(m, body, 0);
    if (pointer == TINY_NONE) return false;
    if (m->p->global[m->p->exprs.data[place].number].type != pointed_type(m, body, pointer)) return false;
    tiny_at(m->p, s)->target = pointer;
    tiny_at(m->p, s)->a = place;
    return true;
}

static bool fill_heap(maker *m, uint32_t s, uint32_t body) {
    uint32_t pointer = make_pointer(m, body);
    if (pointer == TINY_NONE) return false;
    tiny_at(m->p, s)->target = pointer;
    tiny_at(m->p, s)->op = (uint8_t)pointed_type(m, body, pointer);
    if (tiny_at(m->p, s)->kind != STMT_COPY) return true;
    uint32_t other = make_pointer(m, body);
    tiny_at(m->p, s)->a = other;
    return other != TINY_NONE && pointed_type(m, body, other) == pointed_type(m, body, pointer);
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
        fill_event(m, s, body);
        return true;
    case STMT_NOTIFY:
    case STMT_CANCEL: fill_event(m, s, body); return true;
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
    case STMT_NEW:
    case STMT_DELETE:
    case STMT_COPY: return fill_heap(m, s, body);
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
