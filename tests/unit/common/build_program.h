/* Preemptive programs written instruction by instruction, for tests of analyses: everything is 64 bits wide,
 * objects are arrays of 64-bit cells. Instructions go to the end of the present block. */
#ifndef HEDDLE_TESTS_BUILD_PROGRAM_H
#define HEDDLE_TESTS_BUILD_PROGRAM_H

#include "analysis/future.h"
#include "program/program.h"

typedef struct build {
    program *p;
    uint32_t function, block; /* where instructions go */
} build;

static const scalar_type BUILD_WORD = {64, VIEW_UNSIGNED};

static inline build build_open(void) {
    return (build){program_create(KERNEL_PREEMPTIVE, "test"), NO_INDEX, NO_INDEX};
}

static inline operand build_static(build *b, const char *name, uint32_t cells) {
    static_object o = {.name = program_copy_text(b->p, name),
                       .shape = program_scalar_layout(b->p, BUILD_WORD),
                       .count = cells,
                       .is_array = cells > 1,
                       .at = {1, 1}};
    vec_push(&b->p->objects, o);
    return operand_object((uint32_t)(b->p->objects.size - 1), 0);
}

/* Starts a function and goes to its first block; parameters are registers 0 ... */
static inline uint32_t build_function(build *b, const char *name, uint32_t parameters) {
    bool is_main = !b->p->threads.size;
    b->function =
        program_add_function(b->p, name, is_main ? FUNCTION_MAIN : FUNCTION_PLAIN, (position){1, 1});
    b->block = function_add_block(b->p, b->function);
    b->p->functions.data[b->function].parameters = parameters;
    b->p->functions.data[b->function].result = BUILD_WORD;
    for (uint32_t k = 0; k < parameters; k++) function_add_register(b->p, b->function, BUILD_WORD, NULL);
    if (is_main)
        vec_push(&b->p->threads, ((thread_info){.name = "main", .function = b->function, .at = {1, 1}}));
    return b->function;
}

static inline void build_goto(build *b, uint32_t function, uint32_t block) {
    b->function = function;
    b->block = block;
}

static inline operand build_local(build *b, uint32_t cells) {
    function *f = &b->p->functions.data[b->function];
    local_object o = {.name = "local",
                      .shape = program_scalar_layout(b->p, BUILD_WORD),
                      .count = cells,
                      .is_array = cells > 1};
    vec_push(&f->locals, o);
    return operand_local((uint32_t)(f->locals.size - 1), 0);
}

static inline operand build_number(uint64_t value) {
    return operand_const(64, value);
}

static inline operand build_parameter(uint32_t index) {
    return operand_register(index, 64);
}

static inline operand build_narrow_register(build *b, unsigned width) {
    scalar_type type = {(uint8_t)width, VIEW_UNSIGNED};
    return operand_register(function_add_register(b->p, b->function, type, NULL), width);
}

static inline operand build_register(build *b) {
    return build_narrow_register(b, 64);
}

/* --- instructions; those with a result write it to `dst` ------------------------------------------------ */

static inline instruction *build_emit(build *b, instruction_kind kind) {
    return function_emit(b->p, b->function, b->block, kind, (position){1, 1});
}

static inline instruction *build_instruction(build *b, instruction_kind kind, operand a, operand c) {
    instruction *i = build_emit(b, kind);
    i->a = a;
    i->b = c;
    return i;
}

static inline void build_move(build *b, operand dst, operand from) {
    build_instruction(b, INSTR_MOVE, from, operand_none())->dst = dst.index;
}

static inline void build_arith(build *b, operand dst, arith op, operand x, operand y) {
    instruction *i = build_instruction(b, INSTR_ARITH, x, y);
    i->dst = dst.index;
    i->arith = (uint8_t)op;
}

static inline void build_select(build *b, operand dst, operand condition, operand x, operand y) {
    build_arith(b, dst, ARITH_SELECT, condition, x);
    vec_last(&b->p->functions.data[b->function].blocks.data[b->block].code).c = y;
}

static inline void build_offset(build *b, operand dst, operand base, operand index, uint32_t bytes) {
    instruction *i = build_instruction(b, INSTR_OFFSET, base, index);
    i->dst = dst.index;
    i->extra = bytes;
}

static inline void build_load(build *b, operand dst, operand address) {
    build_instruction(b, INSTR_LOAD, address, operand_none())->dst = dst.index;
}

static inline void build_store(build *b, operand address, operand v) {
    build_instruction(b, INSTR_STORE, address, v);
}

static inline void build_update(build *b, operand address, operand v) {
    build_instruction(b, INSTR_UPDATE, address, v)->arith = ARITH_ADD;
}

static inline void build_copy(build *b, operand to, operand from, uint64_t bytes) {
    build_instruction(b, INSTR_COPY, to, from)->c = build_number(bytes);
}

static inline void build_fill(build *b, operand to, operand byte, uint64_t bytes) {
    build_instruction(b, INSTR_FILL, to, byte)->c = build_number(bytes);
}

/* Gives the place of the new objects. */
static inline uint64_t build_alloc(build *b, operand dst, uint64_t cells, enum alloc_kind kind) {
    instruction *i = build_instruction(b, INSTR_ALLOC, build_number(cells), operand_none());
    i->dst = dst.index;
    i->extra = kind;
    i->shape = program_scalar_layout(b->p, BUILD_WORD);
    size_t index = b->p->functions.data[b->function].blocks.data[b->block].code.size - 1;
    return place_of_alloc(b->function, b->block, (uint32_t)index);
}

static inline void build_free(build *b, operand address) {
    build_instruction(b, INSTR_FREE, address, operand_none());
}

static inline instruction *build_call_with(build *b, operand dst, const operand *args, uint32_t count) {
    instruction *i = build_emit(b, INSTR_CALL);
    i->dst = dst.kind == OPERAND_NONE ? NO_INDEX : dst.index;
    i->args = program_copy_operands(b->p, args, count);
    i->arg_count = count;
    return i;
}

#define build_call(b, dst, function, ...)                                                                    \
    do {                                                                                                     \
        operand args_[] = {operand_none(), ##__VA_ARGS__};                                                   \
        build_call_with(b, dst, args_ + 1, sizeof args_ / sizeof *args_ - 1)->callee = function;             \
    } while (0)

#define build_call_through(b, dst, pointer, ...)                                                             \
    do {                                                                                                     \
        operand args_[] = {operand_none(), ##__VA_ARGS__};                                                   \
        instruction *i_ = build_call_with(b, dst, args_ + 1, sizeof args_ / sizeof *args_ - 1);              \
        i_->callee = NO_INDEX;                                                                               \
        i_->a = pointer;                                                                                     \
    } while (0)

static inline void build_return(build *b, operand v) {
    build_instruction(b, INSTR_RETURN, v, operand_none());
}

static inline void build_jump(build *b, uint32_t target) {
    build_emit(b, INSTR_JUMP)->target[0] = target;
}

static inline void build_branch(build *b, operand condition, uint32_t yes, uint32_t no) {
    instruction *i = build_instruction(b, INSTR_BRANCH, condition, operand_none());
    i->target[0] = yes;
    i->target[1] = no;
}

static inline instruction *build_sync(build *b, sync_op op, operand dst, operand a, operand c) {
    instruction *i = build_instruction(b, INSTR_SYNC, a, c);
    i->sync = (uint8_t)op;
    if (dst.kind != OPERAND_NONE) i->dst = dst.index;
    return i;
}

static inline void build_create(build *b, operand dst, operand start, operand argument) {
    build_sync(b, SYNC_CREATE, dst, start, argument);
}

static inline void build_join(build *b, operand dst, operand thread) {
    build_sync(b, SYNC_JOIN, dst, thread, operand_none());
}

static inline void build_exit(build *b, operand result) {
    build_sync(b, SYNC_EXIT, operand_none(), result, operand_none());
}

/* Blocks until the cell is 0. */
static inline void build_await(build *b, operand address) {
    instruction *i = build_sync(b, SYNC_AWAIT, operand_none(), address, build_number(UINT64_MAX));
    i->arith = ARITH_EQ;
    i->c = build_number(0);
}

/* Where the next instruction will be. */
static inline call_site build_here(const build *b) {
    return (call_site){b->function, b->block,
                       (uint32_t)b->p->functions.data[b->function].blocks.data[b->block].code.size};
}

#endif
