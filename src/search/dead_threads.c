/* Deadlocks of some threads while others go round. A search that comes back to a state on its stack has found
 * a cycle; whoever is blocked for ever shows there at the latest. Threads that spin are led to where the
 * machine notices that they do: matching does not tell a thread that sleeps from one that goes round. */
#include "search/internal.h"

enum {
    MOST_ROUND_STEPS = 512, /* of one thread until it sleeps: the machine notices rounds of up to 128 */
    FREE_STEPS = 50000      /* for all looks of a search; beyond it as many as its own transitions */
};

static bool asks_for_deadlocks(const search *x) {
    return x->preemptive && x->options.properties & PROPERTY_DEADLOCK;
}

bool search_stands_still(search *x, const state *s) {
    if (!asks_for_deadlocks(x)) return false;
    vec_clear(&x->movers);
    machine_enabled(x->machine, s, &x->movers);
    return !x->movers.size;
}

static bool some_thread_is_blocked(search *x, const state *s) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        pending next;
        machine_pending(x->machine, s, t, &next);
        if (next.live && !next.enabled) return true;
    }
    return false;
}

static bool is_known(const search *x) {
    for (size_t i = 0; i < x->out->violations.size; i++)
        if (x->out->violations.data[i].kind == VIOLATION_DEADLOCK) return true;
    return false;
}

static void judge_now(search *x, const state *s, const path *further) {
    judge j = search_open_judge(x);
    further_steps present = {x, further->data, further->size};
    judge_standstill(&j, s, search_record_path, &present);
    x->stop = j.stop;
}

static bool may_run(search *x, const state *s, uint32_t thread) {
    pending next;
    machine_pending(x->machine, s, thread, &next);
    return next.live && next.enabled;
}

/* Lets the thread run until it sleeps. False: it does not, or may do different things. */
static bool lead_to_sleep(search *x, state **now, uint32_t thread, path *steps) {
    successors list = {0};
    bool plain = true;
    for (size_t k = 0; k < MOST_ROUND_STEPS && plain && may_run(x, *now, thread); k++) {
        transition by = {thread, 0};
        successors_clear(x->machine, &list);
        machine_step(x->machine, *now, by, &x->how, &list);
        x->looking_steps++;
        plain = list.size == 1 && list.data[0].end == STEP_STOPPED;
        if (!plain) break;
        vec_push(steps, ((path_step){by, 0}));
        state_release(x->machine, *now);
        *now = state_share(list.data[0].to);
    }
    successors_free(x->machine, &list);
    return plain && !may_run(x, *now, thread);
}

void search_look_for_dead_threads(search *x, state *s) {
    if (!asks_for_deadlocks(x) || x->stop || s->scheduler->running != NO_INDEX || is_known(x) ||
        !some_thread_is_blocked(x, s))
        return;
    if (x->looking_steps > FREE_STEPS + x->stats->transitions) {
        outcome_doubt(x->out, "too much work to look for deadlocks of some threads", (position){0, 0});
        return;
    }
    path steps = {0};
    judge_now(x, s, &steps);
    state *now = state_share(s);
    bool sleep = !x->stop && !is_known(x);
    for (uint32_t t = 0; t < s->thread_count && sleep; t++) sleep = lead_to_sleep(x, &now, t, &steps);
    if (sleep) judge_now(x, now, &steps);
    state_release(x->machine, now);
    vec_free(&steps);
}
