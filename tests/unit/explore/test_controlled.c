/* Paths of designs whose processes are killed and reset, as texts: to say which way a step went changes
 * nothing about it, so such a path is followed by another process as it was made. */
#include "c_text.h"

#include "elaboration/elaborate.h"
#include "explore/prefix.h"

static const step_options plain = {0};

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static bool walk_on(player *p, uint64_t *seed) {
    transitions enabled = {0};
    machine_enabled(p->m, p->now, &enabled);
    const successor *to = NULL;
    if (enabled.size) {
        player_look(p, enabled.data[next(seed) % enabled.size]);
        to = player_going_on(p);
    }
    vec_free(&enabled);
    if (to) player_take(p, to);
    return to;
}

static bool is_control(const instruction *i) {
    return i && i->kind == INSTR_SYNC && i->sync == SYNC_RUN_NOW;
}

static uint32_t count_controls(const program *p) {
    uint32_t count = 0;
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++)
            for (size_t k = 0; k < p->functions.data[f].blocks.data[b].code.size; k++)
                count += is_control(&p->functions.data[f].blocks.data[b].code.data[k]);
    return count;
}

static void follow_walks(const char *model) {
    enum { WALKS = 20, LONGEST = 60 };
    char path[512];
    snprintf(path, sizeof path, "%s/models/systemc/%s", HEDDLE_SOURCE_DIR, model);
    fixture f = fixture_of_program(translate_file(path, NULL), NULL, 0);
    machine_destroy(f.m);
    elaborate(f.p, false, NULL, NULL);
    assert_true(count_controls(f.p) > 0);
    size_t longest = 0;
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        uint64_t random = seed;
        machine *here = machine_create(f.p, f.c, f.s, NULL), *there = machine_create(f.p, f.c, f.s, NULL);
        player one = player_begin(here, &plain), other = player_begin(there, &plain);
        while (one.done.size < LONGEST && walk_on(&one, &random)) {
        }
        text way = {0};
        assert_true(prefix_print(here, &one.done, &plain, &way));
        assert_true(prefix_follow(&other, text_cstr(&way)));
        assert_int_equal(other.done.size, one.done.size);
        if (one.done.size > longest) longest = one.done.size;
        text_free(&way);
        player_end(&one);
        player_end(&other);
        machine_destroy(here);
        machine_destroy(there);
    }
    assert_true(longest > 4); /* past the simulation's begin */
    f.m = machine_create(f.p, f.c, f.s, NULL);
    fixture_close(&f);
}

static void controlled_processes_are_followed(void **unused) {
    (void)unused;
    follow_walks("supervisor.cpp");
    follow_walks("reset-in-its-sleep.cpp");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(controlled_processes_are_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
