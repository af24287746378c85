/* Orders of processes that do not follow each other. A process that was ready and came later, in another
 * delta cycle or never comes earlier instead, or one comes later in its delta cycle; the rest of the schedule
 * stays, and somebody looks whether that still fails.
 *
 * A process is moved by one step after the other, so that the order that decides is the first one at which
 * the violation is gone: those that it was moved across before are not to blame. */
#include "shrink/internal.h"

enum { MOST_ATTEMPTS = 200 }; /* each runs the schedule once more */

static void plan_steps(const execution *e, size_t from, size_t to, transitions *plan) {
    for (size_t i = from; i < to; i++) vec_push(plan, e->steps.data[i]);
}

static bool is_known(const shrunk *out, process_order o) {
    for (size_t i = 0; i < out->orders.size; i++)
        if (out->orders.data[i].step == o.step && out->orders.data[i].thread == o.thread) return true;
    return false;
}

typedef enum { ORDER_FREE, ORDER_DECIDES, ORDER_UNKNOWN } order_kind;

/* The plan, behind the first `keep` steps, has the order the other way round. */
static order_kind judge_order(shrinker *k, const execution *e, size_t keep, const transitions *plan,
                              process_order o, shrunk *out) {
    if (out->orders_tried >= MOST_ATTEMPTS) return ORDER_UNKNOWN;
    bool fails = schedule_still_fails(k, e, keep, plan);
    if (k->steps >= k->until) return ORDER_UNKNOWN;
    if (fails || !is_known(out, o)) out->orders_tried++;
    if (!fails && !is_known(out, o)) vec_push(&out->orders, o);
    return fails ? ORDER_FREE : ORDER_DECIDES;
}

/* Whether the thread could have gone on instead of who did, and how: as in its step `later`, if it made
 * it and can. */
static bool is_ready(shrinker *k, const execution *e, size_t at, size_t later, uint32_t thread,
                     transition *by) {
    transitions enabled = {0};
    machine_enabled(k->m, e->states.data[at], &enabled);
    bool ready = e->steps.data[at].thread != MACHINE_KERNEL && transitions_find(&enabled, thread, by);
    if (later < e->steps.size && transitions_have(&enabled, e->steps.data[later])) *by = e->steps.data[later];
    vec_free(&enabled);
    return ready;
}

/* --- earlier -------------------------------------------------------------------------------------------- */

static order_kind judge_earlier(shrinker *k, const execution *e, size_t at, size_t later, transition by,
                                shrunk *out) {
    assert(at < later && later <= e->steps.size);
    transitions plan = {0};
    vec_push(&plan, by);
    plan_steps(e, at, later, &plan);
    plan_steps(e, later + 1, e->steps.size, &plan);
    order_kind kind = judge_order(k, e, at, &plan, (process_order){at, by.thread}, out);
    vec_free(&plan);
    return kind;
}

/* The thread's step `later` (the number of steps: one that it never made) comes earlier, as far as the one
 * that it made before. False: that took too long. */
static bool move_forwards(shrinker *k, const execution *e, size_t later, uint32_t thread, shrunk *out) {
    bool happens = later < e->steps.size;
    if (happens && out->switches.data[later] == SWITCH_NECESSARY) return true;
    order_kind kind = ORDER_FREE;
    for (size_t at = later; at-- > 0 && kind == ORDER_FREE && e->steps.data[at].thread != thread;) {
        bool follows = happens && at + 1 == later;
        transition by;
        if (!follows && is_ready(k, e, at, later, thread, &by))
            kind = judge_earlier(k, e, at, later, by, out);
    }
    return kind != ORDER_UNKNOWN;
}

/* --- later ---------------------------------------------------------------------------------------------- */

/* Behind the steps that a thread makes one after the other. */
static size_t end_of_block(const execution *e, size_t at) {
    uint32_t thread = e->steps.data[at].thread;
    while (at < e->steps.size && e->steps.data[at].thread == thread) at++;
    return at;
}

static order_kind judge_later(shrinker *k, const execution *e, size_t at, size_t other, shrunk *out) {
    transitions plan = {0};
    size_t end = end_of_block(e, at), behind = end_of_block(e, other);
    assert(end < other && other < behind);
    plan_steps(e, end, behind, &plan);
    plan_steps(e, at, end, &plan);
    plan_steps(e, behind, e->steps.size, &plan);
    process_order o = {at, e->steps.data[other].thread};
    order_kind kind = judge_order(k, e, at, &plan, o, out);
    vec_free(&plan);
    return kind;
}

static bool is_process(uint32_t thread) {
    return thread && thread != MACHINE_KERNEL;
}

/* The step comes later, as far as its delta cycle goes. False: that took too long. */
static bool move_backwards(shrinker *k, const execution *e, size_t at, shrunk *out) {
    uint32_t thread = e->steps.data[at].thread;
    size_t other = end_of_block(e, at);
    if (other == e->steps.size || out->switches.data[other] != SWITCH_FREE) return true;
    order_kind kind = ORDER_FREE;
    for (other = end_of_block(e, other); other < e->steps.size && kind == ORDER_FREE;
         other = end_of_block(e, other)) {
        uint32_t next = e->steps.data[other].thread;
        if (!is_process(next) || next == thread) break;
        kind = judge_later(k, e, at, other, out);
    }
    return kind != ORDER_UNKNOWN;
}

void orders_judge(shrinker *k, const execution *e, shrunk *out) {
    assert(out->switches.size == e->steps.size); /* they were judged first */
    bool in_time = k->steps < k->until;
    uint32_t threads = e->states.size ? state_thread_count(vec_last(&e->states)) : 0;
    for (size_t i = 0; i < e->steps.size && in_time; i++) {
        uint32_t thread = e->steps.data[i].thread;
        bool begins = !i || e->steps.data[i - 1].thread != thread;
        if (!begins || !is_process(thread)) continue;
        in_time = move_forwards(k, e, i, thread, out) && move_backwards(k, e, i, out);
    }
    for (uint32_t t = 1; t < threads && in_time; t++) in_time = move_forwards(k, e, e->steps.size, t, out);
    out->orders_known = in_time;
}
