/* Constants as operands. Constant expressions become instructions at the place of use. */
#include "frontend/llvm/translate.h"

enum { MOST_DEPTH = 64 }; /* of constant expressions; deeper ones are not modelled */

static operand scalar_at_depth(body *b, LLVMValueRef c, unsigned depth);

static operand floating(LLVMValueRef c) {
    LLVMBool inexact;
    double value = LLVMConstRealGetDouble(c, &inexact);
    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMFloatTypeKind) {
        float narrow = (float)value;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return operand_const(32, bits);
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return operand_const(64, bits);
}

static operand not_modelled(body *b, unsigned width) {
    code_unsupported(b, "a constant expression that is not modelled");
    return operand_const(width, 0);
}

/* Bytes that constant indices add; false if one of them is no plain number. */
static bool constant_offset(body *b, LLVMValueRef gep, int64_t *bytes) {
    const translation *t = b->t;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    *bytes = 0;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (!LLVMIsAConstantInt(index)) return false;
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *bytes += (int64_t)LLVMOffsetOfElement(t->data, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        *bytes += n * (int64_t)lltype_size(t, type);
    }
    return true;
}

static operand expression(body *b, LLVMValueRef c, unsigned depth) {
    scalar_type type;
    if (!lltype_scalar(b->t, LLVMTypeOf(c), &type) || depth > MOST_DEPTH) return not_modelled(b, 8);
    LLVMOpcode op = LLVMGetConstOpcode(c);
    LLVMValueRef first = LLVMGetOperand(c, 0);
    int64_t bytes;
    scalar_type from;
    if (!lltype_scalar(b->t, LLVMTypeOf(first), &from)) return not_modelled(b, type.width);
    switch (op) {
    case LLVMGetElementPtr:
        if (!constant_offset(b, c, &bytes)) return not_modelled(b, type.width);
        return code_offset(b, scalar_at_depth(b, first, depth + 1), bytes);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return from.width == type.width ? scalar_at_depth(b, first, depth + 1) : not_modelled(b, type.width);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc: return code_resize(b, scalar_at_depth(b, first, depth + 1), type.width, false);
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor: {
        operand a = scalar_at_depth(b, first, depth + 1);
        operand x = scalar_at_depth(b, LLVMGetOperand(c, 1), depth + 1);
        return code_arith(b,
                          op == LLVMAdd   ? ARITH_ADD
                          : op == LLVMSub ? ARITH_SUB
                                          : ARITH_XOR,
                          type.width, a, x);
    }
    default: return not_modelled(b, type.width);
    }
}

static operand scalar_at_depth(body *b, LLVMValueRef c, unsigned depth) {
    unsigned width = value_width(b, c);
    if (LLVMIsUndef(c) || LLVMIsPoison(c)) return operand_none();
    if (LLVMIsAConstantInt(c)) return operand_const(width, LLVMConstIntGetZExtValue(c));
    if (LLVMIsAConstantPointerNull(c)) return operand_const(width, 0);
    if (LLVMIsAConstantFP(c)) return floating(c);
    if (LLVMIsAFunction(c)) return operand_pointer(b->t, operand_function(function_number(b->t, c)));
    if (LLVMIsAGlobalVariable(c)) return global_pointer(b, c);
    if (LLVMIsAGlobalAlias(c) && depth <= MOST_DEPTH)
        return scalar_at_depth(b, LLVMAliasGetAliasee(c), depth + 1);
    if (!LLVMIsAConstantExpr(c)) return not_modelled(b, width ? width : 8);
    operand o = expression(b, c, depth);
    if (o.kind == OPERAND_NONE) { /* an expression over undef */
        scalar_type type = {8, VIEW_UNSIGNED};
        lltype_scalar(b->t, LLVMTypeOf(c), &type);
        return code_input(b, "undefined", type);
    }
    return o;
}

operand constant_scalar(body *b, LLVMValueRef constant) {
    return scalar_at_depth(b, constant, 0);
}

/* What clang makes of 1 / 0 and 1 << 40. As a member it only stands for a part that is still to
 * be filled in. */
static void refuse_poison(body *b) {
    code_unsupported(
        b,
        "undefined behaviour: division by zero, too large a shift or an impossible conversion of constants");
}

void constant_parts(body *b, LLVMValueRef constant, operands *out) {
    VEC(LLVMValueRef) stack = {0};
    vec_push(&stack, constant);
    while (stack.size) {
        LLVMValueRef c = vec_pop(&stack);
        LLVMTypeRef type = LLVMTypeOf(c);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
            uint64_t count =
                kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
            for (uint64_t k = count; k-- > 0;) vec_push(&stack, LLVMGetAggregateElement(c, (unsigned)k));
        } else {
            if (c == constant && LLVMIsPoison(c)) refuse_poison(b);
            vec_push(out, constant_scalar(b, c));
        }
    }
    vec_free(&stack);
}

const char *constant_string(translation *t, LLVMValueRef pointer) {
    while (LLVMIsAConstantExpr(pointer) &&
           (LLVMGetConstOpcode(pointer) == LLVMBitCast || LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) {
        for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
            if (!LLVMIsNull(LLVMGetOperand(pointer, (unsigned)k))) return NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (!LLVMIsAGlobalVariable(pointer) || LLVMIsDeclaration(pointer) || !LLVMIsGlobalConstant(pointer))
        return NULL;
    LLVMValueRef content = LLVMGetInitializer(pointer);
    if (!content || !LLVMIsAConstantDataSequential(content) || !LLVMIsConstantString(content)) return NULL;
    size_t length;
    const char *s = LLVMGetAsString(content, &length);
    return arena_string(&t->p->memory, s, strnlen(s, length));
}
