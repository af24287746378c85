/* Checked allocation.
 *
 * Every allocation of Heddle goes through here. The functions never return NULL: when the operating system
 * refuses memory the process reports `unknown (out of memory)` and leaves with status 3, because at that
 * point no structure can be trusted to grow. The configured memory limit (explore/limits.h) is meant to
 * strike long before. */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stddef.h>

void *mem_alloc(size_t bytes);                        /* uninitialised */
void *mem_zero(size_t count, size_t bytes_each);      /* zeroed */
void *mem_grow(void *block, size_t bytes);            /* realloc; block may be NULL */
void mem_free(void *block);                           /* NULL allowed */
char *mem_copy_string(const char *text);              /* strdup */
void *mem_duplicate(const void *block, size_t bytes); /* memdup; bytes may be 0 */

#endif
