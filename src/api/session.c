#include "api/session.h"

#include "base/clock.h"
#include "machine/setup.h"

static bool is_on(const options *o, option_id id) {
    return o->value[id].on;
}

/* Per query: some ten seconds, in a measure that every machine shares. */
enum { DETERMINISTIC_CONFLICTS = 2000000 };

static solver_options choose_solver_options(session *s) {
    const options *o = s->options;
    solver_options chosen = solver_default_options();
    chosen.slicing = is_on(o, OPTION_SLICING);
    chosen.model_reuse = is_on(o, OPTION_MODEL_REUSE);
    chosen.cache = is_on(o, OPTION_QUERY_CACHE);
    chosen.incremental = is_on(o, OPTION_INCREMENTAL);
    chosen.z3 = is_on(o, OPTION_Z3);
    chosen.query_seconds = o->value[OPTION_QUERY_TIME].seconds;
    if (is_on(o, OPTION_DETERMINISTIC)) {
        chosen.z3 = false; /* its only limit is the clock */
        chosen.query_seconds = 0;
        chosen.query_conflicts = DETERMINISTIC_CONFLICTS;
    }
    chosen.cross_check = s->certifies && is_on(o, OPTION_CROSS_CHECK);
    chosen.interrupted = control_should_stop_inside;
    chosen.interrupted_data = &s->control;
    return chosen;
}

static machine_options choose_machine_options(session *s) {
    const options *o = s->options;
    machine_options chosen = machine_default_options();
    chosen.step_instructions = o->value[OPTION_STEP_LIMIT].number;
    chosen.step_forks = o->value[OPTION_PATH_LIMIT].number;
    chosen.threads = (uint32_t)o->value[OPTION_THREADS].number;
    chosen.unwind = (uint32_t)o->value[OPTION_UNWIND].number;
    chosen.sim_time = o->value[OPTION_SIM_TIME].number;
    chosen.context_bound = (uint32_t)o->value[OPTION_CONTEXT_BOUND].number;
    chosen.sleep_spins = is_on(o, OPTION_SLEEP_SPINS);
    chosen.exit_anywhere = chosen.check_leaks = s->inquiry->spec.properties & PROPERTY_LEAK;
    /* Where nobody asks about memory, what a bad read gives only has to be harmless whatever it is. A race
     * or a leak could still be hidden by it. */
    chosen.unknown_outside =
        !(s->inquiry->spec.properties & (PROPERTY_MEMORY | PROPERTY_RACE | PROPERTY_LEAK));
    chosen.blocked_at_exit =
        is_on(o, OPTION_BLOCKED_AT_EXIT) && s->inquiry->spec.properties & PROPERTY_DEADLOCK;
    chosen.spinning_at_exit =
        is_on(o, OPTION_BLOCKED_AT_EXIT) && s->inquiry->spec.properties & PROPERTY_LIVELOCK;
    enum { HEAP_EXACT, HEAP_TYPED, HEAP_NONE } heap = o->value[OPTION_HEAP].choice;
    chosen.placement = heap == HEAP_EXACT   ? PLACE_NOWHERE
                       : heap == HEAP_TYPED ? PLACE_BY_TYPE
                                            : PLACE_FIRST_FREE;
    chosen.path_gc = is_on(o, OPTION_PATH_GC);
    chosen.clear_dead = is_on(o, OPTION_DEAD_CLEARING);
    chosen.checks_cut = is_on(o, OPTION_ALL) || !(s->inquiry->spec.properties & PROPERTY_ASSERT);
    chosen.interrupted = control_should_stop_inside;
    chosen.interrupted_data = &s->control;
    return chosen;
}

static void prepare_to_run(session *s) {
    s->terms = terms_create();
    terms_set_simplify(s->terms, is_on(s->options, OPTION_SIMPLIFY));
    solver_options solver_choice = choose_solver_options(s);
    s->solver = solver_create(s->terms, &solver_choice);
    machine_options machine_choice = choose_machine_options(s);
    s->machine = machine_create(s->program, s->terms, s->solver, &machine_choice);
}

void session_open(session *s, program *p, const options *o, const inquiry *q, const atomic_bool *interrupted,
                  double begun) {
    double seconds = o->value[OPTION_TIME].seconds;
    *s = (session){.options = o, .inquiry = q, .program = p};
    s->control = (run_control){.interrupted = interrupted,
                               .begun = begun,
                               .deadline = seconds > 0 ? begun + seconds : 0,
                               .most_bytes = o->value[OPTION_MEMORY].number};
    s->certifies = q->has_certificate;
    if (s->control.most_bytes) memory_give_back(); /* of an earlier run in the same process */
    prepare_to_run(s);
}

void session_open_again(session *s, const session *first) {
    assert(!first->borrows_program); /* which outlives this one */
    *s = *first;
    s->certifies = s->borrows_program = true;
    prepare_to_run(s);
}

void session_close(session *s) {
    machine_destroy(s->machine);
    solver_destroy(s->solver);
    terms_destroy(s->terms);
    if (!s->borrows_program) program_destroy(s->program);
}

/* Compiling took some of the time that the user gave. */
static double seconds_left(const session *s) {
    static const double least = 1e-3; /* 0 would mean no limit */
    if (s->control.deadline <= 0) return 0;
    double left = s->control.deadline - clock_wall();
    return left > least ? left : least;
}

explore_options session_explore_options(session *s) {
    const options *o = s->options;
    explore_options chosen = explore_default_options();
    por_from_name(o->value[OPTION_POR].written, &chosen.por);
    match_from_name(o->value[OPTION_MATCH].written, &chosen.match);
    chosen.order = (search_order)o->value[OPTION_ORDER].choice;
    stops_kind where = (stops_kind)o->value[OPTION_STOPS].choice;
    chosen.stops = where == STOPS_LOOPS        ? STOP_LOOP_HEAD
                   : where == STOPS_STATEMENTS ? STOP_STATEMENT
                                               : STOP_VISIBLE;
    chosen.weight = (uint32_t)o->value[OPTION_WEIGHT].number;
    chosen.guide = (guide_kind)o->value[OPTION_GUIDE].choice;
    chosen.loop_heads_if_needed = where == STOPS_AUTO;
    chosen.properties = s->inquiry->spec.properties;
    chosen.unasked = ~s->inquiry->spec.kinds;
    chosen.note_races = s->inquiry->frontend->may_race && !s->inquiry->of_task &&
                        program_kernel(s->program)->accesses_may_race && !(chosen.properties & PROPERTY_RACE);
    chosen.memory = (memory_model)o->value[OPTION_MEMORY_MODEL].choice;
    chosen.state_tracking = is_on(o, OPTION_STATE_TRACKING);
    chosen.abstraction = (abstraction_options){.domain = (abstract_domain)o->value[OPTION_DOMAIN].choice,
                                               .prune = (prune_kind)o->value[OPTION_PRUNE].choice,
                                               .scope = (precision_scope)o->value[OPTION_SCOPE].choice,
                                               .blocks = (block_kind)o->value[OPTION_BLOCKS].choice};
    chosen.all = is_on(o, OPTION_ALL);
    chosen.deterministic = is_on(o, OPTION_DETERMINISTIC);
    chosen.check_reduction = is_on(o, OPTION_CHECK_REDUCTION);
    chosen.time_abstraction = is_on(o, OPTION_TIME_ABSTRACTION);
    chosen.visited = (visited_kind)o->value[OPTION_VISITED].choice;
    chosen.chain = o->value[OPTION_CHAIN].number;
    chosen.visited_bytes = o->value[OPTION_VISITED_MEMORY].number;
    chosen.max_transitions = o->value[OPTION_MAX_TRANSITIONS].number;
    chosen.max_states = o->value[OPTION_MAX_STATES].number;
    chosen.max_depth = o->value[OPTION_MAX_DEPTH].number;
    chosen.seconds = seconds_left(s);
    chosen.bytes = o->value[OPTION_MEMORY].number;
    chosen.dump_traces = *o->value[OPTION_DUMP_TRACES].written != 0;
    chosen.interrupted = control_should_stop;
    chosen.interrupted_data = &s->control;
    return chosen;
}

strategy session_strategy(session *s) {
    const option_value *v = s->options->value;
    return (strategy){.machine = s->machine,
                      .control = &s->control,
                      .memory = &s->program->memory,
                      .jobs = v[OPTION_JOBS].number,
                      .bounded = v[OPTION_UNWIND].number || v[OPTION_CONTEXT_BOUND].number ||
                                 v[OPTION_SIM_TIME].number,
                      .stays_in_one_process = s->stays_in_one_process};
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static json_t *bound_json(uint64_t n) {
    return n ? json_integer((json_int_t)n) : json_null();
}
static json_t *seconds_json(double s) {
    return s > 0 ? json_real(s) : json_null();
}

json_t *session_bounds_json(const options *o) {
    bool clockless = is_on(o, OPTION_DETERMINISTIC);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "seconds",
                     seconds_json(o->value[OPTION_TIME].seconds), "memory_bytes",
                     bound_json(o->value[OPTION_MEMORY].number), "transitions",
                     bound_json(o->value[OPTION_MAX_TRANSITIONS].number), "states",
                     bound_json(o->value[OPTION_MAX_STATES].number), "depth",
                     bound_json(o->value[OPTION_MAX_DEPTH].number), "query_seconds",
                     clockless ? json_null() : seconds_json(o->value[OPTION_QUERY_TIME].seconds),
                     "step_instructions", bound_json(o->value[OPTION_STEP_LIMIT].number), "unwind",
                     bound_json(o->value[OPTION_UNWIND].number), "context_switches",
                     bound_json(o->value[OPTION_CONTEXT_BOUND].number), "threads",
                     bound_json(o->value[OPTION_THREADS].number), "simulated_time",
                     bound_json(o->value[OPTION_SIM_TIME].number));
}
