#include "cegar/cegar.h"

#include "cegar/internal.h"
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
}

static void give_up(cegar *x, const char *reason, position at) {
    outcome_doubt(x->out, reason, at);
    x->stop = true;
}

/* The path exists: what it ends in is judged like what any explorer finds. */
static void judge_end(cegar *x, const abstract_trace *t) {
    const successor *end = t->end;
    found_error e = {.x = x};
    if (end->end == STEP_VIOLATION && !trace_replay(x, t, &e.replayed)) {
        outcome_doubt(x->out, "a possible violation could not be confirmed by replay", end->place);
        vec_free(&e.replayed);
        return;
    }
    if (end->end == STEP_STOPPED)
        outcome_doubt(x->out, end->reason, end->place);
    else
        judge_step_end(&x->judge, end, record_replayed, &e);
    x->stop |= x->judge.stop;
    vec_free(&e.replayed);
}

typedef enum { ERROR_SETTLED, ERROR_REFINED /* the graph has changed: begin again */ } error_result;

static void prune(cegar *x, const node_list *nodes, uint32_t first) {
    uint32_t top = x->options->abstraction.prune == PRUNE_LAZY ? first - 1 : 0;
    uint32_t node = nodes->data[top];
    graph_remove_below(&x->graph, node);
    x->graph.nodes.data[node].expanded = x->graph.nodes.data[node].wants_rest = false;
    graph_queue(&x->graph, node);
}

static error_result meet_error(cegar *x, uint32_t node, transition by, const successor *end) {
    abstract_trace t = {0};
    trace_reason why = {0};
    node_list nodes = {0};
    error_result result = ERROR_SETTLED;
    collect_trace(x, node, by, end, &t, &nodes);
    bool stubborn = refine_is_stubborn(x, end);
    switch (trace_examine(x, &t, stubborn, &why)) {
    case TRACE_FEASIBLE: judge_end(x, &t); break;
    case TRACE_UNDECIDED: give_up(x, why.trouble ? why.trouble : "solver gave up", end->place); break;
    case TRACE_SPURIOUS: {
        x->out->stats.refinements++;
        uint32_t first = refine(x, &t, nodes.data, &why, stubborn);
        if (first != NO_INDEX) {
            prune(x, &nodes, first);
            result = ERROR_REFINED;
        } else if (why.values) {
            outcome_add_doubt(x->out, (doubt){end->reason, end->place, end->file});
        } else {
            give_up(x, "no predicates were found that exclude a path", end->place);
        }
        break;
    }
    }
    trace_reason_free(&why);
    vec_free(&nodes);
    vec_free(&t.steps);
    return result;
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

/* New nodes for the end of a step. True if one of them is covered. */
static bool add_children(cegar *x, uint32_t node, transition by, successor *s) {
    state_list states = {0};
    bool covered = false;
    const char *trouble = abstraction_of(x, s->to, by.thread, &states);
    if (trouble) outcome_doubt(x->out, trouble, (position){0, 0});
    for (size_t i = 0; i < states.size; i++) {
        step_way *went = i + 1 == states.size ? take_way(s) : copy_way(s->went);
        uint32_t child =
            graph_add(&x->graph, states.data[i], node, by, went, precision_version(x->precision));
        x->out->stats.nodes++;
        if (graph_cover(&x->graph, child))
            covered = true, x->out->stats.matched++;
        else
            graph_queue(&x->graph, child);
    }
    vec_free(&states);
    return covered;
}

typedef enum {
    STEP_TAKEN,
    STEP_COVERED, /* or cut off: the other transitions are needed, too */
    STEP_REFINED
} taken;

static taken take_step(cegar *x, uint32_t node, transition by) {
    successors list = {0};
    taken result = STEP_TAKEN;
    step_options how = x->how;
    how.record = true;
    machine_step(x->machine, x->graph.nodes.data[node].s, by, &how, &list);
    x->out->stats.transitions++;
    for (size_t i = 0; i < list.size && x->preemptive; i++)
        precision_track_unasked(x->precision, &list.data[i].touched);
    for (size_t i = 0; i < list.size && result != STEP_REFINED && !x->stop; i++) {
        successor *s = &list.data[i];
        if (s->end == STEP_VIOLATION || s->end == STEP_LIMIT) {
            /* What would come after it is lost: others first may still fail. */
            result = meet_error(x, node, by, s) == ERROR_REFINED ? STEP_REFINED : STEP_COVERED;
        }
    }
    for (size_t i = 0; i < list.size && result != STEP_REFINED && !x->stop; i++) {
        successor *s = &list.data[i];
        if (s->end != STEP_STOPPED) continue;
        if (abstract_open_time(s->to)) { /* a limit of ours */
            s->reason = abstract_time_is_open;
            result = meet_error(x, node, by, s) == ERROR_REFINED ? STEP_REFINED : STEP_COVERED;
        } else if (add_children(x, node, by, s)) {
            result = STEP_COVERED;
        }
    }
    successors_free(x->machine, &list);
    return result;
}

/* Indices of the transitions that are enough. */
static void choose(cegar *x, const state *s, const transitions *enabled) {
    vec_clear(&x->chosen);
    bool inside = s->scheduler->running != NO_INDEX;
    if (x->ample && !inside) {
        uint32_t one = ample_find(x->ample, s, enabled);
        if (one != NO_INDEX) {
            vec_push(&x->chosen, one);
            return;
        }
    }
    bool threads_compete = !x->preemptive && !inside && enabled->size > 1 &&
                           s->scheduler->phase == PHASE_EVALUATE && enabled->data[0].thread != MACHINE_KERNEL;
    if (x->persistent && threads_compete) {
        persistent_compute(x->persistent, s, enabled, 0, &x->chosen);
        return;
    }
    for (uint32_t i = 0; i < enabled->size; i++) vec_push(&x->chosen, i);
}

/* Every cycle goes through a covered node. The last scheduling point before it leaves nothing out, so that no
 * thread is left out all the way round; where a step only was cut into pieces nobody else could have gone on.
 * The same if what comes after a step is lost: others first may still fail. */
static void take_the_rest_before(cegar *x, uint32_t node) {
    while (x->graph.nodes.data[node].s->scheduler->running != NO_INDEX)
        node = x->graph.nodes.data[node].parent;
    arg_node *n = &x->graph.nodes.data[node];
    if (!n->partly || !x->options->proviso) return;
    n->partly = false;
    n->wants_rest = true;
    graph_queue(&x->graph, node);
}

static bool was_taken(const arg_node *n, size_t index) {
    return index < 64 && n->taken >> index & 1;
}

/* Those that are enough, or whatever was left out before. */
static void select_transitions(cegar *x, uint32_t node, const transitions *enabled) {
    arg_node *n = &x->graph.nodes.data[node];
    if (!n->expanded) {
        choose(x, n->s, enabled);
        n->expanded = true;
        n->taken = 0;
        n->partly = x->chosen.size < enabled->size;
        n->wants_rest = false;
        for (size_t i = 0; i < x->chosen.size; i++)
            if (x->chosen.data[i] < 64) n->taken |= UINT64_C(1) << x->chosen.data[i];
        return;
    }
    vec_clear(&x->chosen);
    for (uint32_t i = 0; i < enabled->size && n->wants_rest; i++)
        if (!was_taken(n, i)) vec_push(&x->chosen, i);
    n->wants_rest = false;
}

static void expand(cegar *x, uint32_t node) {
    transitions enabled = {0};
    machine_enabled(x->machine, x->graph.nodes.data[node].s, &enabled);
    select_transitions(x, node, &enabled);
    taken result = STEP_TAKEN;
    for (size_t i = 0; i < x->chosen.size && result != STEP_REFINED && !x->stop; i++) {
        result = take_step(x, node, enabled.data[x->chosen.data[i]]);
        if (result == STEP_COVERED) take_the_rest_before(x, node);
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

static void doubt_what_is_not_looked_for(const explore_options *o, outcome *out) {
    position nowhere = {0, 0};
    if (o->properties & PROPERTY_DEADLOCK) outcome_doubt(out, "engine cegar looks for no deadlocks", nowhere);
    if (o->properties & PROPERTY_RACE) outcome_doubt(out, "engine cegar looks for no data races", nowhere);
    if (o->properties & PROPERTY_LEAK) outcome_doubt(out, "engine cegar looks for no leaks", nowhere);
}

/* Of the initial state everything is known: it is one. */
static void begin(cegar *x) {
    const char *trouble;
    state *start = machine_initial(x->machine);
    state *root = abstract_rename(x->machine, start, x->ignore_time, 0, &trouble);
    if (root)
        graph_queue(&x->graph, graph_add(&x->graph, root, NO_NODE, (transition){0, 0}, NULL, 0));
    else
        give_up(x, trouble, (position){0, 0});
    x->out->stats.nodes++;
    state_release(x->machine, start);
}

enum { LOOK_EVERY = 16 }; /* nodes between two looks at the clock: one may cost a refinement */

static void explore(cegar *x) {
    uint64_t taken = 0;
    begin(x);
    for (uint32_t node; !x->stop && (node = graph_next(&x->graph)) != NO_NODE;) {
        if (++taken % LOOK_EVERY == 0) x->limits.next_look = 0;
        if (!limits_allow(&x->limits)) x->stop = true;
        if (!x->stop) expand(x, node);
    }
    x->out->complete = !x->stop;
}

void cegar_run(machine *m, const explore_options *options, outcome *out) {
    explore_options how = *options;
    how.stops = STOP_LOOP_HEAD; /* of replayed paths, and of steps that are tried for reduction */
    cegar x = {.machine = m, .options = &how, .out = out, .judge = judge_create(m, &how, out)};
    x.how = x.judge.how;
    x.how.stops = stops_of(options->abstraction.blocks);
    x.preemptive = machine_program(m)->kernel == KERNEL_PREEMPTIVE;
    x.ignore_time = !x.preemptive && time_is_irrelevant(machine_program(m));
    x.limits = limits_start(m, &how, out);
    x.precision = precision_create(m, &how.abstraction);
    x.values = substitution_create(machine_terms(m));
    graph_open(&x.graph, m, how.order);
    bool reduce = how.por != POR_NONE;
    if (reduce && x.preemptive) x.ample = ample_create(m, how.stops);
    if (reduce && !x.preemptive) x.persistent = persistent_create(m, POR_STUB_MIN, true);
    out->engine = "cegar";
    out->por = reduce ? "persistent" : "none";
    out->match = "none";
    out->stops = how.stops;
    bool slept = machine_set_sleep_spins(m, false);
    doubt_what_is_not_looked_for(&how, out);
    explore(&x);
    machine_set_sleep_spins(m, slept);
    limits_refresh(&x.limits);
    out->stats.states = graph_live(&x.graph);
    graph_close(&x.graph);
    precision_destroy(x.precision);
    substitution_destroy(x.values);
    ample_destroy(x.ample);
    persistent_destroy(x.persistent);
    vec_free(&x.chosen);
    map_free(&x.seen);
    map_free(&x.ends);
}
