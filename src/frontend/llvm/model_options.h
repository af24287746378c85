/* Options of the library models (library/options.c): what a program uses of the library decides how much its
 * models have to remember, and what they may leave out. Looks at the user's code alone; decides nothing about
 * soundness but by what it cannot see: a function that is handed on is taken for called anywhere. */
#ifndef HEDDLE_FRONTEND_LLVM_MODEL_OPTIONS_H
#define HEDDLE_FRONTEND_LLVM_MODEL_OPTIONS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "frontend/llvm/llvm.h"

/* Each is a constant __heddle_NAME of the models; library/intrinsics.h says what they mean. */
#define MODEL_OPTIONS(X)                                                                                     \
    X(throws)                                                                                                \
    X(sc_catches)                                                                                            \
    X(sc_catches_at_start)                                                                                   \
    X(sc_has_rules)                                                                                          \
    X(unwinds)                                                                                               \
    X(nobody_catches)                                                                                        \
    X(spurious_wakeup)                                                                                       \
    X(thread_keys)                                                                                           \
    X(seeds)                                                                                                 \
    X(few_rand_r)                                                                                            \
    X(few_clocks)                                                                                            \
    X(clocks)                                                                                                \
    X(check_misuse)                                                                                          \
    X(detaches)                                                                                              \
    X(writers_first)                                                                                         \
    X(cores)

typedef struct model_options {
#define MEMBER(name) unsigned name;
    MODEL_OPTIONS(MEMBER)
#undef MEMBER
} model_options;

model_options model_options_find(LLVMModuleRef user, const llvm_options *options);
void model_options_set(const model_options *o, LLVMModuleRef whole); /* which has the models in it */
bool option_is_on(LLVMModuleRef whole, const char *name);            /* as they were set */

#endif
