/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_ELABORATION_INTERNAL_H
#define HEDDLE_ELABORATION_INTERNAL_H

#include "base/map.h"
#include "elaboration/elaborate.h"
#include "machine/look.h"

typedef struct drawn_input {
    const term *symbol;
    value name;        /* points to what it is called; bits NULL: nothing */
    uint32_t input;    /* of program.inputs */
    uint32_t function; /* of the design, in which it is drawn at `at` */
    position at;
} drawn_input;

typedef struct drawn_inputs {
    VEC(drawn_input) all; /* in this order */
    bool ambiguous;       /* one has two places */
} drawn_inputs;

typedef struct later_value { /* what a cell gets when main goes on */
    operand place;
    const term *value;
} later_value;

typedef struct freezing {
    program *p;
    machine *m;
    terms *c;
    const state *s; /* main stands before `start` */
    map objects;    /* name of a dynamic object -> static one */
    map labels; /* name of an object -> where in it the outermost named part lies << 32 | index of its name */
    VEC(const char *) names;
    const drawn_inputs *drawn;
    VEC(later_value) later;
} freezing;

/* --- objects.c ------------------------------------------------------------------------------------------ */

bool freeze_objects(freezing *f); /* false: some value cannot be written down; nothing was changed then */
bool freeze_operand(const freezing *f, value v, operand *out); /* a value as an operand of the new program */

/* --- inputs.c ------------------------------------------------------------------------------------------- */

void note_drawn(drawn_inputs *list, const program *p, const state *s, value name, uint32_t input,
                const term *symbol);                              /* s: before it is drawn */
bool is_made_of_inputs(const freezing *f, const term *t);         /* of nothing else that is unknown */
void set_later(freezing *f, operand place, const term *t);        /* t: made of inputs */
bool keep_for_frames(freezing *f, const term *t, operand *place); /* a cell that will have this value */
/* The function that is to be main's: draws, assumes and computes, and goes on with the given one. */
uint32_t draw_inputs_again(freezing *f, uint32_t main_function);

/* --- frames.c ------------------------------------------------------------------------------------------- */

/* Functions that go on where the frames of main stand; the first of them becomes main's. */
bool freeze_frames(freezing *f);

/* --- registry.c ----------------------------------------------------------------------------------------- */

void find_names(freezing *f);      /* of what the design calls by a name */
bool freeze_registry(freezing *f); /* threads, updates and events */

#endif
