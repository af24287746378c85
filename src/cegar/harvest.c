#include "cegar/harvest.h"

enum { MOST_PLACES = 256, MOST_PREDICATES = 48, MOST_PARTS = 64 };

void harvest_free(harvest *h) {
    vec_free(&h->places);
    vec_free(&h->predicates);
    vec_free(&h->found_places);
    vec_free(&h->found_predicates);
    map_free(&h->known);
}

static void copy_terms(harvest *to, term_list *list, const term_list *from) {
    for (size_t i = 0; i < from->size; i++) {
        vec_push(list, from->data[i]);
        map_put(&to->known, from->data[i]->id, 1);
    }
}

void harvest_copy(harvest *to, const harvest *from) {
    *to = (harvest){0};
    copy_terms(to, &to->places, &from->places);
    copy_terms(to, &to->predicates, &from->predicates);
    copy_terms(to, &to->found_places, &from->found_places);
    copy_terms(to, &to->found_predicates, &from->found_predicates);
}

static void note(harvest *h, const term *t, const term_list *already, term_list *found, size_t most) {
    if (map_get(&h->known, t->id) != MAP_NONE || already->size + found->size >= most) return;
    map_put(&h->known, t->id, 1);
    vec_push(found, t);
}

static void note_places(harvest *h, const term *t) {
    for (uint32_t i = 0; t->support && i < t->support->size; i++)
        if (abstract_is_place(t->support->symbol[i]))
            note(h, t->support->symbol[i], &h->places, &h->found_places, MOST_PLACES);
}

static bool is_about_places_only(const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++)
        if (!abstract_is_place(t->support->symbol[i])) return false;
    return t->support->size > 0;
}

/* Of a condition on inputs, too, what it says about places alone. */
static void note_condition(harvest *h, const term *condition) {
    term_list open = {0};
    note_places(h, condition);
    vec_push(&open, condition);
    for (unsigned parts = 0; open.size && parts < MOST_PARTS; parts++) {
        const term *t = vec_pop(&open);
        if (t->width == 1 && t->op == TERM_NOT) t = t->arg[0];
        if (!t->support) continue;
        if (t->width == 1 && is_about_places_only(t)) {
            note(h, t, &h->predicates, &h->found_predicates, MOST_PREDICATES);
            continue;
        }
        for (unsigned i = 0; i < t->arity; i++) vec_push(&open, t->arg[i]);
    }
    vec_free(&open);
}

/* Whether the step writes a place that matters; notes what it writes there. */
static bool writes_what_matters(harvest *h, machine *m, const state *after) {
    bool writes = false;
    for (size_t i = 0; i < h->places.size; i++) {
        value v = abstract_value(m, after, h->places.data[i]);
        if (!v.bits || v.bits == h->places.data[i]) continue;
        note_places(h, v.bits);
        writes = true;
    }
    return writes;
}

void harvest_look(harvest *h, machine *m, const state *from, const successor *s, bool is_goal) {
    bool writes = s->end == STEP_STOPPED && writes_what_matters(h, m, s->to);
    if (!writes && !is_goal) return;
    for (uint32_t i = 0; i < state_path_count(s->to); i++)
        if (!state_assumes(from, state_path(s->to)[i])) note_condition(h, state_path(s->to)[i]);
}

bool harvest_take(harvest *h) {
    bool some = h->found_places.size || h->found_predicates.size;
    for (size_t i = 0; i < h->found_places.size; i++) vec_push(&h->places, h->found_places.data[i]);
    for (size_t i = 0; i < h->found_predicates.size; i++)
        vec_push(&h->predicates, h->found_predicates.data[i]);
    vec_clear(&h->found_places);
    vec_clear(&h->found_predicates);
    return some;
}

void harvest_keep(const harvest *h, precision *p) {
    enum { EVERYWHERE = 0 };
    for (size_t i = 0; i < h->places.size; i++) precision_track(p, h->places.data[i]);
    for (size_t i = 0; i < h->predicates.size; i++) precision_add(p, EVERYWHERE, h->predicates.data[i]);
}
