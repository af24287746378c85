/* How far it is to the nearest check, in instructions: a guide for explorers that look for violations. Only
 * the text counts: branches go either way, calls through pointers lead nowhere. Never a reason to leave
 * anything out. */
#ifndef HEDDLE_ANALYSIS_DISTANCE_H
#define HEDDLE_ANALYSIS_DISTANCE_H

#include "analysis/segment.h" /* call_site */
#include "program/program.h"

#define DISTANCE_NONE UINT32_MAX /* there is no way */

typedef struct distances distances;

distances *distances_compute(const program *p);
void distances_destroy(distances *d);

/* From a stack (outermost call first; each entry the next instruction of its frame), through functions it
 * calls and threads it creates. */
uint32_t distances_to_check(const distances *d, const call_site *stack, size_t depth);

#endif
