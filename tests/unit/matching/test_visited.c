/* The set of visited states: finding by coverage, stable entries, forgetting the oldest under a bound. */
#include "core_fixture.h"

#include "machine/state.h"
#include "matching/visited.h"

static const char sample[] = "int x = ?(int), k; thread A{wait_time 1; k = 2; x = 1;}";

/* A state of its own for every number. */
static state *numbered(const fixture *f, const state *base, uint64_t number) {
    state *s = state_clone(base);
    state_own_object(s, object_named(f, "k"))->cell[0].bits = term_const(f->c, 32, number);
    return s;
}

static void check_that_what_was_added_is_found(bool compact) {
    fixture f = fixture_open(sample);
    state *base = walk(&f, "");
    for (int kind = 0; kind < MATCH_KINDS; kind++) {
        if (kind == MATCH_NONE) continue;
        visited *v = compact ? visited_create_compact(f.m, (match_kind)kind, true, false)
                             : visited_create(f.m, (match_kind)kind, true, 0);
        visited_entry *entry[50];
        for (uint64_t i = 0; i < 50; i++) {
            state *s = numbered(&f, base, i);
            assert_null(visited_find(v, s));
            entry[i] = visited_add(v, s);
            assert_true(entry[i]->on_stack);
            assert_int_equal(entry[i]->id, i);
            state_release(f.m, s);
        }
        assert_int_equal(visited_size(v), 50);
        for (uint64_t i = 0; i < 50; i++) {
            state *s = numbered(&f, base, i);
            assert_ptr_equal(visited_find(v, s), entry[i]);
            state_release(f.m, s);
        }
        assert_int_equal(visited_matched(v), 50);
        assert_true(visited_attempts(v) >= 50);
        assert_int_equal(visited_evicted(v), 0);
        assert_true(visited_bytes(v) > 50 * sizeof(visited_entry));
        for (uint64_t i = 0; i < 50; i++) {
            state *s = visited_restore(v, entry[i]), *same = numbered(&f, base, i);
            assert_true(state_identical(s, same));
            state_release(f.m, s);
            state_release(f.m, same);
        }
        visited_destroy(v);
    }
    state_release(f.m, base);
    fixture_close(&f);
}

static void what_was_added_is_found(void **unused) {
    (void)unused;
    check_that_what_was_added_is_found(false);
    check_that_what_was_added_is_found(true);
}

/* Under a bound the oldest go first, but never those on the stack. */
static void the_oldest_off_the_stack_are_forgotten(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *base = walk(&f, "");
    visited *v = visited_create(f.m, MATCH_CEQ, true, 10000);
    enum { COUNT = 400, KEPT = 7 };
    visited_entry *on_stack[KEPT];
    for (uint64_t i = 0; i < COUNT; i++) {
        state *s = numbered(&f, base, i);
        visited_entry *e = visited_add(v, s);
        if (i < KEPT)
            on_stack[i] = e;
        else
            e->on_stack = false;
        state_release(f.m, s);
    }
    assert_true(visited_evicted(v) > 0);
    assert_int_equal(visited_size(v) + visited_evicted(v), COUNT);
    assert_true(visited_size(v) < COUNT / 2);
    bool gone = true;
    unsigned found = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        state *s = numbered(&f, base, i);
        visited_entry *e = visited_find(v, s);
        if (i < KEPT) {
            assert_ptr_equal(e, on_stack[i]);
        } else {
            if (e) gone = false;
            assert_true(gone || e); /* what is left is the youngest part */
            found += e != NULL;
        }
        state_release(f.m, s);
    }
    assert_int_equal(found + KEPT, visited_size(v));
    visited_destroy(v);
    state_release(f.m, base);
    fixture_close(&f);
}

static void states_on_the_stack_may_exceed_the_bound(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *base = walk(&f, "");
    visited *v = visited_create(f.m, MATCH_AUTO, true, 1);
    for (uint64_t i = 0; i < 30; i++) {
        state *s = numbered(&f, base, i);
        visited_add(v, s);
        state_release(f.m, s);
    }
    assert_int_equal(visited_size(v), 30);
    assert_int_equal(visited_evicted(v), 0);
    visited_destroy(v);
    state_release(f.m, base);
    fixture_close(&f);
}

/* A forgotten state can be added again, in every method's index. */
static void forgotten_states_can_come_back(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *base = walk(&f, "");
    visited *v = visited_create(f.m, MATCH_AUTO, true, 4000);
    for (int round = 0; round < 5; round++)
        for (uint64_t i = 0; i < 60; i++) {
            state *s = numbered(&f, base, i);
            visited_entry *e = visited_find(v, s);
            if (!e) e = visited_add(v, s);
            e->on_stack = false;
            assert_ptr_equal(visited_find(v, s), e);
            state_release(f.m, s);
        }
    assert_true(visited_evicted(v) > 60);
    visited_destroy(v);
    state_release(f.m, base);
    fixture_close(&f);
}

/* Coverage, not equality: a constrained state is found below an unconstrained one and not the
 * other way round. */
static void the_strong_methods_find_what_covers(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *any = walk(&f, ""), *some = state_clone(any);
    state_add_path(some, term_ult(f.c, cell_term(&f, any, "x"), term_const(f.c, 32, 9)));
    static const match_kind strong[] = {MATCH_SBC_CV, MATCH_ESS, MATCH_AUTO};
    for (int i = 0; i < 6; i++) {
        match_kind kind = strong[i % 3];
        bool compact = i >= 3;
        visited *v =
            compact ? visited_create_compact(f.m, kind, true, false) : visited_create(f.m, kind, true, 0);
        visited_entry *e = visited_add(v, any);
        assert_ptr_equal(visited_find(v, some), e);
        visited_destroy(v);
        v = compact ? visited_create_compact(f.m, kind, true, false) : visited_create(f.m, kind, true, 0);
        visited_add(v, some);
        assert_null(visited_find(v, any));
        visited_destroy(v);
    }
    state_free(some);
    state_release(f.m, any);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found),
        cmocka_unit_test(the_oldest_off_the_stack_are_forgotten),
        cmocka_unit_test(states_on_the_stack_may_exceed_the_bound),
        cmocka_unit_test(forgotten_states_can_come_back),
        cmocka_unit_test(the_strong_methods_find_what_covers),
    };
    return cmocka_run_group_tests_name("visited", tests, NULL, NULL);
}
