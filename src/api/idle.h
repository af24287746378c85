/* Options that were given and change nothing: they are for programs of another kind, or for another engine.
 * They may be meant for other programs of the same project, so nothing is refused because of them. */
#ifndef HEDDLE_API_IDLE_H
#define HEDDLE_API_IDLE_H

#include "api/inquiry.h"
#include "api/options.h"
#include "program/program.h"

/* A warning for each, ready to print. */
void idle_describe(const options *o, const inquiry *q, const program *p, text *out);

/* Whether the table has this option, with any value. */
bool idle_is_known(option_id id);

#endif
