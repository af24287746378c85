/* Time and memory use of this process. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double clock_wall(void);     /* seconds on a monotonic clock */
double clock_cpu(void);      /* seconds of processor time of this process and the children it waited for */
size_t memory_in_use(void);  /* resident bytes now */
size_t memory_peak(void);    /* highest resident bytes so far */
void memory_give_back(void); /* what was freed is not in use: the C library keeps it otherwise */

#endif
