/* What a successor means for the verdict. */
#include "reduction/trace_class.h"
#include "search/internal.h"

static void collect_queue(const search *x, path_links *out) {
    for (size_t i = x->turn; i != x->queue.data[i].parent; i = x->queue.data[i].parent)
        vec_push(out, ((path_link){x->queue.data[i].by, x->queue.data[i].chain}));
    for (size_t i = 0, j = out->size; i + 1 < j; i++) {
        path_link last = out->data[--j];
        out->data[j] = out->data[i];
        out->data[i] = last;
    }
}

/* The steps that led to the present state, then some more. */
void search_record_path(void *data, path *out) {
    const further_steps *further = data;
    search *x = further->x;
    path_links links = {0};
    if (x->queue.size) collect_queue(x, &links);
    for (size_t i = 1; i < x->depth; i++)
        vec_push(&links, ((path_link){x->stack.data[i].by, x->stack.data[i].chain}));
    search_unfold_chains(x, &links, out);
    vec_free(&links);
    for (size_t i = 0; i < x->ahead.size; i++) vec_push(out, x->ahead.data[i]);
    for (size_t i = 0; i < further->count; i++) vec_push(out, further->steps[i]);
}

judge search_open_judge(search *x) {
    return (judge){
        .machine = x->machine, .options = &x->options, .how = x->how, .out = x->out, .stop = x->stop};
}

enum { MOST_LOOKS_FOR_A_NOTE = 2000 };

/* Whether to look at this state. Races that nobody asked about are looked for in the beginning only, where
 * they mostly show. */
static bool wants_races(search *x, const judge *j) {
    if (x->options.properties & PROPERTY_RACE) return true;
    return judge_wants_race_note(j) && x->looks_for_races++ < MOST_LOOKS_FOR_A_NOTE;
}

/* Some two enabled threads whose next operations race. Nothing is lost by the reduction: a step that could
 * race is never enough on its own, so it stays pending until its rival has come as far as it can. */
static void judge_races(search *x, judge *j, const state *s, further_steps *present) {
    transitions enabled = {0};
    machine_enabled(x->machine, s, &enabled);
    for (size_t a = 0; a < enabled.size && !j->stop; a++) {
        for (size_t b = a + 1; b < enabled.size && !j->stop; b++) {
            violation v = {.kind = VIOLATION_RACE,
                           .racing = {enabled.data[a].thread, enabled.data[b].thread}};
            access racing[2];
            seen_place places[2];
            if (!state_races(x->machine, s, &(step_options){0}, v.racing, racing, places)) continue;
            v.places = race_places(state_place(s, v.racing[0]), state_place(s, v.racing[1]));
            if (map_get(&x->races, v.places) != MAP_NONE) continue;
            map_put(&x->races, v.places, 1);
            if (x->options.properties & PROPERTY_RACE)
                judge_violation(j, v, &(successor){.place = places[0].at, .file = places[0].file},
                                search_record_path, present);
            else
                judge_note_race(j, v, search_record_path, present);
        }
    }
    vec_free(&enabled);
}

static const state *state_before(const search *x) {
    if (x->ahead_from) return x->ahead_from;
    return x->queue.size ? x->queue.data[x->turn].s : x->stack.data[x->depth - 1].s;
}

bool search_judge(search *x, const successor *s) {
    explore_note_step(x->machine, &x->options, state_before(x), s);
    judge j = search_open_judge(x);
    further_steps present = {x, &s->step, 1};
    switch (s->end) {
    case STEP_VIOLATION:
    case STEP_LIMIT:
        judge_step_end(&j, s, search_record_path, &present);
        x->stop = j.stop;
        break;
    case STEP_ASSUMED_AWAY: break;
    case STEP_FINISHED:
        if (x->options.dump_traces) search_record_trace(x, s);
        break;
    case STEP_STOPPED:
        if (x->kernel->threads_hang_apart ? search_stands_still(x, s->to)
                                          : s->step.by.thread == MACHINE_KERNEL)
            judge_standstill(&j, s->to, search_record_path, &present);
        if (x->kernel->accesses_may_race && wants_races(x, &j)) judge_races(x, &j, s->to, &present);
        x->stop = j.stop;
        return !x->stop;
    }
    x->stats->executions++;
    return false;
}

/* --- trace classes -------------------------------------------------------------------------------------- */

static trace_event event_of(const search *x, path_step by, const effect *touched) {
    bool global = x->kernel->scheduler_moves && (by.by.thread == MACHINE_KERNEL || by.by.thread == 0);
    return (trace_event){by.by.thread, by.successor << 8 | by.by.choice, global, touched};
}

void search_record_trace(search *x, const successor *last) {
    VEC(trace_event) events = {0};
    for (size_t i = 1; i < x->depth; i++)
        vec_push(&events, event_of(x, x->stack.data[i].by, &x->stack.data[i].touched));
    vec_push(&events, event_of(x, last->step, &last->touched));
    vec_push(&x->out->trace_classes, trace_class(events.data, events.size));
    vec_free(&events);
}
