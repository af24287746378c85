#include "api/in_order.h"

#include "base/clock.h"
#include "native/simulator.h"
#include "simulator/simulator_run.h"

enum { MOST_STEPS = 10000 };
static const double most_seconds = 5;

bool in_order_is_possible(const session *s) {
    return program_kernel(s->program)->has_simulator;
}

typedef struct patience {
    session *s;
    double end; /* 0: without a clock */
} patience;

/* The limits of the exploration may be used up already. */
static bool is_out_of_patience(void *data) {
    const patience *p = data;
    return (p->end > 0 && clock_wall() > p->end) ||
           (p->s->control.interrupted &&
            atomic_load_explicit(p->s->control.interrupted, memory_order_relaxed));
}

static void summarise(const session *s, const simulator_run *run, const violation *v, text *out) {
    bool same = run->check == v->check;
    switch (run->end) {
    case SIMULATOR_ENDS: text_add(out, "does not fail with these inputs"); break;
    case SIMULATOR_FAILS:
        text_add(out, "fails with these inputs as well");
        if (!same && run->check != NO_INDEX)
            text_format(out, ", but at another check: %s", machine_check(s->machine, run->check)->text);
        break;
    case SIMULATOR_STOPS: text_format(out, "not known (%s)", reason_words(run->why)); break;
    }
}

in_order in_order_judge(session *s, violation *v, const trace *told) {
    in_order i = {0};
    if (!in_order_is_possible(s) || !v->inputs) return i;
    text stimulus = {0}, summary = {0};
    simulator_print_stimulus(told, &stimulus);
    bool with_clock = !s->options->value[OPTION_DETERMINISTIC].on;
    patience p = {s, with_clock ? clock_wall() + most_seconds : 0};
    simulator_request wanted = {.stimulus = text_cstr(&stimulus),
                                .steps = MOST_STEPS,
                                .properties = v->kind == VIOLATION_DEADLOCK ? PROPERTY_DEADLOCK : 0,
                                .interrupted = is_out_of_patience,
                                .interrupted_data = &p};
    simulator_run run;
    simulator_run_design(s->machine, &wanted, v->inputs, &run);
    summarise(s, &run, v, &summary);
    i.summary = mem_copy_string(text_cstr(&summary));
    i.printed = mem_copy_string(text_cstr(&run.printed));
    i.shown =
        (report_simulator){run.end != SIMULATOR_STOPS, run.end == SIMULATOR_FAILS, i.summary, i.printed};
    simulator_run_free(&run);
    text_free(&summary);
    text_free(&stimulus);
    return i;
}

void in_order_free(in_order *i) {
    mem_free(i->summary);
    mem_free(i->printed);
}

static bool is_asked_for(const session *s, const simulate_options *how, uint32_t check) {
    return check == NO_INDEX ||
           check_is_asked_for(how->properties, how->unasked, machine_check(s->machine, check)->kind);
}

/* The run was one with these inputs: with others the same steps may lead elsewhere. */
static void record_failure(session *s, const simulate_options *how, const simulator_run *r,
                           const valuation *inputs, outcome *out) {
    if (!is_asked_for(s, how, r->check)) {
        outcome_add_doubt(out,
                          (doubt){.why.kind = REASON_UNCHECKED_VIOLATION, .at = r->place, .file = r->file});
        return;
    }
    violation v = {.kind = r->check == NO_INDEX ? VIOLATION_DEADLOCK : VIOLATION_CHECK, .check = r->check};
    for (size_t k = 0; k < r->path.size; k++) vec_push(&v.path, r->path.data[k]);
    v.inputs = valuation_copy(inputs);
    v.confirmed = violation_replays_with(s->machine, &v, &(step_options){0}, v.inputs);
    assert(v.confirmed); /* it was one execution, which is made once more */
    outcome_add_violation(out, v);
}

void in_order_simulate(session *s, const simulate_options *how, const char *stimulus, outcome *out,
                       simulation *run) {
    double begin = clock_wall(), cpu_begin = clock_cpu();
    simulator_request wanted = {.stimulus = stimulus,
                                .steps = how->steps,
                                .properties = how->properties,
                                .interrupted = how->interrupted,
                                .interrupted_data = how->interrupted_data};
    *run = (simulation){.inputs = valuation_create()};
    simulator_run r;
    simulator_run_design(s->machine, &wanted, run->inputs, &r);
    run->path = r.path;
    run->printed = r.printed;
    if (r.end == SIMULATOR_STOPS)
        outcome_add_doubt(out, (doubt){.why = r.why, .at = r.place, .file = r.file});
    if (r.end == SIMULATOR_FAILS) record_failure(s, how, &r, run->inputs, out);
    out->engine = "simulation";
    out->stats.transitions = out->stats.depth = run->path.size;
    out->stats.executions = 1;
    out->stats.seconds = clock_wall() - begin;
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
    out->stats.peak_memory_bytes = memory_peak();
    outcome_conclude(out);
}
