/* Processes that run a task and say something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/workers.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void say_number(void *data, unsigned index, bytes *said) {
    const char *first = data;
    vec_push(said, (char)(first[0] + (int)index));
}

static void say_very_much(void *data, unsigned index, bytes *said) {
    (void)index;
    for (size_t i = 0; i < *(size_t *)data; i++) vec_push(said, (char)(i % 251));
}

static void sleep_for_ever(void *data, unsigned index, bytes *said) {
    (void)data, (void)index, (void)said;
    for (;;) pause();
}

static void die_in_the_middle(void *data, unsigned index, bytes *said) {
    (void)data;
    vec_push(said, 'x');
    if (index == 1) raise(SIGKILL);
}

static unsigned wait_for_one(workers *w) {
    unsigned ended = NO_WORKER;
    while (ended == NO_WORKER) ended = workers_wait(w, 0.05);
    return ended;
}

static void assert_no_child_is_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void each_says_its_own(void **unused) {
    (void)unused;
    char first = 'a';
    bool heard[3] = {false};
    workers *w = workers_start(3, say_number, &first);
    for (int i = 0; i < 3; i++) {
        unsigned who = wait_for_one(w);
        assert_true(who < 3 && !heard[who]);
        heard[who] = true;
        assert_int_equal(workers_said(w, who)->size, 1);
        assert_int_equal(workers_said(w, who)->data[0], 'a' + (char)who);
    }
    assert_false(workers_some_run(w));
    assert_int_equal(workers_wait(w, 0), NO_WORKER);
    workers_end(w);
    assert_no_child_is_left();
}

static void long_speeches_arrive_whole(void **unused) {
    (void)unused;
    size_t length = 1000003; /* more than a pipe holds */
    workers *w = workers_start(2, say_very_much, &length);
    for (int k = 0; k < 2; k++) {
        const bytes *said = workers_said(w, wait_for_one(w));
        assert_int_equal(said->size, length);
        for (size_t i = 0; i < length; i++) assert_true(said->data[i] == (char)(i % 251));
    }
    workers_end(w);
}

static void those_that_run_are_ended(void **unused) {
    (void)unused;
    workers *w = workers_start(2, sleep_for_ever, NULL);
    assert_int_equal(workers_wait(w, 0.01), NO_WORKER);
    assert_true(workers_is_running(w, 0) && workers_is_running(w, 1));
    workers_end(w);
    assert_no_child_is_left();
}

static void one_that_dies_says_nothing(void **unused) {
    (void)unused;
    workers *w = workers_start(2, die_in_the_middle, NULL);
    for (int i = 0; i < 2; i++) {
        unsigned who = wait_for_one(w);
        assert_int_equal(workers_said(w, who)->size, who == 0);
    }
    workers_end(w);
}

static void an_interrupt_reaches_them(void **unused) {
    (void)unused;
    workers *w = workers_start(1, sleep_for_ever, NULL);
    workers_interrupt(w);
    assert_int_equal(wait_for_one(w), 0);
    workers_end(w);
    assert_no_child_is_left();
}

static void write_into_shared(void *data, unsigned index, bytes *said) {
    (void)said;
    ((volatile int *)data)[index] = (int)index + 7;
}

static void shared_memory_is_seen_by_all(void **unused) {
    (void)unused;
    int *shared = workers_share_memory(2 * sizeof *shared);
    assert_non_null(shared);
    workers *w = workers_start(2, write_into_shared, shared);
    wait_for_one(w);
    wait_for_one(w);
    assert_int_equal(shared[0], 7);
    assert_int_equal(shared[1], 8);
    workers_end(w);
    workers_unshare_memory(shared, 2 * sizeof *shared);
}

static void there_is_a_core(void **unused) {
    (void)unused;
    assert_true(workers_cores() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_says_its_own),         cmocka_unit_test(long_speeches_arrive_whole),
        cmocka_unit_test(those_that_run_are_ended),  cmocka_unit_test(one_that_dies_says_nothing),
        cmocka_unit_test(an_interrupt_reaches_them), cmocka_unit_test(shared_memory_is_seen_by_all),
        cmocka_unit_test(there_is_a_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
