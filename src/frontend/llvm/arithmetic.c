/* Integer arithmetic, comparisons and casts, and the checks that belong to them. */
#include "frontend/llvm/translate.h"

static uint64_t lowest(unsigned width) { /* the most negative number */
    return UINT64_C(1) << (width - 1);
}

static uint64_t all_ones(unsigned width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* --- overflow ------------------------------------------------------------------------------------------- */

static operand is_negative(body *b, operand a) {
    return code_arith(b, ARITH_SLT, 1, a, operand_const(a.width, 0));
}

static operand both(body *b, operand a, operand x) {
    return code_arith(b, ARITH_AND, a.width, a, x);
}

static arith plain(LLVMOpcode op) {
    return op == LLVMAdd ? ARITH_ADD : op == LLVMSub ? ARITH_SUB : ARITH_MUL;
}

/* Whether the 64-bit product, divided by one factor, is not the other one. */
static operand product_lost_bits(body *b, operand a, operand x, operand product, bool is_signed) {
    operand zero = code_arith(b, ARITH_EQ, 1, x, operand_const(64, 0));
    operand divisor = code_select(b, zero, operand_const(64, 1), x);
    operand back = code_arith(b, is_signed ? ARITH_SDIV : ARITH_UDIV, 64, product, divisor);
    operand differs = code_arith(b, ARITH_NE, 1, back, a);
    if (is_signed) { /* the quotient itself overflows for the lowest number and -1 */
        operand minus_one = code_arith(b, ARITH_EQ, 1, x, operand_const(64, UINT64_MAX));
        operand is_lowest = code_arith(b, ARITH_EQ, 1, a, operand_const(64, lowest(64)));
        differs = code_arith(b, ARITH_OR, 1, differs, both(b, minus_one, is_lowest));
    }
    return both(b, differs, code_unary(b, ARITH_NOT, 1, zero));
}

operand arithmetic_signed_overflow(body *b, LLVMOpcode op, operand a, operand x, operand result) {
    unsigned width = a.width;
    if (width <= 32) {
        operand wide = code_arith(b, plain(op), 64, code_resize(b, a, 64, true), code_resize(b, x, 64, true));
        return code_arith(b, ARITH_NE, 1, wide, code_resize(b, result, 64, true));
    }
    if (op == LLVMMul) {
        if (width == 64) return product_lost_bits(b, a, x, result, true);
        a = code_resize(b, a, 64, true);
        x = code_resize(b, x, 64, true);
        operand wide = code_arith(b, ARITH_MUL, 64, a, x);
        operand lost = product_lost_bits(b, a, x, wide, true);
        operand narrow = code_arith(b, ARITH_NE, 1, wide, code_resize(b, result, 64, true));
        return code_arith(b, ARITH_OR, 1, lost, narrow);
    }
    operand changed = code_arith(b, ARITH_XOR, width, a, result);
    operand other = code_arith(b, ARITH_XOR, width, op == LLVMAdd ? x : a, op == LLVMAdd ? result : x);
    return is_negative(b, both(b, changed, other));
}

operand arithmetic_unsigned_overflow(body *b, LLVMOpcode op, operand a, operand x, operand result) {
    unsigned width = a.width;
    if (op == LLVMAdd) return code_arith(b, ARITH_ULT, 1, result, a);
    if (op == LLVMSub) return code_arith(b, ARITH_ULT, 1, a, x);
    a = code_resize(b, a, 64, false);
    x = code_resize(b, x, 64, false);
    if (width == 64) return product_lost_bits(b, a, x, result, false);
    operand wide = code_arith(b, ARITH_MUL, 64, a, x);
    operand narrow = code_arith(b, ARITH_NE, 1, wide, code_resize(b, result, 64, false));
    if (width <= 32) return narrow;
    return code_arith(b, ARITH_OR, 1, narrow, product_lost_bits(b, a, x, wide, false));
}

static bool checks_overflow(const body *b) {
    return b->t->options->check_overflow && !b->is_model;
}

static void check_no_overflow(body *b, operand overflows, const char *what) {
    code_check(b, CHECK_OVERFLOW, code_unary(b, ARITH_NOT, 1, overflows), what);
}

void arithmetic_check_negation(body *b, operand a) {
    if (!checks_overflow(b)) return;
    operand least = operand_const(a.width, UINT64_C(1) << (a.width - 1));
    check_no_overflow(b, code_arith(b, ARITH_EQ, 1, a, least), "signed negation overflows");
}

/* The shifts of clang's own conditions (compile.c) fit. */
static bool is_of_condition(const body *b, LLVMValueRef i) {
    static const char mark[] = "nosanitize";
    return LLVMGetMetadata(i, LLVMGetMDKindIDInContext(b->t->context, mark, sizeof mark - 1)) != NULL;
}

enum { DIVISION_TRAP = 3, SHIFT_TRAP = 20 };

static const char *overflow_text(uint64_t kind) { /* by clang's list of sanitizer handlers */
    switch (kind) {
    case 0: return "signed addition overflows";
    case DIVISION_TRAP: return "signed division overflows";
    case 12: return "signed multiplication overflows";
    case 13: return "signed negation overflows";
    case SHIFT_TRAP: return "shift out of range";
    case 21: return "signed subtraction overflows";
    default: return NULL;
    }
}

/* Which trap a block is, if it is one; NO_INDEX: it is none. */
static uint32_t trap_in(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block),
                 callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length;
    if (!callee || !LLVMIsAFunction(callee) || strcmp(LLVMGetValueName2(callee, &length), "llvm.ubsantrap"))
        return NO_INDEX;
    return (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
}

/* Whether control comes to this instruction only if clang's condition for it holds. */
static bool follows_condition(const body *b, LLVMValueRef i, uint32_t kind) {
    LLVMValueRef block = LLVMBasicBlockAsValue(LLVMGetInstructionParent(i));
    LLVMUseRef use = LLVMGetFirstUse(block);
    LLVMValueRef branch = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return branch && LLVMIsABranchInst(branch) && LLVMIsConditional(branch) && is_of_condition(b, branch) &&
           LLVMGetSuccessor(branch, 0) == LLVMGetInstructionParent(i) &&
           trap_in(LLVMGetSuccessor(branch, 1)) == kind;
}

/* --- division and shifts -------------------------------------------------------------------------------- */

static void check_division(body *b, LLVMValueRef i, operand a, operand x) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool constant = x.kind == OPERAND_CONST;
    if (!constant || !x.value)
        code_check(b, CHECK_DIVISION, code_arith(b, ARITH_NE, 1, x, operand_const(x.width, 0)),
                   "division by zero");
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    if (!is_signed || !checks_overflow(b) || (constant && x.value != all_ones(x.width)) ||
        follows_condition(b, i, DIVISION_TRAP))
        return;
    operand minus_one = code_arith(b, ARITH_EQ, 1, x, operand_const(x.width, all_ones(x.width)));
    operand is_lowest = code_arith(b, ARITH_EQ, 1, a, operand_const(a.width, lowest(a.width)));
    check_no_overflow(b, both(b, minus_one, is_lowest), "signed division overflows");
}

void arithmetic_trap(body *b, uint64_t kind) {
    if (overflow_text(kind) && checks_overflow(b))
        code_check(b, CHECK_OVERFLOW, operand_const(1, 0), overflow_text(kind));
}

bool arithmetic_condition(body *b, LLVMValueRef branch) {
    uint32_t kind =
        checks_overflow(b) && is_of_condition(b, branch) ? trap_in(LLVMGetSuccessor(branch, 1)) : NO_INDEX;
    if (kind == NO_INDEX || !overflow_text(kind)) return false;
    code_check(b, CHECK_OVERFLOW, value_scalar(b, LLVMGetCondition(branch)), overflow_text(kind));
    return true;
}

/* What is undefined unless it `fits`: a violation when asked for, else nothing is claimed about it. */
static void guard(body *b, operand fits, const char *property, const char *otherwise) {
    if (checks_overflow(b)) {
        code_check(b, CHECK_OVERFLOW, fits, property);
        return;
    }
    uint32_t good = code_new_block(b), bad = code_new_block(b);
    code_branch(b, fits, good, bad);
    code_enter(b, bad);
    code_add(b, INSTR_UNSUPPORTED)->text = otherwise;
    code_dead_end(b);
    code_enter(b, good);
}

void arithmetic_guard_zeros(body *b, operand a) {
    if (a.kind == OPERAND_CONST && a.value) return;
    guard(b, code_arith(b, ARITH_NE, 1, a, operand_const(a.width, 0)),
          "zeros are counted of another number than 0",
          "undefined behaviour: __builtin_clz or __builtin_ctz of 0");
}

static void guard_shift(body *b, LLVMValueRef i, operand amount) {
    unsigned width = amount.width;
    if (amount.kind == OPERAND_CONST && amount.value < width) return;
    if (checks_overflow(b) && follows_condition(b, i, SHIFT_TRAP)) return;
    operand fits = width < 2 ? code_arith(b, ARITH_EQ, 1, amount, operand_const(width, 0))
                             : code_arith(b, ARITH_ULT, 1, amount, operand_const(width, width));
    guard(b, fits, "shift by less than the width", "undefined behaviour: shift by at least the width");
}

void arithmetic_binary(body *b, LLVMValueRef i) {
    static const arith operators[] = {
        [LLVMAdd] = ARITH_ADD,   [LLVMSub] = ARITH_SUB,   [LLVMMul] = ARITH_MUL,   [LLVMUDiv] = ARITH_UDIV,
        [LLVMSDiv] = ARITH_SDIV, [LLVMURem] = ARITH_UREM, [LLVMSRem] = ARITH_SREM, [LLVMShl] = ARITH_SHL,
        [LLVMLShr] = ARITH_LSHR, [LLVMAShr] = ARITH_ASHR, [LLVMAnd] = ARITH_AND,   [LLVMOr] = ARITH_OR,
        [LLVMXor] = ARITH_XOR,
    };
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    operand a = value_scalar(b, LLVMGetOperand(i, 0)), x = value_scalar(b, LLVMGetOperand(i, 1));
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem) check_division(b, i, a, x);
    bool of_condition = checks_overflow(b) && is_of_condition(b, i);
    if ((op == LLVMShl || op == LLVMLShr || op == LLVMAShr) && !of_condition) guard_shift(b, i, x);
    operand result = code_arith(b, operators[op], a.width, a, x);
    bool marked = (op == LLVMAdd || op == LLVMSub || op == LLVMMul) && LLVMGetNSW(i);
    if (marked && checks_overflow(b) && !of_condition)
        check_no_overflow(b, arithmetic_signed_overflow(b, op, a, x, result),
                          op == LLVMAdd   ? "signed addition overflows"
                          : op == LLVMSub ? "signed subtraction overflows"
                                          : "signed multiplication overflows");
    value_define_scalar(b, i, result);
}

/* --- comparisons and casts ------------------------------------------------------------------------------ */

void arithmetic_compare(body *b, LLVMValueRef i) {
    operand a = value_scalar(b, LLVMGetOperand(i, 0)), x = value_scalar(b, LLVMGetOperand(i, 1));
    arith op = ARITH_EQ;
    bool swap = false;
    switch (LLVMGetICmpPredicate(i)) {
    case LLVMIntEQ: op = ARITH_EQ; break;
    case LLVMIntNE: op = ARITH_NE; break;
    case LLVMIntUGT: swap = true; /* fall through */
    case LLVMIntULT: op = ARITH_ULT; break;
    case LLVMIntUGE: swap = true; /* fall through */
    case LLVMIntULE: op = ARITH_ULE; break;
    case LLVMIntSGT: swap = true; /* fall through */
    case LLVMIntSLT: op = ARITH_SLT; break;
    case LLVMIntSGE: swap = true; /* fall through */
    case LLVMIntSLE: op = ARITH_SLE; break;
    }
    value_define_scalar(b, i, code_arith(b, op, 1, swap ? x : a, swap ? a : x));
}

/* A pointer as a number is the pointer itself: the machine knows what may be done with it. */
void arithmetic_cast(body *b, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    unsigned to = value_width(b, i), from = value_width(b, LLVMGetOperand(i, 0));
    if (!to || !from || (to != from && (op == LLVMBitCast || op == LLVMAddrSpaceCast))) {
        code_unsupported(b, "a cast of an aggregate");
        return;
    }
    operand a = value_scalar(b, LLVMGetOperand(i, 0));
    value_define_scalar(b, i, code_resize(b, a, to, op == LLVMSExt));
}
