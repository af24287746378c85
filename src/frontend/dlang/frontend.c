#include "frontend/dlang/dlang.h"

static program *compile(const frontend_request *r, diagnostics *d) {
    const frontend_text *t = &r->texts[0];
    return dlang_parse(t->name, t->text, t->length, r->settings, r->setting_count, d);
}

static bool print(const frontend_request *r, diagnostics *d, text *out) {
    const frontend_text *t = &r->texts[0];
    return dlang_print(t->name, t->text, t->length, r->settings, r->setting_count, d, out);
}

static kernel_kind guess_kernel(const frontend_text *unused) {
    (void)unused;
    return KERNEL_PREEMPTIVE;
}

static const char *const endings[] = {".dl", NULL};

const frontend frontend_dlang = {
    .language = "dlang",
    .article = "a",
    .endings = endings,
    .compile = compile,
    .print = print,
    .guess_kernel = guess_kernel,
    .parameters = true,
};
