/* What clang itself says about constant expressions that overflow, and what becomes of it. */
#ifndef HEDDLE_FRONTEND_LLVM_FINDINGS_H
#define HEDDLE_FRONTEND_LLVM_FINDINGS_H

#include "frontend/llvm/translate.h"

/* Keeps those of clang's messages that matter in the module they are about. */
void findings_keep(LLVMModuleRef module, const char *messages);

/* When all functions are translated: violations at the start of the program, or doubts in functions. */
void findings_translate(body *start);

#endif
