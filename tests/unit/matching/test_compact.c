/* Compact sets: every state comes back as it was, whatever the order; few bytes; the same answers. */
#include "thread_programs.h"

#include "machine/hangs.h"
#include "matching/compact.h"
#include "matching/visited.h"
#include "random_programs.h"

/* --- what must come back -------------------------------------------------------------------------------- */

static void assert_same_thread(const thread_part *a, const thread_part *b) {
    assert_true(threads_identical(a, b));
    assert_int_equal(a->objects_made, b->objects_made);
    assert_int_equal(a->inputs_made, b->inputs_made);
    assert_int_equal(a->unknowns_made, b->unknowns_made);
    assert_int_equal(a->threads_made, b->threads_made);
    for (uint32_t i = 0; i < a->frame_count; i++) {
        assert_int_equal(a->frames[i].registers, b->frames[i].registers);
        assert_int_equal(a->frames[i].result_register, b->frames[i].result_register);
        assert_int_equal(a->frames[i].loops, b->frames[i].loops);
        assert_int_equal(a->frames[i].allocates, b->frames[i].allocates);
    }
}

static void assert_restored(machine *m, compact *c, uint32_t index, const state *expected) {
    const cursor *at = compact_view(c, index);
    state *got = cursor_state(at);
    assert_true(state_identical(&at->view, expected));
    assert_true(state_identical(got, expected));
    assert_int_equal(got->uncertain, expected->uncertain);
    assert_int_equal(got->dynamic_count, expected->dynamic_count);
    for (uint32_t t = 0; t < expected->thread_count; t++) {
        assert_same_thread(got->threads[t], expected->threads[t]);
        assert_int_equal(cursor_asleep(at, t), machine_sleeps(m, expected, t));
    }
    for (uint32_t i = 0; i < expected->dynamic_count; i++) {
        const memory_object *a = got->dynamic[i].object, *b = expected->dynamic[i].object;
        assert_int_equal(a->owner, b->owner);
        assert_int_equal(a->heap, b->heap);
        assert_int_equal(a->site, b->site);
        assert_int_equal(a->frame, b->frame);
    }
    state_release(m, got);
}

typedef VEC(state *) kept_states; /* clones: the set may exchange parts of what it is given */

static void assert_all_restored(machine *m, compact *c, const kept_states *kept) {
    assert_int_equal(compact_count(c), kept->size);
    uint32_t count = (uint32_t)kept->size;
    for (uint32_t i = 0; i < count; i++) assert_restored(m, c, i, kept->data[i]);
    for (uint32_t i = count; i-- > 0;) assert_restored(m, c, i, kept->data[i]);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t any = random_below(&seed, count);
        assert_restored(m, c, any, kept->data[any]);
    }
}

static void release_all(machine *m, kept_states *kept) {
    for (size_t i = 0; i < kept->size; i++) state_release(m, kept->data[i]);
    vec_free(kept);
}

/* --- states of programs --------------------------------------------------------------------------------- */

typedef struct open_state {
    state *s;
    uint32_t index;
} open_state;

/* All states (without matching, so a tree) up to a number of them, depth first or breadth first. The states
 * that are gone on from are those of the search itself or restored ones. */
static void explore_into(const fixture *f, bool breadth_first, bool restore, uint32_t most) {
    compact *c = compact_create(f->m);
    kept_states kept = {0};
    VEC(open_state) open = {0};
    transitions enabled = {0};
    successors list = {0};
    step_options how = {.effects = false};
    vec_push(&open, ((open_state){machine_initial(f->m, 0), NO_INDEX}));
    for (size_t head = 0; head < open.size && kept.size < most;) {
        open_state now = breadth_first ? open.data[head++] : vec_pop(&open);
        vec_push(&kept, state_clone(now.s));
        uint32_t index = compact_add(c, now.s, kept.size, now.index);
        if (restore) {
            state *again = cursor_state(compact_view(c, index));
            state_release(f->m, now.s);
            now.s = again;
        }
        vec_clear(&enabled);
        machine_enabled(f->m, now.s, &enabled);
        for (size_t i = 0; i < enabled.size; i++) {
            successors_clear(f->m, &list);
            machine_step(f->m, now.s, enabled.data[i], &how, &list);
            for (size_t k = 0; k < list.size; k++)
                if (list.data[k].end == STEP_STOPPED)
                    vec_push(&open, ((open_state){state_share(list.data[k].to), index}));
        }
        state_release(f->m, now.s);
        if (breadth_first) open.data[head - 1].s = NULL;
    }
    assert_all_restored(f->m, c, &kept);
    for (size_t i = 0; i < open.size; i++) state_release(f->m, open.data[i].s);
    vec_free(&open);
    vec_free(&enabled);
    successors_free(f->m, &list);
    release_all(f->m, &kept);
    compact_destroy(c);
}

static void in_all_orders(const fixture *f) {
    for (int k = 0; k < 4; k++) explore_into(f, k & 1, k & 2, 400);
}

static void every_state_of_a_program_comes_back(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    for (int round = 0; round < 12; round++) {
        random_shape shape = {3, 5, 60, false, true, true, round % 2};
        char source[4096];
        random_program(&seed, &shape, source, sizeof source);
        fixture f = fixture_open(source);
        in_all_orders(&f);
        fixture_close(&f);
    }
}

/* Threads that are created on the way, and one that goes to sleep in a loop. */
static void states_with_new_and_sleeping_threads_come_back(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x", "y"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "waits", FUNCTION_THREAD);
    uint32_t head = function_add_block(k.p, k.f);
    put(&k, INSTR_JUMP)->target[0] = head;
    k.block = head;
    put_load(&k, 0);
    put(&k, INSTR_JUMP)->target[0] = head;
    begin_function(&k, "writes", FUNCTION_THREAD);
    for (uint32_t n = 0; n < 6; n++) put_add(&k, 1, n);
    end_function(&k);
    begin_main(&k);
    for (uint32_t n = 0; n < 4; n++) {
        put_create(&k, n % 2);
        put_add(&k, 1, 1);
    }
    end_function(&k);
    fixture f = open_maker(&k);
    in_all_orders(&f);
    fixture_close(&f);
}

/* --- states made up at random --------------------------------------------------------------------------- */

static void change_something(const fixture *f, state *s, uint64_t *seed) {
    uint32_t any = random_below(seed, 40);
    const term *number = term_const(f->c, 32, any);
    switch (random_below(seed, 9)) {
    case 0: state_own_object(s, random_below(seed, s->static_count))->cell[0].bits = number; break;
    case 1: state_own_thread(s, random_below(seed, s->thread_count))->inputs_made = any; break;
    case 2: state_own_thread(s, random_below(seed, s->thread_count))->result = (value){number, 0}; break;
    case 3: state_own_scheduler(s)->switches = any; break;
    case 4: state_add_path(s, term_ult(f->c, term_symbol(f->c, 32, any, "i", NO_INDEX), number)); break;
    case 5: state_set_path(s, state_path(s), s->path_count / 2); break;
    case 6: s->uncertain = !s->uncertain; break;
    default: {
        uint32_t name = s->static_count + any;
        if (state_object(s, name) && random_below(seed, 2))
            state_drop_object(s, name);
        else if (state_object(s, name))
            state_own_object(s, name)->cell[0] = (value){number, 0};
        else
            state_add_object(s, name, s->objects[0]->shape, 1)->cell[0] = (value){number, 1 + any % 3};
    }
    }
}

/* Behind any earlier state or none at all, with any number of changes. */
static void arbitrary_states_come_back(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y, z; event e; thread A{wait e; x = 1;} thread B{y = 2; notify e, 1;}");
    for (uint64_t seed = 1; seed < 6; seed++) {
        compact *c = compact_create(f.m);
        kept_states kept = {0};
        vec_push(&kept, walk(&f, ""));
        state *first = state_clone(kept.data[0]);
        compact_add(c, first, 0, NO_INDEX);
        state_release(f.m, first);
        for (uint32_t i = 1; i < 3000; i++) {
            uint32_t near =
                i > 5 && random_below(&seed, 4) ? i - 1 - random_below(&seed, 5) : random_below(&seed, i);
            state *s = state_clone(kept.data[near]);
            for (uint32_t n = random_below(&seed, 4); n; n--) change_something(&f, s, &seed);
            vec_push(&kept, state_clone(s));
            bool told = random_below(&seed, 8);
            assert_int_equal(compact_add(c, s, i, told ? near : NO_INDEX), i);
            state_release(f.m, s);
            if (!random_below(&seed, 10)) assert_restored(f.m, c, near, kept.data[near]);
        }
        assert_all_restored(f.m, c, &kept);
        release_all(f.m, &kept);
        compact_destroy(c);
    }
    fixture_close(&f);
}

/* --- signatures ----------------------------------------------------------------------------------------- */

static void states_are_found_by_their_signature(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A{x = 1;}");
    compact *c = compact_create(f.m);
    state *s = walk(&f, "");
    enum { COUNT = 5000 };
    for (uint64_t i = 0; i < COUNT; i++) compact_add(c, s, i / 2 * UINT64_C(0x100000000), NO_INDEX);
    for (uint64_t i = 0; i < COUNT; i += 2) {
        compact_probe p = compact_look(c, i / 2 * UINT64_C(0x100000000));
        uint32_t a = compact_next(c, &p), b = compact_next(c, &p);
        assert_int_equal(a + b, 2 * i + 1);
        assert_int_equal(compact_next(c, &p), NO_INDEX);
    }
    state_release(f.m, s);
    compact_destroy(c);
    fixture_close(&f);
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

/* Three threads with 30 stores each: (1 + 30)^3 states and, depth first, the one at main's beginning. */
static statistics explore_stores(uint32_t unrelated, visited_kind visited, search_order order) {
    static const char *const cells[] = {"x", "y", "z", "unrelated"};
    maker k = maker_create(cells, 4);
    k.p->objects.data[3].count = unrelated;
    k.p->objects.data[3].is_array = unrelated > 1;
    for (uint32_t t = 0; t < 3; t++) {
        begin_function(&k, cells[t], FUNCTION_THREAD);
        for (uint32_t n = 0; n < 30; n++) put_store(&k, t, operand_const(32, n));
        end_function(&k);
    }
    begin_main(&k);
    for (uint32_t t = 0; t < 3; t++) put_create(&k, t);
    end_function(&k);
    fixture f = open_maker(&k);
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    o.visited = visited;
    o.order = order;
    outcome out = search_fixture(&f, &o);
    assert_int_equal(outcome_verdict(&out), visited == VISITED_UNCONFIRMED ? VERDICT_UNKNOWN : VERDICT_SAFE);
    statistics s = out.stats;
    outcome_free(&out);
    fixture_close(&f);
    return s;
}

static void a_state_takes_few_bytes(void **unused) {
    (void)unused;
    enum { ARRAY = 10000 };
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        statistics full = explore_stores(1, VISITED_FULL, (search_order)order);
        statistics small = explore_stores(1, VISITED_COMPACT, (search_order)order);
        statistics large = explore_stores(ARRAY, VISITED_COMPACT, (search_order)order);
        assert_int_equal(full.states, 31 * 31 * 31 + (order == ORDER_DFS));
        assert_int_equal(small.states, full.states);
        assert_int_equal(large.states, full.states);
        assert_int_equal(small.transitions, full.transitions);
        assert_true(small.visited_bytes <= 64 * small.states);
        assert_true(full.visited_bytes > 8 * small.visited_bytes);
        /* the array itself, once */
        assert_true(large.visited_bytes - small.visited_bytes < (ARRAY + 100) * sizeof(value));
    }
}

static void signatures_may_be_believed(void **unused) {
    (void)unused;
    statistics full = explore_stores(1, VISITED_FULL, ORDER_DFS);
    statistics believed = explore_stores(1, VISITED_UNCONFIRMED, ORDER_DFS);
    assert_int_equal(believed.states, full.states);
    assert_int_equal(believed.matched, full.matched);
    assert_int_equal(believed.match_attempts, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_of_a_program_comes_back),
        cmocka_unit_test(states_with_new_and_sleeping_threads_come_back),
        cmocka_unit_test(arbitrary_states_come_back),
        cmocka_unit_test(states_are_found_by_their_signature),
        cmocka_unit_test(a_state_takes_few_bytes),
        cmocka_unit_test(signatures_may_be_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
