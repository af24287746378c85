/* What an outcome takes over: doubts of another machine, facts of an exploration that was given up. */
#include "core_fixture.h"

#include "explore/explore.h"
#include "machine/record.h"

static const char *const nothing = "main { start; }\n";

static void texts_outlive_the_machine_they_come_from(void **unused) {
    (void)unused;
    fixture first = fixture_open(nothing);
    fixture second = fixture_open(nothing);
    outcome all = {.concluded = true};
    outcome others = {0};
    char words[] = "too deep";
    char about[] = "3 threads";
    char file[] = "a.c";
    outcome_add_doubt(&others, (doubt){.why = {REASON_NOT_MODELLED, machine_keep_text(second.m, words)},
                                       .at = {7, 3},
                                       .file = machine_keep_text(second.m, file),
                                       .about = machine_keep_text(second.m, about),
                                       .busy = BUSY_ASKING});
    outcome_doubt(&others, REASON_TIME, (position){0, 0});
    outcome_take_doubts(&all, first.m, &others);
    outcome_free(&others);
    fixture_close(&second);

    assert_int_equal(all.doubts.size, 2);
    const doubt *d = &all.doubts.data[0];
    assert_string_equal(d->why.words, words);
    assert_string_equal(d->file, file);
    assert_string_equal(d->about, about);
    assert_int_equal(d->at.line, 7);
    assert_int_equal(d->busy, BUSY_ASKING);
    assert_null(all.doubts.data[1].about);
    outcome_free(&all);
    fixture_close(&first);
}

static void what_is_known_is_not_taken_twice(void **unused) {
    (void)unused;
    fixture f = fixture_open(nothing);
    outcome all = {0};
    outcome others = {0};
    outcome_doubt(&all, REASON_TIME, (position){0, 0});
    outcome_conclude(&all);
    outcome_doubt(&others, REASON_TIME, (position){0, 0});
    outcome_take_doubts(&all, f.m, &others);
    assert_int_equal(all.doubts.size, 1);
    outcome_free(&all);
    outcome_free(&others);
    fixture_close(&f);
}

/* What executions did was done, whoever saw it; abstract states do what no execution does. */
static void what_was_seen_stays_true(void **unused) {
    (void)unused;
    static const explored_kind kinds[] = {EXPLORED_STATES, EXPLORED_EXECUTIONS, EXPLORED_ABSTRACT_STATES};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool real = kinds[i] != EXPLORED_ABSTRACT_STATES;
        outcome lost = {.explored = kinds[i]};
        machine_seen answer = {.blocked_at_exit = {.known = true, .thread = 5}};
        lost.seen.program_ended.met = true;
        lost.seen.blocked_at_exit = (blocked_thread){.known = true, .thread = 1};
        lost.seen.race = (racing_places){true, {1, 2}, {{3, 3}, {4, 4}}};
        seen_reach(&lost.seen, 2);
        outcome_leave_seen(&lost, &answer);
        assert_int_equal(answer.program_ended.met, real);
        assert_int_equal(seen_reached(&answer, 2), real);
        assert_true(answer.race.known); /* it was confirmed */
        assert_int_equal(answer.blocked_at_exit.thread, 5);
        seen_free(&answer);
        outcome_free(&lost);
    }
}

/* The reduction checker found a bug of Heddle: what was not found may be there. */
static void who_reduced_wrongly_proves_nothing(void **unused) {
    (void)unused;
    outcome o = {.complete = true};
    assert_int_equal(outcome_verdict(&o), VERDICT_SAFE);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 0), VERDICT_SAFE);
    o.reduction_errors = 1;
    assert_int_equal(outcome_verdict(&o), VERDICT_ERROR);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 0), VERDICT_UNKNOWN);
    outcome_add_violation(&o, (violation){.kind = VIOLATION_DEADLOCK, .confirmed = true});
    assert_int_equal(outcome_verdict(&o), VERDICT_ERROR);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_DEADLOCK, 0), VERDICT_UNSAFE);
    assert_true(outcome_is_settled(&o) && !outcome_is_exhaustive(&o));
    outcome_free(&o);
}

static void each_property_has_its_verdict(void **unused) {
    (void)unused;
    outcome o = {.complete = true};
    outcome_add_violation(&o, (violation){.kind = VIOLATION_CHECK, .check = 3, .confirmed = true});
    outcome_add_violation(&o, (violation){.kind = VIOLATION_CHECK, .check = 4});
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 3), VERDICT_UNSAFE);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 4), VERDICT_UNKNOWN);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 5), VERDICT_SAFE);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_DEADLOCK, 3), VERDICT_SAFE);
    outcome_doubt(&o, REASON_TIME, (position){0, 0});
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 5), VERDICT_UNKNOWN);
    assert_int_equal(outcome_verdict_of(&o, VIOLATION_CHECK, 3), VERDICT_UNSAFE);
    outcome_free(&o);
}

/* What was seen before an explorer gave up is not all: others who abstract may have proved the rest. */
static void all_are_assumed_away_only_where_all_were_seen(void **unused) {
    (void)unused;
    static const explored_kind kinds[] = {EXPLORED_STATES, EXPLORED_EXECUTIONS, EXPLORED_ABSTRACT_STATES};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        outcome lost = {.explored = EXPLORED_EXECUTIONS}, answer = {.complete = true, .explored = kinds[i]};
        lost.seen.assumed_away.met = true;
        outcome_leave_seen(&lost, &answer.seen);
        assert_int_equal(outcome_is_vacuous(&answer), kinds[i] != EXPLORED_ABSTRACT_STATES);
        answer.complete = false;
        assert_false(outcome_is_vacuous(&answer));
        outcome_free(&lost);
        outcome_free(&answer);
    }
}

static bool is_of_time(const doubt *d) {
    return d->why.kind == REASON_TIME;
}

static void a_better_reason_comes_first(void **unused) {
    (void)unused;
    outcome o = {0};
    outcome_doubt(&o, REASON_DEPTH, (position){1, 1});
    outcome_doubt(&o, REASON_TIME, (position){2, 2});
    outcome_doubt(&o, REASON_SOLVER, (position){3, 3});
    outcome_conclude(&o);
    outcome_amend(&o, &(amendment){.more.why.kind = REASON_MEMORY, .is_said_by = is_of_time});
    assert_int_equal(o.doubts.size, 3);
    assert_int_equal(o.doubts.data[0].why.kind, REASON_MEMORY);
    assert_int_equal(o.doubts.data[1].why.kind, REASON_DEPTH);
    assert_int_equal(o.doubts.data[2].why.kind, REASON_SOLVER);
    outcome_amend(&o, &(amendment){.more.why.kind = REASON_NOT_CERTIFIED}); /* instead of none: the last */
    assert_int_equal(o.doubts.size, 4);
    assert_int_equal(o.doubts.data[3].why.kind, REASON_NOT_CERTIFIED);
    outcome_free(&o);
}

static void what_cannot_be_followed_goes(void **unused) {
    (void)unused;
    outcome o = {.complete = true};
    outcome_add_violation(&o, (violation){.kind = VIOLATION_DEADLOCK});
    outcome_add_violation(&o, (violation){.kind = VIOLATION_LIVELOCK, .confirmed = true});
    o.concluded = true;
    outcome_amend(&o, &(amendment){.more.why.kind = REASON_UNCONFIRMED, .only_confirmed = true});
    assert_int_equal(o.violations.size, 1);
    assert_int_equal(o.violations.data[0].kind, VIOLATION_LIVELOCK);
    assert_int_equal(o.doubts.size, 1);
    assert_int_equal(outcome_verdict(&o), VERDICT_UNSAFE);
    outcome_free(&o);
}

static void a_proof_that_is_not_confirmed_is_none(void **unused) {
    (void)unused;
    outcome o = {.complete = true, .concluded = true};
    assert_int_equal(outcome_verdict(&o), VERDICT_SAFE);
    outcome_amend(&o, &(amendment){.more.why.kind = REASON_NOT_CERTIFIED});
    assert_int_equal(outcome_verdict(&o), VERDICT_UNKNOWN);
    outcome_free(&o);
}

static void others_say_what_they_saw(void **unused) {
    (void)unused;
    outcome o = {.complete = true, .concluded = true}, lost = {.explored = EXPLORED_ABSTRACT_STATES};
    machine_seen by_others = {.detached.met = true};
    lost.seen.program_ended.met = true;
    lost.seen.race = (racing_places){true, {1, 2}, {{3, 3}, {4, 4}}};
    outcome_amend(&o, &(amendment){.lost = &lost, .seen = &by_others});
    assert_true(o.seen.race.known && !o.seen.program_ended.met && o.seen.detached.met);
    assert_int_equal(outcome_verdict(&o), VERDICT_SAFE);
    outcome_free(&o);
    outcome_free(&lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_outlive_the_machine_they_come_from),
        cmocka_unit_test(what_is_known_is_not_taken_twice),
        cmocka_unit_test(what_was_seen_stays_true),
        cmocka_unit_test(all_are_assumed_away_only_where_all_were_seen),
        cmocka_unit_test(a_better_reason_comes_first),
        cmocka_unit_test(what_cannot_be_followed_goes),
        cmocka_unit_test(a_proof_that_is_not_confirmed_is_none),
        cmocka_unit_test(others_say_what_they_saw),
        cmocka_unit_test(who_reduced_wrongly_proves_nothing),
        cmocka_unit_test(each_property_has_its_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
