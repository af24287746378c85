#include "base/arena.h"

#include "base/invariant.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

struct arena_block {
    arena_block *older;
    size_t padding; /* keeps the payload 16-byte aligned */
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static void open_block(arena *a, size_t bytes) {
    size_t usual = a->total < FIRST_BLOCK ? FIRST_BLOCK : a->total < LARGEST_BLOCK ? a->total : LARGEST_BLOCK;
    size_t payload = bytes > usual ? bytes : usual;
    arena_block *block = mem_alloc(sizeof *block + payload);
    block->older = a->newest;
    a->newest = block;
    a->next = (char *)(block + 1);
    a->end = a->next + payload;
    assert(((uintptr_t)a->next & 15) == 0);
}

void *arena_alloc(arena *a, size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    if ((size_t)(a->end - a->next) < bytes) open_block(a, bytes);
    assert(a->next + bytes <= a->end);
    void *result = a->next;
    a->next += bytes;
    a->total += bytes;
    return result;
}

void *arena_zero(arena *a, size_t bytes) {
    return memset(arena_alloc(a, bytes), 0, bytes);
}

void *arena_copy(arena *a, const void *block, size_t bytes) {
    void *copy = arena_alloc(a, bytes);
    if (bytes) memcpy(copy, block, bytes);
    return copy;
}

char *arena_string(arena *a, const char *text, size_t length) {
    assert(text);
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void arena_free(arena *a) {
    for (arena_block *block = a->newest, *older; block; block = older) {
        older = block->older;
        mem_free(block);
    }
    *a = (arena){0};
}
