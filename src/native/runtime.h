/* The source of runtime/runtime.c, embedded by the build. */
#ifndef HEDDLE_NATIVE_RUNTIME_H
#define HEDDLE_NATIVE_RUNTIME_H

#include <stddef.h>

extern const char native_runtime[];
extern const size_t native_runtime_size;

#endif
