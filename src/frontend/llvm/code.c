/* Small steps of code generation: one function per instruction shape, with the coercions
 * that operands need. */
#include "frontend/llvm/translate.h"

#include <stdarg.h>

instruction *code_add(body *b, instruction_kind kind) {
    return function_emit(b->t->p, b->f, b->block, kind, b->at);
}

instruction *code_last(body *b) {
    return &vec_last(&b->t->p->functions.data[b->f].blocks.data[b->block].code);
}

uint32_t code_register(body *b, unsigned width, const char *name) {
    scalar_type type = {(uint8_t)width, width == 1 ? VIEW_BOOL : VIEW_SIGNED};
    return function_add_register(b->t->p, b->f, type, name);
}

operand operand_pointer(const translation *t, operand o) {
    o.width = (uint8_t)t->pointer_bits;
    return o;
}

void code_move_to(body *b, uint32_t target, operand from) {
    assert(b->t->p->functions.data[b->f].registers.data[target].type.width == from.width);
    instruction *i = code_add(b, INSTR_MOVE);
    i->dst = target;
    i->a = from;
}

operand code_move(body *b, operand from, unsigned width) {
    uint32_t r = code_register(b, width, NULL);
    code_move_to(b, r, from);
    return operand_register(r, width);
}

void code_end_statement(body *b) {
    block *here = &b->t->p->functions.data[b->f].blocks.data[b->block];
    bool written = !b->hidden && b->t->p->functions.data[b->f].role != FUNCTION_MAIN;
    if (written && here->code.size) vec_last(&here->code).ends_statement = true;
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static uint64_t mask(unsigned width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t as_signed(operand o) {
    uint64_t sign = UINT64_C(1) << (o.width - 1);
    return (int64_t)((o.value ^ sign) - sign);
}

/* The operators by which options of the library decide what is translated at all. */
static bool fold(arith op, unsigned width, operand a, operand x, operand *out) {
    if (a.kind != OPERAND_CONST || x.kind != OPERAND_CONST) return false;
    uint64_t value;
    switch (op) {
    case ARITH_ADD: value = a.value + x.value; break;
    case ARITH_SUB: value = a.value - x.value; break;
    case ARITH_MUL: value = a.value * x.value; break;
    case ARITH_AND: value = a.value & x.value; break;
    case ARITH_OR: value = a.value | x.value; break;
    case ARITH_XOR: value = a.value ^ x.value; break;
    case ARITH_EQ: value = a.value == x.value; break;
    case ARITH_NE: value = a.value != x.value; break;
    case ARITH_ULT: value = a.value < x.value; break;
    case ARITH_ULE: value = a.value <= x.value; break;
    case ARITH_SLT: value = as_signed(a) < as_signed(x); break;
    case ARITH_SLE: value = as_signed(a) <= as_signed(x); break;
    default: return false;
    }
    assert(a.width == x.width && a.value <= mask(a.width) && x.value <= mask(x.width));
    *out = operand_const(width, value & mask(width));
    return true;
}

static operand code_three(body *b, arith op, unsigned width, operand a, operand x, operand y) {
    operand folded;
    if (fold(op, width, a, x, &folded)) return folded;
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_ARITH);
    i->dst = r;
    i->arith = (uint8_t)op;
    i->a = a;
    i->b = x;
    i->c = y;
    return operand_register(r, width);
}

operand code_arith(body *b, arith op, unsigned width, operand a, operand x) {
    return code_three(b, op, width, a, x, operand_none());
}

operand code_unary(body *b, arith op, unsigned width, operand a) {
    return code_three(b, op, width, a, operand_none(), operand_none());
}

operand code_select(body *b, operand condition, operand a, operand x) {
    return code_three(b, ARITH_SELECT, a.width, condition, a, x);
}

operand code_resize(body *b, operand a, unsigned width, bool is_signed) {
    if (a.width == width) return a;
    if (a.kind == OPERAND_CONST) {
        uint64_t value = a.value;
        if (is_signed && a.width < 64 && value >> (a.width - 1) & 1) value |= ~mask(a.width);
        return operand_const(width, value & mask(width));
    }
    return code_unary(b, a.width > width ? ARITH_TRUNC : is_signed ? ARITH_SEXT : ARITH_ZEXT, width, a);
}

operand code_input(body *b, const char *name, scalar_type type) {
    input entry = {program_copy_text(b->t->p, name), type, b->at};
    vec_push(&b->t->p->inputs, entry);
    uint32_t r = function_add_register(b->t->p, b->f, type, NULL);
    instruction *i = code_add(b, INSTR_INPUT);
    i->dst = r;
    i->extra = (uint32_t)(b->t->p->inputs.size - 1);
    return operand_register(r, type.width);
}

/* --- memory --------------------------------------------------------------------------------------------- */

static uint64_t object_bytes(const body *b, operand o) {
    const program *p = b->t->p;
    if (o.kind == OPERAND_OBJECT)
        return (uint64_t)p->objects.data[o.index].shape->stride * p->objects.data[o.index].count;
    const local_object *local = &p->functions.data[b->f].locals.data[o.index];
    return (uint64_t)local->shape->stride * local->count;
}

operand code_offset(body *b, operand pointer, int64_t bytes) {
    if (!bytes) return pointer;
    if (pointer.kind == OPERAND_OBJECT || pointer.kind == OPERAND_LOCAL) {
        uint64_t at = pointer.value + (uint64_t)bytes;
        if (at <= object_bytes(b, pointer)) {
            pointer.value = at;
            return pointer;
        }
    }
    unsigned width = b->t->pointer_bits;
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_OFFSET);
    i->dst = r;
    i->a = pointer;
    i->b = operand_const(width, (uint64_t)bytes & mask(width));
    i->extra = 1;
    return operand_register(r, width);
}

static operand load_exactly(body *b, operand pointer, unsigned width, memory_order_kind order) {
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_LOAD);
    i->dst = r;
    i->a = pointer;
    i->order = (uint8_t)order;
    return operand_register(r, width);
}

static void store_exactly(body *b, operand pointer, operand value, memory_order_kind order) {
    instruction *i = code_add(b, INSTR_STORE);
    i->a = pointer;
    i->b = value;
    i->order = (uint8_t)order;
}

static bool is_cell_width(unsigned width) {
    return width == 8 || width == 16 || width == 32 || width == 64;
}

static unsigned largest_piece(unsigned bytes) {
    return bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
}

/* Widths that memory does not have take the bytes that LLVM says they occupy, in pieces. */
operand code_load(body *b, operand pointer, unsigned width, memory_order_kind order) {
    if (is_cell_width(width)) return load_exactly(b, pointer, width, order);
    unsigned bytes = (width + 7) / 8, piece = largest_piece(bytes);
    if (piece == bytes) return code_resize(b, load_exactly(b, pointer, 8 * bytes, order), width, false);
    operand whole = code_resize(b, load_exactly(b, pointer, 8 * piece, order), 64, false);
    for (unsigned done = piece; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        operand part = load_exactly(b, code_offset(b, pointer, done), 8 * piece, order);
        part = code_arith(b, ARITH_SHL, 64, code_resize(b, part, 64, false), operand_const(64, 8 * done));
        whole = code_arith(b, ARITH_OR, 64, whole, part);
    }
    return code_resize(b, whole, width, false);
}

void code_store(body *b, operand pointer, operand value, memory_order_kind order) {
    if (is_cell_width(value.width)) {
        store_exactly(b, pointer, value, order);
        return;
    }
    unsigned bytes = (value.width + 7u) / 8;
    value = code_resize(b, value, 64, false);
    for (unsigned done = 0, piece; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        operand part = done ? code_arith(b, ARITH_LSHR, 64, value, operand_const(64, 8 * done)) : value;
        store_exactly(b, code_offset(b, pointer, done), code_resize(b, part, 8 * piece, false), order);
    }
}

void code_copy(body *b, operand to, operand from, operand bytes) {
    instruction *i = code_add(b, INSTR_COPY);
    i->a = to;
    i->b = from;
    i->c = bytes;
}

operand code_local(body *b, const char *name, LLVMTypeRef type, uint64_t count) {
    shape s = lltype_shape(b->t, type, count, count != 1, NULL);
    function *f = &b->t->p->functions.data[b->f];
    local_object local = {.name = name,
                          .shape = s.element,
                          .count = (uint32_t)s.count,
                          .is_array = s.is_array,
                          .unset = true,
                          .is_made = true};
    vec_push(&f->locals, local);
    return operand_pointer(b->t, operand_local((uint32_t)(f->locals.size - 1), 0));
}

/* --- control -------------------------------------------------------------------------------------------- */

/* A process of the systemc kernel is alone between two waits, so sections of library models are atomic
 * anyway; threads and what they wait for there do not go with processes. */
static bool has_no_threads(body *b, sync_op op) {
    if (program_kernel(b->t->p)->creates_threads || op < SYNC_ATOMIC_BEGIN || op == SYNC_SELF) return false;
    if (op != SYNC_ATOMIC_BEGIN && op != SYNC_ATOMIC_END && op != SYNC_FENCE)
        code_unsupported(b, "threads beside the processes of a design");
    return true;
}

operand code_sync(body *b, sync_op op, bool has_result, operand a, operand x) {
    unsigned width = b->t->pointer_bits;
    if (has_no_threads(b, op)) return has_result ? operand_const(width, 0) : operand_none();
    uint32_t r = has_result ? code_register(b, width, NULL) : NO_INDEX;
    instruction *i = code_add(b, INSTR_SYNC);
    i->sync = (uint8_t)op;
    i->dst = r;
    i->a = a;
    i->b = x;
    return has_result ? operand_register(r, width) : operand_none();
}

void code_jump(body *b, uint32_t target) {
    code_add(b, INSTR_JUMP)->target[0] = target;
}

void code_branch(body *b, operand condition, uint32_t yes, uint32_t no) {
    assert(condition.width == 1);
    instruction *i = code_add(b, INSTR_BRANCH);
    i->a = condition;
    i->target[0] = yes;
    i->target[1] = no;
}

uint32_t code_new_block(body *b) {
    return function_add_block(b->t->p, b->f);
}

void code_enter(body *b, uint32_t block) {
    assert(block < b->t->p->functions.data[b->f].blocks.size);
    b->block = block;
}

void code_check(body *b, check_kind kind, operand condition, const char *what) {
    program *p = b->t->p;
    check entry = {.kind = kind,
                   .text = program_copy_text(p, what),
                   .thread_or_function = p->functions.data[b->f].name,
                   .at = b->at};
    vec_push(&p->checks, entry);
    instruction *i = code_add(b, INSTR_CHECK);
    i->a = condition;
    i->check = (uint32_t)(p->checks.size - 1);
}

void code_dead_end(body *b) {
    code_sync(b, SYNC_END, false, operand_none(), operand_none());
}

/* What is still emitted for this LLVM block goes to a block that nothing reaches. */
void code_end(body *b) {
    code_dead_end(b);
    code_enter(b, code_new_block(b));
    b->ended = true;
}

static void end_unsupported(body *b, unsigned flags, const char *format, va_list args) {
    text what = {0};
    text_vformat(&what, format, args);
    const char *kept = program_copy_text(b->t->p, text_cstr(&what));
    text_free(&what);
    instruction *i = code_add(b, INSTR_UNSUPPORTED);
    i->text = kept;
    i->extra = flags;
    code_end(b);
}

void code_unsupported(body *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    end_unsupported(b, 0, format, args);
    va_end(args);
}

void code_unsupported_call(body *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    end_unsupported(b, UNSUPPORTED_CALL, format, args);
    va_end(args);
}

void code_unsupported_here(body *b, const char *what) {
    instruction *i = code_add(b, INSTR_UNSUPPORTED);
    i->text = what;
    i->extra = UNSUPPORTED_ONLY_HERE;
    code_end(b);
}

void code_print(body *b, print_form form, const operand *given, size_t count) {
    const operand *kept = program_copy_operands(b->t->p, given, count);
    instruction *i = code_add(b, INSTR_PRINT);
    i->extra = form;
    i->args = kept;
    i->arg_count = (uint32_t)count;
}
