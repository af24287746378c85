#include "dpor/dpor.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "dpor/internal.h"
#include "machine/seen.h"
#include "reduction/trace_class.h"

/* Programs with inputs. A step may have several outcomes. Scheduling is over threads only: whoever is chosen
 * at a node has all outcomes of its step explored there, so none is ever lost. Fix any values of all inputs:
 * the program then is deterministic, exactly one outcome of every step belongs to these values, and the part
 * of the exploration that follows these outcomes is an exploration of that deterministic program. Races found
 * under other values only add threads to nodes, which keeps source sets source sets. A sleeping thread stands
 * for all its outcomes and wakes up when one of them is disturbed, which is sooner than needed at worst. A
 * branch of a wakeup tree is a list of threads that only guides the search behind its first one, which had to
 * be tried; where another outcome makes a thread of it not enabled, it is skipped. So soundness does not
 * depend on inputs; that no execution is redundant holds for programs whose steps have one outcome. The first
 * step with several makes the optimal algorithm start again, because what it concludes about independent
 * threads is not valid any more (see wakeup.c). */

enum { DEFAULT_DEPTH = 100000 };

/* --- rows ----------------------------------------------------------------------------------------------- */

/* The newest row need not be there yet. */
static void widen_rows(void *to, const void *from, size_t new_bytes, size_t old_bytes, size_t old_capacity,
                       size_t count) {
    for (size_t i = 0; old_bytes && i < count && (i + 1) * old_bytes <= old_capacity; i++)
        memcpy((char *)to + i * new_bytes, (const char *)from + i * old_bytes, old_bytes);
}

static void widen_rows_of_bits(bit_rows *rows, size_t count, uint32_t from, uint32_t to) {
    bit_rows wide = {mem_zero((count + 1) * to, sizeof(uint64_t)), 0, (count + 1) * to};
    widen_rows(wide.data, rows->data, to * sizeof(uint64_t), from * sizeof(uint64_t),
               rows->capacity * sizeof(uint64_t), count);
    vec_free(rows);
    *rows = wide;
}

static void make_room_for_threads(dpor *x, uint32_t threads) {
    while (x->last.size < threads) {
        vec_push(&x->last, NO_INDEX);
        vec_push(&x->born, NO_INDEX);
    }
    if (threads <= x->threads) return;
    uint32_t old_threads = x->threads, old_words = row_words(x);
    x->threads = (threads + 7) / 8 * 8;
    size_t count = x->events.size;
    uint32_t *wide = mem_zero((count + 1) * x->threads, sizeof *wide);
    widen_rows(wide, x->clocks.data, x->threads * sizeof *wide, old_threads * sizeof *wide,
               x->clocks.capacity * sizeof *wide, count);
    mem_free(x->clocks.data);
    x->clocks.data = wide;
    x->clocks.capacity = (count + 1) * x->threads;
    if (row_words(x) != old_words) {
        widen_rows_of_bits(&x->enabled, x->nodes.size, old_words, row_words(x));
        widen_rows_of_bits(&x->tried, x->nodes.size, old_words, row_words(x));
    }
    vec_reserve(&x->reversible_clock, x->threads);
    vec_reserve(&x->second_clock, x->threads);
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

bool is_asleep(const dpor *x, const node *n, uint32_t thread) {
    for (uint32_t i = n->sleep_begin; i < n->sleep_end; i++)
        if (x->sleepers.data[i].thread == thread) return true;
    return false;
}

/* Whoever is independent of all that was done since could still go on, if only a bound of switches let it. */
FOR_ASSERTIONS static bool sleepers_could_go_on(const dpor *x, const node *n) {
    bool could = true;
    for (uint32_t i = n->sleep_begin; i < n->sleep_end && could; i++) {
        pending p = {0};
        machine_pending(x->machine, n->s, x->sleepers.data[i].thread, &p);
        could = p.live && p.enabled;
    }
    return could;
}

static void inherit_sleepers(dpor *x, node *n) {
    if (!x->events.size) return;
    const node *parent = &x->nodes.data[x->nodes.size - 2];
    const footprint *touched = &vec_last(&x->events).touched;
    for (uint32_t i = parent->sleep_begin; i < parent->sleep_end; i++) {
        sleeper s = x->sleepers.data[i];
        if (footprint_conflict(x->accesses.data, &s.touched, x->accesses.data, touched)) continue;
        vec_push(&x->sleepers, s);
        n->sleep_end++;
        assert(n->sleep_end == x->sleepers.size);
    }
}

/* Takes the state over. */
static void push_node(dpor *x, state *s, uint32_t branches) {
    vec_push(&x->nodes, ((node){.s = s, .branches = branches, .subtree = NO_INDEX}));
    uint32_t position = (uint32_t)x->nodes.size - 1;
    make_room_for_threads(x, state_thread_count(s));
    size_t words = row_words(x);
    vec_reserve(&x->enabled, x->nodes.size * words);
    vec_reserve(&x->tried, x->nodes.size * words);
    memset(enabled_row(x, position), 0, words * sizeof(uint64_t));
    memset(tried_row(x, position), 0, words * sizeof(uint64_t));
    node *n = top(x);
    vec_clear(&x->transitions);
    machine_enabled(x->machine, s, &x->transitions);
    n->enabled_count = (uint32_t)x->transitions.size;
    for (size_t i = 0; i < x->transitions.size; i++)
        bits_add(enabled_row(x, position), x->transitions.data[i].thread);
    n->sleep_begin = n->sleep_end = (uint32_t)x->sleepers.size;
    n->races_begin = (uint32_t)x->races.size;
    n->ways_begin = n->ways_next = n->ways_end = (uint32_t)x->ways.size;
    inherit_sleepers(x, n);
    slow_assert(sleepers_could_go_on(x, n));
    x->stats->states++;
    shape_add_state(&x->stats->shape, position, n->enabled_count);
    if (x->nodes.size > x->stats->depth) x->stats->depth = x->nodes.size;
}

/* Removes the newest event; the top node is the one it was taken from. */
static void pop_event(dpor *x) {
    const event e = vec_pop(&x->events);
    assert(x->filters.size == x->events.size + 1 && x->nodes.size == x->events.size + 1);
    x->filters.size--;
    x->stepped_back = true;
    const node *n = top(x);
    x->last.data[e.thread] = e.previous;
    assert(n->races_begin <= x->races.size && n->sleep_end <= x->sleepers.size);
    x->races.size = n->races_begin;
    x->sleepers.size = n->sleep_end;
    if (x->agreed > x->events.size) x->agreed = (uint32_t)x->events.size;
}

static void pop_node(dpor *x) {
    node n = vec_pop(&x->nodes);
    state_release(x->machine, n.s);
    if (x->wakeup) wakeup_drop(x->wakeup, n.branches);
    x->sleepers.size = n.sleep_begin;
    if (x->nodes.size) pop_event(x);
}

/* --- choice of the next thread -------------------------------------------------------------------------- */

static uint32_t next_of_all(const dpor *x, uint32_t position) {
    for (uint32_t t = 0; t < x->last.size; t++)
        if (bits_has(enabled_row(x, position), t) && !bits_has(tried_row(x, position), t)) return t;
    return NO_INDEX;
}

static uint32_t next_of_set(const dpor *x, const node *n, uint32_t position) {
    for (uint32_t t = 0; t < x->last.size; t++)
        if (bits_has(tried_row(x, position), t) && may_start(x, n, t)) return t;
    return NO_INDEX;
}

/* A thread that is not enabled is skipped and the rest of its branch stays: either it spins and waits here,
 * and its step would have changed nothing, or another outcome of an earlier step was meant. */
static uint32_t next_of_wakeup_tree(dpor *x, node *n) {
    while (n->branches != NO_INDEX) {
        uint32_t thread = wakeup_thread(x->wakeup, n->branches);
        if (!bits_has(enabled_row(x, (uint32_t)x->nodes.size - 1), thread)) {
            wakeup_skip(x->wakeup, &n->branches);
            continue;
        }
        uint32_t subtree = wakeup_take(x->wakeup, &n->branches);
        if (!is_asleep(x, n, thread)) {
            n->subtree = subtree;
            return thread;
        }
        wakeup_drop(x->wakeup, subtree);
    }
    return NO_INDEX;
}

static uint32_t choose_thread(dpor *x) {
    node *n = top(x);
    uint32_t position = (uint32_t)x->nodes.size - 1, thread = NO_INDEX;
    switch (x->options.por) {
    case POR_NONE: thread = next_of_all(x, position); break;
    case POR_OPTIMAL: thread = next_of_wakeup_tree(x, n); break;
    default: thread = next_of_set(x, n, position); break;
    }
    if (thread == NO_INDEX && !n->explored) thread = schedule_freely(x);
    assert(thread == NO_INDEX || bits_has(enabled_row(x, position), thread));
    assert(thread == NO_INDEX || x->options.por == POR_NONE || !is_asleep(x, n, thread));
    if (thread != NO_INDEX) bits_add(tried_row(x, position), thread);
    return thread;
}

/* --- the end of an execution ---------------------------------------------------------------------------- */

static void record_path(void *data, path *out) {
    const dpor *x = data;
    for (size_t i = 0; i < x->events.size; i++) vec_push(out, x->events.data[i].step);
}

/* One number for the trace. Which outcomes were taken shows in the last state; indices of outcomes depend on
 * the order of independent steps, because path conditions rule outcomes out. */
static void record_trace(dpor *x, const state *end) {
    VEC(trace_event) events = {0};
    effect *touched = mem_zero(x->events.size + 1, sizeof *touched);
    bool forked = false;
    for (size_t i = 0; i < x->events.size; i++) {
        const event *e = &x->events.data[i];
        touched[i].data = x->accesses.data + e->touched.begin;
        touched[i].size = e->touched.end - e->touched.begin;
        forked |= e->forked;
        vec_push(&events, ((trace_event){e->thread, 0, e->touched.everything, &touched[i]}));
    }
    uint64_t hash = trace_class(events.data, events.size);
    if (forked) hash = hash_pair(hash, state_hash(end, HASH_EXACT));
    vec_push(&x->out->trace_classes, hash);
    vec_free(&events);
    mem_free(touched);
}

static void use_races(dpor *x, size_t first) {
    for (size_t i = first; i < x->races.size; i++) {
        race *r = &x->races.data[i];
        assert(r->first < r->second && r->second <= x->events.size);
        if (x->options.por == POR_SOURCE)
            backtrack_by_source_set(x, r);
        else if (x->options.por == POR_PERSISTENT)
            backtrack_by_persistent_set(x, r);
        else if (x->options.por == POR_OPTIMAL && (r->settled == NOT_SETTLED || r->settled >= x->agreed))
            wakeup_insert(x, r);
    }
}

/* In the first execution nothing is known of races to come, and what is explored first shapes the whole tree:
 * it begins again with what was learned, unless that was long or showed that there is just one. */
static void rehearse(dpor *x) {
    enum { LONG = 10000 };
    if (x->rehearsed || x->options.por == POR_NONE) return;
    x->rehearsed = true;
    x->again |= x->races.size && x->events.size < LONG;
}

/* `looked_at`: the last state in which threads were looked at; NULL if the execution was given up. */
static void end_execution(dpor *x, const state *looked_at) {
    size_t races = x->races.size, pool = x->accesses.size;
    if (looked_at && x->orders) order_blocked(x, looked_at);
    if (x->wakeup) wakeup_forget_execution(x->wakeup);
    use_races(x, x->wakeup ? 0 : races);
    x->agreed = (uint32_t)x->events.size;
    x->stats->executions++;
    rehearse(x);
    x->races.size = races;
    x->accesses.size = pool;
}

static void end_at_node(dpor *x) {
    const node *n = top(x);
    if (n->enabled_count) {
        x->stats->blocked_executions++;
        end_execution(x, n->s);
        return;
    }
    judge_standstill(&x->judge, n->s, record_path, x);
    end_execution(x, n->s);
    if (x->options.dump_traces) record_trace(x, n->s);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* An outcome that ends in a violation is a report and not a choice. */
static void note_fork(dpor *x) {
    unsigned outcomes = 0;
    for (size_t i = 0; i < x->successors.size; i++) outcomes += x->successors.data[i].end != STEP_VIOLATION;
    if (outcomes < 2 || x->forks) return;
    x->forks = true;
    x->again |= x->wakeup != NULL && x->stats->executions;
}

static void take_step(dpor *x, uint32_t thread) {
    node *n = top(x);
    n->explored = n->under_way = true;
    n->thread = thread;
    n->ways_begin = n->ways_next = (uint32_t)x->ways.size;
    machine_step_thread(x->machine, n->s, thread, &x->judge.how, &x->successors);
    x->stats->transitions++;
    shape_add_step(&x->stats->shape, x->nodes.size - 1);
    for (size_t i = 0; i < x->successors.size; i++) {
        successor *s = &x->successors.data[i];
        explore_note_step(x->machine, &x->options, n->s, s);
        state_add_watched(n->s, thread, &s->touched);
        note_touched(x, n->s, thread, &s->touched);
        way w = {.to = s->to, .end = *s};
        w.touched = footprint_add(&x->accesses, s->touched.data, s->touched.size);
        w.touched.everything = judge_cuts_off_others(&x->judge, n->s, thread, s);
        w.end.to = NULL;
        w.end.touched = (effect){0};
        s->to = NULL;
        vec_push(&x->ways, w);
    }
    n->ways_end = (uint32_t)x->ways.size;
    note_fork(x);
    successors_clear(x->machine, &x->successors);
    if (!limits_allow(&x->limits)) x->judge.stop = true;
}

static void note_births(dpor *x, const state *from, const state *to, uint32_t creator) {
    if (state_thread_status(from, creator) != THREAD_UNBORN && !state_made_threads(from, to, creator)) return;
    make_room_for_threads(x, state_thread_count(to));
    for (uint32_t t = 0; t < state_thread_count(to); t++)
        if (state_thread_status(from, t) == THREAD_UNBORN && state_thread_status(to, t) != THREAD_UNBORN)
            x->born.data[t] = (uint32_t)x->events.size - 1;
}

static void push_event(dpor *x, const way *w) {
    const node *n = top(x);
    event e = {.thread = n->thread,
               .step = w->end.step,
               .previous = x->last.data[n->thread],
               .forked = n->ways_end - n->ways_begin > 1,
               .waited = !x->exits_anywhere && machine_is_at_program_end(x->machine, n->s, n->thread),
               .touched = w->touched};
    schedule_learn(x, &e);
    vec_push(&x->events, e);
    vec_push(&x->filters, footprint_filter_of(&e.touched));
    x->last.data[e.thread] = (uint32_t)x->events.size - 1;
    note_births(x, n->s, w->to, e.thread);
    vec_reserve(&x->clocks, x->events.size * x->threads);
    if (!x->orders) return;
    size_t first_race = x->races.size;
    order_event(x);
    if (!x->wakeup) use_races(x, first_race);
    report_data_races(x, first_race);
}

static bool is_too_deep(dpor *x, const state *s, uint32_t thread) {
    if (x->nodes.size < x->options.max_depth) return false;
    judge_doubt_next(&x->judge, REASON_DEPTH, s, thread);
    return true;
}

/* A violation with a continuation: that one touches whatever this one does, and more. A race with what was
 * touched up to the violation would put half a step into a wakeup tree. */
static bool goes_on_elsewhere(const dpor *x, const node *n, const way *w) {
    bool other = false;
    for (uint32_t i = n->ways_begin; i < n->ways_end; i++) other |= x->ways.data[i].end.end != STEP_VIOLATION;
    return w->end.end == STEP_VIOLATION && other;
}

/* Takes the next outcome of the step under way. */
static void take_way(dpor *x) {
    node *n = top(x);
    way w = x->ways.data[n->ways_next++];
    x->ways.data[n->ways_next - 1].to = NULL;
    bool last = n->ways_next == n->ways_end;
    uint32_t thread = n->thread, subtree = NO_INDEX;
    push_event(x, &w);
    x->stats->transitions += w.end.parts;
    w.end.to = w.to;
    judge_step_end(&x->judge, &w.end, record_path, x);
    if (w.end.end == STEP_STOPPED && !is_too_deep(x, w.to, thread)) {
        if (x->wakeup) subtree = last ? n->subtree : wakeup_copy(x->wakeup, n->subtree);
        if (last) n->subtree = NO_INDEX;
        push_node(x, w.to, subtree);
        return;
    }
    bool finished = w.end.end == STEP_FINISHED;
    if (goes_on_elsewhere(x, n, &w))
        x->stats->executions++;
    else
        end_execution(x, finished || w.touched.everything ? n->s : NULL);
    if (finished && x->options.dump_traces) record_trace(x, w.to);
    state_release(x->machine, w.to);
    pop_event(x);
}

/* All outcomes of the step under way were explored. */
static void finish_step(dpor *x) {
    node *n = top(x);
    sleeper s = {.thread = n->thread};
    for (uint32_t i = n->ways_begin; i < n->ways_end; i++) {
        const footprint *f = &x->ways.data[i].touched;
        s.touched = i == n->ways_begin ? *f : footprint_join(s.touched, *f);
    }
    if (n->ways_end > n->ways_begin) x->accesses.size = s.touched.end;
    x->ways.size = n->ways_begin;
    if (x->wakeup) wakeup_drop(x->wakeup, n->subtree);
    n->subtree = NO_INDEX;
    n->under_way = false;
    if (x->options.por == POR_NONE) return;
    slow_assert(!is_asleep(x, n, s.thread));
    vec_push(&x->sleepers, s);
    n->sleep_end = (uint32_t)x->sleepers.size;
}

static void forget_execution(dpor *x) {
    for (size_t i = 0; i < x->ways.size; i++)
        if (x->ways.data[i].to) state_release(x->machine, x->ways.data[i].to);
    vec_clear(&x->ways);
    while (x->nodes.size) {
        if (x->wakeup) wakeup_drop(x->wakeup, top(x)->subtree);
        pop_node(x);
    }
    vec_clear(&x->accesses);
}

/* Forgets everything but violations and doubts. */
static void start_again(dpor *x) {
    forget_execution(x);
    map_clear(&x->updated);
    vec_clear(&x->out->trace_classes);
    x->stats->executions = x->stats->blocked_executions = x->stats->states = 0;
    x->stats->shape = (search_shape){0};
    x->again = false;
    x->agreed = 0;
    push_node(x, machine_initial(x->machine, x->options.stops), NO_INDEX);
}

static void explore(dpor *x) {
    push_node(x, machine_initial(x->machine, x->options.stops), NO_INDEX);
    while ((x->nodes.size || x->again) && !x->judge.stop) {
        if (x->again) start_again(x);
        node *n = top(x);
        if (n->under_way && n->ways_next < n->ways_end) {
            take_way(x);
            continue;
        }
        if (n->under_way) finish_step(x);
        uint32_t thread = choose_thread(x);
        if (thread != NO_INDEX) {
            take_step(x, thread);
            continue;
        }
        if (!n->explored) end_at_node(x);
        pop_node(x);
    }
    x->out->complete = !x->nodes.size;
}

/* --- set-up --------------------------------------------------------------------------------------------- */

static void set_up(dpor *x, machine *m, const explore_options *options, outcome *out) {
    *x = (dpor){.machine = m, .options = *options, .out = out, .stats = &out->stats};
    explore_options *o = &x->options;
    if (!o->max_depth) o->max_depth = DEFAULT_DEPTH;
    x->judge = judge_create(m, &x->options, out);
    x->limits = limits_start(m, &x->options, out);
    x->exits_anywhere = machine_exits_anywhere(m);
    x->orders = o->por != POR_NONE || o->properties & PROPERTY_RACE || o->dump_traces;
    if (o->por == POR_OPTIMAL) x->wakeup = wakeup_create();
    x->schedule = schedule_create();
}

static void tear_down(dpor *x) {
    forget_execution(x);
    vec_free(&x->nodes);
    vec_free(&x->events);
    vec_free(&x->filters);
    vec_free(&x->ways);
    vec_free(&x->sleepers);
    vec_free(&x->races);
    vec_free(&x->accesses);
    vec_free(&x->clocks);
    vec_free(&x->enabled);
    vec_free(&x->tried);
    vec_free(&x->awake);
    vec_free(&x->last);
    vec_free(&x->born);
    wakeup_destroy(x->wakeup);
    schedule_destroy(x->schedule);
    vec_free(&x->reversible_clock);
    vec_free(&x->second_clock);
    vec_free(&x->transitions);
    effect_free(&x->guard);
    successors_free(x->machine, &x->successors);
    happens_destroy(x->happens);
    map_free(&x->race_attempts);
    map_free(&x->awaited);
    map_free(&x->updated);
}

void dpor_run(machine *m, const explore_options *options, outcome *out) {
    dpor x;
    explore_options how = *options;
    if (!explorer_settle(&explorer_dpor, m, &how, out)) return;
    explore_begin(m);
    set_up(&x, m, &how, out);
    explore(&x);
    limits_refresh(&x.limits);
    judge_sort_traces(out);
    const machine_seen *seen = machine_seen_so_far(m);
    if (x.options.properties & PROPERTY_RACE && seen->lost_order.met && seen->loose_access.met)
        outcome_doubt_fact(out, REASON_ODD_ATOMICS, &seen->loose_access, DOUBT_OF_EXPLORER);
    tear_down(&x);
    explore_conclude(m, options, out);
}
