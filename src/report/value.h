/* Names and values as a user wrote them: `buf[3].x`, `-1`, `true`, `'a' (97)`, `&buf[3]`. */
#ifndef HEDDLE_REPORT_VALUE_H
#define HEDDLE_REPORT_VALUE_H

#include "machine/state.h"

typedef struct naming { /* what is needed to show values of states along one path */
    const program *program;
    terms *terms;
    const valuation *inputs; /* decides whatever is still symbolic */
    object_names heap;       /* heap objects in order of first appearance: shown as new1, new2, … */
} naming;

void naming_free(naming *n);

void value_print(naming *n, const state *s, value v, scalar_type type, text *out);
uint64_t value_number(naming *n, const term *bits); /* under the inputs */

/* "buf[3].x": a piece of an object called `base`; "buf+6" if it is no cell of the object's shape, as memory
 * has that was accessed in another way. */
void piece_name_print(const char *base, bool is_array, const memory_object *o, const cell_view *piece,
                      text *out);

/* The cell that it is, or NULL. */
const cell_type *piece_cell(const memory_object *o, const cell_view *piece);

/* Whether only a design library has use for it: not to be shown. */
bool piece_is_inner(const memory_object *o, const cell_view *piece);

/* What a piece holds is read as its cell says, else as a signed number. */
scalar_type piece_type(const memory_object *o, const cell_view *piece);

/* The name of a dynamic object in this state: its variable if it belongs to a frame, else new1, new2, … */
void object_name_print(naming *n, const state *s, uint32_t object, text *out);

/* The local object number `local` of a frame lives in the dynamic object with this name; NO_INDEX if it is
 * not there. */
uint32_t frame_local_object(const program *p, const thread_part *t, const frame *f, uint32_t local);

#endif
