#include "api/session.h"

#include "base/clock.h"

/* --- running -------------------------------------------------------------------------------------------- */

static bool was_interrupted(const run_control *c) {
    return atomic_load_explicit(c->interrupted, memory_order_relaxed);
}

static bool is_past_deadline(const run_control *c) {
    return c->deadline > 0 && clock_wall() + c->afterwards > c->deadline;
}

static double most_afterwards(const run_control *c) {
    static const double share = 0.2;
    return (c->deadline - c->begun) * share;
}

/* What was allocated has to be freed, too, before the time is over; and between two looks memory grows. */
static void look_at_memory(run_control *c) {
    enum { LOOKS_PER_SECOND = 50 };
    static const double seconds_per_byte = 1.5e-9, nearly_all = 0.98;
    double now = clock_wall();
    if (now < c->next_look) return;
    c->next_look = now + 1.0 / LOOKS_PER_SECOND;
    size_t bytes = memory_in_use();
    c->afterwards = (double)bytes * seconds_per_byte;
    if (c->afterwards > most_afterwards(c)) c->afterwards = most_afterwards(c);
    if (c->most_bytes && (double)bytes > nearly_all * (double)c->most_bytes) c->memory_is_up = true;
}

static bool is_out_of_memory(run_control *c) {
    if (c->most_bytes || c->deadline > 0) look_at_memory(c);
    return c->memory_is_up;
}

bool session_memory_is_up(const session *s) {
    return s->control.memory_is_up;
}

bool session_time_is_up(const session *s) {
    return is_past_deadline(&s->control) && !was_interrupted(&s->control);
}

session_stop session_stopped_by(const session *s) {
    const run_control *c = &s->control;
    if (was_interrupted(c)) return STOPPED_BY_USER;
    bool time_is_near = c->deadline > 0 && clock_wall() + 2 * most_afterwards(c) > c->deadline;
    return c->memory_is_up || (c->most_bytes && !time_is_near) ? STOPPED_BY_MEMORY : STOPPED_BY_TIME;
}

static bool should_stop(void *data) {
    run_control *c = data;
    return was_interrupted(c) || is_out_of_memory(c) || is_past_deadline(c);
}

/* What an explorer cannot look up from: a long step, a hard query. */
static bool should_stop_inside(void *data) {
    run_control *c = data;
    return should_stop(data) || (c->turn_end > 0 && clock_wall() > c->turn_end);
}

void session_limit_turn(session *s, double seconds) {
    s->control.turn_end = seconds > 0 ? clock_wall() + seconds : 0;
}

bool session_should_stop(void *s) {
    return should_stop(&((session *)s)->control);
}

static bool is_on(const options *o, option_id id) {
    return o->value[id].on;
}

enum {
    DETERMINISTIC_CONFLICTS = 2000000
}; /* per query: some ten seconds, in a measure that every machine shares */

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
    chosen.interrupted = should_stop_inside;
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
    chosen.interrupted = should_stop_inside;
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
    enum { STOPS_AUTO, STOPS_VISIBLE, STOPS_LOOPS, STOPS_STATEMENTS } where = o->value[OPTION_STOPS].choice;
    chosen.stops = where == STOPS_LOOPS        ? STOP_LOOP_HEAD
                   : where == STOPS_STATEMENTS ? STOP_STATEMENT
                                               : STOP_VISIBLE;
    chosen.weight = (uint32_t)o->value[OPTION_WEIGHT].number;
    chosen.guide = (guide_kind)o->value[OPTION_GUIDE].choice;
    chosen.loop_heads_if_needed = where == STOPS_AUTO;
    chosen.properties = s->inquiry->spec.properties;
    chosen.note_races = s->inquiry->language == LANGUAGE_LLVM && !s->inquiry->of_task &&
                        s->program->kernel == KERNEL_PREEMPTIVE && !(chosen.properties & PROPERTY_RACE);
    enum { MODEL_DECLARED, MODEL_SC } model = o->value[OPTION_MEMORY_MODEL].choice;
    chosen.sequentially_consistent = model == MODEL_SC;
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
    chosen.interrupted = should_stop;
    chosen.interrupted_data = &s->control;
    return chosen;
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
