/* Text of unknown origin, character by character. */
#ifndef HEDDLE_BASE_UTF8_H
#define HEDDLE_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_INVALID = 0xfffd }; /* the replacement character */

/* The bytes of the character at s, at least 1, and its code. A byte that begins no valid sequence is one
 * character, UTF8_INVALID; overlong forms, surrogates and numbers above U+10FFFF are invalid. s must
 * not be empty. */
size_t utf8_next(const char *s, uint32_t *code);

#endif
