/* Counterexamples are made smaller before they are told (src/shrink), within the limits of the run. */
#ifndef HEDDLE_API_SHRINKING_H
#define HEDDLE_API_SHRINKING_H

#include "api/session.h"
#include "shrink/shrink.h"

/* Shrinks the confirmed violations of an outcome in place; one for each of them, to be freed. NULL: nobody
 * asked for it. */
shrunk *shrinking_run(session *s, outcome *o);
void shrinking_free(shrunk *list, const outcome *o);

#endif
