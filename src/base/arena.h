/* Bump allocation for things that live as long as their context. Nothing is freed one by one. */
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *newest;
    char *next, *end;
    size_t total; /* bytes handed out, for statistics and limits */
} arena;

void *arena_alloc(arena *a, size_t bytes); /* 16-byte aligned, uninitialised */
void *arena_zero(arena *a, size_t bytes);
void *arena_copy(arena *a, const void *block, size_t bytes);
char *arena_string(arena *a, const char *text, size_t length); /* adds the final 0 */
void arena_free(arena *a); /* everything at once; the arena is empty again */

#endif
