/* Where a program asks about what the models assume: whether memory or threads can be had, what its arguments
 * and its environment are. Asking is reading main's parameters, calling getenv, or comparing the result of an
 * allocation, also after it was put into a variable of the same function or a global one. */
#include "frontend/llvm/translate.h"

#define SC_MAIN "_Z7sc_mainiPPc"
#define SC_ARGC "_ZN7sc_core7sc_argcEv"
#define SC_ARGV "_ZN7sc_core7sc_argvEv"

static void note(body *b, assumption_kind kind, uint32_t function, position at) {
    assumption *a = &b->t->p->assumptions[kind];
    if (!a->is_made) *a = (assumption){true, function, at};
}

/* --- results that are compared -------------------------------------------------------------------------- */

static bool is_compared(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user)) return true;
    }
    return false;
}

static bool variable_is_compared(LLVMValueRef variable) {
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && is_compared(user)) return true;
    }
    return false;
}

static bool result_is_tested(LLVMValueRef call) {
    if (is_compared(call)) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != call) continue;
        LLVMValueRef to = LLVMGetOperand(user, 1);
        if ((LLVMIsAAllocaInst(to) || LLVMIsAGlobalVariable(to)) && variable_is_compared(to)) return true;
    }
    return false;
}

static bool may_fail(assumption_kind kind) {
    return kind == ASSUMES_MEMORY || kind == ASSUMES_THREADS;
}

void assumptions_of_call(body *b, LLVMValueRef call, const char *name) {
    static const struct {
        const char *name;
        assumption_kind kind;
    } list[] = {{"malloc", ASSUMES_MEMORY},         {"calloc", ASSUMES_MEMORY},
                {"realloc", ASSUMES_MEMORY},        {"reallocarray", ASSUMES_MEMORY},
                {"aligned_alloc", ASSUMES_MEMORY},  {"memalign", ASSUMES_MEMORY},
                {"posix_memalign", ASSUMES_MEMORY}, {"strdup", ASSUMES_MEMORY},
                {"strndup", ASSUMES_MEMORY},        {"pthread_create", ASSUMES_THREADS},
                {"thrd_create", ASSUMES_THREADS},   {"getenv", ASSUMES_NO_ENVIRONMENT},
                {SC_ARGC, ASSUMES_NO_ARGUMENTS},    {SC_ARGV, ASSUMES_NO_ARGUMENTS}};
    if (b->hidden) return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!strcmp(name, list[k].name) && (!may_fail(list[k].kind) || result_is_tested(call)))
            note(b, list[k].kind, b->f, b->at);
}

/* --- arguments of main ---------------------------------------------------------------------------------- */

/* `(void)argv;` is for the compiler. */
static bool looks_at(LLVMValueRef user) {
    return !LLVMIsADbgInfoIntrinsic(user) && !(LLVMIsALoadInst(user) && !LLVMGetFirstUse(user));
}

/* Clang puts parameters into variables first. */
static bool is_read(LLVMValueRef parameter) {
    for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || !LLVMIsAAllocaInst(LLVMGetOperand(user, 1))) return true;
        LLVMValueRef variable = LLVMGetOperand(user, 1);
        for (LLVMUseRef other = LLVMGetFirstUse(variable); other; other = LLVMGetNextUse(other))
            if (LLVMGetUser(other) != user && looks_at(LLVMGetUser(other))) return true;
    }
    return false;
}

static void note_parameters(body *b, LLVMValueRef reader, uint32_t number) {
    for (unsigned k = 0; k < LLVMCountParams(reader); k++)
        if (is_read(LLVMGetParam(reader, k))) {
            assumption_kind kind = k < 2 ? ASSUMES_NO_ARGUMENTS : ASSUMES_NO_ENVIRONMENT;
            note(b, kind, number, b->t->p->functions.data[number].at);
        }
}

/* The main of SystemC's headers hands its arguments on. */
static LLVMValueRef main_of_design(const translation *t) {
    LLVMValueRef f = LLVMGetNamedFunction(t->module, SC_MAIN);
    return f && !LLVMIsDeclaration(f) ? f : NULL;
}

void assumptions_of_main(body *b, uint32_t number) {
    LLVMValueRef main = b->t->signatures.data[number].llvm;
    bool hands_on = b->t->p->functions.data[number].hidden;
    LLVMValueRef reader = hands_on ? main_of_design(b->t) : main;
    if (reader) note_parameters(b, reader, reader == main ? number : function_number(b->t, reader));
}
