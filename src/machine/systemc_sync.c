/* What threads ask of the scheduler: waiting, notifying, controlling each other, beginning and end
 * of the simulation. */
#include "machine/systemc.h"

#include "machine/kernel.h"
#include "machine/watch.h"

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
    if (!is_abstract(r->how) && !r->how->settle_times) return time;
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
    systemc_tell(r->m, SEEN_WAIT_STATIC, c->thread, NULL);
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
    systemc_tell(r->m, SEEN_WAIT, c->thread, NULL);
    if (timed) {
        scheduler_set_pending(state_own_scheduler(c->s), systemc_timer_of(r->m, c->thread), due);
        systemc_tell(r->m, SEEN_NOTIFY_LATER, systemc_timer_of(r->m, c->thread), due);
    }
    touch_waits(r, c, events, i->arg_count);
    return SYNC_STOPS;
}

static sync_result notify_now(run *r, context *c, const instruction *i) {
    uint32_t event;
    if (!make_concrete(r, c, i, &i->a, r->m->program->events.size, &event)) return SYNC_CONSUMED;
    context_advance(c);
    context_touch(r, c, ACCESS_NOTIFY, event);
    systemc_tell(r->m, SEEN_NOTIFY, event, NULL);
    if (scheduler_find_pending(c->s->scheduler, event))
        scheduler_remove_pending(state_own_scheduler(c->s), event);
    systemc_trigger_event(r->m, c->s, event);
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
        systemc_tell(r->m, SEEN_NOTIFY_LATER, event, due);
    }
    return SYNC_GOES_ON;
}

static sync_result cancel(run *r, context *c, const instruction *i) {
    uint32_t event;
    if (!make_concrete(r, c, i, &i->a, r->m->program->events.size, &event)) return SYNC_CONSUMED;
    context_advance(c);
    context_touch(r, c, ACCESS_CANCEL, event);
    systemc_tell(r->m, SEEN_CANCEL, event, NULL);
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
        systemc_tell(r->m, suspends ? SEEN_SUSPEND : SEEN_RESUME, thread, NULL);
    }
    t->resume_pending = !suspends && t->suspended;
    return suspends && thread == c->thread ? SYNC_STOPS : SYNC_GOES_ON;
}

/* --- C++: one process controls another ------------------------------------------------------------------ */

static bool has_timer(const machine *m, const state *s, uint32_t thread) {
    return scheduler_find_pending(s->scheduler, systemc_timer_of(m, thread)) != NULL;
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
    systemc_tell(r->m, i->sync == SYNC_DISABLE ? SEEN_DISABLE : SEEN_ENABLE, thread, NULL);
    return SYNC_GOES_ON;
}

static sync_result run_now(run *r, context *c, const instruction *i) {
    uint32_t thread;
    if (!make_concrete(r, c, i, &i->a, r->m->program->threads.size, &thread)) return SYNC_CONSUMED;
    bool by_process = c->thread && c->thread != kernel_slot(r->m);
    reason_kind unsupported = is_abstract(r->how)                       ? REASON_CONTROL_ABSTRACT
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
    systemc_wake(r->m, c->s, thread);
    systemc_tell(r->m, SEEN_RUN_NOW, thread, NULL);
    assert(!c->s->threads[thread]->interrupts && thread != c->thread);
    state_own_thread(c->s, thread)->interrupts = c->thread + 1;
    c->thread = thread;
    return SYNC_GOES_ON;
}

/* A thread that was made to run stops: the other one goes on. */
bool systemc_goes_back(run *r, context *c) {
    if (c->thread >= c->s->thread_count) return false;
    const thread_part *t = c->s->threads[c->thread];
    if (!t->interrupts || systemc_can_run(t)) return false;
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
    systemc_tell(r->m, SEEN_REQUEST, update, NULL);
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
        systemc_enter_evaluation(r, c);
    } else if (systemc_update_order_matters(r, c->s)) {
        k->phase = PHASE_UPDATE;
        run_end(r, c, STEP_STOPPED);
    } else if (k->update_count) {
        systemc_begin_update(r, c, 0);
    } else {
        systemc_go_on_with(r, c, systemc_finish_cycle);
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
    systemc_tell(r->m, SEEN_LISTEN, thread, NULL);
    for (uint32_t k = 0; k < i->arg_count; k++) systemc_tell(r->m, SEEN_LISTEN_TO, events[k], NULL);
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
        if (t != c->thread && systemc_can_run(c->s->threads[t])) return true;
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
    if (systemc_earliest_due(r, c, run_decide_way, &earliest) == DECIDED_NEITHER) {
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

sync_result systemc_sync(run *r, context *c, const instruction *i) {
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
