/* A schedule with its steps in another order, in which those that depend on each other come as before: it
 * ends the same way. Of all such orders one with the fewest context switches is looked for. What the last
 * step does not depend on can be left out.
 *
 * A thread that has its turn goes on as long as nothing it depends on is missing: more of it done never keeps
 * others from anything. So what is looked for is the shortest list of turns, breadth first over how far each
 * thread has come.
 *
 * Whether steps depend on each other is judged by their effects. Nothing is promised: a schedule is followed
 * before it is believed. */
#include "base/hash.h"
#include "base/map.h"
#include "shrink/internal.h"

enum { MOST_STEPS = 2000, /* every pair of them is looked at */ MOST_THREADS = 32, MOST_PLACES = 20000 };

typedef VEC(uint32_t) numbers;

typedef struct causes {
    const execution *e;
    size_t count;
    VEC(effect) touched;
    bool *before; /* [i * count + j]: step i comes before j */
    bool *wanted; /* of each step */
    uint32_t threads;
    numbers steps[MOST_THREADS]; /* of each thread: what is wanted of it, in order */
    uint32_t *needs; /* [i * threads + t]: how far t must have come before step i, in steps that are wanted */
} causes;

/* --- what depends on what ------------------------------------------------------------------------------- */

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

/* Numbers tell nothing: where threads create threads one that is born later may have the smaller one. */
static bool creates(const causes *c, size_t i, uint32_t thread) {
    return i + 1 < c->count && state_thread_status(c->e->states.data[i], thread) == THREAD_UNBORN &&
           state_thread_status(c->e->states.data[i + 1], thread) != THREAD_UNBORN;
}

static void find_order(causes *c) {
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = i + 1; j < c->count; j++)
            c->before[i * c->count + j] = thread_of(c, i) == thread_of(c, j) ||
                                          creates(c, i, thread_of(c, j)) ||
                                          effect_conflict(&c->touched.data[i], &c->touched.data[j]);
}

static void want(causes *c, bool causes_only) {
    for (size_t i = c->count; i-- > 0;) {
        c->wanted[i] = !causes_only || i + 1 == c->count;
        for (size_t j = i + 1; j < c->count && !c->wanted[i]; j++)
            c->wanted[i] = c->wanted[j] && c->before[i * c->count + j];
    }
}

/* False: there are too many threads. */
static bool sort_by_thread(causes *c) {
    uint32_t number[MOST_THREADS];
    for (size_t i = 0; i < c->count; i++) {
        if (!c->wanted[i]) continue;
        uint32_t t = 0;
        while (t < c->threads && number[t] != thread_of(c, i)) t++;
        if (t == MOST_THREADS) return false;
        if (t == c->threads) number[c->threads++] = thread_of(c, i);
        vec_push(&c->steps[t], (uint32_t)i);
    }
    return true;
}

static void find_needs(causes *c) {
    c->needs = mem_zero(c->count * c->threads + 1, sizeof *c->needs);
    for (size_t j = 0; j < c->count; j++)
        for (uint32_t t = 0; t < c->threads; t++)
            for (size_t k = c->steps[t].size; k-- > 0 && !c->needs[j * c->threads + t];) {
                size_t i = c->steps[t].data[k];
                if (i < j && c->before[i * c->count + j]) c->needs[j * c->threads + t] = (uint32_t)k + 1;
            }
}

/* --- turns ---------------------------------------------------------------------------------------------- */

typedef struct turn {
    uint32_t from; /* the turn before it */
    uint32_t lane;
} turn;

typedef struct turns {
    VEC(turn) list; /* the first one is nobody's */
    numbers come;   /* how far each thread has come after each of them */
    map seen;       /* places, by hash: two that look alike by accident only hide an order */
} turns;

static bool can_step(const causes *c, const uint32_t *come, uint32_t lane) {
    if (come[lane] == c->steps[lane].size) return false;
    const uint32_t *needs = c->needs + (size_t)c->steps[lane].data[come[lane]] * c->threads;
    for (uint32_t t = 0; t < c->threads; t++)
        if (t != lane && come[t] < needs[t]) return false;
    return true;
}

static bool is_over(const causes *c, const uint32_t *come) {
    for (uint32_t t = 0; t < c->threads; t++)
        if (come[t] < c->steps[t].size) return false;
    return true;
}

/* True: it is over then. */
static bool take_turn(const causes *c, turns *all, uint32_t from, uint32_t lane) {
    uint32_t come[MOST_THREADS];
    for (uint32_t t = 0; t < c->threads; t++) come[t] = all->come.data[(size_t)from * c->threads + t];
    if (!can_step(c, come, lane)) return false;
    while (can_step(c, come, lane)) come[lane]++;
    uint64_t place = 0;
    for (uint32_t t = 0; t < c->threads; t++) place = hash_pair(place, come[t]);
    if (map_get(&all->seen, place) != MAP_NONE) return false;
    map_put(&all->seen, place, 1);
    vec_push(&all->list, ((turn){from, lane}));
    for (uint32_t t = 0; t < c->threads; t++) vec_push(&all->come, come[t]);
    return is_over(c, come);
}

/* The last of the turns that make all steps; 0: there are too many places. */
static uint32_t find_turns(const causes *c, turns *all) {
    vec_push(&all->list, ((turn){0, 0}));
    for (uint32_t t = 0; t < c->threads; t++) vec_push(&all->come, 0);
    for (uint32_t from = 0; from < all->list.size && all->list.size < MOST_PLACES; from++)
        for (uint32_t lane = 0; lane < c->threads; lane++)
            if (take_turn(c, all, from, lane)) return (uint32_t)all->list.size - 1;
    return 0;
}

static void write_plan(const causes *c, const turns *all, uint32_t last, transitions *plan) {
    numbers order = {0};
    for (uint32_t i = last; i; i = all->list.data[i].from) vec_push(&order, i);
    while (order.size) {
        uint32_t i = vec_pop(&order);
        const turn *t = &all->list.data[i];
        uint32_t begin = all->come.data[(size_t)t->from * c->threads + t->lane];
        uint32_t end = all->come.data[(size_t)i * c->threads + t->lane];
        for (uint32_t k = begin; k < end; k++) vec_push(plan, c->e->steps.data[c->steps[t->lane].data[k]]);
    }
    vec_free(&order);
}

FOR_ASSERTIONS static size_t count_wanted(const causes *c) {
    size_t wanted = 0;
    for (size_t i = 0; i < c->count; i++) wanted += c->wanted[i];
    return wanted;
}

static void plan_turns(causes *c, transitions *plan) {
    turns all = {0};
    if (sort_by_thread(c)) {
        find_needs(c);
        uint32_t last = find_turns(c, &all);
        write_plan(c, &all, last, plan);
        assert(!last || plan->size == count_wanted(c));
    }
    vec_free(&all.list);
    vec_free(&all.come);
    map_free(&all.seen);
}

void causes_plan(shrinker *k, const execution *e, bool causes_only, transitions *plan) {
    causes c = {.e = e, .count = e->steps.size};
    if (c.count > MOST_STEPS) return;
    c.before = mem_zero(c.count * c.count + 1, sizeof *c.before);
    c.wanted = mem_zero(c.count + 1, sizeof *c.wanted);
    find_effects(k, &c);
    if (c.touched.size == c.count) {
        find_order(&c);
        want(&c, causes_only);
        plan_turns(&c, plan);
    }
    for (size_t i = 0; i < c.touched.size; i++) effect_free(&c.touched.data[i]);
    for (uint32_t t = 0; t < MOST_THREADS; t++) vec_free(&c.steps[t]);
    vec_free(&c.touched);
    mem_free(c.before);
    mem_free(c.wanted);
    mem_free(c.needs);
}
