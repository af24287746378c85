/* Floating point: values are bit patterns, on which the machine has operators. Functions of <math.h> that are
 * intrinsics of LLVM are models in library/float.c. */
#include "frontend/llvm/translate.h"

#include <stdio.h>

static operand converted(body *b, operand o, unsigned width) {
    return o.width == width ? o : code_unary(b, ARITH_F_CONVERT, width, o);
}

bool floating_function(body *b, LLVMValueRef call, const char *operation) {
    char name[64];
    snprintf(name, sizeof name, "__model_f64_%s", operation);
    LLVMValueRef f = LLVMGetNamedFunction(b->t->module, name);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(call));
    if (!f || LLVMIsDeclaration(f) || LLVMGetNumArgOperands(call) != 1 ||
        (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind))
        return false;
    operands args = {0}, result = {0};
    vec_push(&args, converted(b, value_scalar(b, LLVMGetOperand(call, 0)), 64));
    call_function(b, function_number(b->t, f), &args, &result);
    value_define_scalar(b, call, converted(b, result.data[0], value_width(b, call)));
    vec_free(&args);
    vec_free(&result);
    return true;
}

static void binary(body *b, LLVMValueRef i, arith op) {
    operand a = value_scalar(b, LLVMGetOperand(i, 0)), x = value_scalar(b, LLVMGetOperand(i, 1));
    value_define_scalar(b, i, code_arith(b, op, a.width, a, x));
}

static void unary(body *b, LLVMValueRef i, arith op) {
    value_define_scalar(b, i, code_unary(b, op, value_width(b, i), value_scalar(b, LLVMGetOperand(i, 0))));
}

static operand either(body *b, operand a, operand x) {
    return a.kind == OPERAND_NONE ? x : code_arith(b, ARITH_OR, 1, a, x);
}

/* LLVM's predicate is a set of outcomes: bit 0 equal, 1 greater, 2 less, 3 unordered. */
static void compare(body *b, LLVMValueRef i) {
    operand a = value_scalar(b, LLVMGetOperand(i, 0)), x = value_scalar(b, LLVMGetOperand(i, 1));
    unsigned wanted = (unsigned)LLVMGetFCmpPredicate(i);
    operand holds = operand_none();
    bool less = wanted & 4, greater = wanted & 2, equal = wanted & 1;
    if (less) holds = either(b, holds, code_arith(b, equal ? ARITH_FLE : ARITH_FLT, 1, a, x));
    if (greater) holds = either(b, holds, code_arith(b, equal ? ARITH_FLE : ARITH_FLT, 1, x, a));
    if (equal && !less && !greater) holds = code_arith(b, ARITH_FEQ, 1, a, x);
    if (wanted & 8) holds = either(b, holds, code_arith(b, ARITH_FUNORDERED, 1, a, x));
    value_define_scalar(b, i, holds.kind == OPERAND_NONE ? operand_const(1, 0) : holds);
}

static void negate(body *b, LLVMValueRef i) {
    operand a = value_scalar(b, LLVMGetOperand(i, 0));
    operand sign = operand_const(a.width, UINT64_C(1) << (a.width - 1));
    value_define_scalar(b, i, code_arith(b, ARITH_XOR, a.width, a, sign));
}

bool floating_translate(body *b, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFNeg: negate(b, i); break;
    case LLVMFAdd: binary(b, i, ARITH_FADD); break;
    case LLVMFSub: binary(b, i, ARITH_FSUB); break;
    case LLVMFMul: binary(b, i, ARITH_FMUL); break;
    case LLVMFDiv: binary(b, i, ARITH_FDIV); break;
    case LLVMFRem: binary(b, i, ARITH_FREM); break;
    case LLVMFCmp: compare(b, i); break;
    case LLVMSIToFP: unary(b, i, ARITH_F_FROM_SIGNED); break;
    case LLVMUIToFP: unary(b, i, ARITH_F_FROM_UNSIGNED); break;
    case LLVMFPToSI: unary(b, i, ARITH_F_TO_SIGNED); break;
    case LLVMFPToUI: unary(b, i, ARITH_F_TO_UNSIGNED); break;
    case LLVMFPExt:
    case LLVMFPTrunc: unary(b, i, ARITH_F_CONVERT); break;
    default: return false;
    }
    return true;
}
