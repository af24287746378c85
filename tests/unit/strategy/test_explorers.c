/* What explorers say of themselves: it speaks of options that there are, nothing that was chosen is replaced,
 * what they say they do not prove they do not prove, and the engine that options mean follows from it. */
#include "core_fixture.h"
#include "thread_programs.h"

#include "api/choice.h"
#include "dpor/dpor.h"
#include "strategy/fit.h"

/* --- words ---------------------------------------------------------------------------------------------- */

static bool has_value(option_id id, const char *value) {
    const char *values = heddle_options()[id].values;
    size_t length = strlen(value);
    for (const char *at = values; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (!strncmp(at, value, length) && (at[length] == '|' || !at[length])) return true;
    }
    return false;
}

/* The enumerations of the explorers and the choices of the options are the same, in the same order. */
static void values_are_those_of_the_options(void **unused) {
    (void)unused;
    for (int p = 0; p < POR_KINDS; p++) assert_true(has_value(OPTION_POR, por_name((por_kind)p)));
    for (int m = 0; m < MATCH_KINDS; m++) assert_true(has_value(OPTION_MATCH, match_name((match_kind)m)));
    options o;
    text error = {0};
    options_init(&o);
    for (int order = 0; order < SEARCH_ORDERS; order++) {
        assert_true(options_set(&o, "order", order_name((search_order)order), &error));
        assert_int_equal(o.value[OPTION_ORDER].choice, order);
    }
    for (int stops = 0; stops < STOPS_KINDS; stops++) {
        assert_true(options_set(&o, "stops", stops_name((stops_kind)stops), &error));
        assert_int_equal(o.value[OPTION_STOPS].choice, stops);
    }
    for (int memory = 0; memory < MEMORY_MODELS; memory++) {
        assert_true(options_set(&o, "memory-model", memory_name((memory_model)memory), &error));
        assert_int_equal(o.value[OPTION_MEMORY_MODEL].choice, memory);
    }
    options_free(&o);
}

static bool is_owner(const explorer *e, const char *option) {
    return explorer_has_option(e, RULES_PREEMPTIVE, option) || explorer_has_option(e, RULES_SYSTEMC, option);
}

/* The engines that the text of an option begins with, "Engines cegar and esst: ...", are those that have it. */
static void texts_name_the_engines_that_have_an_option(void **unused) {
    (void)unused;
    unsigned count = 0;
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        if (strncmp(o->help, "Engine", strlen("Engine"))) continue;
        char named[64], *save;
        snprintf(named, sizeof named, "%.*s", (int)strcspn(o->help, ":"), o->help);
        for (const explorer *const *e = explorers + 1; *e; e++) {
            char words[sizeof named];
            bool is_named = false;
            strcpy(words, named);
            for (char *word = strtok_r(words, " ,", &save); word; word = strtok_r(NULL, " ,", &save))
                is_named |= !strcmp(word, (*e)->name);
            if (is_named != is_owner(*e, o->name)) fail_msg("--%s: %s", o->name, (*e)->name);
        }
        count++;
    }
    assert_true(count >= 7);
}

static void options_that_are_named_exist(void **unused) {
    (void)unused;
    for (const explorer *const *e = explorers; *e; e++) {
        assert_true(has_value(OPTION_ENGINE, (*e)->name));
        assert_ptr_equal(explorers_find((*e)->name), *e);
        for (const explorer_option *o = (*e)->options; o && o->name; o++) {
            option_id id = option_find(o->name);
            if (id == OPTION_COUNT) fail_msg("%s names option %s", (*e)->name, o->name);
            if (o->value) assert_true(has_value(id, o->value));
        }
        for (const explorer_rule *r = (*e)->rules; r && r->because; r++) {
            if (r->option) assert_true(explorer_has_option(*e, RULES_PREEMPTIVE, r->option));
            if (r->value) assert_true(has_value(option_find(r->option), r->value));
            if (r->without) assert_true(explorer_has_option(*e, RULES_PREEMPTIVE, r->without));
        }
    }
    assert_null(explorers_find("sampling")); /* nobody may ask for it */
}

/* --- nothing is replaced -------------------------------------------------------------------------------- */

static const char *const program_text = "int x; thread A{x = 1;} thread B{x = 2;} main{start;}";

static void assert_kept(const explore_options *wanted, const explore_options *how) {
    if (wanted->por != POR_AUTO) assert_int_equal(wanted->por, how->por);
    if (wanted->match != MATCH_AUTO) assert_int_equal(wanted->match, how->match);
    assert_int_equal(wanted->order, how->order);
    assert_int_equal(wanted->stops, how->stops);
    assert_int_equal(wanted->chain, how->chain);
}

static void what_was_chosen_is_kept_or_refused(void **unused) {
    (void)unused;
    static const unsigned stops[] = {STOP_VISIBLE, STOP_LOOP_HEAD, STOP_STATEMENT};
    fixture f = fixture_open(program_text);
    unsigned kept = 0, refused = 0;
    for (const explorer *const *e = explorers + 1; *e; e++)
        for (int i = 0; i < POR_KINDS * MATCH_KINDS * 4 * 3 * 2; i++) {
            explore_options wanted =
                exploring((por_kind)(i % POR_KINDS), (match_kind)(i / POR_KINDS % MATCH_KINDS));
            int rest = i / POR_KINDS / MATCH_KINDS;
            wanted.order = (search_order)(rest % 4);
            wanted.stops = stops[rest / 4 % 3];
            wanted.chain = rest / 12;
            explore_options how = wanted;
            outcome out = {0};
            bool possible = explorer_settle(*e, f.m, &how, &out);
            assert_int_equal(possible, explorer_can(*e, &wanted, RULES_SYSTEMC));
            assert_string_equal(out.engine, (*e)->name);
            if (possible) {
                assert_kept(&wanted, &how);
                assert_true(explorer_can(*e, &how, RULES_SYSTEMC)); /* what the presets make of it, too */
            } else {
                assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
            }
            kept += possible;
            refused += !possible;
            outcome_free(&out);
        }
    assert_true(kept > 300 && refused > 1000);
    fixture_close(&f);
}

static void memory_models_are_chosen_among(void **unused) {
    (void)unused;
    explorer strict = explorer_search;
    strict.memory_models = CHOICE(MEMORY_SC);
    wish w = {.kernel = RULES_PREEMPTIVE};
    text why = {0};
    assert_null(fit_choose(&strict, &w, &why));
    assert_non_null(strstr(text_cstr(&why), "engine search has no memory model 'declared'"));
    explore_options o = explore_default_options();
    assert_false(explorer_can(&strict, &o, RULES_PREEMPTIVE));
    o.memory = w.memory = MEMORY_SC;
    assert_true(explorer_can(&strict, &o, RULES_PREEMPTIVE));
    text_free(&why);
    assert_ptr_equal(fit_choose(&strict, &w, &why), &strict);
    text_free(&why);
}

static void what_is_refused_is_not_explored(void **unused) {
    (void)unused;
    fixture f = fixture_open(program_text);
    explore_options o = exploring(POR_OPTIMAL, MATCH_AUTO);
    outcome out = search_fixture(&f, &o);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    assert_int_equal(out.stats.transitions, 0);
    outcome_free(&out);
    o.por = POR_AUTO;
    out = (outcome){0};
    dpor_run(f.m, &o, &out); /* it knows no cooperative threads */
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    outcome_free(&out);
    fixture_close(&f);
}

/* Loop heads are stops where stops are left open, but not at the cost of what was not. */
static void assert_ran(const fixture *f, const explore_options *how, const char *por, verdict expected) {
    outcome out = search_fixture(f, how);
    assert_string_equal(out.por, por);
    assert_int_equal(outcome_verdict(&out), expected);
    outcome_free(&out);
}

static void a_program_of_one_step_runs_as_it_was_asked(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_main(&k);
    put_add(&k, 0, 1);
    end_function(&k);
    fixture f = open_maker(&k);
    static const por_kind chosen[] = {POR_NONE, POR_AMPLE};
    static const search_order orders[] = {ORDER_DFS, ORDER_BFS, ORDER_ASTAR};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        for (size_t j = 0; j < sizeof chosen / sizeof *chosen; j++) {
            explore_options o = exploring(chosen[j], MATCH_AUTO);
            o.order = orders[i];
            o.loop_heads_if_needed = true;
            assert_ran(&f, &o, por_name(chosen[j]), VERDICT_SAFE);
        }
        explore_options open = exploring(POR_AUTO, MATCH_AUTO);
        open.order = orders[i];
        open.loop_heads_if_needed = true;
        assert_ran(&f, &open, i ? "none" : "ample", VERDICT_SAFE);
    }
    fixture_close(&f);
}

static void a_second_try_keeps_what_was_chosen(void **unused) {
    (void)unused;
    machine_options few = machine_default_options();
    few.step_forks = 20;
    fixture f = fixture_open_with("int x; thread A{while (?(bool)) x = 1 - x;} main{start;}", &few);
    static const struct {
        por_kind por;
        const char *ran;
        verdict expected;
    } cases[] = {{POR_AUTO, "stub-min", VERDICT_SAFE},
                 {POR_CT, "ct", VERDICT_SAFE},
                 {POR_DPOR, "dpor", VERDICT_UNKNOWN},
                 {POR_DPOR_STUB, "dpor-stub", VERDICT_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        explore_options o = exploring(cases[i].por, MATCH_AUTO);
        o.loop_heads_if_needed = true;
        assert_ran(&f, &o, cases[i].ran, cases[i].expected);
    }
    fixture_close(&f);
}

/* Whatever an explorer says it does not prove makes a doubt before it begins. */
static void gaps_are_doubts(void **unused) {
    (void)unused;
    fixture f = fixture_open(program_text);
    for (const explorer *const *e = explorers + 1; *e; e++)
        for (unsigned property = 1; property <= ALL_PROPERTIES; property <<= 1) {
            explore_options o = explore_default_options();
            o.properties = property;
            outcome out = {0};
            bool possible = explorer_settle(*e, f.m, &o, &out);
            bool proves = explorer_proves(*e) & property;
            assert_int_equal(out.doubts.size, !possible + !proves);
            outcome_free(&out);
        }
    fixture_close(&f);
}

/* --- which engine --------------------------------------------------------------------------------------- */

typedef struct question {
    kernel_rules kernel;
    const char *given[6]; /* name and value, in turn */
    const char *engine;   /* NULL: nobody can */
    const char *words;    /* in what is said then */
} question;

static const question questions[] = {
    {RULES_PREEMPTIVE, {0}, "auto", NULL},
    {RULES_SYSTEMC, {0}, "auto", NULL},
    {RULES_PREEMPTIVE, {"max-states", "5"}, "auto", NULL},
    {RULES_SYSTEMC, {"max-states", "5"}, "search", NULL},
    {RULES_SYSTEMC, {"max-states", "0"}, "auto", NULL},
    {RULES_PREEMPTIVE, {"por", "none"}, "search", NULL},
    {RULES_PREEMPTIVE, {"order", "dfs"}, "search", NULL},
    {RULES_PREEMPTIVE, {"stops", "loops"}, "auto", NULL},
    {RULES_PREEMPTIVE, {"stops", "statements"}, "search", NULL},
    {RULES_PREEMPTIVE, {"match", "esm"}, "search", NULL},
    {RULES_PREEMPTIVE, {"por", "persistent"}, "dpor", NULL},
    {RULES_SYSTEMC, {"por", "persistent"}, "cegar", NULL},
    {RULES_PREEMPTIVE, {"por", "persistent", "order", "bfs"}, "cegar", NULL},
    {RULES_PREEMPTIVE, {"order", "error-distance"}, "cegar", NULL},
    {RULES_PREEMPTIVE, {"state-tracking", "on"}, "lazypor", NULL},
    {RULES_SYSTEMC, {"certify", "on"}, "cegar", NULL},
    {RULES_PREEMPTIVE, {"what", "arg"}, "cegar", NULL},
    {RULES_PREEMPTIVE, {"what", "cfg"}, "auto", NULL},
    {RULES_PREEMPTIVE, {"engine", "esst", "what", "arg"}, "esst", NULL},
    {RULES_PREEMPTIVE, {"por", "optimal", "engine", "dpor"}, "dpor", NULL},
    {RULES_PREEMPTIVE, {"por", "optimal", "engine", "search"}, NULL, "it has the reductions none and ample"},
    {RULES_PREEMPTIVE, {"por", "optimal", "engine", "search"}, NULL, "engine dpor has it"},
    {RULES_SYSTEMC, {"engine", "dpor"}, NULL, "engines search, cegar and esst do"},
    {RULES_SYSTEMC, {"por", "optimal"}, NULL, "engine dpor has it for C, C++ and dlang"},
    {RULES_PREEMPTIVE, {"por", "optimal", "chain", "5"}, NULL, "'optimal' (dpor), option 'chain' (search)"},
    {RULES_PREEMPTIVE, {"guide", "fine"}, NULL, "only the order astar"},
    {RULES_SYSTEMC, {"por", "dpor", "order", "bfs"}, NULL, "none, ct, stub, stub2 and stub-min: dynamic"},
    {RULES_PREEMPTIVE, {"chain", "5", "match", "none"}, NULL, "chains are cut where visited states"},
    {RULES_PREEMPTIVE, {"engine", "dpor", "chain", "5"}, NULL, "engine search has it"},
    {RULES_PREEMPTIVE, {"engine", "cegar", "max-depth", "5"}, NULL, "engines search, dpor and lazypor"},
};

static void options_mean_an_engine(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];
        program p = {.kernel = q->kernel == RULES_SYSTEMC ? KERNEL_IVL : KERNEL_PREEMPTIVE};
        options o;
        text why = {0};
        options_init(&o);
        for (int k = 0; k < 6 && q->given[k]; k += 2)
            assert_true(options_set(&o, q->given[k], q->given[k + 1], &why));
        const explorer *chosen = choice_engine(&o, &p, &why);
        if (!chosen != !q->engine || (chosen && strcmp(chosen->name, q->engine)))
            fail_msg("question %zu: %s, %s", i, chosen ? chosen->name : "nobody", text_cstr(&why));
        if (!chosen && !strstr(text_cstr(&why), q->words))
            fail_msg("question %zu: \"%s\" does not say \"%s\"", i, text_cstr(&why), q->words);
        if (chosen) assert_int_equal(why.size, 0);
        text_free(&why);
        options_free(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_options),
        cmocka_unit_test(texts_name_the_engines_that_have_an_option),
        cmocka_unit_test(options_that_are_named_exist),
        cmocka_unit_test(what_was_chosen_is_kept_or_refused),
        cmocka_unit_test(memory_models_are_chosen_among),
        cmocka_unit_test(what_is_refused_is_not_explored),
        cmocka_unit_test(a_program_of_one_step_runs_as_it_was_asked),
        cmocka_unit_test(a_second_try_keeps_what_was_chosen),
        cmocka_unit_test(gaps_are_doubts),
        cmocka_unit_test(options_mean_an_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
