#include "trial.h"

#include "base/hash.h"
#include "cegar/cegar.h"
#include "certified.h"
#include "clusters.h"
#include "common/deadline.h"
#include "esst/esst.h"
#include "frontend/ivl/ivl.h"
#include "machine/look.h"
#include "machine/setup.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct watching {
    machine *machine;
    const configuration *how;
    const reference_result *expected;
    trial *out;
    VEC(state *) finals;
} watching;

static const char *const mutant_names[MUTANTS] = {"none",
                                                  "no-proviso",
                                                  "no-enabling",
                                                  "naive-dpor",
                                                  "no-cycle-expansion",
                                                  "last-delta-cycle",
                                                  "no-edge-replacement",
                                                  "forget-time",
                                                  "one-way-back",
                                                  "past-choices"};

const char *mutant_name(mutant m) {
    return mutant_names[m];
}

static void spoil(explore_options *o, mutant m) {
    switch (m) {
    case MUTANT_NO_PROVISO: o->proviso = false; break;
    case MUTANT_NO_ENABLING: o->necessary_enabling = false; break;
    case MUTANT_NAIVE_DPOR: o->stateful_effects = false; break;
    case MUTANT_NO_CYCLE_EXPANSION: o->cycle_expansion = false; break;
    case MUTANT_LAST_DELTA_CYCLE: o->last_delta_cycle_test = true; break;
    case MUTANT_NO_EDGE_REPLACEMENT: o->edge_replacement = false; break;
    case MUTANT_ONE_WAY_BACK: o->all_ways_back = false; break;
    case MUTANT_FORGET_TIME: o->force_time_abstraction = true; break;
    case MUTANT_PAST_CHOICES: o->chain_past_choices = true; break;
    case MUTANT_NONE:
    case MUTANTS: break;
    }
}

void configuration_describe(const configuration *c, text *out) {
    static const char *const orders[] = {"dfs", "bfs", "error-distance", "astar"}, *const guides[] = {
                                                                                       "auto", "coarse",
                                                                                       "fine"};
    text_format(out, "--por %s --match %s --order %s%s%s", por_name(c->por), match_name(c->match),
                orders[c->order], c->all ? " --all" : "", c->check_reduction ? " --check-reduction" : "");
    const char *separator = " --property ";
    static const char *const names[] = {"assert", "deadlock", "memory"};
    for (unsigned k = 0; k < 3; k++)
        if (c->properties >> k & 1) {
            text_format(out, "%s%s", separator, names[k]);
            separator = ",";
        }
    if (c->own) text_add(out, " --own");
    if (c->cegar)
        text_format(out, " --engine %s (domain %d, prune %d, scope %d, blocks %d)",
                    c->esst ? "esst" : "cegar", (int)c->abstraction.domain, (int)c->abstraction.prune,
                    (int)c->abstraction.scope, (int)c->abstraction.blocks);
    if (c->order == ORDER_ASTAR) text_format(out, " --weight %u --guide %s", c->weight, guides[c->guide]);
    if (c->mutant) text_format(out, " (mutant %s)", mutant_name(c->mutant));
    if (c->stops) text_add(out, " --stops loop");
    if (c->visited_bytes) text_format(out, " --visited-memory %zu", c->visited_bytes);
    if (c->visited) text_add(out, " --visited compact");
    if (c->chain) text_format(out, " --chain %llu", (unsigned long long)c->chain);
    text_format(out, " --max-transitions %llu", (unsigned long long)c->max_transitions);
}

/* --- observations --------------------------------------------------------------------------------------- */

static uint64_t value_number(const state *s, value v) {
    if (!v.bits) return 1;
    uint64_t base = v.base > static_count_of(s) ? 0x77 : v.base;
    return hash_pair(base, term_is_const(v.bits) ? v.bits->value : v.bits->hash);
}

static uint64_t place_and_locals(const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    uint64_t h = thread;
    const frame *frames = frames_of(t);
    for (uint32_t i = 0; i < frame_count_of(t); i++)
        h = hash_pair(h, hash_pair(frames[i].function, (uint64_t)frames[i].block << 32 | frames[i].index));
    for (uint32_t i = 0; i < value_count_of(t); i++) h = hash_pair(h, value_number(s, values_of(t)[i]));
    return h;
}

/* A set: the order in which effects were noted does not count. */
static uint64_t values_read(const state *s, const effect *touched) {
    uint64_t sum = 0;
    for (size_t k = 0; k < touched->size; k++) {
        const access *a = &touched->data[k];
        if (a->kind != ACCESS_READ || a->name >= static_count_of(s)) continue;
        const memory_object *o = state_object(s, a->name);
        const layout *shape = shape_of(o);
        for (uint32_t c = 0; c < cells_of(o); c++) {
            uint32_t offset = c / shape->cells * shape->stride + shape->cell[c % shape->cells].offset;
            if (offset >= a->low && offset < a->high)
                sum += hash_pair(hash_pair(a->name, c), value_number(s, cell_of(o)[c]));
        }
    }
    return sum;
}

static void watch(void *data, const state *from, transition by, const successor *to) {
    watching *w = data;
    if (w->how->compare_finals && to->end == STEP_FINISHED) vec_push(&w->finals, state_share(to->to));
    if (!w->how->observe || by.thread == MACHINE_KERNEL || by.thread == 0) return;
    vec_push(&w->out->observations,
             hash_pair(place_and_locals(from, by.thread), values_read(from, &to->touched)));
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_keys(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_observations(trial *t) {
    uint64_t *list = t->observations.data;
    size_t kept = 0;
    if (t->observations.size) qsort(list, t->observations.size, sizeof *list, compare_hashes);
    for (size_t i = 0; i < t->observations.size; i++)
        if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
    t->observations.size = kept;
}

/* --- final states --------------------------------------------------------------------------------------- */

static const memory_object *object_of_global(const machine *m, const state *s, unsigned global) {
    char name[16];
    snprintf(name, sizeof name, "g%u", global);
    const program *p = machine_program(m);
    for (uint32_t i = 0; i < static_count_of(s); i++)
        if (!strcmp(p->objects.data[i].name, name)) return state_object(s, i);
    return NULL; /* a constant that the front end has dissolved */
}

/* "the globals have these values" in a final state. */
static const term *has_values(const watching *w, const state *s, const int64_t *values) {
    terms *c = machine_terms(w->machine);
    const term *all = term_true(c);
    for (unsigned g = 0; g < w->expected->globals; g++) {
        const memory_object *o = object_of_global(w->machine, s, g);
        const int64_t *expected = values + w->expected->first_cell[g];
        bool pointer = o && shape_of(o)->cell[0].type.view == VIEW_POINTER;
        for (uint32_t k = 0; o && !pointer && k < cells_of(o); k++) {
            const term *cell = cell_of(o)[k].bits;
            all = term_and(
                c, all,
                term_eq(c, cell, term_const(c, cell->width, (uint64_t)expected[k] & term_mask(cell->width))));
        }
    }
    return all;
}

static solver_answer is_possible(machine *m, const state *s, const term *fact) {
    if (term_is_const(fact)) return term_is_true(fact) ? SOLVER_SAT : SOLVER_UNSAT;
    return solver_check_extension(machine_solver(m), state_path(s), state_path_count(s), fact);
}

/* Where the solver was interrupted a path may go on that nobody can go. */
static bool is_certain(machine *m, const state *s) {
    return !state_is_uncertain(s) ||
           solver_check(machine_solver(m), state_path(s), state_path_count(s)) == SOLVER_SAT;
}

static void show_values(text *out, const int64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) text_format(out, " %lld", (long long)values[i]);
}

static void compare_finals(watching *w) {
    const reference_result *e = w->expected;
    machine *m = w->machine;
    if (!e->cells) return;
    for (size_t row = 0; row < e->finals.size; row += e->cells) {
        bool found = false;
        for (size_t i = 0; i < w->finals.size && !found; i++)
            found = is_possible(m, w->finals.data[i],
                                has_values(w, w->finals.data[i], e->finals.data + row)) != SOLVER_UNSAT;
        if (found) continue;
        text_add(&w->out->final_problem, "final state missing:");
        show_values(&w->out->final_problem, e->finals.data + row, e->cells);
        return;
    }
    for (size_t i = 0; i < w->finals.size; i++) {
        const term *other = term_true(machine_terms(m));
        if (!is_certain(m, w->finals.data[i])) continue;
        for (size_t row = 0; row < e->finals.size; row += e->cells) {
            const term *same = has_values(w, w->finals.data[i], e->finals.data + row);
            other = term_and(machine_terms(m), other, term_not(machine_terms(m), same));
        }
        if (is_possible(m, w->finals.data[i], other) != SOLVER_SAT) continue;
        text_add(&w->out->final_problem, "a final state that cannot be");
        return;
    }
}

/* --- running -------------------------------------------------------------------------------------------- */

static void take_outcome(const machine *m, const outcome *o, trial *out) {
    out->verdict = outcome_verdict(o);
    out->conclusive = o->complete && !o->doubts.size;
    out->reduction_errors = o->reduction_errors;
    out->stats = o->stats;
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        if (v->kind == VIOLATION_DEADLOCK) {
            out->deadlock = true;
            continue;
        }
        const check *c = machine_check(m, v->check);
        uint32_t key = 2 * c->at.line + (c->kind != CHECK_ASSERTION);
        bool known = false;
        for (size_t k = 0; k < out->violations.size; k++) known |= out->violations.data[k] == key;
        if (!known) vec_push(&out->violations, key);
    }
    if (out->violations.size)
        qsort(out->violations.data, out->violations.size, sizeof(uint32_t), compare_keys);
    for (size_t i = 0; i < o->doubts.size; i++) {
        if (o->doubts.data[i].why.kind == REASON_NOT_POSSIBLE) abort(); /* nothing would be tested */
        text_format(&out->doubts, "%s (line %u)\n", reason_words(o->doubts.data[i].why),
                    o->doubts.data[i].at.line);
    }
}

static void run_machine(machine *m, const configuration *how, deadline *end, const reference_result *expected,
                        trial *out) {
    watching w = {.machine = m, .how = how, .expected = expected, .out = out};
    explore_options options = explore_default_options();
    options.por = how->por;
    options.match = how->match;
    options.order = how->order;
    options.weight = how->weight;
    options.guide = how->guide;
    options.all = how->all;
    options.check_reduction = how->check_reduction;
    options.properties = how->properties;
    options.visited_bytes = how->visited_bytes;
    options.visited = how->visited;
    options.chain = how->chain;
    options.max_transitions = how->max_transitions;
    options.deterministic = true;
    options.dump_traces = how->observe; /* effects are filled in then */
    options.stops = how->stops;
    options.interrupted = deadline_is_over;
    options.interrupted_data = end;
    options.observe = watch;
    options.observe_data = &w;
    spoil(&options, how->mutant);
    clusters *own = how->own ? clusters_create(m) : NULL;
    if (own) options.choose = clusters_choose;
    if (own && options.por != POR_NONE) options.por = POR_AUTO; /* which it stands in for */
    options.choose_data = own;
    outcome o = {0};
    options.abstraction = how->abstraction;
    bool proves = (how->cegar || how->esst) && how->mutant == MUTANT_NONE;
    certificate_writer *proof = proves ? certified_open(m, &options) : NULL;
    if (how->esst)
        esst_run(m, &options, &o);
    else if (how->cegar)
        cegar_run(m, &options, &o);
    else
        search_run(m, &options, &o);
    certified_close(proof, m, &options, &o);
    take_outcome(m, &o, out);
    sort_observations(out);
    deadline_prolong(end, 1); /* for the comparison */
    if (how->compare_finals && out->conclusive) compare_finals(&w);
    for (size_t i = 0; i < w.finals.size; i++) state_release(m, w.finals.data[i]);
    vec_free(&w.finals);
    outcome_free(&o);
    clusters_destroy(own);
}

enum { MOST_CONFLICTS = 100000 };

void trial_run(const char *source, const configuration *how, const reference_result *expected, trial *out) {
    *out = (trial){0};
    diagnostics d = {.file = "oracle.ivl", .source = source};
    program *p = ivl_compile("oracle.ivl", source, strlen(source), NULL, 0, &d);
    if (!p) {
        text errors = {0};
        diag_print(&d, &errors);
        out->refused = mem_copy_string(text_cstr(&errors));
        text_free(&errors);
        diag_free(&d);
        return;
    }
    diag_free(&d);
    terms *c = terms_create();
    solver_options solver_choice = solver_default_options();
    solver_choice.z3 = false; /* in-process only: limits must not depend on the clock */
    solver_choice.query_seconds = 0;
    solver_choice.query_conflicts = MOST_CONFLICTS;
    deadline end = deadline_open(how->seconds, how->last_look);
    solver_choice.interrupted = deadline_is_over;
    solver_choice.interrupted_data = &end;
    solver *s = solver_create(c, &solver_choice);
    machine_options machine_choice = machine_default_options();
    machine_choice.checks_cut = how->all || !(how->properties & PROPERTY_ASSERT);
    machine_choice.interrupted = deadline_is_over;
    machine_choice.interrupted_data = &end;
    machine *m = machine_create(p, c, s, &machine_choice);
    run_machine(m, how, &end, expected, out);
    machine_destroy(m);
    solver_destroy(s);
    terms_destroy(c);
    program_destroy(p);
}

void trial_free(trial *t) {
    mem_free(t->refused);
    vec_free(&t->violations);
    vec_free(&t->observations);
    text_free(&t->doubts);
    text_free(&t->final_problem);
}
