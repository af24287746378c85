/* The trace of a text report. */
#include "report/formats/text_internal.h"
#include "report/source_text.h"
#include "report/trace/sim_time.h"

enum { MOST_CHANGES = 40 }; /* per step; JSON has all of them */

typedef VEC(const char *) thread_names;

/* Threads take their colours in the order in which they appear. */
static const char *colour_of_thread(thread_names *seen, const char *thread, const paint *c) {
    size_t i = 0;
    while (i < seen->size && strcmp(seen->data[i], thread)) i++;
    if (i == seen->size) vec_push(seen, thread);
    return c->thread[i % THREAD_COLOURS];
}

static void print_named(text *out, const char *verb, char *const *names, size_t count) {
    if (!count) return;
    text_format(out, "       %s", verb);
    for (size_t i = 0; i < count; i++) text_format(out, "%s %s", i ? "," : "", names[i]);
    text_char(out, '\n');
}

/* --- step by step --------------------------------------------------------------------------------------- */

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
    for (const char *at = s->printed; at && *at && lines < MOST_PRINTED_LINES; lines++) {
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
    bool there = s->from.line && report_text_excerpt(r, s->file ? s->file : r->file, s->from, out);
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

void report_text_callers(const report *r, const trace_stack *stack, const char *indent, text *out) {
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
        report_text_excerpt(r, file, s->from, out);
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

bool report_text_is_in_runs(const trace *t) {
    return t->steps.size && !strcmp(t->steps.data[0].phase, "run");
}

void report_text_trace(const report *r, const trace *t, const char *title, const paint *c, text *out) {
    if (report_text_is_in_runs(t)) {
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
