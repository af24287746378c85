/* Growable text. A zeroed struct is empty; `text_cstr` is always terminated. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    char *data;
    size_t size, capacity;
} text;

void text_add(text *t, const char *s);
void text_add_bytes(text *t, const char *s, size_t length);
void text_char(text *t, char c);
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(text *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void text_shorten(text *t, size_t size); /* only the first bytes stay */
const char *text_cstr(const text *t);    /* "" when empty; valid until the next change */
void text_free(text *t);

bool name_has_ending(const char *name, const char *ending); /* and something before it */

#endif
