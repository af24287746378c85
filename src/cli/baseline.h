/* Violations that a project accepts for now.
 *
 * A baseline names each by kind, file, function, what is checked and the statement it is in, not by its line,
 * so that it outlives edits elsewhere in the file; a data race by what both threads do to which memory. To
 * have accepted one race or deadlock never means that there is no other, and nobody has seen what would have
 * come behind a violation that ends its execution: what is left is unknown then, unless the entry says that
 * the rest is accepted, too. */
#ifndef HEDDLE_CLI_BASELINE_H
#define HEDDLE_CLI_BASELINE_H

#include "heddle.h"

typedef struct baseline_verdict {
    bool good;         /* false: the baseline could not be read or written, and that was said */
    bool all_accepted; /* every violation is, and nothing else can be wrong */
    size_t accepted, others;
    size_t hiding; /* of the accepted ones: what may be hidden behind them is not accepted */
} baseline_verdict;

/* NULL: every entry can be read; else what is wrong, owned by nobody. Asked before the work begins. */
const char *baseline_check(const char *path);

baseline_verdict baseline_compare(const char *path, const heddle_result *r);
bool baseline_write(const char *path, const heddle_result *r); /* false: a message was printed */

#endif
