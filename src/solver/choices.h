/* Choices of y for x: terms over x that are put in place of the y of one group of conjuncts. Any choice is
 * sound to try; good ones serve many x at once. */
#ifndef HEDDLE_SOLVER_CHOICES_H
#define HEDDLE_SOLVER_CHOICES_H

#include "solver/eliminate.h"
#include "solver/internal.h"

typedef struct choices {
    terms *context;
    term_list group, free, bound; /* the conjuncts, their x, their y */
    term_list parts;              /* terms over x alone that occur in the group, and the x themselves */
    term_list served;             /* per choice: the group with y replaced, a condition on x */
    map known_symbols, known_parts, known_served; /* ids */
} choices;

void choices_open(choices *k, terms *c);
void choices_close(choices *k);
void choices_add(choices *k, const elimination *e, const term *conjunct);

/* First choices, before anything was tried: each y its unprimed twin; each y what stands in its
 * place in `left`. */
void choices_guess(choices *k, const term *const *left, const term *const *right, size_t pairs);

/* New choices that serve at least this x, for which y is a solution. */
void choices_learn(choices *k, const valuation *x, const valuation *y);

#endif
