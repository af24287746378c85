/* Run-time check of a reduction's foundation: pairs of enabled steps that are declared independent,
 * statically or by what they touched, are executed in both orders and must give the same states. Expensive;
 * an option for tests and for people who change the dependence table. */
#ifndef HEDDLE_REDUCTION_CHECKER_H
#define HEDDLE_REDUCTION_CHECKER_H

#include "explore/explore.h"

typedef struct checker checker;

checker *checker_create(machine *m);
void checker_destroy(checker *c);

/* All pairs of the enabled thread transitions of s. Returns the number of pairs that are not independent
 * although declared so. */
uint64_t checker_look(checker *c, const state *s, const transitions *enabled, uint64_t *pairs_checked);

#endif
