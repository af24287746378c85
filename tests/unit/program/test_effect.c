/* The dependence table, held against the machine: two accesses that do not conflict must give the same state
 * in either order, whatever the situation; two that conflict must differ in some situation (or the entry is
 * needlessly strict, which is said here). */
#include "core_fixture.h"

#include "program/effect.h"

/* --- the table by execution ----------------------------------------------------------------------------- */

typedef struct sample {
    access_kind kind;
    const char *in_a, *in_b; /* a statement with this access, for either thread */
} sample;

static const sample samples[] = {
    {ACCESS_READ, "ya = x;", "yb = x;"},
    {ACCESS_WRITE, "x = 5;", "x = 6;"},
    {ACCESS_UPDATE, "x += 1;", "x += 2;"},
    {ACCESS_NOTIFY, "notify e;", "notify e;"},
    {ACCESS_NOTIFY_AFTER, "notify e, 0;", "notify e, 2;"},
    {ACCESS_CANCEL, "cancel e;", "cancel e;"},
    {ACCESS_WAIT, "wait e;", "wait e;"},
    {ACCESS_SUSPEND, "suspend V;", "suspend V;"},
    {ACCESS_RESUME, "resume V;", "resume V;"},
    {ACCESS_REQUEST, "request_update u;", "request_update u;"},
    {ACCESS_STOP, "stop;", "stop;"},
    {ACCESS_ASSUME, "assume(z > 0);", "assume(z > 0);"},
    {ACCESS_CHECK, "assert(z > 0);", "assert(z > 0);"},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

typedef struct situation {
    const char *main_code, *steps;
} situation;

static const situation situations[] = {
    {"", ""},           {"", "W"}, {"notify e, 3;", ""},         {"notify e, 3;", "W"},
    {"suspend V;", ""}, {"", "V"}, {"request_update u;", "W V"},
};

enum { SITUATIONS = sizeof situations / sizeof *situations };

static const struct {
    access_kind a, b;
    bool needed; /* false: the machine gives the same state in both orders all the same */
} conflicts[] = {
    {ACCESS_READ, ACCESS_WRITE, true},          {ACCESS_READ, ACCESS_UPDATE, true},
    {ACCESS_WRITE, ACCESS_WRITE, true},         {ACCESS_WRITE, ACCESS_UPDATE, true},
    {ACCESS_NOTIFY, ACCESS_NOTIFY_AFTER, true}, {ACCESS_NOTIFY, ACCESS_WAIT, true},
    {ACCESS_NOTIFY_AFTER, ACCESS_CANCEL, true}, {ACCESS_SUSPEND, ACCESS_RESUME, true},
    {ACCESS_ASSUME, ACCESS_CHECK, true},        {ACCESS_NOTIFY, ACCESS_CANCEL, false},
};

static int conflict_entry(access_kind a, access_kind b) {
    for (int i = 0; i < (int)(sizeof conflicts / sizeof *conflicts); i++)
        if ((conflicts[i].a == a && conflicts[i].b == b) || (conflicts[i].a == b && conflicts[i].b == a))
            return i;
    return -1;
}

typedef struct run_result {
    successors last;
    bool violated, disabled;
    effect first_touched;
} run_result;

static run_result run_order(const fixture *f, const state *s, const char *first, const char *second) {
    run_result r = {0};
    successors list = {0};
    step_list(f, s, first, &list);
    for (size_t i = 0; i < list.size; i++) {
        effect_join(&r.first_touched, &list.data[i].touched);
        r.violated |= list.data[i].end == STEP_VIOLATION;
        if (list.data[i].end != STEP_STOPPED) continue;
        if (is_enabled(f, list.data[i].to, thread_named(f, second)))
            step_list(f, list.data[i].to, second, &r.last);
        else
            r.disabled = true;
    }
    successors_free(f->m, &list);
    for (size_t i = 0; i < r.last.size; i++) r.violated |= r.last.data[i].end == STEP_VIOLATION;
    return r;
}

static void run_free(const fixture *f, run_result *r) {
    successors_free(f->m, &r->last);
    effect_free(&r->first_touched);
}

static bool every_end_has_an_equal(const successors *a, const successors *b) {
    for (size_t i = 0; i < a->size; i++) {
        bool found = a->data[i].end != STEP_STOPPED;
        for (size_t j = 0; j < b->size && !found; j++)
            found = b->data[j].end == STEP_STOPPED && state_identical(a->data[i].to, b->data[j].to);
        if (!found) return false;
    }
    return true;
}

static bool same_result(const run_result *ab, const run_result *ba) {
    return !ab->disabled && !ba->disabled && ab->violated == ba->violated &&
           every_end_has_an_equal(&ab->last, &ba->last) && every_end_has_an_equal(&ba->last, &ab->last);
}

static bool has_kind(const effect *e, access_kind kind) {
    for (size_t i = 0; i < e->size; i++)
        if (e->data[i].kind == kind) return true;
    return false;
}

/* Runs A and B in both orders; tells whether the results agree and whether what they touched conflicts. */
static void try_pair(const char *in_a, const char *in_b, const situation *where, access_kind kind_a,
                     access_kind kind_b, bool *agree, bool *conflict) {
    char source[1024];
    snprintf(source, sizeof source,
             "int x=1,ya,yb,done; int z=?(int); event e; update u {done = 1;}\n"
             "thread A{%s} thread B{%s} thread W{wait e; x = 9;} thread V{wait_time 5;} main{%s start;}",
             in_a, in_b, where->main_code);
    fixture f = fixture_open(source);
    state *s = walk(&f, where->steps);
    run_result ab = run_order(&f, s, "A", "B"), ba = run_order(&f, s, "B", "A");
    if (!has_kind(&ab.first_touched, kind_a)) fail_msg("'%s' does not have the access it stands for", in_a);
    if (!has_kind(&ba.first_touched, kind_b)) fail_msg("'%s' does not have the access it stands for", in_b);
    *agree = same_result(&ab, &ba);
    *conflict = effect_conflict(&ab.first_touched, &ba.first_touched);
    assert_int_equal(*conflict, effect_conflict(&ba.first_touched, &ab.first_touched));
    run_free(&f, &ab);
    run_free(&f, &ba);
    state_release(f.m, s);
    fixture_close(&f);
}

static void every_entry_is_what_the_machine_does(void **unused) {
    (void)unused;
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) {
            int entry = conflict_entry(samples[i].kind, samples[j].kind);
            bool some_differ = false;
            for (int k = 0; k < SITUATIONS; k++) {
                bool agree, conflict;
                try_pair(samples[i].in_a, samples[j].in_b, &situations[k], samples[i].kind, samples[j].kind,
                         &agree, &conflict);
                if (conflict != (entry >= 0))
                    fail_msg("table: '%s' against '%s'", samples[i].in_a, samples[j].in_b);
                if (!conflict && !agree)
                    fail_msg("'%s' and '%s' are declared independent but differ (main: '%s', after: '%s')",
                             samples[i].in_a, samples[j].in_b, situations[k].main_code, situations[k].steps);
                some_differ |= !agree;
            }
            if (entry >= 0 && some_differ != conflicts[entry].needed)
                fail_msg("'%s' and '%s' are dependent but need not be, or the reverse", samples[i].in_a,
                         samples[j].in_b);
        }
}

static void updates_commute_only_under_one_operator(void **unused) {
    (void)unused;
    static const char *const ops[] = {"x += 3;", "x *= 5;", "x &= 6;", "x |= 8;", "x ^= 9;"};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            bool agree, conflict;
            try_pair(ops[i], ops[j], &situations[0], ACCESS_UPDATE, ACCESS_UPDATE, &agree, &conflict);
            assert_int_equal(conflict, i != j);
            if (i == j) assert_true(agree);
        }
    bool agree, conflict;
    try_pair("x += 3;", "x *= 5;", &situations[0], ACCESS_UPDATE, ACCESS_UPDATE, &agree, &conflict);
    assert_false(agree);
    try_pair("x -= 3;", "x += 5;", &situations[0], ACCESS_UPDATE, ACCESS_UPDATE, &agree, &conflict);
    assert_true(agree && !conflict); /* subtraction is addition of the negative */
    try_pair("x = x + 3;", "x += 5;", &situations[0], ACCESS_WRITE, ACCESS_UPDATE, &agree, &conflict);
    assert_true(conflict); /* an assignment reads x */
}

static void suspension_takes_a_step_away(void **unused) {
    (void)unused;
    bool agree, conflict;
    try_pair("suspend B;", "x = 1;", &situations[0], ACCESS_SUSPEND, ACCESS_RUN, &agree, &conflict);
    assert_true(conflict && !agree);
    try_pair("x = 1;", "suspend A;", &situations[0], ACCESS_RUN, ACCESS_SUSPEND, &agree, &conflict);
    assert_true(conflict && !agree);
    try_pair("suspend W;", "x = 1;", &situations[0], ACCESS_SUSPEND, ACCESS_RUN, &agree, &conflict);
    assert_true(!conflict && agree);
    try_pair("resume B;", "x = 1;", &situations[0], ACCESS_RESUME, ACCESS_RUN, &agree, &conflict);
    assert_true(!conflict && agree);
}

/* --- the vocabulary itself ------------------------------------------------------------------------------ */

static access bytes(access_kind kind, uint32_t object, uint32_t low, uint32_t high) {
    return (access){.kind = (uint8_t)kind, .name = object, .low = low, .high = high};
}

static access named(access_kind kind, uint32_t name) {
    return (access){.kind = (uint8_t)kind, .name = name, .high = UINT32_MAX};
}

static void only_overlapping_bytes_conflict(void **unused) {
    (void)unused;
    access low = bytes(ACCESS_WRITE, 1, 0, 4), next = bytes(ACCESS_WRITE, 1, 4, 8),
           across = bytes(ACCESS_READ, 1, 3, 5), other = bytes(ACCESS_WRITE, 2, 0, 4),
           any = bytes(ACCESS_READ, ACCESS_ANY, 0, UINT32_MAX);
    assert_false(access_conflict(&low, &next));
    assert_true(access_conflict(&low, &across));
    assert_true(access_conflict(&across, &next));
    assert_false(access_conflict(&low, &other));
    assert_true(access_conflict(&any, &low));
    assert_true(access_conflict(&other, &any));
}

static void other_names_do_not_conflict(void **unused) {
    (void)unused;
    for (int a = 0; a < ACCESS_KINDS; a++)
        for (int b = 0; b < ACCESS_KINDS; b++) {
            access x = named((access_kind)a, 1), y = named((access_kind)b, 2),
                   any = named((access_kind)a, ACCESS_ANY);
            access same = named((access_kind)b, 1);
            bool assumption =
                (a == ACCESS_ASSUME && b == ACCESS_CHECK) || (a == ACCESS_CHECK && b == ACCESS_ASSUME);
            bool control = a == ACCESS_CONTROL || b == ACCESS_CONTROL; /* does what others would */
            assert_int_equal(access_conflict(&x, &y), assumption || control);
            assert_int_equal(access_conflict(&x, &same), access_conflict(&same, &x));
            if (access_conflict(&x, &same))
                assert_true(access_conflict(&any, &y)); /* ANY may be the other one's */
        }
}

static void an_effect_keeps_only_what_says_most(void **unused) {
    (void)unused;
    effect e = {0}, other = {0};
    effect_add(&e, bytes(ACCESS_READ, 1, 0, 4));
    effect_add(&e, bytes(ACCESS_READ, 1, 0, 4));
    assert_int_equal(e.size, 1);
    effect_add(&e, bytes(ACCESS_READ, 1, 4, 8));
    assert_int_equal(e.size, 2);
    effect_add(&e, bytes(ACCESS_READ, ACCESS_ANY, 0, UINT32_MAX));
    effect_add(&e, bytes(ACCESS_READ, 7, 0, 4));
    bool covers_all = false;
    for (size_t i = 0; i < e.size; i++) covers_all |= e.data[i].name == ACCESS_ANY;
    assert_true(covers_all);
    assert_true(e.size <= 2);
    effect_add(&e, (access){.kind = ACCESS_UPDATE, .op = ARITH_ADD, .name = 1, .high = 4});
    effect_add(&e, (access){.kind = ACCESS_UPDATE, .op = ARITH_MUL, .name = 1, .high = 4});
    assert_int_equal(e.size, 4); /* operators are told apart */
    effect_join(&other, &e);
    effect_join(&other, &e);
    assert_int_equal(other.size, 3); /* what ANY covers is gone, and nothing stands there twice */
    effect_clear(&other);
    assert_false(effect_conflict(&e, &other));
    effect_free(&e);
    effect_free(&other);
}

static void printing_uses_the_names_of_the_program(void **unused) {
    (void)unused;
    fixture f = fixture_open(
        "int a[3]; int x; event go; thread A{x = a[1]; notify go; assert(x == 0);} main{start;}");
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    text out = {0};
    effect_print(f.p, &list.data[0].touched, &out);
    assert_non_null(strstr(text_cstr(&out), "run A"));
    assert_non_null(strstr(text_cstr(&out), "read a[1]"));
    assert_non_null(strstr(text_cstr(&out), "write x"));
    assert_non_null(strstr(text_cstr(&out), "notify go"));
    assert_non_null(strstr(text_cstr(&out), "check"));
    text_free(&out);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

/* What is handed on between two equal accesses makes the later one say something, too; more
 * than two never. */
static void order_is_kept_where_something_is_handed_on(void **unused) {
    (void)unused;
    effect e = {0};
    access plain = {.kind = ACCESS_WRITE, .name = 1, .high = 4, .plain = true};
    access hands_on = {.kind = ACCESS_WRITE, .name = 2, .high = 4, .sync = SYNC_RELEASES};
    for (int round = 0; round < 3; round++) {
        effect_add(&e, plain);
        effect_add(&e, plain);
        effect_add(&e, hands_on);
    }
    assert_int_equal(e.size, 4);
    static const uint32_t names[] = {1, 2, 1, 2};
    for (size_t i = 0; i < e.size; i++) assert_int_equal(e.data[i].name, names[i]);
    effect_free(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_what_the_machine_does),
        cmocka_unit_test(updates_commute_only_under_one_operator),
        cmocka_unit_test(suspension_takes_a_step_away),
        cmocka_unit_test(only_overlapping_bytes_conflict),
        cmocka_unit_test(other_names_do_not_conflict),
        cmocka_unit_test(an_effect_keeps_only_what_says_most),
        cmocka_unit_test(order_is_kept_where_something_is_handed_on),
        cmocka_unit_test(printing_uses_the_names_of_the_program),
    };
    return cmocka_run_group_tests_name("effect", tests, NULL, NULL);
}
