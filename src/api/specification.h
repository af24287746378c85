/* Property files of SV-COMP (.prp): which violations count, and how BenchExec calls them.
 *
 * A property that Heddle does not verify is refused, never passed over. */
#ifndef HEDDLE_API_SPECIFICATION_H
#define HEDDLE_API_SPECIFICATION_H

#include "base/diag.h"
#include "explore/explore.h"

typedef struct specification {
    unsigned properties; /* PROPERTY_… to verify */
    unsigned kinds;      /* bit k: a violated check of check_kind k violates the specification */
    bool deadlock;       /* a deadlock violates it */
    bool livelock;       /* a livelock does */
    bool only_calls;     /* calls of reach_error violate it, failing assertions of the C library do not */
    char *entry;         /* function at which the program begins; NULL: none given */
    char *reach;         /* with PROPERTY_REACH: the expression that must never be true */
} specification;

/* False after reporting. */
bool specification_parse(const char *source, size_t length, diagnostics *d, specification *out);
void specification_free(specification *s);

/* What the choice of --property means. */
specification specification_of_properties(unsigned properties);

/* Adds `reach:EXPRESSION`. Of "a || b" the parts `fail` and `deadlock` are properties of their own. */
void specification_reach(specification *s, const char *expression);

/* "unreach-call", "valid-deref", …: the name of the property that a violation of this kind violates, as
 * BenchExec spells it; NULL if it violates none. `k` counts for VIOLATION_CHECK only. */
const char *specification_violated(const specification *s, violation_kind v, check_kind k);

/* The formulas of a property file, one a line: of the property that `verdict` ("false(unreach-call)") says is
 * violated, else of all that are verified. None for what property files cannot say. */
void specification_formulas(const specification *s, const char *verdict, text *out);

#endif
