/* What inputs of the library obey: equal keys have equal numbers, or later ones. */
#include "core_fixture.h"

#include "explore/laws.h"

typedef struct drawing {
    fixture f;
    state *now;
    laws *l;
} drawing;

enum { SEEDED, CLOCK };

static drawing begin_drawing(void) {
    drawing d = {.f = fixture_open("main { }")};
    d.now = machine_initial(d.f.m, 0);
    d.l = laws_create(d.f.m);
    return d;
}

static void end_drawing(drawing *d) {
    laws_destroy(d->l);
    state_release(d->f.m, d->now);
    fixture_close(&d->f);
}

static const term *number(const drawing *d, uint64_t n) {
    return term_const(d->f.c, 32, n);
}

static const term *open_number(const drawing *d, uint64_t name) {
    return term_symbol(d->f.c, 32, name, "open", NO_INDEX);
}

/* `high` may be NULL. */
static void draw(drawing *d, uint32_t input, const term *key, const term *high, const term *drawn) {
    const value given[] = {{key, 0}, {high, 0}};
    const machine_watch *w = laws_watch(d->l);
    w->draws_by_law(w->data, d->now, given, high ? 2 : 1, input, drawn);
}

static void functions_of_a_seed(void **unused) {
    (void)unused;
    drawing d = begin_drawing();
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 1));
    assert_true(laws_follow(d.l, d.now));
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 1));
    draw(&d, SEEDED, number(&d, 8), NULL, number(&d, 2)); /* another seed */
    assert_true(laws_follow(d.l, d.now));
    draw(&d, CLOCK, number(&d, 7), NULL, number(&d, 3)); /* another input */
    assert_true(laws_follow(d.l, d.now));
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 2));
    assert_false(laws_follow(d.l, d.now));
    end_drawing(&d);
}

static void clocks_never_go_back(void **unused) {
    (void)unused;
    static const struct {
        uint64_t high[2], low[2];
        bool obeys;
    } pairs[] = {{{1, 1}, {5, 5}, true},
                 {{1, 1}, {5, 6}, true},
                 {{1, 2}, {5, 0}, true},
                 {{1, 1}, {5, 4}, false},
                 {{2, 1}, {5, 9}, false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        drawing d = begin_drawing();
        for (unsigned k = 0; k < 2; k++)
            draw(&d, CLOCK, number(&d, 0), number(&d, pairs[i].high[k]), number(&d, pairs[i].low[k]));
        assert_int_equal(laws_follow(d.l, d.now), pairs[i].obeys);
        end_drawing(&d);
    }
}

/* Numbers that are open yet are bound by a condition: with equal numbers it holds, with others it does not. */
static void open_numbers_are_bound(void **unused) {
    (void)unused;
    drawing d = begin_drawing();
    const term *a = open_number(&d, 1), *b = open_number(&d, 2);
    draw(&d, SEEDED, number(&d, 7), NULL, a);
    draw(&d, SEEDED, number(&d, 7), NULL, b);
    assert_true(laws_follow(d.l, d.now));
    state *end = laws_conclude(d.l, state_share(d.now));
    const term *differ = term_not(d.f.c, term_eq(d.f.c, a, b)), *equal = term_eq(d.f.c, a, b);
    solver *s = machine_solver(d.f.m);
    assert_int_equal(solver_check_extension(s, state_path(end), state_path_count(end), differ), SOLVER_UNSAT);
    assert_int_equal(solver_check_extension(s, state_path(end), state_path_count(end), equal), SOLVER_SAT);
    state_release(d.f.m, end);
    end_drawing(&d);
}

/* Of a step that could go several ways only the one that was taken has drawn anything. */
static void other_ways_of_a_step_are_forgotten(void **unused) {
    (void)unused;
    drawing d = begin_drawing();
    state *here = d.now;
    const term *x = open_number(&d, 1), *way = term_eq(d.f.c, x, number(&d, 0)),
               *other = term_not(d.f.c, way);
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 1));
    assert_true(laws_follow(d.l, here));
    d.now = state_assume(here, &other, 1);
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 2)); /* which would break the law */
    state_release(d.f.m, d.now);
    d.now = state_assume(here, &way, 1);
    draw(&d, SEEDED, number(&d, 7), NULL, number(&d, 1));
    assert_true(laws_follow(d.l, d.now));
    state_release(d.f.m, d.now);
    d.now = here;
    end_drawing(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_a_seed),
        cmocka_unit_test(clocks_never_go_back),
        cmocka_unit_test(open_numbers_are_bound),
        cmocka_unit_test(other_ways_of_a_step_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
