/* Calls and returns. */
#include "machine/kernel.h"
#include "machine/watch.h"

void enter_function(run *r, context *c, uint32_t function_index, uint32_t result_register) {
    const machine_watch *w = r->how->watch;
    if (w && w->enters) w->enters(w->data, c->thread, function_index);
    assert(function_index < r->m->program->functions.size);
    const function *f = &r->m->program->functions.data[function_index];
    assert(f->blocks.size); /* somebody who has no body is never entered */
    thread_push_frame(own_thread(c), f, function_index, result_register);
    for (size_t k = 0; k < f->locals.size; k++) {
        value pointer = memory_allocate_local(r, c, function_index, (uint32_t)k);
        thread_part *t = own_thread(c);
        t->values[top_frame(t)->registers + f->registers.size + k] = pointer;
    }
}

/* Library functions call what they were given as the ABI has it: a function of no arguments does not look at
 * them, and what is said to come back from one that returns something else is any value. C calls that
 * undefined, but who casts the function of a thread lives by it. */
static bool calls_as_abi(const machine *m, const context *c) {
    const thread_part *t = c->s->threads[c->thread];
    const function *caller = &m->program->functions.data[t->frames[t->frame_count - 1].function];
    return caller->hidden && !function_is_of_cxx(caller);
}

static unsigned wanted_width(const machine *m, const context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *caller = &m->program->functions.data[t->frames[t->frame_count - 1].function];
    assert(i->dst < caller->registers.size);
    return caller->registers.data[i->dst].type.width;
}

static bool gives_another_result(const machine *m, const context *c, const instruction *i, uint32_t callee) {
    return i->dst != NO_INDEX && i->callee == NO_INDEX &&
           m->program->functions.data[callee].result.width != wanted_width(m, c, i);
}

/* Whether arguments and result of a call through a pointer have the widths that the function
 * found there has. */
static bool fits_call(const machine *m, const context *c, const instruction *i, uint32_t callee) {
    const function *f = &m->program->functions.data[callee];
    bool as_abi = calls_as_abi(m, c);
    if (f->takes_anything || (as_abi && !f->parameters)) return true;
    if (f->parameters != i->arg_count) return false;
    for (uint32_t k = 0; k < i->arg_count; k++) {
        bool pointer = i->args[k].kind == OPERAND_OBJECT || i->args[k].kind == OPERAND_LOCAL ||
                       i->args[k].kind == OPERAND_FUNCTION;
        unsigned width = pointer ? m->program->pointer_bits : i->args[k].width;
        if (f->registers.data[k].type.width != width) return false;
    }
    return as_abi || !gives_another_result(m, c, i, callee);
}

static unsigned result_width(const machine *m, uint32_t function_index) {
    return m->program->functions.data[function_index].result.width;
}

flow_result call_enter(run *r, context *c, const instruction *i) {
    thread_part *t = own_thread(c);
    if (t->frame_count >= r->m->options.call_depth) {
        run_limit(r, c, REASON_CALL_DEPTH, i->at);
        return FLOW_GONE;
    }
    uint32_t callee = i->callee;
    if (callee != NO_INDEX && i->a.kind != OPERAND_NONE && r->m->traits->sharing_is_known &&
        !memory_is_shared(c, operand_value(r->m, c, &i->a)))
        return result_into(c, i, (value){term_const(r->m->terms, result_width(r->m, callee), 0), 0});
    if (callee == NO_INDEX) {
        value called = operand_value(r->m, c, &i->a);
        if (!called.base && term_is_const(called.bits) && !called.bits->value) {
            memory_violated(r, c, i, CHECK_NULL);
            return FLOW_GONE;
        }
        callee = value_function(called);
        reason_kind reason = callee == NO_INDEX               ? REASON_NO_FUNCTION_CALLED
                             : !fits_call(r->m, c, i, callee) ? REASON_OTHER_FUNCTION_TYPE
                                                              : REASON_NONE;
        if (reason) {
            run_limit(r, c, reason, i->at);
            return FLOW_GONE;
        }
    }
    assert(i->arg_count <= PROGRAM_MOST_ARGUMENTS);
    value arguments[PROGRAM_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < i->arg_count; k++) arguments[k] = operand_value(r->m, c, &i->args[k]);
    uint32_t dst = i->dst;
    assert(callee < r->m->program->functions.size);
    const function *entered = &r->m->program->functions.data[callee];
    if (!entered->takes_anything && gives_another_result(r->m, c, i, callee)) {
        set_register(c, dst, (value){fresh_unknown(r->m, c, wanted_width(r->m, c, i), "missing result"), 0});
        dst = NO_INDEX;
    }
    context_advance(c);
    enter_function(r, c, callee, dst);
    if (entered->takes_anything) return FLOW_MOVED;
    for (uint32_t k = 0; k < i->arg_count && k < entered->parameters; k++) set_register(c, k, arguments[k]);
    return FLOW_MOVED;
}

/* A monitor that cannot read what it wants says no. */
bool call_abandon_monitor(run *r, context *c) {
    const thread_part *t = c->s->threads[c->thread];
    uint32_t depth = t->frame_count;
    while (depth && !r->m->program->functions.data[t->frames[depth - 1].function].observes) depth--;
    if (!depth) return false;
    frame monitor = t->frames[depth - 1];
    assert(depth > 1 && monitor.result_register != NO_INDEX); /* somebody asked */
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
    assert(leaving.registers <= t->value_count);
    release_frame_objects(r, c);
    thread_pop_frame(t);
    if (r->watched.size) round_note_depth(r, c);
    if (!t->frame_count) {
        r->m->kernel->thread_returns(r, c, result);
        return FLOW_GONE;
    }
    if (leaving.result_register != NO_INDEX && result.bits) set_register(c, leaving.result_register, result);
    return FLOW_MOVED;
}
