/* The part of Heddle that needs LLVM is a shared object of its own, loaded on first use: libLLVM costs every
 * process that is linked with it tens of milliseconds and megabytes, and most runs read other languages.
 *
 * The object brings its own copies of the functions of src/base and src/program that it calls; none of them
 * keeps state, so what one copy makes the other can use and free. Its name carries the version: an object of
 * another release is never taken for ours. */
#ifndef HEDDLE_FRONTEND_LLVM_MODULE_H
#define HEDDLE_FRONTEND_LLVM_MODULE_H

#include "base/diag.h"
#include "base/text.h"

/* On functions of the module that the rest finds by name. */
#define MODULE_EXPORT __attribute__((visibility("default")))

/* Where the module is. It is looked for beside the running program or the shared library that this code is
 * part of, in the library folder that belongs to them, then in the one of the installation. */
bool module_find(text *path);

/* A function of the module; NULL after reporting that it cannot be loaded. */
void *module_function(const char *name, diagnostics *d);

#endif
