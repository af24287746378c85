#include "cegar/cegar.h"

#include "cegar/internal.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "matching/matcher.h"

/* --- errors --------------------------------------------------------------------------------------------- */

typedef struct found_error {
    cegar *x;
    path replayed;
} found_error;

static void record_replayed(void *data, path *out) {
    const found_error *e = data;
    for (size_t i = 0; i < e->replayed.size; i++) vec_push(out, e->replayed.data[i]);
}

static void collect_trace(cegar *x, uint32_t node, transition by, const successor *end, abstract_trace *t,
                          node_list *nodes) {
    for (uint32_t n = node; n != NO_NODE; n = x->graph.nodes.data[n].parent) vec_push(nodes, n);
    for (size_t i = 0, k = nodes->size; i + 1 < k; i++) {
        uint32_t last = nodes->data[--k];
        nodes->data[k] = nodes->data[i];
        nodes->data[i] = last;
    }
    for (size_t i = 0; i + 1 < nodes->size; i++) {
        const arg_node *from = &x->graph.nodes.data[nodes->data[i]],
                       *to = &x->graph.nodes.data[nodes->data[i + 1]];
        vec_push(&t->steps, ((trace_step){from->s, to->s, to->by, to->went}));
    }
    vec_push(&t->steps, ((trace_step){x->graph.nodes.data[node].s, NULL, by, end->went}));
    t->end = end;
    assert(!nodes->data[0] && t->steps.size == nodes->size); /* from the root, one step from each */
}

static void give_up(cegar *x, reason_kind reason, position at, const char *file) {
    outcome_add_doubt(x->out, (doubt){.why.kind = reason, .at = at, .file = file});
    x->stop = true;
}

enum { FIRST_APART = 4 }; /* objects of one place, before paths ask for more */

static bool keeps_constants(const cegar *x) {
    abstract_domain domain = x->options->abstraction.domain;
    return domain == DOMAIN_PRODUCT || domain == DOMAIN_EXPLICIT;
}

/* What a path needs that is only possible if any object of a summary may hold what some of them hold. First
 * it may be the constants in them that are missing. False: nothing more can be told. */
static bool refine_summaries(cegar *x, bool constants_may_help) {
    if (constants_may_help && !x->heap_constants && keeps_constants(x))
        x->heap_constants = true;
    else if (x->apart < ABSTRACT_MOST_APART)
        x->apart = at_most_apart(2 * x->apart);
    else
        return false;
    x->out->stats.refinements++;
    graph_begin_again(&x->graph, 0);
    x->has_old_nodes = false;
    return true;
}

typedef enum { ERROR_SETTLED, ERROR_REFINED /* the graph has changed: begin again */ } error_result;

/* The path exists, as far as objects are told apart: what it ends in is judged like what
 * any explorer finds. */
static error_result judge_end(cegar *x, const abstract_trace *t) {
    const successor *end = t->end;
    found_error e = {.x = x};
    bool violates = end->end == STEP_VIOLATION, replayed = violates && trace_replay(x, t, &e.replayed);
    if (!replayed && trace_has_summaries(t) && refine_summaries(x, violates)) {
        vec_free(&e.replayed);
        return ERROR_REFINED;
    }
    if (violates && !replayed) {
        judge_doubt_violation(&x->judge, end);
        vec_free(&e.replayed);
        return ERROR_SETTLED;
    }
    if (end->end == STEP_STOPPED)
        judge_doubt_end(&x->judge, end->why, end);
    else
        judge_step_end(&x->judge, end, record_replayed, &e);
    x->stop |= x->judge.stop;
    vec_free(&e.replayed);
    return ERROR_SETTLED;
}

static void prune(cegar *x, const node_list *nodes, uint32_t first) {
    assert(first && first < nodes->size); /* of the root everything was known */
    uint32_t top = x->options->abstraction.prune == PRUNE_LAZY ? first - 1 : 0;
    graph_begin_again(&x->graph, nodes->data[top]);
    x->has_old_nodes |= top != 0;
}

static error_result meet_error(cegar *x, uint32_t node, transition by, const successor *end) {
    abstract_trace t = {0};
    trace_reason why = {0};
    node_list nodes = {0};
    error_result result = ERROR_SETTLED;
    collect_trace(x, node, by, end, &t, &nodes);
    stubbornness stubborn = refine_stubbornness(x, end);
    switch (trace_examine(x, &t, stubborn != PATIENT, &why)) {
    case TRACE_FEASIBLE: result = judge_end(x, &t); break;
    case TRACE_UNDECIDED:
        if (!x->stop && trace_has_summaries(&t) && refine_summaries(x, false))
            result = ERROR_REFINED;
        else if (!x->stop)
            give_up(x, why.trouble ? why.trouble : REASON_SOLVER, end->place, end->file);
        break;
    case TRACE_SPURIOUS: {
        x->out->stats.refinements++;
        uint32_t first = refine(x, &t, nodes.data, &why, stubborn);
        reduction_look_at_precision(x);
        if (first != NO_INDEX) {
            prune(x, &nodes, first);
            if (stubborn != PATIENT) graph_end_dive(&x->graph);
            result = ERROR_REFINED;
        } else if (!x->thorough) {
            x->thorough = true;
            graph_begin_again(&x->graph, 0);
            result = ERROR_REFINED;
        } else if (trace_has_summaries(&t) && refine_summaries(x, true)) {
            result = ERROR_REFINED;
        } else if (why.values) {
            outcome_add_doubt(x->out, (doubt){.why = end->why, .at = end->place, .file = end->file});
        } else {
            give_up(x, REASON_NO_PREDICATES, end->place, end->file);
        }
        break;
    }
    }
    trace_reason_free(&why);
    vec_free(&nodes);
    vec_free(&t.steps);
    return result;
}

enum { LOOK_EVERY = 16 }; /* nodes, or ends of a step, between two looks at the clock */

/* One of them may cost a refinement, or thousands of questions. */
void cegar_look_at_limits(cegar *x, uint64_t count) {
    if (count % LOOK_EVERY == 0) x->limits.next_look = 0;
    x->out->stats.waiting = x->graph.waiting.size;
    if (!limits_allow(&x->limits)) x->stop = true;
}

/* --- expanding ------------------------------------------------------------------------------------------ */

static step_way *take_way(successor *s) {
    step_way *w = s->went;
    s->went = NULL;
    return w;
}

static step_way *copy_way(const step_way *from) {
    step_way *w = mem_zero(1, sizeof *w);
    for (size_t i = 0; i < from->marks.size; i++) vec_push(&w->marks, from->marks.data[i]);
    w->inside = from->inside;
    return w;
}

/* Whether objects are one in what comes of it, or are already. */
static bool has_objects_alike(const cegar *x, const state *s) {
    return abstract_heap_objects(s) > x->apart || abstract_has_summaries(s);
}

/* New nodes for the end of a step. False: the graph has changed, begin again. */
static bool add_children(cegar *x, uint32_t node, transition by, uint64_t asleep, successor *s) {
    state_list states = {0};
    uint64_t sleep = reduction_sleep_behind(x, node, asleep, by, &s->touched);
    reason_kind trouble = abstraction_of(x, s->to, by.thread, &states);
    if (trouble && has_objects_alike(x, s->to) && refine_summaries(x, false)) {
        for (size_t i = 0; i < states.size; i++) state_release(x->machine, states.data[i]);
        vec_free(&states);
        return false;
    }
    if (trouble) outcome_doubt(x->out, trouble, (position){0, 0});
    for (size_t i = 0; i < states.size; i++) {
        step_way *went = i + 1 == states.size ? take_way(s) : copy_way(s->went);
        uint32_t child =
            graph_add(&x->graph, states.data[i], node, by, went, precision_version(x->precision));
        x->out->stats.nodes++;
        x->graph.nodes.data[child].sleep = sleep;
        reduction_look_at_state(x, child);
        if (graph_cover(&x->graph, child))
            x->out->stats.matched++;
        else
            graph_queue(&x->graph, child);
    }
    vec_free(&states);
    return true;
}

typedef enum {
    STEP_TAKEN,
    STEP_LOST, /* what comes after it is: the other transitions are needed, too */
    STEP_REFINED
} taken;

static taken take_step(cegar *x, uint32_t node, transition by, uint64_t asleep) {
    successors list = {0};
    taken result = STEP_TAKEN;
    step_options how = x->how;
    how.record = how.abstract = true;
    const state *from = x->graph.nodes.data[node].s;
    bool begins_tree = by.thread != MACHINE_KERNEL && !state_is_inside_step(from);
    if (begins_tree && x->variant->counts_roots) x->out->stats.nodes++;
    machine_step(x->machine, from, by, &how, &list);
    x->out->stats.transitions++;
    for (size_t i = 0; i < list.size && x->kernel->accesses_may_race; i++)
        precision_track_unasked(x->precision, &list.data[i].touched);
    for (size_t i = 0; i < list.size; i++) reduction_look_at_effect(x, &list.data[i].touched);
    for (size_t i = 0; i < list.size && result != STEP_REFINED && !x->stop; i++) {
        successor *s = &list.data[i];
        cegar_look_at_limits(x, i + 1);
        if (x->stop) break;
        if (s->end == STEP_VIOLATION || s->end == STEP_LIMIT) {
            /* What would come after it is lost: others first may still fail. */
            result = meet_error(x, node, by, s) == ERROR_REFINED ? STEP_REFINED : STEP_LOST;
        }
    }
    for (size_t i = 0; i < list.size && result != STEP_REFINED && !x->stop; i++) {
        successor *s = &list.data[i];
        /* In the middle of an atomic section: others go on from the scheduling point before it. */
        if (s->end == STEP_ASSUMED_AWAY && x->kernel->others_go_on_without) result = STEP_LOST;
        if (s->end != STEP_STOPPED) continue;
        cegar_look_at_limits(x, i + 1);
        if (x->stop) break;
        if (abstract_open_time(s->to)) { /* a limit of ours */
            s->why.kind = REASON_OPEN_TIME;
            result = meet_error(x, node, by, s) == ERROR_REFINED ? STEP_REFINED : STEP_LOST;
        } else {
            if (!add_children(x, node, by, asleep, s)) result = STEP_REFINED;
        }
    }
    successors_free(x->machine, &list);
    return result;
}

/* What comes after a step is lost: others first may still fail, from the scheduling point before it. Where a
 * step only was cut into pieces nobody else could have gone on. */
static void take_the_rest_before(cegar *x, uint32_t node) {
    while (state_is_inside_step(x->graph.nodes.data[node].s)) node = x->graph.nodes.data[node].parent;
    arg_node *n = &x->graph.nodes.data[node];
    if (!n->partly || !x->options->proviso) return;
    n->wants_rest = true;
    graph_queue(&x->graph, node);
}

static void expand(cegar *x, uint32_t node) {
    transitions enabled = {0};
    uint64_t later = 0; /* threads whose turn is still to come */
    machine_enabled(x->machine, x->graph.nodes.data[node].s, &enabled);
    reduction_select(x, node, &enabled);
    for (size_t i = 0; i < x->chosen.size; i++)
        later |= reduction_thread_bit(enabled.data[x->chosen.data[i]]);
    taken result = STEP_TAKEN;
    /* Depth first, what is taken last is looked into first: nothing of the others sleeps there. */
    for (size_t i = 0; i < x->chosen.size && result != STEP_REFINED && !x->stop; i++) {
        transition by = enabled.data[x->chosen.data[i]];
        later &= ~reduction_thread_bit(by);
        result = take_step(x, node, by, x->graph.nodes.data[node].sleep | later);
        if (result == STEP_LOST) take_the_rest_before(x, node);
    }
    vec_free(&enabled);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static unsigned stops_of(block_kind blocks) {
    switch (blocks) {
    case BLOCKS_LARGE: return STOP_LOOP_HEAD;
    case BLOCKS_SMALL: return STOP_LOOP_HEAD | STOP_INSTRUCTION;
    case BLOCKS_JOINS: break;
    }
    return STOP_LOOP_HEAD | STOP_JOIN;
}

/* Of the initial state everything is known: it is one. */
static void begin(cegar *x) {
    reason_kind trouble;
    state *start = machine_initial(x->machine, x->how.stops);
    state *root = abstract_rename(x->machine, start, names_of(x), &trouble);
    if (root)
        graph_queue(&x->graph, graph_add(&x->graph, root, NO_NODE, (transition){0}, NULL, 0));
    else
        give_up(x, trouble, (position){0, 0}, NULL);
    x->out->stats.nodes++;
    state_release(x->machine, start);
}

enum { FIRST_RESTART = 500 };

/* Nodes before the place of a refinement, and beside it, know less than they could. What comes of them is a
 * mixture of states that know more or less of the same, which cover each other badly. */
static void restart_sometimes(cegar *x) {
    if (!x->has_old_nodes || graph_live(&x->graph) < x->restart_at) return;
    graph_begin_again(&x->graph, 0);
    x->restart_at += x->restart_at / 2;
    x->has_old_nodes = false;
}

static void explore(cegar *x) {
    uint64_t taken = 0;
    x->restart_at = FIRST_RESTART;
    x->has_old_nodes = false;
    begin(x);
    while (!x->stop) {
        uint32_t node = graph_next(&x->graph);
        if (node == NO_NODE && !cycles_take_the_rest(x)) break;
        if (node == NO_NODE) continue;
        cegar_look_at_limits(x, ++taken);
        if (!x->stop) expand(x, node);
        restart_sometimes(x);
    }
    x->out->complete = !x->stop;
}

/* --- the invariant -------------------------------------------------------------------------------------- */

/* The whole graph again with the precision there is, and no transition left out. */
static void explore_unreduced(cegar *x) {
    graph_close(&x->graph);
    graph_open(&x->graph, x->machine, x->options->order);
    reduction_destroy(x->reduction);
    x->reduction = NULL;
    explore(x);
}

static void hand_over_states(const cegar *x) {
    for (size_t i = 0; i < x->graph.nodes.size; i++) {
        const arg_node *n = &x->graph.nodes.data[i];
        /* Nothing is left to be done. */
        assert(!n->s || n->covered_by != NO_NODE || (n->expanded && !n->waiting));
        if (n->s && n->covered_by == NO_NODE)
            x->options->invariant(x->options->invariant_data, n->s, (invariant_kind){x->how.stops, x->apart});
    }
}

static void hand_over_graph(const cegar *x) {
    for (size_t i = 0; x->options->node && i < x->graph.nodes.size; i++) {
        const arg_node *n = &x->graph.nodes.data[i];
        if (!n->s) continue;
        abstract_node shown = {.number = (uint32_t)i, .parent = n->parent, .covered_by = n->covered_by};
        shown.s = n->s;
        shown.by = n->by;
        x->options->node(x->options->node_data, &shown);
    }
}

/* The nodes are an invariant if nothing was left out. If that cannot be shown there is none, but the answer
 * stays what it is, unless a violation shows, which a reduction must have hidden. */
static void hand_over_invariant(cegar *x) {
    if (!x->options->invariant || outcome_verdict(x->out) != VERDICT_SAFE) return;
    if (seen_heap_order_is_open(machine_seen_so_far(x->machine))) return;
    outcome *out = x->out, again = {0};
    const explore_options *reduced = x->options;
    explore_options full = *reduced;
    limits counted = x->limits;
    full.por = POR_NONE;
    if (reduced->por != POR_NONE) {
        x->options = &full;
        x->out = &again;
        x->judge = judge_create(x->machine, &full, &again);
        x->limits = limits_start(x->machine, &full, &again);
        explore_unreduced(x);
    }
    if (outcome_verdict(x->out) == VERDICT_SAFE) hand_over_states(x);
    if (again.violations.size) out->reduction_errors++;
    for (size_t i = 0; i < again.violations.size; i++) outcome_add_violation(out, again.violations.data[i]);
    vec_clear(&again.violations);
    outcome_free(&again);
    x->options = reduced;
    x->out = out;
    x->limits = counted;
}

void cegar_run(machine *m, const explore_options *options, outcome *out) {
    cegar_variant plain = {.explorer = &explorer_cegar};
    cegar_run_variant(m, options, &plain, out);
}

void cegar_run_variant(machine *m, const explore_options *options, const cegar_variant *variant,
                       outcome *out) {
    explore_options how = *options;
    if (!explorer_settle(variant->explorer, m, &how, out)) return;
    explore_begin(m);
    unsigned heap_order = options->stops & STOP_HEAP_ORDER;
    how.stops = STOP_LOOP_HEAD | STOP_EVERY_JOIN | heap_order; /* of replayed paths */
    cegar x = {.machine = m, .options = &how, .variant = variant, .out = out};
    x.judge = judge_create(m, &how, out);
    x.judge.how.stay_awake = true;
    x.how = x.judge.how;
    x.how.stops = stops_of(options->abstraction.blocks) | heap_order;
    x.kernel = program_kernel(machine_program(m));
    x.ignore_time = x.kernel->has_simulated_time && time_is_irrelevant(machine_program(m));
    x.limits = limits_start(m, &how, out);
    x.precision = precision_create(m, &how.abstraction);
    x.apart = at_most_apart(how.abstraction.apart ? how.abstraction.apart : FIRST_APART);
    x.values = substitution_create(machine_terms(m));
    graph_open(&x.graph, m, how.order);
    x.reduction = reduction_create(&x);
    out->stops = how.stops;
    explore(&x);
    out->stats.states = graph_live(&x.graph);
    hand_over_graph(&x);
    hand_over_invariant(&x);
    limits_refresh(&x.limits);
    graph_close(&x.graph);
    precision_destroy(x.precision);
    substitution_destroy(x.values);
    reduction_destroy(x.reduction);
    vec_free(&x.chosen);
    map_free(&x.seen);
    map_free(&x.ends);
    explore_conclude(m, options, out);
}
