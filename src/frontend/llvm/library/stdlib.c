/* <stdlib.h>: memory, numbers, the environment. Allocation never fails, except that products that overflow
 * and alignments that are none are noticed; the environment is empty. */
#include "models.h"

static void *no_memory(void) {
    *__errno_location() = ENOMEM;
    return NULL;
}

CALLERS_ACCESS void *malloc(size_t bytes) {
    return __heddle_alloc(bytes, 0);
}

CALLERS_ACCESS void *calloc(size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) return no_memory();
    return __heddle_alloc(total, 1);
}

CALLERS_ACCESS void free(void *p) {
    __heddle_free(p);
}

CALLERS_ACCESS void cfree(void *p) {
    __heddle_free(p);
}

/* As glibc: size 0 frees. The old block is gone before the new one is made, which may lie where it was: then
 * the block has grown in place. */
CALLERS_ACCESS void *realloc(void *p, size_t bytes) {
    if (!p) return __heddle_alloc(bytes, 0);
    if (bytes == 0) {
        __heddle_free(p);
        return NULL;
    }
    size_t old = __heddle_object_size(p), kept = old < bytes ? old : bytes;
    char aside[kept + 1];
    __heddle_copy(aside, p, kept);
    __heddle_free(p);
    void *moved = __heddle_alloc(bytes, 0);
    __heddle_copy(moved, aside, kept);
    return moved;
}

CALLERS_ACCESS void *reallocarray(void *p, size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) return no_memory();
    return realloc(p, total);
}

static int is_power_of_two(size_t n) {
    return n && !(n & (n - 1));
}

/* Objects of the machine start at addresses that are multiples of everything. An alignment that is no power
 * of two is refused, or taken for the next one: C libraries differ, and so do versions of glibc. */
CALLERS_ACCESS void *aligned_alloc(size_t alignment, size_t bytes) {
    if (!is_power_of_two(alignment) && __heddle_input_1("alignment refused")) {
        *__errno_location() = EINVAL;
        return NULL;
    }
    return __heddle_alloc(bytes, 0);
}

CALLERS_ACCESS void *memalign(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, bytes);
}

CALLERS_ACCESS int posix_memalign(void **p, size_t alignment, size_t bytes) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void *)) return EINVAL;
    *p = __heddle_alloc(bytes, 0);
    return 0;
}

/* Any number that is large enough, the same whenever one asks; what lies behind the bytes that were asked for
 * is out of bounds all the same. Blocks are told apart by what they are, not by where they lie: another one
 * may lie where one was. */
CALLERS_ACCESS size_t malloc_usable_size(const void *p) {
    enum { MOST_BLOCKS = 8 };
    static const void *asked[MOST_BLOCKS];
    static unsigned short spare[MOST_BLOCKS];
    if (!p) return 0;
    __heddle_atomic_begin();
    unsigned k = 0;
    while (k < MOST_BLOCKS && asked[k] && !__heddle_same_object((unsigned long)asked[k], (unsigned long)p))
        k++;
    if (k == MOST_BLOCKS) __heddle_unsupported("malloc_usable_size of more than 8 blocks");
    if (!asked[k]) {
        asked[k] = p;
        spare[k] = __heddle_input_16("bytes to spare");
    }
    unsigned more = spare[k];
    __heddle_atomic_end();
    return __heddle_object_size(p) + more;
}

int abs(int n) {
    return n < 0 ? -n : n;
}

long labs(long n) {
    return n < 0 ? -n : n;
}

long long llabs(long long n) {
    return n < 0 ? -n : n;
}

CALLERS_ACCESS char *getenv(const char *name) {
    while (*name) name++;
    return NULL;
}
