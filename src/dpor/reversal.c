/* What an event touches when it comes earlier than where it was seen.
 *
 * A plain load, store or update touches the same cell in any order. Others need not: a compare-and-swap that
 * failed may succeed. They are executed to find out; not behind all the events that come before them in the
 * reversed order, but on the snapshot before the first event of the race, if that cannot
 * make a difference. */
#include "dpor/internal.h"

/* --- steps that touch the same cells whatever values are there ------------------------------------------ */

static bool is_defined_between(const block *b, uint32_t begin, uint32_t end, const operand *o) {
    if (o->kind != OPERAND_REGISTER) return false;
    for (uint32_t i = begin; i < end; i++)
        if (b->code.data[i].dst == o->index) return true;
    return false;
}

/* From `begin` on, an atomic section without branches and calls, whose addresses are known before it. */
static bool is_fixed_section(const block *b, uint32_t begin) {
    for (uint32_t i = begin; i < b->code.size; i++) {
        const instruction *at = &b->code.data[i];
        switch ((instruction_kind)at->kind) {
        case INSTR_LOAD:
        case INSTR_STORE:
        case INSTR_UPDATE:
            if (is_defined_between(b, begin, i, &at->a)) return false;
            break;
        case INSTR_MOVE:
        case INSTR_ARITH:
        case INSTR_OFFSET:
        case INSTR_CHECK: break;
        case INSTR_SYNC:
            if (at->sync == SYNC_ATOMIC_END) return true;
            if (i > begin || (at->sync != SYNC_ATOMIC_BEGIN && at->sync != SYNC_AWAIT)) return false;
            break;
        default: return false;
        }
    }
    return false;
}

static bool touches_regardless_of_values(const dpor *x, const state *s, uint32_t thread) {
    thread_stand t = state_thread(s, thread);
    if (t.status != THREAD_RUNNABLE || t.in_section || t.watched) return false;
    const instruction *i = machine_next_instruction(x->machine, s, thread);
    if (i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_UPDATE) return true;
    if (i->kind != INSTR_SYNC) return false;
    call_site at = state_innermost(s, thread);
    return is_fixed_section(&machine_program(x->machine)->functions.data[at.function].blocks.data[at.block],
                            at.index);
}

/* --- others --------------------------------------------------------------------------------------------- */

/* The union over all outcomes of the step; their number is 0 unless all of them end well. */
static footprint footprint_of_step(dpor *x, const state *s, uint32_t thread, uint32_t *outcomes) {
    footprint f = {.begin = (uint32_t)x->accesses.size, .end = (uint32_t)x->accesses.size};
    pending p = {0};
    *outcomes = 0;
    machine_pending(x->machine, s, thread, &p);
    if (!p.live || !p.enabled) return f;
    machine_step_thread(x->machine, s, thread, &x->judge.how, &x->successors);
    bool well = true;
    for (size_t i = 0; i < x->successors.size; i++) {
        successor *to = &x->successors.data[i];
        well &= to->end == STEP_STOPPED || to->end == STEP_FINISHED;
        state_add_watched(s, thread, &to->touched);
        note_touched(x, s, thread, &to->touched);
        footprint of_outcome = footprint_add(&x->accesses, to->touched.data, to->touched.size);
        of_outcome.everything = judge_cuts_off_others(&x->judge, s, thread, to);
        f = footprint_join(f, of_outcome);
    }
    if (well) *outcomes = (uint32_t)x->successors.size;
    successors_clear(x->machine, &x->successors);
    return f;
}

/* There may be no such state: only what the step touches is asked. */
static footprint footprint_in_mixture(dpor *x, const state *memory, const state *control, uint32_t thread,
                                      uint32_t *outcomes) {
    state *mixed = machine_mix(x->machine, memory, control, thread);
    machine_look_away(x->machine);
    footprint f = footprint_of_step(x, mixed, thread, outcomes);
    machine_look_back(x->machine);
    state_release(x->machine, mixed);
    return f;
}

static bool is_disturbed_by_kept_events(const dpor *x, const race *r, const footprint *f) {
    for (uint32_t i = r->first + 1; i < x->events.size; i++)
        if (!happens_before(x, r->first, i) &&
            footprint_conflict(x->accesses.data, &x->events.data[i].touched, x->accesses.data, f))
            return true;
    return false;
}

footprint footprint_if_reversed(dpor *x, const race *r, uint32_t *outcomes) {
    const state *control = x->nodes.data[r->second < x->nodes.size ? r->second : x->nodes.size - 1].s;
    const state *memory = x->nodes.data[r->first].s;
    *outcomes = 1;
    bool executed = r->second < x->events.size; /* of a blocked one only the guard is known */
    if (executed && touches_regardless_of_values(x, control, r->thread)) return r->touched;
    size_t pool = x->accesses.size;
    if (state_same_private_memory(memory, control, r->thread)) {
        footprint f = footprint_in_mixture(x, memory, control, r->thread, outcomes);
        if (*outcomes && !is_disturbed_by_kept_events(x, r, &f)) return f;
        x->accesses.size = pool;
    }
    *outcomes = 0;
    state *s = run_without(x, r->first, (uint32_t)x->events.size, NULL);
    footprint f = r->touched;
    if (s) f = footprint_of_step(x, s, r->thread, outcomes);
    if (s) state_release(x->machine, s);
    if (*outcomes) return f;
    x->accesses.size = pool;
    return r->touched;
}
