#include "cegar/explorer.h"

#include "esst/esst.h"

const explorer explorer_esst = {
    .name = "esst",
    .summary = "abstract states, with a region for each thread",
    .run = esst_run,
    ENGINE_THAT_ABSTRACTS,
};
