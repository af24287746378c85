/* The main loop: complete executions, one after another, each following a plan as far as it goes.
 *
 * The execution under way is a stack of nodes with snapshots. A new one branches off at the topmost node
 * where something is planned, so it costs its changed end. */
#include "lazypor/lazypor.h"

#include "base/clock.h"
#include "lazypor/internal.h"
#include "reduction/trace_class.h"

static const position nowhere = {0, 0};

/* --- the stack ------------------------------------------------------------------------------------------ */

static node *push_node(lazypor *x, state *s) {
    if (x->depth == x->nodes.size) vec_push(&x->nodes, (node){0});
    node *n = &x->nodes.data[x->depth++];
    n->s = s;
    n->explored = false;
    n->stepped = NO_INDEX;
    n->done_count = 0;
    n->planned = NO_INDEX;
    vec_clear(&n->delays);
    x->stats->states++;
    if (x->depth > x->stats->depth) x->stats->depth = x->depth;
    return n;
}

static void pop_node(lazypor *x) {
    node *n = &x->nodes.data[--x->depth];
    variation_forget(x, n->planned);
    n->planned = NO_INDEX;
    successors_clear(x->machine, &n->outcomes);
    state_release(x->machine, n->s);
    n->s = NULL;
}

static event *push_event(lazypor *x) {
    if (x->length == x->events.size) vec_push(&x->events, (event){0});
    vec_reserve(&x->clocks, (size_t)x->threads * (x->length + 1));
    event *e = &x->events.data[x->length++];
    e->begins = (uint32_t)x->dependencies.size;
    return e;
}

static void pop_event(lazypor *x) {
    event *e = &x->events.data[--x->length];
    x->last.data[e->did.thread] = e->previous;
    preference_moved(x, e->did.thread);
    x->dependencies.size = e->begins;
}

/* The event at the top was explored with everything behind it. */
static void retire_event(lazypor *x) {
    node *n = &x->nodes.data[x->length - 1];
    if (n->done_count == n->done.size) vec_push(&n->done, (action){0});
    action *slot = &n->done.data[n->done_count++], *did = &x->events.data[x->length - 1].did;
    action swap = *slot;
    *slot = *did;
    *did = swap;
    did->thread = slot->thread;
    pop_event(x);
}

static void inherit_delay(lazypor *x, node *to, delay d, const action *did) {
    const action *late = &x->nodes.data[d.node].done.data[d.index];
    if (late->thread != did->thread && !actions_conflict(late, did)) vec_push(&to->delays, d);
}

static void inherit_delays(lazypor *x, uint32_t from, const action *did) {
    node *n = &x->nodes.data[from], *to = &x->nodes.data[from + 1];
    for (size_t i = 0; i < n->delays.size; i++) inherit_delay(x, to, n->delays.data[i], did);
    for (uint32_t i = 0; i < n->done_count; i++) inherit_delay(x, to, (delay){from, i}, did);
}

/* --- the end of an execution ---------------------------------------------------------------------------- */

static void record_path(void *data, path *out) {
    const lazypor *x = data;
    for (uint32_t i = 0; i < x->length; i++) {
        const action *did = &x->events.data[i].did;
        vec_push(out, ((path_step){{did->thread, 0}, did->outcome}));
    }
}

static void record_trace(lazypor *x) {
    VEC(trace_event) events = {0};
    VEC(effect) effects = {0};
    vec_reserve(&effects, x->length);
    for (uint32_t i = 0; i < x->length; i++) {
        const action *did = &x->events.data[i].did;
        vec_push(&effects, ((effect){did->accesses.data, did->own, did->own}));
        vec_push(&events, ((trace_event){did->thread, did->outcome, false, &effects.data[i]}));
    }
    vec_push(&x->out->trace_classes, trace_class(events.data, events.size));
    vec_free(&events);
    vec_free(&effects);
}

/* Plans a variation for each dependency that is not covered yet. */
static void plan_variations(lazypor *x, const state *ending, bool cut_off) {
    size_t listed = x->dependencies.size;
    x->ending = ending;
    constraints_add_pending(x, ending, cut_off);
    for (size_t i = 0; i < x->dependencies.size; i++)
        if (!x->dependencies.data[i].settled) variation_plan(x, &x->dependencies.data[i]);
    x->dependencies.size = listed;
    x->ending = NULL;
    /* The first execution mostly shows who competes; knowing that, a better one to start from can be had. */
    if (x->stats->executions == 1 && listed && !x->knows_rivals) x->restart = x->knows_rivals = true;
}

static void finish_execution(lazypor *x, const state *ending, bool cut_off) {
    x->stats->executions++;
    if (x->options.dump_traces) record_trace(x);
    plan_variations(x, ending, cut_off);
}

/* --- one step ------------------------------------------------------------------------------------------- */

static void step(lazypor *x, node *n, uint32_t thread) {
    if (n->stepped == thread) return;
    successors_clear(x->machine, &n->outcomes);
    machine_step(x->machine, n->s, (transition){thread, 0}, &x->judge.how, &n->outcomes);
    n->stepped = thread;
    x->stats->transitions++;
    if (!limits_allow(&x->limits)) x->stop = true;
}

/* The step ended the execution. */
static void end_by_step(lazypor *x, const successor *s, bool several_could) {
    judge_step_end(&x->judge, s, record_path, x);
    bool cut_off = s->end != STEP_FINISHED || several_could;
    const node *n = lazypor_top(x);
    finish_execution(x, n->s, cut_off);
    if (s->end == STEP_FINISHED)
        retire_event(x);
    else
        pop_event(x);
}

static void go_on(lazypor *x, uint32_t from, state *to, uint32_t behind) {
    push_node(x, to)->planned = behind;
    inherit_delays(x, from, &x->events.data[from].did);
    if (!x->options.max_depth || x->depth <= x->options.max_depth) return;
    outcome_doubt(x->out, "depth limit", nowhere);
    finish_execution(x, to, true);
    pop_node(x);
    retire_event(x);
}

/* Takes an outcome of the next step of a thread from the top node, and then what is planned behind. */
static void take(lazypor *x, uint32_t thread, uint32_t outcome, uint32_t behind) {
    uint32_t from = x->depth - 1;
    node *n = &x->nodes.data[from];
    bool several_could = x->enabled.size > 1, first_time = n->stepped != thread;
    step(x, n, thread);
    if (!n->outcomes.size) outcome_doubt(x->out, "a step had no outcome", nowhere);
    if (x->stop || !n->outcomes.size) {
        variation_forget(x, behind);
        n->explored = true;
        return;
    }
    uint32_t count = (uint32_t)n->outcomes.size, index = outcome < count ? outcome : 0;
    successor *s = &n->outcomes.data[index];
    n->explored = true;
    x->stats->transitions += s->parts;
    if (x->options.observe) x->options.observe(x->options.observe_data, n->s, (transition){thread, 0}, s);
    event *e = push_event(x);
    operation_touched(x, n->s, thread, &n->outcomes, index, &e->did);
    e->did.touched.everything = s->end == STEP_FINISHED && several_could;
    e->previous = x->last.data[thread];
    x->last.data[thread] = from;
    preference_moved(x, thread);
    constraints_add_event(x);
    if (first_time && count > 1) variation_plan_outcomes(x, from, &e->did, count, behind);
    if (s->end != STEP_STOPPED) {
        variation_forget(x, behind);
        end_by_step(x, s, several_could);
        return;
    }
    state *to = state_share(s->to);
    if (count == 1) {
        successors_clear(x->machine, &n->outcomes);
        n->stepped = NO_INDEX;
    }
    constraints_note_threads(x, n->s, to, from);
    go_on(x, from, to, behind);
}

/* --- choosing ------------------------------------------------------------------------------------------- */

static bool is_enabled(const lazypor *x, uint32_t thread) {
    for (size_t i = 0; i < x->enabled.size; i++)
        if (x->enabled.data[i].thread == thread) return true;
    return false;
}

/* Takes the first planned step that can be. False: there is none. */
static bool follow_plan(lazypor *x, node *n) {
    while (n->planned != NO_INDEX) {
        uint32_t first = n->planned;
        plan *p = &x->plans.data[first];
        uint32_t thread = p->step.thread, outcome = p->step.outcome, behind = p->behind;
        n->planned = p->beside;
        variation_forget_step(x, first);
        if (is_enabled(x, thread)) {
            take(x, thread, outcome, behind);
            return true;
        }
        variation_forget(x, behind);
    }
    return false;
}

/* State tracking: whether the execution needs not be completed from here. */
static bool is_tracked(lazypor *x, const node *n) {
    if (!x->options.state_tracking || x->depth == 1) return false;
    uint64_t hash = state_hash(n->s, HASH_EXACT);
    if (map_get(&x->visited, hash) != MAP_NONE) return true;
    map_put(&x->visited, hash, 1);
    return false;
}

static void leave_node(lazypor *x) {
    pop_node(x);
    if (x->length) retire_event(x);
}

static void visit_top(lazypor *x) {
    node *n = lazypor_top(x);
    if (n->explored && n->planned == NO_INDEX) {
        leave_node(x);
        return;
    }
    vec_clear(&x->enabled);
    machine_enabled(x->machine, n->s, &x->enabled);
    bool at_end = !x->enabled.size && !n->explored;
    if (at_end) judge_standstill(&x->judge, n->s, record_path, x);
    if (at_end) finish_execution(x, n->s, false);
    if (follow_plan(x, n)) return;
    if (n->explored || at_end) {
        leave_node(x);
        return;
    }
    if (is_tracked(x, n)) {
        x->stats->matched++;
        finish_execution(x, n->s, false);
        leave_node(x);
        return;
    }
    vec_clear(&n->delays); /* empty already, unless a plan met other values than foreseen */
    take(x, preference_choose(x, n->s), ANY_OUTCOME, NO_INDEX);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void explore(lazypor *x) {
    state *initial = machine_initial(x->machine);
    constraints_note_threads(x, NULL, initial, NO_INDEX);
    push_node(x, initial);
    while (x->depth && !x->stop && !x->judge.stop && !x->restart) visit_top(x);
    while (x->depth) pop_node(x);
    while (x->length) pop_event(x);
}

static void free_actions(action *list, size_t count) {
    for (size_t i = 0; i < count; i++) vec_free(&list[i].accesses);
}

static void tear_down(lazypor *x) {
    for (size_t i = 0; i < x->nodes.size; i++) {
        node *n = &x->nodes.data[i];
        successors_free(x->machine, &n->outcomes);
        free_actions(n->done.data, n->done.size);
        vec_free(&n->done);
        vec_free(&n->delays);
    }
    for (size_t i = 0; i < x->events.size; i++) vec_free(&x->events.data[i].did.accesses);
    for (size_t i = 0; i < x->plans.size; i++) vec_free(&x->plans.data[i].step.accesses);
    for (size_t i = 0; i < x->may_touch.size; i++) vec_free(&x->may_touch.data[i]);
    vec_free(&x->nodes);
    vec_free(&x->events);
    vec_free(&x->dependencies);
    vec_free(&x->clocks);
    vec_free(&x->last);
    vec_free(&x->born);
    vec_free(&x->row);
    vec_free(&x->plans);
    vec_free(&x->open);
    vec_free(&x->sequence);
    vec_free(&x->taken);
    vec_free(&x->needed);
    vec_free(&x->swapped.accesses);
    vec_free(&x->may_touch);
    vec_free(&x->mixed);
    vec_free(&x->outlooks);
    vec_free(&x->enabled);
    effect_free(&x->guard);
    map_free(&x->footprints);
    map_free(&x->visited);
    map_free(&x->contested);
}

void lazypor_run(machine *m, const explore_options *options, outcome *out) {
    lazypor x = {.machine = m, .options = *options, .out = out, .stats = &out->stats, .spare = NO_INDEX};
    x.options.stops = STOP_VISIBLE;
    x.judge = judge_create(m, &x.options, out);
    x.limits = limits_start(m, &x.options, out);
    out->engine = "lazypor";
    out->por = "lazypor";
    out->match = match_name(MATCH_NONE);
    out->stops = STOP_VISIBLE;
    if (options->state_tracking)
        outcome_doubt(out, "state tracking gives up executions that may lead to more", nowhere);
    if (options->properties & PROPERTY_RACE)
        outcome_doubt(out, "engine lazypor does not look for data races", nowhere);
    do {
        x.restart = false;
        out->stats.executions = 0;
        map_clear(&x.visited);
        explore(&x);
    } while (x.restart && !x.stop && !x.judge.stop);
    out->complete = !x.stop && !x.judge.stop;
    limits_refresh(&x.limits);
    judge_sort_traces(out);
    tear_down(&x);
}
