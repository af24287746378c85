/* An engine to start from (docs/own-engine.md): breadth first, all steps of every state, every state once.
 *
 * Promises a shortest counterexample, and to end if there are finitely many states. Never looks for blocked
 * threads and data races, and says so. */
#include "explore/explorer.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "matching/visited.h"

typedef struct queued {
    state *s;
    uint32_t parent; /* in the queue; its own number: the first one */
    path_step by;    /* from there */
} queued;

typedef struct mine {
    machine *machine;
    explore_options options;
    judge judge;
    limits limits;
    outcome *out;
    visited *visited;
    VEC(queued) queue;
    uint32_t turn;     /* whose steps are made */
    path_step present; /* the one that was just made */
    transitions enabled;
    successors next;
} mine;

/* --- paths ---------------------------------------------------------------------------------------------- */

static void add_path_to(const mine *x, uint32_t number, path *out) {
    for (uint32_t i = number; i != x->queue.data[i].parent; i = x->queue.data[i].parent)
        vec_push(out, x->queue.data[i].by);
    for (size_t i = 0, j = out->size; i + 1 < j; i++) {
        path_step last = out->data[--j];
        out->data[j] = out->data[i];
        out->data[i] = last;
    }
}

/* From the initial state to the end of the present step. */
static void record_path(void *data, path *out) {
    const mine *x = data;
    add_path_to(x, x->turn, out);
    vec_push(out, x->present);
}

/* --- states and steps ----------------------------------------------------------------------------------- */

static void add_state(mine *x, state *s, uint32_t parent) {
    visited_add(x->visited, s)->on_stack = false;
    x->out->stats.states++;
    vec_push(&x->queue, ((queued){state_share(s), parent, x->present}));
}

/* One of the ends of the present step. */
static void meet(mine *x, const successor *s) {
    x->out->stats.transitions += s->parts;
    explore_note_step(x->machine, &x->options, x->queue.data[x->turn].s, s);
    judge_step_end(&x->judge, s, record_path, x);
    if (s->end == STEP_STOPPED && !visited_find(x->visited, s->to)) {
        add_state(x, s->to, x->turn);
        return;
    }
    x->out->stats.matched += s->end == STEP_STOPPED;
    x->out->stats.executions++;
}

static void make_step(mine *x, transition by) {
    successors_clear(x->machine, &x->next);
    machine_step(x->machine, x->queue.data[x->turn].s, by, &x->judge.how, &x->next);
    x->out->stats.transitions++;
    for (uint32_t i = 0; i < x->next.size && !x->judge.stop; i++) {
        x->present = x->next.data[i].step;
        meet(x, &x->next.data[i]);
    }
}

static void expand(mine *x) {
    machine_enabled(x->machine, x->queue.data[x->turn].s, &x->enabled);
    if (!x->enabled.size) x->out->stats.executions++;
    for (size_t i = 0; i < x->enabled.size && !x->judge.stop; i++) make_step(x, x->enabled.data[i]);
}

static void explore(mine *x) {
    state *first = machine_initial(x->machine, x->options.stops);
    add_state(x, first, 0);
    state_release(x->machine, first);
    bool allowed = true;
    for (; x->turn < x->queue.size && !x->judge.stop && allowed; x->turn++) {
        expand(x);
        allowed = x->judge.stop || limits_allow(&x->limits);
    }
    x->out->complete = x->turn == x->queue.size && !x->judge.stop && allowed;
}

static void mine_run(machine *m, const explore_options *how, outcome *out);

/* --- what it says of itself ----------------------------------------------------------------------------- */

static const explorer_option options[] = {COUNTED_LIMITS(ON_ANY_KERNEL), {0}};

static const explorer_gap gaps[] = {
    {.properties = PROPERTY_DEADLOCK | PROPERTY_LIVELOCK,
     .why = {REASON_NOT_LOOKED_FOR, "engine mine looks for no deadlocks"}},
    {.properties = PROPERTY_RACE, .why = {REASON_NOT_LOOKED_FOR, "engine mine looks for no data races"}},
    {0}};

const explorer explorer_mine = {
    .name = "mine",
    .summary = "states, each once, without reduction",
    .run = mine_run,
    .explores = EXPLORED_STATES,
    .kernels = ON_ANY_KERNEL,
    .reductions = {[RULES_SYSTEMC] = CHOICE(POR_NONE), [RULES_PREEMPTIVE] = CHOICE(POR_NONE)},
    .reduction = {[RULES_SYSTEMC] = POR_NONE, [RULES_PREEMPTIVE] = POR_NONE},
    .matchers = CHOICE(MATCH_CEQ) | CHOICE(MATCH_PESM) | CHOICE(MATCH_ESM),
    .matcher = MATCH_CEQ,
    .orders = CHOICE(ORDER_BFS),
    .stops = CHOICE(STOPS_VISIBLE),
    .memory_models = BOTH_MEMORY_MODELS,
    .options = options,
    .proves = true,
    .lists_all = true,
    .keeps_bounds = true,
    .gaps = gaps,
    .endless_executions = true,
};

/* --- begin and end -------------------------------------------------------------------------------------- */

static void begin(mine *x) {
    explore_begin(x->machine);
    x->judge = judge_create(x->machine, &x->options, x->out);
    x->limits = limits_start(x->machine, &x->options, x->out);
    x->visited = visited_create(x->machine, x->options.match, false, 0);
    visited_set_interrupted(x->visited, x->options.interrupted, x->options.interrupted_data);
}

static void end(mine *x) {
    limits_refresh(&x->limits);
    for (size_t i = 0; i < x->queue.size; i++) state_release(x->machine, x->queue.data[i].s);
    vec_free(&x->queue);
    vec_free(&x->enabled);
    successors_free(x->machine, &x->next);
    visited_destroy(x->visited);
    explore_conclude(x->machine, &x->options, x->out);
}

static void mine_run(machine *m, const explore_options *how, outcome *out) {
    mine x = {.machine = m, .options = *how, .out = out};
    if (!explorer_settle(&explorer_mine, m, &x.options, out)) return;
    begin(&x);
    explore(&x);
    end(&x);
}
