/* Calls and returns. */
#include "machine/internal.h"
#include "program/future.h"

void enter_function(run *r, context *c, uint32_t function_index, uint32_t result_register) {
    const machine_watch *w = r->m->watch;
    if (w && w->enters) w->enters(w->data, c->thread, function_index);
    const function *f = &r->m->program->functions.data[function_index];
    thread_push_frame(own_thread(c), f, function_index, result_register);
    for (size_t k = 0; k < f->locals.size; k++) {
        const local_object *local = &f->locals.data[k];
        uint64_t site = place_of_local(function_index, (uint32_t)k);
        object_kind kind = {false, local->unset, site, site};
        value pointer = memory_allocate(r, c, local->shape, local->count, kind);
        thread_part *t = own_thread(c);
        t->values[top_frame(t)->registers + f->registers.size + k] = pointer;
    }
}

/* Whether arguments and result of a call through a pointer have the widths that the function found there has.
 */
static bool fits_call(const machine *m, const context *c, const instruction *i, uint32_t callee) {
    const function *f = &m->program->functions.data[callee];
    if (f->takes_anything) return true;
    if (f->parameters != i->arg_count) return false;
    for (uint32_t k = 0; k < i->arg_count; k++) {
        bool pointer = i->args[k].kind == OPERAND_OBJECT || i->args[k].kind == OPERAND_LOCAL ||
                       i->args[k].kind == OPERAND_FUNCTION;
        unsigned width = pointer ? m->program->pointer_bits : i->args[k].width;
        if (f->registers.data[k].type.width != width) return false;
    }
    if (i->dst == NO_INDEX) return true;
    const thread_part *t = c->s->threads[c->thread];
    const function *caller = &m->program->functions.data[t->frames[t->frame_count - 1].function];
    return f->result.width == caller->registers.data[i->dst].type.width;
}

static unsigned result_width(const machine *m, uint32_t function_index) {
    return m->program->functions.data[function_index].result.width;
}

flow_result call_enter(run *r, context *c, const instruction *i) {
    thread_part *t = own_thread(c);
    if (t->frame_count >= r->m->options.call_depth) {
        run_limit(r, c, "call depth limit", i->at);
        return FLOW_GONE;
    }
    uint32_t callee = i->callee;
    if (callee != NO_INDEX && i->a.kind != OPERAND_NONE && is_preemptive(r->m) &&
        !memory_is_shared(c, operand_value(r->m, c, &i->a)))
        return result_into(c, i, (value){term_const(r->m->terms, result_width(r->m, callee), 0), 0});
    if (callee == NO_INDEX) {
        value called = operand_value(r->m, c, &i->a);
        if (!called.base && term_is_const(called.bits) && !called.bits->value) {
            memory_violated(r, c, i, CHECK_NULL);
            return FLOW_GONE;
        }
        callee = value_function(called);
        const char *reason = callee == NO_INDEX               ? "call through a pointer that is no function"
                             : !fits_call(r->m, c, i, callee) ? "call of a function of another type"
                                                              : NULL;
        if (reason) {
            run_limit(r, c, reason, i->at);
            return FLOW_GONE;
        }
    }
    value arguments[PROGRAM_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < i->arg_count; k++) arguments[k] = operand_value(r->m, c, &i->args[k]);
    context_advance(c);
    enter_function(r, c, callee, i->dst);
    if (r->m->program->functions.data[callee].takes_anything) return FLOW_MOVED;
    for (uint32_t k = 0; k < i->arg_count; k++) set_register(c, k, arguments[k]);
    return FLOW_MOVED;
}

static flow_result end_thread(run *r, context *c, value result) {
    if (is_preemptive(r->m)) {
        preemptive_thread_ends(r, c, result);
        return FLOW_GONE;
    }
    if (c->thread == kernel_slot(r->m)) {
        systemc_update_done(r, c);
        return FLOW_GONE;
    }
    own_thread(c)->status = THREAD_ENDED;
    if (c->thread == 0) {
        state_own_scheduler(c->s)->phase = PHASE_DONE;
        run_end(r, c, STEP_FINISHED);
    } else {
        run_end(r, c, STEP_STOPPED);
    }
    return FLOW_GONE;
}

/* A monitor that cannot read what it wants says no. */
bool call_abandon_monitor(run *r, context *c) {
    const thread_part *t = c->s->threads[c->thread];
    uint32_t depth = t->frame_count;
    while (depth && !r->m->program->functions.data[t->frames[depth - 1].function].observes) depth--;
    if (!depth) return false;
    frame monitor = t->frames[depth - 1];
    scalar_type answer = r->m->program->functions.data[monitor.function].result;
    while (c->s->threads[c->thread]->frame_count >= depth) {
        release_frame_objects(r, c);
        thread_pop_frame(own_thread(c));
    }
    set_register(c, monitor.result_register, (value){term_const(r->m->terms, answer.width, 0), 0});
    run_push(r, *c);
    return true;
}

flow_result call_return(run *r, context *c, const instruction *i) {
    value result = {NULL, 0};
    if (i->a.kind != OPERAND_NONE) result = operand_value(r->m, c, &i->a);
    thread_part *t = own_thread(c);
    frame leaving = *top_frame(t);
    release_frame_objects(r, c);
    thread_pop_frame(t);
    if (!t->frame_count) return end_thread(r, c, result);
    if (leaving.result_register != NO_INDEX && result.bits) set_register(c, leaving.result_register, result);
    return FLOW_MOVED;
}
