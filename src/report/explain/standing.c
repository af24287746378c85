#include "report/explain/standing.h"

standing standing_of(replay *r, const report_file *files, size_t count, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    bool before_operation = program_kernel(r->p)->steps_are_operations;
    standing here = {.at = before_operation ? operation_position(r, s, thread) : thread_position(r->p, t)};
    if (frame_count_of(t)) here.file = thread_file(r->p, t);
    if (!here.file) here.file = mem_copy_string(r->p->file);
    here.function = mem_copy_string(frame_count_of(t) ? thread_function(r->p, t) : "");
    if (before_operation && frame_count_of(t)) here.call = thread_told_call(r, s, thread);
    json_t *line = report_line_json(files, count, here.file, here.at);
    if (json_is_string(line)) here.source = mem_copy_string(json_string_value(line));
    json_decref(line);
    return here;
}

void standing_free(standing *s) {
    mem_free(s->file);
    mem_free(s->function);
    mem_free(s->call);
    mem_free(s->source);
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The next character that is code; the end of the text if there is none. Comments at the end of a line are
 * none, whatever is in quotes is code. */
static const char *next_code(const char *s, char *quote) {
    while (!*quote && is_blank(*s)) s++;
    if (!*quote && s[0] == '/' && s[1] == '/') return s + strlen(s);
    if (*quote && *s == '\\' && s[1]) return s;
    if (*s == '"' || *s == '\'') *quote = !*quote ? *s : *quote == *s ? 0 : *quote;
    return s;
}

static bool is_same_code(const char *a, const char *b) {
    char quote_a = 0, quote_b = 0;
    for (;; a++, b++) {
        a = next_code(a, &quote_a);
        b = next_code(b, &quote_b);
        if (*a != *b) return false;
        if (!*a) return true;
        if (quote_a && *a == '\\' && a[1]) { /* what it escapes is no quote */
            if (*++a != *++b) return false;
        }
    }
}

/* How many characters that are no blanks come before this column: indentation does not count. */
static uint32_t column_of_code(const char *line, uint32_t column) {
    uint32_t count = 0;
    for (uint32_t k = 1; k < column && line[k - 1]; k++) count += !is_blank(line[k - 1]);
    return count;
}

static const char *base_name(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Arguments may be numbers of threads and addresses, which need not be the same. */
static bool calls_same(const char *a, const char *b) {
    if (!a || !b) return a == b;
    size_t length = strcspn(a, "(");
    return length == strcspn(b, "(") && !memcmp(a, b, length);
}

bool standing_is_at(const standing *s, const recorded_place *recorded) {
    if (!recorded->at.line || !s->at.line) return recorded->at.line == s->at.line;
    if (recorded->function && strcmp(recorded->function, s->function)) return false;
    if (recorded->function && !calls_same(recorded->call, s->call)) return false;
    if (recorded->source && s->source)
        return is_same_code(recorded->source, s->source) &&
               column_of_code(recorded->source, recorded->at.column) ==
                   column_of_code(s->source, s->at.column);
    return recorded->at.line == s->at.line && recorded->at.column == s->at.column && recorded->file &&
           !strcmp(base_name(recorded->file), base_name(s->file));
}

/* --- printing ------------------------------------------------------------------------------------------- */

static void print_place(const char *thread, const char *file, position at, const char *function,
                        const char *call, const char *source, text *out) {
    text_add(out, thread);
    if (!at.line && !call) {
        text_add(out, " at its beginning");
        return;
    }
    if (at.line) text_format(out, " at %s:%u:%u", file ? base_name(file) : "?", at.line, at.column);
    if (function && *function) text_format(out, " in %s", function);
    if (call)
        text_format(out, ": %s", call);
    else if (source)
        text_format(out, ": %s", source + strspn(source, " \t"));
}

void standing_print(const standing *s, const char *thread, text *out) {
    print_place(thread, s->file, s->at, s->function, s->call, s->source, out);
}

void recorded_place_print(const recorded_place *p, text *out) {
    print_place(p->thread, p->file, p->at, p->function, p->call, p->source, out);
}
