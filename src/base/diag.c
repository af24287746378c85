#include "base/diag.h"

#include <ctype.h>

static void add_report(diagnostics *d, diagnostic entry, const char *file, const char *format, va_list args) {
    if (entry.level == DIAG_ERROR && d->errors++ >= DIAG_MOST_ERRORS) return;
    text message = {0};
    text_vformat(&message, format, args);
    entry.message = mem_copy_string(text_cstr(&message));
    if (file) entry.file = mem_copy_string(file);
    text_free(&message);
    vec_push(&d->list, entry);
}

void diag_report(diagnostics *d, severity level, position at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_report(d, (diagnostic){.level = level, .at = at}, NULL, format, args);
    va_end(args);
}

void diag_report_on(diagnostics *d, const char *file, severity level, position at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_report(d, (diagnostic){.level = level, .at = at}, file, format, args);
    va_end(args);
}

static const char *line_start(const char *source, uint32_t line) {
    while (line > 1 && *source) line -= *source++ == '\n';
    return source;
}

enum { EXCERPT_MOST = 160 };

static void print_excerpt(const char *source, position at, text *out) {
    const char *line = line_start(source, at.line);
    size_t length = strcspn(line, "\r\n");
    if (!length || at.column > EXCERPT_MOST) return;
    if (length > EXCERPT_MOST) length = EXCERPT_MOST;
    text_add(out, "    ");
    for (size_t i = 0; i < length; i++) text_char(out, isprint((unsigned char)line[i]) ? line[i] : ' ');
    text_format(out, "\n    %*s^\n", (int)(at.column ? at.column - 1 : 0), "");
}

void diag_print(const diagnostics *d, text *out) {
    static const char *const names[] = {"error", "warning", "note"};
    for (size_t i = 0; i < d->list.size; i++) {
        const diagnostic *entry = &d->list.data[i];
        text_add(out, entry->file ? entry->file : d->file);
        if (entry->at.line) text_format(out, ":%u:%u", entry->at.line, entry->at.column);
        text_format(out, ": %s: %s\n", names[entry->level], entry->message);
        if (entry->at.line && d->source && !entry->file) print_excerpt(d->source, entry->at, out);
    }
    if (d->errors > DIAG_MOST_ERRORS)
        text_format(out, "%s: %u more errors\n", d->file, d->errors - DIAG_MOST_ERRORS);
}

void diag_free(diagnostics *d) {
    for (size_t i = 0; i < d->list.size; i++) {
        mem_free(d->list.data[i].message);
        mem_free(d->list.data[i].file);
    }
    vec_free(&d->list);
    d->errors = 0;
}
