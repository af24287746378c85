/* Text of unknown origin (file names, source excerpts, what a program printed) inside other formats. Bytes
 * that are not UTF-8, and characters that the format cannot express, become U+FFFD; nothing ends the place
 * that the text stands in. */
#ifndef HEDDLE_BASE_ESCAPE_H
#define HEDDLE_BASE_ESCAPE_H

#include "base/text.h"

void escape_xml_text(const char *s, text *out);      /* between tags */
void escape_xml_attribute(const char *s, text *out); /* between quotes, which the caller writes */
void escape_yaml(const char *s, text *out);          /* a scalar with its quotes, on one line */
void escape_dot(const char *s, text *out);           /* a label with its quotes; its lines are left-aligned */
void escape_vcd(const char *s, text *out);           /* an identifier: printable, without blanks */
void escape_uri(const char *s, text *out);           /* a path as a relative or file URI */

#endif
