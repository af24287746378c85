/* A second, naive implementation of the preemptive kernel for the programs that the dlang front end makes:
 * numbers only, no solver, every interleaving. It counts Mazurkiewicz traces by their definition and searches
 * all states, so that counts and verdicts of the models do not rest on the explorers they are
 * meant to test. */
#ifndef HEDDLE_TESTS_DLANG_REFERENCE_H
#define HEDDLE_TESTS_DLANG_REFERENCE_H

#include "base/hash.h"
#include "base/map.h"
#include "program/program.h"

#include <stdlib.h>

typedef struct ref_value {
    int64_t bits;  /* a number, or the byte offset of a pointer */
    uint32_t base; /* 0: a number; 1 + object; 1 + objects + local */
} ref_value;

typedef struct ref_thread {
    uint32_t function, block, index, atomic;
    bool ended;
    ref_value *registers;
    int64_t *locals; /* of all local objects, one behind the other */
} ref_thread;

typedef struct ref_state {
    int64_t *memory; /* of all static objects, one behind the other */
    ref_thread *threads;
    size_t thread_count;
} ref_state;

typedef struct ref_access {
    size_t low, high; /* cells of ref_state.memory */
    bool writes;
} ref_access;

typedef VEC(ref_access) ref_accesses;

typedef struct ref_result {
    uint64_t traces;     /* that end, in whatever way */
    uint64_t visited;    /* trace prefixes or states */
    uint64_t violations; /* of asserts and other checks */
    uint64_t deadlocks;  /* ends in which some thread is blocked */
    uint64_t given_up;   /* INSTR_UNSUPPORTED */
    bool cut;            /* there was more than `most` */
} ref_result;

typedef struct ref_run {
    const program *p;
    size_t *first_cell; /* of each static object */
    size_t cells;
    map seen;
    uint64_t most;
    ref_result result;
    ref_state *now;
    uint32_t thread;
    ref_accesses touched;
    enum { REF_GOES_ON, REF_VIOLATED, REF_GAVE_UP } end;
} ref_run;

/* --- states --------------------------------------------------------------------------------------------- */

static inline size_t ref_cells_of_object(const static_object *o) {
    return (size_t)o->count * o->shape->stride / 8;
}

static inline size_t ref_local_cells(const function *f, size_t before) {
    size_t cells = 0;
    for (size_t k = 0; k < before; k++) cells += f->locals.data[k].count;
    return cells;
}

static inline ref_thread ref_new_thread(const program *p, uint32_t function_index) {
    const function *f = &p->functions.data[function_index];
    return (ref_thread){.function = function_index,
                        .registers = mem_zero(f->registers.size + 1, sizeof(ref_value)),
                        .locals = mem_zero(ref_local_cells(f, f->locals.size) + 1, sizeof(int64_t))};
}

static inline ref_state *ref_copy(const ref_run *r, const ref_state *s) {
    ref_state *copy = mem_zero(1, sizeof *copy);
    copy->memory = mem_zero(r->cells + 1, sizeof *copy->memory);
    copy->threads = mem_zero(s->thread_count + 1, sizeof *copy->threads);
    copy->thread_count = s->thread_count;
    memcpy(copy->memory, s->memory, r->cells * sizeof *copy->memory);
    for (size_t t = 0; t < s->thread_count; t++) {
        const function *f = &r->p->functions.data[s->threads[t].function];
        copy->threads[t] = s->threads[t];
        ref_thread fresh = ref_new_thread(r->p, s->threads[t].function);
        copy->threads[t].registers = fresh.registers;
        copy->threads[t].locals = fresh.locals;
        memcpy(fresh.registers, s->threads[t].registers, f->registers.size * sizeof *fresh.registers);
        memcpy(fresh.locals, s->threads[t].locals, ref_local_cells(f, f->locals.size) * sizeof *fresh.locals);
    }
    return copy;
}

static inline void ref_free(ref_state *s) {
    for (size_t t = 0; t < s->thread_count; t++) {
        mem_free(s->threads[t].registers);
        mem_free(s->threads[t].locals);
    }
    mem_free(s->threads);
    mem_free(s->memory);
    mem_free(s);
}

/* Only named registers carry something from one statement to the next. */
static inline uint64_t ref_hash(const ref_run *r, const ref_state *s) {
    uint64_t h = 17;
    for (size_t c = 0; c < r->cells; c++) h = hash_pair(h, (uint64_t)s->memory[c]);
    for (size_t t = 0; t < s->thread_count; t++) {
        const ref_thread *one = &s->threads[t];
        const function *f = &r->p->functions.data[one->function];
        h = hash_pair(h, one->block);
        h = hash_pair(h, ((uint64_t)one->index << 8 | one->ended));
        for (size_t k = 0; k < f->registers.size && !one->ended; k++)
            if (f->registers.data[k].name) h = hash_pair(h, (uint64_t)one->registers[k].bits);
        for (size_t k = 0; k < ref_local_cells(f, f->locals.size) && !one->ended; k++)
            h = hash_pair(h, (uint64_t)one->locals[k]);
    }
    return h == MAP_NONE ? 0 : h;
}

/* --- instructions --------------------------------------------------------------------------------------- */

static inline const instruction *ref_next(const ref_run *r, const ref_thread *t) {
    return &r->p->functions.data[t->function].blocks.data[t->block].code.data[t->index];
}

static inline ref_value ref_operand(const ref_run *r, const ref_thread *t, const operand *o) {
    switch (o->kind) {
    case OPERAND_REGISTER: return t->registers[o->index];
    case OPERAND_OBJECT: return (ref_value){(int64_t)o->value, 1 + o->index};
    case OPERAND_LOCAL: return (ref_value){(int64_t)o->value, 1 + (uint32_t)r->p->objects.size + o->index};
    case OPERAND_FUNCTION: return (ref_value){o->index, 0};
    default: return (ref_value){(int64_t)o->value, 0};
    }
}

static inline bool ref_is_local(const ref_run *r, ref_value pointer) {
    return pointer.base > r->p->objects.size;
}

/* The cell behind a pointer; counts the access if others can see it. */
static inline int64_t *ref_cell(ref_run *r, ref_value pointer, size_t cells, bool writes) {
    ref_thread *t = &r->now->threads[r->thread];
    size_t offset = (size_t)pointer.bits / 8;
    if (!pointer.base || pointer.bits % 8) abort();
    if (ref_is_local(r, pointer)) {
        uint32_t local = pointer.base - 1 - (uint32_t)r->p->objects.size;
        return &t->locals[ref_local_cells(&r->p->functions.data[t->function], local) + offset];
    }
    const static_object *object = &r->p->objects.data[pointer.base - 1];
    if (offset + cells > ref_cells_of_object(object)) abort();
    size_t cell = r->first_cell[pointer.base - 1] + offset;
    ref_access a = {cell, cell + cells, writes};
    if (!object->is_constant) vec_push(&r->touched, a);
    return &r->now->memory[cell];
}

static inline int64_t ref_arith(unsigned op, int64_t a, int64_t b, int64_t c) {
    switch (op) {
    case ARITH_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case ARITH_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
    case ARITH_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case ARITH_SDIV: return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
    case ARITH_SREM: return b == -1 ? 0 : a % b;
    case ARITH_AND: return a & b;
    case ARITH_XOR: return a ^ b;
    case ARITH_EQ: return a == b;
    case ARITH_NE: return a != b;
    case ARITH_ULT: return (uint64_t)a < (uint64_t)b;
    case ARITH_SLT: return a < b;
    case ARITH_SLE: return a <= b;
    case ARITH_SELECT: return a ? b : c;
    default: abort();
    }
}

static inline bool ref_is_visible(const ref_run *r, const ref_thread *t, const instruction *i) {
    if (r->now->thread_count == 1 || t->atomic) return false;
    if (i->kind == INSTR_SYNC) return i->sync == SYNC_AWAIT || i->sync == SYNC_ATOMIC_BEGIN;
    if (i->kind != INSTR_LOAD && i->kind != INSTR_STORE && i->kind != INSTR_COPY) return false;
    ref_value pointer = ref_operand(r, t, &i->a);
    return !ref_is_local(r, pointer) && !r->p->objects.data[pointer.base - 1].is_constant;
}

static inline bool ref_await_holds(ref_run *r, const ref_thread *t, const instruction *i) {
    int64_t cell = *ref_cell(r, ref_operand(r, t, &i->a), 1, false) & ref_operand(r, t, &i->b).bits;
    return ref_arith(i->arith, cell, ref_operand(r, t, &i->c).bits, 0);
}

static inline bool ref_enabled(ref_run *r, uint32_t thread) {
    ref_thread *t = &r->now->threads[thread];
    if (t->ended) return false;
    const instruction *i = ref_next(r, t);
    return i->kind != INSTR_SYNC || i->sync != SYNC_AWAIT || ref_await_holds(r, t, i);
}

static inline void ref_create(ref_run *r, const instruction *i) {
    ref_state *s = r->now;
    s->threads = mem_grow(s->threads, (s->thread_count + 1) * sizeof *s->threads);
    s->threads[s->thread_count++] = ref_new_thread(r->p, i->a.index);
}

static inline void ref_sync(ref_run *r, const instruction *i) {
    ref_thread *t = &r->now->threads[r->thread];
    switch (i->sync) {
    case SYNC_ATOMIC_BEGIN: t->atomic++; break;
    case SYNC_ATOMIC_END: t->atomic--; break;
    case SYNC_AWAIT:
        if (!ref_await_holds(r, t, i)) abort();
        t->atomic++;
        break;
    case SYNC_CREATE: ref_create(r, i); break;
    case SYNC_EXIT: t->ended = true; break;
    default: abort();
    }
}

static inline void ref_execute(ref_run *r, const instruction *i) {
    ref_thread *t = &r->now->threads[r->thread];
    ref_value a = ref_operand(r, t, &i->a), b = ref_operand(r, t, &i->b), c = ref_operand(r, t, &i->c);
    t->index++;
    switch (i->kind) {
    case INSTR_MOVE: t->registers[i->dst] = a; break;
    case INSTR_ARITH:
        t->registers[i->dst] = (ref_value){ref_arith(i->arith, a.bits, b.bits, c.bits), 0};
        break;
    case INSTR_OFFSET: t->registers[i->dst] = (ref_value){a.bits + b.bits * i->extra, a.base}; break;
    case INSTR_LOAD: t->registers[i->dst] = (ref_value){*ref_cell(r, a, 1, false), 0}; break;
    case INSTR_STORE: *ref_cell(r, a, 1, true) = b.bits; break;
    case INSTR_COPY: {
        size_t cells = (size_t)c.bits / 8;
        int64_t *to = ref_cell(r, a, cells, true), *from = ref_cell(r, b, cells, false);
        memmove(to, from, cells * 8);
        break;
    }
    case INSTR_RETURN: t->ended = true; break;
    case INSTR_JUMP:
    case INSTR_BRANCH:
        t->block = i->target[i->kind == INSTR_BRANCH && !(a.bits & 1)];
        t->index = 0;
        break;
    case INSTR_CHECK:
        if (!(a.bits & 1)) r->end = REF_VIOLATED;
        break;
    case INSTR_UNSUPPORTED: r->end = REF_GAVE_UP; break;
    case INSTR_SYNC: ref_sync(r, i); break;
    default: abort();
    }
}

/* One step: one visible operation and the invisible ones behind it. A thread's first step ends before its
 * first visible operation, whether that is blocked or not, so that what a step does never depends on
 * who ran before. */
static inline void ref_step(ref_run *r, uint32_t thread) {
    r->thread = thread;
    r->end = REF_GOES_ON;
    vec_clear(&r->touched);
    bool done = !ref_is_visible(r, &r->now->threads[thread], ref_next(r, &r->now->threads[thread]));
    while (r->end == REF_GOES_ON && !r->now->threads[thread].ended) {
        const instruction *i = ref_next(r, &r->now->threads[thread]);
        bool visible = ref_is_visible(r, &r->now->threads[thread], i);
        if (visible && done) return;
        done |= visible;
        ref_execute(r, i);
    }
}

/* --- exploring ------------------------------------------------------------------------------------------ */

typedef struct ref_event {
    uint32_t thread;
    uint64_t past; /* hash of the event and everything that happens before it */
    ref_accesses touched;
} ref_event;

typedef VEC(ref_event) ref_events;

static inline bool ref_conflict(const ref_accesses *a, const ref_accesses *b) {
    for (size_t i = 0; i < a->size; i++)
        for (size_t k = 0; k < b->size; k++)
            if ((a->data[i].writes || b->data[k].writes) && a->data[i].low < b->data[k].high &&
                b->data[k].low < a->data[i].high)
                return true;
    return false;
}

static inline ref_event ref_make_event(const ref_run *r, const ref_events *earlier) {
    ref_event e = {r->thread, hash_mix(r->thread + 1000), {0}};
    for (size_t k = 0; k < r->touched.size; k++) vec_push(&e.touched, r->touched.data[k]);
    uint64_t before = 0;
    for (size_t k = 0; k < earlier->size; k++)
        if (earlier->data[k].thread == r->thread || ref_conflict(&earlier->data[k].touched, &e.touched))
            before += hash_mix(earlier->data[k].past);
    e.past = hash_pair(e.past, before);
    return e;
}

static inline void ref_count_end(ref_run *r) {
    r->result.traces++;
    bool blocked = false;
    for (size_t t = 0; t < r->now->thread_count; t++) blocked |= !r->now->threads[t].ended;
    r->result.deadlocks += blocked;
}

typedef struct ref_node {
    ref_state *state;
    ref_events events;
    uint64_t sum; /* of the pasts: identifies the trace */
} ref_node;

static inline void ref_free_node(ref_node *n) {
    for (size_t k = 0; k < n->events.size; k++) vec_free(&n->events.data[k].touched);
    vec_free(&n->events);
    ref_free(n->state);
}

static inline ref_node ref_child(ref_run *r, const ref_node *n, bool keep_events) {
    ref_node child = {.state = r->now};
    if (!keep_events) return child;
    ref_event last = ref_make_event(r, &n->events);
    for (size_t k = 0; k < n->events.size; k++) {
        ref_event copy = {n->events.data[k].thread, n->events.data[k].past, {0}};
        for (size_t a = 0; a < n->events.data[k].touched.size; a++)
            vec_push(&copy.touched, n->events.data[k].touched.data[a]);
        vec_push(&child.events, copy);
    }
    vec_push(&child.events, last);
    child.sum = n->sum + hash_mix(last.past);
    return child;
}

static inline bool ref_is_new(ref_run *r, const ref_node *n, bool by_trace) {
    uint64_t key = by_trace ? n->sum ^ 1 : ref_hash(r, n->state);
    if (map_get(&r->seen, key) != MAP_NONE) return false;
    map_put(&r->seen, key, 1);
    r->result.visited++;
    return true;
}

/* by_trace: visits every trace prefix once and counts the traces; else visits every state once. */
static inline ref_result ref_explore(const program *p, bool by_trace, uint64_t most) {
    ref_run r = {.p = p, .most = most, .first_cell = mem_zero(p->objects.size + 1, sizeof(size_t))};
    for (size_t o = 0; o < p->objects.size; o++) {
        r.first_cell[o] = r.cells;
        r.cells += ref_cells_of_object(&p->objects.data[o]);
    }
    ref_state *initial = mem_zero(1, sizeof *initial);
    initial->memory = mem_zero(r.cells + 1, sizeof *initial->memory);
    initial->threads = mem_zero(1, sizeof *initial->threads);
    initial->threads[0] = ref_new_thread(p, p->threads.data[0].function);
    initial->thread_count = 1;
    r.now = initial;
    ref_step(&r, 0); /* main, up to its end */
    VEC(ref_node) work = {0};
    vec_push(&work, ((ref_node){.state = initial}));
    while (work.size && !r.result.cut) {
        ref_node n = vec_pop(&work);
        bool moved = false;
        for (uint32_t t = 0; t < n.state->thread_count; t++) {
            r.now = n.state;
            r.thread = t;
            if (!ref_enabled(&r, t)) continue;
            moved = true;
            r.now = ref_copy(&r, n.state);
            ref_step(&r, t);
            r.result.violations += r.end == REF_VIOLATED;
            r.result.given_up += r.end == REF_GAVE_UP;
            ref_node child = ref_child(&r, &n, by_trace);
            if (r.end == REF_GOES_ON && ref_is_new(&r, &child, by_trace))
                vec_push(&work, child);
            else
                ref_free_node(&child);
        }
        r.now = n.state;
        if (!moved) ref_count_end(&r);
        ref_free_node(&n);
        r.result.cut = r.result.visited > most;
    }
    while (work.size) {
        ref_node n = vec_pop(&work);
        ref_free_node(&n);
    }
    vec_free(&work);
    vec_free(&r.touched);
    map_free(&r.seen);
    mem_free(r.first_cell);
    return r.result;
}

#endif
