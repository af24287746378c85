/* The text of a program, character by character: what lexers have in common, whatever the language. */
#ifndef HEDDLE_FRONTEND_SCAN_H
#define HEDDLE_FRONTEND_SCAN_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

typedef struct scan {
    const char *source;
    size_t length, next;
    position at; /* of next */
    diagnostics *d;
    bool good; /* nothing was reported */
} scan;

scan scan_begin(const char *source, size_t length, diagnostics *d);

/* Something is left to be read. A zero byte, or too many errors, ends the text. */
bool scan_goes_on(scan *s);
char scan_peek(const scan *s, size_t ahead); /* 0 behind the end */
void scan_advance(scan *s, size_t count);
void scan_skip_line(scan *s); /* up to its end */
void scan_report(scan *s, position at, const char *problem);
void scan_refuse(scan *s); /* reports the next character, which means nothing, and goes on behind it */

static inline bool scan_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool scan_is_digit(char c) {
    return c >= '0' && c <= '9';
}

typedef struct spelling { /* of a kind of token */
    const char *text;
    uint8_t length, kind;
} spelling;

/* The first of a list that comes next, or the one that is all of the next `length` characters; NULL: none. */
const spelling *scan_find(const scan *s, const spelling *list, size_t count);
const spelling *scan_find_word(const scan *s, const spelling *list, size_t count, size_t length);

#endif
