/* What a successor means for the verdict. */
#include "reduction/trace_class.h"
#include "search/internal.h"

#include <stdlib.h>

static bool is_wanted(const search *x, uint32_t check_index) {
    bool assertion = machine_check(x->machine, check_index)->kind == CHECK_ASSERTION;
    return x->options.properties & (assertion ? PROPERTY_ASSERT : PROPERTY_MEMORY);
}

static bool is_known(const search *x, violation_kind kind, uint32_t check_index) {
    for (size_t i = 0; i < x->out->violations.size; i++) {
        const violation *v = &x->out->violations.data[i];
        if (v->kind == kind && v->check == check_index && v->confirmed) return true;
    }
    return false;
}

static void record_queue(search *x, path *out) {
    for (size_t i = x->turn; i != x->queue.data[i].parent; i = x->queue.data[i].parent)
        vec_push(out, x->queue.data[i].by);
    for (size_t i = 0, j = out->size; i + 1 < j; i++) {
        path_step last = out->data[--j];
        out->data[j] = out->data[i];
        out->data[i] = last;
    }
}

/* The steps that led to the present state, then the present one. */
static void record_path(search *x, transition by, uint32_t index, path *out) {
    if (x->queue.size) record_queue(x, out);
    for (size_t i = 1; i < x->depth; i++) vec_push(out, x->stack.data[i].by);
    vec_push(out, ((path_step){by, index}));
}

static void found(search *x, violation_kind kind, uint32_t check_index, position where, transition by,
                  uint32_t index) {
    if (is_known(x, kind, check_index)) return;
    violation v = {.kind = kind, .check = check_index};
    record_path(x, by, index, &v.path);
    if (violation_confirm(x->machine, &v, &x->how)) {
        vec_push(&x->out->violations, v);
        if (!x->options.all) x->stop = true;
        return;
    }
    outcome_doubt(x->out, "a possible violation could not be confirmed by replay", where);
    vec_free(&v.path);
    valuation_destroy(v.inputs);
}

static void judge_violation(search *x, const successor *s, transition by, uint32_t index) {
    if (is_wanted(x, s->check))
        found(x, VIOLATION_CHECK, s->check, s->place, by, index);
    else if (machine_check(x->machine, s->check)->kind != CHECK_ASSERTION)
        outcome_doubt(x->out, "path ended at a violation of a property that is not checked", s->place);
}

bool search_judge(search *x, const successor *s, transition by, uint32_t index) {
    if (x->options.observe) {
        const state *from = x->queue.size ? x->queue.data[x->turn].s : search_top(x)->s;
        x->options.observe(x->options.observe_data, from, by, s);
    }
    switch (s->end) {
    case STEP_VIOLATION: judge_violation(x, s, by, index); break;
    case STEP_LIMIT: outcome_doubt(x->out, s->reason, s->place); break;
    case STEP_ASSUMED_AWAY: break;
    case STEP_FINISHED:
        if (x->options.dump_traces) search_record_trace(x, s, by, index);
        break;
    case STEP_STOPPED:
        if (x->options.properties & PROPERTY_DEADLOCK && by.thread == MACHINE_KERNEL &&
            machine_deadlocked(s->to))
            found(x, VIOLATION_DEADLOCK, 0, (position){0, 0}, by, index);
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

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void search_sort_traces(search *x) {
    uint64_t *list = x->out->trace_classes.data;
    size_t kept = 0, count = x->out->trace_classes.size;
    if (count) qsort(list, count, sizeof *list, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
    x->out->trace_classes.size = kept;
}
