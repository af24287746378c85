/* Arithmetic circuits over vectors of literals, lowest bit first. Outputs may not overlap inputs. */
#ifndef HEDDLE_SOLVER_CIRCUITS_H
#define HEDDLE_SOLVER_CIRCUITS_H

#include "solver/gates.h"

enum { CIRCUIT_WIDTH = 64 };

void circuit_constant(int *out, unsigned width, uint64_t value);
void circuit_add(gates *g, int *out, const int *a, const int *b, int carry, unsigned width);
void circuit_subtract(gates *g, int *out, const int *a, const int *b, unsigned width);
void circuit_multiply(gates *g, int *out, const int *a, const int *b, unsigned width);
void circuit_select(gates *g, int *out, int condition, const int *then, const int *otherwise, unsigned width);
int circuit_less(gates *g, const int *a, const int *b, unsigned width, bool is_signed);
int circuit_equal(gates *g, const int *a, const int *b, unsigned width);

/* Quotient and rest as SMT-LIB defines them, also for a zero divisor. */
void circuit_divide(gates *g, int *quotient, int *rest, const int *a, const int *b, unsigned width);
void circuit_divide_signed(gates *g, int *quotient, int *rest, const int *a, const int *b, unsigned width);

typedef enum { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_SIGNED } shift_kind;
void circuit_shift(gates *g, int *out, shift_kind kind, const int *a, const int *by, unsigned width);

#endif
