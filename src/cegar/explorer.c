#include "cegar/explorer.h"

#include "cegar/cegar.h"

const explorer_option cegar_options[] = {
    {"domain", ON_ANY_KERNEL, NULL}, {"prune", ON_ANY_KERNEL, NULL},   {"scope", ON_ANY_KERNEL, NULL},
    {"blocks", ON_ANY_KERNEL, NULL}, {"certify", ON_ANY_KERNEL, NULL}, {"certificate", ON_ANY_KERNEL, NULL},
    {"what", ON_ANY_KERNEL, "arg"},  COUNTED_LIMITS(ON_ANY_KERNEL),    {0}};

const explorer_gap cegar_gaps[] = {
    {.properties = PROPERTY_DEADLOCK | PROPERTY_LIVELOCK, .why.kind = REASON_NO_DEADLOCKS},
    {.properties = PROPERTY_RACE, .why.kind = REASON_NO_RACES},
    {.properties = PROPERTY_LEAK, .why.kind = REASON_NO_LEAKS, .finds = true},
    {0}};

const explorer explorer_cegar = {
    .name = "cegar",
    .summary = "abstract states, of which what matters is known",
    .run = cegar_run,
    ENGINE_THAT_ABSTRACTS,
};
