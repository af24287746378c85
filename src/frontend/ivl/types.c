#include "frontend/ivl/types.h"

#include "frontend/ivl/lexer.h"

const type type_void = {.kind = TYPE_VOID};
const type type_bool = {.kind = TYPE_BOOL, .width = 1};
const type type_char = {.kind = TYPE_INT, .width = 8, .is_signed = true, .is_char = true};
const type type_int = {.kind = TYPE_INT, .width = 32, .is_signed = true};
const type type_uint = {.kind = TYPE_INT, .width = 32};
const type type_long = {.kind = TYPE_INT, .width = 64, .is_signed = true};
const type type_ulong = {.kind = TYPE_INT, .width = 64};
const type type_null = {.kind = TYPE_NULL, .width = 64};
static const type type_i8 = {.kind = TYPE_INT, .width = 8, .is_signed = true};
static const type type_u8 = {.kind = TYPE_INT, .width = 8};
static const type type_i16 = {.kind = TYPE_INT, .width = 16, .is_signed = true};
static const type type_u16 = {.kind = TYPE_INT, .width = 16};

const type *type_of_word(unsigned token_kind) {
    switch (token_kind) {
    case TOKEN_BOOL: return &type_bool;
    case TOKEN_CHAR: return &type_char;
    case TOKEN_I8: return &type_i8;
    case TOKEN_U8: return &type_u8;
    case TOKEN_SHORT:
    case TOKEN_I16: return &type_i16;
    case TOKEN_USHORT:
    case TOKEN_U16: return &type_u16;
    case TOKEN_INT:
    case TOKEN_I32: return &type_int;
    case TOKEN_UINT:
    case TOKEN_U32: return &type_uint;
    case TOKEN_LONG:
    case TOKEN_I64: return &type_long;
    case TOKEN_ULONG:
    case TOKEN_U64: return &type_ulong;
    default: return &type_void;
    }
}

const type *type_pointer_to(arena *memory, const type *element) {
    type *t = arena_zero(memory, sizeof *t);
    *t = (type){.kind = TYPE_POINTER, .width = 64, .element = element};
    return t;
}

const type *type_array_of(arena *memory, const type *element, uint32_t count) {
    type *t = arena_zero(memory, sizeof *t);
    *t = (type){.kind = TYPE_ARRAY, .element = element, .count = count};
    return t;
}

bool type_equal(const type *a, const type *b) {
    for (;; a = a->element, b = b->element) {
        if (a->kind != b->kind || a->width != b->width || a->is_signed != b->is_signed ||
            a->count != b->count || a->record != b->record)
            return false;
        if (!a->element || !b->element) return a->element == b->element;
    }
}

const type *type_promoted(const type *t) {
    return type_is_number(t) && t->width < 32 ? &type_int : t;
}

const type *type_common(const type *a, const type *b) {
    a = type_promoted(a);
    b = type_promoted(b);
    if (a->width != b->width)
        return a->width > b->width ? a : b; /* the wider one holds all values of the other */
    return a->is_signed ? b : a;
}

scalar_type type_scalar(const type *t) {
    scalar_view view = t->kind == TYPE_BOOL ? VIEW_BOOL
                       : type_is_pointer(t) ? VIEW_POINTER
                       : t->is_char         ? VIEW_CHAR
                       : t->is_signed       ? VIEW_SIGNED
                                            : VIEW_UNSIGNED;
    return (scalar_type){t->width, (uint8_t)view};
}

static const type *innermost(const type *t, uint64_t *count) {
    *count = 1;
    for (; t->kind == TYPE_ARRAY; t = t->element) *count *= t->count;
    return t;
}

uint32_t type_size(const type *t) {
    uint64_t count;
    t = innermost(t, &count);
    if (t->kind == TYPE_STRUCT) return (uint32_t)(count * t->record->size);
    return t->kind == TYPE_VOID ? 0 : (uint32_t)(count * scalar_bytes(type_scalar(t)));
}

uint32_t type_alignment(const type *t) {
    uint64_t count;
    t = innermost(t, &count);
    if (t->kind == TYPE_STRUCT) return t->record->alignment;
    return t->kind == TYPE_VOID ? 1 : scalar_bytes(type_scalar(t));
}

uint64_t type_cells(const type *t) {
    uint64_t count;
    t = innermost(t, &count);
    return t->kind == TYPE_STRUCT && t->record->shape ? count * t->record->shape->cells : count;
}

const layout *type_shape(program *p, const type *t, uint32_t *count, bool *is_array) {
    uint64_t elements;
    const type *element = innermost(t, &elements);
    *count = (uint32_t)elements;
    *is_array = t->kind == TYPE_ARRAY;
    return element->kind == TYPE_STRUCT ? element->record->shape
                                        : program_scalar_layout(p, type_scalar(element));
}

static uint32_t aligned(uint32_t offset, uint32_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/* Cells of one field: of each element of an array, of each cell of a nested struct. Names of dimensions are
 * written out. */
static uint32_t flatten_field(program *p, const field *f, const char *name, cell_type *out) {
    uint64_t count;
    const type *element = innermost(f->type, &count);
    scalar_type scalar = element->kind == TYPE_STRUCT ? (scalar_type){0, 0} : type_scalar(element);
    cell_type single = {.type = scalar, .name = ""};
    layout plain = {.stride = type_size(element), .cells = 1, .cell = &single};
    const layout *shape = element->kind == TYPE_STRUCT ? element->record->shape : &plain;
    uint32_t made = 0;
    for (uint64_t k = 0; k < count; k++) {
        text prefix = {0};
        text_format(&prefix, ".%s", name);
        uint64_t rest = k, below = count;
        for (const type *t = f->type; t->kind == TYPE_ARRAY; t = t->element) {
            below /= t->count;
            text_format(&prefix, "[%u]", (unsigned)(rest / below));
            rest %= below;
        }
        size_t length = prefix.size;
        for (uint32_t c = 0; c < shape->cells; c++) {
            prefix.size = length;
            text_add(&prefix, shape->cell[c].name);
            out[made++] =
                (cell_type){.offset = f->offset + (uint32_t)k * shape->stride + shape->cell[c].offset,
                            .type = shape->cell[c].type,
                            .name = program_copy_text(p, text_cstr(&prefix))};
        }
        text_free(&prefix);
    }
    return made;
}

void record_complete(program *p, record *r, const char *(*name_of)(const void *context, uint32_t name),
                     const void *context) {
    uint64_t cells = 0;
    uint32_t end = 0, alignment = 1;
    for (size_t k = 0; k < r->fields.size; k++) {
        field *f = &r->fields.data[k];
        uint32_t a = type_alignment(f->type);
        f->offset = aligned(end, a);
        end = f->offset + type_size(f->type);
        if (a > alignment) alignment = a;
        cells += type_cells(f->type);
    }
    cell_type *cell = arena_alloc(&p->memory, cells * sizeof *cell);
    uint32_t made = 0;
    for (size_t k = 0; k < r->fields.size; k++)
        made += flatten_field(p, &r->fields.data[k], name_of(context, r->fields.data[k].name), cell + made);
    assert(made == cells); /* as many as were counted before the fields were laid out */
    layout *shape = arena_alloc(&p->memory, sizeof *shape);
    r->alignment = alignment;
    r->size = aligned(end, alignment);
    *shape = (layout){.stride = r->size, .cells = made, .cell = cell};
    r->shape = shape;
}

static void print_number(const type *t, text *out) {
    if (t->is_char)
        text_add(out, "char");
    else if (t->width == 32)
        text_add(out, t->is_signed ? "int" : "uint");
    else
        text_format(out, "%c%u", t->is_signed ? 'i' : 'u', t->width);
}

void type_print(const type *t, text *out) {
    unsigned stars = 0;
    for (; t->kind == TYPE_POINTER; t = t->element) stars++;
    uint64_t count;
    const type *element = innermost(t, &count);
    switch ((type_kind)element->kind) {
    case TYPE_VOID: text_add(out, "void"); break;
    case TYPE_BOOL: text_add(out, "bool"); break;
    case TYPE_NULL: text_add(out, "null"); break;
    case TYPE_STRUCT: text_format(out, "struct %s", element->record->name); break;
    case TYPE_POINTER: type_print(element, out); break; /* an array of pointers: one level only */
    default: print_number(element, out);
    }
    for (const type *a = t; a->kind == TYPE_ARRAY; a = a->element) text_format(out, "[%u]", a->count);
    for (; stars; stars--) text_char(out, '*');
}
