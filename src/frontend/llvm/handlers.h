/* Which exceptions a SystemC design may catch that the library throws: reports of errors.
 *
 * An error that nobody can catch is a finding where it happens. Only a design with a handler that a report
 * may come to pays for throwing it: every call may end in an exception then. */
#ifndef HEDDLE_FRONTEND_LLVM_HANDLERS_H
#define HEDDLE_FRONTEND_LLVM_HANDLERS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

typedef struct handlers_found {
    bool of_reports; /* somewhere in the design */
    bool at_start;   /* around a call that may start a simulation: what leaves a process comes there */
} handlers_found;

/* Of the user's functions; those of headers catch to clean up. */
handlers_found handlers_find(LLVMModuleRef module);

#endif
