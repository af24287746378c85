/* Rows of clocks of an execution that is written down by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dpor/clocks.h"

enum { THREADS = 3, EVENTS = 4 };

static const uint32_t threads[EVENTS] = {0, 1, 0, 2};

static uint32_t thread_of(const void *unused, uint32_t position) {
    (void)unused;
    return threads[position];
}

/* Event 1 of thread 1 comes behind event 0, and event 3 of thread 2 behind event 1. */
static const uint32_t right[EVENTS][THREADS] = {{1, 0, 0}, {1, 2, 0}, {3, 0, 0}, {1, 2, 4}};

static bool all_are_right(const uint32_t rows[EVENTS][THREADS]) {
    clock_rows c = {rows[0], THREADS, THREADS, thread_of, NULL};
    bool all = true;
    for (uint32_t i = 0; i < EVENTS; i++) all &= clock_is_right(&c, i);
    return all;
}

static void wrong_rows_are_noticed(void **unused) {
    (void)unused;
    assert_true(all_are_right(right));
    static const struct {
        uint32_t event, thread, known;
    } wrong[] = {{3, 0, 0},  /* what comes before an event that it knows */
                 {3, 1, 3},  /* an event of another thread */
                 {1, 2, 4},  /* one that comes later */
                 {2, 0, 1}}; /* without its own */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t rows[EVENTS][THREADS];
        memcpy(rows, right, sizeof rows);
        rows[wrong[i].event][wrong[i].thread] = wrong[i].known;
        assert_false(all_are_right(rows));
    }
}

static void rows_start_and_join(void **unused) {
    (void)unused;
    uint32_t row[THREADS] = {7, 7, 7};
    clock_start(row, NULL, THREADS);
    for (unsigned t = 0; t < THREADS; t++) assert_int_equal(row[t], 0);
    clock_start(row, right[2], THREADS);
    clock_join(row, right[1], THREADS);
    static const uint32_t joined[THREADS] = {3, 2, 0};
    assert_memory_equal(row, joined, sizeof row);
}

/* Open while some thread's last event is not known. */
static void nothing_is_open_behind_all_last_events(void **unused) {
    (void)unused;
    uint32_t last[THREADS] = {2, 1, UINT32_MAX};
    uint32_t row[THREADS] = {3, 1, 0};
    assert_true(clock_is_open(row, last, THREADS));
    row[1] = 2;
    assert_false(clock_is_open(row, last, THREADS));
    last[2] = 3;
    assert_true(clock_is_open(row, last, THREADS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_rows_are_noticed),
        cmocka_unit_test(rows_start_and_join),
        cmocka_unit_test(nothing_is_open_behind_all_last_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
