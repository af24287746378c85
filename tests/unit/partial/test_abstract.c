/* Partly unknown states: names that do not depend on the past, and numbers that are forgotten. */
#include "core_fixture.h"

#include "machine/state.h"
#include "partial/abstract.h"

enum { ALL_APART = ABSTRACT_MOST_APART };

static state *rename_as(const fixture *f, const state *s, rename_options how) {
    reason_kind trouble;
    state *renamed = abstract_rename(f->m, s, how, &trouble);
    assert_non_null(renamed);
    assert_int_equal(trouble, REASON_NONE);
    return renamed;
}

static state *rename_apart(const fixture *f, const state *s, uint32_t apart) {
    return rename_as(f, s, (rename_options){.apart = apart});
}

static state *forget(const fixture *f, const state *s, abstract_keeps keeps) {
    state *own = rename_apart(f, s, ALL_APART);
    assert_int_equal(abstract_forget(f->m, own, keeps, NULL), REASON_NONE);
    return own;
}

static void release(const fixture *f, state *a, state *b) {
    state_release(f->m, a);
    state_release(f->m, b);
}

static void check_same(const state *a, const state *b) {
    assert_true(state_identical(a, b));
    assert_int_equal(abstract_control_hash(a), abstract_control_hash(b));
    assert_true(abstract_same_control(a, b));
}

/* Both states of the walks get the same names, although they have others. */
static void check_meet(const char *source, const char *one, const char *two, rename_options how) {
    fixture f = fixture_open(source);
    state *a = walk(&f, one), *b = walk(&f, two);
    if (state_identical(a, b)) fail_msg("'%s' and '%s' are the same before", one, two);
    state *x = rename_as(&f, a, how), *y = rename_as(&f, b, how);
    check_same(x, y);
    release(&f, x, y);
    release(&f, a, b);
    fixture_close(&f);
}

static void check_stay_apart(const char *source, const char *one, const char *two, rename_options how) {
    fixture f = fixture_open(source);
    state *a = walk(&f, one), *b = walk(&f, two);
    state *x = rename_as(&f, a, how), *y = rename_as(&f, b, how);
    if (state_identical(x, y)) fail_msg("'%s' and '%s' become the same", one, two);
    release(&f, x, y);
    release(&f, a, b);
    fixture_close(&f);
}

/* --- names ---------------------------------------------------------------------------------------------- */

#define RENEWS "int *p; thread A {while (true) {p = new int; *p = 5; wait_time 0;}} main {start;}"

/* Two objects of one place, made in either order. */
#define TWINS                                                                                                \
    "int *p, *q; int *make() {return new int;}"                                                              \
    "thread A {if (?(bool)) {p = make(); q = make();} else {q = make(); p = make();} *p = 1; *q = 2;"        \
    " wait_time 1;} main {start;}"

static void names_do_not_tell_of_the_past(void **unused) {
    (void)unused;
    rename_options how = {.apart = ALL_APART};
    check_meet(RENEWS, "A", "A N A", how);
    check_meet(RENEWS, "A N A", "A N A N A N A", how);
    check_meet(TWINS, "A:0", "A:1", how);
}

static void what_differs_otherwise_stays_apart(void **unused) {
    (void)unused;
    rename_options how = {.apart = ALL_APART};
    /* the pointers point to the same, to each other's object, or nowhere */
    const char *source = "int *p, *q; int *make() {return new int;}"
                         "thread A {p = make(); q = make(); *p = 1; *q = 2; wait_time 1;}"
                         "thread B {int *t = p; p = q; q = t; wait_time 1;}"
                         "thread C {q = p; wait_time 1;} thread D {delete p; wait_time 1;} main {start;}";
    check_stay_apart(source, "A B", "A", how);
    check_stay_apart(source, "A B", "A C", how);
    check_stay_apart(source, "A C", "A D", how);
    check_stay_apart("int *p; thread A {while (true) {p = new int; *p += 1; wait_time 0;}"
                     "} thread B {*p = 9; wait_time 0;} main {start;}",
                     "A B", "A", how);
}

/* Renaming what was renamed changes nothing; the state itself is not touched. */
static void to_rename_twice_is_to_rename_once(void **unused) {
    (void)unused;
    static const struct {
        const char *source, *steps;
        uint32_t apart;
    } cases[] = {
        {RENEWS, "A N A N A", ALL_APART},
        {TWINS, "A:0", ALL_APART},
        {TWINS, "A:1", ALL_APART},
        {TWINS, "A:1", 1},
        {TWINS, "A:0", 0},
        {"int *p; thread A {p = new int; *p = 3; delete p; wait_time 1;} main {start;}", "A", ALL_APART},
        {"int x; event e; thread A {int *l = &x; *l = 2; wait e;} thread B {wait_time 4;} main {start;}",
         "A B", ALL_APART},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(cases[i].source);
        state *s = walk(&f, cases[i].steps), *again = walk(&f, cases[i].steps);
        state *once = rename_apart(&f, s, cases[i].apart), *twice = rename_apart(&f, once, cases[i].apart);
        check_same(once, twice);
        assert_true(state_identical(s, again));
        release(&f, once, twice);
        release(&f, s, again);
        fixture_close(&f);
    }
}

static void what_nobody_reaches_is_dropped(void **unused) {
    (void)unused;
    fixture f = fixture_open(RENEWS);
    state *s = walk(&f, "A N A N A");
    assert_int_equal(abstract_heap_objects(s), 3);
    state *renamed = rename_apart(&f, s, ALL_APART);
    assert_int_equal(abstract_heap_objects(renamed), 1);
    uint32_t name = value_object(renamed->objects[object_named(&f, "p")]->cell[0]);
    assert_true(abstract_is_heap(renamed, name));
    assert_false(abstract_is_heap(renamed, object_named(&f, "p")));
    release(&f, s, renamed);
    fixture_close(&f);
}

static void further_objects_are_one(void **unused) {
    (void)unused;
    fixture f = fixture_open(TWINS);
    state *a = walk(&f, "A:0"), *b = walk(&f, "A:1");
    for (uint32_t apart = 0; apart <= 2; apart++) {
        state *x = rename_apart(&f, a, apart), *y = rename_apart(&f, b, apart);
        check_same(x, y);
        assert_int_equal(abstract_heap_objects(x), apart ? 2 : 1);
        assert_true(abstract_has_summaries(x) == (apart < 2));
        release(&f, x, y);
    }
    release(&f, a, b);
    fixture_close(&f);
}

static void names_of_inputs_begin_where_they_are_told_to(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A {while (true) {x = ?(int); wait_time 0;}} main {start;}");
    state *s = walk(&f, "A N A");
    state *zero = rename_apart(&f, s, ALL_APART);
    state *ten = rename_as(&f, s, (rename_options){.apart = ALL_APART, .first_input = 10});
    uint32_t a = thread_named(&f, "A");
    assert_int_equal(state_thread(s, a).inputs_made, 2);
    assert_int_equal(state_thread(zero, a).inputs_made, 0);
    assert_int_equal(state_thread(ten, a).inputs_made, 10);
    release(&f, zero, ten);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- time ----------------------------------------------------------------------------------------------- */

static void time_is_left_out_if_it_does_not_matter(void **unused) {
    (void)unused;
    const char *source = "thread A {while (true) wait_time 3;} main {start;}";
    check_meet(source, "A", "A N A", (rename_options){.apart = ALL_APART, .ignore_time = true});
    check_stay_apart(source, "A", "A N A", (rename_options){.apart = ALL_APART});
    /* delays that are left are not the same */
    check_stay_apart("thread A {wait_time 3;} thread B {wait_time 4;} main {start;}", "A", "B",
                     (rename_options){.apart = ALL_APART, .ignore_time = true});
}

static void time_that_is_not_exact_has_no_such_state(void **unused) {
    (void)unused;
    fixture f =
        fixture_open("thread A {uint d = ?(uint); assume(d > 2 && d < 6); wait_time d;} main {start;}");
    state *s = walk(&f, "A"), *before = walk(&f, "");
    reason_kind trouble;
    assert_null(abstract_open_time(before));
    assert_non_null(abstract_open_time(s));
    assert_null(abstract_rename(f.m, s, (rename_options){.apart = ALL_APART}, &trouble));
    assert_int_equal(trouble, REASON_OPEN_TIME);
    release(&f, s, before);
    fixture_close(&f);
    f = fixture_open("thread A {wait_time 1;} main {uint d = ?(uint); assume(d > 2 && d < 6); start d;}");
    s = walk(&f, "A");
    assert_null(abstract_rename(f.m, s, (rename_options){.apart = ALL_APART}, &trouble)); /* when it ends */
    assert_int_equal(trouble, REASON_OPEN_TIME);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- numbers -------------------------------------------------------------------------------------------- */

#define NUMBERS                                                                                              \
    "int x; int buf[3]; bool b; thread A {b = ?(bool); if (b) x = 1; else x = 2; b = false; buf[1] = 7;"     \
    " wait_time 1;} main {start;}"

static const term *keep_constants(void *data, const term *place, const term *number) {
    (void)data, (void)place;
    return term_is_const(number) ? number : NULL;
}

typedef struct differences {
    uint32_t count;
    uint64_t a, b;
} differences;

static bool note_difference(void *data, value a, value b) {
    differences *d = data;
    *d = (differences){d->count + 1, a.bits->value, b.bits->value};
    return true;
}

static void states_that_differ_in_numbers_only_become_one(void **unused) {
    (void)unused;
    fixture f = fixture_open(NUMBERS);
    state *a = walk(&f, "A:0"), *b = walk(&f, "A:1");
    assert_int_equal(cell(&f, a, "x") + cell(&f, b, "x"), 3);
    state *x = forget(&f, a, keep_constants), *y = forget(&f, b, keep_constants);
    assert_false(state_identical(x, y));
    assert_true(abstract_same_control(x, y));
    assert_int_equal(abstract_control_hash(x), abstract_control_hash(y));
    differences found = {0};
    assert_true(abstract_each_difference(x, y, note_difference, &found));
    assert_int_equal(found.count, 1);
    assert_int_equal(found.a, cell(&f, a, "x"));
    assert_int_equal(found.b, cell(&f, b, "x"));
    release(&f, x, y);
    x = forget(&f, a, NULL), y = forget(&f, b, NULL);
    check_same(x, y);
    release(&f, x, y);
    release(&f, a, b);
    fixture_close(&f);
}

static void what_is_forgotten_is_forgotten_for_good(void **unused) {
    (void)unused;
    fixture f = fixture_open(NUMBERS);
    state *s = walk(&f, "A:0"), *once = forget(&f, s, NULL), *twice = forget(&f, once, keep_constants);
    check_same(once, twice); /* nothing is constant any more that could be kept */
    number_list all = {0};
    abstract_numbers(once, &all);
    for (size_t i = 0; i < all.size; i++)
        assert_true(term_is_const(all.data[i]) || abstract_is_place(all.data[i]));
    assert_true(all.size >= 5); /* x, buf, b */
    vec_free(&all);
    release(&f, once, twice);
    state_release(f.m, s);
    fixture_close(&f);
}

static void pointers_keep_what_they_point_to(void **unused) {
    (void)unused;
    fixture f = fixture_open(TWINS);
    state *s = walk(&f, "A:0"), *renamed = rename_apart(&f, s, ALL_APART), *unknown = forget(&f, s, NULL);
    static const char *const pointers[] = {"p", "q"};
    for (int i = 0; i < 2; i++) {
        value then = renamed->objects[object_named(&f, pointers[i])]->cell[0],
              now = unknown->objects[object_named(&f, pointers[i])]->cell[0];
        assert_true(value_equal(then, now));
        assert_false(abstract_says_nothing(renamed, value_object(now)));
        assert_true(abstract_says_nothing(unknown, value_object(now)));
    }
    release(&f, renamed, unknown);
    state_release(f.m, s);
    fixture_close(&f);
}

static void places_say_where_they_are(void **unused) {
    (void)unused;
    fixture f = fixture_open(NUMBERS);
    state *s = walk(&f, "A:0"), *unknown = forget(&f, s, NULL);
    uint32_t buf = object_named(&f, "buf");
    const term *place = unknown->objects[buf]->cell[1].bits;
    uint64_t first;
    uint32_t bytes;
    assert_true(abstract_is_place(place));
    assert_true(abstract_is_cell(place, &first, &bytes));
    assert_int_equal(first, abstract_byte(buf, 4));
    assert_int_equal(bytes, 4);
    assert_int_equal(abstract_object_of(place), buf);
    assert_int_equal(abstract_function_of(place), NO_INDEX);
    text name = {0};
    abstract_place_name(f.m, place, &name);
    assert_string_equal(text_cstr(&name), "buf[1]");
    text_free(&name);
    assert_int_equal(abstract_value(f.m, s, place).bits->value, 7);
    assert_ptr_equal(abstract_value(f.m, unknown, place).bits, place);
    assert_false(abstract_is_place(term_const(f.c, 32, 7)));
    release(&f, s, unknown);
    fixture_close(&f);
}

/* A variable of a thread: known by who has it, and by its function alone. */
static void variables_of_threads_are_places(void **unused) {
    (void)unused;
    fixture f =
        fixture_open("int x; thread A {int i = 4; wait_time 1; x = i;} thread B {int j = 5; wait_time 1; "
                     "x = j;} main {start;}");
    state *s = walk(&f, "A B"), *unknown = forget(&f, s, NULL);
    const term *found[2] = {NULL, NULL};
    number_list all = {0};
    abstract_numbers(unknown, &all);
    for (size_t i = 0; i < all.size; i++) {
        const term *place = all.data[i];
        if (term_is_const(place) || abstract_function_of(place) == NO_INDEX) continue;
        uint64_t number = abstract_value(f.m, s, place).bits->value;
        assert_true(number == 4 || number == 5);
        found[number - 4] = place;
    }
    vec_free(&all);
    static const char *const threads[] = {"A", "B"}, *const names[] = {"i of A", "j of B"};
    for (int i = 0; i < 2; i++) {
        assert_non_null(found[i]);
        assert_int_equal(abstract_owner(unknown, found[i]), thread_named(&f, threads[i]));
        assert_int_equal(abstract_object_of(found[i]), NO_INDEX);
        text name = {0};
        abstract_place_name(f.m, found[i], &name);
        assert_string_equal(text_cstr(&name), names[i]);
        text_free(&name);
    }
    assert_true(abstract_variable(found[0]) != abstract_variable(found[1]));
    release(&f, s, unknown);
    fixture_close(&f);
}

static void conditions_are_added_or_replaced(void **unused) {
    (void)unused;
    fixture f = fixture_open(NUMBERS);
    state *s = walk(&f, "A:0"), *unknown = forget(&f, s, NULL);
    const term *place = cell_term(&f, unknown, "x");
    const term *one = term_eq(f.c, place, term_const(f.c, 32, 1)),
               *small = term_ult(f.c, place, term_const(f.c, 32, 9));
    abstract_assume_only(unknown, &small, 1);
    assert_true(state_assumes(unknown, small));
    abstract_assume(unknown, one);
    assert_true(state_assumes(unknown, one));
    abstract_assume_only(unknown, &small, 1);
    assert_true(state_assumes(unknown, small));
    assert_false(state_assumes(unknown, one));
    abstract_assume_only(unknown, NULL, 0);
    assert_int_equal(state_path_count(unknown), 0);
    successors yes = {0};
    assert_false(abstract_ask_monitor(f.m, unknown, &yes)); /* nobody asked for a reach property */
    assert_int_equal(yes.size, 0);
    release(&f, s, unknown);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_do_not_tell_of_the_past),
        cmocka_unit_test(what_differs_otherwise_stays_apart),
        cmocka_unit_test(to_rename_twice_is_to_rename_once),
        cmocka_unit_test(what_nobody_reaches_is_dropped),
        cmocka_unit_test(further_objects_are_one),
        cmocka_unit_test(names_of_inputs_begin_where_they_are_told_to),
        cmocka_unit_test(time_is_left_out_if_it_does_not_matter),
        cmocka_unit_test(time_that_is_not_exact_has_no_such_state),
        cmocka_unit_test(states_that_differ_in_numbers_only_become_one),
        cmocka_unit_test(what_is_forgotten_is_forgotten_for_good),
        cmocka_unit_test(pointers_keep_what_they_point_to),
        cmocka_unit_test(places_say_where_they_are),
        cmocka_unit_test(variables_of_threads_are_places),
        cmocka_unit_test(conditions_are_added_or_replaced),
    };
    return cmocka_run_group_tests_name("abstract", tests, NULL, NULL);
}
