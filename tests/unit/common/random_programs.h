/* Small random IVL programs with much interaction: immediate notifications, waits, shared variables,
 * suspension, assumptions. */
#ifndef HEDDLE_TESTS_RANDOM_PROGRAMS_H
#define HEDDLE_TESTS_RANDOM_PROGRAMS_H

#include <stdint.h>
#include <stdio.h>

static inline uint32_t random_next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static inline unsigned random_below(uint64_t *seed, unsigned n) {
    return random_next(seed) % n;
}

typedef struct random_shape {
    unsigned threads, statements, loops_per_cent;
    bool assertions, assumptions, suspensions, inputs;
} random_shape;

static inline int random_statement(uint64_t *seed, const random_shape *shape, char *out, size_t size) {
    static const char *const variables = "xyz";
    char v = variables[random_below(seed, 3)], w = variables[random_below(seed, 3)];
    unsigned event = random_below(seed, 3), number = random_below(seed, 3);
    char other = (char)('A' + random_below(seed, shape->threads));
    switch (random_below(seed, 16)) {
    case 0: return snprintf(out, size, "%c = %u; ", v, number);
    case 1: return snprintf(out, size, "%c += %u; ", v, number + 1);
    case 2: return snprintf(out, size, "%c = %c; ", v, w);
    case 3:
        return snprintf(out, size, "if (%c == %u) %c = %u; else notify e%u; ", v, number, w, number + 1,
                        event);
    case 4:
    case 5: return snprintf(out, size, "notify e%u; ", event);
    case 6: return snprintf(out, size, "notify e%u, %u; ", event, number);
    case 7:
    case 8:
    case 9: return snprintf(out, size, "wait e%u; ", event);
    case 10: return snprintf(out, size, "wait_time %u; ", number);
    case 11: return snprintf(out, size, "cancel e%u; ", event);
    case 12:
        if (shape->suspensions) return snprintf(out, size, "%s %c; ", number ? "suspend" : "resume", other);
        return snprintf(out, size, "wait e%u | e%u; ", event, (event + 1) % 3);
    case 13:
        if (shape->assumptions) return snprintf(out, size, "assume(%c != %u); ", v, number + 1);
        return snprintf(out, size, "wait e%u & e%u; ", event, (event + 1) % 3);
    case 14:
        if (shape->inputs) return snprintf(out, size, "%c = ?(bool) ? %u : %c; ", v, number, w);
        return snprintf(out, size, "%c *= 2; ", v);
    default:
        if (shape->assertions) return snprintf(out, size, "assert(%c != %u); ", v, number);
        return snprintf(out, size, "%c = %c; ", w, v);
    }
}

static inline void random_program(uint64_t *seed, const random_shape *shape, char *out, size_t size) {
    int used = snprintf(out, size, "int x, y = 1, z = 2; event e0, e1, e2;\n");
    for (unsigned t = 0; t < shape->threads; t++) {
        bool loops = random_below(seed, 100) < shape->loops_per_cent;
        used +=
            snprintf(out + used, size - (size_t)used, "thread %c{%s", 'A' + t, loops ? "while (true){" : "");
        unsigned count = 1 + random_below(seed, shape->statements);
        for (unsigned k = 0; k < count; k++)
            used += random_statement(seed, shape, out + used, size - (size_t)used);
        /* a loop must not run for ever inside one step */
        used += snprintf(out + used, size - (size_t)used, "%s}\n",
                         !loops                  ? ""
                         : random_below(seed, 2) ? "wait e0;}"
                                                 : "wait_time 1;}");
    }
    snprintf(out + used, size - (size_t)used, "main{start 3;}\n");
}

#endif
