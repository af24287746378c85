/* A schedule with its steps in another order, in which those that depend on each other come as before: it
 * ends the same way. Each thread goes on as long as nothing it depends on is missing, which makes context
 * switches few. What the last step does not depend on can be left out.
 *
 * Whether steps depend on each other is judged by their effects. Nothing is promised: a schedule is followed
 * before it is believed. */
#include "shrink/internal.h"

enum { MOST_STEPS = 2000 }; /* every pair of them is looked at */

typedef struct causes {
    const execution *e;
    size_t count;
    VEC(effect) touched;
    bool *before;      /* [i * count + j]: step i of another thread comes before j */
    bool *wanted;      /* of each step */
    uint32_t *missing; /* of each step: others that must come before it and have not come */
    bool *done;
} causes;

static void find_effects(shrinker *k, causes *c) {
    step_options how = k->how;
    how.effects = true;
    successors list = {0};
    for (size_t i = 0; i < c->count && shrinker_may_step(k); i++) {
        successors_clear(k->m, &list);
        machine_step(k->m, c->e->states.data[i], c->e->steps.data[i], &how, &list);
        effect touched = {0};
        for (size_t s = 0; s < list.size; s++) effect_join(&touched, &list.data[s].touched);
        vec_push(&c->touched, touched);
    }
    successors_free(k->m, &list);
}

static uint32_t thread_of(const causes *c, size_t i) {
    return c->e->steps.data[i].thread;
}

/* Threads are created in the order of their numbers. */
static bool creates(const causes *c, size_t i, uint32_t thread) {
    const state *before = c->e->states.data[i];
    return i + 1 < c->count && thread >= before->thread_count &&
           thread < c->e->states.data[i + 1]->thread_count;
}

static void find_order(causes *c) {
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = i + 1; j < c->count; j++)
            c->before[i * c->count + j] =
                thread_of(c, i) != thread_of(c, j) &&
                (creates(c, i, thread_of(c, j)) || effect_conflict(&c->touched.data[i], &c->touched.data[j]));
}

static void want(causes *c, bool causes_only) {
    for (size_t i = c->count; i-- > 0;) {
        c->wanted[i] = !causes_only || i + 1 == c->count;
        for (size_t j = i + 1; j < c->count && !c->wanted[i]; j++)
            c->wanted[i] =
                c->wanted[j] && (thread_of(c, i) == thread_of(c, j) || c->before[i * c->count + j]);
    }
    for (size_t j = 0; j < c->count; j++) {
        c->missing[j] = 0;
        c->done[j] = !c->wanted[j];
        for (size_t i = 0; i < j; i++) c->missing[j] += c->wanted[i] && c->before[i * c->count + j];
    }
}

/* How far a thread can go from its step `from` on, without anybody else. */
static size_t length_of_run(const causes *c, size_t from) {
    size_t length = 0;
    for (size_t i = from; i < c->count; i++) {
        if (c->done[i] || thread_of(c, i) != thread_of(c, from)) continue;
        if (c->missing[i]) break;
        length++;
    }
    return length;
}

typedef VEC(uint32_t) threads;

static bool contains(const threads *list, uint32_t thread) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == thread) return true;
    return false;
}

/* The next step of a thread that can go on; of several the one that goes furthest, if that is wanted. */
static size_t next_run(const causes *c, bool furthest) {
    size_t best = c->count, length = 0;
    threads seen = {0};
    for (size_t i = 0; i < c->count && (furthest || best == c->count); i++) {
        if (c->done[i] || contains(&seen, thread_of(c, i))) continue;
        vec_push(&seen, thread_of(c, i));
        size_t its_length = length_of_run(c, i);
        if (its_length <= length) continue;
        best = i;
        length = its_length;
    }
    vec_free(&seen);
    return best;
}

static void make_step(causes *c, size_t i, transitions *plan) {
    vec_push(plan, c->e->steps.data[i]);
    c->done[i] = true;
    for (size_t j = i + 1; j < c->count; j++) c->missing[j] -= c->before[i * c->count + j];
}

static void plan_runs(causes *c, bool furthest, transitions *plan) {
    for (size_t from; (from = next_run(c, furthest)) < c->count;) {
        uint32_t thread = thread_of(c, from);
        for (size_t i = from; i < c->count; i++) {
            if (c->done[i] || thread_of(c, i) != thread) continue;
            if (c->missing[i]) break;
            make_step(c, i, plan);
        }
    }
}

void causes_plan(shrinker *k, const execution *e, bool causes_only, bool furthest, transitions *plan) {
    causes c = {.e = e, .count = e->steps.size};
    if (c.count > MOST_STEPS) return;
    c.before = mem_zero(c.count * c.count + 1, sizeof *c.before);
    c.wanted = mem_zero(c.count + 1, sizeof *c.wanted);
    c.done = mem_zero(c.count + 1, sizeof *c.done);
    c.missing = mem_zero(c.count + 1, sizeof *c.missing);
    find_effects(k, &c);
    if (c.touched.size == c.count) {
        find_order(&c);
        want(&c, causes_only);
        plan_runs(&c, furthest, plan);
    }
    for (size_t i = 0; i < c.touched.size; i++) effect_free(&c.touched.data[i]);
    vec_free(&c.touched);
    mem_free(c.before);
    mem_free(c.wanted);
    mem_free(c.done);
    mem_free(c.missing);
}
