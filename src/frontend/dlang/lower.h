/* Syntax to program: every process becomes a function that main starts as a thread.
 *
 * One statement is one transition: it makes one access to shared memory, or all of its accesses inside one
 * atomic section. Local variables are registers (arrays: objects of the frame), so work on them alone is not
 * seen by other threads. lower.c has statements and the whole, lower_expression.c expressions and places. */
#ifndef HEDDLE_FRONTEND_DLANG_LOWER_H
#define HEDDLE_FRONTEND_DLANG_LOWER_H

#include "frontend/dlang/syntax.h"
#include "program/program.h"

program *dlang_lower(const char *file_name, const dlang_file *file);

/* --- shared by the two files ---------------------------------------------------------------------------- */

typedef struct lowering {
    const dlang_file *file;
    program *p;
    uint32_t *place;    /* variable -> static object; local: register or frame object of this function */
    uint32_t *capacity; /* channel -> messages it can hold */
    uint32_t function, block; /* where the next instruction goes */
    uint32_t process;         /* number of the process */
    VEC(uint32_t) numbers;    /* registers for intermediate results, used anew by every statement ... */
    VEC(uint32_t) truths;     /* ... of width 1 */
    size_t numbers_used, truths_used;
} lowering;

enum { NUMBER_BITS = 64 };

static inline operand number(int64_t value) {
    return operand_const(NUMBER_BITS, (uint64_t)value);
}

instruction *dlang_emit(lowering *l, instruction_kind kind, position at);
operand dlang_emit_arith(lowering *l, arith op, operand a, operand b, position at);
void dlang_emit_sync(lowering *l, sync_op op, position at);
void dlang_emit_jump(lowering *l, uint32_t target, position at);
/* Goes on where the condition holds; returns the block for where it does not. */
uint32_t dlang_emit_branch(lowering *l, operand condition, position at);
void dlang_emit_check(lowering *l, check_kind kind, operand condition, const char *description, position at);

operand dlang_emit_value(lowering *l, const ast *e);       /* a number, or a truth value of width 1 */
operand dlang_emit_pointer(lowering *l, const ast *place); /* to an element or channel, its index checked */
void dlang_emit_store(lowering *l, const ast *place, operand pointer, operand value);
operand dlang_emit_load(lowering *l, const ast *place, operand pointer);
bool dlang_is_register(const lowering *l, const ast *place);
unsigned dlang_shared_accesses(const lowering *l, const ast *e); /* how many evaluating e makes, at most */

/* Channels are elements {length, message[0], message[1], ...} with one message more than they can hold: it
 * stays 0. */
enum { CHANNEL_MESSAGES = 8 }; /* byte offset of the first */
operand dlang_emit_offset(lowering *l, operand pointer, operand count, uint32_t bytes, position at);
operand dlang_temporary(lowering *l, unsigned width); /* an intermediate result */

#endif
