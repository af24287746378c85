/* Delta debugging of a schedule: parts of it are left out, moved or grouped by thread, and what still fails
 * and costs less is kept. */
#include "base/hash.h"
#include "shrink/internal.h"

typedef struct delta {
    shrinker *k;
    execution *best;
    input_list *inputs; /* of the best */
    valuation *fixed;   /* the same, which the machine uses */
    transitions plan;   /* the present one, behind the steps that are kept */
} delta;

static bool may_go_on(const delta *d) {
    return d->k->steps < d->k->until;
}

/* Whether the plan behind the first `keep` steps is better; then it is the best. */
static bool try_plan(delta *d, size_t keep) {
    assert(d->best->fails && keep <= d->best->steps.size); /* what is made smaller fails */
    execution e;
    bool better = execution_follow(d->k, d->best, keep, &d->plan, d->best->cost, &e) &&
                  costs_less(e.cost, d->best->cost);
    execution_free(d->k, better ? d->best : &e);
    if (better) *d->best = e;
    assert(d->best->fails);
    return better;
}

static void plan_steps(delta *d, size_t from, size_t to) {
    assert(from <= to && to <= d->best->steps.size);
    for (size_t i = from; i < to; i++) vec_push(&d->plan, d->best->steps.data[i]);
}

static uint32_t thread_at(const delta *d, size_t i) {
    assert(i < d->best->steps.size);
    return d->best->steps.data[i].thread;
}

static size_t end_of_block(const delta *d, size_t i) {
    size_t end = i + 1;
    while (end < d->best->steps.size && thread_at(d, end) == thread_at(d, i)) end++;
    return end;
}

/* --- leaving out ---------------------------------------------------------------------------------------- */

static bool leave_out(delta *d, size_t from, size_t to) {
    vec_clear(&d->plan);
    plan_steps(d, to, d->best->steps.size);
    return try_plan(d, from);
}

/* All steps of a thread from here on. */
static bool leave_out_thread(delta *d, size_t from, uint32_t thread) {
    vec_clear(&d->plan);
    for (size_t i = from; i < d->best->steps.size; i++)
        if (thread_at(d, i) != thread) vec_push(&d->plan, d->best->steps.data[i]);
    return try_plan(d, from);
}

static bool leave_out_threads(delta *d) {
    bool better = false;
    for (size_t i = 0; i < d->best->steps.size && may_go_on(d); i = end_of_block(d, i))
        better |= leave_out_thread(d, i, thread_at(d, i));
    return better;
}

/* Together with the inputs that were drawn there. */
static bool leave_out_with_inputs(delta *d, size_t from, size_t to) {
    assert(from < to && to < d->best->states.size);
    input_list rest = {0};
    input_list_without(d->k, d->inputs, d->best->states.data[from], d->best->states.data[to], &rest);
    valuation *fixed = input_list_valuation(&rest);
    shrinker_fix_inputs(d->k, fixed);
    bool better = leave_out(d, from, to);
    shrinker_fix_inputs(d->k, better ? fixed : d->fixed);
    valuation_destroy(better ? d->fixed : fixed);
    if (better) {
        d->fixed = fixed;
        vec_free(d->inputs);
        *d->inputs = rest;
    } else {
        vec_free(&rest);
    }
    return better;
}

static bool draws_inputs(const state *from, const state *to) {
    for (uint32_t t = 0; t < state_thread_count(to); t++)
        if (state_thread(to, t).inputs_made != state_thread(from, t).inputs_made) return true;
    return false;
}

static bool leave_out_piece(delta *d, size_t from, size_t to) {
    bool draws = to < d->best->states.size && d->inputs->size &&
                 draws_inputs(d->best->states.data[from], d->best->states.data[to]);
    return (draws && leave_out_with_inputs(d, from, to)) || leave_out(d, from, to);
}

/* Where all threads stand, whatever their data are. */
static uint64_t control_of(const state *s) {
    uint64_t h = state_phase(s);
    call_sites stack = {0};
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        state_stack(s, t, &stack);
        h = hash_pair(h, state_thread_status(s, t));
        for (size_t i = 0; i < stack.size; i++) {
            const call_site *f = &stack.data[i];
            h = hash_pair(h, hash_pair(f->function, (uint64_t)f->block << 32 | f->index));
        }
    }
    vec_free(&stack);
    return h;
}

typedef VEC(uint64_t) hashes;

static void list_control(const delta *d, hashes *out) {
    vec_clear(out);
    for (size_t i = 0; i < d->best->states.size; i++) vec_push(out, control_of(d->best->states.data[i]));
}

/* Rounds of loops: from a state to a later one in which all threads stand where they did. The longest ones
 * are tried first, and few of each state. */
static bool leave_out_rounds(delta *d) {
    enum { TRIES = 6 };
    bool better = false;
    hashes control = {0};
    list_control(d, &control);
    for (size_t i = 0; i < control.size && may_go_on(d); i++) {
        unsigned tries = 0;
        for (size_t k = control.size; k-- > i + 1 && tries < TRIES && may_go_on(d);) {
            if (control.data[k] != control.data[i]) continue;
            bool cut = leave_out_piece(d, i, k);
            better |= cut;
            tries += !cut;
            if (cut) list_control(d, &control);
            k = cut ? control.size : i + (k - i) / 2 + 1;
        }
    }
    vec_free(&control);
    return better;
}

static bool leave_out_chunks(delta *d, size_t size) {
    bool better = false;
    for (size_t i = 0; i + size <= d->best->steps.size && may_go_on(d);)
        if (leave_out_piece(d, i, i + size))
            better = true;
        else
            i += size > 8 ? size : 1;
    return better;
}

static bool leave_out_blocks(delta *d) {
    bool better = false;
    for (size_t i = 0; i < d->best->steps.size && may_go_on(d);) {
        size_t end = end_of_block(d, i);
        if (leave_out_piece(d, i, end))
            better = true;
        else
            i = end;
    }
    return better;
}

/* --- moving --------------------------------------------------------------------------------------------- */

/* The block `from .. to` comes at `at`, which is before it. */
static bool pull_block(delta *d, size_t at, size_t from, size_t to) {
    assert(at <= from);
    vec_clear(&d->plan);
    plan_steps(d, from, to);
    plan_steps(d, at, from);
    plan_steps(d, to, d->best->steps.size);
    assert(at + d->plan.size == d->best->steps.size); /* nothing is lost, and nothing comes twice */
    return try_plan(d, at);
}

/* The block `from .. to` comes at `at`, which is behind it. */
static bool push_block(delta *d, size_t from, size_t to, size_t at) {
    assert(to <= at);
    vec_clear(&d->plan);
    plan_steps(d, to, at);
    plan_steps(d, from, to);
    plan_steps(d, at, d->best->steps.size);
    assert(from + d->plan.size == d->best->steps.size);
    return try_plan(d, from);
}

static size_t next_of_thread(const delta *d, size_t i, uint32_t thread) {
    while (i < d->best->steps.size && thread_at(d, i) != thread) i++;
    return i;
}

/* Two blocks of one thread become one, at the place of the first or at that of the second. */
static bool merge_blocks(delta *d) {
    bool better = false;
    for (size_t i = 0; i < d->best->steps.size && may_go_on(d);) {
        size_t end = end_of_block(d, i), again = next_of_thread(d, end, thread_at(d, i));
        bool merged = again < d->best->steps.size &&
                      (pull_block(d, end, again, end_of_block(d, again)) || push_block(d, i, end, again));
        if (merged)
            better = true;
        else
            i = end;
    }
    return better;
}

/* Each step as early as it can be, block by block: who violates the check may be able to do so at once. */
static bool pull_steps(delta *d) {
    bool better = false;
    for (size_t i = 1; i < d->best->steps.size && may_go_on(d); i++)
        for (size_t at = 0; at < i && may_go_on(d); at = end_of_block(d, at))
            if (thread_at(d, i) != MACHINE_KERNEL && pull_block(d, at, i, i + 1)) {
                better = true;
                break;
            }
    return better;
}

/* --- grouping ------------------------------------------------------------------------------------------- */

/* The steps `from .. to` by thread, in the order of first steps; `last` comes last. */
static void plan_grouped(delta *d, size_t from, size_t to, uint32_t last) {
    FOR_ASSERTIONS size_t before = d->plan.size;
    for (size_t i = from; i < to; i++) {
        uint32_t thread = thread_at(d, i);
        bool known = false;
        for (size_t k = from; k < i && !known; k++) known = thread_at(d, k) == thread;
        for (size_t k = i; k < to && !known && thread != last; k++)
            if (thread_at(d, k) == thread) vec_push(&d->plan, d->best->steps.data[k]);
    }
    for (size_t k = from; k < to; k++)
        if (thread_at(d, k) == last) vec_push(&d->plan, d->best->steps.data[k]);
    assert(d->plan.size - before == to - from); /* each step is in one group */
}

static bool group_rest(delta *d) {
    bool better = false;
    for (size_t i = 0; i < d->best->steps.size && may_go_on(d); i = end_of_block(d, i)) {
        vec_clear(&d->plan);
        plan_grouped(d, i, d->best->steps.size, vec_last(&d->best->steps).thread);
        better |= try_plan(d, i);
        if (i >= d->best->steps.size) break;
    }
    return better;
}

static bool group_beginning(delta *d) {
    bool better = false;
    for (size_t i = d->best->steps.size; i > 1 && may_go_on(d); i--) {
        if (i > d->best->steps.size) continue;
        if (i < d->best->steps.size && thread_at(d, i) == thread_at(d, i - 1)) continue;
        vec_clear(&d->plan);
        plan_grouped(d, 0, i, thread_at(d, i - 1));
        plan_steps(d, i, d->best->steps.size);
        better |= try_plan(d, 0);
    }
    return better;
}

static bool order_by_causes(delta *d) {
    bool better = false;
    for (int all = 0; all < 2 && may_go_on(d); all++) {
        vec_clear(&d->plan);
        causes_plan(d->k, d->best, !all, &d->plan);
        better |= d->plan.size && try_plan(d, 0);
    }
    return better;
}

void delta_reduce(shrinker *k, execution *best, input_list *inputs) {
    delta d = {.k = k, .best = best, .inputs = inputs, .fixed = input_list_valuation(inputs)};
    shrinker_fix_inputs(k, d.fixed);
    enum { SMALL = 8 };
    for (bool better = true; better && may_go_on(&d);) {
        better = k->kernel->preempts && order_by_causes(&d);
        better |= leave_out_rounds(&d);
        for (size_t size = best->steps.size / 2; size > SMALL && may_go_on(&d); size /= 2)
            better |= leave_out_chunks(&d, size);
        better |= leave_out_threads(&d);
        better |= leave_out_blocks(&d);
        if (k->kernel->preempts) {
            better |= group_rest(&d);
            better |= group_beginning(&d);
            better |= merge_blocks(&d);
        }
        better |= pull_steps(&d);
        for (size_t size = SMALL; size && may_go_on(&d); size--) better |= leave_out_chunks(&d, size);
    }
    shrinker_fix_inputs(k, NULL);
    valuation_destroy(d.fixed);
    vec_free(&d.plan);
}
