/* One number per Mazurkiewicz trace: executions that differ only in the order of independent steps
 * get the same. */
#ifndef HEDDLE_REDUCTION_TRACE_CLASS_H
#define HEDDLE_REDUCTION_TRACE_CLASS_H

#include "program/effect.h"

typedef struct trace_event {
    uint32_t thread;
    uint32_t label;  /* what the thread did, as far as its own history does not tell: the branch taken */
    bool orders_all; /* depends on everything: steps of the scheduler and of main */
    const effect *touched;
} trace_event;

/* Symmetric in the order of independent events. */
uint64_t trace_class(const trace_event *events, size_t count);

#endif
