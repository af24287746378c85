#include "cli/stepper.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void put_text(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        fputc((c < ' ' && c != '\t') || c == 0x7f ? '?' : c, out);
    }
}

static const json_t *last_step(const stepper *s) {
    return s->at ? trace_view_step(s->view, s->at - 1) : NULL;
}

static const char *base_name(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void put_place(stepper *s, viewed_place p) {
    put_text(s->out, base_name(p.file));
    fprintf(s->out, ":%d:%d", p.line, p.column);
}

/* --- one step ------------------------------------------------------------------------------------------- */

/* "pthread_join(1, null)", or the line of the program. */
static void put_code(stepper *s, const json_t *step) {
    const char *call = view_text(step, "call"), *line = view_text(step, "source");
    put_text(s->out, *call ? call : line + strspn(line, " \t"));
}

static bool is_first_of_thread(const stepper *s, size_t number) {
    for (size_t i = 0; i + 1 < number; i++)
        if (!strcmp(trace_view_thread(s->view, i), trace_view_thread(s->view, number - 1))) return false;
    return true;
}

static void put_step_line(stepper *s, size_t number) {
    const json_t *step = trace_view_step(s->view, number - 1);
    viewed_place from = view_place(step, "from");
    fprintf(s->out, "step %zu of %zu  ", number, s->view->count);
    put_text(s->out, view_text(step, "thread"));
    const char *phase = view_text(step, "phase");
    bool simulates = *phase && strcmp(phase, "run") != 0;
    if (simulates) {
        fputs("  ", s->out);
        put_text(s->out, phase);
        fputs(", time ", s->out);
        put_text(s->out, view_text(step, "when"));
        fprintf(s->out, ", delta %lld", (long long)json_integer_value(json_object_get(step, "delta")));
    }
    if (from.line) {
        fputs("  ", s->out);
        put_place(s, from);
        fputs("  ", s->out);
        put_code(s, step);
    } else if (!simulates) {
        fputs(is_first_of_thread(s, number) ? "  begins" : "  goes on inside the library", s->out);
    }
    fputc('\n', s->out);
}

void show_where(stepper *s) {
    if (s->at)
        put_step_line(s, s->at);
    else
        fprintf(s->out, "before step 1 of %zu\n", s->view->count);
}

static void put_names(stepper *s, const json_t *step, const char *key, const char *verb) {
    const json_t *list = view_list(step, key);
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        fprintf(s->out, "%s", i ? ", " : "  ");
        if (!i) fprintf(s->out, "%s ", verb);
        put_text(s->out, json_string_value(one) ? json_string_value(one) : "");
    }
    if (json_array_size(list)) fputc('\n', s->out);
}

static void put_change(stepper *s, const json_t *change) {
    fputs("  ", s->out);
    put_text(s->out, view_text(change, "name"));
    bool was = json_is_string(json_object_get(change, "before"));
    fputs(was ? ": " : " = ", s->out);
    if (was) {
        put_text(s->out, view_text(change, "before"));
        fputs(" -> ", s->out);
    }
    put_text(s->out, view_text(change, "after"));
    fputc('\n', s->out);
}

/* How a library type is made inside says nothing to its user; `changes` and `print` tell on request. */
static bool is_inside_library_type(const json_t *variable) {
    const char *name = view_text(variable, "name");
    return strstr(name, ".__") || strstr(name, "._M_id._M_thread");
}

static void put_pairs(stepper *s, const json_t *list, const char *verb) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        if (is_inside_library_type(one)) continue;
        fprintf(s->out, "  %s ", verb);
        put_text(s->out, view_text(one, "name"));
        fputs(" = ", s->out);
        put_text(s->out, view_text(one, "value"));
        fputc('\n', s->out);
    }
}

void show_changes(stepper *s) {
    const json_t *list = view_list(last_step(s), "changes");
    size_t i;
    json_t *one;
    if (!json_array_size(list)) fputs("  nothing changed\n", s->out);
    json_array_foreach(list, i, one) put_change(s, one);
}

static bool is_set(const json_t *step, const char *key) {
    return json_is_true(json_object_get(step, key));
}

void show_step(stepper *s) {
    const json_t *step = last_step(s);
    show_where(s);
    if (!step) return;
    size_t i;
    json_t *one;
    put_pairs(s, view_list(step, "inputs"), "input");
    put_pairs(s, view_list(step, "reads"), "reads");
    const json_t *changes = view_list(step, "changes");
    json_array_foreach(changes, i, one) if (!is_inside_library_type(one)) put_change(s, one);
    const char *printed = view_text(step, "printed");
    if (*printed) {
        fputs("  prints ", s->out);
        put_text(s->out, printed);
        fputc('\n', s->out);
    }
    put_names(s, step, "notified", "notifies");
    put_names(s, step, "woken", "wakes");
    put_names(s, step, "created", "creates");
    put_names(s, step, "waits", "then waits for");
    if (is_set(step, "thread_ended")) fputs("  ends\n", s->out);
    if (is_set(step, "stuck")) fputs("  stops at an assumption that does not hold\n", s->out);
    if (is_set(step, "looping")) fputs("  goes round in a loop for ever\n", s->out);
    if (s->at == s->view->count) show_end(s);
}

void show_end(stepper *s) {
    const char *kind = view_text(s->view->property, "kind");
    if (!*kind) return;
    viewed_place at = view_place(s->view->property, "position");
    fprintf(s->out, "violated: %s: ", kind);
    put_text(s->out, view_text(s->view->property, "text"));
    if (at.line) {
        fputs(" at ", s->out);
        put_place(s, at);
    }
    fputc('\n', s->out);
    put_pairs(s, view_list(s->view->trace, "values"), "with");
    put_names(s, s->view->trace, "blocked", "blocked:");
    put_names(s, s->view->trace, "lost", "lost:");
    size_t i;
    json_t *one;
    const json_t *race = view_list(s->view->trace, "race");
    json_array_foreach(race, i, one) {
        fputs("  ", s->out);
        put_text(s->out, view_text(one, "thread"));
        fprintf(s->out, " %s ", view_text(one, "access"));
        put_text(s->out, view_text(one, "cell"));
        fputs(" at ", s->out);
        put_place(s, view_place(one, "position"));
        fputc('\n', s->out);
    }
}

/* --- source --------------------------------------------------------------------------------------------- */

/* Where the step was made; where the program stands, if it has no place of its own. */
static viewed_place present_place(const stepper *s) {
    const json_t *step = trace_view_step(s->view, s->at ? s->at - 1 : 0);
    viewed_place p = view_place(step, "from");
    return p.line ? p : view_place(step, "to");
}

static bool is_changed(const stepper *s, const char *file) {
    for (size_t i = 0; i < s->view->file_count; i++)
        if (!strcmp(s->view->files[i].name, file))
            return s->view->files[i].listed && s->view->files[i].changed;
    return false;
}

void show_source(stepper *s, int around) {
    viewed_place p = present_place(s);
    size_t length;
    if (!p.line || !trace_view_line(s->view, p.file, p.line, &length)) {
        fputs("no source here\n", s->out);
        return;
    }
    put_text(s->out, p.file);
    fputs(is_changed(s, p.file) ? " (changed since the trace was written)\n" : "\n", s->out);
    for (int line = p.line > around ? p.line - around : 1; line <= p.line + around; line++) {
        const char *text = trace_view_line(s->view, p.file, line, &length);
        if (!text) break;
        fprintf(s->out, "%c%5d  ", line == p.line ? '>' : ' ', line);
        char *copy = strndup(text, length);
        if (copy) put_text(s->out, copy);
        free(copy);
        fputc('\n', s->out);
    }
}

/* --- threads, inputs ------------------------------------------------------------------------------------ */

static void put_thread(stepper *s, const char *name, const json_t *step) {
    bool runs = s->at && !strcmp(trace_view_thread(s->view, s->at - 1), name);
    fputs(runs ? "* " : "  ", s->out);
    put_text(s->out, name);
    if (!json_is_object(step)) {
        fputs("  has not moved yet\n", s->out);
        return;
    }
    viewed_place to = view_place(step, "to");
    if (is_set(step, "thread_ended")) {
        fputs("  has ended\n", s->out);
        return;
    }
    if (to.line) {
        fputs("  at ", s->out);
        put_place(s, to);
    }
    if (is_set(step, "stuck")) fputs("  held by an assumption that does not hold", s->out);
    if (is_set(step, "looping")) fputs("  in a loop for ever", s->out);
    fputc('\n', s->out);
    put_names(s, step, "waits", "  waits for");
}

void show_threads(stepper *s) {
    json_t *seen = json_object(); /* keeps the order */
    for (size_t i = 0; i < s->view->count; i++) {
        const char *name = trace_view_thread(s->view, i);
        if (i < s->at)
            json_object_set(seen, name, (json_t *)(size_t)trace_view_step(s->view, i));
        else if (!json_object_get(seen, name))
            json_object_set_new(seen, name, json_null());
    }
    const char *name;
    json_t *step;
    json_object_foreach(seen, name, step) put_thread(s, name, step);
    json_decref(seen);
}

void show_inputs(stepper *s) {
    bool any = false;
    for (size_t i = 0; i < s->at; i++) {
        const json_t *list = view_list(trace_view_step(s->view, i), "inputs");
        size_t k;
        json_t *one;
        json_array_foreach(list, k, one) {
            any = true;
            fprintf(s->out, "  step %zu  ", i + 1);
            put_text(s->out, trace_view_thread(s->view, i));
            fputs("  ", s->out);
            put_text(s->out, view_text(one, "name"));
            fputs(" = ", s->out);
            put_text(s->out, view_text(one, "value"));
            fputc('\n', s->out);
        }
    }
    if (!any) fputs("  no input so far\n", s->out);
}

/* --- values --------------------------------------------------------------------------------------------- */

static bool is_wanted(const char *name, const char *pattern) {
    return !strcmp(name, pattern) || !fnmatch(pattern, name, 0);
}

/* Variables of functions are told apart by thread and function. */
static void note_value(json_t *seen, const char *thread, const json_t *of, const char *value, bool again) {
    const char *name = view_text(of, "name"), *in = view_text(of, "in");
    size_t room = strlen(name) + strlen(in) + strlen(thread) + 16;
    char *key = malloc(room);
    if (!key) return;
    snprintf(key, room, *in ? "%s  (%s, in %s)" : "%s", name, thread, in);
    if (again || !json_object_get(seen, key))
        json_object_set_new(seen, key, value ? json_string(value) : json_null());
    free(key);
}

static const char *text_or_null(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void note_values(json_t *seen, const json_t *step, const char *pattern, bool past) {
    size_t i;
    json_t *one;
    const char *thread = view_text(step, "thread");
    const json_t *reads = view_list(step, "reads"), *changes = view_list(step, "changes");
    json_array_foreach(reads, i, one) if (is_wanted(view_text(one, "name"), pattern))
        note_value(seen, thread, one, text_or_null(one, "value"), false);
    json_array_foreach(changes, i, one) if (is_wanted(view_text(one, "name"), pattern))
        note_value(seen, thread, one, text_or_null(one, past ? "after" : "before"), past);
}

/* What was changed last, else what is read or changed later: until then it has that value. */
void show_values(stepper *s, const char *pattern) {
    json_t *seen = json_object();
    for (size_t i = 0; i < s->view->count; i++)
        note_values(seen, trace_view_step(s->view, i), pattern, i < s->at);
    const char *name;
    json_t *value;
    size_t shown = 0;
    json_object_foreach(seen, name, value) {
        if (!json_is_string(value)) continue;
        const char *in = strstr(name, "  (");
        char *alone = strndup(name, in ? (size_t)(in - name) : strlen(name));
        fputs("  ", s->out);
        put_text(s->out, alone ? alone : "?");
        fputs(" = ", s->out);
        free(alone);
        put_text(s->out, json_string_value(value));
        put_text(s->out, in ? in : "");
        fputc('\n', s->out);
        shown++;
    }
    if (!shown) {
        fputs("  ", s->out);
        put_text(s->out, pattern);
        fputs(json_object_size(seen) ? " is not there yet\n" : ": the trace tells nothing of it\n", s->out);
    }
    json_decref(seen);
}

/* --- asking about steps --------------------------------------------------------------------------------- */

bool step_changes(const json_t *step, const char *pattern, const char *value) {
    const json_t *changes = view_list(step, "changes");
    size_t i;
    json_t *one;
    json_array_foreach(changes, i, one) if (is_wanted(view_text(one, "name"), pattern)) {
        const char *before = text_or_null(one, "before"), *after = view_text(one, "after");
        if (value ? !strcmp(after, value) : !before || strcmp(before, after)) return true;
    }
    return false;
}

static bool list_contains(const json_t *list, const char *text) {
    static const char *const keys[] = {"name", "before", "after", "value"};
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        if (json_is_string(one) && strstr(json_string_value(one), text)) return true;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strstr(view_text(one, keys[k]), text)) return true;
    }
    return false;
}

bool step_contains(const json_t *step, const char *text) {
    static const char *const texts[] = {"thread", "call", "source", "function", "printed", "phase"};
    static const char *const lists[] = {"changes", "inputs", "reads",  "notified",
                                        "woken",   "waits",  "created"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strstr(view_text(step, texts[k]), text)) return true;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (list_contains(view_list(step, lists[k]), text)) return true;
    return false;
}
