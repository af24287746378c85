#include "solver/gates.h"

#include "base/hash.h"

#include <stdlib.h>

void gates_open(gates *g, const sat_backend *backend) {
    *g = (gates){.backend = backend, .sat = backend->create(), .variables = 1};
    gate_clause(g, (int[]){GATE_TRUE}, 1);
}

void gates_close(gates *g) {
    if (g->sat) g->backend->destroy(g->sat);
    mem_free(g->table);
    *g = (gates){0};
}

int gate_input(gates *g) {
    return ++g->variables;
}

void gate_clause(gates *g, const int *literals, size_t count) {
    for (size_t i = 0; i < count; i++) g->backend->add(g->sat, literals[i]);
    g->backend->add(g->sat, 0);
    g->clauses++;
}

#define CLAUSE(g, ...) gate_clause(g, (int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

/* --- structural hash ------------------------------------------------------------------------------------ */

typedef enum { KIND_AND, KIND_XOR, KIND_MUX, KIND_XOR3, KIND_MAJORITY } gate_kind;

static size_t slot_of(const gates *g, int kind, int a, int b, int c) {
    uint64_t hash = hash_pair((uint64_t)(uint32_t)a << 32 | (uint32_t)b, (uint64_t)kind << 32 | (uint32_t)c);
    size_t at = hash & (g->capacity - 1);
    for (const gate_entry *e; (e = &g->table[at])->output; at = (at + 1) & (g->capacity - 1))
        if (e->kind == kind && e->a == a && e->b == b && e->c == c) break;
    return at;
}

static void grow(gates *g) {
    gate_entry *old = g->table;
    size_t old_capacity = g->capacity;
    g->capacity = old_capacity ? 2 * old_capacity : 1024;
    g->table = mem_zero(g->capacity, sizeof *g->table);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].output) g->table[slot_of(g, old[i].kind, old[i].a, old[i].b, old[i].c)] = old[i];
    mem_free(old);
}

/* The output of this gate; `*fresh` when its clauses are still to be written. */
static int shared_output(gates *g, gate_kind kind, int a, int b, int c, bool *fresh) {
    if (4 * (g->size + 1) > 3 * g->capacity) grow(g);
    size_t at = slot_of(g, kind, a, b, c);
    *fresh = !g->table[at].output;
    if (*fresh) {
        g->table[at] = (gate_entry){kind, a, b, c, gate_input(g)};
        g->size++;
    }
    return g->table[at].output;
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void sort3(int *a, int *b, int *c) {
    if (*a > *b) swap(a, b);
    if (*b > *c) swap(b, c);
    if (*a > *b) swap(a, b);
}

static bool is_constant(int literal) {
    return literal == GATE_TRUE || literal == GATE_FALSE;
}

/* --- gates ---------------------------------------------------------------------------------------------- */

int gate_and(gates *g, int a, int b) {
    if (a == GATE_FALSE || b == GATE_FALSE || a == -b) return GATE_FALSE;
    if (a == GATE_TRUE || a == b) return b;
    if (b == GATE_TRUE) return a;
    if (a > b) swap(&a, &b);
    bool fresh;
    int o = shared_output(g, KIND_AND, a, b, 0, &fresh);
    if (fresh) {
        CLAUSE(g, -o, a);
        CLAUSE(g, -o, b);
        CLAUSE(g, o, -a, -b);
    }
    return o;
}

int gate_or(gates *g, int a, int b) {
    return -gate_and(g, -a, -b);
}

int gate_xor(gates *g, int a, int b) {
    int sign = (a < 0) != (b < 0) ? -1 : 1;
    a = abs(a);
    b = abs(b);
    if (a == b) return sign * GATE_FALSE;
    if (a == GATE_TRUE) return -sign * b;
    if (b == GATE_TRUE) return -sign * a;
    if (a > b) swap(&a, &b);
    bool fresh;
    int o = shared_output(g, KIND_XOR, a, b, 0, &fresh);
    if (fresh) {
        CLAUSE(g, -o, a, b);
        CLAUSE(g, -o, -a, -b);
        CLAUSE(g, o, -a, b);
        CLAUSE(g, o, a, -b);
    }
    return sign * o;
}

int gate_mux(gates *g, int condition, int then, int otherwise) {
    if (is_constant(condition)) return condition == GATE_TRUE ? then : otherwise;
    if (then == otherwise) return then;
    if (condition < 0) {
        condition = -condition;
        swap(&then, &otherwise);
    }
    if (then == -otherwise) return -gate_xor(g, condition, then);
    if (then == GATE_TRUE || then == condition) return gate_or(g, condition, otherwise);
    if (then == GATE_FALSE || then == -condition) return gate_and(g, -condition, otherwise);
    if (otherwise == GATE_TRUE || otherwise == -condition) return gate_or(g, -condition, then);
    if (otherwise == GATE_FALSE || otherwise == condition) return gate_and(g, condition, then);
    int sign = then < 0 ? -1 : 1;
    then *= sign;
    otherwise *= sign;
    bool fresh;
    int o = shared_output(g, KIND_MUX, condition, then, otherwise, &fresh);
    if (fresh) {
        CLAUSE(g, -o, -condition, then);
        CLAUSE(g, o, -condition, -then);
        CLAUSE(g, -o, condition, otherwise);
        CLAUSE(g, o, condition, -otherwise);
        CLAUSE(g, -o, then, otherwise); /* implied, but lets equal branches decide the output at once */
        CLAUSE(g, o, -then, -otherwise);
    }
    return sign * o;
}

int gate_xor3(gates *g, int a, int b, int c) {
    if (is_constant(a) || abs(a) == abs(b) || abs(a) == abs(c)) return gate_xor(g, a, gate_xor(g, b, c));
    if (is_constant(b) || is_constant(c) || abs(b) == abs(c)) return gate_xor(g, a, gate_xor(g, b, c));
    int sign = ((a < 0) + (b < 0) + (c < 0)) % 2 ? -1 : 1;
    a = abs(a);
    b = abs(b);
    c = abs(c);
    sort3(&a, &b, &c);
    bool fresh;
    int o = shared_output(g, KIND_XOR3, a, b, c, &fresh);
    if (fresh)
        for (int signs = 0; signs < 8; signs++) {
            int x = signs & 1 ? -a : a, y = signs & 2 ? -b : b, z = signs & 4 ? -c : c;
            CLAUSE(g, x, y, z, __builtin_popcount((unsigned)signs) % 2 ? o : -o);
        }
    return sign * o;
}

int gate_majority(gates *g, int a, int b, int c) {
    sort3(&a, &b, &c);
    if (a == b || b == c) return b;
    if (a == -c) return b;
    if (a == -b) return c;
    if (b == -c) return a;
    if (a == GATE_FALSE) return gate_and(g, b, c);
    if (b == GATE_FALSE) return gate_and(g, a, c);
    if (c == GATE_FALSE) return gate_and(g, a, b);
    if (a == GATE_TRUE) return gate_or(g, b, c);
    if (b == GATE_TRUE) return gate_or(g, a, c);
    if (c == GATE_TRUE) return gate_or(g, a, b);
    int sign = (a < 0) + (b < 0) + (c < 0) >= 2 ? -1 : 1;
    a *= sign;
    b *= sign;
    c *= sign;
    sort3(&a, &b, &c);
    bool fresh;
    int o = shared_output(g, KIND_MAJORITY, a, b, c, &fresh);
    if (fresh) {
        CLAUSE(g, o, -a, -b);
        CLAUSE(g, o, -a, -c);
        CLAUSE(g, o, -b, -c);
        CLAUSE(g, -o, a, b);
        CLAUSE(g, -o, a, c);
        CLAUSE(g, -o, b, c);
    }
    return sign * o;
}

int gate_and_all(gates *g, int *literals, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == GATE_FALSE) return GATE_FALSE;
        if (literals[i] != GATE_TRUE) literals[kept++] = literals[i];
    }
    if (!kept) return GATE_TRUE;
    if (kept <= 2) return gate_and(g, literals[0], literals[kept - 1]);
    int o = gate_input(g);
    for (size_t i = 0; i < kept; i++) CLAUSE(g, -o, literals[i]);
    for (size_t i = 0; i < kept; i++) g->backend->add(g->sat, -literals[i]);
    g->backend->add(g->sat, o);
    g->backend->add(g->sat, 0);
    g->clauses++;
    return o;
}
