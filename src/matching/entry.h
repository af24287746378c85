/* What an explorer notes about a visited state. */
#ifndef HEDDLE_MATCHING_ENTRY_H
#define HEDDLE_MATCHING_ENTRY_H

#include <stdint.h>

typedef struct visited_entry {
    uint32_t id;            /* running number */
    uint32_t graph_id : 29; /* the explorer's */
    uint32_t on_stack : 1, safe : 1,
        unfinished : 1; /* the explorer's; eviction spares what is on the stack */
} visited_entry;

#endif
