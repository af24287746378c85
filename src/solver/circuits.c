#include "solver/circuits.h"

#include <string.h>

/* The compiler cannot know that widths are at least 1, hence the initialised arrays. */

void circuit_constant(int *out, unsigned width, uint64_t value) {
    for (unsigned i = 0; i < width; i++) out[i] = value >> i & 1 ? GATE_TRUE : GATE_FALSE;
}

static bool is_number(const int *a, unsigned width, uint64_t *value) {
    *value = 0;
    for (unsigned i = 0; i < width; i++) {
        if (a[i] != GATE_TRUE && a[i] != GATE_FALSE) return false;
        if (a[i] == GATE_TRUE) *value |= UINT64_C(1) << i;
    }
    return true;
}

static void complement(int *out, const int *a, unsigned width) {
    for (unsigned i = 0; i < width; i++) out[i] = -a[i];
}

/* --- sums ----------------------------------------------------------------------------------------------- */

void circuit_add(gates *g, int *out, const int *a, const int *b, int carry, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        out[i] = gate_xor3(g, a[i], b[i], carry);
        if (i + 1 < width) carry = gate_majority(g, a[i], b[i], carry);
    }
}

void circuit_subtract(gates *g, int *out, const int *a, const int *b, unsigned width) {
    int inverted[CIRCUIT_WIDTH] = {0};
    complement(inverted, b, width);
    circuit_add(g, out, a, inverted, GATE_TRUE, width);
}

static void negate(gates *g, int *out, const int *a, unsigned width) {
    int zero[CIRCUIT_WIDTH] = {0};
    circuit_constant(zero, width, 0);
    circuit_subtract(g, out, zero, a, width);
}

/* --- comparisons ---------------------------------------------------------------------------------------- */

int circuit_less(gates *g, const int *a, const int *b, unsigned width, bool is_signed) {
    int less = GATE_FALSE;
    for (unsigned i = 0; i < width; i++) {
        bool sign = is_signed && i + 1 == width;
        less = gate_majority(g, sign ? a[i] : -a[i], sign ? -b[i] : b[i], less);
    }
    return less;
}

int circuit_equal(gates *g, const int *a, const int *b, unsigned width) {
    int same[CIRCUIT_WIDTH] = {0};
    for (unsigned i = 0; i < width; i++) same[i] = -gate_xor(g, a[i], b[i]);
    return gate_and_all(g, same, width);
}

void circuit_select(gates *g, int *out, int condition, const int *then, const int *otherwise,
                    unsigned width) {
    for (unsigned i = 0; i < width; i++) out[i] = gate_mux(g, condition, then[i], otherwise[i]);
}

/* --- products ------------------------------------------------------------------------------------------- */

static void shift_by_number(int *out, const int *a, unsigned by, unsigned width) {
    for (unsigned i = 0; i < width; i++) out[i] = i < by ? GATE_FALSE : a[i - by];
}

/* Runs of ones in the number become one addition and one subtraction (non-adjacent form). */
static void multiply_by_number(gates *g, int *out, const int *a, uint64_t number, unsigned width) {
    int sum[CIRCUIT_WIDTH] = {0}, shifted[CIRCUIT_WIDTH] = {0};
    circuit_constant(out, width, 0);
    for (unsigned i = 0; number && i < width; i++, number >>= 1) {
        if (!(number & 1)) continue;
        shift_by_number(shifted, a, i, width);
        if ((number & 3) == 3 && i + 2 < width) {
            circuit_subtract(g, sum, out, shifted, width);
            number++; /* the subtracted bit is made good by a carry into the next ones */
        } else {
            circuit_add(g, sum, out, shifted, GATE_FALSE, width);
        }
        memcpy(out, sum, width * sizeof *out);
    }
}

void circuit_multiply(gates *g, int *out, const int *a, const int *b, unsigned width) {
    uint64_t number;
    if (is_number(b, width, &number)) {
        multiply_by_number(g, out, a, number, width);
        return;
    }
    if (is_number(a, width, &number)) {
        multiply_by_number(g, out, b, number, width);
        return;
    }
    int sum[CIRCUIT_WIDTH] = {0}, row[CIRCUIT_WIDTH] = {0};
    circuit_constant(out, width, 0);
    for (unsigned i = 0; i < width; i++) {
        if (b[i] == GATE_FALSE) continue;
        for (unsigned k = 0; k < width - i; k++) row[k] = gate_and(g, a[k], b[i]);
        circuit_add(g, sum, out + i, row, GATE_FALSE, width - i);
        memcpy(out + i, sum, (width - i) * sizeof *out);
    }
}

/* --- quotients ------------------------------------------------------------------------------------------ */

static int any_set(gates *g, const int *a, unsigned width) {
    int none[CIRCUIT_WIDTH] = {0};
    complement(none, a, width);
    return -gate_and_all(g, none, width);
}

static void imply(gates *g, int premise, int conclusion) {
    gate_clause(g, (int[]){-premise, conclusion}, 2);
}

/* Adds row to the upper part of sum; when `premise` holds there must be no carry out. */
static void add_without_overflow(gates *g, int *sum, const int *row, unsigned width, int premise) {
    int carry = GATE_FALSE, out[CIRCUIT_WIDTH] = {0};
    for (unsigned i = 0; i < width; i++) {
        out[i] = gate_xor3(g, sum[i], row[i], carry);
        carry = gate_majority(g, sum[i], row[i], carry);
    }
    imply(g, premise, -carry);
    memcpy(sum, out, width * sizeof *out);
}

/* A divisor of at least 2^top leaves a quotient below 2^(width - top); 0 if nothing is known. */
static unsigned highest_certain_bit(const int *b, unsigned width) {
    for (unsigned i = width; i-- > 0;)
        if (b[i] == GATE_TRUE) return i;
    return 0;
}

/* The rest has no bits above the divisor's. */
static unsigned highest_possible_bit(const int *b, unsigned width) {
    for (unsigned i = width; i-- > 0;)
        if (b[i] != GATE_FALSE) return i;
    return 0;
}

/* Guesses q and r and states that, if b != 0, q * b + r = a without overflow and r < b. For every such a and
 * b exactly one pair exists, so the statement is a definition. It is several times smaller than a
 * circuit that divides. */
void circuit_divide(gates *g, int *quotient, int *rest, const int *a, const int *b, unsigned width) {
    int q[CIRCUIT_WIDTH] = {0}, r[CIRCUIT_WIDTH] = {0}, sum[CIRCUIT_WIDTH] = {0}, row[CIRCUIT_WIDTH] = {0},
        ones[CIRCUIT_WIDTH] = {0};
    int nonzero = any_set(g, b, width);
    unsigned top = highest_certain_bit(b, width);
    for (unsigned i = 0; i < width; i++) q[i] = i + top < width ? gate_input(g) : GATE_FALSE;
    for (unsigned i = 0; i < width; i++)
        r[i] = i <= highest_possible_bit(b, width) ? gate_input(g) : GATE_FALSE;
    memcpy(sum, r, width * sizeof *sum);
    for (unsigned i = 0; i < width; i++) {
        for (unsigned k = 0; k < width; k++) {
            if (k < width - i)
                row[k] = gate_and(g, b[k], q[i]);
            else
                imply(g, b[k], -q[i]);
        }
        add_without_overflow(g, sum + i, row, width - i, nonzero);
    }
    for (unsigned i = 0; i < width; i++) imply(g, nonzero, -gate_xor(g, sum[i], a[i]));
    imply(g, nonzero, circuit_less(g, r, b, width, false));
    circuit_constant(ones, width, UINT64_MAX);
    circuit_select(g, quotient, nonzero, q, ones, width);
    circuit_select(g, rest, nonzero, r, a, width);
}

static void magnitude(gates *g, int *out, const int *a, unsigned width) {
    int negative[CIRCUIT_WIDTH] = {0};
    negate(g, negative, a, width);
    circuit_select(g, out, a[width - 1], negative, a, width);
}

void circuit_divide_signed(gates *g, int *quotient, int *rest, const int *a, const int *b, unsigned width) {
    int x[CIRCUIT_WIDTH] = {0}, y[CIRCUIT_WIDTH] = {0}, q[CIRCUIT_WIDTH] = {0}, r[CIRCUIT_WIDTH] = {0},
        negative[CIRCUIT_WIDTH] = {0};
    magnitude(g, x, a, width);
    magnitude(g, y, b, width);
    circuit_divide(g, q, r, x, y, width);
    negate(g, negative, q, width);
    circuit_select(g, quotient, gate_xor(g, a[width - 1], b[width - 1]), negative, q, width);
    negate(g, negative, r, width);
    circuit_select(g, rest, a[width - 1], negative, r, width);
}

/* --- shifts --------------------------------------------------------------------------------------------- */

static int shifted_bit(const int *a, shift_kind kind, unsigned i, unsigned by, unsigned width, int fill) {
    if (kind == SHIFT_LEFT) return i < by ? GATE_FALSE : a[i - by];
    return i + by < width ? a[i + by] : fill;
}

void circuit_shift(gates *g, int *out, shift_kind kind, const int *a, const int *by, unsigned width) {
    int fill = kind == SHIFT_RIGHT_SIGNED ? a[width - 1] : GATE_FALSE, stage[CIRCUIT_WIDTH] = {0};
    memcpy(out, a, width * sizeof *out);
    unsigned bits = 0;
    for (; bits < width && 1u << bits < width; bits++) {
        for (unsigned i = 0; i < width; i++)
            stage[i] = gate_mux(g, by[bits], shifted_bit(out, kind, i, 1u << bits, width, fill), out[i]);
        memcpy(out, stage, width * sizeof *out);
    }
    int beyond = any_set(g, by + bits, width - bits);
    for (unsigned i = 0; i < width; i++) out[i] = gate_mux(g, beyond, fill, out[i]);
}
