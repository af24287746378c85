/* Compiles the user's files to bitcode with hooks around every access to memory and every
 * call, see runtime/runtime.c. */
#ifndef HEDDLE_NATIVE_INSTRUMENT_H
#define HEDDLE_NATIVE_INSTRUMENT_H

#include "frontend/llvm/llvm.h"
#include "frontend/llvm/module.h"

/* Writes one bitcode file; of_files of the options has an element for it alone. With `watch_memory` its
 * functions are marked for the address sanitizer. False after reporting. Part of the module (module.h): to be
 * called through module_function. */
MODULE_EXPORT bool instrument_file(const char *file, const llvm_options *options, bool watch_memory,
                                   const char *bitcode_file, diagnostics *d);

#endif
