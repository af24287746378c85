/* Verdicts of earlier runs (--cache FOLDER), a file each.
 *
 * The name of a file is a hash of everything that a verdict depends on: this build, all options, the names
 * and contents of the input files and, for C and C++, the bitcode that clang made of them, so that a changed
 * header counts as well. Only `safe` and `unsafe` are kept, and lists of all violations only if they are
 * whole. A file that is broken or was made for something else is as good as none. */
#ifndef HEDDLE_API_VERDICTS_H
#define HEDDLE_API_VERDICTS_H

#include "api/inquiry.h"

#include <jansson.h>

typedef struct verdicts_place {
    char *path;      /* NULL: nothing is kept, or looked for */
    bool may_answer; /* false: files are wanted that only a run can make */
} verdicts_place;

verdicts_place verdicts_locate(const options *o, const inquiry *q, const char *digests);
void verdicts_place_free(verdicts_place *p);

/* What verdicts_store was given, to be released by the caller; NULL: nothing. */
json_t *verdicts_find(const verdicts_place *p);

/* NULL, or why it could not be written. */
const char *verdicts_store(const verdicts_place *p, const json_t *answer);

#endif
