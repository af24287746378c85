/* States: sharing and copying of parts, the small ordered tables of the scheduler, hashes, identity. */
#include "core_fixture.h"

#include "base/hash.h"
#include "machine/state.h"

static const char sample[] = "int x = 1, y = 2; int a[3]; event e, f; update u0 {x = 1;} update u1 {y = 2;}\n"
                             "thread A{wait e; x = 5;} thread B{int k = 3; wait f; y = k;} main{start;}";

static const term *number(const fixture *f, unsigned width, uint64_t n) {
    return term_const(f->c, width, n);
}

static const term *symbol(const fixture *f, unsigned width, uint64_t name) {
    return term_symbol(f->c, width, name, "s", 0);
}

static void set_cell(const fixture *f, state *s, const char *name, const term *t) {
    state_own_object(s, object_named(f, name))->cell[0].bits = t;
}

static void assert_equal_hashes(const state *a, const state *b) {
    for (int k = 0; k < HASH_KINDS; k++)
        assert_true(state_hash(a, (hash_kind)k) == state_hash(b, (hash_kind)k));
}

/* --- sharing -------------------------------------------------------------------------------------------- */

static void clones_share_until_written(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *s = walk(&f, "A B"), *copy = state_clone(s);
    uint32_t x = object_named(&f, "x"), y = object_named(&f, "y");
    assert_ptr_equal(s->objects[x], copy->objects[x]);
    assert_ptr_equal(s->threads[1], copy->threads[1]);
    assert_ptr_equal(s->scheduler, copy->scheduler);
    assert_true(state_identical(s, copy));
    set_cell(&f, copy, "x", number(&f, 32, 7));
    assert_int_equal(cell(&f, s, "x"), 1);
    assert_int_equal(cell(&f, copy, "x"), 7);
    assert_ptr_equal(s->objects[y], copy->objects[y]);
    assert_false(state_identical(s, copy));
    memory_object *own = copy->objects[x];
    set_cell(&f, copy, "x", number(&f, 32, 8));
    assert_ptr_equal(copy->objects[x], own); /* nobody else holds it: no second copy */
    state_own_thread(copy, 1)->suspended = true;
    assert_false(s->threads[1]->suspended);
    scheduler_set_pending(state_own_scheduler(copy), 0, NULL);
    assert_int_equal(s->scheduler->pending_count, 0);
    state_free(copy);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Parts are copied as one block; their arrays must survive growing out of it, again and again. */
static void copied_parts_can_grow(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *s = walk(&f, "A B");
    const function *b = &f.p->functions.data[f.p->threads.data[2].function];
    for (int round = 0; round < 3; round++) {
        state *copy = state_clone(s);
        thread_part *t = state_own_thread(copy, 2);
        value first = t->values[0];
        uint32_t frames = t->frame_count, values = t->value_count;
        for (int k = 0; k < 50; k++) thread_push_frame(t, b, f.p->threads.data[2].function, NO_INDEX);
        assert_int_equal(t->frame_count, frames + 50);
        assert_true(value_equal(t->values[0], first));
        assert_null(t->values[values].bits);
        for (int k = 0; k < 50; k++) thread_pop_frame(t);
        assert_int_equal(t->value_count, values);
        uint32_t events[40];
        for (uint32_t k = 0; k < 40; k++) events[k] = k % 2;
        thread_set_waits(t, events, 40, true);
        assert_int_equal(t->waits[39].event, 1);
        scheduler_part *k = state_own_scheduler(copy);
        for (uint32_t n = 0; n < 40; n++) scheduler_set_pending(k, (n * 7) % 40, number(&f, 64, n));
        for (uint32_t n = 0; n < 40; n++) scheduler_request_update(k, (n * 11) % 40);
        for (uint32_t n = 0; n < 40; n++) {
            assert_int_equal(k->pending[n].target, n);
            assert_int_equal(k->updates[n], n);
        }
        state_release(f.m, s);
        s = copy;
    }
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- the scheduler's tables ----------------------------------------------------------------------------- */

static void pending_notifications_are_a_sorted_map(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *s = walk(&f, "");
    scheduler_part *k = state_own_scheduler(s);
    scheduler_set_pending(k, 3, number(&f, 64, 30));
    scheduler_set_pending(k, 1, NULL);
    scheduler_set_pending(k, 2, number(&f, 64, 20));
    scheduler_set_pending(k, 3, number(&f, 64, 31)); /* replaces */
    assert_int_equal(k->pending_count, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(k->pending[i].target, i + 1);
    assert_int_equal(scheduler_find_pending(k, 3)->due->value, 31);
    assert_null(scheduler_find_pending(k, 1)->due);
    assert_null(scheduler_find_pending(k, 0));
    assert_true(scheduler_remove_pending(k, 2));
    assert_false(scheduler_remove_pending(k, 2));
    assert_int_equal(k->pending_count, 2);
    assert_int_equal(k->pending[1].target, 3);
    scheduler_request_update(k, 1);
    scheduler_request_update(k, 0);
    scheduler_request_update(k, 1); /* once */
    assert_int_equal(k->update_count, 2);
    assert_int_equal(k->updates[0], 0);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- path conditions ------------------------------------------------------------------------------------ */

static void appending_to_a_shared_path_does_not_show(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    const term *c[4];
    for (int i = 0; i < 4; i++) c[i] = term_eq(f.c, symbol(&f, 8, (uint64_t)i), number(&f, 8, 1));
    state *s = walk(&f, "");
    state_add_path(s, c[0]);
    state *left = state_clone(s), *right = state_clone(s);
    assert_ptr_equal(left->path, right->path);
    state_add_path(left, c[1]);
    state_add_path(right, c[2]);
    state_add_path(right, c[3]);
    assert_int_equal(s->path_count, 1);
    assert_int_equal(left->path_count, 2);
    assert_int_equal(right->path_count, 3);
    assert_ptr_equal(state_path(s)[0], c[0]);
    assert_ptr_equal(state_path(left)[1], c[1]);
    assert_ptr_equal(state_path(right)[1], c[2]);
    assert_ptr_equal(state_path(right)[2], c[3]);
    for (int i = 0; i < 100; i++) state_add_path(left, c[i % 4]);
    assert_ptr_equal(state_path(left)[1], c[1]);
    state_set_path(left, c, 2);
    assert_int_equal(left->path_count, 2);
    state_set_path(left, NULL, 0);
    assert_int_equal(left->path_count, 0);
    state_free(left);
    state_free(right);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- dynamic objects ------------------------------------------------------------------------------------ */

static const layout *int_layout(const fixture *f) {
    return program_scalar_layout(f->p, (scalar_type){32, VIEW_SIGNED});
}

static void point_at(const fixture *f, state *s, const char *variable, uint32_t index, uint32_t object) {
    state_own_object(s, object_named(f, variable))->cell[index] = (value){number(f, 64, 0), object + 1};
}

static void dynamic_objects_are_found_by_name(void **unused) {
    (void)unused;
    fixture f = fixture_open("int *p[4]; int x; thread A{p[0] = &x; x = 1;} main{start;}");
    state *s = walk(&f, "");
    uint32_t first = s->static_count;
    static const uint32_t order[] = {5, 1, 9, 3, 7};
    for (int i = 0; i < 5; i++) {
        memory_object *o = state_add_object(s, first + order[i], int_layout(&f), 1);
        o->cell[0] = (value){number(&f, 32, order[i]), 0};
    }
    for (uint32_t i = 1; i < s->dynamic_count; i++) assert_true(s->dynamic[i - 1].name < s->dynamic[i].name);
    for (int i = 0; i < 5; i++)
        assert_int_equal(state_object(s, first + order[i])->cell[0].bits->value, order[i]);
    assert_null(state_object(s, first + 2));
    state_drop_object(s, first + 3);
    assert_null(state_object(s, first + 3));
    assert_int_equal(s->dynamic_count, 4);

    state *copy = state_clone(s);
    state_own_object(copy, first + 1)->cell[0].bits = number(&f, 32, 77);
    assert_int_equal(state_object(s, first + 1)->cell[0].bits->value, 1);
    state_drop_object(copy, first + 5);
    assert_non_null(state_object(s, first + 5));

    point_at(&f, s, "p", 2, first + 1);
    point_at(&f, s, "p", 0, first + 9);
    object_names reachable = {0};
    state_reachable_objects(s, &reachable);
    /* In order of the pointers, not of the names; the others are garbage. */
    assert_int_equal(reachable.size, 2);
    assert_int_equal(reachable.data[0], first + 9);
    assert_int_equal(reachable.data[1], first + 1);
    vec_free(&reachable);
    state_free(copy);
    state_release(f.m, s);
    fixture_close(&f);
}

static void names_of_dynamic_objects_do_not_show_in_hashes(void **unused) {
    (void)unused;
    fixture f = fixture_open("int *p[4]; int x; thread A{p[0] = &x; x = 1;} main{start;}");
    state *s = walk(&f, ""), *t = state_clone(s);
    uint32_t first = s->static_count;
    for (uint32_t i = 0; i < 2; i++) {
        state_add_object(s, first + i, int_layout(&f), 1)->cell[0] = (value){number(&f, 32, i), 0};
        state_add_object(t, first + 9 - i, int_layout(&f), 1)->cell[0] = (value){number(&f, 32, i), 0};
        point_at(&f, s, "p", i, first + i);
        point_at(&f, t, "p", i, first + 9 - i);
    }
    assert_equal_hashes(s, t);
    assert_false(state_identical(s, t)); /* identity is by name */
    state_own_object(t, first + 9)->cell[0].bits = number(&f, 32, 5);
    assert_true(state_hash(s, HASH_EXACT) != state_hash(t, HASH_EXACT));
    state_free(t);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Which of several alike objects a pointer leads to does: p[2] is p[0] in one state and p[1] in the other. */
static void where_pointers_lead_shows_in_hashes(void **unused) {
    (void)unused;
    fixture f = fixture_open("int *p[4]; int x; thread A{p[0] = &x; x = 1;} main{start;}");
    state *s = walk(&f, ""), *t = state_clone(s), *like_s = state_clone(s);
    uint32_t first = s->static_count;
    state *all[] = {s, t, like_s};
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t name = k == 2 ? first + 9 - i : first + i;
            state_add_object(all[k], name, int_layout(&f), 1)->cell[0] = (value){number(&f, 32, 0), 0};
            point_at(&f, all[k], "p", i, name);
        }
    point_at(&f, s, "p", 2, first);
    point_at(&f, like_s, "p", 2, first + 9);
    point_at(&f, t, "p", 2, first + 1);
    assert_equal_hashes(s, like_s);
    for (int k = 0; k < HASH_KINDS; k++)
        assert_true(state_hash(s, (hash_kind)k) != state_hash(t, (hash_kind)k));
    state_free(like_s);
    state_free(t);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- hashes and identity -------------------------------------------------------------------------------- */

static void equal_states_have_equal_hashes(void **unused) {
    (void)unused;
    fixture f = fixture_open(
        "int x, y; event e, g; thread A{x = 1; notify e, 2;} thread B{y = 2; wait g;} main{start;}");
    state *ab = walk(&f, "A B"), *ba = walk(&f, "B A");
    assert_ptr_not_equal(ab->scheduler, ba->scheduler);
    assert_true(state_identical(ab, ba));
    assert_equal_hashes(ab, ba);
    state_release(f.m, ab);
    state_release(f.m, ba);
    fixture_close(&f);
}

/* Everything that tells states apart shows in the identity, and in the hashes that look at it. */
static void differences_show(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *s = walk(&f, "A B");
    for (int what = 0; what < 12; what++) {
        state *t = state_clone(s);
        bool in_control = true; /* shows in every kind of hash */
        for (int k = 0; k < HASH_KINDS; k++)
            state_hash(t, (hash_kind)k); /* fill the caches: writing must empty them */
        switch (what) {
        case 0: set_cell(&f, t, "x", number(&f, 32, 99)); break;
        case 1: state_own_thread(t, 1)->status = THREAD_ENDED; break;
        case 2: state_own_thread(t, 1)->suspended = true; break;
        case 3: state_own_thread(t, 1)->resume_pending = true; break;
        case 4: state_own_thread(t, 1)->frames[0].index++; break;
        case 5: state_own_thread(t, 1)->waits[0].event ^= 1; break;
        case 6: state_own_thread(t, 1)->waits[0].arrived = true; break;
        case 7: state_own_scheduler(t)->phase = PHASE_UPDATE; break;
        case 8: state_own_scheduler(t)->stopping = true; break;
        case 9: scheduler_set_pending(state_own_scheduler(t), 0, NULL); break;
        case 10: scheduler_request_update(state_own_scheduler(t), 1); break;
        case 11:
            state_own_thread(t, 2)->values[0].bits = number(&f, 32, 88);
            in_control = false; /* registers may hold symbolic values: CONTROL does not look at them */
            break;
        }
        assert_false(state_identical(s, t));
        for (int k = 0; k < HASH_KINDS; k++)
            if (k != HASH_CONTROL || in_control)
                if (state_hash(s, (hash_kind)k) == state_hash(t, (hash_kind)k))
                    fail_msg("change %d does not show in hash %d", what, k);
        state_free(t);
    }
    state_release(f.m, s);
    fixture_close(&f);
}

static void running_counts_and_delta_count_do_not_show(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    state *s = walk(&f, "A B"), *t = state_clone(s);
    state_own_thread(t, 1)->objects_made = 7;
    state_own_thread(t, 1)->inputs_made = 9;
    state_own_scheduler(t)->delta = 12;
    assert_true(state_identical(s, t));
    assert_equal_hashes(s, t);
    state_free(t);
    state_release(f.m, s);
    fixture_close(&f);
}

static void hashes_differ_in_what_they_look_at(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y = 2; thread A{x = 1;} thread B{y = 3;} main{start;}");
    state *s = walk(&f, "");
    state *other_symbol = state_clone(s), *other_shape = state_clone(s), *a_number = state_clone(s);
    set_cell(&f, other_symbol, "x", symbol(&f, 32, 77));
    set_cell(&f, other_shape, "x", term_add(f.c, symbol(&f, 32, 77), number(&f, 32, 1)));
    set_cell(&f, a_number, "x", number(&f, 32, 4));
    assert_true(state_hash(s, HASH_EXACT) != state_hash(other_symbol, HASH_EXACT));
    assert_true(state_hash(s, HASH_SHAPE) == state_hash(other_symbol, HASH_SHAPE));
    assert_true(state_hash(s, HASH_SHAPE) != state_hash(other_shape, HASH_SHAPE));
    assert_true(state_hash(s, HASH_CONCRETE) == state_hash(other_shape, HASH_CONCRETE));
    assert_true(state_hash(s, HASH_CONCRETE) != state_hash(a_number, HASH_CONCRETE));
    /* A number may match a symbol. */
    assert_true(state_hash(s, HASH_CONTROL) == state_hash(a_number, HASH_CONTROL));
    set_cell(&f, a_number, "y", number(&f, 32, 9)); /* y never holds a symbol, so it counts */
    assert_true(state_hash(s, HASH_CONTROL) != state_hash(a_number, HASH_CONTROL));
    state_free(other_symbol);
    state_free(other_shape);
    state_free(a_number);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Time counts relative to now: the same remaining delay is the same to every hash; identity also
 * compares the clock. */
static void due_times_count_from_now(void **unused) {
    (void)unused;
    fixture f = fixture_open("event e; thread A{while (true) wait_time 3;} main{start;}");
    state *s = walk(&f, "A"), *later = walk(&f, "A N A");
    assert_int_equal(now(s), 0);
    assert_int_equal(now(later), 3);
    assert_equal_hashes(s, later);
    assert_false(state_identical(s, later));
    state_release(f.m, s);
    state_release(f.m, later);
    fixture_close(&f);
}

static void paths_are_sets(void **unused) {
    (void)unused;
    fixture f = fixture_open(sample);
    const term *c0 = term_eq(f.c, symbol(&f, 8, 1), number(&f, 8, 1)),
               *c1 = term_eq(f.c, symbol(&f, 8, 2), number(&f, 8, 1));
    state *s = walk(&f, ""), *t = state_clone(s);
    state_add_path(s, c0);
    assert_false(state_identical(s, t));
    state_add_path(s, c1);
    state_add_path(t, c1);
    state_add_path(t, c0);
    assert_true(state_identical(s, t));
    state_free(t);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- walking -------------------------------------------------------------------------------------------- */

static void count_value(void *data, value v) {
    if (v.bits && !term_is_const(v.bits)) ++*(unsigned *)data;
}

static void every_value_is_visited(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int); int a[2] = ?(int[2]); int *p; uint d = ?(uint); event e;\n"
                             "thread A{int k = ?(int); p = new int; *p = ?(int); assume(d > 3); notify e, d; "
                             "wait_time 1; x = k; a[0] = k; d = 1;}\n"
                             "main{start;}");
    state *s = walk(&f, "A");
    object_names reachable = {0};
    state_reachable_objects(s, &reachable);
    unsigned symbolic = 0;
    state_each_value(s, &reachable, count_value, &symbolic);
    assert_int_equal(symbolic, 7); /* x, a[0], a[1], d, k, *p, and when e is due */
    vec_free(&reachable);
    state_release(f.m, s);
    fixture_close(&f);
}

/* However few values depend on inputs, and wherever they are. */
static void a_state_is_concrete_if_all_its_times_are(void **unused) {
    (void)unused;
    static const struct {
        const char *source, *steps;
        bool concrete;
    } cases[] = {
        {"thread A{wait_time 9;} main{start;}", "A", true},
        {"thread A{wait_time 9;} main{start 5;}", "A", true},
        {"thread A{wait_time 9;} main{start ?(int) & 7;}", "A", false},
        {"thread A{wait_time (?(int) & 7) + 1;} main{start;}", "A", false},
        {"event e; thread A{notify e, (?(int) & 7) + 1;} main{start;}", "A", false},
        {"thread A{wait_time (?(int) & 7) + 1; wait_time 1;} main{start;}", "A N A", false}, /* now */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(cases[i].source);
        state *s = walk(&f, cases[i].steps);
        object_names none = {0};
        unsigned symbolic = 0;
        state_each_value(s, &none, count_value, &symbolic);
        assert_int_equal(s->path_count, 0);
        if (state_is_concrete(s) != cases[i].concrete) fail_msg("%s", cases[i].source);
        if (!symbolic != cases[i].concrete) fail_msg("%s: %u values", cases[i].source, symbolic);
        state_release(f.m, s);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clones_share_until_written),
        cmocka_unit_test(copied_parts_can_grow),
        cmocka_unit_test(pending_notifications_are_a_sorted_map),
        cmocka_unit_test(appending_to_a_shared_path_does_not_show),
        cmocka_unit_test(dynamic_objects_are_found_by_name),
        cmocka_unit_test(names_of_dynamic_objects_do_not_show_in_hashes),
        cmocka_unit_test(where_pointers_lead_shows_in_hashes),
        cmocka_unit_test(equal_states_have_equal_hashes),
        cmocka_unit_test(differences_show),
        cmocka_unit_test(running_counts_and_delta_count_do_not_show),
        cmocka_unit_test(hashes_differ_in_what_they_look_at),
        cmocka_unit_test(due_times_count_from_now),
        cmocka_unit_test(paths_are_sets),
        cmocka_unit_test(every_value_is_visited),
        cmocka_unit_test(a_state_is_concrete_if_all_its_times_are),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
