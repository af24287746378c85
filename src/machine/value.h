/* What a register or a cell of memory holds. */
#ifndef HEDDLE_MACHINE_VALUE_H
#define HEDDLE_MACHINE_VALUE_H

#include "program/program.h"
#include "term/term.h"

/* A number, or a pointer. bits == NULL: no value (a dead register, or bytes of memory that were never
 * written, see memory_object). */
typedef struct value {
    const term *bits; /* the number; for pointers the byte offset (width program.pointer_bits) */
    uint32_t base;    /* 0: a number (or null/invalid pointer); else what it points into */
} value;

/*  base                               the value is
 *  ---------------------------------  -------------------------------------------------------------------
 *  1 + name                           a pointer into this object, name below 2^27 - 1
 *  FUNCTION_BASE + index              a pointer to this function
 *  FRAGMENT_BASE + k << 27 + either   byte k of such a pointer, as a byte-wise copy makes them. `bits` still
 *                                     is the whole offset: only all bytes of one pointer give a pointer again
 *  PADDING_BASE                       (cells, bits NULL) bytes between fields: copied; read as any number */
#define FUNCTION_BASE UINT32_C(0x80000000)
#define FRAGMENT_BASE UINT32_C(0x40000000)
#define PADDING_BASE  UINT32_MAX
enum { FRAGMENT_SHIFT = 27 };

static inline bool value_is_fragment(value v) {
    return v.base & FRAGMENT_BASE;
}
static inline uint32_t value_fragment_index(value v) {
    return v.base >> FRAGMENT_SHIFT & 7;
}
static inline uint32_t value_target(value v) { /* base of the pointer that v is, or is a byte of */
    return v.base & (FUNCTION_BASE | ((UINT32_C(1) << FRAGMENT_SHIFT) - 1));
}
static inline uint32_t value_function(value v) { /* NO_INDEX: not a pointer to the start of a function */
    bool starts_one =
        v.base >= FUNCTION_BASE && !value_is_fragment(v) && term_is_const(v.bits) && !v.bits->value;
    return starts_one ? v.base - FUNCTION_BASE : NO_INDEX;
}
static inline uint32_t value_object(value v) { /* name of the object it points into; NO_INDEX: none */
    bool none = !v.bits || !v.base || v.base >= FUNCTION_BASE;
    return none ? NO_INDEX : value_target(v) - 1;
}

static inline bool value_equal(value a, value b) { /* identical */
    return a.bits == b.bits && a.base == b.base;
}

/* A power of two that divides the offset of a pointer, as far as its term shows; at most 16. */
uint64_t offset_alignment(const term *offset);

#endif
