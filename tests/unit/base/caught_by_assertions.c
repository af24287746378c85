/* Mistakes of callers, each of which an assertion ends: they are made in a child process, which must be ended
 * by just that one. The modules they are made in are compiled with assertions for this program. */
#include "core_fixture.h"

#include "analysis/known.h"
#include "base/map.h"
#include "certify/certify.h"
#include "last_words.h"
#include "machine/state.h"
#include "partial/abstract.h"
#include "reduction/persistent.h"
#include "shrink/shrink.h"
#include "transform/tidy.h"

/* --- base ----------------------------------------------------------------------------------------------- */

static void take_from_an_empty_vector(void) {
    VEC(int) empty = {0};
    int taken = vec_pop(&empty);
    (void)taken;
}

static void remove_behind_a_vector(void) {
    VEC(int) one = {0};
    vec_push(&one, 1);
    vec_remove(&one, 1);
}

static void put_what_means_nothing(void) {
    map m = {0};
    map_put(&m, 1, MAP_NONE);
}

static void fill_a_map(void) {
    map m = {0};
    map_put(&m, 1, 1);
    m.size = m.capacity;
    map_get(&m, 2);
}

/* --- terms ---------------------------------------------------------------------------------------------- */

static const term *symbol(terms *c, unsigned width) {
    return term_symbol(c, width, 1, "x", 0);
}

static void mix_widths(void) {
    terms *c = terms_create();
    term_udiv(c, symbol(c, 8), symbol(c, 16));
}

static void extract_beyond(void) {
    terms *c = terms_create();
    terms_set_simplify(c, false);
    term_extract(c, symbol(c, 8), 4, 6);
}

static void mix_contexts(void) {
    terms *c = terms_create(), *other = terms_create();
    symbol(other, 16);
    term_ult(c, symbol(c, 8), symbol(other, 8));
}

static void substitute_another_width(void) {
    terms *c = terms_create();
    substitution_set(substitution_create(c), symbol(c, 8), term_const(c, 16, 1));
}

/* --- states --------------------------------------------------------------------------------------------- */

static const char sample[] =
    "int x = 1; event e; thread A{wait e; x = 5;} thread B{x = 7; wait e;} main{start;}";

static void write_what_others_see(void) {
    fixture f = fixture_open(sample);
    state *s = state_share(machine_initial(f.m, 0));
    state_own_thread(s, 0);
}

static void drop_what_is_not_there(void) {
    fixture f = fixture_open(sample);
    state_drop_object(machine_initial(f.m, 0), 100);
}

static void schedule_in_few_bits(void) {
    fixture f = fixture_open(sample);
    state *s = machine_initial(f.m, 0);
    scheduler_set_pending(state_own_scheduler(s), 0, term_const(f.c, 32, 1));
}

static void assume_a_number(void) {
    fixture f = fixture_open(sample);
    state_add_path(machine_initial(f.m, 0), term_const(f.c, 8, 1));
}

static void return_from_nowhere(void) {
    fixture f = fixture_open(sample);
    thread_part *t = state_own_thread(machine_initial(f.m, 0), 0);
    while (true) thread_pop_frame(t);
}

/* The state is checked after the step of somebody else. */
static void step_from_a_broken_state(void) {
    fixture f = fixture_open(sample);
    state *s = state_clone(walk(&f, "A"));
    state_own_thread(s, 1)->waits[0].event = 7;
    successors list = {0};
    step_list(&f, s, "B", &list);
}

static void step_of_somebody_who_waits(void) {
    fixture f = fixture_open(sample);
    successors list = {0};
    step_list(&f, walk(&f, "A"), "A", &list);
}

/* --- programs and what is known of them ----------------------------------------------------------------- */

static void begin_an_image_at_its_end(void) {
    static const initial_cell cells[] = {{.start = 4, .width = 8}, {.start = 0, .width = 32}};
    fixture f = fixture_open(sample);
    f.p->objects.data[0].image = cells;
    f.p->objects.data[0].image_cells = 2;
    still_create(f.p);
}

static void read_what_nobody_wrote(void) {
    fixture f = fixture_open(sample);
    position nowhere = {0, 0};
    uint32_t broken = program_add_function(f.p, "broken", FUNCTION_PLAIN, nowhere);
    uint32_t number = function_add_register(f.p, broken, (scalar_type){32, VIEW_SIGNED}, NULL);
    f.p->functions.data[broken].result = (scalar_type){32, VIEW_SIGNED};
    uint32_t first = function_add_block(f.p, broken), second = function_add_block(f.p, broken);
    function_emit(f.p, broken, first, INSTR_JUMP, nowhere)->target[0] = second;
    function_emit(f.p, broken, second, INSTR_RETURN, nowhere)->a = operand_register(number, 32);
    tidy_function(f.p, broken);
}

/* --- what is built on states ---------------------------------------------------------------------------- */

static bool never_mind(void *data, value in_a, value in_b) {
    (void)data, (void)in_a, (void)in_b;
    return true;
}

static void compare_what_stands_elsewhere(void) {
    fixture f = fixture_open(sample);
    abstract_each_difference(machine_initial(f.m, 0), walk(&f, "A"), never_mind, NULL);
}

static void take_more_than_is_enabled(void) {
    fixture f = fixture_open(sample);
    const state *s = walk(&f, "");
    transitions enabled = {0};
    machine_enabled(f.m, s, &enabled);
    persistent_complete(persistent_create(f.m, POR_STUB, true), s, &enabled, 8, NULL, NULL);
}

static void shrink_what_was_not_confirmed(void) {
    fixture f = fixture_open(sample);
    violation v = {.kind = VIOLATION_DEADLOCK};
    shrunk out;
    shrink_violation(f.m, &v, &(step_options){0}, &(shrink_budget){.steps = 1}, &out);
}

static void explore_inside_of_an_exploration(void) {
    fixture f = fixture_open(sample);
    explore_begin(f.m);
    explore_begin(f.m);
}

static void conclude_what_never_began(void) {
    fixture f = fixture_open(sample);
    explore_options how = explore_default_options();
    outcome out = {0};
    explore_conclude(f.m, &how, &out);
}

static void certify_two_explorations_at_once(void) {
    fixture f = fixture_open(sample);
    reason_kind trouble;
    const state *s = abstract_rename(f.m, machine_initial(f.m, 0), (rename_options){.apart = 1}, &trouble);
    certificate_writer *w = certificate_writer_create(f.m);
    certificate_writer_add(w, s, (invariant_kind){0, 1});
    certificate_writer_add(w, s, (invariant_kind){0, 2});
}

static const struct {
    mistake *make;
    const char *assertion;
} mistakes[] = {
    {take_from_an_empty_vector, "(&empty)->size"},
    {remove_behind_a_vector, "at_ < (&one)->size"},
    {put_what_means_nothing, "value != MAP_NONE"},
    {fill_a_map, "m->size < m->capacity"},
    {mix_widths, "fits_operator(op, width, value, arity, args)"},
    {extract_beyond, "fits_operator(op, width, value, arity, args)"},
    {mix_contexts, "belong_to(c, arity, args)"},
    {substitute_another_width, "symbol->width == by->width"},
    {write_what_others_see, "s->refs == 1"},
    {drop_what_is_not_there, "s->dynamic[i].name == name"},
    {schedule_in_few_bits, "due->width == 64"},
    {assume_a_number, "conjunct->width == 1"},
    {return_from_nowhere, "t->frame_count"},
    {step_from_a_broken_state, "broken invariant of a state: an awaited event is one of the program"},
    {step_of_somebody_who_waits, "may_be_asked(m, s, t)"},
    {begin_an_image_at_its_end, "images_are_ascending(p)"},
    {read_what_nobody_wrote, "only_parameters_come_in(f)"},
    {compare_what_stands_elsewhere, "abstract_same_control(a, b)"},
    {take_more_than_is_enabled, "n <= 64 && !(taken & ~all)"},
    {shrink_what_was_not_confirmed, "v->confirmed && v->inputs"},
    {explore_inside_of_an_exploration, "!m->explores"},
    {conclude_what_never_began, "m->explores"},
    {certify_two_explorations_at_once, "w->of.apart == of.apart"},
};

static void mistakes_are_caught(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *said = last_words(mistakes[i].make);
        if (!said) fail_msg("nobody caught: %s", mistakes[i].assertion);
        if (!strstr(said, mistakes[i].assertion)) fail_msg("%s, but not %s", said, mistakes[i].assertion);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
