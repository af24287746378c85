/* Does a run of Heddle agree with the reference? */
#ifndef HEDDLE_TESTS_ORACLE_COMPARE_H
#define HEDDLE_TESTS_ORACLE_COMPARE_H

#include "trial.h"

typedef enum { AGREES, GAVE_UP /* unknown, for a reason that is allowed */, DISAGREES } agreement;

/* What the reference says, and if wanted the observations of an unreduced run (NULL: not compared). A
 * disagreement is explained in `why`. */
typedef struct expectation {
    const reference_result *reference;
    const trial *unreduced;
} expectation;

agreement compare_trial(const trial *t, const configuration *how, const expectation *expected, text *why);

#endif
