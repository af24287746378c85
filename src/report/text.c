#include "report/report.h"

enum { MOST_CHANGES = 40 }; /* per step in text; JSON has all of them */

typedef struct paint {
    const char *good, *bad, *doubt, *strong, *off;
} paint;

static const paint plain = {"", "", "", "", ""};
static const paint coloured = {"\033[1;32m", "\033[1;31m", "\033[1;33m", "\033[1m", "\033[0m"};

static void print_verdict_line(const report *r, const paint *c, text *out) {
    verdict v = report_verdict(r);
    const char *colour = v == VERDICT_SAFE ? c->good : v == VERDICT_UNSAFE ? c->bad : c->doubt;
    text reason = {0};
    report_reason(r, &reason);
    text_format(out, "%s%s%s", colour, report_verdict_name(v), c->off);
    if (reason.size) text_format(out, ": %s", text_cstr(&reason));
    text_char(out, '\n');
    text_free(&reason);
}

/* --- places --------------------------------------------------------------------------------------------- */

static void print_place(const report *r, const property *p, text *out) {
    if (p->at.line) text_format(out, "%s:%u:%u", r->file, p->at.line, p->at.column);
    if (*p->where) text_format(out, "%sin %s", p->at.line ? " " : "", p->where);
}

static void print_named(text *out, const char *verb, char *const *names, size_t count) {
    if (!count) return;
    text_format(out, "       %s", verb);
    for (size_t i = 0; i < count; i++) text_format(out, "%s %s", i ? "," : "", names[i]);
    text_char(out, '\n');
}

/* --- the trace ------------------------------------------------------------------------------------------ */

static void print_step_header(const trace_step *s, size_t number, const paint *c, text *out) {
    text_format(out, "%5zu. %s%s%s", number, c->strong, s->thread, c->off);
    if (strcmp(s->phase, "main"))
        text_format(out, " at time %llu, delta %llu", (unsigned long long)s->time,
                    (unsigned long long)s->delta);
    if (s->from.line) text_format(out, ", from %u:%u", s->from.line, s->from.column);
    if (s->thread_ended)
        text_add(out, " to its end");
    else if (s->to.line)
        text_format(out, " to %u:%u", s->to.line, s->to.column);
    text_char(out, '\n');
}

static void print_step(const trace_step *s, size_t number, const paint *c, text *out) {
    print_step_header(s, number, c, out);
    for (size_t i = 0; i < s->inputs.size; i++)
        text_format(out, "       input %s = %s\n", s->inputs.data[i].name, s->inputs.data[i].value);
    for (size_t i = 0; i < s->changes.size && i < MOST_CHANGES; i++) {
        const trace_change *change = &s->changes.data[i];
        if (change->before)
            text_format(out, "       %s: %s -> %s\n", change->name, change->before, change->after);
        else
            text_format(out, "       %s = %s\n", change->name, change->after);
    }
    if (s->changes.size > MOST_CHANGES)
        text_format(out, "       and %zu more changes\n", s->changes.size - MOST_CHANGES);
    print_named(out, "notifies", s->notified.data, s->notified.size);
    print_named(out, "wakes", s->woken.data, s->woken.size);
    print_named(out, "waits for", s->waits.data, s->waits.size);
}

static void print_trace(const trace *t, const char *title, const paint *c, text *out) {
    text_format(out, "\n%s\n", title);
    for (size_t i = 0; i < t->steps.size; i++) print_step(&t->steps.data[i], i + 1, c, out);
    if (!t->followed) text_add(out, "  The replay ended before the recorded path did.\n");
}

static void print_violation(const report *r, const property *p, const paint *c, text *out) {
    if (!strcmp(p->kind, "deadlock")) {
        text_format(out, "\n%sDeadlock:%s the simulation ends with threads that wait for ever.\n", c->bad,
                    c->off);
        for (size_t i = 0; p->trace && i < p->trace->blocked.size; i++)
            text_format(out, "  %s\n", p->trace->blocked.data[i]);
    } else {
        bool asserted = !strcmp(p->kind, "assert");
        text_format(out, "\n%s%s violated:%s %s\n  at ", c->bad, asserted ? "Assertion" : "Check", c->off,
                    p->text);
        print_place(r, p, out);
        text_char(out, '\n');
    }
    if (!p->trace) return;
    for (size_t i = 0; i < p->trace->values.size; i++)
        text_format(out, "  %s %s = %s\n", i ? "    " : "with", p->trace->values.data[i].name,
                    p->trace->values.data[i].value);
    print_trace(p->trace, "How it happens:", c, out);
    if (p->trace->followed) text_format(out, "       %sviolated here%s\n", c->bad, c->off);
}

/* --- everything else ------------------------------------------------------------------------------------ */

static size_t count_properties(const report *r, verdict v) {
    size_t n = 0;
    for (size_t i = 0; i < r->properties.size; i++) n += r->properties.data[i].verdict == v;
    return n;
}

static void print_summary(const report *r, text *out) {
    size_t safe = count_properties(r, VERDICT_SAFE), all = r->properties.size;
    if (r->one_schedule || r->internal_error) return;
    if (!all)
        text_add(out,
                 "\nThe program has nothing to verify: it contains no property of the selected kinds.\n");
    else if (safe == all)
        text_format(out, "\n%zu %s for every input and every schedule.\n", all,
                    all == 1 ? "property holds" : "properties hold");
    else if (safe)
        text_format(out, "\n%zu of %zu properties hold for every input and every schedule.\n", safe, all);
}

static void print_doubts(const report *r, text *out) {
    if (report_verdict(r) != VERDICT_UNKNOWN || !r->result->doubts.size) return;
    text_add(out, r->one_schedule ? "\nThe schedule ends here:\n"
                                  : "\nNo violation was found, but safety is not proved:\n");
    for (size_t i = 0; i < r->result->doubts.size; i++) {
        const doubt *d = &r->result->doubts.data[i];
        text_format(out, "  %s", d->reason);
        if (d->at.line) text_format(out, " (%s:%u:%u)", r->file, d->at.line, d->at.column);
        text_char(out, '\n');
    }
}

static size_t count_unreached(const report *r) {
    size_t n = 0;
    for (size_t i = 0; i < r->properties.size; i++) n += !r->properties.data[i].reached;
    return n;
}

static void print_vacuity(const report *r, const paint *c, text *out) {
    if (!report_is_vacuous(r)) return;
    size_t unreached = count_unreached(r);
    text_format(out, "\n%swarning:%s ", c->doubt, c->off);
    if (r->all_assumed_away)
        text_add(out, "every execution ends in a failed assumption.\n");
    else if (unreached == r->properties.size)
        text_add(out, "no property was ever reached; perhaps an assumption excludes every execution.\n");
    else
        text_add(out, "safe without having been reached on any execution:\n");
    if (unreached == r->properties.size) return;
    for (size_t i = 0; i < r->properties.size; i++) {
        const property *p = &r->properties.data[i];
        if (p->reached) continue;
        text_format(out, "  %s %s at ", p->kind, p->text);
        print_place(r, p, out);
        text_char(out, '\n');
    }
}

static void print_cost(const report *r, text *out) {
    const statistics *s = &r->counters.explorer;
    text_format(out, "\n%s", r->result->engine ? r->result->engine : "");
    if (r->result->por) text_format(out, ", reduction %s", r->result->por);
    if (r->result->match) text_format(out, ", matching %s", r->result->match);
    text_format(out, ": %llu states, %llu transitions, %llu solver queries, %.2f s, %.0f MB\n",
                (unsigned long long)s->states, (unsigned long long)s->transitions,
                (unsigned long long)s->solver_queries, s->seconds, (double)s->peak_memory_bytes / 1e6);
}

static void print_details(const report *r, text *out) {
    text_add(out, "\nProperties\n");
    for (size_t i = 0; i < r->properties.size; i++) {
        const property *p = &r->properties.data[i];
        text_format(out, "  %-7s  %-9s  %s  ", report_verdict_name(p->verdict), p->kind, p->text);
        print_place(r, p, out);
        text_add(out, p->reached ? "\n" : "  (never reached)\n");
    }
    text_add(out, "\nCounters\n");
    for (size_t i = 0; i < counter_count; i++) {
        const counter_info *k = &counter_table[i];
        text_format(out, k->kind == COUNTER_SECONDS ? "  %-22s %14.3f\n" : "  %-22s %14.0f\n", k->name,
                    counter_value(&r->counters, k));
    }
}

void report_print_text(const report *r, text_style style, text *out) {
    const paint *c = style.colour ? &coloured : &plain;
    print_verdict_line(r, c, out);
    if (style.quiet) return;
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->properties.data[i].verdict == VERDICT_UNSAFE)
            print_violation(r, &r->properties.data[i], c, out);
    if (r->one_schedule && r->trace && report_verdict(r) != VERDICT_UNSAFE)
        print_trace(r->trace, "One schedule:", c, out);
    print_doubts(r, out);
    print_summary(r, out);
    print_vacuity(r, c, out);
    print_cost(r, out);
    if (style.verbose) print_details(r, out);
}
