#include "frontend/dlang/dlang.h"

#include "frontend/dlang/lower.h"
#include "frontend/dlang/parser.h"

program *dlang_parse(const char *file, const char *source, size_t length, const dlang_setting *settings,
                     size_t setting_count, diagnostics *d) {
    dlang_file parsed = {0};
    program *p = NULL;
    if (dlang_read(source, length, settings, setting_count, d, &parsed)) p = dlang_lower(file, &parsed);
    dlang_file_free(&parsed);
    if (p && !program_check(p, d)) {
        program_destroy(p);
        p = NULL;
    }
    return p;
}

bool dlang_print(const char *file, const char *source, size_t length, const dlang_setting *settings,
                 size_t setting_count, diagnostics *d, text *out) {
    (void)file;
    dlang_file parsed = {0};
    bool good = dlang_read(source, length, settings, setting_count, d, &parsed);
    if (good) dlang_print_file(&parsed, out);
    dlang_file_free(&parsed);
    return good;
}
