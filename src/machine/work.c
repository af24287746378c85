/* What a machine was busy with: for whoever has to say why an exploration was broken off. */
#include "base/clock.h"
#include "base/hash.h"
#include "machine/internal.h"
#include "machine/place.h"
#include "machine/record.h"

#include <inttypes.h>

/* --- queries -------------------------------------------------------------------------------------------- */

/* Distinct ones; counting ends where "many" says enough. */
static size_t count_terms(const term *const *roots, size_t count, const term *last) {
    enum { MANY = 1000000 };
    map seen = {0};
    VEC(const term *) open = {0};
    for (size_t i = 0; i < count; i++) vec_push(&open, roots[i]);
    vec_push(&open, last);
    while (open.size && seen.size < MANY) {
        const term *t = vec_pop(&open);
        if (map_get(&seen, t->id) != MAP_NONE) continue;
        map_put(&seen, t->id, 1);
        for (unsigned k = 0; k < t->arity; k++) vec_push(&open, t->arg[k]);
    }
    size_t terms = seen.size;
    map_free(&seen);
    vec_free(&open);
    return terms;
}

static asked_place *place_asked(machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const function *in = thread_visible_function(m->program, t);
    position at = thread_position(m->program, t);
    const char *file = in && in->file ? in->file : m->program->file;
    uint64_t key = hash_mix(hash_mix((uint64_t)(uintptr_t)file) ^ ((uint64_t)at.line << 32 | at.column));
    uint64_t known = map_get(&m->asked_numbers, key);
    if (known == MAP_NONE) {
        known = m->asked.size;
        vec_push(&m->asked, ((asked_place){.file = file, .at = at}));
        map_put(&m->asked_numbers, key, known);
    }
    return &m->asked.data[known];
}

static void note_query(machine *m, const state *s, uint32_t thread, const term *condition, double seconds) {
    static const double worth_counting = 0.05;
    asked_place *p = place_asked(m, s, thread);
    p->queries++;
    p->seconds += seconds;
    if (seconds <= p->longest) return;
    p->longest = seconds;
    if (seconds < worth_counting) return;
    p->conditions = s->path_count + 1;
    p->terms = count_terms(state_path(s), s->path_count, condition);
}

solver_answer machine_ask(machine *m, const state *s, uint32_t thread, const term *condition) {
    static const double worth_noting = 1e-4; /* what no backend was asked about takes less */
    double before = solver_stats(m->solver)->seconds;
    solver_answer answer = solver_check_extension(m->solver, state_path(s), s->path_count, condition);
    double took = solver_stats(m->solver)->seconds - before;
    if (took > worth_noting) note_query(m, s, thread, condition, took);
    return answer;
}

static const asked_place *dearest_place(const machine *m) {
    const asked_place *best = NULL;
    for (size_t i = 0; i < m->asked.size; i++) {
        const asked_place *p = &m->asked.data[i];
        if (p->at.line && (!best || p->seconds > best->seconds)) best = p;
    }
    return best;
}

void machine_begin_work(machine *m) {
    m->work_begun = clock_wall();
    m->solved_before = m->solver ? solver_stats(m->solver)->seconds : 0;
    vec_clear(&m->asked);
    map_clear(&m->asked_numbers);
}

static double seconds_of_queries(const machine *m) {
    return m->solver ? solver_stats(m->solver)->seconds - m->solved_before : 0;
}

static double share_of_queries(const machine *m) {
    double all = clock_wall() - m->work_begun;
    return all > 0 ? seconds_of_queries(m) / all : 0;
}

bool machine_asked_mostly(const machine *m) {
    static const double most = 0.5;
    return share_of_queries(m) > most;
}

static void describe_queries(const machine *m, text *out) {
    static const double most = 0.5;
    const asked_place *p = dearest_place(m);
    text_format(out, "; %.0f %% of the time in queries of the solver", 100 * share_of_queries(m));
    if (!p || p->seconds < most * seconds_of_queries(m)) return;
    text_format(out, ", most of it in %" PRIu64 " at %s:%u:%u, the longest of %.1f s", p->queries, p->file,
                p->at.line, p->at.column, p->longest);
    if (p->terms)
        text_format(out, " with %zu condition%s of %zu terms", p->conditions, p->conditions == 1 ? "" : "s",
                    p->terms);
}

/* --- loops ---------------------------------------------------------------------------------------------- */

void machine_note_round(machine *m, const frame *f) {
    enum { LOOK_EVERY = 256 };
    uint64_t loop = (uint64_t)f->function << 32 | f->block;
    if (++m->rounds % LOOK_EVERY) return;
    uint64_t known = map_get(&m->busy_loops, loop);
    map_put(&m->busy_loops, loop, known == MAP_NONE ? 1 : known + 1);
}

static const map_slot *busiest_loop(const machine *m, uint64_t *all) {
    const map_slot *best = NULL;
    *all = 0;
    for (size_t i = 0; i < m->busy_loops.capacity; i++) {
        const map_slot *s = &m->busy_loops.slots[i];
        if (s->value == MAP_NONE) continue;
        *all += s->value;
        if (!best || s->value > best->value) best = s;
    }
    return best;
}

static position begin_of_block(const block *b) {
    for (size_t i = 0; i < b->code.size; i++)
        if (b->code.data[i].at.line) return b->code.data[i].at;
    return (position){0, 0};
}

static void describe_loops(const machine *m, text *out) {
    enum { FEW = 4 };
    uint64_t all;
    const map_slot *best = busiest_loop(m, &all);
    if (!best || all < FEW) return;
    const function *f = &m->program->functions.data[best->key >> 32];
    position at = begin_of_block(&f->blocks.data[(uint32_t)best->key]);
    if (f->hidden || !at.line) return;
    text_format(out, "; of %" PRIu64 " rounds of loops about %.0f %% in the one at %s:%u:%u", m->rounds,
                100.0 * (double)best->value / (double)all, f->file ? f->file : m->program->file, at.line,
                at.column);
}

void machine_describe_work(const machine *m, text *out) {
    size_t threads = m->program->threads.size + m->thread_names.size;
    text_format(out, "%zu thread%s", threads, threads == 1 ? "" : "s");
    if (machine_asked_mostly(m)) describe_queries(m, out);
    describe_loops(m, out);
}
