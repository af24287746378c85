#include "reference.h"

#include "base/hash.h"
#include "base/map.h"
#include "blocked.h"
#include "simulate.h"

#include <stdlib.h>

typedef struct node {
    size_t begin; /* of its bytes */
    uint32_t same_hash;
} node;

typedef struct exploration {
    simulator sim;
    const reference_limits *limits;
    reference *out;
    VEC(node) nodes;
    VEC(blocked_node) graph; /* of the nodes that were expanded */
    VEC(uint32_t) edges;     /* their ends; NONE: the execution ends there */
    VEC(uint8_t) bytes;      /* of all states */
    VEC(uint8_t) packed;
    map by_hash;
    sim_successors next;
} exploration;

/* --- exact storage -------------------------------------------------------------------------------------- */

static void put(exploration *x, int64_t value) { /* small numbers in few bytes, whatever their sign */
    uint64_t zigzag = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
    for (; zigzag >= 128; zigzag >>= 7) vec_push(&x->packed, (uint8_t)(zigzag | 128));
    vec_push(&x->packed, (uint8_t)zigzag);
}

static int64_t take(const uint8_t **at) {
    uint64_t zigzag = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        zigzag |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) break;
    }
    return (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
}

static void pack_frame(exploration *x, const sim_frame *f) {
    put(x, f->body);
    put(x, f->box);
    put(x, f->pc);
    put(x, f->result);
    uint32_t used = MOST_REGISTERS;
    while (used && !f->reg[used - 1]) used--;
    put(x, used);
    for (uint32_t k = 0; k < used; k++) put(x, f->reg[k]);
}

static void unpack_frame(const uint8_t **at, sim_frame *f) {
    f->body = (uint8_t)take(at);
    f->box = (uint8_t)take(at);
    f->pc = (uint16_t)take(at);
    f->result = (uint32_t)take(at);
    uint32_t used = (uint32_t)take(at);
    for (uint32_t k = 0; k < used; k++) f->reg[k] = take(at);
}

static void pack(exploration *x, const sim_state *s) {
    vec_clear(&x->packed);
    put(x, s->threads);
    put(x, s->objects);
    put(x, s->cells);
    for (uint32_t k = 0; k < s->objects; k++) {
        put(x, s->object[k].alive | s->object[k].heap << 1);
        put(x, s->object[k].count);
    }
    for (uint32_t k = 0; k < s->cells; k++) put(x, s->cell[k]);
    for (uint32_t k = 0; k < MOST_MUTEXES; k++) put(x, s->owner[k] | s->further[k] << 3);
    for (uint32_t k = 0; k < MOST_RWLOCKS; k++) put(x, s->writer[k] | s->readers[k] << 3);
    for (uint32_t k = 0; k < MOST_BARRIERS; k++) put(x, s->arrived[k]);
    for (uint32_t k = 0; k < MOST_ONCES; k++) put(x, s->once[k]);
    for (uint32_t k = 0; k < MOST_CONDITIONS; k++) put(x, s->waiters[k]);
    for (uint32_t k = 0; k < MOST_SEMAPHORES; k++) put(x, s->permits[k]);
    for (uint32_t k = 0; k < s->threads; k++) {
        const sim_thread *t = &s->thread[k];
        put(x, t->status | t->frames << 2 | t->atomic << 5 | t->woken << 8 | t->patient << 9);
        put(x, t->result);
        for (uint32_t f = 0; f < t->frames; f++) pack_frame(x, &t->frame[f]);
    }
}

static void take_two(const uint8_t **at, uint8_t *low, uint8_t *high) {
    int64_t both = take(at);
    *low = both & 7;
    *high = (uint8_t)(both >> 3);
}

static void unpack(const uint8_t *at, sim_state *s) {
    memset(s, 0, sizeof *s);
    s->threads = (uint32_t)take(&at);
    s->objects = (uint32_t)take(&at);
    s->cells = (uint32_t)take(&at);
    uint16_t first = 0;
    for (uint32_t k = 0; k < s->objects; k++) {
        int64_t flags = take(&at);
        s->object[k] = (sim_object){flags & 1, (uint8_t)(flags >> 1 & 1), first, (uint16_t)take(&at)};
        first = (uint16_t)(first + s->object[k].count);
    }
    for (uint32_t k = 0; k < s->cells; k++) s->cell[k] = take(&at);
    for (uint32_t k = 0; k < MOST_MUTEXES; k++) take_two(&at, &s->owner[k], &s->further[k]);
    for (uint32_t k = 0; k < MOST_RWLOCKS; k++) take_two(&at, &s->writer[k], &s->readers[k]);
    for (uint32_t k = 0; k < MOST_BARRIERS; k++) s->arrived[k] = (uint8_t)take(&at);
    for (uint32_t k = 0; k < MOST_ONCES; k++) s->once[k] = (uint8_t)take(&at);
    for (uint32_t k = 0; k < MOST_CONDITIONS; k++) s->waiters[k] = (uint8_t)take(&at);
    for (uint32_t k = 0; k < MOST_SEMAPHORES; k++) s->permits[k] = (int32_t)take(&at);
    for (uint32_t k = 0; k < s->threads; k++) {
        sim_thread *t = &s->thread[k];
        int64_t flags = take(&at);
        t->status = flags & 3;
        t->frames = (uint8_t)(flags >> 2 & 7);
        t->atomic = (uint8_t)(flags >> 5 & 7);
        t->woken = (uint8_t)(flags >> 8 & 1);
        t->patient = (uint8_t)(flags >> 9 & 1);
        t->result = take(&at);
        for (uint32_t f = 0; f < t->frames; f++) unpack_frame(&at, &t->frame[f]);
    }
}

static size_t end_of(const exploration *x, uint32_t index) {
    return index + 1 < x->nodes.size ? x->nodes.data[index + 1].begin : x->bytes.size;
}

/* The number of the state, old or new. */
static uint32_t store(exploration *x, const sim_state *s) {
    pack(x, s);
    size_t size = x->packed.size;
    uint64_t hash = hash_bytes(x->packed.data, size), known = map_get(&x->by_hash, hash);
    uint32_t first = known == MAP_NONE ? NONE : (uint32_t)known;
    for (uint32_t k = first; k != NONE; k = x->nodes.data[k].same_hash) {
        size_t begin = x->nodes.data[k].begin;
        if (end_of(x, k) - begin == size && !memcmp(x->bytes.data + begin, x->packed.data, size)) return k;
    }
    vec_push(&x->nodes, ((node){.begin = x->bytes.size, .same_hash = first}));
    for (size_t i = 0; i < size; i++) vec_push(&x->bytes, x->packed.data[i]);
    map_put(&x->by_hash, hash, x->nodes.size - 1);
    return (uint32_t)x->nodes.size - 1;
}

/* --- what is noted -------------------------------------------------------------------------------------- */

static void note_violation(reference *r, uint32_t key) {
    size_t k = 0;
    while (k < r->violations.size && r->violations.data[k] < key) k++;
    if (k < r->violations.size && r->violations.data[k] == key) return;
    vec_push(&r->violations, key);
    for (size_t i = r->violations.size - 1; i > k; i--) r->violations.data[i] = r->violations.data[i - 1];
    r->violations.data[k] = key;
}

static void note_final(exploration *x, const sim_state *s, uint32_t last) {
    reference *r = x->out;
    for (uint32_t t = 0; t < s->threads; t++)
        if (t != last && sim_is_alive(s, t)) return;
    for (size_t row = 0; r->cells && row < r->finals.size; row += r->cells)
        if (!memcmp(r->finals.data + row, s->cell, r->cells * sizeof *s->cell)) return;
    for (uint32_t k = 0; k < r->cells; k++) vec_push(&r->finals, s->cell[k]);
    if (r->cells && r->finals.size / r->cells > x->limits->finals) r->refused = "too many final states";
}

static void note_leak(reference *r, const sim_state *s) {
    for (uint32_t k = 0; k < s->objects; k++) r->leak |= s->object[k].alive && s->object[k].heap;
}

static bool overlap(const sim_access *a, const sim_access *b) {
    return a->object == b->object && a->low < b->high && b->low < a->high && (a->writes || b->writes) &&
           !(a->atomic && b->atomic);
}

static void note_race(exploration *x, const sim_access *a, const sim_access *b, bool both_enabled) {
    if (!overlap(a, b)) return;
    x->out->race.possible = true;
    bool writes = a->certainly_writes || b->certainly_writes;
    if (writes && a->valid && b->valid && both_enabled) x->out->race.certain = true;
}

static void note_races(exploration *x, const sim_state *s) {
    sim_access a[2], b[2];
    for (uint32_t t = 0; t < s->threads; t++) {
        unsigned count = sim_next_accesses(&x->sim, s, t, a);
        for (uint32_t u = 0; count && u < t; u++) {
            unsigned others = sim_next_accesses(&x->sim, s, u, b);
            bool both = sim_is_enabled(&x->sim, s, t) && sim_is_enabled(&x->sim, s, u);
            for (unsigned k = 0; k < count * others; k++) note_race(x, &a[k % count], &b[k / count], both);
        }
    }
}

/* --- cycles --------------------------------------------------------------------------------------------- */

typedef struct descent { /* depth first, with an explicit stack */
    uint32_t *next;      /* per state: 1 + the edge that is next, 0 before the first visit */
    VEC(uint32_t) path;
} descent;

static bool has_cycle(const exploration *x) {
    descent d = {.next = mem_zero(x->nodes.size, sizeof(uint32_t))};
    bool *left = mem_zero(x->nodes.size, sizeof *left), found = false;
    d.next[0] = 1;
    vec_push(&d.path, 0);
    while (d.path.size && !found) {
        uint32_t n = vec_last(&d.path);
        const blocked_node *at = &x->graph.data[n];
        uint32_t edge = at->first_edge + d.next[n]++ - 1;
        if (edge >= at->end_edge) {
            left[n] = true;
            d.path.size--;
            continue;
        }
        uint32_t to = x->edges.data[edge];
        if (to == NONE) continue;
        found = d.next[to] && !left[to];
        if (d.next[to]) continue;
        d.next[to] = 1;
        vec_push(&d.path, to);
    }
    mem_free(left);
    mem_free(d.next);
    vec_free(&d.path);
    return found;
}

/* --- exploring ------------------------------------------------------------------------------------------ */

static void take_successor(exploration *x, const sim_successor *n, uint32_t thread, blocked_node *from) {
    uint32_t to = NONE;
    x->out->transitions++;
    if (n->violation) note_violation(x->out, n->violation);
    switch (n->end) {
    case SIM_GOES_ON: to = store(x, &n->to); break;
    case SIM_FINISHED:
        from->ends = true;
        note_final(x, &n->to, thread);
        note_leak(x->out, &n->to);
        break;
    case SIM_REFUSED: x->out->refused = "too many threads, objects or steps without end"; break;
    case SIM_DISCARDED:
    case SIM_BROKEN: from->cut = true; break;
    }
    vec_push(&x->edges, to);
}

/* --- threads in loops ----------------------------------------------------------------------------------- */

enum { MOST_WATCHED_LOOPS = 64 / MOST_THREADS };

static uint64_t bit_of(uint32_t thread, uint32_t loop) {
    return UINT64_C(1) << (thread * MOST_WATCHED_LOOPS + loop);
}

static void note_loops(exploration *x, const sim_state *s, uint32_t thread, bool enabled, blocked_node *at) {
    const sim_thread *t = &s->thread[thread];
    const flat_code *code = x->sim.code;
    for (uint32_t k = 0; k < code->loops.size && k < MOST_WATCHED_LOOPS && sim_is_alive(s, thread); k++) {
        const flat_loop *l = &code->loops.data[k];
        for (uint32_t f = 0; f < t->frames; f++) {
            uint32_t pc = t->frame[f].pc;
            if (t->frame[f].body != l->body || pc < l->head || pc >= l->end) continue;
            at->stays |= bit_of(thread, k);
            if (enabled && f + 1 == t->frames && pc < l->decided) at->looks |= bit_of(thread, k);
        }
    }
}

static uint64_t loops_that_wait(const flat_code *code) {
    uint64_t set = 0;
    for (uint32_t t = 0; t < MOST_THREADS; t++)
        for (uint32_t k = 0; k < code->loops.size && k < MOST_WATCHED_LOOPS; k++)
            if (code->loops.data[k].waits) set |= bit_of(t, k);
    return set;
}

static void expand(exploration *x, uint32_t index) {
    sim_state s;
    unpack(x->bytes.data + x->nodes.data[index].begin, &s);
    note_races(x, &s);
    blocked_node at = {.first_edge = (uint32_t)x->edges.size};
    bool blocked = false, moves = false;
    for (uint32_t t = 0; t < s.threads && !x->out->refused; t++) {
        blocked |= sim_is_blocked(&x->sim, &s, t);
        if (sim_waits(&x->sim, &s, t)) at.waits |= UINT32_C(1) << t;
        bool enabled = sim_is_enabled(&x->sim, &s, t);
        note_loops(x, &s, t, enabled, &at);
        if (!enabled) continue;
        moves = true;
        x->out->race.possible |= sim_attempt_fails(&x->sim, &s, t);
        vec_clear(&x->next);
        sim_step(&x->sim, &s, t, &x->next);
        for (size_t i = 0; i < x->next.size; i++) take_successor(x, &x->next.data[i], t, &at);
    }
    at.end_edge = (uint32_t)x->edges.size;
    vec_push(&x->graph, at);
    x->out->deadlock.certain |= blocked && !moves;
}

static void explore(exploration *x) {
    sim_state s;
    if (sim_start(&x->sim, &s) != SIM_GOES_ON) {
        x->out->refused = "main does not come to its first operation";
        return;
    }
    store(x, &s);
    for (uint32_t k = 0; k < x->nodes.size && !x->out->refused; k++) {
        expand(x, k);
        if (x->nodes.size > x->limits->states) x->out->refused = "too many states";
    }
    x->out->states = x->nodes.size;
    if (x->out->refused) return;
    x->out->cyclic = has_cycle(x);
    blocked_answer answer = blocked_for_ever(x->graph.data, x->graph.size, x->edges.data);
    x->out->deadlock.certain |= answer.certain;
    x->out->deadlock.possible = x->out->deadlock.certain || answer.possible;
    answer = rounds_for_ever(x->graph.data, x->graph.size, x->edges.data, loops_that_wait(x->sim.code));
    bool unseen = x->sim.code->loops.size > MOST_WATCHED_LOOPS;
    x->out->livelock = (finding){answer.certain, answer.possible || unseen};
}

void reference_run(program_tree *p, bool spurious_wakeups, const reference_limits *limits, reference *out) {
    *out = (reference){0};
    flat_code code;
    code_make(p, &code);
    out->inputs = code.has_inputs;
    out->heap = code.has_heap;
    for (uint32_t k = 0; k < p->globals; k++) out->cell[out->cells++] = (reference_cell){'g', k, 0};
    for (uint32_t k = 0; k < p->arrays; k++)
        for (uint32_t i = 0; i < p->length[k]; i++) out->cell[out->cells++] = (reference_cell){'a', k, i};
    exploration x = {.sim = {p, &code, spurious_wakeups}, .limits = limits, .out = out};
    if (code.too_large)
        out->refused = "too large an expression";
    else
        explore(&x);
    vec_free(&x.nodes);
    vec_free(&x.graph);
    vec_free(&x.edges);
    vec_free(&x.bytes);
    vec_free(&x.packed);
    vec_free(&x.next);
    map_free(&x.by_hash);
    code_free(&code);
}

void reference_free(reference *r) {
    vec_free(&r->violations);
    vec_free(&r->finals);
}
