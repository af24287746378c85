/* Counterexamples are made smaller before they are told (src/shrink), within the limits of the run. */
#ifndef HEDDLE_API_SHRINKING_H
#define HEDDLE_API_SHRINKING_H

#include "api/session.h"
#include "shrink/shrink.h"

/* Shrinks the confirmed violations of an outcome in place; one for each of them, to be freed. NULL: nobody
 * asked for it. */
shrunk *shrinking_run(session *s, outcome *o);
void shrinking_free(shrunk *list, const outcome *o);

/* How engine search looks for another path to a violation, by steps with these stops. What the user asked of
 * the first search and excludes this one is not meant for it. */
explore_options shrinking_search_options(session *s, unsigned stops, bool by_steps);

#endif
