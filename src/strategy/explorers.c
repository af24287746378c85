#include "strategy/explorers.h"

#include <string.h>

#define EXPLORER(name) &explorer_##name,
#define EXPLORER_IN_TURNS(name)
const explorer *const explorers[] = {&explorer_auto,
#include "strategy/explorers.def"
                                     NULL};

#undef EXPLORER
#define EXPLORER(name) "|" #name
const char explorer_names[] = "auto"
#include "strategy/explorers.def"
    ;

const explorer *explorers_find(const char *name) {
    for (const explorer *const *e = explorers; *e; e++)
        if (!strcmp((*e)->name, name)) return *e;
    return NULL;
}
