/* What an explorer is, and what it says of itself.
 *
 * Every explorer is a value of this type, beside its code. What may be combined with what, which engine an
 * option means, what is refused and with which words, and the table in docs/engines.md are computed from
 * these values and written nowhere by hand. One line of strategy/explorers.def makes an explorer known. */
#ifndef HEDDLE_EXPLORE_EXPLORER_H
#define HEDDLE_EXPLORE_EXPLORER_H

#include "base/text.h"
#include "explore/explore.h"

typedef uint32_t choices; /* a set of values of one enumeration */
#define CHOICE(value) (UINT32_C(1) << (value))
#define EVERY_CHOICE  UINT32_MAX

enum {
    ON_SYSTEMC = CHOICE(RULES_SYSTEMC),
    ON_PREEMPTIVE = CHOICE(RULES_PREEMPTIVE),
    ON_ANY_KERNEL = ON_SYSTEMC | ON_PREEMPTIVE
};

enum { BOTH_MEMORY_MODELS = CHOICE(MEMORY_DECLARED) | CHOICE(MEMORY_SC) };

#define STOPS(number, name) STOPS_##number,
typedef enum stops_kind {
#include "explore/choices.def"
    STOPS_KINDS
} stops_kind;

/* An option of the command line that not every explorer has. */
typedef struct explorer_option {
    const char *name;
    unsigned kernels;
    const char *value; /* this one of its values; NULL: all but the preset */
} explorer_option;

/* Limits that count steps and states, and no clock: limits.h keeps them. */
#define COUNTED_LIMITS(kernels)                                                                              \
    {"max-transitions", kernels, NULL}, {"max-states", kernels, NULL}, {                                     \
        "deterministic", kernels, NULL                                                                       \
    }

/* Where one thing is asked for, others are not possible. What is 0 or NULL is not spoken of. */
typedef struct explorer_rule {
    choices orders, stops;                     /* asked for: one of these, */
    bool behind_prefix;                        /* explore_options.from, */
    const char *option;                        /* and this option, */
    const char *value;                         /* with this value */
    choices reductions, matchers, only_orders; /* possible then */
    const char *without;                       /* not possible then: an option */
    const char *because;                       /* "a reason": goes behind a colon */
} explorer_rule;

/* Properties that it cannot prove. */
typedef struct explorer_gap {
    unsigned properties; /* PROPERTY_… */
    reason why;
    bool finds; /* violations of them it may find all the same */
} explorer_gap;

typedef struct explorer {
    const char *name;
    const char *summary; /* what it explores, in a few words */
    void (*run)(machine *m, const explore_options *how, outcome *out);
    explored_kind explores; /* steps that it notes (explore_note_step) are of these */

    unsigned kernels;                /* ON_… */
    choices reductions[RULES_KINDS]; /* por_kind, beside POR_AUTO, which each has */
    por_kind reduction[RULES_KINDS]; /* what POR_AUTO means; where a rule excludes it: none */
    choices matchers;                /* match_kind, beside MATCH_AUTO */
    match_kind matcher;              /* what MATCH_AUTO means */
    choices orders;                  /* search_order */
    choices stops;                   /* stops_kind */
    choices memory_models;           /* memory_model */
    const explorer_option *options;  /* up to one without a name */
    const explorer_rule *rules;      /* up to one without a reason */

    bool proves;              /* false: it only finds violations */
    const explorer_gap *gaps; /* up to one without properties */
    bool endless_executions;  /* it can prove programs whose executions do not end, but come back */
    bool endless_states;      /* and programs that never come back to the same states */
    bool lists_all;           /* with `all`, if it is complete there are no other violations than it found */
    bool keeps_bounds;        /* of loops, switches and simulated time: it goes so far, and no further */
    bool takes_own_sets;      /* explore_options.choose can stand in for its preset reduction */
    bool starts_at_prefix;    /* exploration can begin behind a given path (explore_options.from) */
    bool gives_work;          /* while it explores, others can be given prefixes of what it has left */
} explorer;

/* --- what is asked for ---------------------------------------------------------------------------------- */

typedef struct wished_option {
    const char *name, *value;
} wished_option;

/* What is left open has its …_AUTO; `order` is open unless has_order. */
typedef struct wish {
    kernel_rules kernel;
    por_kind por;
    bool own_sets; /* those of the caller */
    bool behind_prefix;
    match_kind match;
    bool has_order;
    search_order order;
    stops_kind stops;
    memory_model memory;
    VEC(wished_option) options; /* away from their presets, of those that not every explorer has */
} wish;

wish wish_of(const explore_options *how, kernel_rules kernel); /* to be freed */
void wish_free(wish *w);

/* What it can prove, as PROPERTY_…. */
unsigned explorer_proves(const explorer *e);

/* Whether it has each single thing. */
bool explorer_has_reduction(const explorer *e, kernel_rules kernel, por_kind por);
bool explorer_has_matcher(const explorer *e, match_kind match);
bool explorer_has_order(const explorer *e, search_order order);
bool explorer_has_stops(const explorer *e, stops_kind stops);
bool explorer_has_memory(const explorer *e, memory_model memory);
bool explorer_has_option(const explorer *e, kernel_rules kernel, const char *name);

/* Whether there is more than one to choose from. */
bool explorer_has_reductions(const explorer *e);
bool explorer_has_matchers(const explorer *e);

/* The first rule that a wish breaks; NULL: none. */
const explorer_rule *explorer_broken_rule(const explorer *e, const wish *w);

/* Whether these options can be explored with. */
bool explorer_can(const explorer *e, const explore_options *how, kernel_rules kernel);

/* --- before it begins ----------------------------------------------------------------------------------- */

/* What the options leave open becomes the preset of this explorer for the program. Nothing that was chosen is
 * replaced: false, with a doubt that makes the outcome `unknown`, if the explorer does not have it. The
 * outcome says who explores what and how, and has the doubts of properties that the explorer does not prove. */
bool explorer_settle(const explorer *e, machine *m, explore_options *how, outcome *out);

const char *memory_name(memory_model m); /* "declared" */
const char *order_name(search_order o);  /* "error-distance" */
const char *stops_name(stops_kind s);    /* "loops" */

#endif
