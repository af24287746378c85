/* Whether a thread is blocked, or goes round in a loop, for ever: all states that come after one are looked
 * at, with every order of threads and all inputs.
 *
 * What standstill.c finds out from what others may write is quick and holds in most states; this is for those
 * in which somebody seems to be left who could help. Threads do not sleep here, so what one of them changes
 * for a moment in its rounds is seen by the others. States are the same up to names of inputs. */
#include "base/map.h"
#include "machine/hangs.h"
#include "machine/internal.h"
#include "machine/positions.h"
#include "machine/renaming.h"
#include "machine/seen.h"
#include "machine/setup.h"

#include <string.h>

enum { MOST_STATES = 20000 };

typedef struct edge {
    uint32_t from, to;
    uint32_t step; /* whose ways inputs decide between */
    bool rounds;   /* the thread came to the head of its loop */
    bool frees;    /* it went on, or left its loop, or the program ended */
    bool away;     /* an assumption fails: no execution goes this way */
    bool splits;   /* those that the first state stands for do not all go this way */
} edge;

typedef struct after { /* all that comes after a state */
    machine *m;
    const suspect *who;
    VEC(state *) states;
    VEC(uint32_t) alike; /* the next state of the same hash; NO_INDEX: none */
    map by_hash;
    VEC(edge) edges;
    value_pairs pairs;
    renaming *names;
    loop_places loops; /* buffer */
    uint32_t steps;
    VEC(const term *) given; /* what is unknown in the first state: the same in all that come after it ... */
    map is_given;            /* ... by the numbers of terms */
    bool free;               /* some way frees the thread */
    bool open;               /* something is not known ... */
    bool limited;            /* ... as a step had no end, or too many */
    unsigned stops;
} after;

/* --- states --------------------------------------------------------------------------------------------- */

/* Nobody sleeps, and who draws inputs in a loop of its own draws again. */
static state *awake(machine *m, const state *s) {
    state *w = state_clone(s);
    for (uint32_t t = 0; t < w->thread_count; t++) {
        bool draws = w->threads[t]->status == THREAD_DRAWING;
        if (!draws && !w->threads[t]->spin) continue;
        thread_part *part = state_own_thread(w, t);
        thread_set_spin(part, NULL);
        if (draws) part->status = THREAD_RUNNABLE;
    }
    path_collect(m, w);
    return w;
}

/* What is given stands for itself. */
static void pair_given(after *x) {
    size_t count = x->given.size, others = x->pairs.list.size;
    for (size_t k = 0; k < count; k++) vec_push(&x->pairs.list, ((value_pair){NULL, NULL}));
    if (others) memmove(x->pairs.list.data + count, x->pairs.list.data, others * sizeof(value_pair));
    for (size_t k = 0; k < count; k++)
        x->pairs.list.data[k] = (value_pair){x->given.data[k], x->given.data[k]};
}

static bool are_same(after *x, const state *a, const state *b) {
    x->pairs.positions = machine_compares_positions(x->m);
    if (!pairs_collect(x->m->terms, a, b, &x->pairs)) return false;
    pair_given(x);
    return renaming_match(x->names, &x->pairs, state_path(a), a->path_count, state_path(b), b->path_count);
}

/* The number of the state, which is taken over. */
static uint32_t number_of(after *x, state *s) {
    uint64_t hash = state_hash(s, HASH_SHAPE), first = map_get(&x->by_hash, hash);
    for (uint32_t k = first == MAP_NONE ? NO_INDEX : (uint32_t)first; k != NO_INDEX; k = x->alike.data[k]) {
        if (!are_same(x, s, x->states.data[k])) continue;
        state_release(x->m, s);
        return k;
    }
    vec_push(&x->states, s);
    vec_push(&x->alike, first == MAP_NONE ? NO_INDEX : (uint32_t)first);
    map_put(&x->by_hash, hash, x->states.size - 1);
    return (uint32_t)x->states.size - 1;
}

/* --- what is given -------------------------------------------------------------------------------------- */

static void give_symbols(after *x, const term *t) {
    const term_support *symbols = t->support;
    for (uint32_t k = 0; symbols && k < symbols->size; k++) {
        if (map_get(&x->is_given, symbols->symbol[k]->id) != MAP_NONE) continue;
        map_put(&x->is_given, symbols->symbol[k]->id, 1);
        vec_push(&x->given, symbols->symbol[k]);
    }
}

static void give_value(void *data, value v) {
    if (v.bits) give_symbols(data, v.bits);
}

static void give_all(after *x, const state *s) {
    object_names reachable = {0};
    state_reachable_objects(s, &reachable);
    state_each_symbolic_value(s, &reachable, give_value, x);
    vec_free(&reachable);
    for (uint32_t k = 0; k < s->path_count; k++) give_symbols(x, state_path(s)[k]);
}

static bool is_about_given(after *x, const term *t) {
    const term_support *symbols = t->support;
    for (uint32_t k = 0; symbols && k < symbols->size; k++)
        if (map_get(&x->is_given, symbols->symbol[k]->id) != MAP_NONE) return true;
    return false;
}

static bool is_assumed(const state *s, const term *condition) {
    for (uint32_t k = 0; k < s->path_count; k++)
        if (state_path(s)[k] == condition) return true;
    return false;
}

/* More is assumed of what is given than before. */
static bool splits_given(after *x, const state *from, const state *to) {
    for (uint32_t k = 0; x->given.size && k < to->path_count; k++) {
        const term *condition = state_path(to)[k];
        if (is_about_given(x, condition) && !is_assumed(from, condition)) return true;
    }
    return false;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static bool some_thread_is(const state *s, uint8_t status) {
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->status == status) return true;
    return false;
}

static bool end_excuses(const after *x) {
    const machine_options *o = &x->m->options;
    return x->who->spins ? !o->spinning_at_exit : !o->blocked_at_exit;
}

static uint32_t number_of_loop(after *x, const state *s) {
    machine_waiting_loops(x->m, s, x->who->thread, &x->loops);
    for (uint32_t k = 0; k < x->loops.size; k++) {
        const loop_place *p = &x->loops.data[k], *wanted = &x->who->loop;
        if (p->depth == wanted->depth && p->loop.function == wanted->loop.function &&
            p->loop.head == wanted->loop.head)
            return k;
    }
    return NO_INDEX;
}

/* Whether a step of the suspect itself takes it on. */
static bool gets_on(after *x, uint32_t loop, const loop_course *course) {
    x->open |= x->who->spins && loop != NO_INDEX && loop >= 64;
    return x->who->spins ? loop == NO_INDEX || course->left <= loop : !course->stays;
}

/* A violated assertion goes on as if it were not there, or is the end of its path: both are
 * other successors. */
static bool ends_otherwise(const after *x, const successor *to) {
    if (to->end == STEP_VIOLATION) return !check_is_stated(x->m->checks.data[to->check].kind);
    return to->end == STEP_LIMIT || to->uncertain;
}

static bool is_assumed_away(const successor *to) {
    return to->end == STEP_ASSUMED_AWAY || (to->end == STEP_STOPPED && some_thread_is(to->to, THREAD_STUCK));
}

static void look_at_successor(after *x, uint32_t from, bool own, uint32_t loop, const successor *to) {
    edge e = {.from = from, .to = NO_INDEX, .step = x->steps};
    bool otherwise = ends_otherwise(x, to), away = is_assumed_away(to);
    x->open |= otherwise || away;
    x->limited |= to->end == STEP_LIMIT;
    if (to->end == STEP_VIOLATION && !otherwise) return;
    bool frees = (to->end == STEP_FINISHED && end_excuses(x)) ||
                 (to->end == STEP_STOPPED && own && gets_on(x, loop, &to->course));
    x->free |= frees && !otherwise && !away;
    e.frees = frees && !otherwise && !away;
    e.away = away;
    e.splits = to->to && splits_given(x, x->states.data[from], to->to);
    e.rounds = own && loop < 64 && to->course.rounds >> loop & 1;
    if (to->end == STEP_STOPPED && !otherwise && !e.frees && !away) e.to = number_of(x, awake(x->m, to->to));
    vec_push(&x->edges, e);
}

static bool has_enough(const after *x) {
    return x->free && !x->given.size;
}

static void step_on(after *x, uint32_t from, uint32_t thread, successors *list) {
    const state *s = x->states.data[from];
    bool own = thread == x->who->thread;
    uint32_t loop = own && x->who->spins ? number_of_loop(x, s) : NO_INDEX;
    /* Conditions are looked at before. */
    step_options how = {.stops = x->stops,
                        .continue_after_violation = true,
                        .watch_loops = own,
                        .stay_awake = true,
                        .looks_ahead = true,
                        .keep_path = true};
    successors_clear(x->m, list);
    machine_step_thread(x->m, s, thread, &how, list);
    for (size_t i = 0; i < list->size && !has_enough(x); i++)
        look_at_successor(x, from, own, loop, &list->data[i]);
    x->steps++;
}

/* The end of the program may come at once: nothing has to be done before it. */
static void end_program(after *x, uint32_t from) {
    if (!end_excuses(x)) return;
    x->free = true;
    vec_push(&x->edges, ((edge){.from = from, .to = NO_INDEX, .step = x->steps++, .frees = true}));
}

static bool may_step(after *x, const state *s, uint32_t thread) {
    bool turn = s->scheduler->running == NO_INDEX || s->scheduler->running == thread;
    return turn && s->threads[thread]->status == THREAD_RUNNABLE && preemptive_may_go_on(x->m, s, thread);
}

static bool is_interrupted(const machine *m) {
    return m->options.interrupted && m->options.interrupted(m->options.interrupted_data);
}

static void explore(after *x) {
    successors list = {0};
    bool enough = false;
    for (uint32_t i = 0; i < x->states.size && !has_enough(x) && !enough; i++) {
        const state *s = x->states.data[i];
        for (uint32_t t = 0; t < s->thread_count && !has_enough(x); t++) {
            if (preemptive_is_at_program_end(x->m, s, t))
                end_program(x, i);
            else if (may_step(x, s, t))
                step_on(x, i, t, &list);
        }
        enough = x->limited || x->states.size > MOST_STATES || is_interrupted(x->m);
        x->open |= enough;
    }
    successors_free(x->m, &list);
}

/* --- who is free from where ----------------------------------------------------------------------------- */

/* Adds the states from which some edge leads into the set. */
static void close_backwards(const after *x, uint64_t *set) {
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t k = x->edges.size; k-- > 0;) {
            const edge *e = &x->edges.data[k];
            if (e->to == NO_INDEX || bits_has(set, e->from) || !bits_has(set, e->to)) continue;
            bits_add(set, e->from);
            grows = true;
        }
    }
}

static uint64_t *new_set(const after *x) {
    return mem_zero(BITS_WORDS(x->states.size) + 1, sizeof(uint64_t));
}

static bool leads_into(const edge *e, const uint64_t *set) {
    return e->frees || (e->to != NO_INDEX && bits_has(set, e->to));
}

/* Adds the states that have a step by which all they stand for are freed or come into the set: what is drawn
 * may be drawn as one likes, so some way is enough unless they part there. */
static bool add_freed(const after *x, uint64_t *set) {
    bool grows = false;
    for (size_t k = 0, next; k < x->edges.size; k = next) {
        bool all = true, some = false, splits = false;
        for (next = k; next < x->edges.size && x->edges.data[next].step == x->edges.data[k].step; next++) {
            const edge *e = &x->edges.data[next];
            splits |= e->splits;
            some |= leads_into(e, set);
            all &= e->away || leads_into(e, set);
        }
        if (!some || (splits && !all) || bits_has(set, x->edges.data[k].from)) continue;
        bits_add(set, x->edges.data[k].from);
        grows = true;
    }
    return grows;
}

static bool all_are_freed(const after *x) {
    uint64_t *freed = new_set(x);
    while (add_freed(x, freed)) {
    }
    bool answer = bits_has(freed, 0);
    mem_free(freed);
    return answer;
}

/* --- rounds for ever ------------------------------------------------------------------------------------ */

/* From every state the thread can come to the head of its loop again: it is neither blocked for ever nor in
 * some other loop inside. */
static bool always_rounds_again(const after *x) {
    uint64_t *can = new_set(x);
    for (size_t k = 0; k < x->edges.size; k++)
        if (x->edges.data[k].rounds) bits_add(can, x->edges.data[k].from);
    close_backwards(x, can);
    bool all = true;
    for (uint32_t i = 0; i < x->states.size && all; i++) all = bits_has(can, i);
    mem_free(can);
    return all;
}

/* --- the answer ----------------------------------------------------------------------------------------- */

static hang_answer answer_of(const after *x) {
    if (x->free) return !x->given.size || all_are_freed(x) ? HANG_NOT : HANG_PERHAPS;
    if (x->open) return HANG_PERHAPS;
    return !x->who->spins || always_rounds_again(x) ? HANG_CERTAIN : HANG_NOT;
}

static hang_answer look_ahead(machine *m, const state *s, const suspect *who, unsigned stops, bool *limited) {
    after x = {.m = m, .who = who, .stops = stops, .names = renaming_create(m->terms)};
    state *begin = awake(m, s);
    give_all(&x, begin);
    number_of(&x, begin);
    explore(&x);
    hang_answer answer = answer_of(&x);
    *limited = x.limited;
    for (size_t i = 0; i < x.states.size; i++) state_release(m, x.states.data[i]);
    vec_free(&x.states);
    vec_free(&x.alike);
    vec_free(&x.edges);
    vec_free(&x.loops);
    vec_free(&x.given);
    map_free(&x.is_given);
    map_free(&x.by_hash);
    pairs_free(&x.pairs);
    renaming_destroy(x.names);
    return answer;
}

/* A loop that draws inputs and does nothing that others see can go on and on in one step: then its
 * rounds are steps. */
hang_answer machine_stays_for_ever(machine *m, const state *s, const suspect *who) {
    if (some_thread_is(s, THREAD_STUCK)) return HANG_NOT;
    machine_look_away(m); /* no execution that is explored comes there */
    bool limited;
    hang_answer answer = look_ahead(m, s, who, STOP_VISIBLE, &limited);
    if (answer == HANG_PERHAPS && limited) answer = look_ahead(m, s, who, STOP_LOOP_HEAD, &limited);
    machine_look_back(m);
    return answer;
}
