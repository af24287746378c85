/* The graph of effects: what is reachable from a visited state, and whether that is all. */
#include "core_fixture.h"

#include "reduction/effects_graph.h"

static effect writing(uint32_t object) {
    effect e = {0};
    effect_add(&e, (access){.kind = ACCESS_WRITE, .name = object, .high = 4});
    return e;
}

static void connect(effects_graph *g, uint32_t from, uint32_t to, uint32_t thread, uint32_t object) {
    effect e = writing(object);
    effects_graph_add_edge(g, from, to, thread, &e);
    effect_free(&e);
}

/* Bit k: object k is written by this thread somewhere below. */
static unsigned written(const effect *reached, uint32_t thread) {
    unsigned set = 0;
    for (size_t i = 0; i < reached[thread].size; i++) set |= 1u << reached[thread].data[i].name;
    return set;
}

static void effects_are_joined_per_thread_along_all_paths(void **unused) {
    (void)unused;
    effects_graph *g = effects_graph_create(3);
    uint32_t n[5];
    for (int i = 0; i < 5; i++) n[i] = effects_graph_add_node(g);
    connect(g, n[0], n[1], 1, 0);
    connect(g, n[0], n[2], 2, 1);
    connect(g, n[1], n[3], 2, 2);
    connect(g, n[2], n[3], 1, 3);
    connect(g, n[3], n[4], 1, 4);
    const effect *reached;
    assert_false(effects_graph_reachable(g, n[0], &reached));
    assert_int_equal(written(reached, 1), 1u << 0 | 1u << 3 | 1u << 4);
    assert_int_equal(written(reached, 2), 1u << 1 | 1u << 2);
    assert_int_equal(written(reached, 0), 0);
    assert_false(effects_graph_reachable(g, n[1], &reached));
    assert_int_equal(written(reached, 1), 1u << 4);
    assert_int_equal(written(reached, 2), 1u << 2);
    assert_false(effects_graph_reachable(g, n[4], &reached));
    assert_int_equal(written(reached, 1) | written(reached, 2), 0);
    effects_graph_destroy(g);
}

static void cycles_end(void **unused) {
    (void)unused;
    effects_graph *g = effects_graph_create(2);
    uint32_t a = effects_graph_add_node(g), b = effects_graph_add_node(g);
    connect(g, a, b, 1, 0);
    connect(g, b, a, 1, 1);
    connect(g, b, b, 1, 2);
    const effect *reached;
    effects_graph_reachable(g, a, &reached);
    assert_int_equal(written(reached, 1), 7);
    effects_graph_reachable(g, b, &reached);
    assert_int_equal(written(reached, 1), 7);
    effects_graph_destroy(g);
}

/* As long as a state on the way is being explored, the answer is incomplete. */
static void open_nodes_are_noticed(void **unused) {
    (void)unused;
    effects_graph *g = effects_graph_create(2);
    uint32_t a = effects_graph_add_node(g), b = effects_graph_add_node(g), c = effects_graph_add_node(g);
    connect(g, a, b, 1, 0);
    connect(g, b, c, 1, 1);
    const effect *reached;
    effects_graph_set_open(g, c, true);
    assert_true(effects_graph_reachable(g, a, &reached));
    assert_true(effects_graph_reachable(g, c, &reached));
    effects_graph_set_open(g, c, false);
    assert_false(effects_graph_reachable(g, a, &reached));
    effects_graph_set_open(g, a, true);
    assert_false(effects_graph_reachable(g, b, &reached));
    effects_graph_destroy(g);
}

static void later_edges_count(void **unused) {
    (void)unused;
    effects_graph *g = effects_graph_create(2);
    uint32_t a = effects_graph_add_node(g), last = a;
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t next = effects_graph_add_node(g);
        connect(g, last, next, 1, i % 8);
        last = next;
    }
    const effect *reached;
    effects_graph_reachable(g, a, &reached);
    assert_int_equal(written(reached, 1), 255);
    connect(g, last, effects_graph_add_node(g), 1, 9);
    effects_graph_reachable(g, a, &reached);
    assert_int_equal(written(reached, 1), 255 | 1u << 9);
    effects_graph_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_joined_per_thread_along_all_paths),
        cmocka_unit_test(cycles_end),
        cmocka_unit_test(open_nodes_are_noticed),
        cmocka_unit_test(later_edges_count),
    };
    return cmocka_run_group_tests_name("effects_graph", tests, NULL, NULL);
}
