/* What happens before what: each rule of C++20 on the smallest execution that needs it. Thread 0 writes cell
 * 1, then something passes through cell 2, then another thread reads cell 1. */
#include "explore/happens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DATA = 1, FLAG = 2 };

typedef struct execution {
    happens *h;
    happens_races races;
} execution;

static execution begin(void) {
    execution x = {.h = happens_create()};
    access births[] = {{.kind = ACCESS_CREATE, .name = 1}, {.kind = ACCESS_CREATE, .name = 2}};
    happens_add(x.h, 0, births, 2, NULL);
    return x;
}

static void step(execution *x, uint32_t thread, access a) {
    vec_clear(&x->races);
    happens_add(x->h, thread, &a, 1, &x->races);
}

static access plain(access_kind kind, uint32_t cell) {
    return (access){.kind = (uint8_t)kind, .name = cell, .high = 4, .plain = true};
}

static access atomic(access_kind kind, uint8_t sync) {
    return (access){.kind = (uint8_t)kind, .name = FLAG, .high = 4, .sync = sync | SYNC_ATOMIC};
}

static access fence(uint8_t sync) {
    return (access){.kind = ACCESS_FENCE, .sync = sync};
}

/* Whether thread 1's read of the data races; ends the execution. */
static bool races(execution *x, uint32_t thread) {
    step(x, thread, plain(ACCESS_READ, DATA));
    bool found = x->races.size == 1 && x->races.data[0].step == 1 && x->races.data[0].thread == 0;
    assert_true(found || !x->races.size);
    happens_destroy(x->h);
    vec_free(&x->races);
    return found;
}

static bool passes(uint8_t write, uint8_t read) {
    execution x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, atomic(ACCESS_WRITE, write));
    step(&x, 1, atomic(ACCESS_READ, read));
    return !races(&x, 1);
}

static void release_and_acquire_order(void **unused) {
    (void)unused;
    assert_true(passes(SYNC_RELEASES, SYNC_ACQUIRES));
    assert_false(passes(0, SYNC_ACQUIRES));
    assert_false(passes(SYNC_RELEASES, 0));
    execution before = begin(); /* what was not written yet is not read */
    step(&before, 1, atomic(ACCESS_READ, SYNC_ACQUIRES));
    step(&before, 0, plain(ACCESS_WRITE, DATA));
    step(&before, 0, atomic(ACCESS_WRITE, SYNC_RELEASES));
    step(&before, 1, plain(ACCESS_READ, DATA));
    assert_int_equal(before.races.size, 1);
    happens_destroy(before.h);
    vec_free(&before.races);
}

/* The cell that orders was itself written without order before. */
static void who_acquires_comes_behind_what_it_takes(void **unused) {
    (void)unused;
    execution x = begin();
    step(&x, 0, plain(ACCESS_WRITE, FLAG));
    step(&x, 0, atomic(ACCESS_WRITE, SYNC_RELEASES));
    step(&x, 1, atomic(ACCESS_READ, SYNC_ACQUIRES));
    assert_int_equal(x.races.size, 0);
    step(&x, 2, atomic(ACCESS_READ, 0));
    assert_int_equal(x.races.size, 1);
    happens_destroy(x.h);
    vec_free(&x.races);
}

static bool passes_early(access_kind kind, uint8_t write) {
    execution x = begin();
    access early = plain(kind, DATA);
    step(&x, 0, early);
    step(&x, 0, atomic(ACCESS_WRITE, write));
    step(&x, 1, atomic(ACCESS_READ, SYNC_ACQUIRES));
    step(&x, 1, plain(ACCESS_WRITE, DATA));
    bool found = x.races.size == 1 && x.races.data[0].early && x.races.data[0].step == 1;
    assert_true(found || !x.races.size);
    happens_destroy(x.h);
    vec_free(&x.races);
    return !found;
}

static void what_came_before_others_could_reach_it_races(void **unused) {
    (void)unused;
    assert_false(passes_early(ACCESS_EARLY_WRITE, 0));
    assert_false(passes_early(ACCESS_EARLY_READ, 0));
    assert_true(passes_early(ACCESS_EARLY_WRITE, SYNC_RELEASES));
}

static bool passes_through(uint32_t thread, access between) {
    execution x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, atomic(ACCESS_WRITE, SYNC_RELEASES));
    step(&x, thread, between);
    step(&x, 1, atomic(ACCESS_READ, SYNC_ACQUIRES));
    return !races(&x, 1);
}

static void modifications_continue_what_stores_end(void **unused) {
    (void)unused;
    assert_true(passes_through(2, atomic(ACCESS_WRITE, SYNC_MODIFIES)));
    assert_true(passes_through(2, atomic(ACCESS_UPDATE, SYNC_MODIFIES)));
    assert_false(passes_through(2, atomic(ACCESS_WRITE, 0)));
    assert_false(passes_through(2, atomic(ACCESS_WRITE, SYNC_RELEASES)));
    assert_false(passes_through(0, atomic(ACCESS_WRITE, 0)));
    access elsewhere = atomic(ACCESS_WRITE, 0);
    elsewhere.low = 4, elsewhere.high = 8;
    assert_true(passes_through(2, elsewhere));
}

static bool passes_fences(uint8_t first, uint8_t second) {
    execution x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, fence(first));
    step(&x, 0, atomic(ACCESS_WRITE, 0));
    step(&x, 1, atomic(ACCESS_READ, 0));
    step(&x, 1, fence(second));
    return !races(&x, 1);
}

static void fences_order_what_is_beside_them(void **unused) {
    (void)unused;
    assert_true(passes_fences(SYNC_RELEASES, SYNC_ACQUIRES));
    assert_true(passes_fences(SYNC_RELEASES | SYNC_ACQUIRES, SYNC_RELEASES | SYNC_ACQUIRES));
    assert_false(passes_fences(SYNC_ACQUIRES, SYNC_ACQUIRES));
    assert_false(passes_fences(SYNC_RELEASES, SYNC_RELEASES));

    execution late = begin(); /* the data come behind the fence */
    step(&late, 0, fence(SYNC_RELEASES));
    happens_restart(late.h);
    access birth = {.kind = ACCESS_CREATE, .name = 1};
    step(&late, 0, birth);
    step(&late, 0, plain(ACCESS_WRITE, DATA));
    step(&late, 0, atomic(ACCESS_WRITE, 0));
    step(&late, 1, atomic(ACCESS_READ, 0));
    step(&late, 1, fence(SYNC_ACQUIRES));
    assert_true(races(&late, 1));

    execution early = begin(); /* the fence comes before the read */
    step(&early, 0, plain(ACCESS_WRITE, DATA));
    step(&early, 0, atomic(ACCESS_WRITE, SYNC_RELEASES));
    step(&early, 1, fence(SYNC_ACQUIRES));
    step(&early, 1, atomic(ACCESS_READ, 0));
    assert_true(races(&early, 1));
}

static void threads_begin_and_end_in_order(void **unused) {
    (void)unused;
    execution x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA)); /* behind the birth of both */
    step(&x, 0, (access){.kind = ACCESS_CREATE, .name = 3});
    assert_false(races(&x, 3));

    x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, (access){.kind = ACCESS_END, .name = 0});
    step(&x, 2, (access){.kind = ACCESS_JOIN, .name = 0});
    assert_false(races(&x, 2));

    x = begin();
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, (access){.kind = ACCESS_END, .name = 0});
    step(&x, 2, (access){.kind = ACCESS_JOIN, .name = 0});
    assert_true(races(&x, 1));
}

/* What a library model only looks at orders nothing, also not with fences. */
static void looking_orders_nothing(void **unused) {
    (void)unused;
    execution x = begin();
    access taken = {.kind = ACCESS_WRITE,
                    .name = FLAG,
                    .high = 4,
                    .sync = SYNC_RELEASES | SYNC_MODIFIES,
                    .section = true};
    access looked = {.kind = ACCESS_READ, .name = FLAG, .high = 4};
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, taken);
    step(&x, 1, looked);
    step(&x, 1, fence(SYNC_ACQUIRES));
    assert_true(races(&x, 1));
    x = begin();
    looked.sync = SYNC_ACQUIRES;
    step(&x, 0, plain(ACCESS_WRITE, DATA));
    step(&x, 0, taken);
    step(&x, 1, looked);
    assert_false(races(&x, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(release_and_acquire_order),
        cmocka_unit_test(who_acquires_comes_behind_what_it_takes),
        cmocka_unit_test(what_came_before_others_could_reach_it_races),
        cmocka_unit_test(modifications_continue_what_stores_end),
        cmocka_unit_test(fences_order_what_is_beside_them),
        cmocka_unit_test(threads_begin_and_end_in_order),
        cmocka_unit_test(looking_orders_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
