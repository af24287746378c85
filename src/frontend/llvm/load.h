/* From files to one LLVM module: compiled, linked with each other and with the embedded library models.
 *
 * A definition of the user's wins over a model of the same name. Functions that come from the library carry
 * the attribute LIBRARY_ATTRIBUTE. Nothing in LLVM may end the process: its diagnostics become ours. */
#ifndef HEDDLE_FRONTEND_LLVM_LOAD_H
#define HEDDLE_FRONTEND_LLVM_LOAD_H

#include "frontend/llvm/llvm.h"

#include <llvm-c/Core.h>

#define LIBRARY_ATTRIBUTE "heddle-library"

/* NULL after errors. The module belongs to the context. */
LLVMModuleRef load_program(LLVMContextRef context, const char *const *files, size_t file_count,
                           const llvm_options *options, diagnostics *d);

/* Bitcode of the models, written by the build: one entry per source and data model. */
typedef struct library_module {
    const char *name;
    bool data_model_32;
    const unsigned char *bytes;
    size_t size;
} library_module;

extern const library_module library_modules[];
extern const size_t library_module_count;

#endif
