/* What processes say of what they found, and which answer counts. */
#include "c_text.h"

#include "cegar/cegar.h"
#include "dpor/dpor.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "strategy/engine.h"
#include "strategy/explorers.h"
#include "strategy/portfolio.h"

static const char *const model = "int x = ?(int);\nthread A { x += 1; }\n"
                                 "main { start; assert x != 5; assert x != 6; }";

static const atomic_bool never = false;

static run_control control;

static strategy strategy_on(fixture *f) {
    control = (run_control){.interrupted = &never};
    return (strategy){.machine = f->m, .control = &control, .memory = &f->p->memory};
}

static explore_options options_for(void) {
    explore_options o = explore_default_options();
    o.properties = PROPERTY_ASSERT;
    return o;
}

/* --- answers -------------------------------------------------------------------------------------------- */

typedef enum { SAYS_SAFE, SAYS_UNKNOWN, SEARCHES, REDUCES, ABSTRACTS, LIES, DIES, SLEEPS } behaviour;

typedef struct cast {
    machine *machine;
    const behaviour *does;
} cast;

static void act(void *data, const explore_options *how, unsigned member, outcome *out, attempts *given_up) {
    (void)given_up;
    const cast *c = data;
    out->engine = "actor";
    switch (c->does[member]) {
    case SAYS_SAFE: out->complete = out->concluded = true; break;
    case SAYS_UNKNOWN:
        outcome_add_doubt(out, (doubt){.why = {REASON_NOT_MODELLED, "no idea"}});
        outcome_conclude(out);
        break;
    case SEARCHES: search_run(c->machine, how, out); break;
    case REDUCES: dpor_run(c->machine, how, out); break;
    case ABSTRACTS: cegar_run(c->machine, how, out); break;
    case LIES: { /* a path on which nothing fails */
        violation v = {.kind = VIOLATION_CHECK, .confirmed = true};
        vec_push(&v.path, ((path_step){{0, 0}, 0}));
        outcome_add_violation(out, v);
        outcome_conclude(out);
        break;
    }
    case DIES: _Exit(1);
    case SLEEPS:
        for (;;) continue;
    }
}

typedef struct result {
    bool answered;
    verdict verdict;
    outcome out;
    attempts given_up;
} result;

static result play_with(const strategy *s, const explore_options *how, const behaviour *does,
                        unsigned count) {
    static const char *const names[] = {"first", "second", "third"};
    cast c = {s->machine, does};
    result r = {0};
    r.answered = portfolio_run(s, how, names, count, act, &c, &r.out, &r.given_up);
    r.verdict = outcome_verdict(&r.out);
    return r;
}

static result play(const strategy *s, const behaviour *does, unsigned count) {
    explore_options how = options_for();
    return play_with(s, &how, does, count);
}

static void result_free(result *r) {
    outcome_free(&r->out);
    vec_free(&r->given_up);
}

static void the_first_answer_counts(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    result r = play(&s, (behaviour[]){SLEEPS, SAYS_SAFE, DIES}, 3);
    assert_true(r.answered && r.verdict == VERDICT_SAFE);
    bool first_is_noted = false;
    for (size_t i = 0; i < r.given_up.size; i++) {
        first_is_noted |= !strcmp(r.given_up.data[i].engine, "first");
        assert_string_not_equal(r.given_up.data[i].engine, "second");
    }
    assert_true(first_is_noted);
    result_free(&r);
    fixture_close(&f);
}

static void a_counterexample_is_followed_here(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    result r = play(&s, (behaviour[]){SAYS_UNKNOWN, SEARCHES}, 2);
    assert_true(r.answered && r.verdict == VERDICT_UNSAFE);
    assert_int_equal(r.given_up.size, 1); /* the first, whether it has said so yet or not */
    const violation *v = &r.out.violations.data[0];
    assert_true(v->confirmed && v->inputs && v->check < machine_check_count(f.m));
    assert_true(seen_reached(&r.out.seen, v->check));
    result_free(&r);
    fixture_close(&f);
}

/* Each of two threads makes another one. The member sees them made in one order first and numbers them so; on
 * the path to the violation, which is all that this process sees, it is the other order, for one
 * of the two. */
#define TWO_THAT_MAKE_OTHERS                                                                                 \
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int begun; pthread_t t;\n"    \
    "void *rest(void *a) { return a; }\n"                                                                    \
    "void *look(void *a) { assert(begun); return a; }\n"                                                     \
    "void *begin(void *a) { begun = 1; pthread_create(&t, 0, rest, 0); return a; }\n"                        \
    "void *watch(void *a) { begun; pthread_create(&t, 0, look, 0); return a; }\n"

static void numbers_of_threads_are_each_process_own(void **unused) {
    (void)unused;
    static const char *const either_order[] = {
        TWO_THAT_MAKE_OTHERS
        "int main(void) { pthread_create(&t, 0, begin, 0); pthread_create(&t, 0, watch, 0); }\n",
        TWO_THAT_MAKE_OTHERS
        "int main(void) { pthread_create(&t, 0, watch, 0); pthread_create(&t, 0, begin, 0); }\n"};
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_of_program(translate_c(either_order[i]), NULL, 0);
        strategy s = strategy_on(&f);
        result r = play(&s, (behaviour[]){SEARCHES}, 1);
        assert_true(r.answered && r.verdict == VERDICT_UNSAFE);
        result_free(&r);
        fixture_close(&f);
    }
}

static void one_that_cannot_be_followed_is_a_doubt(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    result r = play(&s, (behaviour[]){LIES}, 1);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    assert_int_equal(r.out.violations.size, 0);
    result_free(&r);
    fixture_close(&f);
}

static void what_the_first_does_not_know_is_the_reason(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    result r = play(&s, (behaviour[]){SAYS_UNKNOWN, DIES}, 2);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    assert_string_equal(reason_words(r.out.doubts.data[0].why), "no idea");
    result_free(&r);
    r = play(&s, (behaviour[]){DIES, DIES}, 2);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    assert_string_equal(r.out.engine, "first");
    assert_true(r.out.doubts.size > 0);
    result_free(&r);
    fixture_close(&f);
}

static void who_does_not_keep_to_its_time_is_ended(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    static const char *const names[] = {"first"};
    cast c = {f.m, (behaviour[]){SLEEPS}};
    explore_options how = options_for();
    how.seconds = 0.01;
    outcome out = {0};
    attempts given_up = {0};
    assert_false(portfolio_run(&s, &how, names, 1, act, &c, &out, &given_up));
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    outcome_free(&out);
    vec_free(&given_up);
    fixture_close(&f);
}

static void a_deadline_ends_all(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    strategy s = strategy_on(&f);
    control.deadline = 1e-9; /* long ago */
    result r = play(&s, (behaviour[]){SLEEPS, SLEEPS}, 2);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    result_free(&r);
    fixture_close(&f);
}

/* --- what is seen in another process, and by another explorer ------------------------------------------- */

#define THREADS "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n"

typedef struct fact {
    const char *program;
    const char *doubt;
    void (*bound)(machine_options *how); /* NULL: none */
    uint32_t threads;                    /* of the exploration: others may do without that bound */
} fact;

static void bound_switches(machine_options *how) {
    how->context_bound = 1;
}

static const fact facts[] = {
    {THREADS "pthread_t a, j, c; void *none(void *x) { return x; }\n"
             "void *joins(void *x) { pthread_join(a, 0); return x; }\n"
             "int main(void) { pthread_create(&a, 0, none, 0); pthread_create(&j, 0, joins, 0);\n"
             "  pthread_create(&c, 0, none, 0); assert(!pthread_equal(a, c)); }\n",
     "the identity of a thread that has ended may be used again", NULL, 0},
    {THREADS "pthread_t a, c; void *none(void *x) { return x; }\n"
             "int main(void) { pthread_create(&a, 0, none, 0); pthread_detach(a);\n"
             "  pthread_create(&c, 0, none, 0); assert(!pthread_equal(a, c)); }\n",
     "the identity of a thread that has ended may be used again", NULL, 0},
    {THREADS "atomic_int x; pthread_t t; void *writes(void *a) { atomic_store_explicit(&x, 1, "
             "memory_order_relaxed); return a; }\n"
             "int main(void) { pthread_create(&t, 0, writes, 0); assert(x < 2); }\n",
     "memory model", NULL, 0},
    {THREADS
     "char to[100000], from[100000]; pthread_t t; void *copies(void *a) { memcpy(to, from, sizeof to); "
     "return a; }\n"
     "int main(void) { pthread_create(&t, 0, copies, 0); assert(to[7] == 0); }\n",
     "a large, overlapping or unknown range was copied in one step", NULL, 0},
    {THREADS "int x; pthread_t t; void *adds(void *a) { x++; x++; return a; }\n"
             "int main(void) { pthread_create(&t, 0, adds, 0); int y = x; y += x; y += x; assert(y < 9); }\n",
     "context bound", bound_switches, 0},
    {THREADS
     "atomic_int x; pthread_t t; void *adds(void *a) { x++; return a; }\n"
     "int main(void) { for (int i = 0; i < 3; i++) pthread_create(&t, 0, adds, 0); assert(x < 3); }\n",
     "too many threads (--threads)", NULL, 2}};

static bool has_doubt(const outcome *o, const char *reason) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (!strcmp(reason_words(o->doubts.data[i].why), reason)) return true;
    return false;
}

static fixture open_fact(const fact *about) {
    machine_options how = machine_default_options();
    if (about->bound) about->bound(&how);
    return fixture_of_program(translate_c(about->program), &how, 0);
}

static explore_options options_of(const fact *about) {
    explore_options how = options_for();
    how.threads = about->threads;
    return how;
}

static void whatever_makes_a_doubt_comes_with_the_answer(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (behaviour does = SEARCHES; does <= ABSTRACTS; does++) {
            fixture f = open_fact(&facts[i]);
            strategy s = strategy_on(&f);
            explore_options how = options_of(&facts[i]);
            result r = play_with(&s, &how, &does, 1);
            if (r.verdict != VERDICT_UNKNOWN || !has_doubt(&r.out, facts[i].doubt))
                fail_msg("\"%s\" is lost on the way from engine %d", facts[i].doubt, (int)does);
            bool of_program = does != ABSTRACTS && !facts[i].threads;
            assert_int_equal(r.answered, of_program); /* nobody can say more */
            result_free(&r);
            fixture_close(&f);
        }
}

/* No strategy, no process and nothing of the command line stands between an explorer and who calls it. */
static void whoever_calls_an_explorer_gets_every_doubt(void **unused) {
    (void)unused;
    unsigned asked = 0;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (const explorer *const *e = explorers + 1; *e; e++) { /* behind auto, which is none */
            fixture f = open_fact(&facts[i]);
            explore_options how = options_of(&facts[i]);
            outcome out = {0};
            (*e)->run(f.m, &how, &out);
            assert_true(out.concluded);
            if (outcome_verdict(&out) != VERDICT_UNKNOWN || !has_doubt(&out, facts[i].doubt))
                fail_msg("%s does not say \"%s\"", (*e)->name, facts[i].doubt);
            outcome_free(&out);
            fixture_close(&f);
            asked++;
        }
    assert_true(asked >= 5 * sizeof facts / sizeof *facts);
}

/* What an abstraction shows to lead to no violation is left out, but not what makes a doubt there. */
static void what_is_left_out_makes_its_doubts(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (guide_kind guide = GUIDE_AUTO; guide <= GUIDE_FINE; guide++) {
            fixture f = open_fact(&facts[i]);
            explore_options how = options_of(&facts[i]);
            how.order = ORDER_ASTAR;
            how.weight = 1;
            how.guide = guide;
            how.deterministic = true;
            outcome out = {0};
            search_run(f.m, &how, &out);
            if (outcome_verdict(&out) != VERDICT_UNKNOWN || !has_doubt(&out, facts[i].doubt))
                fail_msg("\"%s\" is lost with guide %d", facts[i].doubt, (int)guide);
            outcome_free(&out);
            fixture_close(&f);
        }
}

/* Whose length is a number of the program's memory is copied as a whole where that is not known. */
static const char *const copies_of_some_length =
    THREADS "unsigned size = 4; int box, y; pthread_t t;\n"
            "void *puts_it(void *a) { int v = 1; memcpy(&box, &v, size); return a; }\n"
            "int main(void) { pthread_create(&t, 0, puts_it, 0); memcpy(&y, &box, size); assert(y < 2); }\n";

static void a_doubt_is_of_the_explorer_that_met_it(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(copies_of_some_length), NULL, 0);
    explore_options how = options_for();
    outcome abstract = {0}, concrete = {0};
    cegar_run(f.m, &how, &abstract);
    assert_true(abstract.seen.coarse_copy.met && has_doubt(&abstract, facts[3].doubt));
    search_run(f.m, &how, &concrete);
    assert_int_equal(outcome_verdict(&concrete), VERDICT_SAFE);
    assert_false(outcome_is_settled(&abstract));
    outcome_free(&abstract);
    outcome_free(&concrete);
    fixture_close(&f);
}

/* Whether the two blocks lie at one place depends on which of the threads is first. */
static const char *const compares_blocks =
    THREADS "#include <stdlib.h>\n"
            "int *old, same; pthread_t t; void *frees(void *a) { free(old); return a; }\n"
            "int main(void) { old = malloc(4); int *kept = old; pthread_create(&t, 0, frees, 0);\n"
            "  int *block = malloc(4); same = block == kept; pthread_join(t, 0); free(block); }\n";

static outcome explore_with(const explorer *e, unsigned stops, bool both_times) {
    fixture f = fixture_of_program(translate_c(compares_blocks), NULL, 0);
    explore_options how = options_for();
    outcome out = {0};
    how.stops = stops;
    if (both_times)
        engine_explore(f.m, e, &how, &out);
    else
        e->run(f.m, &how, &out);
    assert_true(out.concluded);
    fixture_close(&f);
    return out;
}

/* Who begins again with the order of the heap followed has seen what it saw before, too, and worked for it. */
static void what_was_done_before_it_began_again_counts(void **unused) {
    (void)unused;
    const explorer *const all[] = {&explorer_search, &explorer_dpor, &explorer_lazypor};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        outcome first = explore_with(all[i], STOP_VISIBLE, false);
        outcome second = explore_with(all[i], STOP_HEAP_ORDER, false);
        outcome both = explore_with(all[i], STOP_VISIBLE, true);
        assert_true(first.heap_order_is_open && !second.heap_order_is_open);
        assert_int_equal(outcome_verdict(&both), VERDICT_SAFE);
        assert_true(both.stops & STOP_HEAP_ORDER);
        assert_true(both.stats.transitions > second.stats.transitions);
        assert_true(both.stats.transitions <= first.stats.transitions + second.stats.transitions);
        assert_true(both.seen.blocks_compared.met && !second.seen.blocks_compared.met);
        outcome_free(&first);
        outcome_free(&second);
        outcome_free(&both);
    }
}

/* --- what nobody does ----------------------------------------------------------------------------------- */

/* The pieces of one execution and another put together, and an abstraction, come to the read. */
static const char *const reads_that_never_come[] = {
    THREADS "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"
            "atomic_int x, y, a; int z; pthread_t t;\n"
            "void *looks(void *u) { y = 2; __VERIFIER_atomic_begin();\n"
            "  if (x < 5 && y != 2) z = atomic_load_explicit(&a, memory_order_relaxed);\n"
            "  __VERIFIER_atomic_end(); return u; }\n"
            "int main(void) { pthread_create(&t, 0, looks, 0); x = 1; x = 2; pthread_join(t, 0); }\n",
    THREADS "int x, y, z; atomic_int a; pthread_t t; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;\n"
            "void *adds(void *u) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&l); x++; y++;\n"
            "  if (x != y) z = atomic_load_explicit(&a, memory_order_relaxed); pthread_mutex_unlock(&l); }\n"
            "  return u; }\n"
            "int main(void) { pthread_create(&t, 0, adds, 0); pthread_create(&t, 0, adds, 0);\n"
            "  pthread_mutex_lock(&l); assert(x <= y); pthread_mutex_unlock(&l); }\n"};

static void what_was_only_tried_is_no_doubt(void **unused) {
    (void)unused;
    const explorer *const all[] = {&explorer_search, &explorer_dpor, &explorer_lazypor};
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < 2 + sizeof all / sizeof *all; i++) {
            fixture f = fixture_of_program(translate_c(reads_that_never_come[p]), NULL, 0);
            explore_options how = options_for();
            how.deterministic = true;
            if (i > 2) {
                how.order = ORDER_ASTAR;
                how.weight = 1; /* in an abstraction first */
                how.guide = i == 3 ? GUIDE_COARSE : GUIDE_FINE;
            }
            outcome out = {0};
            all[i > 2 ? 0 : i]->run(f.m, &how, &out);
            assert_int_equal(out.doubts.size, 0);
            assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
            assert_false(out.seen.weak_access.met || out.seen.loose_access.met);
            assert_true(out.seen.program_ended.met); /* or would be: who is guided leaves that out */
            outcome_free(&out);
            fixture_close(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_answer_counts),
        cmocka_unit_test(a_counterexample_is_followed_here),
        cmocka_unit_test(numbers_of_threads_are_each_process_own),
        cmocka_unit_test(one_that_cannot_be_followed_is_a_doubt),
        cmocka_unit_test(what_the_first_does_not_know_is_the_reason),
        cmocka_unit_test(who_does_not_keep_to_its_time_is_ended),
        cmocka_unit_test(a_deadline_ends_all),
        cmocka_unit_test(whatever_makes_a_doubt_comes_with_the_answer),
        cmocka_unit_test(whoever_calls_an_explorer_gets_every_doubt),
        cmocka_unit_test(what_is_left_out_makes_its_doubts),
        cmocka_unit_test(a_doubt_is_of_the_explorer_that_met_it),
        cmocka_unit_test(what_was_done_before_it_began_again_counts),
        cmocka_unit_test(what_was_only_tried_is_no_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
