/* How much memory states occupy that share parts. */
#ifndef HEDDLE_MATCHING_FOOTPRINT_H
#define HEDDLE_MATCHING_FOOTPRINT_H

#include "machine/machine.h"

/* The share of one reference to s: what n references keep alive counts 1/n for each. Summed over all states
 * of a set, every part counts once, and the less the more others hold it too. */
double state_share_of_memory(const state *s);

#endif
