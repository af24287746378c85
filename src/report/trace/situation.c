#include "explore/player.h"
#include "machine/hangs.h"
#include "machine/record.h"
#include "report/trace/replay.h"

/* --- deadlocks ------------------------------------------------------------------------------------------ */

static void describe_waiter(replay *r, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    text line = {0};
    text_format(&line, "%s %s", machine_thread_name(r->m, thread),
                wait_count_of(t) ? "waits for" : "is suspended");
    for (uint32_t i = 0; i < wait_count_of(t); i++)
        text_format(&line, "%s %s", i ? "," : "", r->p->events.data[waits_of(t)[i].event].name);
    position at = thread_position(r->p, t);
    if (at.line) text_format(&line, ", at %u:%u", at.line, at.column);
    vec_push(&r->out->blocked, take_text(&line));
}

static bool is_lock(const state *s, const access *a) {
    const memory_object *o = state_object(s, a->name);
    uint32_t begin;
    return o && a->low < bytes_of(o) && object_lock_at(o, a->low, &begin);
}

/* Why a blocked thread cannot go on: whose end it waits for, or what is in the cell it waits for and who put
 * it there. `spinning`: the thread, if it goes round; else NO_INDEX. */
static void explain_blocking(replay *r, const state *s, const access *a, uint32_t spinning, text *line) {
    if (a->kind == ACCESS_JOIN) {
        text_format(line, " for the end of %s", machine_thread_name(r->m, a->name));
        return;
    }
    if (a->kind != ACCESS_READ || is_of_library(r->p, a->name)) return;
    char *cell = access_cell(r, s, a), *now = access_value(r, s, a), *inside = strstr(cell, ".__");
    const last_write *w = find_last_write(r, a);
    if (w && w->thread == spinning) w = NULL; /* it puts there what was there: not why it goes round */
    if (inside) *inside = 0;                  /* how a library type is made inside says nothing to its user */
    if (now && is_lock(s, a)) {
        text_format(line, " for %s, which is %s", cell, now);
        if (w) add_place_after(r->p, " since", w->file, w->at, line);
    } else {
        text_format(line, " for a change of %s", cell);
        if (now && !inside) text_format(line, " (%s)", now);
        if (w) text_format(line, ", last made by %s", machine_thread_name(r->m, w->thread));
        if (w) add_place(r->p, w->file, w->at, line);
        if (w && w->call) text_format(line, " in %s", w->call);
    }
    mem_free(cell);
    mem_free(now);
}

/* "worker waits in pthread_mutex_lock(&m) at file.c:3:5" */
static void describe_standing(replay *r, const state *s, uint32_t thread, const char *does, text *line) {
    const thread_part *t = thread_of(s, thread);
    const function *in = thread_visible_function(r->p, t);
    char *call = thread_call(r, s, thread);
    text_format(line, "%s %s", machine_thread_name(r->m, thread), does);
    if (call) text_format(line, " in %s", call);
    add_place(r->p, in ? in->file : NULL, thread_position(r->p, t), line);
    mem_free(call);
}

static void add_callers(replay *r, const thread_part *t, text *line) {
    trace_stack callers = {0};
    describe_stack(r->p, t, &callers);
    for (size_t i = 0; i < callers.size; i++) {
        text_format(line, ", called from %s", callers.data[i].function);
        add_place(r->p, callers.data[i].file, callers.data[i].at, line);
    }
    trace_stack_free(&callers);
}

static void describe_blocked(replay *r, const state *s, uint32_t thread, const pending *next) {
    text line = {0};
    describe_standing(r, s, thread, "waits", &line);
    if (next->next && next->next->size) {
        access first = next->next->data[0];
        explain_blocking(r, s, &first, NO_INDEX, &line);
    }
    add_callers(r, thread_of(s, thread), &line);
    vec_push(&r->out->blocked, take_text(&line));
}

/* In a loop that something could end: of the cells that it touches, the first that it has not made itself. */
static void describe_spinning(replay *r, const state *s, uint32_t thread, const pending *next) {
    text line = {0};
    describe_standing(r, s, thread, "spins for ever", &line);
    effect watched = {0};
    for (size_t i = 0; next->next && i < next->next->size; i++) vec_push(&watched, next->next->data[i]);
    for (size_t i = 0; i < watched.size; i++) {
        access a = watched.data[i];
        const last_write *w = find_last_write(r, &a);
        if (i + 1 < watched.size && w && w->thread == thread) continue;
        a.kind = ACCESS_READ;
        explain_blocking(r, s, &a, thread, &line);
        break;
    }
    effect_free(&watched);
    vec_push(&r->out->blocked, take_text(&line));
}

/* Threads that go on, or round in a loop that comes to nothing. */
static void describe_other(replay *r, const state *s, uint32_t thread, const char *does) {
    text line = {0};
    describe_standing(r, s, thread, does, &line);
    vec_push(&r->out->others, take_text(&line));
}

static void describe_at_standstill(replay *r, const state *s, uint32_t thread, bool all_stand_still) {
    const thread_part *t = thread_of(s, thread);
    pending next;
    machine_pending(r->m, s, thread, &next);
    bool asleep = next.live && !next.enabled && state_thread_sleeps(s, thread);
    if (machine_spins_in_vain(r->m, s, thread))
        describe_spinning(r, s, thread, &next);
    else if (asleep || status_of(t) == THREAD_LOOPING)
        describe_other(r, s, thread, "goes round in a loop for ever");
    else if (next.live && next.enabled)
        describe_other(r, s, thread, all_stand_still ? "ends the program" : "goes on");
    else if (next.live)
        describe_blocked(r, s, thread, &next);
}

static void describe_standstill(replay *r, const state *s) {
    enum { MOST_STEPS = 512 };
    transitions enabled = {0};
    player p = player_begin_at(r->m, s,
                               &(step_options){.stops = r->stops, .inputs = r->names.inputs, .replay = true});
    machine_enabled(r->m, s, &enabled);
    bool all_stand_still = !enabled.size;
    /* One who goes round sleeps a little later here than where the violation was found: what is dead
     * is not forgotten. */
    uint64_t made = 0;
    for (uint32_t t = 0; t < state_thread_count(s) && !all_stand_still; t++)
        player_lead_to_sleep(&p, t, MOST_STEPS, &made);
    for (uint32_t t = 0; t < state_thread_count(s); t++) describe_at_standstill(r, p.now, t, all_stand_still);
    player_end(&p);
    vec_free(&enabled);
}

void describe_deadlock(replay *r, const state *s) {
    if (program_kernel(r->p)->threads_hang_apart) {
        describe_standstill(r, s);
        return;
    }
    for (uint32_t thread = 1; thread < r->p->threads.size; thread++)
        if (machine_is_blocked(r->m, s, thread)) describe_waiter(r, s, thread);
}

/* --- leaks ---------------------------------------------------------------------------------------------- */

enum { MOST_LOST = 16 };

void describe_leak(replay *r, const state *s) {
    size_t lost = 0;
    for (uint32_t i = 0; i < dynamic_count_of(s); i++) {
        const memory_object *o = dynamic_of(s, i).object;
        if (!heap_of(o) || freed_of(o) || lost++ >= MOST_LOST) continue;
        const char *file = made_in_of(o) == NO_INDEX ? NULL : r->p->functions.data[made_in_of(o)].file;
        unsigned long long bytes = bytes_of(o);
        text line = {0};
        text_format(&line, "%s: %llu byte%s allocated by %s",
                    object_label_of(&r->names, s, dynamic_of(s, i).name).name, bytes, bytes == 1 ? "" : "s",
                    machine_thread_name(r->m, owner_of(o)));
        add_place(r->p, file, made_at_of(o), &line);
        vec_push(&r->out->lost, take_text(&line));
    }
    if (lost <= MOST_LOST) return;
    text line = {0};
    text_format(&line, "and %zu more", lost - MOST_LOST);
    vec_push(&r->out->lost, take_text(&line));
}

/* --- data races ----------------------------------------------------------------------------------------- */

static trace_access racing_thread(replay *r, const state *s, uint32_t thread) {
    trace_access side = {.id = thread,
                         .thread = mem_copy_string(machine_thread_name(r->m, thread)),
                         .file = thread_file(r->p, thread_of(s, thread)),
                         .at = thread_position(r->p, thread_of(s, thread))};
    describe_stack(r->p, thread_of(s, thread), &side.stack);
    return side;
}

static void add_racing_access(replay *r, const state *s, trace_access side, const access *a) {
    side.cell = access_cell(r, s, a);
    side.access = a->kind == ACCESS_READ ? "reads" : "writes";
    vec_push(&r->out->race, side);
}

void describe_race(replay *r, const state *s, const uint32_t threads[2]) {
    access racing[2];
    seen_place places[2];
    step_options how = {.inputs = r->names.inputs, .replay = true};
    if (!state_races(r->m, s, &how, threads, racing, places)) return;
    for (int i = 0; i < 2; i++) add_racing_access(r, s, racing_thread(r, s, threads[i]), &racing[i]);
}

void describe_earlier_access(replay *r, const state *s, uint32_t thread) {
    r->first = racing_thread(r, s, thread);
    r->first.step = r->out->steps.size + 1;
}

enum { MOST_EARLY = 256 };

void note_early_access(void *data, const state *s, uint32_t thread, const access *a) {
    replay *r = data;
    if (r->early.size == MOST_EARLY) return;
    trace_access side = racing_thread(r, s, thread);
    side.step = r->out->steps.size + 1;
    vec_push(&r->early, ((early_access){*a, side}));
}

static void free_side(trace_access *side) {
    mem_free(side->thread);
    mem_free(side->file);
    trace_stack_free(&side->stack);
    *side = (trace_access){0};
}

void forget_earlier_accesses(replay *r) {
    free_side(&r->first);
    for (size_t i = 0; i < r->early.size; i++) free_side(&r->early.data[i].side);
    vec_free(&r->early);
}

/* The last access of the earlier step that the race may be with. */
static void find_early_access(replay *r, const happens_race *race) {
    const access *first = &race->first, *second = &race->second;
    uint8_t kind = first->kind == ACCESS_READ ? ACCESS_EARLY_READ : ACCESS_EARLY_WRITE;
    for (size_t i = r->early.size; i-- > 0 && race->early;) {
        const access *a = &r->early.data[i].what;
        bool same = a->kind == kind && a->plain == first->plain && a->sync == first->sync;
        bool there = a->name == first->name && a->low < second->high && second->low < a->high;
        if (!same || !there) continue;
        free_side(&r->first);
        r->first = r->early.data[i].side;
        r->early.data[i].side = (trace_access){0};
        return;
    }
}

void describe_late_race(replay *r, const state *s, const uint32_t threads[2]) {
    effect next = {0};
    happens_races races = {0};
    size_t found = 0;
    step_options how = {.inputs = r->names.inputs, .replay = true};
    state_collect_next(r->m, s, &how, threads[1], &next);
    happens_add(r->happens, threads[1], next.data, next.size, &races);
    while (found < races.size && races.data[found].step + 1 != r->earlier) found++;
    if (found < races.size) {
        find_early_access(r, &races.data[found]);
        add_racing_access(r, s, r->first, &races.data[found].first);
        add_racing_access(r, s, racing_thread(r, s, threads[1]), &races.data[found].second);
        r->first = (trace_access){0};
    }
    effect_free(&next);
    vec_free(&races);
}
