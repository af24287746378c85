/* The driver: random C programs with threads, every explorer against brute force. Exit status 0: no
 * disagreement, and every explorer agreed at least once (with --mutant: at least one disagreement); 1
 * otherwise; 2: wrong options, or C programs cannot be read here. */
#include "base/clock.h"
#include "common/campaign.h"
#include "compare.h"
#include "make.h"
#include "mutants.h"
#include "sabotage.h"
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    REFERENCE_STATES = 8000,
    REFERENCE_FINALS = 150,
    SEARCH_TRANSITIONS = 20000,
    EXECUTION_TRANSITIONS = 12000,
    SMALL_VISITED_SET = 40000,
    MOST_SHRINKING_SECONDS = 60,
    MOST_REPORTS = 20,          /* in full */
    MOST_DISAGREEMENTS = 100,   /* then it is over */
    ENOUGH_FOR_EVERY_LANE = 150 /* programs */
};

static const double seconds_per_run = 1.0;

typedef struct tally {
    uint64_t agreed, unknown, skipped, transitions;
} tally;

typedef enum {
    PLAIN,
    WEIGHT_0, /* ORDER_ASTAR; otherwise 100 */
    WEIGHT_1,
    BOUND_SWITCHES,
    BOUND_ROUNDS,
    COMPACT_SET,
    CHAINS,
    COMPACT_SET_AND_CHAINS,
    INTERRUPTED,
    AT_ONCE /* ENGINE_AUTO: two processes */
} lane_setting;

typedef struct lane { /* one explorer in one setting */
    const char *name;
    engine_kind engine;
    por_kind por;
    search_order order;
    unsigned property; /* besides others, or alone */
    unsigned every;    /* only one program of so many */
    lane_setting setting;
} lane;

static const lane lanes[] = {
    {"search none", ENGINE_SEARCH, POR_NONE, ORDER_DFS, 0, 1, PLAIN},
    {"search ample", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 1, PLAIN},
    {"search ample bfs", ENGINE_SEARCH, POR_AMPLE, ORDER_BFS, 0, 2, PLAIN},
    {"search ample races", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, PROPERTY_RACE, 1, PLAIN},
    {"search none compact", ENGINE_SEARCH, POR_NONE, ORDER_DFS, 0, 2, COMPACT_SET},
    {"search ample compact bfs", ENGINE_SEARCH, POR_AMPLE, ORDER_BFS, 0, 2, COMPACT_SET},
    {"search ample compact leaks", ENGINE_SEARCH, POR_AMPLE, ORDER_BFS, PROPERTY_LEAK, 4, COMPACT_SET},
    {"search none chains", ENGINE_SEARCH, POR_NONE, ORDER_DFS, 0, 2, CHAINS},
    {"search ample chains", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 2, CHAINS},
    {"search ample compact chains", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 2, COMPACT_SET_AND_CHAINS},
    {"search ample compact chains bfs", ENGINE_SEARCH, POR_AMPLE, ORDER_BFS, 0, 2, COMPACT_SET_AND_CHAINS},
    {"search compact chains races", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, PROPERTY_RACE, 4,
     COMPACT_SET_AND_CHAINS},
    {"search astar 0", ENGINE_SEARCH, POR_AMPLE, ORDER_ASTAR, 0, 4, WEIGHT_0},
    {"search astar 1", ENGINE_SEARCH, POR_NONE, ORDER_ASTAR, 0, 1, WEIGHT_1},
    {"search astar 100", ENGINE_SEARCH, POR_NONE, ORDER_ASTAR, 0, 1, PLAIN},
    {"search ample astar 100", ENGINE_SEARCH, POR_AMPLE, ORDER_ASTAR, 0, 1, PLAIN},
    {"search astar compact", ENGINE_SEARCH, POR_AMPLE, ORDER_ASTAR, 0, 2, COMPACT_SET},
    {"search astar compact chains", ENGINE_SEARCH, POR_AMPLE, ORDER_ASTAR, 0, 2, COMPACT_SET_AND_CHAINS},
    {"dpor none", ENGINE_DPOR, POR_NONE, ORDER_DFS, 0, 4, PLAIN},
    {"dpor persistent", ENGINE_DPOR, POR_PERSISTENT, ORDER_DFS, 0, 1, PLAIN},
    {"dpor source", ENGINE_DPOR, POR_SOURCE, ORDER_DFS, 0, 1, PLAIN},
    {"dpor optimal", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, 0, 1, PLAIN},
    {"dpor source races", ENGINE_DPOR, POR_SOURCE, ORDER_DFS, PROPERTY_RACE, 1, PLAIN},
    {"dpor optimal races", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, PROPERTY_RACE, 1, PLAIN},
    {"lazypor", ENGINE_LAZYPOR, POR_AUTO, ORDER_DFS, 0, 1, PLAIN},
    {"cegar none", ENGINE_CEGAR, POR_NONE, ORDER_DFS, 0, 1, PLAIN},
    {"cegar persistent", ENGINE_CEGAR, POR_PERSISTENT, ORDER_DFS, 0, 1, PLAIN},
    {"cegar bfs", ENGINE_CEGAR, POR_PERSISTENT, ORDER_BFS, 0, 2, PLAIN},
    {"cegar sleep", ENGINE_CEGAR, POR_SLEEP, ORDER_DFS, 0, 1, PLAIN},
    {"cegar sleep bfs", ENGINE_CEGAR, POR_SLEEP, ORDER_BFS, 0, 2, PLAIN},
    {"cegar persistent+sleep", ENGINE_CEGAR, POR_PERSISTENT_SLEEP, ORDER_DFS, 0, 1, PLAIN},
    {"cegar persistent+sleep bfs", ENGINE_CEGAR, POR_PERSISTENT_SLEEP, ORDER_BFS, 0, 2, PLAIN},
    {"cegar aware", ENGINE_CEGAR, POR_AWARE, ORDER_DFS, 0, 1, PLAIN},
    {"cegar aware bfs", ENGINE_CEGAR, POR_AWARE, ORDER_BFS, 0, 2, PLAIN},
    {"cegar error-distance", ENGINE_CEGAR, POR_PERSISTENT_SLEEP, ORDER_ERROR_DISTANCE, 0, 2, PLAIN},
    {"cegar aware error-distance", ENGINE_CEGAR, POR_AWARE, ORDER_ERROR_DISTANCE, 0, 2, PLAIN},
    {"esst none", ENGINE_ESST, POR_NONE, ORDER_DFS, 0, 2, PLAIN},
    {"esst persistent", ENGINE_ESST, POR_PERSISTENT, ORDER_DFS, 0, 1, PLAIN},
    {"esst sleep", ENGINE_ESST, POR_SLEEP, ORDER_DFS, 0, 2, PLAIN},
    {"esst persistent+sleep", ENGINE_ESST, POR_PERSISTENT_SLEEP, ORDER_DFS, 0, 1, PLAIN},
    {"esst persistent+sleep bfs", ENGINE_ESST, POR_PERSISTENT_SLEEP, ORDER_BFS, 0, 4, PLAIN},
    {"esst aware error-distance", ENGINE_ESST, POR_AWARE, ORDER_ERROR_DISTANCE, 0, 4, PLAIN},
    {"auto", ENGINE_AUTO, POR_AUTO, ORDER_DFS, 0, 8, PLAIN},
    {"auto races", ENGINE_AUTO, POR_AUTO, ORDER_DFS, PROPERTY_RACE, 8, PLAIN},
    {"search ample leaks", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, PROPERTY_LEAK, 1, PLAIN},
    {"dpor persistent leaks", ENGINE_DPOR, POR_PERSISTENT, ORDER_DFS, PROPERTY_LEAK, 1, PLAIN},
    {"dpor source leaks", ENGINE_DPOR, POR_SOURCE, ORDER_DFS, PROPERTY_LEAK, 1, PLAIN},
    {"dpor optimal leaks", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, PROPERTY_LEAK, 1, PLAIN},
    {"lazypor leaks", ENGINE_LAZYPOR, POR_AUTO, ORDER_DFS, PROPERTY_LEAK, 1, PLAIN},
    {"auto leaks", ENGINE_AUTO, POR_AUTO, ORDER_DFS, PROPERTY_LEAK, 2, PLAIN},
    {"auto at once", ENGINE_AUTO, POR_AUTO, ORDER_DFS, 0, 8, AT_ONCE},
    {"auto races at once", ENGINE_AUTO, POR_AUTO, ORDER_DFS, PROPERTY_RACE, 16, AT_ONCE},
    {"search interrupted", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 2, INTERRUPTED},
    {"search interrupted bfs", ENGINE_SEARCH, POR_NONE, ORDER_BFS, PROPERTY_RACE, 4, INTERRUPTED},
    {"dpor interrupted", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, 0, 2, INTERRUPTED},
    {"lazypor interrupted", ENGINE_LAZYPOR, POR_AUTO, ORDER_DFS, 0, 2, INTERRUPTED},
    {"cegar interrupted", ENGINE_CEGAR, POR_AWARE, ORDER_DFS, 0, 2, INTERRUPTED},
    {"esst interrupted", ENGINE_ESST, POR_PERSISTENT_SLEEP, ORDER_DFS, 0, 2, INTERRUPTED},
    {"search switches", ENGINE_SEARCH, POR_NONE, ORDER_DFS, 0, 2, BOUND_SWITCHES},
    {"search ample switches", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 2, BOUND_SWITCHES},
    {"dpor optimal switches", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, 0, 2, BOUND_SWITCHES},
    {"lazypor switches", ENGINE_LAZYPOR, POR_AUTO, ORDER_DFS, 0, 2, BOUND_SWITCHES},
    {"search astar switches", ENGINE_SEARCH, POR_AMPLE, ORDER_ASTAR, 0, 2, BOUND_SWITCHES},
    {"auto switches", ENGINE_AUTO, POR_AUTO, ORDER_DFS, 0, 16, BOUND_SWITCHES},
    {"search ample unwind", ENGINE_SEARCH, POR_AMPLE, ORDER_DFS, 0, 2, BOUND_ROUNDS},
    {"dpor optimal unwind", ENGINE_DPOR, POR_OPTIMAL, ORDER_DFS, 0, 2, BOUND_ROUNDS},
    {"lazypor unwind", ENGINE_LAZYPOR, POR_AUTO, ORDER_DFS, 0, 2, BOUND_ROUNDS},
    {"search astar unwind", ENGINE_SEARCH, POR_NONE, ORDER_ASTAR, 0, 2, BOUND_ROUNDS},
    {"auto unwind", ENGINE_AUTO, POR_AUTO, ORDER_DFS, 0, 16, BOUND_ROUNDS},
};

enum { LANES = sizeof lanes / sizeof *lanes };

typedef struct driver {
    campaign campaign;
    reference_limits limits;
    const char *only;
    bool all; /* all: every run goes on after violations, not only some */
    mutant mutant;
    uint64_t programs, refused, unsafe, deadlocking, livelocking, racing, leaking, symbolic, cyclic,
        disagreements;
    tally tallies[LANES];
} driver;

typedef struct candidate {
    uint64_t seed;
    profile profile;
    bool spurious;
    program_tree tree;
    text source;
    reference expected;
    program *compiled;
} candidate;

/* --- reports -------------------------------------------------------------------------------------------- */

typedef struct shrink_case {
    const configuration *how; /* NULL: the disagreement is that it does not compile */
    const reference_limits *limits;
    bool spurious;
    const char *why; /* the sort of disagreement must stay the same */
    double until;
} shrink_case;

/* Lines and values aside. */
static bool is_same_sort(const char *a, const char *b) {
    size_t length = strcspn(a, "0123456789");
    return strcspn(b, "0123456789") == length && !strncmp(a, b, length);
}

static bool still_disagrees(void *data, program_tree *p) {
    const shrink_case *c = data;
    if (clock_wall() > c->until) return false;
    text source = {0}, why = {0};
    tree_print(p, &source);
    reference expected;
    reference_run(p, c->spurious, c->limits, &expected);
    program *compiled = expected.refused ? NULL : trial_compile(text_cstr(&source), c->spurious, &why);
    bool result = !c->how && !expected.refused && !compiled;
    if (compiled && c->how) {
        trial t;
        subject s = {compiled, text_cstr(&source), c->spurious, &expected};
        trial_run(&s, c->how, &t);
        result =
            compare_trial(&t, c->how, &expected, &why) == DISAGREES && is_same_sort(text_cstr(&why), c->why);
        trial_free(&t);
    }
    if (compiled) program_destroy(compiled);
    reference_free(&expected);
    text_free(&source);
    text_free(&why);
    return result;
}

static void write_report(const driver *d, const candidate *c, const char *report, const char *source) {
    text path = {0};
    text_format(&path, "%s/disagreement-%llu-%llu.c", d->campaign.output, (unsigned long long)c->seed,
                (unsigned long long)d->disagreements);
    FILE *f = fopen(text_cstr(&path), "w");
    if (f) {
        fprintf(f, "%s%s", report, source);
        fclose(f);
        printf("written to %s\n", text_cstr(&path));
    }
    text_free(&path);
}

static void report_disagreement(driver *d, const candidate *c, const configuration *how, const char *why) {
    text report = {0}, small = {0};
    if (++d->disagreements > MOST_REPORTS) {
        if (how) configuration_describe(how, &report);
        printf("DISAGREEMENT with seed %llu, profile %s, %s: %.200s\n", (unsigned long long)c->seed,
               profile_name(c->profile), text_cstr(&report), why);
        text_free(&report);
        return;
    }
    text_format(&report, "// seed %llu, profile %s, spurious wake-ups %s\n// ", (unsigned long long)c->seed,
                profile_name(c->profile), c->spurious ? "on" : "off");
    if (how) configuration_describe(how, &report);
    text_format(&report, "\n// %.2000s\n", why);
    program_tree shrunk;
    tree_copy(&shrunk, &c->tree);
    shrink_case test = {how, &d->limits, c->spurious, why, clock_wall() + MOST_SHRINKING_SECONDS};
    if (!d->mutant) shrink_tree(&shrunk, still_disagrees, &test);
    tree_print(&shrunk, &small);
    printf("DISAGREEMENT\n%s%s", text_cstr(&report), text_cstr(&small));
    if (!d->mutant) write_report(d, c, text_cstr(&report), text_cstr(&small));
    fflush(stdout);
    tree_free(&shrunk);
    text_free(&report);
    text_free(&small);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

static configuration choose(const driver *d, const candidate *c, const lane *l, uint64_t dice) {
    static const match_kind matchers[] = {MATCH_AUTO, MATCH_AUTO,   MATCH_CEQ,    MATCH_PESM, MATCH_ESM,
                                          MATCH_NONE, MATCH_SBC_EQ, MATCH_SBC_CV, MATCH_ESS,  MATCH_ESM_HASH};
    configuration how = {.engine = l->engine,
                         .por = l->por,
                         .match = matchers[dice % 10],
                         .order = l->order,
                         .properties = PROPERTY_ASSERT | PROPERTY_MEMORY,
                         .seconds = seconds_per_run,
                         .mutant = d->mutant};
    dice /= 10;
    if (how.match == MATCH_NONE && c->expected.cyclic) how.match = MATCH_CEQ;
    if (l->engine != ENGINE_SEARCH) how.match = MATCH_AUTO; /* the others match no states */
    bool stateful = l->engine == ENGINE_SEARCH && how.match != MATCH_NONE;
    how.max_transitions = stateful ? SEARCH_TRANSITIONS : EXECUTION_TRANSITIONS;
    how.all = d->all || dice & 3;
    if (dice & 4) how.properties |= PROPERTY_DEADLOCK;
    if ((dice & 56) == 0) how.properties = PROPERTY_DEADLOCK;
    bool with_livelocks = dice & 1024 || l->engine == ENGINE_AUTO; /* there it belongs to deadlocks */
    if (how.properties & PROPERTY_DEADLOCK && with_livelocks) how.properties |= PROPERTY_LIVELOCK;
    if (l->property) how.properties = l->property | (dice & 8 ? PROPERTY_ASSERT | PROPERTY_MEMORY : 0);
    if (l->engine == ENGINE_AUTO)
        how.properties |= PROPERTY_ASSERT; /* without it, the front end lets failing ones end paths */
    /* There some end as violations. */
    how.compare_finals = how.all && dice & 64 && l->property != PROPERTY_LEAK;
    how.exit_anywhere = (dice & 896) == 0;
    if (l->engine == ENGINE_CEGAR || l->engine == ENGINE_ESST) {
        how.compare_finals = false;
        how.properties = PROPERTY_ASSERT | PROPERTY_MEMORY;
        how.abstraction = (abstraction_options){.domain = (abstract_domain)(dice >> 24 & 3),
                                                .prune = (prune_kind)(dice >> 26 & 1),
                                                .scope = (precision_scope)(dice >> 27 & 3),
                                                .blocks = (block_kind)((dice >> 29) % 3)};
    }
    if (l->order == ORDER_ASTAR) { /* what it leaves out leads to no violation, but to an end */
        how.weight = l->setting == WEIGHT_0 ? 0 : l->setting == WEIGHT_1 ? 1 : 100;
        how.guide = (guide_kind)((dice >> 24) % 3);
        how.properties &= ~(unsigned)(PROPERTY_DEADLOCK | PROPERTY_LIVELOCK);
        if (!how.properties) how.properties = PROPERTY_ASSERT | PROPERTY_MEMORY;
        how.compare_finals = false;
    }
    if (l->setting == AT_ONCE) how.jobs = 2;
    if (l->setting == BOUND_SWITCHES) how.context_bound = 1 + (dice >> 20) % 4;
    if (l->setting == BOUND_ROUNDS) how.unwind = 1 + (dice >> 20) % 4;
    how.check_reduction =
        l->engine == ENGINE_SEARCH && l->order == ORDER_DFS && (dice & 7168) == 0 &&
        !how.context_bound; /* a bound on switches makes independent steps depend on their order */
    static const uint64_t lengths[] = {1, 3, 100};
    bool chains = l->setting == CHAINS || l->setting == COMPACT_SET_AND_CHAINS;
    bool compact = l->setting == COMPACT_SET || l->setting == COMPACT_SET_AND_CHAINS;
    if (l->setting == INTERRUPTED) {
        how.last_look = 1 + (dice >> 32) % (1u << (dice >> 24) % 10); /* mostly early */
        chains = dice >> 15 & 1;
    }
    if (chains && stateful) how.chain = lengths[(dice >> 16) % 3];
    how.visited = compact ? VISITED_COMPACT : VISITED_FULL;
    if (stateful && l->order == ORDER_DFS && !how.visited && (dice & 57344) == 0)
        how.visited_bytes = SMALL_VISITED_SET;
    return how;
}

static bool run_lane(driver *d, candidate *c, size_t index) {
    const lane *l = &lanes[index];
    tally *into = &d->tallies[index];
    uint64_t dice = hash_pair(c->seed, index);
    bool wanted = (!d->only || strstr(l->name, d->only)) && mutant_fits(d->mutant, l->engine, l->por);
    bool pointless = l->property == PROPERTY_LEAK && !c->expected.heap;
    if (!wanted || pointless || dice % l->every) {
        into->skipped++;
        return true;
    }
    configuration how = choose(d, c, l, dice / l->every);
    subject s = {c->compiled, text_cstr(&c->source), c->spurious, &c->expected};
    trial t;
    text why = {0};
    trial_run(&s, &how, &t);
    agreement a = compare_trial(&t, &how, &c->expected, &why);
    if (a == AGREES) {
        into->agreed++;
        into->transitions += t.stats.transitions;
    }
    if (a == GAVE_UP) {
        into->unknown++;
        const char *doubts = text_cstr(&t.doubts); /* the first, without its line */
        campaign_count_reason(&d->campaign, doubts, strcspn(doubts, "(\n"), c->seed);
    }
    if (a == DISAGREES) report_disagreement(d, c, &how, text_cstr(&why));
    trial_free(&t);
    text_free(&why);
    return a != DISAGREES;
}

static void count_program(driver *d, const reference *r) {
    d->programs++;
    d->unsafe += r->violations.size > 0;
    d->deadlocking += r->deadlock.certain;
    d->livelocking += r->livelock.certain;
    d->racing += r->race.certain;
    d->leaking += r->leak;
    d->symbolic += r->inputs;
    d->cyclic += r->cyclic;
}

static bool run_everything(driver *d, candidate *c) {
    text errors = {0};
    c->compiled = trial_compile(text_cstr(&c->source), c->spurious, &errors);
    bool fine = c->compiled != NULL;
    if (!fine) report_disagreement(d, c, NULL, text_cstr(&errors));
    text_free(&errors);
    for (size_t k = 0; k < LANES && (fine || d->campaign.keep_going) && c->compiled; k++)
        fine &= run_lane(d, c, k);
    if (c->compiled) program_destroy(c->compiled);
    return fine;
}

static bool test_program(void *driving, uint64_t seed) {
    driver *d = driving;
    candidate c = {.seed = seed,
                   .profile =
                       d->campaign.profile < 0 ? (profile)(seed % PROFILES) : (profile)d->campaign.profile,
                   .spurious = hash_mix(seed) & 1};
    make_tree(seed, c.profile, &c.tree);
    tree_print(&c.tree, &c.source);
    if (d->campaign.show) printf("%s", text_cstr(&c.source));
    reference_run(&c.tree, c.spurious, &d->limits, &c.expected);
    bool fine = true;
    if (c.expected.refused) {
        d->refused++;
        if (d->campaign.show) printf("// refused: %s\n", c.expected.refused);
    } else {
        count_program(d, &c.expected);
        if (d->campaign.show)
            printf("// %zu states, %zu transitions\n", c.expected.states, c.expected.transitions);
        fine = run_everything(d, &c);
    }
    reference_free(&c.expected);
    text_free(&c.source);
    tree_free(&c.tree);
    return fine;
}

/* --- the summary ---------------------------------------------------------------------------------------- */

static void print_summary(const driver *d) {
    printf("%llu programs (%llu violate, %llu deadlock, %llu livelock, %llu race, %llu leak, %llu with "
           "inputs, %llu cyclic), %llu too large\n",
           (unsigned long long)d->programs, (unsigned long long)d->unsafe, (unsigned long long)d->deadlocking,
           (unsigned long long)d->livelocking, (unsigned long long)d->racing, (unsigned long long)d->leaking,
           (unsigned long long)d->symbolic, (unsigned long long)d->cyclic, (unsigned long long)d->refused);
    printf("%-22s %8s %8s %8s %12s\n", "", "agreed", "unknown", "skipped", "steps");
    for (size_t k = 0; k < LANES; k++)
        printf("%-22s %8llu %8llu %8llu %12llu\n", lanes[k].name, (unsigned long long)d->tallies[k].agreed,
               (unsigned long long)d->tallies[k].unknown, (unsigned long long)d->tallies[k].skipped,
               (unsigned long long)d->tallies[k].transitions);
    campaign_print_reasons(&d->campaign, "unknown: ");
    printf("%llu disagreements\n", (unsigned long long)d->disagreements);
}

/* A lane in which nothing was ever compared would say nothing about its explorer. */
static bool every_lane_agreed(const driver *d) {
    if (d->only || d->mutant || d->campaign.profile >= 0 || d->programs < ENOUGH_FOR_EVERY_LANE) return true;
    bool every = true;
    for (size_t k = 0; k < LANES; k++) {
        if (d->tallies[k].agreed) continue;
        printf("%s never agreed\n", lanes[k].name);
        every = false;
    }
    return every;
}

/* Without the front end every program would disagree. */
static bool can_read_c(void) {
    text errors = {0};
    program *p = trial_compile("int main(void) { return 0; }\n", false, &errors);
    if (p)
        program_destroy(p);
    else
        fprintf(stderr, "differential_threads: C programs cannot be read: %.*s\n",
                (int)strcspn(text_cstr(&errors), "\n"), text_cstr(&errors));
    text_free(&errors);
    return p != NULL;
}

/* --- command line --------------------------------------------------------------------------------------- */

static int usage(void) {
    fprintf(
        stderr,
        "usage: differential_threads [--seed S] [--count N] [--profile P] [--only PART-OF-A-LANE'S-NAME]\n"
        "           [--time SECONDS] [--output DIR] [--keep-going] [--all] [--show] [--mutant M] [--states "
        "N]\n");
    return 2;
}

static const char *profile_of(int number) {
    return profile_name((profile)number);
}

static const char *mutant_of(int number) {
    return mutant_name((mutant)number);
}

static bool take_mutant(const char *name, mutant *out) {
    int number = campaign_number(name, mutant_of, MUTANTS);
    if (number >= 0) *out = (mutant)number;
    return number >= 0 && sabotage_begin(*out);
}

static bool take_option(void *driving, const char *option, const char *value) {
    driver *d = driving;
    if (!strcmp(option, "--states"))
        d->limits.states = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--only"))
        d->only = value;
    else if (!strcmp(option, "--mutant"))
        return take_mutant(value, &d->mutant);
    else
        return false;
    return true;
}

static bool take_flag(void *driving, const char *option) {
    driver *d = driving;
    d->all |= !strcmp(option, "--all");
    return !strcmp(option, "--all");
}

static bool goes_on_after(void *driving, uint64_t seed) {
    driver *d = driving;
    return test_program(d, seed) || (d->campaign.keep_going && d->disagreements < MOST_DISAGREEMENTS);
}

int main(int argc, char **argv) {
    driver d = {.campaign = campaign_begin(), .limits = {REFERENCE_STATES, REFERENCE_FINALS}};
    const campaign_options more = {take_flag, take_option, profile_of, PROFILES};
    if (!campaign_take(&d.campaign, argc, argv, &more, &d)) return usage();
    if (!can_read_c()) return 2;
    campaign_run(&d.campaign, 500, goes_on_after, &d);
    print_summary(&d);
    campaign_end(&d.campaign);
    bool found = d.disagreements != 0;
    return found != (d.mutant != MUTANT_NONE) || !every_lane_agreed(&d);
}
