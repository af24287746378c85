/* The cooperative kernel, rule by rule as docs/ivl.md §3 states them. */
#include "core_fixture.h"
#include "machine/hangs.h"

/* Walks along `steps` and looks: what is enabled, and globals as "x=1 y=-2" (`@` is the time). */
static void check_after(const char *source, const char *steps, const char *enabled, const char *cells) {
    fixture f = fixture_open(source);
    state *s = walk(&f, steps);
    char names[256];
    if (strcmp(enabled_names(&f, s, names, sizeof names), enabled))
        fail_msg("after '%s': enabled is '%s', not '%s'", steps, names, enabled);
    char copy[256];
    snprintf(copy, sizeof copy, "%s", cells);
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        *equals = 0;
        int64_t is = word[0] == '@' ? (int64_t)now(s) : cell(&f, s, word), wanted = atoll(equals + 1);
        if (is != wanted)
            fail_msg("after '%s': %s is %lld, not %lld", steps, word, (long long)is, (long long)wanted);
    }
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- initialisation ------------------------------------------------------------------------------------- */

static void every_thread_is_runnable_at_first(void **unused) {
    (void)unused;
    const char *source =
        "int x = 4, y; event e; thread A{x += 1;} thread B{wait e;} main{y = x + 1; start; x = 9;}";
    check_after(source, "", "A B", "x=4 y=5 @=0");
    check_after(source, "A", "B", "x=5");
    check_after(source, "A B", "N", "x=5");
    check_after(source, "A B N", "M", "x=5");
    check_after(source, "A B N M", "", "x=9");
}

/* Delta notifications of main fire when nobody waits yet; timed ones stay. */
static void notifications_before_the_start(void **unused) {
    (void)unused;
    const char *lost = "int x; event e; thread A{wait e; x = 1;} main{notify e, 0; start;}";
    check_after(lost, "A", "N", "");
    check_after(lost, "A N", "M", "x=0");
    const char *timed = "int x; event e; thread A{wait e; x = 1;} main{notify e, 2; start;}";
    check_after(timed, "A N", "A", "@=2");
}

static void updates_requested_before_the_start_run_first(void **unused) {
    (void)unused;
    check_after("int x, y; update u{x = 3;} thread A{y = x;} main{request_update u; start;}", "A", "N",
                "x=3 y=3");
}

/* --- immediate notification ----------------------------------------------------------------------------- */

static void immediate_notification_wakes_at_once(void **unused) {
    (void)unused;
    const char *source =
        "int x; event e; thread A{wait e; x += 1;} thread B{wait e; x += 2;} thread C{notify e; x += 4;}";
    check_after(source, "A B", "C", "");
    check_after(source, "A B C", "A B", "x=4");
    check_after(source, "A C", "A B", "x=4"); /* B has not waited: for it the notification is lost */
    check_after(source, "A C B", "A", "x=4");
    check_after(source, "A C B A", "N", "x=5");
    check_after(source, "C A B", "N", "x=4");
    check_after(source, "C A B N", "M", "x=4");
}

static void a_notified_thread_can_wait_again_in_the_same_phase(void **unused) {
    (void)unused;
    const char *source =
        "int x; event e; thread A{while (true){wait e; x += 1;}} thread B{notify e;} thread C{notify e;}";
    check_after(source, "A B A C A", "N", "x=2");
    check_after(source, "A B C A", "N", "x=1"); /* the second one found A runnable already */
}

/* --- delta and timed notification ----------------------------------------------------------------------- */

static void delta_notification_comes_after_all_threads(void **unused) {
    (void)unused;
    const char *source = "int x; event e; thread A{notify e, 0; x = 1;} thread B{wait e; x = 2;}";
    check_after(source, "A", "B", "x=1");
    check_after(source, "A B", "N", ""); /* waiting after the notification is early enough */
    check_after(source, "A B N", "B", "@=0");
    check_after(source, "A B N B", "N", "x=2 @=0");
}

static void wait_time_0_is_one_delta_cycle(void **unused) {
    (void)unused;
    const char *source =
        "int x; thread A{wait_time 0; x = 1;} thread B{delay 0; x += 1;} thread C{wait_time 1; x = 7;}";
    check_after(source, "A B C", "N", "");
    check_after(source, "A B C N", "A B", "@=0");
    check_after(source, "A B C N A B", "N", "x=2 @=0");
    check_after(source, "A B C N A B N", "C", "@=1");
}

static void time_advances_to_the_earliest(void **unused) {
    (void)unused;
    const char *source = "event e, g; thread A{wait_time 5;} thread B{wait e;} thread C{wait g;} main{notify "
                         "e, 3; notify g, 5; start;}";
    check_after(source, "A B C N", "B", "@=3");
    check_after(source, "A B C N B N", "A C", "@=5"); /* all of one time together */
    check_after(source, "A B C N B N A C N", "M", "@=5");
}

static void notifications_that_wake_nobody_pass(void **unused) {
    (void)unused;
    check_after("event e; thread A{notify e, 1; wait_time 4;}", "A N", "A", "@=4");
}

/* --- one pending notification per event ----------------------------------------------------------------- */

static void the_earlier_notification_survives(void **unused) {
    (void)unused;
    const char *form = "int n; event e; thread W{while (true){wait e; n += 1;}} thread A{%s}";
    static const struct {
        const char *code, *steps, *enabled, *cells;
    } cases[] = {
        {"notify e, 5; notify e, 3;", "W A N", "W", "@=3"},
        {"notify e, 3; notify e, 5;", "W A N", "W", "@=3"},
        {"notify e, 3; notify e, 5;", "W A N W N", "M", "n=1"}, /* the other one is gone */
        {"notify e, 3; notify e, 0;", "W A N W", "N", "n=1 @=0"},
        {"notify e, 0; notify e, 3;", "W A N W N", "M", "n=1 @=0"},
        {"notify e, 3; notify e;", "W A W N", "M", "n=1 @=0"}, /* an immediate one cancels the pending one */
        {"notify e, 0; notify e;", "W A W N", "M", "n=1"},
        {"notify e; notify e, 3;", "W A W N W N", "M", "n=2 @=3"},
        {"notify e, 3; cancel e;", "W A N", "M", "n=0 @=0"},
        {"notify e, 0; cancel e;", "W A N", "M", "n=0"},
        {"cancel e; notify e, 3;", "W A N", "W", "@=3"},
        {"notify e, 3; notify e, 5; cancel e;", "W A N", "M", "n=0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[256];
        snprintf(source, sizeof source, form, cases[i].code);
        check_after(source, cases[i].steps, cases[i].enabled, cases[i].cells);
    }
}

/* --- lists and time-outs -------------------------------------------------------------------------------- */

static void or_lists_wake_on_any(void **unused) {
    (void)unused;
    const char *source = "int x; event e, g; thread A{wait e | g; x += 1; wait e | g; x += 10;} thread "
                         "B{notify e;} thread C{notify g;}";
    check_after(source, "A B", "A C", "");
    check_after(source, "A C A B", "A", "x=1");
    check_after(source, "A B C A", "N", "x=1"); /* one wake-up for both */
}

static void and_lists_wake_on_all_since_the_wait_began(void **unused) {
    (void)unused;
    const char *source = "int x; event e, g; thread A{wait e & g; x = 1;} thread B{notify e; wait_time 1; "
                         "notify e;} thread C{notify g;}";
    check_after(source, "A B", "C", "x=0");
    check_after(source, "A B C", "A", "");
    check_after(source, "A C B", "A", "");
    check_after(source, "B A C", "N", ""); /* e came before the wait */
    check_after(source, "B A C N B", "A", "@=1");
    check_after("int x; event e, g; thread A{wait e & g; x = 1;} thread B{notify e, 1; notify g, 4;}",
                "A B N", "A", "@=4");
    check_after("int x; event e, g; thread A{wait e & g; x = 1;} thread B{notify e, 2; notify g, 2;}",
                "A B N", "A", "@=2");
    check_after("int x; event e; thread A{wait e & e; x = 1;} thread B{notify e;}", "A B", "A", "");
}

static void time_outs_end_a_wait(void **unused) {
    (void)unused;
    const char *source = "int x; event e; thread A{wait e, 4; x = 1;} thread B{wait_time 2; notify e;}";
    check_after(source, "A B N", "B", "@=2");
    check_after(source, "A B N B", "A", "@=2");
    check_after(source, "A B N B A N", "M", "@=2 x=1"); /* its timer is gone */
    check_after("event e; thread A{wait e, 4;}", "A N", "A", "@=4");
    check_after("event e; thread A{wait e, 0;}", "A N", "A", "@=0");
    check_after("event e, g; thread A{wait e & g, 4;} thread B{notify e;}", "A B N", "A", "@=4");
    /* a new wait begins without what arrived before the time-out */
    check_after("int x; event e, g; thread A{wait e & g, 4; wait e & g; x = 1;} thread B{notify e; wait_time "
                "5; notify g;}",
                "A B N A N B", "N", "x=0 @=5");
}

static void event_and_time_out_at_once_wake_once(void **unused) {
    (void)unused;
    const char *source = "int n; event e; thread A{notify e, 3; wait e, 3; n += 1; wait e, 9; n += 1;}";
    check_after(source, "A N", "A", "@=3");
    check_after(source, "A N A", "N", "n=1");
    check_after(source, "A N A N", "A", "@=12");
}

/* --- suspension ----------------------------------------------------------------------------------------- */

static void suspension_is_immediate_and_resumption_a_delta_later(void **unused) {
    (void)unused;
    const char *source =
        "int x; thread A{suspend B; x = 1;} thread B{x = 2;} thread C{wait_time 1; resume B; x = 3;}";
    check_after(source, "A", "C", "x=1");
    check_after(source, "A C N", "C", "@=1");
    check_after(source, "A C N C", "N", "x=3");
    check_after(source, "A C N C N", "B", "@=1");
    check_after(source, "B A", "C", "x=1"); /* too late for B */
}

/* Both must be lifted, in whatever order. */
static void suspension_and_waiting_are_orthogonal(void **unused) {
    (void)unused;
    const char *source = "int x; event e; thread A{wait e; x = 1;} thread B{suspend A; wait_time 1; notify "
                         "e; wait_time 1; resume A;}";
    check_after(source, "A B N B", "N", "@=1"); /* notified but suspended */
    check_after(source, "A B N B N B", "N", "@=2");
    check_after(source, "A B N B N B N", "A", "@=2");
    const char *other = "int x; event e; thread A{wait e; x = 1;} thread B{suspend A; wait_time 1; resume A; "
                        "wait_time 1; notify e;}";
    check_after(other, "A B N B N", "B", "@=2"); /* resumed but not notified */
    check_after(other, "A B N B N B", "A", "@=2");
}

static void a_suspended_thread_keeps_its_timer(void **unused) {
    (void)unused;
    check_after("int x; thread A{wait_time 2; x = 1;} thread B{suspend A; wait_time 5; resume A;}",
                "A B N B N", "A", "@=5");
}

static void the_later_of_suspend_and_resume_wins(void **unused) {
    (void)unused;
    const char *form = "thread A{wait_time 1; wait_time 9;} thread B{suspend A; wait_time 0; %s}";
    char source[256];
    snprintf(source, sizeof source, form, "resume A; suspend A;");
    check_after(source, "A B N B N", "M", "");
    snprintf(source, sizeof source, form, "suspend A; resume A;");
    check_after(source, "A B N B N", "A", "@=1");
    check_after("thread A{wait_time 0;} thread B{resume A; suspend A;}", "A B N", "M", "");
    check_after("thread A{wait_time 0;} thread B{suspend A; resume A;}", "A B N", "A", "");
}

static void a_thread_can_suspend_itself(void **unused) {
    (void)unused;
    const char *source = "int x; thread A{x = 1; suspend A; x = 2;} thread B{wait_time 3; resume A;}";
    check_after(source, "A", "B", "x=1");
    check_after(source, "A B N B N", "A", "x=1 @=3");
    check_after(source, "A B N B N A", "N", "x=2");
}

static void suspension_before_the_start(void **unused) {
    (void)unused;
    check_after("thread A{wait_time 0;} thread B{wait_time 1; resume A;} main{suspend A; start;}", "", "B",
                "");
    check_after("thread A{wait_time 0;} thread B{wait_time 1; resume A;} main{suspend A; start;}", "B N B N",
                "A", "@=1");
    /* lifted in the initialisation */
    check_after("thread A{wait_time 0;} thread B{} main{suspend A; resume A; start;}", "", "A B", "");
}

static void suspending_an_ended_thread_does_nothing(void **unused) {
    (void)unused;
    check_after("thread A{} thread B{suspend A; resume A;}", "A B N", "M", "");
}

/* --- channel updates ------------------------------------------------------------------------------------ */

static void updates_run_once_after_the_evaluation(void **unused) {
    (void)unused;
    const char *source = "int x, next; update u{x += next;} thread A{next = 5; request_update u; "
                         "request_update u; wait_time 0;}\n"
                         "thread B{next = 7; request_update u;}";
    check_after(source, "A B", "N", "x=0");
    check_after(source, "A B N", "A", "x=7");
    check_after(source, "A B N A N", "M", "x=7"); /* not asked for again */
}

static void updates_can_notify_for_the_same_delta(void **unused) {
    (void)unused;
    check_after("int x; event e; update u{notify e, 0;} thread A{wait e; x = 1;} thread B{request_update u;}",
                "A B N", "A", "@=0");
    check_after("int x; event e; update u{notify e;} thread A{wait e; x = 1;} thread B{request_update u;}",
                "A B N", "A", "@=0");
}

static void the_order_of_dependent_updates_is_a_choice(void **unused) {
    (void)unused;
    const char *dependent = "int x; update u{x = x * 2;} update v{x = x + 3;} update w{x = x - 1;}\n"
                            "thread A{x = 1; request_update u; request_update v; wait_time 0;}";
    check_after(dependent, "A", "N N", "");
    check_after(dependent, "A N/0", "A", "x=5");
    check_after(dependent, "A N/1", "A", "x=8");
    const char *three = "int x; update u{x = x * 2;} update v{x = x + 3;} update w{x = x - 1;}\n"
                        "thread A{x = 1; request_update u; request_update v; request_update w; wait_time 0;}";
    check_after(three, "A", "N N N", "");
    check_after(three, "A N/1", "N N", "x=4");
    check_after(three, "A N/1 N/1", "A", "x=6"); /* v, w, u */
    const char *independent = "int x, y; update u{x = x * 2;} update v{y = y + 3;} thread A{x = 1; "
                              "request_update u; request_update v; wait_time 0;}";
    check_after(independent, "A", "N", "");
    check_after(independent, "A N", "A", "x=2 y=3");
    const char *commuting = "int x; update u{x += 2;} update v{x += 3;} thread A{request_update u; "
                            "request_update v; wait_time 0;}";
    check_after(commuting, "A", "N", "");
    const char *before_start = "int x; update u{x = x * 2;} update v{x = x + 3;} thread A{} main{x = 1; "
                               "request_update u; request_update v; start;}";
    check_after(before_start, "", "N N", "x=1");
    check_after(before_start, "N/1", "A", "x=8");
}

/* --- start, stop, limits -------------------------------------------------------------------------------- */

static void the_limit_is_inclusive(void **unused) {
    (void)unused;
    const char *form = "thread A{wait_time 3; wait_time 1;} main{start %s;}";
    char source[256];
    snprintf(source, sizeof source, form, "3");
    check_after(source, "A N", "A", "@=3");
    check_after(source, "A N A N", "M", "@=3");
    snprintf(source, sizeof source, form, "2");
    check_after(source, "A N", "M", "@=2");
    snprintf(source, sizeof source, form, "-1");
    check_after(source, "A N A N", "A", "@=4");
    /* delta cycles of time 0 */
    check_after("thread A{wait_time 0; wait_time 1;} main{start 0;}", "A N", "A", "@=0");
    check_after("thread A{wait_time 0; wait_time 1;} main{start 0;}", "A N A N", "M", "@=0");
}

static void a_second_start_continues(void **unused) {
    (void)unused;
    const char *source =
        "int n; event e; thread A{while (true){wait_time 2; n += 1;}} thread B{wait e; n += 10;}\n"
        "main{start 3; notify e; start 1; n += 100; start 1;}";
    check_after(source, "A B N", "A", "@=2");
    check_after(source, "A B N A N", "M", "@=3 n=1");
    check_after(source, "A B N A N M", "B", "@=3"); /* no initialisation: only the notified one runs */
    check_after(source, "A B N A N M B N", "A", "@=4 n=11");
    check_after(source, "A B N A N M B N A N", "M", "@=4 n=12");
    check_after(source, "A B N A N M B N A N M", "N", "@=4 n=112");
    check_after(source, "A B N A N M B N A N M N", "M", "@=5");
}

static void stop_ends_after_the_evaluation_phase(void **unused) {
    (void)unused;
    const char *source = "int x, y; update u{y = 1;} event e; thread A{stop; x = 1; request_update u; notify "
                         "e, 0;} thread B{x += 2; wait e; x = 9;}\n"
                         "main{start; start; x += 10;}";
    check_after(source, "A", "B", "x=1");
    check_after(source, "A B", "N", "x=3");
    check_after(source, "A B N", "M", "x=3 y=0");   /* neither the update nor the notification happens */
    check_after(source, "A B N M", "", "x=13 y=0"); /* a stopped simulation does not start again */
    check_after("int x; thread A{stop; x = 1;} main{start 7; x = 2;}", "A N", "M", "@=0");
}

static void nothing_pending_with_somebody_waiting_is_a_deadlock(void **unused) {
    (void)unused;
    static const struct {
        const char *source, *steps;
        bool deadlock;
    } cases[] = {
        {"event e; thread A{wait e;}", "A N", true},
        {"thread A{}", "A N", false},
        {"event e; thread A{wait e;} main{start 5;}", "A N", true},
        {"thread A{wait_time 9;} main{start 5;}", "A N", false},
        {"event e; thread A{wait e;} thread B{stop;}", "A B N", false},
        {"thread A{suspend A;}", "A N", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(cases[i].source);
        state *s = walk(&f, cases[i].steps);
        if (machine_deadlocked(f.m, s) != cases[i].deadlock) fail_msg("%s", cases[i].source);
        state_release(f.m, s);
        fixture_close(&f);
    }
}

static void time_is_read_as_it_is(void **unused) {
    (void)unused;
    check_after("ulong t; u8 low; thread A{wait_time 259; t = @time; low = @time;}", "A N A", "N",
                "t=259 low=3");
}

static void check_limit(const char *source, const char *steps, const char *last, const char *reason) {
    fixture f = fixture_open(source);
    state *s = walk(&f, steps);
    successors list = {0};
    step_list(&f, s, last, &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_LIMIT);
    assert_string_equal(reason_words(list.data[0].why), reason);
    assert_int_not_equal(list.data[0].place.line, 0);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Beyond 64 bits nothing is known; in particular nothing wraps around. */
static void time_never_wraps(void **unused) {
    (void)unused;
    const char *beyond = "simulation time beyond 64 bits";
    const char *waits = "ulong half = 0x7fffffffffffffff; thread A{wait_time half; wait_time half; wait_time "
                        "2; assert(false);}";
    check_after(waits, "A N A N", "A", "@=-2");
    check_limit(waits, "A N A N", "A", beyond);
    const char *starts =
        "thread A{wait_time 1;} main{for (int i = 0; i < 3; i += 1) start 0x7fffffffffffffff;}";
    check_after(starts, "A N A N M N", "M", "@=-2");
    check_limit(starts, "A N A N M N", "M", beyond);
}

static void negative_delays_are_not_modelled(void **unused) {
    (void)unused;
    check_limit("int d = -1; thread A{wait_time d; d = 0;}", "", "A", "negative delay");
    check_limit("int d = -1; event e; thread A{notify e, d; d = 0;}", "", "A", "negative delay");
}

/* --- symbolic delays ------------------------------------------------------------------------------------ */

static size_t count_ends(const fixture *f, const state *s, const char *word, step_end end) {
    successors list = {0};
    step_list(f, s, word, &list);
    size_t n = 0;
    for (size_t i = 0; i < list.size; i++) n += list.data[i].end == end;
    successors_free(f->m, &list);
    return n;
}

static void an_unknown_delay_may_be_a_delta(void **unused) {
    (void)unused;
    fixture f = fixture_open("uint d = ?(uint); thread A{wait_time d; d = 1;} main{start;}");
    state *s = walk(&f, "");
    assert_int_equal(count_ends(&f, s, "A", STEP_STOPPED), 2);
    state_release(f.m, s);
    fixture_close(&f);
    f = fixture_open("uint d = ?(uint); thread A{assume(d > 0); wait_time d; d = 1;} main{start;}");
    s = walk(&f, "");
    assert_int_equal(count_ends(&f, s, "A", STEP_STOPPED), 1);
    state_release(f.m, s);
    fixture_close(&f);
}

static void unknown_delays_come_in_every_order(void **unused) {
    (void)unused;
    fixture f = fixture_open(
        "uint d = ?(uint), g = ?(uint); thread A{wait_time d; d = 1;} thread B{wait_time g; g = 1;}\n"
        "main{assume(d > 0 && g > 0); start;}");
    state *s = walk(&f, "A B");
    successors list = {0};
    step_list(&f, s, "N", &list);
    assert_int_equal(list.size, 3); /* A first, B first, both at once */
    unsigned seen = 0;
    for (size_t i = 0; i < list.size; i++) {
        char names[64];
        enabled_names(&f, list.data[i].to, names, sizeof names);
        seen |= !strcmp(names, "A") ? 1u : !strcmp(names, "B") ? 2u : !strcmp(names, "A B") ? 4u : 8u;
    }
    assert_int_equal(seen, 7);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static void unknown_delays_against_the_limit(void **unused) {
    (void)unused;
    fixture f = fixture_open("uint d = ?(uint); thread A{wait_time d; d = 1;} main{assume(d > 2); start 5;}");
    state *s = walk(&f, "A");
    successors list = {0};
    step_list(&f, s, "N", &list);
    assert_int_equal(list.size, 2); /* 3 to 5: A runs; later: the simulation pauses at 5 */
    bool runs = false, pauses = false;
    for (size_t i = 0; i < list.size; i++) {
        char names[64];
        enabled_names(&f, list.data[i].to, names, sizeof names);
        runs |= !strcmp(names, "A");
        pauses |= !strcmp(names, "M") && now(list.data[i].to) == 5;
    }
    assert_true(runs && pauses);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static void the_earlier_of_unknown_notifications_survives(void **unused) {
    (void)unused;
    fixture f = fixture_open("uint d = ?(uint); event e; thread W{wait e; d = 1;} thread A{notify e, 5; "
                             "notify e, d;} main{assume(d > 0); start;}");
    state *s = walk(&f, "W");
    assert_int_equal(count_ends(&f, s, "A", STEP_STOPPED), 2); /* d < 5 replaces it, d >= 5 does not */
    state_release(f.m, s);
    fixture_close(&f);
}

static void unknown_events_are_tried_one_by_one(void **unused) {
    (void)unused;
    fixture f = fixture_open("uint k = ?(uint); event e[3]; thread A{wait e[0];} thread B{wait e[2];} thread "
                             "C{notify e[k]; k = 0;} main{assume(k < 3); start;}");
    state *s = walk(&f, "A B");
    successors list = {0};
    step_list(&f, s, "C", &list);
    assert_int_equal(list.size, 3);
    unsigned woken = 0;
    for (size_t i = 0; i < list.size; i++) {
        char names[64];
        enabled_names(&f, list.data[i].to, names, sizeof names);
        woken |= !strcmp(names, "A") ? 1u : !strcmp(names, "B") ? 2u : !strcmp(names, "N") ? 4u : 8u;
    }
    assert_int_equal(woken, 7);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_is_runnable_at_first),
        cmocka_unit_test(notifications_before_the_start),
        cmocka_unit_test(updates_requested_before_the_start_run_first),
        cmocka_unit_test(immediate_notification_wakes_at_once),
        cmocka_unit_test(a_notified_thread_can_wait_again_in_the_same_phase),
        cmocka_unit_test(delta_notification_comes_after_all_threads),
        cmocka_unit_test(wait_time_0_is_one_delta_cycle),
        cmocka_unit_test(time_advances_to_the_earliest),
        cmocka_unit_test(notifications_that_wake_nobody_pass),
        cmocka_unit_test(the_earlier_notification_survives),
        cmocka_unit_test(or_lists_wake_on_any),
        cmocka_unit_test(and_lists_wake_on_all_since_the_wait_began),
        cmocka_unit_test(time_outs_end_a_wait),
        cmocka_unit_test(event_and_time_out_at_once_wake_once),
        cmocka_unit_test(suspension_is_immediate_and_resumption_a_delta_later),
        cmocka_unit_test(suspension_and_waiting_are_orthogonal),
        cmocka_unit_test(a_suspended_thread_keeps_its_timer),
        cmocka_unit_test(the_later_of_suspend_and_resume_wins),
        cmocka_unit_test(a_thread_can_suspend_itself),
        cmocka_unit_test(suspension_before_the_start),
        cmocka_unit_test(suspending_an_ended_thread_does_nothing),
        cmocka_unit_test(updates_run_once_after_the_evaluation),
        cmocka_unit_test(updates_can_notify_for_the_same_delta),
        cmocka_unit_test(the_order_of_dependent_updates_is_a_choice),
        cmocka_unit_test(the_limit_is_inclusive),
        cmocka_unit_test(a_second_start_continues),
        cmocka_unit_test(stop_ends_after_the_evaluation_phase),
        cmocka_unit_test(nothing_pending_with_somebody_waiting_is_a_deadlock),
        cmocka_unit_test(time_is_read_as_it_is),
        cmocka_unit_test(time_never_wraps),
        cmocka_unit_test(negative_delays_are_not_modelled),
        cmocka_unit_test(an_unknown_delay_may_be_a_delta),
        cmocka_unit_test(unknown_delays_come_in_every_order),
        cmocka_unit_test(unknown_delays_against_the_limit),
        cmocka_unit_test(the_earlier_of_unknown_notifications_survives),
        cmocka_unit_test(unknown_events_are_tried_one_by_one),
    };
    return cmocka_run_group_tests_name("systemc", tests, NULL, NULL);
}
