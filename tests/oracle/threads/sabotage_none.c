#include "sabotage.h"

bool sabotage_begin(mutant m) {
    return m < MUTANT_NO_PENDING;
}
