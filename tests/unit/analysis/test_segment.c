/* Static segments: the relations of the document's examples, how addresses are followed, and that nothing the
 * machine does is ever forgotten. */
#include "model_files.h"

#include "analysis/analyses.h"
#include "base/bits.h"
#include "machine/setup.h"

/* --- naming: D1 is the second segment of thread D, in the order of its text ----------------------------- */

static void segment_name(const program *p, const segments *s, uint32_t number, char *out, size_t size) {
    unsigned before = 0;
    for (uint32_t i = 0; i < number; i++) before += s->list.data[i].thread == s->list.data[number].thread;
    snprintf(out, size, "%s%u", p->threads.data[s->list.data[number].thread].name, before);
}

/* All pairs of a relation as text: "A0-D2 B0-D1". Symmetric relations are written once. */
static void relation_text(const program *p, const segments *s, const uint64_t *matrix, bool symmetric,
                          text *out) {
    for (uint32_t i = 0; i < s->list.size; i++)
        for (uint32_t j = symmetric ? i + 1 : 0; j < s->list.size; j++) {
            if (symmetric)
                assert_int_equal(bits_has(segment_row(s, matrix, i), j),
                                 bits_has(segment_row(s, matrix, j), i));
            if (!bits_has(segment_row(s, matrix, i), j)) continue;
            char a[64], b[64];
            segment_name(p, s, i, a, sizeof a);
            segment_name(p, s, j, b, sizeof b);
            text_format(out, "%s%s-%s", out->size ? " " : "", a, b);
        }
}

static void check_relations(const char *source, const char *dependent, const char *can_enable) {
    program *p = compile_with(source, NULL, 0);
    analyses *known = analyses_create(p);
    const segments *s = analyses_segments(known, false);
    text dep = {0}, ce = {0};
    relation_text(p, s, s->dependent, true, &dep);
    relation_text(p, s, s->can_enable, false, &ce);
    assert_string_equal(text_cstr(&dep), dependent);
    assert_string_equal(text_cstr(&ce), can_enable);
    for (uint32_t i = 0; i < s->list.size; i++)
        for (uint32_t j = 0; j < s->list.size; j++)
            assert_int_equal(bits_has(segment_row(s, s->can_enable, i), j),
                             bits_has(segment_row(s, s->enabled_by, j), i));
    text_free(&dep);
    text_free(&ce);
    analyses_destroy(known);
    program_destroy(p);
}

/* --- the document's examples ---------------------------------------------------------------------------- */

static void listing_2_6(void **unused) {
    (void)unused;
    check_relations(listing("2.6"), "A0-D1 B0-D0", "B0-D1");
}

static void listing_2_7(void **unused) {
    (void)unused;
    check_relations(listing("2.7"), "A0-D2 B0-D1 C0-D0", "B0-D2 C0-D1");
}

static void listing_2_8(void **unused) {
    (void)unused;
    check_relations(listing("2.8"), "A0-B0 A0-C0 B0-C0", "");
}

/* A0 waits for time, A1 notifies and waits for the other; B1 notifies and waits again. */
static void listing_3_1(void **unused) {
    (void)unused;
    check_relations(listing("3.1"), "A1-B0 A1-B1 A2-B0 A2-B1", "A1-B1 A2-B1 B1-A2");
}

/* --- what an access may touch --------------------------------------------------------------------------- */

static void commuting_updates_are_independent(void **unused) {
    (void)unused;
    check_relations("int x; thread A{x += 1;} thread B{x -= 2;} thread C{x *= 3;} thread D{x = x + 1;}",
                    "A0-C0 A0-D0 B0-C0 B0-D0 C0-D0", "");
}

static void elements_are_told_apart_by_constant_indices(void **unused) {
    (void)unused;
    check_relations(
        "int a[3]; int i; thread A{a[0] = 1;} thread B{a[1] = 1;} thread C{a[i] = 1;} thread D{i = 2;}",
        "A0-C0 B0-C0 C0-D0", "");
}

static void fields_are_told_apart(void **unused) {
    (void)unused;
    check_relations("struct pair {int l; int r;} struct pair p[2];\n"
                    "thread A{p[0].l = 1;} thread B{p[0].r = 1;} thread C{p[1].l = p[0].r;}",
                    "B0-C0", "");
}

static void known_pointers_touch_what_they_point_to(void **unused) {
    (void)unused;
    check_relations(
        "int x, y; thread A{int *p = &x; *p = 1;} thread B{int *p = &y; *p = 1;} thread C{x = y;}",
        "A0-C0 B0-C0", "");
    check_relations("int x, y; void put(int *p, int v){*p = v;} thread A{put(&x, 1);} thread B{put(&y, 1);} "
                    "thread C{x = 1;}",
                    "A0-C0", "");
}

static void unknown_pointers_touch_anything(void **unused) {
    (void)unused;
    check_relations(
        "int x, y; int *p; thread A{p = &x;} thread B{*p = 1;} thread C{y = 1;} thread D{int z; z = 1;}",
        "A0-B0 B0-C0", "");
}

static void heap_objects_are_one_region(void **unused) {
    (void)unused;
    check_relations(
        "int x; thread A{int *p = new int; *p = 1;} thread B{int *p = new int; delete p;} thread C{x = 1;}",
        "A0-B0", "");
}

static void locals_belong_to_their_thread(void **unused) {
    (void)unused;
    check_relations("thread A{int b[2]; b[0] = 1; int *p = &b[1]; *p = 2;} thread B{int b[2]; b[0] = 1;}", "",
                    "");
}

static void events_are_followed_through_calls_and_indices(void **unused) {
    (void)unused;
    check_relations("event e[3]; param K = 1; void tell(int k){notify e[k];}\n"
                    "thread A{tell(K);} thread B{tell(K + 1);} thread C{wait e[1];}",
                    "A0-C0", "A0-C1");
    check_relations("event e[3]; int k; thread A{notify e[k];} thread B{k = 1;} thread C{wait e[2];}",
                    "A0-B0 A0-C0", "A0-C1");
}

static void event_lists_wake_on_every_member(void **unused) {
    (void)unused;
    check_relations(
        "event e, f, g; thread A{notify e;} thread B{notify f;} thread C{notify g;} thread W{wait e | f;}",
        "A0-W0 B0-W0", "A0-W1 B0-W1");
    check_relations("event e, f; thread A{notify e;} thread B{notify f, 0;} thread W{wait e & f, 3;}",
                    "A0-W0", "A0-W1");
}

static void suspension_depends_on_every_step_of_its_victim(void **unused) {
    (void)unused;
    check_relations("event e; thread A{suspend V;} thread B{resume V;} thread V{wait e; wait e;}",
                    "A0-B0 A0-V0 A0-V1 A0-V2", "");
    check_relations("event e; int x; thread A{suspend A; x = 1;} thread B{resume A;} thread C{x = 2;}",
                    "A0-B0 A1-C0", "");
}

static void assumptions_depend_on_properties(void **unused) {
    (void)unused;
    check_relations(
        "int x = ?(int); thread A{assume(x > 0);} thread B{assert(x > 0);} thread C{assume(x < 9);}",
        "A0-B0 B0-C0", "");
}

/* A pointer that may be wrong is a property: an assumption that ends the path first hides its violation. */
static void doubtful_pointers_are_properties(void **unused) {
    (void)unused;
    check_relations("int a[3]; int i; thread A{assume(false);} thread B{int *p = &a[0]; p = p + i; *p = 1;} "
                    "thread C{i = ?(int);}",
                    "A0-B0 B0-C0", "");
    check_relations("int a[3]; thread A{assume(false);} thread B{int *p = &a[0]; p = p + 2; *p = 1;}", "",
                    "");
    check_relations("int a[3]; thread A{assume(false);} thread B{int *p = &a[0]; p = p + 3; *p = 1;}",
                    "A0-B0", "");
    check_relations("thread A{assume(false);} thread B{int *p = new int; delete p;}", "A0-B0", "");
}

/* Going on after violations, an implicit check that fails ends its path like an assumption. */
static void checks_cut_paths_when_exploration_goes_on(void **unused) {
    (void)unused;
    program *p =
        compile_with("int x, y; thread A{y = 1 / x;} thread B{assert(false);} thread C{x = 0;}", NULL, 0);
    analyses *known = analyses_create(p);
    const segments *once = analyses_segments(known, false), *on = analyses_segments(known, true);
    assert_false(bits_has(segment_row(once, once->dependent, 0), 1));
    assert_true(bits_has(segment_row(on, on->dependent, 0), 1));
    analyses_destroy(known);
    program_destroy(p);
}

/* --- calls ---------------------------------------------------------------------------------------------- */

static void waits_inside_functions_are_told_apart_by_call_site(void **unused) {
    (void)unused;
    check_relations("event e, f; int x; void pause(int k){if (k) wait e; else wait f;}\n"
                    "thread A{pause(0); x = 1; pause(1); x += 1;} thread B{notify e;} thread C{notify f;}",
                    /* the argument decides which wait it is: for f first, then for e */
                    "A0-C0 A1-B0", "B0-A2 C0-A1");
    fixture f = fixture_open("event e; int x; void pause(){wait e;} thread A{pause(); x = 1; pause(); x = "
                             "2;} thread B{notify e;}");
    uint32_t a = thread_named(&f, "A");
    state *s = walk(&f, "");
    uint32_t seen[3];
    for (int k = 0; k < 3; k++) {
        pending next;
        machine_pending(f.m, s, a, &next);
        seen[k] = next.segment;
        assert_true(next.live);
        assert_int_not_equal(next.segment, NO_INDEX);
        assert_int_equal(next.enabled, k == 0);
        if (k == 0) {
            s = walk_from(&f, s, "A");
        } else if (k == 1) {
            s = walk_from(&f, s, "B A"); /* B notifies, A goes on to its second wait */
        }
    }
    assert_int_not_equal(seen[0], seen[1]);
    assert_int_not_equal(seen[1], seen[2]);
    assert_int_equal(machine_segments(f.m)->list.data[seen[1]].start.function,
                     machine_segments(f.m)->list.data[seen[2]].start.function);
    state_release(f.m, s);
    fixture_close(&f);
}

static void recursion_gives_one_segment_for_all(void **unused) {
    (void)unused;
    fixture f =
        fixture_open("event e; int x; void down(int n){if (n > 0){wait e; x += n; down(n - 1);}}\n"
                     "thread A{down(2);} thread B{notify e;} thread C{x = 5;} thread D{assert(true);}");
    const segments *s = machine_segments(f.m);
    uint32_t a = thread_named(&f, "A"), found = 0;
    for (uint32_t i = 0; i < s->list.size; i++) {
        if (s->list.data[i].thread != a) continue;
        found++;
        assert_true(s->list.data[i].catch_all && s->list.data[i].may_loop);
        for (uint32_t j = 0; j < s->list.size; j++) { /* B enables it and races with it, C shares x */
            const char *other = f.p->threads.data[s->list.data[j].thread].name;
            assert_int_equal(bits_has(segment_row(s, s->dependent, i), j),
                             !strcmp(other, "B") || !strcmp(other, "C"));
            assert_int_equal(bits_has(segment_row(s, s->enabled_by, i), j), !strcmp(other, "B"));
        }
    }
    assert_int_equal(found, 1);
    state *at = walk(&f, "A B A");
    pending next;
    machine_pending(f.m, at, a, &next);
    assert_true(s->list.data[next.segment].catch_all);
    state_release(f.m, at);
    fixture_close(&f);
}

static void back_edges_are_noted(void **unused) {
    (void)unused;
    program *p = compile_with("event e; int x; thread A{x = 1; wait e; while (x < 3) x += 1;}", NULL, 0);
    analyses *known = analyses_create(p);
    const segments *s = analyses_segments(known, false);
    assert_int_equal(s->list.size, 2);
    assert_false(s->list.data[0].may_loop);
    assert_true(s->list.data[1].may_loop);
    text out = {0};
    segments_print(p, s, &out);
    assert_non_null(strstr(text_cstr(&out), "A from A:1"));
    text_free(&out);
    analyses_destroy(known);
    program_destroy(p);
}

/* --- nothing is forgotten: every explored step of every model touches only what its segment says -------- */

static const fixture *observed;
static const char *observed_name;
static uint64_t steps_observed;

static bool is_covered(const effect *by, const access *a) {
    for (size_t i = 0; i < by->size; i++) {
        const access *s = &by->data[i];
        if (s->kind != a->kind || s->op != a->op) continue;
        if (s->name == ACCESS_ANY || (s->name == a->name && s->low <= a->low && a->high <= s->high))
            return true;
    }
    return false;
}

static void check_enabling(const state *from, const state *to, uint32_t by, uint32_t segment) {
    const segments *s = machine_segments(observed->m);
    for (uint32_t t = 1; t < observed->p->threads.size; t++) {
        pending before, after;
        machine_pending(observed->m, from, t, &before);
        machine_pending(observed->m, to, t, &after);
        if (t == by || before.enabled || !after.enabled) continue;
        if (!bits_has(segment_row(s, s->can_enable, segment), after.segment))
            fail_msg("%s: %s woke %s, but the analysis does not know", observed_name,
                     observed->p->threads.data[by].name, observed->p->threads.data[t].name);
    }
}

static void check_step(void *data, const state *from, transition by, const successor *to) {
    (void)data;
    if (by.thread == MACHINE_KERNEL || by.thread == 0) return;
    pending next;
    machine_pending(observed->m, from, by.thread, &next);
    assert_true(next.live && next.enabled);
    assert_int_not_equal(next.segment, NO_INDEX);
    steps_observed++;
    /* The machine no longer knows what kind of object a freed one was and says "anything";
     * the segment knows. */
    bool freed = to->end == STEP_VIOLATION && machine_check(observed->m, to->check)->kind == CHECK_FREED;
    for (size_t i = 0; i < to->touched.size; i++)
        if (!(freed && to->touched.data[i].name == ACCESS_ANY) &&
            !is_covered(next.may_touch, &to->touched.data[i])) {
            text out = {0};
            effect one = {&to->touched.data[i], 1, 1};
            effect_print(observed->p, &one, &out);
            fail_msg("%s: step of %s: %s is not in its segment", observed_name,
                     observed->p->threads.data[by.thread].name, text_cstr(&out));
        }
    if (to->end == STEP_STOPPED) check_enabling(from, to->to, by.thread, next.segment);
}

static void observe_model(const char *name, const char *source) {
    for (int cut = 0; cut < 2; cut++) {
        machine_options how = machine_default_options();
        how.checks_cut = cut;
        fixture f = fixture_open_hurried(source, &how);
        explore_options o = exploring(POR_NONE, MATCH_ESM_HASH);
        o.dump_traces = true; /* so that effects are recorded */
        o.all = cut;
        o.max_transitions = 800;
        o.max_depth = 40;
        o.observe = check_step;
        observed = &f;
        observed_name = name;
        outcome out = search_fixture(&f, &o);
        outcome_free(&out);
        fixture_close(&f);
    }
}

static void segments_cover_what_the_machine_does(void **unused) {
    (void)unused;
    each_model(observe_model);
    for (int i = 0; i < IVL_LISTING_COUNT; i++) observe_model(ivl_listings[i].name, ivl_listings[i].source);
    assert_true(steps_observed > 10000);
}

/* --- do evaluation phases end? -------------------------------------------------------------------------- */

static bool phases_end(const char *source) {
    program *p = compile_with(source, NULL, 0);
    analyses *known = analyses_create(p);
    const segments *s = analyses_segments(known, false);
    bool ends = segments_phases_end(s, p->threads.size);
    analyses_destroy(known);
    program_destroy(p);
    return ends;
}

static void phases_end_unless_threads_wake_each_other_at_once(void **unused) {
    (void)unused;
    assert_true(phases_end("event e; thread A { while (true) { wait e; } }\n"
                           "thread B { while (true) { notify e; wait_time 1; } } main { start; }"));
    assert_true(phases_end("event e, f; thread A { while (true) { wait e; notify f, 0; } }\n"
                           "thread B { while (true) { notify e; wait f; } } main { start; }"));
    assert_false(phases_end("event e, f; thread A { while (true) { wait e; notify f; } }\n"
                            "thread B { while (true) { notify e; wait f; } } main { start; }"));
    assert_false(phases_end("event e, f, g; thread A { while (true) { wait e; notify f; } }\n"
                            "thread B { while (true) { wait f; notify g; } }\n"
                            "thread C { while (true) { notify e; wait g; } } main { start; }"));
    assert_false(phases_end("thread A { wait_time 1; } thread B { suspend A; resume A; } main { start; }"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing_2_6),
        cmocka_unit_test(listing_2_7),
        cmocka_unit_test(listing_2_8),
        cmocka_unit_test(listing_3_1),
        cmocka_unit_test(commuting_updates_are_independent),
        cmocka_unit_test(elements_are_told_apart_by_constant_indices),
        cmocka_unit_test(fields_are_told_apart),
        cmocka_unit_test(known_pointers_touch_what_they_point_to),
        cmocka_unit_test(unknown_pointers_touch_anything),
        cmocka_unit_test(heap_objects_are_one_region),
        cmocka_unit_test(locals_belong_to_their_thread),
        cmocka_unit_test(events_are_followed_through_calls_and_indices),
        cmocka_unit_test(event_lists_wake_on_every_member),
        cmocka_unit_test(suspension_depends_on_every_step_of_its_victim),
        cmocka_unit_test(assumptions_depend_on_properties),
        cmocka_unit_test(doubtful_pointers_are_properties),
        cmocka_unit_test(checks_cut_paths_when_exploration_goes_on),
        cmocka_unit_test(waits_inside_functions_are_told_apart_by_call_site),
        cmocka_unit_test(recursion_gives_one_segment_for_all),
        cmocka_unit_test(back_edges_are_noted),
        cmocka_unit_test(segments_cover_what_the_machine_does),
        cmocka_unit_test(phases_end_unless_threads_wake_each_other_at_once),
    };
    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
