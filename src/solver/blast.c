#include "solver/blast.h"

#include "solver/circuits.h"

void blaster_open(blaster *b, const sat_backend *backend) {
    *b = (blaster){0};
    gates_open(&b->gates, backend);
}

void blaster_close(blaster *b) {
    gates_close(&b->gates);
    map_free(&b->places);
    vec_free(&b->literals);
    vec_free(&b->open);
    map_free(&b->divisions);
    map_free(&b->signed_divisions);
}

/* --- where the literals of a term are ------------------------------------------------------------------- */

static uint64_t place_and_weight(uint64_t place, uint64_t weight) {
    return place << 32 | weight;
}
static uint64_t place_in(uint64_t entry) {
    return entry >> 32;
}
static uint64_t weight_in(uint64_t entry) {
    return entry & UINT32_MAX;
}

static bool is_translated(const blaster *b, const term *t) {
    return map_get(&b->places, t->id) != MAP_NONE;
}

/* NULL when it is not translated. */
static const int *literals_of(const blaster *b, const term *t) {
    uint64_t entry = map_get(&b->places, t->id);
    return entry == MAP_NONE ? NULL : b->literals.data + place_in(entry);
}

static uint32_t keep_literals(blaster *b, const int *literals, unsigned width) {
    uint32_t at = (uint32_t)b->literals.size;
    vec_reserve(&b->literals, b->literals.size + width);
    memcpy(b->literals.data + at, literals, width * sizeof *literals);
    b->literals.size += width;
    return at;
}

/* --- operators ------------------------------------------------------------------------------------------ */

static bool is_negative_multiple(const term *t) {
    return t->op == TERM_MUL && term_is_const(t->arg[1]) && t->arg[1]->value >> (t->width - 1);
}

/* a + b * -k is one subtraction, not a negation and an addition: which operand is that b * -k, if any? */
static int subtracted_operand(const term *t) {
    if (t->op != TERM_ADD) return -1;
    return is_negative_multiple(t->arg[1]) ? 1 : is_negative_multiple(t->arg[0]) ? 0 : -1;
}

static void translate_sum(blaster *b, const term *t, int *out) {
    int subtracted = subtracted_operand(t);
    unsigned width = t->width;
    if (subtracted < 0) {
        circuit_add(&b->gates, out, literals_of(b, t->arg[0]), literals_of(b, t->arg[1]), GATE_FALSE, width);
        return;
    }
    const term *minus = t->arg[subtracted];
    int number[CIRCUIT_WIDTH], product[CIRCUIT_WIDTH];
    circuit_constant(number, width, -minus->arg[1]->value);
    circuit_multiply(&b->gates, product, literals_of(b, minus->arg[0]), number, width);
    circuit_subtract(&b->gates, out, literals_of(b, t->arg[1 - subtracted]), product, width);
}

/* Quotient and rest of the same operands are computed together and kept. */
static void translate_division(blaster *b, const term *t, bool is_signed, bool wants_rest, int *out) {
    unsigned width = t->width;
    map *known = is_signed ? &b->signed_divisions : &b->divisions;
    uint64_t key = (uint64_t)t->arg[0]->id << 32 | t->arg[1]->id, at = map_get(known, key);
    if (at == MAP_NONE) {
        int both[2 * CIRCUIT_WIDTH];
        (is_signed ? circuit_divide_signed : circuit_divide)(
            &b->gates, both, both + width, literals_of(b, t->arg[0]), literals_of(b, t->arg[1]), width);
        at = keep_literals(b, both, 2 * width);
        map_put(known, key, at);
    }
    memcpy(out, b->literals.data + at + (wants_rest ? width : 0), width * sizeof *out);
}

static void translate(blaster *b, const term *t, int *out) {
    gates *g = &b->gates;
    unsigned width = t->width;
    const int *args[3] = {NULL};
    for (unsigned i = 0; i < t->arity; i++) args[i] = literals_of(b, t->arg[i]);
    const int *x = args[0], *y = args[1], *z = args[2];
    unsigned inner = t->arity ? t->arg[0]->width : 0;
    switch ((term_op)t->op) {
    case TERM_CONST: circuit_constant(out, width, t->value); break;
    case TERM_SYMBOL:
        for (unsigned i = 0; i < width; i++) out[i] = gate_input(g);
        break;
    case TERM_NOT:
        for (unsigned i = 0; i < width; i++) out[i] = -x[i];
        break;
    case TERM_AND:
        for (unsigned i = 0; i < width; i++) out[i] = gate_and(g, x[i], y[i]);
        break;
    case TERM_OR:
        for (unsigned i = 0; i < width; i++) out[i] = gate_or(g, x[i], y[i]);
        break;
    case TERM_XOR:
        for (unsigned i = 0; i < width; i++) out[i] = gate_xor(g, x[i], y[i]);
        break;
    case TERM_ADD: translate_sum(b, t, out); break;
    case TERM_MUL: circuit_multiply(g, out, x, y, width); break;
    case TERM_UDIV: translate_division(b, t, false, false, out); break;
    case TERM_UREM: translate_division(b, t, false, true, out); break;
    case TERM_SDIV: translate_division(b, t, true, false, out); break;
    case TERM_SREM: translate_division(b, t, true, true, out); break;
    case TERM_SHL: circuit_shift(g, out, SHIFT_LEFT, x, y, width); break;
    case TERM_LSHR: circuit_shift(g, out, SHIFT_RIGHT, x, y, width); break;
    case TERM_ASHR: circuit_shift(g, out, SHIFT_RIGHT_SIGNED, x, y, width); break;
    case TERM_EQ: out[0] = circuit_equal(g, x, y, inner); break;
    case TERM_ULT: out[0] = circuit_less(g, x, y, inner, false); break;
    case TERM_SLT: out[0] = circuit_less(g, x, y, inner, true); break;
    case TERM_ITE: circuit_select(g, out, x[0], y, z, width); break;
    case TERM_CONCAT:
        memcpy(out, y, (width - inner) * sizeof *out);
        memcpy(out + width - inner, x, inner * sizeof *out);
        break;
    case TERM_EXTRACT: memcpy(out, x + t->value, width * sizeof *out); break;
    case TERM_ZEXT:
    case TERM_SEXT:
        for (unsigned i = 0; i < width; i++)
            out[i] = i < inner ? x[i] : t->op == TERM_SEXT ? x[inner - 1] : GATE_FALSE;
        break;
    case TERM_OPS: break;
    }
}

/* --- walking -------------------------------------------------------------------------------------------- */

static bool push_untranslated_operands(blaster *b, const term *t) {
    size_t before = b->open.size;
    int subtracted = subtracted_operand(t);
    for (unsigned i = 0; i < t->arity; i++) {
        const term *operand = (int)i == subtracted ? t->arg[i]->arg[0] : t->arg[i];
        if (!is_translated(b, operand)) vec_push(&b->open, operand);
    }
    return b->open.size > before;
}

const int *blast_term(blaster *b, const term *t) {
    size_t bottom = b->open.size;
    if (!is_translated(b, t)) vec_push(&b->open, t);
    while (b->open.size > bottom) {
        const term *top = vec_last(&b->open);
        if (!is_translated(b, top)) {
            if (push_untranslated_operands(b, top)) continue;
            int out[CIRCUIT_WIDTH];
            size_t before = b->gates.clauses;
            translate(b, top, out);
            uint32_t place = keep_literals(b, out, top->width);
            map_put(&b->places, top->id, place_and_weight(place, b->gates.clauses - before));
        }
        b->open.size--;
    }
    return literals_of(b, t);
}

int blast_condition(blaster *b, const term *condition) {
    return blast_term(b, condition)[0];
}

uint64_t blast_symbol_value(blaster *b, const term *symbol) {
    const int *literals = literals_of(b, symbol);
    uint64_t value = 0;
    for (unsigned i = 0; literals && i < symbol->width; i++)
        if (b->gates.backend->value(b->gates.sat, literals[i])) value |= UINT64_C(1) << i;
    return value;
}

size_t blast_cone(blaster *b, const term *const *list, size_t count) {
    map seen = {0};
    size_t total = 0;
    for (size_t i = 0; i < count; i++) vec_push(&b->open, list[i]);
    while (b->open.size) {
        const term *t = vec_pop(&b->open);
        if (map_get(&seen, t->id) != MAP_NONE) continue;
        map_put(&seen, t->id, 1);
        uint64_t entry = map_get(&b->places, t->id);
        if (entry != MAP_NONE) total += weight_in(entry);
        for (unsigned i = 0; i < t->arity; i++) vec_push(&b->open, t->arg[i]);
    }
    map_free(&seen);
    return total;
}
