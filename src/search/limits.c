#include "base/clock.h"
#include "search/internal.h"

static const position nowhere = {0, 0};

static void give_up(search *x, const char *reason) {
    outcome_doubt(x->out, reason, nowhere);
    x->stop = true;
}

static void refresh(search *x) {
    x->stats->seconds = clock_wall() - x->started;
    x->stats->cpu_seconds = clock_cpu() - x->started_cpu;
    x->stats->solver_queries = solver_stats(machine_solver(x->machine))->queries;
    x->stats->peak_memory_bytes = memory_peak();
    if (x->visited) {
        x->stats->evicted = visited_evicted(x->visited);
        x->stats->match_attempts = visited_attempts(x->visited);
        x->stats->hash_matches = visited_attempts(x->visited) - visited_matched(x->visited);
    }
}

void search_finish_statistics(search *x) {
    refresh(x);
    if (x->visited) x->stats->visited_bytes = visited_bytes(x->visited);
}

enum { LOOK_EVERY = 256 }; /* transitions between two looks at the clock */

void search_look_at_limits(search *x) {
    const explore_options *o = &x->options;
    if (o->max_transitions && x->stats->transitions >= o->max_transitions) give_up(x, "transition limit");
    if (o->max_states && x->stats->states >= o->max_states) give_up(x, "state limit");
    if (x->stats->transitions < x->next_look) return;
    x->next_look = x->stats->transitions + LOOK_EVERY;
    refresh(x);
    if (o->interrupted && o->interrupted(o->interrupted_data)) give_up(x, "interrupted");
    if (!o->deterministic && o->seconds > 0 && x->stats->seconds > o->seconds) give_up(x, "time limit");
    if (o->bytes && memory_in_use() > o->bytes) give_up(x, "memory limit");
    if (o->progress) o->progress(o->progress_data, x->stats);
}
