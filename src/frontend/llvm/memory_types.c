/* Layouts by debug information alone: what the bytes of heap memory are called. Types refer to each other in
 * circles, so a layout is handed out before its cells are found. */
#include "frontend/llvm/translate.h"

enum { DWARF_ARRAY = 0x01, DWARF_CLASS = 0x02, DWARF_STRUCTURE = 0x13, DWARF_UNION = 0x17 };

typedef struct drawing {
    translation *t;
    VEC(cell_type) cells;
    VEC(lock_place) locks;
    unsigned depth;
} drawing;

enum { MOST_DEPTH = 32, MOST_DRAWN = 4096 };

static void draw(drawing *d, LLVMMetadataRef type, uint64_t bits, const char *name, cell_role role);

static const char *below(drawing *d, const char *name, const char *field) {
    if (!*field) return name;
    text whole = {0};
    text_format(&whole, "%s.%s", name, field);
    const char *kept = program_copy_text(d->t->p, text_cstr(&whole));
    text_free(&whole);
    return kept;
}

static void draw_members(drawing *d, LLVMMetadataRef class, uint64_t bits, const char *name, cell_role role) {
    unsigned count = debug_part_count(d->t, class);
    for (unsigned k = 0; k < count; k++) {
        debug_part part;
        if (!debug_part_at(d->t, class, k, &part)) continue;
        cell_role greater = part.role > role ? part.role : role;
        draw(d, part.type, bits + part.bits, below(d, name, part.name), greater);
    }
}

static void draw_elements(drawing *d, LLVMMetadataRef array, uint64_t bits, const char *name,
                          cell_role role) {
    LLVMMetadataRef declared = debug_base_type(d->t, array), element = debug_plain_type(d->t, declared);
    uint64_t size = element ? LLVMDITypeGetSizeInBits(element) : 0;
    uint64_t count = size ? LLVMDITypeGetSizeInBits(array) / size : 0;
    for (uint64_t k = 0; k < count && d->cells.size < MOST_DRAWN; k++) {
        text whole = {0};
        text_format(&whole, "%s[%llu]", name, (unsigned long long)k);
        draw(d, declared, bits + k * size, program_copy_text(d->t->p, text_cstr(&whole)), role);
        text_free(&whole);
    }
}

static scalar_view view_of_basic(translation *t, LLVMMetadataRef type) {
    if (LLVMGetMetadataKind(type) != LLVMDIBasicTypeMetadataKind) return VIEW_SIGNED;
    LLVMTypeRef any_integer = LLVMInt32TypeInContext(t->context);
    return debug_view(t, type, any_integer);
}

static void draw_scalar(drawing *d, LLVMMetadataRef type, uint64_t bits, const char *name, cell_role role) {
    uint64_t size = LLVMDITypeGetSizeInBits(type);
    if (!size || size > 64 || size % 8 != 0) return;
    scalar_view view = debug_is_pointer(type) ? VIEW_POINTER : view_of_basic(d->t, type);
    vec_push(&d->cells, ((cell_type){.offset = (uint32_t)(bits / 8),
                                     .type = {(uint8_t)size, (uint8_t)view},
                                     .name = name,
                                     .role = (uint8_t)role,
                                     .target = debug_target(d->t, type)}));
}

static void draw(drawing *d, LLVMMetadataRef declared, uint64_t bits, const char *name, cell_role role) {
    LLVMMetadataRef type = debug_plain_type(d->t, declared);
    lock_kind kind;
    if (!type || bits % 8 || d->depth >= MOST_DEPTH || d->cells.size >= MOST_DRAWN) return;
    if (debug_is_lock(d->t, declared, &kind)) {
        enum { CONDITION_VARIABLE_BYTES = 48 }; /* where it is only declared */
        uint32_t bytes = (uint32_t)(LLVMDITypeGetSizeInBits(type) / 8);
        if (!bytes) bytes = CONDITION_VARIABLE_BYTES;
        vec_push(&d->locks, ((lock_place){(uint32_t)(bits / 8), bytes, (uint8_t)kind, name}));
    }
    bool is_composite = LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind;
    unsigned tag = LLVMGetDINodeTag(type);
    d->depth++;
    if (is_composite && (tag == DWARF_CLASS || tag == DWARF_STRUCTURE || tag == DWARF_UNION))
        draw_members(d, type, bits, name, role); /* those of a union lie one upon the other */
    else if (is_composite && tag == DWARF_ARRAY)
        draw_elements(d, type, bits, name, role);
    else
        draw_scalar(d, type, bits, name, role);
    d->depth--;
}

/* Members of unions come in the order of the text: cells go up, and those that begin together
 * keep that order. */
static void sort_cells(drawing *d) {
    for (size_t k = 1; k < d->cells.size; k++) {
        cell_type moved = d->cells.data[k];
        size_t to = k;
        for (; to && d->cells.data[to - 1].offset > moved.offset; to--)
            d->cells.data[to] = d->cells.data[to - 1];
        d->cells.data[to] = moved;
    }
}

static void find_cells(translation *t, const undrawn_type *of) {
    drawing d = {.t = t};
    draw(&d, of->type, 0, "", CELL_PLAIN);
    sort_cells(&d);
    of->made->cells = (uint32_t)d.cells.size;
    of->made->cell = arena_copy(&t->p->memory, d.cells.data, d.cells.size * sizeof *d.cells.data);
    of->made->locks = (uint32_t)d.locks.size;
    of->made->lock = arena_copy(&t->p->memory, d.locks.data, d.locks.size * sizeof *d.locks.data);
    vec_free(&d.cells);
    vec_free(&d.locks);
}

static const layout *begin_layout(translation *t, LLVMMetadataRef type) {
    uint64_t known = map_get(&t->described_types, (uintptr_t)type);
    if (known != MAP_NONE) return (const layout *)(uintptr_t)known;
    LLVMMetadataRef plain = debug_plain_type(t, type);
    layout *made = arena_alloc(&t->p->memory, sizeof *made);
    *made = (layout){.stride = plain ? (uint32_t)(LLVMDITypeGetSizeInBits(plain) / 8) : 0,
                     .type = debug_type_name(t, type)};
    map_put(&t->described_types, (uintptr_t)type, (uintptr_t)made);
    if (made->stride) vec_push(&t->undrawn, ((undrawn_type){type, made}));
    return made;
}

static const layout *describe_type(translation *t, LLVMMetadataRef type) {
    const layout *made = begin_layout(t, type);
    if (t->draws) return made;
    t->draws = true;
    while (t->undrawn.size) {
        undrawn_type next = vec_pop(&t->undrawn);
        find_cells(t, &next);
    }
    t->draws = false;
    return made;
}

const layout *debug_layout(translation *t, LLVMMetadataRef type) {
    LLVMMetadataRef plain = debug_plain_type(t, type);
    if (!plain) return NULL;
    const layout *made = describe_type(t, type);
    return made->cells ? made : NULL;
}

const layout *debug_target(translation *t, LLVMMetadataRef pointer) {
    LLVMMetadataRef plain = debug_plain_type(t, pointer);
    LLVMMetadataRef target = debug_is_pointer(plain) ? debug_base_type(t, plain) : NULL;
    LLVMMetadataRef to = target ? debug_plain_type(t, target) : NULL;
    if (!to) return NULL;
    bool is_composite = LLVMGetMetadataKind(to) == LLVMDICompositeTypeMetadataKind;
    if (is_composite && !debug_is_of_program(t, to)) return NULL;
    return describe_type(t, target);
}
