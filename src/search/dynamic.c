/* Dynamic reduction: which earlier states must try another thread first, given what a step turned out to
 * touch.
 *
 * Races are looked for only within the present delta cycle: the scheduler's transition waits until no thread
 * can run, so nothing moves across it. */
#include "base/bits.h"
#include "search/internal.h"

static node *at(search *x, size_t position) {
    assert(position < x->depth);
    return &x->stack.data[position];
}

/* The lowest stack position that belongs to the delta cycle of the top node: the first scheduling node after
 * a step of the scheduler or main. */
static size_t cycle_start(search *x) {
    size_t k = x->depth - 1;
    while (k > 0 && at(x, k)->by.by.thread != MACHINE_KERNEL && at(x, k)->by.by.thread != 0 &&
           at(x, k - 1)->scheduling)
        k--;
    return k;
}

static void add_one(search *x, node *n, uint32_t index) {
    assert(index < n->marks.size && n->marks.size == n->enabled.size); /* only who is enabled is tried */
    if (x->static_sets && !(n->marks.data[index] & MARK_PERSISTENT)) return;
    if (!(n->marks.data[index] & MARK_DONE)) n->marks.data[index] |= MARK_WORKING;
}

static void add_all(search *x, node *n) {
    for (uint32_t i = 0; i < n->enabled.size; i++) add_one(x, n, i);
}

static bool may_try(const search *x, const node *n, uint32_t thread) {
    bool some = false;
    for (uint32_t i = 0; i < n->enabled.size && !some; i++)
        some = n->enabled.data[i].thread == thread && (!x->static_sets || n->marks.data[i] & MARK_PERSISTENT);
    return some;
}

/* Everything that the thread may do there: it is a thread that comes first, whichever way it goes. */
static void add_thread(search *x, node *n, uint32_t thread) {
    for (uint32_t i = 0; i < n->enabled.size; i++)
        if (n->enabled.data[i].thread == thread) add_one(x, n, i);
}

static bool is_enabled(const node *n, uint32_t thread) {
    transition some;
    return transitions_find(&n->enabled, thread, &some);
}

/* --- happens-before ------------------------------------------------------------------------------------- */

/* Whether `thread` could not have run before the step into position p, because only p's thread can wake it
 * where it waits then. An enabling step among several possible ones does not count: another one might have
 * come first. */
static bool only_enabler(search *x, size_t p, uint32_t thread) {
    assert(p);
    pending next;
    machine_pending(x->machine, at(x, p - 1)->s, thread, &next);
    if (!next.live || next.enabled || !next.enabled_by) return false;
    const segments *g = machine_segments(x->machine);
    bool some = false;
    for (uint32_t i = 0; i < g->list.size; i++) {
        if (!bits_has(next.enabled_by, i)) continue;
        if (g->list.data[i].thread != at(x, p)->by.by.thread) return false;
        some = true;
    }
    return some;
}

static bool ordered_before(search *x, size_t p, const effect *touched, uint32_t thread) {
    const node *earlier = at(x, p);
    return earlier->by.by.thread == thread || effect_conflict(&earlier->touched, touched) ||
           only_enabler(x, p, thread);
}

void dynamic_order(search *x) {
    node *top = search_top(x);
    vec_clear(&top->before);
    if (!x->happens_before || x->depth < 2) return;
    size_t start = cycle_start(x), words = BITS_WORDS(x->depth - start);
    for (size_t w = 0; w < words; w++) vec_push(&top->before, 0);
    for (size_t j = start + 1; j + 1 < x->depth; j++) {
        const node *earlier = at(x, j);
        if (!ordered_before(x, j, &top->touched, top->by.by.thread)) continue;
        assert(BITS_WORDS(j - start + 1) <= top->before.size && earlier->before.size <= top->before.size);
        bits_add(top->before.data, j - start);
        bits_join(top->before.data, earlier->before.data, earlier->before.size);
    }
}

/* Whether the step into position p precedes the next step of `thread` whatever it touches. */
static bool precedes_thread(search *x, size_t start, size_t p, uint32_t thread) {
    for (size_t j = p; j < x->depth; j++) {
        if (at(x, j)->by.by.thread != thread && !only_enabler(x, j, thread)) continue;
        if (j == p || bits_has(at(x, j)->before.data, p - start)) return true;
    }
    return false;
}

/* A thread enabled before p that leads towards the racing step, or none. */
static uint32_t some_initial(search *x, size_t start, size_t p, uint32_t thread) {
    const node *before = at(x, p - 1);
    if (is_enabled(before, thread)) return thread;
    for (uint32_t i = 0; i < before->enabled.size; i++)
        for (size_t j = p + 1; j < x->depth; j++)
            if (at(x, j)->by.by.thread == before->enabled.data[i].thread &&
                precedes_thread(x, start, j, thread))
                return before->enabled.data[i].thread;
    return NO_INDEX;
}

/* --- races ---------------------------------------------------------------------------------------------- */

/* commonBT: the racing step of `thread` touched `touched`; every conflicting earlier step of the cycle gets
 * an alternative before it. */
static void find_races(search *x, const effect *touched, uint32_t thread) {
    size_t start = cycle_start(x);
    for (size_t p = x->depth - 1; p > start; p--) {
        const node *after = at(x, p);
        if (after->by.by.thread == thread || !effect_conflict(&after->touched, touched)) continue;
        node *before = at(x, p - 1);
        uint32_t alternative = thread;
        if (x->happens_before) {
            if (precedes_thread(x, start, p, thread)) continue;
            alternative = some_initial(x, start, p, thread);
        }
        if (may_try(x, before, alternative))
            add_thread(x, before, alternative);
        else
            add_all(x, before);
    }
}

/* normalBT: what the step disabled, and what it cut off, must be tried first. An assumption may cut off any
 * thread, also those outside a static set: they would have run later on this path and shown their races with
 * earlier steps. So may the control of a process, which then does not run, or ran already. */
void dynamic_after_step(search *x, const effect *touched, uint32_t thread) {
    node *from = search_top(x);
    if (!from->scheduling || thread == MACHINE_KERNEL) return;
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if (a->kind == ACCESS_ASSUME || a->kind == ACCESS_CONTROL) search_try_everything(from);
        if (a->kind != ACCESS_SUSPEND) continue;
        /* Somebody might have woken it: its steps are never seen here, so no race will tell. */
        if (a->name != ACCESS_ANY && is_enabled(from, a->name))
            add_thread(x, from, a->name);
        else
            add_all(x, from);
    }
    find_races(x, touched, thread);
}

static void expand_cycle(search *x) {
    for (size_t p = x->depth - 1; p > cycle_start(x); p--) add_all(x, at(x, p - 1));
}

static bool within_last_cycle(search *x, const visited_entry *hit) {
    for (size_t p = x->depth - 1; p-- > cycle_start(x);)
        if (at(x, p)->entry == hit) return true;
    return false;
}

/* A match hides what would have followed. Off the stack the effects graph tells; on the stack it is not
 * complete yet, so every state of the delta cycle tries everything. The same goes when the graph leads into a
 * state that is still open. */
void dynamic_on_match(search *x, visited_entry *hit) {
    if (!x->options.stateful_effects) return;
    bool cycle = x->options.last_delta_cycle_test ? within_last_cycle(x, hit) : hit->on_stack;
    if (cycle && x->options.cycle_expansion) {
        expand_cycle(x);
        return;
    }
    const effect *reached;
    bool incomplete = effects_graph_reachable(x->graph, hit->graph_id, &reached);
    if (incomplete && x->options.cycle_expansion && !x->options.last_delta_cycle_test) {
        expand_cycle(x);
        return;
    }
    size_t threads = machine_program(x->machine)->threads.size;
    for (uint32_t t = 1; t < threads; t++)
        if (reached[t].size) find_races(x, &reached[t], t);
}

void dynamic_connect_end(search *x, const effect *touched, uint32_t thread) {
    node *from = search_top(x);
    if (!x->graph || !from->entry || !from->scheduling || thread == MACHINE_KERNEL) return;
    effects_graph_add_edge(x->graph, from->graph_id, effects_graph_add_node(x->graph), thread, touched);
}

void dynamic_connect(search *x, uint32_t target) {
    if (x->depth < 2) return;
    assert(target != NO_INDEX);
    node *top = search_top(x), *below = at(x, x->depth - 2);
    if (!below->entry || !below->scheduling || top->by.by.thread == MACHINE_KERNEL) return;
    effects_graph_add_edge(x->graph, below->graph_id, target, top->by.by.thread, &top->touched);
}
