#include "base/invariant.h"
#include "term/term.h"

static const char *const NAMES[TERM_OPS] = {
    "const", "symbol", "not",  "and", "or",  "xor", "add", "mul",    "udiv",    "urem", "sdiv", "srem",
    "shl",   "lshr",   "ashr", "eq",  "ult", "slt", "ite", "concat", "extract", "zext", "sext"};

const char *term_op_name(term_op op) {
    assert(op < TERM_OPS);
    return NAMES[op];
}

bool term_op_commutes(term_op op) {
    switch (op) {
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
    case TERM_ADD:
    case TERM_MUL:
    case TERM_EQ: return true;
    default: return false;
    }
}

static uint64_t negated(uint64_t a, unsigned width) {
    return -a & term_mask(width);
}
static bool is_negative(uint64_t a, unsigned width) {
    return a >> (width - 1) & 1;
}
static uint64_t magnitude(uint64_t a, unsigned width) {
    return is_negative(a, width) ? negated(a, width) : a;
}

static uint64_t unsigned_quotient(uint64_t a, uint64_t b, unsigned width) {
    return b ? a / b : term_mask(width);
}
static uint64_t unsigned_rest(uint64_t a, uint64_t b) {
    return b ? a % b : a;
}

static uint64_t signed_quotient(uint64_t a, uint64_t b, unsigned width) {
    uint64_t quotient = unsigned_quotient(magnitude(a, width), magnitude(b, width), width);
    return is_negative(a, width) != is_negative(b, width) ? negated(quotient, width) : quotient;
}

static uint64_t signed_rest(uint64_t a, uint64_t b, unsigned width) {
    uint64_t rest = unsigned_rest(magnitude(a, width), magnitude(b, width));
    return is_negative(a, width) ? negated(rest, width) : rest;
}

static uint64_t arithmetic_shift(uint64_t a, uint64_t b, unsigned width) {
    return (uint64_t)(term_signed(width, a) >> (b < width ? b : width - 1)) & term_mask(width);
}

uint64_t term_apply(term_op op, unsigned width, unsigned arg_width, uint64_t value, const uint64_t *args) {
    assert(width >= 1 && width <= 64 && arg_width <= 64);
    uint64_t mask = term_mask(width);
    switch (op) {
    case TERM_CONST: return value & mask;
    case TERM_SYMBOL: return 0; /* a symbol has no meaning of its own: see term_evaluate */
    case TERM_NOT: return ~args[0] & mask;
    case TERM_AND: return args[0] & args[1];
    case TERM_OR: return args[0] | args[1];
    case TERM_XOR: return args[0] ^ args[1];
    case TERM_ADD: return (args[0] + args[1]) & mask;
    case TERM_MUL: return (args[0] * args[1]) & mask;
    case TERM_UDIV: return unsigned_quotient(args[0], args[1], width);
    case TERM_UREM: return unsigned_rest(args[0], args[1]);
    case TERM_SDIV: return signed_quotient(args[0], args[1], width);
    case TERM_SREM: return signed_rest(args[0], args[1], width);
    case TERM_SHL: return args[1] < width ? args[0] << args[1] & mask : 0;
    case TERM_LSHR: return args[1] < width ? args[0] >> args[1] : 0;
    case TERM_ASHR: return arithmetic_shift(args[0], args[1], width);
    case TERM_EQ: return args[0] == args[1];
    case TERM_ULT: return args[0] < args[1];
    case TERM_SLT: return term_signed(arg_width, args[0]) < term_signed(arg_width, args[1]);
    case TERM_ITE: return args[0] ? args[1] : args[2];
    case TERM_CONCAT: return args[0] << (width - arg_width) | args[1];
    case TERM_EXTRACT: return args[0] >> value & mask;
    case TERM_ZEXT: return args[0];
    case TERM_SEXT: return (uint64_t)term_signed(arg_width, args[0]) & mask;
    case TERM_OPS: break;
    }
    return 0;
}
