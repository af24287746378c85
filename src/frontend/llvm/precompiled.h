/* Headers of SystemC that the build has compiled already: reading them again is most of what clang does with
 * a small design.
 *
 * They serve only where they are what clang would read: in a build tree, for a design that begins with them,
 * under the flags of the build, with macros that no header mentions, and as long as no header is younger.
 * Clang has the last word (language, version); where it refuses, the design is compiled without them. */
#ifndef HEDDLE_FRONTEND_LLVM_PRECOMPILED_H
#define HEDDLE_FRONTEND_LLVM_PRECOMPILED_H

#include "frontend/llvm/llvm.h"

/* Whether they serve this file of C++; then `out` is the path to be given to clang. */
bool precompiled_serves(const char *file, const llvm_options *options, const llvm_file_arguments *own,
                        text *out);

#endif
