#include "base/escape.h"
#include "report/formats/formats.h"

static size_t count_of(const report *r, verdict v) {
    size_t n = 0;
    for (size_t i = 0; i < r->properties.size; i++) n += r->properties.data[i].verdict == v;
    return n;
}

static void add_attribute(text *out, const char *name, const char *value) {
    text_format(out, " %s=\"", name);
    escape_xml_attribute(value, out);
    text_char(out, '"');
}

static void add_error(const report *r, text *out) {
    text reason = {0};
    report_reason(r, &reason);
    bool error = outcome_verdict(r->result) == VERDICT_ERROR;
    text_add(out, "      <error");
    add_attribute(out, "message", reason.size ? text_cstr(&reason) : "unknown");
    add_attribute(out, "type", report_verdict_name(error ? VERDICT_ERROR : VERDICT_UNKNOWN));
    text_add(out, "/>\n");
    text_free(&reason);
}

static void add_failure(const report *r, const property *p, text *out) {
    text line = {0}, story = {0};
    property_headline(p, &line);
    report_print_violation(r, p, &story);
    text_add(out, "      <failure");
    add_attribute(out, "message", text_cstr(&line));
    add_attribute(out, "type", p->kind);
    text_char(out, '>');
    escape_xml_text(text_cstr(&story), out);
    text_add(out, "</failure>\n");
    text_free(&line);
    text_free(&story);
}

/* "assert x == 1 (main.c:3:5)" in the class "main.c.thread". */
static void add_case(const report *r, const property *p, text *out) {
    const char *file = p->file ? p->file : r->file;
    text name = {0}, class = {0};
    text_format(&name, "%s: %s", p->kind, p->text);
    if (p->at.line) text_format(&name, " (%s:%u:%u)", file, p->at.line, p->at.column);
    text_format(&class, "%s%s%s", file, *p->where ? "." : "", p->where);
    text_add(out, "    <testcase");
    add_attribute(out, "name", text_cstr(&name));
    add_attribute(out, "classname", text_cstr(&class));
    text_add(out, " time=\"0\"");
    text_add(out, p->verdict == VERDICT_SAFE ? "/>\n" : ">\n");
    if (p->verdict == VERDICT_UNSAFE) add_failure(r, p, out);
    if (p->verdict == VERDICT_UNKNOWN) add_error(r, out);
    if (p->verdict != VERDICT_SAFE) text_add(out, "    </testcase>\n");
    text_free(&name);
    text_free(&class);
}

/* A program without properties of its own: the verdict as a whole. */
static void add_verdict_case(const report *r, bool good, text *out) {
    text_add(out, "    <testcase name=\"verdict\"");
    add_attribute(out, "classname", r->file);
    text_add(out, good ? " time=\"0\"/>\n" : " time=\"0\">\n");
    if (good) return;
    add_error(r, out);
    text_add(out, "    </testcase>\n");
}

void junit_print(const report *r, text *out) {
    size_t failures = count_of(r, VERDICT_UNSAFE), errors = count_of(r, VERDICT_UNKNOWN);
    size_t tests = r->properties.size;
    verdict v = outcome_verdict(r->result);
    bool good = v == VERDICT_SAFE;
    bool of_verdict = v == VERDICT_ERROR || (!failures && !errors && (!good || !tests));
    if (of_verdict) {
        tests++;
        errors += !good;
    }
    text counts = {0};
    text_format(&counts, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", tests, failures,
                errors, r->counters.explorer.seconds);
    text_format(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites%s>\n  <testsuite name=\"heddle\"%s",
                text_cstr(&counts), text_cstr(&counts));
    text_add(out, " skipped=\"0\">\n");
    for (size_t i = 0; i < r->properties.size; i++) add_case(r, &r->properties.data[i], out);
    if (of_verdict) add_verdict_case(r, good, out);
    text_add(out, "  </testsuite>\n</testsuites>\n");
    text_free(&counts);
}
