/* Runs a SystemC design in Accellera's simulator with the inputs of a counterexample.
 *
 * The simulator has one order of processes of its own, so it need not fail: whether it does is what a
 * designer wants to know. It needs g++ and libsystemc-dev. Nothing that happens here changes a verdict. */
#ifndef HEDDLE_NATIVE_SIMULATOR_H
#define HEDDLE_NATIVE_SIMULATOR_H

#include "native/native.h"

/* The inputs of a trace as include/stimulus/heddle_stimulus.h reads them. */
void simulator_print_stimulus(const trace *t, text *out);

native_result simulator_replay(const trace *t, const char *const *files, size_t file_count,
                               const llvm_options *options);

#endif
