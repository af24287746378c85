#include "simulate.h"

enum { MOST_LOCAL_OPS = 2000 };

enum { NOT_PERMITTED = 1, BUSY = 16, WOULD_DEADLOCK = 35, SERIAL = -1 }; /* EPERM and so on, of Linux */

/* --- pointers: 1 + object in the high half, the index of a cell in the low one -------------------------- */

static int64_t make_pointer(uint32_t object, int64_t index) {
    return (int64_t)((uint64_t)(object + 1) << 32 | (uint32_t)index);
}

static uint32_t pointer_object(int64_t p) {
    uint32_t high = (uint32_t)((uint64_t)p >> 32);
    return high ? high - 1 : NONE;
}

static int32_t pointer_index(int64_t p) {
    return (int32_t)(uint32_t)p;
}

static int64_t move_pointer(int64_t p, int64_t by) {
    uint64_t high = (uint64_t)p >> 32 << 32;
    return (int64_t)(high | (uint32_t)((uint32_t)p + (uint32_t)by));
}

/* --- looking at threads --------------------------------------------------------------------------------- */

static const sim_frame *top_frame(const sim_state *x, uint32_t thread) {
    const sim_thread *t = &x->thread[thread];
    return &t->frame[t->frames - 1];
}

static const op *next_op(const simulator *s, const sim_state *x, uint32_t thread) {
    const sim_frame *f = top_frame(x, thread);
    return &s->code->body[f->body].data[f->pc];
}

bool sim_is_alive(const sim_state *x, uint32_t thread) {
    return x->thread[thread].status == SIM_ALIVE;
}

bool sim_is_within_section(const sim_state *x, uint32_t thread) {
    return x->thread[thread].atomic != 0;
}

/* Locked by this thread, and of a kind that notices. */
static bool knows_its_owner(const simulator *s, const sim_state *x, uint32_t thread, uint32_t mutex) {
    mutex_kind kind = s->p->mutex[mutex];
    return x->owner[mutex] == thread + 1 && (kind == MUTEX_RECURSIVE || kind == MUTEX_CHECKED);
}

bool sim_is_blocked(const simulator *s, const sim_state *x, uint32_t thread) {
    if (!sim_is_alive(x, thread)) return false;
    const op *o = next_op(s, x, thread);
    const sim_thread *t = &x->thread[thread];
    switch ((op_kind)o->kind) {
    case OP_LOCK: return x->owner[o->number] != 0 && !knows_its_owner(s, x, thread, (uint32_t)o->number);
    case OP_READ_LOCK: return x->writer[o->number] != 0 && x->writer[o->number] != thread + 1;
    case OP_WRITE_LOCK:
        return x->readers[o->number] || (x->writer[o->number] != 0 && x->writer[o->number] != thread + 1);
    case OP_ONCE_BEGIN: return x->once[o->number] == 1;
    case OP_DOWN: return x->permits[o->number] == 0;
    case OP_MET:
    case OP_WOKEN: return t->patient && !t->woken;
    case OP_JOIN: {
        int64_t number = top_frame(x, thread)->reg[o->a];
        return number > 0 && number < MOST_THREADS && x->thread[number].status == SIM_ALIVE;
    }
    default: return false;
    }
}

bool sim_waits(const simulator *s, const sim_state *x, uint32_t thread) {
    return sim_is_blocked(s, x, thread) && next_op(s, x, thread)->kind != OP_JOIN;
}

bool sim_is_enabled(const simulator *s, const sim_state *x, uint32_t thread) {
    if (!sim_is_alive(x, thread) || sim_is_blocked(s, x, thread)) return false;
    for (uint32_t t = 0; t < x->threads; t++)
        if (t != thread && sim_is_within_section(x, t)) return false;
    return true;
}

static bool is_valid(const sim_state *x, int64_t pointer) {
    uint32_t object = pointer_object(pointer);
    if (object == NONE || object >= x->objects || !x->object[object].alive) return false;
    int32_t index = pointer_index(pointer);
    return index >= 0 && index < x->object[object].count;
}

/* 1 if the pointer leads somewhere, else 0. */
static unsigned access_by(const sim_state *x, const op *o, int64_t pointer, sim_access *out) {
    uint32_t object = pointer_object(pointer);
    if (object == NONE || !x->object[object].alive) return 0;
    sim_access a = {.object = object,
                    .low = pointer_index(pointer),
                    .writes = o->kind != OP_LOAD,
                    .certainly_writes = o->kind != OP_LOAD,
                    .atomic = o->atomic,
                    .valid = is_valid(x, pointer)};
    a.high = a.low + 1;
    if (o->kind == OP_FREE) a.valid = x->object[object].heap && a.low == 0;
    if (!a.valid || o->kind == OP_FREE) { /* no telling which cells, or all of them */
        a.low = 0;
        a.high = x->object[object].count;
    }
    *out = a;
    return 1;
}

bool sim_attempt_fails(const simulator *s, const sim_state *x, uint32_t thread) {
    const op *o = next_op(s, x, thread);
    switch ((op_kind)o->kind) {
    case OP_TRYLOCK: return x->owner[o->number] && x->owner[o->number] != thread + 1;
    case OP_TRY_READ: return x->writer[o->number] && x->writer[o->number] != thread + 1;
    case OP_TRY_WRITE:
        return x->writer[o->number] != thread + 1 && (x->writer[o->number] || x->readers[o->number]);
    case OP_TRYDOWN: return !x->permits[o->number];
    default: return false;
    }
}

unsigned sim_next_accesses(const simulator *s, const sim_state *x, uint32_t thread, sim_access out[2]) {
    if (!sim_is_alive(x, thread)) return 0;
    const op *o = next_op(s, x, thread);
    if (o->kind != OP_LOAD && o->kind != OP_STORE && o->kind != OP_FETCH && o->kind != OP_EXCHANGE &&
        o->kind != OP_CAS && o->kind != OP_FREE)
        return 0;
    const int64_t *reg = top_frame(x, thread)->reg;
    unsigned count = access_by(x, o, reg[o->a], out);
    if (o->kind == OP_CAS && count && out->valid) { /* one that fails is a reading access */
        int64_t old = x->cell[x->object[out->object].first + out->low];
        out->certainly_writes = !o->sub && old == c_convert((c_type)o->type, reg[o->b]);
    }
    return count;
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static int64_t unary(const op *o, int64_t a) {
    switch ((expr_kind)o->sub) {
    case EXPR_NOT: return a == 0;
    case EXPR_NEGATIVE: return c_convert((c_type)o->type, (int64_t)(0 - (uint64_t)a));
    default: return c_convert((c_type)o->type, ~a);
    }
}

static bool is_less(c_type type, int64_t a, int64_t b) {
    return c_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b;
}

static int64_t binary(expr_kind kind, c_type type, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)c_convert(type, a), y = (uint64_t)c_convert(type, b), result = 0;
    a = (int64_t)x;
    b = (int64_t)y;
    switch (kind) {
    case EXPR_ADD: result = x + y; break;
    case EXPR_SUB: result = x - y; break;
    case EXPR_MUL: result = x * y; break;
    case EXPR_DIV: result = !y ? 0 : !c_is_signed(type) ? x / y : b == -1 ? 0 - x : (uint64_t)(a / b); break;
    case EXPR_REM: result = !y ? 0 : !c_is_signed(type) ? x % y : b == -1 ? 0 : (uint64_t)(a % b); break;
    case EXPR_AND: result = x & y; break;
    case EXPR_OR: result = x | y; break;
    case EXPR_XOR: result = x ^ y; break;
    case EXPR_LESS: return is_less(type, a, b);
    case EXPR_ATMOST: return !is_less(type, b, a);
    case EXPR_EQUAL: return a == b;
    case EXPR_DIFFERS: return a != b;
    default: break;
    }
    return c_convert(type, (int64_t)result);
}

/* --- objects, frames, threads --------------------------------------------------------------------------- */

/* 1 + object, or 0 if there are too many. */
static uint32_t add_object(sim_state *x, uint32_t count, bool heap, int64_t value) {
    if (x->objects == MOST_OBJECTS || x->cells + count > MOST_CELLS) return 0;
    x->object[x->objects] = (sim_object){1, heap, (uint16_t)x->cells, (uint16_t)count};
    for (uint32_t k = 0; k < count; k++) x->cell[x->cells + k] = value;
    x->cells += count;
    return ++x->objects;
}

static void end_object(sim_state *x, uint32_t object) {
    x->object[object].alive = 0;
    memset(x->cell + x->object[object].first, 0, x->object[object].count * sizeof *x->cell);
}

static bool enter(const simulator *s, sim_state *x, uint32_t thread, uint32_t body_index, uint32_t result,
                  int64_t argument, int64_t pointer) {
    sim_thread *t = &x->thread[thread];
    const body *b = &s->p->body[body_index];
    if (t->frames == MOST_FRAMES || b->absent) return false;
    sim_frame *f = &t->frame[t->frames++];
    *f = (sim_frame){.body = (uint8_t)body_index, .result = result};
    f->reg[REG_LOCALS] = b->role == BODY_MAIN ? 0 : c_convert(b->local[0], argument);
    f->reg[REG_POINTERS] = pointer;
    if (b->role == BODY_THREAD) {
        f->reg[REG_LOCALS] = b->takes_pointer ? 0 : c_convert(b->local[0], argument);
        f->reg[REG_POINTERS] = b->takes_pointer ? argument : 0;
    }
    if (!b->has_box) return true;
    f->box = (uint8_t)add_object(x, 1, false, c_convert(s->p->pointed, b->box_value));
    return f->box != 0;
}

static void leave_frame(sim_state *x, uint32_t thread) {
    sim_thread *t = &x->thread[thread];
    sim_frame *f = &t->frame[--t->frames];
    if (f->box) end_object(x, f->box - 1u);
    memset(f, 0, sizeof *f);
}

static void end_thread(sim_state *x, uint32_t thread, int64_t result) {
    sim_thread *t = &x->thread[thread];
    while (t->frames) leave_frame(x, thread);
    t->status = SIM_ENDED;
    t->atomic = 0;
    t->result = result;
}

/* --- what a thread does on its own ---------------------------------------------------------------------- */

static bool run_own_op(const simulator *s, sim_state *x, uint32_t thread, const op *o) {
    sim_thread *t = &x->thread[thread];
    sim_frame *f = &t->frame[t->frames - 1];
    int64_t *reg = f->reg;
    f->pc++;
    switch ((op_kind)o->kind) {
    case OP_CONST: reg[o->dst] = o->number; break;
    case OP_MOVE: reg[o->dst] = c_convert((c_type)o->type, reg[o->a]); break;
    case OP_UNARY: reg[o->dst] = unary(o, reg[o->a]); break;
    case OP_BINARY: reg[o->dst] = binary((expr_kind)o->sub, (c_type)o->type, reg[o->a], reg[o->b]); break;
    case OP_JUMP: f->pc = (uint16_t)o->target; break;
    case OP_BRANCH:
        if (!reg[o->a]) f->pc = (uint16_t)o->target;
        break;
    case OP_STATIC: reg[o->dst] = make_pointer((uint32_t)o->number, 0); break;
    case OP_OWN_BOX: reg[o->dst] = make_pointer(f->box - 1u, 0); break;
    case OP_STEP: reg[o->dst] = move_pointer(reg[o->a], reg[o->b]); break;
    case OP_CLEAR: memset(reg + REG_TEMPS, 0, (MOST_REGISTERS - REG_TEMPS) * sizeof *reg); break;
    case OP_CALL: {
        uint32_t callee = o->c == NONE ? (uint32_t)o->number : (uint32_t)reg[o->c];
        return enter(s, x, thread, callee, o->dst, reg[o->a], reg[o->b]);
    }
    case OP_RETURN: {
        int64_t value = reg[o->a];
        uint32_t result = f->result;
        leave_frame(x, thread);
        t->frame[t->frames - 1].reg[result] = value;
        break;
    }
    case OP_MALLOC: {
        uint32_t made = add_object(x, (uint32_t)o->number, true, c_convert(s->p->pointed, reg[o->a]));
        if (!made) return false;
        reg[o->dst] = make_pointer(made - 1, 0);
        break;
    }
    default: return false;
    }
    return true;
}

/* On to the next operation that others can notice; false: that takes too long, or a bound is hit. */
static bool run_alone(const simulator *s, sim_state *x, uint32_t thread) {
    for (unsigned k = 0; k < MOST_LOCAL_OPS; k++) {
        if (!sim_is_alive(x, thread)) return true;
        const op *o = next_op(s, x, thread);
        if (o->kind >= OP_LOAD) return true;
        if (!run_own_op(s, x, thread, o)) return false;
    }
    return false;
}

sim_end sim_start(const simulator *s, sim_state *out) {
    const program_tree *p = s->p;
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < p->globals; k++)
        add_object(out, 1, false, c_convert(p->global[k], p->initial[k]));
    for (uint32_t k = 0; k < p->arrays; k++) add_object(out, p->length[k], false, 0);
    for (uint32_t k = 0; k < p->pointers; k++) add_object(out, 1, false, 0);
    for (uint32_t k = 0; k < p->hooks; k++) add_object(out, 1, false, p->hook[k]);
    for (uint32_t k = 0; k < p->semaphores; k++) out->permits[k] = p->permits[k];
    out->threads = 1;
    out->thread[0].status = SIM_ALIVE;
    return enter(s, out, 0, 0, 0, 0, 0) && run_alone(s, out, 0) ? SIM_GOES_ON : SIM_REFUSED;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

typedef struct stepping {
    const simulator *s;
    const sim_state *from;
    uint32_t thread;
    const op *o;
    sim_successors *out;
} stepping;

static sim_successor *begin(stepping *k) {
    vec_reserve(k->out, k->out->size + 1);
    sim_successor *n = &k->out->data[k->out->size++];
    n->to = *k->from;
    n->end = SIM_GOES_ON;
    n->violation = 0;
    sim_thread *t = &n->to.thread[k->thread];
    t->frame[t->frames - 1].pc++;
    return n;
}

static int64_t *register_of(stepping *k, sim_successor *n, uint32_t index) {
    sim_thread *t = &n->to.thread[k->thread];
    return &t->frame[t->frames - 1].reg[index];
}

static void set_register(stepping *k, sim_successor *n, uint32_t index, int64_t value) {
    if (index != NONE) *register_of(k, n, index) = value;
}

static bool all_ended(const sim_state *x) {
    for (uint32_t t = 0; t < x->threads; t++)
        if (sim_is_alive(x, t)) return false;
    return true;
}

static void go_on(stepping *k, sim_successor *n) {
    if (!run_alone(k->s, &n->to, k->thread))
        n->end = SIM_REFUSED;
    else if (all_ended(&n->to))
        n->end = SIM_FINISHED;
}

static void violate_memory(stepping *k, sim_successor *n, uint32_t line) {
    (void)k;
    n->violation = 2 * line + 1;
    n->end = SIM_BROKEN;
}

static void step_access(stepping *k) {
    const op *o = k->o;
    sim_successor *n = begin(k);
    int64_t pointer = *register_of(k, n, o->a);
    if (!is_valid(k->from, pointer)) {
        violate_memory(k, n, o->line);
        return;
    }
    int64_t *cell = &n->to.cell[n->to.object[pointer_object(pointer)].first + pointer_index(pointer)];
    int64_t old = *cell, b = o->b == NONE ? 0 : *register_of(k, n, o->b);
    c_type type = (c_type)o->type;
    switch ((op_kind)o->kind) {
    case OP_LOAD: set_register(k, n, o->dst, old); break;
    case OP_STORE: *cell = c_convert(type, b); break;
    case OP_FETCH:
        *cell = binary((expr_kind)o->sub, type, old, b);
        set_register(k, n, o->dst, old);
        break;
    case OP_EXCHANGE:
        *cell = c_convert(type, b);
        set_register(k, n, o->dst, old);
        break;
    default: {
        bool same = old == c_convert(type, b);
        if (same) *cell = c_convert(type, *register_of(k, n, o->c));
        set_register(k, n, o->dst, same);
        set_register(k, n, o->old, old);
        break;
    }
    }
    go_on(k, n);
}

/* A weak compare-and-swap that changes nothing for no reason. */
static void step_weak_failure(stepping *k) {
    sim_successor *n = begin(k);
    int64_t pointer = *register_of(k, n, k->o->a);
    set_register(k, n, k->o->dst, 0);
    set_register(k, n, k->o->old,
                 n->to.cell[n->to.object[pointer_object(pointer)].first + pointer_index(pointer)]);
    go_on(k, n);
}

static void step_cas(stepping *k) {
    int64_t pointer = top_frame(k->from, k->thread)->reg[k->o->a];
    step_access(k);
    if (k->o->sub && k->s->spurious && is_valid(k->from, pointer)) step_weak_failure(k);
}

static void step_free(stepping *k) {
    sim_successor *n = begin(k);
    int64_t pointer = *register_of(k, n, k->o->a);
    uint32_t object = pointer_object(pointer);
    if (object == NONE && pointer == 0) {
        go_on(k, n);
        return;
    }
    if (object == NONE || pointer_index(pointer) || !n->to.object[object].alive ||
        !n->to.object[object].heap) {
        violate_memory(k, n, 0); /* found inside of free, which has no line of the program */
        return;
    }
    end_object(&n->to, object);
    go_on(k, n);
}

static void step_divide(stepping *k) {
    sim_successor *n = begin(k);
    int64_t a = *register_of(k, n, k->o->a), b = *register_of(k, n, k->o->b);
    if (!c_convert((c_type)k->o->type, b)) {
        violate_memory(k, n, k->o->line);
        return;
    }
    set_register(k, n, k->o->dst, binary((expr_kind)k->o->sub, (c_type)k->o->type, a, b));
    go_on(k, n);
}

static void step_assert(stepping *k) {
    sim_successor *n = begin(k);
    if (!*register_of(k, n, k->o->a)) n->violation = 2 * k->o->line;
    go_on(k, n);
}

static void step_assume(stepping *k) {
    sim_successor *n = begin(k);
    if (*register_of(k, n, k->o->a))
        go_on(k, n);
    else
        n->end = SIM_DISCARDED;
}

static void step_input(stepping *k) {
    for (int32_t v = 0; v < k->o->number; v++) {
        sim_successor *n = begin(k);
        set_register(k, n, k->o->dst, v);
        go_on(k, n);
    }
}

static void step_signal(stepping *k, bool all) {
    uint8_t waiters = k->from->waiters[k->o->number];
    if (all || !waiters) {
        sim_successor *n = begin(k);
        for (uint32_t t = 0; t < MOST_THREADS; t++)
            if (waiters >> t & 1) n->to.thread[t].woken = 1;
        n->to.waiters[k->o->number] = 0;
        go_on(k, n);
        return;
    }
    for (uint32_t t = 0; t < MOST_THREADS; t++) {
        if (!(waiters >> t & 1)) continue;
        sim_successor *n = begin(k);
        n->to.thread[t].woken = 1;
        n->to.waiters[k->o->number] &= (uint8_t) ~(1u << t);
        go_on(k, n);
    }
}

/* Unlocks once; the error number. */
static int release(const simulator *s, sim_state *x, uint32_t thread, uint32_t mutex) {
    mutex_kind kind = s->p->mutex[mutex];
    bool notices = kind == MUTEX_RECURSIVE || kind == MUTEX_CHECKED;
    if (notices && x->owner[mutex] != thread + 1) return NOT_PERMITTED;
    if (x->further[mutex])
        x->further[mutex]--;
    else
        x->owner[mutex] = 0;
    return 0;
}

/* Free, or one that knows that it is ours; the error number. */
static int acquire(const simulator *s, sim_state *x, uint32_t thread, uint32_t mutex, int if_ours) {
    if (!x->owner[mutex])
        x->owner[mutex] = (uint8_t)(thread + 1);
    else if (s->p->mutex[mutex] == MUTEX_RECURSIVE)
        x->further[mutex]++;
    else
        return if_ours;
    return 0;
}

/* The mutex is given back and the thread is a waiter. With spurious wake-ups, one that may lose patience. */
static void step_enter_wait(stepping *k) {
    for (int patient = !k->s->spurious; patient <= 1; patient++) {
        sim_successor *n = begin(k);
        bool ours = release(k->s, &n->to, k->thread, k->o->b) == 0;
        set_register(k, n, k->o->dst, ours);
        if (!ours) {
            go_on(k, n);
            return;
        }
        n->to.waiters[k->o->number] |= (uint8_t)(1u << k->thread);
        n->to.thread[k->thread].patient = (uint8_t)patient;
        go_on(k, n);
    }
}

static void step_woken(stepping *k) {
    sim_successor *n = begin(k);
    n->to.thread[k->thread].woken = n->to.thread[k->thread].patient = 0;
    n->to.waiters[k->o->number] &= (uint8_t) ~(1u << k->thread);
    go_on(k, n);
}

static void step_lock(stepping *k) {
    sim_successor *n = begin(k);
    set_register(k, n, k->o->dst, acquire(k->s, &n->to, k->thread, (uint32_t)k->o->number, WOULD_DEADLOCK));
    go_on(k, n);
}

static void step_trylock(stepping *k) {
    sim_successor *n = begin(k);
    uint32_t mutex = (uint32_t)k->o->number;
    bool open = !n->to.owner[mutex] || knows_its_owner(k->s, &n->to, k->thread, mutex);
    set_register(k, n, k->o->dst, open ? acquire(k->s, &n->to, k->thread, mutex, BUSY) : BUSY);
    go_on(k, n);
}

/* For reading or writing; waiting or not. */
static void step_rwlock(stepping *k) {
    const op *o = k->o;
    sim_successor *n = begin(k);
    bool writes = o->kind == OP_WRITE_LOCK || o->kind == OP_TRY_WRITE;
    bool tries = o->kind == OP_TRY_READ || o->kind == OP_TRY_WRITE;
    uint8_t *writer = &n->to.writer[o->number], *readers = &n->to.readers[o->number];
    bool open = !*writer && !(writes && *readers);
    set_register(k, n, o->dst, open ? 0 : tries ? BUSY : WOULD_DEADLOCK);
    if (open && writes) *writer = (uint8_t)(k->thread + 1);
    if (open && !writes) ++*readers;
    go_on(k, n);
}

static void step_release(stepping *k) {
    sim_successor *n = begin(k);
    uint8_t *writer = &n->to.writer[k->o->number], *readers = &n->to.readers[k->o->number];
    if (!*writer && !*readers) { /* undefined */
        n->end = SIM_REFUSED;
        return;
    }
    if (*writer)
        *writer = 0;
    else
        --*readers;
    go_on(k, n);
}

static void step_arrive(stepping *k) {
    sim_successor *n = begin(k);
    uint8_t *arrived = &n->to.arrived[k->o->number];
    uint32_t count = 0;
    for (uint32_t t = 0; t < MOST_THREADS; t++) count += *arrived >> t & 1;
    bool last = count + 1 == k->s->p->needed[k->o->number];
    set_register(k, n, k->o->dst, last ? SERIAL : 0);
    n->to.thread[k->thread].patient = !last;
    for (uint32_t t = 0; last && t < MOST_THREADS; t++)
        if (*arrived >> t & 1) n->to.thread[t].woken = 1;
    *arrived = last ? 0 : (uint8_t)(*arrived | 1u << k->thread);
    go_on(k, n);
}

static void step_met(stepping *k) {
    sim_successor *n = begin(k);
    n->to.thread[k->thread].woken = n->to.thread[k->thread].patient = 0;
    go_on(k, n);
}

static void step_once(stepping *k) {
    sim_successor *n = begin(k);
    uint8_t *once = &n->to.once[k->o->number];
    set_register(k, n, k->o->dst, *once == 0);
    if (!*once) *once = 1;
    go_on(k, n);
}

static void step_create(stepping *k) {
    sim_successor *n = begin(k);
    int64_t argument = *register_of(k, n, k->o->a);
    uint32_t number = n->to.threads;
    if (number == MOST_THREADS || !enter(k->s, &n->to, number, (uint32_t)k->o->number, 0, argument, 0)) {
        n->end = SIM_REFUSED;
        return;
    }
    n->to.threads++;
    n->to.thread[number].status = SIM_ALIVE;
    set_register(k, n, k->o->dst, number);
    if (!run_alone(k->s, &n->to, number)) n->end = SIM_REFUSED;
    if (n->end == SIM_GOES_ON) go_on(k, n);
}

static void step_join(stepping *k) {
    sim_successor *n = begin(k);
    int64_t number = *register_of(k, n, k->o->a);
    if (number <= 0 || number >= n->to.threads) { /* a slot that was never filled */
        n->end = SIM_REFUSED;
        return;
    }
    set_register(k, n, k->o->dst, n->to.thread[number].result);
    go_on(k, n);
}

static void step_return_box(stepping *k) {
    sim_successor *n = begin(k);
    int64_t value = *register_of(k, n, k->o->a);
    uint32_t result = top_frame(&n->to, k->thread)->result;
    leave_frame(&n->to, k->thread);
    set_register(k, n, result, value);
    go_on(k, n);
}

/* Operations on one number of the state that is no memory. */
static void step_simple(stepping *k) {
    const op *o = k->o;
    sim_successor *n = begin(k);
    sim_state *x = &n->to;
    sim_thread *t = &x->thread[k->thread];
    switch ((op_kind)o->kind) {
    case OP_UNLOCK: release(k->s, x, k->thread, (uint32_t)o->number); break;
    case OP_ONCE_END: x->once[o->number] = 2; break;
    case OP_END_BOX: end_object(x, top_frame(x, k->thread)->box - 1u); break;
    case OP_DOWN: x->permits[o->number]--; break;
    case OP_UP: x->permits[o->number]++; break;
    case OP_TRYDOWN:
        set_register(k, n, o->dst, x->permits[o->number] ? 0 : -1);
        if (x->permits[o->number]) x->permits[o->number]--;
        break;
    case OP_ATOMIC_BEGIN: t->atomic++; break;
    case OP_ATOMIC_END: t->atomic--; break;
    case OP_LEFT: break;
    case OP_END_THREAD: end_thread(x, k->thread, *register_of(k, n, o->a)); break;
    default: n->end = SIM_REFUSED; return;
    }
    go_on(k, n);
}

void sim_step(const simulator *s, const sim_state *x, uint32_t thread, sim_successors *out) {
    stepping k = {s, x, thread, next_op(s, x, thread), out};
    switch ((op_kind)k.o->kind) {
    case OP_LOAD:
    case OP_STORE:
    case OP_FETCH:
    case OP_EXCHANGE: step_access(&k); break;
    case OP_CAS: step_cas(&k); break;
    case OP_LOCK: step_lock(&k); break;
    case OP_TRYLOCK: step_trylock(&k); break;
    case OP_READ_LOCK:
    case OP_WRITE_LOCK:
    case OP_TRY_READ:
    case OP_TRY_WRITE: step_rwlock(&k); break;
    case OP_RELEASE: step_release(&k); break;
    case OP_ARRIVE: step_arrive(&k); break;
    case OP_MET: step_met(&k); break;
    case OP_ONCE_BEGIN: step_once(&k); break;
    case OP_FREE: step_free(&k); break;
    case OP_DIVIDE: step_divide(&k); break;
    case OP_RETURN_BOX: step_return_box(&k); break;
    case OP_END_PROGRAM: begin(&k)->end = SIM_FINISHED; break;
    case OP_INPUT: step_input(&k); break;
    case OP_ASSUME: step_assume(&k); break;
    case OP_ASSERT: step_assert(&k); break;
    case OP_ENTER_WAIT: step_enter_wait(&k); break;
    case OP_WOKEN: step_woken(&k); break;
    case OP_SIGNAL: step_signal(&k, false); break;
    case OP_BROADCAST: step_signal(&k, true); break;
    case OP_CREATE: step_create(&k); break;
    case OP_JOIN: step_join(&k); break;
    default: step_simple(&k); break;
    }
}
