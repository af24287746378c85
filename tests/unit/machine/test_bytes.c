/* The memory of C programs, byte for byte: random sequences of loads, stores, updates, copies and fills of
 * all sizes at all offsets, against plain arrays of bytes; with exact and symbolic offsets, set
 * and unset content. */
#include "core_fixture.h"

#include "build_program.h"
#include "random_programs.h"

#include "machine/state.h"

enum { SIZE = 48, ROUNDS = 40, RESULTS = ROUNDS, OBJECTS = 5 };

/* --- programs ------------------------------------------------------------------------------------------- */

static const layout *layout_of(program *p, uint32_t stride, const cell_type *cells, uint32_t count) {
    layout *shape = arena_alloc(&p->memory, sizeof *shape);
    *shape = (layout){
        .stride = stride, .cells = count, .cell = arena_copy(&p->memory, cells, count * sizeof *cells)};
    return shape;
}

static const layout *mixed_layout(program *p) {
    static const cell_type cells[] = {
        {0, {8, VIEW_UNSIGNED}, ".a", CELL_PLAIN, NULL},  {1, {8, VIEW_UNSIGNED}, ".b", CELL_PLAIN, NULL},
        {2, {16, VIEW_UNSIGNED}, ".c", CELL_PLAIN, NULL}, {4, {32, VIEW_UNSIGNED}, ".d", CELL_PLAIN, NULL},
        {8, {64, VIEW_UNSIGNED}, ".e", CELL_PLAIN, NULL}, {16, {32, VIEW_UNSIGNED}, ".f", CELL_PLAIN, NULL},
        {20, {32, VIEW_UNSIGNED}, ".g", CELL_PLAIN, NULL}};
    return layout_of(p, 24, cells, 7);
}

static const layout *scalar_layout(program *p, unsigned width) {
    return program_scalar_layout(p, (scalar_type){(uint8_t)width, VIEW_UNSIGNED});
}

static operand add_object(build *b, const layout *shape, uint32_t bytes) {
    static_object o = {
        .name = "o", .shape = shape, .count = bytes / shape->stride, .is_array = true, .at = {1, 1}};
    vec_push(&b->p->objects, o);
    return operand_object((uint32_t)(b->p->objects.size - 1), 0);
}

typedef struct story {
    build b;
    uint64_t seed;
    uint8_t bytes[OBJECTS][SIZE]; /* what they hold */
    uint64_t result[RESULTS];     /* what was loaded */
    unsigned results;
    operand object[OBJECTS]; /* pointers to them */
    operand out;
    operand index;        /* a symbolic number, or none */
    uint64_t index_value; /* what it stands for */
    uint32_t index_end;
} story;

static unsigned pick(story *s, unsigned below) {
    return random_below(&s->seed, below);
}

/* A pointer to a byte of an object, sometimes through the symbolic index. */
static operand place(story *s, unsigned object, unsigned bytes, unsigned *low) {
    build *b = &s->b;
    operand pointer = build_register(b);
    *low = pick(s, SIZE - bytes + 1);
    if (s->index.kind != OPERAND_NONE && pick(s, 2)) {
        static const uint32_t scales[] = {1, 2, 4, 8, 12};
        uint32_t scale = scales[pick(s, 5)], reach = scale * (s->index_end - 1);
        if (reach + bytes <= SIZE) {
            unsigned start = pick(s, SIZE - bytes - reach + 1);
            *low = start + scale * (unsigned)s->index_value;
            operand moved = build_register(b);
            build_offset(b, moved, s->object[object], s->index, scale);
            build_offset(b, pointer, moved, build_number(start), 1);
            return pointer;
        }
    }
    build_offset(b, pointer, s->object[object], build_number(*low), 1);
    return pointer;
}

static uint64_t little_endian(const uint8_t *bytes, unsigned count) {
    uint64_t n = 0;
    for (unsigned k = count; k-- > 0;) n = n << 8 | bytes[k];
    return n;
}

static void put_little_endian(uint8_t *bytes, unsigned count, uint64_t n) {
    for (unsigned k = 0; k < count; k++) bytes[k] = (uint8_t)(n >> 8 * k);
}

static void add_load(story *s, unsigned object, unsigned width) {
    build *b = &s->b;
    unsigned low, bytes = (width + 7) / 8;
    operand at = place(s, object, bytes, &low), loaded = build_narrow_register(b, width), wide = loaded;
    build_load(b, loaded, at);
    if (width < 64) {
        wide = build_register(b);
        build_arith(b, wide, ARITH_ZEXT, loaded, operand_none());
    }
    build_store(b, (operand){OPERAND_OBJECT, 64, s->out.index, 8 * s->results}, wide);
    s->result[s->results++] = little_endian(s->bytes[object] + low, bytes) & term_mask(width);
}

static void add_operation(story *s) {
    static const unsigned widths[] = {8, 8, 16, 24, 32, 32, 40, 64, 64};
    build *b = &s->b;
    unsigned object = pick(s, OBJECTS), other = pick(s, OBJECTS), width = widths[pick(s, 9)], low, from;
    unsigned bytes = width / 8, length = pick(s, SIZE + 1);
    uint64_t number = ((uint64_t)random_next(&s->seed) << 32 | random_next(&s->seed)) & term_mask(width);
    operand at, source;
    switch (pick(s, 6)) {
    case 0:
    case 1:
        at = place(s, object, bytes, &low);
        build_store(b, at, operand_const(width, number));
        put_little_endian(s->bytes[object] + low, bytes, number);
        break;
    case 2:
        at = place(s, object, bytes, &low);
        build_update(b, at, operand_const(width, number));
        put_little_endian(s->bytes[object] + low, bytes,
                          number + little_endian(s->bytes[object] + low, bytes));
        break;
    case 3:
        if (pick(s, 2)) length %= 9;
        at = place(s, object, length, &low);
        source = place(s, other, length, &from);
        build_copy(b, at, source, length);
        memmove(s->bytes[object] + low, s->bytes[other] + from, length);
        break;
    case 4:
        if (pick(s, 2)) length %= 9;
        at = place(s, object, length, &low);
        build_fill(b, at, operand_const(8, number & 255), length);
        memset(s->bytes[object] + low, (int)(number & 255), length);
        break;
    default: add_load(s, object, width); break;
    }
}

/* Objects of many kinds: a static structure, words, bytes, a large one, and one of the heap. */
static void begin_story(story *s, uint64_t seed, bool unset) {
    *s = (story){.b = build_open(), .seed = seed};
    build *b = &s->b;
    const layout *bytes = scalar_layout(b->p, 8);
    s->object[0] = add_object(b, mixed_layout(b->p), SIZE);
    s->object[1] = add_object(b, scalar_layout(b->p, 32), SIZE);
    s->object[2] = add_object(b, bytes, SIZE);
    s->object[3] = add_object(b, bytes, 5000);
    s->out = add_object(b, scalar_layout(b->p, 64), 8 * RESULTS);
    operand kept = add_object(b, scalar_layout(b->p, 64), 8);
    build_function(b, "main", 0);
    operand heap = build_register(b);
    instruction *i =
        build_instruction(b, INSTR_ALLOC, build_number(unset ? SIZE : SIZE / 24), operand_none());
    i->dst = heap.index;
    i->extra = unset ? ALLOC_HEAP_UNSET : ALLOC_HEAP_ZERO;
    i->shape = unset ? bytes : mixed_layout(b->p);
    build_store(b, kept, heap);
    s->object[4] = heap;
}

static void end_story(story *s) {
    build_return(&s->b, build_number(0));
    diagnostics d = {.file = "test"};
    assert_true(program_check(s->b.p, &d));
    diag_free(&d);
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static uint32_t name_of(const fixture *f, const state *s, const story *t, unsigned object) {
    if (object < 4) return t->object[object].index;
    value kept = memory_peek(f->m, s, t->out.index + 1, 0, 64);
    assert_true(kept.base > 0);
    return kept.base - 1;
}

static void compare_with_bytes(const fixture *f, const state *s, const story *t, const valuation *v) {
    for (unsigned o = 0; o < OBJECTS; o++)
        for (unsigned k = 0; k < SIZE; k++) {
            value here = memory_peek(f->m, s, name_of(f, s, t, o), k, 8);
            assert_non_null(here.bits);
            assert_int_equal(here.base, 0);
            assert_int_equal(term_evaluate(f->c, here.bits, v), t->bytes[o][k]);
        }
    for (unsigned k = 0; k < t->results; k++) {
        value here = memory_peek(f->m, s, t->out.index, 8 * k, 64);
        assert_true(term_evaluate(f->c, here.bits, v) == t->result[k]);
    }
}

/* The objects of a ragged state have cells that cover them without gaps, of sizes that fit their values. */
static void check_cells(const memory_object *o) {
    uint32_t end = 0;
    for (uint32_t k = 0; o->ragged && k < o->cells; k++) {
        cell_view view = object_cell_view(o, k);
        assert_int_equal(view.low, end);
        assert_true(view.high > view.low);
        if (view.v.bits && !value_is_fragment(view.v))
            assert_true(view.v.bits->width == 8 * (view.high - view.low) || view.v.bits->width == 8);
        end = view.high;
    }
    if (o->ragged) assert_int_equal(end, object_bytes(o));
}

static void compare_everything(const fixture *f, const state *s, const story *t, const valuation *v) {
    compare_with_bytes(f, s, t, v);
    for (uint32_t i = 0; i < s->static_count; i++) check_cells(s->objects[i]);
    for (uint32_t i = 0; i < s->dynamic_count; i++) check_cells(s->dynamic[i].object);
}

static bool path_holds(const fixture *f, const state *s, const valuation *v) {
    for (uint32_t i = 0; i < s->path_count; i++)
        if (!term_evaluate(f->c, state_path(s)[i], v)) return false;
    return true;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void exact_accesses_are_those_of_bytes(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        story t;
        begin_story(&t, seed * 77, false);
        for (unsigned k = 0; k < ROUNDS; k++) add_operation(&t);
        end_story(&t);
        fixture f = fixture_of_program(t.b.p, NULL, 0);
        state *s = step(&f, machine_initial(f.m, 0), "M");
        valuation *none = valuation_create();
        compare_everything(&f, s, &t, none);
        valuation_destroy(none);
        state_release(f.m, s);
        fixture_close(&f);
    }
}

static state *first_instruction(const fixture *f, state *s) {
    successors list = {0};
    step_options how = {.stops = STOP_INSTRUCTION, .inputs = f->inputs};
    machine_step(f->m, s, (transition){0, 0}, &how, &list);
    assert_int_equal(list.size, 1);
    state *next = state_share(list.data[0].to);
    successors_free(f->m, &list);
    state_release(f->m, s);
    return next;
}

/* The unknown byte values of the heap object, which keep their value wherever they are copied. */
static void choose_unset_bytes(const fixture *f, valuation *v, const uint8_t *chosen) {
    state *s = first_instruction(f, machine_initial(f->m, 0));
    assert_int_equal(s->dynamic_count, 1);
    for (unsigned k = 0; k < SIZE; k++) {
        value byte = memory_peek(f->m, s, s->dynamic[0].name, k, 8);
        assert_true(term_is_symbol(byte.bits));
        valuation_set(v, byte.bits, chosen[k]);
    }
    state_release(f->m, s);
}

static void unset_bytes_are_one_value_each(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        story t;
        begin_story(&t, seed * 91, true);
        uint8_t chosen[SIZE];
        for (unsigned k = 0; k < SIZE; k++) t.bytes[4][k] = chosen[k] = (uint8_t)pick(&t, 256);
        for (unsigned k = 0; k < ROUNDS; k++) add_operation(&t);
        end_story(&t);
        fixture f = fixture_of_program(t.b.p, NULL, 0);
        valuation *v = valuation_create();
        choose_unset_bytes(&f, v, chosen);
        state *s = step(&f, machine_initial(f.m, 0), "M");
        compare_everything(&f, s, &t, v);
        state_release(f.m, s);
        f.inputs = v; /* and as numbers */
        s = step(&f, machine_initial(f.m, 0), "M");
        compare_everything(&f, s, &t, v); /* what no step has looked at is open between steps */
        state_release(f.m, s);
        f.inputs = NULL;
        valuation_destroy(v);
        fixture_close(&f);
    }
}

/* One input below a bound is part of addresses. Exactly one successor belongs to each of its values, and
 * holds what a run with that value leaves. */
static void check_symbolic_story(uint64_t seed, bool unset) {
    enum { END = 4 };
    for (uint64_t number = 0; number < END; number++) {
        story t;
        begin_story(&t, seed, unset);
        build *b = &t.b;
        vec_push(&b->p->inputs, ((input){"x", {32, VIEW_UNSIGNED}, {1, 1}}));
        operand narrow = build_narrow_register(b, 32), wide = build_register(b), below;
        instruction *i = build_emit(b, INSTR_INPUT);
        i->dst = narrow.index;
        below = build_narrow_register(b, 1);
        build_arith(b, below, ARITH_ULT, narrow, operand_const(32, END));
        build_instruction(b, INSTR_ASSUME, below, operand_none());
        build_arith(b, wide, ARITH_ZEXT, narrow, operand_none());
        t.index = wide;
        t.index_end = END;
        t.index_value = number;
        uint8_t chosen[SIZE] = {0};
        for (unsigned k = 0; k < SIZE && unset; k++) t.bytes[4][k] = chosen[k] = (uint8_t)pick(&t, 256);
        for (unsigned k = 0; k < 12; k++) add_operation(&t);
        end_story(&t);
        fixture f = fixture_of_program(t.b.p, NULL, 0);
        valuation *v = valuation_create();
        if (unset) choose_unset_bytes(&f, v, chosen);
        valuation_set(v, term_symbol(f.c, 32, 0, "x", 0), number);
        successors list = {0};
        step_options how = {0};
        state *start = machine_initial(f.m, 0);
        machine_step(f.m, start, (transition){0, 0}, &how, &list);
        state_release(f.m, start);
        unsigned found = 0;
        for (size_t k = 0; k < list.size; k++) {
            if (!path_holds(&f, list.data[k].to, v) || list.data[k].end == STEP_ASSUMED_AWAY) continue;
            found++;
            assert_int_equal(list.data[k].end, STEP_FINISHED);
            compare_everything(&f, list.data[k].to, &t, v);
        }
        assert_int_equal(found, 1);
        successors_free(f.m, &list);
        valuation_destroy(v);
        fixture_close(&f);
    }
}

static void symbolic_offsets_tell_the_places_apart(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 25; seed++) check_symbolic_story(seed * 113, false);
    for (uint64_t seed = 1; seed <= 15; seed++) check_symbolic_story(seed * 117, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_accesses_are_those_of_bytes),
        cmocka_unit_test(unset_bytes_are_one_value_each),
        cmocka_unit_test(symbolic_offsets_tell_the_places_apart),
    };
    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
