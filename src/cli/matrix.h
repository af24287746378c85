/* The plan of an experiment: laboratory.h has its text. */
#ifndef HEDDLE_CLI_MATRIX_H
#define HEDDLE_CLI_MATRIX_H

#include "base/vec.h"
#include "heddle.h"

#include <stdbool.h>

typedef VEC(char *) word_list;

typedef struct setting { /* of an option or a parameter */
    char *name;
    word_list values;
} setting;

typedef VEC(setting) settings;

typedef struct configuration {
    char *name;
    settings options;
} configuration;

typedef struct matrix {
    word_list patterns;
    settings options, sweep;
    VEC(configuration) configurations;
    unsigned repetitions;
    heddle *scratch; /* knows which values options have */
} matrix;

bool matrix_read(const char *path, matrix *out); /* false: a message was printed; to be freed in any case */
void matrix_free(matrix *m);

/* In how many ways the parameters can be chosen, and the value of parameter p in way k. */
size_t matrix_ways(const matrix *m);
const char *matrix_value(const matrix *m, size_t way, size_t parameter);

#endif
