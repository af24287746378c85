/* The lines of an experiment: a CSV file in long format, one line for each run. */
#ifndef HEDDLE_CLI_RECORDS_H
#define HEDDLE_CLI_RECORDS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct record {
    char *program, *configuration, *parameters; /* "N=3 K=2" */
    unsigned repetition;
    char *verdict; /* safe, unsafe, unknown, error */
    char *reason, *engine, *por, *match;
    double seconds, cpu_seconds;
    uint64_t transitions, states, solver_queries, peak_memory_bytes;
} record;

typedef VEC(record) records;

void record_free(record *r);
void records_free(records *r);

bool record_is_decided(const record *r); /* safe or unsafe */

/* Lines of the file, if there is one; a last line that was torn is cut off. False: it is something else, or
 * cannot be read, and a message was printed. */
bool records_read(const char *path, records *out);

FILE *records_open(const char *path);             /* to append to it; NULL: a message was printed */
bool records_append(FILE *file, const record *r); /* false: it could not be written */

const record *records_find(const records *all, const record *like); /* the same run; NULL: there is none */

#endif
