#include "program/program.h"

#include "base/invariant.h"

program *program_create(kernel_kind kernel, const char *file) {
    program *p = mem_zero(1, sizeof *p);
    p->kernel = kernel;
    p->pointer_bits = 64;
    p->thread_origin = NO_INDEX;
    p->file = program_copy_text(p, file);
    return p;
}

static void free_function(function *f) {
    for (size_t b = 0; b < f->blocks.size; b++) vec_free(&f->blocks.data[b].code);
    vec_free(&f->blocks);
    vec_free(&f->registers);
    vec_free(&f->locals);
}

void program_destroy(program *p) {
    if (!p) return;
    for (size_t f = 0; f < p->functions.size; f++) free_function(&p->functions.data[f]);
    vec_free(&p->functions);
    vec_free(&p->objects);
    vec_free(&p->threads);
    vec_free(&p->events);
    vec_free(&p->updates);
    vec_free(&p->checks);
    vec_free(&p->missing);
    vec_free(&p->uncalled);
    vec_free(&p->inputs);
    vec_free(&p->made_types);
    arena_free(&p->memory);
    mem_free(p);
}

uint32_t program_add_function(program *p, const char *name, function_role role, position at) {
    function f = {.name = program_copy_text(p, name), .role = role, .at = at};
    vec_push(&p->functions, f);
    return (uint32_t)(p->functions.size - 1);
}

uint32_t function_add_register(program *p, uint32_t f, scalar_type type, const char *name) {
    assert(f < p->functions.size && type.width >= 1 && type.width <= 64);
    register_info info = {.type = type, .name = name ? program_copy_text(p, name) : NULL};
    vec_push(&p->functions.data[f].registers, info);
    return (uint32_t)(p->functions.data[f].registers.size - 1);
}

uint32_t function_add_block(program *p, uint32_t f) {
    assert(f < p->functions.size);
    block empty = {0};
    vec_push(&p->functions.data[f].blocks, empty);
    return (uint32_t)(p->functions.data[f].blocks.size - 1);
}

instruction *function_emit(program *p, uint32_t f, uint32_t block, instruction_kind kind, position at) {
    assert(f < p->functions.size && block < p->functions.data[f].blocks.size && kind < INSTR_KINDS);
    instruction i = {.kind = (uint8_t)kind, .dst = NO_INDEX, .at = at};
    vec_push(&p->functions.data[f].blocks.data[block].code, i);
    return &vec_last(&p->functions.data[f].blocks.data[block].code);
}

const operand *program_copy_operands(program *p, const operand *args, size_t count) {
    return count ? arena_copy(&p->memory, args, count * sizeof *args) : NULL;
}

const layout *program_scalar_layout(program *p, scalar_type type) {
    cell_type *cell = arena_alloc(&p->memory, sizeof *cell);
    *cell = (cell_type){.type = type, .name = ""};
    layout *shape = arena_alloc(&p->memory, sizeof *shape);
    *shape = (layout){.stride = scalar_bytes(type), .cells = 1, .cell = cell};
    return shape;
}

const char *program_copy_text(program *p, const char *s) {
    return arena_string(&p->memory, s, strlen(s));
}

uint32_t scalar_bytes(scalar_type type) {
    assert(type.width >= 1 && type.width <= 64);
    return type.width <= 8 ? 1 : type.width <= 16 ? 2 : type.width <= 32 ? 4 : 8;
}
