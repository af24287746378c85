/* The interpreter: runs one thread from stop to stop, forking where a condition is open. */
#include "machine/internal.h"
#include "machine/place.h"
#include "program/future.h"

static bool is_preemptive(const machine *m) {
    return m->program->kernel == KERNEL_PREEMPTIVE;
}

uint32_t kernel_slot(const machine *m) {
    return is_preemptive(m) ? NO_INDEX : (uint32_t)m->program->threads.size;
}

/* --- contexts ------------------------------------------------------------------------------------------- */

void run_push(run *r, context c) {
    vec_push(&r->work, c);
}

static void free_loop_witness(context *c) {
    if (c->loop_witness) state_free(c->loop_witness);
    c->loop_witness = NULL;
}

static void forget_dead_registers(const machine *m, state *s, uint32_t thread) {
    if (!s->threads[thread]->frame_count) return;
    thread_part *t = state_own_thread(s, thread);
    for (uint32_t k = 0; k < t->frame_count; k++) {
        const frame *f = &t->frames[k];
        const uint64_t *live = flow_live(&m->flows[f->function], f->block, f->index);
        size_t registers = m->program->functions.data[f->function].registers.size;
        for (size_t i = 0; i < registers; i++)
            if (!bits_has(live, i)) t->values[f->registers + i] = (value){NULL, 0};
    }
}

void step_way_free(step_way *w) {
    if (!w) return;
    vec_free(&w->marks);
    vec_free(&w->conditions);
    mem_free(w);
}

static step_way *way_copy(const step_way *from) {
    if (!from) return NULL;
    step_way *w = mem_zero(1, sizeof *w);
    *w = *from;
    w->marks.data = mem_duplicate(from->marks.data, from->marks.size * sizeof *w->marks.data);
    w->marks.capacity = from->marks.size;
    w->conditions.data = mem_duplicate(from->conditions.data, from->conditions.size * sizeof(const term *));
    w->conditions.capacity = from->conditions.size;
    return w;
}

/* A fork executes the present instruction again. */
static void way_undo_instruction(step_way *w) {
    w->marks.size = w->marks_begun;
    w->conditions.size = w->conditions_begun;
    w->next = w->next_begun;
}

void run_drop(context *c) {
    free_loop_witness(c);
    step_way_free(c->went);
    state_free(c->s);
    effect_free(&c->touched);
}

static void way_begin_instruction(step_way *w) {
    w->marks_begun = w->marks.size;
    w->conditions_begun = w->conditions.size;
    w->next_begun = w->next;
}

static void hand_over(run *r, context *c, successor next) {
    next.to = c->s;
    next.uncertain = c->s->uncertain;
    next.touched = c->touched;
    next.parts = c->parts;
    next.went = c->went;
    if (next.end == STEP_LIMIT) next.needed = c->needed;
    free_loop_witness(c);
    vec_push(r->out, next);
}

enum { SHORT_PATH = 16 }; /* conjuncts that the solver may be given though nothing depends on them any more */

void run_end(run *r, context *c, step_end end) {
    if (end == STEP_STOPPED) {
        if (r->m->options.clear_dead) forget_dead_registers(r->m, c->s, c->thread);
        if (is_preemptive(r->m)) preemptive_step_ended(r, c);
        bool later = r->how->defer_path_gc && c->s->path_count <= SHORT_PATH;
        if (r->m->options.path_gc && !later) path_collect(r->m, c->s);
    }
    hand_over(r, c, (successor){.end = end});
}

/* Library models have no places of their own: what counts is where the program called them. */
void run_limit(run *r, context *c, const char *reason, position at) {
    const thread_part *t = c->s->threads[c->thread];
    const function *in = thread_visible_function(r->m->program, t);
    hand_over(r, c,
              (successor){.end = STEP_LIMIT,
                          .reason = reason,
                          .place = at.line ? at : thread_position(r->m->program, t),
                          .file = in ? in->file : NULL});
}

void context_touch(run *r, context *c, access_kind kind, uint32_t name) {
    if (r->how->effects)
        effect_add(&c->touched, (access){.kind = (uint8_t)kind, .name = name, .high = UINT32_MAX});
}

static context fork_context(const context *c) {
    context copy = *c;
    copy.s = state_clone(c->s);
    copy.touched = (effect){0};
    effect_join(&copy.touched, &c->touched);
    copy.loop_witness = NULL;
    copy.went = way_copy(c->went);
    return copy;
}

/* Nothing comes after a violation of memory, but others may have waited for what the step did before it, or
 * been created by it: they go on without this thread. */
static bool others_go_on_after(const run *r, const context *c, uint32_t check_index) {
    check_kind kind = r->m->checks.data[check_index].kind;
    return is_preemptive(r->m) && !check_is_stated(kind) && kind != CHECK_LEAK && c->s->thread_count > 1;
}

static bool monitor_gives_up(run *r, context *c);

void run_violate(run *r, context *c, uint32_t check_index, position at) {
    if (monitor_gives_up(r, c)) return;
    bool go_on = others_go_on_after(r, c, check_index);
    context rest = go_on ? fork_context(c) : (context){0};
    hand_over(r, c, (successor){.end = STEP_VIOLATION, .check = check_index, .place = at});
    if (go_on) preemptive_stick(r, &rest);
}

static solver_answer can_be(const run *r, const context *c, const term *condition) {
    return solver_check_extension(r->m->solver, state_path(c->s), c->s->path_count, condition);
}

static void take_condition(context *c, const term *condition, solver_answer how_sure) {
    path_assume(c->s, condition);
    if (how_sure != SOLVER_UNKNOWN) return;
    c->s->uncertain = true;
    c->next_look = c->instructions; /* perhaps the solver gave up because time is up */
}

decision run_decide(run *r, context *c, const term *condition) {
    if (term_is_const(condition)) return term_is_true(condition) ? DECIDED_TRUE : DECIDED_FALSE;
    const term *negated = term_not(r->m->terms, condition);
    solver_answer yes = can_be(r, c, condition);
    if (yes == SOLVER_UNSAT && !c->s->uncertain) return DECIDED_FALSE;
    solver_answer no = can_be(r, c, negated);
    if (yes == SOLVER_UNSAT) return no == SOLVER_UNSAT ? DECIDED_NEITHER : DECIDED_FALSE;
    if (no == SOLVER_UNSAT) return DECIDED_TRUE;
    if (r->how->one_way) {
        r->parted = true;
        c->next_look = c->instructions; /* whatever this instruction still does is thrown away */
        return DECIDED_FALSE;
    }
    r->m->stats.forks++;
    c->split = true;
    context other = fork_context(c);
    take_condition(&other, condition, yes);
    other.parts = 1;
    c->parts++;
    if (other.went) way_undo_instruction(other.went);
    run_push(r, other);
    take_condition(c, negated, no);
    c->next_look = c->next_poll = c->instructions; /* there may be too many paths now, or too little time */
    return DECIDED_FALSE;
}

/* --- ways ----------------------------------------------------------------------------------------------- */

static const way_mark *next_mark(const run *r, step_way *w) {
    const step_way *lead = r->how->follow;
    if (w->next < lead->marks.size) return &lead->marks.data[w->next++];
    w->lost = true;
    return NULL;
}

void way_must_hold(step_way *w, const term *condition) {
    if (!term_is_true(condition)) vec_push(&w->conditions, condition);
}

/* What the way says about a condition; the values are made to agree. */
static decision follow(run *r, context *c, const term *condition, way_kind no, way_kind yes_kind) {
    const way_mark *mark = next_mark(r, c->went);
    if (!mark || (mark->kind != no && mark->kind != yes_kind)) {
        c->went->lost = true;
        return DECIDED_NEITHER;
    }
    bool yes = mark->kind == yes_kind;
    way_must_hold(c->went, yes ? condition : term_not(r->m->terms, condition));
    return yes ? DECIDED_TRUE : DECIDED_FALSE;
}

static void mark_way(context *c, way_kind kind, uint64_t number) {
    if (c->went) vec_push(&c->went->marks, ((way_mark){(uint8_t)kind, number}));
}

static decision decide_marked(run *r, context *c, const term *condition, way_kind no, way_kind yes) {
    if (r->how->follow) return follow(r, c, condition, no, yes);
    decision d = run_decide(r, c, condition);
    if (d != DECIDED_NEITHER) mark_way(c, d == DECIDED_TRUE ? yes : no, 0);
    return d;
}

decision run_decide_way(run *r, context *c, const term *condition) {
    return decide_marked(r, c, condition, WAY_NO, WAY_YES);
}

decision run_decide_inside(run *r, context *c, const term *condition) {
    return decide_marked(r, c, condition, WAY_OUTSIDE, WAY_INSIDE);
}

const term *run_exact_number(run *r, context *c, const term *number) {
    if (!c->went) return number;
    if (!r->how->follow) {
        bool exact = term_is_const(number);
        mark_way(c, exact ? WAY_NUMBER : WAY_OPEN, exact ? number->value : 0);
        return number;
    }
    const way_mark *mark = next_mark(r, c->went);
    if (!mark || mark->kind < WAY_NUMBER) c->went->lost = true;
    if (c->went->lost || mark->kind == WAY_OPEN) return number;
    const term *exact = term_const(r->m->terms, number->width, mark->number);
    way_must_hold(c->went, term_eq(r->m->terms, number, exact));
    return exact;
}

bool run_stays_open(run *r, context *c, bool possible) {
    if (!c->went) return possible;
    if (!r->how->follow) {
        if (possible) mark_way(c, WAY_OPEN, 0);
        return possible;
    }
    const way_mark *mark = next_mark(r, c->went);
    if (mark && mark->kind == WAY_NUMBER) {
        c->went->next--; /* read again where it is made exact */
        return false;
    }
    if (!mark || mark->kind != WAY_OPEN || !possible) c->went->lost = true;
    return possible;
}

/* --- frames --------------------------------------------------------------------------------------------- */

static thread_part *own_thread(context *c) {
    return state_own_thread(c->s, c->thread);
}

static frame *top_frame(thread_part *t) {
    return &t->frames[t->frame_count - 1];
}

void context_advance(context *c) {
    top_frame(own_thread(c))->index++;
}

void enter_function(run *r, context *c, uint32_t function_index, uint32_t result_register) {
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

static void set_register(context *c, uint32_t index, value v) {
    thread_part *t = own_thread(c);
    t->values[top_frame(t)->registers + index] = v;
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
        value v = t->values[f->registers + m->program->functions.data[f->function].registers.size + o->index];
        v.bits = term_const(m->terms, m->program->pointer_bits, o->value);
        return v;
    }
    default: return (value){term_const(m->terms, o->width, o->value), 0};
    }
}

/* --- instructions --------------------------------------------------------------------------------------- */

typedef enum { FLOW_NEXT, FLOW_MOVED /* position was set */, FLOW_GONE /* context consumed */ } flow_result;

static flow_result result_into(context *c, const instruction *i, value v) {
    set_register(c, i->dst, v);
    return FLOW_NEXT;
}

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
    if (is_preemptive(r->m) && !known && !gives_integer && !a.base && !b.base)
        return result_into(c, i, (value){fresh_unknown(r->m, c, width, "floating point"), 0});
    bool defined = known && floating_compute(i->arith, a.bits->width, width, a.bits->value,
                                             b.bits ? b.bits->value : 0, &number);
    if (!defined) {
        run_limit(r, c, known ? "floating point number out of range" : "unknown floating point number",
                  i->at);
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
    unsigned width = f->registers.data[i->dst].type.width;
    if (i->arith >= ARITH_FADD) return do_floating(r, c, i, width, a, b);
    if (a.base || b.base || d.base) {
        value v;
        return pointer_arith(r, c, i, width, a, b, d, &v) == ACCESS_DONE ? result_into(c, i, v) : FLOW_GONE;
    }
    return result_into(c, i, (value){arith_term(r->m->terms, i->arith, width, a.bits, b.bits, d.bits), 0});
}

/* Whether a pointer moves no further than any object reaches, so that counting in bytes cannot wrap around.
 */
static decision moves_near(run *r, context *c, const term *count, uint32_t scale) {
    unsigned width = count->width;
    uint64_t most = width == 64 ? UINT64_C(1) << 31 : (UINT64_C(1) << 31) / (scale ? scale : 1) - 1;
    bool narrow = (count->op == TERM_SEXT || count->op == TERM_ZEXT) && count->arg[0]->width < 32 &&
                  UINT64_C(1) << count->arg[0]->width <= most;
    if (!c->went && (narrow || (width == 32 && scale <= 1))) return DECIDED_TRUE;
    if (!c->went && term_is_const(count)) {
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
        run_limit(r, c, "a pointer is moved by another pointer", i->at);
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

static flow_result do_input(run *r, context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    scalar_type type = f->registers.data[i->dst].type;
    const machine_watch *w = r->m->watch;
    if (w && w->draws) {
        value name = i->a.kind == OPERAND_NONE ? (value){NULL, 0} : operand_value(r->m, c, &i->a);
        w->draws(w->data, c->s, name, i->extra, next_input(r->m, c, i->extra, type));
    }
    value drawn = fresh_input(r->m, c, i->extra, type);
    if (i->b.kind != OPERAND_NONE) drawn.bits = kept_in_range(r, c, i, drawn.bits);
    return result_into(c, i, drawn);
}

static flow_result do_print(run *r, context *c, const instruction *i) {
    const machine_watch *w = r->m->watch;
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

/* Whether arguments and result of a call through a pointer have the widths that the function found there has.
 */
static bool fits_call(const machine *m, const context *c, const instruction *i, uint32_t callee) {
    const function *f = &m->program->functions.data[callee];
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

static flow_result do_call(run *r, context *c, const instruction *i) {
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
        callee = value_function(operand_value(r->m, c, &i->a));
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
static bool monitor_gives_up(run *r, context *c) {
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

static flow_result do_return(run *r, context *c, const instruction *i) {
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

/* Where the assumption fails its thread goes no further, but the others do: what they violate would have
 * happened before it, too. */
static flow_result assume_preemptively(run *r, context *c, const term *condition) {
    switch (run_decide_way(r, c, condition)) {
    case DECIDED_TRUE: return FLOW_NEXT;
    case DECIDED_NEITHER: return infeasible(c);
    case DECIDED_FALSE: break;
    }
    preemptive_stick(r, c);
    return FLOW_GONE;
}

static flow_result do_assume(run *r, context *c, const instruction *i) {
    const term *condition = operand_value(r->m, c, &i->a).bits;
    if (term_is_true(condition) && !c->went) return FLOW_NEXT;
    if (is_preemptive(r->m)) return assume_preemptively(r, c, condition);
    if (term_is_true(condition)) return FLOW_NEXT;
    context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);
    if (r->how->follow) {
        way_must_hold(c->went, condition);
        return FLOW_NEXT;
    }
    solver_answer answer = term_is_false(condition) ? SOLVER_UNSAT : can_be(r, c, condition);
    if (answer == SOLVER_UNSAT) {
        run_end(r, c, STEP_ASSUMED_AWAY);
        return FLOW_GONE;
    }
    take_condition(c, condition, answer);
    return FLOW_NEXT;
}

/* A check that fails or holds because the way says so. */
static flow_result follow_check(run *r, context *c, const instruction *i, const term *condition,
                                bool skippable) {
    const way_mark *mark = next_mark(r, c->went);
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
    mark_way(c, WAY_YES, 0);
    return FLOW_NEXT;
}

static flow_result do_check(run *r, context *c, const instruction *i) {
    machine *m = r->m;
    const term *condition = operand_value(m, c, &i->a).bits;
    bool assertion = check_is_stated(m->checks.data[i->check].kind);
    bool skippable = assertion && r->how->continue_after_violation;
    m->check_reached.data[i->check] = true;
    context_touch(r, c, ACCESS_CHECK, ACCESS_ANY);
    if (r->how->follow) return follow_check(r, c, i, condition, skippable);
    if (term_is_true(condition)) return check_holds(c);
    if (m->options.checks_cut && !assertion) context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);

    const term *fails = term_not(m->terms, condition);
    solver_answer can_fail = term_is_true(fails) ? SOLVER_SAT : can_be(r, c, fails);
    if (can_fail == SOLVER_UNSAT) return check_holds(c);
    context bad = fork_context(c);
    take_condition(&bad, fails, can_fail);
    mark_way(&bad, WAY_NO, 0);
    run_violate(r, &bad, i->check, i->at);
    if (skippable) return check_holds(c);
    solver_answer can_hold = term_is_false(condition) ? SOLVER_UNSAT : can_be(r, c, condition);
    if (can_hold == SOLVER_UNSAT) return infeasible(c);
    take_condition(c, condition, can_hold);
    return check_holds(c);
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
        free_loop_witness(c);
        c->loop_witness = state_clone(c->s);
        c->loop_witness_at = c->loops;
    }
    return false;
}

static void stop_inside_step(run *r, context *c) {
    state_own_scheduler(c->s)->running = c->thread;
    run_end(r, c, STEP_STOPPED);
}

/* Threads that can be interrupted anywhere are interrupted here: a loop without end must not keep the others
 * from going on. */
static void stop_at_loop_head(run *r, context *c) {
    if (is_preemptive(r->m) && !c->s->threads[c->thread]->atomic_depth)
        run_end(r, c, STEP_STOPPED);
    else
        stop_inside_step(r, c);
}

static void stop_between_statements(run *r, context *c) {
    if (is_preemptive(r->m))
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
        const way_mark *mark = c->went->next < r->how->follow->marks.size ? next_mark(r, c->went) : NULL;
        passes = mark != NULL;
        if (mark && mark->kind != WAY_PASS) c->went->lost = true;
    } else if (passes) {
        mark_way(c, WAY_PASS, 0);
    }
    return passes;
}

static flow_result go_to_block(run *r, context *c, const instruction *i, uint32_t block) {
    frame *f = top_frame(own_thread(c));
    f->block = block;
    f->index = 0;
    const flow *flow = &r->m->flows[f->function];
    if (!flow_is_loop_head(flow, block)) {
        bool join = r->how->stops & (STOP_JOIN | STOP_EVERY_JOIN) && flow_is_join(flow, block) &&
                    c->thread != kernel_slot(r->m);
        if (!join || (!(r->how->stops & STOP_EVERY_JOIN) && passes_join(r, c))) return FLOW_MOVED;
        stop_on_request(r, c);
        return FLOW_GONE;
    }
    if (r->m->options.unwind && ++f->loops > r->m->options.unwind) {
        run_limit(r, c, "loop bound (--unwind)", i->at);
        return FLOW_GONE;
    }
    if (r->how->stops & STOP_LOOP_HEAD && c->thread != kernel_slot(r->m)) {
        stop_at_loop_head(r, c);
        return FLOW_GONE;
    }
    if (!repeats_a_state(c)) return FLOW_MOVED;
    if (is_preemptive(r->m)) {
        preemptive_loop_silently(r, c);
        return FLOW_GONE;
    }
    run_limit(r, c, "endless loop without a scheduling point", i->at);
    return FLOW_GONE;
}

static flow_result do_branch(run *r, context *c, const instruction *i) {
    switch (run_decide_way(r, c, operand_value(r->m, c, &i->a).bits)) {
    case DECIDED_TRUE: return go_to_block(r, c, i, i->target[0]);
    case DECIDED_FALSE: return go_to_block(r, c, i, i->target[1]);
    case DECIDED_NEITHER: break;
    }
    return infeasible(c);
}

static flow_result do_sync(run *r, context *c, const instruction *i) {
    switch (is_preemptive(r->m) ? preemptive_sync(r, c, i) : systemc_sync(r, c, i)) {
    case SYNC_GOES_ON: return FLOW_MOVED;
    case SYNC_STOPS: run_end(r, c, STEP_STOPPED); return FLOW_GONE;
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
    if (is_preemptive(m)) p = preemptive_piece(m, c, i, length);
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
    uint32_t done = p.more ? (uint32_t)(p.from + p.bytes) : 0;
    if (own_thread(c)->copied != done) own_thread(c)->copied = done;
    return p.more ? FLOW_MOVED : FLOW_NEXT;
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
    case INSTR_FREE: return after_access(memory_free(r, c, i, operand_value(m, c, &i->a)));
    case INSTR_SIZE: return do_size(r, c, i);
    case INSTR_COPY:
    case INSTR_FILL: return do_block(r, c, i);
    case INSTR_CALL: return do_call(r, c, i);
    case INSTR_RETURN: return do_return(r, c, i);
    case INSTR_JUMP: return go_to_block(r, c, i, i->target[0]);
    case INSTR_BRANCH: return do_branch(r, c, i);
    case INSTR_ASSUME: return do_assume(r, c, i);
    case INSTR_CHECK: return do_check(r, c, i);
    case INSTR_TIME: return do_time(r, c, i);
    case INSTR_PRINT: return do_print(r, c, i);
    case INSTR_UNSUPPORTED: run_limit(r, c, i->text, i->at); return FLOW_GONE;
    case INSTR_SYNC: return do_sync(r, c, i);
    case INSTR_KINDS: break;
    }
    run_limit(r, c, "unknown instruction", i->at);
    return FLOW_GONE;
}

bool run_is_interrupted(run *r) {
    const machine_options *o = &r->m->options;
    return r->interrupted |= o->interrupted && o->interrupted(o->interrupted_data);
}

/* Looks after limits, and says when to look again. */
static bool out_of_budget(run *r, context *c, const instruction *i) {
    if (r->parted) {
        run_drop(c);
        return true;
    }
    uint64_t most = r->m->options.step_instructions;
    const char *reason = NULL;
    if (c->instructions > most)
        reason = "step limit";
    else if (r->out->size + r->work.size > r->m->options.step_forks)
        reason = MACHINE_TOO_MANY_PATHS;
    else if (r->interrupted || (c->instructions >= c->next_poll && run_is_interrupted(r)))
        reason = "interrupted";
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

/* Jumps that nobody wrote belong to the statement before them. */
static bool is_next_statement(const run *r, const context *c, const instruction *i) {
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    return !t->atomic_depth && c->thread != kernel_slot(r->m) && !f->hidden && f->role != FUNCTION_MAIN &&
           (i->kind != INSTR_JUMP || i->ends_statement);
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

static void interpret(run *r, context *c) {
    bool preemptive = is_preemptive(r->m);
    c->next_look = c->instructions;
    for (;;) {
        const thread_part *t = c->s->threads[c->thread];
        const frame *f = &t->frames[t->frame_count - 1];
        const instruction *i =
            &r->m->program->functions.data[f->function].blocks.data[f->block].code.data[f->index];
        r->m->stats.instructions++;
        if (++c->instructions >= c->next_look && out_of_budget(r, c, i)) return;
        if (c->statement_done && is_next_statement(r, c, i)) {
            stop_between_statements(r, c);
            return;
        }
        if (preemptive && traits[i->kind]) {
            if (preemptive_stops_before(r, c, i)) {
                run_end(r, c, STEP_STOPPED);
                return;
            }
            if (traits[i->kind] & LEAVES_A_MARK) c->wrote = true;
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
        c->statement_done |= i->ends_statement && r->how->stops & STOP_STATEMENT;
        if (r->how->stops && stops_here(r, c, i)) {
            stop_on_request(r, c);
            return;
        }
    }
}

void run_all(run *r) {
    while (r->work.size) {
        context c = vec_pop(&r->work);
        if (r->parted)
            run_drop(&c);
        else if (c.task == DO_RUN)
            interpret(r, &c);
        else
            systemc_continue(r, &c);
    }
    if (r->parted) successors_clear(r->m, r->out);
}
