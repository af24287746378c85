#include "certify/internal.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "machine/place.h"
#include "matching/matcher.h"

typedef VEC(state *) state_list;

typedef struct certifier {
    machine *machine;
    const explore_options *options;
    outcome *out;
    step_options how;
    limits limits;
    bool ignore_time;
    uint32_t apart;
    container within;
    VEC(state_list) met; /* by entry: states made of it */
    state_list waiting;  /* among them, not yet stepped */
    contained found;     /* for the present state */
    bool refused;
} certifier;

/* Whoever is interrupted knows nothing. */
static bool was_interrupted(const certifier *x) {
    return x->options->interrupted && x->options->interrupted(x->options->interrupted_data);
}

static void refuse(certifier *x, reason why, position at, const char *file) {
    x->refused = true;
    if (was_interrupted(x)) {
        outcome_doubt(x->out, REASON_INTERRUPTED, (position){0, 0});
        return;
    }
    outcome_doubt(x->out, REASON_NOT_CERTIFIED, (position){0, 0});
    outcome_add_doubt(x->out, (doubt){.why = why, .at = at, .file = file});
}

/* --- states --------------------------------------------------------------------------------------------- */

static bool say_not_different(void *data, value a, value b) {
    (void)data, (void)a, (void)b;
    return false;
}

static bool have_same_path(const state *a, const state *b) {
    if (state_path_count(a) != state_path_count(b)) return false;
    for (uint32_t i = 0; i < state_path_count(a); i++)
        if (state_path(a)[i] != state_path(b)[i]) return false;
    return true;
}

static bool was_met(const state_list *list, const state *s) {
    for (size_t i = 0; i < list->size; i++)
        if (have_same_path(list->data[i], s) && abstract_same_control(list->data[i], s) &&
            abstract_each_difference(list->data[i], s, say_not_different, NULL))
            return true;
    return false;
}

static position position_of(const certifier *x, const state *s, uint32_t thread, const char **file) {
    const program *p = machine_program(x->machine);
    *file = NULL;
    if (thread >= state_thread_count(s)) return (position){0, 0};
    const function *in = thread_visible_function(p, thread_of(s, thread));
    *file = in ? in->file : NULL;
    return thread_position(p, thread_of(s, thread));
}

static void note_state(certifier *x, contained_in in) {
    if (was_met(&x->met.data[in.entry], in.whole)) {
        state_release(x->machine, in.whole);
        return;
    }
    vec_push(&x->met.data[in.entry], in.whole);
    vec_push(&x->waiting, in.whole);
    x->out->stats.states++;
}

/* The state must be within the certificate; what it is in there is to be stepped if it is new. */
static void demand(certifier *x, const state *from, uint32_t moved, reason_kind otherwise) {
    reason_kind trouble;
    const char *file;
    position at = position_of(x, from, moved, &file);
    state *s = abstract_rename(x->machine, from,
                               (rename_options){.apart = x->apart, .ignore_time = x->ignore_time}, &trouble);
    if (!s) {
        refuse(x, (reason){.kind = trouble}, at, file);
        return;
    }
    vec_clear(&x->found);
    if (!container_find(&x->within, s, &x->found)) refuse(x, (reason){.kind = otherwise}, at, file);
    for (size_t i = 0; i < x->found.size; i++) note_state(x, x->found.data[i]);
    state_release(x->machine, s);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* An assertion that nobody asks about is absent; whatever else ends a path hides what comes behind. */
static bool is_harmless(const certifier *x, const successor *s) {
    check_kind kind = machine_check(x->machine, s->check)->kind;
    return check_is_stated(kind) && !(x->options->properties & property_of_check(kind));
}

static void judge_end(certifier *x, transition by, const successor *s) {
    switch (s->end) {
    case STEP_STOPPED:
        if (abstract_open_time(s->to))
            refuse(x, (reason){.kind = REASON_OPEN_TIME}, s->place, s->file);
        else
            demand(x, s->to, by.thread, REASON_CERTIFICATE_LEFT);
        break;
    case STEP_VIOLATION:
        if (!is_harmless(x, s)) refuse(x, (reason){.kind = REASON_CERTIFICATE_VIOLATES}, s->place, s->file);
        break;
    case STEP_LIMIT: refuse(x, s->why, s->place, s->file); break;
    case STEP_ASSUMED_AWAY:
    case STEP_FINISHED: break;
    }
}

static void take_all_steps(certifier *x, const state *s) {
    transitions enabled = {0};
    successors list = {0};
    machine_enabled(x->machine, s, &enabled);
    for (size_t i = 0; i < enabled.size && !x->refused; i++) {
        machine_step(x->machine, s, enabled.data[i], &x->how, &list);
        x->out->stats.transitions++;
        for (size_t k = 0; k < list.size && !x->refused; k++) judge_end(x, enabled.data[i], &list.data[k]);
        successors_clear(x->machine, &list);
    }
    successors_free(x->machine, &list);
    vec_free(&enabled);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void doubt_what_is_not_checked(const explore_options *o, outcome *out) {
    if (o->properties & (PROPERTY_DEADLOCK | PROPERTY_LIVELOCK | PROPERTY_RACE | PROPERTY_LEAK))
        outcome_doubt(out, REASON_CERTIFICATE_SILENT, (position){0, 0});
}

static void check_everything(certifier *x) {
    state *start = machine_initial(x->machine, x->how.stops);
    demand(x, start, 0, REASON_CERTIFICATE_NOT_ENTERED);
    state_release(x->machine, start);
    while (x->waiting.size && !x->refused && limits_allow(&x->limits))
        take_all_steps(x, vec_pop(&x->waiting));
    if (solver_stats(machine_solver(x->machine))->disagreements)
        refuse(x, (reason){.kind = REASON_SOLVERS_DISAGREE}, (position){0, 0}, NULL);
    assert(!x->refused || x->out->doubts.size); /* who refuses says why */
    x->out->complete = !x->waiting.size && !x->refused;
}

FOR_ASSERTIONS static uint64_t count_met(const certifier *x) {
    uint64_t met = 0;
    for (size_t i = 0; i < x->met.size; i++) met += x->met.data[i].size;
    return met;
}

void certify_run(machine *m, const certificate *c, const explore_options *options, outcome *out) {
    certifier x = {.machine = m, .options = options, .out = out};
    explore_begin(m);
    x.how = judge_create(m, options, out).how;
    x.how.stops = c->stops;
    x.how.effects = false;
    x.how.abstract = true;
    x.limits = limits_start(m, options, out);
    x.ignore_time =
        program_kernel(machine_program(m))->has_simulated_time && time_is_irrelevant(machine_program(m));
    x.apart = c->apart;
    container_open(&x.within, m, c);
    vec_reserve(&x.met, c->entries.size);
    for (size_t i = 0; i < c->entries.size; i++) vec_push(&x.met, ((state_list){0}));
    out->engine = "certificate";
    out->explored = EXPLORED_ABSTRACT_STATES;
    out->por = out->match = "none";
    out->stops = c->stops;
    x.how.stay_awake = true;
    doubt_what_is_not_checked(options, out);
    check_everything(&x);
    limits_refresh(&x.limits);
    slow_assert(count_met(&x) == out->stats.states);
    for (size_t i = 0; i < x.met.size; i++) {
        for (size_t k = 0; k < x.met.data[i].size; k++) state_release(m, x.met.data[i].data[k]);
        vec_free(&x.met.data[i]);
    }
    vec_free(&x.met);
    vec_free(&x.waiting);
    vec_free(&x.found);
    container_close(&x.within);
    explore_conclude(m, options, out);
}
