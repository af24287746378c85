/* What the next operation of a thread touches.
 *
 * A single load or store touches what its thread's registers say, whatever happened elsewhere. An atomic
 * section may touch one cell or another depending on what it reads in a third; if a footprint could shrink
 * like that between two orders, an execution would be taken as covered that is not. So such an operation,
 * known by its thread and where and how that stands, gets everything it was ever seen to touch; when that
 * grows after it was used, the exploration starts again with what was learned. An operation on a single cell
 * needs none of this: whoever changes what it does with the cell depends on everybody else who touches the
 * cell. */
#include "lazypor/internal.h"

#include "base/hash.h"

static const instruction *next_instruction(const lazypor *x, const thread_part *t) {
    const frame *f = &t->frames[t->frame_count - 1];
    return &machine_program(x->machine)
                ->functions.data[f->function]
                .blocks.data[f->block]
                .code.data[f->index];
}

bool operation_ends_program(const lazypor *x, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    if (t->status != THREAD_RUNNABLE) return false;
    const instruction *i = next_instruction(x, t);
    bool returns = thread == 0 && t->frame_count == 1 && i->kind == INSTR_RETURN;
    return returns || (i->kind == INSTR_SYNC && i->sync == SYNC_END);
}

static bool is_single_access(const lazypor *x, const thread_part *t) {
    if (t->atomic_depth || t->status != THREAD_RUNNABLE) return false;
    uint8_t kind = next_instruction(x, t)->kind;
    return kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_UPDATE;
}

static uint64_t operation_key(uint32_t thread, const thread_part *t) {
    uint64_t h = hash_pair(thread, t->atomic_depth);
    for (uint32_t i = 0; i < t->frame_count; i++) {
        const frame *f = &t->frames[i];
        h = hash_pair(h, hash_pair(f->function, (uint64_t)f->block << 32 | f->index));
    }
    for (uint32_t i = 0; i < t->value_count; i++)
        h = hash_pair(h, hash_pair(t->values[i].base, t->values[i].bits ? t->values[i].bits->hash : 0));
    return h;
}

/* --- footprints that only grow -------------------------------------------------------------------------- */

static bool says_it(const access *a, const access *b) {
    bool kind = a->kind == b->kind ? a->op == b->op : a->kind == ACCESS_WRITE && b->kind <= ACCESS_UPDATE;
    return kind && a->name == b->name && a->low <= b->low && b->high <= a->high;
}

static bool is_known_access(const accesses *list, const access *a) {
    for (size_t i = 0; i < list->size; i++)
        if (says_it(&list->data[i], a)) return true;
    return false;
}

static bool is_one_cell(const accesses *list) {
    const access *first = NULL;
    for (size_t i = 0; i < list->size; i++) {
        const access *a = &list->data[i];
        if (a->kind > ACCESS_UPDATE) continue;
        if (!first) first = a;
        if (a->name != first->name || a->low != first->low || a->high != first->high) return false;
    }
    return true;
}

static accesses *known_footprint(lazypor *x, uint64_t key, bool *is_new) {
    uint64_t index = map_get(&x->footprints, key);
    *is_new = index == MAP_NONE;
    if (*is_new) {
        index = x->may_touch.size;
        map_put(&x->footprints, key, index);
        vec_push(&x->may_touch, (accesses){0});
    }
    return &x->may_touch.data[index];
}

/* Joins what an atomic operation did with what it was seen to do before. */
static void learn(lazypor *x, const state *s, uint32_t thread, action *did) {
    bool is_new, grown = false;
    accesses *known = known_footprint(x, operation_key(thread, s->threads[thread]), &is_new);
    for (uint32_t i = did->touched.begin; i < did->touched.end; i++) {
        const access *a = &x->accesses.data[i];
        if (a->kind > ACCESS_UPDATE || is_known_access(known, a)) continue;
        vec_push(known, *a);
        grown = true;
    }
    if (is_one_cell(known)) return;
    if (grown && !is_new) x->learned = true;
    did->touched = footprint_join(did->touched, footprint_add(&x->accesses, known->data, known->size));
}

/* Updates that commute do not for somebody who waits for the cell: one of them may let him go on and another
 * stop him again. As soon as a cell is waited for, they count as writes. */
static bool overlaps(const accesses *list, const access *a) {
    for (size_t i = 0; i < list->size; i++) {
        const access *b = &list->data[i];
        if (a->name == b->name && a->low < b->high && b->low < a->high) return true;
    }
    return false;
}

static void order_updates(lazypor *x, action *did) {
    for (uint32_t i = did->touched.begin, end = did->touched.end; i < end; i++) {
        access a = x->accesses.data[i];
        if (a.kind != ACCESS_UPDATE) continue;
        if (!is_known_access(&x->updated, &a)) vec_push(&x->updated, a);
        if (!overlaps(&x->guarded, &a)) continue;
        a.kind = ACCESS_WRITE;
        did->touched = footprint_join(did->touched, footprint_add(&x->accesses, &a, 1));
    }
}

static void note_guard(lazypor *x, const effect *guard) {
    for (size_t i = 0; i < guard->size; i++) {
        if (is_known_access(&x->guarded, &guard->data[i])) continue;
        vec_push(&x->guarded, guard->data[i]);
        if (overlaps(&x->updated, &guard->data[i])) x->learned = true;
    }
}

/* --- what was touched, and what might be ---------------------------------------------------------------- */

static void add_accesses(lazypor *x, action *to, const access *list, size_t count) {
    to->touched = footprint_join(to->touched, footprint_add(&x->accesses, list, count));
}

static action begin_action(const lazypor *x, uint32_t thread) {
    uint32_t here = (uint32_t)x->accesses.size;
    return (action){.thread = thread, .touched = {.begin = here, .end = here}};
}

static access spin_access(const spin_read *r) {
    return (access){
        .kind = ACCESS_READ, .name = r->object, .low = r->offset, .high = r->offset + (r->width + 7) / 8};
}

static bool is_spinning(const thread_part *t) {
    return t->spin && t->spin->waiting;
}

uint32_t operation_done(lazypor *x, const state *s, uint32_t thread, const successors *all, uint32_t index) {
    const thread_part *t = s->threads[thread];
    action did = begin_action(x, thread);
    add_accesses(x, &did, all->data[index].touched.data, all->data[index].touched.size);
    did.own = did.touched.end - did.touched.begin;
    for (size_t i = 0; i < all->size; i++)
        if (i != index) add_accesses(x, &did, all->data[i].touched.data, all->data[i].touched.size);
    /* A thread that went round a loop in vain goes on because one of the cells it read there has changed. */
    for (uint32_t i = 0; is_spinning(t) && i < t->spin->count; i++) {
        access a = spin_access(&t->spin->read[i]);
        add_accesses(x, &did, &a, 1);
    }
    if (!is_single_access(x, t)) learn(x, s, thread, &did);
    order_updates(x, &did);
    did.touched.everything = operation_ends_program(x, s, thread);
    return action_intern(x, did);
}

uint32_t operation_foresee(lazypor *x, const state *s, uint32_t thread, uint32_t seen) {
    const thread_part *t = s->threads[thread];
    if (seen != NO_INDEX && is_single_access(x, t) && !is_spinning(t)) return seen;
    action next = begin_action(x, thread);
    uint64_t index = map_get(&x->footprints, operation_key(thread, t));
    footprint before = seen != NO_INDEX ? x->actions.data[seen].touched : (footprint){0};
    size_t count = index != MAP_NONE ? x->may_touch.data[index].size : before.end - before.begin;
    for (size_t i = 0; i < count; i++) {
        access a = index != MAP_NONE ? x->may_touch.data[index].data[i] : x->accesses.data[before.begin + i];
        if (a.kind <= ACCESS_UPDATE) a.kind = ACCESS_WRITE; /* with other values it may write what it read */
        add_accesses(x, &next, &a, 1);
    }
    next.touched.everything = index == MAP_NONE && seen == NO_INDEX;
    return action_intern(x, next);
}

const accesses *operation_expect(lazypor *x, const state *s, uint32_t thread) {
    pending p = {0};
    machine_pending(x->machine, s, thread, &p);
    vec_clear(&x->expected);
    for (size_t i = 0; i < p.next->size; i++) vec_push(&x->expected, p.next->data[i]);
    if (is_single_access(x, s->threads[thread])) return &x->expected;
    uint64_t index = map_get(&x->footprints, operation_key(thread, s->threads[thread]));
    for (size_t i = 0; index != MAP_NONE && i < x->may_touch.data[index].size; i++)
        vec_push(&x->expected, x->may_touch.data[index].data[i]);
    return &x->expected;
}

/* --- what it needs -------------------------------------------------------------------------------------- */

const effect *operation_guard(lazypor *x, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    effect_clear(&x->guard);
    if (t->status != THREAD_RUNNABLE) return &x->guard;
    for (uint32_t i = 0; is_spinning(t) && i < t->spin->count; i++)
        effect_add(&x->guard, spin_access(&t->spin->read[i]));
    const instruction *i = next_instruction(x, t);
    if (i->kind == INSTR_SYNC && i->sync == SYNC_AWAIT) {
        pending p = {0};
        machine_pending(x->machine, s, thread, &p);
        effect_join(&x->guard, p.next);
    }
    note_guard(x, &x->guard);
    return &x->guard;
}

bool operation_may_go_on(lazypor *x, const state *control, const state *memory, uint32_t thread) {
    uint32_t count =
        control->thread_count > memory->thread_count ? control->thread_count : memory->thread_count;
    vec_clear(&x->mixed);
    for (uint32_t t = 0; t < count; t++) {
        bool from_control = t == thread || t >= memory->thread_count;
        vec_push(&x->mixed, (from_control ? control : memory)->threads[t]);
    }
    state mixed = *memory; /* only read */
    mixed.threads = x->mixed.data;
    mixed.thread_count = count;
    pending p = {0};
    machine_pending(x->machine, &mixed, thread, &p);
    return p.enabled;
}
