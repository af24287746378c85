#include "frontend/llvm/llvm.h"

#include "frontend/llvm/entry.h"
#include "frontend/llvm/module.h"

program *llvm_translate(const char *const *files, size_t file_count, const llvm_options *options,
                        diagnostics *d) {
    typeof(entry_translate) *translate = module_function("entry_translate", d);
    return translate ? translate(files, file_count, options, d) : NULL;
}
