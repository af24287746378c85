#include "api/exports.h"

#include "api/output.h"
#include "base/memory.h"

typedef struct format {
    option_id option;
    bool of_trace; /* nothing is written without a counterexample or a simulated schedule */
    void (*print)(const report *r, text *out);
} format;

static void print_trace(const report *r, text *out) {
    char *json = trace_file_json(r);
    text_add(out, json);
    mem_free(json);
}

static const format formats[] = {
    {OPTION_TRACE, true, print_trace},
    {OPTION_HTML, false, report_print_html},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static void complain(const char *path, const char *error, text *errors) {
    if (error) text_format(errors, "%s: error: %s\n", path, error);
}

void exports_check(const options *o, text *errors) {
    for (size_t i = 0; i < FORMATS; i++) {
        const char *path = o->value[formats[i].option].written;
        if (*path) complain(path, output_check(path), errors);
    }
}

void exports_write(const options *o, const report *r, text *errors) {
    for (size_t i = 0; i < FORMATS; i++) {
        const char *path = o->value[formats[i].option].written;
        if (!*path || (formats[i].of_trace && !r->trace)) continue;
        text content = {0};
        formats[i].print(r, &content);
        complain(path, output_write_bytes(path, text_cstr(&content), content.size), errors);
        text_free(&content);
    }
}
