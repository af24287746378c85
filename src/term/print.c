/* For people: infix, with signed operators marked by a trailing s, cut where it would fill the screen. */
#include "term/internal.h"

#include <inttypes.h>

enum { PRINT_LIMIT = 4000 };

typedef struct print_item { /* either a text or a term still to be printed */
    const char *words;
    const term *t;
} print_item;

typedef struct printer {
    const terms *context;
    text *out;
    VEC(print_item) open; /* the next thing to print is the last one */
} printer;

static void later_words(printer *p, const char *words) {
    print_item item = {words, NULL};
    vec_push(&p->open, item);
}

static void later_term(printer *p, const term *t) {
    print_item item = {NULL, t};
    vec_push(&p->open, item);
}

static const char *infix(term_op op, bool logical) {
    switch (op) {
    case TERM_AND: return logical ? " && " : " & ";
    case TERM_OR: return logical ? " || " : " | ";
    case TERM_XOR: return " ^ ";
    case TERM_ADD: return " + ";
    case TERM_MUL: return " * ";
    case TERM_UDIV: return " / ";
    case TERM_UREM: return " % ";
    case TERM_SDIV: return " /s ";
    case TERM_SREM: return " %s ";
    case TERM_SHL: return " << ";
    case TERM_LSHR: return " >> ";
    case TERM_ASHR: return " >>s ";
    case TERM_EQ: return " == ";
    case TERM_ULT: return " < ";
    case TERM_SLT: return " <s ";
    case TERM_CONCAT: return " . ";
    default: return " ? ";
    }
}

static void print_number(const term *t, text *out) {
    int64_t value = term_signed(t->width, t->value);
    if (t->width == 1)
        text_add(out, t->value ? "true" : "false");
    else if (value < 0 && value > -1000000)
        text_format(out, "%" PRId64, value);
    else if (t->value < 1000000)
        text_format(out, "%" PRIu64, t->value);
    else
        text_format(out, "0x%" PRIx64, t->value);
}

static void print_symbol(const terms *c, const term *t, text *out) {
    const char *label = term_symbol_label(c, t);
    if (*label)
        text_add(out, label);
    else
        text_format(out, "x%" PRIu64, t->value & ~(UINT64_C(1) << 63));
    if (term_symbol_is_primed(t)) text_char(out, '\'');
}

static void print_negation(printer *p, const term *t) {
    const term *a = t->arg[0];
    if (a->op == TERM_EQ) {
        later_words(p, ")");
        later_term(p, a->arg[1]);
        later_words(p, " != ");
        later_term(p, a->arg[0]);
        text_char(p->out, '(');
    } else {
        later_term(p, a);
        text_char(p->out, t->width == 1 ? '!' : '~');
    }
}

static void print_operator(printer *p, const term *t) {
    switch (t->op) {
    case TERM_NOT: print_negation(p, t); break;
    case TERM_ITE:
        later_words(p, ")");
        later_term(p, t->arg[2]);
        later_words(p, " : ");
        later_term(p, t->arg[1]);
        later_words(p, " ? ");
        later_term(p, t->arg[0]);
        text_char(p->out, '(');
        break;
    case TERM_EXTRACT:
        text_format(p->out, "bits<%u..%u>(", (unsigned)t->value + t->width - 1, (unsigned)t->value);
        later_words(p, ")");
        later_term(p, t->arg[0]);
        break;
    case TERM_ZEXT:
    case TERM_SEXT:
        text_format(p->out, "%c%u(", t->op == TERM_ZEXT ? 'u' : 's', t->width);
        later_words(p, ")");
        later_term(p, t->arg[0]);
        break;
    default:
        later_words(p, ")");
        later_term(p, t->arg[1]);
        later_words(p, infix(t->op, t->width == 1));
        later_term(p, t->arg[0]);
        text_char(p->out, '(');
    }
}

void term_print(const terms *c, const term *t, text *out) {
    printer p = {.context = c, .out = out};
    size_t limit = out->size + PRINT_LIMIT;
    later_term(&p, t);
    while (p.open.size && out->size < limit) {
        print_item item = vec_pop(&p.open);
        if (item.words)
            text_add(out, item.words);
        else if (term_is_const(item.t))
            print_number(item.t, out);
        else if (term_is_symbol(item.t))
            print_symbol(c, item.t, out);
        else
            print_operator(&p, item.t);
    }
    if (p.open.size) text_add(out, "...");
    vec_free(&p.open);
}
