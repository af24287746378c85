/* Text of unknown origin (file names, source excerpts) as JSON strings. */
#ifndef HEDDLE_REPORT_JSON_TEXT_H
#define HEDDLE_REPORT_JSON_TEXT_H

#include <jansson.h>

/* Never NULL: bytes that are not UTF-8 become U+FFFD, one for each. */
json_t *json_safe_string(const char *s);

#endif
