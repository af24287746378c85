#include "strategy/overview.h"

#include <string.h>

static const char *yes_or(bool yes, const char *no) {
    return yes ? "yes" : no;
}

/* A column for each kernel, under the languages whose programs it moves. */
static void print_kernels(const char *before, text *out) {
    for (unsigned k = 0; k < RULES_KINDS; k++) {
        text_format(out, " %s", before);
        rules_describe((kernel_rules)k, ", ", out);
        text_add(out, " |");
    }
}

static void print_line(unsigned columns, text *out) {
    for (unsigned i = 0; i < columns; i++) text_add(out, "|---");
    text_add(out, "|\n");
}

/* --- what it can answer --------------------------------------------------------------------------------- */

static const explorer_gap *gap_of(const explorer *e, unsigned property) {
    for (const explorer_gap *g = e->gaps; g && g->properties; g++)
        if (g->properties & property) return g;
    return NULL;
}

static const char *answer_to(const explorer *e, unsigned property) {
    const explorer_gap *gap = gap_of(e, property);
    return !gap ? "yes" : gap->finds ? "finds some, proves none: `unknown`" : "`unknown`";
}

static bool is_missed_by_some(unsigned property) {
    for (const explorer *const *e = explorers; *e; e++)
        if (gap_of(*e, property)) return true;
    return false;
}

/* A column for each property that not every one can prove; gives how many there are. */
static unsigned print_properties(text *out) {
    unsigned count = 0;
    for (unsigned i = 0; i < PROPERTIES; i++) {
        if (!is_missed_by_some(1u << i)) continue;
        text_format(out, " %s |", property_name(i));
        count++;
    }
    text_char(out, '\n');
    return count;
}

static void print_answers(text *out) {
    text_add(out, "| `--engine` | explores |");
    print_kernels("", out);
    text_add(out, " proves executions without end | proves states without end |");
    unsigned properties = print_properties(out);
    print_line(4 + RULES_KINDS + properties, out);
    for (const explorer *const *at = explorers; *at; at++) {
        const explorer *e = *at;
        text_format(out, "| [`%s`](#%s) | %s |", e->name, e->name, e->summary);
        for (unsigned k = 0; k < RULES_KINDS; k++)
            text_format(out, " %s |", yes_or(e->kernels & CHOICE(k), "refused"));
        text_format(out, " %s | %s |", yes_or(e->endless_executions, "no"), yes_or(e->endless_states, "no"));
        for (unsigned i = 0; i < PROPERTIES; i++)
            if (is_missed_by_some(1u << i)) text_format(out, " %s |", answer_to(e, 1u << i));
        text_char(out, '\n');
    }
}

/* --- what may be asked of it ---------------------------------------------------------------------------- */

typedef const char *name_function(unsigned value);

static const char *name_of_por(unsigned v) {
    return por_name((por_kind)v);
}
static const char *name_of_match(unsigned v) {
    return match_name((match_kind)v);
}
static const char *name_of_order(unsigned v) {
    return order_name((search_order)v);
}
static const char *name_of_memory(unsigned v) {
    return memory_name((memory_model)v);
}
static const char *name_of_stops(unsigned v) {
    return stops_name((stops_kind)v);
}

/* The one that is taken if nothing is said comes first, in bold letters. */
static void print_values(choices set, unsigned preset, name_function *name, text *out) {
    bool has_preset = set & CHOICE(preset);
    if (has_preset) text_format(out, " **%s**", name(preset));
    for (unsigned v = 0, count = has_preset; v < 32; v++)
        if (set & CHOICE(v) && v != preset) text_format(out, "%s %s", count++ ? "," : "", name(v));
    text_add(out, set ? " |" : " - |");
}

static void print_options(const explorer *e, text *out) {
    static const explorer_option limits[] = {COUNTED_LIMITS(0)};
    enum { LIMITS = sizeof limits / sizeof *limits };
    unsigned count = 0;
    for (const explorer_option *o = e->options; o && o->name; o++) {
        bool common = false; /* with all others */
        for (unsigned i = 0; i < LIMITS; i++) common |= !strcmp(o->name, limits[i].name);
        if (!common)
            text_format(out, "%s `--%s%s%s`", count++ ? "," : "", o->name, o->value ? " " : "",
                        o->value ? o->value : "");
    }
    text_add(out, count ? " |\n" : " - |\n");
}

static void print_choices(text *out) {
    text_add(out, "| `--engine` |");
    print_kernels("`--por`, ", out);
    text_add(out,
             " `--match` | `--order` | `--stops` | `--memory-model` | options that not every engine has |\n");
    print_line(6 + RULES_KINDS, out);
    for (const explorer *const *at = explorers; *at; at++) {
        const explorer *e = *at;
        text_format(out, "| `%s` |", e->name);
        for (unsigned k = 0; k < RULES_KINDS; k++)
            print_values(e->reductions[k], e->reduction[k], name_of_por, out);
        print_values(e->matchers, e->matcher, name_of_match, out);
        print_values(e->orders, ORDER_DFS, name_of_order, out);
        print_values(e->stops, STOPS_AUTO, name_of_stops, out);
        print_values(e->memory_models, MEMORY_DECLARED, name_of_memory, out);
        print_options(e, out);
    }
}

/* --- what others ask of it ------------------------------------------------------------------------------ */

static void print_uses(text *out) {
    text_add(
        out,
        "| `--engine` | lists all violations | keeps bounds of loops, switches and time | takes a reduction "
        "of the caller's | begins behind a prefix | gives work away |\n|---|---|---|---|---|---|\n");
    for (const explorer *const *at = explorers; *at; at++)
        text_format(out, "| `%s` | %s | %s | %s | %s | %s |\n", (*at)->name, yes_or((*at)->lists_all, "no"),
                    yes_or((*at)->keeps_bounds, "no"), yes_or((*at)->takes_own_sets, "no"),
                    yes_or((*at)->starts_at_prefix, "no"), yes_or((*at)->gives_work, "no"));
}

/* --- what excludes what --------------------------------------------------------------------------------- */

static void print_list(choices set, name_function *name, text *out) {
    unsigned count = 0;
    for (unsigned v = 0; v < 32; v++)
        if (set & CHOICE(v)) text_format(out, "%s%s", count++ ? ", " : "", name(v));
}

static void print_condition(const explorer_rule *r, text *out) {
    if (r->behind_prefix) text_add(out, "exploration behind a prefix");
    if (r->orders) {
        text_add(out, "`--order` ");
        print_list(r->orders, name_of_order, out);
    }
    if (r->stops) {
        text_format(out, "%s`--stops` ", r->orders ? " and " : "");
        print_list(r->stops, name_of_stops, out);
    }
    if (r->option) text_format(out, "`--%s`%s%s", r->option, r->value ? " " : "", r->value ? r->value : "");
}

static void print_consequence(const explorer_rule *r, text *out) {
    if (r->without) text_format(out, "no `--%s`", r->without);
    if (r->reductions) text_add(out, "`--por` ");
    if (r->reductions) print_list(r->reductions, name_of_por, out);
    if (r->matchers) text_add(out, "`--match` ");
    if (r->matchers) print_list(r->matchers, name_of_match, out);
    if (r->only_orders) text_add(out, "`--order` ");
    if (r->only_orders) print_list(r->only_orders, name_of_order, out);
}

static void print_rules(text *out) {
    text_add(out, "| `--engine` | with | only | because |\n|---|---|---|---|\n");
    for (const explorer *const *at = explorers; *at; at++)
        for (const explorer_rule *r = (*at)->rules; r && r->because; r++) {
            text_format(out, "| `%s` | ", (*at)->name);
            print_condition(r, out);
            text_add(out, " | ");
            print_consequence(r, out);
            text_format(out, " | %s |\n", r->because);
        }
}

void overview_print(text *out) {
    text_char(out, '\n');
    print_answers(out);
    text_add(out, "\nWhat may be chosen; in bold letters what is taken unless something else is given.\n\n");
    print_choices(out);
    text_add(
        out,
        "\nWhat `auto` asks before it gives a turn, and who calls engines from a program of his own:\n\n");
    print_uses(out);
    text_add(out, "\nWhat excludes other things:\n\n");
    print_rules(out);
}
