/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_ELABORATION_INTERNAL_H
#define HEDDLE_ELABORATION_INTERNAL_H

#include "base/map.h"
#include "elaboration/elaborate.h"
#include "machine/state.h"

typedef struct freezing {
    program *p;
    machine *m;
    terms *c;
    const state *s; /* main stands before `start` */
    map objects;    /* name of a dynamic object -> static one */
    map labels; /* name of an object -> where in it the outermost named part lies << 32 | index of its name */
    VEC(const char *) names;
} freezing;

/* --- objects.c ------------------------------------------------------------------------------------------ */

bool freeze_objects(freezing *f); /* false: some value cannot be written down; nothing was changed then */
bool freeze_operand(const freezing *f, value v, operand *out); /* a value as an operand of the new program */

/* --- frames.c ------------------------------------------------------------------------------------------- */

/* Functions that go on where the frames of main stand; the first of them becomes main's. */
bool freeze_frames(freezing *f);

/* --- registry.c ----------------------------------------------------------------------------------------- */

void find_names(freezing *f);      /* of what the design calls by a name */
bool freeze_registry(freezing *f); /* threads, updates and events */

#endif
