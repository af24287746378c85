/* One execution of a design in the order of Accellera's simulator, with inputs by name as a stimulus file has
 * them (include/stimulus/heddle_stimulus.h): the k-th input of a name takes the k-th value of that name, and
 * 0 when there are no more.
 *
 * It decides nothing: a design that does not fail here may fail in another order. */
#ifndef HEDDLE_SIMULATOR_SIMULATOR_RUN_H
#define HEDDLE_SIMULATOR_SIMULATOR_RUN_H

#include "explore/explore.h"
#include "machine/output.h"

typedef enum {
    SIMULATOR_ENDS,  /* nothing failed */
    SIMULATOR_FAILS, /* `check`, or a deadlock if it is NO_INDEX */
    SIMULATOR_STOPS  /* for the reason given: nobody knows what comes behind */
} simulator_end;

typedef struct simulator_request {
    const char *stimulus; /* lines `name value`; # begins a comment */
    uint64_t steps;       /* at most so many */
    unsigned properties;  /* PROPERTY_… */
    bool (*interrupted)(void *data);
    void *interrupted_data;
} simulator_request;

typedef struct simulator_run {
    path path;
    simulator_end end;
    uint32_t check;
    reason why;
    position place;   /* of the reason, or of the check; line 0: none */
    const char *file; /* of the place; NULL: the program's */
    text printed;     /* what main printed before the simulation included */
} simulator_run;

/* `inputs` says what is unknown besides named inputs, such as memory that was never written, and gets the
 * values of those that were drawn: with it the path can be replayed. */
void simulator_run_design(machine *m, const simulator_request *wanted, valuation *inputs, simulator_run *out);
void simulator_run_free(simulator_run *r);

#endif
