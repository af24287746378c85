/* Conversion of text to integers: strtol and its family. A value beyond the type is its nearest limit and
 * errno is ERANGE. */
#include "models.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* The magnitude at s, at most `most_positive` or `most_negative`; *end as strtol has it. */
CALLERS_ACCESS static unsigned long long parse(const char *s, char **end, int base,
                                               unsigned long long most_positive,
                                               unsigned long long most_negative, int *negative) {
    const char *start = s;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) { /* glibc leaves *end alone */
        *__errno_location() = EINVAL;
        return 0;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long value = 0, most = *negative ? most_negative : most_positive;
    int any = 0, beyond = 0;
    for (int digit; (digit = digit_value(*s)) < base; s++) {
        any = 1;
        if (beyond || value > (most - (unsigned)digit) / (unsigned)base)
            beyond = 1;
        else
            value = value * (unsigned)base + (unsigned)digit;
    }
    if (end) *end = (char *)(any ? s : start);
    if (beyond) {
        *__errno_location() = ERANGE;
        *negative &= most_positive != most_negative; /* the unsigned ones give their largest value */
        return most;
    }
    return value;
}

#define LONG_MOST      ((unsigned long)-1 >> 1)
#define LONG_LONG_MOST ((unsigned long long)-1 >> 1)

CALLERS_ACCESS long strtol(const char *s, char **end, int base) {
    int negative;
    unsigned long value = (unsigned long)parse(s, end, base, LONG_MOST, LONG_MOST + 1ul, &negative);
    return (long)(negative ? -value : value);
}

CALLERS_ACCESS long long strtoll(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, LONG_LONG_MOST, LONG_LONG_MOST + 1ull, &negative);
    return (long long)(negative ? -value : value);
}

CALLERS_ACCESS unsigned long strtoul(const char *s, char **end, int base) {
    int negative;
    unsigned long value = (unsigned long)parse(s, end, base, (unsigned long)-1, (unsigned long)-1, &negative);
    return negative ? -value : value;
}

CALLERS_ACCESS unsigned long long strtoull(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, -1ull, -1ull, &negative);
    return negative ? -value : value;
}

CALLERS_ACCESS int atoi(const char *s) {
    return (int)strtol(s, NULL, 10);
}

CALLERS_ACCESS long atol(const char *s) {
    return strtol(s, NULL, 10);
}

CALLERS_ACCESS long long atoll(const char *s) {
    return strtoll(s, NULL, 10);
}
