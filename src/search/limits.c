#include "explore/limits.h"
#include "base/clock.h"
#include "search/internal.h"

static const position nowhere = {0, 0};

static void give_up(search *x, reason_kind reason) {
    outcome_doubt(x->out, reason, nowhere);
    x->stop = true;
}

enum { WEIGHTY_LEVELS = 48 }; /* deeper ones hardly count */

static void count_choices(const node *n, size_t *all, size_t *done) {
    *all = *done = 0;
    for (size_t i = 0; i < n->marks.size; i++) {
        *all += (n->marks.data[i] & (MARK_WORKING | MARK_DONE)) != 0;
        *done += (n->marks.data[i] & MARK_DONE) != 0;
    }
}

/* Each choice of a node counts the same, and so does each way its step went. */
static double share_of_choices_done(const search *x) {
    double share = 0, weight = 1;
    for (size_t i = 0; i < x->depth && i < WEIGHTY_LEVELS; i++) {
        const node *n = &x->stack.data[i];
        size_t all, done, ways = n->next.size;
        count_choices(n, &all, &done);
        if (!all && !ways) break;
        if (!all) all = done = 1; /* the scheduler's own step */
        if (ways && done) done--; /* marked as soon as it is begun */
        weight /= (double)all;
        share += weight * (double)done;
        if (!ways) break;
        weight /= (double)ways;
        share += weight * (double)(n->next_index ? n->next_index - 1 : 0);
    }
    return share;
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
    if (x->options.progress && x->queue.size)
        x->stats->waiting = x->guided ? 0 : x->queue.size - x->turn;
    else if (x->options.progress)
        x->stats->done = share_of_choices_done(x);
}

void search_finish_statistics(search *x) {
    refresh(x);
    if (x->visited) x->stats->visited_bytes = visited_bytes(x->visited);
}

enum { LOOK_EVERY = 256 }; /* transitions between two looks at the clock */

void search_look_at_limits(search *x) {
    const explore_options *o = &x->options;
    if (o->max_transitions && x->stats->transitions >= o->max_transitions) give_up(x, REASON_TRANSITIONS);
    if (o->max_states && x->stats->states >= o->max_states) give_up(x, REASON_STATES);
    if (x->stats->transitions < x->next_look) return;
    x->next_look = x->stats->transitions + LOOK_EVERY;
    refresh(x);
    if (o->interrupted && o->interrupted(o->interrupted_data)) give_up(x, REASON_INTERRUPTED);
    if (!o->deterministic && o->seconds > 0 && x->stats->seconds > o->seconds) give_up(x, REASON_TIME);
    if (limits_memory_is_up(o)) give_up(x, REASON_MEMORY);
    if (o->progress) o->progress(o->progress_data, x->stats);
}
