#include "search/search.h"

#include "base/clock.h"
#include "base/invariant.h"
#include "machine/seen.h"
#include "search/internal.h"

#include <string.h>

node *search_top(search *x) {
    assert(x->depth && x->depth <= x->stack.size);
    return &x->stack.data[x->depth - 1];
}

/* --- the stack ------------------------------------------------------------------------------------------ */

static node *push(search *x, state *s, path_step by, effect touched) {
    if (x->depth == x->stack.size) vec_push(&x->stack, ((node){0}));
    assert(s && x->depth < x->stack.size);
    node *n = &x->stack.data[x->depth++];
    node kept = *n; /* its buffers */
    *n = (node){.s = s,
                .by = by,
                .touched = touched,
                .enabled = kept.enabled,
                .next = kept.next,
                .before = kept.before};
    n->marks.data = kept.marks.data;
    n->marks.capacity = kept.marks.capacity;
    vec_clear(&n->enabled);
    vec_clear(&n->next);
    vec_clear(&n->before);
    n->graph_id = n->hang_state = NO_INDEX;
    if (x->depth > x->stats->depth) x->stats->depth = x->depth;
    return n;
}

static void pop(search *x) {
    node *n = search_top(x);
    assert(!n->entry || n->entry->on_stack);
    if (n->entry) n->entry->on_stack = false;
    if (x->graph && n->entry) effects_graph_set_open(x->graph, n->graph_id, false);
    successors_clear(x->machine, &n->next);
    state_release(x->machine, n->s);
    effect touched = n->touched;
    n->touched = (effect){0};
    uint32_t thread = n->by.by.thread;
    x->depth--;
    if (x->dynamic && x->depth) dynamic_after_step(x, &touched, thread);
    effect_free(&touched);
}

/* A state that stands for several, of which the step under way takes some one way and others another. */
static bool parts_company(const node *n) {
    return n->next.size > 1 && !state_is_concrete(n->s);
}

/* From the top down to the first state that is already safe: whatever one of them stands for can reach a
 * fully expanded state. Of a state that parts company only some of it can, this way. */
static void mark_safe_below(search *x, size_t height) {
    for (size_t i = height; i-- > 0;) {
        visited_entry *e = x->stack.data[i].entry;
        assert(!e || e->on_stack);
        if (e && e->safe) break;
        if (e) e->safe = true;
        if (i && parts_company(&x->stack.data[i - 1])) break;
    }
}

static void mark_all_safe(search *x) {
    mark_safe_below(x, x->depth);
}

/* A state of the chain between the two topmost nodes was expanded fully. */
static void mark_safe_before_chain(search *x) {
    if (!parts_company(&x->stack.data[x->depth - 2])) mark_safe_below(x, x->depth - 1);
}

/* --- expansion ------------------------------------------------------------------------------------------ */

void search_try_everything(node *n) {
    for (size_t k = 0; k < n->marks.size; k++)
        if (!(n->marks.data[k] & MARK_DONE)) n->marks.data[k] |= MARK_WORKING | MARK_PERSISTENT;
}

/* A step that came back to an earlier state inside itself may run for ever: the scheduling state it began in
 * must then try the other threads too. */
static void suspect_endless_step(search *x) {
    for (size_t i = x->depth - 1; i-- > 0;) {
        if (!x->stack.data[i].scheduling) continue;
        search_try_everything(&x->stack.data[i]);
        return;
    }
}

/* The top node was met for the first time: it becomes part of the graph of hangs. */
static void enter_hangs(search *x) {
    if (!x->hangs) return;
    node *n = search_top(x), *below = x->depth > 1 ? n - 1 : NULL;
    n->hang_state =
        hangs_add_state(x->hangs, n->s, below ? below->hang_state : HANGS_NOWHERE, n->by, n->chain);
    if (below) hangs_add_way(x->hangs, below->hang_state, n->hang_state, n->hang_way, below->hang_step);
}

static void meet_in_hangs(search *x, const visited_entry *hit) {
    if (!x->hangs) return;
    assert(x->depth > 1);
    const node *n = search_top(x), *below = n - 1;
    if (hit->on_stack) hangs_note_cycle(x->hangs);
    hangs_add_way(x->hangs, below->hang_state, hit->graph_id, n->hang_way, below->hang_step);
}

static void on_match(search *x, visited_entry *hit) {
    x->stats->matched++;
    x->stats->executions++;
    if (state_is_inside_step(search_top(x)->s)) {
        suspect_endless_step(x);
        if (x->kernel->loops_can_wait && hit->on_stack && x->options.properties & PROPERTY_LIVELOCK)
            outcome_doubt(x->out, REASON_OPEN_LOOP, (position){0, 0});
    }
    meet_in_hangs(x, hit);
    if (hit->on_stack) search_look_for_dead_threads(x, search_top(x)->s);
    if (hit->safe)
        mark_all_safe(x);
    else if (!x->cycles_pass_scheduler)
        hit->unfinished = true;
    if (!x->dynamic) return;
    uint32_t target = x->options.edge_replacement ? hit->graph_id : effects_graph_add_node(x->graph);
    dynamic_connect(x, target);
    dynamic_on_match(x, hit);
}

/* The entry of the topmost state below the top that has one. */
static const visited_entry *entry_below(const search *x) {
    for (size_t i = x->depth - 1; i-- > 0;)
        if (x->stack.data[i].entry) return x->stack.data[i].entry;
    return NULL;
}

static void remember(search *x, node *n) {
    n->entry = visited_add_after(x->visited, n->s, entry_below(x));
    if (x->hangs) n->entry->graph_id = n->hang_state;
    if (!x->graph) return;
    n->graph_id = n->entry->graph_id = effects_graph_add_node(x->graph);
    effects_graph_set_open(x->graph, n->graph_id, true);
    dynamic_connect(x, n->graph_id);
}

bool search_threads_compete(const search *x, const state *s, const transitions *enabled) {
    if (!x->kernel->scheduler_moves) return enabled->size && !state_is_inside_step(s);
    return enabled->size && enabled->data[0].thread != MACHINE_KERNEL && enabled->data[0].thread != 0 &&
           !state_is_inside_step(s);
}

bool search_is_scheduling_point(const state *s) {
    return state_phase(s) == PHASE_EVALUATE && !state_is_inside_step(s);
}

/* Where states are stored and matched: scheduling points and, if loop heads are stops, loop heads. */
bool search_is_match_point(const state *s) {
    return search_is_scheduling_point(s) || state_is_inside_step(s);
}

static bool is_ascending_choice(const indices *chosen, size_t enabled) {
    for (size_t i = 0; i < chosen->size; i++)
        if (chosen->data[i] >= enabled || (i && chosen->data[i] <= chosen->data[i - 1])) return false;
    return chosen->size;
}

/* False: nothing less than all of them is known to be enough. */
static bool choose_fewer(search *x, const state *s, const transitions *enabled) {
    if (x->options.choose) {
        x->options.choose(x->options.choose_data, s, enabled, &x->buffer);
        return is_ascending_choice(&x->buffer, enabled->size);
    }
    uint32_t one = x->ample ? ample_find(x->ample, s, enabled) : NO_INDEX;
    if (one != NO_INDEX) vec_push(&x->buffer, one);
    return one != NO_INDEX;
}

void search_choose_enough(search *x, const state *s, const transitions *enabled) {
    if (x->persistent) {
        persistent_compute(x->persistent, s, enabled, 0, &x->buffer);
        return;
    }
    vec_clear(&x->buffer);
    if (choose_fewer(x, s, enabled)) return;
    vec_clear(&x->buffer);
    for (uint32_t i = 0; i < enabled->size; i++) vec_push(&x->buffer, i);
}

static void choose_working(search *x, node *n) {
    for (size_t i = 0; i < n->enabled.size; i++) vec_push(&n->marks, 0);
    if (!n->scheduling) {
        for (size_t i = 0; i < n->enabled.size; i++) n->marks.data[i] = MARK_WORKING;
        bool inside_step = state_is_inside_step(n->s); /* the other threads are not tried here */
        if (!inside_step) mark_all_safe(x);
        return;
    }
    search_choose_enough(x, n->s, &n->enabled);
    assert(x->buffer.size && x->buffer.size <= n->enabled.size);
    slow_assert(is_ascending_choice(&x->buffer, n->enabled.size));
    uint32_t first = n->enabled.data[x->buffer.data[0]].thread;
    for (size_t i = 0; i < x->buffer.size; i++) {
        bool starts = !x->dynamic || n->enabled.data[x->buffer.data[i]].thread == first;
        n->marks.data[x->buffer.data[i]] = (uint8_t)(MARK_PERSISTENT | (starts ? MARK_WORKING : 0));
    }
    if (!x->dynamic && x->buffer.size == n->enabled.size) mark_all_safe(x);
}

/* False: the node need not be explored (covered by a visited state, or nothing can happen). */
static bool expand(search *x) {
    node *n = search_top(x);
    assert(!n->expanded && !n->marks.size);
    n->expanded = true;
    machine_enabled(x->machine, n->s, &n->enabled);
    if (!n->enabled.size) {
        enter_hangs(x);
        x->stats->executions++;
        return false;
    }
    n->scheduling = search_threads_compete(x, n->s, &n->enabled);
    if (x->dynamic) dynamic_order(x);
    if (n->past_full) mark_safe_before_chain(x);
    if (x->visited && search_is_match_point(n->s)) {
        visited_entry *hit = visited_find(x->visited, n->s);
        if (hit) {
            on_match(x, hit);
            return false;
        }
        enter_hangs(x);
        remember(x, n);
    } else {
        enter_hangs(x);
    }
    if (search_is_scheduling_point(n->s)) x->stats->states++;
    shape_add_state(&x->stats->shape, x->depth - 1, n->enabled.size);
    if (x->checker && n->scheduling)
        x->out->reduction_errors += checker_look(x->checker, n->s, &n->enabled, &x->stats->reduction_checks);
    choose_working(x, n);
    return true;
}

/* The cycle proviso: a state whose reduced successors only lead back must be expanded fully. True if there is
 * more to do. */
static bool needs_more(search *x) {
    node *n = search_top(x);
    visited_entry *e = n->entry;
    if (!e || !n->scheduling || !x->options.proviso) return false;
    bool all_done = true;
    for (size_t i = 0; i < n->marks.size; i++) all_done &= (n->marks.data[i] & MARK_DONE) != 0;
    if (all_done) {
        mark_all_safe(x);
        return false;
    }
    if (e->safe || !e->unfinished) return false;
    mark_all_safe(x);
    search_try_everything(n);
    return true;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static bool select_transition(node *n, transition *out) {
    assert(n->marks.size == n->enabled.size);
    for (uint32_t i = 0; i < n->marks.size; i++) {
        if (!(n->marks.data[i] & MARK_WORKING)) continue;
        assert(!(n->marks.data[i] & MARK_DONE)); /* nothing is done twice */
        n->marks.data[i] = (uint8_t)((n->marks.data[i] & ~MARK_WORKING) | MARK_DONE);
        *out = n->enabled.data[i];
        return true;
    }
    return false;
}

static void execute(search *x, transition t) {
    node *n = search_top(x);
    assert(n->next_index == n->next.size); /* what the step before led to was looked at */
    successors_clear(x->machine, &n->next);
    n->next_index = 0;
    if (x->hangs) n->hang_step = hangs_new_step(x->hangs);
    machine_step(x->machine, n->s, t, &x->how, &n->next);
    x->stats->transitions++;
    shape_add_step(&x->stats->shape, x->depth - 1);
    search_look_at_limits(x);
}

/* Takes the next successor of the transition under way: a child on the stack, or judged and done with. */
static void take_successor(search *x) {
    node *n = search_top(x);
    assert(n->next_index < n->next.size);
    successor *s = &n->next.data[n->next_index++];
    transition by = s->step.by;
    if (s->end == STEP_LIMIT && n->scheduling)
        search_try_everything(n); /* what comes after it is lost: others first may still fail */
    x->stats->transitions += s->parts;
    if (x->hangs) {
        hangs_begin_way(x->hangs);
        hangs_add_step(x->hangs, by.thread, &s->course);
    }
    if (search_judge(x, s)) {
        if (x->options.max_depth && x->begun.size + x->depth >= x->options.max_depth) {
            outcome_doubt(x->out, REASON_DEPTH, (position){0, 0});
            return;
        }
        state *to = s->to;
        effect touched = s->touched;
        s->to = NULL;
        s->touched = (effect){0};
        bool past_full = false;
        uint32_t chain = 0;
        if (x->options.chain) chain = search_follow_chain(x, n->s, s->step, &to, &past_full);
        vec_clear(&x->ahead);
        uint32_t way = x->hangs ? hangs_end_way(x->hangs) : NO_INDEX;
        node *child = push(x, to, s->step, touched);
        child->hang_way = way;
        child->chain = chain;
        child->past_full = past_full;
    } else if (x->hangs && s->end == STEP_FINISHED) {
        hangs_add_way(x->hangs, n->hang_state, HANGS_END, hangs_end_way(x->hangs), n->hang_step);
    } else if (x->dynamic && !x->stop) {
        effect touched = s->touched;
        s->touched = (effect){0};
        dynamic_connect_end(x, &touched, by.thread);
        dynamic_after_step(x, &touched, by.thread);
        effect_free(&touched);
    }
}

static void search_depth_first(search *x) {
    state *first = search_begin(x);
    if (!first) return;
    push(x, first, (path_step){0}, (effect){0});
    while (x->depth && !x->stop) {
        node *n = search_top(x);
        transition t;
        if (!n->expanded && !expand(x))
            pop(x);
        else if (n->next_index < n->next.size)
            take_successor(x);
        else if (select_transition(n, &t))
            execute(x, t);
        else if (!needs_more(x))
            pop(x);
    }
    x->out->complete = !x->stop;
}

/* --- set-up --------------------------------------------------------------------------------------------- */

static por_kind static_part(por_kind por) {
    switch (por) {
    case POR_NONE:
    case POR_DPOR:
    case POR_DPOR_HBR: return POR_NONE;
    case POR_DPOR_STUB: return POR_STUB;
    default: return por;
    }
}

/* Without other threads nothing is visible: all of such a program would be one step. */
static bool is_one_step(const program *p) {
    if (!program_kernel(p)->creates_threads) return false;
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *in = &p->functions.data[f].blocks.data[b];
            for (size_t i = 0; i < in->code.size; i++)
                if (in->code.data[i].kind == INSTR_SYNC && in->code.data[i].sync == SYNC_CREATE) return false;
        }
    return true;
}

/* False: something that was chosen excludes it. */
static bool stop_at_loop_heads(const machine *m, explore_options *o) {
    explore_options stopping = *o;
    stopping.stops |= STOP_LOOP_HEAD;
    bool possible = explorer_can(&explorer_search, &stopping, program_kernel(machine_program(m))->rules);
    if (possible) *o = stopping;
    return possible;
}

/* What is left open, and depends on more than the kernel. */
static void fill_in(const machine *m, explore_options *o) {
    bool open = o->loop_heads_if_needed && !o->from;
    if (o->order != ORDER_DFS && open && is_one_step(machine_program(m))) stop_at_loop_heads(m, o);
    /* What is shortest may not be among what a reduction leaves. */
    if (o->order == ORDER_ASTAR && o->weight == 1 && o->por == POR_AUTO && !o->choose) o->por = POR_NONE;
}

static void set_up(search *x, machine *m, const explore_options *options, outcome *out) {
    *x = (search){.machine = m, .options = *options, .out = out, .stats = &out->stats};
    explore_options *o = &x->options;
    x->kernel = program_kernel(machine_program(m));
    x->cycles_pass_scheduler = x->kernel->scheduler_moves && !(o->stops & STOP_LOOP_HEAD) &&
                               segments_phases_end(machine_segments(m), machine_program(m)->threads.size);
    /* Persistent sets alone preserve deadlocks, but not those of threads that others go on without. */
    if (o->properties == PROPERTY_DEADLOCK && !x->kernel->threads_hang_apart) o->proviso = false;
    if (o->por == POR_NONE) o->choose = NULL;
    if (o->choose) out->por = "own";
    x->dynamic = o->por == POR_DPOR || o->por == POR_DPOR_HBR || o->por == POR_DPOR_STUB;
    x->happens_before = o->por == POR_DPOR_HBR;
    x->static_sets = o->por == POR_DPOR_STUB;
    x->how = (step_options){.effects = x->dynamic || o->dump_traces,
                            .stops = o->stops,
                            .threads = o->threads,
                            .defer_path_gc = o->chain != 0};
    /* An assertion that is not asked about is absent: if it cut its path it would hide
     * violations that are. */
    x->how.continue_after_violation = o->all || !(o->properties & PROPERTY_ASSERT);
    if (x->kernel->steps_are_segments && !o->choose)
        x->persistent = persistent_create(m, static_part(o->por), o->necessary_enabling);
    else if (o->por == POR_AMPLE && !o->choose)
        x->ample = ample_create(m, o->stops);
    bool ignore_time =
        o->force_time_abstraction || (o->time_abstraction && time_is_irrelevant(machine_program(m)));
    if (o->match != MATCH_NONE)
        x->visited = o->visited == VISITED_FULL ? visited_create(m, o->match, ignore_time, o->visited_bytes)
                                                : visited_create_compact(m, o->match, ignore_time,
                                                                         o->visited == VISITED_UNCONFIRMED);
    if (x->visited) visited_set_interrupted(x->visited, o->interrupted, o->interrupted_data);
    if (x->dynamic && x->visited) x->graph = effects_graph_create((uint32_t)machine_program(m)->threads.size);
    unsigned hang = PROPERTY_DEADLOCK | PROPERTY_LIVELOCK;
    if (x->kernel->threads_hang_apart && x->visited && o->properties & hang) x->hangs = hangs_create(m);
    x->how.watch_loops = x->hangs != NULL;
    if (o->check_reduction) x->checker = checker_create(m);
    x->started = clock_wall();
    x->started_cpu = clock_cpu();
}

static void tear_down(search *x) {
    while (x->depth) {
        node *n = search_top(x);
        successors_clear(x->machine, &n->next);
        state_release(x->machine, n->s);
        effect_free(&n->touched);
        x->depth--;
    }
    for (size_t i = 0; i < x->stack.size; i++) {
        node *n = &x->stack.data[i];
        vec_free(&n->enabled);
        vec_free(&n->marks);
        successors_free(x->machine, &n->next);
        vec_free(&n->before);
    }
    vec_free(&x->stack);
    vec_free(&x->begun);
    for (size_t i = 0; i < x->queue.size; i++) state_release(x->machine, x->queue.data[i].s);
    vec_free(&x->queue);
    vec_free(&x->buffer);
    vec_free(&x->movers);
    search_close_chains(x);
    persistent_destroy(x->persistent);
    ample_destroy(x->ample);
    map_free(&x->races);
    visited_destroy(x->visited);
    effects_graph_destroy(x->graph);
    hangs_destroy(x->hangs);
    checker_destroy(x->checker);
}

/* States say which accesses are next and nothing of what happened before, which orders weaker than those of
 * the machine, and locks that were not got, make part of what a data race is. */
static void doubt_orders(const machine *m, const explore_options *o, outcome *out) {
    const machine_seen *seen = machine_seen_so_far(m);
    if (!(o->properties & PROPERTY_RACE) || !seen->loose_access.met) return;
    outcome_doubt_fact(out, REASON_RACES_BY_ORDER, &seen->loose_access, DOUBT_OF_EXPLORER);
    out->complete = false;
}

static void run_once(machine *m, const explore_options *options, outcome *out) {
    search x;
    explore_begin(m);
    set_up(&x, m, options, out);
    if (x.options.order == ORDER_BFS)
        search_breadth_first(&x);
    else if (x.options.order == ORDER_ASTAR)
        search_guided(&x);
    else
        search_depth_first(&x);
    search_look_for_hangs(&x);
    search_finish_statistics(&x);
    judge_sort_traces(out);
    doubt_orders(m, options, out);
    if (x.visited && visited_approximated(x.visited))
        outcome_doubt(out, REASON_APPROXIMATE_MATCH, (position){0, 0});
    if (x.visited && visited_believed(x.visited)) outcome_doubt(out, REASON_SIGNATURES, (position){0, 0});
    if (out->reduction_errors) outcome_doubt(out, REASON_REDUCTION_WRONG, (position){0, 0});
    tear_down(&x);
    explore_conclude(m, options, out);
}

/* --- a second try --------------------------------------------------------------------------------------- */

enum { SECOND_TRY_TRANSITIONS = 100000 };

/* Whether the only thing in the way of a verdict is a step that split into too many paths. */
static bool lost_paths_only(const outcome *o) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (o->doubts.data[i].why.kind != REASON_TOO_MANY_PATHS) return false;
    return o->doubts.size && outcome_verdict(o) == VERDICT_UNKNOWN;
}

/* A loop that splits at every turn may still come back to states it has seen, if one looks at its head. */
void search_run(machine *m, const explore_options *options, outcome *out) {
    explore_options how = *options, again;
    fill_in(m, &how);
    again = how;
    if (!explorer_settle(&explorer_search, m, &how, out)) return;
    run_once(m, &how, out);
    if (!how.loop_heads_if_needed || how.order != ORDER_DFS || how.match == MATCH_NONE ||
        !lost_paths_only(out) || !stop_at_loop_heads(m, &again))
        return;
    if (!again.max_transitions || again.max_transitions > SECOND_TRY_TRANSITIONS)
        again.max_transitions = SECOND_TRY_TRANSITIONS;
    outcome second = {0};
    if (explorer_settle(&explorer_search, m, &again, &second)) run_once(m, &again, &second);
    if (outcome_verdict(&second) == VERDICT_UNKNOWN) {
        outcome_amend(out, &(amendment){.lost = &second});
        outcome_free(&second);
        return;
    }
    outcome first = *out;
    *out = second;
    outcome_add_earlier(out, &first);
}
