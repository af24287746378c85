#include "api/choice.h"

#include "strategy/fit.h"

#include <string.h>

/* Only what is away from its preset asks for anything; a limit of 0 is none. */
static bool is_wished(const options *o, option_id id) {
    const heddle_option *about = &heddle_options()[id];
    const option_value *v = &o->value[id];
    bool is_no_limit = about->kind == HEDDLE_OPTION_NUMBER && !*about->preset && !v->number;
    return v->given && strcmp(v->written, about->preset) != 0 && !is_no_limit &&
           fit_is_of_some(about->name, v->written);
}

static wish wish_by_options(const options *o, const program *p) {
    const option_value *v = o->value;
    wish w = {.kernel = program_kernel(p)->rules,
              .has_order = v[OPTION_ORDER].given,
              .order = (search_order)v[OPTION_ORDER].choice,
              .stops = (stops_kind)v[OPTION_STOPS].choice,
              .memory = (memory_model)v[OPTION_MEMORY_MODEL].choice};
    por_from_name(v[OPTION_POR].written, &w.por);
    match_from_name(v[OPTION_MATCH].written, &w.match);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (is_wished(o, (option_id)id))
            vec_push(&w.options, ((wished_option){heddle_options()[id].name, v[id].written}));
    return w;
}

const explorer *choice_engine(const options *o, const program *p, text *why) {
    wish w = wish_by_options(o, p);
    const explorer *chosen = fit_choose(explorers_find(o->value[OPTION_ENGINE].written), &w, why);
    wish_free(&w);
    return chosen;
}
