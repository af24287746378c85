#include "frontend/ivl/ivl.h"

#include "frontend/ivl/lower.h"
#include "frontend/ivl/parser.h"

static program *lower_checked(ast_file *file, symbols *names, const char *file_name,
                              const ivl_setting *settings, size_t count, diagnostics *d) {
    program *p = program_create(KERNEL_IVL, file_name);
    if (ivl_lower(p, file, names, settings, count, d) && program_check(p, d)) return p;
    program_destroy(p);
    return NULL;
}

program *ivl_compile(const char *file_name, const char *source, size_t length, const ivl_setting *settings,
                     size_t setting_count, diagnostics *d) {
    if (!d->file) d->file = file_name;
    ast_file file = {0};
    symbols names = {0};
    program *p = NULL;
    if (ivl_parse(source, length, d, &file) && ivl_resolve(&file, d, &names) && ivl_check_calls(&names, d))
        p = lower_checked(&file, &names, file_name, settings, setting_count, d);
    symbols_free(&names);
    ast_file_free(&file);
    return p;
}

bool ivl_print(const char *file_name, const char *source, size_t length, diagnostics *d, text *out) {
    if (!d->file) d->file = file_name;
    ast_file file = {0};
    bool good = ivl_parse(source, length, d, &file);
    if (good) ast_print(&file, out);
    ast_file_free(&file);
    return good;
}
