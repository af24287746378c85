/* Persistent sets: the document's example exactly, inclusions between the kinds, and persistence itself by
 * brute force. */
#include "model_files.h"
#include "random_programs.h"

#include "reduction/persistent.h"

/* --- Listing 2.7 ---------------------------------------------------------------------------------------- */

/* "A0 C0 D0": the enabled segments of a closure that starts from the next segment of `first`. */
static void check_closure(const fixture *f, const state *s, por_kind kind, const char *first,
                          const char *expected) {
    persistent *p = persistent_create(f->m, kind, true);
    const segments *g = machine_segments(f->m);
    indices all = {0};
    pending start;
    machine_pending(f->m, s, thread_named(f, first), &start);
    persistent_closure(p, s, kind, start.segment, &all);
    text names = {0};
    for (size_t i = 0; i < all.size; i++) {
        uint32_t thread = g->list.data[all.data[i]].thread;
        pending next;
        machine_pending(f->m, s, thread, &next);
        if (!next.enabled || next.segment != all.data[i]) continue;
        unsigned before = 0;
        for (uint32_t k = 0; k < all.data[i]; k++) before += g->list.data[k].thread == thread;
        text_format(&names, "%s%s%u", names.size ? " " : "", f->p->threads.data[thread].name, before);
    }
    if (strcmp(text_cstr(&names), expected))
        fail_msg("%s from %s: %s, not %s", por_name(kind), first, text_cstr(&names), expected);
    text_free(&names);
    vec_free(&all);
    persistent_destroy(p);
}

static void listing_2_7_at_the_start(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.7"));
    state *s = walk(&f, "");
    check_closure(&f, s, POR_CT, "A", "A0 B0 C0 D0");
    check_closure(&f, s, POR_STUB, "A", "A0 B0 C0 D0"); /* B0 could enable D2: all */
    check_closure(&f, s, POR_STUB2, "A", "A0 C0 D0");
    check_closure(&f, s, POR_STUB, "B", "B0 C0 D0"); /* C0 could enable D1, and D0 races with C0 */
    state_release(f.m, s);
    fixture_close(&f);
}

static void listing_2_7_after_b(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.7"));
    state *s = walk(&f, "B");
    check_closure(&f, s, POR_STUB, "A", "A0"); /* nothing is left that could enable D2 */
    check_closure(&f, s, POR_STUB2, "A", "A0 C0 D0");
    state_release(f.m, s);
    fixture_close(&f);
}

/* The whole interface: indices of the enabled transitions, and the smallest of all sets. */
static void indices_of_enabled_transitions(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.7"));
    state *s = walk(&f, "B");
    transitions enabled = {0};
    machine_enabled(f.m, s, &enabled);
    assert_int_equal(enabled.size, 3); /* A, C, D */
    static const struct {
        por_kind kind;
        size_t size;
    } expected[] = {{POR_NONE, 3}, {POR_CT, 3}, {POR_STUB, 1}, {POR_STUB2, 3}, {POR_STUB_MIN, 1}};
    for (int i = 0; i < 5; i++) {
        persistent *p = persistent_create(f.m, expected[i].kind, true);
        indices out = {0};
        persistent_compute(p, s, &enabled, 0, &out);
        assert_int_equal(out.size, expected[i].size);
        assert_int_equal(out.data[0], 0);
        vec_free(&out);
        persistent_destroy(p);
    }
    vec_free(&enabled);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- persistence by brute force ------------------------------------------------------------------------- */

typedef struct brute {
    const fixture *f;
    const bool *inside; /* per thread: in the set */
    unsigned steps_left;
    bool broken;
} brute;

static void effect_of(const fixture *f, const state *s, uint32_t thread, effect *out, successors *next) {
    step_options how = {.effects = true};
    machine_step(f->m, s, (transition){thread, 0}, &how, next);
    for (size_t i = 0; i < next->size; i++) effect_join(out, &next->data[i].touched);
}

/* A step outside the set must not conflict with, nor disable, any member in any state reached
 * by such steps. */
static void compare_with_members(brute *b, const state *s, const effect *outside) {
    for (uint32_t t = 1; t < b->f->p->threads.size; t++) {
        if (!b->inside[t]) continue;
        effect member = {0};
        successors next = {0};
        if (!is_enabled(b->f, s, t))
            b->broken = true;
        else
            effect_of(b->f, s, t, &member, &next);
        b->broken |= effect_conflict(&member, outside);
        effect_free(&member);
        successors_free(b->f->m, &next);
    }
}

static void go_outside(brute *b, const state *s) { /* depth is bounded by the length of the programs */
    transitions enabled = {0};
    machine_enabled(b->f->m, s, &enabled);
    for (size_t i = 0; i < enabled.size && !b->broken && b->steps_left; i++) {
        uint32_t thread = enabled.data[i].thread;
        if (thread == MACHINE_KERNEL || b->inside[thread]) continue;
        b->steps_left--;
        effect touched = {0};
        successors next = {0};
        effect_of(b->f, s, thread, &touched, &next);
        compare_with_members(b, s, &touched);
        for (size_t k = 0; k < next.size && !b->broken; k++)
            if (next.data[k].end == STEP_STOPPED) go_outside(b, next.data[k].to);
        effect_free(&touched);
        successors_free(b->f->m, &next);
    }
    vec_free(&enabled);
}

static bool is_persistent(const fixture *f, const state *s, const transitions *enabled, const indices *set) {
    bool inside[16] = {0};
    for (size_t i = 0; i < set->size; i++) inside[enabled->data[set->data[i]].thread] = true;
    brute b = {f, inside, 400, false};
    go_outside(&b, s);
    return !b.broken;
}

static bool is_subset(const indices *a, const indices *b) {
    for (size_t i = 0; i < a->size; i++) {
        bool found = false;
        for (size_t j = 0; j < b->size; j++) found |= a->data[i] == b->data[j];
        if (!found) return false;
    }
    return true;
}

static bool has_index(const indices *a, uint32_t index) {
    for (size_t i = 0; i < a->size; i++)
        if (a->data[i] == index) return true;
    return false;
}

typedef struct tally {
    uint64_t sets, smaller_than_all, stub_smaller, stub2_smaller;
} tally;

static void check_state_sets(const fixture *f, const state *s, persistent *const by_kind[], tally *count,
                             const char *source) {
    transitions enabled = {0};
    machine_enabled(f->m, s, &enabled);
    indices ct = {0}, stub = {0}, stub2 = {0}, smallest = {0};
    persistent_compute(by_kind[POR_STUB_MIN], s, &enabled, 0, &smallest);
    if (!is_persistent(f, s, &enabled, &smallest)) fail_msg("stub-min is not persistent:\n%s", source);
    for (uint32_t first = 0; first < enabled.size; first++) {
        persistent_compute(by_kind[POR_CT], s, &enabled, first, &ct);
        persistent_compute(by_kind[POR_STUB], s, &enabled, first, &stub);
        persistent_compute(by_kind[POR_STUB2], s, &enabled, first, &stub2);
        assert_true(has_index(&ct, first) && has_index(&stub, first) && has_index(&stub2, first));
        assert_true(is_subset(&stub, &ct));
        assert_true(is_subset(&stub2, &ct));
        assert_true(smallest.size <= stub.size && smallest.size <= stub2.size);
        if (!is_persistent(f, s, &enabled, &ct)) fail_msg("ct is not persistent:\n%s", source);
        if (!is_persistent(f, s, &enabled, &stub)) fail_msg("stub is not persistent:\n%s", source);
        if (!is_persistent(f, s, &enabled, &stub2)) fail_msg("stub2 is not persistent:\n%s", source);
        count->sets += 3;
        count->smaller_than_all +=
            (ct.size < enabled.size) + (stub.size < enabled.size) + (stub2.size < enabled.size);
        count->stub_smaller += stub.size < stub2.size;
        count->stub2_smaller += stub2.size < stub.size;
    }
    vec_free(&ct);
    vec_free(&stub);
    vec_free(&stub2);
    vec_free(&smallest);
    vec_free(&enabled);
}

/* A random walk; at every state in which threads compete all sets are looked at. */
static void walk_and_check(uint64_t *seed, const char *source, tally *count) {
    fixture f = fixture_open(source);
    persistent *by_kind[POR_KINDS] = {0};
    for (int k = POR_CT; k <= POR_STUB_MIN; k++) by_kind[k] = persistent_create(f.m, (por_kind)k, true);
    state *s = walk(&f, "");
    for (int steps = 0; steps < 12; steps++) {
        transitions enabled = {0};
        machine_enabled(f.m, s, &enabled);
        bool compete =
            enabled.size && enabled.data[0].thread != MACHINE_KERNEL && enabled.data[0].thread != 0;
        if (!enabled.size || enabled.data[0].thread == 0) {
            vec_free(&enabled);
            break;
        }
        if (compete) check_state_sets(&f, s, by_kind, count, source);
        transition t = enabled.data[random_below(seed, (unsigned)enabled.size)];
        vec_free(&enabled);
        successors next = {0};
        step_options how = {0};
        machine_step(f.m, s, t, &how, &next);
        size_t pick = random_below(seed, (unsigned)next.size);
        bool goes_on = next.data[pick].end == STEP_STOPPED;
        state_release(f.m, s);
        s = state_share(next.data[pick].to);
        successors_free(f.m, &next);
        if (!goes_on) break;
    }
    state_release(f.m, s);
    for (int k = POR_CT; k <= POR_STUB_MIN; k++) persistent_destroy(by_kind[k]);
    fixture_close(&f);
}

static void sets_of_random_programs_are_persistent(void **unused) {
    (void)unused;
    uint64_t seed = 4711;
    tally count = {0};
    for (int i = 0; i < 250; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2,
                              .statements = 4,
                              .assertions = true,
                              .assumptions = i % 3 == 0,
                              .suspensions = i % 2 == 0};
        random_program(&seed, &shape, source, sizeof source);
        walk_and_check(&seed, source, &count);
    }
    assert_true(count.sets > 3000);
    assert_true(count.smaller_than_all > 500);                      /* the reduction reduces */
    assert_true(count.stub_smaller > 0 && count.stub2_smaller > 0); /* neither way is always better */
}

/* --- a mutant ------------------------------------------------------------------------------------------- */

/* Listing 2.6 without necessary enabling sets: {A} is taken for persistent although D, woken by B, writes
 * what A reads. */
static void without_enabling_sets_persistence_is_lost(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.6"));
    state *s = walk(&f, "");
    transitions enabled = {0};
    machine_enabled(f.m, s, &enabled);
    persistent *sound = persistent_create(f.m, POR_STUB, true),
               *mutant = persistent_create(f.m, POR_STUB, false);
    indices set = {0};
    persistent_compute(sound, s, &enabled, 0, &set);
    assert_true(is_persistent(&f, s, &enabled, &set));
    assert_int_equal(set.size, 3);
    persistent_compute(mutant, s, &enabled, 0, &set);
    assert_int_equal(set.size, 1);
    assert_false(is_persistent(&f, s, &enabled, &set));
    vec_free(&set);
    persistent_destroy(sound);
    persistent_destroy(mutant);
    vec_free(&enabled);
    state_release(f.m, s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing_2_7_at_the_start),
        cmocka_unit_test(listing_2_7_after_b),
        cmocka_unit_test(indices_of_enabled_transitions),
        cmocka_unit_test(sets_of_random_programs_are_persistent),
        cmocka_unit_test(without_enabling_sets_persistence_is_lost),
    };
    return cmocka_run_group_tests_name("persistent", tests, NULL, NULL);
}
