#include "frontend/dlang/syntax.h"

void dlang_file_free(dlang_file *file) {
    arena_free(&file->memory);
    intern_free(&file->names);
    vec_free(&file->variables);
    map_free(&file->by_name);
    vec_free(&file->processes);
}

static int64_t wrapped(uint64_t value) {
    return (int64_t)value;
}

/* b is not 0. The one quotient that does not fit wraps like any other result. */
static int64_t quotient_rounded_down(int64_t a, int64_t b, int64_t *remainder) {
    if (b == -1) {
        *remainder = 0;
        return wrapped(0 - (uint64_t)a);
    }
    int64_t q = a / b, r = a % b;
    bool off = r != 0 && (r < 0) != (b < 0);
    *remainder = off ? r + b : r;
    return off ? q - 1 : q;
}

bool dlang_compute(unsigned op, int64_t a, int64_t b, int64_t *result) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    int64_t remainder;
    switch (op) {
    case TOKEN_PLUS: *result = wrapped(x + y); return true;
    case TOKEN_MINUS: *result = wrapped(x - y); return true;
    case TOKEN_STAR: *result = wrapped(x * y); return true;
    case TOKEN_SLASH:
        if (b) *result = quotient_rounded_down(a, b, &remainder);
        return b != 0;
    case TOKEN_PERCENT:
        if (b) (void)quotient_rounded_down(a, b, result);
        return b != 0;
    case TOKEN_EQUAL: *result = a == b; return true;
    case TOKEN_UNEQUAL: *result = a != b; return true;
    case TOKEN_LESS: *result = a < b; return true;
    case TOKEN_LESS_EQUAL: *result = a <= b; return true;
    case TOKEN_GREATER: *result = a > b; return true;
    case TOKEN_GREATER_EQUAL: *result = a >= b; return true;
    case TOKEN_AND: *result = a && b; return true;
    case TOKEN_OR: *result = a || b; return true;
    default: return false;
    }
}
