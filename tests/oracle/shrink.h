/* Makes a program smaller while something about it stays true. */
#ifndef HEDDLE_TESTS_ORACLE_SHRINK_H
#define HEDDLE_TESTS_ORACLE_SHRINK_H

#include "tiny.h"

/* Whether the edited program is still interesting; it may change what printing notes. */
typedef bool (*shrink_test)(void *data, tiny_program *p);

void shrink(tiny_program *p, shrink_test still, void *data);

#endif
