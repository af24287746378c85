/* Simulated time, as people write it. */
#ifndef HEDDLE_REPORT_TRACE_SIM_TIME_H
#define HEDDLE_REPORT_TRACE_SIM_TIME_H

#include "base/text.h"

#include <stdint.h>

/* "10 ns": the greatest unit that leaves no fraction. `resolution` is what one of `time` is, a power of ten
 * of femtoseconds; 0: time has no unit, and is a plain number. */
void sim_time_print(uint64_t time, uint64_t resolution, text *out);

#endif
