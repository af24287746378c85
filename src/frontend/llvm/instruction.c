/* One LLVM instruction at a time: the dispatch, and what moves parts of values around. */
#include "frontend/llvm/translate.h"

/* A type that never becomes an operand here: labels, metadata, tokens, callees. */
static bool is_no_value(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMVoidTypeKind || kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind ||
           kind == LLVMFunctionTypeKind || kind == LLVMTokenTypeKind;
}

static const char *type_problem(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind: return "vectors";
    case LLVMIntegerTypeKind: return "integers of more than 64 bits";
    case LLVMHalfTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind: return "long double";
    default: return "a value of a type that is not modelled";
    }
}

/* Whether all types of the instruction are modelled; says so if not. */
static bool types_are_modelled(body *b, LLVMValueRef i) {
    LLVMTypeRef bad = NULL, type = LLVMTypeOf(i);
    if (!is_no_value(type) && !lltype_is_modelled(b->t, type)) bad = type;
    for (int k = 0; k < LLVMGetNumOperands(i) && !bad; k++) {
        type = LLVMTypeOf(LLVMGetOperand(i, (unsigned)k));
        if (!is_no_value(type) && !lltype_is_modelled(b->t, type)) bad = type;
    }
    if (bad) code_unsupported(b, "%s", type_problem(bad));
    return !bad;
}

/* How many parts come before the member that the indices name, and how many it has. */
static void locate_member(body *b, LLVMTypeRef type, LLVMValueRef i, size_t *first, size_t *count) {
    const unsigned *indices = LLVMGetIndices(i);
    *first = 0;
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned before = 0; before < indices[k]; before++) {
            leaves skipped = {0};
            lltype_leaves(b->t, is_struct ? LLVMStructGetTypeAtIndex(type, before) : LLVMGetElementType(type),
                          &skipped);
            *first += skipped.size;
            vec_free(&skipped);
        }
        type = is_struct ? LLVMStructGetTypeAtIndex(type, indices[k]) : LLVMGetElementType(type);
    }
    leaves inside = {0};
    lltype_leaves(b->t, type, &inside);
    *count = inside.size;
    vec_free(&inside);
}

static void extract_value(body *b, LLVMValueRef i) {
    operands parts = {0};
    size_t first, count;
    value_parts(b, LLVMGetOperand(i, 0), &parts);
    locate_member(b, LLVMTypeOf(LLVMGetOperand(i, 0)), i, &first, &count);
    if (first + count <= parts.size) value_define(b, i, parts.data + first, count);
    vec_free(&parts);
}

static void insert_value(body *b, LLVMValueRef i) {
    operands parts = {0}, inserted = {0};
    size_t first, count;
    value_parts(b, LLVMGetOperand(i, 0), &parts);
    value_parts(b, LLVMGetOperand(i, 1), &inserted);
    locate_member(b, LLVMTypeOf(i), i, &first, &count);
    for (size_t k = 0; k < count && k < inserted.size && first + k < parts.size; k++)
        parts.data[first + k] = inserted.data[k];
    value_define(b, i, parts.data, parts.size);
    vec_free(&parts);
    vec_free(&inserted);
}

static operand or_unknown(body *b, operand o, unsigned width) {
    return o.kind == OPERAND_NONE ? code_input(b, "undefined", (scalar_type){(uint8_t)width, VIEW_SIGNED})
                                  : o;
}

static void select_value(body *b, LLVMValueRef i) {
    operand condition = value_scalar(b, LLVMGetOperand(i, 0));
    operands yes = {0}, no = {0};
    leaves types = {0};
    value_parts(b, LLVMGetOperand(i, 1), &yes);
    value_parts(b, LLVMGetOperand(i, 2), &no);
    lltype_leaves(b->t, LLVMTypeOf(i), &types);
    for (size_t k = 0; k < types.size; k++) {
        unsigned width = types.data[k].type.width;
        operand x = or_unknown(b, yes.data[k], width), y = or_unknown(b, no.data[k], width);
        yes.data[k] = code_select(b, condition, x, y);
    }
    value_define(b, i, yes.data, yes.size);
    vec_free(&yes);
    vec_free(&no);
    vec_free(&types);
}

/* Undefined parts become one unknown value each, which stays the same from here on. */
static void freeze_value(body *b, LLVMValueRef i) {
    operands parts = {0};
    leaves types = {0};
    value_parts(b, LLVMGetOperand(i, 0), &parts);
    lltype_leaves(b->t, LLVMTypeOf(i), &types);
    for (size_t k = 0; k < parts.size; k++)
        parts.data[k] = or_unknown(b, parts.data[k], types.data[k].type.width);
    value_define(b, i, parts.data, parts.size);
    vec_free(&parts);
    vec_free(&types);
}

void instruction_translate(body *b, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (map_get(&b->left_out, (uintptr_t)i) != MAP_NONE) return;
    if (op == LLVMCall) {
        call_translate(b, i);
        return;
    }
    if (op == LLVMAlloca) {
        access_alloca(b, i);
        return;
    }
    if (!types_are_modelled(b, i)) return;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: arithmetic_binary(b, i); break;
    case LLVMICmp: arithmetic_compare(b, i); break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: arithmetic_cast(b, i); break;
    case LLVMLoad: access_load(b, i); break;
    case LLVMStore: access_store(b, i); break;
    case LLVMGetElementPtr: access_element(b, i); break;
    case LLVMAtomicRMW: access_update(b, i); break;
    case LLVMAtomicCmpXchg: access_compare_exchange(b, i); break;
    case LLVMFence: access_fence(b, i); break;
    case LLVMSelect: select_value(b, i); break;
    case LLVMFreeze: freeze_value(b, i); break;
    case LLVMExtractValue: extract_value(b, i); break;
    case LLVMInsertValue: insert_value(b, i); break;
    case LLVMLandingPad: exceptions_land(b, i); break;
    default:
        if (!floating_translate(b, i)) code_unsupported(b, "an instruction that is not modelled");
        break;
    }
}
