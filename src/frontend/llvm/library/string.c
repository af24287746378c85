/* <string.h>: byte by byte like a plain implementation, so that other threads can come in between as they can
 * in reality; whole-block copies and fills are single operations of the machine. All accesses are the
 * caller's. Pointers that are compared or subtracted always belong to one object here. Memory that overlaps
 * where the standard says `restrict` is a violation. */
#include "models.h"

CALLERS_ACCESS void *memcpy(void *to, const void *from, size_t bytes) {
    __heddle_apart(to, from, bytes);
    __heddle_copy(to, from, bytes);
    return to;
}

CALLERS_ACCESS void *memmove(void *to, const void *from, size_t bytes) {
    __heddle_copy(to, from, bytes);
    return to;
}

CALLERS_ACCESS void *mempcpy(void *to, const void *from, size_t bytes) {
    __heddle_apart(to, from, bytes);
    __heddle_copy(to, from, bytes);
    return (char *)to + bytes;
}

CALLERS_ACCESS void *memset(void *to, int byte, size_t bytes) {
    __heddle_fill(to, byte, bytes);
    return to;
}

CALLERS_ACCESS void bzero(void *to, size_t bytes) {
    __heddle_fill(to, 0, bytes);
}

CALLERS_ACCESS void bcopy(const void *from, void *to, size_t bytes) {
    __heddle_copy(to, from, bytes);
}

/* Comparisons promise the sign of their result and nothing else. */
static int any_of_sign(int difference) {
    int above = (int)(__heddle_input_32("comparison") >> 1);
    above += above == 0;
    int below = -above;
    _Bool is_below = difference < 0;
    return is_below ? below : above;
}

/* All bytes are read, also behind the first that differ: C says nothing of stopping there, as it does for
 * memchr and strcmp, and C libraries read words. */
CALLERS_ACCESS int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *x = a, *y = b;
    int difference = 0;
    size_t i = 0;
    while (i < bytes && difference == 0) {
        difference = x[i] - y[i];
        i++;
    }
    if (difference == 0) return 0;
    for (; i < bytes; i++) {
        const volatile unsigned char *behind[] = {x + i, y + i};
        (void)*behind[0], (void)*behind[1];
    }
    return any_of_sign(difference);
}

CALLERS_ACCESS void *memchr(const void *s, int byte, size_t bytes) {
    const unsigned char *x = s;
    for (size_t i = 0; i < bytes; i++)
        if (x[i] == (unsigned char)byte) return (void *)(x + i);
    return NULL;
}

CALLERS_ACCESS void *memrchr(const void *s, int byte, size_t bytes) {
    const unsigned char *x = s;
    while (bytes-- > 0)
        if (x[bytes] == (unsigned char)byte) return (void *)(x + bytes);
    return NULL;
}

CALLERS_ACCESS size_t strlen(const char *s) {
    size_t length = 0;
    while (s[length]) length++;
    return length;
}

CALLERS_ACCESS size_t strnlen(const char *s, size_t most) {
    size_t length = 0;
    while (length < most && s[length]) length++;
    return length;
}

/* How much was copied is known at the end. */
CALLERS_ACCESS char *stpcpy(char *to, const char *from) {
    size_t length = 0;
    while ((to[length] = from[length])) length++;
    __heddle_apart(to, from, length + 1);
    return to + length;
}

CALLERS_ACCESS char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

CALLERS_ACCESS char *strncpy(char *to, const char *from, size_t bytes) {
    size_t i = 0;
    for (char byte = 1; i < bytes && byte; i++) to[i] = byte = from[i];
    __heddle_apart(to, from, i);
    for (; i < bytes; i++) to[i] = 0;
    return to;
}

CALLERS_ACCESS char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

CALLERS_ACCESS char *strncat(char *to, const char *from, size_t bytes) {
    char *end = to + strlen(to);
    size_t length = 0;
    for (char byte; length < bytes && (byte = from[length]); length++) end[length] = byte;
    end[length] = 0;
    __heddle_apart(end, from, length + 1);
    return to;
}

CALLERS_ACCESS int strcmp(const char *a, const char *b) {
    for (;; a++, b++) {
        unsigned char x = *a, y = *b;
        if (x != y) return any_of_sign(x - y);
        if (x == 0) return 0;
    }
}

CALLERS_ACCESS int strncmp(const char *a, const char *b, size_t bytes) {
    for (; bytes > 0; a++, b++, bytes--) {
        unsigned char x = *a, y = *b;
        if (x != y) return any_of_sign(x - y);
        if (x == 0) return 0;
    }
    return 0;
}

static int lower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

CALLERS_ACCESS int strcasecmp(const char *a, const char *b) {
    for (;; a++, b++) {
        int x = lower(*a), y = lower(*b);
        if (x != y) return any_of_sign(x - y);
        if (x == 0) return 0;
    }
}

CALLERS_ACCESS int strncasecmp(const char *a, const char *b, size_t bytes) {
    for (; bytes > 0; a++, b++, bytes--) {
        int x = lower(*a), y = lower(*b);
        if (x != y) return any_of_sign(x - y);
        if (x == 0) return 0;
    }
    return 0;
}

CALLERS_ACCESS char *strchr(const char *s, int byte) {
    for (;; s++) {
        char c = *s;
        if (c == (char)byte) return (char *)s;
        if (c == 0) return NULL;
    }
}

CALLERS_ACCESS char *strrchr(const char *s, int byte) {
    const char *last = NULL;
    for (;; s++) {
        char c = *s;
        if (c == (char)byte) last = s;
        if (c == 0) return (char *)last;
    }
}

CALLERS_ACCESS static int is_among(char c, const char *set) {
    for (char member; (member = *set); set++)
        if (member == c) return 1;
    return 0;
}

CALLERS_ACCESS size_t strspn(const char *s, const char *set) {
    size_t length = 0;
    for (char c; (c = s[length]) && is_among(c, set);) length++;
    return length;
}

CALLERS_ACCESS size_t strcspn(const char *s, const char *set) {
    size_t length = 0;
    for (char c; (c = s[length]) && !is_among(c, set);) length++;
    return length;
}

CALLERS_ACCESS char *strpbrk(const char *s, const char *set) {
    s += strcspn(s, set);
    return *s ? (char *)s : NULL;
}

CALLERS_ACCESS char *strstr(const char *s, const char *wanted) {
    size_t length = strlen(wanted);
    if (length == 0) return (char *)s;
    for (; *s; s++)
        if (strncmp(s, wanted, length) == 0) return (char *)s;
    return NULL;
}

CALLERS_ACCESS char *strtok_r(char *s, const char *separators, char **rest) {
    if (!s) s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, separators);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}

CALLERS_ACCESS char *strtok(char *s, const char *separators) {
    static char *rest;
    return strtok_r(s, separators, &rest);
}

CALLERS_ACCESS char *strndup(const char *s, size_t most) {
    size_t length = strnlen(s, most);
    char *copy = __heddle_alloc(length + 1, 1);
    __heddle_copy(copy, s, length);
    return copy;
}

CALLERS_ACCESS char *strdup(const char *s) {
    return strndup(s, strlen(s));
}
