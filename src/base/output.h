/* Files that are written on request (--trace, --html, ...). Each function returns NULL or what went wrong.
 *
 * A file is written under another name in the same folder and takes its place when all of it is on the disk:
 * whoever looks sees the old content or the new one, never a part. */
#ifndef HEDDLE_BASE_OUTPUT_H
#define HEDDLE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Could it be written? Asked before hours of work would be lost. */
const char *output_check(const char *path);
bool output_is_same(const char *path, const char *other); /* one file, whatever its names; not a device */
const char *output_write(const char *path, const char *content);
const char *output_write_bytes(const char *path, const char *content, size_t length);

#endif
