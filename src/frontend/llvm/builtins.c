/* Functions that the translator knows by name: SV-COMP's, failing assertions, some of <math.h>. */
#include "frontend/llvm/translate.h"

#define NONDET_PREFIX "__VERIFIER_nondet_"

static operand is_true(body *b, operand o) {
    return o.width == 1 ? o : code_arith(b, ARITH_NE, 1, o, operand_const(o.width, 0));
}

static LLVMValueRef argument(LLVMValueRef call, unsigned k) {
    return k < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, k) : NULL;
}

/* --- unknown values ------------------------------------------------------------------------------------- */

/* The variable that gets the result, if that is all that happens to it. */
static const char *receiver(body *b, LLVMValueRef call, const char *otherwise) {
    LLVMUseRef use = LLVMGetFirstUse(call);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    if (!user || !LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != call) return otherwise;
    LLVMValueRef target = LLVMGetOperand(user, 1);
    if (LLVMIsAAllocaInst(target)) return debug_alloca_name(b, target);
    if (!LLVMIsAGlobalVariable(target)) return otherwise;
    LLVMMetadataRef variable = debug_global_variable(b->t, target);
    const char *name = variable ? debug_variable_name(b->t, variable) : NULL;
    return name ? name : otherwise;
}

static void nondet(body *b, LLVMValueRef call, const char *kind) {
    scalar_type type;
    if (!lltype_scalar(b->t, LLVMTypeOf(call), &type)) {
        code_unsupported_call(b, "call of `" NONDET_PREFIX "%s`", kind);
        return;
    }
    unsigned width = type.width;
    const char *name = receiver(b, call, kind);
    bool is_unsigned = kind[0] == 'u' || !strcmp(kind, "size_t");
    if (!strcmp(kind, "bool") || !strcmp(kind, "_Bool"))
        type = (scalar_type){1, VIEW_BOOL};
    else if (type.view == VIEW_SIGNED && is_unsigned)
        type.view = VIEW_UNSIGNED;
    value_define_scalar(b, call, code_resize(b, code_input(b, name, type), width, false));
}

static operand draw_in_range(body *b, LLVMValueRef call, operand low, operand high) {
    operand drawn = code_input(b, receiver(b, call, "nondet"), (scalar_type){low.width, VIEW_SIGNED});
    instruction *i = &vec_last(&b->t->p->functions.data[b->f].blocks.data[b->block].code);
    i->b = low;
    i->c = high;
    return drawn;
}

static bool is_range(operand low, operand high) { /* of numbers that are known */
    return low.kind == OPERAND_CONST && high.kind == OPERAND_CONST && low.width == 32 &&
           (int32_t)low.value <= (int32_t)high.value;
}

/* Any value from the first argument to the second; 0 if there is none. */
static void nondet_in_range(body *b, LLVMValueRef call) {
    operand low = value_scalar(b, argument(call, 0)), high = value_scalar(b, argument(call, 1));
    if (is_range(low, high)) {
        value_define_scalar(b, call, draw_in_range(b, call, low, high));
        return;
    }
    uint32_t result = code_register(b, low.width, NULL);
    uint32_t some = code_new_block(b), none = code_new_block(b), behind = code_new_block(b);
    code_branch(b, code_arith(b, ARITH_SLE, 1, low, high), some, none);
    code_enter(b, some);
    code_move_to(b, result, draw_in_range(b, call, low, high));
    code_jump(b, behind);
    code_enter(b, none);
    code_move_to(b, result, operand_const(low.width, 0));
    code_jump(b, behind);
    code_enter(b, behind);
    value_define_scalar(b, call, operand_register(result, low.width));
}

/* --- checks --------------------------------------------------------------------------------------------- */

/* A violation here and now. The program ends, unless all violations are wanted: then it goes on as if nobody
 * had looked. */
static void fail(body *b, LLVMValueRef call, const char *what) {
    bool checked = b->t->options->check_reach;
    if (checked) code_check(b, CHECK_ASSERTION, operand_const(1, 0), what);
    if (checked && b->t->options->all)
        continuation_go_on(b, call);
    else
        code_end(b);
}

/* Where the asserted expression stands among the arguments; -1: this is not a failing assertion. */
static int asserted_text(const char *name) {
    static const struct {
        const char *name;
        int text;
    } known[] = {{"__assert_fail", 0}, {"__assert_rtn", 3},  {"__assert", 0},
                 {"_assert", 0},       {"__assert2", 3},     {"__assert_c99", 0},
                 {"_wassert", 0},      {"__assert_func", 3}, {"__assert_perror_fail", -2}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strcmp(name, known[k].name)) return known[k].text;
    return -1;
}

static bool translate_assertion(body *b, LLVMValueRef call, LLVMValueRef callee, const char *name) {
    int text = asserted_text(name);
    if (text == -1 || !LLVMIsDeclaration(callee)) return false;
    LLVMValueRef where = text >= 0 ? argument(call, (unsigned)text) : NULL;
    const char *words = where ? constant_string(b->t, where) : NULL;
    if (b->t->options->assert_ends)
        code_end(b);
    else
        fail(b, call, words ? words : "assertion");
    return true;
}

const char *builtin_asserts(translation *t, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    if (!*name || !LLVMIsDeclaration(callee)) return NULL;
    if (!strcmp(name, "__VERIFIER_assert")) return name;
    int text = asserted_text(name);
    const char *words = text >= 0 ? constant_string(t, argument(call, (unsigned)text)) : NULL;
    return words && strcmp(words, "0") && strcmp(words, "false") ? words : NULL;
}

static void require(body *b, operand condition, const char *what) {
    if (b->t->options->check_reach) {
        code_check(b, CHECK_ASSERTION, condition, what);
        return;
    }
    uint32_t good = code_new_block(b), bad = code_new_block(b);
    code_branch(b, condition, good, bad);
    code_enter(b, bad);
    code_dead_end(b);
    code_enter(b, good);
}

/* -------------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *a, const char *x) {
    return !strcmp(name, a) || !strcmp(name, x);
}

/* Functions that LLVM has itself, but leaves to the C library because of errno. */
static bool translate_mathematics(body *b, LLVMValueRef call, const char *name) {
    bool remainder = is_one_of(name, "fmod", "fmodf"), power = is_one_of(name, "pow", "powf");
    if ((remainder || power) && LLVMGetNumArgOperands(call) == 2) {
        operand a = value_scalar(b, LLVMGetOperand(call, 0)), x = value_scalar(b, LLVMGetOperand(call, 1));
        if (a.width != x.width || value_width(b, call) != a.width || (power && a.width != 64)) return false;
        arith op = remainder ? ARITH_FREM : ARITH_FPOW;
        value_define_scalar(b, call, code_arith(b, op, a.width, a, x));
        return true;
    }
    return is_one_of(name, "sqrt", "sqrtf") && floating_function(b, call, "sqrt");
}

bool builtin_translate(body *b, LLVMValueRef call, LLVMValueRef callee, const char *name) {
    bool missing = LLVMIsDeclaration(callee);
    LLVMValueRef first = argument(call, 0);
    bool has_number = first && value_width(b, first);
    if (missing && !strncmp(name, NONDET_PREFIX, strlen(NONDET_PREFIX))) {
        nondet(b, call, name + strlen(NONDET_PREFIX));
    } else if (missing && !strcmp(name, "symcpp_nondet") && LLVMGetNumArgOperands(call) == 2 && has_number) {
        nondet_in_range(b, call);
    } else if (has_number &&
               (!strcmp(name, "__VERIFIER_assume") || (missing && !strcmp(name, "assume_abort_if_not")))) {
        operand condition = is_true(b, value_scalar(b, first));
        code_add(b, INSTR_ASSUME)->a = condition;
    } else if (has_number && missing && !strcmp(name, "__VERIFIER_assert")) {
        require(b, is_true(b, value_scalar(b, first)), "__VERIFIER_assert");
    } else if (is_one_of(name, "reach_error", "__VERIFIER_error")) {
        text what = {0};
        text_format(&what, "%s() is never called", name);
        fail(b, call, text_cstr(&what));
        text_free(&what);
    } else if (!strcmp(name, "__VERIFIER_atomic_begin")) {
        code_sync(b, SYNC_ATOMIC_BEGIN, false, operand_none(), operand_none());
    } else if (!strcmp(name, "__VERIFIER_atomic_end")) {
        code_sync(b, SYNC_ATOMIC_END, false, operand_none(), operand_none());
    } else if (missing && printing_translate(b, call, name)) {
        return true;
    } else if (missing && translate_mathematics(b, call, name)) {
        return true;
    } else {
        return translate_assertion(b, call, callee, name);
    }
    return true;
}
