/* C programs whose proof takes numbers as unknown, or stops inside of steps: what is called safe must be
 * safe, and what is called unsafe must happen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heddle.h"

#include <string.h>

typedef struct setting {
    const char *name, *value;
} setting;

static heddle_verdict verdict_of(const char *source, const setting *settings) {
    heddle *h = heddle_create();
    heddle_add_source(h, "p.c", source, strlen(source));
    for (; settings && settings->name; settings++)
        assert_null(heddle_set(h, settings->name, settings->value));
    heddle_result *r = heddle_check(h);
    heddle_verdict v = heddle_result_verdict(r);
    heddle_result_destroy(r);
    heddle_destroy(h);
    return v;
}

#define PROLOGUE                                                                                             \
    "#include <assert.h>\n#include <pthread.h>\n"                                                            \
    "extern int __VERIFIER_nondet_int(void); extern float __VERIFIER_nondet_float(void);\n"

static const setting only_assertions[] = {{"property", "assert"}, {NULL, NULL}};
static const setting stops_at_loops[] = {
    {"property", "assert"}, {"engine", "search"}, {"stops", "loops"}, {NULL, NULL}};
static const setting one_path_per_step[] = {
    {"property", "assert"}, {"engine", "search"}, {"path-limit", "4"}, {NULL, NULL}};

/* --- loops without visible operations ------------------------------------------------------------------- */

#define THREADS                                                                                              \
    "void *b(void *p) { assert(x == 0); return 0; }\n"                                                       \
    "int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);\n"           \
    "pthread_join(t, 0); return 0; }\n"

static void others_go_on_while_a_thread_loops_for_ever(void **unused) {
    (void)unused;
    static const char forking[] = PROLOGUE "int x; void *a(void *p) { int k = 0; x = 1; while (1)\n"
                                           "if (__VERIFIER_nondet_int()) k = !k; return 0; }\n" THREADS;
    static const char plain[] =
        PROLOGUE "int x; void *a(void *p) { int k = 0; x = 1; while (1) k = !k; return 0; }\n" THREADS;
    assert_int_equal(verdict_of(forking, stops_at_loops), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(plain, stops_at_loops), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(forking, one_path_per_step), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(forking, only_assertions), HEDDLE_UNSAFE);
}

static void forking_loops_can_be_proved(void **unused) {
    (void)unused;
    static const char source[] = PROLOGUE
        "int x; void *a(void *p) { while (1) switch (__VERIFIER_nondet_int()) { case 1: x = 2; break;\n"
        "case 2: return 0; } }\n"
        "int main(void) { pthread_t s; pthread_create(&s, 0, a, 0); assert(x == 0 || x == 2); return 0; }\n";
    assert_int_equal(verdict_of(source, stops_at_loops), HEDDLE_SAFE);
    assert_int_equal(verdict_of(source, only_assertions), HEDDLE_SAFE);
}

/* --- numbers from outside of an object ------------------------------------------------------------------ */

#define TABLE PROLOGUE "int table[4] = {1, 2, 3, 4}; int main(void) { unsigned i = __VERIFIER_nondet_int();\n"

static void what_is_read_outside_may_be_anything(void **unused) {
    (void)unused;
    static const char harmless[] = TABLE "int v = table[i]; v &= 1; assert(v == 0 || v == 1); return 0; }\n";
    static const char depends[] = TABLE "int v = table[i]; assert(v >= 1 && v <= 4); return 0; }\n";
    static const char happens[] = TABLE "int v = table[i]; assert(v != 3); return 0; }\n";
    assert_int_equal(verdict_of(harmless, only_assertions), HEDDLE_SAFE);
    assert_int_equal(verdict_of(depends, only_assertions), HEDDLE_UNKNOWN);
    assert_int_equal(verdict_of(happens, only_assertions), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(harmless, NULL), HEDDLE_UNSAFE); /* memory is asked about */
}

static void pointers_from_outside_are_not_guessed(void **unused) {
    (void)unused;
    static const char source[] =
        PROLOGUE "int a, *table[2] = {&a, &a}; int main(void) { unsigned i = __VERIFIER_nondet_int();\n"
                 "int *p = table[i]; assert(p == &a || p != &a); return 0; }\n";
    assert_int_equal(verdict_of(source, only_assertions), HEDDLE_UNKNOWN);
}

static void writing_outside_is_never_passed_over(void **unused) {
    (void)unused;
    static const char source[] = TABLE "int other = 5; table[i] = 0; assert(other == 5); return 0; }\n";
    assert_int_equal(verdict_of(source, only_assertions), HEDDLE_UNKNOWN);
}

/* --- memory that is used again -------------------------------------------------------------------------- */

#define REUSED                                                                                               \
    "#include <assert.h>\n#include <stdlib.h>\nint main(void) { int *p = malloc(4), *q; if (!p) return 0;\n" \
    "free(p); q = malloc(4); if (!q) return 0;\n"

static void new_memory_may_lie_where_old_memory_was(void **unused) {
    (void)unused;
    static const char either[] = REUSED "int same = p == q; assert(same == 0 || same == 1); return 0; }\n";
    static const char same[] = REUSED "assert(p == q); return 0; }\n";
    static const char different[] = REUSED "assert(p != q); return 0; }\n";
    assert_int_equal(verdict_of(either, NULL), HEDDLE_SAFE);
    assert_int_equal(verdict_of(same, NULL), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(different, NULL), HEDDLE_UNSAFE);
}

/* --- floating point ------------------------------------------------------------------------------------- */

#define FLOATS                                                                                               \
    PROLOGUE "int main(void) { float f = __VERIFIER_nondet_float(); int k = __VERIFIER_nondet_int();\n"

static void what_comes_of_unknown_floats_may_be_anything(void **unused) {
    (void)unused;
    static const char harmless[] =
        FLOATS "int big = f * 2.0f > 10.0f; assert(big == 0 || big == 1); return 0; }\n";
    static const char impossible[] = FLOATS "if (f > 10.0f) assert(f > 5.0f); return 0; }\n";
    static const char happens[] = FLOATS "float g = 2.0f * 3.0f; if (f >= 0.0f || f < 0.0f)\n"
                                         "assert(k != 77 || g != 6.0f); return 0; }\n";
    assert_int_equal(verdict_of(harmless, NULL), HEDDLE_SAFE);
    assert_int_equal(verdict_of(impossible, NULL), HEDDLE_UNKNOWN); /* true, but nothing here can tell */
    assert_int_equal(verdict_of(happens, NULL), HEDDLE_UNSAFE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_go_on_while_a_thread_loops_for_ever),
        cmocka_unit_test(forking_loops_can_be_proved),
        cmocka_unit_test(what_is_read_outside_may_be_anything),
        cmocka_unit_test(pointers_from_outside_are_not_guessed),
        cmocka_unit_test(writing_outside_is_never_passed_over),
        cmocka_unit_test(new_memory_may_lie_where_old_memory_was),
        cmocka_unit_test(what_comes_of_unknown_floats_may_be_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
