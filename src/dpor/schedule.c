/* Which thread goes on where the algorithm leaves it open. The number of executions does not depend on it,
 * but their cost does: a race is reversed at its first event, and what follows is executed again. So
 * operations on cells that were part of a race come late, with the operations they race with right behind
 * them; whatever commutes with everything is executed before, once.
 *
 * What a step will touch is guessed from what the same step of the same thread touched last time. */
#include "base/hash.h"
#include "dpor/internal.h"

enum { CELLS = 1 << 14, STEPS = 1 << 14 };

struct schedule {
    uint64_t contended[CELLS / 64]; /* cells that were part of a race, by hash */
    uint16_t touched[STEPS];        /* per step of a thread, by hash: the cell that it touched last time */
};

schedule *schedule_create(void) {
    return mem_zero(1, sizeof(schedule));
}

void schedule_destroy(schedule *s) {
    mem_free(s);
}

bool may_start(const dpor *x, const node *n, uint32_t thread) {
    uint32_t position = (uint32_t)(n - x->nodes.data);
    return bits_has(enabled_row(x, position), thread) && !is_asleep(x, n, thread);
}

static uint32_t step_hash(uint32_t thread, uint32_t number) {
    return (thread * UINT32_C(0x9e3779b1) + number) % STEPS;
}

void schedule_learn(dpor *x, event *e) {
    e->number = e->previous == NO_INDEX ? 0 : x->events.data[e->previous].number + 1;
    if (e->touched.begin < e->touched.end) {
        const access *a = &x->accesses.data[e->touched.begin];
        e->cell = 1 + (uint32_t)(hash_pair(a->name, a->low) % (CELLS - 1));
    }
    x->schedule->touched[step_hash(e->thread, e->number)] = (uint16_t)e->cell;
}

void schedule_learn_race(dpor *x, const race *r) {
    bits_add(x->schedule->contended, x->events.data[r->first].cell);
    if (r->second < x->events.size) bits_add(x->schedule->contended, x->events.data[r->second].cell);
}

static uint32_t expected_cell(const dpor *x, uint32_t thread) {
    uint32_t last = x->last.data[thread];
    return x->schedule->touched[step_hash(thread, last == NO_INDEX ? 0 : x->events.data[last].number + 1)];
}

static bool is_contended(const dpor *x, uint32_t cell) {
    return cell && bits_has(x->schedule->contended, cell);
}

uint32_t schedule_freely(dpor *x) {
    const node *n = top(x);
    const event *newest = x->events.size ? &vec_last(&x->events) : NULL;
    uint32_t present = newest && is_contended(x, newest->cell) ? newest->cell : 0;
    uint32_t quiet = NO_INDEX, any = NO_INDEX;
    for (uint32_t t = 0; t < x->last.size; t++) {
        if (!may_start(x, n, t)) continue;
        uint32_t cell = expected_cell(x, t);
        if (present && cell == present) return t;
        bool goes_on = newest && newest->thread == t;
        if ((quiet == NO_INDEX || goes_on) && !is_contended(x, cell)) quiet = t;
        if (any == NO_INDEX) any = t;
    }
    return quiet != NO_INDEX ? quiet : any;
}
