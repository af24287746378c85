/* Which engine the options choose, and whether what they ask for goes together. */
#ifndef HEDDLE_API_CHOICE_H
#define HEDDLE_API_CHOICE_H

#include "api/options.h"
#include "program/program.h"
#include "strategy/explorers.h"

/* The one that is given, or the one that other options mean for this program. NULL: `why` says what does not
 * go together. */
const explorer *choice_engine(const options *o, const program *p, text *why);

#endif
