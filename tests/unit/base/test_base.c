/* The containers and helpers of src/base. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdio.h>

/* --- heap ----------------------------------------------------------------------------------------------- */

static bool has_less(const void *data, uint32_t a, uint32_t b) {
    const uint32_t *weights = data;
    return weights[a] != weights[b] ? weights[a] < weights[b] : a < b;
}

/* Pushed and popped in turn, against a look at all that are there. */
static void heaps_give_the_first(void **unused) {
    (void)unused;
    enum { COUNT = 300 };
    uint32_t weights[COUNT];
    bool inside[COUNT] = {0};
    number_heap h = {0};
    uint64_t seed = 7;
    for (uint32_t i = 0; i < COUNT; i++) weights[i] = (uint32_t)(hash_pair(seed, i) % 50);
    for (uint32_t pushed = 0, round = 0; pushed < COUNT || h.size; round++) {
        bool push = pushed < COUNT && (!h.size || hash_pair(seed, round) % 3);
        if (push) {
            inside[pushed] = true;
            heap_push(&h, pushed++, has_less, weights);
            continue;
        }
        uint32_t first = UINT32_MAX;
        for (uint32_t i = 0; i < COUNT; i++)
            if (inside[i] && (first == UINT32_MAX || has_less(weights, i, first))) first = i;
        assert_int_equal(heap_pop(&h, has_less, weights), first);
        inside[first] = false;
    }
    vec_free(&h);
}

/* --- vec ------------------------------------------------------------------------------------------------ */

static void vec_keeps_elements_in_order(void **unused) {
    (void)unused;
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(&v, i * i);
    assert_int_equal(v.size, 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.data[i], i * i);
    assert_int_equal(vec_last(&v), 999 * 999);
    assert_int_equal(vec_pop(&v), 999 * 999);
    assert_int_equal(v.size, 999);
    vec_free(&v);
    assert_null(v.data);
    assert_int_equal(v.capacity, 0);
}

static void vec_remove_closes_the_gap(void **unused) {
    (void)unused;
    VEC(char) v = {0};
    for (char c = 'a'; c <= 'e'; c++) vec_push(&v, c);
    vec_remove(&v, 0);
    vec_remove(&v, 3);
    vec_remove(&v, 1);
    assert_int_equal(v.size, 2);
    assert_int_equal(v.data[0], 'b');
    assert_int_equal(v.data[1], 'd');
    vec_free(&v);
}

static void vec_reserve_grows_to_what_is_asked(void **unused) {
    (void)unused;
    VEC(uint64_t) v = {0};
    vec_reserve(&v, 5000);
    assert_true(v.capacity >= 5000);
    assert_int_equal(v.size, 0);
    uint64_t *before = v.data;
    vec_reserve(&v, 10);
    assert_ptr_equal(v.data, before);
    vec_clear(&v);
    vec_free(&v);
}

/* --- map ------------------------------------------------------------------------------------------------ */

static void map_finds_what_was_put(void **unused) {
    (void)unused;
    map m = {0};
    assert_int_equal(map_get(&m, 7), MAP_NONE);
    for (uint64_t i = 0; i < 5000; i++) map_put(&m, i * i, i);
    assert_int_equal(m.size, 5000);
    for (uint64_t i = 0; i < 5000; i++) assert_int_equal(map_get(&m, i * i), i);
    assert_int_equal(map_get(&m, 3), MAP_NONE);
    map_put(&m, 49, 1234);
    assert_int_equal(m.size, 5000);
    assert_int_equal(map_get(&m, 49), 1234);
    map_clear(&m);
    assert_int_equal(map_get(&m, 49), MAP_NONE);
    map_free(&m);
}

static void map_takes_extreme_keys(void **unused) {
    (void)unused;
    map m = {0};
    map_put(&m, 0, 1);
    map_put(&m, UINT64_MAX, 2);
    assert_int_equal(map_get(&m, 0), 1);
    assert_int_equal(map_get(&m, UINT64_MAX), 2);
    map_free(&m);
}

/* Removal must not break probe sequences: compared with a plain table of flags. */
static void map_remove_agrees_with_a_plain_table(void **unused) {
    (void)unused;
    enum { KEYS = 97, ROUNDS = 20000 };
    bool present[KEYS] = {false};
    map m = {0};
    uint64_t random = 1;
    for (int i = 0; i < ROUNDS; i++) {
        random = hash_mix(random + UINT64_C(0x9e3779b97f4a7c15));
        uint64_t key = random % KEYS;
        if (random >> 32 & 1) {
            map_put(&m, key, key + 1);
            present[key] = true;
        } else {
            assert_int_equal(map_remove(&m, key), present[key]);
            present[key] = false;
        }
        uint64_t other = random >> 8 & 63;
        assert_int_equal(map_get(&m, other), present[other] ? other + 1 : MAP_NONE);
    }
    map_free(&m);
}

/* --- arena ---------------------------------------------------------------------------------------------- */

static void arena_blocks_are_aligned_and_apart(void **unused) {
    (void)unused;
    arena a = {0};
    char *blocks[300];
    for (int i = 0; i < 300; i++) {
        blocks[i] = arena_alloc(&a, (size_t)i + 1);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], i & 0xff, (size_t)i + 1);
    }
    for (int i = 0; i < 300; i++)
        for (int k = 0; k <= i; k++) assert_int_equal((unsigned char)blocks[i][k], i & 0xff);
    char *large = arena_zero(&a, 3 << 20);
    for (int i = 0; i < 3 << 20; i += 4097) assert_int_equal(large[i], 0);
    assert_string_equal(arena_string(&a, "heddle!", 6), "heddle");
    int numbers[] = {1, 2, 3};
    int *copy = arena_copy(&a, numbers, sizeof numbers);
    assert_memory_equal(copy, numbers, sizeof numbers);
    arena_free(&a);
    assert_int_equal(a.total, 0);
}

/* --- intern --------------------------------------------------------------------------------------------- */

static void intern_numbers_are_dense_and_stable(void **unused) {
    (void)unused;
    intern table = {0};
    char name[16];
    for (uint32_t i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "n%u", i);
        assert_int_equal(intern_string(&table, name), i);
    }
    for (uint32_t i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "n%u", i);
        assert_int_equal(intern_find(&table, name), i);
        assert_int_equal(intern_string(&table, name), i);
        assert_string_equal(intern_text(&table, i), name);
    }
    assert_int_equal(intern_find(&table, "absent"), INTERN_ABSENT);
    intern_free(&table);
}

static void intern_tells_prefixes_and_empty_apart(void **unused) {
    (void)unused;
    intern table = {0};
    uint32_t empty = intern_string(&table, ""), ab = intern_bytes(&table, "abc", 2),
             abc = intern_string(&table, "abc");
    assert_int_not_equal(empty, ab);
    assert_int_not_equal(ab, abc);
    assert_string_equal(intern_text(&table, ab), "ab");
    assert_int_equal(intern_find(&table, ""), empty);
    intern_free(&table);
}

/* --- text ----------------------------------------------------------------------------------------------- */

static void text_grows_and_is_terminated(void **unused) {
    (void)unused;
    text t = {0};
    assert_string_equal(text_cstr(&t), "");
    text_add(&t, "a");
    text_char(&t, 'b');
    text_format(&t, "%d-%s", 42, "x");
    text_add_bytes(&t, "yz!", 2);
    text_format(&t, "%s", "");
    assert_string_equal(text_cstr(&t), "ab42-xyz");
    text_add(&t, "not this");
    text_shorten(&t, strlen("ab42-xyz"));
    assert_string_equal(text_cstr(&t), "ab42-xyz");
    for (int i = 0; i < 10000; i++) text_format(&t, "%04d", i);
    assert_int_equal(t.size, 8 + 40000);
    assert_string_equal(text_cstr(&t) + 8 + 4 * 9999, "9999");
    text_free(&t);
    assert_string_equal(text_cstr(&t), "");
}

/* --- bits ----------------------------------------------------------------------------------------------- */

static void bits_are_independent(void **unused) {
    (void)unused;
    uint64_t a[BITS_WORDS(130)] = {0}, b[BITS_WORDS(130)] = {0};
    bits_add(a, 0);
    bits_add(a, 64);
    bits_add(a, 129);
    assert_true(bits_has(a, 64));
    assert_false(bits_has(a, 63));
    assert_int_equal(bits_count(a, 3), 3);
    assert_false(bits_meet(a, b, 3));
    bits_add(b, 129);
    assert_true(bits_meet(a, b, 3));
    assert_false(bits_join(a, b, 3));
    bits_add(b, 5);
    assert_true(bits_join(a, b, 3));
    bits_remove(a, 129);
    assert_false(bits_has(a, 129));
    assert_int_equal(bits_count(a, 3), 3);
}

/* --- diag ----------------------------------------------------------------------------------------------- */

static void diag_shows_line_and_caret(void **unused) {
    (void)unused;
    diagnostics d = {.file = "m.ivl", .source = "int a;\n  cout = 1;\r\n"};
    diag_report(&d, DIAG_ERROR, (position){2, 3}, "unknown name '%s'", "cout");
    diag_report(&d, DIAG_WARNING, (position){0, 0}, "whole file");
    text out = {0};
    diag_print(&d, &out);
    assert_string_equal(text_cstr(&out), "m.ivl:2:3: error: unknown name 'cout'\n"
                                         "      cout = 1;\n"
                                         "      ^\n"
                                         "m.ivl: warning: whole file\n");
    assert_int_equal(d.errors, 1);
    text_free(&out);
    diag_free(&d);
}

static void diag_counts_what_it_does_not_keep(void **unused) {
    (void)unused;
    diagnostics d = {.file = "m.ivl"};
    for (int i = 0; i < DIAG_MOST_ERRORS + 5; i++) diag_report(&d, DIAG_ERROR, (position){1, 1}, "e%d", i);
    assert_int_equal(d.errors, DIAG_MOST_ERRORS + 5);
    assert_int_equal(d.list.size, DIAG_MOST_ERRORS);
    text out = {0};
    diag_print(&d, &out);
    assert_non_null(strstr(text_cstr(&out), "5 more errors"));
    text_free(&out);
    diag_free(&d);
}

static void diag_survives_positions_outside_the_source(void **unused) {
    (void)unused;
    diagnostics d = {.file = "m.ivl", .source = "x"};
    diag_report(&d, DIAG_ERROR, (position){99, 7}, "beyond");
    diag_report(&d, DIAG_ERROR, (position){1, 70000}, "far right");
    text out = {0};
    diag_print(&d, &out);
    assert_non_null(strstr(text_cstr(&out), "m.ivl:99:7: error: beyond"));
    text_free(&out);
    diag_free(&d);
}

/* --- hash, sha256, clock -------------------------------------------------------------------------------- */

static void hashes_depend_on_order_and_content(void **unused) {
    (void)unused;
    assert_true(hash_pair(1, 2) != hash_pair(2, 1));
    assert_true(hash_bytes("ab", 2) != hash_bytes("ba", 2));
    assert_true(hash_bytes("", 0) != hash_bytes("\0", 1));
    assert_true(hash_bytes("same", 4) == hash_bytes("same!", 4));
}

static void expect_sha256(const char *bytes, size_t length, const char *hex) {
    char out[SHA256_HEX];
    sha256_hex(bytes, length, out);
    assert_string_equal(out, hex);
}

/* Vectors of FIPS 180-4 and of its examples document; lengths around the block boundary
 * exercise the padding. */
static void sha256_matches_the_standard(void **unused) {
    (void)unused;
    expect_sha256("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_sha256("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static char million[1000000];
    memset(million, 'a', sizeof million);
    expect_sha256(million, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect_sha256(million, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    expect_sha256(million, sizeof million,
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void clocks_do_not_run_backwards(void **unused) {
    (void)unused;
    double wall = clock_wall(), cpu = clock_cpu();
    assert_true(clock_wall() >= wall);
    assert_true(clock_cpu() >= cpu);
    assert_true(memory_in_use() > 0);
    assert_true(memory_peak() > 0);
}

/* Sanitizers have an allocator of their own, which keeps what is freed on purpose. */
#ifndef __SANITIZE_ADDRESS__
static void freed_memory_can_be_given_back(void **unused) {
    (void)unused;
    enum { BLOCKS = 200000, BYTES = 600, KEPT = 1000 };
    static void *blocks[BLOCKS];
    size_t before = memory_in_use();
    for (size_t i = 0; i < BLOCKS; i++) blocks[i] = memset(mem_alloc(BYTES), 1, BYTES);
    for (size_t i = 0; i < BLOCKS; i++)
        if (i % KEPT != KEPT - 1) mem_free(blocks[i]); /* the others are in the way of the end of the heap */
    memory_give_back();
    assert_true(memory_in_use() < before + (size_t)BLOCKS * BYTES / 2);
    for (size_t i = KEPT - 1; i < BLOCKS; i += KEPT) mem_free(blocks[i]);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_give_the_first),
        cmocka_unit_test(vec_keeps_elements_in_order),
        cmocka_unit_test(vec_remove_closes_the_gap),
        cmocka_unit_test(vec_reserve_grows_to_what_is_asked),
        cmocka_unit_test(map_finds_what_was_put),
        cmocka_unit_test(map_takes_extreme_keys),
        cmocka_unit_test(map_remove_agrees_with_a_plain_table),
        cmocka_unit_test(arena_blocks_are_aligned_and_apart),
        cmocka_unit_test(intern_numbers_are_dense_and_stable),
        cmocka_unit_test(intern_tells_prefixes_and_empty_apart),
        cmocka_unit_test(text_grows_and_is_terminated),
        cmocka_unit_test(bits_are_independent),
        cmocka_unit_test(diag_shows_line_and_caret),
        cmocka_unit_test(diag_counts_what_it_does_not_keep),
        cmocka_unit_test(diag_survives_positions_outside_the_source),
        cmocka_unit_test(hashes_depend_on_order_and_content),
        cmocka_unit_test(sha256_matches_the_standard),
        cmocka_unit_test(clocks_do_not_run_backwards),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(freed_memory_can_be_given_back),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
