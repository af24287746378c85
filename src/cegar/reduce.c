/* Which transitions of a node are enough to take, and which of them sleep behind it.
 *
 * Persistent sets and the dependences that sleep sets rest on are computed from exact control and pointers
 * and from steps of the abstract state, so they hold for every state that it stands for: whether abstract
 * steps commute does not matter. Aware sets are persistent for the program in which objects of which nothing
 * is known get any value at every scheduling point; that program does whatever the real one does, and the
 * graph covers it. */
#include "base/hash.h"
#include "cegar/internal.h"

enum { MOST_TRANSITIONS = 64 }; /* of one node, with reduction; threads with higher numbers never sleep */

reduction *reduction_create(cegar *x) {
    por_kind kind = x->options->por;
    if (kind == POR_NONE) return NULL;
    reduction *r = mem_zero(1, sizeof *r);
    r->sets = kind != POR_SLEEP;
    r->sleeps = kind == POR_SLEEP || kind == POR_PERSISTENT_SLEEP;
    r->aware = kind == POR_AWARE;
    if (x->kernel->steps_are_segments)
        r->segments = persistent_create(x->machine, POR_STUB_MIN, true);
    else
        r->threads = thread_sets_create(x->machine, STOP_LOOP_HEAD);
    r->matters.objects = (uint32_t)machine_program(x->machine)->objects.size;
    r->matters.matters = mem_zero(BITS_WORDS(r->matters.objects) + 1, sizeof *r->matters.matters);
    r->matters.all_are_plain = !x->kernel->accesses_may_race;
    return r;
}

void reduction_destroy(reduction *r) {
    if (!r) return;
    thread_sets_destroy(r->threads);
    persistent_destroy(r->segments);
    mem_free(r->matters.matters);
    vec_free(&r->relied);
    effect_free(&r->of_sleeper);
    cycles_forget(r);
    mem_free(r);
}

/* --- sets ----------------------------------------------------------------------------------------------- */

static uint64_t all_of(const transitions *enabled) {
    return enabled->size < 64 ? (UINT64_C(1) << enabled->size) - 1 : UINT64_MAX;
}

static uint64_t thread_bit(uint32_t thread) {
    return thread < 64 ? UINT64_C(1) << thread : 0;
}

static uint64_t asleep_among(const arg_node *n, const transitions *enabled) {
    uint64_t set = 0;
    for (size_t i = 0; i < enabled->size; i++)
        if (n->sleep & thread_bit(enabled->data[i].thread)) set |= UINT64_C(1) << i;
    return set;
}

static bool threads_compete(const cegar *x, const arg_node *n, const transitions *enabled) {
    /* Of the initial state everything is known: what others do first is another matter there. */
    if (enabled->size < 2 || state_is_inside_step(n->s) || n->parent == NO_NODE) return false;
    return !x->kernel->scheduler_moves ||
           (state_phase(n->s) == PHASE_EVALUATE && enabled->data[0].thread != MACHINE_KERNEL);
}

/* A set that holds what was in it before. */
static uint64_t choose(cegar *x, arg_node *n, const transitions *enabled, uint64_t before) {
    reduction *r = x->reduction;
    vec_clear(&n->relied);
    if (!r || !r->sets || !threads_compete(x, n, enabled)) return all_of(enabled);
    const relevance *matters = r->aware ? &r->matters : NULL;
    uint64_t set = r->threads ? thread_sets_compute(r->threads, n->s, enabled, before, matters, &r->relied)
                              : persistent_complete(r->segments, n->s, enabled, before, matters, &r->relied);
    for (size_t i = 0; i < r->relied.size; i++) vec_push(&n->relied, r->relied.data[i]);
    return set;
}

/* Sets are bits over this list: with another list they would mean something else. */
static uint64_t hash_of(const transitions *enabled) {
    uint64_t h = enabled->size;
    for (size_t i = 0; i < enabled->size; i++)
        h = hash_pair(h, (uint64_t)enabled->data[i].thread << 32 | enabled->data[i].choice);
    return h;
}

static void select_all_at_once(cegar *x, arg_node *n, const transitions *enabled) {
    for (uint32_t i = 0; i < enabled->size && !n->expanded; i++) vec_push(&x->chosen, i);
    n->expanded = true;
    n->partly = n->wants_rest = n->wants_more = false;
}

void reduction_select(cegar *x, uint32_t node, const transitions *enabled) {
    arg_node *n = &x->graph.nodes.data[node];
    vec_clear(&x->chosen);
    if (enabled->size > MOST_TRANSITIONS) {
        select_all_at_once(x, n, enabled);
        return;
    }
    uint64_t all = all_of(enabled), asleep = asleep_among(n, enabled), which = hash_of(enabled);
    if (n->expanded && n->enabled != which) { /* a guard that could be decided this time, or not any more */
        n->taken = 0;
        n->set = all;
    } else if (!n->expanded) {
        n->taken = 0;
        n->set = choose(x, n, enabled, 0);
        if (!(n->set & ~asleep)) n->set = all; /* what only sleepers would lead to is not lost on them */
    } else if (n->wants_rest) {
        n->set = all;
    } else if (n->wants_more) {
        n->set = choose(x, n, enabled, n->set);
    }
    n->expanded = true;
    n->enabled = which;
    n->wants_rest = n->wants_more = false;
    n->partly = n->set != all;
    uint64_t now = n->set & ~n->taken & ~asleep;
    n->taken |= now;
    assert(!(n->taken & ~n->set) && !(n->set & ~all));
    for (; now; now &= now - 1) vec_push(&x->chosen, (uint32_t)__builtin_ctzll(now));
}

/* --- sleeping ------------------------------------------------------------------------------------------- */

static bool is_independent(cegar *x, const state *s, uint32_t sleeper, transition by, const effect *touched) {
    reduction *r = x->reduction;
    if (by.thread == MACHINE_KERNEL) return false;
    if (r->segments) return persistent_independent(r->segments, s, sleeper, by.thread);
    return thread_sets_next_effect(r->threads, s, sleeper, &r->of_sleeper) &&
           !effect_conflict(&r->of_sleeper, touched);
}

uint64_t reduction_sleep_behind(cegar *x, uint32_t node, uint64_t asleep, transition by,
                                const effect *touched) {
    const state *s = x->graph.nodes.data[node].s;
    uint64_t still = 0;
    if (!x->reduction || !x->reduction->sleeps) return 0;
    /* Who still sleeps in the middle of a segment is independent of all of it. */
    if (x->kernel->steps_are_segments && state_is_inside_step(s)) return asleep & ~thread_bit(by.thread);
    for (uint64_t rest = asleep & ~thread_bit(by.thread); rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        if (is_independent(x, s, sleeper, by, touched)) still |= thread_bit(sleeper);
    }
    assert(!(still & ~asleep) && !(still & thread_bit(by.thread)));
    return still;
}

uint64_t reduction_thread_bit(transition by) {
    return thread_bit(by.thread);
}

/* --- what is known of objects --------------------------------------------------------------------------- */

/* The sets that rest on ignoring the object are completed. */
static void complete_sets_that_rely_on(cegar *x, uint32_t object) {
    for (uint32_t i = 0; i < x->graph.nodes.size; i++) {
        arg_node *n = &x->graph.nodes.data[i];
        if (!n->s || !n->expanded || !n->partly) continue;
        for (size_t k = 0; k < n->relied.size; k++)
            if (n->relied.data[k] == object) {
                n->wants_more = true;
                graph_queue(&x->graph, i);
                break;
            }
    }
}

static void object_matters(cegar *x, uint32_t object) {
    relevance *known = &x->reduction->matters;
    if (object >= known->objects || bits_has(known->matters, object)) return;
    bits_add(known->matters, object);
    known->version++;
    if (x->options->validity) complete_sets_that_rely_on(x, object);
}

static void look_at_condition(cegar *x, const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++)
        if (abstract_is_place(t->support->symbol[i]))
            object_matters(x, abstract_object_of(t->support->symbol[i]));
}

void reduction_look_at_state(cegar *x, uint32_t node) {
    if (!x->reduction || !x->reduction->aware) return;
    const arg_node *n = &x->graph.nodes.data[node];
    const state *s = n->s, *before = x->graph.nodes.data[n->parent].s;
    bool was_looked_at = x->graph.nodes.data[n->parent].parent != NO_NODE;
    const program *p = machine_program(x->machine);
    for (uint32_t i = 0; i < p->objects.size; i++) {
        if (bits_has(x->reduction->matters.matters, i) || p->objects.data[i].is_constant) continue;
        if (was_looked_at && state_same_object(s, before, i)) continue;
        if (!abstract_says_nothing(s, i)) object_matters(x, i);
    }
    for (uint32_t i = 0; i < state_path_count(s); i++) look_at_condition(x, state_path(s)[i]);
}

void reduction_look_at_effect(cegar *x, const effect *touched) {
    if (!x->reduction || !x->reduction->aware || !x->kernel->accesses_may_race) return;
    for (size_t i = 0; i < touched->size; i++)
        if (touched->data[i].kind <= ACCESS_UPDATE && !touched->data[i].plain)
            object_matters(x, touched->data[i].name);
}

void reduction_look_at_precision(cegar *x) {
    if (!x->reduction || !x->reduction->aware) return;
    for (uint32_t i = 0; i < x->reduction->matters.objects; i++)
        if (precision_mentions(x->precision, i)) object_matters(x, i);
}
