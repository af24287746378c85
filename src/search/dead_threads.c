/* Deadlocks of some threads while others go round. A search that comes back to a state on its stack has found
 * a cycle; whoever is blocked for ever shows there at the latest. Threads that spin are led to where the
 * machine notices that they do: matching does not tell a thread that sleeps from one that goes round. */
#include "explore/player.h"
#include "machine/hangs.h"
#include "machine/record.h"
#include "search/internal.h"

enum {
    MOST_ROUND_STEPS = 512, /* of one thread until it sleeps: the machine notices rounds of up to 128 */
    FREE_STEPS = 50000      /* for all looks of a search; beyond it as many as its own transitions */
};

static bool asks_for_deadlocks(const search *x) {
    return x->kernel->threads_hang_apart && x->options.properties & (PROPERTY_DEADLOCK | PROPERTY_LIVELOCK);
}

bool search_stands_still(search *x, const state *s) {
    if (!asks_for_deadlocks(x)) return false;
    vec_clear(&x->movers);
    machine_enabled(x->machine, s, &x->movers);
    return !x->movers.size;
}

static bool some_thread_is_blocked(search *x, const state *s) {
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        pending next;
        machine_pending(x->machine, s, t, &next);
        if (next.live && !next.enabled) return true;
        bool livelocks = x->options.properties & PROPERTY_LIVELOCK;
        if (livelocks && machine_is_in_waiting_loop(x->machine, s, t)) return true;
    }
    return false;
}

static bool is_known(const search *x) {
    for (size_t i = 0; i < x->out->violations.size; i++)
        if (x->out->violations.data[i].kind == VIOLATION_DEADLOCK ||
            x->out->violations.data[i].kind == VIOLATION_LIVELOCK)
            return true;
    return false;
}

static void judge_now(search *x, const state *s, const path *further) {
    judge j = search_open_judge(x);
    further_steps present = {x, further->data, further->size};
    judge_hangs(&j, s, false, search_record_path, &present);
    x->stop = j.stop;
}

void search_look_for_dead_threads(search *x, state *s) {
    if (!asks_for_deadlocks(x) || x->stop || state_is_inside_step(s) || is_known(x) ||
        !some_thread_is_blocked(x, s))
        return;
    if (x->looking_steps > FREE_STEPS + x->stats->transitions) {
        outcome_doubt(x->out, REASON_HANGS_TOO_MUCH_WORK, (position){0, 0});
        return;
    }
    player p = player_begin_at(x->machine, s, &x->how);
    judge_now(x, s, &p.done);
    bool open = !x->stop && !is_known(x);
    for (uint32_t t = 0; t < state_thread_count(s) && open; t++)
        player_lead_to_sleep(&p, t, MOST_ROUND_STEPS, &x->looking_steps);
    if (open) judge_now(x, p.now, &p.done);
    player_end(&p);
}

/* --- who never gets on again ---------------------------------------------------------------------------- */

void search_begin_hangs(search *x) {
    if (x->hangs)
        x->queue.data[0].hang_state =
            hangs_add_state(x->hangs, x->queue.data[0].s, HANGS_NOWHERE, (path_step){0}, 0);
}

/* The way to a state of the graph. */
static void list_steps(search *x, uint32_t state, path *out) {
    path_links links = {0};
    for (hang_origin o = hangs_origin(x->hangs, state); o.parent != HANGS_NOWHERE;
         o = hangs_origin(x->hangs, o.parent))
        vec_push(&links, ((path_link){o.by, o.chain}));
    for (size_t i = 0, j = links.size; i + 1 < j; i++) {
        path_link last = links.data[--j];
        links.data[j] = links.data[i];
        links.data[i] = last;
    }
    search_unfold_chains(x, &links, out);
    vec_free(&links);
}

/* NULL: it cannot be reached again. */
static state *state_behind(search *x, const path *steps) {
    player p = player_begin(x->machine, &x->how);
    bool there = player_follow_path(&p, steps);
    x->looking_steps += p.done.size + !there;
    if (there) return player_leave(&p);
    player_end(&p);
    return NULL;
}

/* False: it does not stand there. */
static bool name_suspect(search *x, const state *s, const hang_suspicion *which, suspect *out) {
    suspects list = {0};
    uint32_t passed = 0;
    bool found = false, spins = which->loop != HANGS_NOWHERE;
    if (spins)
        machine_list_waiting(x->machine, s, &list);
    else
        machine_list_blocked(x->machine, s, &list);
    for (size_t i = 0; i < list.size && !found; i++) {
        if (list.data[i].thread != which->thread) continue;
        found = !spins || passed++ == which->loop;
        *out = list.data[i];
    }
    vec_free(&list);
    return found;
}

static void copy_path(void *data, path *out) {
    const path *steps = data;
    for (size_t i = 0; i < steps->size; i++) vec_push(out, steps->data[i]);
}

static hang_answer decide(search *x, const hang_suspicion *which, const path *steps) {
    suspect who;
    state *s = state_behind(x, steps);
    bool there = s && name_suspect(x, s, which, &who);
    uint64_t before = machine_stats(x->machine)->steps;
    hang_answer answer = there ? machine_stays_for_ever(x->machine, s, &who) : HANG_PERHAPS;
    x->looking_steps += machine_stats(x->machine)->steps - before;
    if (s) state_release(x->machine, s);
    return answer;
}

static void look_at_clock(search *x) {
    x->next_look = 0;
    search_look_at_limits(x);
}

static suspicion_answer judge_suspicion(void *data, const hang_suspicion *which) {
    search *x = data;
    bool spins = which->loop != HANGS_NOWHERE;
    if (x->looking_steps > FREE_STEPS + x->stats->transitions) {
        outcome_doubt(x->out, REASON_HANGS_TOO_MUCH_WORK, (position){0, 0});
        return SUSPICION_ENOUGH;
    }
    path steps = {0};
    list_steps(x, which->state, &steps);
    hang_answer answer = decide(x, which, &steps);
    look_at_clock(x);
    if (answer == HANG_PERHAPS && !x->stop)
        outcome_doubt(x->out, spins ? REASON_OPEN_LOOP : REASON_OPEN_WAIT, (position){0, 0});
    if (answer == HANG_CERTAIN) {
        judge j = search_open_judge(x);
        violation v = {.kind = spins ? VIOLATION_LIVELOCK : VIOLATION_DEADLOCK};
        judge_violation(&j, v, &(successor){0}, copy_path, &steps);
        x->stop |= j.stop;
        look_at_clock(x);
    }
    vec_free(&steps);
    return answer == HANG_CERTAIN || x->stop ? SUSPICION_ENOUGH : SUSPICION_REFUTED;
}

void search_look_for_hangs(search *x) {
    if (!x->hangs || x->stop || is_known(x)) return;
    unsigned properties = x->options.properties;
    if (!machine_lets_spins_sleep(x->machine))
        properties &= ~(unsigned)PROPERTY_LIVELOCK; /* nobody confirms them */
    hangs_look(x->hangs, properties, judge_suspicion, x);
    if (x->stop) x->out->complete = false;
}
