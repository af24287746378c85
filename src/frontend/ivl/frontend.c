#include "frontend/ivl/ivl.h"

static program *compile(const frontend_request *r, diagnostics *d) {
    const frontend_text *t = &r->texts[0];
    return ivl_compile(t->name, t->text, t->length, r->settings, r->setting_count, d);
}

static bool print(const frontend_request *r, diagnostics *d, text *out) {
    const frontend_text *t = &r->texts[0];
    return ivl_print(t->name, t->text, t->length, d, out);
}

static kernel_kind guess_kernel(const frontend_text *unused) {
    (void)unused;
    return KERNEL_IVL;
}

static const char *const endings[] = {".ivl", NULL};

const frontend frontend_ivl = {
    .language = "IVL",
    .article = "an",
    .endings = endings,
    .compile = compile,
    .print = print,
    .guess_kernel = guess_kernel,
    .parameters = true,
};
