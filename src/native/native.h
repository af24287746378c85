/* Shows that a counterexample of a C program is real: the program is compiled with the recorded schedule and
 * inputs enforced, and run.
 *
 * It needs clang-19 with its sanitizers' run-times, and for a 32-bit program a 32-bit C library
 * (gcc-multilib); without that the program is compiled for 64 bits, and the summary says so. A replay that
 * cannot be built or goes astray says so and changes no verdict: undefined values and the system's own
 * library are beyond its control. */
#ifndef HEDDLE_NATIVE_NATIVE_H
#define HEDDLE_NATIVE_NATIVE_H

#include "frontend/llvm/llvm.h"
#include "report/trace/trace.h"

typedef struct native_result {
    bool failed;                 /* the compiled program failed as the counterexample says */
    char *summary;               /* one line */
    char *printed;               /* by the program, or by the compiler if it was not built */
    size_t followed, operations; /* of the schedule */
} native_result;

/* `files` are the user's sources; m as for trace_build. */
native_result native_replay(machine *m, const trace_request *wanted, const char *const *files,
                            size_t file_count, const llvm_options *options);
void native_result_free(native_result *r);

#endif
