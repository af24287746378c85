/* Designs without inputs, run by Accellera's library: an opinion on the reference itself, which is nobody's
 * of this project. There is one run of a design, in the library's own order. */
#ifndef HEDDLE_TESTS_ORACLE_SYSTEMC_REAL_H
#define HEDDLE_TESTS_ORACLE_SYSTEMC_REAL_H

#include "reference.h"

typedef struct real_compiler {
    text folder; /* "": there is none */
} real_compiler;

bool real_open(real_compiler *c); /* false: the library cannot be used here */
void real_close(real_compiler *c);

typedef enum { REAL_AGREES, REAL_SAYS_NOTHING, REAL_DISAGREES } real_opinion;

/* Whether the values of global variables at the end are those of some run of the reference. It says nothing
 * of simulations that do not end in a second and of paths that are assumed away. */
real_opinion real_run(real_compiler *c, const char *design, const reference_result *expected, text *why);

#endif
