/* Files that are written on request (--trace, --dump-traces). Each function returns NULL or what went wrong.
 */
#ifndef HEDDLE_API_OUTPUT_H
#define HEDDLE_API_OUTPUT_H

const char *
output_check(const char *path); /* could it be written? Asked before hours of work would be lost. */
const char *output_write(const char *path, const char *content);

#endif
