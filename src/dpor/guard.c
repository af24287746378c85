/* Blocking operations: would a thread that went on in one order be able to in another?
 *
 * Whether it can depends on few cells (those its next operation reads). In the reversed order they hold what
 * the last event that writes them left there, among those that still happen; that value stands in the
 * snapshot behind that event. So the question is asked of a mixed state: the thread as it stands where it was
 * executed, memory from that snapshot. */
#include "dpor/internal.h"

static bool is_sync(const instruction *i, sync_op op) {
    return i->kind == INSTR_SYNC && i->sync == op;
}

/* --- executing a part of the execution again ------------------------------------------------------------ */

static const successor *outcome_like(dpor *x, uint32_t position, const state *after) {
    uint32_t thread = x->events.data[position].thread;
    for (size_t i = 0; after && i < x->successors.size; i++) {
        const state *to = x->successors.data[i].to;
        if (x->successors.data[i].end == STEP_STOPPED && state_same_thread(to, after, thread))
            return &x->successors.data[i];
    }
    return NULL;
}

state *run_without(dpor *x, uint32_t first, uint32_t end, path *steps) {
    state *at = state_share(x->nodes.data[first].s);
    for (uint32_t i = first + 1; i < end && at; i++) {
        if (happens_before(x, first, i)) continue;
        transition by = {x->events.data[i].thread, 0};
        pending p = {0};
        machine_pending(x->machine, at, by.thread, &p);
        if (p.live && p.enabled) machine_step(x->machine, at, by, &x->judge.how, &x->successors);
        const state *after = i + 1 < x->nodes.size ? x->nodes.data[i + 1].s : NULL;
        const successor *next = outcome_like(x, i, after);
        if (next && steps) vec_push(steps, ((path_step){by, (uint32_t)(next - x->successors.data)}));
        state_release(x->machine, at);
        at = next ? state_share(next->to) : NULL;
        successors_clear(x->machine, &x->successors);
    }
    return at;
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
    if (!is_sync(i, SYNC_AWAIT) && !state_thread(control, r->thread).sleeps) return true;
    pending p = {0};
    machine_pending(x->machine, control, r->thread, &p);
    effect_clear(&x->guard);
    effect_join(&x->guard, p.next);
    state_add_watched(control, r->thread, &x->guard);
    return machine_would_go_on(x->machine, x->nodes.data[find_snapshot(x, r, &x->guard)].s, control,
                               r->thread);
}
