#include "strategy/portfolio.h"

#include "base/clock.h"
#include "base/workers.h"
#include "explore/judge.h"
#include "explore/prefix.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "strategy/wire.h"

#include <stdio.h>

/* For members to report what they know when time is up. */
static const double GRACE_SECONDS = 0.3, PATIENCE_SECONDS = 0.05;

typedef struct portfolio {
    const strategy *s;
    const explore_options *how;
    const char *const *names;
    portfolio_member run;
    void *data;
    unsigned count;
    workers *workers;
    statistics *so_far; /* of each, in memory that all see */
    double begun;
    machine_seen seen; /* by those who have no answer */
} portfolio;

/* --- in their processes --------------------------------------------------------------------------------- */

static void share_progress(void *data, const statistics *so_far) {
    *(statistics *)data = *so_far;
}

static void be_member(void *data, unsigned index, bytes *said) {
    portfolio *p = data;
    explore_options how = *p->how;
    how.bytes /= p->count;
    p->s->control->most_bytes /= p->count;
    how.progress = share_progress;
    how.progress_data = &p->so_far[index];
    outcome out = {0};
    attempts given_up = {0};
    machine_statistics before = *machine_stats(p->s->machine);
    p->run(p->data, &how, index, &out, &given_up);
    how.stops = out.stops;
    judge j = judge_create(p->s->machine, &how, &out);
    wire_write(said, p->s->machine, &before, &j.how, &out, &given_up);
}

/* --- in this one ---------------------------------------------------------------------------------------- */

static void add_engine(char engines[LONGEST_ENGINES], const char *name) {
    size_t used = strlen(engines);
    if (*name && !strstr(engines, name))
        snprintf(engines + used, LONGEST_ENGINES - used, "%s%s", used ? ", " : "", name);
}

static statistics of_all_so_far(const portfolio *p) {
    statistics all = {.seconds = clock_wall() - p->begun};
    for (unsigned i = 0; i < p->count; i++) {
        const statistics *one = &p->so_far[i];
        all.states += one->states;
        all.transitions += one->transitions;
        all.executions += one->executions;
        all.nodes += one->nodes;
        all.refinements += one->refinements;
        all.solver_queries += one->solver_queries;
        all.peak_memory_bytes += one->peak_memory_bytes;
        if (all.depth < one->depth) all.depth = one->depth;
        if (all.done < one->done) all.done = one->done;
        add_engine(all.engines, one->engines);
    }
    return all;
}

static void show_progress(const portfolio *p) {
    statistics all = of_all_so_far(p);
    if (p->how->progress) p->how->progress(p->how->progress_data, &all);
}

/* Members keep their limits themselves; one that does not is no reason to wait. */
static bool time_is_up(const portfolio *p) {
    double most = p->how->seconds;
    return control_should_stop(p->s->control) || (most > 0 && clock_wall() - p->begun > most + GRACE_SECONDS);
}

/* Nobody answered, and the first said nothing at all. */
static void say_what_is_known(portfolio *p, outcome *out) {
    outcome_leave_seen(out, &p->seen);
    outcome_free(out);
    *out = (outcome){0};
    out->engine = p->names[0];
    out->por = por_name(POR_AUTO);
    out->match = match_name(MATCH_AUTO);
    out->stats = of_all_so_far(p);
    outcome_doubt(out, time_is_up(p) ? REASON_INTERRUPTED : REASON_WORKER_LOST, (position){0, 0});
    outcome_conclude(out);
}

typedef VEC(uint32_t) numbers;

static uint32_t number_here(void *data, uint32_t thread) {
    const numbers *here = data;
    return thread < here->size ? here->data[thread] : thread;
}

/* Threads are numbered in the order in which they are found, which is each process' own. */
static void rename_threads(portfolio *p, message *m) {
    numbers here = {0}; /* in this process */
    vec_push(&here, 0);
    for (size_t i = 0; i < m->threads.size; i++) {
        thread_birth t = m->threads.data[i];
        assert(t.creator < here.size); /* who creates was created before */
        t.creator = number_here(&here, t.creator);
        vec_push(&here, machine_number_of_thread(p->s->machine, t));
    }
    for (size_t i = 0; i < m->out.violations.size; i++) {
        violation *v = &m->out.violations.data[i];
        for (int k = 0; k < 2; k++) v->racing[k] = number_here(&here, v->racing[k]);
    }
    seen_rename_threads(&m->out.seen, number_here, &here);
    vec_free(&here);
}

/* The way that another process went, in this one. */
static bool find_path(machine *m, const step_options *how, const char *way, path *out) {
    player at = player_begin(m, how);
    bool found = prefix_follow(&at, way);
    path_append(out, &at.done);
    player_end(&at);
    return found;
}

/* Counterexamples are followed once more, in this process. */
static void confirm(portfolio *p, message *m) {
    explore_options how = *p->how;
    outcome *out = &m->out;
    assert(m->ways.size == out->violations.size);
    how.stops = out->stops;
    judge j = judge_create(p->s->machine, &how, out);
    bool all = true;
    for (size_t i = 0; i < out->violations.size; i++) {
        violation *v = &out->violations.data[i];
        all &= find_path(p->s->machine, &j.how, m->ways.data[i], &v->path) &&
               violation_confirm(p->s->machine, v, &j.how);
    }
    if (all) return;
    reason why = {.kind = judge_why_unconfirmed(&how)};
    outcome_amend(out, &(amendment){.more.why = why, .only_confirmed = true});
}

static attempt unfinished(const portfolio *p, unsigned index, reason_kind kind) {
    return (attempt){
        p->names[index], por_name(POR_AUTO), match_name(MATCH_AUTO), {.kind = kind}, clock_wall() - p->begun};
}

/* What it said is no answer. */
static void give_up(portfolio *p, outcome *o, attempts *given_up) {
    reason why = {.kind = REASON_NOT_FINISHED};
    if (o->doubts.size) why = o->doubts.data[0].why;
    if (o->engine) vec_push(given_up, ((attempt){o->engine, o->por, o->match, why, o->stats.seconds}));
    outcome_leave_seen(o, &p->seen);
    outcome_free(o);
}

/* What it said, if that is an answer: true. Otherwise it is noted as given up; that of the first is kept until
 * somebody answers. */
static bool answers(portfolio *p, unsigned index, outcome *out, attempts *given_up) {
    message m;
    if (!wire_read(workers_said(p->workers, index), p->s->memory, &m)) {
        vec_push(given_up, unfinished(p, index, REASON_WORKER_LOST));
        return false;
    }
    for (size_t i = 0; i < m.given_up.size; i++) vec_push(given_up, m.given_up.data[i]);
    machine_add_statistics(p->s->machine, &m.work);
    if (m.threads.size) rename_threads(p, &m);
    confirm(p, &m);
    bool answered = outcome_is_settled(&m.out);
    bool is_kept = answered || index == 0;
    give_up(p, is_kept ? out : &m.out, given_up);
    if (is_kept) *out = m.out;
    message_free(&m);
    return answered;
}

static bool wait_for_answer(portfolio *p, outcome *out, attempts *given_up) {
    double last_call = 0;
    for (;;) {
        unsigned ended = workers_wait(p->workers, PATIENCE_SECONDS);
        if (ended != NO_WORKER && answers(p, ended, out, given_up)) return true;
        if (ended != NO_WORKER) *p->so_far[ended].engines = 0; /* it is not at work any more */
        if (ended == NO_WORKER && !workers_some_run(p->workers)) return false;
        show_progress(p);
        if (!time_is_up(p)) continue;
        if (!last_call) {
            workers_interrupt(p->workers);
            last_call = clock_wall() + GRACE_SECONDS;
        }
        if (clock_wall() > last_call) return false;
    }
}

bool portfolio_run(const strategy *s, const explore_options *how, const char *const *names, unsigned members,
                   portfolio_member run, void *data, outcome *out, attempts *given_up) {
    portfolio p = {.s = s, .how = how, .names = names, .run = run, .data = data, .count = members};
    assert(members && members <= PORTFOLIO_MOST);
    size_t size = members * sizeof *p.so_far;
    p.begun = clock_wall();
    p.so_far = workers_share_memory(size);
    if (!p.so_far) {
        p.count = 0;
        say_what_is_known(&p, out);
        return false;
    }
    p.workers = workers_start(members, be_member, &p);
    bool answered = wait_for_answer(&p, out, given_up);
    for (unsigned i = 0; i < members; i++)
        if (workers_is_running(p.workers, i))
            vec_push(given_up, unfinished(&p, i, answered ? REASON_OVERTAKEN : REASON_NOT_FINISHED));
    if (!answered && !out->engine) say_what_is_known(&p, out);
    outcome_amend(out, &(amendment){.seen = &p.seen});
    seen_free(&p.seen);
    assert(out->engine && (!answered || outcome_is_settled(out)));
    workers_end(p.workers);
    workers_unshare_memory(p.so_far, size);
    return answered;
}
