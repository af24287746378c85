/* From cheap to dear: ranges, recent models, bounds, cache, CaDiCaL, Z3. */
#include "solver/internal.h"

#include "base/clock.h"
#include "solver/z3.h"
#include "term/evaluate.h"

#include <stdlib.h>

/* --- helpers -------------------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *sorted_ids(const term *const *conditions, size_t count) {
    uint32_t *ids = mem_alloc(count * sizeof *ids);
    for (size_t i = 0; i < count; i++) ids[i] = conditions[i]->id;
    qsort(ids, count, sizeof *ids, compare_ids);
    return ids;
}

static void collect_symbols(solver *s, const term *const *conditions, size_t count, term_list *symbols) {
    uint32_t number;
    marks_forget(&s->scratch);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < conditions[i]->support->size; k++) {
            const term *symbol = conditions[i]->support->symbol[k];
            if (marks_get(&s->scratch, symbol, &number)) continue;
            marks_put(&s->scratch, symbol, 1);
            vec_push(symbols, symbol);
        }
}

static void copy_values(valuation *to, const valuation *from, const term_list *symbols) {
    for (size_t i = 0; i < symbols->size; i++) {
        uint64_t value;
        valuation_get(from, symbols->data[i], &value);
        valuation_set(to, symbols->data[i], value);
    }
}

static void log_query(solver *s, const term *const *conditions, size_t count, solver_answer answer) {
    if (!s->log) return;
    text script = {0};
    term_print_smtlib(s->context, conditions, count, &script);
    s->log(s->log_data, text_cstr(&script), answer);
    text_free(&script);
}

/* --- backends ------------------------------------------------------------------------------------------- */

static valuation *read_model(blaster *b, const term_list *symbols) {
    valuation *values = valuation_create();
    for (size_t i = 0; i < symbols->size; i++)
        valuation_set(values, symbols->data[i], blast_symbol_value(b, symbols->data[i]));
    return values;
}

static solver_answer solve_with_cadical(solver *s, const term *const *conditions, size_t count,
                                        const term_list *symbols, const sat_limits *limits,
                                        valuation **values, term_list *core) {
    int *literals = mem_alloc(count * sizeof *literals);
    blaster *b = encodings_for(&s->encodings, conditions, count, symbols->data, symbols->size,
                               s->options.incremental, literals);
    gates *g = &b->gates;
    for (size_t i = 0; i < count; i++) g->backend->assume(g->sat, literals[i]);
    sat_answer answer = g->backend->solve(g->sat, limits);
    if (answer == SAT_SATISFIABLE) *values = read_model(b, symbols);
    if (answer == SAT_UNSATISFIABLE)
        for (size_t i = 0; i < count; i++)
            if (g->backend->failed(g->sat, literals[i])) vec_push(core, conditions[i]);
    mem_free(literals);
    return answer == SAT_SATISFIABLE     ? SOLVER_SAT
           : answer == SAT_UNSATISFIABLE ? SOLVER_UNSAT
                                         : SOLVER_UNKNOWN;
}

static solver_answer solve_with_z3(solver *s, const term *const *conditions, size_t count,
                                   const sat_limits *limits, valuation **values, term_list *core) {
    if (sat_limits_are_over(limits)) return SOLVER_UNKNOWN;
    valuation *found = valuation_create();
    solver_answer answer = z3_check(s->context, conditions, count, limits, found);
    if (answer == SOLVER_SAT)
        *values = found;
    else
        valuation_destroy(found);
    if (answer == SOLVER_UNSAT)
        for (size_t i = 0; i < count; i++) vec_push(core, conditions[i]);
    return answer;
}

/* Half of the time is left to Z3, if there is a limit and Z3 may be asked. */
static sat_limits share_of_cadical(const solver *s, const sat_limits *limits) {
    sat_limits share = *limits;
    if (s->options.z3 && limits->deadline > 0) {
        double now = clock_wall();
        if (limits->deadline > now) share.deadline = now + (limits->deadline - now) / 2;
    }
    return share;
}

/* A model that does not satisfy the query would be an error of ours; better no answer than a wrong one. */
static bool is_model(solver *s, const term *const *conditions, size_t count, const valuation *values) {
    evaluation_start(s->context);
    for (size_t i = 0; i < count; i++)
        if (!evaluation_value(s->context, conditions[i], values)) return false;
    return true;
}

FOR_ASSERTIONS static bool are_among(const term_list *core, const term *const *conditions, size_t count) {
    for (size_t i = 0; i < core->size; i++) {
        size_t k = 0;
        while (k < count && conditions[k] != core->data[i]) k++;
        if (k == count) return false;
    }
    return true;
}

static solver_answer solve(solver *s, const term *const *conditions, size_t count, const term_list *symbols,
                           const sat_limits *limits, valuation **values, term_list *core) {
    sat_limits share = share_of_cadical(s, limits);
    /* Very many short queries, none of which lasts until CaDiCaL asks, must come to an end, too. */
    solver_answer answer = sat_limits_are_over(limits)
                               ? SOLVER_UNKNOWN
                               : solve_with_cadical(s, conditions, count, symbols, &share, values, core);
    if (answer != SOLVER_UNKNOWN) {
        s->statistics.by_sat++;
    } else if (s->options.z3 && limits->deadline > 0) {
        answer = solve_with_z3(s, conditions, count, limits, values, core);
        if (answer != SOLVER_UNKNOWN) s->statistics.by_z3++;
    }
    if (answer == SOLVER_SAT && !is_model(s, conditions, count, *values)) {
        s->statistics.disagreements++;
        valuation_destroy(*values);
        *values = NULL;
        answer = SOLVER_UNKNOWN;
    }
    assert((answer == SOLVER_SAT) == (*values != NULL));
    if (answer == SOLVER_UNKNOWN) s->statistics.unknown++;
    log_query(s, conditions, count, answer);
    return answer;
}

/* --- all layers ----------------------------------------------------------------------------------------- */

static bool shares_symbol(const term_support *a, const term_support *b) {
    for (size_t i = 0; i < a->size; i++)
        for (size_t k = 0; k < b->size; k++)
            if (a->symbol[i] == b->symbol[k]) return true;
    return false;
}

/* The conditions that give ranges to terms over symbols of `about`. */
static void push_range_conditions(const term *const *conditions, size_t count, const term *about,
                                  term_list *core) {
    for (size_t i = 0; i < count; i++) {
        const term *base = ranges_base(conditions[i]);
        if (base && conditions[i] != about && shares_symbol(base->support, about->support))
            vec_push(core, conditions[i]);
    }
}

static bool answered_by_ranges(solver *s, const term *const *conditions, size_t count, solver_answer *answer,
                               valuation *model, term_list *core) {
    ranges_verdict verdict = ranges_collect(&s->ranges, conditions, count);
    if (verdict == RANGES_UNDECIDED) return false;
    for (size_t i = 0; verdict == RANGES_POINTS && model && i < s->ranges.watched.size; i++)
        valuation_set(model, s->ranges.watched.data[i].base, s->ranges.watched.data[i].values.part[0].low);
    for (size_t i = 0; verdict == RANGES_EMPTY && i < count; i++)
        if (ranges_base(conditions[i]) == s->ranges.emptied) vec_push(core, conditions[i]);
    *answer = verdict == RANGES_EMPTY ? SOLVER_UNSAT : SOLVER_SAT;
    s->statistics.trivial++;
    return true;
}

/* Uses the ranges that were collected just before. */
static bool refuted_by_bounds(solver *s, const term *const *conditions, size_t count, term_list *core) {
    const term *empty = bounds_refute(&s->bounds, &s->ranges, conditions, count);
    if (!empty) return false;
    for (size_t i = 0; i < count; i++)
        if (conditions[i] == empty) vec_push(core, empty);
    push_range_conditions(conditions, count, empty, core);
    s->statistics.trivial++;
    return true;
}

static bool answered_by_model(solver *s, const term *const *conditions, size_t count,
                              const term_list *symbols, valuation *model) {
    if (!s->options.model_reuse) return false;
    const valuation *known = models_find(&s->models, s->context, conditions, count);
    if (!known) return false;
    if (model) copy_values(model, known, symbols);
    s->statistics.by_model++;
    return true;
}

static bool answered_by_core(solver *s, const term *const *conditions, size_t count, term_list *core) {
    if (!s->options.cache) return false;
    marks_forget(&s->members);
    for (size_t i = 0; i < count; i++) marks_put(&s->members, conditions[i], 1);
    const cache_core *known = cache_find_core(&s->cache, conditions, count, &s->members);
    if (!known) return false;
    for (size_t i = 0; i < known->size; i++) vec_push(core, known->conditions[i]);
    s->statistics.by_cache++;
    return true;
}

static bool answered_by_cache(solver *s, const uint32_t *ids, size_t count, valuation *model) {
    if (!s->options.cache) return false;
    const cache_entry *known = cache_find(&s->cache, ids, count);
    if (!known) return false;
    for (size_t i = 0; model && i < known->values; i++)
        valuation_set(model, known->symbol[i], known->value[i]);
    s->statistics.by_cache++;
    return true;
}

static solver_answer solve_and_remember(solver *s, const term *const *conditions, size_t count,
                                        const uint32_t *ids, const term_list *symbols,
                                        const sat_limits *limits, valuation *model, term_list *core) {
    valuation *values = NULL;
    solver_answer answer = solve(s, conditions, count, symbols, limits, &values, core);
    if (answer == SOLVER_SAT) {
        if (model) copy_values(model, values, symbols);
        if (s->options.cache) cache_store_model(&s->cache, ids, count, symbols->data, symbols->size, values);
        if (s->options.model_reuse)
            models_add(&s->models, values);
        else
            valuation_destroy(values);
    }
    if (answer == SOLVER_UNSAT && s->options.cache) cache_store_core(&s->cache, core->data, core->size);
    return answer;
}

solver_answer solver_decide(solver *s, const term *const *conditions, size_t count, const sat_limits *limits,
                            valuation *model, term_list *core) {
    if (!count) return SOLVER_SAT;
    term_list symbols = {0}, own_core = {0};
    if (!core) core = &own_core;
    collect_symbols(s, conditions, count, &symbols);
    solver_answer answer;
    if (answered_by_ranges(s, conditions, count, &answer, model, core)) {
        /* settled */
    } else if (answered_by_model(s, conditions, count, &symbols, model)) {
        answer = SOLVER_SAT;
    } else if (refuted_by_bounds(s, conditions, count, core) ||
               answered_by_core(s, conditions, count, core)) {
        answer = SOLVER_UNSAT;
    } else {
        uint32_t *ids = sorted_ids(conditions, count);
        answer = answered_by_cache(s, ids, count, model)
                     ? SOLVER_SAT
                     : solve_and_remember(s, conditions, count, ids, &symbols, limits, model, core);
        mem_free(ids);
    }
    slow_assert(answer != SOLVER_SAT || !model || is_model(s, conditions, count, model));
    slow_assert(answer != SOLVER_UNSAT || are_among(core, conditions, count));
    vec_free(&symbols);
    vec_free(&own_core);
    return answer;
}
