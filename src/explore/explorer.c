#include "explore/explorer.h"

#include "base/invariant.h"

#include <string.h>

static const char *const order_names[SEARCH_ORDERS] = {
#define ORDER(number, name) name,
#include "explore/choices.def"
};
static const char *const stops_names[STOPS_KINDS] = {
#define STOPS(number, name) name,
#include "explore/choices.def"
};
static const char *const memory_names[MEMORY_MODELS] = {
#define MEMORY_MODEL(number, name) name,
#include "explore/choices.def"
};

const char *memory_name(memory_model m) {
    assert(m < MEMORY_MODELS);
    return memory_names[m];
}
const char *order_name(search_order o) {
    assert(o < SEARCH_ORDERS);
    return order_names[o];
}
const char *stops_name(stops_kind s) {
    assert(s < STOPS_KINDS);
    return stops_names[s];
}

/* --- what an explorer has ------------------------------------------------------------------------------- */

static bool contains(choices set, unsigned value) {
    return set & CHOICE(value);
}

bool explorer_has_reduction(const explorer *e, kernel_rules kernel, por_kind por) {
    return por == POR_AUTO || contains(e->reductions[kernel], por);
}

bool explorer_has_matcher(const explorer *e, match_kind match) {
    return match == MATCH_AUTO || contains(e->matchers, match);
}

bool explorer_has_order(const explorer *e, search_order order) {
    return contains(e->orders, order);
}

bool explorer_has_stops(const explorer *e, stops_kind stops) {
    return stops == STOPS_AUTO || contains(e->stops, stops);
}

bool explorer_has_memory(const explorer *e, memory_model memory) {
    return contains(e->memory_models, memory);
}

bool explorer_has_option(const explorer *e, kernel_rules kernel, const char *name) {
    for (const explorer_option *o = e->options; o && o->name; o++)
        if (!strcmp(o->name, name)) return contains(o->kernels, kernel);
    return false;
}

unsigned explorer_proves(const explorer *e) {
    unsigned properties = e->proves ? ALL_PROPERTIES : 0;
    for (const explorer_gap *g = e->gaps; g && g->properties; g++) properties &= ~g->properties;
    return properties;
}

/* --- rules ---------------------------------------------------------------------------------------------- */

static const wished_option *find_option(const wish *w, const char *name) {
    for (size_t i = 0; i < w->options.size; i++)
        if (!strcmp(w->options.data[i].name, name)) return &w->options.data[i];
    return NULL;
}

static bool speaks_of(const explorer_rule *r, const wish *w) {
    const wished_option *o = r->option ? find_option(w, r->option) : NULL;
    return (!r->behind_prefix || w->behind_prefix) && (!r->orders || contains(r->orders, w->order)) &&
           (!r->stops || contains(r->stops, w->stops)) &&
           (!r->option || (o && (!r->value || !strcmp(r->value, o->value))));
}

static bool is_kept(const explorer_rule *r, const wish *w) {
    return (!r->reductions || w->por == POR_AUTO || contains(r->reductions, w->por)) &&
           (!r->matchers || w->match == MATCH_AUTO || contains(r->matchers, w->match)) &&
           (!r->only_orders || contains(r->only_orders, w->order)) &&
           (!r->without || !find_option(w, r->without));
}

const explorer_rule *explorer_broken_rule(const explorer *e, const wish *w) {
    for (const explorer_rule *r = e->rules; r && r->because; r++)
        if (speaks_of(r, w) && !is_kept(r, w)) return r;
    return NULL;
}

static bool are_several(choices c) {
    return (c & (c - 1)) != 0;
}

bool explorer_has_reductions(const explorer *e) {
    bool several = false;
    for (unsigned k = 0; k < RULES_KINDS; k++) several |= are_several(e->reductions[k]);
    return several;
}

bool explorer_has_matchers(const explorer *e) {
    return are_several(e->matchers);
}

/* --- wishes --------------------------------------------------------------------------------------------- */

static stops_kind stops_of(unsigned stops) {
    return stops & STOP_STATEMENT ? STOPS_STATEMENTS : stops & STOP_LOOP_HEAD ? STOPS_LOOPS : STOPS_AUTO;
}

/* What is there in any case, scheduling points and depth first, is no wish. */
wish wish_of(const explore_options *how, kernel_rules kernel) {
    wish w = {.kernel = kernel,
              .por = how->por,
              .own_sets = how->choose && how->por != POR_NONE,
              .behind_prefix = how->from != NULL,
              .match = how->match,
              .has_order = how->order != ORDER_DFS,
              .order = how->order,
              .stops = stops_of(how->stops),
              .memory = how->memory};
    bool unconfirmed = how->visited == VISITED_UNCONFIRMED;
    if (how->chain) vec_push(&w.options, ((wished_option){"chain", ""}));
    if (how->dump_traces) vec_push(&w.options, ((wished_option){"dump-traces", ""}));
    if (how->visited_bytes) vec_push(&w.options, ((wished_option){"visited-memory", ""}));
    if (how->visited != VISITED_FULL)
        vec_push(&w.options, ((wished_option){"visited", unconfirmed ? "compact-unconfirmed" : "compact"}));
    return w;
}

void wish_free(wish *w) {
    vec_free(&w->options);
}

static bool has_options(const explorer *e, const wish *w) {
    for (size_t i = 0; i < w->options.size; i++)
        if (!explorer_has_option(e, w->kernel, w->options.data[i].name)) return false;
    return true;
}

/* Where the preset reduction is excluded, whatever stands in for it is. */
static bool has_place_for_own_sets(const explorer *e, const wish *w) {
    wish preset = *w;
    preset.por = e->reduction[w->kernel];
    return e->takes_own_sets && w->por == POR_AUTO && !explorer_broken_rule(e, &preset);
}

static bool is_possible(const explorer *e, const wish *w) {
    return contains(e->kernels, w->kernel) && explorer_has_reduction(e, w->kernel, w->por) &&
           (!w->own_sets || has_place_for_own_sets(e, w)) && explorer_has_matcher(e, w->match) &&
           (!w->has_order || explorer_has_order(e, w->order)) && explorer_has_stops(e, w->stops) &&
           explorer_has_memory(e, w->memory) && has_options(e, w) &&
           (!w->behind_prefix || e->starts_at_prefix) && !explorer_broken_rule(e, w);
}

bool explorer_can(const explorer *e, const explore_options *how, kernel_rules kernel) {
    wish w = wish_of(how, kernel);
    bool possible = is_possible(e, &w);
    wish_free(&w);
    return possible;
}

/* --- before it begins ----------------------------------------------------------------------------------- */

static por_kind preset_reduction(const explorer *e, wish *w) {
    w->por = e->reduction[w->kernel];
    return w->por == POR_AUTO || !explorer_broken_rule(e, w) ? w->por : POR_NONE;
}

bool explorer_settle(const explorer *e, machine *m, explore_options *how, outcome *out) {
    assert(!out->concluded);
    wish w = wish_of(how, program_kernel(machine_program(m))->rules);
    bool possible = is_possible(e, &w);
    if (how->match == MATCH_AUTO) how->match = w.match = e->matcher;
    if (how->por == POR_AUTO) how->por = preset_reduction(e, &w);
    wish_free(&w);
    out->engine = e->name;
    out->explored = e->explores;
    out->por = how->por == POR_AUTO ? e->name : por_name(how->por); /* one that has no other name */
    out->match = match_name(how->match);
    out->stops = how->stops;
    if (!possible) outcome_doubt(out, REASON_NOT_POSSIBLE, (position){0, 0});
    if (how->from && possible) outcome_doubt(out, REASON_BEHIND_PREFIX, (position){0, 0});
    for (const explorer_gap *g = e->gaps; g && g->properties; g++)
        if (how->properties & g->properties) outcome_add_doubt(out, (doubt){.why = g->why});
    if (!possible) outcome_conclude(out);
    return possible;
}
