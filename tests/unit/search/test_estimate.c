/* Estimates of how far it is to what a reach property asks for: what they save, and that nothing
 * is left out. */
#include "asked.h"

/* Lamps on the heap, each of which goes through its states one by one or back to the first; events in a queue
 * on the heap switch them, so that the heap has ever other shapes. */
static const char lamps[] =
    "#include <stdlib.h>\n"
    "extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);\n"
    "enum { LAMPS = 3, STATES = 6 };\n"
    "struct lamp { int state; } *lamp[LAMPS]; struct event { struct event *next; struct lamp *about; _Bool "
    "on; } *queue;\n"
    "static void *get(size_t size) { void *p = malloc(size); __VERIFIER_assume(p != 0); return p; }\n"
    "static void send(struct lamp *l, _Bool on) { struct event *e = get(sizeof *e);\n"
    "    *e = (struct event){queue, l, on}; queue = e; }\n"
    "static void handle(void) { struct event *e = queue; queue = e->next;\n"
    "    if (!e->on) e->about->state = 0; else if (e->about->state < STATES - 1) e->about->state++; free(e); "
    "}\n"
    "int main(void) { for (int i = 0; i < LAMPS; i++) { struct lamp *l = get(sizeof *l);\n"
    "        l->state = 0; lamp[i] = l; }\n"
    "    for (;;) { int which = 0; while (which < LAMPS - 1 && __VERIFIER_nondet_bool()) which++;\n"
    "        send(lamp[which], __VERIFIER_nondet_bool()); if (__VERIFIER_nondet_bool()) send(lamp[0], 0);\n"
    "        while (queue) handle(); } }\n";

static asked searched(const char *order, const char *condition) {
    return ASK("t.c", lamps, "engine", "search", "order", order, "deterministic", "true", "max-transitions",
               "200000", "property", condition);
}

static uint64_t states_until_found(const char *order, const char *condition) {
    asked a = searched(order, condition);
    assert_int_equal(heddle_result_verdict(a.r), HEDDLE_UNSAFE);
    uint64_t states = (uint64_t)heddle_result_statistic(a.r, "states");
    asked_free(&a);
    return states;
}

#define ALL_LIT "reach:lamp[2] && lamp[0]->state == 5 && lamp[1]->state == 5 && lamp[2]->state == 5"

/* Breadth first comes through almost all 6^3 combinations: this one is the farthest. */
static void each_object_is_brought_nearer(void **unused) {
    (void)unused;
    uint64_t blind = states_until_found("bfs", ALL_LIT), guided = states_until_found("astar", ALL_LIT);
    assert_true(guided * 2 < blind);
}

static void nothing_is_left_out(void **unused) {
    (void)unused;
    static const char *const never[] = {"reach:lamp[1] && lamp[1]->state == 6",
                                        "reach:queue && queue->next && queue->next->next"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(verdict_of(searched("bfs", never[i])), HEDDLE_SAFE);
        assert_int_equal(verdict_of(searched("astar", never[i])), HEDDLE_SAFE);
    }
}

/* Of an alternative, of a number that depends on inputs, of objects that come and go. */
static void conditions_of_all_kinds_are_found(void **unused) {
    (void)unused;
    static const char *const sometimes[] = {
        "reach:lamp[2] && (lamp[2]->state > 7 || lamp[0]->state + lamp[2]->state == 10)",
        "reach:queue && queue->next && queue->next->about == lamp[2] && lamp[2]->state == 3",
        "reach:lamp[2] && lamp[2]->state * lamp[2]->state == 16"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(verdict_of(searched("astar", sometimes[i])), HEDDLE_UNSAFE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_object_is_brought_nearer),
        cmocka_unit_test(nothing_is_left_out),
        cmocka_unit_test(conditions_of_all_kinds_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
