#include "api/engine.h"

#include "base/clock.h"
#include "cegar/cegar.h"
#include "dpor/dpor.h"
#include "lazypor/lazypor.h"
#include "sampling/sampling.h"
#include "search/search.h"

typedef enum {
    ENGINE_AUTO,
    ENGINE_SEARCH,
    ENGINE_DPOR,
    ENGINE_LAZYPOR,
    ENGINE_CEGAR,   /* so far as in the option table */
    ENGINE_SAMPLING /* a turn of auto */
} engine;

static engine chosen_engine(const options *o) {
    return (engine)o->value[OPTION_ENGINE].choice;
}

static por_kind chosen_por(const options *o) {
    por_kind por = POR_AUTO;
    por_from_name(o->value[OPTION_POR].written, &por);
    return por;
}

static match_kind chosen_match(const options *o) {
    match_kind match = MATCH_AUTO;
    match_from_name(o->value[OPTION_MATCH].written, &match);
    return match;
}

/* --- what goes together --------------------------------------------------------------------------------- */

static bool is_of_dpor(por_kind por) {
    return por == POR_PERSISTENT || por == POR_SOURCE || por == POR_OPTIMAL;
}

/* The engine that the given reduction or matcher belongs to; ENGINE_AUTO if they leave it open. */
static engine implied_engine(const options *o) {
    if (is_of_dpor(chosen_por(o))) return ENGINE_DPOR;
    bool matching = chosen_match(o) != MATCH_AUTO || o->value[OPTION_VISITED_MEMORY].given;
    bool ordered = o->value[OPTION_ORDER].given || o->value[OPTION_CHECK_REDUCTION].on;
    return chosen_por(o) != POR_AUTO || matching || ordered ? ENGINE_SEARCH : ENGINE_AUTO;
}

static engine decided_engine(const options *o, const program *p) {
    engine e = chosen_engine(o) == ENGINE_AUTO ? implied_engine(o) : chosen_engine(o);
    return e == ENGINE_AUTO && p->kernel == KERNEL_SYSTEMC ? ENGINE_SEARCH : e;
}

const char *engine_misfit(const options *o, const program *p) {
    engine e = decided_engine(o, p);
    por_kind por = chosen_por(o);
    if (e == ENGINE_CEGAR && por != POR_AUTO && por != POR_NONE && por != POR_PERSISTENT)
        return "engine cegar has the reductions none and persistent";
    if (p->kernel == KERNEL_SYSTEMC && e != ENGINE_SEARCH && e != ENGINE_CEGAR)
        return "engines dpor and lazypor explore programs with preemptive threads (C, dlang), not IVL";
    if (e == ENGINE_SEARCH && is_of_dpor(por)) return "this reduction belongs to engine dpor";
    bool preemptive = p->kernel == KERNEL_PREEMPTIVE;
    if (e == ENGINE_SEARCH && preemptive && por != POR_AUTO && por != POR_NONE && por != POR_AMPLE)
        return "engine search has the reduction ample for programs with preemptive threads (C, dlang)";
    if (!preemptive && por == POR_AMPLE)
        return "the reduction ample is for programs with preemptive threads (C, dlang)";
    if (e == ENGINE_DPOR && por != POR_AUTO && por != POR_NONE && !is_of_dpor(por))
        return "engine dpor has the reductions none, persistent, source and optimal";
    if (e == ENGINE_LAZYPOR && por != POR_AUTO) return "engine lazypor has one reduction, its own";
    bool stateless = e == ENGINE_DPOR || e == ENGINE_LAZYPOR;
    if (stateless && chosen_match(o) != MATCH_AUTO && chosen_match(o) != MATCH_NONE)
        return "engines dpor and lazypor match no states";
    if (o->value[OPTION_STATE_TRACKING].on && e != ENGINE_LAZYPOR)
        return "state-tracking belongs to engine lazypor";
    bool abstracts = o->value[OPTION_DOMAIN].choice || o->value[OPTION_PRUNE].choice ||
                     o->value[OPTION_SCOPE].choice || o->value[OPTION_BLOCKS].choice;
    if (abstracts && e != ENGINE_CEGAR) return "domain, prune, scope and blocks belong to engine cegar";
    return NULL;
}

/* --- one explorer --------------------------------------------------------------------------------------- */

static void run_engine(machine *m, engine e, const explore_options *how, outcome *out) {
    switch (e) {
    case ENGINE_DPOR: dpor_run(m, how, out); break;
    case ENGINE_LAZYPOR: lazypor_run(m, how, out); break;
    case ENGINE_CEGAR: cegar_run(m, how, out); break;
    case ENGINE_SAMPLING: sampling_run(m, how, out); break;
    default: search_run(m, how, out); break;
    }
}

/* --- auto ----------------------------------------------------------------------------------------------- */

static const char depth_limit[] = "depth limit";

/* The explorers of preemptive programs take turns, each with more time than before: which of them is the
 * right one shows late. dpor finds violations fast and proves programs whose executions end; search proves
 * what comes back to the same states; sampling proves nothing, but violations that many executions have it
 * finds at any depth. Shares of the time that is given, or of NOMINAL_SECONDS; the last has no end of its
 * own. */
typedef struct turn {
    engine engine;
    double share;
    uint64_t transitions; /* instead, with --deterministic */
} turn;

static const turn turns[] = {
    {ENGINE_DPOR, 0.01, 100000},   {ENGINE_SEARCH, 0.005, 3000}, {ENGINE_SAMPLING, 0.01, 50000},
    {ENGINE_SEARCH, 0.03, 200000}, {ENGINE_DPOR, 0.05, 500000},  {ENGINE_SAMPLING, 0.05, 200000},
    {ENGINE_SEARCH, 0.2, 1000000}, {ENGINE_DPOR, 0.2, 5000000},  {ENGINE_SEARCH, 1, 0}};

enum {
    NOMINAL_SECONDS = 60,
    FIRST_DEPTH = 10000, /* a longer execution of a preemptive program probably has no end */
    FEWEST_THREADS = 3,  /* for hunting, with main */
    MOST_THREADS = 9,
    HUNTING_TRANSITIONS = 200000
};

static bool has_doubt(const outcome *o, const char *reason) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (!strcmp(o->doubts.data[i].reason, reason)) return true;
    return false;
}

/* A loop within one step that repeats what it was: search stops in it and compares states. */
static bool is_for_search(const outcome *o) {
    return has_doubt(o, depth_limit) || has_doubt(o, MACHINE_TOO_MANY_PATHS);
}

typedef struct attempt_watch { /* when an explorer should make way for the next one */
    session *s;
    const outcome *out;
} attempt_watch;

static bool should_make_way(void *data) {
    attempt_watch *w = data;
    return is_for_search(w->out) || has_doubt(w->out, MACHINE_TOO_MANY_THREADS) || session_should_stop(w->s);
}

static explore_options limit_turn(const explore_options *how, const turn *t, double left, attempt_watch *w) {
    explore_options limited = *how;
    bool last = t->share >= 1;
    if (t->engine == ENGINE_DPOR) {
        limited.por = POR_OPTIMAL;
        if (!limited.max_depth) limited.max_depth = FIRST_DEPTH;
        limited.interrupted = should_make_way;
        limited.interrupted_data = w;
    }
    if (limited.deterministic) {
        if (!last && (!limited.max_transitions || limited.max_transitions > t->transitions))
            limited.max_transitions = t->transitions;
        return limited;
    }
    double seconds = last ? left : t->share * (how->seconds > 0 ? how->seconds : NOMINAL_SECONDS);
    limited.seconds = left > 0 && left < seconds ? left : seconds;
    return limited;
}

/* Whether what kept an explorer from an answer is something that another one, or more time, can overcome. */
static bool may_be_overcome(const outcome *o, bool of_dpor) {
    return outcome_verdict(o) == VERDICT_UNKNOWN && (!o->complete || (of_dpor && is_for_search(o)));
}

static void give_up(outcome *o, attempts *given_up) {
    bool deep = has_doubt(o, depth_limit);
    const char *reason = deep ? depth_limit : o->doubts.size ? o->doubts.data[0].reason : "not finished";
    vec_push(given_up, ((attempt){o->engine, o->por, o->match, reason, o->stats.seconds}));
    outcome_free(o);
    *o = (outcome){0};
}

/* A program that creates threads without end cannot be proved here, but most of its violations need few of
 * them. */
static void hunt_with_few_threads(session *s, const explore_options *how, double deadline, outcome *out,
                                  attempts *given_up) {
    for (uint32_t threads = FEWEST_THREADS; threads <= MOST_THREADS; threads++) {
        double left = deadline - clock_wall();
        if (session_should_stop(s) || (how->seconds > 0 && left <= 0)) return;
        machine_bound_threads(s->machine, threads);
        attempt_watch w = {s, out};
        turn t = {ENGINE_DPOR, 0.15, HUNTING_TRANSITIONS};
        explore_options limited = limit_turn(how, &t, how->seconds > 0 ? left : 0, &w);
        outcome found = {0};
        w.out = &found;
        dpor_run(s->machine, &limited, &found);
        if (outcome_verdict(&found) == VERDICT_UNSAFE) {
            give_up(out, given_up);
            *out = found;
            return;
        }
        outcome_free(&found);
    }
}

static void run_auto(session *s, const explore_options *how, outcome *out, attempts *given_up) {
    double deadline = clock_wall() + how->seconds;
    bool loops = false, forks = false, dpor = false;
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        const turn *t = &turns[k];
        if (t->engine == ENGINE_DPOR && loops) continue;
        if (t->engine == ENGINE_SAMPLING && how->all) continue; /* it would be taken for all there is */
        double left = how->seconds > 0 ? deadline - clock_wall() : 0;
        if (out->engine) {
            bool over = session_should_stop(s) || (how->seconds > 0 && left <= 0);
            if (over || !may_be_overcome(out, dpor)) break;
            give_up(out, given_up);
        }
        attempt_watch w = {s, out};
        explore_options limited = limit_turn(how, t, left, &w);
        if (forks && how->loop_heads_if_needed) limited.stops |= STOP_LOOP_HEAD;
        dpor = t->engine == ENGINE_DPOR;
        run_engine(s->machine, t->engine, &limited, out);
        loops |= dpor && is_for_search(out);
        forks |= has_doubt(out, MACHINE_TOO_MANY_PATHS);
        if (t->engine != ENGINE_SAMPLING && has_doubt(out, MACHINE_TOO_MANY_THREADS)) {
            hunt_with_few_threads(s, how, deadline, out, given_up);
            break;
        }
    }
}

void engine_run(session *s, const explore_options *how, outcome *out, attempts *given_up) {
    engine e = decided_engine(s->options, s->program);
    double begin = clock_wall(), cpu_begin = clock_cpu();
    if (e == ENGINE_AUTO)
        run_auto(s, how, out, given_up);
    else
        run_engine(s->machine, e, how, out);
    out->stats.seconds = clock_wall() - begin; /* of all attempts together */
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
}
