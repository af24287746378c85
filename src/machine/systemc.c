/* The cooperative kernel of SystemC (IEEE 1666): phases, events, timers, channel updates. docs/ivl.md §3 is
 * its specification. */
#include "machine/systemc.h"

#include "machine/kernel.h"
#include "machine/watch.h"

void systemc_tell(const machine *m, seen_kind what, uint32_t number, const term *due) {
    if (step_watch(m) && step_watch(m)->happens)
        step_watch(m)->happens(step_watch(m)->data, what, number, due);
}

/* --- runnable threads ----------------------------------------------------------------------------------- */

bool systemc_can_run(const thread_part *t) {
    return t->status == THREAD_RUNNABLE && !t->suspended;
}

static bool somebody_can_run(const machine *m, const state *s) {
    assert(s->thread_count > m->program->threads.size); /* those of the program, and the kernel's */
    for (uint32_t t = 1; t < m->program->threads.size; t++)
        if (systemc_can_run(s->threads[t])) return true;
    return false;
}

/* Once one channel update has run all of them do, whether or not it stopped the simulation. */
static bool stops_before_updates(const machine *m, const scheduler_part *k) {
    return k->stopping && k->phase == PHASE_EVALUATE && !m->traits->updates_after_stop;
}

/* Of the scheduler's own transition the order of dependent channel updates is a choice. */
static uint32_t choices(const machine *m, const state *s, uint32_t thread) {
    bool may_choose = thread == MACHINE_KERNEL && !m->updates_commute && s->scheduler->update_count;
    return may_choose && !stops_before_updates(m, s->scheduler) ? s->scheduler->update_count : 1;
}

static void offer(const machine *m, const state *s, uint32_t thread, transitions *out) {
    uint32_t count = m->kernel->choices(m, s, thread);
    for (uint32_t k = 0; k < count; k++) vec_push(out, ((transition){thread, k}));
}

static void enabled(machine *m, const state *s, transitions *out) {
    vec_clear(out);
    const scheduler_part *k = s->scheduler;
    if (k->running != NO_INDEX) {
        offer(m, s, k->running, out);
        return;
    }
    switch ((sim_phase)k->phase) {
    case PHASE_MAIN: offer(m, s, 0, out); break;
    case PHASE_UPDATE: offer(m, s, MACHINE_KERNEL, out); break;
    case PHASE_DONE: break;
    case PHASE_EVALUATE:
        for (uint32_t t = 1; t < m->program->threads.size; t++)
            if (systemc_can_run(s->threads[t])) offer(m, s, t, out);
        if (!out->size) offer(m, s, MACHINE_KERNEL, out);
        break;
    }
}

/* --- notification --------------------------------------------------------------------------------------- */

uint32_t systemc_timer_of(const machine *m, uint32_t thread) {
    return (uint32_t)m->program->events.size + thread;
}

void systemc_wake(machine *m, state *s, uint32_t thread) {
    assert(thread && thread < m->program->threads.size && s->threads[thread]->status != THREAD_ENDED);
    thread_part *t = state_own_thread(s, thread);
    t->status = THREAD_RUNNABLE;
    t->wait_count = 0;
    t->wait_all = false;
    if (scheduler_find_pending(s->scheduler, systemc_timer_of(m, thread)))
        scheduler_remove_pending(state_own_scheduler(s), systemc_timer_of(m, thread));
}

static bool awaits(const thread_part *t, uint32_t event) {
    if (t->status != THREAD_WAITING || t->disabled) return false;
    for (uint32_t k = 0; k < t->wait_count; k++)
        if (t->waits[k].event == event && !t->waits[k].arrived) return true;
    return false;
}

/* For a wait on all events: notes the arrival; true when it was the last one missing. */
static bool note_arrival(thread_part *t, uint32_t event) {
    assert(t->wait_all && t->wait_count);
    bool complete = true;
    for (uint32_t k = 0; k < t->wait_count; k++) {
        if (t->waits[k].event == event) t->waits[k].arrived = true;
        complete &= t->waits[k].arrived;
    }
    return complete;
}

void systemc_trigger_event(machine *m, state *s, uint32_t event) {
    assert(event < m->program->events.size);
    for (uint32_t t = 1; t < m->program->threads.size; t++) {
        if (!awaits(s->threads[t], event)) continue;
        if (!s->threads[t]->wait_all || note_arrival(state_own_thread(s, t), event)) systemc_wake(m, s, t);
    }
}

/* Tells the wait for which thread `t` stands how it ended, if that matters to whoever goes on from there. */
static void tell_wait(const machine *m, thread_part *t, wait_end how) {
    assert(t->frame_count);
    const frame *f = &t->frames[t->frame_count - 1];
    assert(f->index); /* it stands behind its wait */
    const instruction *i =
        &m->program->functions.data[f->function].blocks.data[f->block].code.data[f->index - 1];
    if (i->kind != INSTR_SYNC || i->dst == NO_INDEX) return;
    value *told = &t->values[f->registers + i->dst];
    if (told->bits) *told = (value){term_const(m->terms, m->program->pointer_bits, how), 0};
}

static void time_out(machine *m, state *s, uint32_t thread) {
    bool woken = s->threads[thread]->status != THREAD_WAITING;
    systemc_wake(m, s, thread);
    tell_wait(m, state_own_thread(s, thread), woken ? WAIT_ENDED_AT_ONCE : WAIT_ENDED_BY_TIME);
}

static void trigger(machine *m, state *s, uint32_t target) {
    uint32_t events = (uint32_t)m->program->events.size;
    assert(target < events + m->program->threads.size);
    if (target < events)
        systemc_trigger_event(m, s, target);
    else
        time_out(m, s, target - events);
}

/* Fires the pending notifications that are due at `due` (NULL: delta): events before time-outs. */
static void fire(machine *m, state *s, const term *due) {
    VEC(uint32_t) targets = {0};
    scheduler_part *k = state_own_scheduler(s);
    for (uint32_t i = 0; i < k->pending_count; i++)
        if (k->pending[i].due == due) vec_push(&targets, k->pending[i].target);
    for (size_t i = 0; i < targets.size; i++) scheduler_remove_pending(k, targets.data[i]);
    for (size_t i = 0; i < targets.size; i++) trigger(m, s, targets.data[i]);
    vec_free(&targets);
}

static void lift_suspensions(machine *m, state *s) {
    for (uint32_t t = 1; t < m->program->threads.size; t++) {
        if (!s->threads[t]->resume_pending) continue;
        thread_part *own = state_own_thread(s, t);
        own->resume_pending = own->suspended = false;
    }
}

static void notify_delta(machine *m, state *s) {
    lift_suspensions(m, s);
    fire(m, s, NULL);
}

/* --- phases --------------------------------------------------------------------------------------------- */

void systemc_enter_evaluation(run *r, context *c) {
    assert(c->s->threads[0]->status == THREAD_STARTING && !c->s->scheduler->starved);
    state_own_scheduler(c->s)->phase = PHASE_EVALUATE;
    run_end(r, c, STEP_STOPPED);
}

static bool awaits_declared(const thread_part *t, const thread_info *info) {
    for (uint32_t k = 0; k < info->sensitivity_count; k++)
        for (uint32_t i = 0; i < t->wait_count; i++)
            if (t->waits[i].event == info->sensitivity[k]) return true;
    return false;
}

static bool is_blocked(const machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const thread_info *info = &m->program->threads.data[thread];
    if (t->status != THREAD_WAITING && !(t->status == THREAD_RUNNABLE && t->suspended)) return false;
    return !info->is_method && !(info->is_spare && awaits_declared(t, info));
}

static bool somebody_is_blocked(const machine *m, const state *s) {
    for (uint32_t t = 1; t < m->program->threads.size; t++)
        if (is_blocked(m, s, t)) return true;
    return false;
}

/* Back to main, behind `start`. */
static void end_simulation(run *r, context *c) {
    scheduler_part *k = state_own_scheduler(c->s);
    assert(k->phase != PHASE_DONE && c->s->threads[0]->status == THREAD_STARTING);
    bool is_idle = !k->stopping && !k->pending_count && !somebody_can_run(r->m, c->s);
    k->starved = is_idle && somebody_is_blocked(r->m, c->s);
    if (k->limit && !k->stopping && !k->stays) k->time = k->limit;
    k->limit = NULL;
    k->stays = false;
    k->phase = PHASE_MAIN;
    state_own_thread(c->s, 0)->status = THREAD_RUNNABLE;
    run_end(r, c, STEP_STOPPED);
}

void systemc_begin_update(run *r, context *c, uint32_t choice) {
    scheduler_part *k = state_own_scheduler(c->s);
    assert(choice < k->update_count);
    uint32_t update = k->updates[choice];
    assert(update < r->m->program->updates.size);
    systemc_tell(r->m, SEEN_UPDATE, update, NULL);
    k->update_count--;
    memmove(k->updates + choice, k->updates + choice + 1, (k->update_count - choice) * sizeof *k->updates);
    c->thread = kernel_slot(r->m);
    c->task = NULL;
    assert(!c->s->threads[c->thread]->frame_count); /* updates run one after the other */
    enter_function(r, c, r->m->program->updates.data[update].function, NO_INDEX);
    run_push(r, *c);
}

void systemc_go_on_with(run *r, context *c, void (*task)(run *r, context *c)) {
    c->task = task;
    run_push(r, *c);
}

static void advance_time(run *r, context *c); /* nobody is runnable */

bool systemc_update_order_matters(const run *r, const state *s) {
    return !r->m->updates_commute && s->scheduler->update_count > 1;
}

static void update_done(run *r, context *c) {
    assert(c->thread == kernel_slot(r->m));
    if (systemc_update_order_matters(r, c->s)) {
        state_own_scheduler(c->s)->phase = PHASE_UPDATE;
        run_end(r, c, STEP_STOPPED);
    } else if (c->s->scheduler->update_count) {
        systemc_begin_update(r, c, 0);
    } else {
        systemc_go_on_with(r, c, systemc_finish_cycle);
    }
}

/* The scheduler's own transition. */
static void step_kernel(run *r, context *c, uint32_t choice) {
    assert(c->s->scheduler->phase == PHASE_EVALUATE || c->s->scheduler->phase == PHASE_UPDATE);
    assert(c->s->scheduler->running == NO_INDEX);
    assert(c->s->scheduler->phase == PHASE_UPDATE || !somebody_can_run(r->m, c->s)); /* threads come first */
    if (stops_before_updates(r->m, c->s->scheduler))
        end_simulation(r, c);
    else if (c->s->scheduler->update_count)
        systemc_begin_update(r, c, choice);
    else
        systemc_go_on_with(r, c, systemc_finish_cycle);
}

static void initialise(run *r, context *c) {
    assert(!c->s->scheduler->initialised);
    state_own_scheduler(c->s)->initialised = true;
    for (uint32_t t = 1; t < r->m->program->threads.size; t++) {
        const thread_info *info = &r->m->program->threads.data[t];
        if (c->s->threads[t]->status != THREAD_UNBORN) continue;
        thread_part *own = state_own_thread(c->s, t);
        own->status = info->dont_initialize ? THREAD_WAITING : THREAD_RUNNABLE;
        if (info->dont_initialize) thread_set_waits(own, info->sensitivity, info->sensitivity_count, false);
    }
    notify_delta(r->m, c->s);
    systemc_enter_evaluation(r, c);
}

/* `start` of no duration is one delta cycle. */
static decision is_only_cycle(run *r, context *c) {
    const scheduler_part *k = c->s->scheduler;
    if (!r->m->traits->leaves_due_at_end || !k->limit) return DECIDED_FALSE;
    return run_decide(r, c, term_eq(r->m->terms, k->limit, k->time));
}

static void notify_after_updates(run *r, context *c) {
    decision only = is_only_cycle(r, c);
    if (only == DECIDED_NEITHER) {
        run_drop(c);
        return;
    }
    assert(!c->s->scheduler->update_count); /* all of them have run */
    state_own_scheduler(c->s)->delta++;
    notify_delta(r->m, c->s);
    if (only == DECIDED_TRUE)
        end_simulation(r, c);
    else if (somebody_can_run(r->m, c->s))
        systemc_enter_evaluation(r, c);
    else
        systemc_go_on_with(r, c, advance_time);
}

decision systemc_earliest_due(run *r, context *c, decide *asks, const term **earliest) {
    *earliest = NULL;
    const scheduler_part *k = c->s->scheduler;
    for (uint32_t i = 0; i < k->pending_count; i++) {
        const term *due = k->pending[i].due;
        if (!due) continue; /* a process asks, and there are notifications for the next delta cycle */
        if (!*earliest) {
            *earliest = due;
            continue;
        }
        if (due == *earliest) continue;
        decision sooner = asks(r, c, term_ult(r->m->terms, due, *earliest));
        if (sooner == DECIDED_NEITHER) return sooner;
        if (sooner == DECIDED_TRUE) *earliest = due;
    }
    return DECIDED_TRUE;
}

/* Makes due times that may equal the earliest one either that very term or certainly later. */
static decision align_equal_dues(run *r, context *c, const term *earliest) {
    for (uint32_t i = 0; i < c->s->scheduler->pending_count; i++) {
        const term *due = c->s->scheduler->pending[i].due;
        assert(due); /* delta notifications are done */
        if (due == earliest) continue;
        decision same = run_decide(r, c, term_eq(r->m->terms, due, earliest));
        if (same == DECIDED_NEITHER) return same;
        if (same == DECIDED_TRUE) state_own_scheduler(c->s)->pending[i].due = earliest;
    }
    return DECIDED_TRUE;
}

static void advance_time(run *r, context *c) {
    for (;;) {
        const term *earliest;
        decision feasible = systemc_earliest_due(r, c, run_decide, &earliest);
        if (feasible == DECIDED_NEITHER) {
            run_drop(c);
            return;
        }
        if (!earliest) {
            end_simulation(r, c);
            return;
        }
        const term *limit = c->s->scheduler->limit;
        decision late = limit ? run_decide(r, c, term_ult(r->m->terms, limit, earliest)) : DECIDED_FALSE;
        if (late == DECIDED_TRUE) {
            end_simulation(r, c);
            return;
        }
        uint64_t bound = r->m->options.sim_time;
        decision beyond = DECIDED_FALSE;
        if (bound && late == DECIDED_FALSE)
            beyond = run_decide(r, c, term_ult(r->m->terms, term_const(r->m->terms, 64, bound), earliest));
        if (beyond == DECIDED_TRUE) {
            run_limit(r, c, REASON_SIM_TIME, (position){0, 0});
            return;
        }
        if (late == DECIDED_NEITHER || beyond == DECIDED_NEITHER ||
            align_equal_dues(r, c, earliest) == DECIDED_NEITHER) {
            run_drop(c);
            return;
        }
        decision last = DECIDED_FALSE;
        if (limit && r->m->traits->leaves_due_at_end)
            last = run_decide(r, c, term_eq(r->m->terms, limit, earliest));
        if (last == DECIDED_NEITHER) {
            run_drop(c);
            return;
        }
        assert(earliest->width == 64);
        state_own_scheduler(c->s)->time = earliest;
        fire(r->m, c->s, earliest);
        if (last == DECIDED_TRUE) { /* who can run now does so when the simulation goes on */
            end_simulation(r, c);
            return;
        }
        if (somebody_can_run(r->m, c->s)) {
            systemc_enter_evaluation(r, c);
            return;
        }
    }
}

void systemc_finish_cycle(run *r, context *c) {
    if (c->s->scheduler->stopping)
        end_simulation(r, c);
    else if (!c->s->scheduler->initialised)
        initialise(r, c);
    else
        notify_after_updates(r, c);
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void begin(machine *m, state *s) {
    s->threads[kernel_slot(m)]->status = THREAD_ENDED;
}

static void describe_pending(machine *m, const state *s, uint32_t thread, pending *out) {
    const thread_part *t = s->threads[thread];
    *out = (pending){.live = t->status != THREAD_ENDED, .suspended = t->suspended, .segment = NO_INDEX};
    if (!out->live) return;
    out->enabled = systemc_can_run(t) && (thread == 0 || s->scheduler->phase == PHASE_EVALUATE);
    if (thread == 0) return;
    vec_clear(&m->stack_buffer);
    for (uint32_t k = 0; k < t->frame_count; k++)
        vec_push(&m->stack_buffer,
                 ((call_site){t->frames[k].function, t->frames[k].block, t->frames[k].index}));
    out->segment = segment_find(m->segments, thread, m->stack_buffer.data, m->stack_buffer.size);
    if (out->segment == NO_INDEX) return;
    out->may_touch = &m->segments->list.data[out->segment].touches;
    out->wakes_on = &m->segments->list.data[out->segment].wakes_on;
    out->enabled_by = segment_row(m->segments, m->segments->enabled_by, out->segment);
}

static bool can_step(machine *m, const state *s, transition t) {
    transitions list = {0};
    bool found = false;
    enabled(m, s, &list);
    for (size_t k = 0; k < list.size && !found; k++)
        found = list.data[k].thread == t.thread && list.data[k].choice == t.choice;
    vec_free(&list);
    return found;
}

static bool is_deadlocked(machine *m, const state *s) {
    (void)m;
    return s->scheduler->starved;
}

static void begin_step(run *r, context *c, transition t) {
    if (t.thread != MACHINE_KERNEL) {
        run_begin_thread(r, c);
        return;
    }
    c->thread = kernel_slot(r->m);
    step_kernel(r, c, t.choice);
}

static bool stops(run *r, context *c) {
    if (systemc_goes_back(r, c)) return false;
    run_forget_dead(r, c);
    return true;
}

static void thread_returns(run *r, context *c, value result) {
    (void)result;
    if (c->thread == kernel_slot(r->m)) {
        update_done(r, c);
        return;
    }
    state_own_thread(c->s, c->thread)->status = THREAD_ENDED;
    if (c->thread == 0) {
        state_own_scheduler(c->s)->phase = PHASE_DONE;
        run_end(r, c, STEP_FINISHED);
    } else {
        run_end(r, c, STEP_STOPPED);
    }
}

/* Nobody else can run before it waits, which it never does. */
static void goes_round(run *r, context *c, position at) {
    run_limit(r, c, REASON_ENDLESS_LOOP, at);
}

const kernel systemc_kernel = {.name = "systemc",
                               .begin = begin,
                               .enabled = enabled,
                               .pending = describe_pending,
                               .choices = choices,
                               .can_step = can_step,
                               .deadlocked = is_deadlocked,
                               .begin_step = begin_step,
                               .sync = systemc_sync,
                               .stops = stops,
                               .thread_returns = thread_returns,
                               .goes_round = goes_round,
                               .is_blocked = is_blocked};
