/* The cooperative kernel of SystemC (IEEE 1666): phases, events, timers, channel updates. docs/ivl.md §3 is
 * its specification. */
#include "machine/kernel.h"
#include "machine/watch.h"

static void tell(const machine *m, seen_kind what, uint32_t number, const term *due) {
    if (step_watch(m) && step_watch(m)->happens)
        step_watch(m)->happens(step_watch(m)->data, what, number, due);
}

/* --- runnable threads ----------------------------------------------------------------------------------- */

static bool can_run(const thread_part *t) {
    return t->status == THREAD_RUNNABLE && !t->suspended;
}

static bool somebody_can_run(const machine *m, const state *s) {
    assert(s->thread_count > m->program->threads.size); /* those of the program, and the kernel's */
    for (uint32_t t = 1; t < m->program->threads.size; t++)
        if (can_run(s->threads[t])) return true;
    return false;
}

static void offer(transitions *out, uint32_t thread, uint32_t choice) {
    transition t = {thread, choice};
    vec_push(out, t);
}

/* Once one channel update has run all of them do, whether or not it stopped the simulation. */
static bool stops_before_updates(const machine *m, const scheduler_part *k) {
    return k->stopping && k->phase == PHASE_EVALUATE && !m->traits->updates_after_stop;
}

/* The scheduler's own transition; the order of dependent channel updates is a choice. */
static void offer_kernel(const machine *m, const state *s, transitions *out) {
    uint32_t orders =
        m->updates_commute || stops_before_updates(m, s->scheduler) ? 1 : s->scheduler->update_count;
    for (uint32_t k = 0; k < (orders ? orders : 1); k++) offer(out, MACHINE_KERNEL, k);
}

static void enabled(machine *m, const state *s, transitions *out) {
    vec_clear(out);
    const scheduler_part *k = s->scheduler;
    if (k->running != NO_INDEX) {
        offer(out, k->running, 0);
        return;
    }
    switch ((sim_phase)k->phase) {
    case PHASE_MAIN: offer(out, 0, 0); break;
    case PHASE_UPDATE: offer_kernel(m, s, out); break;
    case PHASE_DONE: break;
    case PHASE_EVALUATE:
        for (uint32_t t = 1; t < m->program->threads.size; t++)
            if (can_run(s->threads[t])) offer(out, t, 0);
        if (!out->size) offer_kernel(m, s, out);
        break;
    }
}

/* --- notification --------------------------------------------------------------------------------------- */

static uint32_t timer_of(const machine *m, uint32_t thread) {
    return (uint32_t)m->program->events.size + thread;
}

static void wake(machine *m, state *s, uint32_t thread) {
    assert(thread && thread < m->program->threads.size && s->threads[thread]->status != THREAD_ENDED);
    thread_part *t = state_own_thread(s, thread);
    t->status = THREAD_RUNNABLE;
    t->wait_count = 0;
    t->wait_all = false;
    if (scheduler_find_pending(s->scheduler, timer_of(m, thread)))
        scheduler_remove_pending(state_own_scheduler(s), timer_of(m, thread));
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

static void trigger_event(machine *m, state *s, uint32_t event) {
    assert(event < m->program->events.size);
    for (uint32_t t = 1; t < m->program->threads.size; t++) {
        if (!awaits(s->threads[t], event)) continue;
        if (!s->threads[t]->wait_all || note_arrival(state_own_thread(s, t), event)) wake(m, s, t);
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
    wake(m, s, thread);
    tell_wait(m, state_own_thread(s, thread), woken ? WAIT_ENDED_AT_ONCE : WAIT_ENDED_BY_TIME);
}

static void trigger(machine *m, state *s, uint32_t target) {
    uint32_t events = (uint32_t)m->program->events.size;
    assert(target < events + m->program->threads.size);
    if (target < events)
        trigger_event(m, s, target);
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

static void enter_evaluation(run *r, context *c) {
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

static void begin_update(run *r, context *c, uint32_t choice) {
    scheduler_part *k = state_own_scheduler(c->s);
    assert(choice < k->update_count);
    uint32_t update = k->updates[choice];
    assert(update < r->m->program->updates.size);
    tell(r->m, SEEN_UPDATE, update, NULL);
    k->update_count--;
    memmove(k->updates + choice, k->updates + choice + 1, (k->update_count - choice) * sizeof *k->updates);
    c->thread = kernel_slot(r->m);
    c->task = NULL;
    assert(!c->s->threads[c->thread]->frame_count); /* updates run one after the other */
    enter_function(r, c, r->m->program->updates.data[update].function, NO_INDEX);
    run_push(r, *c);
}

static void go_on_with(run *r, context *c, void (*task)(run *r, context *c)) {
    c->task = task;
    run_push(r, *c);
}

static void finish_cycle(run *r, context *c); /* channel updates are done: notify and advance */
static void advance_time(run *r, context *c); /* ... and nobody is runnable */

static bool update_order_matters(const run *r, const state *s) {
    return !r->m->updates_commute && s->scheduler->update_count > 1;
}

static void update_done(run *r, context *c) {
    assert(c->thread == kernel_slot(r->m));
    if (update_order_matters(r, c->s)) {
        state_own_scheduler(c->s)->phase = PHASE_UPDATE;
        run_end(r, c, STEP_STOPPED);
    } else if (c->s->scheduler->update_count) {
        begin_update(r, c, 0);
    } else {
        go_on_with(r, c, finish_cycle);
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
        begin_update(r, c, choice);
    else
        go_on_with(r, c, finish_cycle);
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
    enter_evaluation(r, c);
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
        enter_evaluation(r, c);
    else
        go_on_with(r, c, advance_time);
}

typedef decision decide(run *r, context *c, const term *condition);

/* Every question is put before anything is changed: a fork comes back here and finds it answered. NULL:
 * nothing is pending for a later time. */
static decision earliest_due(run *r, context *c, decide *asks, const term **earliest) {
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
        decision feasible = earliest_due(r, c, run_decide, &earliest);
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
            enter_evaluation(r, c);
            return;
        }
    }
}

static void finish_cycle(run *r, context *c) {
    if (c->s->scheduler->stopping)
        end_simulation(r, c);
    else if (!c->s->scheduler->initialised)
        initialise(r, c);
    else
        notify_after_updates(r, c);
}

/* --- sync instructions ---------------------------------------------------------------------------------- */

/* A number below `count`: event, thread or update. Symbolic ones are tried one by one. */
static bool make_concrete(run *r, context *c, const instruction *i, const operand *o, size_t count,
                          uint32_t *out) {
    const term *t = run_exact_number(r, c, operand_value(r->m, c, o).bits);
    c->needed = t;
    if (term_is_const(t) && t->value < count) {
        *out = (uint32_t)t->value;
        return true;
    }
    bool goes_on = !r->how->follow || c->went->next < r->how->follow->marks.size;
    if (r->how->follow && goes_on && !term_is_const(t)) {
        t = run_exact_number(r, c, t);
        *out = (uint32_t)t->value;
        if (term_is_const(t) && t->value < count) return true;
        run_drop(c);
        return false;
    }
    for (size_t k = 0; k < count && !term_is_const(t) && goes_on; k++) {
        decision here = run_decide(r, c, term_eq(r->m->terms, t, term_const(r->m->terms, t->width, k)));
        if (here == DECIDED_NEITHER) {
            run_drop(c);
            return false;
        }
        if (here == DECIDED_TRUE) {
            *out = (uint32_t)k;
            run_exact_number(r, c, term_const(r->m->terms, t->width, k));
            return true;
        }
    }
    if (!goes_on && !term_is_const(t))
        way_must_hold(c->went, term_ule(r->m->terms, term_const(r->m->terms, t->width, count), t));
    run_limit(r, c, REASON_INDEX_OUT_OF_RANGE, i->at);
    return false;
}

/* A time that has one value on this path is that value, for explorers who need to know. */
static const term *settled_time(run *r, context *c, const term *time) {
    terms *terms = r->m->terms;
    if (!c->went) return time;
    if (!r->how->follow && !term_is_const(time) &&
        solver_check(r->m->solver, state_path(c->s), c->s->path_count) == SOLVER_SAT) {
        const term *one = term_const(terms, 64, term_evaluate(terms, time, solver_model(r->m->solver)));
        if (solver_check_extension(r->m->solver, state_path(c->s), c->s->path_count,
                                   term_ne(terms, time, one)) == SOLVER_UNSAT)
            time = one;
    }
    return run_exact_number(r, c, time);
}

typedef enum { WHEN_DELTA, WHEN_TIMED, WHEN_NEVER /* context consumed */ } when;

/* When a delay expires. */
static when due_after(run *r, context *c, const instruction *i, const operand *delay, const term **due) {
    terms *terms = r->m->terms;
    const term *d = operand_value(r->m, c, delay).bits, *now = c->s->scheduler->time;
    decision none = run_decide_way(r, c, term_eq(terms, d, term_const(terms, 64, 0)));
    if (none == DECIDED_NEITHER) {
        run_drop(c);
        return WHEN_NEVER;
    }
    *due = NULL;
    if (none == DECIDED_TRUE) return WHEN_DELTA;
    decision negative = run_decide_way(r, c, term_slt(terms, d, term_const(terms, 64, 0)));
    if (negative == DECIDED_NEITHER) {
        run_drop(c);
        return WHEN_NEVER;
    }
    if (negative == DECIDED_TRUE) {
        run_limit(r, c, REASON_NEGATIVE_DELAY, i->at);
        return WHEN_NEVER;
    }
    const term *then = term_add(terms, now, d);
    decision wraps = run_decide_way(r, c, term_ult(terms, then, now));
    if (wraps == DECIDED_NEITHER) {
        run_drop(c);
        return WHEN_NEVER;
    }
    if (wraps == DECIDED_TRUE) {
        run_limit(r, c, REASON_TIME_BEYOND_64_BITS, i->at);
        return WHEN_NEVER;
    }
    *due = settled_time(r, c, then);
    return WHEN_TIMED;
}

static void touch_waits(run *r, context *c, const uint32_t *events, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) context_touch(r, c, ACCESS_WAIT, events[k]);
}

static sync_result wait_as_declared(run *r, context *c, const instruction *i) {
    const thread_info *info =
        c->thread < r->m->program->threads.size ? &r->m->program->threads.data[c->thread] : NULL;
    if (!info || !c->thread) {
        run_limit(r, c, REASON_WAIT_OUTSIDE, i->at);
        return SYNC_CONSUMED;
    }
    context_advance(c);
    thread_part *t = state_own_thread(c->s, c->thread);
    t->status = THREAD_WAITING;
    thread_set_waits(t, info->sensitivity, info->sensitivity_count, false);
    tell(r->m, SEEN_WAIT_STATIC, c->thread, NULL);
    touch_waits(r, c, info->sensitivity, info->sensitivity_count);
    return SYNC_STOPS;
}

enum { MOST_AWAITED = 256 };

/* The events that an operation lists; false if the context was consumed. */
static bool listed_events(run *r, context *c, const instruction *i, uint32_t events[MOST_AWAITED]) {
    if (i->arg_count > MOST_AWAITED) {
        run_limit(r, c, REASON_MANY_EVENTS, i->at);
        return false;
    }
    for (uint32_t k = 0; k < i->arg_count; k++)
        if (!make_concrete(r, c, i, &i->args[k], r->m->program->events.size, &events[k])) return false;
    return true;
}

static void set_result(context *c, const instruction *i, const term *number) {
    thread_part *t = state_own_thread(c->s, c->thread);
    assert(i->dst != NO_INDEX && t->frames[t->frame_count - 1].registers + i->dst < t->value_count);
    t->values[t->frames[t->frame_count - 1].registers + i->dst] = (value){number, 0};
}

static void set_small_result(const run *r, context *c, const instruction *i, uint32_t number) {
    set_result(c, i, term_const(r->m->terms, r->m->program->pointer_bits, number));
}

static sync_result wait_for(run *r, context *c, const instruction *i) {
    uint32_t events[MOST_AWAITED];
    if (!listed_events(r, c, i, events)) return SYNC_CONSUMED;
    const term *due = NULL;
    bool timed = i->a.kind != OPERAND_NONE;
    if (timed && c->s->threads[c->thread]->disabled) {
        run_limit(r, c, REASON_DISABLED_WAITS, i->at);
        return SYNC_CONSUMED;
    }
    if (timed && due_after(r, c, i, &i->a, &due) == WHEN_NEVER) return SYNC_CONSUMED;
    if (i->dst != NO_INDEX) set_small_result(r, c, i, WAIT_ENDED_BY_EVENT);
    context_advance(c);
    thread_part *t = state_own_thread(c->s, c->thread);
    t->status = THREAD_WAITING;
    thread_set_waits(t, events, i->arg_count, i->sync == SYNC_WAIT_ALL);
    tell(r->m, SEEN_WAIT, c->thread, NULL);
    if (timed) {
        scheduler_set_pending(state_own_scheduler(c->s), timer_of(r->m, c->thread), due);
        tell(r->m, SEEN_NOTIFY_LATER, timer_of(r->m, c->thread), due);
    }
    touch_waits(r, c, events, i->arg_count);
    return SYNC_STOPS;
}

static sync_result notify_now(run *r, context *c, const instruction *i) {
    uint32_t event;
    if (!make_concrete(r, c, i, &i->a, r->m->program->events.size, &event)) return SYNC_CONSUMED;
    context_advance(c);
    context_touch(r, c, ACCESS_NOTIFY, event);
    tell(r->m, SEEN_NOTIFY, event, NULL);
    if (scheduler_find_pending(c->s->scheduler, event))
        scheduler_remove_pending(state_own_scheduler(c->s), event);
    trigger_event(r->m, c->s, event);
    return SYNC_GOES_ON;
}

/* What needs the design's events ends elaboration, which goes on from there. */
static bool is_before_elaboration(run *r, context *c, const instruction *i) {
    if (!r->m->program->elaboration.pending) return false;
    run_limit(r, c, REASON_NOT_ELABORATED, i->at);
    return true;
}

/* Of two pending notifications only the earlier one survives. */
static sync_result notify_later(run *r, context *c, const instruction *i) {
    uint32_t event;
    const term *due;
    if (is_before_elaboration(r, c, i)) return SYNC_CONSUMED;
    if (!make_concrete(r, c, i, &i->a, r->m->program->events.size, &event)) return SYNC_CONSUMED;
    when kind = due_after(r, c, i, &i->b, &due);
    if (kind == WHEN_NEVER) return SYNC_CONSUMED;
    const notification *old = scheduler_find_pending(c->s->scheduler, event);
    bool replaces = !old || kind == WHEN_DELTA;
    if (old && old->due && kind == WHEN_TIMED) {
        decision sooner = run_decide_way(r, c, term_ult(r->m->terms, due, old->due));
        if (sooner == DECIDED_NEITHER) {
            run_drop(c);
            return SYNC_CONSUMED;
        }
        replaces = sooner == DECIDED_TRUE;
    }
    context_advance(c);
    context_touch(r, c, ACCESS_NOTIFY_AFTER, event);
    if (replaces) {
        scheduler_set_pending(state_own_scheduler(c->s), event, due);
        tell(r->m, SEEN_NOTIFY_LATER, event, due);
    }
    return SYNC_GOES_ON;
}

static sync_result cancel(run *r, context *c, const instruction *i) {
    uint32_t event;
    if (!make_concrete(r, c, i, &i->a, r->m->program->events.size, &event)) return SYNC_CONSUMED;
    context_advance(c);
    context_touch(r, c, ACCESS_CANCEL, event);
    tell(r->m, SEEN_CANCEL, event, NULL);
    if (scheduler_find_pending(c->s->scheduler, event))
        scheduler_remove_pending(state_own_scheduler(c->s), event);
    return SYNC_GOES_ON;
}

/* Whether the step is one of that thread, which has made others run. */
static bool is_interrupted(const state *s, uint32_t running, uint32_t thread) {
    assert(running < s->thread_count);
    while (running != thread && s->threads[running]->interrupts)
        running = s->threads[running]->interrupts - 1;
    return running == thread;
}

static sync_result suspend_or_resume(run *r, context *c, const instruction *i) {
    uint32_t thread;
    if (!make_concrete(r, c, i, &i->a, r->m->program->threads.size, &thread)) return SYNC_CONSUMED;
    bool suspends = i->sync == SYNC_SUSPEND, at_once = r->m->traits->controls_at_once;
    if (suspends && thread != c->thread && is_interrupted(c->s, c->thread, thread)) {
        run_limit(r, c, REASON_CONTROL_OF_CONTROLLER, i->at);
        return SYNC_CONSUMED;
    }
    if (!suspends && at_once && c->s->threads[thread]->suspended && c->s->threads[thread]->disabled) {
        run_limit(r, c, REASON_RESUME_OF_DISABLED, i->at);
        return SYNC_CONSUMED;
    }
    context_advance(c);
    context_touch(r, c, at_once ? ACCESS_CONTROL : suspends ? ACCESS_SUSPEND : ACCESS_RESUME, thread);
    thread_part *t = state_own_thread(c->s, thread);
    if (t->status == THREAD_ENDED) return SYNC_GOES_ON;
    if (suspends || at_once) {
        t->suspended = suspends;
        tell(r->m, suspends ? SEEN_SUSPEND : SEEN_RESUME, thread, NULL);
    }
    t->resume_pending = !suspends && t->suspended;
    return suspends && thread == c->thread ? SYNC_STOPS : SYNC_GOES_ON;
}

/* --- C++: one process controls another ------------------------------------------------------------------ */

static bool has_timer(const machine *m, const state *s, uint32_t thread) {
    return scheduler_find_pending(s->scheduler, timer_of(m, thread)) != NULL;
}

static sync_result disable_or_enable(run *r, context *c, const instruction *i) {
    uint32_t thread;
    if (!make_concrete(r, c, i, &i->a, r->m->program->threads.size, &thread)) return SYNC_CONSUMED;
    if (i->sync == SYNC_DISABLE && has_timer(r->m, c->s, thread)) {
        run_limit(r, c, REASON_DISABLE_OF_TIMED, i->at);
        return SYNC_CONSUMED;
    }
    context_advance(c);
    context_touch(r, c, ACCESS_CONTROL, thread);
    state_own_thread(c->s, thread)->disabled = i->sync == SYNC_DISABLE;
    tell(r->m, i->sync == SYNC_DISABLE ? SEEN_DISABLE : SEEN_ENABLE, thread, NULL);
    return SYNC_GOES_ON;
}

static sync_result run_now(run *r, context *c, const instruction *i) {
    uint32_t thread;
    if (!make_concrete(r, c, i, &i->a, r->m->program->threads.size, &thread)) return SYNC_CONSUMED;
    bool by_process = c->thread && c->thread != kernel_slot(r->m);
    reason_kind unsupported = c->went                                   ? REASON_CONTROL_ABSTRACT
                              : !by_process                             ? REASON_CONTROL_BY_NO_PROCESS
                              : is_interrupted(c->s, c->thread, thread) ? REASON_CONTROL_OF_CONTROLLER
                                                                        : REASON_NONE;
    if (unsupported) {
        run_limit(r, c, unsupported, i->at);
        return SYNC_CONSUMED;
    }
    context_advance(c);
    context_touch(r, c, ACCESS_CONTROL, thread);
    if (c->s->threads[thread]->status == THREAD_ENDED) return SYNC_GOES_ON;
    wake(r->m, c->s, thread);
    tell(r->m, SEEN_RUN_NOW, thread, NULL);
    assert(!c->s->threads[thread]->interrupts && thread != c->thread);
    state_own_thread(c->s, thread)->interrupts = c->thread + 1;
    c->thread = thread;
    return SYNC_GOES_ON;
}

/* A thread that was made to run stops: the other one goes on. */
static bool goes_back(run *r, context *c) {
    if (c->thread >= c->s->thread_count) return false;
    const thread_part *t = c->s->threads[c->thread];
    if (!t->interrupts || can_run(t)) return false;
    thread_part *own = state_own_thread(c->s, c->thread);
    uint32_t back = own->interrupts - 1;
    assert(back < r->m->program->threads.size && back != c->thread);
    own->interrupts = 0;
    context_forget_loops(c);
    c->thread = back;
    c->task = NULL;
    run_push(r, *c);
    return true;
}

static sync_result request_update(run *r, context *c, const instruction *i) {
    uint32_t update;
    if (c->thread == kernel_slot(r->m)) {
        run_limit(r, c, REASON_NESTED_UPDATE, i->at);
        return SYNC_CONSUMED;
    }
    if (!make_concrete(r, c, i, &i->a, r->m->program->updates.size, &update)) return SYNC_CONSUMED;
    context_advance(c);
    context_touch(r, c, ACCESS_REQUEST, update);
    tell(r->m, SEEN_REQUEST, update, NULL);
    scheduler_request_update(state_own_scheduler(c->s), update);
    return SYNC_GOES_ON;
}

/* The limit of `start T`, NULL for none; false if the context was consumed. */
static bool start_limit(run *r, context *c, const instruction *i, const term **limit) {
    *limit = NULL;
    if (i->a.kind == OPERAND_NONE) return true;
    terms *terms = r->m->terms;
    const term *duration = operand_value(r->m, c, &i->a).bits;
    decision unlimited = run_decide_way(r, c, term_slt(terms, duration, term_const(terms, 64, 0)));
    if (unlimited == DECIDED_NEITHER) {
        run_drop(c);
        return false;
    }
    if (unlimited == DECIDED_TRUE) return true;
    const term *end = term_add(terms, c->s->scheduler->time, duration);
    decision wraps = run_decide_way(r, c, term_ult(terms, end, c->s->scheduler->time));
    if (wraps == DECIDED_NEITHER)
        run_drop(c);
    else if (wraps == DECIDED_TRUE)
        run_limit(r, c, REASON_TIME_BEYOND_64_BITS, i->at);
    if (wraps != DECIDED_FALSE) return false;
    *limit = settled_time(r, c, end);
    return true;
}

static sync_result start(run *r, context *c, const instruction *i) {
    assert(!c->thread && c->s->scheduler->phase == PHASE_MAIN); /* only main starts simulations */
    const term *limit;
    if (is_before_elaboration(r, c, i)) return SYNC_CONSUMED;
    if (!start_limit(r, c, i, &limit)) return SYNC_CONSUMED;
    context_advance(c);
    if (c->s->scheduler->stopping) return SYNC_GOES_ON; /* a stopped simulation does not start again */
    scheduler_part *k = state_own_scheduler(c->s);
    k->limit = limit;
    k->stays = i->b.kind == OPERAND_CONST;
    k->starved = false;
    state_own_thread(c->s, 0)->status = THREAD_STARTING;
    if (k->initialised) {
        enter_evaluation(r, c);
    } else if (update_order_matters(r, c->s)) {
        k->phase = PHASE_UPDATE;
        run_end(r, c, STEP_STOPPED);
    } else if (k->update_count) {
        begin_update(r, c, 0);
    } else {
        go_on_with(r, c, finish_cycle);
    }
    return SYNC_CONSUMED;
}

static sync_result stop(run *r, context *c) {
    context_advance(c);
    context_touch(r, c, ACCESS_STOP, ACCESS_ANY);
    state_own_scheduler(c->s)->stopping = true;
    return SYNC_GOES_ON;
}

static sync_result end_program(run *r, context *c) {
    context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);
    state_own_scheduler(c->s)->phase = PHASE_DONE;
    run_end(r, c, STEP_FINISHED);
    return SYNC_CONSUMED;
}

static sync_result tell_number(run *r, context *c, const instruction *i) {
    set_small_result(r, c, i, c->thread == kernel_slot(r->m) ? 0 : c->thread);
    context_advance(c);
    return SYNC_GOES_ON;
}

/* On behalf of another thread, which waits: as if it had done so itself. */
static sync_result listen(run *r, context *c, const instruction *i) {
    uint32_t thread, events[MOST_AWAITED];
    if (!make_concrete(r, c, i, &i->a, r->m->program->threads.size, &thread)) return SYNC_CONSUMED;
    if (!listed_events(r, c, i, events)) return SYNC_CONSUMED;
    if (c->s->threads[thread]->status != THREAD_WAITING) {
        run_limit(r, c, REASON_LISTENER_DOES_NOT_WAIT, i->at);
        return SYNC_CONSUMED;
    }
    context_advance(c);
    thread_set_waits(state_own_thread(c->s, thread), events, i->arg_count, false);
    tell(r->m, SEEN_LISTEN, thread, NULL);
    for (uint32_t k = 0; k < i->arg_count; k++) tell(r->m, SEEN_LISTEN_TO, events[k], NULL);
    touch_waits(r, c, events, i->arg_count);
    return SYNC_GOES_ON;
}

static bool is_delta_pending(const scheduler_part *k) {
    for (uint32_t i = 0; i < k->pending_count; i++)
        if (!k->pending[i].due) return true;
    return false;
}

/* Who runs counts as done. */
static bool another_can_run(const machine *m, const context *c) {
    for (uint32_t t = 1; t < m->program->threads.size; t++)
        if (t != c->thread && can_run(c->s->threads[t])) return true;
    return false;
}

static sync_result tell_pending_now(run *r, context *c, const instruction *i) {
    const scheduler_part *k = c->s->scheduler;
    bool pending = k->update_count || is_delta_pending(k) || another_can_run(r->m, c);
    set_small_result(r, c, i, pending);
    context_advance(c);
    context_touch(r, c, ACCESS_SUSPEND, ACCESS_ANY);
    return SYNC_GOES_ON;
}

static sync_result tell_pending_later(run *r, context *c, const instruction *i) {
    const term *earliest;
    if (earliest_due(r, c, run_decide_way, &earliest) == DECIDED_NEITHER) {
        run_drop(c);
        return SYNC_CONSUMED;
    }
    terms *terms = r->m->terms;
    const term *now = c->s->scheduler->time;
    set_result(c, i, earliest ? term_sub(terms, earliest, now) : term_const(terms, 64, UINT64_MAX));
    context_advance(c);
    context_touch(r, c, ACCESS_SUSPEND, ACCESS_ANY);
    return SYNC_GOES_ON;
}

static sync_result sync(run *r, context *c, const instruction *i) {
    assert(i->kind == INSTR_SYNC && i->sync < SYNC_OPS);
    switch ((sync_op)i->sync) {
    case SYNC_WAIT_ANY:
    case SYNC_WAIT_ALL:
    case SYNC_WAIT_TIME: return wait_for(r, c, i);
    case SYNC_WAIT_STATIC: return wait_as_declared(r, c, i);
    case SYNC_NOTIFY: return notify_now(r, c, i);
    case SYNC_NOTIFY_AFTER: return notify_later(r, c, i);
    case SYNC_CANCEL: return cancel(r, c, i);
    case SYNC_SUSPEND:
    case SYNC_RESUME: return suspend_or_resume(r, c, i);
    case SYNC_DISABLE:
    case SYNC_ENABLE: return disable_or_enable(r, c, i);
    case SYNC_RUN_NOW: return run_now(r, c, i);
    case SYNC_REQUEST_UPDATE: return request_update(r, c, i);
    case SYNC_START: return start(r, c, i);
    case SYNC_STOP: return stop(r, c);
    case SYNC_END: return end_program(r, c);
    case SYNC_SELF: return tell_number(r, c, i);
    case SYNC_LISTEN: return listen(r, c, i);
    case SYNC_PENDING_NOW: return tell_pending_now(r, c, i);
    case SYNC_PENDING_LATER: return tell_pending_later(r, c, i);
    default: break;
    }
    run_limit(r, c, REASON_OTHER_KERNEL, i->at);
    return SYNC_CONSUMED;
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void begin(machine *m, state *s) {
    s->threads[kernel_slot(m)]->status = THREAD_ENDED;
}

static void describe_pending(machine *m, const state *s, uint32_t thread, pending *out) {
    const thread_part *t = s->threads[thread];
    *out = (pending){.live = t->status != THREAD_ENDED, .suspended = t->suspended, .segment = NO_INDEX};
    if (!out->live) return;
    out->enabled = can_run(t) && (thread == 0 || s->scheduler->phase == PHASE_EVALUATE);
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
    if (goes_back(r, c)) return false;
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
                               .can_step = can_step,
                               .deadlocked = is_deadlocked,
                               .begin_step = begin_step,
                               .sync = sync,
                               .stops = stops,
                               .thread_returns = thread_returns,
                               .goes_round = goes_round,
                               .is_blocked = is_blocked};
