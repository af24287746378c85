/* Points-to sets of small programs, each checked against the sets worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/points_to.h"
#include "base/bits.h"
#include "build_program.h"

/* The names of the static objects that a register of a function may point to. */
static void check_names(const build *b, const points_to *t, uint32_t function, operand o,
                        const char *expected) {
    text names = {0};
    for (uint32_t k = 0; k < b->p->objects.size; k++)
        if (points_to_may(t, function, &o, k))
            text_format(&names, "%s%s", names.size ? " " : "", b->p->objects.data[k].name);
    assert_string_equal(text_cstr(&names), expected);
    text_free(&names);
}

static size_t set_size(const points_to *t, uint32_t function, operand o) {
    size_t words = BITS_WORDS(points_to_objects(t));
    uint64_t *set = mem_zero(words, sizeof *set);
    points_to_join(t, function, &o, set);
    size_t size = bits_count(set, words);
    mem_free(set);
    return size;
}

static void finish(build *b, points_to *t) {
    points_to_destroy(t);
    program_destroy(b->p);
}

static void numbers_point_nowhere(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1);
    uint32_t f = build_function(&b, "main", 0);
    operand r = build_register(&b), q = build_register(&b);
    build_move(&b, r, build_number(7));
    build_store(&b, x, r);
    build_load(&b, q, x);
    build_return(&b, q);
    points_to *t = points_to_compute(b.p);
    assert_int_equal(set_size(t, f, r), 0);
    assert_int_equal(set_size(t, f, q), 0);
    check_names(&b, t, f, x, "x");
    finish(&b, t);
}

static void pointers_go_through_memory(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
    operand p = build_static(&b, "p", 1), pp = build_static(&b, "pp", 1);
    uint32_t f = build_function(&b, "main", 0);
    operand r = build_register(&b), s = build_register(&b), z = build_register(&b),
            other = build_register(&b);
    build_store(&b, p, x);
    build_store(&b, pp, p);
    build_load(&b, r, pp); /* p */
    build_load(&b, s, r);  /* x or, from the line below, y */
    build_store(&b, r, y);
    build_load(&b, z, s);
    build_load(&b, other, y);
    build_return(&b, z);
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, r, "p");
    check_names(&b, t, f, s, "x y");
    check_names(&b, t, f, z, "");
    check_names(&b, t, f, other, "");
    finish(&b, t);
}

static void arithmetic_carries_pointers_and_comparison_does_not(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 4), y = build_static(&b, "y", 1);
    uint32_t f = build_function(&b, "main", 0);
    operand moved = build_register(&b), masked = build_register(&b), chosen = build_register(&b);
    operand narrow = build_narrow_register(&b, 32), wide = build_register(&b), inverted = build_register(&b);
    operand same = build_narrow_register(&b, 1), less = build_register(&b), index = build_register(&b);
    build_offset(&b, moved, x, build_number(1), 8);
    build_arith(&b, masked, ARITH_AND, moved, build_number(~UINT64_C(7)));
    build_arith(&b, inverted, ARITH_NOT, masked, operand_none());
    build_arith(&b, same, ARITH_EQ, x, y);
    build_select(&b, chosen, same, masked, y);
    build_arith(&b, narrow, ARITH_TRUNC, x, operand_none());
    build_arith(&b, wide, ARITH_ZEXT, narrow, operand_none());
    build_arith(&b, less, ARITH_ZEXT, same, operand_none());
    build_offset(&b, index, build_number(0), y, 1);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, moved, "x");
    check_names(&b, t, f, masked, "x");
    check_names(&b, t, f, inverted, "x");
    check_names(&b, t, f, chosen, "x y");
    check_names(&b, t, f, wide, "x");
    check_names(&b, t, f, same, "");
    check_names(&b, t, f, less, "");
    check_names(&b, t, f, index, "y");
    finish(&b, t);
}

/* Bytes of a pointer, written and read at other widths, still lead to its object. */
static void pieces_of_pointers_stay_pointers(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), p = build_static(&b, "p", 1), q = build_static(&b, "q", 1);
    operand c = build_static(&b, "c", 1);
    uint32_t f = build_function(&b, "main", 0);
    operand byte = build_narrow_register(&b, 8), whole = build_register(&b), copied = build_register(&b);
    operand filled = build_register(&b);
    build_store(&b, p, x);
    build_load(&b, byte, p);
    build_store(&b, q, byte);
    build_load(&b, whole, q);
    build_copy(&b, c, q, 8);
    build_load(&b, copied, c);
    operand r = build_static(&b, "r", 1);
    build_fill(&b, r, byte, 8);
    build_load(&b, filled, r);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, byte, "x");
    check_names(&b, t, f, whole, "x");
    check_names(&b, t, f, copied, "x");
    check_names(&b, t, f, filled, "x");
    finish(&b, t);
}

static void copies_run_between_all_pointed_to(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1), from = build_static(&b, "from", 1);
    operand to1 = build_static(&b, "to1", 1), to2 = build_static(&b, "to2", 1),
            aside = build_static(&b, "aside", 1);
    uint32_t f = build_function(&b, "main", 0);
    operand destination = build_register(&b), r1 = build_register(&b), r2 = build_register(&b);
    operand r3 = build_register(&b);
    build_move(&b, destination, to1);
    build_move(&b, destination, to2);
    build_copy(&b, destination, from, 8);
    build_store(&b, from, x);
    build_store(&b, aside, y);
    build_load(&b, r1, to1);
    build_load(&b, r2, to2);
    build_load(&b, r3, aside);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, r1, "x");
    check_names(&b, t, f, r2, "x");
    check_names(&b, t, f, r3, "y");
    finish(&b, t);
}

static void objects_are_told_apart_by_place(void **unused) {
    (void)unused;
    build b = build_open();
    uint32_t f = build_function(&b, "main", 0);
    operand l = build_local(&b, 1), m = build_local(&b, 1), r = build_register(&b), s = build_register(&b);
    uint64_t first = build_alloc(&b, r, 1, ALLOC_HEAP_ZERO), second = build_alloc(&b, s, 1, ALLOC_HEAP_UNSET);
    build_store(&b, l, r);
    build_store(&b, m, s);
    build_load(&b, r, l);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    assert_int_equal(set_size(t, f, r), 1);
    assert_true(points_to_may(t, f, &r, points_to_object_at(t, first)));
    assert_int_equal(set_size(t, f, s), 1);
    assert_true(points_to_may(t, f, &s, points_to_object_at(t, second)));
    assert_int_equal(set_size(t, f, l), 1);
    assert_true(points_to_may(t, f, &l, points_to_object_at(t, place_of_local(f, 0))));
    assert_int_equal(points_to_object_at(t, place_of_local(f, 2)), NO_INDEX);
    assert_int_equal(points_to_object_at(t, NO_PLACE), NO_INDEX);
    finish(&b, t);
}

/* --- calls ---------------------------------------------------------------------------------------------- */

static void calls_pass_arguments_and_results(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
    uint32_t f = build_function(&b, "main", 0);
    uint32_t second = build_function(&b, "second", 2);
    build_return(&b, build_parameter(1));
    build_goto(&b, f, 0);
    operand r = build_register(&b);
    build_call(&b, r, second, x, y);
    build_call(&b, operand_none(), second, x, build_number(0));
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, r, "y");
    check_names(&b, t, second, build_parameter(0), "x");
    finish(&b, t);
}

/* The function pointer reaches the call only through memory, and what the callee returns is itself called. */
static void calls_through_pointers_are_found_on_the_way(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), table = build_static(&b, "table", 2), y = build_static(&b, "y", 1);
    uint32_t f = build_function(&b, "main", 0);
    uint32_t sink = build_function(&b, "sink", 1);
    build_return(&b, build_parameter(0));
    uint32_t chooser = build_function(&b, "chooser", 0);
    build_return(&b, operand_function(sink));
    uint32_t unrelated = build_function(&b, "unrelated", 1);
    build_store(&b, x, y);
    build_return(&b, y);
    build_goto(&b, f, 0);
    operand pointer = build_register(&b), chosen = build_register(&b), result = build_register(&b);
    build_store(&b, table, operand_function(chooser));
    build_load(&b, pointer, table);
    build_call_through(&b, chosen, pointer);
    build_call_through(&b, result, chosen, x);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, result, "x");
    check_names(&b, t, sink, build_parameter(0), "x");
    assert_true(points_to_reaches(t, sink) && points_to_reaches(t, chooser) && points_to_reaches(t, f));
    assert_false(points_to_reaches(t, unrelated));
    function_list targets = {0};
    points_to_targets(t, f, &b.p->functions.data[f].blocks.data[0].code.data[3], &targets);
    assert_int_equal(targets.size, 1);
    assert_int_equal(targets.data[0], sink);
    vec_free(&targets);
    finish(&b, t);
}

/* A pointer to a function that takes another number of arguments cannot be called there. */
static void calls_through_pointers_fit(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1);
    uint32_t f = build_function(&b, "main", 0);
    uint32_t none = build_function(&b, "none", 0), one = build_function(&b, "one", 1);
    build_return(&b, build_parameter(0));
    build_goto(&b, none, 0);
    build_return(&b, operand_none());
    build_goto(&b, f, 0);
    operand pointer = build_register(&b), r = build_register(&b);
    build_move(&b, pointer, operand_function(none));
    build_move(&b, pointer, operand_function(one));
    build_call_through(&b, r, pointer, x);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, r, "x");
    assert_true(points_to_reaches(t, one));
    assert_false(points_to_reaches(t, none));
    finish(&b, t);
}

static void recursion_ends(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
    uint32_t f = build_function(&b, "main", 0);
    uint32_t swap = build_function(&b, "swap", 2);
    operand r = build_register(&b);
    build_call(&b, r, swap, build_parameter(1), build_parameter(0));
    build_return(&b, build_parameter(0));
    build_goto(&b, f, 0);
    operand result = build_register(&b);
    build_call(&b, result, swap, x, y);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, f, result, "x y");
    check_names(&b, t, swap, r, "x y");
    finish(&b, t);
}

/* --- threads -------------------------------------------------------------------------------------------- */

static void threads_get_arguments_and_give_results(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1), z = build_static(&b, "z", 1);
    operand starts = build_static(&b, "starts", 1);
    uint32_t f = build_function(&b, "main", 0);
    uint32_t worker = build_function(&b, "worker", 1), quitter = build_function(&b, "quitter", 0);
    build_exit(&b, y);
    build_return(&b, operand_none());
    build_goto(&b, worker, 0);
    build_return(&b, build_parameter(0));
    build_goto(&b, f, 0);
    operand number = build_register(&b), result = build_register(&b), start = build_register(&b);
    build_store(&b, starts, operand_function(worker));
    build_load(&b, start, starts);
    build_create(&b, number, start, x);
    build_create(&b, number, operand_function(quitter), z);
    build_join(&b, result, number);
    build_join(&b, operand_none(), number);
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    check_names(&b, t, worker, build_parameter(0), "x");
    check_names(&b, t, f, result, "x y");
    check_names(&b, t, f, number, "");
    finish(&b, t);
}

/* --- size ----------------------------------------------------------------------------------------------- */

/* A ring of cells that are copied around through pointers to pointers: every pointer ends up everywhere,
 * which is what a solution must say and is the most work for it. */
static void everything_points_everywhere(void **unused) {
    (void)unused;
    enum { OBJECTS = 300, ROUNDS = 20 };
    build b = build_open();
    operand object[OBJECTS];
    for (unsigned k = 0; k < OBJECTS; k++) object[k] = build_static(&b, "o", 1);
    uint32_t f = build_function(&b, "main", 0);
    for (unsigned k = 0; k < OBJECTS; k++) build_store(&b, object[k], object[(k + 1) % OBJECTS]);
    operand walker = build_register(&b), last = walker;
    build_move(&b, walker, object[0]);
    build_load(&b, walker, walker);
    for (unsigned k = 0; k < ROUNDS; k++) {
        operand next = build_register(&b);
        build_load(&b, next, last);
        build_store(&b, next, last);
        last = next;
    }
    build_return(&b, operand_none());
    points_to *t = points_to_compute(b.p);
    assert_int_equal(set_size(t, f, walker), OBJECTS);
    assert_int_equal(set_size(t, f, last), OBJECTS);
    finish(&b, t);
}

/* --- against the definition ----------------------------------------------------------------------------- */

/* The same inclusions, by going over all instructions until nothing changes. Programs of the kind below only:
 * static objects, direct calls, 64 bits. */
typedef struct plain_solution {
    const program *p;
    size_t objects, registers; /* of the largest function */
    bool *content;             /* object x object */
    bool *holds;               /* function x register x object */
    bool *results;             /* function x object */
    bool changed;
} plain_solution;

static bool *plain_register(const plain_solution *s, uint32_t function, uint32_t reg) {
    return s->holds + (function * s->registers + reg) * s->objects;
}

static void plain_include(plain_solution *s, bool *into, const bool *from) {
    for (size_t o = 0; o < s->objects; o++) {
        if (!from[o] || into[o]) continue;
        into[o] = true;
        s->changed = true;
    }
}

static void plain_add(plain_solution *s, uint32_t function, operand o, bool *into) {
    bool *alone = mem_zero(s->objects, sizeof *alone);
    if (o.kind == OPERAND_OBJECT) alone[o.index] = true;
    plain_include(s, into, o.kind == OPERAND_REGISTER ? plain_register(s, function, o.index) : alone);
    mem_free(alone);
}

static void plain_apply(plain_solution *s, uint32_t f, const instruction *i) {
    bool *pointed_to = mem_zero(s->objects, sizeof *pointed_to);
    bool *dst = i->dst == NO_INDEX ? NULL : plain_register(s, f, i->dst);
    bool before = s->changed;
    plain_add(s, f, i->a, pointed_to);
    s->changed = before;
    switch (i->kind) {
    case INSTR_MOVE:
    case INSTR_OFFSET: plain_include(s, dst, pointed_to); break;
    case INSTR_LOAD:
        for (size_t o = 0; o < s->objects; o++)
            if (pointed_to[o]) plain_include(s, dst, s->content + o * s->objects);
        break;
    case INSTR_STORE:
        for (size_t o = 0; o < s->objects; o++)
            if (pointed_to[o]) plain_add(s, f, i->b, s->content + o * s->objects);
        break;
    case INSTR_CALL:
        for (uint32_t k = 0; k < i->arg_count; k++)
            plain_add(s, f, i->args[k], plain_register(s, i->callee, k));
        plain_include(s, dst, s->results + i->callee * s->objects);
        break;
    case INSTR_RETURN: plain_include(s, s->results + f * s->objects, pointed_to); break;
    default: fail_msg("instruction kind %d", i->kind);
    }
    mem_free(pointed_to);
}

static plain_solution plain_solve(const program *p) {
    plain_solution s = {.p = p, .objects = p->objects.size};
    for (size_t f = 0; f < p->functions.size; f++)
        if (p->functions.data[f].registers.size > s.registers)
            s.registers = p->functions.data[f].registers.size;
    s.content = mem_zero(s.objects * s.objects, sizeof *s.content);
    s.holds = mem_zero(p->functions.size * s.registers * s.objects, sizeof *s.holds);
    s.results = mem_zero(p->functions.size * s.objects, sizeof *s.results);
    do {
        s.changed = false;
        for (uint32_t f = 0; f < p->functions.size; f++)
            for (size_t k = 0; k < p->functions.data[f].blocks.data[0].code.size; k++)
                plain_apply(&s, f, &p->functions.data[f].blocks.data[0].code.data[k]);
    } while (s.changed);
    return s;
}

static unsigned below(uint64_t *seed, unsigned n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

typedef struct random_shape {
    unsigned objects, functions, instructions, registers_per_cent;
} random_shape;

static operand random_operand(uint64_t *seed, const random_shape *shape, unsigned registers) {
    if (registers && below(seed, 100) < shape->registers_per_cent)
        return build_parameter(below(seed, registers));
    return operand_object(below(seed, shape->objects), 0);
}

static void random_code(build *b, uint64_t *seed, const random_shape *shape, unsigned parameters) {
    unsigned registers = parameters;
    for (unsigned k = 0; k < shape->instructions; k++) {
        operand x = random_operand(seed, shape, registers), y = random_operand(seed, shape, registers);
        bool old = registers && below(seed, 3) == 0;
        operand dst = old ? build_parameter(below(seed, registers)) : build_register(b);
        if (!old) registers++;
        switch (below(seed, 6)) {
        case 0:
        case 1: build_load(b, dst, x); break;
        case 2: build_store(b, x, y); break;
        case 3: build_move(b, dst, x); break;
        case 4: build_offset(b, dst, x, build_number(1), 8); break;
        default: build_call(b, dst, 1 + below(seed, shape->functions - 1), x, y); break;
        }
    }
    build_return(b, random_operand(seed, shape, registers));
}

static build random_program(uint64_t *seed, const random_shape *shape) {
    build b = build_open();
    for (unsigned k = 0; k < shape->objects; k++) build_static(&b, "o", 1);
    for (unsigned f = 0; f < shape->functions; f++) build_function(&b, "f", f ? 2 : 0);
    for (unsigned f = 0; f < shape->functions; f++) {
        build_goto(&b, f, 0);
        if (!f) /* main calls all of them, so that all count */
            for (unsigned g = 1; g < shape->functions; g++)
                build_call(&b, build_register(&b), g, build_number(0), build_number(0));
        random_code(&b, seed, shape, f ? 2 : shape->functions - 1);
    }
    return b;
}

static void solutions_are_the_least_ones(void **unused) {
    (void)unused;
    uint64_t seed = 1;
    size_t facts = 0;
    for (unsigned round = 0; round < 60; round++) {
        random_shape shape = {5 + below(&seed, 70), 2 + below(&seed, 8), 5 + below(&seed, 60),
                              20 + below(&seed, 75)};
        build b = random_program(&seed, &shape);
        points_to *t = points_to_compute(b.p);
        plain_solution s = plain_solve(b.p);
        for (uint32_t f = 0; f < shape.functions; f++)
            for (uint32_t r = 0; r < b.p->functions.data[f].registers.size; r++)
                for (uint32_t o = 0; o < shape.objects; o++) {
                    operand reg = build_parameter(r);
                    bool expected = plain_register(&s, f, r)[o];
                    if (points_to_may(t, f, &reg, o) != expected)
                        fail_msg("round %u: f%u register %u object %u", round, f, r, o);
                    facts += expected;
                }
        mem_free(s.content);
        mem_free(s.holds);
        mem_free(s.results);
        finish(&b, t);
    }
    assert_true(facts > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_point_nowhere),
        cmocka_unit_test(pointers_go_through_memory),
        cmocka_unit_test(arithmetic_carries_pointers_and_comparison_does_not),
        cmocka_unit_test(pieces_of_pointers_stay_pointers),
        cmocka_unit_test(copies_run_between_all_pointed_to),
        cmocka_unit_test(objects_are_told_apart_by_place),
        cmocka_unit_test(calls_pass_arguments_and_results),
        cmocka_unit_test(calls_through_pointers_are_found_on_the_way),
        cmocka_unit_test(calls_through_pointers_fit),
        cmocka_unit_test(recursion_ends),
        cmocka_unit_test(threads_get_arguments_and_give_results),
        cmocka_unit_test(everything_points_everywhere),
        cmocka_unit_test(solutions_are_the_least_ones),
    };
    return cmocka_run_group_tests_name("points_to", tests, NULL, NULL);
}
