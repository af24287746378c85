/* Wrong code behind right interfaces, put in by the linker (--wrap) into the executable that runs mutants;
 * the one that looks for real errors is linked without. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_SABOTAGE_H
#define HEDDLE_TESTS_ORACLE_THREADS_SABOTAGE_H

#include "trial.h"

bool sabotage_begin(mutant m); /* false: this executable cannot do it */

#endif
