/* What each engine can do, as the tables in Markdown that docs/engines.md has. */
#ifndef HEDDLE_STRATEGY_OVERVIEW_H
#define HEDDLE_STRATEGY_OVERVIEW_H

#include "strategy/explorers.h"

void overview_print(text *out);

#endif
