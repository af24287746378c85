/* Compound literals of C end with the block that they stand in, as its variables do, but clang marks no end
 * of them: this adds the marks (llvm.lifetime.end), by the blocks that instructions belong to (-g). */
#ifndef HEDDLE_FRONTEND_LLVM_LITERALS_H
#define HEDDLE_FRONTEND_LLVM_LITERALS_H

#include <llvm-c/Core.h>

void literals_mark_ends(LLVMModuleRef user);

#endif
