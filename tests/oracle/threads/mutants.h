/* What makes a known-wrong variant out of options, limits and outcomes (trial.h); see sabotage.h for those
 * that need wrong code. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_MUTANTS_H
#define HEDDLE_TESTS_ORACLE_THREADS_MUTANTS_H

#include "machine/setup.h"
#include "trial.h"

void mutant_spoil_options(mutant m, explore_options *o);
void mutant_spoil_machine(mutant m, machine_options *o);
void mutant_spoil_outcome(mutant m, outcome *o); /* forgets the doubts that would give it away */
bool mutant_fits(mutant m, engine_kind e, por_kind por);

#endif
