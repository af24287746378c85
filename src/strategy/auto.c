#include "strategy/auto.h"

#include "base/clock.h"
#include "base/workers.h"
#include "explore/judge.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "strategy/engine.h"
#include "strategy/portfolio.h"

static const explorer_option options[] = {{"dump-traces", ON_PREEMPTIVE, NULL},
                                          {"max-depth", ON_PREEMPTIVE, NULL},
                                          COUNTED_LIMITS(ON_PREEMPTIVE),
                                          {0}};

/* What is counted or listed is meant for one explorer, and of cooperative programs one alone does all. */
const explorer explorer_auto = {
    .name = "auto",
    .summary = "those that promise most, in turns and at the same time",
    .kernels = ON_ANY_KERNEL,
    .stops = CHOICE(STOPS_VISIBLE) | CHOICE(STOPS_LOOPS), /* for those that have them */
    .memory_models = BOTH_MEMORY_MODELS,
    .options = options,
    .proves = true,
    .endless_executions = true,
    .endless_states = true,
    .lists_all = true,
    .keeps_bounds = true,
};

/* --- turns ---------------------------------------------------------------------------------------------- */

/* Explorers take turns, each with more time than before: which of them is the right one shows late. dpor
 * finds violations fast and proves programs whose executions end; search proves what comes back to the same
 * states; cegar proves what does neither; sampling proves nothing, but violations that many executions have
 * it finds at any depth. Shares of the time that is given, or of NOMINAL_SECONDS; a share of 1 has no end of
 * its own. */
typedef struct turn {
    const explorer *by;
    double share;
    uint64_t transitions; /* instead, with --deterministic */
} turn;

typedef struct plan {
    const char *name;
    const turn *turns;
    size_t count;
} plan;

#define PLAN(name, list)                                                                                     \
    { name, list, sizeof(list) / sizeof *(list) }

/* Threads: C and dlang. */
static const turn short_turns[] = {{&explorer_dpor, 0.004, 40000}, {&explorer_search, 0.004, 3000}};
static const turn mixed_turns[] = {
    {&explorer_cegar, 0.012, 5000},     {&explorer_dpor, 0.01, 100000},    {&explorer_sampling, 0.01, 50000},
    {&explorer_search, 0.03, 200000},   {&explorer_cegar, 0.05, 20000},    {&explorer_dpor, 0.05, 500000},
    {&explorer_sampling, 0.05, 200000}, {&explorer_search, 0.15, 1000000}, {&explorer_cegar, 0.2, 500000},
    {&explorer_dpor, 0.1, 5000000},     {&explorer_search, 1, 0}};
static const turn concrete_turns[] = {{&explorer_dpor, 0.01, 0},     {&explorer_sampling, 0.01, 0},
                                      {&explorer_search, 0.03, 0},   {&explorer_dpor, 0.05, 0},
                                      {&explorer_sampling, 0.05, 0}, {&explorer_search, 0.2, 0},
                                      {&explorer_dpor, 0.2, 0},      {&explorer_search, 1, 0}};
static const turn execution_turns[] = {{&explorer_dpor, 0.01, 0},
                                       {&explorer_sampling, 0.01, 0},
                                       {&explorer_dpor, 0.05, 0},
                                       {&explorer_sampling, 0.05, 0},
                                       {&explorer_dpor, 1, 0}};
static const turn state_turns[] = {{&explorer_search, 1, 0}};
static const turn abstract_turns[] = {{&explorer_cegar, 1, 0}};
static const turn last_resort = {&explorer_cegar, 0.3, 500000}; /* where no concrete one can do better */

/* Processes: SystemC and IVL. */
static const turn short_search[] = {{&explorer_search, 0.05, 0}};
static const turn mixed_search[] = {
    {&explorer_search, 0.25, 0}, {&explorer_cegar, 0.3, 0}, {&explorer_search, 1, 0}};

static const plan plans_for_three[] = {PLAN("search", state_turns), PLAN("cegar", abstract_turns),
                                       PLAN("dpor", execution_turns)};

typedef struct plan_set {
    plan first, for_one, for_two[2];
    const plan *for_three; /* NULL: no more than two */
} plan_set;

static const plan_set plans_of_processes = {
    .first = PLAN("search", short_search),
    .for_one = PLAN("search", mixed_search),
    .for_two = {PLAN("search", state_turns), PLAN("cegar", abstract_turns)}};
static const plan_set plans_of_threads = {
    .first = PLAN("all", short_turns),
    .for_one = PLAN("all", mixed_turns),
    .for_two = {PLAN("search and dpor", concrete_turns), PLAN("cegar", abstract_turns)},
    .for_three = plans_for_three};

/* Only where threads preempt each other can dpor and sampling take turns. */
static const plan_set *plans_of(const program *p) {
    return program_kernel(p)->preempts ? &plans_of_threads : &plans_of_processes;
}

enum {
    NOMINAL_SECONDS = 60,
    FIRST_DEPTH = 10000, /* a longer execution of a preemptive program probably has no end */
    FEWEST_THREADS = 3,  /* for hunting, beside main */
    MOST_THREADS = 9,
    HUNTING_TRANSITIONS = 200000
};

/* --- what an explorer could not do ---------------------------------------------------------------------- */

static bool has_doubt(const outcome *o, reason_kind kind) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (o->doubts.data[i].why.kind == kind) return true;
    return false;
}

/* A loop within one step that repeats what it was: search stops in it and compares states. */
static bool is_for_search(const outcome *o) {
    return has_doubt(o, REASON_DEPTH) || has_doubt(o, REASON_TOO_MANY_PATHS);
}

/* Whether what kept an explorer from an answer is something that another one, or more time, can overcome. A
 * turn that ends inside of a step loses the rest of that step, perhaps of the last one. */
static bool may_be_overcome(const outcome *o, bool by_execution) {
    bool hangs = has_doubt(o, REASON_OPEN_WAIT) || has_doubt(o, REASON_OPEN_LOOP);
    return !o->complete || has_doubt(o, REASON_INTERRUPTED) || (by_execution && (hangs || is_for_search(o)));
}

typedef struct auto_state {
    const strategy *s;
    const explore_options *how;
    double deadline;
    bool loops, forks;   /* seen so far: executions without end, more paths within a step than can be kept */
    unsigned heap_order; /* STOP_HEAP_ORDER: it was found to matter */
    bool by_execution;   /* the last one was such (goes_by_execution) */
    outcome *out;
    outcome most; /* where all violations are wanted: the longest list so far that may lack some */
    attempts *given_up;
    machine_seen seen; /* by those that were given up */
} auto_state;

static void give_up(auto_state *a, outcome *o) {
    static const reason_kind first[] = {REASON_DEPTH, REASON_TIME};
    reason why = {.kind = REASON_NOT_FINISHED};
    if (o->doubts.size) why = o->doubts.data[0].why;
    for (size_t i = sizeof first / sizeof *first; i-- > 0;)
        if (has_doubt(o, first[i])) why = (reason){.kind = first[i]};
    if (o->engine) vec_push(a->given_up, ((attempt){o->engine, o->por, o->match, why, o->stats.seconds}));
    outcome_leave_seen(o, &a->seen);
    outcome_free(o);
    *o = (outcome){0};
}

/* --- who may take a turn -------------------------------------------------------------------------------- */

/* It explores all executions, each to its end: one without end keeps it for ever. */
static bool goes_by_execution(const explorer *e) {
    return e->proves && e->explores == EXPLORED_EXECUTIONS && !e->endless_executions;
}

/* Where stops are not left open, scheduling points alone are a choice as well. */
static bool has_stops(const explorer *e, const explore_options *how) {
    bool nothing_else = !how->loop_heads_if_needed && !(how->stops & ~(unsigned)STOP_HEAP_ORDER);
    return !nothing_else || explorer_has_stops(e, STOPS_VISIBLE);
}

/* Who proves must be able to prove all that is asked; who only finds may find some of it. */
static bool can_answer(const explorer *e, unsigned properties) {
    return !e->proves || !(properties & ~explorer_proves(e));
}

static bool is_turn_for(const auto_state *a, const explorer *e) {
    const explore_options *how = a->how;
    return can_answer(e, how->properties) && has_stops(e, how) && (!how->all || e->lists_all) &&
           (!a->s->bounded || e->keeps_bounds) &&
           explorer_can(e, how, program_kernel(machine_program(a->s->machine))->rules);
}

/* --- a turn --------------------------------------------------------------------------------------------- */

typedef struct attempt_watch { /* when an explorer should make way for the next one */
    run_control *control;
    const outcome *out;
} attempt_watch;

static bool should_make_way(void *data) {
    attempt_watch *w = data;
    return is_for_search(w->out) || has_doubt(w->out, REASON_TOO_MANY_THREADS) ||
           control_should_stop(w->control);
}

static double seconds_left(const auto_state *a) {
    return a->how->seconds > 0 ? a->deadline - clock_wall() : 0;
}

static bool is_over(const auto_state *a) {
    return control_should_stop(a->s->control) || (a->how->seconds > 0 && seconds_left(a) <= 0);
}

static explore_options limit_turn(const auto_state *a, const turn *t, attempt_watch *w) {
    explore_options limited = *a->how;
    if (a->forks && a->how->loop_heads_if_needed && explorer_has_stops(t->by, STOPS_LOOPS))
        limited.stops |= STOP_LOOP_HEAD;
    limited.stops |= a->heap_order;
    bool last = t->share >= 1;
    double left = seconds_left(a);
    if (goes_by_execution(t->by)) {
        if (!limited.max_depth) limited.max_depth = FIRST_DEPTH;
        limited.interrupted = should_make_way;
        limited.interrupted_data = w;
    }
    if (limited.deterministic) {
        if (!last && (!limited.max_transitions || limited.max_transitions > t->transitions))
            limited.max_transitions = t->transitions;
        return limited;
    }
    double seconds = last ? left : t->share * (a->how->seconds > 0 ? a->how->seconds : NOMINAL_SECONDS);
    limited.seconds = left > 0 && left < seconds ? left : seconds;
    return limited;
}

/* Its share of the time holds inside of steps and queries, too. */
static void explore_in_turn(auto_state *a, const explorer *e, const explore_options *limited, outcome *out) {
    control_limit_turn(a->s->control, limited->deterministic ? 0 : limited->seconds);
    engine_explore(a->s->machine, e, limited, out);
    control_limit_turn(a->s->control, 0);
    a->heap_order |= out->stops & STOP_HEAP_ORDER;
}

static bool is_answered(const auto_state *a) {
    bool lacks_some = a->how->all && !a->out->complete;
    return a->out->engine && outcome_is_settled(a->out) && !lacks_some;
}

/* What was found stays found, whatever the next turn comes to. */
static void make_room(auto_state *a) {
    bool kept = a->out->violations.size > a->most.violations.size;
    if (kept) {
        outcome_leave_seen(&a->most, &a->seen);
        outcome_free(&a->most);
        a->most = *a->out;
        *a->out = (outcome){.engine = a->most.engine, .por = a->most.por, .match = a->most.match};
        a->out->stats.seconds = a->most.stats.seconds;
    }
    give_up(a, a->out);
}

static void choose_longest_list(auto_state *a) {
    bool longer = a->most.violations.size > a->out->violations.size;
    outcome *lost = longer ? a->out : &a->most;
    outcome_leave_seen(lost, &a->seen);
    outcome_free(lost);
    if (longer) *a->out = a->most;
}

/* The answer is what `out` has then. */
static void finish(auto_state *a) {
    choose_longest_list(a);
    outcome_amend(a->out, &(amendment){.seen = &a->seen});
    seen_free(&a->seen);
}

/* A program that creates threads without end cannot be proved here, but most of its violations need
 * few of them. */
static void hunt_with_few_threads(auto_state *a) {
    if (!is_turn_for(a, &explorer_dpor)) return;
    for (uint32_t threads = FEWEST_THREADS; threads <= MOST_THREADS && !is_over(a); threads++) {
        outcome found = {0};
        attempt_watch w = {a->s->control, &found};
        explore_options limited = limit_turn(a, &(turn){&explorer_dpor, 0.15, HUNTING_TRANSITIONS}, &w);
        limited.threads = threads;
        explore_in_turn(a, &explorer_dpor, &limited, &found);
        if (outcome_verdict(&found) == VERDICT_UNSAFE) {
            make_room(a); /* fewer threads may lead to less than was found with more */
            *a->out = found;
            return;
        }
        outcome_leave_seen(&found, &a->seen);
        outcome_free(&found);
    }
}

static void take_concrete_turn(auto_state *a, const turn *t) {
    make_room(a);
    attempt_watch w = {a->s->control, a->out};
    explore_options limited = limit_turn(a, t, &w);
    a->by_execution = goes_by_execution(t->by);
    explore_in_turn(a, t->by, &limited, a->out);
    a->loops |= a->by_execution && is_for_search(a->out);
    a->forks |= has_doubt(a->out, REASON_TOO_MANY_PATHS);
}

/* --- abstraction ---------------------------------------------------------------------------------------- */

typedef struct abstraction_turn {
    machine *machine;
    const explorer *by;
} abstraction_turn;

static void abstract_as_member(void *data, const explore_options *how, unsigned member, outcome *out,
                               attempts *given_up) {
    (void)member, (void)given_up;
    const abstraction_turn *t = data;
    engine_explore(t->machine, t->by, how, out);
}

static bool abstract_here(auto_state *a, const explorer *by, const explore_options *limited, outcome *found) {
    explore_in_turn(a, by, limited, found);
    return outcome_is_settled(found);
}

/* In a process of its own, whose memory is free again when it ends. If there is no answer the last one of the
 * others stays. */
static void take_abstract_turn(auto_state *a, const turn *t) {
    explore_options limited = limit_turn(a, t, NULL);
    outcome found = {0};
    bool here = a->how->deterministic || a->s->stays_in_one_process;
    abstraction_turn taken = {a->s->machine, t->by};
    bool answered = here ? abstract_here(a, t->by, &limited, &found)
                         : portfolio_run(a->s, &limited, &t->by->name, 1, abstract_as_member, &taken, &found,
                                         a->given_up);
    a->heap_order |= found.stops & STOP_HEAP_ORDER;
    outcome *lost = answered ? a->out : &found;
    give_up(a, lost);
    if (answered) *a->out = found;
}

/* --- plans ---------------------------------------------------------------------------------------------- */

static void follow_plan(auto_state *a, const plan *p) {
    bool abandoned = false; /* no concrete exploration can do better */
    for (size_t k = 0; k < p->count && !is_answered(a); k++) {
        const turn *t = &p->turns[k];
        if (a->out->engine && is_over(a)) return;
        if (!is_turn_for(a, t->by)) continue;
        if (t->by->explores == EXPLORED_ABSTRACT_STATES) {
            take_abstract_turn(a, t);
            continue;
        }
        if (goes_by_execution(t->by) && a->loops) continue;
        abandoned |= a->out->engine && !may_be_overcome(a->out, a->by_execution);
        if (abandoned) continue;
        take_concrete_turn(a, t);
        if (!t->by->proves || !has_doubt(a->out, REASON_TOO_MANY_THREADS)) continue;
        hunt_with_few_threads(a);
        return;
    }
}

typedef struct crew { /* what members of the portfolio know */
    const auto_state *begun;
    const plan *plans;
} crew;

static void follow_plan_as_member(void *data, const explore_options *how, unsigned member, outcome *out,
                                  attempts *given_up) {
    const crew *c = data;
    auto_state a = *c->begun;
    strategy alone = *a.s;
    alone.stays_in_one_process = true;
    a.s = &alone;
    a.how = how;
    a.out = out;
    a.most = (outcome){0}; /* of its own: the other list is in another process */
    a.given_up = given_up;
    follow_plan(&a, &c->plans[member]);
    if (!out->engine) outcome_conclude(out); /* there was nobody to take a turn */
    finish(&a);
}

static void follow_plans(auto_state *a, const plan *plans, unsigned count) {
    crew c = {a, plans};
    const char *names[PORTFOLIO_MOST];
    for (unsigned i = 0; i < count; i++) names[i] = plans[i].name;
    outcome found = {0};
    portfolio_run(a->s, a->how, names, count, follow_plan_as_member, &c, &found, a->given_up);
    give_up(a, a->out);
    *a->out = found;
}

/* More than one if there are cores for them, and abstraction has something to say. */
static const plan *choose_plans(const auto_state *a, unsigned *count) {
    const plan_set *set = plans_of(machine_program(a->s->machine));
    uint64_t jobs = a->s->jobs ? a->s->jobs : workers_cores();
    bool apart = !a->how->deterministic && !a->s->stays_in_one_process && is_turn_for(a, abstract_turns->by);
    bool third = set->for_three && is_turn_for(a, execution_turns->by);
    *count = !apart || jobs < 2 ? 1 : jobs > 2 && third ? 3 : 2;
    return *count == 1 ? &set->for_one : *count == 2 ? set->for_two : set->for_three;
}

static void go_on(auto_state *a) {
    unsigned count;
    const plan *plans = choose_plans(a, &count);
    if (!may_be_overcome(a->out, a->by_execution)) {
        if (is_turn_for(a, last_resort.by)) take_abstract_turn(a, &last_resort);
    } else if (count == 1) {
        follow_plan(a, plans);
    } else {
        follow_plans(a, plans, count);
    }
}

void auto_run(const strategy *s, const explore_options *how, outcome *out, attempts *given_up) {
    auto_state a = {.s = s, .how = how, .out = out, .given_up = given_up};
    a.deadline = clock_wall() + how->seconds;
    follow_plan(&a, &plans_of(machine_program(s->machine))->first);
    bool final = is_answered(&a) || is_over(&a) || has_doubt(out, REASON_TOO_MANY_THREADS);
    if (!final) go_on(&a);
    finish(&a);
    assert(out->engine && !s->control->turn_end); /* somebody had a turn, and all turns are over */
}
