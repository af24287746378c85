/* Why an answer may fall short: what ends a step at a limit, and what makes a doubt.
 *
 * All reasons are in one table (reasons.def), with the words of reports and what a user can do about it. They
 * are told apart by their number; nobody compares words. What a program itself is not modelled for has words
 * of its own, which go with the number. */
#ifndef HEDDLE_MACHINE_REASON_H
#define HEDDLE_MACHINE_REASON_H

#include <stdbool.h>

typedef enum reason_kind {
    REASON_NONE, /* nothing is wrong */
#define REASON(number, words, advice) REASON_##number,
#include "machine/reasons.def"
#undef REASON
    REASON_KINDS
} reason_kind;

/* The number, and words of the program's own (REASON_NOT_MODELLED and the like); NULL: those of the table. */
typedef struct reason {
    reason_kind kind;
    const char *words;
} reason;

const char *reason_words(reason r);
const char *reason_advice(reason_kind kind); /* NULL: there is none */
bool reason_is_same(reason a, reason b);

#endif
