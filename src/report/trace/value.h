/* Names and values as a user wrote them: `buf[3].x`, `-1`, `true`, `'a' (97)`, `&buf[3]`. */
#ifndef HEDDLE_REPORT_TRACE_VALUE_H
#define HEDDLE_REPORT_TRACE_VALUE_H

#include "machine/look.h"
#include "report/trace/heap.h"

typedef struct naming { /* what is needed to show values of states along one path */
    const program *program;
    const machine *machine; /* that knows the names of threads; NULL: they have numbers */
    terms *terms;
    const valuation *inputs; /* decides whatever is still symbolic */
    heap_names *heap;        /* NULL: heap memory does not occur */
} naming;

/* What an object is called, and how its parts are: name[1].x, name->x, *name. */
typedef struct object_label {
    const char *name;
    bool is_array;
    bool is_pointer; /* the name is of what points to it */
} object_label;

void value_print(naming *n, const state *s, value v, scalar_type type, text *out);
uint64_t value_number(naming *n, const term *bits); /* under the inputs */

/* "buf[3].x": a piece of an object; "buf+6" if it is no cell of what the object holds, as memory has that was
 * accessed in another way. */
void piece_name_print(const object_label *of, const memory_object *o, const cell_view *piece, text *out);

/* The same for what is called `below` within its element, at this byte of the object. */
void label_part_print(const object_label *of, const memory_object *o, uint32_t byte, const char *below,
                      text *out);

/* The cell that it is, or NULL. */
const cell_type *piece_cell(const memory_object *o, const cell_view *piece);

/* Whether only a design library has use for it: not to be shown. */
bool piece_is_inner(const memory_object *o, const cell_view *piece);

/* What a piece holds is read as its cell says, else as a signed number. */
scalar_type piece_type(const memory_object *o, const cell_view *piece);

/* The layout that has names for the bytes of an object: its shape, or of heap memory what it holds. */
const layout *object_layout(const memory_object *o);

/* What a cell of what the object holds has for a number, if memory is cut otherwise there: pieces that repeat
 * a byte, that are several cells, or parts of one. Else the piece as it is. */
cell_view piece_of_cell(naming *n, const memory_object *o, const cell_type *cell, uint32_t low);

/* What an object is called in this state: as declared, by its variable if it belongs to a frame,
 * else see heap.h. */
object_label object_label_of(naming *n, const state *s, uint32_t object);

/* The local object number `local` of a frame lives in the dynamic object with this name; NO_INDEX if it is
 * not there. */
uint32_t frame_local_object(const program *p, const thread_part *t, const frame *f, uint32_t local);

#endif
