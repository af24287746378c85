/* main goes on: a copy of each function on its stack that starts where the frame stands. */
#include "elaboration/internal.h"

/* Locals of the frame are static objects now. */
typedef struct relocation {
    const freezing *f;
    const value *locals;
    bool good;
} relocation;

static operand relocated(relocation *r, operand o) {
    if (o.kind != OPERAND_LOCAL) return o;
    operand to;
    if (!freeze_operand(r->f, r->locals[o.index], &to)) {
        r->good = false;
        return o;
    }
    to.value += o.value;
    to.width = o.width;
    return to;
}

static void copy_instruction(relocation *r, program *p, const instruction *from, uint32_t entry_moved_to,
                             instruction *to) {
    *to = *from;
    to->a = relocated(r, from->a);
    to->b = relocated(r, from->b);
    to->c = relocated(r, from->c);
    for (int k = 0; k < 2; k++)
        if (!to->target[k]) to->target[k] = entry_moved_to;
    if (!from->arg_count) return;
    operand args[PROGRAM_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < from->arg_count; k++) args[k] = relocated(r, from->args[k]);
    to->args = program_copy_operands(p, args, from->arg_count);
}

static void copy_block(relocation *r, program *p, const block *from, uint32_t first, uint32_t entry_moved_to,
                       block *to) {
    for (size_t k = first; k < from->code.size; k++) {
        instruction copy;
        copy_instruction(r, p, &from->code.data[k], entry_moved_to, &copy);
        vec_push(&to->code, copy);
    }
}

/* Registers get the values they have; of an unset one nothing is known. */
static bool restore_registers(freezing *f, uint32_t number, const thread_part *t, const frame *at,
                              position where) {
    program *p = f->p;
    size_t count = p->functions.data[number].registers.size;
    for (uint32_t k = 0; k < count; k++) {
        value v = t->values[at->registers + k];
        operand o;
        if (!v.bits || !freeze_operand(f, v, &o)) {
            if (v.bits && !v.base) return false;
            continue; /* dead, or a dangling pointer: null from now on, which nobody may follow either */
        }
        instruction *i = function_emit(p, number, 0, INSTR_MOVE, where);
        i->dst = k;
        i->a = o;
        if (i->a.kind != OPERAND_CONST) i->a.width = p->functions.data[number].registers.data[k].type.width;
    }
    return true;
}

static uint32_t new_function_like(program *p, const function *from, const char *name, function_role role) {
    uint32_t number = program_add_function(p, name, role, from->at);
    function *to = &p->functions.data[number];
    to->hidden = from->hidden;
    to->callers_access = from->callers_access;
    to->file = from->file;
    to->result = from->result;
    return number;
}

/* The function for one frame; `inner` continues the frame above it, NO_INDEX: there is none. */
static bool continue_frame(freezing *f, uint32_t depth, uint32_t inner, uint32_t *out) {
    program *p = f->p;
    const thread_part *t = f->s->threads[0];
    const frame *at = &t->frames[depth];
    uint32_t original = at->function;
    function_role role = depth ? FUNCTION_PLAIN : FUNCTION_MAIN;
    uint32_t number =
        new_function_like(p, &p->functions.data[original], p->functions.data[original].name, role);
    const function *from = &p->functions.data[original];
    function *to = &p->functions.data[number];
    for (size_t k = 0; k < from->registers.size; k++) vec_push(&to->registers, from->registers.data[k]);
    size_t blocks = from->blocks.size;
    uint32_t entry_moved_to = (uint32_t)blocks, rest = (uint32_t)blocks + 1;
    while (to->blocks.size < blocks + 2) vec_push(&to->blocks, ((block){0}));
    relocation r = {f, t->values + at->registers + from->registers.size, true};
    for (size_t k = 0; k < blocks; k++)
        copy_block(&r, p, &from->blocks.data[k], 0, entry_moved_to, &to->blocks.data[k ? k : entry_moved_to]);
    copy_block(&r, p, &from->blocks.data[at->block], at->index, entry_moved_to, &to->blocks.data[rest]);
    position where = p->functions.data[number].blocks.data[rest].code.data[0].at;
    if (!r.good || !restore_registers(f, number, t, at, where)) return false;
    if (inner != NO_INDEX) {
        instruction *call = function_emit(p, number, 0, INSTR_CALL, where);
        call->callee = inner;
        call->dst = t->frames[depth + 1].result_register;
    }
    function_emit(p, number, 0, INSTR_JUMP, where)->target[0] = rest;
    *out = number;
    return true;
}

bool freeze_frames(freezing *f) {
    uint32_t inner = NO_INDEX;
    for (uint32_t depth = f->s->threads[0]->frame_count; depth-- > 0;) {
        bool is_top = inner == NO_INDEX;
        if (!continue_frame(f, depth, inner, &inner)) return false;
        if (is_top) f->p->elaboration.resumed = inner;
    }
    f->p->threads.data[0].function = inner;
    return true;
}
