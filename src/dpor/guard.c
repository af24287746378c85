/* Blocking operations: would a thread that went on in one order be able to in another?
 *
 * Whether it can depends on few cells (those its next operation reads). In the reversed order they hold what
 * the last event that writes them left there, among those that still happen; that value stands in the
 * snapshot behind that event. So the question is asked of a mixed state: the thread as it stands where it was
 * executed, memory from that snapshot. */
#include "dpor/internal.h"
#include "explore/player.h"

static bool is_sync(const instruction *i, sync_op op) {
    return i->kind == INSTR_SYNC && i->sync == op;
}

/* --- executing a part of the execution again ------------------------------------------------------------ */

/* The event happens here as it did there. False: it does not. */
static bool repeat(dpor *x, player *p, uint32_t position) {
    const state *after = position + 1 < x->nodes.size ? x->nodes.data[position + 1].s : NULL;
    transition by = x->events.data[position].step.by;
    pending next = {0};
    machine_pending(x->machine, p->now, by.thread, &next);
    if (!after || !next.live || !next.enabled) return false;
    player_look(p, by);
    const successor *s = player_repeated(p, after);
    if (s) player_take(p, s);
    return s;
}

state *run_without(dpor *x, uint32_t first, uint32_t end, path *steps) {
    player p = player_begin_at(x->machine, x->nodes.data[first].s, &x->judge.how);
    bool follows = true;
    for (uint32_t i = first + 1; i < end && follows; i++)
        if (!happens_before(x, first, i)) follows = repeat(x, &p, i);
    if (steps) path_append(steps, &p.done);
    if (follows) return player_leave(&p);
    player_end(&p);
    return NULL;
}

/* --- the question --------------------------------------------------------------------------------------- */

static bool touches(const dpor *x, uint32_t position, const effect *cells) {
    const footprint *f = &x->events.data[position].touched;
    return footprint_conflict_exactly(x->accesses.data + f->begin, f->end - f->begin, cells->data,
                                      cells->size);
}

/* The position whose snapshot has the cells as they are before the first event of the race and after those in
 * between that do not depend on it. Events that change them are ordered (awaited.c). */
static uint32_t find_snapshot(const dpor *x, const race *r, const effect *cells) {
    uint32_t last = r->second;
    while (last > r->first + 1 && (happens_before(x, r->first, last - 1) || !touches(x, last - 1, cells)))
        last--;
    return last > r->first + 1 ? last : r->first;
}

bool may_wait(const dpor *x, const state *s, uint32_t thread) {
    thread_stand t = state_thread(s, thread);
    return t.watched || t.in_section || is_sync(machine_next_instruction(x->machine, s, thread), SYNC_AWAIT);
}

static bool ends_thread(const dpor *x, uint32_t position, uint32_t thread) {
    const footprint *f = &x->events.data[position].touched;
    for (uint32_t k = f->begin; k < f->end; k++)
        if (x->accesses.data[k].kind == ACCESS_END && x->accesses.data[k].name == thread) return true;
    return false;
}

/* A join comes after the end of its thread. With others who join or detach that thread it may change places:
 * an event between which and the end there is an order is no direct race. */
static bool join_could_come_first(dpor *x, const race *r, const state *control) {
    if (x->events.data[r->first].touched.everything)
        return machine_would_go_on(x->machine, x->nodes.data[r->first].s, control, r->thread);
    pending p = {0};
    machine_pending(x->machine, control, r->thread, &p);
    return p.next->size && !ends_thread(x, r->first, p.next->data[0].name);
}

bool could_come_first(dpor *x, const race *r, const state *control) {
    const instruction *i = machine_next_instruction(x->machine, control, r->thread);
    if (is_sync(i, SYNC_JOIN)) return join_could_come_first(x, r, control);
    if (!is_sync(i, SYNC_AWAIT) && !state_thread_sleeps(control, r->thread)) return true;
    pending p = {0};
    machine_pending(x->machine, control, r->thread, &p);
    effect_clear(&x->guard);
    effect_join(&x->guard, p.next);
    state_add_watched(control, r->thread, &x->guard);
    return machine_would_go_on(x->machine, x->nodes.data[find_snapshot(x, r, &x->guard)].s, control,
                               r->thread);
}
