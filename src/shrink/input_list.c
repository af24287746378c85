/* Inputs as a list of symbols and numbers, so that some can be left out. They are named by thread and running
 * count: if a thread draws fewer, its later inputs get other names. */
#include "shrink/internal.h"

static bool is_listed(const input_list *list, const term *symbol) {
    for (size_t i = list->size; i-- > 0;)
        if (list->data[i].symbol == symbol) return true;
    return false;
}

/* Whatever no condition of the path mentions is 0. */
void input_list_read(shrinker *k, input_list *out) {
    state *end = violation_replay(k->m, k->v, &k->how);
    for (uint32_t i = 0; end && i < state_path_count(end); i++) {
        const term_support *s = state_path(end)[i]->support;
        for (uint32_t n = 0; s && n < s->size; n++) {
            given_input one = {s->symbol[n], 0};
            valuation_get(k->v->inputs, one.symbol, &one.number);
            if (one.number && !is_listed(out, one.symbol)) vec_push(out, one);
        }
    }
    state_release(k->m, end);
}

valuation *input_list_valuation(const input_list *list) {
    valuation *v = valuation_create();
    for (size_t i = 0; i < list->size; i++) valuation_set(v, list->data[i].symbol, list->data[i].number);
    return v;
}

static uint32_t drawn_by(const state *s, uint32_t thread) {
    return state_thread(s, thread).inputs_made;
}

/* False: it is one of those that are left out. */
static bool move_up(terms *c, const state *from, const state *to, given_input *one) {
    uint64_t name = one->symbol->value;
    uint32_t thread = (uint32_t)(name >> 32), number = (uint32_t)name;
    bool of_program = thread < state_thread_count(to); /* others are not drawn one after the other */
    uint32_t first = drawn_by(from, thread), end = drawn_by(to, thread);
    if (!of_program || number < first || first == end) return true;
    if (number < end) return false;
    one->symbol = term_symbol(c, one->symbol->width, name - (end - first), term_symbol_label(c, one->symbol),
                              term_symbol_origin(c, one->symbol));
    return true;
}

void input_list_without(shrinker *k, const input_list *list, const state *from, const state *to,
                        input_list *out) {
    vec_clear(out);
    for (size_t i = 0; i < list->size; i++) {
        given_input one = list->data[i];
        if (move_up(machine_terms(k->m), from, to, &one)) vec_push(out, one);
    }
}
