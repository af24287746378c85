/* States as graphs for graphviz. Of small programs: a picture with thousands of nodes tells
 * nobody anything. */
#ifndef HEDDLE_REPORT_FORMATS_PICTURE_H
#define HEDDLE_REPORT_FORMATS_PICTURE_H

#include "explore/explore.h"

/* Every state that can be reached by steps from scheduling point to scheduling point, without reduction;
 * equal states are one node. NULL, or why there is no picture: there are more than `most` of them, or some
 * step has a limit. */
const char *picture_state_space(machine *m, uint64_t most, bool (*interrupted)(void *data), void *data,
                                text *out);

/* The graph of an engine that abstracts. */
typedef struct picture {
    machine *machine;
    text *out;
    uint64_t nodes, most;

} picture;

void picture_begin(picture *p, machine *m, uint64_t most, text *out);
void picture_add_node(void *picture, const abstract_node *n); /* fits explore_options.node */
const char *picture_end(picture *p);                          /* NULL, or why there is no picture */

#endif
