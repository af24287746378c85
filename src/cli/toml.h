/* Reads the part of TOML that project files need: tables [a.b], keys with strings, numbers, true and false,
 * and arrays of strings; comments. Dates, inline tables, arrays of tables and multi-line strings are refused
 * with their place, never skipped. Everything is handed to a function in the order of the text. */
#ifndef HEDDLE_CLI_TOML_H
#define HEDDLE_CLI_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct toml_entry {
    const char *table; /* "target.queue"; "" before the first */
    const char *key;   /* NULL: the table begins */
    const char *const *values;
    size_t count;
    bool is_array;
} toml_entry;

/* Calls `take` for each; it returns NULL or what is wrong with the entry. False: a message was printed. */
bool toml_read(const char *path, const char *(*take)(void *data, const toml_entry *e), void *data,
               FILE *errors);

#endif
