/* What the next operation of a thread touches.
 *
 * A single load or store touches what its thread's registers say, whatever happened elsewhere. An atomic
 * section may touch one cell or another depending on what it reads in a third; if a footprint could shrink
 * like that between two orders, an execution would be taken as covered that is not. So such an operation,
 * known by its thread and where and how that stands, gets everything it was ever seen to touch; when that
 * grows after it was used, the exploration starts again with what was learned. An operation on a single cell
 * needs none of this: whoever changes what it does with the cell depends on everybody else who
 * touches the cell. */
#include "lazypor/internal.h"

#include "base/hash.h"
#include "explore/player.h"

static bool some_outcome_cuts_off(const lazypor *x, const state *s, uint32_t thread, const successors *all) {
    for (size_t i = 0; i < all->size; i++)
        if (judge_cuts_off_others(&x->judge, s, thread, &all->data[i])) return true;
    return false;
}

static bool is_single_access(const lazypor *x, const state *s, uint32_t thread) {
    if (state_thread_status(s, thread) != THREAD_RUNNABLE) return false;
    uint8_t kind = machine_next_instruction(x->machine, s, thread)->kind;
    bool is_access = kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_UPDATE;
    return is_access && !state_thread(s, thread).in_section;
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
static const accesses *learn(lazypor *x, uint64_t key, action *did) {
    bool is_new, grown = false;
    accesses *known = known_footprint(x, key, &is_new);
    for (uint32_t i = did->touched.begin; i < did->touched.end; i++) {
        const access *a = &x->accesses.data[i];
        if (a->kind > ACCESS_UPDATE || is_known_access(known, a)) continue;
        vec_push(known, *a);
        grown = true;
    }
    if (is_one_cell(known)) return known;
    if (grown && !is_new) x->learned = true;
    did->touched = footprint_join(did->touched, footprint_add(&x->accesses, known->data, known->size));
    return known;
}

/* Updates that commute do not for somebody who waits for the cell: one of them may let him go on and another
 * stop him again. As soon as a cell is waited for, they count as writes. */
static bool overlap(const access *a, const access *b) {
    return a->name == b->name && a->low < b->high && b->low < a->high;
}

static bool overlaps(const accesses *list, const access *a) {
    for (size_t i = 0; i < list->size; i++)
        if (overlap(a, &list->data[i])) return true;
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

/* What an operation does hangs on where its thread stands and on what the cells hold that it reads. If some
 * of these are symbolic, it also hangs on the path condition. */
static bool add_cell_to_key(uint64_t *key, const state *s, const access *cell) {
    uint64_t held;
    if (!s || !state_known_cell(s, cell, &held)) return false;
    *key = hash_pair(*key, held);
    return true;
}

static void remember_done(lazypor *x, const state *s, uint64_t key, const accesses *known, uint32_t done) {
    for (size_t i = 0; i < known->size; i++)
        if (!add_cell_to_key(&key, s, &known->data[i])) return;
    map_put(&x->done_with, key, done);
}

uint32_t operation_done(lazypor *x, const state *s, uint32_t thread, const successors *all, uint32_t index) {
    action did = begin_action(x, thread);
    add_accesses(x, &did, all->data[index].touched.data, all->data[index].touched.size);
    did.own = did.touched.end - did.touched.begin;
    for (size_t i = 0; i < all->size; i++)
        if (i != index) add_accesses(x, &did, all->data[i].touched.data, all->data[i].touched.size);
    /* A thread that went round a loop in vain goes on because one of the cells it read there has changed. */
    effect_clear(&x->guard);
    state_add_watched(s, thread, &x->guard);
    add_accesses(x, &did, x->guard.data, x->guard.size);
    bool single = is_single_access(x, s, thread);
    uint64_t key = single ? 0 : state_thread_key(s, thread);
    const accesses *known = single ? NULL : learn(x, key, &did);
    order_updates(x, &did);
    did.touched.everything =
        machine_is_at_program_end(x->machine, s, thread) || some_outcome_cuts_off(x, s, thread, all);
    uint32_t done = action_intern(x, did);
    if (known && !state_thread_sleeps(s, thread)) remember_done(x, s, key, known, done);
    return done;
}

/* --- in another order ----------------------------------------------------------------------------------- */

/* The event happens here as it did there, or in the only way that is left. False: it does not. */
static bool repeat(lazypor *x, player *p, uint32_t position) {
    transition by = x->events.data[position].step.by;
    if (position + 1 >= x->depth || !operation_may_go_on(x, p->now, p->now, by.thread)) return false;
    player_look(p, by);
    const successor *s =
        p->next.size == 1 ? player_only_way(p) : player_repeated(p, x->nodes.data[position + 1].s);
    if (s) player_take(p, s);
    return s;
}

/* The state after the events of `sequence` that come before position `end`, without event `first`. NULL if
 * they cannot be followed. */
static state *run_swapped(lazypor *x, uint32_t first, uint32_t end) {
    player p = player_begin_at(x->machine, x->nodes.data[first].s, &x->judge.how);
    bool follows = true;
    for (size_t i = 0; follows && i < x->sequence.size && x->sequence.data[i] < end; i++)
        follows = repeat(x, &p, x->sequence.data[i]);
    if (follows) return player_leave(&p);
    player_end(&p);
    return NULL;
}

/* Executes the operation in the other order, only to see. */
static uint32_t try_swapped(lazypor *x, const dependency *d, uint64_t key) {
    action next = begin_action(x, d->thread);
    state *at = run_swapped(x, d->first, d->second);
    if (at && operation_may_go_on(x, at, at, d->thread))
        machine_step_thread(x->machine, at, d->thread, &x->judge.how, &x->tried);
    for (size_t i = 0; i < x->tried.size; i++)
        add_accesses(x, &next, x->tried.data[i].touched.data, x->tried.data[i].touched.size);
    next.touched.everything = !x->tried.size || some_outcome_cuts_off(x, at, d->thread, &x->tried);
    successors_clear(x->machine, &x->tried);
    state_release(x->machine, at);
    uint64_t index = map_get(&x->footprints, key);
    if (index != MAP_NONE)
        add_accesses(x, &next, x->may_touch.data[index].data, x->may_touch.data[index].size);
    order_updates(x, &next);
    return action_intern(x, next);
}

/* A snapshot in which a cell holds what it does after the events of `sequence` that come before position
 * `end`. NULL: there may be none. */
static const state *snapshot_for_cell(const lazypor *x, uint32_t first, uint32_t end, const access *cell) {
    const state *found = x->nodes.data[first].s;
    for (size_t i = 0; i < x->sequence.size && x->sequence.data[i] < end; i++) {
        const action *did = event_action(x, x->sequence.data[i]);
        for (uint32_t k = did->touched.begin; k < did->touched.begin + did->own; k++) {
            const access *a = &x->accesses.data[k];
            if (a->kind > ACCESS_UPDATE || a->kind == ACCESS_READ || !overlap(a, cell)) continue;
            if (a->kind != ACCESS_WRITE || a->low != cell->low || a->high != cell->high) return NULL;
            if (x->sequence.data[i] + 1 >= x->depth) return NULL;
            found = x->nodes.data[x->sequence.data[i] + 1].s;
        }
    }
    return found;
}

uint32_t operation_foresee(lazypor *x, const dependency *d) {
    bool executed = d->second < x->length;
    const state *s = executed ? x->nodes.data[d->second].s : x->ending;
    bool sleeps = state_thread_sleeps(s, d->thread);
    if (executed && !sleeps && is_single_access(x, s, d->thread)) return x->events.data[d->second].did;
    uint64_t operation = state_thread_key(s, d->thread), key = operation;
    uint64_t index = map_get(&x->footprints, operation);
    bool told_apart = index != MAP_NONE && !sleeps;
    for (size_t i = 0; told_apart && i < x->may_touch.data[index].size; i++) {
        const access *cell = &x->may_touch.data[index].data[i];
        told_apart = add_cell_to_key(&key, snapshot_for_cell(x, d->first, d->second, cell), cell);
    }
    uint64_t known = told_apart ? map_get(&x->done_with, key) : MAP_NONE;
    if (known != MAP_NONE) return (uint32_t)known;
    uint32_t tried = try_swapped(x, d, operation);
    if (told_apart) map_put(&x->done_with, key, tried);
    return tried;
}

/* --- what is to be expected ----------------------------------------------------------------------------- */

const accesses *operation_expect(lazypor *x, const state *s, uint32_t thread) {
    pending p = {0};
    machine_pending(x->machine, s, thread, &p);
    vec_clear(&x->expected);
    for (size_t i = 0; i < p.next->size; i++) vec_push(&x->expected, p.next->data[i]);
    if (is_single_access(x, s, thread)) return &x->expected;
    uint64_t index = map_get(&x->footprints, state_thread_key(s, thread));
    for (size_t i = 0; index != MAP_NONE && i < x->may_touch.data[index].size; i++)
        vec_push(&x->expected, x->may_touch.data[index].data[i]);
    return &x->expected;
}

/* --- what it needs -------------------------------------------------------------------------------------- */

const effect *operation_guard(lazypor *x, const state *s, uint32_t thread) {
    effect_clear(&x->guard);
    if (state_thread_status(s, thread) != THREAD_RUNNABLE) return &x->guard;
    state_add_watched(s, thread, &x->guard);
    const instruction *i = machine_next_instruction(x->machine, s, thread);
    if (i->kind == INSTR_SYNC && i->sync == SYNC_AWAIT) {
        pending p = {0};
        machine_pending(x->machine, s, thread, &p);
        effect_join(&x->guard, p.next);
    }
    note_guard(x, &x->guard);
    return &x->guard;
}

bool operation_may_go_on(lazypor *x, const state *control, const state *memory, uint32_t thread) {
    return machine_would_go_on(x->machine, memory, control, thread);
}
