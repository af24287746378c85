/* A whole run on a source text, with options as on the command line, for tests of what users ask for. */
#ifndef HEDDLE_TESTS_ASKED_H
#define HEDDLE_TESTS_ASKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heddle.h"

typedef struct asked {
    heddle *h;
    heddle_result *r;
} asked;

/* Options are pairs of a name and a value; NULL ends them. "define" may be repeated. */
static inline asked ask(const char *name, const char *source, const char *const *options) {
    asked a = {.h = heddle_create()};
    for (size_t k = 0; options && options[k]; k += 2) {
        const char *error = heddle_set(a.h, options[k], options[k + 1]);
        if (error) fail_msg("%s", error);
    }
    heddle_add_source(a.h, name, source, strlen(source));
    a.r = heddle_check(a.h);
    return a;
}

#define ASK(name, source, ...) ask(name, source, (const char *const[]){__VA_ARGS__, NULL})

static inline void asked_free(asked *a) {
    heddle_result_destroy(a->r);
    heddle_destroy(a->h);
}

/* The verdict of one run, which is done with. */
static inline heddle_verdict verdict_of(asked a) {
    heddle_verdict v = heddle_result_verdict(a.r);
    if (v == HEDDLE_BAD_INPUT) print_error("%s\n", heddle_result_diagnostics(a.r));
    asked_free(&a);
    return v;
}

/* States of one run that must have been safe. */
static inline uint64_t states_of(asked a) {
    if (heddle_result_verdict(a.r) != HEDDLE_SAFE)
        fail_msg("%s%s", heddle_result_text(a.r), heddle_result_diagnostics(a.r));
    uint64_t states = (uint64_t)heddle_result_statistic(a.r, "states");
    asked_free(&a);
    return states;
}

#endif
