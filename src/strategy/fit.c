#include "strategy/fit.h"

#include <string.h>

/* --- lists of words ------------------------------------------------------------------------------------- */

typedef VEC(const char *) words;

/* "a, b and c" */
static void print_words(const words *list, text *out) {
    for (size_t i = 0; i < list->size; i++)
        text_format(out, "%s%s", i == 0 ? "" : i + 1 == list->size ? " and " : ", ", list->data[i]);
}

static void print_engines(const words *names, text *out) {
    text_add(out, names->size == 1 ? "engine " : "engines ");
    print_words(names, out);
}

/* --- single things that are asked for ------------------------------------------------------------------- */

typedef enum {
    ITEM_KERNEL,
    ITEM_REDUCTION,
    ITEM_MATCHER,
    ITEM_ORDER,
    ITEM_STOPS,
    ITEM_MEMORY,
    ITEM_OPTION
} item_kind;

typedef struct item {
    item_kind kind;
    unsigned value;
    const char *name; /* ITEM_OPTION */
} item;

typedef VEC(item) items;

static items items_of(const wish *w) {
    items list = {0};
    vec_push(&list, ((item){ITEM_KERNEL, w->kernel, NULL}));
    if (w->por != POR_AUTO) vec_push(&list, ((item){ITEM_REDUCTION, w->por, NULL}));
    if (w->match != MATCH_AUTO) vec_push(&list, ((item){ITEM_MATCHER, w->match, NULL}));
    if (w->has_order) vec_push(&list, ((item){ITEM_ORDER, w->order, NULL}));
    if (w->stops != STOPS_AUTO) vec_push(&list, ((item){ITEM_STOPS, w->stops, NULL}));
    vec_push(&list, ((item){ITEM_MEMORY, w->memory, NULL}));
    for (size_t i = 0; i < w->options.size; i++)
        vec_push(&list, ((item){ITEM_OPTION, 0, w->options.data[i].name}));
    return list;
}

static bool has(const explorer *e, kernel_rules kernel, const item *i) {
    switch (i->kind) {
    case ITEM_KERNEL: return e->kernels & CHOICE(i->value);
    case ITEM_REDUCTION: return explorer_has_reduction(e, kernel, (por_kind)i->value);
    case ITEM_MATCHER: return explorer_has_matcher(e, (match_kind)i->value);
    case ITEM_ORDER: return explorer_has_order(e, (search_order)i->value);
    case ITEM_STOPS: return explorer_has_stops(e, (stops_kind)i->value);
    case ITEM_MEMORY: return explorer_has_memory(e, (memory_model)i->value);
    case ITEM_OPTION: return explorer_has_option(e, kernel, i->name);
    }
    return false;
}

static const char *value_name(const item *i) {
    switch (i->kind) {
    case ITEM_KERNEL: return rules_name((kernel_rules)i->value);
    case ITEM_REDUCTION: return por_name((por_kind)i->value);
    case ITEM_MATCHER: return match_name((match_kind)i->value);
    case ITEM_ORDER: return order_name((search_order)i->value);
    case ITEM_STOPS: return stops_name((stops_kind)i->value);
    case ITEM_MEMORY: return memory_name((memory_model)i->value);
    case ITEM_OPTION: break;
    }
    return i->name;
}

static const struct {
    const char *one, *several;
    unsigned values;
} nouns[] = {[ITEM_KERNEL] = {"programs", "programs", RULES_KINDS},
             [ITEM_REDUCTION] = {"reduction", "reductions", POR_KINDS},
             [ITEM_MATCHER] = {"matcher", "matchers", MATCH_KINDS},
             [ITEM_ORDER] = {"order", "orders", SEARCH_ORDERS},
             [ITEM_STOPS] = {"stops", "stops", STOPS_KINDS},
             [ITEM_MEMORY] = {"memory model", "memory models", MEMORY_MODELS},
             [ITEM_OPTION] = {"option", "options", 0}};

static bool is_open(item_kind kind, unsigned value) {
    return (kind == ITEM_REDUCTION && value == POR_AUTO) || (kind == ITEM_MATCHER && value == MATCH_AUTO) ||
           (kind == ITEM_STOPS && value == STOPS_AUTO);
}

/* All of one kind that an explorer has, of those allowed. */
static words values_had(const explorer *e, kernel_rules kernel, item_kind kind, choices allowed) {
    words list = {0};
    for (unsigned v = 0; v < nouns[kind].values; v++) {
        item i = {kind, v, NULL};
        if (!is_open(kind, v) && allowed & CHOICE(v) && has(e, kernel, &i)) vec_push(&list, value_name(&i));
    }
    return list;
}

static words owners_of(kernel_rules kernel, const item *i) {
    words list = {0};
    for (const explorer *const *e = explorers; *e; e++)
        if (*e != &explorer_auto && (*e)->kernels & CHOICE(kernel) && has(*e, kernel, i))
            vec_push(&list, (*e)->name);
    return list;
}

/* --- why not -------------------------------------------------------------------------------------------- */

static void say_programs(const char *before, kernel_rules kernel, text *why) {
    text_add(why, before);
    rules_describe(kernel, " and ", why);
}

static void say_item(const item *i, text *why) {
    if (i->kind == ITEM_KERNEL)
        say_programs("", (kernel_rules)i->value, why);
    else
        text_format(why, "%s '%s'", nouns[i->kind].one, value_name(i));
}

/* Which engines have it, for this kernel or for another one. */
static void say_owners(kernel_rules kernel, const item *i, text *why) {
    for (unsigned other = 0; other < RULES_KINDS; other++) {
        kernel_rules k = (kernel_rules)((kernel + other) % RULES_KINDS);
        words owners = owners_of(k, i);
        bool known = owners.size > 0;
        if (known) {
            text_add(why, "; ");
            print_engines(&owners, why);
            text_format(why, owners.size == 1 ? " has it" : " have it");
            if (k != kernel) say_programs(" for ", k, why);
        }
        vec_free(&owners);
        if (known) return;
    }
}

static void say_what_is_there(const explorer *e, kernel_rules kernel, item_kind kind, choices allowed,
                              text *why) {
    words there = values_had(e, kernel, kind, allowed);
    if (there.size) {
        text_format(why, "the %s ", there.size == 1 ? nouns[kind].one : nouns[kind].several);
        print_words(&there, why);
    } else {
        text_format(why, "no %s to choose from", nouns[kind].several);
    }
    vec_free(&there);
}

static void say_lacking(const explorer *e, kernel_rules kernel, const item *i, text *why) {
    if (i->kind == ITEM_KERNEL) {
        text_format(why, "engine %s", e->name);
        say_programs(" does not explore ", kernel, why);
        words owners = owners_of(kernel, i);
        text_add(why, ", but ");
        print_engines(&owners, why);
        text_add(why, owners.size == 1 ? " does" : " do");
        vec_free(&owners);
        return;
    }
    text_format(why, "engine %s has no ", e->name);
    say_item(i, why);
    if (i->kind != ITEM_OPTION) {
        say_programs(" for ", kernel, why);
        text_add(why, ": it has ");
        say_what_is_there(e, kernel, i->kind, EVERY_CHOICE, why);
    }
    say_owners(kernel, i, why);
}

static void say_condition(const explorer_rule *r, const wish *w, text *why) {
    const char *between = "with ";
    if (r->behind_prefix) {
        text_add(why, "behind a prefix");
        between = " and with ";
    }
    if (r->orders) {
        text_format(why, "%sorder '%s'", between, order_name(w->order));
        between = " and ";
    }
    if (r->stops) {
        text_format(why, "%sstops '%s'", between, stops_name(w->stops));
        between = " and ";
    }
    if (r->option)
        text_format(why, "%s%s%s%s", between, r->option, r->value ? " " : "", r->value ? r->value : "");
}

static void say_broken(const explorer *e, const explorer_rule *r, const wish *w, text *why) {
    say_condition(r, w, why);
    text_format(why, " engine %s has %s ", e->name, r->without ? "no" : "only");
    if (r->without)
        text_format(why, "option '%s'", r->without);
    else if (r->reductions)
        say_what_is_there(e, w->kernel, ITEM_REDUCTION, r->reductions, why);
    else if (r->matchers)
        say_what_is_there(e, w->kernel, ITEM_MATCHER, r->matchers, why);
    else
        say_what_is_there(e, w->kernel, ITEM_ORDER, r->only_orders, why);
    text_format(why, ": %s", r->because);
}

/* --- choosing ------------------------------------------------------------------------------------------- */

static const item *first_lacking(const explorer *e, const wish *w, const items *list) {
    for (size_t i = 0; i < list->size; i++)
        if (!has(e, w->kernel, &list->data[i])) return &list->data[i];
    return NULL;
}

static bool fits(const explorer *e, const wish *w, const items *list) {
    return !first_lacking(e, w, list) && !explorer_broken_rule(e, w);
}

static void say_why(const explorer *e, const wish *w, const items *list, text *why) {
    const item *lacking = first_lacking(e, w, list);
    if (lacking)
        say_lacking(e, w->kernel, lacking, why);
    else
        say_broken(e, explorer_broken_rule(e, w), w, why);
}

static bool goes_without_saying(const item *i) {
    return i->kind == ITEM_KERNEL || (i->kind == ITEM_MEMORY && i->value == MEMORY_DECLARED);
}

/* Each thing with those who have it. */
static void say_nobody_has_all(const wish *w, const items *list, text *why) {
    text_add(why, "no engine has all that is asked for:");
    const char *between = " ";
    for (size_t i = 0; i < list->size; i++) {
        if (goes_without_saying(&list->data[i])) continue;
        words owners = owners_of(w->kernel, &list->data[i]);
        text_add(why, between);
        between = ", ";
        say_item(&list->data[i], why);
        text_add(why, " (");
        print_words(&owners, why);
        text_add(why, ")");
        vec_free(&owners);
    }
}

/* Something that nobody has for these programs, or a rule of the first who has everything. */
static void say_why_nobody(const wish *w, const items *list, text *why) {
    for (size_t i = 0; i < list->size; i++) {
        words owners = owners_of(w->kernel, &list->data[i]);
        bool nobody = !owners.size;
        vec_free(&owners);
        if (!nobody) continue;
        text_add(why, "no engine has ");
        say_item(&list->data[i], why);
        say_programs(" for ", w->kernel, why);
        say_owners(w->kernel, &list->data[i], why);
        return;
    }
    for (const explorer *const *e = explorers; *e; e++) {
        if (*e == &explorer_auto || first_lacking(*e, w, list)) continue;
        say_broken(*e, explorer_broken_rule(*e, w), w, why);
        return;
    }
    say_nobody_has_all(w, list, why);
}

const explorer *fit_choose(const explorer *asked, const wish *w, text *why) {
    items list = items_of(w);
    const explorer *chosen = NULL;
    if (asked != &explorer_auto) {
        if (fits(asked, w, &list))
            chosen = asked;
        else
            say_why(asked, w, &list, why);
    } else {
        for (const explorer *const *e = explorers; *e && !chosen; e++)
            if (fits(*e, w, &list)) chosen = *e;
        if (!chosen) say_why_nobody(w, &list, why);
    }
    vec_free(&list);
    assert(chosen || why->size); /* who is refused is told why */
    return chosen;
}

bool fit_is_of_some(const char *option, const char *value) {
    for (const explorer *const *e = explorers; *e; e++)
        for (const explorer_option *o = (*e)->options; o && o->name; o++)
            if (!strcmp(o->name, option) && (!o->value || !strcmp(o->value, value))) return true;
    return false;
}
