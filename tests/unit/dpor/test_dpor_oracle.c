/* Random concurrent programs: the reductions must agree with the exploration of every interleaving on final
 * states, violations, deadlocks and trace classes; the optimal one explores each class once. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

static void random_statement_of_thread(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    uint32_t cell = random_cell(seed), number = random_below(seed, 3);
    unsigned kind = random_below(seed, 16);
    if (kind < 3) {
        *local = put_load(k, cell);
    } else if (kind < 6) {
        put_store(k, cell, operand_const(32, number));
    } else if (kind < 7) {
        put_store(k, cell, *local == NO_INDEX ? operand_const(32, number) : operand_register(*local, 32));
    } else if (kind < 9) {
        put_add(k, cell, number + 1);
    } else if (kind < 10) {
        put_compare_and_swap(k, cell, number, number + 1);
    } else if (kind < 12 && *local != NO_INDEX) {
        fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, *local, number));
        put_store(k, random_cell(seed), operand_const(32, 7));
        end_if(k, fork);
    } else if (kind < 13 && s->inputs) {
        uint32_t input = put_input(k);
        fork_in_code fork = begin_if(k, put_compare(k, ARITH_ULT, input, 5));
        put_store(k, cell, operand_const(32, 9));
        end_if(k, fork);
        if (random_below(seed, 2)) put_store(k, random_cell(seed), operand_register(input, 32));
    } else if (kind < 14 && s->assertions && *local != NO_INDEX) {
        put_assert(k, put_compare(k, ARITH_NE, *local, number + 1));
    } else if (kind == 14 && s->spins) {
        put_spin(k, cell, number);
    } else if (kind < 15 && s->locks) {
        put_await(k, cell, ARITH_NE, number);
        if (random_below(seed, 2)) put_add(k, random_cell(seed), 1);
        put_sync(k, SYNC_ATOMIC_END);
    } else {
        put_store(k, cell, operand_const(32, number + 3));
    }
}

/* --- comparison ----------------------------------------------------------------------------------------- */

static bool violates(const outcome *o, violation_kind kind, uint32_t check_index) {
    for (size_t i = 0; i < o->violations.size; i++)
        if (o->violations.data[i].kind == kind && o->violations.data[i].check == check_index) return true;
    return false;
}

/* How often a loop goes round before its thread waits is not the same in all orders of independent steps, so
 * spinning programs have no trace classes to compare. */
static void assert_same(const found *a, const found *b, size_t checks, bool classes, uint64_t seed,
                        const char *name) {
    bool same = a->final.hashes.size == b->final.hashes.size &&
                (!classes || a->out.trace_classes.size == b->out.trace_classes.size) &&
                a->out.doubts.size == b->out.doubts.size && a->out.complete && b->out.complete &&
                violates(&a->out, VIOLATION_DEADLOCK, 0) == violates(&b->out, VIOLATION_DEADLOCK, 0);
    for (size_t i = 0; same && i < a->final.hashes.size; i++)
        same = a->final.hashes.data[i] == b->final.hashes.data[i];
    for (size_t i = 0; same && classes && i < a->out.trace_classes.size; i++)
        same = a->out.trace_classes.data[i] == b->out.trace_classes.data[i];
    for (uint32_t c = 0; same && c < checks; c++)
        same = violates(&a->out, VIOLATION_CHECK, c) == violates(&b->out, VIOLATION_CHECK, c);
    if (!same)
        fail_msg(
            "seed %lu: %s differs: final states %zu and %zu, classes %zu and %zu, violations %zu and %zu",
            (unsigned long)seed, name, a->final.hashes.size, b->final.hashes.size, a->out.trace_classes.size,
            b->out.trace_classes.size, a->out.violations.size, b->out.violations.size);
}

/* Programs with more interleavings than this many transitions are left out. */
enum { MOST_TRANSITIONS = 20000 };

/* False: left out. */
static bool check_one(uint64_t seed, const shape *s) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    maker k = random_threads(&random, s, random_statement_of_thread);
    fixture f = open_maker(&k);
    unsigned properties = PROPERTY_ASSERT | PROPERTY_DEADLOCK;
    found all = run_dpor_within(&f, POR_NONE, properties, true, MOST_TRANSITIONS);
    bool small = all.out.stats.transitions < MOST_TRANSITIONS;
    static const por_kind kinds[] = {POR_PERSISTENT, POR_SOURCE, POR_OPTIMAL};
    for (size_t i = 0; small && i < 3; i++) {
        found reduced = run_dpor(&f, kinds[i], properties, true);
        assert_same(&all, &reduced, f.p->checks.size, !s->spins, seed, por_name(kinds[i]));
        if (kinds[i] == POR_OPTIMAL && !s->inputs && !s->spins) {
            if (reduced.out.stats.blocked_executions) fail_msg("seed %lu: blocked", (unsigned long)seed);
            if (!s->assertions) assert_int_equal(reduced.out.stats.executions, all.out.trace_classes.size);
        }
        if (kinds[i] == POR_SOURCE && !s->inputs && !s->assertions && !s->spins)
            assert_int_equal(reduced.out.stats.executions - reduced.out.stats.blocked_executions,
                             all.out.trace_classes.size);
        found_free(&reduced);
    }
    found_free(&all);
    fixture_close(&f);
    return small;
}

static void check_many(uint64_t first, unsigned count, const shape *s) {
    unsigned checked = 0;
    for (unsigned i = 0; i < count; i++) checked += check_one(first + i, s);
    assert_true(checked > count / 2);
}

static void memory_alone(void **unused) {
    (void)unused;
    check_many(1, 60, &(shape){.threads = 3, .statements = 2});
    check_many(1000, 30, &(shape){.threads = 2, .statements = 4});
}

static void locks_and_waits(void **unused) {
    (void)unused;
    check_many(2000, 120, &(shape){.threads = 3, .statements = 2, .locks = true});
    check_many(3000, 60, &(shape){.threads = 2, .statements = 3, .locks = true, .joins = true});
}

static void inputs_and_assertions(void **unused) {
    (void)unused;
    check_many(4000, 16, &(shape){.threads = 3, .statements = 2, .inputs = true, .assertions = true});
    check_many(5000, 30, &(shape){.threads = 2, .statements = 3, .assertions = true, .locks = true});
    check_many(6000, 30,
               &(shape){.threads = 2, .statements = 3, .inputs = true, .locks = true, .joins = true});
}

static void spinning(void **unused) {
    (void)unused;
    check_many(7000, 40, &(shape){.threads = 3, .statements = 2, .spins = true});
    check_many(8000, 30, &(shape){.threads = 2, .statements = 3, .spins = true, .locks = true});
}

int main(int count, char **arguments) {
    if (count == 4) { /* first seed, programs, shape as letters: for long runs by hand */
        shape s = {.threads = 3, .statements = 2};
        s.locks = strchr(arguments[3], 'l') != NULL;
        s.joins = strchr(arguments[3], 'j') != NULL;
        s.inputs = strchr(arguments[3], 'i') != NULL;
        s.assertions = strchr(arguments[3], 'a') != NULL;
        s.spins = strchr(arguments[3], 's') != NULL;
        if (strchr(arguments[3], '2')) s.threads = 2, s.statements = 4;
        for (int i = 0; i < atoi(arguments[2]); i++) check_one(strtoull(arguments[1], NULL, 10) + i, &s);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_alone),
        cmocka_unit_test(locks_and_waits),
        cmocka_unit_test(inputs_and_assertions),
        cmocka_unit_test(spinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
