#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(void) {
    static const char message[] = "heddle: unknown (out of memory)\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(3);
}

void *mem_alloc(size_t bytes) {
    void *block = malloc(bytes ? bytes : 1);
    if (!block) give_up();
    return block;
}

void *mem_zero(size_t count, size_t bytes_each) {
    void *block = calloc(count ? count : 1, bytes_each ? bytes_each : 1);
    if (!block) give_up();
    return block;
}

void *mem_grow(void *block, size_t bytes) {
    void *grown = realloc(block, bytes ? bytes : 1);
    if (!grown) give_up();
    return grown;
}

void mem_free(void *block) {
    free(block);
}

void *mem_duplicate(const void *block, size_t bytes) {
    void *copy = mem_alloc(bytes);
    if (bytes) memcpy(copy, block, bytes);
    return copy;
}

char *mem_copy_string(const char *text) {
    return mem_duplicate(text, strlen(text) + 1);
}
