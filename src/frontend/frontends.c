#include "frontend/frontend.h"

#define FRONTEND(name) extern const frontend frontend_##name;
#include "frontend/frontends.def"
#undef FRONTEND

#define FRONTEND(name) &frontend_##name,
const frontend *const frontends[] = {
#include "frontend/frontends.def"
    NULL};

static bool has_ending(const char *name, const char *const *endings) {
    for (const char *const *e = endings; *e; e++)
        if (name_has_ending(name, *e)) return true;
    return false;
}

const frontend *frontend_of(const char *file) {
    for (const frontend *const *f = frontends; *f; f++)
        if (has_ending(file, (*f)->endings)) return *f;
    return NULL;
}

void frontend_list_endings(text *out) {
    const char *between = "";
    for (const frontend *const *f = frontends; *f; f++)
        for (const char *const *e = (*f)->endings; *e; e++) {
            text_format(out, "%s%s", between, *e);
            between = ", ";
        }
}

void frontend_list_languages(frontend_trait has, text *out) {
    const char *between = "";
    for (const frontend *const *f = frontends; *f; f++) {
        if (!has(*f)) continue;
        text_format(out, "%s%s", between, (*f)->language);
        between = " and ";
    }
}
