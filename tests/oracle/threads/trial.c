#include "trial.h"

#include "../certified.h"
#include "cegar/cegar.h"
#include "common/deadline.h"
#include "dpor/dpor.h"
#include "esst/esst.h"
#include "finals.h"
#include "frontend/llvm/llvm.h"
#include "heddle.h"
#include "lazypor/lazypor.h"
#include "machine/setup.h"
#include "mutants.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

/* --- names ---------------------------------------------------------------------------------------------- */

static const char *const engine_names[ENGINES] = {"search", "dpor", "lazypor", "cegar", "esst", "auto"};

static void describe_abstraction(const abstraction_options *a, text *out) {
    static const char *const domains[] = {"product", "explicit", "cartesian", "boolean"},
                             *const scopes[] = {"auto", "global", "thread", "location"},
                             *const blocks[] = {"joins", "large", "small"};
    text_format(out, " --domain %s --prune %s --scope %s --blocks %s", domains[a->domain],
                a->prune == PRUNE_LAZY ? "lazy" : "full", scopes[a->scope], blocks[a->blocks]);
}

static void describe_properties(unsigned properties, text *out) {
    static const struct {
        unsigned bit;
        const char *name;
    } known[] = {{PROPERTY_ASSERT, "assert"},     {PROPERTY_MEMORY, "memory"},
                 {PROPERTY_DEADLOCK, "deadlock"}, {PROPERTY_LIVELOCK, "livelock"},
                 {PROPERTY_RACE, "race"},         {PROPERTY_LEAK, "leak"}};
    const char *separator = "";
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (properties & known[k].bit) {
            text_format(out, "%s%s", separator, known[k].name);
            separator = ",";
        }
}

void configuration_describe(const configuration *c, text *out) {
    static const char *const orders[] = {"dfs", "bfs", "error-distance", "astar"}, *const guides[] = {
                                                                                       "auto", "coarse",
                                                                                       "fine"};
    text_format(out, "--engine %s", engine_names[c->engine]);
    bool abstracts = c->engine == ENGINE_CEGAR || c->engine == ENGINE_ESST;
    if (abstracts) describe_abstraction(&c->abstraction, out);
    if (c->engine < ENGINE_LAZYPOR || abstracts) text_format(out, " --por %s", por_name(c->por));
    if (c->engine == ENGINE_SEARCH) text_format(out, " --match %s", match_name(c->match));
    if (c->engine == ENGINE_SEARCH || abstracts) text_format(out, " --order %s", orders[c->order]);
    if (c->order == ORDER_ASTAR) text_format(out, " --weight %u --guide %s", c->weight, guides[c->guide]);
    text_add(out, " --property ");
    describe_properties(c->properties, out);
    if (c->all) text_add(out, " --all");
    if (c->check_reduction) text_add(out, " --check-reduction");
    if (c->exit_anywhere) text_add(out, " (exit anywhere)");
    if (c->context_bound) text_format(out, " --context-bound %u", c->context_bound);
    if (c->unwind) text_format(out, " --unwind %u", c->unwind);
    if (c->visited_bytes) text_format(out, " --visited-memory %zu", c->visited_bytes);
    if (c->visited) text_add(out, " --visited compact");
    if (c->chain) text_format(out, " --chain %llu", (unsigned long long)c->chain);
    if (c->mutant) text_format(out, " (mutant %s)", mutant_name(c->mutant));
    text_format(out, " --max-transitions %llu", (unsigned long long)c->max_transitions);
}

/* --- compiling ------------------------------------------------------------------------------------------ */

program *trial_compile(const char *source, bool spurious_wakeups, text *errors) {
    char path[] = "/tmp/oracle-XXXXXX.c";
    int file = mkstemps(path, 2);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    if (!f) {
        text_add(errors, "no temporary file could be made\n");
        return NULL;
    }
    fputs(source, f);
    fclose(f);
    const char *files[] = {path};
    llvm_options how = {.entry = "main",
                        .check_reach = true,
                        .spurious_wakeup = spurious_wakeups,
                        .spurious_failure = spurious_wakeups};
    diagnostics d = {.file = "oracle.c", .source = source};
    program *p = llvm_translate(files, 1, &how, &d);
    if (p && !program_check(p, &d)) {
        program_destroy(p);
        p = NULL;
    }
    if (!p) diag_print(&d, errors);
    diag_free(&d);
    remove(path);
    return p;
}

/* --- the outcome ---------------------------------------------------------------------------------------- */

/* Found inside of a library function: it has no line of the program. */
static bool is_in_library(const program *p, const check *c) {
    for (size_t k = 0; k < p->functions.size; k++) {
        const function *f = &p->functions.data[k];
        if (c->thread_or_function && !strcmp(f->name, c->thread_or_function)) return f->file != NULL;
    }
    return false;
}

static int compare_keys(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void take_check(const machine *m, uint32_t index, trial *out) {
    const check *c = machine_check(m, index);
    if (c->kind == CHECK_LEAK) {
        out->leak = true;
        return;
    }
    uint32_t line = is_in_library(machine_program(m), c) ? 0 : c->at.line;
    uint32_t key = 2 * line + (c->kind != CHECK_ASSERTION);
    for (size_t k = 0; k < out->violations.size; k++)
        if (out->violations.data[k] == key) return;
    vec_push(&out->violations, key);
}

static void take_outcome(const machine *m, const outcome *o, trial *out) {
    out->verdict = outcome_verdict(o);
    out->conclusive = o->complete && !o->doubts.size;
    out->lists_violations = true;
    out->reduction_errors = o->reduction_errors;
    out->stats = o->stats;
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        out->unconfirmed |= !v->confirmed;
        switch (v->kind) {
        case VIOLATION_DEADLOCK: out->deadlock = true; break;
        case VIOLATION_LIVELOCK: out->livelock = true; break;
        case VIOLATION_RACE: out->race = true; break;
        case VIOLATION_CHECK: take_check(m, v->check, out); break;
        }
    }
    if (out->violations.size)
        qsort(out->violations.data, out->violations.size, sizeof(uint32_t), compare_keys);
    for (size_t i = 0; i < o->doubts.size; i++) {
        if (o->doubts.data[i].why.kind == REASON_NOT_POSSIBLE) abort(); /* nothing would be tested */
        text_format(&out->doubts, "%s (line %u)\n", reason_words(o->doubts.data[i].why),
                    o->doubts.data[i].at.line);
    }
}

/* --- running one explorer ------------------------------------------------------------------------------- */

static void run_engine(machine *m, engine_kind engine, const explore_options *options, outcome *o) {
    switch (engine) {
    case ENGINE_DPOR: dpor_run(m, options, o); break;
    case ENGINE_LAZYPOR: lazypor_run(m, options, o); break;
    case ENGINE_CEGAR: cegar_run(m, options, o); break;
    case ENGINE_ESST: esst_run(m, options, o); break;
    default: search_run(m, options, o); break;
    }
}

static void run_machine(machine *m, const subject *s, const configuration *how, deadline *end, trial *out) {
    explore_options options = explore_default_options();
    options.por = how->por;
    options.match = how->match;
    options.order = how->order;
    options.weight = how->weight;
    options.guide = how->guide;
    options.abstraction = how->abstraction;
    options.all = how->all;
    options.check_reduction = how->check_reduction;
    options.properties = how->properties;
    options.visited_bytes = how->visited_bytes;
    options.visited = how->visited;
    options.chain = how->chain;
    options.max_transitions = how->max_transitions;
    options.deterministic = true;
    options.interrupted = deadline_is_over;
    options.interrupted_data = end;
    finals seen = {.machine = m, .expected = s->expected};
    if (how->compare_finals) {
        options.observe = finals_observe;
        options.observe_data = &seen;
    }
    mutant_spoil_options(how->mutant, &options);
    outcome o = {0};
    bool abstracts = how->engine == ENGINE_CEGAR || how->engine == ENGINE_ESST;
    bool proves = abstracts && how->mutant == MUTANT_NONE && !how->context_bound && !how->unwind;
    certificate_writer *proof = proves ? certified_open(m, &options) : NULL;
    run_engine(m, how->engine, &options, &o);
    certified_close(proof, m, &options, &o);
    mutant_spoil_outcome(how->mutant, &o);
    take_outcome(m, &o, out);
    deadline_prolong(end, 1); /* for the comparison */
    if (how->compare_finals && out->conclusive) finals_compare(&seen, &out->final_problem);
    finals_free(&seen);
    outcome_free(&o);
}

enum { MOST_CONFLICTS = 100000 };

static void run_directly(const subject *s, const configuration *how, trial *out) {
    deadline end = deadline_open(how->seconds, how->last_look);
    terms *c = terms_create();
    solver_options solver_choice = solver_default_options();
    solver_choice.z3 = false; /* in-process only: limits must not depend on the clock */
    solver_choice.query_seconds = 0;
    solver_choice.query_conflicts = MOST_CONFLICTS;
    solver_choice.interrupted = deadline_is_over;
    solver_choice.interrupted_data = &end;
    solver *solve = solver_create(c, &solver_choice);
    machine_options machine_choice = machine_default_options();
    machine_choice.checks_cut = how->all;
    machine_choice.check_leaks = how->properties & PROPERTY_LEAK;
    machine_choice.exit_anywhere = how->exit_anywhere || machine_choice.check_leaks;
    machine_choice.context_bound = how->context_bound;
    machine_choice.unwind = how->unwind;
    machine_choice.interrupted = deadline_is_over;
    machine_choice.interrupted_data = &end;
    mutant_spoil_machine(how->mutant, &machine_choice);
    machine *m = machine_create(s->compiled, c, solve, &machine_choice);
    run_machine(m, s, how, &end, out);
    machine_destroy(m);
    solver_destroy(solve);
    terms_destroy(c);
}

/* --- running the product -------------------------------------------------------------------------------- */

static void run_by_library(const subject *s, const configuration *how, trial *out) {
    heddle *h = heddle_create();
    text properties = {0};
    char limit[32];
    describe_properties(how->properties, &properties);
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)how->max_transitions);
    heddle_set(h, "property", text_cstr(&properties));
    if (how->jobs) {
        snprintf(limit, sizeof limit, "%u", how->jobs);
        heddle_set(h, "jobs", limit);
        heddle_set(h, "time", "10s"); /* small programs need no more, however busy the machine is */
    } else {
        heddle_set(h, "deterministic", "on");
        heddle_set(h, "max-transitions", limit);
    }
    heddle_set(h, "spurious-wakeups", s->spurious_wakeups ? "on" : "off");
    snprintf(limit, sizeof limit, "%u", how->context_bound);
    heddle_set(h, "context-bound", limit);
    snprintf(limit, sizeof limit, "%u", how->unwind);
    heddle_set(h, "unwind", limit);
    if (how->all) heddle_set(h, "all", "on");
    heddle_add_source(h, "oracle.c", s->source, strlen(s->source));
    heddle_result *r = heddle_check(h);
    switch (heddle_result_verdict(r)) {
    case HEDDLE_SAFE: out->verdict = VERDICT_SAFE; break;
    case HEDDLE_UNSAFE: /* who asks for memory asks for misuse too, of which the reference knows nothing */
        out->verdict = strcmp(heddle_result_svcomp(r), "false(misuse)") ? VERDICT_UNSAFE : VERDICT_UNKNOWN;
        if (out->verdict == VERDICT_UNKNOWN) text_add(&out->doubts, "auto: misuse of a lock\n");
        break;
    case HEDDLE_UNKNOWN:
        out->verdict = VERDICT_UNKNOWN;
        text_format(&out->doubts, "auto: %s\n", heddle_result_reason(r));
        break;
    default: /* must disagree */
        text_format(&out->final_problem, "%s: %s", heddle_verdict_name(heddle_result_verdict(r)),
                    heddle_result_diagnostics(r));
        break;
    }
    out->conclusive = out->verdict == VERDICT_SAFE;
    heddle_result_destroy(r);
    heddle_destroy(h);
    text_free(&properties);
}

void trial_run(const subject *s, const configuration *how, trial *out) {
    *out = (trial){0};
    if (how->engine == ENGINE_AUTO)
        run_by_library(s, how, out);
    else
        run_directly(s, how, out);
}

void trial_free(trial *t) {
    vec_free(&t->violations);
    text_free(&t->doubts);
    text_free(&t->final_problem);
}
