#include "reference.h"

#include "base/hash.h"
#include "simulate.h"

#include <stdlib.h>

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct exploration {
    simulation sim;
    const reference_limits *limits;
    reference_result *out;
    VEC(world) worlds;   /* found so far; also the queue */
    VEC(uint32_t) table; /* hash table of 1 + number of world; capacity is a power of two */
    VEC(edge) edges;
} exploration;

/* --- visited states ------------------------------------------------------------------------------------- */

static uint64_t world_hash(const world *w) {
    uint64_t words[sizeof *w / 8], h = 0;
    memcpy(words, w, sizeof *w);
    for (size_t i = 0; i < sizeof *w / 8; i++) h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
    return hash_mix(h);
}

static void insert(exploration *x, uint32_t number) {
    size_t mask = x->table.size - 1, i = world_hash(&x->worlds.data[number]) & mask;
    while (x->table.data[i]) i = (i + 1) & mask;
    x->table.data[i] = number + 1;
}

static void grow_table(exploration *x) {
    size_t size = x->table.size ? 2 * x->table.size : 256;
    vec_reserve(&x->table, size);
    memset(x->table.data, 0, size * sizeof *x->table.data);
    x->table.size = size;
    for (uint32_t i = 0; i < x->worlds.size; i++) insert(x, i);
}

static uint32_t visit(exploration *x, const world *w) {
    if (2 * x->worlds.size >= x->table.size) grow_table(x);
    size_t mask = x->table.size - 1;
    for (size_t i = world_hash(w) & mask; x->table.data[i]; i = (i + 1) & mask)
        if (!memcmp(&x->worlds.data[x->table.data[i] - 1], w, sizeof *w)) return x->table.data[i] - 1;
    vec_push(&x->worlds, *w);
    insert(x, (uint32_t)(x->worlds.size - 1));
    return (uint32_t)(x->worlds.size - 1);
}

/* --- exploration ---------------------------------------------------------------------------------------- */

static void note_final(exploration *x, const world *w) {
    reference_result *out = x->out;
    size_t cells = out->cells;
    int64_t row_wanted[WORLD_MOST_CELLS];
    memcpy(row_wanted, w->cells, sizeof row_wanted);
    for (unsigned g = 0; g < out->globals; g++) /* addresses are no values */
        if (x->sim.p->global[g].pointer) row_wanted[out->first_cell[g]] = 0;
    for (size_t row = 0; row + cells <= out->finals.size; row += cells ? cells : 1)
        if (!memcmp(out->finals.data + row, row_wanted, cells * sizeof(int64_t))) return;
    for (size_t i = 0; i < cells; i++) vec_push(&out->finals, row_wanted[i]);
    if (out->finals.size > x->limits->finals * (cells ? cells : 1)) out->refused = "too many final states";
}

static void judge(exploration *x, uint32_t from, const world *w, move_end end) {
    reference_result *out = x->out;
    switch (end) {
    case MOVE_DONE: {
        edge e = {from, visit(x, w)};
        vec_push(&x->edges, e);
        if (x->worlds.size > x->limits->states) out->refused = "too many states";
        break;
    }
    case MOVE_FINISHED: note_final(x, w); break;
    case MOVE_ASSUMED_AWAY: out->cut_by_assumption = true; break;
    case MOVE_CHECK_FAILED: out->cut_by_check = true; break;
    case MOVE_ENDLESS: out->refused = "a step without end"; break;
    case MOVE_ABSURD: out->refused = "an absurd delay"; break;
    }
}

static void expand(exploration *x, uint32_t number) {
    uint32_t movers[TINY_MOST_BODIES];
    size_t count = simulation_movers(&x->sim, &x->worlds.data[number], movers);
    for (size_t k = 0; k < count && !x->out->refused; k++) {
        vec_clear(&x->sim.choices.list);
        do {
            world w;
            memcpy(&w, &x->worlds.data[number], sizeof w);
            x->sim.choices.next = 0;
            x->out->transitions++;
            move_end end = simulation_move(&x->sim, &w, movers[k]);
            judge(x, number, &w, end);
        } while (!x->out->refused && script_count_up(&x->sim.choices));
    }
}

/* Takes away states without predecessors until none is left, or only cycles. */
static bool has_no_cycle(const exploration *x) {
    size_t n = x->worlds.size;
    uint32_t *in = mem_zero(n + 1, sizeof *in), *first = mem_zero(n + 2, sizeof *first),
             *to = mem_zero(x->edges.size + 1, sizeof *to);
    for (size_t i = 0; i < x->edges.size; i++) {
        in[x->edges.data[i].to]++;
        first[x->edges.data[i].from + 1]++;
    }
    for (size_t i = 0; i < n; i++) first[i + 1] += first[i];
    uint32_t *fill = mem_duplicate(first, (n + 1) * sizeof *fill);
    for (size_t i = 0; i < x->edges.size; i++) to[fill[x->edges.data[i].from]++] = x->edges.data[i].to;
    VEC(uint32_t) open = {0};
    size_t taken = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!in[i]) vec_push(&open, i);
    while (open.size) {
        uint32_t s = vec_pop(&open);
        taken++;
        for (uint32_t k = first[s]; k < first[s + 1]; k++)
            if (!--in[to[k]]) vec_push(&open, to[k]);
    }
    vec_free(&open);
    mem_free(in);
    mem_free(first);
    mem_free(to);
    mem_free(fill);
    return taken == n;
}

static int compare_keys(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool has_inputs(const tiny_program *p) {
    for (unsigned g = 0; g < p->globals; g++)
        if (p->global[g].input) return true;
    for (size_t i = 0; i < p->exprs.size; i++)
        if (p->exprs.data[i].kind == EXPR_INPUT) return true;
    for (size_t i = 0; i < p->stmts.size; i++)
        if (p->stmts.data[i].kind == STMT_RANGE) return true;
    return false;
}

static void explore_all(exploration *x) {
    do {
        world w;
        x->sim.choices.next = 0;
        simulation_initial(&x->sim, &w);
        visit(x, &w);
    } while (script_count_up(&x->sim.choices) && x->worlds.size <= x->limits->states);
    for (uint32_t i = 0; i < x->worlds.size && !x->out->refused; i++) expand(x, i);
}

void reference_run(const tiny_program *p, const reference_limits *limits, reference_result *out) {
    *out = (reference_result){0};
    exploration x = {.limits = limits, .out = out};
    simulation_begin(&x.sim, p);
    x.sim.as_library = limits->as_library;
    x.sim.begun_only = limits->begun_only;
    out->cells = x.sim.cells;
    out->globals = p->globals;
    memcpy(out->first_cell, x.sim.cell_of, sizeof out->first_cell);
    if (x.sim.flat.too_deep)
        out->refused = "calls too deep";
    else
        explore_all(&x);
    for (size_t i = 0; i < x.sim.violations.size; i++) vec_push(&out->violations, x.sim.violations.data[i]);
    if (out->violations.size)
        qsort(out->violations.data, out->violations.size, sizeof(uint32_t), compare_keys);
    out->blocked = x.sim.blocked;
    out->deadlock = x.sim.blocked != 0;
    out->acyclic = !out->refused && has_no_cycle(&x);
    out->symbolic = has_inputs(p);
    out->states = x.worlds.size;
    simulation_free(&x.sim);
    vec_free(&x.worlds);
    vec_free(&x.table);
    vec_free(&x.edges);
}

void reference_free(reference_result *r) {
    vec_free(&r->violations);
    vec_free(&r->finals);
}
