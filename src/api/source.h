/* Input files: read whole, with their hash. */
#ifndef HEDDLE_API_SOURCE_H
#define HEDDLE_API_SOURCE_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { FILE_PROGRAM, FILE_TASK, FILE_PROPERTIES, FILE_CERTIFICATE } file_kind;

file_kind file_kind_of(const char *name); /* by its ending: what none of ours has is a program */

typedef struct source {
    char *name; /* as the user gave it */
    char *text; /* `length` bytes and a final 0; may contain further zeros */
    size_t length;
    bool on_disk; /* the name is that of a file with this content */
    char *error;  /* why it could not be read; NULL: it was */
    char sha256[SHA256_HEX];
} source;

source source_read(const char *path);
source source_copy(const char *name, const char *text, size_t length);
void source_free(source *s);

#endif
