#include "solver/sat.h"

#include "base/clock.h"
#include "base/memory.h"

#include <ccadical.h>
#include <limits.h>
#include <stddef.h>

static void *create(void) {
    return ccadical_init();
}
static void destroy(void *sat) {
    ccadical_release(sat);
}
static void add(void *sat, int literal) {
    ccadical_add(sat, literal);
}
static void assume(void *sat, int literal) {
    ccadical_assume(sat, literal);
}
static bool value(void *sat, int literal) {
    return ccadical_val(sat, literal) > 0;
}
static bool failed(void *sat, int literal) {
    return ccadical_failed(sat, literal);
}

typedef struct watch {
    const sat_limits *limits;
    bool stop;
} watch;

bool sat_limits_are_over(const sat_limits *limits) {
    return (limits->deadline > 0 && clock_wall() > limits->deadline) ||
           (limits->interrupted && limits->interrupted(limits->interrupted_data));
}

/* CaDiCaL asks seldom enough (every tenth conflict or so, which can take long) to look at the
 * clock each time. */
static int should_stop(void *data) {
    watch *w = data;
    return w->stop = w->stop || sat_limits_are_over(w->limits);
}

static int at_most_int(uint64_t n) {
    return n > INT_MAX ? INT_MAX : (int)n;
}

static sat_answer solve(void *sat, const sat_limits *limits) {
    watch w = {limits, false};
    bool watched = limits->deadline > 0 || limits->interrupted;
    if (watched) ccadical_set_terminate(sat, &w, should_stop);
    if (limits->conflicts) ccadical_limit(sat, "conflicts", at_most_int(limits->conflicts));
    int answer = ccadical_solve(sat);
    if (watched) ccadical_set_terminate(sat, NULL, NULL);
    return answer == 10 ? SAT_SATISFIABLE : answer == 20 ? SAT_UNSATISFIABLE : SAT_STOPPED;
}

const sat_backend sat_cadical = {"CaDiCaL", create, destroy, add, assume, solve, value, failed};
