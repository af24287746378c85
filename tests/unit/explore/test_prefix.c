/* Exploration behind prefixes, by a machine that has seen other executions than the one that wrote them:
 * over all first steps it comes to the same violations as from the start. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "cegar/cegar.h"
#include "esst/esst.h"
#include "explore/prefix.h"
#include "lazypor/lazypor.h"
#include "machine/naming.h"
#include "sampling/sampling.h"

typedef struct harvest { /* by one or several explorations */
    uint64_t checks;     /* violated ones, a bit for each */
    uint64_t states;
    unsigned runs, open;
} harvest;

enum { DEADLOCK_BIT = 62, LIVELOCK_BIT = 63 };

static uint64_t bit_of(const violation *v) {
    unsigned bit = v->kind == VIOLATION_DEADLOCK   ? DEADLOCK_BIT
                   : v->kind == VIOLATION_LIVELOCK ? LIVELOCK_BIT
                                                   : v->check;
    return UINT64_C(1) << bit;
}

static bool has_reason(const outcome *o, reason_kind kind) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (o->doubts.data[i].why.kind == kind) return true;
    return false;
}

static void add(const outcome *o, harvest *to) {
    for (size_t i = 0; i < o->violations.size; i++) to->checks |= bit_of(&o->violations.data[i]);
    to->states += o->stats.states;
    to->runs++;
    to->open += !o->complete;
}

/* --- one prefix ----------------------------------------------------------------------------------------- */

/* The steps of the prefix, then others; it leads to the violation when it is followed anew. */
static void assert_begins_so(machine *m, violation *v, const path *prefix, const explore_options *how) {
    step_options steps = {.stops = how->stops, .continue_after_violation = how->all};
    assert_true(v->confirmed && v->path.size >= prefix->size);
    for (size_t i = 0; i < prefix->size; i++) {
        path_step a = v->path.data[i], b = prefix->data[i];
        assert_true(a.by.thread == b.by.thread && a.by.choice == b.by.choice && a.successor == b.successor);
    }
    state *end = violation_replay(m, v, &steps);
    assert_non_null(end);
    state_release(m, end);
}

static void explore_behind(machine *m, const char *prefix, const explore_options *how, harvest *to) {
    explore_options o = *how;
    o.from = prefix;
    outcome out = {0};
    search_run(m, &o, &out);
    assert_int_equal(out.reduction_errors, 0);
    assert_true(outcome_verdict(&out) != VERDICT_SAFE);
    assert_true(has_reason(&out, REASON_BEHIND_PREFIX) && !has_reason(&out, REASON_PREFIX_NOT_FOLLOWED));
    step_options steps = {.stops = how->stops, .continue_after_violation = how->all};
    player p = player_begin(m, &steps);
    assert_true(prefix_follow(&p, prefix));
    for (size_t i = 0; i < out.violations.size; i++)
        assert_begins_so(m, &out.violations.data[i], &p.done, how);
    add(&out, to);
    player_end(&p);
    outcome_free(&out);
}

/* --- all prefixes of a length --------------------------------------------------------------------------- */

typedef struct worker { /* writes in one machine and explores in another */
    machine *writes, *explores;
    const explore_options *how;
    harvest harvest;
} worker;

static void hand_over(worker *w, const path *steps) {
    step_options how = {.stops = w->how->stops, .continue_after_violation = w->how->all};
    text prefix = {0};
    assert_true(prefix_print(w->writes, steps, &how, &prefix));
    explore_behind(w->explores, text_cstr(&prefix), w->how, &w->harvest);
    text_free(&prefix);
}

/* All ways of this many steps, or fewer if they end before. */
static void spread(worker *w, const state *s, path *steps, unsigned length) {
    step_options how = {.stops = w->how->stops, .continue_after_violation = w->how->all};
    transitions enabled = {0};
    machine_enabled(w->writes, s, &enabled);
    if (!enabled.size || !length) hand_over(w, steps);
    for (size_t k = 0; k < enabled.size && length; k++) {
        successors next = {0};
        machine_step(w->writes, s, enabled.data[k], &how, &next);
        for (size_t i = 0; i < next.size; i++) {
            vec_push(steps, next.data[i].step);
            if (next.data[i].end == STEP_STOPPED)
                spread(w, next.data[i].to, steps, length - 1);
            else
                hand_over(w, steps);
            steps->size--;
        }
        successors_free(w->writes, &next);
    }
    vec_free(&enabled);
}

static harvest explore_in_parts(const fixture *f, const machine_options *options, const explore_options *how,
                                unsigned length) {
    machine *another = machine_create(f->p, f->c, f->s, options);
    outcome backwards = {0};
    explore_options other = *how;
    other.order = ORDER_BFS;
    other.por = POR_NONE;
    other.match = MATCH_CEQ;
    other.all = true;
    search_run(another, &other, &backwards); /* so that its threads have other numbers */
    outcome_free(&backwards);
    worker w = {.writes = f->m, .explores = another, .how = how};
    path steps = {0};
    state *first = machine_initial(f->m, how->stops);
    spread(&w, first, &steps, length);
    state_release(f->m, first);
    vec_free(&steps);
    machine_destroy(another);
    return w.harvest;
}

static harvest explore_whole(const fixture *f, const explore_options *how) {
    harvest whole = {0};
    outcome out = search_fixture(f, how);
    add(&out, &whole);
    outcome_free(&out);
    return whole;
}

/* --- agreement ------------------------------------------------------------------------------------------ */

typedef struct tally {
    unsigned compared, unsafe, parts;
} tally;

static void compare(const fixture *f, const machine_options *options, const explore_options *how,
                    unsigned length, const char *what, tally *t) {
    harvest whole = explore_whole(f, how);
    if (whole.open) return;
    harvest parts = explore_in_parts(f, options, how, length);
    bool counts = how->por == POR_NONE && (how->match == MATCH_CEQ || how->match == MATCH_NONE);
    if (parts.open || parts.checks != whole.checks || (counts && parts.states < whole.states))
        fail_msg("order %d, por %d, match %d, length %u: %u open, checks %llx and %llx, %llu and %llu states "
                 "of\n%s",
                 how->order, how->por, how->match, length, parts.open, (unsigned long long)parts.checks,
                 (unsigned long long)whole.checks, (unsigned long long)parts.states,
                 (unsigned long long)whole.states, what);
    t->compared++;
    t->unsafe += whole.checks != 0;
    t->parts += parts.runs > 1;
}

static explore_options all_of(por_kind por, match_kind match, search_order order) {
    explore_options o = exploring(por, match);
    o.all = true;
    o.order = order;
    o.max_transitions = 20000;
    o.properties |= PROPERTY_DEADLOCK | PROPERTY_LIVELOCK;
    return o;
}

static const search_order orders[] = {ORDER_DFS, ORDER_BFS, ORDER_ASTAR};

static void processes_are_explored_in_parts(void **unused) {
    (void)unused;
    static const por_kind reductions[] = {POR_NONE, POR_STUB_MIN, POR_DPOR, POR_DPOR_STUB};
    static const match_kind matchers[] = {MATCH_CEQ, MATCH_AUTO, MATCH_NONE};
    uint64_t seed = 11;
    tally t = {0};
    for (int i = 0; i < 90; i++) {
        char source[2048];
        random_shape shape = {.threads = 2 + i % 2,
                              .statements = 1 + i % 3,
                              .loops_per_cent = 20,
                              .assertions = true,
                              .suspensions = i % 3 == 0,
                              .inputs = i % 2};
        random_program(&seed, &shape, source, sizeof source);
        machine_options options = machine_default_options();
        options.checks_cut = true;
        fixture f = fixture_open_with(source, &options);
        explore_options how = all_of(reductions[i % 4], matchers[i % 3], orders[i / 4 % 3]);
        how.chain = i % 5 == 0 && how.match != MATCH_NONE ? 10 : 0;
        if (how.order == ORDER_ASTAR) how.properties &= ~(unsigned)(PROPERTY_DEADLOCK | PROPERTY_LIVELOCK);
        how.max_transitions = 2000;
        if (search_can(&how)) compare(&f, &options, &how, 1 + i % 4, source, &t);
        fixture_close(&f);
    }
    if (t.compared < 30 || t.unsafe < 10 || t.parts < 20)
        fail_msg("%u compared, %u unsafe, %u in parts", t.compared, t.unsafe, t.parts);
}

static void put_statement(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    uint32_t cell = random_cell(seed);
    switch (random_below(seed, 4)) {
    case 0: put_store(k, cell, operand_const(32, random_below(seed, 3))); break;
    case 1: put_add(k, cell, 1); break;
    case 2: *local = s->inputs ? put_input(k) : put_load(k, cell); break;
    default: put_assert(k, put_compare(k, ARITH_NE, put_load(k, cell), random_below(seed, 3))); break;
    }
}

static void threads_are_explored_in_parts(void **unused) {
    (void)unused;
    static const por_kind reductions[] = {POR_NONE, POR_AMPLE};
    uint64_t seed = 5;
    tally t = {0};
    for (int i = 0; i < 60; i++) {
        shape s = {
            .threads = 2 + i % 2, .statements = 2, .inputs = i % 3 == 0, .locks = true, .joins = i % 2};
        maker k = random_threads(&seed, &s, put_statement);
        machine_options options = machine_default_options();
        options.checks_cut = true;
        fixture f = fixture_of_program(k.p, &options, 0);
        explore_options how = all_of(reductions[i % 2], i % 5 ? MATCH_CEQ : MATCH_AUTO, orders[i / 2 % 3]);
        if (how.order == ORDER_ASTAR) how.properties &= ~(unsigned)(PROPERTY_DEADLOCK | PROPERTY_LIVELOCK);
        char what[32];
        snprintf(what, sizeof what, "program %d", i);
        compare(&f, &options, &how, 1 + i % 4, what, &t);
        fixture_close(&f);
    }
    if (t.compared < 30 || t.unsafe < 15 || t.parts < 20)
        fail_msg("%u compared, %u unsafe, %u in parts", t.compared, t.unsafe, t.parts);
}

/* --- names of threads ----------------------------------------------------------------------------------- */

/* main creates two that create and join one each. */
static maker threads_of_threads(void) {
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "leaf", FUNCTION_THREAD);
    put_add(&k, 0, 1);
    end_function(&k);
    begin_function(&k, "middle", FUNCTION_THREAD);
    put_add(&k, 0, 1);
    put_join(&k, put_create(&k, 0));
    put_add(&k, 0, 1);
    end_function(&k);
    begin_main(&k);
    uint32_t first = put_create(&k, 1), second = put_create(&k, 1);
    put_join(&k, first);
    put_join(&k, second);
    end_function(&k);
    return k;
}

static void lead_in_order(player *p, uint32_t first, uint32_t second) {
    const uint32_t order[] = {0, first, second, 3, 4, first, second, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (pending next = {.live = true, .enabled = true}; order[i] < state_thread_count(p->now);) {
            machine_pending(p->m, p->now, order[i], &next);
            if (!next.live || !next.enabled || !player_go_on(p, (transition){.thread = order[i]})) break;
        }
}

/* Who was met first in one machine was met last in the other. */
static void a_join_goes_by_the_name_of_the_thread(void **unused) {
    (void)unused;
    static const step_options plain = {0};
    maker k = threads_of_threads();
    fixture f = open_maker(&k);
    machine *there = machine_create(f.p, f.c, f.s, NULL);
    player one = player_begin(f.m, &plain), other = player_begin(there, &plain);
    lead_in_order(&one, 1, 2);
    lead_in_order(&other, 2, 1);
    assert_true(machine_thread_key(f.m, 3) == machine_thread_key(there, 4));
    assert_true(machine_thread_key(f.m, 3) != machine_thread_key(there, 3));
    const size_t length = one.done.size;
    assert_int_equal(state_thread_status(one.now, 0), THREAD_RUNNABLE);
    for (uint32_t t = 1; t <= 4; t++) assert_int_equal(state_thread_status(one.now, t), THREAD_ENDED);
    text prefix = {0};
    assert_true(prefix_print(f.m, &one.done, &plain, &prefix));
    player_end(&other);
    other = player_begin(there, &plain);
    assert_true(prefix_follow(&other, text_cstr(&prefix)));
    assert_int_equal(other.done.size, length);
    text_free(&prefix);
    player_end(&one);
    player_end(&other);
    machine_destroy(there);
    fixture_close(&f);
}

/* --- what is refused ------------------------------------------------------------------------------------ */

static const char *const two_writers =
    "int x; thread A{x = 1;} thread B{x = 2;} main{start; assert(x != 1);}";

static void assert_reason(const fixture *f, const explorer *e, const explore_options *how, reason_kind why) {
    outcome out = {0};
    e->run(f->m, how, &out);
    if (!has_reason(&out, why)) fail_msg("%s, order %d, behind '%s'", e->name, how->order, how->from);
    assert_true(out.concluded && !out.complete);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    assert_int_equal(out.stats.transitions, 0);
    outcome_free(&out);
}

static void who_cannot_begin_there_refuses(void **unused) {
    (void)unused;
    static const explorer *const others[] = {&explorer_dpor, &explorer_lazypor, &explorer_cegar,
                                             &explorer_esst, &explorer_sampling};
    fixture f = fixture_open(two_writers);
    explore_options o = exploring(POR_AUTO, MATCH_AUTO);
    o.from = "";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_reason(&f, others[i], &o, REASON_NOT_POSSIBLE);
    o.dump_traces = true; /* classes of executions would lack the steps of the prefix */
    assert_reason(&f, &explorer_search, &o, REASON_NOT_POSSIBLE);
    fixture_close(&f);
}

static void what_is_no_prefix_is_unknown(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"x", "0:0/0@1", "0:0/0", " ", "7.1:0/0@1"};
    fixture f = fixture_open(two_writers);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            explore_options o = all_of(POR_NONE, MATCH_CEQ, orders[k]);
            o.from = wrong[i];
            assert_reason(&f, &explorer_search, &o, REASON_PREFIX_NOT_FOLLOWED);
        }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_explored_in_parts),
        cmocka_unit_test(threads_are_explored_in_parts),
        cmocka_unit_test(a_join_goes_by_the_name_of_the_thread),
        cmocka_unit_test(who_cannot_begin_there_refuses),
        cmocka_unit_test(what_is_no_prefix_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
