/* What explorations met, put together: whatever holds of a part holds of the whole, in whichever order. */
#include "c_text.h"

#include "explore/player.h"
#include "machine/seen.h"

static machine_seen first_part(void) {
    machine_seen s = {0};
    s.weak_access = (seen_fact){true, {.at = {3, 1}, .about = "a read"}};
    s.context_bound.met = true;
    s.stands_still = (blocked_thread){true, true, 1, "a.c", {7, 2}};
    seen_note_who(&s.heap_freed_by, 2);
    seen_note_who(&s.heap_made_by, 1);
    seen_note_joined(&s, 1, 0);
    seen_note_ids_compared(&s, (ids_compared){1, 2, {.at = {5, 5}}});
    seen_reach(&s, 4);
    return s;
}

static machine_seen second_part(void) {
    machine_seen s = {0};
    s.weak_access = (seen_fact){true, {.at = {9, 9}, .about = "a write"}};
    s.coarse_copy.met = true;
    s.race = (racing_places){true, {1, 2}, {{1, 1}, {2, 2}}};
    seen_note_who(&s.heap_freed_by, 3);
    seen_note_joined(&s, 1, 2);
    seen_note_joined(&s, 2, 0);
    seen_note_ids_compared(&s, (ids_compared){2, 1, {.at = {6, 6}}});
    seen_note_ids_compared(&s, (ids_compared){1, 3, {.at = {8, 8}}});
    seen_reach(&s, 0);
    return s;
}

static void assert_whole(const machine_seen *s) {
    assert_true(s->weak_access.met && s->context_bound.met && s->coarse_copy.met && !s->detached.met);
    assert_true(s->race.known && s->stands_still.known && !s->blocked_at_exit.known);
    assert_int_equal(s->heap_freed_by, SEEN_SEVERAL);
    assert_int_equal(s->heap_made_by, 1 + 1);
    assert_int_equal(map_get(&s->joiners, 1), NO_INDEX); /* two have */
    assert_int_equal(map_get(&s->joiners, 2), 0);
    assert_int_equal(s->ids_compared.size, 2);
    assert_true(seen_knows_ids_compared(s, 2, 1) && seen_knows_ids_compared(s, 3, 1));
    assert_true(seen_reached(s, 0) && !seen_reached(s, 1) && seen_reached(s, 4));
}

static void all_that_parts_met_is_met(void **unused) {
    (void)unused;
    for (int swapped = 0; swapped < 2; swapped++) {
        machine_seen a = first_part(), b = second_part();
        machine_seen *into = swapped ? &b : &a, *from = swapped ? &a : &b;
        seen_merge(into, from);
        assert_whole(into);
        assert_int_equal(into->weak_access.at.at.line, swapped ? 9 : 3); /* the place goes with its fact */
        seen_merge(into, from);                                          /* once more changes nothing */
        assert_whole(into);
        seen_free(&a);
        seen_free(&b);
    }
}

static void nothing_adds_nothing(void **unused) {
    (void)unused;
    machine_seen whole = first_part(), nothing = {0};
    seen_merge(&whole, &nothing);
    assert_int_equal(whole.heap_freed_by, 2 + 1);
    assert_int_equal(map_get(&whole.joiners, 1), 0);
    assert_false(whole.coarse_copy.met);
    seen_merge(&nothing, &whole);
    assert_int_equal(nothing.heap_freed_by, 2 + 1);
    assert_true(seen_knows_ids_compared(&nothing, 1, 2));
    seen_free(&whole);
    seen_free(&nothing);
}

static uint32_t otherwise(void *data, uint32_t thread) {
    const uint32_t *numbers = data;
    return numbers[thread];
}

static void threads_go_by_their_new_numbers(void **unused) {
    (void)unused;
    uint32_t numbers[] = {0, 3, 1, 2};
    machine_seen s = first_part();
    seen_note_joined(&s, 2, 3);
    seen_note_joined(&s, 2, 1); /* several */
    seen_rename_threads(&s, otherwise, numbers);
    assert_int_equal(s.stands_still.thread, 3);
    assert_int_equal(s.blocked_at_exit.thread, 0);
    assert_int_equal(s.heap_freed_by, 1 + 1);
    assert_int_equal(s.heap_made_by, 1 + 3);
    assert_int_equal(map_get(&s.joiners, 3), 0);
    assert_int_equal(map_get(&s.joiners, 1), NO_INDEX);
    assert_int_equal(s.joiners.size, 2);
    assert_true(seen_knows_ids_compared(&s, 3, 1) && !seen_knows_ids_compared(&s, 1, 2));
    assert_int_equal(s.ids_compared.data[0].at.at.line, 5);
    seen_free(&s);
}

/* --- looking away --------------------------------------------------------------------------------------- */

#define WRITES_RELAXED                                                                                       \
    "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x; pthread_t t;\n"                             \
    "void *reads(void *a) { return a; }\n"                                                                   \
    "int main(void) { pthread_create(&t, 0, reads, 0); atomic_store_explicit(&x, 1, "                        \
    "memory_order_relaxed);\n"                                                                               \
    "  pthread_join(t, 0); return 0; }\n"

static void go_to_the_end(machine *m) {
    step_options how = {.effects = true};
    player p = player_begin(m, &how);
    transitions enabled = {0};
    for (machine_enabled(m, p.now, &enabled); enabled.size; machine_enabled(m, p.now, &enabled))
        if (!player_go_on(&p, enabled.data[0])) break;
    vec_free(&enabled);
    player_end(&p);
}

static bool met_something(const fixture *f) {
    const machine_seen *s = machine_seen_so_far(f->m);
    return s->weak_access.met || s->loose_access.met || s->program_ended.met || s->joiners.size ||
           s->reached.size;
}

static void what_is_only_looked_at_is_not_met(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(WRITES_RELAXED), NULL, 0);
    machine_look_away(f.m);
    machine_look_away(f.m);
    go_to_the_end(f.m);
    machine_look_back(f.m);
    assert_false(met_something(&f));
    go_to_the_end(f.m); /* still inside the outer pair */
    machine_look_back(f.m);
    assert_false(met_something(&f));
    go_to_the_end(f.m); /* what it came to before is no news, and is met all the same */
    const machine_seen *s = machine_seen_so_far(f.m);
    assert_true(s->weak_access.met && s->loose_access.met && s->program_ended.met && s->joiners.size == 1);
    fixture_close(&f);
}

/* A copy that is too large to go cell by cell. */
static const char *const copies_much = "#include <pthread.h>\n#include <string.h>\n"
                                       "char to[100000], from[100000]; pthread_t t;\n"
                                       "void *copies(void *a) { memcpy(to, from, sizeof to); return a; }\n"
                                       "int main(void) { pthread_create(&t, 0, copies, 0); return to[7]; }\n";

static bool is_about_to_copy(const fixture *f, const state *s, uint32_t thread) {
    const instruction *next = machine_next_instruction(f->m, s, thread);
    return state_thread_status(s, thread) == THREAD_RUNNABLE && next && next->kind == INSTR_COPY;
}

/* Whoever asks what comes next has not met it. */
static void what_is_only_asked_about_is_not_met(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(copies_much), NULL, 0);
    step_options how = {.effects = true};
    transitions enabled = {0};
    unsigned asked = 0;
    player p = player_begin(f.m, &how);
    for (machine_enabled(f.m, p.now, &enabled); enabled.size; machine_enabled(f.m, p.now, &enabled)) {
        transition last = vec_last(&enabled); /* the created thread, as soon as there is one */
        pending next;
        machine_pending(f.m, p.now, last.thread, &next);
        asked += is_about_to_copy(&f, p.now, last.thread);
        assert_false(machine_seen_so_far(f.m)->coarse_copy.met);
        if (is_about_to_copy(&f, p.now, last.thread)) break;
        assert_true(player_go_on(&p, last));
    }
    assert_int_equal(asked, 1);
    assert_true(player_go_on(&p, vec_last(&enabled)));
    assert_true(machine_seen_so_far(f.m)->coarse_copy.met); /* now it has been done */
    vec_free(&enabled);
    player_end(&p);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_go_by_their_new_numbers),
        cmocka_unit_test(all_that_parts_met_is_met),
        cmocka_unit_test(nothing_adds_nothing),
        cmocka_unit_test(what_is_only_looked_at_is_not_met),
        cmocka_unit_test(what_is_only_asked_about_is_not_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
