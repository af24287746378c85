/* What a static analysis knows of values: constants, addresses and functions, and cells of memory that nobody
 * writes.
 *
 * Cells are taken as never written until a write to them is noted; whoever relied on that has to look again
 * (still_changed). Only objects with an image are known. */
#ifndef HEDDLE_ANALYSIS_KNOWN_H
#define HEDDLE_ANALYSIS_KNOWN_H

#include "program/effect.h"
#include "program/program.h"

typedef enum { KNOWN_NOTHING_YET, KNOWN_NUMBER, KNOWN_ADDRESS, KNOWN_FUNCTION, KNOWN_ANYTHING } knowledge;

#define OFFSET_UNKNOWN UINT64_MAX

typedef struct known {
    uint8_t is;      /* knowledge */
    uint32_t object; /* ADDRESS: static object or region (effect.h); FUNCTION: which */
    uint64_t number; /* NUMBER: the value; ADDRESS: byte offset or OFFSET_UNKNOWN */
} known;

static const known known_anything = {KNOWN_ANYTHING, 0, 0};

static inline known known_number(uint64_t n) {
    return (known){KNOWN_NUMBER, 0, n};
}
static inline known known_address(uint32_t object, uint64_t offset) {
    return (known){KNOWN_ADDRESS, object, offset};
}

bool known_join(known *into, known v); /* whether `into` knows less now */

/* The operators that addresses, indices and conditions are made of; everything else is unknown. */
known known_fold(const instruction *i, unsigned width, known a, known b, known c);
known known_moved(known base, known steps, uint32_t scale); /* INSTR_OFFSET */

/* --- cells that stay as they are ------------------------------------------------------------------------ */

typedef struct still_memory still_memory;

still_memory *still_create(const program *p);
void still_destroy(still_memory *m);
void still_note(still_memory *m, const effect *touched); /* its writes */
bool still_changed(still_memory *m); /* since the last time that was asked: some write was new */
known still_load(const still_memory *m, known address, unsigned width);

#endif
