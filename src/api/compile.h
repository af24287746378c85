/* From an inquiry to a program: the choice of front end and what its options mean to it. */
#ifndef HEDDLE_API_COMPILE_H
#define HEDDLE_API_COMPILE_H

#include "api/compile_commands.h"
#include "api/inquiry.h"
#include "frontend/llvm/llvm.h"
#include "program/program.h"

typedef struct compile_stop { /* when nobody wants to wait for a compiler any more */
    bool (*should_stop)(void *data);
    void *data;
} compile_stop;

/* NULL if the sources do not compile: `errors` then has the diagnostics, ready to print; it may hold warnings
 * in any case. `digests` gets a line for all that was compiled and is not in the inquiry itself: headers. */
program *compile_program(const options *o, const inquiry *q, compile_stop stop, text *digests, text *errors);

typedef VEC(char *) text_list;

typedef struct c_request { /* what clang is asked to do */
    text_list files;       /* on disk */
    text_list arguments;
    compile_commands commands;
    VEC(llvm_file_arguments) of_files; /* from these commands */
    llvm_options how;
    char *complaint;    /* what c_request_open returned, if it had to be put together */
    const char *blamed; /* the file that an error is about; NULL: the program */
    char folder[32];    /* for sources that were in memory only; "" if there are none */
    text_list made;     /* in that folder */
} c_request;

/* NULL, or what went wrong; to be closed in any case. */
const char *c_request_open(const options *o, const inquiry *q, c_request *r);
void c_request_close(c_request *r);

/* The source written anew; false if its language cannot be. */
bool compile_print(const options *o, const inquiry *q, text *out, text *errors);

#endif
