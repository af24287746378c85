/* Trace classes: the same number for executions that differ in the order of independent steps, another for
 * all others. */
#include "core_fixture.h"

#include "reduction/trace_class.h"

enum { MOST = 4 };

typedef struct step_kind {
    uint32_t thread, object;
    bool writes, orders_all;
} step_kind;

static void fill(effect *e, const step_kind *k) {
    effect_clear(e);
    effect_add(e, (access){.kind = k->writes ? ACCESS_WRITE : ACCESS_READ, .name = k->object, .high = 4});
}

static uint64_t class_of(const step_kind *steps, const int *order, int count) {
    trace_event events[MOST] = {0};
    effect touched[MOST] = {0};
    for (int i = 0; i < count; i++) {
        const step_kind *k = &steps[order[i]];
        fill(&touched[i], k);
        events[i] = (trace_event){k->thread, 0, k->orders_all, &touched[i]};
    }
    uint64_t result = trace_class(events, (size_t)count);
    for (int i = 0; i < count; i++) effect_free(&touched[i]);
    return result;
}

static bool depends(const step_kind *a, const step_kind *b) {
    return a->thread == b->thread || a->orders_all || b->orders_all ||
           (a->object == b->object && (a->writes || b->writes));
}

/* Two orders of the same steps are equivalent exactly if all dependent pairs stand in the same order. */
static bool equivalent(const step_kind *steps, const int *one, const int *two, int count) {
    int position[MOST];
    for (int i = 0; i < count; i++) position[two[i]] = i;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (depends(&steps[one[i]], &steps[one[j]]) && position[one[i]] > position[one[j]]) return false;
    return true;
}

static const int orders[24][MOST] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                     {0, 3, 2, 1}, {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0},
                                     {1, 3, 0, 2}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3},
                                     {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 0, 1, 2}, {3, 0, 2, 1},
                                     {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};

static void check_all_orders(const step_kind *steps) {
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < 24; b++)
            assert_int_equal(class_of(steps, orders[a], MOST) == class_of(steps, orders[b], MOST),
                             equivalent(steps, orders[a], orders[b], MOST));
}

static void classes_are_mazurkiewicz_traces(void **unused) {
    (void)unused;
    check_all_orders(
        (step_kind[]){{1, 0, true, false}, {2, 1, true, false}, {3, 0, false, false}, {4, 1, false, false}});
    check_all_orders(
        (step_kind[]){{1, 0, true, false}, {2, 0, true, false}, {3, 0, true, false}, {4, 0, true, false}});
    check_all_orders(
        (step_kind[]){{1, 0, false, false}, {2, 0, false, false}, {3, 0, false, false}, {4, 0, true, false}});
    check_all_orders(
        (step_kind[]){{1, 0, true, false}, {2, 1, true, false}, {3, 2, true, false}, {4, 3, true, true}});
}

static void another_branch_is_another_class(void **unused) {
    (void)unused;
    effect none = {0};
    trace_event one[] = {{1, 0, false, &none}, {2, 0, false, &none}},
                two[] = {{1, 0, false, &none}, {2, 1, false, &none}};
    assert_true(trace_class(one, 2) != trace_class(two, 2));
    assert_true(trace_class(one, 1) != trace_class(one, 2));
    assert_true(trace_class(one, 2) == trace_class(one, 2));
    trace_class(NULL, 0);
}

/* A reduction explores at least one execution of every class, and none of another; dynamic reduction without
 * matching exactly those of full search. */
static void every_reduction_finds_the_same_classes(void **unused) {
    (void)unused;
    static const char *const sources[] = {
        "int x, y; thread A{x = 1;} thread B{y = x;} thread C{y = 2;}",
        "int x, y; thread A{x += 1;} thread B{x += 2;} thread C{y = 2;} thread D{y = 3;}",
        "int x; event e; thread A{wait e; x = 1;} thread B{notify e;} thread C{x = 2;}",
        "int x; event e, g; thread A{wait e; notify g;} thread B{notify e;} thread C{wait g; x = 1;}",
        "int x; thread A{suspend B;} thread B{x = 1;} thread C{x = 2;}",
        "int x = ?(int), y; thread A{if (x > 3) y = 1;} thread B{y = 2; wait_time 0; y = 3;}",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        outcome all = {0};
        for (int por = POR_NONE; por < POR_KINDS; por++) {
            explore_options o = exploring((por_kind)por, MATCH_NONE);
            if (!search_can(&o)) continue;
            fixture f = fixture_open(sources[i]);
            o.dump_traces = true;
            outcome out = search_fixture(&f, &o);
            assert_true(out.complete && out.trace_classes.size > 0);
            for (size_t k = 1; k < out.trace_classes.size; k++)
                assert_true(out.trace_classes.data[k - 1] < out.trace_classes.data[k]);
            if (por == POR_NONE) {
                all = out;
            } else {
                if (out.trace_classes.size != all.trace_classes.size)
                    fail_msg("%s: %zu of %zu classes of:\n%s", por_name((por_kind)por),
                             out.trace_classes.size, all.trace_classes.size, sources[i]);
                assert_memory_equal(out.trace_classes.data, all.trace_classes.data,
                                    all.trace_classes.size * sizeof(uint64_t));
                outcome_free(&out);
            }
            fixture_close(&f);
        }
        outcome_free(&all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_mazurkiewicz_traces),
        cmocka_unit_test(another_branch_is_another_class),
        cmocka_unit_test(every_reduction_finds_the_same_classes),
    };
    return cmocka_run_group_tests_name("trace_class", tests, NULL, NULL);
}
