/* The differential oracle of SystemC designs: random tiny programs, written as C++, checked by Heddle and
 * compared with the plain reference of the IVL program.
 *
 *     differential_systemc [--seed S] [--count N] [--profile P] [--time SECONDS] [--lanes N] [--output DIR]
 *                          [--keep-going] [--show] [--mutant M] [--states N] [--early] [--control] [--real]
 *
 * Program number k is made from seed S + k alone, its style and configurations too. A disagreement is shrunk,
 * written to DIR/disagreement-SEED.cpp with both texts and ends the run with status 1 (--keep-going: at the
 * end). With --early only programs count in which main draws inputs before sc_start, and it does more with
 * them. With --control all programs kill, reset and disable processes; the IVL text is none then. With --real
 * Accellera's library is asked, too, whether it knows the reference's final values of programs without
 * inputs. With --mutant designs are written that are known to mean something else, and it fails if there
 * is no disagreement. */
#include "base/clock.h"
#include "base/hash.h"
#include "common/campaign.h"
#include "design.h"
#include "real.h"
#include "reference.h"
#include "run.h"
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>

enum { REFERENCE_STATES = 1500, REFERENCE_FINALS = 4096, MOST_LANES = 16 };

static const double shrink_seconds = 90;

typedef struct driver {
    campaign campaign;
    reference_limits limits;
    unsigned lanes;
    bool only_early, only_control;
    bool asks_library;
    real_compiler library;
    bool broken; /* some design was not compiled: no proof that a mutant is noticed */
    design_mutant mutant;
    run_compiler compiler;
    uint64_t programs, signals, early, controlled, refused, unsayable, symbolic, unsafe, deadlocking,
        disagreements;
    uint64_t agreed, unknown, counted, same_count, really, silent;
} driver;

typedef struct subject { /* the program under test */
    uint64_t seed;
    profile profile;
    tiny_program program;
    design_style style;
    text ivl, design;
    reference_result expected;
    bool controlled;    /* there is no IVL text */
    run_result ivl_run; /* unreduced, of the IVL text */
} subject;

/* --- configurations ------------------------------------------------------------------------------------- */

#define LIMITS(seconds) "time=" seconds " memory=2G query-time=2s "
#define PLAIN           LIMITS("10s") "engine=search por=none match=ceq all=on property=assert,memory,deadlock"

static const char *pick(random_source *r, const char *const *list, size_t count) {
    return list[random_below(r, (uint32_t)count)];
}
#define PICK(r, ...)                                                                                         \
    pick(r, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* Lane 0 is unreduced; the others are drawn. */
static void choose_lane(uint64_t seed, unsigned lane, bool controlled, text *out) {
    random_source r = {hash_pair(seed, lane)};
    if (!lane) {
        text_add(out, PLAIN);
        return;
    }
    uint32_t engine = random_below(&r, 10);
    if (controlled && engine < 3 && random_chance(&r, 90)) engine += 3; /* engines that abstract give up */
    text_add(out, engine < 3 ? LIMITS("2s") : LIMITS("5s"));
    if (engine < 3) {
        text_format(out, "engine=%s por=%s domain=%s prune=%s scope=%s blocks=%s order=%s",
                    PICK(&r, "cegar", "esst"),
                    PICK(&r, "none", "sleep", "persistent", "persistent+sleep", "aware"),
                    PICK(&r, "product", "explicit", "cartesian", "boolean"), PICK(&r, "lazy", "full"),
                    PICK(&r, "auto", "global", "thread", "location"), PICK(&r, "joins", "large", "small"),
                    PICK(&r, "dfs", "bfs", "error-distance"));
    } else if (engine < 4) {
        text_format(out, "engine=auto jobs=%s property=assert,memory", PICK(&r, "1", "2"));
        return;
    } else {
        const char *por =
            PICK(&r, "none", "ct", "stub", "stub2", "stub-min", "dpor", "dpor-hbr", "dpor-stub", "auto");
        const char *match = PICK(&r, "auto", "ceq", "pesm", "esm", "esm-hash", "sbc-eq", "sbc-cv", "ess");
        bool dynamic = !strncmp(por, "dpor", 4) || !strcmp(por, "auto");
        text_format(out, "engine=search por=%s match=%s order=%s", por, match,
                    dynamic ? "dfs" : PICK(&r, "dfs", "bfs"));
        if (random_chance(&r, 20)) text_add(out, " check-reduction=on");
        if (random_chance(&r, 50)) {
            text_add(out, " all=on property=assert,memory,deadlock");
            return;
        }
    }
    text_format(out, " all=%s property=assert,memory", PICK(&r, "on", "off"));
}

/* --- comparison ----------------------------------------------------------------------------------------- */

typedef enum { AGREES, GAVE_UP, DISAGREES } agreement;

static bool has_key(const uint32_t *keys, size_t count, uint32_t key) {
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key) return true;
    return false;
}

static bool expects_implicit(const reference_result *e) {
    for (size_t i = 0; i < e->violations.size; i++)
        if (e->violations.data[i] & 1) return true;
    return false;
}

static void show_keys(text *out, const uint32_t *keys, size_t count) {
    if (!count) text_add(out, " none");
    for (size_t i = 0; i < count; i++)
        text_format(out, " line %u%s", keys[i] / 2, keys[i] & 1 ? " (implicit)" : "");
}

static bool sets_are_right(const run_result *r, const reference_result *e, bool complete, text *why) {
    bool right = !r->elsewhere || expects_implicit(e);
    for (size_t i = 0; i < r->violations.size; i++)
        right &= has_key(e->violations.data, e->violations.size, r->violations.data[i]);
    for (size_t i = 0; i < e->violations.size && complete; i++)
        right &= has_key(r->violations.data, r->violations.size, e->violations.data[i]) ||
                 ((e->violations.data[i] & 1) && r->elsewhere);
    if (right) return true;
    text_add(why, "violations: expected");
    show_keys(why, e->violations.data, e->violations.size);
    text_add(why, ", got");
    show_keys(why, r->violations.data, r->violations.size);
    if (r->elsewhere) text_add(why, " and one in a header");
    return false;
}

static agreement compare(const subject *s, const char *options, const run_result *r, text *why) {
    const reference_result *e = &s->expected;
    bool deadlock = strstr(options, "deadlock") != NULL, all = strstr(options, "all=on") != NULL;
    bool unsafe = e->violations.size || (deadlock && e->deadlock);
    if (r->verdict == HEDDLE_BAD_INPUT || r->verdict == HEDDLE_INTERNAL_ERROR) {
        text_format(why, "%s: %s%s", heddle_verdict_name(r->verdict), r->reason, r->diagnostics);
        return DISAGREES;
    }
    if (r->verdict != HEDDLE_UNKNOWN && (r->verdict == HEDDLE_UNSAFE) != unsafe) {
        text_format(why, "verdict: expected %s, got %s; expected", unsafe ? "unsafe" : "safe",
                    heddle_verdict_name(r->verdict));
        show_keys(why, e->violations.data, e->violations.size);
        text_add(why, e->deadlock ? ", a deadlock, got" : ", got");
        show_keys(why, r->violations.data, r->violations.size);
        if (r->deadlock) text_add(why, ", a deadlock");
        return DISAGREES;
    }
    bool complete = all && !r->doubts && r->verdict != HEDDLE_UNKNOWN && !s->style.assert_ends;
    if (!sets_are_right(r, e, complete, why)) return DISAGREES;
    if (r->deadlock > e->deadlock || (complete && deadlock && r->deadlock != e->deadlock)) {
        text_add(why, r->deadlock ? "a deadlock that cannot be" : "deadlock missed");
        return DISAGREES;
    }
    return r->verdict == HEDDLE_UNKNOWN ? GAVE_UP : AGREES;
}

/* --- disagreements -------------------------------------------------------------------------------------- */

typedef struct shrink_case {
    driver *d;
    const design_style *style;
    const char *options;
    heddle_verdict verdict; /* stays as it is */
    uint64_t seed;
    double until;
} shrink_case;

static void prepare(driver *d, subject *s, bool choose) {
    tiny_print(&s->program, &s->ivl);
    reference_run(&s->program, &d->limits, &s->expected);
    if (s->expected.refused || design_problem(&s->program)) return;
    if (choose) design_choose_style(&s->program, s->seed, s->expected.cut_by_check, &s->style);
    s->style.mutant = d->mutant;
    /* Methods do not wait: they are called. */
    s->expected.deadlock = s->expected.blocked & ~design_methods(&s->program, &s->style);
    design_print(&s->program, &s->style, &s->design);
}

static void release(subject *s) {
    text_free(&s->ivl);
    text_free(&s->design);
    reference_free(&s->expected);
    run_free(&s->ivl_run);
}

static bool still_disagrees(void *data, tiny_program *p) {
    const shrink_case *c = data;
    if (clock_wall() > c->until) return false;
    subject s = {.seed = c->seed, .program = *p, .style = *c->style};
    text path = {0}, why = {0};
    prepare(c->d, &s, false);
    bool result = false;
    run_result r = {0};
    if (s.design.size && run_compile(&c->d->compiler, text_cstr(&s.design), &path)) {
        run_file(text_cstr(&path), c->options, &r);
        result = r.verdict == c->verdict && compare(&s, c->options, &r, &why) == DISAGREES;
    }
    run_free(&r);
    release(&s);
    text_free(&path);
    text_free(&why);
    return result;
}

static void write_report(const driver *d, uint64_t seed, const char *report) {
    text path = {0};
    text_format(&path, "%s/disagreement-%llu.cpp", d->campaign.output, (unsigned long long)seed);
    FILE *f = fopen(text_cstr(&path), "w");
    if (f) {
        fputs(report, f);
        fclose(f);
        printf("written to %s\n", text_cstr(&path));
    }
    text_free(&path);
}

static void report_disagreement(driver *d, subject *s, const char *options, heddle_verdict verdict,
                                const char *why) {
    d->disagreements++;
    subject small = {.seed = s->seed, .style = s->style};
    tiny_copy(&small.program, &s->program);
    shrink_case c = {d, &s->style, options, verdict, s->seed, clock_wall() + shrink_seconds};
    if (!d->mutant && verdict != HEDDLE_BAD_INPUT && !s->style.signal.is_there)
        shrink(&small.program, still_disagrees, &c);
    prepare(d, &small, false);
    text report = {0};
    text_format(&report, "// seed %llu, profile %s, style: ", (unsigned long long)s->seed,
                profile_name(s->profile));
    design_describe_style(&s->style, &report);
    text_format(&report, "\n// %s\n// %s\n#if 0\n%s#endif\n%s", options, why, text_cstr(&small.ivl),
                text_cstr(&small.design));
    printf("DISAGREEMENT\n%s", text_cstr(&report));
    write_report(d, s->seed, text_cstr(&report));
    fflush(stdout);
    text_free(&report);
    tiny_free(&small.program);
    release(&small);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

static bool resumes(const tiny_program *p) {
    for (size_t s = 0; s < p->stmts.size; s++)
        if (p->stmts.data[s].kind == STMT_RESUME) return true;
    return false;
}

/* Without inputs and reductions both texts have the same states: C++ divides a step where && and ?: branch on
 * unknown values, IVL does not. The starter is one step more, and one of the kernel behind it. Processes that
 * begin late have a step less, in all orders. Resumed ones may run at once, in IVL they do not. */
static void compare_counts(driver *d, const subject *s, const run_result *r) {
    if (s->controlled || resumes(&s->program) || s->expected.symbolic || s->style.assert_ends ||
        s->style.late || r->doubts || s->ivl_run.doubts || r->verdict == HEDDLE_UNKNOWN ||
        s->expected.cut_by_check)
        return;
    double more = r->transitions - s->ivl_run.transitions;
    d->counted++;
    if (more == (s->style.starter ? 2 : 0)) {
        d->same_count++;
        return;
    }
    text what = {0};
    text_format(&what, "transitions: %+.0f%s%s", more, s->style.starter ? " with a starter" : "",
                s->style.methods ? " (methods)" : "");
    campaign_count_reason(&d->campaign, text_cstr(&what), what.size, s->seed);
    text_free(&what);
}

static bool judge(driver *d, subject *s, unsigned lane, const char *options, const run_result *r) {
    text why = {0};
    agreement a = compare(s, options, r, &why);
    if (d->campaign.show)
        printf("// seed %llu: %s: %s %s, %.0f transitions (IVL %.0f)\n", (unsigned long long)s->seed, options,
               heddle_verdict_name(r->verdict), r->reason, r->transitions, s->ivl_run.transitions);
    if (a == AGREES) d->agreed++;
    if (a == GAVE_UP) {
        d->unknown++;
        text what = {0};
        text_format(&what, "unknown: %.*s", (int)strcspn(r->reason, "(\n"), r->reason);
        campaign_count_reason(&d->campaign, text_cstr(&what), what.size, s->seed);
        text_free(&what);
    }
    if (a != DISAGREES && !lane) compare_counts(d, s, r);
    if (a == DISAGREES) report_disagreement(d, s, options, r->verdict, text_cstr(&why));
    text_free(&why);
    return a != DISAGREES;
}

/* Every eighth program goes through Heddle's own call of clang. */
static bool run_lanes(driver *d, subject *s) {
    text path = {0};
    bool fine = true, by_heddle = s->seed % 8 == 0 && !d->mutant;
    if (!by_heddle && !run_compile(&d->compiler, text_cstr(&s->design), &path)) {
        report_disagreement(d, s, PLAIN, HEDDLE_BAD_INPUT, "clang refuses it");
        d->broken = true;
        fine = false;
    }
    unsigned last = by_heddle && d->lanes > 1 ? 0 : d->lanes; /* Heddle's own call is slow */
    for (unsigned lane = 0; lane <= last && fine; lane++) {
        text options = {0};
        run_result r;
        choose_lane(s->seed, lane, s->controlled, &options);
        if (by_heddle)
            run_text("design.cpp", text_cstr(&s->design), text_cstr(&options), &r);
        else
            run_file(text_cstr(&path), text_cstr(&options), &r);
        fine = judge(d, s, lane, text_cstr(&options), &r);
        run_free(&r);
        text_free(&options);
    }
    text_free(&path);
    return fine;
}

/* Wrong indices and the like mean nothing there. */
static bool library_agrees(driver *d, subject *s) {
    if (!d->asks_library || s->expected.symbolic || s->expected.cut_by_check) return true;
    text why = {0};
    real_opinion opinion = real_run(&d->library, text_cstr(&s->design), &s->expected, &why);
    d->really += opinion == REAL_AGREES;
    d->silent += opinion == REAL_SAYS_NOTHING;
    if (opinion == REAL_DISAGREES) report_disagreement(d, s, "Accellera", HEDDLE_BAD_INPUT, text_cstr(&why));
    text_free(&why);
    return opinion != REAL_DISAGREES;
}

static bool test_program(void *driving, uint64_t seed) {
    driver *d = driving;
    subject s = {.seed = seed,
                 .profile =
                     d->campaign.profile < 0 ? (profile)(seed % PROFILES) : (profile)d->campaign.profile};
    s.style.early = d->only_early;
    generate(seed, s.profile, &s.program);
    if (d->only_early || (!d->mutant && hash_pair(seed, 4) % 6 == 0)) design_add_beginning(&s.program, seed);
    if (d->only_control || (!d->mutant && !d->only_early && hash_pair(seed, 5) % 4 == 0))
        design_add_control(&s.program, seed);
    s.controlled = design_has_control(&s.program);
    if (!d->mutant && hash_pair(seed, 3) % 3 == 0) design_add_signal(&s.program, seed, &s.style.signal);
    prepare(d, &s, true);
    bool fine = true;
    if (s.expected.refused) {
        d->refused++;
    } else if (d->only_early && !s.style.early) {
        d->unsayable++;
    } else if (!s.design.size) {
        d->unsayable++;
    } else {
        if (d->campaign.show && d->campaign.count == 1)
            printf("%s\n%s", text_cstr(&s.ivl), text_cstr(&s.design));
        if (!s.controlled) run_text("oracle.ivl", text_cstr(&s.ivl), PLAIN, &s.ivl_run);
        if (!s.controlled &&
            s.ivl_run.verdict == HEDDLE_BAD_INPUT) { /* an index or divisor that is seen to be wrong */
            d->refused++;
        } else {
            d->programs++;
            d->signals += s.style.signal.is_there;
            d->early += s.style.early;
            d->controlled += s.controlled;
            d->symbolic += s.expected.symbolic;
            d->unsafe += s.expected.violations.size > 0;
            d->deadlocking += s.expected.deadlock;
            fine = library_agrees(d, &s) && run_lanes(d, &s);
        }
    }
    release(&s);
    tiny_free(&s.program);
    return fine;
}

/* --- command line --------------------------------------------------------------------------------------- */

static void print_summary(const driver *d) {
    printf("%llu programs (%llu with signals, %llu with inputs, %llu begun by main itself, %llu with "
           "control of processes, %llu unsafe, %llu can deadlock); %llu too large or refused, %llu that "
           "sc_start cannot say\n",
           (unsigned long long)d->programs, (unsigned long long)d->signals, (unsigned long long)d->symbolic,
           (unsigned long long)d->early, (unsigned long long)d->controlled, (unsigned long long)d->unsafe,
           (unsigned long long)d->deadlocking, (unsigned long long)d->refused,
           (unsigned long long)d->unsayable);
    printf("%llu runs agreed, %llu unknown; %llu of %llu counts of transitions as in IVL\n",
           (unsigned long long)d->agreed, (unsigned long long)d->unknown, (unsigned long long)d->same_count,
           (unsigned long long)d->counted);
    if (d->asks_library)
        printf("%llu simulations by Accellera's library end as the reference says, %llu do not end\n",
               (unsigned long long)d->really, (unsigned long long)d->silent);
    campaign_print_reasons(&d->campaign, "");
    printf("%llu disagreements\n", (unsigned long long)d->disagreements);
}

static int usage(void) {
    fprintf(stderr,
            "usage: differential_systemc [--seed S] [--count N] [--profile P] [--time SECONDS] [--lanes N]\n"
            "                            [--output DIR] [--keep-going] [--show] [--mutant M] [--states N]\n"
            "                            [--early] [--control] [--real]\n");
    return 2;
}

static const char *profile_of(int number) {
    return profile_name((profile)number);
}

static const char *mutant_of(int number) {
    return design_mutant_name((design_mutant)number);
}

static bool take_mutant(const char *name, design_mutant *out) {
    int number = campaign_number(name, mutant_of, DESIGN_MUTANTS);
    if (number >= 0) *out = (design_mutant)number;
    return number >= 0;
}

static bool take_option(void *driving, const char *option, const char *value) {
    driver *d = driving;
    if (!strcmp(option, "--states"))
        d->limits.states = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--lanes"))
        d->lanes = (unsigned)strtoul(value, NULL, 10);
    else if (!strcmp(option, "--mutant"))
        return take_mutant(value, &d->mutant);
    else
        return false;
    return d->lanes <= MOST_LANES;
}

static bool take_flag(void *driving, const char *flag) {
    driver *d = driving;
    bool early = !strcmp(flag, "--early"), control = !strcmp(flag, "--control"),
         real = !strcmp(flag, "--real");
    d->only_early |= early;
    d->only_control |= control;
    d->asks_library |= real;
    return early || control || real;
}

static bool goes_on_after(void *driving, uint64_t seed) {
    return test_program(driving, seed) || ((driver *)driving)->campaign.keep_going;
}

int main(int argc, char **argv) {
    driver d = {.campaign = campaign_begin(),
                .limits = {.states = REFERENCE_STATES, .finals = REFERENCE_FINALS, .as_library = true},
                .lanes = 3};
    const campaign_options more = {take_flag, take_option, profile_of, PROFILES};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!campaign_take(&d.campaign, argc, argv, &more, &d)) return usage();
    if (!run_compiler_open(&d.compiler, design_mutant_definition(d.mutant))) {
        fprintf(stderr, "clang cannot compile the headers\n");
        run_compiler_close(&d.compiler);
        return 2;
    }
    if (d.asks_library && !real_open(&d.library)) {
        printf("no library: it is not asked\n");
        d.asks_library = false;
    }
    d.limits.begun_only = d.asks_library;
    campaign_run(&d.campaign, 40, goes_on_after, &d);
    real_close(&d.library);
    run_compiler_close(&d.compiler);
    print_summary(&d);
    campaign_end(&d.campaign);
    if (d.broken) return 2;
    bool found = d.disagreements != 0;
    return found != (d.mutant != DESIGN_FAITHFUL);
}
