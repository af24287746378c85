/* Diagnostics with source positions, collected first and printed by whoever talks to the user:
 *
 *     model.ivl:3:9: error: unknown name 'cout'
 *         cout = 1;
 *         ^
 *
 * The library never prints and never exits on bad input; it fills a `diagnostics` and returns failure. */
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* Line and column count from 1; line 0 means "the file as a whole". */
typedef struct position {
    uint32_t line, column;
} position;

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } severity;

typedef struct diagnostic {
    severity level;
    position at;
    char *message;
    char *file; /* NULL: that of the collection */
} diagnostic;

typedef struct diagnostics {
    const char *file;   /* name shown to the user; not owned */
    const char *source; /* whole text for the excerpt, or NULL; not owned */
    VEC(diagnostic) list;
    unsigned errors;
} diagnostics;

enum { DIAG_MOST_ERRORS = 20 }; /* further errors are counted but not kept */

void diag_report(diagnostics *d, severity level, position at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* About another file than that of the collection. */
void diag_report_on(diagnostics *d, const char *file, severity level, position at, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void diag_print(const diagnostics *d, text *out);
void diag_free(diagnostics *d);

#endif
