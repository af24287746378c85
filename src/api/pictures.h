/* Graphs for graphviz that `heddle dump` prints. */
#ifndef HEDDLE_API_PICTURES_H
#define HEDDLE_API_PICTURES_H

#include "api/session.h"

/* In the order of the values of --what. */
typedef enum {
    PICTURE_CONTROL_FLOW,
    PICTURE_INSTRUCTIONS,
    PICTURE_STATE_SPACE,
    PICTURE_ABSTRACT_STATES
} picture_kind;

/* NULL, or why there is no picture; then nothing is added. */
const char *pictures_dump(session *s, picture_kind what, text *out);

#endif
