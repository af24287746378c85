/* A plain concrete interpreter for one function of a program, so that tests of front ends can say what code
 * must do instead of what it must look like. Scheduler operations do nothing, inputs take the next number of
 * a list. */
#ifndef HEDDLE_TESTS_RUN_PROGRAM_H
#define HEDDLE_TESTS_RUN_PROGRAM_H

#include "program/program.h"

typedef struct run_object {
    uint64_t *cells; /* one per byte offset; only offsets of cells are used */
    uint64_t bytes;
    bool freed;
} run_object;

typedef struct run {
    const program *p;
    VEC(run_object) objects; /* static ones first */
    const uint64_t *inputs;
    size_t input_count, next_input;
    uint32_t violated;   /* check number, NO_INDEX: none */
    const char *trouble; /* memory error, failed assumption, too many steps */
    uint64_t steps;
    unsigned depth;
} run;

static uint64_t run_mask(unsigned width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static int64_t run_signed(uint64_t v, unsigned width) {
    return (int64_t)(v << (64 - width)) >> (64 - width);
}

static uint64_t run_new_object(run *r, const layout *shape, uint64_t count) {
    run_object o = {mem_zero(shape->stride * count + 1, sizeof(uint64_t)), shape->stride * count, false};
    vec_push(&r->objects, o);
    return (uint64_t)r->objects.size << 32; /* object number + 1, so that null is no object */
}

static uint64_t *run_cell(run *r, uint64_t pointer) {
    uint64_t object = (pointer >> 32) - 1, offset = pointer & UINT32_MAX;
    if (object >= r->objects.size) return r->trouble = "null", NULL;
    if (r->objects.data[object].freed) return r->trouble = "freed", NULL;
    if (offset >= r->objects.data[object].bytes) return r->trouble = "bounds", NULL;
    return &r->objects.data[object].cells[offset];
}

static uint64_t run_arith(unsigned op, unsigned w, unsigned wa, uint64_t a, uint64_t b, uint64_t c) {
    int64_t sa = run_signed(a, wa), sb = run_signed(b, wa);
    uint64_t v = 0;
    switch (op) {
    case ARITH_ADD: v = a + b; break;
    case ARITH_SUB: v = a - b; break;
    case ARITH_MUL: v = a * b; break;
    case ARITH_UDIV: v = a / b; break;
    case ARITH_UREM: v = a % b; break;
    case ARITH_SDIV: v = sb == -1 ? -a : (uint64_t)(sa / sb); break;
    case ARITH_SREM: v = sb == -1 ? 0 : (uint64_t)(sa % sb); break;
    case ARITH_AND: v = a & b; break;
    case ARITH_OR: v = a | b; break;
    case ARITH_XOR: v = a ^ b; break;
    case ARITH_SHL: v = b < w ? a << b : 0; break;
    case ARITH_LSHR: v = b < w ? a >> b : 0; break;
    case ARITH_ASHR: v = (uint64_t)(sa >> (b < w ? b : w - 1)); break;
    case ARITH_EQ: v = a == b; break;
    case ARITH_NE: v = a != b; break;
    case ARITH_ULT: v = a < b; break;
    case ARITH_ULE: v = a <= b; break;
    case ARITH_SLT: v = sa < sb; break;
    case ARITH_SLE: v = sa <= sb; break;
    case ARITH_NOT: v = ~a; break;
    case ARITH_NEG: v = -a; break;
    case ARITH_ZEXT:
    case ARITH_TRUNC: v = a; break;
    case ARITH_SEXT: v = (uint64_t)sa; break;
    case ARITH_SELECT: v = a ? b : c; break;
    }
    return v & run_mask(w);
}

static uint64_t run_next_input(run *r, unsigned width) {
    return (r->next_input < r->input_count ? r->inputs[r->next_input++] : 0) & run_mask(width);
}

typedef struct run_frame {
    uint64_t *registers;
    uint64_t *locals; /* pointers */
} run_frame;

static uint64_t run_operand(const run_frame *f, operand o) {
    switch (o.kind) {
    case OPERAND_REGISTER: return f->registers[o.index];
    case OPERAND_OBJECT: return ((uint64_t)(o.index + 1) << 32) + o.value;
    case OPERAND_LOCAL: return f->locals[o.index] + o.value;
    default: return o.value;
    }
}

static uint64_t run_function(run *r, uint32_t number, const uint64_t *args);

static bool run_going_on(const run *r) {
    return r->violated == NO_INDEX && !r->trouble;
}

static void run_plain(run *r, const function *f, run_frame *frame, const instruction *i) {
    uint64_t a = run_operand(frame, i->a), b = run_operand(frame, i->b), c = run_operand(frame, i->c), *cell;
    unsigned w = i->dst == NO_INDEX ? 0 : f->registers.data[i->dst].type.width;
    switch (i->kind) {
    case INSTR_MOVE: frame->registers[i->dst] = a; break;
    case INSTR_ARITH: frame->registers[i->dst] = run_arith(i->arith, w, i->a.width, a, b, c); break;
    case INSTR_OFFSET: frame->registers[i->dst] = a + b * i->extra; break;
    case INSTR_INPUT: frame->registers[i->dst] = run_next_input(r, w); break;
    case INSTR_LOAD:
        if ((cell = run_cell(r, a))) frame->registers[i->dst] = *cell;
        break;
    case INSTR_STORE:
        if ((cell = run_cell(r, a))) *cell = b;
        break;
    case INSTR_UPDATE:
        if ((cell = run_cell(r, a))) *cell = run_arith(i->arith, i->b.width, i->b.width, *cell, b, 0);
        break;
    case INSTR_HAVOC:
        if ((cell = run_cell(r, a))) {
            uint32_t bytes = scalar_bytes(r->p->inputs.data[i->extra].type);
            uint64_t size = r->objects.data[(a >> 32) - 1].bytes;
            for (uint64_t k = 0; k < size; k += bytes)
                cell[k] = run_next_input(r, r->p->inputs.data[i->extra].type.width);
        }
        break;
    case INSTR_ALLOC: frame->registers[i->dst] = run_new_object(r, i->shape, a); break;
    case INSTR_FREE:
        if (a && run_cell(r, a)) r->objects.data[(a >> 32) - 1].freed = true;
        break;
    case INSTR_CALL: {
        uint64_t values[16], result;
        for (uint32_t k = 0; k < i->arg_count; k++) values[k] = run_operand(frame, i->args[k]);
        result = run_function(r, i->callee, values);
        if (i->dst != NO_INDEX) frame->registers[i->dst] = result;
        break;
    }
    case INSTR_ASSUME:
        if (!a) r->trouble = "assume";
        break;
    case INSTR_CHECK:
        if (!a) r->violated = i->check;
        break;
    case INSTR_TIME: frame->registers[i->dst] = 0; break;
    }
}

/* Registers start with rubbish: code must not rely on their first value. */
static uint64_t run_function(run *r, uint32_t number, const uint64_t *args) {
    const function *f = &r->p->functions.data[number];
    if (++r->depth > 100) return r->trouble = "recursion", 0;
    run_frame frame = {mem_alloc((f->registers.size + 1) * sizeof(uint64_t)),
                       mem_alloc((f->locals.size + 1) * sizeof(uint64_t))};
    for (size_t k = 0; k < f->registers.size; k++)
        frame.registers[k] = k < f->parameters
                                 ? args[k]
                                 : UINT64_C(0xdeadbeefdeadbeef) & run_mask(f->registers.data[k].type.width);
    for (size_t k = 0; k < f->locals.size; k++)
        frame.locals[k] = run_new_object(r, f->locals.data[k].shape, f->locals.data[k].count);
    uint64_t result = 0;
    const block *b = &f->blocks.data[0];
    for (size_t k = 0; run_going_on(r);) {
        const instruction *i = &b->code.data[k++];
        if (++r->steps > 1000000) r->trouble = "endless";
        if (i->kind == INSTR_RETURN) {
            result = run_operand(&frame, i->a);
            break;
        }
        if (i->kind == INSTR_JUMP || i->kind == INSTR_BRANCH) {
            bool second = i->kind == INSTR_BRANCH && !run_operand(&frame, i->a);
            b = &f->blocks.data[i->target[second]];
            k = 0;
        } else {
            run_plain(r, f, &frame, i);
        }
    }
    mem_free(frame.registers);
    mem_free(frame.locals);
    r->depth--;
    return result;
}

static void run_begin(run *r, const program *p, const uint64_t *inputs, size_t input_count) {
    *r = (run){.p = p, .inputs = inputs, .input_count = input_count, .violated = NO_INDEX};
    for (size_t k = 0; k < p->objects.size; k++)
        run_new_object(r, p->objects.data[k].shape, p->objects.data[k].count);
}

static void run_end(run *r) {
    for (size_t k = 0; k < r->objects.size; k++) mem_free(r->objects.data[k].cells);
    vec_free(&r->objects);
}

#endif
