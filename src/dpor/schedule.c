/* Which thread goes on where the algorithm leaves it open. The number of executions does not depend on it,
 * but their cost does: a race is reversed at its first event, and what follows is executed again. So whatever
 * commutes with all that is still to come is executed first, once. Operations that others will race with come
 * late, with the operations they race with right behind them, and one group of rivals after the other.
 *
 * What a step will touch, and who will touch the same, is guessed from what was seen before. */
#include "base/hash.h"
#include "dpor/internal.h"

enum { CELLS = 1 << 12, STEPS = 1 << 13 };

struct schedule {
    uint64_t rivals[CELLS];  /* per cell, by hash: threads that were part of a race there, modulo 64 */
    uint32_t until[STEPS];   /* per thread and cell, by hash: 1 + number of its last step on it */
    uint16_t touched[STEPS]; /* per step of a thread, by hash: the cell that it touched last time */
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

/* --- what was seen -------------------------------------------------------------------------------------- */

static uint32_t slot_of(uint32_t thread, uint32_t other) {
    return (thread * UINT32_C(0x9e3779b1) ^ other * UINT32_C(0x85ebca6b)) >> 7 & (STEPS - 1);
}

/* Steps of one number differ by what came before: where a thread goes after a race depends on who won. */
static uint16_t *guess_of(const dpor *x, uint32_t thread, uint32_t previous) {
    const event *before = previous == NO_INDEX ? NULL : &x->events.data[previous];
    uint32_t which =
        before ? (before->number + 1) << 13 ^ before->cell << 1 ^ before->touched.writes_cells : 0;
    return &x->schedule->touched[slot_of(thread, which)];
}

void schedule_learn(dpor *x, event *e) {
    e->number = e->previous == NO_INDEX ? 0 : x->events.data[e->previous].number + 1;
    const access *a = &x->accesses.data[e->touched.begin];
    if (e->touched.begin < e->touched.end && a->kind < ACCESS_CREATE)
        e->cell = 1 + (uint32_t)(hash_pair(a->name, a->low) % (CELLS - 1));
    *guess_of(x, e->thread, e->previous) = (uint16_t)e->cell;
    uint32_t *until = &x->schedule->until[slot_of(e->thread, e->cell)];
    if (*until <= e->number) *until = e->number + 1;
}

static void learn_rival(dpor *x, uint32_t position) {
    const event *e = &x->events.data[position];
    x->schedule->rivals[e->cell] |= UINT64_C(1) << e->thread % 64;
}

void schedule_learn_race(dpor *x, const race *r) {
    learn_rival(x, r->first);
    if (r->second < x->events.size) learn_rival(x, r->second);
}

/* --- the choice ----------------------------------------------------------------------------------------- */

static bool will_come(const dpor *x, uint32_t thread, uint32_t cell) {
    if (thread >= x->last.size) return true;
    uint32_t last = x->last.data[thread], next = last == NO_INDEX ? 0 : x->events.data[last].number + 1;
    return next < x->schedule->until[slot_of(thread, cell)];
}

static bool is_contended(const dpor *x, uint32_t thread, uint32_t cell) {
    if (!cell) return false;
    uint64_t others = x->schedule->rivals[cell] & ~(UINT64_C(1) << thread % 64);
    for (; others; others &= others - 1)
        if (will_come(x, (uint32_t)__builtin_ctzll(others), cell)) return true;
    return false;
}

typedef enum { NOT_AT_ALL, CONTENDED, RELATED, SAME_CELL, QUIET } preference;

static preference preference_for(const dpor *x, uint32_t thread, const event *newest) {
    uint32_t cell = *guess_of(x, thread, x->last.data[thread]);
    if (!is_contended(x, thread, cell)) return QUIET;
    if (!newest) return CONTENDED;
    if (newest->cell == cell) return SAME_CELL;
    bool rival = x->schedule->rivals[cell] >> newest->thread % 64 & 1;
    return rival ? RELATED : CONTENDED;
}

/* The row of bits of the threads that may start. */
static const uint64_t *awake_row(dpor *x, const node *n) {
    size_t words = row_words(x);
    vec_reserve(&x->awake, words);
    memcpy(x->awake.data, enabled_row(x, (uint32_t)x->nodes.size - 1), words * sizeof(uint64_t));
    for (uint32_t i = n->sleep_begin; i < n->sleep_end; i++)
        bits_remove(x->awake.data, x->sleepers.data[i].thread);
    return x->awake.data;
}

uint32_t schedule_freely(dpor *x) {
    const event *newest = x->events.size ? &vec_last(&x->events) : NULL;
    const uint64_t *awake = awake_row(x, top(x));
    uint32_t chosen = NO_INDEX;
    preference most = NOT_AT_ALL;
    for (uint32_t w = 0; w < row_words(x); w++) {
        for (uint64_t rest = awake[w]; rest; rest &= rest - 1) {
            uint32_t t = 64 * w + (uint32_t)__builtin_ctzll(rest);
            preference p = preference_for(x, t, newest);
            bool goes_on = newest && newest->thread == t && p == QUIET;
            if (goes_on) return t;
            if (p > most) most = p, chosen = t;
        }
    }
    return chosen;
}
