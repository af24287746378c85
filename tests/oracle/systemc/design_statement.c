/* Statements and expressions of tiny programs in C++. */
#include "design_internal.h"

#include <stdio.h>

static const char *const type_names[TINY_TYPES] = {"bool", "int8_t",   "uint8_t", "int16_t", "uint16_t",
                                                   "int",  "uint32_t", "int64_t", "uint64_t"};
static const char *const nondet_names[TINY_TYPES] = {"bool", "char", "uchar", "short", "ushort",
                                                     "int",  "uint", "long",  "ulong"};
static const char *const operators[OPERATORS] = {"+", "-",  "*",  "/",  "%",  "&", "|",
                                                 "^", "<<", ">>", "==", "!=", "<", "<=",
                                                 ">", ">=", "&&", "||", "!",  "-", "~"};

const char *design_type_name(unsigned type) {
    return type_names[type];
}

void design_indent(design_writer *w) {
    for (unsigned i = 0; i < w->depth; i++) text_add(w->out, "    ");
}

/* --- time ----------------------------------------------------------------------------------------------- */

/* Of a unit of IVL: with limits there must be moments between two of them. */
static unsigned scale_of(const design_writer *w) {
    return w->limited ? 2 : 1;
}

static const char *unit_of(const design_writer *w) {
    return w->style->nanoseconds ? "SC_NS" : "SC_PS";
}

static void print_expr(design_writer *w, uint32_t number);

static bool is_literal(const design_writer *w, uint32_t e) {
    return w->p->exprs.data[e].kind == EXPR_NUMBER && w->p->exprs.data[e].number >= 0;
}

static void print_delay(design_writer *w, uint32_t e) {
    int32_t number = w->p->exprs.data[e].number;
    if (is_literal(w, e) && !number && w->style->time_objects) {
        text_add(w->out, "SC_ZERO_TIME");
        return;
    }
    if (w->style->time_objects) text_add(w->out, "sc_time(");
    if (is_literal(w, e)) {
        text_format(w->out, "%d", number * (int32_t)scale_of(w));
    } else {
        if (w->limited) text_format(w->out, "%u * ", scale_of(w));
        print_expr(w, e);
    }
    text_format(w->out, ", %s%s", unit_of(w), w->style->time_objects ? ")" : "");
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static bool is_signal(const design_writer *w, const tiny_expr *e) {
    return w->style->signal.is_there && (uint32_t)e->number == w->style->signal.global;
}

bool design_is_signal_event(const design_writer *w, unsigned event) {
    return w->style->signal.is_there && event == w->style->signal.event;
}

static void print_input(design_writer *w, unsigned type, uint32_t name) {
    if (w->style->verifier_inputs)
        text_format(w->out, "__VERIFIER_nondet_%s()", nondet_names[type]);
    else
        text_format(w->out, "heddle::input<%s>(\"i%u\")", type_names[type], name);
}

static void print_expr(design_writer *w,
                       uint32_t number) { /* the generator bounds the depth of expressions */
    const tiny_expr *e = &w->p->exprs.data[number];
    text *out = w->out;
    switch ((tiny_expr_kind)e->kind) {
    case EXPR_NUMBER: text_format(out, e->number < 0 ? "(%d)" : "%d", e->number); break;
    case EXPR_GLOBAL: text_format(out, is_signal(w, e) ? "g%d.read()" : "g%d", e->number); break;
    case EXPR_ELEMENT:
        text_format(out, "g%d[", e->number);
        print_expr(w, e->a);
        text_add(out, "]");
        break;
    case EXPR_LOCAL: text_format(out, "a%d", e->number); break;
    case EXPR_POINTED:
        text_add(out, "(*");
        print_expr(w, e->a);
        text_add(out, ")");
        break;
    case EXPR_IS_NULL:
        text_add(out, "(");
        print_expr(w, e->a);
        text_add(out, " == nullptr)");
        break;
    case EXPR_TIME:
        text_format(out, "uint64_t(sc_time_stamp().value() / %u)",
                    scale_of(w) * (w->style->nanoseconds ? 1000 : 1));
        break;
    case EXPR_UNARY:
        text_format(out, "(%s", operators[e->op]);
        print_expr(w, e->a);
        text_add(out, ")");
        break;
    case EXPR_BINARY:
        text_add(out, "(");
        print_expr(w, e->a);
        text_format(out, " %s ", operators[e->op]);
        print_expr(w, e->b);
        text_add(out, ")");
        break;
    case EXPR_SELECT:
        text_add(out, "(");
        print_expr(w, e->a);
        text_add(out, " ? ");
        print_expr(w, e->b);
        text_add(out, " : ");
        print_expr(w, e->c);
        text_add(out, ")");
        break;
    case EXPR_CAST:
        text_format(out, "((%s)", type_names[e->op]);
        print_expr(w, e->a);
        text_add(out, ")");
        break;
    case EXPR_INPUT:
        text_add(out, e->number ? "(" : "");
        print_input(w, e->op, number);
        if (e->number) text_format(out, " & %d)", e->number);
        break;
    }
}

/* A fixed event, or the one that `index` says. */
static void print_event(design_writer *w, int32_t number, uint32_t index) {
    if (design_is_signal_event(w, (unsigned)number))
        text_format(w->out, "g%u.value_changed_event()", w->style->signal.global);
    else if (!w->p->event_array)
        text_format(w->out, "e%d", number);
    else if (index == TINY_NONE)
        text_format(w->out, "e[%d]", number);
    else {
        text_add(w->out, "e[");
        print_expr(w, index);
        text_add(w->out, "]");
    }
}

/* --- statements ----------------------------------------------------------------------------------------- */

void design_print_trigger(design_writer *w, const tiny_stmt *s) {
    if (s->a != TINY_NONE) print_delay(w, s->a);
    if (s->kind == STMT_WAIT_TIME) return;
    if (s->a != TINY_NONE) text_add(w->out, ", ");
    if (s->target != TINY_NONE) print_event(w, 0, s->target);
    const char *separator = "";
    for (int32_t e = 0; e < TINY_MOST_EVENTS && s->target == TINY_NONE; e++) {
        if (!(s->events >> e & 1)) continue;
        text_add(w->out, separator);
        print_event(w, e, TINY_NONE);
        separator = s->op ? " & " : " | ";
    }
}

static void print_wait(design_writer *w, const tiny_stmt *s) {
    text_add(w->out, "wait(");
    bool heard = s->kind == STMT_WAIT && w->heard && s->events == w->heard;
    if (!heard) design_print_trigger(w, s);
    text_add(w->out, ")");
}

static void print_notification(design_writer *w, const tiny_stmt *s) {
    print_event(w, s->number, s->target);
    if (s->kind == STMT_NOTIFY) {
        text_add(w->out, w->style->mutant == DESIGN_DELAYS_NOTIFY ? ".notify(SC_ZERO_TIME)" : ".notify()");
        return;
    }
    text_add(w->out, ".notify(");
    print_delay(w, s->a);
    text_add(w->out, ")");
}

static void print_claim(design_writer *w, const tiny_stmt *s) {
    bool assert = s->kind == STMT_ASSERT;
    if (assert && w->style->assert_ends) {
        text_add(w->out, "assert(");
        print_expr(w, s->a);
        text_add(w->out, ")");
        return;
    }
    text_add(w->out, assert ? "__VERIFIER_assert((" : "__VERIFIER_assume((");
    print_expr(w, s->a);
    text_add(w->out, ") != 0)");
}

/* In IVL the address of an element that does not exist is wrong already. */
static void print_address(design_writer *w, const tiny_stmt *s) {
    if (w->p->exprs.data[s->a].kind == EXPR_ELEMENT) {
        text_add(w->out, "(void)+");
        print_expr(w, s->a);
        text_add(w->out, "; ");
    }
    print_expr(w, s->target);
    text_add(w->out, " = &");
    print_expr(w, s->a);
}

static void print_range(design_writer *w, const tiny_stmt *s) {
    print_expr(w, s->target);
    text_add(w->out, " = ");
    print_input(w, s->op, (uint32_t)(s - w->p->stmts.data) + 10000);
    text_add(w->out, "; __VERIFIER_assume(");
    print_expr(w, s->target);
    text_format(w->out, " >= %d && ", s->number);
    print_expr(w, s->target);
    text_format(w->out, " <= %d)", s->more);
}

/* IVL lets threads run at the very end of a limited simulation, sc_start does not: so it ends half a unit
 * later, when nothing happens. */
static void print_start(design_writer *w, const tiny_stmt *s) {
    if (s->a == TINY_NONE || w->p->exprs.data[s->a].number < 0) {
        text_add(w->out, "sc_start()");
        return;
    }
    text_format(w->out, "sc_start(%d, %s)", 2 * w->p->exprs.data[s->a].number + !w->odd, unit_of(w));
    w->odd = true;
}

static void print_block(design_writer *w, uint32_t head) {
    text_add(w->out, " {\n");
    w->depth++;
    design_print_list(w, head, TINY_NONE);
    w->depth--;
    design_indent(w);
    text_add(w->out, "}");
}

static void print_compound(design_writer *w, const tiny_stmt *s) {
    switch (s->kind) {
    case STMT_IF:
        text_add(w->out, "if (");
        print_expr(w, s->a);
        text_add(w->out, ")");
        print_block(w, s->body);
        text_add(w->out, " else");
        print_block(w, s->other);
        break;
    case STMT_FOR:
        text_format(w->out, "for (a%d = 0; a%d < %d; a%d += 1)", s->number, s->number, s->more, s->number);
        print_block(w, s->body);
        break;
    default:
        text_add(w->out, "while (");
        if (s->kind == STMT_WHILE)
            print_expr(w, s->a);
        else
            text_add(w->out, "true");
        text_add(w->out, ")");
        print_block(w, s->body);
        break;
    }
    text_add(w->out, "\n");
}

static bool writes_signal(const design_writer *w, const tiny_stmt *s) {
    const tiny_expr *target = &w->p->exprs.data[s->target];
    return w->style->signal.is_there && target->kind == EXPR_GLOBAL &&
           (uint32_t)target->number == w->style->signal.next;
}

static bool is_part_of_write(const design_writer *w, const tiny_stmt *s) {
    return w->style->signal.is_there && s->kind == STMT_REQUEST &&
           (uint32_t)s->number == w->style->signal.update;
}

static void print_simple(design_writer *w, const tiny_stmt *s) {
    text *out = w->out;
    switch ((tiny_stmt_kind)s->kind) {
    case STMT_ASSIGN:
        if (writes_signal(w, s)) {
            text_format(out, "g%u.write(", w->style->signal.global);
            print_expr(w, s->a);
            text_add(out, ")");
            break;
        }
    /* fall through */
    case STMT_COPY:
    case STMT_UPDATE:
        print_expr(w, s->target);
        text_format(out, " %s= ", s->kind == STMT_UPDATE ? operators[s->op] : "");
        print_expr(w, s->a);
        break;
    case STMT_RANGE: print_range(w, s); break;
    case STMT_POINT: print_address(w, s); break;
    case STMT_NEW:
        print_expr(w, s->target);
        text_format(out, " = new %s()", type_names[s->op]);
        break;
    case STMT_DELETE:
        text_add(out, "delete ");
        print_expr(w, s->target);
        break;
    case STMT_BREAK: text_add(out, "break"); break;
    case STMT_RETURN: text_add(out, s->owner ? "return" : "return 0"); break;
    case STMT_WAIT:
    case STMT_WAIT_TIME: print_wait(w, s); break;
    case STMT_NOTIFY:
    case STMT_NOTIFY_AFTER: print_notification(w, s); break;
    case STMT_CANCEL:
        if (w->style->mutant == DESIGN_DROPS_CANCEL) break;
        print_event(w, s->number, s->target);
        text_add(out, ".cancel()");
        break;
    case STMT_SUSPEND: text_format(out, "h%d.suspend()", s->number); break;
    case STMT_RESUME: text_format(out, "h%d.resume()", s->number); break;
    case STMT_KILL: text_format(out, "h%d.kill()", s->number); break;
    case STMT_RESET: text_format(out, "h%d.reset()", s->number); break;
    case STMT_THROW: text_format(out, "h%d.throw_it(1)", s->number); break;
    case STMT_DISABLE: text_format(out, "h%d.disable()", s->number); break;
    case STMT_ENABLE: text_format(out, "h%d.enable()", s->number); break;
    case STMT_SYNC_RESET: text_format(out, "h%d.sync_reset_%s()", s->number, s->op ? "on" : "off"); break;
    case STMT_REQUEST: text_format(out, "u%d.request()", s->number); break;
    case STMT_ASSERT:
    case STMT_ASSUME: print_claim(w, s); break;
    case STMT_CALL:
        text_format(out, "%sf%d(", w->functions, s->number);
        if (s->a != TINY_NONE) print_expr(w, s->a);
        text_add(out, ")");
        break;
    case STMT_START: print_start(w, s); break;
    case STMT_STOP: text_add(out, "sc_stop()"); break;
    default: break;
    }
    text_add(out, ";\n");
}

void design_print_list(design_writer *w, uint32_t from, uint32_t until) {
    for (uint32_t s = from; s != TINY_NONE && s != until; s = w->p->stmts.data[s].next) {
        const tiny_stmt *t = &w->p->stmts.data[s];
        if (t->kind == STMT_NOTHING || is_part_of_write(w, t)) continue;
        text_format(w->out, "#line %u\n", t->line);
        design_indent(w);
        if (t->kind == STMT_IF || t->kind == STMT_FOR || t->kind == STMT_FOREVER || t->kind == STMT_WHILE)
            print_compound(w, t);
        else
            print_simple(w, t);
    }
}

/* --- declarations --------------------------------------------------------------------------------------- */

void design_print_local(design_writer *w, const tiny_body *b, unsigned number, const char *prefix) {
    const tiny_local *l = &b->local[number];
    const char *type = type_names[l->type];
    design_indent(w);
    if (!l->pointer)
        text_format(w->out, "%s %sa%u = %d;\n", type, prefix, number, l->initial);
    else if (l->initial < 0)
        text_format(w->out, "%s *%sa%u = nullptr;\n", type, prefix, number);
    else
        text_format(w->out, "%s *%sa%u = &g%d%s;\n", type, prefix, number, l->initial,
                    w->p->global[l->initial].elements ? "[0]" : "");
}

static bool whole_range(const tiny_global *g) {
    return g->type == TINY_BOOL || (g->type == TINY_U8 && g->low == 0 && g->high == 255) ||
           (g->type == TINY_CHAR && g->low == -128 && g->high == 127);
}

void design_print_input_ranges(design_writer *w) {
    for (unsigned k = 0; k < w->p->globals; k++) {
        const tiny_global *g = &w->p->global[k];
        for (unsigned i = 0; i < (g->elements ? g->elements : 1u) && g->input; i++) {
            char name[32] = "";
            if (g->elements)
                snprintf(name, sizeof name, "g%u[%u]", k, i);
            else
                snprintf(name, sizeof name, "g%u", k);
            design_indent(w);
            text_format(w->out, "%s = ", name);
            if (w->style->mutant == DESIGN_KNOWS_INPUTS)
                text_format(w->out, "%d", g->low);
            else
                print_input(w, g->type, 20000 + k * TINY_MOST_ELEMENTS + i);
            text_add(w->out, ";\n");
            if (whole_range(g)) continue;
            design_indent(w);
            text_format(w->out, "__VERIFIER_assume(%s >= %d && %s <= %d);\n", name, g->low, name, g->high);
        }
    }
}
