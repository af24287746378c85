/* Types of IVL: their conversions, sizes and layouts in memory. Values of this folder's lowering only;
 * nothing outside sees them. */
#ifndef HEDDLE_FRONTEND_IVL_TYPES_H
#define HEDDLE_FRONTEND_IVL_TYPES_H

#include "program/program.h"

typedef enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_NULL,
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_STRUCT
} type_kind;

typedef struct type {
    uint8_t kind;
    uint8_t width;               /* BOOL 1, INT 8..64, POINTER and NULL 64 */
    bool is_signed, is_char;     /* INT; a char is an i8 that is shown as a character */
    const struct type *element;  /* POINTER: what it points to; ARRAY */
    uint32_t count;              /* ARRAY */
    const struct record *record; /* STRUCT */
} type;

typedef struct field {
    uint32_t name; /* interned */
    const type *type;
    uint32_t offset;
} field;

typedef struct record { /* a struct; incomplete (size 0) until its declaration has been read */
    const char *name;
    const type *as_type;
    VEC(field) fields;
    uint32_t size, alignment;
    uint32_t depth; /* structs inside each other */
    const layout *shape;
} record;

enum {
    IVL_MOST_CELLS = 1000000,      /* of all objects together */
    IVL_MOST_RECORD_CELLS = 65536, /* of one struct */
    IVL_MOST_RECORD_DEPTH = 50,
};

extern const type type_void, type_bool, type_char, type_int, type_uint, type_long, type_ulong, type_null;

const type *type_of_word(unsigned token_kind); /* TOKEN_BOOL .. TOKEN_VOID */
const type *type_pointer_to(arena *memory, const type *element);
const type *type_array_of(arena *memory, const type *element, uint32_t count);

static inline bool type_is_number(const type *t) {
    return t->kind == TYPE_BOOL || t->kind == TYPE_INT;
}
static inline bool type_is_pointer(const type *t) {
    return t->kind == TYPE_POINTER || t->kind == TYPE_NULL;
}
static inline bool type_is_scalar(const type *t) {
    return type_is_number(t) || type_is_pointer(t);
}

bool type_equal(const type *a, const type *b);         /* char equals i8 */
const type *type_promoted(const type *t);              /* narrower than int becomes int */
const type *type_common(const type *a, const type *b); /* usual arithmetic conversions of two numbers */
scalar_type type_scalar(const type *t);

uint32_t type_size(const type *t); /* bytes; 0 for void and incomplete structs */
uint32_t type_alignment(const type *t);
uint64_t type_cells(const type *t);

/* The shape of a variable of this type: elements are scalars or structs, the dimensions of
 * arrays are multiplied. */
const layout *type_shape(program *p, const type *t, uint32_t *count, bool *is_array);

/* Computes offsets, size and layout of a struct whose fields' names and types are known. */
void record_complete(program *p, record *r, const char *(*name_of)(const void *context, uint32_t name),
                     const void *context);

void type_print(const type *t, text *out);

#endif
