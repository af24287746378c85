/* What an explorer found, as bytes: from a process to the one that forked it.
 *
 * Numbers and structures are written as they lie in memory, since both are the same program; whatever a
 * pointer leads to is written out. Reading never trusts a length: half a message is no message. */
#ifndef HEDDLE_STRATEGY_WIRE_H
#define HEDDLE_STRATEGY_WIRE_H

#include "base/workers.h"
#include "explore/explore.h"
#include "machine/naming.h"
#include "machine/record.h"

typedef struct message {
    outcome out;            /* violations have no paths yet, and are to be confirmed ... */
    VEC(const char *) ways; /* ... how to come to each of them: explore/prefix.h */
    thread_births threads;  /* what the numbers of threads mean in that process: from thread 1 on */
    attempts given_up;
    machine_statistics work; /* of that process' machine alone */
} message;

/* `before`: what its machine had counted when the process began; `how`: what the paths were found with. */
void wire_write(bytes *w, machine *m, const machine_statistics *before, const step_options *how,
                const outcome *out, const attempts *given_up);

/* Texts are put into the arena. False: this is not a whole message, and nothing is to be freed. */
bool wire_read(const bytes *w, arena *memory, message *out);
void message_free(message *m); /* but for the outcome */

#endif
