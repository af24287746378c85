#include "report/report.h"

static unsigned selecting_property(check_kind kind) {
    return kind == CHECK_ASSERTION ? PROPERTY_ASSERT : PROPERTY_MEMORY;
}

static const char *kind_name(check_kind kind) {
    static const char *const names[CHECK_KINDS] = {
        [CHECK_ASSERTION] = "assert", [CHECK_DIVISION] = "division", [CHECK_NULL] = "null",
        [CHECK_BOUNDS] = "bounds",    [CHECK_FREED] = "freed",       [CHECK_RECURSION] = "recursion"};
    return names[kind];
}

/* A property that was not violated holds only if nothing was left out. */
static verdict verdict_without_violation(const report *r) {
    return r->result->complete && !r->result->doubts.size && !r->one_schedule ? VERDICT_SAFE
                                                                              : VERDICT_UNKNOWN;
}

static const violation *find_violation(const outcome *o, violation_kind kind, uint32_t check, size_t *index) {
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        if (v->confirmed && v->kind == kind && (kind == VIOLATION_DEADLOCK || v->check == check)) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

static void judge(const report *r, property *p, violation_kind kind, uint32_t check, const trace *traces) {
    size_t index;
    p->verdict = verdict_without_violation(r);
    if (!find_violation(r->result, kind, check, &index)) return;
    p->verdict = VERDICT_UNSAFE;
    p->reached = true;
    p->trace = traces ? &traces[index] : NULL;
}

void report_list_properties(report *r, const machine *m, unsigned selected, const trace *traces) {
    for (uint32_t i = 0; i < machine_check_count(m); i++) {
        const check *c = machine_check(m, i);
        if (!(selecting_property(c->kind) & selected)) continue;
        property p = {kind_name(c->kind),
                      c->text,
                      c->thread_or_function ? c->thread_or_function : "",
                      c->at,
                      VERDICT_UNKNOWN,
                      machine_check_reached(m, i),
                      NULL};
        judge(r, &p, VIOLATION_CHECK, i, traces);
        vec_push(&r->properties, p);
    }
    if (selected & PROPERTY_DEADLOCK) {
        property p = {"deadlock",
                      "no thread waits for ever while nothing is pending",
                      "",
                      {0, 0},
                      VERDICT_UNKNOWN,
                      true,
                      NULL};
        judge(r, &p, VIOLATION_DEADLOCK, 0, traces);
        vec_push(&r->properties, p);
    }
}

const char *report_verdict_name(verdict v) {
    static const char *const names[] = {
        [VERDICT_SAFE] = "safe", [VERDICT_UNSAFE] = "unsafe", [VERDICT_UNKNOWN] = "unknown"};
    return names[v];
}

verdict report_verdict(const report *r) {
    verdict v = outcome_verdict(r->result);
    return v == VERDICT_SAFE && (r->one_schedule || r->internal_error) ? VERDICT_UNKNOWN : v;
}

void report_reason(const report *r, text *out) {
    if (r->internal_error) {
        text_add(out, "internal error: steps declared independent do not commute");
    } else if (report_verdict(r) == VERDICT_UNKNOWN) {
        if (r->result->doubts.size && !r->one_schedule) {
            const doubt *d = &r->result->doubts.data[0];
            text_add(out, d->reason);
            if (d->at.line) text_format(out, " (%s:%u:%u)", r->file, d->at.line, d->at.column);
        } else {
            text_add(out, r->one_schedule ? "one schedule only" : "the exploration did not finish");
        }
    }
}

bool report_is_vacuous(const report *r) {
    if (report_verdict(r) != VERDICT_SAFE) return false;
    if (r->all_assumed_away) return true;
    for (size_t i = 0; i < r->properties.size; i++)
        if (!r->properties.data[i].reached) return true;
    return false;
}

void report_free(report *r) {
    vec_free(&r->properties);
    json_decref(r->options);
    json_decref(r->bounds);
}
