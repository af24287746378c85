/* From where main may start a simulation again.
 *
 * What main does behind its last simulation concerns no process: an analysis of what processes may find can
 * leave it out. Calls through pointers may enter any function of as many parameters whose address is taken;
 * nothing is known of conditions, so that a place is never said to be behind the last simulation wrongly. */
#ifndef HEDDLE_ANALYSIS_RESTART_H
#define HEDDLE_ANALYSIS_RESTART_H

#include "program/program.h"

typedef struct restarts restarts;

/* `addressed`: functions that pointers may be to. The simulation that an elaborated program begins with is
 * none of those that are asked for. */
restarts *restarts_compute(const program *p, const uint64_t *addressed);
void restarts_destroy(restarts *r);

/* A call of the function may start one. */
bool restarts_in_function(const restarts *r, uint32_t function);
/* So may what is executed from this instruction on, until the function returns. */
bool restarts_from(const restarts *r, uint32_t function, uint32_t block, uint32_t index);

#endif
