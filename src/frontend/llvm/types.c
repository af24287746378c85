/* LLVM types: which are scalars, how aggregates fall into scalars, how objects lie in memory. */
#include "frontend/llvm/translate.h"

#include <stdio.h>

bool lltype_scalar(const translation *t, LLVMTypeRef type, scalar_type *out) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        if (width > 64) return false;
        *out = (scalar_type){(uint8_t)width, width == 1 ? VIEW_BOOL : VIEW_SIGNED};
        return true;
    }
    case LLVMPointerTypeKind:
        *out = (scalar_type){(uint8_t)t->pointer_bits, VIEW_POINTER};
        return LLVMGetPointerAddressSpace(type) == 0;
    case LLVMFloatTypeKind: *out = (scalar_type){32, VIEW_UNSIGNED}; return true;
    case LLVMDoubleTypeKind: *out = (scalar_type){64, VIEW_UNSIGNED}; return true;
    default: return false;
    }
}

uint64_t lltype_size(const translation *t, LLVMTypeRef type) {
    return LLVMABISizeOfType(t->data, type);
}

/* --- walking -------------------------------------------------------------------------------------------- */

typedef struct visit {
    LLVMTypeRef type;
    uint64_t offset;
    LLVMMetadataRef debug; /* DIType or NULL */
    const char *name;      /* of a cell */
    cell_role role;
} visit;

typedef VEC(visit) visits;

static bool is_aggregate(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* Pushes the members of an aggregate so that the first one is on top; false if there are more than `most`. */
static bool push_members(const translation *t, visits *stack, visit of, uint64_t most) {
    bool is_struct = LLVMGetTypeKind(of.type) == LLVMStructTypeKind;
    uint64_t count = is_struct ? LLVMCountStructElementTypes(of.type) : LLVMGetArrayLength2(of.type);
    if (count > most) return false;
    for (uint64_t k = count; k-- > 0;) {
        visit member = {.name = of.name, .role = of.role};
        if (is_struct) {
            member.type = LLVMStructGetTypeAtIndex(of.type, (unsigned)k);
            member.offset = of.offset + LLVMOffsetOfElement(t->data, of.type, (unsigned)k);
        } else {
            member.type = LLVMGetElementType(of.type);
            member.offset = of.offset + k * lltype_size(t, member.type);
        }
        vec_push(stack, member);
    }
    return true;
}

bool lltype_leaves(const translation *t, LLVMTypeRef type, leaves *out) {
    visits stack = {0};
    vec_push(&stack, ((visit){.type = type}));
    size_t before = out->size;
    bool good = LLVMTypeIsSized(type);
    while (good && stack.size) {
        visit v = vec_pop(&stack);
        leaf l = {.offset = v.offset};
        if (is_aggregate(v.type))
            good = push_members(t, &stack, v, MOST_PARTS);
        else if ((good = lltype_scalar(t, v.type, &l.type) && out->size - before < MOST_PARTS))
            vec_push(out, l);
    }
    vec_free(&stack);
    return good;
}

bool lltype_is_modelled(const translation *t, LLVMTypeRef type) {
    scalar_type scalar;
    if (lltype_scalar(t, type, &scalar)) return true;
    if (!is_aggregate(type)) return false;
    leaves found = {0};
    bool good = lltype_leaves(t, type, &found);
    vec_free(&found);
    return good;
}

/* --- layouts -------------------------------------------------------------------------------------------- */

typedef VEC(cell_type) cells;
typedef VEC(lock_place) lock_places;

static scalar_type in_memory(scalar_type type) {
    type.width = (uint8_t)(8 * scalar_bytes(type));
    return type;
}

/* What is no scalar of ours (long double, vectors, 128 bits) is words or bytes in memory. */
static void add_raw_cells(translation *t, cells *out, visit v) {
    uint64_t size = lltype_size(t, v.type), step = size % 8 == 0 && v.offset % 8 == 0 ? 8 : 1;
    for (uint64_t k = 0; k < size && out->size < MOST_CELLS; k += step) {
        cell_type cell = {.offset = (uint32_t)(v.offset + k),
                          .type = {(uint8_t)(8 * step), VIEW_UNSIGNED},
                          .name = v.name,
                          .role = (uint8_t)v.role};
        vec_push(out, cell);
    }
}

static void name_members(translation *t, visits *stack, size_t first, visit of) {
    bool is_struct = LLVMGetTypeKind(of.type) == LLVMStructTypeKind;
    LLVMMetadataRef element = of.debug && !is_struct ? debug_element_type(t, of.debug) : NULL;
    size_t count = stack->size - first;
    for (size_t k = 0; k < count; k++) {
        visit *member = &stack->data[stack->size - 1 - k];
        char name[200];
        if (is_struct) {
            debug_part field = {0};
            if (of.debug && debug_member(t, of.debug, member->offset - of.offset, &field))
                snprintf(name, sizeof name, "%s%s%s", of.name, *field.name ? "." : "", field.name);
            else
                snprintf(name, sizeof name, "%s.%zu", of.name, k);
            member->debug = field.type;
            if (field.role > of.role) member->role = field.role;
        } else {
            member->debug = element;
            snprintf(name, sizeof name, "%s[%zu]", of.name, k);
        }
        member->name = program_copy_text(t->p, name);
    }
}

static void note_lock(translation *t, const visit *v, lock_places *out) {
    lock_kind kind;
    if (v->debug && debug_is_lock(t, v->debug, &kind))
        vec_push(out, ((lock_place){(uint32_t)v->offset, (uint32_t)lltype_size(t, v->type), (uint8_t)kind,
                                    v->name}));
}

static bool collect_cells(translation *t, LLVMTypeRef type, LLVMMetadataRef debug, cells *out,
                          lock_places *locks) {
    visits stack = {0};
    vec_push(&stack, ((visit){type, 0, debug, "", CELL_PLAIN}));
    bool good = true;
    while (good && stack.size) {
        visit v = vec_pop(&stack);
        scalar_type scalar;
        note_lock(t, &v, locks);
        if (is_aggregate(v.type)) {
            size_t first = stack.size;
            good = push_members(t, &stack, v, MOST_CELLS) && stack.size + out->size <= MOST_CELLS;
            if (good) name_members(t, &stack, first, v);
        } else if (lltype_scalar(t, v.type, &scalar)) {
            if (scalar.view == VIEW_SIGNED) scalar.view = (uint8_t)debug_view(t, v.debug, v.type);
            cell_type cell = {.offset = (uint32_t)v.offset,
                              .type = in_memory(scalar),
                              .name = v.name,
                              .role = (uint8_t)v.role,
                              .target = v.debug ? debug_target(t, v.debug) : NULL};
            vec_push(out, cell);
        } else {
            add_raw_cells(t, out, v);
        }
        good = good && out->size <= MOST_CELLS;
    }
    vec_free(&stack);
    return good;
}

static const layout *make_layout(translation *t, const cells *found, const lock_places *locks,
                                 uint64_t stride, LLVMMetadataRef debug) {
    layout *made = arena_alloc(&t->p->memory, sizeof *made);
    *made = (layout){.stride = (uint32_t)stride,
                     .cells = (uint32_t)found->size,
                     .cell = arena_copy(&t->p->memory, found->data, found->size * sizeof *found->data),
                     .type = debug ? debug_type_name(t, debug) : NULL,
                     .lock = arena_copy(&t->p->memory, locks->data, locks->size * sizeof *locks->data),
                     .locks = (uint32_t)locks->size};
    return made;
}

static const layout *byte_layout(translation *t) {
    return program_scalar_layout(t->p, (scalar_type){8, VIEW_UNSIGNED});
}

shape lltype_shape(translation *t, LLVMTypeRef type, uint64_t count, bool is_array, LLVMMetadataRef debug) {
    shape s = {NULL, count, is_array};
    if (debug && LLVMGetTypeKind(type) == LLVMArrayTypeKind) debug = debug_element_type(t, debug);
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        s.count *= LLVMGetArrayLength2(type);
        s.is_array = true;
        type = LLVMGetElementType(type);
    }
    uint64_t size = LLVMTypeIsSized(type) ? lltype_size(t, type) : 0, whole = size * s.count;
    if (!s.count || !size) return (shape){byte_layout(t), 1, s.is_array};
    uint64_t known = debug ? MAP_NONE : map_get(&t->layouts, (uintptr_t)type);
    if (known != MAP_NONE) {
        s.element = (const layout *)(uintptr_t)known;
        return s;
    }
    cells found = {0};
    lock_places locks = {0};
    if (size > UINT32_MAX / 2 || !collect_cells(t, type, debug, &found, &locks) || !found.size)
        s = (shape){byte_layout(t), whole, true};
    else
        s.element = make_layout(t, &found, &locks, size, debug);
    vec_free(&found);
    vec_free(&locks);
    if (!debug && s.count == whole / size && s.element->stride == size)
        map_put(&t->layouts, (uintptr_t)type, (uintptr_t)s.element);
    return s;
}
