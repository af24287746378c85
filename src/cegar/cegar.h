/* Lazy abstraction with counterexample-guided refinement.
 *
 * Explores states whose data memory is mostly unknown (partial/abstract.h), keeps of the data what the
 * precision names, and asks of every violation it comes to whether the path there exists. If it does not, the
 * precision is refined so that this path is never taken again; if it does, it is replayed and confirmed like
 * every other explorer's. When nothing is left to explore, the program is safe for every number of turns of
 * its loops. docs/cegar.md */
#ifndef HEDDLE_CEGAR_CEGAR_H
#define HEDDLE_CEGAR_CEGAR_H

#include "explore/explorer.h"

extern const explorer explorer_cegar;

void cegar_run(machine *m, const explore_options *options, outcome *out);

#endif
