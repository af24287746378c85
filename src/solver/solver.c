#include "solver/solver.h"

#include "base/clock.h"
#include "base/invariant.h"
#include "solver/internal.h"
#include "solver/z3.h"

solver_options solver_default_options(void) {
    return (solver_options){
        .slicing = true, .model_reuse = true, .cache = true, .incremental = true, .z3 = true};
}

solver *solver_create(terms *c, const solver_options *options) {
    solver *s = mem_zero(1, sizeof *s);
    s->context = c;
    s->options = options ? *options : solver_default_options();
    s->model = valuation_create();
    return s;
}

void solver_destroy(solver *s) {
    if (!s) return;
    encodings_free(&s->encodings);
    ranges_free(&s->ranges);
    bounds_free(&s->bounds);
    models_free(&s->models);
    cache_free(&s->cache);
    marks_free(&s->seen);
    marks_free(&s->scratch);
    marks_free(&s->members);
    valuation_destroy(s->model);
    vec_free(&s->core);
    vec_free(&s->core_conditions);
    mem_free(s);
}

const solver_statistics *solver_stats(const solver *s) {
    return &s->statistics;
}

const valuation *solver_model(solver *s) {
    return s->model;
}

void solver_set_log(solver *s, void (*log)(void *data, const char *smtlib, solver_answer answer),
                    void *data) {
    s->log = log;
    s->log_data = data;
}

bool solver_set_quick(solver *s, bool on) {
    bool before = s->quick;
    s->quick = on;
    return before;
}

bool solver_set_unhurried(solver *s, bool on) {
    bool before = s->unhurried;
    s->unhurried = on;
    return before;
}

/* When time is up. Where queries are counted in conflicts alone the clock stays out of it. */
static sat_limits last_limits(const solver *s) {
    static const double most = 1;
    double seconds = s->options.query_seconds < most ? s->options.query_seconds : most;
    return (sat_limits){.deadline = seconds > 0 ? clock_wall() + seconds : 0,
                        .conflicts = s->options.query_conflicts};
}

sat_limits solver_limits(const solver *s) {
    enum { QUICK_CONFLICTS = 300 };
    if (s->unhurried && s->options.interrupted && s->options.interrupted(s->options.interrupted_data))
        return last_limits(s);
    if (s->quick)
        return (sat_limits){.conflicts = QUICK_CONFLICTS,
                            .interrupted = s->options.interrupted,
                            .interrupted_data = s->options.interrupted_data};
    return (sat_limits){.deadline =
                            s->options.query_seconds > 0 ? clock_wall() + s->options.query_seconds : 0,
                        .conflicts = s->options.query_conflicts,
                        .interrupted = s->options.interrupted,
                        .interrupted_data = s->options.interrupted_data};
}

/* --- components ----------------------------------------------------------------------------------------- */

/* The terms of the list, component after component; `start[k]` is where component k begins. */
static const term **terms_by_component(const conjunct_list *list, size_t components, size_t *start) {
    const term **sorted = mem_alloc(list->size * sizeof *sorted);
    for (size_t i = 0; i < list->size; i++) start[list->data[i].component + 1]++;
    for (size_t k = 0; k < components; k++) start[k + 1] += start[k];
    size_t *next = mem_duplicate(start, components * sizeof *next);
    for (size_t i = 0; i < list->size; i++) sorted[next[list->data[i].component]++] = list->data[i].t;
    mem_free(next);
    return sorted;
}

/* Decides the components that contain a conjunct with an owner of at least `wanted_from`. All must be
 * satisfiable; one that is not settles the matter, whatever was unknown before. */
static solver_answer decide_components(solver *s, conjunct_list *list, size_t wanted_from,
                                       const sat_limits *limits, valuation *model, term_list *core) {
    size_t components = slice_components(list, &s->scratch, s->options.slicing);
    size_t *start = mem_zero(components + 1, sizeof *start);
    bool *wanted = mem_zero(components, sizeof *wanted);
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i].owner >= wanted_from) wanted[list->data[i].component] = true;

    const term **sorted = terms_by_component(list, components, start);
    assert(start[components] == list->size); /* the components are all of it */
    solver_answer answer = SOLVER_SAT;
    for (size_t k = 0; k < components && answer != SOLVER_UNSAT; k++) {
        if (!wanted[k]) continue;
        vec_clear(core);
        solver_answer part =
            solver_decide(s, sorted + start[k], start[k + 1] - start[k], limits, model, core);
        if (part != SOLVER_SAT) answer = part;
    }
    mem_free(sorted);
    mem_free(wanted);
    mem_free(start);
    return answer;
}

/* --- checks --------------------------------------------------------------------------------------------- */

static void cross_check(solver *s, const term *const *conditions, size_t count, const term *extra,
                        solver_answer answer) {
    if (!s->options.cross_check || answer == SOLVER_UNKNOWN) return;
    enum { SECONDS = 10 };
    term_list all = {0};
    for (size_t i = 0; i < count; i++) vec_push(&all, conditions[i]);
    if (extra) vec_push(&all, extra);
    sat_limits limits = {.deadline = clock_wall() + SECONDS};
    solver_answer second = z3_check(s->context, all.data, all.size, &limits, NULL);
    if (second != SOLVER_UNKNOWN && second != answer) s->statistics.disagreements++;
    vec_free(&all);
}

static void keep_core(solver *s, const conjunct_list *list, const term_list *core) {
    uint32_t number;
    marks_forget(&s->members);
    for (size_t i = 0; i < core->size; i++) marks_put(&s->members, core->data[i], 1);
    for (size_t i = 0; i < list->size; i++) {
        if (!marks_get(&s->members, list->data[i].t, &number)) continue;
        assert(!s->core.size || vec_last(&s->core) <= list->data[i].owner);
        if (!s->core.size || vec_last(&s->core) != list->data[i].owner)
            vec_push(&s->core, list->data[i].owner);
    }
}

static void keep_clash(solver *s, const size_t clash[2]) {
    vec_push(&s->core, clash[0]);
    if (clash[1] != clash[0]) vec_push(&s->core, clash[1]);
}

solver_answer solver_check(solver *s, const term *const *conditions, size_t count) {
    double start = clock_wall();
    sat_limits limits = solver_limits(s);
    conjunct_list list = {0};
    term_list core = {0};
    size_t clash[2];
    bool consistent = true;
    solver_answer answer;
    s->statistics.queries++;
    vec_clear(&s->core);
    vec_clear(&s->core_conditions);
    valuation_clear(s->model);
    marks_forget(&s->seen);
    for (size_t i = 0; i < count && consistent; i++)
        consistent = query_add(&list, &s->seen, conditions[i], i, clash);
    if (!consistent || !list.size) {
        s->statistics.trivial++;
        answer = consistent ? SOLVER_SAT : SOLVER_UNSAT;
        if (!consistent) keep_clash(s, clash);
    } else {
        answer = decide_components(s, &list, 0, &limits, s->model, &core);
        if (answer == SOLVER_UNSAT) keep_core(s, &list, &core);
    }
    assert(answer == SOLVER_UNSAT || !s->core.size);
    for (size_t i = 0; i < s->core.size; i++) vec_push(&s->core_conditions, conditions[s->core.data[i]]);
    vec_free(&list);
    vec_free(&core);
    cross_check(s, conditions, count, NULL, answer);
    s->statistics.seconds += clock_wall() - start;
    return answer;
}

solver_answer solver_ask(solver *s, const term *const *path, size_t count, const term *const *extra,
                         size_t extra_count, const sat_limits *limits, valuation *model) {
    conjunct_list list = {0};
    term_list core = {0};
    size_t clash[2], from_path;
    bool consistent = true;
    solver_answer answer;
    s->statistics.queries++;
    marks_forget(&s->seen);
    for (size_t i = 0; i < count && consistent; i++)
        consistent = query_add(&list, &s->seen, path[i], 0, clash);
    from_path = extra_count ? list.size : 0;
    for (size_t i = 0; i < extra_count && consistent; i++)
        consistent = query_add(&list, &s->seen, extra[i], 1, clash);
    if (!consistent || list.size == from_path) {
        s->statistics.trivial++;
        answer = consistent ? SOLVER_SAT : SOLVER_UNSAT;
    } else {
        answer = decide_components(s, &list, extra_count ? 1 : 0, limits, model, &core);
    }
    vec_free(&list);
    vec_free(&core);
    return answer;
}

solver_answer solver_check_extension(solver *s, const term *const *path, size_t count, const term *extra) {
    double start = clock_wall();
    sat_limits limits = solver_limits(s);
    assert(extra->width == 1);
    solver_answer answer = solver_ask(s, path, count, &extra, 1, &limits, NULL);
    cross_check(s, path, count, extra, answer);
    s->statistics.seconds += clock_wall() - start;
    return answer;
}

/* --- cores ---------------------------------------------------------------------------------------------- */

/* Drops one condition after the other and keeps what the rest cannot do without. An unknown
 * answer keeps it. */
static void minimise_core(solver *s) {
    sat_limits limits = solver_limits(s);
    term_list rest = {0};
    for (size_t drop = 0; drop < s->core.size && s->core.size > 1;) {
        vec_clear(&rest);
        for (size_t i = 0; i < s->core.size; i++)
            if (i != drop) vec_push(&rest, s->core_conditions.data[i]);
        if (solver_ask(s, rest.data, rest.size, NULL, 0, &limits, NULL) == SOLVER_UNSAT) {
            vec_remove(&s->core, drop);
            vec_remove(&s->core_conditions, drop);
        } else {
            drop++;
        }
    }
    vec_free(&rest);
}

const solver_core *solver_unsat_core(solver *s, bool minimise) {
    assert(s->core.size == s->core_conditions.size);
    double start = clock_wall();
    if (minimise) minimise_core(s);
    s->statistics.seconds += clock_wall() - start;
    return &s->core;
}
