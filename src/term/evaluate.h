/* Evaluation of many terms under one valuation, remembering the values of everything below them until told to
 * forget. The memo belongs to the context: one evaluation session at a time. */
#ifndef HEDDLE_TERM_EVALUATE_H
#define HEDDLE_TERM_EVALUATE_H

#include "term/term.h"

void evaluation_start(terms *c);                                        /* forgets what was remembered */
uint64_t evaluation_value(terms *c, const term *t, const valuation *v); /* within the session */

#endif
