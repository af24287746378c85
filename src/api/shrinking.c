#include "api/shrinking.h"

#include "base/clock.h"
#include "explore/judge.h"
#include "search/search.h"

/* The budget counts steps, so that the same run gives the same counterexample; the clock is for programs with
 * slow steps. */
enum { LEAST_STEPS = 200000, STEPS_OF_LENGTH = 400, MOST_STEPS = 4000000 };
static const double least_seconds = 2;

static uint64_t steps_for(const outcome *o, const violation *v) {
    uint64_t most = o->stats.transitions < LEAST_STEPS ? LEAST_STEPS : o->stats.transitions;
    uint64_t of_length = STEPS_OF_LENGTH * v->path.size;
    if (most < of_length) most = of_length;
    return (most > MOST_STEPS ? MOST_STEPS : most) / o->violations.size;
}

typedef struct again {
    session *s;
    unsigned stops; /* of the steps of the path that is to be replaced */
} again;

/* Breadth first, past states with one successor. */
explore_options shrinking_search_options(session *s, unsigned stops, bool by_steps) {
    enum { LONGEST_CHAIN = 1000 };
    explore_options how = session_explore_options(s);
    how.por = POR_AUTO;
    how.match = MATCH_AUTO;
    how.order = ORDER_BFS;
    how.chain = LONGEST_CHAIN;
    how.fewest_steps_first = by_steps;
    how.visited = VISITED_FULL;
    how.visited_bytes = 0;
    how.dump_traces = false;
    how.stops = stops;
    how.progress = NULL;
    assert(explorer_can(&explorer_search, &how, program_kernel(s->program)->rules));
    return how;
}

static bool take_same_violation(outcome *from, const violation *v, path *out) {
    for (size_t i = 0; i < from->violations.size; i++) {
        violation *found = &from->violations.data[i];
        if (found->kind != v->kind || found->check != v->check) continue;
        *out = found->path;
        found->path = (path){0};
        return true;
    }
    return false;
}

/* If another check is violated sooner, a second time for all of them. Gives the transitions it took. */
static uint64_t search_once(const again *a, const violation *v, bool by_steps, uint64_t transitions,
                            double deadline, path *out) {
    uint64_t taken = 0;
    bool another = true;
    for (int attempt = 0; attempt < 2 && another && taken < transitions; attempt++) {
        explore_options how = shrinking_search_options(a->s, a->stops, by_steps);
        how.all = attempt == 1;
        how.max_transitions = transitions - taken;
        how.seconds = deadline > 0 ? deadline - clock_wall() : 0;
        if (how.seconds < 0) break;
        outcome found = {0};
        search_run(a->s->machine, &how, &found);
        another = !take_same_violation(&found, v, out) && found.violations.size;
        taken += found.stats.transitions;
        outcome_free(&found);
    }
    return taken;
}

/* In the order of chains something is found soon, in that of steps something short. */
static uint64_t search_again(void *data, const violation *v, uint64_t transitions, double deadline,
                             path *out) {
    double now = clock_wall(), half = deadline > 0 ? now + (deadline - now) / 2 : 0;
    path shorter = {0};
    uint64_t taken = search_once(data, v, false, transitions / 2, half, out);
    if (taken < transitions) taken += search_once(data, v, true, transitions - taken, deadline, &shorter);
    bool better = shorter.size && (!out->size || shorter.size < out->size);
    path worse = better ? *out : shorter;
    if (better) *out = shorter;
    vec_free(&worse);
    return taken;
}

/* As much as the search took, shared by all violations. The limits of the run go on to count. */
static shrink_budget budget_for(session *s, const outcome *o, const violation *v) {
    bool with_clock = !s->options->value[OPTION_DETERMINISTIC].on;
    double seconds = o->stats.seconds > least_seconds ? o->stats.seconds : least_seconds;
    return (shrink_budget){.steps = steps_for(o, v),
                           .deadline = with_clock ? clock_wall() + seconds / (double)o->violations.size : 0,
                           .interrupted = control_should_stop,
                           .interrupted_data = &s->control};
}

shrunk *shrinking_run(session *s, outcome *o) {
    if (!s->options->value[OPTION_SHRINK].on || !o->violations.size) return NULL;
    explore_options how = session_explore_options(s);
    how.stops = o->stops;
    judge j = judge_create(s->machine, &how, o);
    shrunk *list = mem_zero(o->violations.size, sizeof *list);
    for (size_t i = 0; i < o->violations.size; i++) {
        violation *v = &o->violations.data[i];
        again a = {s, o->stops};
        shrink_budget most = budget_for(s, o, v);
        most.search_again = search_again;
        most.search_again_data = &a;
        if (v->confirmed) shrink_violation(s->machine, v, &j.how, &most, &list[i]);
    }
    return list;
}

void shrinking_free(shrunk *list, const outcome *o) {
    for (size_t i = 0; list && i < o->violations.size; i++) shrunk_free(&list[i]);
    mem_free(list);
}
