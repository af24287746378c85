/* `heddle compare`: one program under every partial order reduction and matcher, as a table.
 *
 * Two configurations that contradict each other are a bug of Heddle: the table says so and the status is that
 * of an internal error. */
#ifndef HEDDLE_CLI_COMPARE_H
#define HEDDLE_CLI_COMPARE_H

#include "heddle.h"

/* The lists are comma-separated, NULL for all. `stopped` is asked between runs. */
heddle_verdict compare_run(heddle *h, const char *por_list, const char *match_list, bool (*stopped)(void));

#endif
