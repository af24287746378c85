#include "code.h"

typedef struct writer {
    const program_tree *p;
    flat_code *to;
    ops *out;
    uint32_t body, temps, loops, line;
    uint32_t sections; /* atomic ones around */
} writer;

static op *emit(writer *w, op_kind kind) {
    vec_push(w->out, ((op){.kind = (uint8_t)kind,
                           .dst = NONE,
                           .a = NONE,
                           .b = NONE,
                           .c = NONE,
                           .old = NONE,
                           .line = w->line}));
    return &vec_last(w->out);
}

static uint32_t fresh(writer *w) {
    if (REG_TEMPS + w->temps + 1 >= MOST_REGISTERS) {
        w->to->too_large = true;
        return MOST_REGISTERS - 1;
    }
    return REG_TEMPS + w->temps++;
}

static uint32_t here(const writer *w) {
    return (uint32_t)w->out->size;
}

static uint32_t number(writer *w, int32_t n) {
    uint32_t dst = fresh(w);
    op *o = emit(w, OP_CONST);
    o->dst = dst;
    o->number = n;
    return dst;
}

static uint32_t static_pointer(writer *w, uint32_t object) {
    uint32_t dst = fresh(w);
    op *o = emit(w, OP_STATIC);
    o->dst = dst;
    o->number = (int32_t)object;
    return dst;
}

static void move(writer *w, uint32_t dst, uint32_t a, c_type type) {
    op *o = emit(w, OP_MOVE);
    o->dst = dst;
    o->a = a;
    o->type = type;
}

static uint32_t step(writer *w, uint32_t pointer, uint32_t by) {
    uint32_t dst = fresh(w);
    op *o = emit(w, OP_STEP);
    o->dst = dst;
    o->a = pointer;
    o->b = by;
    return dst;
}

static uint32_t load(writer *w, uint32_t pointer, bool atomic) {
    uint32_t dst = fresh(w);
    op *o = emit(w, OP_LOAD);
    o->dst = dst;
    o->a = pointer;
    o->atomic = atomic;
    return dst;
}

static void store(writer *w, uint32_t pointer, uint32_t value, c_type type, bool atomic) {
    op *o = emit(w, OP_STORE);
    o->a = pointer;
    o->b = value;
    o->type = type;
    o->atomic = atomic;
}

static bool is_atomic(const writer *w, uint32_t e) {
    const expr *x = &w->p->exprs.data[e];
    return x->kind == EXPR_GLOBAL && w->p->atomic[x->number];
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static uint32_t value_of(writer *w, uint32_t e);

/* Pointer to where the number or pointer `e` is kept; not for locals. */
static uint32_t place_of(writer *w, uint32_t e) {
    const expr *x = &w->p->exprs.data[e];
    uint32_t base;
    switch ((expr_kind)x->kind) {
    case EXPR_GLOBAL:
    case EXPR_AT_GLOBAL: return static_pointer(w, object_of_global((uint32_t)x->number));
    case EXPR_ELEMENT:
    case EXPR_AT_ELEMENT:
        base = value_of(w, x->a);
        return step(w, static_pointer(w, object_of_array(w->p, (uint32_t)x->number)), base);
    case EXPR_POINTER_GLOBAL: return static_pointer(w, object_of_pointer(w->p, (uint32_t)x->number));
    case EXPR_FOLLOW: base = value_of(w, x->a); return step(w, base, value_of(w, x->b));
    default:
        base = fresh(w);
        emit(w, OP_OWN_BOX)->dst = base;
        return base;
    }
}

static uint32_t apply(writer *w, expr_kind kind, c_type type, uint32_t a, uint32_t b) {
    uint32_t dst = fresh(w);
    op *o = emit(w, b == NONE ? OP_UNARY : kind == EXPR_DIV || kind == EXPR_REM ? OP_DIVIDE : OP_BINARY);
    o->dst = dst;
    o->sub = kind;
    o->type = type;
    o->a = a;
    o->b = b;
    return dst;
}

/* dst = a && b, or a || b: b is evaluated only if a does not decide. */
static uint32_t short_circuit(writer *w, const expr *x) {
    bool both = x->kind == EXPR_BOTH;
    uint32_t dst = fresh(w), first = value_of(w, x->a);
    if (!both) first = apply(w, EXPR_NOT, C_S32, first, NONE);
    uint32_t decided = here(w);
    emit(w, OP_BRANCH)->a = first;
    uint32_t second = value_of(w, x->b), zero = number(w, 0);
    uint32_t truth = apply(w, EXPR_DIFFERS, C_S64, second, zero);
    move(w, dst, truth, C_S32);
    uint32_t over = here(w);
    emit(w, OP_JUMP);
    w->out->data[decided].target = here(w);
    op *o = emit(w, OP_CONST);
    o->dst = dst;
    o->number = !both;
    w->out->data[over].target = here(w);
    return dst;
}

static uint32_t value_of(writer *w, uint32_t e) {
    const expr *x = &w->p->exprs.data[e];
    uint32_t a, b;
    switch ((expr_kind)x->kind) {
    case EXPR_NUMBER: return number(w, x->number);
    case EXPR_NULL: return number(w, 0);
    case EXPR_LOCAL:
        a = fresh(w);
        move(w, a, REG_LOCALS + (uint32_t)x->number, C_S64);
        return a;
    case EXPR_POINTER_LOCAL:
        a = fresh(w);
        move(w, a, REG_POINTERS + (uint32_t)x->number, C_S64);
        return a;
    case EXPR_GLOBAL:
    case EXPR_ELEMENT:
    case EXPR_BOX:
    case EXPR_FOLLOW:
    case EXPR_POINTER_GLOBAL: a = place_of(w, e); return load(w, a, is_atomic(w, e));
    case EXPR_AT_GLOBAL:
    case EXPR_AT_ELEMENT:
    case EXPR_AT_BOX: return place_of(w, e);
    case EXPR_STEP:
        a = value_of(w, x->a);
        b = value_of(w, x->b);
        return step(w, a, b);
    case EXPR_IS_NULL: a = value_of(w, x->a); return apply(w, EXPR_NOT, C_S64, a, NONE);
    case EXPR_NOT: a = value_of(w, x->a); return apply(w, EXPR_NOT, C_S64, a, NONE);
    case EXPR_NEGATIVE:
    case EXPR_COMPLEMENT:
        a = value_of(w, x->a);
        return apply(w, (expr_kind)x->kind, tree_type(w->p, w->body, e), a, NONE);
    case EXPR_BOTH:
    case EXPR_EITHER: return short_circuit(w, x);
    default:
        a = value_of(w, x->a);
        b = value_of(w, x->b);
        return apply(w, (expr_kind)x->kind,
                     c_common(tree_type(w->p, w->body, x->a), tree_type(w->p, w->body, x->b)), a, b);
    }
}

/* --- assignments ---------------------------------------------------------------------------------------- */

/* A target is a local number or pointer, or something in memory. */
static void assign(writer *w, uint32_t target, uint32_t value) {
    if (target == NONE) return;
    const expr *x = &w->p->exprs.data[target];
    if (x->kind == EXPR_LOCAL)
        move(w, REG_LOCALS + (uint32_t)x->number, value, tree_type(w->p, w->body, target));
    else if (x->kind == EXPR_POINTER_LOCAL)
        move(w, REG_POINTERS + (uint32_t)x->number, value, C_S64);
    else
        store(w, place_of(w, target), value,
              x->kind == EXPR_POINTER_GLOBAL ? C_S64 : tree_type(w->p, w->body, target),
              is_atomic(w, target));
}

/* target op= a: the right side first, then the place, which is found once. */
static void change(writer *w, const stmt *s) {
    const expr *x = &w->p->exprs.data[s->target];
    uint32_t right = value_of(w, s->a);
    c_type own = tree_type(w->p, w->body, s->target), common = c_common(own, tree_type(w->p, w->body, s->a));
    if (x->kind == EXPR_LOCAL) {
        uint32_t reg = REG_LOCALS + (uint32_t)x->number;
        move(w, reg, apply(w, (expr_kind)s->op, common, reg, right), own);
        return;
    }
    uint32_t place = place_of(w, s->target);
    if (is_atomic(w, s->target)) {
        op *o = emit(w, OP_FETCH);
        o->sub = s->op;
        o->type = own;
        o->atomic = true;
        o->a = place;
        o->b = right;
        return;
    }
    uint32_t old = load(w, place, false);
    store(w, place, apply(w, (expr_kind)s->op, common, old, right), own, false);
}

/* --- statements ----------------------------------------------------------------------------------------- */

static void write_list(writer *w, uint32_t s);

static void simple(writer *w, op_kind kind, uint32_t a, int32_t n) {
    op *o = emit(w, kind);
    o->a = a;
    o->number = n;
}

static void into_target(writer *w, op_kind kind, const stmt *s) {
    uint32_t dst = fresh(w);
    op *o = emit(w, kind);
    o->dst = dst;
    o->number = s->number;
    assign(w, s->target, dst);
}

static void clear_temps(writer *w) {
    emit(w, OP_CLEAR);
    w->temps = 0;
}

static void write_if(writer *w, const stmt *s) {
    uint32_t condition = value_of(w, s->a), skip = here(w);
    emit(w, OP_BRANCH)->a = condition;
    clear_temps(w);
    write_list(w, s->body);
    uint32_t over = here(w);
    emit(w, OP_JUMP);
    w->out->data[skip].target = here(w);
    clear_temps(w);
    if (s->other != NONE) write_list(w, s->other);
    w->out->data[over].target = here(w);
}

static bool is_global_or_number(const program_tree *p, uint32_t e, bool global) {
    return p->exprs.data[e].kind == (global ? EXPR_GLOBAL : EXPR_NUMBER);
}

/* A global variable, or one that is compared with a number. */
static bool looks_at_global(const program_tree *p, uint32_t e) {
    const expr *x = &p->exprs.data[e];
    if (x->kind == EXPR_GLOBAL) return true;
    if (x->kind == EXPR_NOT) return is_global_or_number(p, x->a, true);
    if (x->kind < EXPR_LESS || x->kind > EXPR_DIFFERS) return false;
    return (is_global_or_number(p, x->a, true) && is_global_or_number(p, x->b, false)) ||
           (is_global_or_number(p, x->a, false) && is_global_or_number(p, x->b, true));
}

/* What comes behind can only fail: then it is no way out. */
static bool perhaps_fails(const program_tree *p, const stmt *s) {
    if (s->next == NONE) return true;
    uint8_t kind = p->stmts.data[s->next].kind;
    return kind != STMT_ASSIGN && kind != STMT_CHANGE && kind != STMT_LOCK && kind != STMT_UNLOCK &&
           kind != STMT_JOIN && kind != STMT_FETCH && kind != STMT_STORE;
}

static void write_while(writer *w, const stmt *s) {
    uint32_t head = here(w), condition = value_of(w, s->a), leave = here(w);
    body_role role = w->p->body[w->body].role;
    bool waits = looks_at_global(w->p, s->a) && !perhaps_fails(w->p, s) && !w->sections &&
                 (role == BODY_MAIN || role == BODY_THREAD);
    emit(w, OP_BRANCH)->a = condition;
    clear_temps(w);
    write_list(w, s->body);
    emit(w, OP_JUMP)->target = head;
    vec_push(&w->to->loops, ((flat_loop){w->body, head, leave, here(w), waits}));
    w->out->data[leave].target = here(w);
    emit(w, OP_LEFT);
}

static void write_for(writer *w, const stmt *s) {
    if (w->loops == MOST_LOOPS) {
        w->to->too_large = true;
        return;
    }
    uint32_t counter = REG_LOOPS + w->loops++;
    op *o = emit(w, OP_CONST);
    o->dst = counter;
    uint32_t head = here(w), most = number(w, s->number), less = apply(w, EXPR_LESS, C_S32, counter, most);
    uint32_t leave = here(w);
    emit(w, OP_BRANCH)->a = less;
    clear_temps(w);
    write_list(w, s->body);
    uint32_t one = number(w, 1);
    move(w, counter, apply(w, EXPR_ADD, C_S32, counter, one), C_S32);
    clear_temps(w);
    emit(w, OP_JUMP)->target = head;
    w->out->data[leave].target = here(w);
    o = emit(w, OP_CONST); /* out of scope */
    o->dst = counter;
    w->loops--;
}

/* In the two last styles, what is expected is put into a variable first. */
static void write_cas(writer *w, const stmt *s) {
    bool by_variable = s->number == CAS_STRONG || s->number == CAS_WEAK;
    uint32_t expected = by_variable ? value_of(w, s->a) : NONE, place = place_of(w, s->place);
    if (!by_variable) expected = value_of(w, s->a);
    uint32_t wanted = value_of(w, s->b), did = fresh(w), old = fresh(w);
    op *o = emit(w, OP_CAS);
    o->sub = s->number == CAS_WEAK;
    o->type = tree_type(w->p, w->body, s->place);
    o->atomic = true;
    o->dst = did;
    o->old = old;
    o->a = place;
    o->b = expected;
    o->c = wanted;
    assign(w, s->target, s->number == CAS_VALUE ? old : did);
    if (by_variable) move(w, REG_LOCALS + s->op, old, w->p->body[w->body].local[s->op]);
}

static void write_atomic_access(writer *w, const stmt *s) {
    uint32_t place = place_of(w, s->place), a = s->a == NONE ? NONE : value_of(w, s->a);
    c_type type = tree_type(w->p, w->body, s->place);
    uint32_t dst = NONE;
    switch ((stmt_kind)s->kind) {
    case STMT_LOAD: dst = load(w, place, true); break;
    case STMT_STORE: store(w, place, a, type, true); break;
    default: {
        dst = fresh(w);
        op *o = emit(w, s->kind == STMT_FETCH ? OP_FETCH : OP_EXCHANGE);
        o->sub = s->op;
        o->type = type;
        o->atomic = true;
        o->dst = dst;
        o->a = place;
        o->b = a;
    }
    }
    if (dst != NONE) assign(w, s->target, dst);
}

static void write_call(writer *w, const stmt *s) {
    uint32_t hook =
        s->op ? load(w, static_pointer(w, object_of_hook(w->p, (uint32_t)s->number)), false) : NONE;
    uint32_t a = value_of(w, s->a), b = value_of(w, s->b), dst = fresh(w);
    op *o = emit(w, OP_CALL);
    o->c = hook;
    o->dst = dst;
    o->a = a;
    o->b = b;
    o->number = s->number;
    assign(w, s->target, dst);
}

static void write_return(writer *w, uint32_t value) {
    const body *b = &w->p->body[w->body];
    if (b->role == BODY_MAIN && b->has_box)
        emit(w, OP_END_BOX); /* what main declares is gone before the end */
    if (b->role == BODY_MAIN)
        simple(w, OP_END_PROGRAM, NONE, 0);
    else if (b->role == BODY_THREAD)
        simple(w, OP_END_THREAD, value, 0);
    else
        simple(w, b->has_box ? OP_RETURN_BOX : OP_RETURN, value, 0);
}

static void write_once(writer *w, const stmt *s) {
    uint32_t first = fresh(w), result = fresh(w), zero = number(w, 0);
    op *o = emit(w, OP_ONCE_BEGIN);
    o->dst = first;
    o->number = s->number;
    uint32_t over = here(w);
    emit(w, OP_BRANCH)->a = first;
    o = emit(w, OP_CALL);
    o->dst = result;
    o->a = o->b = zero;
    o->number = s->op;
    simple(w, OP_ONCE_END, NONE, s->number);
    w->out->data[over].target = here(w);
}

/* A barrier: the one that comes last does not wait. */
static void write_meet(writer *w, const stmt *s) {
    uint32_t dst = fresh(w);
    op *o = emit(w, OP_ARRIVE);
    o->dst = dst;
    o->number = s->number;
    simple(w, OP_MET, NONE, s->number);
    assign(w, s->target, dst);
}

static void write_copy(writer *w, const stmt *s) {
    for (uint32_t k = 0; k < w->p->length[s->number]; k++) {
        uint32_t index = number(w, (int32_t)k);
        uint32_t to = step(w, static_pointer(w, object_of_array(w->p, (uint32_t)s->number)), index);
        if (s->kind == STMT_FILL) {
            store(w, to, number(w, 0), w->p->array[s->number], false);
        } else {
            uint32_t from = step(w, static_pointer(w, object_of_array(w->p, s->op)), index);
            store(w, to, load(w, from, false), w->p->array[s->number], false);
        }
        clear_temps(w);
    }
}

static void write_hook(writer *w, const stmt *s) {
    uint32_t place = static_pointer(w, object_of_hook(w->p, (uint32_t)s->number));
    store(w, place, number(w, s->op), C_S64, false);
}

static void write_create(writer *w, const stmt *s) {
    uint32_t argument = value_of(w, s->a);
    op *o = emit(w, OP_CREATE);
    o->dst = REG_SLOTS + (uint32_t)s->number;
    o->a = argument;
    o->number = s->op;
}

static void write_wait(writer *w, const stmt *s) {
    uint32_t entered = fresh(w);
    op *o = emit(w, OP_ENTER_WAIT);
    o->dst = entered;
    o->number = s->number;
    o->b = s->op;
    uint32_t refused = here(w); /* the mutex is not ours */
    emit(w, OP_BRANCH)->a = entered;
    simple(w, OP_WOKEN, NONE, s->number);
    simple(w, OP_LOCK, NONE, s->op);
    w->out->data[refused].target = here(w);
}

/* A failed assertion is noted; what ends the program behind it is an operation of its own, so that others may
 * come between. */
static void write_assert(writer *w, const stmt *s) {
    uint32_t holds = value_of(w, s->a);
    simple(w, OP_ASSERT, holds, 0);
    if (s->number == ASSERT_GOES_ON) return;
    holds = apply(w, EXPR_NOT, C_S64, holds, NONE);
    uint32_t over = here(w);
    emit(w, OP_BRANCH)->a = holds;
    simple(w, OP_END_PROGRAM, NONE, 0);
    w->out->data[over].target = here(w);
}

static void write_statement(writer *w, const stmt *s) {
    uint32_t a;
    switch ((stmt_kind)s->kind) {
    case STMT_ASSIGN:
    case STMT_POINT: assign(w, s->target, value_of(w, s->a)); break;
    case STMT_CHANGE: change(w, s); break;
    case STMT_INPUT:
    case STMT_RANGE:
        w->to->has_inputs = true;
        into_target(w, OP_INPUT, s);
        break;
    case STMT_IF: write_if(w, s); break;
    case STMT_WHILE: write_while(w, s); break;
    case STMT_FOR: write_for(w, s); break;
    case STMT_LOCK: into_target(w, OP_LOCK, s); break;
    case STMT_UNLOCK: simple(w, OP_UNLOCK, NONE, s->number); break;
    case STMT_TRYLOCK: into_target(w, OP_TRYLOCK, s); break;
    case STMT_READ_LOCK: into_target(w, OP_READ_LOCK, s); break;
    case STMT_WRITE_LOCK: into_target(w, OP_WRITE_LOCK, s); break;
    case STMT_TRY_READ: into_target(w, OP_TRY_READ, s); break;
    case STMT_TRY_WRITE: into_target(w, OP_TRY_WRITE, s); break;
    case STMT_RELEASE: simple(w, OP_RELEASE, NONE, s->number); break;
    case STMT_MEET: write_meet(w, s); break;
    case STMT_ONCE: write_once(w, s); break;
    case STMT_HOOK: write_hook(w, s); break;
    case STMT_COPY:
    case STMT_FILL: write_copy(w, s); break;
    case STMT_WAIT: write_wait(w, s); break;
    case STMT_SIGNAL: simple(w, OP_SIGNAL, NONE, s->number); break;
    case STMT_BROADCAST: simple(w, OP_BROADCAST, NONE, s->number); break;
    case STMT_DOWN: simple(w, OP_DOWN, NONE, s->number); break;
    case STMT_UP: simple(w, OP_UP, NONE, s->number); break;
    case STMT_TRYDOWN: into_target(w, OP_TRYDOWN, s); break;
    case STMT_CREATE: write_create(w, s); break;
    case STMT_JOIN: {
        uint32_t dst = fresh(w);
        op *o = emit(w, OP_JOIN);
        o->a = REG_SLOTS + (uint32_t)s->number;
        o->dst = dst;
        assign(w, s->target, dst);
        break;
    }
    case STMT_ATOMIC:
        emit(w, OP_ATOMIC_BEGIN);
        w->sections++;
        write_list(w, s->body);
        w->sections--;
        emit(w, OP_ATOMIC_END);
        break;
    case STMT_FETCH:
    case STMT_EXCHANGE:
    case STMT_LOAD:
    case STMT_STORE: write_atomic_access(w, s); break;
    case STMT_CAS: write_cas(w, s); break;
    case STMT_ASSUME:
        a = value_of(w, s->a);
        simple(w, OP_ASSUME, a, 0);
        break;
    case STMT_ASSERT: write_assert(w, s); break;
    case STMT_ABORT:
    case STMT_EXIT: simple(w, OP_END_PROGRAM, NONE, 0); break;
    case STMT_RETURN:
        a = w->p->body[w->body].role == BODY_MAIN || w->p->body[w->body].role == BODY_ONCE
                ? number(w, 0)
                : value_of(w, s->a);
        write_return(w, a);
        break;
    case STMT_LEAVE:
        a = value_of(w, s->a);
        simple(w, OP_END_THREAD, a, 0);
        break;
    case STMT_CALL: write_call(w, s); break;
    case STMT_MALLOC: {
        w->to->has_heap = true;
        a = value_of(w, s->a);
        uint32_t dst = fresh(w);
        op *o = emit(w, OP_MALLOC);
        o->dst = dst;
        o->a = a;
        o->number = s->number;
        assign(w, s->target, dst);
        break;
    }
    case STMT_FREE:
        a = value_of(w, s->a);
        simple(w, OP_FREE, a, 0);
        break;
    case STMT_NOTHING:
    case STMT_KINDS: return;
    }
    clear_temps(w);
}

static void write_list(writer *w, uint32_t s) {
    for (; s != NONE; s = w->p->stmts.data[s].next) {
        w->line = w->p->stmts.data[s].line;
        write_statement(w, &w->p->stmts.data[s]);
    }
}

void code_make(const program_tree *p, flat_code *out) {
    *out = (flat_code){0};
    for (uint32_t k = 0; k < p->bodies; k++) {
        if (p->body[k].absent) continue;
        writer w = {.p = p, .to = out, .out = &out->body[k], .body = k};
        write_list(&w, p->body[k].first);
        write_return(&w, number(&w, 0));
    }
}

void code_free(flat_code *c) {
    for (uint32_t k = 0; k < MOST_BODIES; k++) vec_free(&c->body[k]);
    vec_free(&c->loops);
}
