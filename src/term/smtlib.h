/* Pieces of SMT-LIB output, for those who need more than term_print_smtlib gives (models, quantifiers). */
#ifndef HEDDLE_TERM_SMTLIB_H
#define HEDDLE_TERM_SMTLIB_H

#include "term/term.h"

void smtlib_symbol_name(const term *symbol, text *out); /* unique per name and width */
void smtlib_sort(unsigned width, text *out);            /* (_ BitVec w) */

/* Writes declarations and definitions, each at most once. Every operator node becomes a defined function
 * without arguments, in bottom-up order, so that shared subterms are written once. Nodes that contain
 * quantified symbols become functions of all of these instead. */
typedef struct smtlib_writer smtlib_writer;
smtlib_writer *smtlib_writer_create(const term *const *quantified, size_t count);
void smtlib_writer_destroy(smtlib_writer *w);
void smtlib_define(smtlib_writer *w, const term *t, text *out);    /* and declares its free symbols */
void smtlib_reference(smtlib_writer *w, const term *t, text *out); /* t as a bit-vector expression */

#endif
