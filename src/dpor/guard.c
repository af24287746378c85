/* Blocking operations: would a thread that went on in one order be able to in another?
 *
 * Whether it can depends on few cells (those its next operation reads). In the reversed order they hold what
 * the last event that writes them left there, among those that still happen; that value stands in the
 * snapshot behind that event. So the question is asked of a mixed state: the thread as it stands where it was
 * executed, memory from that snapshot. */
#include "dpor/internal.h"

const instruction *next_instruction(const dpor *x, const thread_part *t) {
    const frame *f = &t->frames[t->frame_count - 1];
    return &machine_program(x->machine)
                ->functions.data[f->function]
                .blocks.data[f->block]
                .code.data[f->index];
}

static bool is_sync(const instruction *i, sync_op op) {
    return i->kind == INSTR_SYNC && i->sync == op;
}

bool ends_program(const dpor *x, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const instruction *i = next_instruction(x, t);
    return is_sync(i, SYNC_END) || (thread == 0 && t->frame_count == 1 && i->kind == INSTR_RETURN);
}

static bool others_live(const state *s, uint32_t thread) {
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (t != thread && s->threads[t]->status == THREAD_RUNNABLE) return true;
    return false;
}

bool cuts_off_others(const dpor *x, const state *from, uint32_t thread, const successor *s) {
    if (s->end == STEP_FINISHED && x->exits_anywhere)
        return true; /* also what others have done could come after */
    if (!others_live(from, thread)) return false;
    if (s->end == STEP_FINISHED) return !ends_program(x, from, thread);
    if (s->end != STEP_VIOLATION) return false;
    return !x->judge.how.continue_after_violation ||
           !check_is_stated(machine_check(x->machine, s->check)->kind);
}

/* --- executing a part of the execution again ------------------------------------------------------------ */

static const successor *outcome_like(dpor *x, uint32_t position, const state *after) {
    uint32_t thread = x->events.data[position].thread;
    for (size_t i = 0; after && i < x->successors.size; i++) {
        const state *to = x->successors.data[i].to;
        if (x->successors.data[i].end == STEP_STOPPED && thread < after->thread_count &&
            threads_identical(to->threads[thread], after->threads[thread]))
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

state mix_states(dpor *x, const state *memory, const state *control, uint32_t thread) {
    uint32_t count =
        control->thread_count > memory->thread_count ? control->thread_count : memory->thread_count;
    vec_clear(&x->mixed_threads);
    for (uint32_t t = 0; t < count; t++) {
        bool from_control = t == thread || t >= memory->thread_count;
        vec_push(&x->mixed_threads, (from_control ? control : memory)->threads[t]);
    }
    state mixed = *memory;
    mixed.threads = x->mixed_threads.data;
    mixed.thread_count = count;
    return mixed;
}

static bool would_go_on(dpor *x, const state *memory, const state *control, uint32_t thread) {
    state mixed = mix_states(x, memory, control, thread);
    pending p = {0};
    machine_pending(x->machine, &mixed, thread, &p);
    return p.enabled;
}

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

static bool is_spinning(const thread_part *t) {
    return t->spin && t->spin->waiting;
}

bool may_wait(const dpor *x, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    return t->spin || is_sync(next_instruction(x, t), SYNC_AWAIT) || t->atomic_depth;
}

void add_spin_reads(const thread_part *t, effect *out) {
    thread_add_watched(t, out);
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
        return would_go_on(x, x->nodes.data[r->first].s, control, r->thread);
    pending p = {0};
    machine_pending(x->machine, control, r->thread, &p);
    return p.next->size && !ends_thread(x, r->first, p.next->data[0].name);
}

bool could_come_first(dpor *x, const race *r, const state *control) {
    const thread_part *t = control->threads[r->thread];
    const instruction *i = next_instruction(x, t);
    if (is_sync(i, SYNC_JOIN)) return join_could_come_first(x, r, control);
    if (!is_sync(i, SYNC_AWAIT) && !is_spinning(t)) return true;
    pending p = {0};
    machine_pending(x->machine, control, r->thread, &p);
    effect_clear(&x->guard);
    effect_join(&x->guard, p.next);
    add_spin_reads(t, &x->guard);
    return would_go_on(x, x->nodes.data[find_snapshot(x, r, &x->guard)].s, control, r->thread);
}
