/* Paths of a step: how they fork where a condition is open, end, and are handed over; and ways, which tell
 * what a path decided so that another step can be made to decide the same. */
#include "machine/kernel.h"
#include "machine/place.h"

void run_push(run *r, context c) {
    assert(c.s && c.s->refs == 1); /* a path owns its state */
    vec_push(&r->work, c);
}

void context_forget_loops(context *c) {
    if (c->loop_witness) state_free(c->loop_witness);
    c->loop_witness = NULL;
}

static void forget_dead_registers(const machine *m, state *s, uint32_t thread) {
    if (!s->threads[thread]->frame_count) return;
    thread_part *t = state_own_thread(s, thread);
    for (uint32_t k = 0; k < t->frame_count; k++) {
        const frame *f = &t->frames[k];
        assert(f->function < m->program->functions.size);
        const uint64_t *live = flow_live(flows_of(m->flows, f->function), f->block, f->index);
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
    assert(w->marks_begun <= w->marks.size && w->conditions_begun <= w->conditions.size);
    assert(w->next_begun <= w->next);
    w->marks.size = w->marks_begun;
    w->conditions.size = w->conditions_begun;
    w->next = w->next_begun;
}

void run_drop(context *c) {
    context_forget_loops(c);
    step_way_free(c->went);
    state_free(c->s);
    effect_free(&c->touched);
}

void way_begin_instruction(step_way *w) {
    w->marks_begun = w->marks.size;
    w->conditions_begun = w->conditions.size;
    w->next_begun = w->next;
}

static void hand_over(run *r, context *c, successor next) {
    assert(c->s->refs == 1);
    next.to = c->s;
    next.uncertain = c->s->uncertain;
    next.touched = c->touched;
    next.parts = c->parts;
    next.went = c->went;
    if (r->watched.size) round_note_depth(r, c);
    next.course = c->course;
    if (next.end == STEP_LIMIT) next.needed = c->needed;
    context_forget_loops(c);
    vec_push(r->out, next);
}

enum { SHORT_PATH = 16 }; /* conjuncts that the solver may be given though nothing depends on them any more */

void run_begin_thread(run *r, context *c) {
    if (c->s->scheduler->running != NO_INDEX) {
        state_own_scheduler(c->s)->running = NO_INDEX;
        c->visible_done = true; /* the step goes on that was stopped at a loop head */
    }
    context_touch(r, c, ACCESS_RUN, c->thread);
    run_push(r, *c);
}

void run_forget_dead(const run *r, const context *c) {
    bool forgets = r->m->options.clear_dead || r->how->looks_ahead;
    if (forgets && !r->how->replay) forget_dead_registers(r->m, c->s, c->thread);
}

void run_end(run *r, context *c, step_end end) {
    if (end == STEP_STOPPED) {
        if (!r->m->kernel->stops(r, c)) return;
        bool later = r->how->defer_path_gc && c->s->path_count <= SHORT_PATH;
        if (r->m->options.path_gc && !r->how->keep_path && !later) path_collect(r->m, c->s);
    }
    hand_over(r, c, (successor){.end = end});
}

void run_limit(run *r, context *c, reason_kind kind, position at) {
    run_limit_in_words(r, c, (reason){.kind = kind}, at);
}

/* Library models have no places of their own: what counts is where the program called them. */
void run_limit_in_words(run *r, context *c, reason why, position at) {
    const thread_part *t = c->s->threads[c->thread];
    const function *in = thread_visible_function(r->m->program, t);
    hand_over(r, c,
              (successor){.end = STEP_LIMIT,
                          .why = why,
                          .thread = c->thread,
                          .place = at.line ? at : thread_position(r->m->program, t),
                          .file = in ? in->file : NULL});
}

void context_touch(run *r, context *c, access_kind kind, uint32_t name) {
    if (r->how->effects)
        effect_add(&c->touched, (access){.kind = (uint8_t)kind, .name = name, .high = UINT32_MAX});
}

context run_fork(const context *c) {
    assert(c->s->refs == 1);
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
    assert(check_index < r->m->checks.size);
    check_kind kind = r->m->checks.data[check_index].kind;
    return r->m->traits->others_go_on_without && !check_is_stated(kind) && kind != CHECK_LEAK &&
           c->s->thread_count > 1;
}

void run_violate(run *r, context *c, uint32_t check_index, position at) {
    if (call_abandon_monitor(r, c)) return;
    bool go_on = others_go_on_after(r, c, check_index);
    context rest = go_on ? run_fork(c) : (context){0};
    const function *in = thread_visible_function(r->m->program, c->s->threads[c->thread]);
    hand_over(r, c,
              (successor){.end = STEP_VIOLATION,
                          .check = check_index,
                          .place = at,
                          .thread = c->thread,
                          .file = in ? in->file : NULL});
    if (go_on) run_stick(r, &rest);
}

solver_answer run_can_be(const run *r, const context *c, const term *condition) {
    return machine_ask(r->m, c->s, c->thread, condition);
}

void run_take(context *c, const term *condition, solver_answer how_sure) {
    assert(how_sure != SOLVER_UNSAT); /* nobody goes where nothing is possible */
    path_assume(c->s, condition);
    if (how_sure != SOLVER_UNKNOWN) return;
    c->s->uncertain = true;
    c->next_look = c->instructions; /* perhaps the solver gave up because time is up */
}

decision run_decide(run *r, context *c, const term *condition) {
    assert(condition->width == 1);
    if (term_is_const(condition)) return term_is_true(condition) ? DECIDED_TRUE : DECIDED_FALSE;
    const term *negated = term_not(r->m->terms, condition);
    solver_answer yes = run_can_be(r, c, condition);
    if (yes == SOLVER_UNSAT && !c->s->uncertain) return DECIDED_FALSE;
    solver_answer no = run_can_be(r, c, negated);
    if (yes == SOLVER_UNSAT) return no == SOLVER_UNSAT ? DECIDED_NEITHER : DECIDED_FALSE;
    if (no == SOLVER_UNSAT) return DECIDED_TRUE;
    if (r->how->one_way) {
        r->parted = true;
        c->next_look = c->instructions; /* whatever this instruction still does is thrown away */
        return DECIDED_FALSE;
    }
    r->m->stats.forks++;
    c->split = true;
    context other = run_fork(c);
    run_take(&other, condition, yes);
    other.parts = 1;
    c->parts++;
    if (other.went) way_undo_instruction(other.went);
    run_push(r, other);
    run_take(c, negated, no);
    c->next_look = c->next_poll = c->instructions; /* there may be too many paths now, or too little time */
    return DECIDED_FALSE;
}

/* --- ways ----------------------------------------------------------------------------------------------- */

const way_mark *way_next_mark(const run *r, step_way *w) {
    const step_way *lead = r->how->follow;
    assert(lead && w);
    if (w->next < lead->marks.size) return &lead->marks.data[w->next++];
    w->lost = true;
    return NULL;
}

void way_must_hold(step_way *w, const term *condition) {
    assert(condition->width == 1);
    if (!term_is_true(condition)) vec_push(&w->conditions, condition);
}

/* What the way says about a condition; the values are made to agree. */
static decision follow(run *r, context *c, const term *condition, way_kind no, way_kind yes_kind) {
    assert(c->went);
    const way_mark *mark = way_next_mark(r, c->went);
    if (!mark || (mark->kind != no && mark->kind != yes_kind)) {
        c->went->lost = true;
        return DECIDED_NEITHER;
    }
    bool yes = mark->kind == yes_kind;
    way_must_hold(c->went, yes ? condition : term_not(r->m->terms, condition));
    return yes ? DECIDED_TRUE : DECIDED_FALSE;
}

void way_note(context *c, way_kind kind, uint64_t number) {
    if (c->went) vec_push(&c->went->marks, ((way_mark){(uint8_t)kind, number}));
}

static decision decide_marked(run *r, context *c, const term *condition, way_kind no, way_kind yes) {
    if (r->how->follow) return follow(r, c, condition, no, yes);
    decision d = run_decide(r, c, condition);
    if (d != DECIDED_NEITHER) way_note(c, d == DECIDED_TRUE ? yes : no, 0);
    return d;
}

decision run_decide_way(run *r, context *c, const term *condition) {
    return decide_marked(r, c, condition, WAY_NO, WAY_YES);
}

decision run_decide_inside(run *r, context *c, const term *condition) {
    return decide_marked(r, c, condition, WAY_OUTSIDE, WAY_INSIDE);
}

static const term *exact_number(run *r, context *c, const term *number, way_kind kind) {
    if (!c->went) return number;
    if (!r->how->follow) {
        bool exact = term_is_const(number);
        way_note(c, exact ? kind : WAY_OPEN, exact ? number->value : 0);
        return number;
    }
    const way_mark *mark = way_next_mark(r, c->went);
    if (!mark || mark->kind < WAY_NUMBER || mark->kind > WAY_OPEN) c->went->lost = true;
    if (c->went->lost || mark->kind == WAY_OPEN) return number;
    const term *exact = term_const(r->m->terms, number->width, mark->number);
    way_must_hold(c->went, term_eq(r->m->terms, number, exact));
    return exact;
}

const term *run_exact_number(run *r, context *c, const term *number) {
    return exact_number(r, c, number, WAY_NUMBER);
}

static bool is_thread_on_path(const state *s, const term *number) {
    return term_is_const(number) && number->value < s->thread_count &&
           s->threads[number->value]->status != THREAD_UNBORN;
}

const term *run_exact_thread(run *r, context *c, const term *number) {
    return exact_number(r, c, number, is_thread_on_path(c->s, number) ? WAY_THREAD : WAY_NUMBER);
}

bool run_stays_open(run *r, context *c, bool possible) {
    if (!c->went) return possible;
    if (!r->how->follow) {
        if (possible) way_note(c, WAY_OPEN, 0);
        return possible;
    }
    const way_mark *mark = way_next_mark(r, c->went);
    if (mark && mark->kind == WAY_NUMBER) {
        assert(c->went->next);
        c->went->next--; /* read again where it is made exact */
        return false;
    }
    if (!mark || mark->kind != WAY_OPEN || !possible) c->went->lost = true;
    return possible;
}
