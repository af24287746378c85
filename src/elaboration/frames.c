/* main goes on: a copy of each function on its stack that starts where the frame stands. */
#include "analysis/flow.h"
#include "elaboration/internal.h"

/* Locals of the frame are static objects now. */
typedef struct relocation {
    const freezing *f;
    const value *locals;
    VEC(operand) objects; /* all that die with the frame */
    bool good;
} relocation;

static void find_objects_of_frame(relocation *r, uint32_t depth, size_t locals) {
    const state *s = r->f->s;
    operand o;
    for (size_t k = 0; k < locals; k++)
        if (freeze_operand(r->f, r->locals[k], &o)) vec_push(&r->objects, o);
    for (uint32_t k = 0; k < dynamic_count_of(s); k++) {
        const memory_object *made = dynamic_of(s, k).object;
        value v = {term_const(r->f->c, r->f->p->pointer_bits, 0), dynamic_of(s, k).name + 1};
        bool of_frame = frame_of(made) == depth + 1 && !owner_of(made);
        if (of_frame && freeze_operand(r->f, v, &o)) vec_push(&r->objects, o);
    }
}

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

/* What lived in the frame ends with it, although it is static now. */
static void end_frame_objects(const relocation *r, const instruction *leaving, block *to) {
    for (size_t k = 0; k < r->objects.size; k++)
        vec_push(&to->code, ((instruction){.kind = INSTR_FREE,
                                           .dst = NO_INDEX,
                                           .a = r->objects.data[k],
                                           .extra = FREE_FRAME,
                                           .at = leaving->at}));
}

static void copy_block(relocation *r, program *p, const block *from, uint32_t first, uint32_t entry_moved_to,
                       block *to) {
    for (size_t k = first; k < from->code.size; k++) {
        instruction copy;
        if (from->code.data[k].kind == INSTR_RETURN) end_frame_objects(r, &from->code.data[k], to);
        copy_instruction(r, p, &from->code.data[k], entry_moved_to, &copy);
        vec_push(&to->code, copy);
    }
}

/* Registers that are still read get the values they have, except the one that the frame above leaves its
 * result in. False: a value cannot be written down. */
static bool restore_registers(freezing *f, uint32_t number, uint32_t depth, position where) {
    program *p = f->p;
    const thread_part *t = thread_of(f->s, 0);
    const frame *at = &frames_of(t)[depth];
    bool is_top = depth + 1 == frame_count_of(t), good = true;
    uint32_t result = is_top ? NO_INDEX : frames_of(t)[depth + 1].result_register;
    flow live_ones = flow_compute(&p->functions.data[at->function]);
    const uint64_t *live = flow_live(&live_ones, at->block, at->index);
    for (uint32_t k = 0; k < p->functions.data[number].registers.size && good; k++) {
        value v = values_of(t)[at->registers + k];
        operand o;
        if (!v.bits || k == result || !bits_has(live, k)) continue;
        bool is_input =
            !v.base && !value_is_fragment(v) && !term_is_const(v.bits) && is_made_of_inputs(f, v.bits);
        good = is_input ? keep_for_frames(f, v.bits, &o) : freeze_operand(f, v, &o);
        if (!good) continue;
        instruction *i = function_emit(p, number, 0, is_input ? INSTR_LOAD : INSTR_MOVE, where);
        i->dst = k;
        i->a = o;
        if (!is_input && i->a.kind != OPERAND_CONST)
            i->a.width = p->functions.data[number].registers.data[k].type.width;
    }
    flow_free(&live_ones);
    return good;
}

static uint32_t new_function_like(program *p, uint32_t original, function_role role) {
    const function from = p->functions.data[original]; /* the list of functions may move */
    uint32_t number = program_add_function(p, from.name, role, from.at);
    function *to = &p->functions.data[number];
    to->hidden = from.hidden;
    to->callers_access = from.callers_access;
    to->file = from.file;
    to->result = from.result;
    return number;
}

/* The function for one frame; `inner` continues the frame above it, NO_INDEX: there is none. */
static bool continue_frame(freezing *f, uint32_t depth, uint32_t inner, uint32_t *out) {
    program *p = f->p;
    const thread_part *t = thread_of(f->s, 0);
    const frame *at = &frames_of(t)[depth];
    uint32_t original = at->function;
    function_role role = depth ? FUNCTION_PLAIN : FUNCTION_MAIN;
    uint32_t number = new_function_like(p, original, role);
    const function *from = &p->functions.data[original];
    function *to = &p->functions.data[number];
    for (size_t k = 0; k < from->registers.size; k++) vec_push(&to->registers, from->registers.data[k]);
    size_t blocks = from->blocks.size;
    uint32_t entry_moved_to = (uint32_t)blocks, rest = (uint32_t)blocks + 1;
    while (to->blocks.size < blocks + 2) vec_push(&to->blocks, ((block){0}));
    relocation r = {.f = f, .locals = values_of(t) + at->registers + from->registers.size, .good = true};
    find_objects_of_frame(&r, depth, from->locals.size);
    for (size_t k = 0; k < blocks; k++)
        copy_block(&r, p, &from->blocks.data[k], 0, entry_moved_to, &to->blocks.data[k ? k : entry_moved_to]);
    copy_block(&r, p, &from->blocks.data[at->block], at->index, entry_moved_to, &to->blocks.data[rest]);
    position where = p->functions.data[number].blocks.data[rest].code.data[0].at;
    vec_free(&r.objects);
    if (!r.good || !restore_registers(f, number, depth, where)) return false;
    if (inner != NO_INDEX) {
        instruction *call = function_emit(p, number, 0, INSTR_CALL, where);
        call->callee = inner;
        call->dst = frames_of(t)[depth + 1].result_register;
    }
    function_emit(p, number, 0, INSTR_JUMP, where)->target[0] = rest;
    *out = number;
    return true;
}

bool freeze_frames(freezing *f) {
    uint32_t inner = NO_INDEX;
    for (uint32_t depth = frame_count_of(thread_of(f->s, 0)); depth-- > 0;) {
        bool is_top = inner == NO_INDEX;
        if (!continue_frame(f, depth, inner, &inner)) return false;
        if (is_top) f->p->elaboration.resumed = inner;
    }
    assert(f->p->functions.data[inner].role == FUNCTION_MAIN); /* the outermost one came last */
    f->p->threads.data[0].function = draw_inputs_again(f, inner);
    return true;
}
