#include "machine/hangs.h"
#include "machine/kernel.h"
#include "machine/place.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "machine/state_check.h"

machine_options machine_default_options(void) {
    return (machine_options){.step_instructions = 1000000,
                             .step_forks = 2000,
                             .call_depth = 10000,
                             .threads = 1000,
                             .sleep_spins = true,
                             .path_gc = true,
                             .clear_dead = true};
}

/* Whoever changed it since it was made (transform, elaboration) has left a program. */
FOR_ASSERTIONS static bool is_valid(const program *p) {
    diagnostics broken = {.file = p->file};
    bool valid = program_check(p, &broken);
    diag_free(&broken);
    return valid;
}

machine *machine_create(const program *p, terms *c, solver *s, const machine_options *options) {
    slow_assert(is_valid(p));
    machine *m = mem_zero(1, sizeof *m);
    m->program = p;
    m->traits = program_kernel(p);
    m->kernel = kernel_of(p->kernel);
    m->scheduler_slot = m->traits->scheduler_moves ? (uint32_t)p->threads.size : NO_INDEX;
    m->terms = c;
    m->solver = s;
    m->options = options ? *options : machine_default_options();
    m->seen = &m->met;
    machine_begin_work(m);
    m->analyses = analyses_create(p);
    m->flows = analyses_flows(m->analyses);
    if (m->traits->steps_are_segments) m->segments = analyses_segments(m->analyses, m->options.checks_cut);
    m->may_be_symbolic = analyses_symbolic(m->analyses);
    m->compares_pointers = m->traits->memory_is_bytes && program_compares_pointers(p);
    m->updates_commute = !m->segments || segments_updates_commute(m->segments);
    for (size_t i = 0; i < p->checks.size; i++) vec_push(&m->checks, p->checks.data[i]);
    m->leak_check = NO_INDEX;
    if (m->options.check_leaks) {
        m->leak_check = (uint32_t)m->checks.size;
        check leak = {.kind = CHECK_LEAK,
                      .text = "every heap object was freed",
                      .thread_or_function = p->threads.data[0].name,
                      .at = p->threads.data[0].at};
        vec_push(&m->checks, leak);
    }
    return m;
}

void machine_destroy(machine *m) {
    if (!m) return;
    analyses_destroy(m->analyses);
    map_free(&m->thread_numbers);
    vec_free(&m->thread_names);
    vec_free(&m->thread_called);
    vec_free(&m->thread_names_final);
    vec_free(&m->thread_births);
    seen_free(&m->met);
    seen_free(&m->imagined);
    arena_free(&m->names);
    map_free(&m->busy_loops);
    vec_free(&m->asked);
    map_free(&m->asked_numbers);
    effect_free(&m->next_touch);
    map_free(&m->dynamic_names);
    map_free(&m->abstract_sites);
    vec_free(&m->made);
    vec_free(&m->checks);
    map_free(&m->pointer_checks);
    vec_free(&m->marks);
    vec_free(&m->stack_buffer);
    vec_free(&m->mixed_threads);
    vec_free(&m->work_buffer);
    mem_free(m);
}

void state_release(machine *m, state *s) {
    (void)m;
    assert(!s || s->refs);
    if (s && !--s->refs) state_free(s);
}

void successors_clear(machine *m, successors *list) {
    for (size_t i = 0; i < list->size; i++) {
        state_release(m, list->data[i].to);
        effect_free(&list->data[i].touched);
        step_way_free(list->data[i].went);
    }
    vec_clear(list);
}

void successors_free(machine *m, successors *list) {
    successors_clear(m, list);
    vec_free(list);
}

/* --- the five questions --------------------------------------------------------------------------------- */

static value initial_value(machine *m, const initial_cell *c) {
    switch ((initial_kind)c->kind) {
    case INITIAL_NUMBER: return (value){term_const(m->terms, c->width, c->value), 0};
    case INITIAL_OBJECT:
        return (value){term_const(m->terms, m->program->pointer_bits, c->value), c->index + 1};
    case INITIAL_FUNCTION:
        return (value){term_const(m->terms, m->program->pointer_bits, 0), FUNCTION_BASE + c->index};
    case INITIAL_PADDING: return (value){NULL, PADDING_BASE};
    case INITIAL_UNSET: break;
    }
    return (value){NULL, 0};
}

static void fill_object(machine *m, memory_object *o, const static_object *from) {
    if (!from->image) memory_clear(m, o);
    for (uint32_t k = 0; from->image && k < o->cells; k++) o->cell[k] = initial_value(m, &from->image[k]);
}

state *machine_initial(machine *m, unsigned stops) {
    assert(m->program->threads.size);
    state *s = state_create(m->program);
    assert(s->static_count == m->program->objects.size);
    for (uint32_t i = 0; i < s->static_count; i++) {
        fill_object(m, s->objects[i], &m->program->objects.data[i]);
        s->objects[i]->always_concrete = !m->may_be_symbolic[i];
        s->objects[i]->shared = !m->program->objects.data[i].is_constant;
    }
    s->scheduler->time = term_const(m->terms, 64, 0);
    step_options plain = {0};
    run r = {.m = m, .how = &plain};
    for (uint32_t t = 0; t < m->program->threads.size; t++) {
        context c = {.s = s, .thread = t};
        enter_function(&r, &c, m->program->threads.data[t].function, NO_INDEX);
    }
    s->threads[0]->status = THREAD_RUNNABLE;
    s->scheduler->heap_order = stops & STOP_HEAP_ORDER;
    m->kernel->begin(m, s);
    slow_assert(state_is_sound(m, s));
    return s;
}

FOR_ASSERTIONS static bool are_sound(const machine *m, const successors *list, size_t first) {
    for (size_t i = first; i < list->size; i++)
        if (!state_is_sound(m, list->data[i].to)) return false;
    return true;
}

void machine_enabled(machine *m, const state *s, transitions *out) {
    m->kernel->enabled(m, s, out);
}

bool machine_can_step(machine *m, const state *s, transition t) {
    return m->kernel->can_step(m, s, t);
}

void machine_pending(machine *m, const state *s, uint32_t thread, pending *out) {
    m->kernel->pending(m, s, thread, out);
}

/* The thread lives, and in the systemc kernel it is its turn. Whether a thread that waits may go on is asked by
 * explorers as well, which may want to know what a thread would do: that is not an error. */
FOR_ASSERTIONS static bool may_be_asked(const machine *m, const state *s, transition t) {
    if (t.thread == MACHINE_KERNEL) return m->traits->scheduler_moves && s->scheduler->phase != PHASE_DONE;
    if (t.thread >= s->thread_count || t.thread == kernel_slot(m)) return false;
    if (t.choice >= m->kernel->choices(m, s, t.thread)) return false;
    if (s->scheduler->running != NO_INDEX) return s->scheduler->running == t.thread;
    return s->threads[t.thread]->status == THREAD_RUNNABLE && s->threads[t.thread]->frame_count;
}

static void make_step(machine *m, const state *s, transition t, const step_options *how, successors *out) {
    size_t before = out->size;
    run r = {.m = m, .from = s, .how = how, .out = out, .work = m->work_buffer};
    step_options with_effects = *how;
    if (m->traits->loops_can_wait) { /* spinning is recognised by what was touched */
        with_effects.effects = true;
        r.how = &with_effects;
    }
    const step_options *outer = m->step; /* a step may ask what would come of others */
    m->step = r.how;
    m->work_buffer = (contexts){0};
    context c = {
        .s = state_clone(s), .thread = t.thread, .next_poll = POLL_EVERY, .course = {.left = UINT32_MAX}};
    if (how->watch_loops) machine_waiting_loops(m, s, t.thread, &r.watched);
    if (how->record || how->follow) c.went = mem_zero(1, sizeof *c.went);
    m->stats.steps++;
    m->kernel->begin_step(&r, &c, t);
    run_all(&r);
    m->work_buffer = r.work;
    m->step = outer;
    vec_free(&r.watched);
    if (r.parted) return;
    for (size_t i = before; i < out->size; i++) out->data[i].step = (path_step){t, (uint32_t)(i - before)};
}

/* --- what is promised of steps, where assertions are on -------------------------------------------------- */

FOR_ASSERTIONS static bool are_same_ways(const step_way *a, const step_way *b) {
    if (!a || !b) return a == b;
    bool same =
        a->marks.size == b->marks.size && a->conditions.size == b->conditions.size && a->lost == b->lost;
    for (size_t i = 0; same && i < a->marks.size; i++)
        same = a->marks.data[i].kind == b->marks.data[i].kind &&
               a->marks.data[i].number == b->marks.data[i].number;
    for (size_t i = 0; same && i < a->conditions.size; i++)
        same = a->conditions.data[i] == b->conditions.data[i];
    return same;
}

FOR_ASSERTIONS static bool are_same_effects(const effect *a, const effect *b) {
    bool same = a->size == b->size;
    for (size_t i = 0; same && i < a->size; i++) {
        const access *x = &a->data[i], *y = &b->data[i];
        same = x->kind == y->kind && x->op == y->op && x->sync == y->sync && x->plain == y->plain &&
               x->section == y->section && x->name == y->name && x->low == y->low && x->high == y->high;
    }
    return same;
}

FOR_ASSERTIONS static bool are_same_successors(const successor *a, const successor *b) {
    return a->end == b->end && a->check == b->check && a->why.kind == b->why.kind && a->thread == b->thread &&
           a->parts == b->parts && a->uncertain == b->uncertain && state_identical(a->to, b->to) &&
           are_same_effects(&a->touched, &b->touched) && are_same_ways(a->went, b->went) &&
           a->course.left == b->course.left && a->course.rounds == b->course.rounds;
}

FOR_ASSERTIONS static bool some_depends_on_clocks(const successor *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i].uncertain || list[i].end == STEP_LIMIT) return true;
    return false;
}

/* Whether the same step gives the same successors again, now and then. Nobody is told of it a second time, and
 * where the clock or the solver's patience decide, nothing is promised. */
FOR_ASSERTIONS static bool come_again(machine *m, const state *s, transition t, const step_options *how,
                                      const successors *out, size_t before) {
    enum { EVERY = 8 };
    if (out->size == before || how->watch || m->step || m->stats.steps % EVERY) return true;
    if (some_depends_on_clocks(out->data + before, out->size - before)) return true;
    machine_statistics stats = m->stats;
    successors again = {0};
    make_step(m, s, t, how, &again);
    bool same = again.size == out->size - before, clocks = some_depends_on_clocks(again.data, again.size);
    for (size_t i = 0; same && i < again.size; i++)
        same = are_same_successors(&out->data[before + i], &again.data[i]);
    successors_free(m, &again);
    m->stats = stats;
    return same || clocks;
}

void machine_step(machine *m, const state *s, transition t, const step_options *how, successors *out) {
    assert(may_be_asked(m, s, t));
    size_t before = out->size;
    (void)before;
    make_step(m, s, t, how, out);
    slow_assert(are_sound(m, out, before));
    slow_assert(come_again(m, s, t, how, out, before));
}

void machine_step_thread(machine *m, const state *s, uint32_t thread, const step_options *how,
                         successors *out) {
    uint32_t choices = m->kernel->choices(m, s, thread);
    if (how->one_way && choices > 1) return;
    for (uint32_t k = 0; k < choices; k++) machine_step(m, s, (transition){thread, k}, how, out);
}

/* --- transitions and paths -------------------------------------------------------------------------------- */

bool transitions_have(const transitions *list, transition t) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i].thread == t.thread && list->data[i].choice == t.choice) return true;
    return false;
}

bool transitions_find(const transitions *list, uint32_t thread, transition *out) {
    for (size_t i = 0; i < list->size; i++) {
        if (list->data[i].thread != thread) continue;
        *out = list->data[i];
        return true;
    }
    return false;
}

void path_append(path *to, const path *more) {
    for (size_t i = 0; i < more->size; i++) vec_push(to, more->data[i]);
}

/* --- reading -------------------------------------------------------------------------------------------- */

const program *machine_program(const machine *m) {
    return m->program;
}
analyses *machine_analyses(const machine *m) {
    return m->analyses;
}
const segments *machine_segments(const machine *m) {
    return m->segments;
}
terms *machine_terms(const machine *m) {
    return m->terms;
}
solver *machine_solver(const machine *m) {
    return m->solver;
}
const machine_statistics *machine_stats(const machine *m) {
    return &m->stats;
}

void machine_add_statistics(machine *m, const machine_statistics *of_copy) {
    m->stats.steps += of_copy->steps;
    m->stats.instructions += of_copy->instructions;
    m->stats.forks += of_copy->forks;
}

void machine_note_race(machine *m, const state *const at[2], const uint32_t threads[2]) {
    if (m->seen->race.known) return;
    racing_places race = {.known = true};
    for (int i = 0; i < 2; i++) {
        const thread_part *t = at[i]->threads[threads[i]];
        const function *f = thread_visible_function(m->program, t);
        if (!f) return;
        race.function[i] = (uint32_t)(f - m->program->functions.data);
        race.at[i] = thread_position(m->program, t);
        if (!race.at[i].line) return;
    }
    m->seen->race = race;
}

size_t machine_check_count(const machine *m) {
    return m->checks.size;
}
const check *machine_check(const machine *m, uint32_t index) {
    assert(index < m->checks.size);
    return &m->checks.data[index];
}

hang_answer machine_livelocked(machine *m, const state *s) {
    return m->traits->loops_can_wait ? m->kernel->livelocked(m, s) : HANG_NOT;
}

bool machine_deadlocked(machine *m, const state *s) {
    return m->kernel->deadlocked(m, s);
}
bool machine_is_blocked(const machine *m, const state *s, uint32_t thread) {
    return m->traits->waits_for_events && m->kernel->is_blocked(m, s, thread);
}

const char *machine_thread_name(const machine *m, uint32_t thread) {
    if (thread < m->program->threads.size) return m->program->threads.data[thread].name;
    return thread <= m->thread_names.size ? m->thread_names.data[thread - 1] : "scheduler";
}

bool machine_sleeps(machine *m, const state *s, uint32_t thread) {
    return m->traits->loops_can_wait && m->kernel->sleeps(m, s, thread);
}

bool machine_is_at_program_end(const machine *m, const state *s, uint32_t thread) {
    return m->traits->threads_hang_apart && m->kernel->is_at_program_end(m, s, thread);
}

bool machine_checks_leaks(const machine *m) {
    return m->options.check_leaks;
}

bool machine_exits_anywhere(const machine *m) {
    return m->options.exit_anywhere;
}

void machine_collect_path(machine *m, state *s) {
    if (m->options.path_gc) path_collect(m, s);
}

bool machine_lets_spins_sleep(const machine *m) {
    return m->options.sleep_spins;
}

const char *machine_keep_text(machine *m, const char *s) {
    return arena_string(&m->names, s, strlen(s));
}
