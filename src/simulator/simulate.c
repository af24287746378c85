#include "simulator/simulate.h"

#include "base/clock.h"
#include "base/hash.h"
#include "explore/player.h"
#include "machine/hangs.h"
#include "machine/machine.h"

typedef struct walk {
    player at;
    uint64_t random;
    unsigned properties, unasked;
    outcome *out;
    simulation *run;
    bool over;
} walk;

static size_t draw(walk *w, size_t below) {
    w->random += UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash_mix(w->random) % below);
}

static bool is_selected(const walk *w, const successor *s) {
    return s->end == STEP_VIOLATION &&
           check_is_asked_for(w->properties, w->unasked, machine_check(w->at.m, s->check)->kind);
}

/* A path that goes nowhere is taken only if there is no other one. */
static bool is_dead_end(const walk *w, const successor *s) {
    return s->end == STEP_ASSUMED_AWAY || s->end == STEP_LIMIT ||
           (s->end == STEP_VIOLATION && !is_selected(w, s));
}

static const successor *choose_successor(walk *w) {
    const successors *list = &w->at.next;
    size_t lively = 0;
    for (size_t i = 0; i < list->size; i++) lively += !is_dead_end(w, &list->data[i]);
    if (!lively) return &list->data[draw(w, list->size)];
    size_t skip = draw(w, lively);
    for (size_t i = 0;; i++)
        if (!is_dead_end(w, &list->data[i]) && !skip--) return &list->data[i];
}

static void record_violation(walk *w, violation_kind kind, uint32_t check) {
    violation v = {.kind = kind, .check = check};
    path_append(&v.path, &w->at.done);
    violation_confirm(w->at.m, &v, &(step_options){0});
    outcome_add_violation(w->out, v);
}

static void take_successor(walk *w, const successor *s) {
    player_take(&w->at, s);
    w->over = s->end != STEP_STOPPED;
    if (s->end == STEP_LIMIT)
        outcome_add_doubt(w->out, (doubt){.why = s->why, .at = s->place, .file = s->file});
    if (s->end == STEP_ASSUMED_AWAY) outcome_doubt(w->out, REASON_ASSUMPTION_FAILED, (position){0, 0});
    if (is_selected(w, s)) record_violation(w, VIOLATION_CHECK, s->check);
    bool livelock = w->properties & PROPERTY_LIVELOCK;
    if (w->properties & PROPERTY_DEADLOCK && !w->over && machine_deadlocked(w->at.m, w->at.now)) {
        record_violation(w, VIOLATION_DEADLOCK, NO_INDEX);
    } else if (livelock && !w->over && machine_livelocked(w->at.m, w->at.now) == HANG_CERTAIN) {
        record_violation(w, VIOLATION_LIVELOCK, NO_INDEX);
        w->over = true;
    }
}

static void take_step(walk *w) {
    transitions enabled = {0};
    machine_enabled(w->at.m, w->at.now, &enabled);
    if (!enabled.size) {
        w->over = true;
    } else {
        player_look(&w->at, enabled.data[draw(w, enabled.size)]);
        w->out->stats.transitions++;
        w->over = !w->at.next.size;
        if (!w->over) take_successor(w, choose_successor(w));
    }
    vec_free(&enabled);
}

static bool is_interrupted(const simulate_options *how) {
    return how->interrupted && how->interrupted(how->interrupted_data);
}

void simulate_run(machine *m, const simulate_options *how, outcome *out, simulation *run) {
    static const position nowhere = {0, 0};
    double begin = clock_wall(), cpu_begin = clock_cpu();
    *run = (simulation){0};
    step_options whole = {.keep_path = true}; /* the whole path is to be solved at the end */
    walk w = {.random = hash_mix(how->seed), .out = out, .run = run};
    w.properties = how->properties;
    w.unasked = how->unasked;
    w.at = player_begin(m, &whole);
    while (!w.over && out->stats.transitions < how->steps && !is_interrupted(how)) take_step(&w);
    if (is_interrupted(how))
        outcome_doubt(out, REASON_INTERRUPTED, nowhere);
    else if (!w.over)
        outcome_doubt(out, REASON_STEP_COUNT, nowhere);
    run->inputs = path_model(m, w.at.now);
    path_append(&run->path, &w.at.done);
    player_end(&w.at);
    out->engine = "simulation";
    out->stats.executions = 1;
    out->stats.depth = run->path.size;
    out->stats.solver_queries = solver_stats(machine_solver(m))->queries;
    out->stats.seconds = clock_wall() - begin;
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
    out->stats.peak_memory_bytes = memory_peak();
    outcome_conclude(out);
}

void simulation_free(simulation *run) {
    vec_free(&run->path);
    text_free(&run->printed);
    valuation_destroy(run->inputs);
}
