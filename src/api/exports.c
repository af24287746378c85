#include "api/exports.h"

#include "base/memory.h"
#include "base/output.h"
#include "report/formats/formats.h"
#include "report/formats/witness.h"

typedef struct format {
    option_id option;
    bool of_trace; /* nothing is written without a counterexample or a simulated schedule */
    /* NULL, or why it cannot be written. */
    const char *(*print)(const options *o, const report *r, text *out);
} format;

static const char *print_trace(const options *o, const report *r, text *out) {
    (void)o;
    char *json = trace_file_json(r);
    text_add(out, json);
    mem_free(json);
    return NULL;
}

static const char *print_witness(const options *o, const report *r, text *out) {
    enum { YAML, GRAPHML } as = o->value[OPTION_WITNESS_FORMAT].choice;
    witness_stamp stamp = witness_make_stamp(r, o->value[OPTION_DETERMINISTIC].on);
    return as == GRAPHML ? witness_graphml(r, &stamp, out) : witness_yaml(r, &stamp, out);
}

static const char *print_sarif(const options *o, const report *r, text *out) {
    (void)o;
    sarif_print(r, out);
    return NULL;
}

static const char *print_junit(const options *o, const report *r, text *out) {
    (void)o;
    junit_print(r, out);
    return NULL;
}

static const char *print_vcd(const options *o, const report *r, text *out) {
    (void)o;
    vcd_print(r, out);
    return NULL;
}

static const char *print_html(const options *o, const report *r, text *out) {
    (void)o;
    report_print_html(r, out);
    return NULL;
}

static const format formats[] = {
    {OPTION_TRACE, true, print_trace},  {OPTION_WITNESS, false, print_witness},
    {OPTION_SARIF, false, print_sarif}, {OPTION_JUNIT, false, print_junit},
    {OPTION_VCD, true, print_vcd},      {OPTION_HTML, false, print_html},
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
        const char *error = formats[i].print(o, r, &content);
        if (!error && content.size) error = output_write_bytes(path, text_cstr(&content), content.size);
        complain(path, error, errors);
        text_free(&content);
    }
}
