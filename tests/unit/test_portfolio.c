/* What processes say of what they found, and which answer counts. */
#include "c_text.h"

#include "api/portfolio.h"
#include "api/wire.h"

static const char *const model = "int x = ?(int);\nthread A { x += 1; }\n"
                                 "main { start; assert x != 5; assert x != 6; }";

static const atomic_bool never = false;

static session session_on(fixture *f) {
    return (session){
        .program = f->p, .terms = f->c, .solver = f->s, .machine = f->m, .control.interrupted = &never};
}

static explore_options options_for(void) {
    explore_options o = explore_default_options();
    o.properties = PROPERTY_ASSERT;
    return o;
}

/* --- the wire ------------------------------------------------------------------------------------------- */

static void fill(outcome *o, attempts *tried) {
    static const path_step steps[] = {{{0, 0}, 0}, {{1, 2}, 3}};
    o->engine = "cegar";
    o->por = "persistent";
    o->match = "none";
    o->stops = 3;
    o->complete = true;
    o->stats.transitions = 42;
    outcome_add_doubt(o, (doubt){"step limit", {7, 3}, "other.c"});
    outcome_add_doubt(o, (doubt){"depth limit", {0, 0}, NULL});
    violation v = {.kind = VIOLATION_RACE, .racing = {1, 2}};
    for (int i = 0; i < 2; i++) vec_push(&v.path, steps[i]);
    vec_push(&o->violations, v);
    vec_push(tried, ((attempt){"search", "ample", "auto", "time limit", 1.5}));
}

static void what_is_written_is_read(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    session s = session_on(&f);
    s.endings.assumed_away = true;
    outcome out = {0};
    attempts tried = {0};
    bytes w = {0};
    fill(&out, &tried);
    wire_write(&w, &s, &out, &tried);
    message m;
    assert_true(wire_read(&w, &f.p->memory, &m));
    assert_string_equal(m.out.engine, "cegar");
    assert_string_equal(m.out.por, "persistent");
    assert_int_equal(m.out.stats.transitions, 42);
    assert_true(m.out.complete && m.out.stops == 3 && m.endings.assumed_away);
    assert_int_equal(m.out.doubts.size, 2);
    assert_string_equal(m.out.doubts.data[0].file, "other.c");
    assert_int_equal(m.out.doubts.data[0].at.line, 7);
    assert_null(m.out.doubts.data[1].file);
    const violation *v = &m.out.violations.data[0];
    assert_true(m.out.violations.size == 1 && v->kind == VIOLATION_RACE && v->racing[1] == 2);
    assert_true(v->path.size == 2 && v->path.data[1].by.choice == 2 && v->path.data[1].successor == 3);
    assert_false(v->confirmed);
    assert_true(m.given_up.size == 1 && m.given_up.data[0].seconds == 1.5);
    assert_int_equal(m.reached.size, machine_check_count(f.m));
    outcome_free(&m.out);
    message_free(&m);
    outcome_free(&out);
    vec_free(&tried);
    vec_free(&w);
    fixture_close(&f);
}

static void half_a_message_is_none(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    session s = session_on(&f);
    outcome out = {0};
    attempts tried = {0};
    bytes w = {0};
    fill(&out, &tried);
    wire_write(&w, &s, &out, &tried);
    size_t whole = w.size;
    message m;
    for (w.size = 0; w.size < whole; w.size++) assert_false(wire_read(&w, &f.p->memory, &m));
    vec_push(&w, 'x'); /* too much */
    vec_push(&w, 'x');
    assert_false(wire_read(&w, &f.p->memory, &m));
    outcome_free(&out);
    vec_free(&tried);
    vec_free(&w);
    fixture_close(&f);
}

/* --- answers -------------------------------------------------------------------------------------------- */

typedef enum { SAYS_SAFE, SAYS_UNKNOWN, SEARCHES, LIES, DIES, SLEEPS } behaviour;

typedef struct cast {
    session *s;
    const behaviour *does;
} cast;

static void act(void *data, const explore_options *how, unsigned member, outcome *out, attempts *given_up) {
    (void)given_up;
    const cast *c = data;
    out->engine = "actor";
    switch (c->does[member]) {
    case SAYS_SAFE: out->complete = true; break;
    case SAYS_UNKNOWN: outcome_doubt(out, "no idea", (position){0, 0}); break;
    case SEARCHES: search_run(c->s->machine, how, out); break;
    case LIES: { /* a path on which nothing fails */
        violation v = {.kind = VIOLATION_CHECK, .confirmed = true};
        vec_push(&v.path, ((path_step){{0, 0}, 0}));
        vec_push(&out->violations, v);
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

static result play(session *s, const behaviour *does, unsigned count) {
    static const char *const names[] = {"first", "second", "third"};
    cast c = {s, does};
    explore_options how = options_for();
    result r = {0};
    r.answered = portfolio_run(s, &how, names, count, act, &c, &r.out, &r.given_up);
    r.verdict = outcome_verdict(&r.out);
    return r;
}

static void result_free(result *r) {
    outcome_free(&r->out);
    vec_free(&r->given_up);
}

static void the_first_answer_counts(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    session s = session_on(&f);
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
    session s = session_on(&f);
    result r = play(&s, (behaviour[]){SAYS_UNKNOWN, SEARCHES}, 2);
    assert_true(r.answered && r.verdict == VERDICT_UNSAFE);
    const violation *v = &r.out.violations.data[0];
    assert_true(v->confirmed && v->inputs && v->check < machine_check_count(f.m));
    assert_true(machine_check_reached(f.m, v->check));
    result_free(&r);
    fixture_close(&f);
}

/* Each of two threads makes another one. The member sees them made in one order first and numbers them so; on
 * the path to the violation, which is all that this process sees, it is the other order, for one of the two.
 */
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
        session s = session_on(&f);
        result r = play(&s, (behaviour[]){SEARCHES}, 1);
        assert_true(r.answered && r.verdict == VERDICT_UNSAFE);
        result_free(&r);
        fixture_close(&f);
    }
}

static void one_that_cannot_be_followed_is_a_doubt(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    session s = session_on(&f);
    result r = play(&s, (behaviour[]){LIES}, 1);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    assert_int_equal(r.out.violations.size, 0);
    result_free(&r);
    fixture_close(&f);
}

static void what_the_first_does_not_know_is_the_reason(void **unused) {
    (void)unused;
    fixture f = fixture_open(model);
    session s = session_on(&f);
    result r = play(&s, (behaviour[]){SAYS_UNKNOWN, DIES}, 2);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    assert_string_equal(r.out.doubts.data[0].reason, "no idea");
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
    session s = session_on(&f);
    static const char *const names[] = {"first"};
    cast c = {&s, (behaviour[]){SLEEPS}};
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
    session s = session_on(&f);
    s.control.deadline = 1e-9; /* long ago */
    result r = play(&s, (behaviour[]){SLEEPS, SLEEPS}, 2);
    assert_true(!r.answered && r.verdict == VERDICT_UNKNOWN);
    result_free(&r);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(half_a_message_is_none),
        cmocka_unit_test(the_first_answer_counts),
        cmocka_unit_test(a_counterexample_is_followed_here),
        cmocka_unit_test(numbers_of_threads_are_each_process_own),
        cmocka_unit_test(one_that_cannot_be_followed_is_a_doubt),
        cmocka_unit_test(what_the_first_does_not_know_is_the_reason),
        cmocka_unit_test(who_does_not_keep_to_its_time_is_ended),
        cmocka_unit_test(a_deadline_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
