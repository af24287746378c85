#include "machine/hangs.h"
#include "machine/record.h"
#include "machine/setup.h"
#include "machine/watch.h"
#include "report/explain/retrace_course.h"

/* What is executed beyond the recorded steps, in sum: a program that waits in a loop must end. */
enum { MOST_EXTRA_STEPS = 20000 };

const char *retrace_answer_name(retrace_answer a) {
    static const char *const names[] = {[RETRACE_STILL_FAILS] = "still fails",
                                        [RETRACE_FAILS_OTHERWISE] = "fails otherwise",
                                        [RETRACE_FIXED] = "fixed along this schedule",
                                        [RETRACE_DIVERGES] = "diverges"};
    return names[a];
}

/* --- answers -------------------------------------------------------------------------------------------- */

void course_answer(course *c, retrace_answer a) {
    assert(!c->answered);
    c->answered = true;
    c->out->answer = a;
    c->out->step = c->following + 1;
    if (c->out->step > c->recorded->steps.size) c->out->step = c->recorded->steps.size;
}

went course_diverge(course *c, const recorded_place *expected, uint32_t thread, const char *why) {
    course_answer(c, RETRACE_DIVERGES);
    text *out = &c->out->said;
    text_format(out, "diverges at step %zu: %s\n", recorded_number(c->recorded, c->out->step), why);
    text_add(out, "  expected: ");
    recorded_place_print(expected, out);
    if (thread < state_thread_count(c->at.now) && frame_count_of(thread_of(c->at.now, thread))) {
        standing s = standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
        text_add(out, "\n  there is: ");
        standing_print(&s, expected->thread, out);
        standing_free(&s);
    }
    text_char(out, '\n');
    return WENT_TO_END;
}

went course_fail(course *c, bool same, violation_kind kind, const char *name, const char *what) {
    course_answer(c, same ? RETRACE_STILL_FAILS : RETRACE_FAILS_OTHERWISE);
    c->out->failure = kind;
    text_format(&c->out->said, "%s at step %zu of %zu: %s: %s\n", retrace_answer_name(c->out->answer),
                recorded_number(c->recorded, c->out->step),
                recorded_number(c->recorded, c->recorded->steps.size + 1), name, what);
    return WENT_TO_END;
}

bool course_is_kind(const course *c, const char *kind) {
    return c->recorded->kind && !strcmp(c->recorded->kind, kind);
}

static went fail_check(course *c, uint32_t index) {
    const check *k = machine_check(c->at.m, index);
    const char *kind = report_kind_name(k->kind);
    c->out->check = index;
    return course_fail(c, course_is_kind(c, kind) && !strcmp(c->recorded->text, k->text), VIOLATION_CHECK,
                       kind, k->text);
}

/* --- threads and inputs --------------------------------------------------------------------------------- */

uint32_t course_thread(const course *c, const recorded_place *p) {
    if (course_has_births(c)) {
        for (size_t i = 0; i < c->recorded->threads.size; i++)
            if (c->recorded->threads.data[i].id == p->id) return c->numbers.data[i];
        return p->id ? NO_INDEX : 0;
    }
    size_t count = c->view.p->threads.size;
    if (p->id < count && !strcmp(machine_thread_name(c->at.m, p->id), p->thread)) return p->id;
    for (uint32_t t = 0; t < count; t++)
        if (!strcmp(machine_thread_name(c->at.m, t), p->thread)) return t;
    return NO_INDEX;
}

uint32_t course_recorded_id(const course *c, uint32_t thread) {
    if (!thread || thread == MACHINE_KERNEL) return thread;
    return thread < c->ids.size ? c->ids.data[thread] : NOBODY;
}

/* A thread is the one that was recorded if the same thread created it, with the same function, and as many
 * with that function before it. */
static void recognise_thread(course *c, const machine_names *known, uint32_t t) {
    const thread_birth *birth = &known->threads.data[t - 1];
    char *task = thread_task(c->at.m, t);
    uint32_t creator = course_recorded_id(c, birth->creator);
    size_t rank = thread_birth_rank(c->at.m, known, c->at.now, t);
    for (size_t i = 0; i < c->recorded->threads.size; i++) {
        const recorded_thread *r = &c->recorded->threads.data[i];
        if (r->number != rank || r->creator != creator || strcmp(r->function, task)) continue;
        assert(c->ids.data[t] == NOBODY || c->ids.data[t] == r->id);
        c->numbers.data[i] = t;
        c->ids.data[t] = r->id;
    }
    mem_free(task);
}

static void recognise_threads(course *c, const state *before) {
    machine_names known = {0};
    bool grown = state_thread_count(c->at.now) > state_thread_count(before);
    for (uint32_t t = 1; t < state_thread_count(before); t++)
        grown |= status_of(thread_of(before, t)) == THREAD_UNBORN &&
                 status_of(thread_of(c->at.now, t)) != THREAD_UNBORN;
    if (!course_has_births(c) || !grown) return;
    machine_names_collect(c->at.m, &known);
    while (c->ids.size < state_thread_count(c->at.now)) vec_push(&c->ids, NOBODY);
    for (uint32_t t = 1; t < state_thread_count(c->at.now) && t <= known.threads.size; t++)
        if (c->ids.data[t] == NOBODY && status_of(thread_of(c->at.now, t)) != THREAD_UNBORN)
            recognise_thread(c, &known, t);
    machine_names_free(&known);
}

static bool take_given(course *c, const char *name, uint64_t *number) {
    while (c->first_given < c->given.size && c->given.data[c->first_given].taken) c->first_given++;
    for (size_t i = c->first_given; i < c->given.size; i++) {
        given_draw *g = &c->given.data[i];
        if (g->taken || g->thread != c->drawing || strcmp(g->name, name)) continue;
        g->taken = true;
        *number = g->number;
        return true;
    }
    return false;
}

static void give_input(course *c, const char *name, const term *symbol) {
    uint64_t number = 0;
    if (!take_given(c, name, &number) && strcmp(name, TRACE_UNSET) && !c->missing)
        c->missing = mem_copy_string(name);
    valuation_set(c->out->inputs, symbol, number);
}

static void on_draw(void *data, const state *s, value name, uint32_t input, const term *symbol) {
    course *c = data;
    text called = {0};
    input_name_print(c->at.m, s, name, input, &called);
    give_input(c, text_cstr(&called), symbol);
    text_free(&called);
}

static void on_find(void *data, uint32_t input, const term *symbol) {
    course *c = data;
    if (input == NO_INDEX && map_get(&c->unset, symbol->value) != MAP_NONE) return;
    if (input == NO_INDEX) map_put(&c->unset, symbol->value, 0);
    give_input(c, input == NO_INDEX ? TRACE_UNSET : c->view.p->inputs.data[input].name, symbol);
}

static void on_place(void *data, const term *symbol, uint64_t preset) {
    (void)preset;
    course *c = data;
    if (map_get(&c->unset, symbol->value) != MAP_NONE) return;
    map_put(&c->unset, symbol->value, 0);
    uint64_t number;
    if (take_given(c, TRACE_PLACE, &number))
        valuation_set(c->out->inputs, symbol, number);
    else
        c->lacks_place = true;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static const char *why_not_further(const successor *s, text *out) {
    if (s->end == STEP_ASSUMED_AWAY) return "an assumption fails";
    text_add(out, s->why.kind ? reason_words(s->why) : "nobody knows what comes behind");
    if (s->place.line) text_format(out, " (line %u)", s->place.line);
    return text_cstr(out);
}

/* A violation among the successors that ends the answer, or NULL. What was recorded with --all
 * has passed others. */
static const successor *violation_among(const course *c) {
    const successor *found = NULL;
    for (size_t i = 0; i < c->at.next.size; i++) {
        const successor *s = &c->at.next.data[i];
        if (s->end != STEP_VIOLATION) continue;
        const check *k = machine_check(c->at.m, s->check);
        if (!check_is_asked_for(c->wanted->properties, c->wanted->unasked, k->kind)) continue;
        bool same = course_is_kind(c, report_kind_name(k->kind)) && !strcmp(c->recorded->text, k->text);
        if (same) return s;
        if (!found && !c->recorded->all) found = s;
    }
    return found;
}

static went go_to(course *c, const recorded_place *expected, const successor *s) {
    transition t = s->step.by;
    if (s->end == STEP_ASSUMED_AWAY || s->end == STEP_LIMIT || s->uncertain) {
        text why = {0};
        course_diverge(c, expected, t.thread,
                       s->uncertain ? "the solver could not decide a condition" : why_not_further(s, &why));
        text_free(&why);
        return WENT_TO_END;
    }
    if (c->happens) happens_add(c->happens, t.thread, s->touched.data, s->touched.size, NULL);
    state *before = state_share(c->at.now);
    player_take(&c->at, s);
    recognise_threads(c, before);
    state_release(c->at.m, before);
    c->finished = s->end == STEP_FINISHED;
    return WENT_ON;
}

static went judge_livelock(course *c) {
    if (!(c->wanted->properties & PROPERTY_LIVELOCK) ||
        machine_spins_for_ever(c->at.m, c->at.now) != HANG_CERTAIN)
        return WENT_ON;
    return course_fail(c, course_is_kind(c, "livelock"), VIOLATION_LIVELOCK, "livelock",
                       "a thread goes round for ever");
}

went course_judge_deadlock(course *c) {
    if (!(c->wanted->properties & PROPERTY_DEADLOCK) ||
        machine_blocked_for_ever(c->at.m, c->at.now) != HANG_CERTAIN)
        return judge_livelock(c);
    return course_fail(c, course_is_kind(c, "deadlock"), VIOLATION_DEADLOCK, "deadlock",
                       program_kernel(c->view.p)->deadlock);
}

/* One step of the machine. */
static went take_piece(course *c, const recorded_place *expected, transition t) {
    machine_watch watch = {.data = c, .draws = on_draw, .finds = on_find, .places = on_place};
    c->drawing = course_has_births(c) ? course_recorded_id(c, t.thread) : expected->id;
    c->at.how.watch = &watch;
    player_look(&c->at, t);
    c->at.how.watch = NULL;
    size_t others;
    const successor *violated = violation_among(c), *next = player_with_inputs(&c->at, &others);
    if (violated) {
        uint32_t check = violated->check;
        player_take(&c->at, violated);
        return fail_check(c, check);
    }
    if (!next)
        return course_diverge(c, expected, t.thread, "the program violates something that is not asked for");
    if (others) return course_diverge(c, expected, t.thread, "what happens depends on more than inputs");
    return go_to(c, expected, next);
}

/* Later a thread that waited stands behind its wait. */
static void note_stop(course *c, uint32_t thread) {
    if (course_has_operations(c) || thread >= c->view.p->threads.size) return;
    while (c->stopped.size <= thread) vec_push(&c->stopped, ((standing){0}));
    standing_free(&c->stopped.data[thread]);
    c->stopped.data[thread] =
        standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
}

went course_take_step(course *c, const recorded_place *expected, transition t) {
    went result;
    do {
        if (c->wanted->interrupted && c->wanted->interrupted(c->wanted->interrupted_data))
            return course_diverge(c, expected, NO_INDEX, "interrupted");
        result = take_piece(c, expected, t);
    } while (result == WENT_ON && !c->finished && running_of(scheduler_of(c->at.now)) != NO_INDEX);
    if (result == WENT_ON) note_stop(c, t.thread);
    return result == WENT_ON ? course_judge_deadlock(c) : result;
}

went course_take_extra_step(course *c, const recorded_place *expected, transition t) {
    if (c->extra++ == MOST_EXTRA_STEPS)
        return course_diverge(c, expected, t.thread, "very many operations that were not recorded");
    return course_take_step(c, expected, t);
}

bool course_is_enabled(const course *c, transition t) {
    transitions enabled = {0};
    if (!c->finished) machine_enabled(c->at.m, c->at.now, &enabled);
    bool found = transitions_have(&enabled, t);
    vec_free(&enabled);
    return found;
}

bool course_finds_step(const course *c, uint32_t thread, transition *out) {
    transitions enabled = {0};
    if (!c->finished) machine_enabled(c->at.m, c->at.now, &enabled);
    bool found = transitions_find(&enabled, thread, out);
    vec_free(&enabled);
    return found;
}

void course_open(course *c, machine *m) {
    const recorded_trace *r = c->recorded;
    for (size_t i = 0; i < r->threads.size; i++) vec_push(&c->numbers, NO_INDEX);
    for (size_t i = 0; i < r->steps.size; i++) {
        const recorded_step *s = &r->steps.data[i];
        vec_push(&c->done, false);
        for (size_t k = 0; k < s->drawn.size; k++)
            vec_push(&c->given,
                     ((given_draw){s->place.id, s->drawn.data[k].name, s->drawn.data[k].number, false}));
    }
    c->out->inputs = valuation_create();
    terms *own = machine_terms(m);
    c->view.names = (naming){.program = c->view.p,
                             .terms = own,
                             .inputs = c->out->inputs,
                             .heap = heap_names_create(c->view.p, own, c->out->inputs)};
    if (r->raced_before) c->happens = happens_create();
    step_options how = {.stops = r->stops,
                        .continue_after_violation = true,
                        .effects = c->happens != NULL,
                        .early = c->happens != NULL,
                        .inputs = c->out->inputs};
    c->at = player_begin(m, &how);
}

void course_close(course *c) {
    path_append(&c->out->path, &c->at.done);
    player_end(&c->at);
    heap_names_destroy(c->view.names.heap);
    map_free(&c->unset);
    for (size_t i = 0; i < c->stopped.size; i++) standing_free(&c->stopped.data[i]);
    vec_free(&c->stopped);
    vec_free(&c->numbers);
    vec_free(&c->ids);
    vec_free(&c->given);
    vec_free(&c->put_off);
    vec_free(&c->done);
    happens_destroy(c->happens);
    text_free(&c->notes);
    mem_free(c->missing);
}
