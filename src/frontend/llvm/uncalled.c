/* Assertions in functions that no call leads to. They are not translated, so nobody would miss them: whoever
 * forgot to call a test wants to know. Only the files that were given count, not what they include. */
#include "frontend/llvm/translate.h"

static bool is_of_given_file(const translation *t, const function *f) {
    const char *file = f->file ? f->file : t->p->file;
    for (size_t k = 0; k < t->file_count; k++)
        if (!strcmp(t->files[k], file)) return true;
    return false;
}

static void list_assertions(translation *t, LLVMValueRef llvm, const char *file) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(llvm); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool calls = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
            const char *words = calls ? builtin_asserts(t, i) : NULL;
            position at = debug_position(i, (position){0, 0});
            if (words && at.line)
                vec_push(&t->p->uncalled, ((uncalled_check){program_copy_text(t->p, words), file, at}));
        }
}

void uncalled_list(translation *t) {
    if (!t->options->check_reach || t->options->assert_ends) return;
    for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
        function placed = {0};
        if (LLVMIsDeclaration(f) || map_get(&t->functions, (uintptr_t)f) != MAP_NONE) continue;
        debug_place_function(t, f, &placed);
        if (placed.at.line && is_of_given_file(t, &placed)) list_assertions(t, f, placed.file);
    }
}
