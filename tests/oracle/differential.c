/* The differential oracle: random tiny programs, Heddle's every reduction and matcher against the plain
 * reference.
 *
 *     differential [--seed S] [--count N] [--profile P] [--por A,B] [--match A,B] [--time SECONDS]
 *                  [--output DIR] [--keep-going] [--show] [--own] [--mutant M] [--states N]
 *
 * Program number k is made from seed S + k alone, so a report is repeated with its seed and --count 1. A
 * disagreement is shrunk, written to DIR/disagreement-SEED.ivl and ends the run with status 1 (--keep-going:
 * at the end); unknown for a reason that is allowed is counted and shown. --own tests the reduction that
 * trial.c plugs in instead of those of Heddle (the row of stub-min). --mutant runs a variant that is
 * known to be wrong and fails if there is no disagreement. */
#include "base/clock.h"
#include "base/hash.h"
#include "common/campaign.h"
#include "compare.h"
#include "generator.h"
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>

enum { REFERENCE_STATES = 1500, REFERENCE_FINALS = 64, FEWEST_TRANSITIONS = 4000, SMALL_VISITED_SET = 3000 };

enum { LAST_POR = POR_DPOR_STUB }; /* those behind it are for preemptive programs */

typedef enum {
    EXTRA_BFS,
    EXTRA_ASTAR,
    EXTRA_EVICTION,
    EXTRA_CHECKER,
    EXTRA_DEADLOCK,
    EXTRA_OBSERVE,
    EXTRA_LOOP_HEADS,
    EXTRA_COMPACT,
    EXTRA_CHAIN,
    EXTRA_CEGAR,
    EXTRA_ESST,
    EXTRA_INTERRUPTED,
    EXTRAS
} extra;
static const char *const extra_names[EXTRAS] = {"breadth first",
                                                "guided",
                                                "tiny visited set",
                                                "reduction checker",
                                                "deadlock only",
                                                "observations",
                                                "loop heads",
                                                "compact visited set",
                                                "chains",
                                                "cegar",
                                                "esst",
                                                "interrupted"};

typedef struct tally {
    uint64_t agreed, unknown, skipped;
    uint64_t transitions; /* of the runs that agreed */
} tally;

typedef struct driver {
    campaign campaign;
    reference_limits limits;
    bool por[POR_KINDS], match[MATCH_KINDS];
    double program_seconds, program_began;
    bool own;
    mutant mutant;
    tally pairs[POR_KINDS][MATCH_KINDS], extras[EXTRAS];
    uint64_t programs, refused, symbolic, unsafe, deadlocking, disagreements;
} driver;

typedef struct subject { /* the program under test */
    uint64_t seed;
    profile profile;
    tiny_program program;
    text source;
    reference_result expected;
    trial unreduced; /* observations without reduction */
} subject;

/* --- disagreements -------------------------------------------------------------------------------------- */

typedef struct shrink_case {
    const configuration *how;
    const reference_limits *limits;
    bool compiles; /* the disagreement is about a program that compiles */
    bool observed;
} shrink_case;

static const double seconds_per_run = 0.2;

static configuration unreduced_configuration(uint64_t transitions, bool observe) {
    return (configuration){.por = POR_NONE,
                           .match = MATCH_CEQ,
                           .all = true,
                           .max_transitions = transitions,
                           .observe = observe,
                           .seconds = seconds_per_run,
                           .compare_finals = true,
                           .properties = PROPERTY_ASSERT | PROPERTY_MEMORY | PROPERTY_DEADLOCK};
}

static bool still_disagrees(void *data, tiny_program *p) {
    const shrink_case *c = data;
    text source = {0}, why = {0};
    tiny_print(p, &source);
    reference_result expected;
    reference_run(p, c->limits, &expected);
    bool result = false;
    if (!expected.refused && (c->how->match != MATCH_NONE || expected.acyclic) &&
        !(c->observed && expected.symbolic)) {
        trial t, unreduced = {0};
        if (c->observed) {
            configuration plain = unreduced_configuration(c->how->max_transitions, true);
            trial_run(text_cstr(&source), &plain, &expected, &unreduced);
        }
        trial_run(text_cstr(&source), c->how, &expected, &t);
        expectation e = {&expected, c->observed ? &unreduced : NULL};
        result = !t.refused == c->compiles && compare_trial(&t, c->how, &e, &why) == DISAGREES;
        trial_free(&t);
        trial_free(&unreduced);
    }
    reference_free(&expected);
    text_free(&source);
    text_free(&why);
    return result;
}

static void write_report(const driver *d, const subject *s, const char *report, const char *source) {
    text path = {0};
    text_format(&path, "%s/disagreement-%llu.ivl", d->campaign.output, (unsigned long long)s->seed);
    FILE *f = fopen(text_cstr(&path), "w");
    if (f) {
        fprintf(f, "%s\n%s", report, source);
        fclose(f);
        printf("written to %s\n", text_cstr(&path));
    }
    text_free(&path);
}

static void report_disagreement(driver *d, subject *s, const configuration *how, const trial *t,
                                bool observed, const char *why) {
    d->disagreements++;
    text report = {0}, small = {0};
    text_format(&report, "// seed %llu, profile %s\n// ", (unsigned long long)s->seed,
                profile_name(s->profile));
    configuration_describe(how, &report);
    text_format(&report, "\n// %s\n", why);
    tiny_program shrunk;
    tiny_copy(&shrunk, &s->program);
    shrink_case c = {how, &d->limits, t->refused == NULL, observed};
    shrink(&shrunk, still_disagrees, &c);
    tiny_print(&shrunk, &small);
    printf("DISAGREEMENT\n%s%s", text_cstr(&report), text_cstr(&small));
    write_report(d, s, text_cstr(&report), text_cstr(&small));
    fflush(stdout);
    tiny_free(&shrunk);
    text_free(&report);
    text_free(&small);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

static uint64_t transition_limit(const subject *s, match_kind match) {
    uint64_t limit = FEWEST_TRANSITIONS + 4 * s->expected.transitions;
    return match == MATCH_NONE ? 2 * limit : limit;
}

static bool run_one(driver *d, subject *s, const configuration *how, tally *into) {
    if (d->program_seconds > 0 && clock_wall() - d->program_began > d->program_seconds) {
        into->skipped++;
        return true;
    }
    trial t;
    text why = {0};
    trial_run(text_cstr(&s->source), how, &s->expected, &t);
    expectation e = {&s->expected, how->observe && how->por != POR_NONE ? &s->unreduced : NULL};
    agreement a = compare_trial(&t, how, &e, &why);
    if (a == AGREES) {
        into->agreed++;
        into->transitions += t.stats.transitions;
    }
    if (a == GAVE_UP) {
        into->unknown++;
        const char *doubts = text_cstr(&t.doubts); /* the first, without its line */
        campaign_count_reason(&d->campaign, doubts, strcspn(doubts, "(\n"), s->seed);
    }
    if (a == DISAGREES) report_disagreement(d, s, how, &t, e.unreduced != NULL, text_cstr(&why));
    trial_free(&t);
    text_free(&why);
    return a != DISAGREES;
}

static bool run_pair(driver *d, subject *s, por_kind por, match_kind match) {
    tally *into = &d->pairs[por][match];
    if (match == MATCH_NONE && !s->expected.acyclic) {
        into->skipped++;
        return true;
    }
    uint64_t dice = hash_pair(s->seed, (uint64_t)por << 8 | match);
    configuration how = {.por = por,
                         .match = match,
                         .all = dice & 3,
                         .properties = PROPERTY_ASSERT | PROPERTY_MEMORY,
                         .max_transitions = transition_limit(s, match),
                         .seconds = seconds_per_run,
                         .own = d->own,
                         .mutant = d->mutant};
    if (dice & 4) how.properties |= PROPERTY_DEADLOCK;
    how.compare_finals = how.all && dice & 8;
    return run_one(d, s, &how, into);
}

/* Depth first or breadth first, perhaps with stops inside steps; chains with and without a compact set. */
static void store_less(configuration *how, bool chains, uint64_t dice) {
    static const uint64_t lengths[] = {1, 3, 100};
    bool is_static = how->por < POR_DPOR;
    if (is_static && dice & 1)
        how->order = ORDER_BFS;
    else if (is_static && dice & 2)
        how->stops = STOP_LOOP_HEAD;
    if (!chains || dice & 4) how->visited = VISITED_COMPACT;
    if (!chains || !is_static || how->match == MATCH_NONE) return;
    how->chain = lengths[(dice >> 3) % 3];
    how->max_transitions *= 4; /* what is not stored is passed again and again */
}

static bool run_extra(driver *d, subject *s, extra kind, por_kind por, match_kind match) {
    configuration how = {.por = por,
                         .match = match,
                         .all = true,
                         .properties = PROPERTY_ASSERT | PROPERTY_MEMORY | PROPERTY_DEADLOCK,
                         .max_transitions = transition_limit(s, match),
                         .seconds = seconds_per_run,
                         .compare_finals = true,
                         .own = d->own,
                         .mutant = d->mutant};
    switch (kind) {
    case EXTRA_BFS:
        if (por >= POR_DPOR) return true;
        how.order = ORDER_BFS;
        break;
    case EXTRA_ASTAR: {
        static const uint32_t weights[] = {0, 1, 100};
        uint64_t dice = hash_pair(s->seed, (uint64_t)por << 8 | (uint64_t)kind);
        if (por >= POR_DPOR) return true;
        how.order = ORDER_ASTAR;
        how.weight = weights[dice % 3];
        how.guide = (guide_kind)(dice >> 8 & 3 ? GUIDE_COARSE + (dice >> 10 & 1) : GUIDE_AUTO);
        how.stops = dice >> 11 & 1 ? STOP_LOOP_HEAD : STOP_VISIBLE;
        if (how.stops) how.por = POR_NONE; /* there is no other in a queue */
        how.properties = PROPERTY_ASSERT | PROPERTY_MEMORY;
        how.compare_finals = false;
        break;
    }
    case EXTRA_EVICTION: how.visited_bytes = SMALL_VISITED_SET; break;
    case EXTRA_CHECKER: how.check_reduction = true; break;
    case EXTRA_DEADLOCK:
        how.properties = PROPERTY_DEADLOCK;
        how.all = how.compare_finals = false;
        break;
    case EXTRA_OBSERVE:
        if (!s->unreduced.conclusive || s->expected.symbolic || s->expected.cut_by_assumption ||
            s->expected.cut_by_check) {
            d->extras[kind].skipped++;
            return true;
        }
        how.match = MATCH_CEQ;
        how.observe = true;
        break;
    case EXTRA_LOOP_HEADS:
        if (por >= POR_DPOR) return true;
        how.stops = STOP_LOOP_HEAD;
        break;
    case EXTRA_COMPACT:
    case EXTRA_CHAIN:
        store_less(&how, kind == EXTRA_CHAIN, hash_pair(s->seed, (uint64_t)por << 8 | (uint64_t)kind));
        break;
    case EXTRA_CEGAR:
    case EXTRA_ESST: {
        static const por_kind reductions[] = {[POR_NONE] = POR_NONE,
                                              [POR_CT] = POR_SLEEP,
                                              [POR_STUB] = POR_PERSISTENT,
                                              [POR_STUB2] = POR_PERSISTENT_SLEEP,
                                              [POR_STUB_MIN] = POR_AWARE};
        if (por > POR_STUB_MIN || d->own) return true;
        how.por = reductions[por];
        uint64_t dice = hash_pair(s->seed, (uint64_t)por << 8 | (uint64_t)kind);
        how.match = MATCH_AUTO;
        how.cegar = true;
        how.esst = kind == EXTRA_ESST;
        how.abstraction = (abstraction_options){.domain = (abstract_domain)(dice & 3),
                                                .prune = (prune_kind)(dice >> 2 & 1),
                                                .scope = (precision_scope)(dice >> 3 & 3),
                                                .blocks = (block_kind)((dice >> 5) % 3)};
        how.order = (search_order)((dice >> 12) % 3);
        how.all = dice >> 11 & 1;
        how.properties = PROPERTY_ASSERT | PROPERTY_MEMORY;
        how.compare_finals = false;
        break;
    }
    case EXTRA_INTERRUPTED: {
        uint64_t dice = hash_pair(s->seed, (uint64_t)por << 8 | (uint64_t)kind);
        store_less(&how, dice & 8, dice);
        how.last_look = 1 + (dice >> 16) % (1u << (dice >> 8) % 8); /* mostly early */
        break;
    }
    case EXTRAS: break;
    }
    return run_one(d, s, &how, &d->extras[kind]);
}

/* The front end rightly refuses indices and divisors that it can see to be wrong. */
static bool is_refused_rightly(const trial *t) {
    return t->refused && (strstr(t->refused, "is outside of") || strstr(t->refused, "by zero"));
}

static bool run_everything(driver *d, subject *s) {
    configuration plain = unreduced_configuration(transition_limit(s, MATCH_CEQ), !s->expected.symbolic);
    trial_run(text_cstr(&s->source), &plain, &s->expected, &s->unreduced);
    if (is_refused_rightly(&s->unreduced)) {
        d->programs--;
        d->refused++;
        return true;
    }
    for (int por = POR_NONE; por <= LAST_POR; por++) {
        if (!d->por[por]) continue;
        for (int match = 0; match < MATCH_KINDS; match++)
            if (d->match[match] && !run_pair(d, s, (por_kind)por, (match_kind)match)) return false;
        for (int kind = 0; kind < EXTRAS; kind++) {
            static const match_kind some[] = {MATCH_CEQ, MATCH_AUTO, MATCH_ESM_HASH, MATCH_ESS, MATCH_SBC_CV};
            match_kind match = some[hash_pair(s->seed, (uint64_t)(por * EXTRAS + kind)) % 5];
            if (d->match[match] && !run_extra(d, s, (extra)kind, (por_kind)por, match)) return false;
        }
    }
    return true;
}

static bool test_program(void *driving, uint64_t seed) {
    driver *d = driving;
    d->program_began = clock_wall();
    subject s = {.seed = seed,
                 .profile =
                     d->campaign.profile < 0 ? (profile)(seed % PROFILES) : (profile)d->campaign.profile};
    generate(seed, s.profile, &s.program);
    tiny_print(&s.program, &s.source);
    if (d->campaign.show) printf("%s", text_cstr(&s.source));
    reference_run(&s.program, &d->limits, &s.expected);
    bool fine = true;
    if (s.expected.refused) {
        d->refused++;
        if (d->campaign.show) printf("// refused: %s\n", s.expected.refused);
    } else {
        d->programs++;
        d->symbolic += s.expected.symbolic;
        d->unsafe += s.expected.violations.size > 0;
        d->deadlocking += s.expected.deadlock;
        if (d->campaign.show)
            printf("// %zu states, %zu transitions\n", s.expected.states, s.expected.transitions);
        fine = run_everything(d, &s);
    }
    trial_free(&s.unreduced);
    reference_free(&s.expected);
    text_free(&s.source);
    tiny_free(&s.program);
    return fine;
}

/* --- the summary ---------------------------------------------------------------------------------------- */

static void print_summary(const driver *d) {
    printf("%llu programs (%llu with inputs, %llu unsafe, %llu can deadlock), %llu too large; "
           "agreed/unknown/skipped:\n",
           (unsigned long long)d->programs, (unsigned long long)d->symbolic, (unsigned long long)d->unsafe,
           (unsigned long long)d->deadlocking, (unsigned long long)d->refused);
    printf("%-10s", "");
    for (int match = 0; match < MATCH_KINDS; match++)
        if (d->match[match]) printf(" %15s", match_name((match_kind)match));
    printf(" %12s\n", "steps (auto)");
    for (int por = POR_NONE; por <= LAST_POR; por++) {
        if (!d->por[por]) continue;
        printf("%-10s", por_name((por_kind)por));
        for (int match = 0; match < MATCH_KINDS; match++) {
            if (!d->match[match]) continue;
            const tally *t = &d->pairs[por][match];
            char cell[64];
            snprintf(cell, sizeof cell, "%llu/%llu/%llu", (unsigned long long)t->agreed,
                     (unsigned long long)t->unknown, (unsigned long long)t->skipped);
            printf(" %15s", cell);
        }
        printf(" %12llu\n", (unsigned long long)d->pairs[por][MATCH_AUTO].transitions);
    }
    for (int kind = 0; kind < EXTRAS; kind++)
        printf("%s: %llu/%llu/%llu\n", extra_names[kind], (unsigned long long)d->extras[kind].agreed,
               (unsigned long long)d->extras[kind].unknown, (unsigned long long)d->extras[kind].skipped);
    campaign_print_reasons(&d->campaign, "unknown: ");
    printf("%llu disagreements\n", (unsigned long long)d->disagreements);
}

/* --- command line --------------------------------------------------------------------------------------- */

static int usage(void) {
    fprintf(stderr, "usage: differential [--seed S] [--count N] [--profile P] [--por A,B] [--match A,B] "
                    "[--time SECONDS]\n"
                    "                    [--output DIR] [--keep-going] [--show] [--own] [--mutant M]\n"
                    "                    [--states N] [--program-seconds SECONDS]\n");
    return 2;
}

static bool take_names(const char *list, bool *chosen, bool (*by_name)(const char *, unsigned *),
                       size_t kinds) {
    memset(chosen, 0, kinds * sizeof *chosen);
    while (*list) {
        char name[32];
        size_t length = strcspn(list, ",");
        unsigned kind;
        if (length >= sizeof name) return false;
        memcpy(name, list, length);
        name[length] = 0;
        if (!by_name(name, &kind)) return false;
        chosen[kind] = true;
        list += length + (list[length] == ',');
    }
    return true;
}

static bool por_number(const char *name, unsigned *out) {
    por_kind k;
    bool known = por_from_name(name, &k);
    if (known) *out = k;
    return known;
}

static bool match_number(const char *name, unsigned *out) {
    match_kind k;
    bool known = match_from_name(name, &k);
    if (known) *out = k;
    return known;
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
    return number >= 0;
}

static bool take_option(void *driving, const char *option, const char *value) {
    driver *d = driving;
    if (!strcmp(option, "--states"))
        d->limits.states = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--program-seconds")) /* then the rest of its runs are skipped */
        d->program_seconds = strtod(value, NULL);
    else if (!strcmp(option, "--mutant"))
        return take_mutant(value, &d->mutant);
    else if (!strcmp(option, "--por"))
        return take_names(value, d->por, por_number, POR_KINDS);
    else if (!strcmp(option, "--match"))
        return take_names(value, d->match, match_number, MATCH_KINDS);
    else
        return false;
    return true;
}

static bool take_flag(void *driving, const char *option) {
    driver *d = driving;
    d->own |= !strcmp(option, "--own");
    return !strcmp(option, "--own");
}

static bool goes_on_after(void *driving, uint64_t seed) {
    return test_program(driving, seed) || ((driver *)driving)->campaign.keep_going;
}

int main(int argc, char **argv) {
    driver d = {.campaign = campaign_begin(),
                .limits = {.states = REFERENCE_STATES, .finals = REFERENCE_FINALS}};
    const campaign_options more = {take_flag, take_option, profile_of, PROFILES};
    for (int por = POR_NONE; por <= LAST_POR; por++) d.por[por] = true;
    for (int match = 0; match < MATCH_KINDS; match++) d.match[match] = true;
    if (!campaign_take(&d.campaign, argc, argv, &more, &d)) return usage();
    for (int por = POR_NONE; por <= LAST_POR; por++) d.por[por] &= !d.own || por == POR_STUB_MIN;
    campaign_run(&d.campaign, 1000, goes_on_after, &d);
    print_summary(&d);
    campaign_end(&d.campaign);
    bool found = d.disagreements != 0;
    return found != (d.mutant != MUTANT_NONE);
}
