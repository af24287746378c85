#include "api/engine.h"

#include "base/clock.h"
#include "dpor/dpor.h"
#include "lazypor/lazypor.h"
#include "search/search.h"

typedef enum { ENGINE_AUTO, ENGINE_SEARCH, ENGINE_DPOR, ENGINE_LAZYPOR } engine; /* as in the option table */

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
    if (p->kernel == KERNEL_SYSTEMC && e != ENGINE_SEARCH)
        return "engines dpor and lazypor explore programs with preemptive threads (C, dlang), not IVL";
    if (e == ENGINE_SEARCH && is_of_dpor(por)) return "this reduction belongs to engine dpor";
    bool preemptive = p->kernel == KERNEL_PREEMPTIVE;
    if (e == ENGINE_SEARCH && preemptive && por != POR_AUTO && por != POR_NONE && por != POR_AMPLE)
        return "engine search has the reduction ample for programs with preemptive threads (C, dlang)";
    if (!preemptive && por == POR_AMPLE)
        return "the reduction ample is for programs with preemptive threads (C, dlang)";
    if (e == ENGINE_DPOR && por != POR_AUTO && !is_of_dpor(por))
        return "engine dpor has the reductions persistent, source and optimal";
    if (e == ENGINE_LAZYPOR && por != POR_AUTO) return "engine lazypor has one reduction, its own";
    bool stateless = e == ENGINE_DPOR || e == ENGINE_LAZYPOR;
    if (stateless && chosen_match(o) != MATCH_AUTO && chosen_match(o) != MATCH_NONE)
        return "engines dpor and lazypor match no states";
    if (o->value[OPTION_STATE_TRACKING].on && e != ENGINE_LAZYPOR)
        return "state-tracking belongs to engine lazypor";
    return NULL;
}

/* --- one explorer --------------------------------------------------------------------------------------- */

static void run_engine(machine *m, engine e, const explore_options *how, outcome *out) {
    switch (e) {
    case ENGINE_DPOR: dpor_run(m, how, out); break;
    case ENGINE_LAZYPOR: lazypor_run(m, how, out); break;
    default: search_run(m, how, out); break;
    }
}

/* --- auto ----------------------------------------------------------------------------------------------- */

static const char depth_limit[] = "depth limit";

enum {
    FIRST_DEPTH = 10000,         /* a longer execution of a preemptive program probably has no end */
    FIRST_TRANSITIONS = 5000000, /* instead of a share of the time, with --deterministic */
    FIRST_SECONDS = 60           /* without a time limit */
};

typedef struct first_try { /* when the first explorer should make way for the second */
    session *s;
    const outcome *out;
} first_try;

static bool is_too_deep(const outcome *o) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (!strcmp(o->doubts.data[i].reason, depth_limit)) return true;
    return false;
}

static bool should_make_way(void *data) {
    first_try *t = data;
    return is_too_deep(t->out) || session_should_stop(t->s);
}

static explore_options limit_first_try(const explore_options *how, first_try *t) {
    explore_options limited = *how;
    limited.por = POR_OPTIMAL;
    if (!limited.max_depth) limited.max_depth = FIRST_DEPTH;
    if (limited.deterministic && !limited.max_transitions) limited.max_transitions = FIRST_TRANSITIONS;
    if (!limited.deterministic) limited.seconds = limited.seconds > 0 ? limited.seconds / 2 : FIRST_SECONDS;
    limited.interrupted = should_make_way;
    limited.interrupted_data = t;
    return limited;
}

/* Whether what kept the first explorer from an answer is something that storing states can overcome. */
static bool should_try_search(session *s, const explore_options *how, const outcome *o) {
    bool open = outcome_verdict(o) == VERDICT_UNKNOWN && (!o->complete || is_too_deep(o));
    bool can_judge = !(how->properties & PROPERTY_RACE); /* races need the order of events, not states */
    return open && can_judge && !session_should_stop(s);
}

static void give_up(outcome *o, attempts *given_up) {
    bool deep = is_too_deep(o);
    const char *reason = deep ? depth_limit : o->doubts.size ? o->doubts.data[0].reason : "not finished";
    vec_push(given_up, ((attempt){o->engine, o->por, o->match, reason, o->stats.seconds}));
    outcome_free(o);
    *o = (outcome){0};
}

static void run_auto(session *s, const explore_options *how, outcome *out, attempts *given_up) {
    double begin = clock_wall();
    first_try t = {s, out};
    explore_options first = limit_first_try(how, &t);
    dpor_run(s->machine, &first, out);
    if (!should_try_search(s, how, out)) return;
    give_up(out, given_up);
    explore_options second = *how;
    if (second.seconds > 0) second.seconds -= clock_wall() - begin;
    search_run(s->machine, &second, out);
}

void engine_run(session *s, const explore_options *how, outcome *out, attempts *given_up) {
    engine e = decided_engine(s->options, s->program);
    double begin = clock_wall(), cpu_begin = clock_cpu();
    if (e == ENGINE_AUTO)
        run_auto(s, how, out, given_up);
    else
        run_engine(s->machine, e, how, out);
    bool blind = out->engine && !strcmp(out->engine, "search") && s->program->kernel == KERNEL_PREEMPTIVE;
    if (blind && how->properties & PROPERTY_RACE)
        outcome_doubt(out, "engine search does not look for data races", (position){0, 0});
    out->stats.seconds = clock_wall() - begin; /* of all attempts together */
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
}
