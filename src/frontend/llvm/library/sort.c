/* qsort and bsearch. Elements that compare equal come in any order, and any of them is found. */
#include "models.h"

typedef int (*comparison)(const void *, const void *);

/* Words in which elements are exchanged: a pointer has to stay in one piece. */
static size_t word_of(size_t bytes) {
    return bytes % sizeof(long) == 0 ? sizeof(long) : bytes % 4 == 0 ? 4 : 1;
}

static int is_pointer(unsigned long word) {
    return __heddle_same_object(word, word);
}

/* One of two words, without a decision if they are numbers: half by half, since members of four bytes are
 * looked at alone. */
static unsigned long choose(_Bool first, unsigned long x, unsigned long y) {
    if (sizeof(long) == 4 || is_pointer(x) || is_pointer(y)) return __heddle_select_word(first, x, y);
    unsigned long long wide_x = x, wide_y = y;
    unsigned low = __heddle_select_32(first, (unsigned)wide_x, (unsigned)wide_y);
    unsigned high = __heddle_select_32(first, (unsigned)(wide_x >> 32), (unsigned)(wide_y >> 32));
    return (unsigned long)((unsigned long long)high << 32 | low);
}

#define EXCHANGE(type, select)                                                                               \
    for (size_t k = 0; k < bytes / sizeof(type); k++) {                                                      \
        type x = ((type *)a)[k], y = ((type *)b)[k];                                                         \
        ((type *)a)[k] = select(wanted, y, x);                                                               \
        ((type *)b)[k] = select(wanted, x, y);                                                               \
    }

/* Exchanged, or not: nobody has to know before numbers of them are looked at. */
CALLERS_ACCESS static void perhaps_exchange(void *a, void *b, size_t bytes) {
    _Bool wanted = __heddle_input_1("equal elements exchanged");
    switch (word_of(bytes)) {
    case sizeof(long): EXCHANGE(unsigned long, choose) break;
#if __SIZEOF_LONG__ != 4
    case 4: EXCHANGE(unsigned, __heddle_select_32) break;
#endif
    default: EXCHANGE(unsigned char, __heddle_select_8)
    }
}

#define DIFFER(type)                                                                                         \
    for (size_t k = 0; k < bytes / sizeof(type); k++) different |= ((type *)a)[k] != ((type *)b)[k];

CALLERS_ACCESS static int differ(const void *a, const void *b, size_t bytes) {
    int different = 0;
    if (word_of(bytes) == sizeof(long)) {
        DIFFER(const unsigned long)
    } else {
        DIFFER(const unsigned char)
    }
    return different;
}

/* All orders: any of them may come first, any of the others second, ... Elements that are the same in all
 * bytes have one order. */
CALLERS_ACCESS static void mix(char *base, size_t count, size_t bytes) {
    int different = 0;
    for (size_t k = 1; k < count; k++) different |= differ(base, base + k * bytes, bytes);
    if (!different) return;
    for (size_t first = 0; first < count; first++)
        for (size_t other = first + 1; other < count; other++)
            perhaps_exchange(base + first * bytes, base + other * bytes, bytes);
}

CALLERS_ACCESS void qsort(void *array, size_t count, size_t bytes, comparison compare) {
    char *base = array, *moving = __builtin_alloca(bytes);
    for (size_t sorted = 1; sorted < count; sorted++) {
        size_t place = sorted;
        while (place > 0 && compare(base + (place - 1) * bytes, base + sorted * bytes) > 0) place--;
        if (place == sorted) continue;
        __heddle_copy(moving, base + sorted * bytes, bytes);
        __heddle_copy(base + (place + 1) * bytes, base + place * bytes, (sorted - place) * bytes);
        __heddle_copy(base + place * bytes, moving, bytes);
    }
    for (size_t first = 0, end; first + 1 < count; first = end) {
        end = first + 1;
        while (end < count && compare(base + first * bytes, base + end * bytes) == 0) end++;
        mix(base + first * bytes, end - first, bytes);
    }
}

/* How many elements of a sorted array are below the key, or not above it. */
CALLERS_ACCESS static size_t count_below(const void *key, const char *base, size_t count, size_t bytes,
                                         comparison compare, int or_equal) {
    size_t known = 0;
    while (count > 0) {
        int order = compare(key, base + (known + count / 2) * bytes);
        if (order > 0 || (or_equal && order == 0)) {
            known += count / 2 + 1;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return known;
}

CALLERS_ACCESS void *bsearch(const void *key, const void *array, size_t count, size_t bytes,
                             comparison compare) {
    size_t first = count_below(key, array, count, bytes, compare, 0);
    const char *base = (const char *)array + first * bytes;
    size_t equal = count_below(key, base, count - first, bytes, compare, 1);
    if (equal == 0) return NULL;
    if (equal == 1) return (void *)base;
    unsigned chosen = __heddle_input_32("which of equal elements") % (unsigned)equal;
    return (void *)(base + chosen * bytes);
}
