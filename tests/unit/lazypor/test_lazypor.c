/* LazyPOR: the document's programs with their published counts, blocking, limits; and random programs, on
 * which it must agree with the exploration of every interleaving. */
// clang-format off
#include "thread_programs.h"
#include "thread_shapes.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "base/hash.h"
#include "frontend/dlang/dlang.h"
#include "lazypor/lazypor.h"
#include "machine/hangs.h"
#include "reduction/trace_class.h"

static found run_lazypor_with(fixture *f, explore_options o) {
    found r = {.final = {.m = f->m}};
    o.dump_traces = true;
    o.observe = collect_final;
    o.observe_data = &r.final;
    lazypor_run(f->m, &o, &r.out);
    if (r.final.hashes.size)
        qsort(r.final.hashes.data, r.final.hashes.size, sizeof(uint64_t), compare_hashes);
    return r;
}

static found run_lazypor(fixture *f, unsigned properties, bool all) {
    explore_options o = explore_default_options();
    o.properties = properties;
    o.all = all;
    return run_lazypor_with(f, o);
}

static const unsigned everything = PROPERTY_ASSERT | PROPERTY_MEMORY | PROPERTY_DEADLOCK;

/* --- the document's programs ---------------------------------------------------------------------------- */

static fixture open_model(const char *name, const char *parameter, int64_t value) {
    char path[400];
    snprintf(path, sizeof path, "%s/models/dlang/%s.dl", HEDDLE_SOURCE_DIR, name);
    char *source = read_text_file(path);
    diagnostics d = {.file = path, .source = source};
    dlang_setting setting = {parameter, value};
    program *p = dlang_parse(path, source, strlen(source), &setting, parameter != NULL, &d);
    assert_non_null(p);
    diag_free(&d);
    free(source);
    return fixture_of_program(p, NULL, 0);
}

static void assert_executions(const char *name, const char *parameter, int64_t value, uint64_t expected,
                              uint64_t surplus) {
    fixture f = open_model(name, parameter, value);
    found r = run_lazypor(&f, everything, false);
    assert_true(r.out.complete);
    assert_int_equal(r.out.doubts.size, 0);
    if (r.out.trace_classes.size != expected || r.out.stats.executions < expected ||
        r.out.stats.executions > expected + surplus)
        fail_msg("%s %s=%d: %d executions of %d classes instead of %d", name, parameter, (int)value,
                 (int)r.out.stats.executions, (int)r.out.trace_classes.size, (int)expected);
    found_free(&r);
    fixture_close(&f);
}

static void readers_and_writers(void **unused) {
    (void)unused;
    for (int readers = 1; readers <= 10; readers++)
        assert_executions("readers-writers", "N", readers, UINT64_C(1) << readers, 0);
}

static void indexer(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 14; threads++) {
        uint64_t expected = threads <= 11 ? 1 : UINT64_C(1) << 3 * (threads - 11);
        assert_executions("indexer", "N", threads, expected, 0);
        assert_executions("indexer-plain", "N", threads, expected, 0);
    }
}

static void small_indexer(void **unused) {
    (void)unused;
    for (int threads = 2; threads <= 11; threads++)
        assert_executions("indexer-small", "N", threads, UINT64_C(1) << (threads - 2), 0);
}

/* The published figures are 1, 49, 393, 5555, 124123: the document's algorithm explores classes again and
 * again here, or does not end. */
static void branching_on_shared_data(void **unused) {
    (void)unused;
    static const unsigned classes[] = {1, 11, 28, 103, 311};
    for (int threads = 1; threads <= 5; threads++)
        assert_executions("branching", "length", threads, classes[threads - 1], 0);
}

/* Listings 1.1, 4.1, 4.2 (on which the document's algorithm diverges), 4.3. */
static void small_listings(void **unused) {
    (void)unused;
    assert_executions("independent-writes", NULL, 0, 1, 0);
    assert_executions("program-order", NULL, 0, 4, 0);
    assert_executions("global-branchings", NULL, 0, 3, 0);
    assert_executions("unsatisfiable-constraints", NULL, 0, 3, 0);
}

/* Listing 1.2: which cell a step touches depends on a cell that it reads. */
static void dependencies_that_change(void **unused) {
    (void)unused;
    assert_executions("dynamic-dependency", NULL, 0, 3, 1);
}

static void other_benchmarks(void **unused) {
    (void)unused;
    for (int n = 2; n <= 8; n++) assert_executions("lastzero", "N", n, (uint64_t)(n + 3) << (n - 2), 0);
    for (int n = 12; n <= 17; n++)
        assert_executions("filesystem", "N", n, n <= 13 ? 1 : UINT64_C(1) << (n - 13), 0);
}

/* --- blocking ------------------------------------------------------------------------------------------- */

static void assert_classes(maker k, size_t classes) {
    fixture f = open_maker(&k);
    found r = run_lazypor(&f, everything, false);
    assert_true(r.out.complete);
    assert_int_equal(r.out.trace_classes.size, classes);
    assert_int_equal(r.out.stats.executions, classes);
    found_free(&r);
    fixture_close(&f);
}

/* An unlocking stands between two lockings, but does not happen when they are swapped. */
static void critical_sections_come_in_any_order(void **unused) {
    (void)unused;
    assert_classes(critical_sections(2), 2);
    assert_classes(critical_sections(3), 6);
    assert_classes(critical_sections(4), 24);
}

static void crossed_locks_deadlock(void **unused) {
    (void)unused;
    maker k = crossed_locks();
    fixture f = open_maker(&k);
    found r = run_lazypor(&f, everything, true);
    assert_int_equal(r.out.violations.size, 1);
    assert_int_equal(r.out.violations.data[0].kind, VIOLATION_DEADLOCK);
    assert_true(r.out.violations.data[0].confirmed);
    assert_int_equal(r.out.trace_classes.size, 3); /* p first, q first, each has one */
    found_free(&r);
    fixture_close(&f);
}

/* The thread that waits is blocked for ever if the flag is lowered before it looks. */
static void a_blocked_operation_is_planned_earlier(void **unused) {
    (void)unused;
    maker k = lowered_flag();
    fixture f = open_maker(&k);
    found r = run_lazypor(&f, PROPERTY_ASSERT, false);
    assert_int_equal(r.final.hashes.size, 2);
    assert_int_equal(outcome_verdict(&r.out), VERDICT_SAFE);
    found_free(&r);
    fixture_close(&f);
}

/* --- verdicts and limits -------------------------------------------------------------------------------- */

static void a_lost_update_is_found(void **unused) {
    (void)unused;
    fixture f = open_model("lost-update", "N", 3);
    found r = run_lazypor(&f, PROPERTY_ASSERT, false);
    assert_int_equal(outcome_verdict(&r.out), VERDICT_UNSAFE);
    assert_true(r.out.violations.data[0].confirmed);
    found_free(&r);
    fixture_close(&f);
}

static void assert_unknown(fixture *f, explore_options o, const char *reason) {
    found r = run_lazypor_with(f, o);
    assert_int_equal(outcome_verdict(&r.out), VERDICT_UNKNOWN);
    assert_string_equal(reason_words(r.out.doubts.data[0].why), reason);
    found_free(&r);
}

static void limits_are_doubts(void **unused) {
    (void)unused;
    fixture f = open_model("readers-writers", "N", 6);
    explore_options o = explore_default_options();
    o.max_depth = 4;
    assert_unknown(&f, o, "depth limit");
    o.max_depth = 0;
    o.max_transitions = 50;
    assert_unknown(&f, o, "transition limit");
    fixture_close(&f);
}

/* Giving up at visited states saves executions and costs the claim to have seen everything. */
static void tracked_states_are_a_doubt(void **unused) {
    (void)unused;
    fixture f = open_model("readers-writers", "N", 8);
    explore_options o = explore_default_options();
    o.state_tracking = true;
    found r = run_lazypor_with(&f, o);
    assert_int_equal(outcome_verdict(&r.out), VERDICT_UNKNOWN);
    assert_true(r.out.stats.matched > 0);
    assert_true(r.out.stats.executions < 256);
    found_free(&r);
    fixture_close(&f);
}

static void data_races_are_not_looked_for(void **unused) {
    (void)unused;
    fixture f = open_model("program-order", NULL, 0);
    explore_options o = explore_default_options();
    o.properties = PROPERTY_RACE;
    assert_unknown(&f, o, "engine lazypor does not look for data races");
    fixture_close(&f);
}

/* --- random programs ------------------------------------------------------------------------------------ */

/* A section that touches one cell or another, depending on a third. */
static void put_section(maker *k, uint64_t *seed, uint32_t number) {
    put_sync(k, SYNC_ATOMIC_BEGIN);
    fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, put_load(k, random_cell(seed)), number));
    put_store(k, random_cell(seed), operand_const(32, number + 1));
    end_if(k, fork);
    if (random_below(seed, 2)) put_store(k, random_cell(seed), operand_const(32, 4));
    put_sync(k, SYNC_ATOMIC_END);
}

static void put_input_branch(maker *k, uint64_t *seed, uint32_t cell) {
    uint32_t input = put_input(k);
    fork_in_code fork = begin_if(k, put_compare(k, ARITH_ULT, input, 5));
    put_store(k, cell, operand_const(32, 9));
    end_if(k, fork);
    if (random_below(seed, 2)) put_store(k, random_cell(seed), operand_register(input, 32));
}

static void put_wait(maker *k, uint64_t *seed, uint32_t cell, uint32_t number) {
    put_await(k, cell, ARITH_NE, number);
    if (random_below(seed, 2)) put_add(k, random_cell(seed), 1);
    put_sync(k, SYNC_ATOMIC_END);
}

static void random_statement_of_thread(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    uint32_t cell = random_cell(seed), number = random_below(seed, 3);
    unsigned kind = random_below(seed, 18);
    if (kind < 3) {
        *local = put_load(k, cell);
    } else if (kind < 5) {
        put_store(k, cell, operand_const(32, number));
    } else if (kind < 6) {
        put_store(k, cell, *local == NO_INDEX ? operand_const(32, number) : operand_register(*local, 32));
    } else if (kind < 8) {
        put_add(k, cell, number + 1);
    } else if (kind < 9) {
        put_compare_and_swap(k, cell, number, number + 1);
    } else if (kind < 11) {
        uint32_t read = *local == NO_INDEX ? put_load(k, random_cell(seed)) : *local;
        fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, read, number));
        put_store(k, cell, operand_const(32, 7));
        end_if(k, fork);
    } else if (kind < 13 && s->sections) {
        put_section(k, seed, number);
    } else if (kind < 14 && s->inputs) {
        put_input_branch(k, seed, cell);
    } else if (kind < 15 && s->assertions) {
        put_assert(k, put_compare(k, ARITH_NE, put_load(k, cell), number + 1));
    } else if (kind < 16 && s->locks) {
        put_wait(k, seed, cell, number);
    } else if (kind < 17 && s->spins) {
        put_spin(k, cell, number);
    } else {
        put_store(k, cell, operand_const(32, number + 3));
    }
}

/* --- every interleaving --------------------------------------------------------------------------------- */

enum { MOST_TRANSITIONS = 20000, LONGEST = 100, MOST_CHECKS = 64 }; /* larger programs are left out */

typedef VEC(uint64_t) numbers;

typedef struct everything_seen {
    fixture *f;
    numbers classes, finals;
    uint64_t violated; /* bits of checks */
    bool deadlock;
    unsigned transitions;
    trace_event events[LONGEST];
    effect touched[LONGEST];
    size_t length;
} everything_seen;

static void add_number(numbers *list, uint64_t number) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == number) return;
    vec_push(list, number);
}

static void see_end(everything_seen *e, const state *end, bool forked) {
    uint64_t final = state_hash(end, HASH_EXACT), class = trace_class(e->events, e->length);
    add_number(&e->finals, final);
    add_number(&e->classes, forked ? hash_pair(class, final) : class); /* as explorers name classes */
}

static void see_all(everything_seen *e, const state *s, bool forked);

static void see_outcome(everything_seen *e, uint32_t thread, const successor *to, bool forked) {
    effect *touched = &e->touched[e->length];
    effect_clear(touched);
    for (size_t i = 0; i < to->touched.size; i++) {
        uint8_t kind = to->touched.data[i].kind;
        if (kind <= ACCESS_UPDATE || kind == ACCESS_END || kind == ACCESS_JOIN || kind == ACCESS_CLAIM)
            vec_push(touched, to->touched.data[i]);
    }
    e->events[e->length++] = (trace_event){thread, 0, false, touched};
    assert_true(e->length < LONGEST);
    if (to->end == STEP_VIOLATION) e->violated |= UINT64_C(1) << to->check % MOST_CHECKS;
    if (to->end == STEP_FINISHED) see_end(e, to->to, forked);
    if (to->end == STEP_STOPPED) see_all(e, to->to, forked);
    e->length--;
}

static void see_all(everything_seen *e, const state *s, bool forked) {
    static const step_options how = {.effects = true, .continue_after_violation = true};
    transitions enabled = {0};
    machine_enabled(e->f->m, s, &enabled);
    if (!enabled.size) {
        see_end(e, s, forked);
        e->deadlock |= machine_deadlocked(e->f->m, s);
    }
    for (size_t i = 0; i < enabled.size && e->transitions++ < MOST_TRANSITIONS; i++) {
        successors out = {0};
        machine_step(e->f->m, s, enabled.data[i], &how, &out);
        for (size_t k = 0; k < out.size; k++)
            see_outcome(e, enabled.data[i].thread, &out.data[k], forked || out.size > 1);
        successors_free(e->f->m, &out);
    }
    vec_free(&enabled);
}

static void everything_free(everything_seen *e) {
    for (size_t i = 0; i < LONGEST; i++) effect_free(&e->touched[i]);
    vec_free(&e->classes);
    vec_free(&e->finals);
}

static bool same_numbers(const numbers *all, const uint64_t *list, size_t count) {
    bool same = all->size == count;
    for (size_t i = 0; same && i < count; i++) {
        same = false;
        for (size_t k = 0; k < all->size; k++) same |= all->data[k] == list[i];
    }
    return same;
}

/* Programs without classes to compare: how often a loop goes round before its thread waits is not the same in
 * all orders of independent steps; nor is whether a thread looks at a symbolic cell in vain before it waits,
 * or knows from another thread's branch that it must. */
static bool has_classes(const shape *s) {
    return !s->spins && !(s->inputs && s->locks);
}

static void assert_same(const everything_seen *all, const found *planned, bool classes, uint64_t seed) {
    const outcome *out = &planned->out;
    uint64_t violated = 0;
    bool deadlock = false;
    for (size_t i = 0; i < out->violations.size; i++) {
        const violation *v = &out->violations.data[i];
        deadlock |= v->kind == VIOLATION_DEADLOCK;
        if (v->kind == VIOLATION_CHECK) violated |= UINT64_C(1) << v->check % MOST_CHECKS;
    }
    bool same = out->complete && !out->doubts.size && violated == all->violated &&
                deadlock == all->deadlock &&
                same_numbers(&all->finals, planned->final.hashes.data, planned->final.hashes.size);
    if (classes) same &= same_numbers(&all->classes, out->trace_classes.data, out->trace_classes.size);
    if (!same)
        fail_msg("seed %lu: final states %zu and %zu, classes %zu and %zu, violations %lx and %lx",
                 (unsigned long)seed, all->finals.size, planned->final.hashes.size, all->classes.size,
                 out->trace_classes.size, (unsigned long)all->violated, (unsigned long)violated);
}

typedef struct tally {
    uint64_t programs, classes, executions;
} tally;

static void check_one(uint64_t seed, const shape *s, tally *sum) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    maker k = random_threads(&random, s, random_statement_of_thread);
    fixture f = open_maker(&k);
    everything_seen all = {.f = &f};
    state *initial = machine_initial(f.m, 0);
    see_all(&all, initial, false);
    state_release(f.m, initial);
    if (all.transitions < MOST_TRANSITIONS) {
        found planned = run_lazypor(&f, PROPERTY_ASSERT | PROPERTY_DEADLOCK, true);
        assert_same(&all, &planned, has_classes(s), seed);
        sum->programs++;
        sum->classes += planned.out.trace_classes.size;
        sum->executions += planned.out.stats.executions;
        found_free(&planned);
    }
    everything_free(&all);
    fixture_close(&f);
}

static tally check_many(uint64_t first, unsigned count, const shape *s) {
    tally sum = {0};
    for (unsigned i = 0; i < count; i++) check_one(first + i, s, &sum);
    assert_true(sum.programs > count / 2);
    return sum;
}

/* Where each step is one access or works on one cell, no class is explored twice. */
static void assert_no_surplus(tally sum) {
    assert_int_equal(sum.executions, sum.classes);
}

static void memory_alone(void **unused) {
    (void)unused;
    assert_no_surplus(check_many(1, 80, &(shape){.threads = 3, .statements = 2}));
    assert_no_surplus(check_many(1000, 40, &(shape){.threads = 2, .statements = 4}));
}

static void sections_on_several_cells(void **unused) {
    (void)unused;
    check_many(10000, 120, &(shape){.threads = 3, .statements = 2, .sections = true});
    check_many(11000, 60, &(shape){.threads = 2, .statements = 4, .sections = true});
}

static void locks_and_waits(void **unused) {
    (void)unused;
    check_many(2000, 120, &(shape){.threads = 3, .statements = 2, .locks = true});
    check_many(3000, 60, &(shape){.threads = 2, .statements = 3, .locks = true, .joins = true});
    check_many(3500, 60, &(shape){.threads = 3, .statements = 2, .locks = true, .sections = true});
}

static void inputs_and_assertions(void **unused) {
    (void)unused;
    check_many(4000, 24, &(shape){.threads = 3, .statements = 2, .inputs = true, .assertions = true});
    check_many(5000, 40, &(shape){.threads = 2, .statements = 3, .assertions = true, .locks = true});
    check_many(6000, 40,
               &(shape){.threads = 2, .statements = 3, .inputs = true, .locks = true, .joins = true});
}

static void spinning(void **unused) {
    (void)unused;
    check_many(7000, 40, &(shape){.threads = 3, .statements = 2, .spins = true});
    check_many(8000, 30, &(shape){.threads = 2, .statements = 3, .spins = true, .locks = true});
}

int main(int count, char **arguments) {
    if (count == 4) { /* first seed, programs, shape as letters: for long runs by hand */
        const char *letters = arguments[3];
        shape s = {.threads = 3, .statements = 2};
        s.locks = strchr(letters, 'l') != NULL;
        s.joins = strchr(letters, 'j') != NULL;
        s.inputs = strchr(letters, 'i') != NULL;
        s.assertions = strchr(letters, 'a') != NULL;
        s.sections = strchr(letters, 'm') != NULL;
        s.spins = strchr(letters, 's') != NULL;
        if (strchr(letters, '2')) s.threads = 2, s.statements = 4;
        tally sum = check_many(strtoull(arguments[1], NULL, 10), (unsigned)atoi(arguments[2]), &s);
        printf("%lu programs, %lu classes, %lu executions\n", (unsigned long)sum.programs,
               (unsigned long)sum.classes, (unsigned long)sum.executions);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_and_writers),
        cmocka_unit_test(indexer),
        cmocka_unit_test(small_indexer),
        cmocka_unit_test(branching_on_shared_data),
        cmocka_unit_test(small_listings),
        cmocka_unit_test(dependencies_that_change),
        cmocka_unit_test(other_benchmarks),
        cmocka_unit_test(critical_sections_come_in_any_order),
        cmocka_unit_test(crossed_locks_deadlock),
        cmocka_unit_test(a_blocked_operation_is_planned_earlier),
        cmocka_unit_test(a_lost_update_is_found),
        cmocka_unit_test(limits_are_doubts),
        cmocka_unit_test(tracked_states_are_a_doubt),
        cmocka_unit_test(data_races_are_not_looked_for),
        cmocka_unit_test(memory_alone),
        cmocka_unit_test(sections_on_several_cells),
        cmocka_unit_test(locks_and_waits),
        cmocka_unit_test(inputs_and_assertions),
        cmocka_unit_test(spinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
