/* How objects of a state become one summary, for those who name objects (partial/abstract_names.c). What a
 * summary is, and why the machine has to know it, is said in summary.c.
 *
 * Nothing here decides which objects become one, nor renames them. */
#ifndef HEDDLE_MACHINE_SUMMARY_H
#define HEDDLE_MACHINE_SUMMARY_H

#include "machine/state.h"

typedef VEC(laid_cell) laid_cells;

/* All that these objects and summaries of one shape may hold, as cells of a summary that are not tidy yet.
 * REASON_NONE, or why there is none. */
reason_kind summary_merge(machine *m, const state *s, const uint32_t *names, size_t count, laid_cells *out);

/* One form for equal ones; REASON_NONE, or why there is none. */
reason_kind summary_tidy(laid_cells *cells);

/* The object becomes a summary with these cells, which are tidy. */
void summary_make(state *s, uint32_t name, const laid_cells *cells);

#endif
