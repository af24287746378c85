#include "report/c_expression.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST = 2000 }; /* characters of one expression */

typedef struct printing {
    map known; /* id of a term -> index of its text */
    VEC(char *) texts;
} printing;

static const char *unsigned_type(unsigned width) {
    switch (width) {
    case 8: return "unsigned char";
    case 16: return "unsigned short";
    case 32: return "unsigned int";
    case 64: return "unsigned long long";
    default: return NULL;
    }
}

static const char *signed_type(unsigned width) {
    const char *type = unsigned_type(width);
    return !type ? NULL : width == 8 ? "signed char" : type + strlen("unsigned ");
}

static const char *text_of(const printing *p, const term *t) {
    return p->texts.data[map_get(&p->known, t->id)];
}

/* Of width 1: truth values, which are ints. */
static bool print_truth(const printing *p, const term *t, text *out) {
    const char *a = t->arity > 0 ? text_of(p, t->arg[0]) : "", *b = t->arity > 1 ? text_of(p, t->arg[1]) : "";
    const char *type = t->arity ? signed_type(t->arg[0]->width) : NULL;
    switch ((term_op)t->op) {
    case TERM_CONST: text_add(out, t->value ? "1" : "0"); return true;
    case TERM_NOT: text_format(out, "!%s", a); return true;
    case TERM_AND: text_format(out, "(%s && %s)", a, b); return true;
    case TERM_OR: text_format(out, "(%s || %s)", a, b); return true;
    case TERM_XOR: text_format(out, "(%s != %s)", a, b); return true;
    case TERM_EQ: text_format(out, "(%s == %s)", a, b); return true;
    case TERM_ULT: text_format(out, "(%s < %s)", a, b); return type != NULL;
    case TERM_SLT:
        if (type) text_format(out, "((%s)%s < (%s)%s)", type, a, type, b);
        return type != NULL;
    default: return false;
    }
}

/* Of other widths: numbers of an unsigned type, cut to their width after every operation. */
static bool print_number(const printing *p, const term *t, text *out) {
    const char *type = unsigned_type(t->width);
    const char *a = t->arity > 0 ? text_of(p, t->arg[0]) : "", *b = t->arity > 1 ? text_of(p, t->arg[1]) : "";
    const char *from = t->arity ? signed_type(t->arg[0]->width) : NULL;
    switch ((term_op)t->op) {
    case TERM_CONST: text_format(out, "%" PRIu64 "%s", t->value, t->width == 64 ? "ULL" : "U"); return true;
    case TERM_NOT: text_format(out, "(%s)~%s", type, a); return true;
    case TERM_AND: text_format(out, "(%s)(%s & %s)", type, a, b); return true;
    case TERM_OR: text_format(out, "(%s)(%s | %s)", type, a, b); return true;
    case TERM_XOR: text_format(out, "(%s)(%s ^ %s)", type, a, b); return true;
    case TERM_ADD: text_format(out, "(%s)(%s + %s)", type, a, b); return true;
    case TERM_MUL: /* 16 bits: the operands would become ints, whose product can overflow */
        text_format(out, "(%s)(1U * %s * %s)", type, a, b);
        return true;
    case TERM_ZEXT: text_format(out, "(%s)%s", type, a); return true;
    case TERM_SEXT:
        if (from) text_format(out, "(%s)(%s)%s", type, from, a);
        return from != NULL;
    case TERM_EXTRACT: text_format(out, "(%s)(%s >> %" PRIu64 ")", type, a, t->value); return from != NULL;
    default: return false;
    }
}

static bool print_symbol(const term *t, c_variable name, void *data, text *out) {
    char *variable = name(data, t);
    if (variable) text_format(out, "(%s)%s", unsigned_type(t->width), variable);
    mem_free(variable);
    return variable != NULL;
}

/* Its operands are printed. */
static bool print_one(printing *p, const term *t, c_variable name, void *data) {
    text out = {0};
    bool good = t->width == 1 || unsigned_type(t->width);
    if (good && t->op == TERM_SYMBOL)
        good = t->width > 1 && print_symbol(t, name, data, &out);
    else if (good)
        good = t->width == 1 ? print_truth(p, t, &out) : print_number(p, t, &out);
    good = good && out.size < LONGEST;
    if (good) {
        map_put(&p->known, t->id, p->texts.size);
        vec_push(&p->texts, mem_copy_string(text_cstr(&out)));
    }
    text_free(&out);
    return good;
}

bool c_expression_print(const term *condition, c_variable name, void *data, text *out) {
    printing p = {0};
    VEC(const term *) open = {0};
    bool good = condition->width == 1;
    vec_push(&open, condition);
    while (open.size && good) {
        const term *t = vec_last(&open);
        size_t before = open.size;
        for (unsigned i = 0; i < t->arity; i++)
            if (map_get(&p.known, t->arg[i]->id) == MAP_NONE) vec_push(&open, t->arg[i]);
        if (open.size > before) continue;
        open.size--;
        if (map_get(&p.known, t->id) == MAP_NONE) good = print_one(&p, t, name, data);
    }
    if (good) text_add(out, text_of(&p, condition));
    for (size_t i = 0; i < p.texts.size; i++) mem_free(p.texts.data[i]);
    vec_free(&p.texts);
    vec_free(&open);
    map_free(&p.known);
    return good;
}
