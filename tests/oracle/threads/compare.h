/* What must be equal between a run of Heddle and the reference. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_COMPARE_H
#define HEDDLE_TESTS_ORACLE_THREADS_COMPARE_H

#include "trial.h"

typedef enum { AGREES, GAVE_UP, DISAGREES } agreement;

agreement compare_trial(const trial *t, const configuration *how, const reference *r, text *why);

#endif
