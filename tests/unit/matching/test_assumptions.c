/* Equality assumptions: the worked examples of the document, the number of candidates, and what every
 * candidate must be. */
#include "core_fixture.h"
#include "random_programs.h"

#include "matching/assumptions.h"

typedef struct bench {
    terms *c;
    assumptions *a;
    equalities map;
} bench;

static bench open_bench(bool by_origin, acceptance accept) {
    bench b = {.c = terms_create()};
    b.a = assumptions_create(b.c, by_origin, accept);
    return b;
}

static void close_bench(bench *b) {
    assumptions_destroy(b->a);
    vec_free(&b->map);
    terms_destroy(b->c);
}

/* Symbols are written like "x1": a letter and a number; x5 and y5 have another width than the rest where a
 * test says so. */
static const term *literal(const bench *b, const char *name, unsigned width) {
    return term_symbol(b->c, width, (uint64_t)(unsigned char)name[0] << 8 | (uint64_t)atoi(name + 1), name,
                       0);
}

/* add(b, "x1 x3", "y1 y4"): one constraint. Names that end in ' have 16 bits, the others 32. */
static bool add(bench *b, const char *left, const char *right) {
    const term *sets[2][8];
    size_t count[2] = {0};
    const char *const text[2] = {left, right};
    for (int side = 0; side < 2; side++) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s", text[side]);
        for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
            sets[side][count[side]++] = literal(b, word, strchr(word, '\'') ? 16 : 32);
    }
    return assumptions_add_sets(b->a, sets[0], count[0], sets[1], count[1]);
}

static bool map_has(const bench *b, const char *left, const char *right, unsigned width) {
    for (size_t i = 0; i < b->map.size; i++)
        if (b->map.data[i].left == literal(b, left, width) &&
            b->map.data[i].right == literal(b, right, width))
            return true;
    return false;
}

/* --- the document's examples ---------------------------------------------------------------------------- */

/* Appendix A.1, Table A.1. Naively there would be 1546 candidates, or 120 complete ones. */
static void the_first_worked_example_has_one_map(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_REGULAR);
    assert_true(add(&b, "x1 x3", "y1 y4"));
    assert_true(add(&b, "x1 x2 x5'", "y1 y2 y5'"));
    assert_true(add(&b, "x3 x4 x6", "y3 y4 x6"));
    assert_int_equal(assumptions_count(b.a), 1);
    assert_true(assumptions_next(b.a, &b.map));
    assert_int_equal(b.map.size, 5); /* (x6, x6) goes without saying */
    assert_true(map_has(&b, "x1", "y1", 32) && map_has(&b, "x3", "y4", 32) && map_has(&b, "x2", "y2", 32) &&
                map_has(&b, "x5'", "y5'", 16) && map_has(&b, "x4", "y3", 32));
    assert_false(assumptions_next(b.a, &b.map));
    close_bench(&b);
}

/* Section 6.5.2: states s6 and s14 of the symmetric accumulator. */
static void the_second_worked_example_has_one_map(void **unused) {
    (void)unused;
    static const struct {
        const char *left, *right;
    } pairs[] = {{"x1 y4", "x1 x3"}, {"x1 x2 y3 y4", "x1 x2 x3 x4"}};
    for (int order = 0; order < 2; order++) { /* the order of the constraints does not matter */
        bench b = open_bench(false, ACCEPT_REGULAR);
        for (int i = 0; i < 2; i++) assert_true(add(&b, pairs[i ^ order].left, pairs[i ^ order].right));
        assert_int_equal(assumptions_count(b.a), 1);
        assert_true(assumptions_next(b.a, &b.map));
        assert_int_equal(b.map.size, 2);
        assert_true(map_has(&b, "y4", "x3", 32) && map_has(&b, "y3", "x4", 32));
        assert_false(assumptions_next(b.a, &b.map));
        close_bench(&b);
    }
}

static void three_constraints_have_four_maps(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_ALL);
    add(&b, "a1 a2", "b1 b2");
    add(&b, "a3 a4", "b3 b4");
    add(&b, "a5", "b5");
    assert_int_equal(assumptions_count(b.a), 4);
    unsigned seen = 0;
    for (int i = 0; i < 4; i++) {
        assert_true(assumptions_next(b.a, &b.map));
        assert_int_equal(b.map.size, 5);
        assert_true(map_has(&b, "a5", "b5", 32));
        unsigned first = map_has(&b, "a1", "b1", 32) && map_has(&b, "a2", "b2", 32),
                 second = map_has(&b, "a3", "b3", 32) && map_has(&b, "a4", "b4", 32);
        assert_true(first || (map_has(&b, "a1", "b2", 32) && map_has(&b, "a2", "b1", 32)));
        assert_true(second || (map_has(&b, "a3", "b4", 32) && map_has(&b, "a4", "b3", 32)));
        seen |= 1u << (first << 1 | second);
    }
    assert_int_equal(seen, 15);
    assert_false(assumptions_next(b.a, &b.map));
    close_bench(&b);
}

/* The same literals without structure: all 120 complete maps. */
static void one_large_constraint_has_all_permutations(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_ALL);
    add(&b, "x1 x2 x3 x4 x5", "y1 y2 y3 y4 y5");
    assert_int_equal(assumptions_count(b.a), 120);
    unsigned found = 0;
    while (assumptions_next(b.a, &b.map)) found++;
    assert_int_equal(found, 120);
    while (assumptions_next(b.a, &b.map)) found++; /* after the last one it starts over */
    assert_int_equal(found, 240);
    close_bench(&b);
}

/* --- acceptance ----------------------------------------------------------------------------------------- */

static void irregular_constraints_can_be_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *left, *right;
        bool regular, almost;
    } cases[] = {
        {"x1 x2", "y1 y2", true, true}, {"x1 x2", "y1", false, true},  {"x1 x2 x3", "y1", false, false},
        {"", "y1", false, true},        {"x1 z1'", "y1", false, true}, {"x1 x2", "x1 x2", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench regular = open_bench(false, ACCEPT_REGULAR), almost = open_bench(false, ACCEPT_ALMOST_REGULAR),
              all = open_bench(false, ACCEPT_ALL);
        assert_int_equal(add(&regular, cases[i].left, cases[i].right), cases[i].regular);
        assert_int_equal(add(&almost, cases[i].left, cases[i].right), cases[i].almost);
        assert_true(add(&all, cases[i].left, cases[i].right));
        close_bench(&regular);
        close_bench(&almost);
        close_bench(&all);
    }
}

/* (pc T, a: x1*x2+x1, b: x3) against (pc T, a: y1*(y2+1), b: y1): irregular, because y1 stands in both. */
static void separation_can_make_constraints_irregular(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_REGULAR);
    assert_true(add(&b, "x1 x2", "y1 y2"));
    assert_false(add(&b, "x3", "y1"));
    close_bench(&b);
    b = open_bench(false, ACCEPT_ALL);
    add(&b, "x1 x2", "y1 y2");
    add(&b, "x3", "y1");
    assert_int_equal(assumptions_count(b.a), 2); /* y2 from x1 or from x2; y1 and x3 stay alone */
    unsigned seen = 0;
    while (assumptions_next(b.a, &b.map)) {
        assert_int_equal(b.map.size, 1);
        seen |= map_has(&b, "x1", "y2", 32) ? 1u : map_has(&b, "x2", "y2", 32) ? 2u : 4u;
    }
    assert_int_equal(seen, 3);
    close_bench(&b);
}

static void the_smaller_side_is_mapped_into_the_larger(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_ALL);
    add(&b, "x1 x2 x3 x4", "y1 y2");
    /* 4!/(4-2)!: the document's formula has k = |4-2| by accident of this case. */
    assert_int_equal(assumptions_count(b.a), 12);
    assumptions_reset(b.a);
    add(&b, "x1", "y1 y2 y3 y4");
    assert_int_equal(assumptions_count(b.a), 4); /* here k = min = 1, not 3 */
    unsigned found = 0;
    while (assumptions_next(b.a, &b.map)) found++;
    assert_int_equal(found, 4);
    close_bench(&b);
}

static void symbols_are_told_apart_by_origin_on_request(void **unused) {
    (void)unused;
    for (int by_origin = 0; by_origin < 2; by_origin++) {
        bench b = open_bench(by_origin, ACCEPT_ALL);
        const term *left[] = {term_symbol(b.c, 32, 1, "p", 1), term_symbol(b.c, 32, 2, "q", 2)};
        const term *right[] = {term_symbol(b.c, 32, 3, "p", 1), term_symbol(b.c, 32, 4, "q", 2)};
        assumptions_add_sets(b.a, left, 2, right, 2);
        assert_int_equal(assumptions_count(b.a), by_origin ? 1 : 2);
        close_bench(&b);
    }
}

static void no_constraint_means_one_empty_map(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_ALL);
    assert_int_equal(assumptions_count(b.a), 1);
    assert_true(assumptions_next(b.a, &b.map));
    assert_int_equal(b.map.size, 0);
    assert_false(assumptions_next(b.a, &b.map));
    close_bench(&b);
}

static void counting_saturates(void **unused) {
    (void)unused;
    bench b = open_bench(false, ACCEPT_ALL);
    const term *left[40], *right[40];
    for (uint64_t i = 0; i < 40; i++) {
        left[i] = term_symbol(b.c, 8, i, "l", 0);
        right[i] = term_symbol(b.c, 8, 100 + i, "r", 0);
    }
    assumptions_add_sets(b.a, left, 40, right, 40);
    assert_true(assumptions_count(b.a) == UINT64_MAX);
    assert_true(assumptions_next(b.a, &b.map));
    close_bench(&b);
}

/* --- every candidate is consistent, none comes twice, and their number is as announced ------------------ */

static uint64_t hash_of_map(const equalities *map) {
    uint64_t h = 0;
    for (size_t i = 0; i < map->size; i++) h += map->data[i].left->hash * 3 ^ map->data[i].right->hash * 7;
    return h;
}

static void assert_consistent(const equalities *map) {
    for (size_t i = 0; i < map->size; i++) {
        assert_int_equal(map->data[i].left->width, map->data[i].right->width);
        for (size_t j = 0; j < i; j++) {
            assert_ptr_not_equal(map->data[i].left, map->data[j].left);
            assert_ptr_not_equal(map->data[i].right, map->data[j].right);
        }
    }
}

static void random_candidates_are_consistent(void **unused) {
    (void)unused;
    uint64_t seed = 99;
    for (int round = 0; round < 500; round++) {
        bench b = open_bench(false, ACCEPT_ALL);
        unsigned constraints = 1 + random_below(&seed, 4);
        for (unsigned k = 0; k < constraints; k++) {
            const term *sets[2][4];
            size_t count[2];
            for (int side = 0; side < 2; side++) {
                count[side] = random_below(&seed, 4);
                for (size_t i = 0; i < count[side]; i++) { /* some symbols are shared by both sides */
                    uint64_t name =
                        random_below(&seed, 5) + (random_below(&seed, 3) ? 10u * (unsigned)side : 0);
                    sets[side][i] = term_symbol(b.c, name % 2 ? 8 : 16, name, "s", 0);
                }
            }
            assumptions_add_sets(b.a, sets[0], count[0], sets[1], count[1]);
        }
        uint64_t announced = assumptions_count(b.a), found = 0, seen[2000];
        while (assumptions_next(b.a, &b.map)) {
            assert_consistent(&b.map);
            uint64_t h = hash_of_map(&b.map);
            assert_true(found < 2000);
            for (uint64_t i = 0; i < found; i++) assert_true(seen[i] != h);
            seen[found++] = h;
        }
        assert_true(found == announced);
        close_bench(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_worked_example_has_one_map),
        cmocka_unit_test(the_second_worked_example_has_one_map),
        cmocka_unit_test(three_constraints_have_four_maps),
        cmocka_unit_test(one_large_constraint_has_all_permutations),
        cmocka_unit_test(irregular_constraints_can_be_refused),
        cmocka_unit_test(separation_can_make_constraints_irregular),
        cmocka_unit_test(the_smaller_side_is_mapped_into_the_larger),
        cmocka_unit_test(symbols_are_told_apart_by_origin_on_request),
        cmocka_unit_test(no_constraint_means_one_empty_map),
        cmocka_unit_test(counting_saturates),
        cmocka_unit_test(random_candidates_are_consistent),
    };
    return cmocka_run_group_tests_name("assumptions", tests, NULL, NULL);
}
