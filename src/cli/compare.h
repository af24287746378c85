/* `heddle compare`: one program under every engine and reduction, as a table with a bar for each.
 *
 * Two configurations that contradict each other are a bug of Heddle: the table says so and the status is that
 * of an internal error. */
#ifndef HEDDLE_CLI_COMPARE_H
#define HEDDLE_CLI_COMPARE_H

#include "heddle.h"

typedef struct compare_request {
    const char *engines, *pors, *matches; /* comma-separated, "all", or NULL: all engines and reductions */
    bool json, coloured;
    bool (*stopped)(void); /* asked between runs */
} compare_request;

heddle_verdict compare_run(heddle *h, const compare_request *wanted);

#endif
