/* The program representation: building, listing, and the checker, which must notice every
 * broken invariant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "build_program.h"
#include "program/program.h"

#include <string.h>

static const scalar_type int32 = {32, VIEW_SIGNED}, truth = {1, VIEW_BOOL}, wide = {64, VIEW_UNSIGNED},
                         pointer = {64, VIEW_POINTER};
static const position here = {3, 7};

/* A small valid program; tests break one thing in it.
 *
 *   function 0  id(x) { return x; }
 *   function 1  main  { %0 = load @x; %1 = add %0, 1; store @x; %2 = eq; check; %3 = id(%1); start;
 *                       branch %2 b1 b1 }
 *   function 2  A     { wait event 0; end }
 *   function 3  U     { return } */
typedef struct sample {
    program *p;
    uint32_t id, main, thread, update;
} sample;

static instruction *at(sample *s, uint32_t f, uint32_t b, size_t i) {
    return &s->p->functions.data[f].blocks.data[b].code.data[i];
}

static void build_id(sample *s) {
    program *p = s->p;
    s->id = program_add_function(p, "id", FUNCTION_PLAIN, here);
    function_add_register(p, s->id, int32, "x");
    p->functions.data[s->id].parameters = 1;
    p->functions.data[s->id].result = int32;
    function_add_block(p, s->id);
    function_emit(p, s->id, 0, INSTR_RETURN, here)->a = operand_register(0, 32);
}

static void build_main(sample *s) {
    program *p = s->p;
    uint32_t f = s->main = program_add_function(p, "main", FUNCTION_MAIN, here);
    uint32_t old = function_add_register(p, f, int32, NULL), new = function_add_register(p, f, int32, "n"),
             same = function_add_register(p, f, truth, NULL), copy = function_add_register(p, f, int32, NULL);
    function_add_block(p, f);
    function_add_block(p, f);
    instruction *i = function_emit(p, f, 0, INSTR_LOAD, here);
    i->dst = old, i->a = operand_object(0, 0);
    i = function_emit(p, f, 0, INSTR_ARITH, here);
    i->arith = ARITH_ADD, i->dst = new, i->a = operand_register(old, 32), i->b = operand_const(32, 1);
    i = function_emit(p, f, 0, INSTR_STORE, here);
    i->a = operand_object(0, 0), i->b = operand_register(new, 32);
    i = function_emit(p, f, 0, INSTR_ARITH, here);
    i->arith = ARITH_EQ, i->dst = same, i->a = operand_register(old, 32), i->b = operand_register(new, 32);
    i = function_emit(p, f, 0, INSTR_CHECK, here);
    i->a = operand_register(same, 1), i->check = 0;
    operand args[] = {operand_register(new, 32)};
    i = function_emit(p, f, 0, INSTR_CALL, here);
    i->callee = s->id, i->dst = copy, i->args = program_copy_operands(p, args, 1), i->arg_count = 1;
    i = function_emit(p, f, 0, INSTR_SYNC, here);
    i->sync = SYNC_START;
    i = function_emit(p, f, 0, INSTR_BRANCH, here);
    i->a = operand_register(same, 1), i->target[0] = 1, i->target[1] = 1;
    function_emit(p, f, 1, INSTR_RETURN, here);
}

static void build_thread(sample *s) {
    program *p = s->p;
    s->thread = program_add_function(p, "A", FUNCTION_THREAD, here);
    function_add_block(p, s->thread);
    operand events[] = {operand_const(32, 0)};
    const operand *args = program_copy_operands(p, events, 1);
    instruction *i = function_emit(p, s->thread, 0, INSTR_SYNC, here);
    i->sync = SYNC_WAIT_ANY, i->args = args, i->arg_count = 1;
    i = function_emit(p, s->thread, 0, INSTR_SYNC, here);
    i->sync = SYNC_END;
}

static sample build_sample(void) {
    sample s = {.p = program_create(KERNEL_IVL, "sample.ivl")};
    program *p = s.p;
    static_object x = {.name = "x", .shape = program_scalar_layout(p, int32), .count = 1, .at = here};
    vec_push(&p->objects, x);
    build_id(&s);
    build_main(&s);
    build_thread(&s);
    s.update = program_add_function(p, "U", FUNCTION_UPDATE, here);
    function_add_block(p, s.update);
    function_emit(p, s.update, 0, INSTR_RETURN, here);
    thread_info threads[] = {{.name = "main", .function = s.main, .at = here},
                             {.name = "A", .function = s.thread, .at = here}};
    vec_push(&p->threads, threads[0]);
    vec_push(&p->threads, threads[1]);
    event_info e = {"e", here};
    vec_push(&p->events, e);
    update_info u = {"U", s.update, here};
    vec_push(&p->updates, u);
    check c = {.kind = CHECK_ASSERTION, .text = "x == x", .thread_or_function = "main", .at = here};
    vec_push(&p->checks, c);
    input in = {"x", int32, here};
    vec_push(&p->inputs, in);
    return s;
}

static bool is_valid(const sample *s) {
    diagnostics d = {.file = "sample.ivl"};
    bool good = program_check(s->p, &d);
    assert_int_equal(good, d.errors == 0);
    diag_free(&d);
    return good;
}

static void the_sample_is_valid(void **unused) {
    (void)unused;
    sample s = build_sample();
    assert_true(is_valid(&s));
    program_destroy(s.p);
}

static void destroying_nothing_is_allowed(void **unused) {
    (void)unused;
    program_destroy(NULL);
}

static void emit_gives_an_empty_instruction(void **unused) {
    (void)unused;
    sample s = build_sample();
    uint32_t b = function_add_block(s.p, s.main);
    assert_int_equal(b, 2);
    instruction *i = function_emit(s.p, s.main, b, INSTR_MOVE, here);
    assert_int_equal(i->kind, INSTR_MOVE);
    assert_int_equal(i->dst, NO_INDEX);
    assert_int_equal(i->a.kind, OPERAND_NONE);
    assert_int_equal(i->at.line, 3);
    assert_int_equal(i->arg_count, 0);
    program_destroy(s.p);
}

static void scalars_take_the_next_power_of_two_of_bytes(void **unused) {
    (void)unused;
    const unsigned expected[][2] = {{1, 1}, {8, 1}, {9, 2}, {16, 2}, {17, 4}, {32, 4}, {33, 8}, {64, 8}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(scalar_bytes((scalar_type){(uint8_t)expected[k][0], VIEW_UNSIGNED}), expected[k][1]);
}

/* --- listing -------------------------------------------------------------------------------------------- */

static void listing_shows_every_part(void **unused) {
    (void)unused;
    sample s = build_sample();
    text t = {0};
    program_print(s.p, &t);
    const char *const lines[] = {
        "program sample.ivl, systemc kernel\n",
        "object @x : i32\n",
        "event 0 e\n",
        "thread 1 A = function 2\n",
        "update 0 U = function 3\n",
        "check 0 assertion \"x == x\" in main  ; 3:7\n",
        "input 0 x : i32  ; 3:7\n",
        "function id(%x.0:i32) -> i32  ; 3:7\n",
        "    %0:i32 = load @x  ; 3:7\n",
        "    %n.1:i32 = add %0, 1:32  ; 3:7\n",
        "    store @x, %n.1  ; 3:7\n",
        "    check %2 #0 x == x  ; 3:7\n",
        "    %3:i32 = call id(%n.1)  ; 3:7\n",
        "    branch %2 b1 b1  ; 3:7\n",
        "    wait_any(0:32)  ; 3:7\n",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (!strstr(text_cstr(&t), lines[k])) fail_msg("missing: %s in\n%s", lines[k], text_cstr(&t));
    text_free(&t);
    program_destroy(s.p);
}

static void add_struct_array(program *p) {
    static const cell_type cells[] = {{0, {32, VIEW_SIGNED}, ".x", CELL_PLAIN, NULL},
                                      {4, {8, VIEW_CHAR}, ".tag[0]", CELL_PLAIN, NULL},
                                      {5, {8, VIEW_CHAR}, ".tag[1]", CELL_PLAIN, NULL}};
    static const layout shape = {.stride = 8, .cells = 3, .cell = cells};
    static_object points = {.name = "points", .shape = &shape, .count = 4, .is_array = true};
    static_object single = {.name = "one", .shape = &shape, .count = 1};
    vec_push(&p->objects, points);
    vec_push(&p->objects, single);
}

static void expect_cell(const program *p, uint32_t object, uint32_t offset, const char *expected) {
    text t = {0};
    program_cell_name(p, object, offset, &t);
    assert_string_equal(text_cstr(&t), expected);
    text_free(&t);
}

static void cells_are_named_as_in_the_source(void **unused) {
    (void)unused;
    sample s = build_sample();
    add_struct_array(s.p);
    expect_cell(s.p, 0, 0, "x");
    expect_cell(s.p, 1, 0, "points[0].x");
    expect_cell(s.p, 1, 29, "points[3].tag[1]");
    expect_cell(s.p, 2, 4, "one.tag[0]");
    expect_cell(s.p, 2, 6, "one+6");
    expect_cell(s.p, 77, 0, "object 77");
    assert_true(is_valid(&s));
    program_destroy(s.p);
}

/* --- the checker ---------------------------------------------------------------------------------------- */

/* Each breaks one invariant of an otherwise valid program. */
#define BREAK(name, ...)                                                                                     \
    static void name(sample *s) {                                                                            \
        __VA_ARGS__;                                                                                         \
    }

BREAK(register_out_of_range, at(s, s->main, 0, 1)->a.index = 99)
BREAK(operand_width_differs_from_register, at(s, s->main, 0, 1)->a.width = 16)
BREAK(constant_too_wide, at(s, s->main, 0, 1)->b = operand_const(32, UINT64_C(1) << 32))
BREAK(arith_widths_differ, at(s, s->main, 0, 1)->b = operand_const(16, 1))
BREAK(unary_with_two_operands, at(s, s->main, 0, 1)->arith = ARITH_NOT)
BREAK(comparison_into_wide_register, at(s, s->main, 0, 3)->dst = 0)
BREAK(extension_to_smaller, at(s, s->main, 0, 1)->arith = ARITH_ZEXT;
      at(s, s->main, 0, 1)->a = operand_const(64, 1); at(s, s->main, 0, 1)->b = operand_none())
BREAK(truncation_to_larger, at(s, s->main, 0, 1)->arith = ARITH_TRUNC;
      at(s, s->main, 0, 1)->a = operand_const(16, 1); at(s, s->main, 0, 1)->b = operand_none())
BREAK(select_condition_wide, at(s, s->main, 0, 1)->arith = ARITH_SELECT;
      at(s, s->main, 0, 1)->c = operand_const(32, 0))
BREAK(arithmetic_on_addresses, at(s, s->main, 0, 3)->arith = ARITH_ULT;
      at(s, s->main, 0, 3)->a = operand_object(0, 0); at(s, s->main, 0, 3)->b = operand_object(0, 0))
BREAK(missing_destination, at(s, s->main, 0, 0)->dst = NO_INDEX)
BREAK(superfluous_destination, at(s, s->main, 0, 2)->dst = 0)
BREAK(missing_operand, at(s, s->main, 0, 2)->b = operand_none())
BREAK(superfluous_operand, at(s, s->main, 0, 0)->c = operand_const(32, 0))
BREAK(load_through_number, at(s, s->main, 0, 0)->a = operand_const(32, 0))
BREAK(object_out_of_range, at(s, s->main, 0, 0)->a.index = 5)
BREAK(local_out_of_range, at(s, s->main, 0, 0)->a = operand_local(0, 0))
BREAK(check_out_of_range, at(s, s->main, 0, 4)->check = 1)
BREAK(check_condition_wide, at(s, s->main, 0, 4)->a = operand_const(32, 1))
BREAK(callee_out_of_range, at(s, s->main, 0, 5)->callee = 44)
BREAK(call_of_a_thread, at(s, s->main, 0, 5)->callee = s->thread; at(s, s->main, 0, 5)->arg_count = 0;
      at(s, s->main, 0, 5)->dst = NO_INDEX)
BREAK(too_few_arguments, at(s, s->main, 0, 5)->arg_count = 0)
BREAK(argument_width_differs, operand a = operand_const(8, 1);
      at(s, s->main, 0, 5)->args = program_copy_operands(s->p, &a, 1))
BREAK(call_result_width_differs, at(s, s->main, 0, 5)->dst = 2)
BREAK(start_with_narrow_time, at(s, s->main, 0, 6)->a = operand_const(32, 1))
BREAK(branch_to_missing_block, at(s, s->main, 0, 7)->target[1] = 9)
BREAK(branch_on_number, at(s, s->main, 0, 7)->a = operand_const(32, 1))
BREAK(block_without_terminator, (void)vec_pop(&s->p->functions.data[s->main].blocks.data[0].code))
BREAK(terminator_in_the_middle, at(s, s->main, 0, 2)->kind = INSTR_JUMP;
      at(s, s->main, 0, 2)->a = at(s, s->main, 0, 2)->b = operand_none())
BREAK(empty_block, vec_clear(&s->p->functions.data[s->main].blocks.data[1].code))
BREAK(function_without_blocks, program_add_function(s->p, "nothing", FUNCTION_PLAIN, here))
BREAK(value_returned_from_main, at(s, s->main, 1, 0)->a = operand_const(32, 0))
BREAK(no_value_returned, at(s, s->id, 0, 0)->a = operand_none())
BREAK(returned_width_differs, at(s, s->id, 0, 0)->a = operand_const(64, 0))
BREAK(wait_without_events, at(s, s->thread, 0, 0)->arg_count = 0)
BREAK(wait_for_missing_event, operand e = operand_const(32, 1);
      at(s, s->thread, 0, 0)->args = program_copy_operands(s->p, &e, 1))
BREAK(wait_for_narrow_event, operand e = operand_const(8, 0);
      at(s, s->thread, 0, 0)->args = program_copy_operands(s->p, &e, 1))
BREAK(start_in_a_thread, at(s, s->thread, 0, 0)->sync = SYNC_START; at(s, s->thread, 0, 0)->arg_count = 0)
BREAK(notify_without_event, at(s, s->main, 0, 6)->sync = SYNC_NOTIFY)
BREAK(notify_of_missing_event, at(s, s->main, 0, 6)->sync = SYNC_NOTIFY;
      at(s, s->main, 0, 6)->a = operand_const(32, 1))
BREAK(notify_after_without_time, at(s, s->main, 0, 6)->sync = SYNC_NOTIFY_AFTER;
      at(s, s->main, 0, 6)->a = operand_const(32, 0))
BREAK(suspend_of_missing_thread, at(s, s->main, 0, 6)->sync = SYNC_SUSPEND;
      at(s, s->main, 0, 6)->a = operand_const(32, 2))
BREAK(request_of_missing_update, at(s, s->main, 0, 6)->sync = SYNC_REQUEST_UPDATE;
      at(s, s->main, 0, 6)->a = operand_const(32, 1))
BREAK(wait_time_without_time, at(s, s->main, 0, 6)->sync = SYNC_WAIT_TIME)
BREAK(unknown_sync, at(s, s->main, 0, 6)->sync = SYNC_OPS)
BREAK(unknown_instruction, at(s, s->main, 0, 6)->kind = INSTR_KINDS)
BREAK(thread_zero_is_no_main, s->p->threads.data[0].function = s->thread)
BREAK(second_main, s->p->threads.data[1].function = s->main)
BREAK(no_threads, vec_clear(&s->p->threads))
BREAK(update_is_a_thread, s->p->updates.data[0].function = s->thread)
BREAK(thread_with_parameters, function_add_register(s->p, s->thread, int32, "x");
      s->p->functions.data[s->thread].parameters = 1)
BREAK(more_parameters_than_registers, s->p->functions.data[s->id].parameters = 3)
BREAK(object_without_elements, s->p->objects.data[0].count = 0)
BREAK(many_elements_but_no_array, s->p->objects.data[0].count = 2)
BREAK(register_of_width_zero, s->p->functions.data[s->main].registers.data[0].type.width = 0)
BREAK(register_too_wide, s->p->functions.data[s->main].registers.data[1].type.width = 65)
BREAK(narrow_pointer, s->p->functions.data[s->main].registers.data[0].type = (scalar_type){32, VIEW_POINTER})
BREAK(check_without_text, s->p->checks.data[0].text = NULL)
BREAK(input_without_name, s->p->inputs.data[0].name = NULL)

static void overlapping_cells(sample *s) {
    static const cell_type cells[] = {{0, {32, VIEW_SIGNED}, ".a", CELL_PLAIN, NULL},
                                      {2, {32, VIEW_SIGNED}, ".b", CELL_PLAIN, NULL}};
    static const layout shape = {.stride = 8, .cells = 2, .cell = cells};
    s->p->objects.data[0].shape = &shape;
}

static void cell_beyond_stride(sample *s) {
    static const cell_type cells[] = {{0, {64, VIEW_SIGNED}, "", CELL_PLAIN, NULL}};
    static const layout shape = {.stride = 4, .cells = 1, .cell = cells};
    s->p->objects.data[0].shape = &shape;
}

static void update_with_subtraction(sample *s) {
    instruction *i = at(s, s->main, 0, 2);
    i->kind = INSTR_UPDATE;
    i->arith = ARITH_SUB;
}

static void input_out_of_range(sample *s) {
    instruction *i = at(s, s->main, 0, 0);
    i->kind = INSTR_INPUT;
    i->a = operand_none();
    i->extra = 1;
}

static void offset_by_narrow_number(sample *s) {
    uint32_t r = function_add_register(s->p, s->main, pointer, NULL);
    instruction *i = at(s, s->main, 0, 1);
    i->kind = INSTR_OFFSET;
    i->dst = r;
    i->a = operand_object(0, 0);
    i->b = operand_const(32, 1);
}

static void allocation_without_shape(sample *s) {
    uint32_t r = function_add_register(s->p, s->main, pointer, NULL);
    instruction *i = at(s, s->main, 0, 0);
    i->kind = INSTR_ALLOC;
    i->dst = r;
    i->a = operand_const(64, 1);
}

static void broken_invariants_are_noticed(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        void (*damage)(sample *);
    } cases[] = {
#define CASE(name) {#name, name}
        CASE(register_out_of_range),
        CASE(operand_width_differs_from_register),
        CASE(constant_too_wide),
        CASE(arith_widths_differ),
        CASE(unary_with_two_operands),
        CASE(comparison_into_wide_register),
        CASE(extension_to_smaller),
        CASE(truncation_to_larger),
        CASE(select_condition_wide),
        CASE(arithmetic_on_addresses),
        CASE(missing_destination),
        CASE(superfluous_destination),
        CASE(missing_operand),
        CASE(superfluous_operand),
        CASE(load_through_number),
        CASE(object_out_of_range),
        CASE(local_out_of_range),
        CASE(check_out_of_range),
        CASE(check_condition_wide),
        CASE(callee_out_of_range),
        CASE(call_of_a_thread),
        CASE(too_few_arguments),
        CASE(argument_width_differs),
        CASE(call_result_width_differs),
        CASE(start_with_narrow_time),
        CASE(branch_to_missing_block),
        CASE(branch_on_number),
        CASE(block_without_terminator),
        CASE(terminator_in_the_middle),
        CASE(empty_block),
        CASE(function_without_blocks),
        CASE(value_returned_from_main),
        CASE(no_value_returned),
        CASE(returned_width_differs),
        CASE(wait_without_events),
        CASE(wait_for_missing_event),
        CASE(wait_for_narrow_event),
        CASE(start_in_a_thread),
        CASE(notify_without_event),
        CASE(notify_of_missing_event),
        CASE(notify_after_without_time),
        CASE(suspend_of_missing_thread),
        CASE(request_of_missing_update),
        CASE(wait_time_without_time),
        CASE(unknown_sync),
        CASE(unknown_instruction),
        CASE(thread_zero_is_no_main),
        CASE(second_main),
        CASE(no_threads),
        CASE(update_is_a_thread),
        CASE(thread_with_parameters),
        CASE(more_parameters_than_registers),
        CASE(object_without_elements),
        CASE(many_elements_but_no_array),
        CASE(register_of_width_zero),
        CASE(register_too_wide),
        CASE(narrow_pointer),
        CASE(check_without_text),
        CASE(input_without_name),
        CASE(overlapping_cells),
        CASE(cell_beyond_stride),
        CASE(update_with_subtraction),
        CASE(input_out_of_range),
        CASE(offset_by_narrow_number),
        CASE(allocation_without_shape),
#undef CASE
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sample s = build_sample();
        cases[k].damage(&s);
        if (is_valid(&s)) fail_msg("not noticed: %s", cases[k].name);
        program_destroy(s.p);
    }
}

static void valid_variants_are_accepted(void **unused) {
    (void)unused;
    sample s = build_sample();
    program *p = s.p;
    uint32_t r = function_add_register(p, s.main, pointer, NULL),
             t = function_add_register(p, s.main, wide, NULL);
    instruction *i = at(&s, s.main, 0, 3); /* pointers may be compared for equality */
    i->a = operand_object(0, 0);
    i->b = operand_const(64, 0);
    i = at(&s, s.main, 0, 1);
    *i = (instruction){.kind = INSTR_OFFSET,
                       .dst = r,
                       .a = operand_object(0, 0),
                       .b = operand_register(t, 64),
                       .extra = 4,
                       .at = here};
    i = at(&s, s.main, 0, 0);
    *i = (instruction){.kind = INSTR_TIME, .dst = t, .at = here};
    i = at(&s, s.main, 0, 6);
    i->a = operand_const(64, 5);
    at(&s, s.main, 0, 2)->b = operand_const(32, 0);
    at(&s, s.main, 0, 5)->dst = NO_INDEX;
    operand zero = operand_const(32, 0);
    at(&s, s.main, 0, 5)->args = program_copy_operands(p, &zero, 1);
    assert_true(is_valid(&s));
    program_destroy(p);
}

/* --- programs with threads ------------------------------------------------------------------------------ */

/* One instruction of every kind that only such programs have. */
static build build_thread_program(void) {
    build b = build_open();
    operand x = build_static(&b, "x", 4), p, n, byte;
    uint32_t main_function = build_function(&b, "main", 0), work = build_function(&b, "work", 1);
    b.p->functions.data[work].hidden = true;
    build_exit(&b, build_parameter(0));
    build_return(&b, build_parameter(0));
    build_goto(&b, main_function, 0);
    p = build_register(&b);
    n = build_register(&b);
    byte = build_narrow_register(&b, 8);
    build_local(&b, 2);
    vec_last(&b.p->functions.data[main_function].locals).unset = true;
    build_alloc(&b, p, 4, ALLOC_HEAP_UNSET);
    build_alloc(&b, p, 4, ALLOC_FRAME_UNSET);
    build_instruction(&b, INSTR_SIZE, p, operand_none())->dst = n.index;
    build_copy(&b, x, p, 8);
    build_load(&b, byte, x);
    vec_last(&b.p->functions.data[0].blocks.data[0].code).order = ORDER_SEQ_CST;
    build_fill(&b, x, byte, 8);
    build_create(&b, n, operand_function(work), p);
    build_join(&b, n, n);
    build_await(&b, x);
    build_sync(&b, SYNC_ATOMIC_END, operand_none(), operand_none(), operand_none());
    build_sync(&b, SYNC_SELF, n, operand_none(), operand_none());
    build_call_through(&b, n, operand_function(work), n);
    build_emit(&b, INSTR_UNSUPPORTED)->text = "inline assembly";
    build_return(&b, build_number(0));
    return b;
}

static bool program_is_valid(const program *p) {
    diagnostics d = {.file = "test"};
    bool good = program_check(p, &d);
    diag_free(&d);
    return good;
}

static void thread_programs_are_listed(void **unused) {
    (void)unused;
    build b = build_thread_program();
    assert_true(program_is_valid(b.p));
    text out = {0};
    program_print(b.p, &out);
    static const char *const expected[] = {"preemptive kernel",
                                           "alloc 4:64 of u64 unset",
                                           "unset, in the frame",
                                           "size %0",
                                           "copy @x, %0, 8:64",
                                           "load atomic @x",
                                           "fill @x, %2, 8:64",
                                           "create &work, %0",
                                           "%1:u64 = join %1",
                                           "await eq @x,",
                                           "atomic_end",
                                           "%1:u64 = self",
                                           "call &work(%1)",
                                           "unsupported inline assembly",
                                           "exit %0",
                                           "hidden",
                                           "local $local.0 : u64[2] unset"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(text_cstr(&out), expected[k]))
            fail_msg("not listed: %s in\n%s", expected[k], text_cstr(&out));
    }
    text_free(&out);
    program_destroy(b.p);
}

/* Each operand of each of them in turn is taken away or made narrower. */
static void broken_thread_programs_are_noticed(void **unused) {
    (void)unused;
    build whole = build_thread_program();
    size_t count = whole.p->functions.data[0].blocks.data[0].code.size;
    program_destroy(whole.p);
    for (size_t k = 0; k < count; k++)
        for (unsigned which = 0; which < 4; which++)
            for (unsigned how = 0; how < 2; how++) {
                build b = build_thread_program();
                instruction *i = &b.p->functions.data[0].blocks.data[0].code.data[k];
                operand *damaged[] = {&i->a, &i->b, &i->c};
                if (which == 3 ? i->dst == NO_INDEX : damaged[which]->kind == OPERAND_NONE) {
                    program_destroy(b.p);
                    continue;
                }
                bool optional = i->kind == INSTR_CALL || (i->kind == INSTR_SYNC && i->sync == SYNC_JOIN);
                bool any_width = i->kind == INSTR_LOAD || (i->kind == INSTR_SYNC && i->sync == SYNC_AWAIT);
                if (which < 3)
                    *damaged[which] = how ? operand_const(16, 0) : operand_none();
                else
                    i->dst = how ? build_narrow_register(&b, 16).index : NO_INDEX;
                bool allowed = which == 3 && (how ? any_width || i->kind == INSTR_CALL : optional);
                if (program_is_valid(b.p) != allowed)
                    fail_msg("instruction %zu, operand %u, damage %u", k, which, how);
                program_destroy(b.p);
            }
    build b = build_thread_program();
    b.p->kernel = KERNEL_IVL;
    assert_false(program_is_valid(b.p));
    b.p->kernel = KERNEL_PREEMPTIVE;
    b.p->pointer_bits = 16;
    assert_false(program_is_valid(b.p));
    b.p->pointer_bits = 64;
    b.p->objects.data[0].count = UINT32_C(1) << 28;
    assert_false(program_is_valid(b.p));
    program_destroy(b.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_is_valid),
        cmocka_unit_test(destroying_nothing_is_allowed),
        cmocka_unit_test(emit_gives_an_empty_instruction),
        cmocka_unit_test(scalars_take_the_next_power_of_two_of_bytes),
        cmocka_unit_test(listing_shows_every_part),
        cmocka_unit_test(cells_are_named_as_in_the_source),
        cmocka_unit_test(broken_invariants_are_noticed),
        cmocka_unit_test(valid_variants_are_accepted),
        cmocka_unit_test(thread_programs_are_listed),
        cmocka_unit_test(broken_thread_programs_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
