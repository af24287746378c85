/* <stdlib.h>. Allocation never fails, except that calloc notices an overflow of its product; the environment
 * is empty; random numbers are unknown inputs. */
#include "models.h"

CALLERS_ACCESS void *malloc(size_t bytes) {
    return __heddle_alloc(bytes, 0);
}

CALLERS_ACCESS void *calloc(size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) return NULL;
    return __heddle_alloc(total, 1);
}

CALLERS_ACCESS void free(void *p) {
    __heddle_free(p);
}

CALLERS_ACCESS void cfree(void *p) {
    __heddle_free(p);
}

/* As glibc: size 0 frees. */
CALLERS_ACCESS void *realloc(void *p, size_t bytes) {
    if (!p) return __heddle_alloc(bytes, 0);
    if (bytes == 0) {
        __heddle_free(p);
        return NULL;
    }
    size_t old = __heddle_object_size(p);
    void *moved = __heddle_alloc(bytes, 0);
    __heddle_copy(moved, p, old < bytes ? old : bytes);
    __heddle_free(p);
    return moved;
}

CALLERS_ACCESS void *reallocarray(void *p, size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) return NULL;
    return realloc(p, total);
}

/* Objects of the machine start at addresses that are multiples of everything. */
CALLERS_ACCESS void *aligned_alloc(size_t alignment, size_t bytes) {
    (void)alignment;
    return __heddle_alloc(bytes, 0);
}

CALLERS_ACCESS void *memalign(size_t alignment, size_t bytes) {
    (void)alignment;
    return __heddle_alloc(bytes, 0);
}

CALLERS_ACCESS int posix_memalign(void **p, size_t alignment, size_t bytes) {
    (void)alignment;
    *p = __heddle_alloc(bytes, 0);
    return 0;
}

size_t malloc_usable_size(const void *p) {
    return __heddle_object_size(p);
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

char *getenv(const char *name) {
    (void)name;
    return NULL;
}

/* --- random numbers ---------------------------------------------------------------------------------------
 */

int rand(void) {
    return (int)(__heddle_input_32("rand") & 0x7fffffffu);
}

int rand_r(unsigned *seed) {
    (void)seed;
    return rand();
}

long random(void) {
    return rand();
}

/* With a seed, what POSIX says: a sequence of 48 bits. */
static unsigned long long sequence48;
static int has_seed48;

static unsigned long long next48(void) {
    return sequence48 = (sequence48 * 0x5deece66dull + 0xb) & 0xffffffffffffull;
}

long lrand48(void) {
    return has_seed48 ? (long)(next48() >> 17) : rand();
}

double drand48(void) {
    if (!has_seed48) __heddle_unsupported("drand48 without a seed");
    return (double)next48() * 0x1p-48;
}

void srand(unsigned seed) {
    (void)seed;
}

void srandom(unsigned seed) {
    (void)seed;
}

void srand48(long seed) {
    sequence48 = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    has_seed48 = 1;
}

/* --- sorting and searching --------------------------------------------------------------------------------
 */

/* Stable, as glibc's is as long as memory lasts. */
CALLERS_ACCESS void qsort(void *array, size_t count, size_t bytes,
                          int (*compare)(const void *, const void *)) {
    char *base = array, *moving = __builtin_alloca(bytes);
    for (size_t sorted = 1; sorted < count; sorted++) {
        size_t place = sorted;
        while (place > 0 && compare(base + (place - 1) * bytes, base + sorted * bytes) > 0) place--;
        if (place == sorted) continue;
        __heddle_copy(moving, base + sorted * bytes, bytes);
        __heddle_copy(base + (place + 1) * bytes, base + place * bytes, (sorted - place) * bytes);
        __heddle_copy(base + place * bytes, moving, bytes);
    }
}

CALLERS_ACCESS void *bsearch(const void *key, const void *array, size_t count, size_t bytes,
                             int (*compare)(const void *, const void *)) {
    const char *base = array;
    while (count > 0) {
        const char *middle = base + count / 2 * bytes;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            base = middle + bytes;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}
