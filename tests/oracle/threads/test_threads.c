/* The parts of the threads oracle: a reference that is wrong would accuse the wrong side. Each program is
 * small enough to be worked out by hand. */
#include "make.h"
#include "reference.h"
#include "shrink.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const reference_limits limits = {5000, 500};

static uint32_t number(program_tree *p, int32_t n) {
    return tree_expr(p, EXPR_NUMBER, n, NONE, NONE);
}

static uint32_t global(program_tree *p, int32_t k) {
    return tree_expr(p, EXPR_GLOBAL, k, NONE, NONE);
}

static uint32_t last_of(program_tree *p, uint32_t in) {
    uint32_t s = p->body[in].first;
    while (tree_at(p, s)->next != NONE) s = tree_at(p, s)->next;
    return s;
}

static uint32_t append(program_tree *p, uint32_t in, stmt_kind kind, int32_t n, uint32_t target, uint32_t a) {
    uint32_t s = tree_stmt(p, kind, last_of(p, in));
    tree_at(p, s)->number = n;
    tree_at(p, s)->target = target;
    tree_at(p, s)->a = a;
    return s;
}

/* main creates and joins the thread bodies 1 .. count. */
static void begin(program_tree *p, uint32_t count) {
    *p = (program_tree){.globals = 2, .mutexes = 2, .conditions = 1, .semaphores = 1};
    p->global[0] = p->global[1] = p->pointed = C_S32;
    tree_body(p, BODY_MAIN);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t thread = tree_body(p, BODY_THREAD);
        uint32_t s = append(p, 0, STMT_CREATE, (int32_t)k, NONE, number(p, 0));
        tree_at(p, s)->op = (uint8_t)thread;
    }
    p->body[0].slots = count;
}

static void join_all(program_tree *p) {
    for (uint32_t k = 0; k < p->body[0].slots; k++) append(p, 0, STMT_JOIN, (int32_t)k, NONE, NONE);
}

static void assert_that(program_tree *p, uint32_t in, expr_kind relation, uint32_t a, uint32_t b) {
    append(p, in, STMT_ASSERT, ASSERT_GOES_ON, NONE, tree_expr(p, relation, 0, a, b));
}

static void run(program_tree *p, bool spurious, reference *r) {
    text source = {0};
    tree_print(p, &source);
    reference_run(p, spurious, &limits, r);
    text_free(&source);
    assert_null(r->refused);
}

static void finish(program_tree *p, reference *r) {
    reference_free(r);
    tree_free(p);
}

/* g0 = g0 + 1 twice: 1 or 2 at the end, a race, no deadlock. */
static void test_lost_update(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 2);
    for (uint32_t t = 1; t <= 2; t++)
        append(&p, t, STMT_ASSIGN, 0, global(&p, 0),
               tree_expr(&p, EXPR_ADD, 0, global(&p, 0), number(&p, 1)));
    join_all(&p);
    assert_that(&p, 0, EXPR_EQUAL, global(&p, 0), number(&p, 2));
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 1);
    assert_int_equal(r.violations.data[0] % 2, 0);
    assert_true(r.race.certain);
    assert_false(r.deadlock.certain);
    assert_false(r.cyclic);
    assert_int_equal(r.finals.size, 2 * r.cells);
    finish(&p, &r);
}

/* The same with a lock around it: 2, no race. */
static void test_locked_update(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 2);
    for (uint32_t t = 1; t <= 2; t++) {
        append(&p, t, STMT_LOCK, 0, NONE, NONE);
        append(&p, t, STMT_ASSIGN, 0, global(&p, 0),
               tree_expr(&p, EXPR_ADD, 0, global(&p, 0), number(&p, 1)));
        append(&p, t, STMT_UNLOCK, 0, NONE, NONE);
    }
    join_all(&p);
    assert_that(&p, 0, EXPR_EQUAL, global(&p, 0), number(&p, 2));
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 0);
    assert_false(r.race.possible);
    assert_int_equal(r.finals.size, r.cells);
    assert_int_equal(r.finals.data[0], 2);
    finish(&p, &r);
}

static void test_locks_in_opposite_order(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 2);
    for (int32_t t = 1; t <= 2; t++) {
        append(&p, (uint32_t)t, STMT_LOCK, t - 1, NONE, NONE);
        append(&p, (uint32_t)t, STMT_LOCK, 2 - t, NONE, NONE);
        append(&p, (uint32_t)t, STMT_UNLOCK, 2 - t, NONE, NONE);
        append(&p, (uint32_t)t, STMT_UNLOCK, t - 1, NONE, NONE);
    }
    join_all(&p);
    run(&p, false, &r);
    assert_true(r.deadlock.certain);
    assert_int_equal(r.violations.size, 0);
    finish(&p, &r);
}

/* wait without a signal: a deadlock, with and without spurious wake-ups, which may or may not come; with them
 * also an end. */
static void test_waiting_for_nobody(void **state) {
    (void)state;
    for (int spurious = 0; spurious < 2; spurious++) {
        program_tree p;
        reference r;
        begin(&p, 1);
        append(&p, 1, STMT_LOCK, 0, NONE, NONE);
        append(&p, 1, STMT_WAIT, 0, NONE, NONE);
        append(&p, 1, STMT_UNLOCK, 0, NONE, NONE);
        join_all(&p);
        run(&p, spurious, &r);
        assert_true(r.deadlock.certain);
        assert_int_equal(r.finals.size, spurious ? r.cells : 0);
        finish(&p, &r);
    }
}

/* thread: g0 = 1, then an assumption that fails. main sees 1 all the same. */
static void test_failing_assumption_hides_nothing_before_it(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 1);
    append(&p, 1, STMT_ASSIGN, 0, global(&p, 0), number(&p, 1));
    append(&p, 1, STMT_ASSUME, 0, NONE, number(&p, 0));
    assert_that(&p, 0, EXPR_EQUAL, global(&p, 0), number(&p, 0));
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 1);
    finish(&p, &r);
}

/* thread: atomically { g0 = 1; g0 = 0; }. Nobody sees 1. */
static void test_sections_are_not_looked_into(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 1);
    uint32_t section = append(&p, 1, STMT_ATOMIC, 0, NONE, NONE), inside = tree_stmt(&p, STMT_ASSIGN, NONE);
    tree_at(&p, section)->body = inside;
    uint32_t second = tree_stmt(&p, STMT_ASSIGN, inside);
    uint32_t target[] = {inside, second};
    for (int32_t k = 0; k < 2; k++) {
        uint32_t place = global(&p, 0), value = number(&p, 1 - k);
        tree_at(&p, target[k])->target = place;
        tree_at(&p, target[k])->a = value;
    }
    assert_that(&p, 0, EXPR_EQUAL, global(&p, 0), number(&p, 0));
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 0);
    assert_true(r.race.possible);
    finish(&p, &r);
}

/* main: input below 3 into v0, g0 = v0: three ends. */
static void test_inputs_are_enumerated(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 0);
    p.body[0].local[0] = C_S32;
    append(&p, 0, STMT_RANGE, 3, tree_expr(&p, EXPR_LOCAL, 0, NONE, NONE), NONE);
    append(&p, 0, STMT_ASSIGN, 0, global(&p, 0), tree_expr(&p, EXPR_LOCAL, 0, NONE, NONE));
    run(&p, false, &r);
    assert_true(r.inputs);
    assert_int_equal(r.finals.size, 3 * r.cells);
    finish(&p, &r);
}

/* thread: q0 = &box. main follows q0: null before, dead after, and fine in between. */
static void test_published_local_dies(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 1);
    p.pointers = 1;
    p.body[1].has_box = true;
    append(&p, 1, STMT_POINT, 0, tree_expr(&p, EXPR_POINTER_GLOBAL, 0, NONE, NONE),
           tree_expr(&p, EXPR_AT_BOX, 0, NONE, NONE));
    uint32_t pointer = tree_expr(&p, EXPR_POINTER_GLOBAL, 0, NONE, NONE);
    append(&p, 0, STMT_ASSIGN, 0, tree_expr(&p, EXPR_FOLLOW, 0, pointer, number(&p, 0)), number(&p, 1));
    join_all(&p);
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 1);
    assert_int_equal(r.violations.data[0] % 2, 1);
    assert_int_equal(r.finals.size, r.cells);
    finish(&p, &r);
}

static void test_spinning_is_a_cycle_and_no_deadlock(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 1);
    uint32_t loop = append(&p, 1, STMT_WHILE, 0, NONE, tree_expr(&p, EXPR_NOT, 0, global(&p, 0), NONE));
    uint32_t nothing = tree_stmt(&p, STMT_NOTHING, NONE);
    tree_at(&p, loop)->body = nothing;
    join_all(&p);
    run(&p, false, &r);
    assert_true(r.cyclic);
    assert_false(r.deadlock.possible); /* main waits for the end of a thread that goes on */
    assert_int_equal(r.finals.size, 0);
    finish(&p, &r);
}

/* Two threads meet at a barrier for two: exactly one of them gets -1, and nobody is left behind. */
static void test_barrier(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 2);
    p.barriers = 1;
    p.needed[0] = 2;
    for (uint32_t t = 1; t <= 2; t++) {
        uint32_t local = tree_expr(&p, EXPR_LOCAL, 1, NONE, NONE);
        p.body[t].local[1] = C_S32;
        append(&p, t, STMT_MEET, 0, local, NONE);
        uint32_t s = append(&p, t, STMT_FETCH, 0, NONE, tree_expr(&p, EXPR_LOCAL, 1, NONE, NONE));
        tree_at(&p, s)->place = global(&p, 0);
        tree_at(&p, s)->op = EXPR_ADD;
    }
    join_all(&p);
    run(&p, false, &r);
    assert_false(r.deadlock.possible);
    assert_int_equal(r.finals.size, r.cells);
    assert_int_equal(r.finals.data[0], -1);
    finish(&p, &r);
}

/* The routine adds 1 to g0, once, and is over when pthread_once returns. */
static void test_once(void **state) {
    (void)state;
    program_tree p;
    reference r;
    begin(&p, 2);
    p.onces = 1;
    uint32_t routine = tree_body(&p, BODY_ONCE);
    append(&p, routine, STMT_ASSIGN, 0, global(&p, 0),
           tree_expr(&p, EXPR_ADD, 0, global(&p, 0), number(&p, 1)));
    for (uint32_t t = 1; t <= 2; t++) {
        tree_at(&p, append(&p, t, STMT_ONCE, 0, NONE, NONE))->op = (uint8_t)routine;
        assert_that(&p, t, EXPR_EQUAL, global(&p, 0), number(&p, 1));
    }
    join_all(&p);
    run(&p, false, &r);
    assert_int_equal(r.violations.size, 0);
    assert_false(r.race.possible);
    assert_int_equal(r.finals.size, r.cells);
    assert_int_equal(r.finals.data[0], 1);
    finish(&p, &r);
}

/* Readers do not exclude each other (the update of one can be lost), a writer excludes them. */
static void test_read_write_lock(void **state) {
    (void)state;
    for (int writes = 0; writes < 2; writes++) {
        program_tree p;
        reference r;
        begin(&p, 2);
        p.rwlocks = 1;
        for (uint32_t t = 1; t <= 2; t++) {
            append(&p, t, writes ? STMT_WRITE_LOCK : STMT_READ_LOCK, 0, NONE, NONE);
            append(&p, t, STMT_ASSIGN, 0, global(&p, 0),
                   tree_expr(&p, EXPR_ADD, 0, global(&p, 0), number(&p, 1)));
            append(&p, t, STMT_RELEASE, 0, NONE, NONE);
        }
        join_all(&p);
        run(&p, false, &r);
        assert_int_equal(r.finals.size, (writes ? 1 : 2) * r.cells);
        assert_int_equal(r.race.certain, !writes);
        finish(&p, &r);
    }
}

/* Locking twice: blocks, counts, or is refused. */
static void test_kinds_of_mutexes(void **state) {
    (void)state;
    for (mutex_kind kind = MUTEX_NORMAL; kind < MUTEX_KINDS; kind++) {
        program_tree p;
        reference r;
        begin(&p, 1);
        p.mutex[0] = kind;
        append(&p, 1, STMT_LOCK, 0, NONE, NONE);
        append(&p, 1, STMT_LOCK, 0, NONE, NONE);
        append(&p, 1, STMT_UNLOCK, 0, NONE, NONE);
        /* Ours in any case, but free if it was refused. */
        append(&p, 1, STMT_TRYLOCK, 0, global(&p, 0), NONE);
        join_all(&p);
        run(&p, false, &r);
        assert_int_equal(r.deadlock.certain, kind == MUTEX_NORMAL || kind == MUTEX_SPIN);
        assert_int_equal(r.finals.size, r.deadlock.certain ? 0 : r.cells);
        finish(&p, &r);
    }
}

/* What an attempt may do to orders depends on whether it can fail, not on that there is one. */
static void test_attempts_that_fail(void **state) {
    (void)state;
    for (int locks = 0; locks < 2; locks++) {
        program_tree p;
        reference r;
        begin(&p, 2);
        append(&p, 1, STMT_TRYLOCK, 0, global(&p, 0), NONE);
        if (locks) append(&p, 2, STMT_LOCK, 0, NONE, NONE);
        join_all(&p);
        run(&p, false, &r);
        assert_false(r.race.certain);
        assert_int_equal(r.race.possible, locks);
        finish(&p, &r);
    }
}

/* A weak compare-and-swap of 0 may leave it 0, if things may happen for no reason. */
static void test_weak_compare_and_swap(void **state) {
    (void)state;
    for (int spurious = 0; spurious < 2; spurious++) {
        program_tree p;
        reference r;
        begin(&p, 1);
        p.body[1].local[0] = p.body[1].local[1] = C_S32;
        uint32_t s =
            append(&p, 1, STMT_CAS, CAS_WEAK, tree_expr(&p, EXPR_LOCAL, 0, NONE, NONE), number(&p, 0));
        uint32_t place = global(&p, 0), wanted = number(&p, 1);
        tree_at(&p, s)->place = place;
        tree_at(&p, s)->b = wanted;
        tree_at(&p, s)->op = 1;
        join_all(&p);
        run(&p, spurious, &r);
        assert_int_equal(r.finals.size, (spurious ? 2 : 1) * r.cells);
        finish(&p, &r);
    }
}

static void test_arithmetic_is_that_of_c(void **state) {
    (void)state;
    assert_int_equal(c_convert(C_S8, 200), -56);
    assert_int_equal(c_convert(C_U8, -1), 255);
    assert_int_equal(c_common(C_U8, C_S16), C_S32);
    assert_int_equal(c_common(C_U32, C_S32), C_U32);
    assert_int_equal(c_common(C_U32, C_S64), C_S64);
    assert_int_equal(c_common(C_U64, C_S64), C_U64);
}

static void test_generator_repeats_itself(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        text a = {0}, b = {0};
        program_tree first, second;
        make_tree(seed, (profile)(seed % PROFILES), &first);
        make_tree(seed, (profile)(seed % PROFILES), &second);
        tree_print(&first, &a);
        tree_print(&second, &b);
        assert_string_equal(text_cstr(&a), text_cstr(&b));
        text_free(&a);
        text_free(&b);
        tree_free(&first);
        tree_free(&second);
    }
}

static bool can_deadlock(void *data, program_tree *p) {
    (void)data;
    text source = {0};
    reference r;
    tree_print(p, &source);
    reference_run(p, false, &limits, &r);
    bool result = !r.refused && r.deadlock.certain;
    reference_free(&r);
    text_free(&source);
    return result;
}

static unsigned statements_left(const program_tree *p) {
    unsigned count = 0;
    for (uint32_t b = 0; b < p->bodies; b++)
        for (uint32_t s = p->body[b].first; !p->body[b].absent && s != NONE; s = p->stmts.data[s].next)
            count += p->stmts.data[s].kind != STMT_NOTHING;
    return count;
}

/* What remains of a deadlocking program is a lock that is taken twice, or a wait or join that never ends. */
static void test_shrinker_keeps_what_matters(void **state) {
    (void)state;
    unsigned tried = 0;
    for (uint64_t seed = 0; tried < 5 && seed < 500; seed++) {
        program_tree p;
        make_tree(seed, PROFILE_LOCKS, &p);
        if (can_deadlock(NULL, &p)) {
            shrink_tree(&p, can_deadlock, NULL);
            assert_true(can_deadlock(NULL, &p));
            assert_true(statements_left(&p) <= 8);
            tried++;
        }
        tree_free(&p);
    }
    assert_int_equal(tried, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_update),
        cmocka_unit_test(test_locked_update),
        cmocka_unit_test(test_locks_in_opposite_order),
        cmocka_unit_test(test_waiting_for_nobody),
        cmocka_unit_test(test_failing_assumption_hides_nothing_before_it),
        cmocka_unit_test(test_sections_are_not_looked_into),
        cmocka_unit_test(test_inputs_are_enumerated),
        cmocka_unit_test(test_published_local_dies),
        cmocka_unit_test(test_spinning_is_a_cycle_and_no_deadlock),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_read_write_lock),
        cmocka_unit_test(test_kinds_of_mutexes),
        cmocka_unit_test(test_attempts_that_fail),
        cmocka_unit_test(test_weak_compare_and_swap),
        cmocka_unit_test(test_arithmetic_is_that_of_c),
        cmocka_unit_test(test_generator_repeats_itself),
        cmocka_unit_test(test_shrinker_keeps_what_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
