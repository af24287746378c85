#include "explore/judge.h"

#include <stdlib.h>

judge judge_create(machine *m, const explore_options *options, outcome *out) {
    judge j = {.machine = m, .options = options, .out = out};
    j.how = (step_options){.effects = true, .stops = options->stops};
    /* An assertion that is not asked about is absent: if it cut its path it would hide violations that are.
     */
    j.how.continue_after_violation = options->all || !(options->properties & PROPERTY_ASSERT);
    return j;
}

static bool is_known(const judge *j, const violation *wanted) {
    for (size_t i = 0; i < j->out->violations.size; i++) {
        const violation *v = &j->out->violations.data[i];
        bool same = v->kind == VIOLATION_RACE ? v->places == wanted->places : v->check == wanted->check;
        if (v->kind == wanted->kind && same && v->confirmed) return true;
    }
    return false;
}

const char *judge_why_unconfirmed(const explore_options *o) {
    bool interrupted = o->interrupted && o->interrupted(o->interrupted_data);
    return interrupted ? "interrupted" : "a possible violation could not be confirmed by replay";
}

void judge_violation(judge *j, violation v, position where, path_recorder record, void *data) {
    if (is_known(j, &v)) return;
    record(data, &v.path);
    if (violation_confirm(j->machine, &v, &j->how)) {
        vec_push(&j->out->violations, v);
        if (!j->options->all) j->stop = true;
        return;
    }
    outcome_doubt(j->out, judge_why_unconfirmed(j->options), where);
    vec_free(&v.path);
    valuation_destroy(v.inputs);
}

static void judge_check(judge *j, const successor *s, path_recorder record, void *data) {
    check_kind kind = machine_check(j->machine, s->check)->kind;
    if (j->options->properties & property_of_check(kind))
        judge_violation(j, (violation){.kind = VIOLATION_CHECK, .check = s->check}, s->place, record, data);
    else if (!check_is_stated(kind))
        outcome_doubt(j->out, "path ended at a violation of a property that is not checked", s->place);
}

void judge_step_end(judge *j, const successor *s, path_recorder record, void *data) {
    if (s->end == STEP_VIOLATION) judge_check(j, s, record, data);
    if (s->end == STEP_LIMIT) outcome_add_doubt(j->out, (doubt){s->reason, s->place, s->file});
}

void judge_standstill(judge *j, const state *s, path_recorder record, void *data) {
    if (j->options->properties & PROPERTY_DEADLOCK && machine_deadlocked(j->machine, s))
        judge_violation(j, (violation){.kind = VIOLATION_DEADLOCK}, (position){0, 0}, record, data);
}

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void judge_sort_traces(outcome *o) {
    uint64_t *list = o->trace_classes.data;
    size_t kept = 0, count = o->trace_classes.size;
    if (count) qsort(list, count, sizeof *list, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
    o->trace_classes.size = kept;
}
