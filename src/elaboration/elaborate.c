#include "elaboration/internal.h"
#include "machine/join.h"
#include "machine/output.h"
#include "machine/record.h"
#include "machine/setup.h"
#include "machine/watch.h"

enum { MOST_INSTRUCTIONS = 1 << 30 };

/* What is unknown has to be made of inputs. */
static bool is_fit(const freezing *f) {
    for (uint32_t k = 0; k < state_path_count(f->s); k++)
        if (!is_made_of_inputs(f, state_path(f->s)[k])) return false;
    return !state_is_uncertain(f->s) && !f->drawn->ambiguous;
}

static bool freeze(program *p, machine *m, const state *s, const drawn_inputs *drawn) {
    freezing f = {.p = p, .m = m, .c = machine_terms(m), .s = s, .drawn = drawn};
    find_names(&f);
    bool done = is_fit(&f) && freeze_objects(&f) && freeze_registry(&f) && freeze_frames(&f);
    map_free(&f.objects);
    map_free(&f.labels);
    vec_free(&f.names);
    vec_free(&f.later);
    return done;
}

typedef struct listener {
    output printed;
    const program *p;
    drawn_inputs drawn;
} listener;

static void hear_print(void *data, const state *s, print_form form, const value *given, uint32_t count) {
    listener *l = data;
    output_print(&l->printed, s, form, given, count);
}

static void hear_draw(void *data, const state *s, value name, uint32_t input, const term *symbol) {
    listener *l = data;
    note_drawn(&l->drawn, l->p, s, name, input, symbol);
}

/* Conditions of more ways than these would only be a burden. */
enum { MOST_WAYS = 64 };

static bool is_before_start(const successor *end) {
    return end->end == STEP_LIMIT && end->why.kind == REASON_NOT_ELABORATED;
}

/* What is not modelled and all of main comes to: nothing else is to be said about the design. */
static void end_at_limit(program *p, const successor *end) {
    uint32_t f = program_add_function(p, "main", FUNCTION_MAIN, end->place);
    p->functions.data[f].file = end->file;
    function_add_block(p, f);
    function_emit(p, f, 0, INSTR_UNSUPPORTED, end->place)->text =
        program_copy_text(p, reason_words(end->why));
    function_emit(p, f, 0, INSTR_RETURN, end->place);
    p->threads.data[0].function = f;
    p->elaboration.pending = false;
}

/* Where main comes to `start`, in one or several ways; NULL: elsewhere, too, or in ways that
 * are too different. */
static state *state_before_start(machine *m, const successors *list, bool ends_matter) {
    const state *ways[MOST_WAYS];
    size_t count = 0;
    bool good = true;
    for (size_t k = 0; k < list->size && good; k++) {
        step_end end = list->data[k].end;
        if (end == STEP_ASSUMED_AWAY || (end == STEP_FINISHED && !ends_matter)) continue;
        good = is_before_start(&list->data[k]) && count < MOST_WAYS;
        if (good) ways[count++] = list->data[k].to;
    }
    return good && count ? machine_join(m, ways, count) : NULL;
}

/* What all that main can do ends with; NULL: it can end in several ways. */
static const successor *only_end(const successors *list) {
    const successor *end = list->size == 1 ? list->data : NULL;
    if (!end || end->end != STEP_LIMIT) return NULL;
    bool some_inputs_may_lead_on = end->needed && !term_is_const(end->needed);
    return some_inputs_may_lead_on ? NULL : end;
}

/* main's state before `start`, or NULL. */
static state *run_main(machine *m, program *p, address_order order, bool ends_matter,
                       const machine_watch *watch, bool *parts) {
    successors list = {0};
    step_options plain = {.watch = watch, .addresses = order};
    state *s = machine_initial(m, 0);
    machine_step_thread(m, s, 0, &plain, &list);
    state *reached = state_before_start(m, &list, ends_matter);
    const successor *end = only_end(&list);
    if (end && !is_before_start(end) && end->why.kind != REASON_INTERRUPTED) end_at_limit(p, end);
    *parts = list.size > 1;
    successors_free(m, &list);
    state_release(m, s);
    return reached;
}

static const char *describe_work(program *p, const machine *m) {
    text said = {0};
    text_add(&said, "elaborating the design: ");
    machine_describe_work(m, &said);
    const char *kept = program_copy_text(p, text_cstr(&said));
    text_free(&said);
    return kept;
}

void elaborate(program *p, bool ends_matter, bool (*interrupted)(void *data), void *data) {
    if (!p->elaboration.pending) return;
    terms *c = terms_create();
    solver *solve = solver_create(c, NULL);
    machine_options how = machine_default_options();
    how.step_instructions = MOST_INSTRUCTIONS;
    how.path_gc = false; /* inputs of a counterexample fulfil all assumptions */
    how.interrupted = interrupted;
    how.interrupted_data = data;
    machine *m = machine_create(p, c, solve, &how);
    size_t functions = p->functions.size; /* the machine knows no more of them */
    listener l = {.printed = output_create(m), .p = p};
    machine_watch watch = {.data = &l, .prints = hear_print, .draws = hear_draw};
    bool parts = false;
    state *one = run_main(m, p, ADDRESSES_UPWARDS, ends_matter, &watch, &parts);
    state *other = one ? run_main(m, p, ADDRESSES_DOWNWARDS, ends_matter, NULL, &parts) : NULL;
    bool done = other && state_identical(one, other) && freeze(p, m, one, &l.drawn);
    if (one) state_release(m, one);
    if (other) state_release(m, other);
    size_t now = p->functions.size;
    p->functions.size = functions;
    if (!done && interrupted && interrupted(data)) p->elaboration.busy = describe_work(p, m);
    machine_destroy(m);
    p->functions.size = now;
    solver_destroy(solve);
    terms_destroy(c);
    if (done) p->elaboration.pending = false;
    if (!p->elaboration.pending && !parts && l.printed.printed.size) /* else it is of several ways */
        p->elaboration.printed = program_copy_text(p, text_cstr(&l.printed.printed));
    output_free(&l.printed);
    vec_free(&l.drawn.all);
}
