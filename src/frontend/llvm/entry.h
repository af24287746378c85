/* The translation as the module offers it: see llvm_translate, which loads the module and calls this. */
#ifndef HEDDLE_FRONTEND_LLVM_ENTRY_H
#define HEDDLE_FRONTEND_LLVM_ENTRY_H

#include "frontend/llvm/llvm.h"
#include "frontend/llvm/module.h"

MODULE_EXPORT program *entry_translate(const char *const *files, size_t file_count,
                                       const llvm_options *options, diagnostics *d);

#endif
