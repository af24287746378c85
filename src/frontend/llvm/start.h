/* Translates everything that is reachable from `entry`, by way of a start function for main's thread. */
#ifndef HEDDLE_FRONTEND_LLVM_START_H
#define HEDDLE_FRONTEND_LLVM_START_H

#include "frontend/llvm/translate.h"

void start_translate(translation *t, LLVMValueRef entry);

/* Calls the functions that run at the program's end, here. */
void start_run_destructors(body *b);

#endif
