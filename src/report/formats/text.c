#include "report/advice.h"
#include "report/formats/text_internal.h"
#include "report/source_text.h"

enum { LONGEST_EXCERPT = 90 };

static const paint plain = {"", "", "", "", "", "", {"", "", "", "", "", ""}};
static const paint coloured = {
    "\033[1;32m",
    "\033[1;31m",
    "\033[1;33m",
    "\033[1m",
    "\033[2m",
    "\033[0m",
    {"\033[1;36m", "\033[1;35m", "\033[1;34m", "\033[1;33m", "\033[1;32m", "\033[1m"}};

static void print_verdict_line(const report *r, const paint *c, text *out) {
    verdict v = outcome_verdict(r->result);
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
    if (p->at.line) text_format(out, "%s:%u:%u", p->file ? p->file : r->file, p->at.line, p->at.column);
    if (*p->where) text_format(out, "%sin %s", p->at.line ? " " : "", p->where);
}

bool report_text_excerpt(const report *r, const char *file, position at, text *out) {
    size_t length, begin, end;
    const char *s = report_source_line(r->files, r->text_count, file, at.line, &length);
    if (!s) return false;
    size_t indentation = strspn(s, " \t"), column = at.column > indentation ? at.column - indentation - 1 : 0;
    s += indentation;
    length -= indentation;
    source_window(s, length, column < length ? column : 0, LONGEST_EXCERPT, &begin, &end);
    if (begin) text_add(out, "… ");
    source_print(s + begin, end - begin, out);
    if (end < length) text_add(out, " …");
    return length > 0;
}

/* --- violations ----------------------------------------------------------------------------------------- */

static void print_deadlock(const property *p, const paint *c, text *out) {
    bool in_runs = p->trace && report_text_is_in_runs(p->trace);
    bool partial = in_runs && p->trace->others.size;
    text_format(out, "\n%sDeadlock%s:%s %s\n", c->bad, partial ? " of some threads" : "", c->off,
                partial   ? "these are blocked for ever:"
                : in_runs ? "no thread can go on, and these are blocked for ever:"
                          : "the simulation ends with threads that wait for ever.");
    for (size_t i = 0; p->trace && i < p->trace->blocked.size; i++)
        text_format(out, "  %s\n", p->trace->blocked.data[i]);
    if (partial) text_add(out, "while\n");
    for (size_t i = 0; partial && i < p->trace->others.size; i++)
        text_format(out, "  %s\n", p->trace->others.data[i]);
}

static void print_livelock(const property *p, const paint *c, text *out) {
    text_format(out, "\n%sLivelock:%s nobody is left to change what these wait for:\n", c->bad, c->off);
    for (size_t i = 0; p->trace && i < p->trace->blocked.size; i++)
        text_format(out, "  %s\n", p->trace->blocked.data[i]);
    bool others = p->trace && p->trace->others.size;
    if (others) text_add(out, "while\n");
    for (size_t i = 0; others && i < p->trace->others.size; i++)
        text_format(out, "  %s\n", p->trace->others.data[i]);
}

static void print_race(const report *r, const property *p, const paint *c, text *out) {
    text_format(out, "\n%sData race:%s nothing orders these accesses.\n", c->bad, c->off);
    for (size_t i = 0; p->trace && i < p->trace->race.size; i++) {
        const trace_access *a = &p->trace->race.data[i];
        const char *file = a->file ? a->file : r->file;
        text_format(out, "  %s %s %s at %s:%u:%u: ", a->thread, a->access, a->cell, file, a->at.line,
                    a->at.column);
        report_text_excerpt(r, file, a->at, out);
        text_char(out, '\n');
        report_text_callers(r, &a->stack, "    ", out);
    }
}

/* The line of the check with a mark below its column. */
static void print_marked_line(const report *r, const property *p, const paint *c, text *out) {
    size_t length;
    const char *s =
        report_source_line(r->files, r->text_count, p->file ? p->file : r->file, p->at.line, &length);
    if (!s || !*s) return;
    size_t column = p->at.column ? p->at.column - 1 : 0, begin, end;
    if (column > length) return;
    source_window(s, length, column, LONGEST_EXCERPT, &begin, &end);
    text_format(out, "%s%7u |%s %s", c->faint, p->at.line, c->off, begin ? "… " : "");
    source_print(s + begin, end - begin, out);
    text_format(out, "%s\n%s        |%s %s", end < length ? " …" : "", c->faint, c->off, begin ? "  " : "");
    source_print_blanks(s + begin, column - begin, out);
    text_format(out, "%s^%s\n", c->bad, c->off);
}

static void print_check(const report *r, const property *p, const paint *c, text *out) {
    const char *said = !strcmp(p->kind, "assert")  ? "Assertion violated"
                       : !strcmp(p->kind, "reach") ? "Reached"
                                                   : "Check violated";
    text_format(out, "\n%s%s:%s ", c->bad, said, c->off);
    source_print(p->text, strlen(p->text), out);
    text_add(out, "\n  at ");
    print_place(r, p, out);
    text_char(out, '\n');
    print_marked_line(r, p, c, out);
    if (p->trace) report_text_callers(r, &p->trace->stack, "  ", out);
    for (size_t i = 0; p->trace && i < p->trace->lost.size; i++)
        text_format(out, "  %s\n", p->trace->lost.data[i]);
}

static bool costs_differ(const trace *t) {
    return t->first.steps != t->now.steps || t->first.switches != t->now.switches;
}

static void print_matters(const report *r, const trace *t, text *out) {
    size_t before = out->size;
    text_char(out, '\n');
    trace_print_matters(t, r->file, out);
    if (costs_differ(t))
        text_format(out, "Shrunk from %zu steps with %zu context switches to %zu with %zu.\n", t->first.steps,
                    t->first.switches, t->now.steps, t->now.switches);
    if (out->size == before + 1) text_shorten(out, before);
}

static const char *where_it_races(const trace *t) {
    return t->race.size && t->race.data[0].step ? "the second access is next" : "both accesses are next";
}

static void print_violation(const report *r, const property *p, const paint *c, text *out) {
    bool race = !strcmp(p->kind, "race");
    if (!strcmp(p->kind, "livelock"))
        print_livelock(p, c, out);
    else if (!strcmp(p->kind, "deadlock"))
        print_deadlock(p, c, out);
    else if (race)
        print_race(r, p, c, out);
    else
        print_check(r, p, c, out);
    if (!p->trace) return;
    for (size_t i = 0; i < p->trace->values.size; i++)
        text_format(out, "  %s %s = %s\n", i ? "    " : "with", p->trace->values.data[i].name,
                    p->trace->values.data[i].value);
    report_text_trace(r, p->trace, "How it happens:", c, out);
    if (p->trace->followed)
        text_format(out, "       %s%s%s\n", c->bad, race ? where_it_races(p->trace) : "violated here",
                    c->off);
    print_matters(r, p->trace, out);
}

void report_print_violation(const report *r, const property *p, text *out) {
    print_violation(r, p, &plain, out);
}

/* --- everything else ------------------------------------------------------------------------------------ */

static size_t count_properties(const report *r, verdict v) {
    size_t n = 0;
    for (size_t i = 0; i < r->properties.size; i++) n += r->properties.data[i].verdict == v;
    return n;
}

static void print_summary(const report *r, text *out) {
    size_t safe = count_properties(r, VERDICT_SAFE), all = r->properties.size;
    if (r->one_schedule || outcome_verdict(r->result) == VERDICT_ERROR || r->unseen) return;
    if (!all && outcome_verdict(r->result) != VERDICT_SAFE)
        text_add(out, "\nUp to there no check of the selected kinds was met.\n");
    else if (!all && r->library_checks)
        text_format(
            out,
            "\n%zu %s inside library functions %s; the program itself makes none of the selected kinds.\n",
            r->library_checks, r->library_checks == 1 ? "check" : "checks",
            r->library_checks == 1 ? "holds" : "hold");
    else if (!all)
        text_add(out, "\nNo execution comes to a check of the selected kinds.\n");
    else if (safe == all)
        text_format(out, "\n%zu %s for every input and every schedule.\n", all,
                    all == 1 ? "property holds" : "properties hold");
    else if (safe)
        text_format(out, "\n%zu of %zu properties hold for every input and every schedule.\n", safe, all);
}

static void print_doubts(const report *r, text *out) {
    verdict v = outcome_verdict(r->result);
    bool found = v == VERDICT_UNSAFE;
    bool all = json_is_true(json_object_get(r->options, "all")); /* else nobody has looked any further */
    if (v == VERDICT_SAFE || v == VERDICT_ERROR || (found && !all) || !r->result->doubts.size) return;
    text_add(out, r->one_schedule ? "\nThe schedule ends here:\n"
                  : found         ? "\nThere may be further violations:\n"
                                  : "\nNo violation was found, but safety is not proved:\n");
    for (size_t i = 0; i < r->result->doubts.size; i++) {
        const doubt *d = &r->result->doubts.data[i];
        text_format(out, "  %s", reason_words(d->why));
        if (d->at.line)
            text_format(out, " (%s:%u:%u)", d->file ? d->file : r->file, d->at.line, d->at.column);
        const char *hint = advice_for(r, d);
        if (d->about) {
            text_add(out, "\n    ");
            source_print(d->about, strlen(d->about), out);
        }
        if (hint) text_format(out, "\n    %s", hint);
        text_char(out, '\n');
    }
}

static void print_remark(const char *head, const char *said, const paint *c, text *out) {
    text_format(out, "%s%s:%s ", c->strong, head, c->off);
    source_print(said, strlen(said), out);
    text_add(out, ".\n");
}

/* A destructor is several functions. */
static bool is_missing_before(const report *r, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (!strcmp(r->missing[i].name, r->missing[index].name)) return true;
    return false;
}

/* All at once: nobody wants to hear of them one by one. */
static void print_missing(const report *r, text *out) {
    if (outcome_verdict(r->result) != VERDICT_UNKNOWN || r->missing_count < 2) return;
    size_t names = 0;
    for (size_t i = 0; i < r->missing_count; i++) names += !is_missing_before(r, i);
    text_format(out, "\n%zu functions that it may call have no body:", names);
    for (size_t i = 0; i < r->missing_count; i++)
        if (!is_missing_before(r, i)) text_format(out, "%s %s", i ? "," : "", r->missing[i].name);
    text_char(out, '\n');
}

static void print_notes(const report *r, const paint *c, text *out) {
    if (r->notes.size || r->assumes.size) text_char(out, '\n');
    for (size_t i = 0; i < r->notes.size; i++) print_remark("note", r->notes.data[i].text, c, out);
    for (size_t i = 0; i < r->assumes.size; i++) print_remark("assumes", r->assumes.data[i].text, c, out);
}

static void print_count(text *out, const char *before, uint64_t count, const char *one, const char *many) {
    text_format(out, "%s%llu %s", before, (unsigned long long)count, count == 1 ? one : many);
}

static bool matches_states(const outcome *o) {
    match_kind by;
    return o->match && match_from_name(o->match, &by) && by != MATCH_NONE;
}

static void print_cost(const report *r, text *out) {
    const statistics *s = &r->counters.explorer;
    if (r->unseen && !r->result->engine) return; /* there is nothing to tell */
    text_char(out, '\n');
    for (size_t i = 0; i < r->given_up_count; i++)
        text_format(out, "%s, reduction %s: given up after %.2f s, %s\n", r->given_up[i].engine,
                    r->given_up[i].por ? r->given_up[i].por : "none", r->given_up[i].seconds,
                    reason_words(r->given_up[i].why));
    text_add(out, r->result->engine ? r->result->engine : "");
    if (r->result->por) text_format(out, ", reduction %s", r->result->por);
    if (r->result->match) text_format(out, ", matching %s", r->result->match);
    print_count(out, ": ", s->states, "state", "states");
    print_count(out, ", ", s->transitions, "transition", "transitions");
    if (!matches_states(r->result)) print_count(out, ", ", s->executions, "execution", "executions");
    print_count(out, ", ", s->solver_queries, "solver query", "solver queries");
    text_format(out, ", %.2f s, %.0f MB\n", s->seconds, (double)s->peak_memory_bytes / 1e6);
}

static void print_certificate(const report *r, text *out) {
    const report_certificate *k = r->certificate;
    if (!k) return;
    text_add(out, k->confirmed ? "certified" : "not certified");
    print_count(out, ": certificate of ", k->states, "state", "states");
    print_count(out, ", checked ", k->effort->states, "state", "states");
    print_count(out, " and ", k->effort->transitions, "transition", "transitions");
    print_count(out, ", ", k->effort->solver_queries, "solver query", "solver queries");
    text_format(out, ", %.2f s\n", k->effort->seconds);
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

/* What the compiled program printed, indented; the beginning says enough. */
static void print_native(const report *r, const paint *c, text *out) {
    if (!r->native) return;
    text_format(out, "\n%sNative replay:%s %s.\n", c->strong, c->off, r->native->summary);
    const char *s = r->native->printed;
    for (int lines = 0; *s && lines < MOST_PRINTED_LINES; lines++) {
        size_t length = strcspn(s, "\n");
        text_add(out, "  | ");
        source_print(s, length, out);
        text_char(out, '\n');
        s += length + (s[length] == '\n');
    }
}

static void print_simulator_order(const report *r, const paint *c, text *out) {
    if (r->simulator)
        text_format(out, "\n%sIn the order of Accellera's simulator:%s %s.\n", c->strong, c->off,
                    r->simulator->summary);
}

static void print_body(const report *r, text_style style, const paint *c, text *out) {
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->properties.data[i].verdict == VERDICT_UNSAFE)
            print_violation(r, &r->properties.data[i], c, out);
    if (r->one_schedule && r->trace && outcome_verdict(r->result) != VERDICT_UNSAFE)
        report_text_trace(r, r->trace, "One schedule:", c, out);
    print_simulator_order(r, c, out);
    print_native(r, c, out);
    print_doubts(r, out);
    print_missing(r, out);
    print_summary(r, out);
    print_notes(r, c, out);
    print_cost(r, out);
    print_certificate(r, out);
    if (style.verbose) print_details(r, out);
}

void report_print_text(const report *r, text_style style, text *out) {
    const paint *c = style.colour ? &coloured : &plain;
    print_verdict_line(r, c, out);
    if (!style.quiet) print_body(r, style, c, out);
    if (style.verdict_line) text_format(out, "Verdict: %s\n", r->svcomp);
}
