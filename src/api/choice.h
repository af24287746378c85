/* Which engine the options choose, and whether what they ask for goes together. */
#ifndef HEDDLE_API_CHOICE_H
#define HEDDLE_API_CHOICE_H

#include "api/options.h"
#include "program/program.h"
#include "strategy/engine.h"

/* The one that is given, or the one that other options mean. */
engine choice_engine(const options *o, const program *p);

/* NULL, or why engine, reduction and matcher as given do not go together for this program. */
const char *choice_misfit(const options *o, const program *p);

#endif
