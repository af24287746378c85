#include "frontend/llvm/handlers.h"

#include "base/text.h"
#include "base/vec.h"
#include "frontend/llvm/compile.h"
#include "frontend/llvm/translate.h"

typedef VEC(LLVMValueRef) functions;

static const char *name_of(LLVMValueRef v) {
    size_t length;
    return LLVMGetValueName2(v, &length);
}

static bool is_of_headers(LLVMValueRef f) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    if (!file) return true; /* made by the compiler */
    unsigned length, folder_length;
    const char *name = LLVMDIFileGetFilename(file, &length);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
    text whole = {0};
    if (!length || *name != '/') text_format(&whole, "%.*s/", (int)folder_length, folder);
    text_format(&whole, "%.*s", (int)length, name);
    bool found = debug_is_of_cxx(text_cstr(&whole)) || compile_is_own_header(text_cstr(&whole));
    text_free(&whole);
    return found;
}

/* Functions that must not throw end the program where something comes. */
static bool only_terminates(LLVMValueRef landing) {
    for (LLVMValueRef i = landing; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && !strcmp(name_of(LLVMGetCalledValue(i)), "__clang_call_terminate"))
            return true;
    return false;
}

static bool catches_reports(LLVMValueRef landing) {
    for (unsigned k = 0; k < LLVMGetNumClauses(landing); k++) {
        LLVMValueRef type = LLVMGetClause(landing, k);
        if (LLVMIsNull(type)) return !only_terminates(landing);
        if (!strcmp(name_of(type), "_ZTIN7sc_core9sc_reportE") || !strcmp(name_of(type), "_ZTISt9exception"))
            return true;
    }
    return false;
}

static LLVMValueRef landing_of(LLVMValueRef invoke) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke));
    while (i && LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    return i && LLVMIsALandingPadInst(i) ? i : NULL;
}

static bool starts_simulation(LLVMValueRef f) {
    static const char *const starts[] = {"_ZN7sc_core8sc_start", "_ZN7sc_core13sc_initialize"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (!strncmp(name_of(f), starts[k], strlen(starts[k]))) return true;
    return false;
}

static bool is_listed(const functions *list, LLVMValueRef f) {
    for (size_t k = 0; k < list->size; k++)
        if (list->data[k] == f) return true;
    return false;
}

/* Whoever calls one of them is one of them. */
static void add_callers(functions *list) {
    for (size_t k = 0; k < list->size; k++)
        for (LLVMUseRef use = LLVMGetFirstUse(list->data[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user)) continue;
            LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
            if (!is_listed(list, caller)) vec_push(list, caller);
        }
}

static void look_at_block(LLVMBasicBlockRef block, const functions *starting, handlers_found *found) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef landing = LLVMIsAInvokeInst(i) ? landing_of(i) : NULL;
        if (!landing || !catches_reports(landing)) continue;
        found->of_reports = true;
        found->at_start |= is_listed(starting, LLVMGetCalledValue(i));
    }
}

handlers_found handlers_find(LLVMModuleRef module) {
    handlers_found found = {0};
    functions starting = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (starts_simulation(f)) vec_push(&starting, f);
    add_callers(&starting);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || is_of_headers(f)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            look_at_block(b, &starting, &found);
    }
    vec_free(&starting);
    return found;
}
