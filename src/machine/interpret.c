/* The interpreter: runs one thread from stop to stop, forking where a condition is open. */
#include "machine/kernel.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "machine/watch.h"

/* --- frames --------------------------------------------------------------------------------------------- */

void context_advance(context *c) {
    top_frame(own_thread(c))->index++;
}

value operand_elsewhere(const machine *m, const context *c, const operand *o) {
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    switch (o->kind) {
    case OPERAND_OBJECT:
        return (value){term_const(m->terms, m->program->pointer_bits, o->value), o->index + 1};
    case OPERAND_FUNCTION:
        return (value){term_const(m->terms, m->program->pointer_bits, 0), FUNCTION_BASE + o->index};
    case OPERAND_LOCAL: {
        assert(o->index < m->program->functions.data[f->function].locals.size);
        value v = t->values[f->registers + m->program->functions.data[f->function].registers.size + o->index];
        assert(v.base);
        v.bits = term_const(m->terms, m->program->pointer_bits, o->value);
        return v;
    }
    default: return (value){term_const(m->terms, o->width, o->value), 0};
    }
}

/* --- instructions --------------------------------------------------------------------------------------- */

static flow_result after_access(access_result result) {
    return result == ACCESS_DONE ? FLOW_NEXT : FLOW_GONE;
}

static flow_result infeasible(context *c) {
    run_drop(c);
    return FLOW_GONE;
}

/* What follows from unknown numbers may be any number. A violation that comes of it is confirmed with inputs
 * that make it known. */
static flow_result do_floating(run *r, context *c, const instruction *i, unsigned width, value a, value b) {
    uint64_t number;
    bool known = !a.base && !b.base && term_is_const(a.bits) && (!b.bits || term_is_const(b.bits));
    bool gives_integer = i->arith == ARITH_F_TO_SIGNED || i->arith == ARITH_F_TO_UNSIGNED;
    if (r->m->traits->unmodelled_is_any_number && !known && !gives_integer && !a.base && !b.base)
        return result_into(c, i, (value){fresh_unknown(r->m, c, width, "floating point"), 0});
    bool defined = known && floating_compute(i->arith, a.bits->width, width, a.bits->value,
                                             b.bits ? b.bits->value : 0, &number);
    if (!defined) {
        if (!known) c->needed = term_is_const(a.bits) ? b.bits : a.bits;
        run_limit(r, c, known ? REASON_FLOATING_OUT_OF_RANGE : REASON_FLOATING_UNKNOWN, i->at);
        return FLOW_GONE;
    }
    return result_into(c, i, (value){term_const(r->m->terms, width, number), 0});
}

static flow_result do_arith(run *r, context *c, const instruction *i) {
    value a = operand_value(r->m, c, &i->a);
    value b = i->b.kind == OPERAND_NONE ? (value){NULL, 0} : operand_value(r->m, c, &i->b);
    value d = i->c.kind == OPERAND_NONE ? (value){NULL, 0} : operand_value(r->m, c, &i->c);
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    assert(i->dst < f->registers.size && i->arith < ARITH_COUNT);
    unsigned width = f->registers.data[i->dst].type.width;
    if (i->arith >= ARITH_FADD) return do_floating(r, c, i, width, a, b);
    if (a.base || b.base || d.base) {
        value v;
        return pointer_arith(r, c, i, width, a, b, d, &v) == ACCESS_DONE ? result_into(c, i, v) : FLOW_GONE;
    }
    return result_into(c, i, (value){arith_term(r->m->terms, i->arith, width, a.bits, b.bits, d.bits), 0});
}

/* Whether a pointer moves no further than any object reaches, so that counting in bytes
 * cannot wrap around. */
static decision moves_near(run *r, context *c, const term *count, uint32_t scale) {
    unsigned width = count->width;
    assert(width == r->m->program->pointer_bits);
    uint64_t most = width == 64 ? UINT64_C(1) << 31 : (UINT64_C(1) << 31) / (scale ? scale : 1) - 1;
    bool narrow = (count->op == TERM_SEXT || count->op == TERM_ZEXT) && count->arg[0]->width < 32 &&
                  UINT64_C(1) << count->arg[0]->width <= most;
    bool abstract = is_abstract(r->how);
    if (!abstract && (narrow || (width == 32 && scale <= 1))) return DECIDED_TRUE;
    if (!abstract && term_is_const(count)) {
        int64_t number = term_signed(width, count->value);
        return number >= -(int64_t)most && number <= (int64_t)most ? DECIDED_TRUE : DECIDED_FALSE;
    }
    terms *terms = r->m->terms;
    const term *far = term_const(terms, width, most), *back = term_neg(terms, far);
    return run_decide_inside(r, c,
                             term_and(terms, term_sle(terms, back, count), term_sle(terms, count, far)));
}

static flow_result do_offset(run *r, context *c, const instruction *i) {
    value a = operand_value(r->m, c, &i->a), b = operand_value(r->m, c, &i->b);
    unsigned width = r->m->program->pointer_bits;
    if (b.base) {
        run_limit(r, c, REASON_POINTER_MOVED_BY_POINTER, i->at);
        return FLOW_GONE;
    }
    decision near = moves_near(r, c, b.bits, i->extra);
    if (near == DECIDED_NEITHER) return infeasible(c);
    if (near == DECIDED_FALSE) { /* out of bounds wherever it is followed */
        a.bits = term_const(r->m->terms, width, UINT64_C(1) << (width - 1));
        return result_into(c, i, a);
    }
    const term *bytes = term_mul(r->m->terms, b.bits, term_const(r->m->terms, width, i->extra));
    a.bits = term_add(r->m->terms, a.bits, bytes);
    return result_into(c, i, a);
}

/* A fresh value can be anything in its range, so nothing has to be decided. A given one that is none of the
 * range was not drawn on the path that is replayed. */
static const term *kept_in_range(run *r, context *c, const instruction *i, const term *drawn) {
    terms *t = r->m->terms;
    assert(i->c.kind != OPERAND_NONE); /* a range has two ends */
    const term *low = operand_value(r->m, c, &i->b).bits, *high = operand_value(r->m, c, &i->c).bits;
    const term *condition = term_and(t, arith_term(t, ARITH_SLE, 1, low, drawn, NULL),
                                     arith_term(t, ARITH_SLE, 1, drawn, high, NULL));
    if (term_is_false(condition)) return low;
    if (r->how->follow)
        way_must_hold(c->went, condition);
    else
        path_assume(c->s, condition);
    return drawn;
}

static void tell_law(const run *r, const context *c, const instruction *i, const term *drawn) {
    const machine_watch *w = r->how->watch;
    assert(i->arg_count <= PROGRAM_MOST_ARGUMENTS);
    value given[PROGRAM_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < i->arg_count; k++) given[k] = operand_value(r->m, c, &i->args[k]);
    w->draws_by_law(w->data, c->s, given, i->arg_count, i->extra, drawn);
}

static flow_result do_input(run *r, context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    assert(i->dst < f->registers.size && i->extra < r->m->program->inputs.size);
    scalar_type type = f->registers.data[i->dst].type;
    const machine_watch *w = r->how->watch;
    if (w && w->draws) {
        value name = i->a.kind == OPERAND_NONE ? (value){NULL, 0} : operand_value(r->m, c, &i->a);
        w->draws(w->data, c->s, name, i->extra, next_input(r->m, c, i->extra, type));
    }
    value drawn = fresh_input(r->m, c, i->extra, type);
    if (i->b.kind != OPERAND_NONE) drawn.bits = kept_in_range(r, c, i, drawn.bits);
    if (w && w->draws_by_law && i->arg_count) tell_law(r, c, i, drawn.bits);
    return result_into(c, i, drawn);
}

static flow_result do_print(run *r, context *c, const instruction *i) {
    const machine_watch *w = r->how->watch;
    value given[PROGRAM_MOST_ARGUMENTS];
    if (!w || !w->prints || i->arg_count > PROGRAM_MOST_ARGUMENTS) return FLOW_NEXT;
    for (uint32_t k = 0; k < i->arg_count; k++) given[k] = operand_value(r->m, c, &i->args[k]);
    w->prints(w->data, c->s, (print_form)i->extra, given, i->arg_count);
    return FLOW_NEXT;
}

static flow_result do_load(run *r, context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    value v;
    access_result result =
        memory_load(r, c, i, operand_value(r->m, c, &i->a), f->registers.data[i->dst].type.width, &v);
    return result == ACCESS_DONE ? result_into(c, i, v) : FLOW_GONE;
}

static flow_result do_alloc(run *r, context *c, const instruction *i) {
    value v;
    access_result result = memory_new(r, c, i, operand_value(r->m, c, &i->a), &v);
    return result == ACCESS_DONE ? result_into(c, i, v) : FLOW_GONE;
}

static flow_result do_size(run *r, context *c, const instruction *i) {
    value v;
    access_result result = memory_size(r, c, i, operand_value(r->m, c, &i->a), &v);
    return result == ACCESS_DONE ? result_into(c, i, v) : FLOW_GONE;
}

/* Where the assumption fails its thread goes no further, but the others do: what they violate would have
 * happened before it, too. */
static flow_result assume_or_stick(run *r, context *c, const term *condition) {
    switch (run_decide_way(r, c, condition)) {
    case DECIDED_TRUE: return FLOW_NEXT;
    case DECIDED_NEITHER: return infeasible(c);
    case DECIDED_FALSE: break;
    }
    run_stick(r, c);
    return FLOW_GONE;
}

static flow_result do_assume(run *r, context *c, const instruction *i) {
    const term *condition = operand_value(r->m, c, &i->a).bits;
    assert(condition->width == 1);
    if (term_is_true(condition) && !c->went) return FLOW_NEXT;
    if (r->m->traits->others_go_on_without) return assume_or_stick(r, c, condition);
    if (term_is_true(condition)) return FLOW_NEXT;
    context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);
    if (r->how->follow) {
        way_must_hold(c->went, condition);
        return FLOW_NEXT;
    }
    solver_answer answer = term_is_false(condition) ? SOLVER_UNSAT : run_can_be(r, c, condition);
    if (answer == SOLVER_UNSAT) {
        run_end(r, c, STEP_ASSUMED_AWAY);
        return FLOW_GONE;
    }
    run_take(c, condition, answer);
    return FLOW_NEXT;
}

/* A check that fails or holds because the way says so. */
static flow_result follow_check(run *r, context *c, const instruction *i, const term *condition,
                                bool skippable) {
    const way_mark *mark = way_next_mark(r, c->went);
    if (!mark || mark->kind > WAY_YES) return infeasible(c);
    if (mark->kind == WAY_YES) {
        if (!skippable) way_must_hold(c->went, condition);
        return FLOW_NEXT;
    }
    way_must_hold(c->went, term_not(r->m->terms, condition));
    run_violate(r, c, i->check, i->at);
    return FLOW_GONE;
}

static flow_result check_holds(context *c) {
    way_note(c, WAY_YES, 0);
    return FLOW_NEXT;
}

static flow_result do_check(run *r, context *c, const instruction *i) {
    machine *m = r->m;
    const term *condition = operand_value(m, c, &i->a).bits;
    assert(condition->width == 1 && i->check < m->checks.size);
    bool assertion = check_is_stated(m->checks.data[i->check].kind);
    bool skippable = assertion && r->how->continue_after_violation;
    seen_reach(m->seen, i->check);
    context_touch(r, c, ACCESS_CHECK, ACCESS_ANY);
    if (r->how->follow) return follow_check(r, c, i, condition, skippable);
    if (term_is_true(condition)) return check_holds(c);
    if (m->options.checks_cut && !assertion) context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);

    const term *fails = term_not(m->terms, condition);
    solver_answer can_fail = term_is_true(fails) ? SOLVER_SAT : run_can_be(r, c, fails);
    if (can_fail == SOLVER_UNSAT) return check_holds(c);
    context bad = run_fork(c);
    run_take(&bad, fails, can_fail);
    way_note(&bad, WAY_NO, 0);
    run_violate(r, &bad, i->check, i->at);
    if (skippable) return check_holds(c);
    solver_answer can_hold = term_is_false(condition) ? SOLVER_UNSAT : run_can_be(r, c, condition);
    if (can_hold == SOLVER_UNSAT) return infeasible(c);
    run_take(c, condition, can_hold);
    return check_holds(c);
}

/* What this thread would do is not known; the others may go on without it. */
static flow_result do_unsupported(run *r, context *c, const instruction *i) {
    bool go_on =
        i->extra & UNSUPPORTED_ONLY_HERE && r->m->traits->others_go_on_without && c->s->thread_count > 1;
    context rest = go_on ? run_fork(c) : (context){0};
    reason_kind kind = i->extra & UNSUPPORTED_CALL ? REASON_CALL_NOT_MODELLED : REASON_NOT_MODELLED;
    run_limit_in_words(r, c, (reason){kind, i->text}, i->at);
    if (go_on) run_stick(r, &rest);
    return FLOW_GONE;
}

static flow_result do_time(run *r, context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    unsigned width = f->registers.data[i->dst].type.width;
    const term *now = c->s->scheduler->time;
    return result_into(c, i, (value){width < 64 ? term_extract(r->m->terms, now, 0, width) : now, 0});
}

/* --- loops ---------------------------------------------------------------------------------------------- */

enum { LOOPS_BEFORE_WATCHING = 64 };

/* Brent's cycle search over the states at back edges: the witness moves on at every power of two. */
static bool repeats_a_state(context *c) {
    c->loops++;
    if (c->loops < LOOPS_BEFORE_WATCHING) return false;
    if (c->loop_witness && state_identical(c->loop_witness, c->s)) return true;
    if (!c->loop_witness || c->loops >= 2 * c->loop_witness_at) {
        context_forget_loops(c);
        c->loop_witness = state_clone(c->s);
        c->round_since_witness = (loop_place){0};
        c->loop_witness_at = c->loops;
    }
    return false;
}

static void stop_inside_step(run *r, context *c) {
    assert(c->thread != kernel_slot(r->m)); /* updates run in one go */
    state_own_scheduler(c->s)->running = c->thread;
    run_end(r, c, STEP_STOPPED);
}

/* Threads that can be interrupted anywhere are interrupted here: a loop without end must not keep the others
 * from going on. */
static void stop_at_loop_head(run *r, context *c) {
    if (r->m->traits->preempts && !c->s->threads[c->thread]->atomic_depth)
        run_end(r, c, STEP_STOPPED);
    else
        stop_inside_step(r, c);
}

static void stop_between_statements(run *r, context *c) {
    if (r->m->traits->preempts)
        run_end(r, c, STEP_STOPPED);
    else
        stop_inside_step(r, c);
}

static void stop_on_request(run *r, context *c) {
    if (c->went) c->went->inside = true;
    stop_inside_step(r, c);
}

/* A step that has not split has nothing that could come together. */
static bool passes_join(run *r, context *c) {
    bool passes = !c->split;
    if (r->how->follow) {
        const way_mark *mark = c->went->next < r->how->follow->marks.size ? way_next_mark(r, c->went) : NULL;
        passes = mark != NULL;
        if (mark && mark->kind != WAY_PASS) c->went->lost = true;
    } else if (passes) {
        way_note(c, WAY_PASS, 0);
    }
    return passes;
}

static flow_result go_to_block(run *r, context *c, const instruction *i, uint32_t block) {
    frame *f = top_frame(own_thread(c));
    assert(block < r->m->program->functions.data[f->function].blocks.size);
    f->block = block;
    f->index = 0;
    if (r->watched.size) round_note_jump(r, c, block);
    const flow *flow = flows_of(r->m->flows, f->function);
    if (!flow_is_loop_head(flow, block)) {
        bool join = r->how->stops & (STOP_JOIN | STOP_EVERY_JOIN) && flow_is_join(flow, block) &&
                    c->thread != kernel_slot(r->m);
        if (!join || (!(r->how->stops & STOP_EVERY_JOIN) && passes_join(r, c))) return FLOW_MOVED;
        stop_on_request(r, c);
        return FLOW_GONE;
    }
    machine_note_round(r->m, f);
    bool counts = r->m->options.unwind && !r->how->looks_ahead;
    if (counts && ++f->loops > r->m->options.unwind) {
        run_limit(r, c, REASON_LOOP_BOUND, i->at);
        return FLOW_GONE;
    }
    if (r->m->traits->loops_can_wait) r->m->kernel->enter_loop_head(r, c);
    if (r->how->stops & STOP_LOOP_HEAD && c->thread != kernel_slot(r->m)) {
        c->loops++;
        stop_at_loop_head(r, c);
        return FLOW_GONE;
    }
    if (!repeats_a_state(c)) return FLOW_MOVED;
    r->m->kernel->goes_round(r, c, i->at);
    return FLOW_GONE;
}

static flow_result do_branch(run *r, context *c, const instruction *i) {
    if (i->decides) seen_reach(r->m->seen, i->decides - 1);
    switch (run_decide_way(r, c, operand_value(r->m, c, &i->a).bits)) {
    case DECIDED_TRUE: return go_to_block(r, c, i, i->target[0]);
    case DECIDED_FALSE: return go_to_block(r, c, i, i->target[1]);
    case DECIDED_NEITHER: break;
    }
    return infeasible(c);
}

static flow_result do_sync(run *r, context *c, const instruction *i) {
    switch (r->m->kernel->sync(r, c, i)) {
    case SYNC_GOES_ON: return FLOW_MOVED;
    case SYNC_STOPS:
        c->course.stays = c->instructions <= 1;
        run_end(r, c, STEP_STOPPED);
        return FLOW_GONE;
    case SYNC_CONSUMED: break;
    }
    return FLOW_GONE;
}

static value address_behind(machine *m, value address, uint64_t bytes) {
    if (bytes)
        address.bits = term_add(m->terms, address.bits, term_const(m->terms, address.bits->width, bytes));
    return address;
}

static flow_result do_block(run *r, context *c, const instruction *i) {
    machine *m = r->m;
    value to = operand_value(m, c, &i->a), second = operand_value(m, c, &i->b),
          length = operand_value(m, c, &i->c);
    piece p = {.reads = true, .writes = true};
    length.bits = run_exact_number(r, c, length.bits);
    if (m->traits->preempts) p = m->kernel->next_piece(m, c, i, length);
    if (p.exact) {
        to = address_behind(m, to, p.from);
        if (i->kind == INSTR_COPY) second = address_behind(m, second, p.from);
        length.bits = term_const(m->terms, length.bits->width, p.bytes);
    }
    if (!p.writes)
        return memory_take(r, c, i, second, (uint32_t)p.bytes) == ACCESS_DONE ? FLOW_MOVED : FLOW_GONE;
    access_result result = !p.reads                ? memory_put(r, c, i, to)
                           : i->kind == INSTR_COPY ? memory_copy(r, c, i, to, second, length)
                                                   : memory_fill(r, c, i, to, second, length);
    if (result != ACCESS_DONE) return FLOW_GONE;
    assert(!p.more || p.exact); /* only what is known to the byte goes piece by piece */
    uint32_t done = p.more ? (uint32_t)(p.from + p.bytes) : 0;
    if (own_thread(c)->copied != done) own_thread(c)->copied = done;
    return p.more ? FLOW_MOVED : FLOW_NEXT;
}

/* Objects of one summary may be the same one or not. */
static flow_result do_apart(run *r, context *c, const instruction *i) {
    value a = operand_value(r->m, c, &i->a), b = operand_value(r->m, c, &i->b);
    const term *length = operand_value(r->m, c, &i->c).bits;
    terms *terms = r->m->terms;
    const term *overlap = term_false(terms);
    if (a.base && a.base == b.base)
        overlap = term_or(terms, term_ult(terms, term_sub(terms, a.bits, b.bits), length),
                          term_ult(terms, term_sub(terms, b.bits, a.bits), length));
    switch (run_decide_way(r, c, term_not(terms, overlap))) {
    case DECIDED_TRUE: return FLOW_NEXT;
    case DECIDED_NEITHER: return infeasible(c);
    case DECIDED_FALSE: break;
    }
    memory_violated(r, c, i, CHECK_OVERLAP);
    return FLOW_GONE;
}

static flow_result execute(run *r, context *c, const instruction *i) {
    const machine *m = r->m;
    switch ((instruction_kind)i->kind) {
    case INSTR_MOVE: return result_into(c, i, operand_value(m, c, &i->a));
    case INSTR_ARITH: return do_arith(r, c, i);
    case INSTR_OFFSET: return do_offset(r, c, i);
    case INSTR_INPUT: return do_input(r, c, i);
    case INSTR_LOAD: return do_load(r, c, i);
    case INSTR_STORE:
        return after_access(memory_store(r, c, i, operand_value(m, c, &i->a), operand_value(m, c, &i->b)));
    case INSTR_UPDATE:
        return after_access(
            memory_update(r, c, i, operand_value(m, c, &i->a), i->arith, operand_value(m, c, &i->b)));
    case INSTR_HAVOC: return after_access(memory_havoc(r, c, i, operand_value(m, c, &i->a)));
    case INSTR_ALLOC: return do_alloc(r, c, i);
    case INSTR_FREE:
        if (i->extra == FREE_BLOCK) return after_access(memory_leave_block(r, c, i));
        return after_access(memory_free(r, c, i, operand_value(m, c, &i->a)));
    case INSTR_SIZE: return do_size(r, c, i);
    case INSTR_COPY:
    case INSTR_FILL: return do_block(r, c, i);
    case INSTR_APART: return do_apart(r, c, i);
    case INSTR_CALL: return call_enter(r, c, i);
    case INSTR_RETURN: return call_return(r, c, i);
    case INSTR_JUMP: return go_to_block(r, c, i, i->target[0]);
    case INSTR_BRANCH: return do_branch(r, c, i);
    case INSTR_ASSUME: return do_assume(r, c, i);
    case INSTR_CHECK: return do_check(r, c, i);
    case INSTR_TIME: return do_time(r, c, i);
    case INSTR_PRINT: return do_print(r, c, i);
    case INSTR_UNSUPPORTED: return do_unsupported(r, c, i);
    case INSTR_SYNC: return do_sync(r, c, i);
    case INSTR_KINDS: break;
    }
    run_limit(r, c, REASON_UNKNOWN_INSTRUCTION, i->at);
    return FLOW_GONE;
}

bool run_is_interrupted(run *r) {
    const machine_options *o = &r->m->options;
    return r->interrupted |= !r->how->replay && o->interrupted && o->interrupted(o->interrupted_data);
}

/* Looks after limits, and says when to look again. */
static bool out_of_budget(run *r, context *c, const instruction *i) {
    if (r->parted) {
        run_drop(c);
        return true;
    }
    uint64_t most = r->m->options.step_instructions;
    reason_kind reason = REASON_NONE;
    if (c->instructions > most)
        reason = REASON_STEP_LIMIT;
    else if (r->out->size + r->work.size > r->m->options.step_forks)
        reason = REASON_TOO_MANY_PATHS;
    else if (r->interrupted || (c->instructions >= c->next_poll && run_is_interrupted(r)))
        reason = REASON_INTERRUPTED;
    if (reason) {
        run_limit(r, c, reason, i->at);
        return true;
    }
    if (c->instructions >= c->next_poll) c->next_poll = c->instructions + POLL_EVERY;
    c->next_look = c->next_poll <= most ? c->next_poll : most + 1;
    return false;
}

static bool stops_here(const run *r, const context *c, const instruction *i) {
    if (c->thread == kernel_slot(r->m)) return false;
    if (r->how->stops & STOP_INSTRUCTION) return true;
    return r->how->stops & STOP_CALL && (i->kind == INSTR_CALL || i->kind == INSTR_RETURN);
}

/* As opposed to the library and to what calls main. */
static bool is_of_the_program_itself(const machine *m, const frame *f) {
    const function *of = &m->program->functions.data[f->function];
    return !of->hidden && of->role != FUNCTION_MAIN;
}

/* The return from where a thread began, beside others: who has come to it is at the end. */
static bool is_the_end_of_a_thread(const run *r, const context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    bool outermost = t->frame_count == 1 || !is_of_the_program_itself(r->m, &t->frames[t->frame_count - 2]);
    return i->kind == INSTR_RETURN && outermost && r->m->traits->preempts && c->s->thread_count > 1;
}

/* Jumps that nobody wrote belong to the statement before them. */
static bool is_next_statement(const run *r, const context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    if (t->atomic_depth || c->thread == kernel_slot(r->m) || !is_of_the_program_itself(r->m, f)) return false;
    return (i->kind != INSTR_JUMP || i->ends_statement) && !is_the_end_of_a_thread(r, c, i);
}

/* A call of the library is over when it comes back, which may be in a later step than the call itself. */
static bool comes_back_from_statement(const run *r, const context *c) {
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    const instruction *code = r->m->program->functions.data[f->function].blocks.data[f->block].code.data;
    return f->index && code[f->index - 1].kind == INSTR_CALL && code[f->index - 1].ends_statement;
}

enum {
    MAY_BE_VISIBLE = 1, /* to other threads */
    LEAVES_A_MARK = 2   /* that coming back to the same values does not undo */
};

static const uint8_t traits[INSTR_KINDS] = {[INSTR_LOAD] = MAY_BE_VISIBLE,
                                            [INSTR_STORE] = MAY_BE_VISIBLE,
                                            [INSTR_UPDATE] = MAY_BE_VISIBLE,
                                            [INSTR_RETURN] = MAY_BE_VISIBLE,
                                            [INSTR_SYNC] = MAY_BE_VISIBLE,
                                            [INSTR_HAVOC] = MAY_BE_VISIBLE | LEAVES_A_MARK,
                                            [INSTR_ALLOC] = MAY_BE_VISIBLE | LEAVES_A_MARK,
                                            [INSTR_FREE] = MAY_BE_VISIBLE | LEAVES_A_MARK,
                                            [INSTR_COPY] = MAY_BE_VISIBLE | LEAVES_A_MARK,
                                            [INSTR_FILL] = MAY_BE_VISIBLE | LEAVES_A_MARK};

/* The end of a block says itself whether it left one. */
static bool leaves_a_mark(const instruction *i) {
    return traits[i->kind] & LEAVES_A_MARK && (i->kind != INSTR_FREE || i->extra != FREE_BLOCK);
}

static void interpret(run *r, context *c) {
    bool preempts = r->m->traits->preempts;
    assert(!c->task);
    c->next_look = c->instructions;
    for (;;) {
        const thread_part *t = c->s->threads[c->thread];
        assert(t->frame_count && t->head.refs);
        const frame *f = &t->frames[t->frame_count - 1];
        assert(f->index < r->m->program->functions.data[f->function].blocks.data[f->block].code.size);
        const instruction *i =
            &r->m->program->functions.data[f->function].blocks.data[f->block].code.data[f->index];
        r->m->stats.instructions++;
        if (++c->instructions >= c->next_look && out_of_budget(r, c, i)) return;
        if (c->statement_done && is_next_statement(r, c, i)) {
            stop_between_statements(r, c);
            return;
        }
        if (preempts && traits[i->kind]) {
            if (r->m->kernel->stops_before(r, c, i)) {
                run_end(r, c, STEP_STOPPED);
                return;
            }
            if (leaves_a_mark(i)) c->wrote = true;
        }
        if (c->went) way_begin_instruction(c->went);
        flow_result result = execute(r, c, i);
        if (result == FLOW_GONE) return;
        c->granted = false;
        if (c->asked) { /* the next answer has another name */
            state_own_thread(c->s, c->thread)->unknowns_made++;
            c->asked = false;
        }
        if (result == FLOW_NEXT) context_advance(c);
        if (r->how->stops & STOP_STATEMENT)
            c->statement_done |=
                i->ends_statement || (i->kind == INSTR_RETURN && comes_back_from_statement(r, c));
        if (r->how->stops && stops_here(r, c, i)) {
            stop_on_request(r, c);
            return;
        }
    }
}

void run_all(run *r) {
    while (r->work.size) {
        context c = vec_pop(&r->work);
        assert(c.thread < c.s->thread_count);
        if (r->parted)
            run_drop(&c);
        else if (c.task)
            c.task(r, &c);
        else
            interpret(r, &c);
    }
    if (r->parted) successors_clear(r->m, r->out);
}
