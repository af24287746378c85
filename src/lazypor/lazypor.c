/* The main loop: complete executions, one after another, each following a plan as far as it goes.
 *
 * The execution under way is a stack of nodes with snapshots. A new one branches off at the topmost node
 * where something is planned, so it costs its changed end. */
#include "lazypor/lazypor.h"

#include "base/hash.h"
#include "lazypor/internal.h"
#include "reduction/trace_class.h"

static const position nowhere = {0, 0};

enum {
    DEFAULT_DEPTH = 100000, /* a longer execution probably has no end */
    FIRST_PATIENCE = 8 /* executions; doubled with each restart, so these cost no more than the last run */
};

/* --- the stack ------------------------------------------------------------------------------------------ */

static node *push_node(lazypor *x, state *s) {
    if (x->depth == x->nodes.size) vec_push(&x->nodes, (node){0});
    node *n = &x->nodes.data[x->depth++];
    n->s = s;
    n->looked_at = n->explored = false;
    n->stepped = NO_INDEX;
    n->planned = NO_INDEX;
    vec_clear(&n->covered);
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

/* The step of a thread from the top node had this outcome. */
static void push_event(lazypor *x, uint32_t thread, uint32_t outcome) {
    const node *n = lazypor_top(x);
    if (x->length == x->events.size) vec_push(&x->events, (event){0});
    vec_reserve(&x->clocks, (size_t)x->threads * (x->length + 1));
    x->events.data[x->length] = (event){.did = operation_done(x, n->s, thread, &n->outcomes, outcome),
                                        .thread = thread,
                                        .step = n->outcomes.data[outcome].step,
                                        .forked = n->outcomes.size > 1,
                                        .previous = x->last.data[thread],
                                        .begins = (uint32_t)x->dependencies.size};
    x->last.data[thread] = x->length++;
    preference_moved(x, thread);
    constraints_add_event(x);
}

static void pop_event(lazypor *x) {
    event *e = &x->events.data[--x->length];
    x->last.data[e->thread] = e->previous;
    preference_moved(x, e->thread);
    x->dependencies.size = e->begins;
}

static bool other_outcomes_wait(const lazypor *x, const node *n) {
    return n->stepped != NO_INDEX && n->planned != NO_INDEX &&
           x->plans.data[n->planned].outcome != ANY_OUTCOME;
}

/* The event at the top was explored with everything behind it. */
static void retire_event(lazypor *x) {
    node *n = &x->nodes.data[x->length - 1];
    if (!other_outcomes_wait(x, n)) vec_push(&n->covered, x->events.data[x->length - 1].did);
    pop_event(x);
}

/* What is covered at a node is so behind it, until something happens that depends on it. */
static void inherit_covered(lazypor *x, uint32_t from) {
    const node *n = &x->nodes.data[from];
    node *to = &x->nodes.data[from + 1];
    const action *did = event_action(x, from);
    for (size_t i = 0; i < n->covered.size; i++) {
        const action *covered = &x->actions.data[n->covered.data[i]];
        if (covered->thread != did->thread && !actions_conflict(x, covered, did))
            vec_push(&to->covered, n->covered.data[i]);
    }
}

/* --- the end of an execution ---------------------------------------------------------------------------- */

static void record_path(void *data, path *out) {
    const lazypor *x = data;
    for (uint32_t i = 0; i < x->length; i++) vec_push(out, x->events.data[i].step);
}

/* One number for the trace. Which outcomes were taken shows in the last state; their indices depend on the
 * order of independent steps, because path conditions rule outcomes out. */
static void record_trace(lazypor *x, const state *end) {
    VEC(trace_event) events = {0};
    VEC(effect) effects = {0};
    bool forked = false;
    vec_reserve(&effects, x->length);
    for (uint32_t i = 0; i < x->length; i++) {
        const action *did = event_action(x, i);
        effect touched = {x->accesses.data + did->touched.begin, did->own, did->own};
        vec_push(&effects, touched);
        bool orders_all = did->touched.everything && !x->waits_for_end;
        vec_push(&events, ((trace_event){did->thread, 0, orders_all, &effects.data[i]}));
        forked |= x->events.data[i].forked;
    }
    uint64_t hash = trace_class(events.data, events.size);
    if (forked) hash = hash_pair(hash, state_hash(end, HASH_EXACT));
    vec_push(&x->out->trace_classes, hash);
    vec_free(&events);
    vec_free(&effects);
}

/* An operation was used although it can touch more than was known. What was left out because of that cannot
 * be told, so it all starts again; not at once, since there may be more to learn. */
static void restart_if_learned(lazypor *x) {
    if (!x->learned || x->stats->executions < x->patience) return;
    x->patience *= 2;
    x->restart = true;
}

/* Plans a variation for each dependency that is not covered yet. `ending`: the last state in which threads
 * were looked at. */
static void plan_variations(lazypor *x, const state *ending, bool cut_off) {
    x->stats->executions++;
    x->ending = ending;
    size_t listed = x->dependencies.size;
    constraints_add_pending(x, ending, cut_off);
    for (size_t i = 0; i < x->dependencies.size; i++)
        if (!x->dependencies.data[i].settled) variation_plan(x, &x->dependencies.data[i]);
    x->dependencies.size = listed;
    x->ending = NULL;
    /* The first execution mostly shows who competes; knowing that, a better one to start from can be had. */
    if (listed && !x->knows_rivals) x->restart = x->knows_rivals = true;
    restart_if_learned(x);
}

/* --- one step ------------------------------------------------------------------------------------------- */

static void step(lazypor *x, node *n, uint32_t thread) {
    if (n->stepped == thread) return;
    successors_clear(x->machine, &n->outcomes);
    machine_step_thread(x->machine, n->s, thread, &x->judge.how, &n->outcomes);
    n->stepped = thread;
    x->stats->transitions++;
    if (!n->outcomes.size) outcome_doubt(x->out, REASON_NO_OUTCOME, nowhere);
    if (!limits_allow(&x->limits)) x->stop = true;
}

static void note_fork(lazypor *x, const successors *list) {
    unsigned choices = 0; /* an outcome that ends in a violation is a report */
    for (size_t i = 0; i < list->size; i++) choices += list->data[i].end != STEP_VIOLATION;
    if (choices < 2 || x->forks) return;
    x->forks = true;
    x->restart = x->stats->executions > 0; /* what was concluded about independent plans does not hold */
}

static void end_by_step(lazypor *x, const successor *s) {
    const node *n = lazypor_top(x);
    judge_step_end(&x->judge, s, record_path, x);
    if (s->end == STEP_FINISHED && x->options.dump_traces) record_trace(x, s->to);
    uint32_t thread = x->events.data[x->length - 1].thread;
    plan_variations(x, n->s, judge_cuts_off_others(&x->judge, n->s, thread, s));
    /* A step that cuts others off conflicts with everything, so it covers nothing but itself. */
    retire_event(x);
}

static void go_on(lazypor *x, uint32_t from, state *to, uint32_t behind) {
    push_node(x, to)->planned = behind;
    inherit_covered(x, from);
    if (x->depth <= x->options.max_depth) return;
    outcome_doubt(x->out, REASON_DEPTH, nowhere);
    plan_variations(x, to, false);
    pop_node(x);
    retire_event(x);
}

/* Takes an outcome of the next step of a thread from the top node, and then what is planned behind. */
static void take(lazypor *x, uint32_t thread, uint32_t outcome, uint32_t behind) {
    uint32_t from = x->depth - 1;
    node *n = &x->nodes.data[from];
    bool first_time = n->stepped != thread;
    step(x, n, thread);
    n->explored = true;
    if (x->stop || !n->outcomes.size) {
        variation_forget(x, behind);
        return;
    }
    uint32_t count = (uint32_t)n->outcomes.size, index = outcome < count ? outcome : 0;
    successor *s = &n->outcomes.data[index];
    x->stats->transitions += s->parts;
    explore_note_step(x->machine, &x->options, n->s, s);
    push_event(x, thread, index);
    if (first_time && count > 1) {
        note_fork(x, &n->outcomes);
        variation_plan_outcomes(x, from, index, count, behind);
    }
    if (s->end != STEP_STOPPED) {
        variation_forget(x, behind);
        end_by_step(x, s);
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

static bool is_enabled(const node *n, uint32_t thread) {
    for (size_t i = 0; i < n->enabled.size; i++)
        if (n->enabled.data[i].thread == thread) return true;
    return false;
}

/* Whether the next step of a thread was explored at an earlier node, and nothing changed for it since. */
static bool is_covered(const lazypor *x, const node *n, uint32_t thread) {
    for (size_t i = 0; i < n->covered.size; i++)
        if (x->actions.data[n->covered.data[i]].thread == thread) return true;
    return false;
}

/* There are such threads only if a plan met other values than foreseen: else it ends where each covered step
 * was disturbed. If there is no other one, what could come now is covered. */
static void leave_out_covered(const lazypor *x, node *n) {
    size_t kept = 0;
    for (size_t i = 0; i < n->enabled.size; i++)
        if (!is_covered(x, n, n->enabled.data[i].thread)) n->enabled.data[kept++] = n->enabled.data[i];
    n->enabled.size = kept;
}

/* Takes the first planned step that can be. False: there is none. */
static bool follow_plan(lazypor *x, node *n) {
    while (n->planned != NO_INDEX) {
        uint32_t first = n->planned;
        plan *p = &x->plans.data[first];
        uint32_t thread = x->actions.data[p->step].thread, outcome = p->outcome, behind = p->behind;
        n->planned = p->beside;
        variation_forget_step(x, first);
        if (is_enabled(n, thread) && !is_covered(x, n, thread)) {
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

static void look_at(lazypor *x, node *n) {
    if (n->looked_at) return;
    vec_clear(&n->enabled);
    machine_enabled(x->machine, n->s, &n->enabled);
    n->looked_at = true;
}

static void visit_top(lazypor *x) {
    node *n = lazypor_top(x);
    if (n->explored && n->planned == NO_INDEX) {
        leave_node(x);
        return;
    }
    look_at(x, n);
    if (!n->enabled.size) {
        judge_standstill(&x->judge, n->s, record_path, x);
        if (x->options.dump_traces) record_trace(x, n->s);
        plan_variations(x, n->s, false);
        leave_node(x);
        return;
    }
    if (follow_plan(x, n)) return;
    if (n->explored) {
        leave_node(x);
        return;
    }
    if (is_tracked(x, n)) {
        x->stats->matched++;
        plan_variations(x, n->s, false);
        leave_node(x);
        return;
    }
    leave_out_covered(x, n);
    if (n->enabled.size) {
        take(x, preference_choose(x, n), ANY_OUTCOME, NO_INDEX);
        return;
    }
    x->stats->executions++;
    x->stats->blocked_executions++;
    leave_node(x);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void explore(lazypor *x) {
    state *initial = machine_initial(x->machine, x->options.stops);
    constraints_note_threads(x, NULL, initial, NO_INDEX);
    push_node(x, initial);
    while (x->depth && !x->stop && !x->judge.stop && !x->restart) visit_top(x);
    while (x->depth) pop_node(x);
    while (x->length) pop_event(x);
}

static void tear_down(lazypor *x) {
    for (size_t i = 0; i < x->nodes.size; i++) {
        successors_free(x->machine, &x->nodes.data[i].outcomes);
        vec_free(&x->nodes.data[i].covered);
        vec_free(&x->nodes.data[i].enabled);
    }
    for (size_t i = 0; i < x->may_touch.size; i++) vec_free(&x->may_touch.data[i]);
    vec_free(&x->nodes);
    vec_free(&x->events);
    vec_free(&x->dependencies);
    vec_free(&x->plans);
    vec_free(&x->actions);
    vec_free(&x->accesses);
    map_free(&x->action_index);
    vec_free(&x->alike);
    vec_free(&x->clocks);
    vec_free(&x->last);
    vec_free(&x->born);
    map_free(&x->footprints);
    vec_free(&x->may_touch);
    map_free(&x->done_with);
    vec_free(&x->guarded);
    vec_free(&x->updated);
    map_free(&x->contested);
    vec_free(&x->outlooks);
    map_free(&x->visited);
    vec_free(&x->row);
    vec_free(&x->needed);
    vec_free(&x->sequence);
    vec_free(&x->elements);
    vec_free(&x->taken);
    vec_free(&x->open);
    vec_free(&x->copying);
    successors_free(x->machine, &x->tried);
    effect_free(&x->guard);
    vec_free(&x->expected);
}

void lazypor_run(machine *m, const explore_options *options, outcome *out) {
    lazypor x = {.machine = m, .options = *options, .out = out, .stats = &out->stats, .spare_plan = NO_INDEX};
    if (!explorer_settle(&explorer_lazypor, m, &x.options, out)) return;
    explore_begin(m);
    if (!x.options.max_depth) x.options.max_depth = DEFAULT_DEPTH;
    x.patience = FIRST_PATIENCE;
    x.waits_for_end = !machine_exits_anywhere(m);
    x.judge = judge_create(m, &x.options, out);
    x.limits = limits_start(m, &x.options, out);
    if (options->state_tracking) outcome_doubt(out, REASON_STATE_TRACKING, nowhere);
    do {
        x.restart = x.learned = false;
        out->stats.executions = out->stats.matched = 0;
        vec_clear(&out->trace_classes);
        map_clear(&x.visited);
        map_clear(&x.done_with);
        explore(&x);
    } while ((x.restart || x.learned) && !x.stop && !x.judge.stop);
    out->complete = !x.stop && !x.judge.stop;
    limits_refresh(&x.limits);
    judge_sort_traces(out);
    tear_down(&x);
    explore_conclude(m, options, out);
}
