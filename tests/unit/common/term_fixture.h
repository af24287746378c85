/* A set of terms with some symbols, for cmocka's set-up and tear-down. */
#ifndef HEDDLE_TESTS_TERM_FIXTURE_H
#define HEDDLE_TESTS_TERM_FIXTURE_H

#include "term/term.h"

#include <stdlib.h>

enum { W = 32 };

typedef struct fixture {
    terms *c;
    const term *x, *y, *z; /* of W bits */
    const term *p, *q;     /* of one */
    const term *byte;
} fixture;

static inline int set_up(void **state) {
    fixture *f = malloc(sizeof *f);
    f->c = terms_create();
    f->x = term_symbol(f->c, W, 1, "x", 0);
    f->y = term_symbol(f->c, W, 2, "y", 0);
    f->z = term_symbol(f->c, W, 3, "z", 0);
    f->p = term_symbol(f->c, 1, 4, "p", 0);
    f->q = term_symbol(f->c, 1, 5, "q", 0);
    f->byte = term_symbol(f->c, 8, 6, "b", 0);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    terms_destroy(f->c);
    free(f);
    return 0;
}

static inline const term *number(const fixture *f, uint64_t value) {
    return term_const(f->c, W, value);
}

#endif
