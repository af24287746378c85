/* A program under a machine, for tests of the core: compiles IVL text, walks along named steps, reads cells,
 * runs searches.
 *
 * A walk is written as the names of the steps, separated by blanks: a thread's name, `N` for the scheduler's
 * own transition, `M` for main. `N/1` takes the scheduler's choice 1, `A:1` the second successor
 * of A's step. */
#ifndef HEDDLE_TESTS_CORE_FIXTURE_H
#define HEDDLE_TESTS_CORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/ivl/ivl.h"
#include "machine/look.h"
#include "machine/setup.h"
#include "search/search.h"

typedef struct fixture {
    program *p;
    terms *c;
    solver *s;
    machine *m;
    const valuation *inputs; /* of walks; NULL: open */
} fixture;

/* --- set-up --------------------------------------------------------------------------------------------- */

static inline program *compile_with(const char *source, const ivl_setting *settings, size_t count) {
    diagnostics d = {.file = "test.ivl", .source = source};
    program *p = ivl_compile("test.ivl", source, strlen(source), settings, count, &d);
    if (!p) {
        text said = {0};
        diag_print(&d, &said);
        fprintf(stderr, "%s\n", text_cstr(&said));
        text_free(&said);
    }
    diag_free(&d);
    assert_non_null(p);
    return p;
}

static inline fixture fixture_of_program(program *p, const machine_options *options, uint64_t conflicts) {
    fixture f = {.p = p, .c = terms_create()};
    solver_options how = solver_default_options();
    how.z3 = false; /* results must not depend on the clock */
    how.query_seconds = 0;
    how.query_conflicts = conflicts;
    f.s = solver_create(f.c, &how);
    f.m = machine_create(p, f.c, f.s, options);
    return f;
}

static inline fixture fixture_open_with(const char *source, const machine_options *options) {
    return fixture_of_program(compile_with(source, NULL, 0), options, 0);
}

/* For walks over hard models: a query that needs more than this many conflicts stays open. */
static inline fixture fixture_open_hurried(const char *source, const machine_options *options) {
    return fixture_of_program(compile_with(source, NULL, 0), options, 50);
}

/* Threads that go round in vain do not sleep. */
static inline machine_options awake_options(void) {
    machine_options options = machine_default_options();
    options.sleep_spins = false;
    return options;
}

static inline fixture fixture_open(const char *source) {
    return fixture_open_with(source, NULL);
}

static inline void fixture_close(fixture *f) {
    machine_destroy(f->m);
    solver_destroy(f->s);
    terms_destroy(f->c);
    program_destroy(f->p);
}

/* The text of a file of the repository; freed with free. */
static inline char *read_text_file(const char *path) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *data = malloc(1 << 20);
    size_t size = fread(data, 1, (1 << 20) - 1, in);
    data[size] = 0;
    fclose(in);
    return data;
}

/* --- names ---------------------------------------------------------------------------------------------- */

static inline uint32_t thread_named(const fixture *f, const char *name) {
    for (uint32_t t = 1; t < f->p->threads.size; t++)
        if (!strcmp(f->p->threads.data[t].name, name)) return t;
    fail_msg("no thread %s", name);
    return NO_INDEX;
}

static inline uint32_t event_named(const fixture *f, const char *name) {
    for (uint32_t e = 0; e < f->p->events.size; e++)
        if (!strcmp(f->p->events.data[e].name, name)) return e;
    fail_msg("no event %s", name);
    return NO_INDEX;
}

static inline uint32_t object_named(const fixture *f, const char *name) {
    for (uint32_t i = 0; i < f->p->objects.size; i++)
        if (!strcmp(f->p->objects.data[i].name, name)) return i;
    fail_msg("no object %s", name);
    return NO_INDEX;
}

/* --- reading states ------------------------------------------------------------------------------------- */

static inline const term *cell_term(const fixture *f, const state *s, const char *name) {
    return cell_of(state_object(s, object_named(f, name)))->bits;
}

/* A concrete global as signed number. */
static inline int64_t cell(const fixture *f, const state *s, const char *name) {
    const term *t = cell_term(f, s, name);
    assert_true(term_is_const(t));
    return term_signed(t->width, t->value);
}

static inline uint64_t now(const state *s) {
    assert_true(term_is_const(state_time(s)));
    return state_time(s)->value;
}

static inline bool is_enabled(const fixture *f, const state *s, uint32_t thread) {
    transitions enabled = {0};
    machine_enabled(f->m, s, &enabled);
    bool found = false;
    for (size_t i = 0; i < enabled.size; i++) found |= enabled.data[i].thread == thread;
    vec_free(&enabled);
    return found;
}

/* "A C": the names of what is enabled, N for the scheduler (once for each choice), M for main. */
static inline const char *enabled_names(const fixture *f, const state *s, char *out, size_t size) {
    transitions enabled = {0};
    machine_enabled(f->m, s, &enabled);
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < enabled.size; i++) {
        uint32_t t = enabled.data[i].thread;
        const char *name = t == MACHINE_KERNEL ? "N" : t == 0 ? "M" : f->p->threads.data[t].name;
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", name);
    }
    vec_free(&enabled);
    return out;
}

#define assert_enabled(f, s, expected)                                                                       \
    do {                                                                                                     \
        char names_[256];                                                                                    \
        assert_string_equal(enabled_names(f, s, names_, sizeof names_), expected);                           \
    } while (0)

/* --- moving --------------------------------------------------------------------------------------------- */

typedef struct named_step {
    transition by;
    uint32_t successor;
} named_step;

static inline named_step parse_step(const fixture *f, const char *word) {
    char name[64];
    snprintf(name, sizeof name, "%s", word);
    named_step step = {{0, 0}, 0};
    char *colon = strchr(name, ':'), *slash = strchr(name, '/');
    if (colon) step.successor = (uint32_t)atoi(colon + 1), *colon = 0;
    if (slash) step.by.choice = (uint32_t)atoi(slash + 1), *slash = 0;
    if (!strcmp(name, "N"))
        step.by.thread = MACHINE_KERNEL;
    else if (strcmp(name, "M"))
        step.by.thread = thread_named(f, name);
    return step;
}

static inline void step_list(const fixture *f, const state *s, const char *word, successors *out) {
    step_options how = {.effects = true, .inputs = f->inputs};
    machine_step(f->m, s, parse_step(f, word).by, &how, out);
}

/* One step to the only successor that goes on (or, with `:k`, successor k). The given state is released. */
static inline state *step(const fixture *f, state *s, const char *word) {
    named_step what = parse_step(f, word);
    bool enabled = is_enabled(f, s, what.by.thread);
    if (!enabled) fail_msg("%s is not enabled", word);
    successors list = {0};
    step_list(f, s, word, &list);
    bool chosen = strchr(word, ':') != NULL;
    if (!chosen && list.size != 1) fail_msg("%s has %zu successors", word, list.size);
    if (what.successor >= list.size) fail_msg("%s has only %zu successors", word, list.size);
    const successor *next = &list.data[what.successor];
    if (next->end != STEP_STOPPED && next->end != STEP_FINISHED)
        fail_msg("%s ends with %d", word, (int)next->end);
    state *to = state_share(next->to);
    successors_free(f->m, &list);
    state_release(f->m, s);
    return to;
}

/* The state after these steps, from `s` (which is released). */
static inline state *walk_from(const fixture *f, state *s, const char *steps) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", steps);
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        s = step(f, s, word);
    return s;
}

/* From the initial state: main's first step, then these. */
static inline state *walk(const fixture *f, const char *steps) {
    return walk_from(f, step(f, machine_initial(f->m, 0), "M"), steps);
}

/* How a step ends, when it has one successor. */
static inline step_end end_of(const fixture *f, const state *s, const char *word) {
    successors list = {0};
    step_list(f, s, word, &list);
    assert_int_equal(list.size, 1);
    step_end end = list.data[0].end;
    successors_free(f->m, &list);
    return end;
}

/* The step of A has exactly these ends. */
static inline void check_ends(const char *source, size_t stopped, size_t violated, size_t assumed_away) {
    fixture f = fixture_open(source);
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    size_t count[STEP_LIMIT + 1] = {0};
    for (size_t i = 0; i < list.size; i++) count[list.data[i].end]++;
    if (count[STEP_STOPPED] != stopped || count[STEP_VIOLATION] != violated ||
        count[STEP_ASSUMED_AWAY] != assumed_away || list.size != stopped + violated + assumed_away)
        fail_msg("%s: %zu stopped, %zu violated, %zu assumed away", source, count[STEP_STOPPED],
                 count[STEP_VIOLATION], count[STEP_ASSUMED_AWAY]);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- searching ------------------------------------------------------------------------------------------ */

static inline outcome search_fixture(const fixture *f, const explore_options *options) {
    outcome out = {0};
    search_run(f->m, options, &out);
    return out;
}

static inline verdict verdict_of(const char *source, const explore_options *options) {
    machine_options how = machine_default_options();
    how.checks_cut = options->all || !(options->properties & PROPERTY_ASSERT);
    fixture f = fixture_open_with(source, &how);
    outcome out = search_fixture(&f, options);
    verdict v = outcome_verdict(&out);
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

static inline explore_options exploring(por_kind por, match_kind match) {
    explore_options o = explore_default_options();
    o.por = por;
    o.match = match;
    return o;
}

/* Tests that try everything leave out what engine search does not have for IVL. */
static inline bool search_can(const explore_options *o) {
    return explorer_can(&explorer_search, o, RULES_SYSTEMC);
}

#endif
