/* What the flags of a compiler mean to a verifier: some change the program and are handed on to clang, some
 * change nothing that is verified (optimisation, warnings, outputs), and of the others it is not known, or it
 * is known that they make something else of the program than we would. Those are refused by name. */
#ifndef HEDDLE_API_COMPILER_FLAGS_H
#define HEDDLE_API_COMPILER_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    FLAG_NO_EFFECT,
    FLAG_KEPT,
    FLAG_32, /* the data model: int, long and pointers of 32 bits, */
    FLAG_64, /* or long and pointers of 64 */
    FLAG_REFUSED
} flag_kind;

typedef struct compiler_flag {
    flag_kind kind;
    size_t name;       /* the length of the name; behind it comes the value, if there is one */
    bool in_next_word; /* the value is there */
    bool is_path;      /* the value is the name of a file or folder */
    bool is_attached;  /* the value stands in the same word as the name: -std=c99 */
} compiler_flag;

/* `word` begins with a dash. */
compiler_flag compiler_flag_read(const char *word);

#endif
