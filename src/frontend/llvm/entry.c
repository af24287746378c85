#include "frontend/llvm/entry.h"

#include "frontend/llvm/load.h"
#include "frontend/llvm/model_options.h"
#include "frontend/llvm/start.h"
#include "transform/decisive.h"

static void translation_free(translation *t) {
    map_free(&t->functions);
    map_free(&t->objects);
    map_free(&t->layouts);
    map_free(&t->made_types);
    map_free(&t->described_types);
    vec_free(&t->undrawn);
    map_free(&t->file_names);
    map_free(&t->library_files);
    map_free(&t->type_selectors);
    vec_free(&t->signatures);
    vec_free(&t->initialise);
}

static program *translate(LLVMModuleRef module, const char *const *files, size_t file_count,
                          const llvm_options *options, diagnostics *d) {
    const char *entry = options->entry ? options->entry : "main";
    LLVMValueRef f = LLVMGetNamedFunction(module, entry);
    if (!f || LLVMIsDeclaration(f)) {
        diag_report(d, DIAG_ERROR, (position){0, 0}, "no function `%s` to start with", entry);
        return NULL;
    }
    translation t = {
        .options = options,
        .files = files,
        .file_count = file_count,
        .d = d,
        .p = program_create(systemc_is_used(module) ? KERNEL_SYSTEMC : KERNEL_PREEMPTIVE, files[0]),
        .context = LLVMGetModuleContext(module),
        .module = module,
        .data = LLVMGetModuleDataLayout(module),
        .throws = option_is_on(module, "__heddle_throws"),
        .unwinds = option_is_on(module, "__heddle_unwinds"),
        .byval_attribute = LLVMGetEnumAttributeKindForName("byval", strlen("byval")),
        .nounwind_attribute = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"))};
    t.pointer_bits = 8 * LLVMPointerSize(t.data);
    t.p->pointer_bits = (uint8_t)t.pointer_bits;
    start_translate(&t, f);
    uncalled_list(&t);
    program_mark_decisive(t.p);
    translation_free(&t);
    return t.p;
}

program *entry_translate(const char *const *files, size_t file_count, const llvm_options *options,
                         diagnostics *d) {
    if (!file_count) {
        diag_report(d, DIAG_ERROR, (position){0, 0}, "no file to translate");
        return NULL;
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = load_program(context, files, file_count, options, d);
    program *p = module ? translate(module, files, file_count, options, d) : NULL;
    LLVMContextDispose(context);
    return p;
}
