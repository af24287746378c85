/* Pointers of C programs: their arithmetic, their bytes, what may be done through them, the life of what they
 * point to, and what others see of it. Each test is the body of main; `out` holds what it finds. */
#include "core_fixture.h"

#include "build_program.h"
#include "machine/internal.h"

typedef struct scene {
    build b;
    operand out;  /* 16 words */
    operand x, y; /* words */
    unsigned results;
} scene;

static scene begin(unsigned pointer_bits) {
    scene s = {.b = build_open()};
    s.b.p->pointer_bits = (uint8_t)pointer_bits;
    scalar_type word = {(uint8_t)pointer_bits, VIEW_UNSIGNED};
    const char *names[] = {"out", "x", "y"};
    operand *objects[] = {&s.out, &s.x, &s.y};
    for (unsigned k = 0; k < 3; k++) {
        static_object o = {.name = names[k],
                           .shape = program_scalar_layout(s.b.p, word),
                           .count = k ? 1 : 16,
                           .is_array = !k,
                           .at = {1, 1}};
        vec_push(&s.b.p->objects, o);
        *objects[k] = operand_object(k, 0);
    }
    build_function(&s.b, "main", 0);
    s.b.p->functions.data[0].result = (scalar_type){0, VIEW_UNSIGNED};
    return s;
}

static unsigned bits(const scene *s) {
    return s->b.p->pointer_bits;
}

static operand word(const scene *s, uint64_t n) {
    return operand_const(bits(s), n & term_mask(bits(s)));
}

static operand reg(scene *s) {
    return build_narrow_register(&s->b, bits(s));
}

static operand at(const scene *s, operand object, uint64_t offset) {
    (void)s;
    object.value = offset;
    return object;
}

/* The next word of `out` becomes v. */
static void tell(scene *s, operand v) {
    build_store(&s->b, at(s, s->out, bits(s) / 8 * s->results++), v);
}

static void tell_arith(scene *s, arith op, operand a, operand b) {
    bool compares = op >= ARITH_EQ && op <= ARITH_SLE;
    operand r = build_narrow_register(&s->b, compares ? 1 : bits(s)), wide = r;
    build_arith(&s->b, r, op, a, b);
    if (compares) {
        wide = reg(s);
        build_arith(&s->b, wide, ARITH_ZEXT, r, operand_none());
    }
    tell(s, wide);
}

static operand allocate(scene *s, operand count, unsigned width, enum alloc_kind kind) {
    operand p = reg(s);
    instruction *i = build_instruction(&s->b, INSTR_ALLOC, count, operand_none());
    i->dst = p.index;
    i->extra = kind;
    i->shape = program_scalar_layout(s->b.p, (scalar_type){(uint8_t)width, VIEW_UNSIGNED});
    return p;
}

static operand input_below(scene *s, uint64_t end) {
    operand n = reg(s), below = build_narrow_register(&s->b, 1);
    vec_push(&s->b.p->inputs, ((input){"n", {(uint8_t)bits(s), VIEW_UNSIGNED}, {1, 1}}));
    instruction *i = build_emit(&s->b, INSTR_INPUT);
    i->dst = n.index;
    i->extra = (uint32_t)s->b.p->inputs.size - 1;
    build_arith(&s->b, below, ARITH_ULT, n, word(s, end));
    build_instruction(&s->b, INSTR_ASSUME, below, operand_none());
    return n;
}

/* --- running -------------------------------------------------------------------------------------------- */

static fixture finish(scene *s, successors *list) {
    build_return(&s->b, operand_none());
    diagnostics d = {.file = "test"};
    bool good = program_check(s->b.p, &d);
    if (!good) {
        text said = {0};
        diag_print(&d, &said);
        fail_msg("%s", text_cstr(&said));
    }
    diag_free(&d);
    fixture f = fixture_of_program(s->b.p, NULL, 0);
    state *start = machine_initial(f.m, 0);
    step_options how = {.effects = true};
    machine_step(f.m, start, (transition){0, 0}, &how, list);
    state_release(f.m, start);
    return f;
}

static void close_run(fixture *f, successors *list) {
    successors_free(f->m, list);
    fixture_close(f);
}

static void expect_results(scene *s, const uint64_t *expected, unsigned count) {
    successors list = {0};
    fixture f = finish(s, &list);
    assert_int_equal(list.size, 1);
    if (list.data[0].end == STEP_LIMIT) fail_msg("%s", reason_words(list.data[0].why));
    assert_int_equal(list.data[0].end, STEP_FINISHED);
    assert_int_equal(s->results, count);
    for (unsigned k = 0; k < count; k++) {
        value v = memory_peek(f.m, list.data[0].to, 0, bits(s) / 8 * k, bits(s));
        assert_true(v.bits && !v.base && term_is_const(v.bits));
        if (v.bits->value != expected[k]) fail_msg("result %u is %llu", k, (unsigned long long)v.bits->value);
    }
    close_run(&f, &list);
}

#define expect(s, ...)                                                                                       \
    expect_results(s, (const uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void expect_violation(scene *s, check_kind kind) {
    successors list = {0};
    fixture f = finish(s, &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_VIOLATION);
    assert_int_equal(machine_check(f.m, list.data[0].check)->kind, kind);
    assert_non_null(machine_check(f.m, list.data[0].check)->text);
    close_run(&f, &list);
}

/* The first result may be anything. */
static void expect_unknown(scene *s) {
    successors list = {0};
    fixture f = finish(s, &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_FINISHED);
    value v = memory_peek(f.m, list.data[0].to, 0, 0, bits(s));
    assert_true(v.bits && !v.base && !term_is_const(v.bits));
    close_run(&f, &list);
}

static void expect_limit(scene *s) {
    successors list = {0};
    fixture f = finish(s, &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_LIMIT);
    assert_int_not_equal(list.data[0].why.kind, REASON_NONE);
    close_run(&f, &list);
}

static void expect_ends(scene *s, size_t finished, size_t violated, size_t limits) {
    successors list = {0};
    fixture f = finish(s, &list);
    size_t count[STEP_LIMIT + 1] = {0};
    for (size_t k = 0; k < list.size; k++) count[list.data[k].end]++;
    assert_int_equal(count[STEP_FINISHED], finished);
    assert_int_equal(count[STEP_VIOLATION], violated);
    assert_int_equal(count[STEP_LIMIT], limits);
    close_run(&f, &list);
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static void arithmetic_within_an_object(void **unused) {
    (void)unused;
    for (unsigned width = 32; width <= 64; width += 32) {
        scene s = begin(width);
        operand p = at(&s, s.out, 40), q = at(&s, s.out, 24), r = reg(&s);
        tell_arith(&s, ARITH_SUB, p, q);
        tell_arith(&s, ARITH_EQ, p, q);
        tell_arith(&s, ARITH_NE, p, q);
        tell_arith(&s, ARITH_ULT, q, p);
        tell_arith(&s, ARITH_SLE, p, q);
        build_arith(&s.b, r, ARITH_ADD, word(&s, 16), q);
        tell_arith(&s, ARITH_EQ, r, p);
        build_arith(&s.b, r, ARITH_SUB, p, word(&s, 48)); /* before the object */
        tell_arith(&s, ARITH_ULT, r, p);
        build_arith(&s.b, r, ARITH_ADD, r, word(&s, 8));
        tell_arith(&s, ARITH_EQ, r, s.out);
        expect(&s, 16, 0, 1, 1, 0, 1, 1, 1);
    }
}

static void alignment_makes_low_bits_known(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand p = at(&s, s.out, 37), r = reg(&s);
    tell_arith(&s, ARITH_AND, p, word(&s, 7));
    tell_arith(&s, ARITH_UREM, p, word(&s, 8));
    build_arith(&s.b, r, ARITH_AND, p, word(&s, (uint64_t)-8));
    tell_arith(&s, ARITH_SUB, r, s.out);
    build_arith(&s.b, r, ARITH_OR, s.x, word(&s, 3)); /* a tagged pointer */
    build_arith(&s.b, r, ARITH_XOR, r, word(&s, 2));
    tell_arith(&s, ARITH_SUB, r, s.x);
    tell_arith(&s, ARITH_AND, allocate(&s, word(&s, 5), 8, ALLOC_HEAP_UNSET), word(&s, 15));
    expect(&s, 5, 5, 32, 1, 0);
    static const struct {
        arith op;
        uint64_t mask;
    } unknown[] = {{ARITH_AND, 15}, {ARITH_OR, 8},    {ARITH_XOR, 255}, {ARITH_UREM, 16},
                   {ARITH_UREM, 3}, {ARITH_LSHR, 12}, {ARITH_MUL, 2},   {ARITH_AND, (uint64_t)-16},
                   {ARITH_UDIV, 8}, {ARITH_SHL, 1},   {ARITH_SREM, 4}};
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        s = begin(64);
        tell_arith(&s, unknown[k].op, s.x, word(&s, unknown[k].mask));
        expect_limit(&s);
    }
}

static void different_objects(void **unused) {
    (void)unused;
    scene s = begin(64);
    tell_arith(&s, ARITH_EQ, s.x, s.y);
    tell_arith(&s, ARITH_NE, s.x, s.y);
    tell_arith(&s, ARITH_EQ, s.x, word(&s, 0));
    tell_arith(&s, ARITH_NE, s.x, word(&s, UINT64_MAX));
    tell_arith(&s, ARITH_ULT, word(&s, 0), s.x);
    tell_arith(&s, ARITH_ULE, s.x, word(&s, 4095));
    tell_arith(&s, ARITH_ULT, s.x, word(&s, UINT64_MAX));
    expect(&s, 0, 1, 0, 1, 1, 0, 1);
    static const arith meaningless[] = {ARITH_SLT, ARITH_SLE, ARITH_SUB, ARITH_ADD};
    for (size_t k = 0; k < sizeof meaningless / sizeof *meaningless; k++) {
        s = begin(64);
        tell_arith(&s, meaningless[k], s.x, s.y);
        expect_limit(&s);
    }
    static const arith orders[] = {ARITH_ULT, ARITH_ULE};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        s = begin(64); /* either may lie first ... */
        tell_arith(&s, orders[k], s.x, s.y);
        expect_unknown(&s);
        s = begin(64); /* ... but not both */
        operand one = build_narrow_register(&s.b, 1), other = build_narrow_register(&s.b, 1);
        build_arith(&s.b, one, ARITH_ULT, s.x, s.y);
        build_arith(&s.b, other, orders[k], s.y, s.x);
        tell_arith(&s, ARITH_EQ, one, other);
        expect(&s, 0);
    }
    for (unsigned with_new = 0; with_new < 2; with_new++) { /* memory is used again */
        s = begin(64);
        operand gone = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_ZERO), made;
        build_free(&s.b, gone);
        made = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_ZERO);
        tell_arith(&s, ARITH_EQ, gone, with_new ? made : word(&s, 0));
        tell_arith(&s, ARITH_EQ, gone, s.x);
        tell_arith(&s, ARITH_EQ, gone, gone);
        if (with_new)
            expect_unknown(&s);
        else
            expect(&s, 0, 0, 1);
    }
    s = begin(64); /* some number may be an address */
    tell_arith(&s, ARITH_EQ, s.x, word(&s, 4096));
    expect_limit(&s);
    s = begin(64);
    tell_arith(&s, ARITH_EQ, s.x, input_below(&s, 100));
    expect_ends(&s, 0, 0, 1);
    s = begin(64);
    operand half = build_narrow_register(&s.b, 32);
    build_arith(&s.b, half, ARITH_TRUNC, s.x, operand_none());
    expect_limit(&s);
    s = begin(64); /* an offset that may reach round the address space */
    operand far = reg(&s);
    build_arith(&s.b, far, ARITH_ADD, s.x, input_below(&s, UINT64_MAX));
    tell_arith(&s, ARITH_EQ, far, word(&s, 0));
    expect_ends(&s, 0, 0, 1);
}

static void functions_are_no_data(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand f = operand_function(0), r = reg(&s);
    tell_arith(&s, ARITH_EQ, f, f);
    tell_arith(&s, ARITH_EQ, f, s.x);
    build_store(&s.b, s.x, f);
    build_load(&s.b, r, s.x);
    tell_arith(&s, ARITH_EQ, r, f);
    expect(&s, 1, 0, 1);
    s = begin(64);
    build_load(&s.b, reg(&s), operand_function(0));
    expect_violation(&s, CHECK_NULL);
    s = begin(64); /* code lies at even addresses: pointers to members rely on it */
    tell_arith(&s, ARITH_AND, operand_function(0), word(&s, 1));
    expect(&s, 0);
    s = begin(64);
    tell_arith(&s, ARITH_AND, operand_function(0), word(&s, 2));
    expect_limit(&s);
}

/* --- pointers in memory --------------------------------------------------------------------------------- */

static void copy_bytes(scene *s, operand to, operand from, unsigned first, unsigned end) {
    for (unsigned k = first; k < end; k++) {
        operand byte = build_narrow_register(&s->b, 8);
        build_load(&s->b, byte, at(s, from, k));
        build_store(&s->b, at(s, to, k), byte);
    }
}

static void pointers_survive_copies_byte_by_byte(void **unused) {
    (void)unused;
    for (unsigned width = 32; width <= 64; width += 32) {
        scene s = begin(width);
        operand r = reg(&s);
        build_store(&s.b, s.x, at(&s, s.out, 24));
        copy_bytes(&s, s.y, s.x, 0, width / 8);
        build_load(&s.b, r, s.y);
        tell_arith(&s, ARITH_SUB, r, s.out);
        build_store(&s.b, s.y, word(&s, 0));
        build_copy(&s.b, at(&s, s.y, 1), at(&s, s.x, 1), 2); /* two bytes of it, and back */
        vec_last(&s.b.p->functions.data[0].blocks.data[0].code).c.width = (uint8_t)width;
        copy_bytes(&s, s.y, s.x, 0, 1);
        copy_bytes(&s, s.y, s.x, 3, width / 8);
        build_load(&s.b, r, s.y);
        tell_arith(&s, ARITH_SUB, r, s.out);
        expect(&s, 24, 24);
    }
}

static void mixtures_of_pointers_are_not_modelled(void **unused) {
    (void)unused;
    scene s = begin(64); /* bytes of two pointers */
    build_store(&s.b, s.x, at(&s, s.out, 8));
    build_store(&s.b, s.y, at(&s, s.out, 16));
    copy_bytes(&s, s.y, s.x, 0, 4);
    build_load(&s.b, reg(&s), s.y);
    expect_limit(&s);
    s = begin(64); /* half of one */
    build_store(&s.b, s.x, s.y);
    build_load(&s.b, build_narrow_register(&s.b, 32), s.x);
    expect_limit(&s);
    s = begin(64); /* a pointer with a byte that is not its own */
    build_store(&s.b, s.x, s.y);
    build_store(&s.b, at(&s, s.x, 7), operand_const(8, 0));
    build_load(&s.b, reg(&s), s.x);
    expect_limit(&s);
    s = begin(64); /* the value of a byte */
    operand byte = build_narrow_register(&s.b, 8), same = build_narrow_register(&s.b, 1);
    build_store(&s.b, s.x, s.y);
    build_load(&s.b, byte, s.x);
    build_arith(&s.b, same, ARITH_EQ, byte, operand_const(8, 0));
    expect_limit(&s);
    s = begin(64); /* bytes beside a torn pointer are untouched */
    build_store(&s.b, at(&s, s.out, 8), s.y);
    build_store(&s.b, at(&s, s.out, 4), operand_const(64, UINT64_C(0x1122334455667788)));
    operand r = build_narrow_register(&s.b, 32), wide = reg(&s);
    build_load(&s.b, r, at(&s, s.out, 8));
    build_arith(&s.b, wide, ARITH_ZEXT, r, operand_none());
    tell(&s, wide);
    expect(&s, 0x11223344);
}

static void pointers_can_be_updated_and_overwritten(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand r = reg(&s);
    build_store(&s.b, s.x, at(&s, s.out, 8));
    build_update(&s.b, s.x, word(&s, 16));
    build_load(&s.b, r, s.x);
    tell_arith(&s, ARITH_SUB, r, s.out);
    build_store(&s.b, s.x, word(&s, 5));
    build_load(&s.b, r, s.x);
    tell(&s, r);
    expect(&s, 24, 5);
    s = begin(64);
    build_store(&s.b, s.x, s.y);
    build_update(&s.b, s.x, word(&s, 2));
    vec_last(&s.b.p->functions.data[0].blocks.data[0].code).arith = ARITH_MUL;
    expect_limit(&s);
}

/* An array of pointers under an open index splits into the cases. */
static void symbolic_index_into_pointers(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand n = input_below(&s, 3), p = reg(&s), q = reg(&s), v = reg(&s);
    build_store(&s.b, s.out, s.x);
    build_store(&s.b, at(&s, s.out, 8), s.y);
    build_offset(&s.b, p, s.out, n, 8);
    build_load(&s.b, q, p);
    build_load(&s.b, v, q); /* the third is null */
    expect_ends(&s, 2, 1, 0);
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static void every_byte_of_an_access_is_checked(void **unused) {
    (void)unused;
    for (unsigned width = 32; width <= 64; width += 32) {
        uint64_t size = 16 * width / 8;
        scene s = begin(width);
        build_load(&s.b, build_narrow_register(&s.b, 32), at(&s, s.out, size - 4));
        expect_ends(&s, 1, 0, 0);
        s = begin(width);
        build_load(&s.b, build_narrow_register(&s.b, 32), at(&s, s.out, size - 3));
        expect_violation(&s, CHECK_BOUNDS);
        s = begin(width);
        build_load(&s.b, build_narrow_register(&s.b, 8), at(&s, s.out, (uint64_t)-1));
        vec_last(&s.b.p->functions.data[0].blocks.data[0].code).a.value &= term_mask(width);
        expect_violation(&s, CHECK_BOUNDS);
        s = begin(width);
        operand p = reg(&s);
        build_offset(&s.b, p, s.out, input_below(&s, 17), width / 8);
        build_store(&s.b, p, word(&s, 1));
        expect_ends(&s, 1, 1, 0);
        s = begin(width); /* unaligned, one byte too far at the end */
        build_offset(&s.b, p = reg(&s), s.out, input_below(&s, size - 2), 1);
        build_store(&s.b, p, operand_const(32, 1));
        expect_ends(&s, 1, 1, 0);
    }
    scene s = begin(64); /* the last of the places that are 4 apart does not fit */
    operand p = reg(&s);
    build_offset(&s.b, p, allocate(&s, word(&s, 10), 8, ALLOC_HEAP_ZERO), input_below(&s, 3), 4);
    build_store(&s.b, p, operand_const(32, 1));
    expect_ends(&s, 1, 1, 0);
}

static void null_and_numbers_are_no_addresses(void **unused) {
    (void)unused;
    scene s = begin(64);
    build_load(&s.b, reg(&s), word(&s, 0));
    expect_violation(&s, CHECK_NULL);
    s = begin(64);
    operand p = reg(&s);
    build_offset(&s.b, p, word(&s, 0), word(&s, 5), 8);
    build_store(&s.b, p, word(&s, 1));
    expect_violation(&s, CHECK_NULL);
}

/* Counting so far that bytes would wrap around is out of bounds, not the first element again. */
static void far_steps_do_not_come_round(void **unused) {
    (void)unused;
    for (unsigned width = 32; width <= 64; width += 32) {
        scene s = begin(width);
        operand p = reg(&s);
        build_offset(&s.b, p, s.out, word(&s, UINT64_C(1) << (width - 3)), 8);
        build_load(&s.b, reg(&s), p);
        expect_violation(&s, CHECK_BOUNDS);
        s = begin(width);
        build_offset(&s.b, p = reg(&s), at(&s, s.out, 16), word(&s, (uint64_t)-2), 4); /* near ones do */
        build_store(&s.b, p, operand_const(32, 1));
        expect_ends(&s, 1, 0, 0);
    }
}

/* --- allocation ----------------------------------------------------------------------------------------- */

static operand size_of(scene *s, operand p) {
    operand r = reg(s);
    build_instruction(&s->b, INSTR_SIZE, p, operand_none())->dst = r.index;
    return r;
}

static void sizes_and_lives(void **unused) {
    (void)unused;
    for (unsigned width = 32; width <= 64; width += 32) {
        scene s = begin(width);
        operand p = allocate(&s, word(&s, 5), 32, ALLOC_HEAP_ZERO), q, r = reg(&s);
        tell(&s, size_of(&s, p));
        q = allocate(&s, word(&s, 0), 8, ALLOC_HEAP_UNSET);
        tell(&s, size_of(&s, q));
        tell(&s, size_of(&s, word(&s, 0)));
        tell_arith(&s, ARITH_EQ, p, q);
        tell_arith(&s, ARITH_EQ, q, word(&s, 0));
        build_free(&s.b, q);
        build_free(&s.b, word(&s, 0));
        build_offset(&s.b, r, p, word(&s, 2), 4);
        tell(&s, size_of(&s, r));
        build_free(&s.b, p);
        expect(&s, 20, 0, 0, 0, 0, 20);
    }
    scene s = begin(64);
    build_load(&s.b, build_narrow_register(&s.b, 8), allocate(&s, word(&s, 0), 8, ALLOC_HEAP_UNSET));
    expect_violation(&s, CHECK_BOUNDS);
}

/* Whoever made it must free it: all pairs of ways. */
static void frees_of_what_was_made_otherwise(void **unused) {
    (void)unused;
    for (heap_maker made = MADE_BY_MALLOC; made <= MADE_BY_NEW_ARRAY; made++) {
        for (heap_maker freed = MADE_BY_MALLOC; freed <= MADE_BY_NEW_ARRAY; freed++) {
            scene s = begin(64);
            operand p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO);
            vec_last(&s.b.p->functions.data[0].blocks.data[0].code).maker = (uint8_t)made;
            build_free(&s.b, p);
            vec_last(&s.b.p->functions.data[0].blocks.data[0].code).maker = (uint8_t)freed;
            if (made == freed) {
                tell(&s, word(&s, 7));
                expect(&s, 7);
            } else {
                expect_violation(&s, CHECK_FREE);
            }
        }
    }
}

static void wrong_frees(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO), r = reg(&s);
    build_free(&s.b, p);
    build_free(&s.b, p);
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO);
    build_offset(&s.b, r = reg(&s), p, word(&s, 1), 8);
    build_free(&s.b, r);
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    build_free(&s.b, s.x);
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    build_free(&s.b, word(&s, 64));
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    build_free(&s.b, operand_function(0));
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    build_free(&s.b, allocate(&s, word(&s, 2), 64, ALLOC_FRAME_UNSET));
    expect_violation(&s, CHECK_FREE);
    s = begin(64);
    p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO);
    build_free(&s.b, p);
    build_load(&s.b, reg(&s), p);
    expect_violation(&s, CHECK_FREED);
    s = begin(64);
    p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO);
    build_free(&s.b, p);
    build_copy(&s.b, s.x, p, 8);
    expect_violation(&s, CHECK_FREED);
    s = begin(64); /* an offset that may be 0 */
    p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_ZERO);
    build_offset(&s.b, r = reg(&s), p, input_below(&s, 2), 8);
    build_free(&s.b, r);
    expect_ends(&s, 1, 1, 0);
}

/* What alloca makes dies with its frame, and only that. */
static void frames_own_what_they_allocate(void **unused) {
    (void)unused;
    for (unsigned use_after = 0; use_after < 2; use_after++) {
        scene s = begin(64);
        operand p = reg(&s), kept = allocate(&s, word(&s, 1), 64, ALLOC_FRAME_UNSET);
        build_store(&s.b, kept, word(&s, 7));
        uint32_t main_block = s.b.block;
        uint32_t callee = build_function(&s.b, "callee", 0);
        operand mine = allocate(&s, word(&s, 1), 64, ALLOC_FRAME_UNSET), r = reg(&s);
        build_store(&s.b, mine, word(&s, 9));
        build_load(&s.b, r, mine);
        tell(&s, r);
        build_return(&s.b, mine);
        build_goto(&s.b, 0, main_block);
        build_call(&s.b, p, callee);
        operand v = reg(&s);
        build_load(&s.b, v, use_after ? p : kept);
        tell(&s, v);
        if (use_after)
            expect_violation(&s, CHECK_FREED);
        else
            expect(&s, 9, 7);
    }
}

static void open_and_large_sizes(void **unused) {
    (void)unused;
    scene s = begin(64); /* a few sizes are told apart */
    operand n = input_below(&s, 4), p = allocate(&s, n, 32, ALLOC_HEAP_UNSET);
    build_store(&s.b, p, operand_const(32, 1));
    expect_ends(&s, 3, 1, 0);
    s = begin(64);
    allocate(&s, input_below(&s, 1000), 32, ALLOC_HEAP_UNSET);
    expect_ends(&s, 64, 0, 1);
    s = begin(64); /* multiples of a structure's size count as one case each */
    operand bytes = reg(&s);
    build_arith(&s.b, bytes, ARITH_MUL, input_below(&s, 50), word(&s, 16));
    allocate(&s, bytes, 8, ALLOC_HEAP_UNSET);
    expect_ends(&s, 50, 0, 0);
    s = begin(64); /* large objects cost nothing until they are used */
    p = allocate(&s, word(&s, UINT64_C(1) << 28), 32, ALLOC_HEAP_ZERO);
    operand q = reg(&s), v = build_narrow_register(&s.b, 32), wide = reg(&s);
    build_offset(&s.b, q, p, word(&s, 200000000), 4);
    build_store(&s.b, q, operand_const(32, 77));
    build_load(&s.b, v, q);
    build_arith(&s.b, wide, ARITH_ZEXT, v, operand_none());
    tell(&s, wide);
    expect(&s, 77);
    s = begin(64);
    allocate(&s, word(&s, UINT64_C(1) << 29), 32, ALLOC_HEAP_ZERO);
    expect_limit(&s);
    s = begin(64);
    allocate(&s, word(&s, UINT64_MAX / 2), 32, ALLOC_HEAP_ZERO);
    expect_limit(&s);
}

/* --- blocks --------------------------------------------------------------------------------------------- */

static void copies_of_nothing_touch_nothing(void **unused) {
    (void)unused;
    scene s = begin(64);
    build_copy(&s.b, word(&s, 0), word(&s, 0), 0);
    build_fill(&s.b, word(&s, 0), operand_const(8, 1), 0);
    expect_ends(&s, 1, 0, 0);
    s = begin(64);
    build_copy(&s.b, word(&s, 0), s.x, 1);
    expect_violation(&s, CHECK_NULL);
    s = begin(64);
    build_fill(&s.b, s.x, operand_const(8, 1), 9);
    expect_violation(&s, CHECK_BOUNDS);
    s = begin(64);
    build_copy(&s.b, s.out, s.x, 9);
    expect_violation(&s, CHECK_BOUNDS);
}

static void open_lengths_are_told_apart(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand n = input_below(&s, 11);
    build_fill(&s.b, s.x, operand_const(8, 255), 0);
    vec_last(&s.b.p->functions.data[0].blocks.data[0].code).c = n;
    expect_ends(&s, 9, 1, 0); /* 0 .. 8, and too much */
    s = begin(64);
    operand p = allocate(&s, word(&s, 5000), 8, ALLOC_HEAP_ZERO);
    n = input_below(&s, 3000);
    build_fill(&s.b, p, operand_const(8, 255), 0);
    vec_last(&s.b.p->functions.data[0].blocks.data[0].code).c = n;
    successors list = {0};
    fixture f = finish(&s, &list);
    bool limited = false;
    for (size_t k = 0; k < list.size; k++) limited |= list.data[k].end == STEP_LIMIT;
    assert_true(limited);
    close_run(&f, &list);
}

/* Padding is carried along. Who asks for its value gets any, and not the same one twice: a store to the
 * structure in between may have changed it. The fields beside it are what they are. */
static void padding_has_any_value(void **unused) {
    (void)unused;
    for (unsigned reads = 0; reads < 5; reads++) {
        scene s = begin(64);
        static const cell_type cells[] = {{0, {8, VIEW_UNSIGNED}, ".c", CELL_PLAIN, NULL},
                                          {4, {32, VIEW_UNSIGNED}, ".i", CELL_PLAIN, NULL}};
        layout *shape = arena_alloc(&s.b.p->memory, sizeof *shape);
        *shape = (layout){.stride = 8, .cells = 2, .cell = cells};
        for (unsigned k = 0; k < 2; k++) {
            static_object o = {
                .name = k ? "to" : "from", .shape = shape, .count = 2, .is_array = true, .at = {1, 1}};
            vec_push(&s.b.p->objects, o);
        }
        operand from = operand_object(3, 0), to = operand_object(4, 0), word8 = reg(&s);
        build_store(&s.b, at(&s, from, 12), operand_const(32, 1234));
        build_copy(&s.b, to, from, 16);
        build_copy(&s.b, s.out, from, 16); /* into words: bytes without a value stay such */
        operand v = build_narrow_register(&s.b, 32), wide = reg(&s);
        build_load(&s.b, v, at(&s, to, 12));
        build_arith(&s.b, wide, ARITH_ZEXT, v, operand_none());
        if (reads == 0) tell(&s, wide);
        if (reads == 0) expect(&s, 1234);
        if (reads == 1) {
            build_load(&s.b, word8, at(&s, s.out, 8));
            tell(&s, word8);
            expect_unknown(&s);
        }
        if (reads == 3) {
            build_load(&s.b, word8, at(&s, s.out, 8));
            tell_arith(&s, ARITH_LSHR, word8, word(&s, 32));
            expect(&s, 1234);
        }
        if (reads == 4) {
            operand again = reg(&s);
            build_load(&s.b, word8, at(&s, s.out, 8));
            build_load(&s.b, again, at(&s, s.out, 8));
            tell_arith(&s, ARITH_SUB, word8, again);
            expect_unknown(&s);
        }
        if (reads == 2) { /* but a fill gives it one */
            build_fill(&s.b, to, operand_const(8, 1), 16);
            build_load(&s.b, word8, to);
            tell(&s, word8);
            expect(&s, UINT64_C(0x0101010101010101));
        }
    }
}

/* --- what others see ------------------------------------------------------------------------------------ */

static const access *find_access(const effect *e, access_kind kind, uint32_t name) {
    for (size_t k = 0; k < e->size; k++)
        if (e->data[k].kind == kind && e->data[k].name == name) return &e->data[k];
    return NULL;
}

static void effects_name_objects_and_bytes(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand private = allocate(&s, word(&s, 4), 64, ALLOC_HEAP_ZERO), r = reg(&s);
    build_store(&s.b, private, word(&s, 1));
    build_load(&s.b, r, private); /* nobody sees these */
    build_store(&s.b, at(&s, s.out, 20), operand_const(16, 1));
    build_copy(&s.b, s.x, at(&s, s.out, 3), 5);
    build_load(&s.b, reg(&s), s.y);
    vec_last(&s.b.p->functions.data[0].blocks.data[0].code).order = ORDER_SEQ_CST;
    successors list = {0};
    fixture f = finish(&s, &list);
    const effect *e = &list.data[0].touched;
    const access *a = find_access(e, ACCESS_WRITE, 0);
    assert_true(a && a->low == 20 && a->high == 22 && a->plain);
    a = find_access(e, ACCESS_WRITE, 1);
    assert_true(a && a->low == 0 && a->high == 5 && a->plain);
    a = find_access(e, ACCESS_READ, 0);
    assert_true(a && a->low == 3 && a->high == 8 && a->plain);
    a = find_access(e, ACCESS_READ, 2);
    assert_true(a && a->low == 0 && a->high == 8 && !a->plain);
    for (size_t k = 0; k < e->size; k++) assert_true(e->data[k].kind > ACCESS_UPDATE || e->data[k].name < 3);
    close_run(&f, &list);
}

/* An update of an unknown place need not hit the bytes of another one: it is no commuting access. */
static void updates_of_open_places_are_writes(void **unused) {
    (void)unused;
    for (unsigned open = 0; open < 2; open++) {
        scene s = begin(64);
        operand p = reg(&s);
        build_offset(&s.b, p, at(&s, s.out, 8), open ? input_below(&s, 3) : word(&s, 2), 8);
        build_update(&s.b, p, word(&s, 1));
        successors list = {0};
        fixture f = finish(&s, &list);
        for (size_t k = 0; k < list.size; k++) {
            if (list.data[k].end != STEP_FINISHED) continue;
            const access *write = find_access(&list.data[k].touched, ACCESS_WRITE, 0);
            const access *update = find_access(&list.data[k].touched, ACCESS_UPDATE, 0);
            assert_true(open ? write && write->low <= 8 && write->high >= 32 && !update : update && !write);
            if (!open) assert_true(update->low == 24 && update->high == 32 && update->op == ARITH_ADD);
        }
        close_run(&f, &list);
    }
}

/* A pointer in a shared object makes everything shared that is reachable through it. */
static void publishing_follows_pointers(void **unused) {
    (void)unused;
    for (unsigned way = 0; way < 3; way++) {
        scene s = begin(64);
        operand first = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_ZERO);
        operand second = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_ZERO);
        operand other = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_ZERO);
        build_store(&s.b, first, second);
        build_store(&s.b, second, first);
        build_store(&s.b, other, first);
        if (way == 0) build_store(&s.b, s.x, first);
        if (way == 1) build_copy(&s.b, s.x, other, 8);
        if (way == 2) copy_bytes(&s, s.x, second, 2, 3);
        successors list = {0};
        fixture f = finish(&s, &list);
        const state *end = list.data[0].to;
        assert_int_equal(end->dynamic_count, 3);
        assert_true(end->dynamic[0].object->shared && end->dynamic[1].object->shared);
        assert_false(end->dynamic[2].object->shared);
        context c = {.s = (state *)end};
        value null = {term_const(f.c, 64, 0), 0};
        assert_true(memory_is_shared(&c, null));
        close_run(&f, &list);
    }
}

/* --- unset memory --------------------------------------------------------------------------------------- */

static void unset_content_is_unknown_but_fixed(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_UNSET), a = reg(&s), c = reg(&s);
    build_load(&s.b, a, p);
    build_load(&s.b, c, p);
    tell_arith(&s, ARITH_EQ, a, c); /* twice the same */
    build_copy(&s.b, s.x, p, 8);
    build_load(&s.b, c, s.x);
    tell_arith(&s, ARITH_EQ, a, c); /* a copy is the same */
    expect(&s, 1, 1);
    s = begin(64); /* either way */
    p = allocate(&s, word(&s, 2), 64, ALLOC_HEAP_UNSET);
    build_load(&s.b, a = reg(&s), p);
    operand zero = build_narrow_register(&s.b, 1);
    build_arith(&s.b, zero, ARITH_EQ, a, word(&s, 0));
    uint32_t yes = function_add_block(s.b.p, 0);
    build_branch(&s.b, zero, yes, yes);
    build_goto(&s.b, 0, yes);
    expect_ends(&s, 2, 0, 0);
    s = begin(64); /* another object, another value */
    p = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_UNSET);
    operand q = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_UNSET);
    build_load(&s.b, a = reg(&s), p);
    build_load(&s.b, c = reg(&s), q);
    build_arith(&s.b, zero = build_narrow_register(&s.b, 1), ARITH_EQ, a, c);
    yes = function_add_block(s.b.p, 0);
    build_branch(&s.b, zero, yes, yes);
    build_goto(&s.b, 0, yes);
    expect_ends(&s, 2, 0, 0);
    s = begin(64); /* an unset pointer leads nowhere */
    p = allocate(&s, word(&s, 1), 64, ALLOC_HEAP_UNSET);
    build_load(&s.b, a = reg(&s), p);
    build_load(&s.b, reg(&s), a);
    expect_violation(&s, CHECK_NULL);
}

/* --- where objects lie ---------------------------------------------------------------------------------- */

/* Only where these are equal goes the program on. */
static void assume_equal(scene *s, operand a, operand b) {
    operand same = build_narrow_register(&s->b, 1);
    build_arith(&s->b, same, ARITH_EQ, a, b);
    build_instruction(&s->b, INSTR_ASSUME, same, operand_none());
}

static operand new_block(scene *s) {
    return allocate(s, word(s, 1), 64, ALLOC_HEAP_ZERO);
}

static void what_lived_together_differs(void **unused) {
    (void)unused;
    for (unsigned with_newer = 0; with_newer < 2; with_newer++) {
        scene s = begin(64);
        operand gone = new_block(&s), older = new_block(&s), newer;
        build_free(&s.b, gone);
        newer = new_block(&s);
        assume_equal(&s, gone, with_newer ? newer : older);
        expect_ends(&s, with_newer, 0, 0);
    }
    scene s = begin(64); /* only one of two that live */
    operand gone = new_block(&s);
    build_free(&s.b, gone);
    operand one = new_block(&s), other = new_block(&s);
    assume_equal(&s, gone, one);
    assume_equal(&s, gone, other);
    expect_ends(&s, 0, 0, 0);
    s = begin(64); /* but both, one after the other */
    gone = new_block(&s);
    build_free(&s.b, gone);
    one = new_block(&s);
    assume_equal(&s, gone, one);
    build_free(&s.b, one);
    other = new_block(&s);
    assume_equal(&s, one, other);
    assume_equal(&s, gone, other);
    expect_ends(&s, 1, 0, 0);
}

static operand behind_block(scene *s, operand block) {
    operand end = reg(s);
    build_arith(&s->b, end, ARITH_ADD, block, word(s, 8));
    return end;
}

static void ends_may_meet(void **unused) {
    (void)unused;
    scene s = begin(64);
    operand one = new_block(&s), other = new_block(&s);
    assume_equal(&s, behind_block(&s, one), other);
    expect_ends(&s, 1, 0, 0);
    s = begin(64); /* not on both sides */
    one = new_block(&s), other = new_block(&s);
    assume_equal(&s, behind_block(&s, one), other);
    assume_equal(&s, behind_block(&s, other), one);
    expect_ends(&s, 0, 0, 0);
    s = begin(64); /* not two at one place */
    one = new_block(&s), other = new_block(&s);
    operand third = new_block(&s);
    assume_equal(&s, behind_block(&s, one), other);
    assume_equal(&s, behind_block(&s, one), third);
    expect_ends(&s, 0, 0, 0);
    s = begin(64); /* not beyond the end */
    one = new_block(&s), other = new_block(&s);
    assume_equal(&s, behind_block(&s, behind_block(&s, one)), other);
    expect_ends(&s, 0, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lived_together_differs),
        cmocka_unit_test(ends_may_meet),
        cmocka_unit_test(arithmetic_within_an_object),
        cmocka_unit_test(alignment_makes_low_bits_known),
        cmocka_unit_test(different_objects),
        cmocka_unit_test(functions_are_no_data),
        cmocka_unit_test(pointers_survive_copies_byte_by_byte),
        cmocka_unit_test(mixtures_of_pointers_are_not_modelled),
        cmocka_unit_test(pointers_can_be_updated_and_overwritten),
        cmocka_unit_test(symbolic_index_into_pointers),
        cmocka_unit_test(every_byte_of_an_access_is_checked),
        cmocka_unit_test(null_and_numbers_are_no_addresses),
        cmocka_unit_test(far_steps_do_not_come_round),
        cmocka_unit_test(sizes_and_lives),
        cmocka_unit_test(wrong_frees),
        cmocka_unit_test(frees_of_what_was_made_otherwise),
        cmocka_unit_test(frames_own_what_they_allocate),
        cmocka_unit_test(open_and_large_sizes),
        cmocka_unit_test(copies_of_nothing_touch_nothing),
        cmocka_unit_test(open_lengths_are_told_apart),
        cmocka_unit_test(padding_has_any_value),
        cmocka_unit_test(effects_name_objects_and_bytes),
        cmocka_unit_test(updates_of_open_places_are_writes),
        cmocka_unit_test(publishing_follows_pointers),
        cmocka_unit_test(unset_content_is_unknown_but_fixed),
    };
    return cmocka_run_group_tests_name("pointers", tests, NULL, NULL);
}
