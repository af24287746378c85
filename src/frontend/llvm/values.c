/* The operands that stand for LLVM values. */
#include "frontend/llvm/translate.h"

void value_parts(body *b, LLVMValueRef v, operands *out) {
    if (LLVMIsAConstant(v)) {
        constant_parts(b, v, out);
        return;
    }
    uint64_t known = map_get(&b->parts, (uintptr_t)v);
    if (known == MAP_NONE) { /* defined where nothing was translated: this place is unreachable too */
        code_unsupported(b, "a value that is not modelled");
        leaves types = {0};
        lltype_leaves(b->t, LLVMTypeOf(v), &types);
        for (size_t k = 0; k < types.size; k++) vec_push(out, operand_const(types.data[k].type.width, 0));
        vec_free(&types);
        return;
    }
    for (uint64_t k = 0; k < (known & 0xff); k++) {
        operand part = b->list.data[(known >> 8) + k];
        vec_push(out, part);
    }
}

unsigned value_width(const body *b, LLVMValueRef v) {
    scalar_type type;
    return lltype_scalar(b->t, LLVMTypeOf(v), &type) ? type.width : 0;
}

operand value_scalar(body *b, LLVMValueRef v) {
    operands parts = {0};
    value_parts(b, v, &parts);
    operand o = parts.size ? parts.data[0] : operand_none();
    vec_free(&parts);
    if (o.kind != OPERAND_NONE) return o;
    scalar_type type = {1, VIEW_BOOL};
    lltype_scalar(b->t, LLVMTypeOf(v), &type);
    return code_input(b, "undefined", type);
}

/* A mutable register may change while the value is still needed: then its present value is copied. */
static operand unchanging(body *b, LLVMValueRef v, operand o) {
    bool mutable = o.kind == OPERAND_REGISTER && map_get(&b->variable_registers, o.index) != MAP_NONE;
    return mutable && !variable_can_stand_for(b, v, o.index) ? code_move(b, o, o.width) : o;
}

void value_define(body *b, LLVMValueRef v, const operand *parts, size_t count) {
    assert(count <= MOST_PARTS && map_get(&b->parts, (uintptr_t)v) == MAP_NONE); /* single assignment */
    operands kept = {0};
    for (size_t k = 0; k < count; k++) vec_push(&kept, unchanging(b, v, parts[k]));
    map_put(&b->parts, (uintptr_t)v, (uint64_t)b->list.size << 8 | count);
    for (size_t k = 0; k < count; k++) vec_push(&b->list, kept.data[k]);
    vec_free(&kept);
}

void value_define_scalar(body *b, LLVMValueRef v, operand o) {
    value_define(b, v, &o, 1);
}
