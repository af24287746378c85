#include "report/advice.h"
#include "report/formats/formats.h"
#include "report/source_text.h"
#include "report/trace/sim_time.h"

enum { MOST_CHANGES = 40 }; /* per step in text; JSON has all of them */
enum { LONGEST_EXCERPT = 90, MOST_NATIVE_LINES = 20 };

enum { THREAD_COLOURS = 6 };

typedef struct paint {
    const char *good, *bad, *doubt, *strong, *faint, *off;
    const char *thread[THREAD_COLOURS];
} paint;

static const paint plain = {"", "", "", "", "", "", {"", "", "", "", "", ""}};
static const paint coloured = {
    "\033[1;32m",
    "\033[1;31m",
    "\033[1;33m",
    "\033[1m",
    "\033[2m",
    "\033[0m",
    {"\033[1;36m", "\033[1;35m", "\033[1;34m", "\033[1;33m", "\033[1;32m", "\033[1m"}};

typedef VEC(const char *) thread_names;

/* Threads take their colours in the order in which they appear. */
static const char *colour_of_thread(thread_names *seen, const char *thread, const paint *c) {
    size_t i = 0;
    while (i < seen->size && strcmp(seen->data[i], thread)) i++;
    if (i == seen->size) vec_push(seen, thread);
    return c->thread[i % THREAD_COLOURS];
}

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

/* The line of the program text without its indentation; of a long one the part around the column. */
static bool print_excerpt(const report *r, const char *file, position at, text *out) {
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

static void print_named(text *out, const char *verb, char *const *names, size_t count) {
    if (!count) return;
    text_format(out, "       %s", verb);
    for (size_t i = 0; i < count; i++) text_format(out, "%s %s", i ? "," : "", names[i]);
    text_char(out, '\n');
}

/* --- the trace ------------------------------------------------------------------------------------------ */

/* The file is said where it is not the program's own. */
static void print_line(const report *r, const char *file, position at, text *out) {
    if (file && strcmp(file, r->file)) text_format(out, "%s:", trace_short_file(file));
    text_format(out, "%u:%u", at.line, at.column);
}

static void print_step_header(const report *r, const trace_step *s, uint64_t resolution, size_t number,
                              const char *colour, const paint *c, text *out) {
    text_format(out, "%5zu. %s%s%s", number, colour, s->thread, c->off);
    if (strcmp(s->phase, "main")) {
        text_add(out, " at time ");
        sim_time_print(s->time, resolution, out);
        text_format(out, ", delta %llu", (unsigned long long)s->delta);
    }
    if (s->from.line) {
        text_add(out, ", from ");
        print_line(r, s->file, s->from, out);
    }
    if (s->thread_ended) {
        text_add(out, " to its end");
    } else if (s->to.line) {
        text_add(out, " to ");
        print_line(r, s->to_file, s->to, out);
    }
    text_char(out, '\n');
}

/* How a library type is made inside says nothing to its user. */
static bool is_inside_library_type(const char *name) {
    return strstr(name, ".__") || strstr(name, "._M_");
}

static bool is_same_text(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

/* The number in the last brackets of a[3], a.b[3].c; where the brackets are. */
static bool element_of(const char *name, unsigned long *index, size_t *open, size_t *close) {
    const char *bracket = strrchr(name, '[');
    char *end = NULL;
    if (!bracket || bracket[1] < '0' || bracket[1] > '9') return false;
    *index = strtoul(bracket + 1, &end, 10);
    *open = (size_t)(bracket - name);
    *close = (size_t)(end - name);
    return *end == ']';
}

/* How many changes from here on are the same one of neighbouring elements of an array. */
static size_t length_of_run(const trace_step *s, size_t first) {
    const trace_change *one = &s->changes.data[first];
    unsigned long index, next;
    size_t open, close, its_open, its_close, length = 1;
    if (!element_of(one->name, &index, &open, &close)) return 1;
    for (; first + length < s->changes.size; length++) {
        const trace_change *other = &s->changes.data[first + length];
        if (!element_of(other->name, &next, &its_open, &its_close) || next != index + length ||
            its_open != open || strncmp(one->name, other->name, open) != 0 ||
            strcmp(one->name + close, other->name + its_close) != 0 ||
            !is_same_text(one->before, other->before) || strcmp(one->after, other->after) != 0)
            break;
    }
    return length;
}

static void print_change(const trace_change *change, size_t elements, text *out) {
    unsigned long index;
    size_t open, close;
    text_add(out, "       ");
    if (elements > 1 && element_of(change->name, &index, &open, &close)) {
        text_add_bytes(out, change->name, open);
        text_format(out, "[%lu..%lu%s", index, index + elements - 1, change->name + close);
    } else {
        text_add(out, change->name);
    }
    if (change->before)
        text_format(out, ": %s -> %s\n", change->before, change->after);
    else
        text_format(out, " = %s\n", change->after);
}

/* Variables of the same name in several functions, such as a pointer that is handed on, with
 * the same value. */
static bool is_said_before(const trace_step *s, size_t index) {
    const trace_change *change = &s->changes.data[index];
    for (size_t i = 0; i < index; i++) {
        const trace_change *other = &s->changes.data[i];
        if (change->in && other->in && !strcmp(other->name, change->name) &&
            !strcmp(other->after, change->after) && is_same_text(other->before, change->before))
            return true;
    }
    return false;
}

static void print_changes(const trace_step *s, text *out) {
    enum { SHORTEST_RUN = 3 };
    size_t shown = 0;
    for (size_t i = 0; i < s->changes.size;) {
        const trace_change *change = &s->changes.data[i];
        size_t run = length_of_run(s, i);
        if (run < SHORTEST_RUN) run = 1;
        size_t first = i;
        i += run;
        if (is_inside_library_type(change->name) || is_said_before(s, first) || shown++ >= MOST_CHANGES)
            continue;
        print_change(change, run, out);
    }
    if (shown > MOST_CHANGES) text_format(out, "       and %zu more changes\n", shown - MOST_CHANGES);
}

static void print_output(const trace_step *s, text *out) {
    int lines = 0;
    for (const char *at = s->printed; at && *at && lines < MOST_NATIVE_LINES; lines++) {
        size_t length = strcspn(at, "\n");
        text_add(out, "       prints ");
        source_print(at, length, out);
        text_char(out, '\n');
        at += length + (at[length] == '\n');
    }
}

/* The line that it begins with. */
static void print_first_line(const report *r, const trace_step *s, const paint *c, text *out) {
    size_t before = out->size;
    text_format(out, "       %s", c->faint);
    bool there = s->from.line && print_excerpt(r, s->file ? s->file : r->file, s->from, out);
    if (there)
        text_format(out, "%s\n", c->off);
    else
        text_shorten(out, before);
}

static void print_step(const report *r, const trace *t, size_t index, const char *colour, const paint *c,
                       text *out) {
    const trace_step *s = &t->steps.data[index];
    print_step_header(r, s, t->resolution, index + 1, colour, c, out);
    print_first_line(r, s, c, out);
    for (size_t i = 0; i < s->inputs.size; i++)
        text_format(out, "       input %s = %s\n", s->inputs.data[i].name, s->inputs.data[i].value);
    print_changes(s, out);
    print_output(s, out);
    print_named(out, "notifies", s->notified.data, s->notified.size);
    print_named(out, "wakes", s->woken.data, s->woken.size);
    print_named(out, "waits for", s->waits.data, s->waits.size);
}

/* --- the trace of a preemptive program: one heading for each run of a thread ---------------------------- */

static bool is_changed(const trace_step *s, const char *name) {
    for (size_t i = 0; i < s->changes.size; i++)
        if (!strcmp(s->changes.data[i].name, name)) return true;
    return false;
}

/* A pointer after which memory is named has no other name for its value. */
static void print_read(const trace_value *read, const char *before, text *out) {
    text_format(out, "%s %s", before, read->name);
    if (strcmp(read->name, read->value) != 0) text_format(out, " = %s", read->value);
}

/* A cell that is changed as well shows its old value there. */
static void print_reads(const trace_step *s, text *out) {
    size_t shown = 0;
    for (size_t i = 0; i < s->reads.size; i++) {
        const trace_value *read = &s->reads.data[i];
        if (!is_changed(s, read->name) && !is_inside_library_type(read->name))
            print_read(read, shown++ ? "," : "       reads", out);
    }
    if (shown) text_char(out, '\n');
}

/* The first step of a thread often does nothing that anybody would see. */
static bool is_silent(const trace_step *s) {
    return !s->from.line && !s->call && !s->inputs.size && !s->changes.size && !s->created.size &&
           !s->waits.size && !s->thread_ended && !s->stuck && !s->looping;
}

static bool is_first_shown_of_thread(const trace *t, size_t step) {
    for (size_t i = 0; i < step; i++)
        if (!is_silent(&t->steps.data[i]) && !strcmp(t->steps.data[i].thread, t->steps.data[step].thread))
            return false;
    return true;
}

static void print_callers(const report *r, const trace_stack *stack, const char *indent, text *out) {
    for (size_t i = 0; i < stack->size; i++) {
        const trace_frame *f = &stack->data[i];
        const char *file = f->file ? f->file : r->file;
        text_format(out, "%scalled from %s at %s:%u:%u\n", indent, f->function, trace_short_file(file),
                    f->at.line, f->at.column);
    }
}

static bool is_same_stack(const trace_step *a, const trace_step *b) {
    if (a->stack.size != b->stack.size ||
        strcmp(a->function ? a->function : "", b->function ? b->function : ""))
        return false;
    for (size_t i = 0; i < a->stack.size; i++)
        if (a->stack.data[i].at.line != b->stack.data[i].at.line ||
            a->stack.data[i].at.column != b->stack.data[i].at.column ||
            strcmp(a->stack.data[i].function, b->stack.data[i].function) != 0)
            return false;
    return true;
}

/* "in push, called from main at 63:9", where that is news: not for every step of the same call. */
static void print_way(const report *r, const trace_step *s, const trace_step *before, text *out) {
    if (!s->stack.size || (before && !strcmp(before->thread, s->thread) && is_same_stack(s, before))) return;
    text_format(out, "       in %s", s->function);
    for (size_t i = 0; i < s->stack.size; i++) {
        const trace_frame *f = &s->stack.data[i];
        text_format(out, ", called from %s at ", f->function);
        print_line(r, f->file, f->at, out);
    }
    text_char(out, '\n');
}

static void print_run_step(const report *r, const trace *t, size_t step, size_t number,
                           const trace_step *before, text *out) {
    const trace_step *s = &t->steps.data[step];
    const char *file = s->file ? s->file : r->file;
    text_format(out, "%5zu. ", number);
    if (s->from.line) text_format(out, "%s:%u:%u  ", trace_short_file(file), s->from.line, s->from.column);
    if (s->call)
        text_add(out, s->call);
    else if (s->from.line)
        print_excerpt(r, file, s->from, out);
    else
        text_add(out, is_first_shown_of_thread(t, step) ? "begins" : "goes on inside the library");
    text_char(out, '\n');
    print_way(r, s, before, out);
    for (size_t i = 0; i < s->inputs.size; i++)
        text_format(out, "       input %s = %s\n", s->inputs.data[i].name, s->inputs.data[i].value);
    if (!s->call) print_reads(s, out);
    print_changes(s, out);
    print_named(out, "creates", s->created.data, s->created.size);
    print_named(out, "then waits for", s->waits.data, s->waits.size);
    if (s->thread_ended) text_add(out, "       ends\n");
    if (s->stuck) text_add(out, "       stops at an assumption that does not hold\n");
    if (s->looping) text_add(out, "       goes round in a loop for ever\n");
}

static bool shows_changes(const trace_step *s) {
    for (size_t i = 0; i < s->changes.size; i++)
        if (!is_inside_library_type(s->changes.data[i].name)) return true;
    return false;
}

static bool shows_reads(const trace_step *s) {
    for (size_t i = 0; i < s->reads.size; i++)
        if (!is_inside_library_type(s->reads.data[i].name)) return true;
    return false;
}

/* Insides of the C++ library take many steps at one place of the text, most of which tell nothing. */
static bool goes_on_there(const trace_step *s, const trace_step *before) {
    bool same_place = s->from.line && s->from.line == before->from.line &&
                      s->from.column == before->from.column && !s->call && is_same_stack(s, before);
    return same_place && !s->inputs.size && !shows_changes(s) && !shows_reads(s) && !s->created.size &&
           !s->waits.size && !s->thread_ended && !s->stuck && !s->looping;
}

static void print_all_inputs(const report *r, const trace *t, text *out) {
    bool some = false;
    for (size_t i = 0; i < t->steps.size; i++)
        for (size_t k = 0; k < t->steps.data[i].inputs.size; k++) {
            const trace_input *input = &t->steps.data[i].inputs.data[k];
            if (!some) text_add(out, "\nInputs:\n");
            some = true;
            text_format(out, "  %s = %s  (%s, %s:%u:%u)\n", input->name, input->value,
                        t->steps.data[i].thread, trace_short_file(input->file ? input->file : r->file),
                        input->at.line, input->at.column);
        }
}

static void print_run(const report *r, const trace *t, const char *title, const paint *c, text *out) {
    print_all_inputs(r, t, out);
    const char *shown = NULL; /* the thread of the last heading */
    thread_names seen = {0};
    const trace_step *before = NULL; /* the last that was shown */
    size_t number = 0;
    bool matters = false; /* the switch to the next step that is shown */
    text_format(out, "\n%s\n", title);
    for (size_t i = 0; i < t->steps.size; i++) {
        const trace_step *s = &t->steps.data[i];
        bool switched = !shown || strcmp(s->thread, shown);
        matters |= s->switched == SWITCH_NECESSARY;
        if (is_silent(s)) continue;
        number++;
        if (!switched && !matters && before && goes_on_there(s, before)) continue;
        if (switched)
            text_format(out, "  %s%s%s\n", colour_of_thread(&seen, s->thread, c), s->thread, c->off);
        if (switched && matters) text_add(out, "       (this switch matters)\n");
        matters = false;
        shown = s->thread;
        print_run_step(r, t, i, number, before, out);
        before = s;
    }
    vec_free(&seen);
}

static bool is_in_runs(const trace *t) {
    return t->steps.size && !strcmp(t->steps.data[0].phase, "run");
}

static void print_trace(const report *r, const trace *t, const char *title, const paint *c, text *out) {
    if (is_in_runs(t)) {
        print_run(r, t, title, c, out);
    } else {
        text_format(out, "\n%s\n", title);
        thread_names seen = {0};
        for (size_t i = 0; i < t->steps.size; i++)
            print_step(r, t, i, colour_of_thread(&seen, t->steps.data[i].thread, c), c, out);
        vec_free(&seen);
    }
    if (!t->followed) text_add(out, "  The replay ended before the recorded path did.\n");
}

/* --- violations ----------------------------------------------------------------------------------------- */

static void print_deadlock(const property *p, const paint *c, text *out) {
    bool in_runs = p->trace && is_in_runs(p->trace);
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
        print_excerpt(r, file, a->at, out);
        text_char(out, '\n');
        print_callers(r, &a->stack, "    ", out);
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
    if (p->trace) print_callers(r, &p->trace->stack, "  ", out);
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
    print_trace(r, p->trace, "How it happens:", c, out);
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
    for (int lines = 0; *s && lines < MOST_NATIVE_LINES; lines++) {
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
        print_trace(r, r->trace, "One schedule:", c, out);
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
