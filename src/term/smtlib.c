#include "term/smtlib.h"

#include "base/map.h"
#include "term/internal.h"

#include <inttypes.h>

static const char *operator_name(term_op op) {
    switch (op) {
    case TERM_NOT: return "bvnot";
    case TERM_AND: return "bvand";
    case TERM_OR: return "bvor";
    case TERM_XOR: return "bvxor";
    case TERM_ADD: return "bvadd";
    case TERM_MUL: return "bvmul";
    case TERM_UDIV: return "bvudiv";
    case TERM_UREM: return "bvurem";
    case TERM_SDIV: return "bvsdiv";
    case TERM_SREM: return "bvsrem";
    case TERM_SHL: return "bvshl";
    case TERM_LSHR: return "bvlshr";
    case TERM_ASHR: return "bvashr";
    case TERM_EQ: return "=";
    case TERM_ULT: return "bvult";
    case TERM_SLT: return "bvslt";
    case TERM_CONCAT: return "concat";
    default: return "?";
    }
}

void smtlib_symbol_name(const term *symbol, text *out) {
    text_format(out, "s%u_%" PRIx64, symbol->width, symbol->value);
}

void smtlib_sort(unsigned width, text *out) {
    text_format(out, "(_ BitVec %u)", width);
}

/* --- definitions ---------------------------------------------------------------------------------------- */

struct smtlib_writer {
    const term *const *quantified;
    size_t quantified_count;
    map is_quantified; /* ids of the quantified symbols */
    map depends;       /* support id -> whether it contains one of them */
    map defined;       /* ids of operator nodes and free symbols already written */
    VEC(const term *) open;
};

smtlib_writer *smtlib_writer_create(const term *const *quantified, size_t count) {
    smtlib_writer *w = mem_zero(1, sizeof *w);
    w->quantified = quantified;
    w->quantified_count = count;
    for (size_t i = 0; i < count; i++) map_put(&w->is_quantified, quantified[i]->id, 1);
    return w;
}

void smtlib_writer_destroy(smtlib_writer *w) {
    if (!w) return;
    map_free(&w->is_quantified);
    map_free(&w->depends);
    map_free(&w->defined);
    vec_free(&w->open);
    mem_free(w);
}

static bool depends_on_quantified(smtlib_writer *w, const term *t) {
    if (!w->quantified_count) return false;
    uint64_t known = map_get(&w->depends, t->support->id);
    if (known != MAP_NONE) return known;
    bool found = false;
    for (size_t i = 0; i < t->support->size && !found; i++)
        found = map_get(&w->is_quantified, t->support->symbol[i]->id) != MAP_NONE;
    map_put(&w->depends, t->support->id, found);
    return found;
}

static void write_quantified_names(const smtlib_writer *w, text *out) {
    for (size_t i = 0; i < w->quantified_count; i++) {
        text_char(out, ' ');
        smtlib_symbol_name(w->quantified[i], out);
    }
}

void smtlib_reference(smtlib_writer *w, const term *t, text *out) {
    if (t->op == TERM_CONST) {
        text_format(out, "(_ bv%" PRIu64 " %u)", t->value, t->width);
    } else if (t->op == TERM_SYMBOL) {
        smtlib_symbol_name(t, out);
    } else if (depends_on_quantified(w, t)) {
        text_format(out, "(t%u", t->id);
        write_quantified_names(w, out);
        text_char(out, ')');
    } else {
        text_format(out, "t%u", t->id);
    }
}

static void write_operands(smtlib_writer *w, const term *t, text *out) {
    for (unsigned i = 0; i < t->arity; i++) {
        text_char(out, ' ');
        smtlib_reference(w, t->arg[i], out);
    }
}

/* Truth values are bit vectors of width 1 throughout; SMT-LIB's Bool appears only around predicates. */
static void write_body(smtlib_writer *w, const term *t, text *out) {
    switch (t->op) {
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT:
        text_format(out, "(ite (%s", operator_name(t->op));
        write_operands(w, t, out);
        text_add(out, ") #b1 #b0)");
        return;
    case TERM_ITE:
        text_add(out, "(ite (= #b1 ");
        smtlib_reference(w, t->arg[0], out);
        text_add(out, ") ");
        smtlib_reference(w, t->arg[1], out);
        text_char(out, ' ');
        smtlib_reference(w, t->arg[2], out);
        text_char(out, ')');
        return;
    case TERM_EXTRACT:
        text_format(out, "((_ extract %u %u)", (unsigned)t->value + t->width - 1, (unsigned)t->value);
        break;
    case TERM_ZEXT:
    case TERM_SEXT:
        text_format(out, "((_ %s %u)", t->op == TERM_ZEXT ? "zero_extend" : "sign_extend",
                    t->width - t->arg[0]->width);
        break;
    default: text_format(out, "(%s", operator_name(t->op));
    }
    write_operands(w, t, out);
    text_char(out, ')');
}

static void write_definition(smtlib_writer *w, const term *t, text *out) {
    text_format(out, "(define-fun t%u (", t->id);
    if (depends_on_quantified(w, t))
        for (size_t i = 0; i < w->quantified_count; i++) {
            text_char(out, '(');
            smtlib_symbol_name(w->quantified[i], out);
            text_char(out, ' ');
            smtlib_sort(w->quantified[i]->width, out);
            text_char(out, ')');
        }
    text_add(out, ") ");
    smtlib_sort(t->width, out);
    text_char(out, ' ');
    write_body(w, t, out);
    text_add(out, ")\n");
}

static void write_declaration(const term *symbol, text *out) {
    text_add(out, "(declare-fun ");
    smtlib_symbol_name(symbol, out);
    text_add(out, " () ");
    smtlib_sort(symbol->width, out);
    text_add(out, ")\n");
}

static bool is_defined(const smtlib_writer *w, const term *t) {
    return term_is_const(t) || map_get(&w->defined, t->id) != MAP_NONE ||
           map_get(&w->is_quantified, t->id) != MAP_NONE;
}

void smtlib_define(smtlib_writer *w, const term *t, text *out) {
    vec_push(&w->open, t);
    while (w->open.size) {
        const term *top = vec_last(&w->open);
        bool ready = true;
        if (!is_defined(w, top)) {
            for (unsigned i = 0; i < top->arity; i++)
                if (!is_defined(w, top->arg[i])) {
                    vec_push(&w->open, top->arg[i]);
                    ready = false;
                }
            if (!ready) continue;
            if (term_is_symbol(top))
                write_declaration(top, out);
            else
                write_definition(w, top, out);
            map_put(&w->defined, top->id, 1);
        }
        w->open.size--;
    }
}

/* --- whole queries -------------------------------------------------------------------------------------- */

void term_print_smtlib(const terms *c, const term *const *conditions, size_t count, text *out) {
    (void)c;
    text_add(out, "(set-logic QF_BV)\n");
    smtlib_writer *w = smtlib_writer_create(NULL, 0);
    for (size_t i = 0; i < count; i++) {
        smtlib_define(w, conditions[i], out);
        text_add(out, "(assert (= #b1 ");
        smtlib_reference(w, conditions[i], out);
        text_add(out, "))\n");
    }
    smtlib_writer_destroy(w);
    text_add(out, "(check-sat)\n");
}
