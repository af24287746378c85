/* Speed of the solver: 10,000 path-condition checks at 32 bits, as a symbolic execution asks them.
 *
 * Three workloads walk down paths: `counters` follows bounded counters that are increased and compared,
 * `arithmetic` mixes sums, products, quotients and masks of several inputs, `mixed` does both in turns on a
 * path with unrelated inputs. Each step asks whether a branch and its negation can be taken, then takes a
 * possible one; a path ends after some branches. Prints one line per workload and layer setting: CPU seconds
 * and which layer answered. */
#include "base/clock.h"
#include "base/hash.h"
#include "solver/solver.h"

#include <inttypes.h>
#include <stdio.h>

enum { QUERIES = 10000, PATH_LENGTH = 40, INPUTS = 4, WIDTH = 32 };

typedef struct walk {
    terms *c;
    solver *s;
    uint64_t random;
    VEC(const term *) path;
    const term *input[INPUTS], *variable[INPUTS];
    uint64_t asked, unknown;
} walk;

static uint64_t draw(walk *w, uint64_t limit) {
    w->random += UINT64_C(0x9e3779b97f4a7c15);
    return hash_mix(w->random) % limit;
}

static const term *number(walk *w, uint64_t value) {
    return term_const(w->c, WIDTH, value);
}

static void start_path(walk *w) {
    vec_clear(&w->path);
    for (int i = 0; i < INPUTS; i++) {
        w->variable[i] = w->input[i];
        vec_push(&w->path, term_sle(w->c, number(w, 0), w->input[i]));
        vec_push(&w->path, term_slt(w->c, w->input[i], number(w, 100 + 50 * (uint64_t)i)));
    }
}

static const term *counter_branch(walk *w) {
    uint64_t which = draw(w, INPUTS), bound = draw(w, 200);
    const term **v = &w->variable[which];
    *v = term_add(w->c, *v, number(w, 1 + draw(w, 3)));
    return term_slt(w->c, *v, number(w, bound));
}

static const term *arithmetic_branch(walk *w) {
    const term *a = w->variable[draw(w, INPUTS)], *b = w->variable[draw(w, INPUTS)], *t;
    switch (draw(w, 8)) {
    case 0: t = term_mul(w->c, a, number(w, 3 + draw(w, 10))); break;
    case 1: t = term_sdiv(w->c, a, number(w, 2 + draw(w, 9))); break;
    case 2: t = term_urem(w->c, a, number(w, 2 + draw(w, 9))); break;
    case 3: t = term_and(w->c, a, number(w, draw(w, 255))); break;
    case 4: t = term_xor(w->c, a, b); break;
    case 5: t = term_sub(w->c, a, b); break;
    case 6: t = term_ite(w->c, term_slt(w->c, a, b), a, b); break;
    default: t = term_add(w->c, a, term_shl(w->c, b, number(w, 1 + draw(w, 3))));
    }
    w->variable[draw(w, INPUTS)] = t;
    return draw(w, 4) ? term_slt(w->c, t, number(w, draw(w, 400)))
                      : term_eq(w->c, t, number(w, draw(w, 100)));
}

typedef const term *(*branch_maker)(walk *w);

static const term *mixed_branch(walk *w) {
    return draw(w, 2) ? counter_branch(w) : arithmetic_branch(w);
}

static bool is_possible(walk *w, const term *condition) {
    solver_answer answer = solver_check_extension(w->s, w->path.data, w->path.size, condition);
    w->asked++;
    w->unknown += answer == SOLVER_UNKNOWN;
    return answer == SOLVER_SAT;
}

static void take_branch(walk *w, branch_maker make) {
    const term *condition = make(w), *negation = term_not(w->c, condition);
    bool yes = is_possible(w, condition), no = is_possible(w, negation);
    if (yes && no) vec_push(&w->path, draw(w, 2) ? condition : negation);
}

static void run(const char *name, branch_maker make, const char *setting, const solver_options *options,
                uint64_t queries) {
    walk w = {.c = terms_create(), .random = 1};
    w.s = solver_create(w.c, options);
    for (uint64_t i = 0; i < INPUTS; i++) w.input[i] = term_symbol(w.c, WIDTH, i + 1, "x", 0);
    double start = clock_cpu();
    while (w.asked < queries) {
        start_path(&w);
        for (int step = 0; step < PATH_LENGTH && w.asked < queries; step++) take_branch(&w, make);
    }
    double seconds = clock_cpu() - start;
    const solver_statistics *n = solver_stats(w.s);
    printf("%-11s %-12s %7" PRIu64 " %8.3f %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
           " %9zu\n",
           name, setting, w.asked, seconds, n->trivial, n->by_model, n->by_cache, n->by_sat, w.unknown,
           terms_count(w.c));
    fflush(stdout);
    vec_free(&w.path);
    solver_destroy(w.s);
    terms_destroy(w.c);
}

int main(void) {
    solver_options all = solver_default_options(), only_sat = all, fresh = all;
    only_sat.model_reuse = only_sat.cache = only_sat.slicing = false;
    fresh.incremental = fresh.model_reuse = fresh.cache = fresh.slicing = false;
    printf("%-11s %-12s %7s %8s %8s %8s %8s %8s %8s %9s\n", "workload", "layers", "queries", "cpu s",
           "trivial", "model", "cache", "sat", "unknown", "terms");
    run("counters", counter_branch, "all", &all, QUERIES);
    run("arithmetic", arithmetic_branch, "all", &all, QUERIES);
    run("mixed", mixed_branch, "all", &all, QUERIES);
    run("counters", counter_branch, "sat only", &only_sat, QUERIES);
    run("arithmetic", arithmetic_branch, "sat only", &only_sat, QUERIES);
    run("mixed", mixed_branch, "sat only", &only_sat, QUERIES);
    run("mixed", mixed_branch, "fresh sat", &fresh, QUERIES / 10);
    return 0;
}
