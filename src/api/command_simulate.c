#include "api/in_order.h"
#include "api/run.h"
#include "machine/setup.h"
#include "simulator/simulate.h"
#include "strategy/blame.h"

enum { SIMULATED_STEPS = 100 }; /* unless --max-transitions says otherwise */

static void collect_printed(const program *p, const trace *t, text *out) {
    if (p->elaboration.printed) text_add(out, p->elaboration.printed);
    for (size_t k = 0; k < t->steps.size; k++)
        if (t->steps.data[k].printed) text_add(out, t->steps.data[k].printed);
}

/* Why the options do not fit the program; NULL: they do. */
static const char *simulation_misfit(const heddle *h, const session *s, const source *inputs) {
    if (inputs->error) return inputs->error;
    if (h->options.value[OPTION_SCHEDULE].choice && !in_order_is_possible(s))
        return "the order of the simulator is that of SystemC designs in C++";
    return NULL;
}

static uint64_t simulated_steps(const heddle *h) {
    const option_value *v = h->options.value;
    if (v[OPTION_MAX_TRANSITIONS].given) return v[OPTION_MAX_TRANSITIONS].number;
    return v[OPTION_PRINTED].on && v[OPTION_SCHEDULE].choice ? UINT64_MAX : SIMULATED_STEPS;
}

static void tell_simulation(heddle *h, session *s, outcome *o, const simulation *run, heddle_result *r) {
    bool prints = h->options.value[OPTION_PRINTED].on, in_order = h->options.value[OPTION_SCHEDULE].choice;
    trace t = {0};
    if (run->inputs && !(prints && in_order)) {
        trace_request wanted = {.path = &run->path, .inputs = run->inputs};
        if (o->violations.size) wanted = run_request_trace(s, o, &o->violations.data[0]);
        wanted.path = &run->path;
        wanted.inputs = run->inputs;
        trace_build(s->machine, &wanted, &t);
    }
    report about = {.command = "simulate", .result = o, .one_schedule = true};
    about.counters = run_counters(s, o);
    about.trace = run->inputs ? &t : NULL;
    run_fill_result(h, s, &about, &t, r);
    r->ran_to_end = r->verdict == HEDDLE_UNKNOWN && !o->doubts.size && !o->violations.size && run->inputs;
    if (prints) {
        text printed = {0};
        if (!in_order) collect_printed(s->program, &t, &printed);
        result_replace(&r->text, text_cstr(in_order ? &run->printed : &printed));
        text_free(&printed);
    }
    trace_free(&t);
}

heddle_result *heddle_simulate(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    program *p = run_prepare(h, &q, NULL, r);
    if (p) {
        session s;
        outcome o = {0};
        simulation run = {0};
        const option_value *v = h->options.value;
        run_enter_stage(h, HEDDLE_ANALYSING);
        session_open(&s, p, &h->options, &q, &h->interrupted, h->begun);
        run_enter_stage(h, HEDDLE_EXPLORING);
        simulate_options how = {.seed = v[OPTION_SEED].number,
                                .steps = simulated_steps(h),
                                .properties = q.spec.properties,
                                .unasked = ~q.spec.kinds,
                                .interrupted = control_should_stop,
                                .interrupted_data = &s.control};
        source inputs =
            *run_written(h, OPTION_INPUTS) ? source_read(run_written(h, OPTION_INPUTS)) : (source){0};
        const char *misfit = simulation_misfit(h, &s, &inputs);
        if (misfit) {
            text said = {0};
            text_format(&said, "heddle: error: %s\n", misfit);
            result_replace(&r->diagnostics, text_cstr(&said));
            text_free(&said);
            r->verdict = HEDDLE_BAD_INPUT;
        } else {
            if (v[OPTION_SCHEDULE].choice)
                in_order_simulate(&s, &how, inputs.text, &o, &run);
            else
                simulate_run(s.machine, &how, &o, &run);
            blame_limits(&s.control, s.program, &o);
            tell_simulation(h, &s, &o, &run, r);
        }
        source_free(&inputs);
        simulation_free(&run);
        outcome_free(&o);
        session_close(&s);
    } else if (r->verdict == HEDDLE_UNKNOWN) {
        run_give_up(h, "simulate", r);
    }
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}
