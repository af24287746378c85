/* Places in the input files, as text. */
#ifndef HEDDLE_REPORT_SOURCE_TEXT_H
#define HEDDLE_REPORT_SOURCE_TEXT_H

#include "report/report.h"

/* The beginning of this line (from 1) of an input file; NULL: there is no such file or line.
 * Headers are none. */
const char *source_line(const report *r, const char *file, uint32_t line);

/* Text of a program for terminals: what is no UTF-8, and what controls a terminal or the direction of
 * writing, becomes U+FFFD. Tabs stay. */
void source_print(const char *s, size_t length, text *out);

/* As many blanks (and tabs) as this text is wide on a terminal. */
void source_print_blanks(const char *s, size_t length, text *out);

/* The part of a long line that shows this column (from 0): bytes begin .. end-1, no characters cut. */
void source_window(const char *s, size_t length, size_t column, size_t most, size_t *begin, size_t *end);

/* The same column in units of UTF-16. */
uint32_t source_utf16_column(const report *r, const char *file, position at);

/* Whether a statement begins with the first token of this line, as far as the text tells. Where it does not
 * tell the answer is no; so it is for heads of loops, which executions pass without beginning the loop. */
bool source_begins_statement(const report *r, const char *file, uint32_t line);

/* The call that begins at this place: the length of the name of the function, and the place of the
 * parenthesis behind its arguments. 0: no call begins there. */
size_t source_call(const report *r, const char *file, position at, position *closing);

/* The statement that this place is in, blanks and line ends as single blanks; nothing where there
 * is no text. */
void source_statement(const report *r, const char *file, position at, text *out);

/* The column of the keyword of the loop that this line begins; 0: there is none, or more than one. */
uint32_t source_loop(const report *r, const char *file, uint32_t line);

#endif
