#include "search/hangs.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/invariant.h"
#include "base/map.h"
#include "machine/hangs.h"

#include <string.h>

/* --- rows of numbers, each kept once -------------------------------------------------------------------- */

typedef struct rows {
    VEC(uint32_t) numbers;
    VEC(uint32_t) begin; /* of each row, and the end of the last one */
    VEC(uint32_t) alike; /* the next row of the same hash; HANGS_NOWHERE: none */
    map by_hash;
} rows;

static const uint32_t *row_of(const rows *r, uint32_t index, uint32_t *count) {
    assert(index + 1 < r->begin.size && r->begin.data[index] <= r->begin.data[index + 1]);
    *count = r->begin.data[index + 1] - r->begin.data[index];
    return r->numbers.data + r->begin.data[index];
}

static uint32_t row_number(rows *r, const uint32_t *row, uint32_t count) {
    uint64_t hash = hash_bytes(row, count * sizeof *row), first = map_get(&r->by_hash, hash);
    if (!r->begin.size) vec_push(&r->begin, 0);
    for (uint32_t k = first == MAP_NONE ? HANGS_NOWHERE : (uint32_t)first; k != HANGS_NOWHERE;
         k = r->alike.data[k]) {
        uint32_t size;
        const uint32_t *known = row_of(r, k, &size);
        if (size == count && (!count || !memcmp(known, row, count * sizeof *row))) return k;
    }
    for (uint32_t i = 0; i < count; i++) vec_push(&r->numbers, row[i]);
    vec_push(&r->begin, (uint32_t)r->numbers.size);
    vec_push(&r->alike, first == MAP_NONE ? HANGS_NOWHERE : (uint32_t)first);
    assert(r->begin.size == r->alike.size + 1); /* the end of the last one is the beginning of the next */
    map_put(&r->by_hash, hash, r->alike.size - 1);
    return (uint32_t)r->alike.size - 1;
}

static void rows_free(rows *r) {
    vec_free(&r->numbers);
    vec_free(&r->begin);
    vec_free(&r->alike);
    map_free(&r->by_hash);
}

/* --- the graph ------------------------------------------------------------------------------------------ */

typedef struct met { /* a state */
    hang_origin origin;
    uint32_t standings; /* row: of each thread STANDS_BLOCKED | 2 * number of loops that wait around it */
    bool concrete;      /* else it stands for several, and each way of a step may be that of others */
    bool over;          /* the program may end here, or an assumption has failed: nobody is a suspect */
} met;

enum { STANDS_BLOCKED = 1 };

typedef struct way {
    uint32_t from, to;
    uint32_t label; /* row: threads and the outermost loop that each left, in pairs */
    uint32_t step;
} way;

struct hangs {
    machine *m;
    VEC(met) states;
    VEC(way) ways;
    rows standings, labels;
    uint32_t step_count;
    bool cycle;
    VEC(uint32_t) buffer;
    suspects blocked;
    loop_places loops;
};

hangs *hangs_create(machine *m) {
    hangs *h = mem_zero(1, sizeof *h);
    h->m = m;
    return h;
}

void hangs_destroy(hangs *h) {
    if (!h) return;
    vec_free(&h->states);
    vec_free(&h->ways);
    rows_free(&h->standings);
    rows_free(&h->labels);
    vec_free(&h->buffer);
    vec_free(&h->blocked);
    vec_free(&h->loops);
    mem_free(h);
}

void hangs_begin_way(hangs *h) {
    vec_clear(&h->buffer);
}

/* Of loops around a thread those inside the one that is left are left, too; later loops in their places are
 * others, and what is left of them is further inside than what is left already. */
void hangs_add_step(hangs *h, uint32_t thread, const loop_course *course) {
    if (course->stays) return;
    assert(h->buffer.size % 2 == 0); /* threads, and what each left */
    for (size_t k = 0; k < h->buffer.size; k += 2) {
        if (h->buffer.data[k] != thread) continue;
        if (course->left < h->buffer.data[k + 1]) h->buffer.data[k + 1] = course->left;
        return;
    }
    vec_push(&h->buffer, thread);
    vec_push(&h->buffer, course->left);
}

uint32_t hangs_end_way(hangs *h) {
    return row_number(&h->labels, h->buffer.data, (uint32_t)h->buffer.size);
}

/* The machine lets the end of the program wait until nobody else can go on: in truth it may come at once. */
static bool is_over(machine *m, const state *s) {
    for (uint32_t t = 0; t < state_thread_count(s); t++)
        if (state_thread_status(s, t) == THREAD_STUCK || machine_is_at_program_end(m, s, t)) return true;
    return state_is_inside_step(s);
}

static uint32_t standings_of(hangs *h, const state *s) {
    vec_clear(&h->buffer);
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        machine_waiting_loops(h->m, s, t, &h->loops);
        vec_push(&h->buffer, 2 * (uint32_t)h->loops.size);
    }
    machine_list_blocked(h->m, s, &h->blocked);
    for (size_t k = 0; k < h->blocked.size; k++) h->buffer.data[h->blocked.data[k].thread] |= STANDS_BLOCKED;
    while (h->buffer.size && !vec_last(&h->buffer)) h->buffer.size--;
    return row_number(&h->standings, h->buffer.data, (uint32_t)h->buffer.size);
}

uint32_t hangs_add_state(hangs *h, const state *s, uint32_t parent, path_step by, uint32_t chain) {
    met one = {.origin = {parent, by, chain},
               .standings = standings_of(h, s),
               .concrete = state_is_concrete(s),
               .over = is_over(h->m, s)};
    assert(parent == HANGS_NOWHERE || parent < h->states.size); /* parents come first */
    vec_push(&h->states, one);
    return (uint32_t)h->states.size - 1;
}

uint32_t hangs_new_step(hangs *h) {
    return h->step_count++;
}

void hangs_add_way(hangs *h, uint32_t from, uint32_t to, uint32_t label, uint32_t step) {
    assert(from < h->states.size && (to < h->states.size || to == HANGS_END) && step < h->step_count);
    vec_push(&h->ways, ((way){from, to, label, step}));
}

void hangs_note_cycle(hangs *h) {
    h->cycle = true;
}

hang_origin hangs_origin(const hangs *h, uint32_t state) {
    assert(state < h->states.size);
    return h->states.data[state].origin;
}

/* --- who gets on from where ----------------------------------------------------------------------------- */

/* From which states a thread gets on, or the program may end, whatever values they stand for: by some step
 * all of whose ways do; if the state has no unknown values, by some way, as what is drawn is drawn freely. */
typedef struct closure {
    hangs *h;
    uint32_t thread, loop;
    uint64_t *good;       /* states */
    uint32_t *open;       /* per step: ways that are not known to be good */
    VEC(uint32_t) work;   /* good states whose predecessors were not looked at */
    const uint32_t *into; /* ways by the state that they lead to: from into_begin[state] on */
    const uint32_t *into_begin;
} closure;

static void set_good(closure *c, uint32_t state) {
    assert(state < c->h->states.size);
    if (bits_has(c->good, state)) return;
    bits_add(c->good, state);
    vec_push(&c->work, state);
}

static void set_way_good(closure *c, const way *w) {
    assert(c->open[w->step]); /* each way is found to be good once */
    if (!--c->open[w->step] || c->h->states.data[w->from].concrete) set_good(c, w->from);
}

static bool gets_on(const closure *c, const way *w) {
    uint32_t count;
    const uint32_t *row = row_of(&c->h->labels, w->label, &count);
    if (w->to == HANGS_END) return true;
    for (uint32_t k = 0; k < count; k += 2)
        if (row[k] == c->thread)
            return c->loop == HANGS_NOWHERE || (row[k + 1] != UINT32_MAX && row[k + 1] <= c->loop);
    return false;
}

static void propagate(closure *c) {
    while (c->work.size) {
        uint32_t state = vec_pop(&c->work);
        for (uint32_t k = c->into_begin[state]; k < c->into_begin[state + 1]; k++) {
            const way *w = &c->h->ways.data[c->into[k]];
            if (!gets_on(c, w)) set_way_good(c, w);
        }
    }
}

static void close(closure *c) {
    hangs *h = c->h;
    for (size_t k = 0; k < h->ways.size; k++) c->open[h->ways.data[k].step]++;
    for (uint32_t k = 0; k < h->states.size; k++)
        if (h->states.data[k].over) set_good(c, k);
    for (size_t k = 0; k < h->ways.size; k++)
        if (gets_on(c, &h->ways.data[k])) set_way_good(c, &h->ways.data[k]);
    propagate(c);
}

static bool is_suspect(const closure *c, uint32_t state) {
    uint32_t count;
    const uint32_t *row = row_of(&c->h->standings, c->h->states.data[state].standings, &count);
    if (bits_has(c->good, state) || c->thread >= count) return false;
    return c->loop == HANGS_NOWHERE ? row[c->thread] & STANDS_BLOCKED : row[c->thread] / 2 > c->loop;
}

static bool decide_one(closure *c, uint32_t state, suspicion_judge decide, void *data) {
    hang_suspicion which = {state, c->thread, c->loop};
    if (!is_suspect(c, state)) return true;
    if (decide(data, &which) == SUSPICION_ENOUGH) return false;
    set_good(c, state);
    propagate(c);
    return true;
}

/* The first suspect has the shortest story. If it is none after all, those that came last are asked first: to
 * refute them refutes what leads there. */
static bool decide_all(closure *c, suspicion_judge decide, void *data) {
    uint32_t first = 0, count = (uint32_t)c->h->states.size;
    while (first < count && !is_suspect(c, first)) first++;
    if (first == count) return true;
    bool goes_on = decide_one(c, first, decide, data);
    for (uint32_t k = count; goes_on && k-- > first;) goes_on = decide_one(c, k, decide, data);
    return goes_on;
}

/* --- all suspicions ------------------------------------------------------------------------------------- */

static void list_ways_into(const hangs *h, uint32_t *into, uint32_t *begin) {
    for (size_t k = 0; k < h->ways.size; k++)
        if (h->ways.data[k].to < h->states.size) begin[h->ways.data[k].to + 1]++;
    for (size_t k = 0; k < h->states.size; k++) begin[k + 1] += begin[k];
    uint32_t *next = mem_duplicate(begin, (h->states.size + 1) * sizeof *begin);
    for (uint32_t k = 0; k < h->ways.size; k++)
        if (h->ways.data[k].to < h->states.size) into[next[h->ways.data[k].to]++] = k;
    mem_free(next);
}

/* Whether such a suspect stands anywhere. */
static bool stands_somewhere(const hangs *h, uint32_t thread, uint32_t loop) {
    for (uint32_t k = 0; k < h->standings.alike.size; k++) {
        uint32_t count;
        const uint32_t *row = row_of(&h->standings, k, &count);
        if (thread >= count) continue;
        if (loop == HANGS_NOWHERE ? row[thread] & STANDS_BLOCKED : row[thread] / 2 > loop) return true;
    }
    return false;
}

static bool look_at(hangs *h, const closure *frame, uint32_t thread, uint32_t loop, suspicion_judge decide,
                    void *data) {
    if (!stands_somewhere(h, thread, loop)) return true;
    closure c = *frame;
    c.thread = thread;
    c.loop = loop;
    c.good = mem_zero(BITS_WORDS(h->states.size) + 1, sizeof *c.good);
    c.open = mem_zero(h->step_count + 1, sizeof *c.open);
    close(&c);
    bool goes_on = decide_all(&c, decide, data);
    mem_free(c.good);
    mem_free(c.open);
    vec_free(&c.work);
    return goes_on;
}

static uint32_t most(const hangs *h, bool loops) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < h->standings.alike.size; k++) {
        uint32_t count;
        const uint32_t *row = row_of(&h->standings, k, &count);
        if (!loops && count > most) most = count;
        for (uint32_t t = 0; loops && t < count; t++)
            if (row[t] / 2 > most) most = row[t] / 2;
    }
    return most;
}

void hangs_look(hangs *h, unsigned properties, suspicion_judge decide, void *data) {
    if (!h->cycle) return;
    uint32_t *into = mem_zero(h->ways.size + 1, sizeof *into);
    uint32_t *begin = mem_zero(h->states.size + 2, sizeof *begin);
    list_ways_into(h, into, begin);
    closure frame = {.h = h, .into = into, .into_begin = begin};
    uint32_t threads = most(h, false), loops = properties & PROPERTY_LIVELOCK ? most(h, true) : 0;
    bool goes_on = true;
    for (uint32_t t = 0; t < threads && goes_on; t++)
        if (properties & PROPERTY_DEADLOCK) goes_on = look_at(h, &frame, t, HANGS_NOWHERE, decide, data);
    for (uint32_t t = 0; t < threads && goes_on; t++)
        for (uint32_t k = loops; k-- > 0 && goes_on;) goes_on = look_at(h, &frame, t, k, decide, data);
    mem_free(into);
    mem_free(begin);
}
