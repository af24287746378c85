/* What a successor means for the verdict. */
#include "reduction/trace_class.h"
#include "search/internal.h"

static void record_queue(search *x, path *out) {
    for (size_t i = x->turn; i != x->queue.data[i].parent; i = x->queue.data[i].parent)
        vec_push(out, x->queue.data[i].by);
    for (size_t i = 0, j = out->size; i + 1 < j; i++) {
        path_step last = out->data[--j];
        out->data[j] = out->data[i];
        out->data[i] = last;
    }
}

typedef struct present_step {
    search *x;
    path_step step;
} present_step;

/* The steps that led to the present state, then the present one. */
static void record_path(void *data, path *out) {
    const present_step *present = data;
    search *x = present->x;
    if (x->queue.size) record_queue(x, out);
    for (size_t i = 1; i < x->depth; i++) vec_push(out, x->stack.data[i].by);
    vec_push(out, present->step);
}

bool search_judge(search *x, const successor *s, transition by, uint32_t index) {
    if (x->options.observe) {
        const state *from = x->queue.size ? x->queue.data[x->turn].s : search_top(x)->s;
        x->options.observe(x->options.observe_data, from, by, s);
    }
    judge j = {.machine = x->machine, .options = &x->options, .how = x->how, .out = x->out, .stop = x->stop};
    present_step present = {x, {by, index}};
    switch (s->end) {
    case STEP_VIOLATION:
    case STEP_LIMIT:
        judge_step_end(&j, s, record_path, &present);
        x->stop = j.stop;
        break;
    case STEP_ASSUMED_AWAY: break;
    case STEP_FINISHED:
        if (x->options.dump_traces) search_record_trace(x, s, by, index);
        break;
    case STEP_STOPPED:
        if (x->preemptive || by.thread == MACHINE_KERNEL) judge_standstill(&j, s->to, record_path, &present);
        x->stop = j.stop;
        return !x->stop;
    }
    x->stats->executions++;
    return false;
}

/* --- trace classes -------------------------------------------------------------------------------------- */

static trace_event event_of(path_step by, const effect *touched) {
    bool global = by.by.thread == MACHINE_KERNEL || by.by.thread == 0;
    return (trace_event){by.by.thread, by.successor << 8 | by.by.choice, global, touched};
}

void search_record_trace(search *x, const successor *last, transition by, uint32_t index) {
    VEC(trace_event) events = {0};
    for (size_t i = 1; i < x->depth; i++)
        vec_push(&events, event_of(x->stack.data[i].by, &x->stack.data[i].touched));
    vec_push(&events, event_of((path_step){by, index}, &last->touched));
    vec_push(&x->out->trace_classes, trace_class(events.data, events.size));
    vec_free(&events);
}
