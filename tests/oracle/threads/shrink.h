/* Makes a program smaller as long as it stays interesting. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_SHRINK_H
#define HEDDLE_TESTS_ORACLE_THREADS_SHRINK_H

#include "tree.h"

typedef bool (*shrink_test)(void *data, program_tree *p);

void shrink_tree(program_tree *p, shrink_test still, void *data);

#endif
