#include "cegar/survey.h"

#include "base/clock.h"
#include "cegar/harvest.h"
#include "cegar/internal.h"
#include "matching/matcher.h"

typedef struct survey_node { /* beside the nodes of the graph */
    uint32_t steps;          /* of the search, from the parent */
    bool expanded;
    bool wanted; /* a step from it ends in a violation that is asked about, or in the unknown, ... */
    bool counts; /* ... or in anything else that counts for the verdict */
    uint32_t distance, far; /* to such ends: SURVEY_NEVER if there is none */
} survey_node;

struct survey {
    cegar x;
    cegar_variant variant;
    explore_options how;
    outcome out; /* of nobody's interest */
    harvest harvest;
    VEC(survey_node) nodes;
    unsigned level;
    bool begun, complete;
    uint64_t steps;
    uint64_t next_look; /* at the memory, in steps */
    node_list alike;
};

/* --- set-up --------------------------------------------------------------------------------------------- */

enum { APART = 16 }; /* heap objects of one place */

static survey *survey_open(machine *m, const explore_options *options) {
    survey *v = mem_zero(1, sizeof *v);
    v->how = *options;
    v->how.abstraction = (abstraction_options){.domain = DOMAIN_PRODUCT, .scope = SCOPE_GLOBAL};
    v->variant = (cegar_variant){0};
    cegar *x = &v->x;
    *x = (cegar){.machine = m, .options = &v->how, .variant = &v->variant, .out = &v->out, .splits = true};
    x->judge = judge_create(m, &v->how, &v->out);
    x->how = x->judge.how;
    x->how.stops = options->stops | STOP_JOIN;
    x->how.record = x->how.abstract = x->how.stay_awake = x->how.keep_path = true;
    x->kernel = program_kernel(machine_program(m));
    x->ignore_time = x->kernel->has_simulated_time && time_is_irrelevant(machine_program(m));
    x->precision = precision_create(m, &v->how.abstraction);
    x->values = substitution_create(machine_terms(m));
    graph_open(&x->graph, m, ORDER_BFS);
    x->apart = at_most_apart(options->abstraction.apart ? options->abstraction.apart : APART);
    return v;
}

survey *survey_begin(machine *m, const explore_options *options) {
    return survey_open(m, options);
}

survey *survey_begin_finer(const survey *v) {
    harvest more;
    harvest_copy(&more, &v->harvest);
    if (!harvest_take(&more)) {
        harvest_free(&more);
        return NULL;
    }
    survey *finer = survey_open(v->x.machine, &v->how);
    finer->harvest = more;
    finer->level = v->level + 1;
    harvest_keep(&finer->harvest, finer->x.precision);
    return finer;
}

void survey_destroy(survey *v) {
    if (!v) return;
    graph_close(&v->x.graph);
    precision_destroy(v->x.precision);
    substitution_destroy(v->x.values);
    outcome_free(&v->out);
    harvest_free(&v->harvest);
    vec_free(&v->nodes);
    vec_free(&v->alike);
    mem_free(v);
}

bool survey_is_complete(const survey *v) {
    return v->complete;
}

size_t survey_size(const survey *v) {
    return graph_live(&v->x.graph);
}

uint64_t survey_steps(const survey *v) {
    return v->steps;
}

unsigned survey_level(const survey *v) {
    return v->level;
}

/* --- exploring ------------------------------------------------------------------------------------------ */

static void add_node(survey *v, state *s, uint32_t parent, transition by, uint32_t steps) {
    graph *g = &v->x.graph;
    uint32_t node = graph_add(g, s, parent, by, NULL, 0);
    vec_push(&v->nodes, ((survey_node){.steps = steps}));
    if (!graph_cover(g, node)) graph_queue(g, node);
}

static bool is_asked_about(const survey *v, const successor *s) {
    return s->end == STEP_VIOLATION &&
           check_is_asked_for(v->how.properties, v->how.unasked, machine_check(v->x.machine, s->check)->kind);
}

/* The end of a path that counts for the verdict in some way: a violation, a limit, or a doubt. (What is met on
 * the way and makes a doubt counts where it is met: see expand.) */
static void note_end(survey *v, uint32_t node, const successor *s) {
    survey_node *n = &v->nodes.data[node];
    if (s->end == STEP_LIMIT || is_asked_about(v, s))
        n->wanted = true;
    else if (machine_check(v->x.machine, s->check)->kind != CHECK_ASSERTION)
        n->counts = true;
}

static void add_children(survey *v, uint32_t node, transition by, const state *s, uint32_t steps) {
    state_list states = {0};
    bool lost = abstract_open_time(s) || abstraction_of(&v->x, s, by.thread, &states);
    if (lost) v->nodes.data[node].wanted = true; /* whatever lies beyond is unknown */
    for (size_t i = 0; i < states.size; i++) add_node(v, states.data[i], node, by, steps);
    vec_free(&states);
}

static void execute(survey *v, const state *from, transition by, successors *list) {
    successors_clear(v->x.machine, list);
    machine_step(v->x.machine, from, by, &v->x.how, list);
    v->steps++;
    for (size_t i = 0; i < list->size && v->x.kernel->accesses_may_race; i++)
        precision_track_unasked(v->x.precision, &list->data[i].touched);
}

static bool is_only_way(const successors *list) {
    return list->size == 1 && list->data[0].end == STEP_STOPPED;
}

enum { MOST_CHAIN = 256 };

/* As long as only one thing can happen nothing need be forgotten: goes on from the only successor to where
 * there is a choice. The list then has the last step before it; *by is that step. */
static uint32_t follow_chain(survey *v, transition *by, successors *list) {
    successors next = {0};
    transitions enabled = {0};
    uint32_t steps = !list->data[0].went->inside;
    for (unsigned i = 0; i < MOST_CHAIN && !abstract_open_time(list->data[0].to); i++) {
        vec_clear(&enabled);
        machine_enabled(v->x.machine, list->data[0].to, &enabled);
        if (enabled.size != 1) break;
        execute(v, list->data[0].to, enabled.data[0], &next);
        if (!is_only_way(&next)) break;
        successors last = *list;
        *list = next;
        next = last;
        *by = enabled.data[0];
        steps += !list->data[0].went->inside;
    }
    successors_free(v->x.machine, &next);
    vec_free(&enabled);
    return steps;
}

static void take_step(survey *v, uint32_t node, transition by, bool only, successors *list) {
    const state *from = v->x.graph.nodes.data[node].s;
    uint32_t steps = 0;
    execute(v, from, by, list);
    if (only && is_only_way(list)) steps = follow_chain(v, &by, list);
    for (size_t i = 0; i < list->size; i++) {
        const successor *s = &list->data[i];
        harvest_look(&v->harvest, v->x.machine, from, s, is_asked_about(v, s));
        if (s->end == STEP_VIOLATION || s->end == STEP_LIMIT) note_end(v, node, s);
        if (s->end == STEP_STOPPED) add_children(v, node, by, s->to, steps ? steps : !s->went->inside);
    }
}

static void expand(survey *v, uint32_t node) {
    transitions enabled = {0};
    successors list = {0};
    machine_facts_noted(v->x.machine);
    machine_enabled(v->x.machine, v->x.graph.nodes.data[node].s, &enabled);
    for (size_t i = 0; i < enabled.size; i++) take_step(v, node, enabled.data[i], enabled.size == 1, &list);
    if (machine_facts_noted(v->x.machine) & explore_doubtful_facts(&v->how))
        v->nodes.data[node].counts = true;
    v->nodes.data[node].expanded = true;
    successors_free(v->x.machine, &list);
    vec_free(&enabled);
}

static void begin(survey *v) {
    reason_kind trouble;
    machine *m = v->x.machine;
    state *start = machine_initial(m, v->x.how.stops),
          *root = abstract_rename(m, start, names_of(&v->x), &trouble);
    if (root) add_node(v, root, NO_NODE, (transition){0}, 0);
    state_release(m, start);
    v->begun = true;
}

/* Half of the memory is the search's. */
static bool is_too_large(survey *v) {
    enum { LOOK_EVERY = 256 };
    if (!v->how.bytes || v->steps < v->next_look) return false;
    v->next_look = v->steps + LOOK_EVERY;
    return memory_in_use() > v->how.bytes / 2;
}

static bool is_over(survey *v, survey_budget most, double started, uint64_t steps) {
    const explore_options *o = &v->how;
    if (is_too_large(v) || (o->interrupted && o->interrupted(o->interrupted_data))) return true;
    if (most.steps && v->steps - steps >= most.steps) return true;
    return most.seconds > 0 && clock_wall() - started >= most.seconds;
}

/* Threads are not put to sleep when they spin: an abstract state that repeats is not the same state again.
 * And conditions are kept even if no value depends on them any more: they tell what matters.
 * What the solver cannot decide at once is taken to be possible. What abstract states do says where to go, and
 * nothing of the program. */
bool survey_go_on(survey *v, survey_budget most) {
    machine *m = v->x.machine;
    double started = clock_wall();
    uint64_t steps = v->steps;
    bool quick = solver_set_quick(machine_solver(m), true);
    machine_look_away(m);
    if (!v->begun) begin(v);
    while (!v->complete && !is_over(v, most, started, steps)) {
        uint32_t node = graph_next(&v->x.graph);
        if (node == NO_NODE)
            v->complete = v->nodes.size > 0;
        else
            expand(v, node);
        if (node == NO_NODE) break;
    }
    machine_look_back(m);
    solver_set_quick(machine_solver(m), quick);
    return v->complete;
}

/* --- distances ------------------------------------------------------------------------------------------ */

typedef VEC(node_list) nodes_by_distance;

static uint32_t *distance_of(survey *v, uint32_t node, bool far) {
    return far ? &v->nodes.data[node].far : &v->nodes.data[node].distance;
}

static void reach(survey *v, nodes_by_distance *waves, uint32_t node, uint32_t distance, bool far) {
    uint32_t *known = distance_of(v, node, far);
    if (*known <= distance) return;
    *known = distance;
    while (waves->size <= distance) vec_push(waves, ((node_list){0}));
    vec_push(&waves->data[distance], node);
}

static void begin_at_ends(survey *v, nodes_by_distance *waves, bool far) {
    for (uint32_t i = 0; i < v->nodes.size; i++) {
        const survey_node *n = &v->nodes.data[i];
        bool open = !n->expanded && v->x.graph.nodes.data[i].covered_by == NO_NODE;
        *distance_of(v, i, far) = SURVEY_NEVER;
        if (open)
            reach(v, waves, i, 0, far);
        else if (n->wanted || (far && n->counts))
            reach(v, waves, i, 1, far);
    }
}

/* Backward from all ends at once, along all steps: the one that made a node, and those that came to
 * what it covers. */
static void measure(survey *v, bool far) {
    nodes_by_distance waves = {0};
    begin_at_ends(v, &waves, far);
    for (uint32_t distance = 0; distance < waves.size; distance++) {
        while (waves.data[distance].size) {
            uint32_t node = vec_pop(&waves.data[distance]);
            const arg_node *n = &v->x.graph.nodes.data[node];
            if (*distance_of(v, node, far) < distance) continue;
            for (size_t k = 0; k < n->covers.size && v->how.all_ways_back; k++)
                reach(v, &waves, n->covers.data[k], distance, far);
            if (n->parent != NO_NODE) reach(v, &waves, n->parent, distance + v->nodes.data[node].steps, far);
        }
        vec_free(&waves.data[distance]);
    }
    vec_free(&waves);
}

void survey_measure(survey *v) {
    measure(v, false);
    measure(v, true);
}

/* --- which abstract state is it? ------------------------------------------------------------------------ */

typedef struct containment {
    survey *v;
    const state *s;
} containment;

static bool follows(const containment *c, const term *t) {
    if (term_is_const(t)) return term_is_true(t);
    if (!state_path_count(c->s)) return false;
    machine *m = c->v->x.machine;
    return solver_check_extension(machine_solver(m), state_path(c->s), state_path_count(c->s),
                                  term_not(machine_terms(m), t)) == SOLVER_UNSAT;
}

/* Whether the abstract state leaves open what the other one says here, or says the same. */
static bool fits(void *data, value in_s, value in_node) {
    const containment *c = data;
    if (term_is_symbol(in_node.bits)) {
        substitution_set(c->v->x.values, in_node.bits, in_s.bits);
        return true;
    }
    if (!term_is_const(in_node.bits) || term_is_const(in_s.bits)) return false;
    return follows(c, term_eq(machine_terms(c->v->x.machine), in_s.bits, in_node.bits));
}

static bool contains(survey *v, const arg_node *n, const state *s) {
    containment c = {v, s};
    substitution_clear(v->x.values);
    if (!abstract_each_difference(s, n->s, fits, &c)) return false;
    for (uint32_t i = 0; i < state_path_count(n->s); i++)
        if (!follows(&c, substitution_apply(v->x.values, state_path(n->s)[i]))) return false;
    return true;
}

static uint32_t reading_of(const survey_node *n) {
    if (n->far == SURVEY_NEVER) return SURVEY_NEVER;
    return n->distance == SURVEY_NEVER ? SURVEY_FAR : n->distance;
}

/* All nodes that could contain the state, in v->alike; the state as they have it, or NULL. */
static state *find_alike(survey *v, const state *s) {
    reason_kind trouble;
    state *renamed = abstract_rename(v->x.machine, s, names_of(&v->x), &trouble);
    vec_clear(&v->alike);
    if (renamed) graph_find_alike(&v->x.graph, renamed, &v->alike);
    return renamed;
}

/* Each node that contains the state tells a lower bound. */
uint32_t survey_distance(survey *v, const state *from) {
    state *s = find_alike(v, from);
    uint32_t best = SURVEY_UNKNOWN;
    if (!s) return best;
    for (size_t i = 0; i < v->alike.size; i++) {
        uint32_t told = reading_of(&v->nodes.data[v->alike.data[i]]);
        bool better = best == SURVEY_UNKNOWN || told > best;
        if (better && contains(v, &v->x.graph.nodes.data[v->alike.data[i]], s)) best = told;
    }
    state_release(v->x.machine, s);
    return best;
}

/* --- the graph itself ----------------------------------------------------------------------------------- */

survey_place survey_look(const survey *v, uint32_t node) {
    const arg_node *n = &v->x.graph.nodes.data[node];
    const survey_node *more = &v->nodes.data[node];
    uint32_t as = node;
    while (v->x.graph.nodes.data[as].covered_by != NO_NODE) as = v->x.graph.nodes.data[as].covered_by;
    uint32_t parent = n->parent == NO_NODE ? SURVEY_NO_NODE : n->parent;
    return (survey_place){parent, n->by, more->steps, as, more->wanted || more->counts};
}

bool survey_contains(survey *v, uint32_t node, const state *from) {
    state *s = find_alike(v, from);
    if (!s) return false;
    bool found = false;
    for (size_t i = 0; i < v->alike.size && !found; i++)
        found = v->alike.data[i] == node && contains(v, &v->x.graph.nodes.data[node], s);
    state_release(v->x.machine, s);
    return found;
}
