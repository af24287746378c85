#include "search/estimate.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "partial/abstract.h"

typedef struct demand {
    const term *condition;
    const term *number; /* what is compared with a constant; NULL: it is no such comparison */
} demand;

typedef struct edge { /* by indices of values */
    uint32_t from, to;
} edge;

/* What is demanded of the numbers of one object, and which values these were seen to have. */
typedef struct group {
    uint32_t object; /* NO_INDEX: of several, or of none */
    VEC(demand) demands;
    VEC(bool) met;        /* of each value: it fulfils them all */
    VEC(uint32_t) far;    /* changes to one that does; NOT_KNOWN */
    VEC(edge) edges;      /* changes */
    map index, connected; /* hash of the numbers -> index of the value; edges */
    uint32_t farthest;    /* of what is known */
    bool stale;           /* `far` is not up to date */
} group;

typedef VEC(group) way;

struct estimate {
    machine *m;
    substitution *held; /* by a state, at the places of a term */
    VEC(way) ways;
    map facts; /* that were seen with a distance */
    map named; /* heap objects that existed when it began: others are called after where they were made */
};

#define NOT_KNOWN UINT32_MAX
enum { MOST_WAYS = 16, MOST_PARTS = 64, MOST_VALUES = 256, UNSEEN_DISTANCE = 4 };

static const uint64_t open_number = UINT64_C(0x6f70656e);

static void free_group(group *g) {
    vec_free(&g->demands);
    vec_free(&g->met);
    vec_free(&g->far);
    vec_free(&g->edges);
    map_free(&g->index);
    map_free(&g->connected);
}

void estimate_destroy(estimate *e) {
    if (!e) return;
    for (size_t i = 0; i < e->ways.size; i++) {
        for (size_t k = 0; k < e->ways.data[i].size; k++) free_group(&e->ways.data[i].data[k]);
        vec_free(&e->ways.data[i]);
    }
    vec_free(&e->ways);
    map_free(&e->facts);
    map_free(&e->named);
    substitution_destroy(e->held);
    mem_free(e);
}

/* --- what is demanded ----------------------------------------------------------------------------------- */

static const term *without_not(const term *condition) {
    return condition->op == TERM_NOT ? condition->arg[0] : condition;
}

static const term *compared_number(const term *condition) {
    const term *t = without_not(condition);
    if (t->op != TERM_EQ && t->op != TERM_ULT && t->op != TERM_SLT) return NULL;
    if (term_is_const(t->arg[0])) return t->arg[1];
    return term_is_const(t->arg[1]) ? t->arg[0] : NULL;
}

static uint32_t object_of(const term *condition) {
    uint32_t object = NO_INDEX;
    for (uint32_t i = 0; i < condition->support->size; i++) {
        const term *place = condition->support->symbol[i];
        uint32_t of = abstract_is_place(place) ? abstract_object_of(place) : NO_INDEX;
        if (of == NO_INDEX || (i && of != object)) return NO_INDEX;
        object = of;
    }
    return object;
}

static void add_demand(way *w, const term *condition) {
    uint32_t object = object_of(condition);
    size_t at = 0;
    while (at < w->size && w->data[at].object != object) at++;
    if (at == w->size) vec_push(w, ((group){.object = object}));
    vec_push(&w->data[at].demands, ((demand){condition, compared_number(condition)}));
}

/* Conjuncts are demands of their own. */
static void add_demands(way *w, const term *condition) {
    VEC(const term *) open = {0};
    vec_push(&open, condition);
    for (unsigned parts = 0; open.size && parts < MOST_PARTS; parts++) {
        const term *t = vec_pop(&open);
        if (!t->support) continue;
        if (t->op == TERM_AND && t->width == 1)
            for (unsigned i = 0; i < t->arity; i++) vec_push(&open, t->arg[i]);
        else
            add_demand(w, t);
    }
    vec_free(&open);
}

static void note_name(void *data, uint32_t object, uint32_t cell, value held) {
    estimate *e = data;
    (void)cell, (void)held;
    map_put(&e->named, object, 1);
}

estimate *estimate_create(machine *m, const state *s) {
    successors yes = {0};
    bool quick = solver_set_quick(machine_solver(m), true);
    bool told = abstract_ask_monitor(m, s, &yes);
    solver_set_quick(machine_solver(m), quick);
    estimate *e = mem_zero(1, sizeof *e);
    *e = (estimate){.m = m, .held = substitution_create(machine_terms(m))};
    for (size_t i = 0; i < yes.size && told && i < MOST_WAYS; i++) {
        way w = {0};
        const state *to = yes.data[i].to;
        for (uint32_t k = 0; k < state_path_count(to); k++) add_demands(&w, state_path(to)[k]);
        vec_push(&e->ways, w);
    }
    successors_free(m, &yes);
    state_each_changed_cell(NULL, s, note_name, e);
    if (e->ways.size) return e;
    estimate_destroy(e);
    return NULL;
}

/* --- one number ----------------------------------------------------------------------------------------- */

static const term *held_at(estimate *e, const state *s, const term *place) {
    const term *bits = abstract_is_place(place) ? abstract_value(e->m, s, place).bits : NULL;
    return bits ? bits : place;
}

static const term *in_state(estimate *e, const state *s, const term *t) {
    if (term_is_symbol(t)) return held_at(e, s, t);
    substitution_clear(e->held);
    for (uint32_t i = 0; t->support && i < t->support->size; i++)
        substitution_set(e->held, t->support->symbol[i], held_at(e, s, t->support->symbol[i]));
    return substitution_apply(e->held, t);
}

static bool is_fulfilled_by(estimate *e, const demand *d, const term *number) {
    terms *c = machine_terms(e->m);
    const term *t = without_not(d->condition), *args[2];
    for (unsigned i = 0; i < 2; i++) args[i] = t->arg[i] == d->number ? number : t->arg[i];
    return term_is_true(term_rebuild(c, t, args)) != (t != d->condition);
}

/* Whether it is as demanded for certain; *hash tells its value. */
static bool is_met(estimate *e, const demand *d, const state *s, uint64_t *hash) {
    const term *now = in_state(e, s, d->number ? d->number : d->condition);
    *hash = hash_pair(*hash, term_is_const(now) ? now->value : open_number);
    if (!term_is_const(now)) return false;
    return d->number ? is_fulfilled_by(e, d, now) : term_is_true(now);
}

/* --- the numbers of one object -------------------------------------------------------------------------- */

/* Index of the value that a group has in s; NO_INDEX: there are too many. */
static uint32_t value_in(estimate *e, group *g, const state *s) {
    uint64_t hash = g->demands.size;
    bool met = true;
    for (size_t i = 0; i < g->demands.size; i++) met &= is_met(e, &g->demands.data[i], s, &hash);
    uint64_t at = map_get(&g->index, hash);
    if (at != MAP_NONE) return (uint32_t)at;
    if (g->met.size >= MOST_VALUES) return NO_INDEX;
    map_put(&g->index, hash, g->met.size);
    vec_push(&g->met, met);
    vec_push(&g->far, NOT_KNOWN);
    g->stale = true;
    return (uint32_t)g->met.size - 1;
}

static void learn_change(group *g, uint32_t from, uint32_t to) {
    uint64_t key = (uint64_t)from << 32 | to;
    if (from == to || from == NO_INDEX || to == NO_INDEX || map_get(&g->connected, key) != MAP_NONE) return;
    map_put(&g->connected, key, 1);
    vec_push(&g->edges, ((edge){from, to}));
    g->stale = true;
}

/* Backward along the changes that were seen; there are few values. */
static void measure(group *g) {
    for (size_t i = 0; i < g->met.size; i++) g->far.data[i] = g->met.data[i] ? 0 : NOT_KNOWN;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->edges.size; i++) {
            uint32_t beyond = g->far.data[g->edges.data[i].to], *here = &g->far.data[g->edges.data[i].from];
            if (beyond == NOT_KNOWN || *here <= beyond + 1) continue;
            *here = beyond + 1;
            changed = true;
        }
    }
    g->farthest = 0;
    for (size_t i = 0; i < g->far.size; i++)
        if (g->far.data[i] != NOT_KNOWN && g->far.data[i] > g->farthest) g->farthest = g->far.data[i];
    g->stale = false;
}

static uint32_t distance_of_group(estimate *e, group *g, const state *before, const state *s) {
    uint32_t index = value_in(e, g, s);
    if (before) learn_change(g, value_in(e, g, before), index);
    if (g->stale) measure(g);
    uint32_t far = index == NO_INDEX ? NOT_KNOWN : g->far.data[index];
    if (far != NOT_KNOWN) return far;
    return 1 + (g->farthest > UNSEEN_DISTANCE ? g->farthest : UNSEEN_DISTANCE);
}

static uint32_t distance_of(estimate *e, const state *before, const state *s) {
    uint32_t best = NOT_KNOWN;
    for (size_t i = 0; i < e->ways.size; i++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < e->ways.data[i].size; k++)
            sum += distance_of_group(e, &e->ways.data[i].data[k], before, s);
        if (sum < best) best = sum;
    }
    return best;
}

/* --- what is new ---------------------------------------------------------------------------------------- */

typedef struct novelty {
    estimate *e;
    const state *s;
    uint32_t distance;
    bool found;
} novelty;

/* Objects that were there from the beginning go by their names, others by the places that make them. */
static uint64_t name_for_facts(const estimate *e, const state *s, uint32_t name) {
    if (map_get(&e->named, name) != MAP_NONE) return name;
    object_origin from = {NO_INDEX, 0};
    state_origin(s, name, &from);
    return hash_pair(from.site, 1);
}

static uint64_t hash_of_held(const estimate *e, const state *s, value v) {
    if (!v.bits) return 0;
    uint32_t name = value_object(v);
    if (name != NO_INDEX) return hash_pair(name_for_facts(e, s, name), 2);
    return term_is_const(v.bits) ? hash_pair(v.bits->value, v.base) : open_number;
}

static void note_cell(void *data, uint32_t object, uint32_t cell, value held) {
    novelty *n = data;
    uint64_t holder = hash_pair(n->distance, name_for_facts(n->e, n->s, object));
    uint64_t fact = hash_pair(hash_pair(holder, cell), hash_of_held(n->e, n->s, held));
    if (map_get(&n->e->facts, fact) != MAP_NONE) return;
    map_put(&n->e->facts, fact, 1);
    n->found = true;
}

/* Only what the step has changed is looked at. */
static bool is_novel(estimate *e, uint32_t distance, const state *before, const state *s) {
    novelty n = {e, s, distance, false};
    state_each_changed_cell(before, s, note_cell, &n);
    return n.found;
}

estimated estimate_state(estimate *e, const state *before, const state *s) {
    uint32_t distance = distance_of(e, before, s);
    return (estimated){distance, is_novel(e, distance, before, s)};
}
