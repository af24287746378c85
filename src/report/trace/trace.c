#include "report/trace/trace.h"

#include "machine/record.h"
#include "machine/setup.h"
#include "machine/watch.h"
#include "report/trace/replay.h"

/* --- release -------------------------------------------------------------------------------------------- */

static void free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) mem_free(names[i]);
    mem_free(names);
}

static void free_values(trace_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mem_free(values[i].name);
        mem_free(values[i].value);
    }
    mem_free(values);
}

void trace_stack_free(trace_stack *s) {
    for (size_t i = 0; i < s->size; i++) {
        mem_free(s->data[i].function);
        mem_free(s->data[i].file);
    }
    vec_free(s);
}

static void step_free(trace_step *s) {
    for (size_t i = 0; i < s->inputs.size; i++) {
        mem_free(s->inputs.data[i].name);
        mem_free(s->inputs.data[i].value);
        mem_free(s->inputs.data[i].file);
        mem_free(s->inputs.data[i].need);
    }
    for (size_t i = 0; i < s->changes.size; i++) {
        mem_free(s->changes.data[i].name);
        mem_free(s->changes.data[i].before);
        mem_free(s->changes.data[i].after);
        mem_free(s->changes.data[i].in);
    }
    for (size_t i = 0; i < s->created_at.size; i++) {
        mem_free(s->created_at.data[i].file);
        mem_free(s->created_at.data[i].function);
    }
    for (size_t i = 0; i < s->drawn.size; i++) mem_free(s->drawn.data[i].name);
    vec_free(&s->inputs);
    vec_free(&s->drawn);
    vec_free(&s->changes);
    vec_free(&s->created_at);
    vec_free(&s->samples);
    free_names(s->notified.data, s->notified.size);
    free_names(s->waits.data, s->waits.size);
    free_names(s->woken.data, s->woken.size);
    free_names(s->created.data, s->created.size);
    free_names(s->joined.data, s->joined.size);
    free_names(s->first_of.data, s->first_of.size);
    free_values(s->reads.data, s->reads.size);
    trace_stack_free(&s->stack);
    mem_free(s->call);
    mem_free(s->printed);
    mem_free(s->file);
    mem_free(s->to_file);
    mem_free(s->function);
    mem_free(s->thread);
}

void trace_free(trace *t) {
    for (size_t i = 0; i < t->steps.size; i++) step_free(&t->steps.data[i]);
    for (size_t i = 0; i < t->race.size; i++) {
        mem_free(t->race.data[i].thread);
        mem_free(t->race.data[i].cell);
        mem_free(t->race.data[i].file);
        trace_stack_free(&t->race.data[i].stack);
    }
    for (size_t i = 0; i < t->variables.size; i++) mem_free(t->variables.data[i].name);
    for (size_t i = 0; i < t->threads.size; i++) {
        mem_free(t->threads.data[i].name);
        mem_free(t->threads.data[i].function);
    }
    vec_free(&t->steps);
    vec_free(&t->variables);
    vec_free(&t->race);
    vec_free(&t->threads);
    free_values(t->values.data, t->values.size);
    trace_stack_free(&t->stack);
    mem_free(t->violated_in);
    mem_free(t->violated_file);
    free_names(t->blocked.data, t->blocked.size);
    free_names(t->others.data, t->others.size);
    free_names(t->lost.data, t->lost.size);
    *t = (trace){0};
}

/* --- replay --------------------------------------------------------------------------------------------- */

static bool is_same_check(const check *a, const check *b) {
    return a->kind == b->kind && a->at.line == b->at.line && a->at.column == b->at.column &&
           !strcmp(a->text, b->text);
}

static const successor *choose_successor(const replay *r, const player *p, bool last) {
    if (!last || !r->violated) return player_with_inputs(p, NULL);
    for (size_t i = 0; i < p->next.size; i++) {
        const successor *s = &p->next.data[i];
        if (s->end == STEP_VIOLATION && is_same_check(machine_check(r->m, s->check), r->violated)) return s;
    }
    return NULL;
}

static player play_from_start(const replay *r) {
    step_options how = {.stops = r->stops,
                        .effects = true,
                        .early = r->happens,
                        .continue_after_violation = true,
                        .inputs = r->names.inputs,
                        .replay = true};
    return player_begin(r->m, &how);
}

/* --- what the program sees of the outside during a step ------------------------------------------------- */

static void note_printed(void *data, const state *s, print_form form, const value *given, uint32_t count) {
    output_print(&((replay *)data)->printed, s, form, given, count);
}

static void add_drawn(replay *r, const char *name, const term *symbol) {
    uint64_t number = 0;
    if (r->names.inputs) valuation_get(r->names.inputs, symbol, &number);
    vec_push(&r->now->drawn, ((trace_drawn){mem_copy_string(name), number}));
}

static void note_draw(void *data, const state *s, value name, uint32_t input, const term *symbol) {
    replay *r = data;
    text called = {0};
    input_name_print(r->m, s, name, input, &called);
    add_drawn(r, text_cstr(&called), symbol);
    text_free(&called);
}

static void note_find(void *data, uint32_t input, const term *symbol) {
    replay *r = data;
    if (input == NO_INDEX && map_get(&r->unset, symbol->value) != MAP_NONE) return;
    if (input == NO_INDEX) map_put(&r->unset, symbol->value, 0);
    add_drawn(r, input == NO_INDEX ? TRACE_UNSET : r->p->inputs.data[input].name, symbol);
}

/* Objects have other numbers wherever the trace is followed again: what they would get here is said, too. */
static void note_place(void *data, const term *symbol, uint64_t preset) {
    replay *r = data;
    if (map_get(&r->unset, symbol->value) != MAP_NONE) return;
    map_put(&r->unset, symbol->value, 0);
    if (r->names.inputs) valuation_get(r->names.inputs, symbol, &preset);
    vec_push(&r->now->drawn, ((trace_drawn){mem_copy_string(TRACE_PLACE), preset}));
}

static const char *last_part(const char *name, char separator) {
    const char *found = strrchr(name, separator);
    return found ? found + 1 : name;
}

/* SC_METHOD and its like make a function object that calls the member function which they name. */
static bool is_named_process(const replay *r, uint32_t function) {
    const char *process = last_part(machine_thread_name(r->m, r->moves), '.');
    return !strcmp(last_part(r->p->functions.data[function].name, ':'), process);
}

static void note_entered(void *data, uint32_t thread, uint32_t function) {
    replay *r = data;
    if (thread != r->moves || r->p->functions.data[function].hidden) return;
    bool is_first = r->entered == NO_INDEX;
    if (is_first || (!is_named_process(r, r->entered) && is_named_process(r, function)))
        r->entered = function;
}

/* Follows one recorded step. False: it cannot be followed. */
static bool follow(replay *r, player *p, transition by, bool last, trace_step *step) {
    machine_watch watch = {.data = r,
                           .prints = note_printed,
                           .draws = note_draw,
                           .finds = note_find,
                           .enters = note_entered,
                           .places = note_place,
                           .lies = note_lie};
    if (r->happens && happens_length(r->happens) + 1 == r->earlier) {
        describe_earlier_access(r, p->now, by.thread);
        watch.touches_early = note_early_access;
    }
    r->now = step;
    r->moves = by.thread;
    p->how.watch = &watch;
    player_look(p, by);
    p->how.watch = NULL;
    const successor *chosen = choose_successor(r, p, last);
    if (!chosen) return false;
    if (r->happens) happens_add(r->happens, by.thread, chosen->touched.data, chosen->touched.size, NULL);
    describe_notified(r, p->now, &chosen->touched, step);
    describe_reads(r, p->now, &chosen->touched, step);
    if (program_kernel(r->p)->steps_are_operations) {
        describe_joined(r, &chosen->touched, step);
        describe_rewrites(r, p->now, chosen, step);
        note_writes(r, p->now, &chosen->touched, by.thread);
    }
    player_take(p, chosen);
    return true;
}

/* A step may make several objects, one after the other in the same variable. */
static void learn_within_step(replay *r, const state *before, const state *after, transition by) {
    enum { MOST_INSTRUCTIONS = 20000, BEHIND_THE_LAST = 64 };
    uint32_t thread = by.thread;
    if (thread >= state_thread_count(before) || thread >= state_thread_count(after)) return;
    uint32_t made = objects_made_of(thread_of(after, thread)), left = BEHIND_THE_LAST;
    if (objects_made_of(thread_of(before, thread)) + 1 >= made) return;
    player p = play_instructions(r, before);
    bool goes_on = player_go_on(&p, by);
    for (uint32_t k = 0; goes_on && k < MOST_INSTRUCTIONS && left; k++) {
        const thread_part *t = thread_of(p.now, thread);
        bool all_made = objects_made_of(t) >= made;
        if (all_made &&
            (status_of(t) != THREAD_RUNNABLE || threads_same_control(t, thread_of(after, thread))))
            break; /* the step is over, and what comes next may have to wait */
        left -= all_made;
        player_look_at_thread(&p, thread);
        const successor *next = player_going_on(&p);
        goes_on = next != NULL;
        if (!goes_on) break;
        heap_names_learn(r->names.heap, p.now, next->to);
        player_take(&p, next);
    }
    player_end(&p);
}

/* Heap memory of C gets its names from all states of the path. */
static void learn_heap(replay *r, const path *steps) {
    player p = play_from_start(r);
    bool goes_on = true;
    heap_names_learn(r->names.heap, NULL, p.now);
    for (size_t i = 0; i < steps->size && goes_on; i++) {
        transition by = steps->data[i].by;
        player_look(&p, by);
        const successor *chosen = choose_successor(r, &p, i + 1 == steps->size);
        goes_on = chosen != NULL;
        if (!goes_on) break;
        learn_within_step(r, p.now, chosen->to, by);
        heap_names_learn(r->names.heap, p.now, chosen->to);
        player_take(&p, chosen);
    }
    player_end(&p);
    heap_names_decide(r->names.heap);
}

/* What is known of a step that begins with this one of the path. */
static void describe_orders(const replay *r, size_t first, trace_step *step) {
    const shrunk *known = r->shrunk;
    if (first < known->switches.size) step->switched = (switch_kind)known->switches.data[first];
    for (size_t i = 0; i < known->orders.size; i++)
        if (known->orders.data[i].step == first)
            vec_push(&step->first_of,
                     mem_copy_string(machine_thread_name(r->m, known->orders.data[i].thread)));
}

/* Returns the state at the end. */
static state *replay_path(replay *r, const path *steps) {
    player p = play_from_start(r);
    state *begin = state_share(p.now); /* where the present step of the trace began */
    trace_step step = {0};
    waves_begin(r, begin);
    size_t first = 0; /* of the recorded steps that belong to it */
    for (size_t i = 0; i < steps->size && r->out->followed; i++) {
        const path_step *recorded = &steps->data[i];
        bool last = i + 1 == steps->size;
        r->out->followed = follow(r, &p, recorded->by, last, &step);
        if (program_kernel(r->p)->memory_is_bytes) heap_names_describe(r->names.heap, p.now);
        bool goes_on = !last && state_is_inside_step(p.now);
        if (!r->out->followed || goes_on) continue;
        transition by = steps->data[first].by; /* the pieces behind it only go on */
        describe_step(r, begin, p.now, by, &step);
        waves_sample(r, begin, p.now, &step);
        r->entered = NO_INDEX;
        step.id = by.thread;
        step.choice = by.choice;
        if (r->shrunk) describe_orders(r, first, &step);
        first = i + 1;
        if (r->printed.printed.size) step.printed = take_text(&r->printed.printed);
        vec_push(&r->out->steps, step);
        step = (trace_step){0};
        state_release(r->m, begin);
        begin = state_share(p.now);
    }
    step_free(&step);
    state_release(r->m, begin);
    return player_leave(&p);
}

static void describe_place(replay *r, const state *s, uint32_t thread) {
    if (thread >= state_thread_count(s)) return;
    r->out->violated_at = thread_position(r->p, thread_of(s, thread));
    r->out->violated_file = thread_file(r->p, thread_of(s, thread));
    r->out->violated_in = mem_copy_string(thread_function(r->p, thread_of(s, thread)));
    describe_stack(r->p, thread_of(s, thread), &r->out->stack);
}

/* A thread that another one made to run, if it is in the program itself. */
static uint32_t who_violates(const replay *r, const state *end, uint32_t thread) {
    if (thread >= state_thread_count(end)) return thread;
    uint32_t inner = thread_in_control(end, thread);
    return thread_position(r->p, thread_of(end, inner)).line ? inner : thread;
}

static void describe_end(replay *r, const trace_request *wanted, const state *end) {
    uint32_t last = wanted->path->size ? vec_last(wanted->path).by.thread : 0;
    switch (wanted->end) {
    case ENDS_ANYHOW: break;
    case ENDS_IN_CHECK:
        last = who_violates(r, end, last);
        describe_place(r, end, last);
        describe_violation(r, end, last);
        if (wanted->violated.kind == CHECK_LEAK) describe_leak(r, end);
        break;
    case ENDS_IN_DEADLOCK:
    case ENDS_IN_LIVELOCK: describe_deadlock(r, end); break;
    case ENDS_IN_RACE:
        if (wanted->earlier)
            describe_late_race(r, end, wanted->racing);
        else
            describe_race(r, end, wanted->racing);
        break;
    }
}

/* Threads of a machine are those of all paths that it has seen: only those of this one count. */
static void list_threads(replay *r, const state *end) {
    machine_names known = {0};
    if (program_kernel(r->p)->creates_threads) machine_names_collect(r->m, &known);
    for (uint32_t t = 1; t <= known.threads.size && t < state_thread_count(end); t++) {
        if (status_of(thread_of(end, t)) == THREAD_UNBORN) continue;
        const thread_birth *birth = &known.threads.data[t - 1];
        vec_push(&r->out->threads,
                 ((trace_thread){t, birth->creator, mem_copy_string(machine_thread_name(r->m, t)),
                                 thread_task(r->m, t), thread_birth_rank(r->m, &known, end, t)}));
    }
    machine_names_free(&known);
}

/* Time never goes back, threads are listed by number, and samples are of variables that there are. */
FOR_ASSERTIONS static bool are_ascending(const trace *t) {
    for (size_t i = 1; i < t->steps.size; i++)
        if (t->steps.data[i].time < t->steps.data[i - 1].time) return false;
    for (size_t i = 1; i < t->threads.size; i++)
        if (t->threads.data[i].id <= t->threads.data[i - 1].id) return false;
    for (size_t i = 0; i < t->steps.size; i++)
        for (size_t k = 0; k < t->steps.data[i].samples.size; k++)
            if (t->steps.data[i].samples.data[k].variable >= t->variables.size) return false;
    return true;
}

void trace_build(machine *m, const trace_request *wanted, trace *out) {
    *out = (trace){.followed = true, .stops = wanted->stops};
    replay r = {.m = m, .p = machine_program(m), .stops = wanted->stops, .entered = NO_INDEX, .out = out};
    if (wanted->shrunk) {
        r.shrunk = wanted->shrunk;
        out->is_shrunk = true;
        out->first = wanted->shrunk->before;
        out->now = wanted->shrunk->after;
        out->orders_tried = wanted->shrunk->orders_tried;
        out->orders_known = wanted->shrunk->orders_known;
    }
    if (wanted->end == ENDS_IN_CHECK) r.violated = &wanted->violated;
    r.earlier = wanted->end == ENDS_IN_RACE ? wanted->earlier : 0;
    if (r.earlier) r.happens = happens_create();
    r.printed = output_create(m);
    r.names = (naming){.program = r.p, .machine = m, .terms = machine_terms(m), .inputs = wanted->inputs};
    r.names.heap = heap_names_create(r.p, r.names.terms, wanted->inputs);
    if (program_kernel(r.p)->traces_tell_heap) learn_heap(&r, wanted->path);
    state *end = replay_path(&r, wanted->path);
    if (out->followed) describe_end(&r, wanted, end);
    list_threads(&r, end);
    assert(!r.shrunk || !r.shrunk->switches.size || r.shrunk->switches.size == wanted->path->size);
    assert(out->steps.size <= wanted->path->size); /* steps of the trace are made of some of the path */
    assert(r.cells.size == out->variables.size);
    slow_assert(are_ascending(out));
    state_release(m, end);
    output_free(&r.printed);
    map_free(&r.unset);
    forget_writes(&r);
    happens_destroy(r.happens);
    forget_earlier_accesses(&r);
    vec_free(&r.cells);
    map_free(&r.spin_owners);
    heap_names_destroy(r.names.heap);
    map_free(&r.heap_cells);
}
