/* What the user asks: files and options, with task definitions and property files opened and taken apart.
 *
 * Resolving reads files and decides nothing but this; compiling (compile.h) makes the program. */
#ifndef HEDDLE_API_INQUIRY_H
#define HEDDLE_API_INQUIRY_H

#include "api/options.h"
#include "api/source.h"
#include "api/specification.h"
#include "api/task.h"
#include "frontend/frontend.h"

typedef struct inquiry {
    const frontend *frontend;
    VEC(source) sources; /* to compile: what was given, or what the task names, then the stubs */
    VEC(source) others;  /* the task definition, the property file, the certificate */
    bool has_certificate;
    size_t certificate; /* among the others */
    specification spec;
    bool of_task; /* by a property file or a task definition of SV-COMP, whose rules count */
    bool data_model_32;
    expected_verdict expected; /* of the task for this property */
} inquiry;

/* False: `errors` says why, ready to print. */
bool inquiry_resolve(const options *o, const source *given, size_t count, inquiry *out, text *errors);
bool inquiry_has_witnesses(const inquiry *q); /* each of its files is in C; C++ is not */
void inquiry_free(inquiry *q);

#endif
