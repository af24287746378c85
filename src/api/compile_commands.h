/* compile_commands.json, as CMake, Meson, Bazel and Bear write it: macros, folders of headers and the
 * standard that each file of a project is compiled with, and whatever else changes what it means. What
 * optimises, warns or names outputs is left out (compiler_flags.h); folders are made absolute, because the
 * commands may belong to another one. */
#ifndef HEDDLE_API_COMPILE_COMMANDS_H
#define HEDDLE_API_COMPILE_COMMANDS_H

#include "base/vec.h"

#include <stddef.h>

typedef struct compile_command {
    char *file; /* its real path */
    VEC(char *) words;
    int bits;      /* 32 or 64: the data model; 0: nothing is said */
    char *refused; /* the first flag that is not understood; NULL: none */
} compile_command;

typedef VEC(compile_command) compile_commands;

/* NULL, or what is wrong with the file. To be freed in any case. */
const char *compile_commands_read(const char *path, compile_commands *out);
void compile_commands_free(compile_commands *c);

/* The first command for this file; NULL: there is none. */
const compile_command *compile_commands_find(const compile_commands *c, const char *file);

#endif
