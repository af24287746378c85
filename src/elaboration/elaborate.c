#include "elaboration/internal.h"
#include "machine/output.h"

enum { MOST_INSTRUCTIONS = 1 << 30 };

/* Numbers have to be known. */
static bool is_concrete(const state *s) {
    return s->path_count == 0 && !s->uncertain;
}

static bool freeze(program *p, machine *m, const state *s) {
    freezing f = {.p = p, .m = m, .c = machine_terms(m), .s = s};
    find_names(&f);
    bool done = is_concrete(s) && freeze_objects(&f) && freeze_registry(&f) && freeze_frames(&f);
    map_free(&f.objects);
    map_free(&f.labels);
    vec_free(&f.names);
    return done;
}

/* main's state before `start`; NULL: it does not come there, or in several ways. */
static state *run_main(machine *m, address_order order) {
    successors list = {0};
    step_options plain = {0};
    machine_order_addresses(m, order);
    state *s = machine_initial(m);
    machine_step(m, s, (transition){0, 0}, &plain, &list);
    bool started = list.size == 1 && list.data[0].end == STEP_LIMIT &&
                   !strcmp(list.data[0].reason, MACHINE_NOT_ELABORATED);
    state *reached = started ? state_share(list.data[0].to) : NULL;
    successors_free(m, &list);
    state_release(m, s);
    return reached;
}

void elaborate(program *p, bool (*interrupted)(void *data), void *data) {
    if (!p->elaboration.pending) return;
    terms *c = terms_create();
    solver *solve = solver_create(c, NULL);
    machine_options how = machine_default_options();
    how.step_instructions = MOST_INSTRUCTIONS;
    how.interrupted = interrupted;
    how.interrupted_data = data;
    machine *m = machine_create(p, c, solve, &how);
    output printed = output_create(m);
    machine_watch watch = {.data = &printed, .prints = output_print};
    machine_set_watch(m, &watch);
    state *one = run_main(m, ADDRESSES_UPWARDS);
    machine_set_watch(m, NULL);
    state *other = one ? run_main(m, ADDRESSES_DOWNWARDS) : NULL;
    size_t functions = p->functions.size; /* the machine knows no more of them */
    bool done = other && state_identical(one, other) && freeze(p, m, one);
    if (one) state_release(m, one);
    if (other) state_release(m, other);
    size_t now = p->functions.size;
    p->functions.size = functions;
    machine_destroy(m);
    p->functions.size = now;
    solver_destroy(solve);
    terms_destroy(c);
    if (done) p->elaboration.pending = false;
    if (done && printed.printed.size)
        p->elaboration.printed = program_copy_text(p, text_cstr(&printed.printed));
    output_free(&printed);
}
