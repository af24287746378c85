/* LLVM's own intrinsics (llvm.*). */
#include "frontend/llvm/translate.h"

static operand argument(body *b, LLVMValueRef call, unsigned k) {
    return value_scalar(b, LLVMGetOperand(call, k));
}

static uint64_t ones(unsigned width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static operand number(unsigned width, uint64_t value) {
    return operand_const(width, value & ones(width));
}

/* --- memory --------------------------------------------------------------------------------------------- */

static void copy_memory(body *b, LLVMValueRef call) {
    operand to = argument(b, call, 0), from = argument(b, call, 1);
    code_copy(b, to, from, code_resize(b, argument(b, call, 2), b->t->pointer_bits, false));
}

static void set_memory(body *b, LLVMValueRef call) {
    operand to = argument(b, call, 0), byte = argument(b, call, 1);
    operand bytes = code_resize(b, argument(b, call, 2), b->t->pointer_bits, false);
    instruction *i = code_add(b, INSTR_FILL);
    i->a = to;
    i->b = byte;
    i->c = bytes;
}

/* On x86-64 the list says that all registers are used up, so that va_arg goes to memory. */
static void start_variable_arguments(body *b, LLVMValueRef call) {
    operand list = argument(b, call, 0);
    if (b->variable_arguments.kind == OPERAND_NONE) {
        code_unsupported(b, "variable arguments");
        return;
    }
    operand next = list;
    if (b->t->pointer_bits == 64) {
        code_store(b, list, operand_const(32, 48), ORDER_PLAIN);
        code_store(b, code_offset(b, list, 4), operand_const(32, 176), ORDER_PLAIN);
        code_store(b, code_offset(b, list, 16), operand_const(64, 0), ORDER_PLAIN);
        next = code_offset(b, list, 8);
    }
    code_store(b, next, b->variable_arguments, ORDER_PLAIN);
}

static void copy_variable_arguments(body *b, LLVMValueRef call) {
    operand to = argument(b, call, 0), from = argument(b, call, 1);
    code_copy(b, to, from, operand_const(b->t->pointer_bits, b->t->pointer_bits == 64 ? 24 : 4));
}

/* --- bits ----------------------------------------------------------------------------------------------- */

static operand shifted(body *b, arith op, operand a, unsigned by) {
    return code_arith(b, op, a.width, a, operand_const(a.width, by));
}

static operand bit(body *b, operand a, unsigned k) {
    return code_resize(b, k ? shifted(b, ARITH_LSHR, a, k) : a, 1, false);
}

static operand swap_pieces(body *b, operand a, unsigned piece) {
    operand result = number(a.width, 0);
    for (unsigned low = 0; low < a.width; low += piece) {
        operand part = low ? shifted(b, ARITH_LSHR, a, low) : a;
        part = code_arith(b, ARITH_AND, a.width, part, number(a.width, ones(piece)));
        unsigned to = a.width - piece - low;
        if (to) part = shifted(b, ARITH_SHL, part, to);
        result = code_arith(b, ARITH_OR, a.width, result, part);
    }
    return result;
}

static operand population(body *b, operand a) {
    operand sum = number(a.width, 0);
    for (unsigned k = 0; k < a.width; k++)
        sum = code_arith(b, ARITH_ADD, a.width, sum, code_resize(b, bit(b, a, k), a.width, false));
    return sum;
}

/* From the far end to the near one: the last bit that is set decides. */
static operand zeros(body *b, operand a, bool leading) {
    operand count = number(a.width, a.width);
    for (unsigned k = 0; k < a.width; k++) {
        unsigned at = leading ? k : a.width - 1 - k;
        count = code_select(b, bit(b, a, at), number(a.width, leading ? a.width - 1 - at : at), count);
    }
    return count;
}

/* The second operand says whether those of 0 are undefined. */
static operand counted_zeros(body *b, LLVMValueRef call, bool leading) {
    operand a = argument(b, call, 0);
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))) arithmetic_guard_zeros(b, a);
    return zeros(b, a, leading);
}

/* concat(a, x) shifted left by amount modulo the width; its high part, or shifted right and its low part. */
static operand funnel(body *b, LLVMValueRef call, bool left) {
    operand a = argument(b, call, 0), x = argument(b, call, 1), amount = argument(b, call, 2);
    unsigned width = a.width;
    operand size = number(width, width);
    amount = code_arith(b, ARITH_UREM, width, amount, size);
    operand rest = code_arith(b, ARITH_SUB, width, size, amount); /* by the width gives 0: as wanted */
    operand high = code_arith(b, ARITH_SHL, width, a, left ? amount : rest);
    operand low = code_arith(b, ARITH_LSHR, width, x, left ? rest : amount);
    return code_arith(b, ARITH_OR, width, high, low);
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static operand absolute(body *b, LLVMValueRef call) {
    operand a = argument(b, call, 0);
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))) arithmetic_check_negation(b, a);
    operand negative = code_arith(b, ARITH_SLT, 1, a, number(a.width, 0));
    return code_select(b, negative, code_unary(b, ARITH_NEG, a.width, a), a);
}

static operand extreme(body *b, LLVMValueRef call, arith less, bool maximum) {
    operand a = argument(b, call, 0), x = argument(b, call, 1);
    operand first_is_less = code_arith(b, less, 1, a, x);
    return code_select(b, first_is_less, maximum ? x : a, maximum ? a : x);
}

static LLVMOpcode opcode_in(const char *name) { /* after the letter of signedness */
    return !strncmp(name, "add", 3) ? LLVMAdd : !strncmp(name, "sub", 3) ? LLVMSub : LLVMMul;
}

static arith operator_of(LLVMOpcode op) {
    return op == LLVMAdd ? ARITH_ADD : op == LLVMSub ? ARITH_SUB : ARITH_MUL;
}

static operand overflow(body *b, bool is_signed, LLVMOpcode op, operand a, operand x, operand result) {
    return is_signed ? arithmetic_signed_overflow(b, op, a, x, result)
                     : arithmetic_unsigned_overflow(b, op, a, x, result);
}

static void with_overflow(body *b, LLVMValueRef call, const char *name) {
    operand a = argument(b, call, 0), x = argument(b, call, 1);
    LLVMOpcode op = opcode_in(name + 1);
    operand result = code_arith(b, operator_of(op), a.width, a, x);
    operand parts[] = {result, overflow(b, name[0] == 's', op, a, x, result)};
    value_define(b, call, parts, 2);
}

static operand saturated(body *b, LLVMValueRef call, const char *name) {
    operand a = argument(b, call, 0), x = argument(b, call, 1);
    LLVMOpcode op = opcode_in(name + 1);
    unsigned width = a.width;
    operand result = code_arith(b, operator_of(op), width, a, x);
    operand over = overflow(b, name[0] == 's', op, a, x, result);
    operand limit = number(width, op == LLVMAdd ? UINT64_MAX : 0);
    if (name[0] == 's') { /* towards the sign of the first operand */
        operand negative = code_arith(b, ARITH_SLT, 1, a, number(width, 0));
        uint64_t lowest = UINT64_C(1) << (width - 1);
        limit = code_select(b, negative, number(width, lowest), number(width, lowest - 1));
    }
    return code_select(b, over, limit, result);
}

/* What __builtin_object_size says when it does not know. */
static operand unknown_size(body *b, LLVMValueRef call) {
    operand smallest = argument(b, call, 1);
    bool zero = smallest.kind == OPERAND_CONST && smallest.value;
    return number(value_width(b, call), zero ? 0 : UINT64_MAX);
}

static operand absolute_float(body *b, operand a) {
    return code_arith(b, ARITH_AND, a.width, a, number(a.width, ones(a.width) >> 1));
}

static operand sign_copied(body *b, LLVMValueRef call) {
    operand a = argument(b, call, 0), x = argument(b, call, 1);
    operand sign = number(a.width, UINT64_C(1) << (a.width - 1));
    operand kept = absolute_float(b, a);
    return code_arith(b, ARITH_OR, a.width, kept, code_arith(b, ARITH_AND, a.width, x, sign));
}

/* -------------------------------------------------------------------------------------------------------- */

static bool starts(const char *name, const char *with) {
    return !strncmp(name, with, strlen(with));
}

static bool means_nothing(const char *name) {
    static const char *const list[] = {
        "dbg.",          "assume",     "donothing",  "prefetch",       "debugtrap",
        "va_end",        "invariant.", "sideeffect", "var.annotation", "experimental.noalias.scope.decl",
        "x86.sse2.pause"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (starts(name, list[k])) return true;
    return false;
}

/* Those that are their first argument as far as we are concerned. */
static bool means_its_argument(const char *name) {
    static const char *const list[] = {"expect",
                                       "threadlocal.address",
                                       "launder.invariant.group",
                                       "strip.invariant.group",
                                       "annotation",
                                       "ptr.annotation",
                                       "ssa.copy"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (starts(name, list[k])) return true;
    return false;
}

static operand computed(body *b, LLVMValueRef call, const char *name) {
    if (starts(name, "abs.")) return absolute(b, call);
    if (starts(name, "smax.")) return extreme(b, call, ARITH_SLT, true);
    if (starts(name, "smin.")) return extreme(b, call, ARITH_SLT, false);
    if (starts(name, "umax.")) return extreme(b, call, ARITH_ULT, true);
    if (starts(name, "umin.")) return extreme(b, call, ARITH_ULT, false);
    if (starts(name, "ctpop.")) return population(b, argument(b, call, 0));
    if (starts(name, "ctlz.")) return counted_zeros(b, call, true);
    if (starts(name, "cttz.")) return counted_zeros(b, call, false);
    if (starts(name, "bswap.")) return swap_pieces(b, argument(b, call, 0), 8);
    if (starts(name, "bitreverse.")) return swap_pieces(b, argument(b, call, 0), 1);
    if (starts(name, "fshl.")) return funnel(b, call, true);
    if (starts(name, "fshr.")) return funnel(b, call, false);
    if (starts(name, "fabs.")) return absolute_float(b, argument(b, call, 0));
    if (starts(name, "copysign.")) return sign_copied(b, call);
    if (strchr("su", name[0]) && (starts(name + 1, "add.sat.") || starts(name + 1, "sub.sat.")))
        return saturated(b, call, name);
    if (starts(name, "objectsize.")) return unknown_size(b, call);
    if (starts(name, "is.constant.")) return number(1, 0);
    if (starts(name, "eh.typeid.for")) return exceptions_selector(b, LLVMGetOperand(call, 0));
    if (starts(name, "stacksave")) return number(b->t->pointer_bits, 0);
    return operand_none();
}

/* "sqrt.f64" is the model sqrt. */
static bool floats(body *b, LLVMValueRef call, const char *name) {
    char operation[24];
    size_t length = strcspn(name, ".");
    if (length >= sizeof operation) return false;
    memcpy(operation, name, length);
    operation[length] = 0;
    return floating_function(b, call, strcmp(operation, "nearbyint") ? operation : "rint");
}

static bool types_are_modelled(const body *b, LLVMValueRef call) {
    LLVMTypeRef result = LLVMTypeOf(call);
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind && !lltype_is_modelled(b->t, result)) return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (!lltype_is_modelled(b->t, LLVMTypeOf(LLVMGetOperand(call, k)))) return false;
    return true;
}

void intrinsic_translate(body *b, LLVMValueRef call, const char *full_name) {
    const char *name = full_name + strlen("llvm.");
    if (means_nothing(name)) return;
    if (starts(name, "lifetime.")) {
        lifetime_translate(b, call);
        return;
    }
    if (starts(name, "stackrestore")) {
        lifetime_end_arrays(b, call);
        return;
    }
    if (!types_are_modelled(b, call)) {
        code_unsupported(b, "%s", full_name);
    } else if (means_its_argument(name)) {
        value_define_scalar(b, call, argument(b, call, 0));
    } else if (starts(name, "memcpy.") || starts(name, "memmove.")) {
        copy_memory(b, call);
    } else if (starts(name, "memset.")) {
        set_memory(b, call);
    } else if (starts(name, "va_start")) {
        start_variable_arguments(b, call);
    } else if (starts(name, "va_copy")) {
        copy_variable_arguments(b, call);
    } else if (starts(name, "trap") || starts(name, "ubsantrap")) {
        if (name[0] == 'u') arithmetic_trap(b, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)));
        code_end(b);
    } else if (strchr("su", name[0]) && strstr(name, ".with.overflow.")) {
        with_overflow(b, call, name);
    } else {
        operand result = computed(b, call, name);
        if (result.kind != OPERAND_NONE)
            value_define_scalar(b, call, result);
        else if (!floats(b, call, name))
            code_unsupported(b, "%s", full_name);
    }
}
