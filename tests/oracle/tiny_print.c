/* Tiny programs as IVL text. Everything is in parentheses: precedence is the front end's
 * own tests' business. */
#include "tiny.h"

static const char *const type_names[TINY_TYPES] = {"bool", "char", "u8",   "short", "ushort",
                                                   "int",  "uint", "long", "ulong"};
static const char *const operators[OPERATORS] = {"+", "-",  "*",  "/",  "%",  "&", "|",
                                                 "^", "<<", ">>", "==", "!=", "<", "<=",
                                                 ">", ">=", "&&", "||", "!",  "-", "~"};

typedef struct printer {
    tiny_program *p;
    text *out;
    uint32_t line;
    unsigned depth;
} printer;

static void print_expr(printer *w, uint32_t number) { /* the generator bounds the depth of expressions */
    const tiny_expr *e = &w->p->exprs.data[number];
    text *out = w->out;
    switch ((tiny_expr_kind)e->kind) {
    case EXPR_NUMBER: text_format(out, e->number < 0 ? "(%d)" : "%d", e->number); break;
    case EXPR_GLOBAL: text_format(out, "g%d", e->number); break;
    case EXPR_ELEMENT:
        text_format(out, "g%d[", e->number);
        print_expr(w, e->a);
        text_add(out, "]");
        break;
    case EXPR_LOCAL: text_format(out, "a%d", e->number); break;
    case EXPR_POINTED:
        text_add(out, "*");
        print_expr(w, e->a);
        break;
    case EXPR_IS_NULL:
        text_add(out, "(");
        print_expr(w, e->a);
        text_add(out, " == null)");
        break;
    case EXPR_TIME: text_add(out, "@time"); break;
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
        if (e->number)
            text_format(out, "(?(%s) & %d)", type_names[e->op], e->number);
        else
            text_format(out, "?(%s)", type_names[e->op]);
        break;
    }
}

static void end_line(printer *w, const char *tail) {
    text_format(w->out, "%s\n", tail);
    w->line++;
}

static void indent(printer *w) {
    for (unsigned i = 0; i < w->depth; i++) text_add(w->out, "    ");
}

static const char *body_name(const tiny_program *p, uint32_t body, char *buffer, size_t size) {
    static const char prefix[] = {
        [BODY_MAIN] = 'm', [BODY_THREAD] = 't', [BODY_FUNCTION] = 'f', [BODY_UPDATE] = 'u'};
    text name = {0};
    text_format(&name, "%c%u", prefix[p->body[body].role], body);
    strncpy(buffer, text_cstr(&name), size - 1);
    buffer[size - 1] = 0;
    text_free(&name);
    return buffer;
}

static const char *name_of(const printer *w, int32_t body, char *buffer, size_t size) {
    return body_name(w->p, (uint32_t)body, buffer, size);
}

/* A fixed event, or the one that `index` says. */
static void print_event(printer *w, int32_t number, uint32_t index) {
    if (!w->p->event_array)
        text_format(w->out, "e%d", number);
    else if (index == TINY_NONE)
        text_format(w->out, "e[%d]", number);
    else {
        text_add(w->out, "e[");
        print_expr(w, index);
        text_add(w->out, "]");
    }
}

static void print_wait(printer *w, const tiny_stmt *s) {
    text_add(w->out, "wait ");
    bool first = true;
    if (s->target != TINY_NONE) print_event(w, 0, s->target);
    for (int32_t e = 0; e < TINY_MOST_EVENTS && s->target == TINY_NONE; e++) {
        if (!(s->events >> e & 1)) continue;
        text_add(w->out, first ? "" : s->op ? " & " : " | ");
        print_event(w, e, TINY_NONE);
        first = false;
    }
    if (s->a == TINY_NONE) return;
    text_add(w->out, ", ");
    print_expr(w, s->a);
}

static void print_list(printer *w, uint32_t head);

static void print_block(printer *w, uint32_t head) {
    end_line(w, " {");
    w->depth++;
    print_list(w, head);
    w->depth--;
    indent(w);
    text_add(w->out, "}");
}

/* "word expr" */
static void with_expr(printer *w, const char *word, uint32_t e) {
    text_add(w->out, word);
    if (e == TINY_NONE) return;
    text_add(w->out, " ");
    print_expr(w, e);
}

static void print_range(printer *w, const tiny_stmt *s) {
    print_expr(w, s->target);
    text_format(w->out, " = ?(%s); assume(", type_names[s->op]);
    print_expr(w, s->target);
    text_format(w->out, " >= %d && ", s->number);
    print_expr(w, s->target);
    text_format(w->out, " <= %d)", s->more);
}

static void print_stmt(printer *w, tiny_stmt *s) {
    char name[16];
    text *out = w->out;
    s->line = w->line;
    if (s->kind == STMT_NOTHING) return;
    indent(w);
    switch ((tiny_stmt_kind)s->kind) {
    case STMT_ASSIGN:
    case STMT_UPDATE:
        print_expr(w, s->target);
        text_format(out, " %s= ", s->kind == STMT_UPDATE ? operators[s->op] : "");
        print_expr(w, s->a);
        break;
    case STMT_RANGE: print_range(w, s); break;
    case STMT_POINT:
        print_expr(w, s->target);
        text_add(out, " = &");
        print_expr(w, s->a);
        break;
    case STMT_NEW:
        print_expr(w, s->target);
        text_format(out, " = new %s", type_names[s->op]);
        break;
    case STMT_DELETE: with_expr(w, "delete", s->target); break;
    case STMT_COPY:
        print_expr(w, s->target);
        text_add(out, " = ");
        print_expr(w, s->a);
        break;
    case STMT_IF:
        text_add(out, "if (");
        print_expr(w, s->a);
        text_add(out, ")");
        print_block(w, s->body);
        text_add(out, " else");
        print_block(w, s->other);
        end_line(w, "");
        return;
    case STMT_FOR:
        text_format(out, "for (a%d = 0; a%d < %d; a%d += 1)", s->number, s->number, s->more, s->number);
        print_block(w, s->body);
        end_line(w, "");
        return;
    case STMT_FOREVER:
    case STMT_WHILE:
        text_add(out, "while (");
        if (s->kind == STMT_WHILE)
            print_expr(w, s->a);
        else
            text_add(out, "true");
        text_add(out, ")");
        print_block(w, s->body);
        end_line(w, "");
        return;
    case STMT_BREAK: text_add(out, "break"); break;
    case STMT_RETURN: text_add(out, "return"); break;
    case STMT_WAIT: print_wait(w, s); break;
    case STMT_WAIT_TIME: with_expr(w, "wait_time", s->a); break;
    case STMT_NOTIFY:
        text_add(out, "notify ");
        print_event(w, s->number, s->target);
        break;
    case STMT_NOTIFY_AFTER:
        text_add(out, "notify ");
        print_event(w, s->number, s->target);
        text_add(out, ", ");
        print_expr(w, s->a);
        break;
    case STMT_CANCEL:
        text_add(out, "cancel ");
        print_event(w, s->number, s->target);
        break;
    case STMT_SUSPEND: text_format(out, "suspend %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_RESUME: text_format(out, "resume %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_REQUEST: text_format(out, "request_update %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_ASSERT: with_expr(w, "assert", s->a); break;
    case STMT_ASSUME: with_expr(w, "assume", s->a); break;
    case STMT_CALL:
        text_format(out, "%s(", name_of(w, s->number, name, sizeof name));
        if (s->a != TINY_NONE) print_expr(w, s->a);
        text_add(out, ")");
        break;
    case STMT_START: with_expr(w, "start", s->a); break;
    case STMT_STOP: text_add(out, "stop"); break;
    case STMT_NOTHING:
    case STMT_KILL: text_format(out, "kill %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_RESET: text_format(out, "reset %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_THROW: text_format(out, "throw_it %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_DISABLE: text_format(out, "disable %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_ENABLE: text_format(out, "enable %s", name_of(w, s->number, name, sizeof name)); break;
    case STMT_SYNC_RESET:
        text_format(out, "sync_reset_%s %s", s->op ? "on" : "off", name_of(w, s->number, name, sizeof name));
        break;
    case STATEMENTS: break;
    }
    end_line(w, ";");
}

static void print_list(printer *w, uint32_t head) {
    for (uint32_t s = head; s != TINY_NONE; s = w->p->stmts.data[s].next) print_stmt(w, &w->p->stmts.data[s]);
}

static void print_global(printer *w, unsigned number) {
    const tiny_global *g = &w->p->global[number];
    const char *type = type_names[g->type];
    text_format(w->out, "%s %sg%u", type, g->pointer ? "*" : "", number);
    if (g->elements) text_format(w->out, "[%u]", g->elements);
    if (g->input && g->elements)
        text_format(w->out, " = ?(%s[%u])", type, g->elements);
    else if (g->input)
        text_format(w->out, " = ?(%s)", type);
    else if (g->elements == 0 && !g->pointer)
        text_format(w->out, " = %d", g->low);
    end_line(w, ";");
}

static bool whole_range(const tiny_global *g) {
    return g->type == TINY_BOOL || (g->type == TINY_U8 && g->low == 0 && g->high == 255) ||
           (g->type == TINY_CHAR && g->low == -128 && g->high == 127);
}

static void print_input_ranges(printer *w) {
    for (unsigned k = 0; k < w->p->globals; k++) {
        const tiny_global *g = &w->p->global[k];
        if (!g->input || whole_range(g)) continue;
        for (unsigned i = 0; i < (g->elements ? g->elements : 1u); i++) {
            text name = {0};
            text_format(&name, g->elements ? "g%u[%u]" : "g%u", k, i);
            const char *n = text_cstr(&name);
            text_format(w->out, "    assume(%s >= %d && %s <= %d)", n, g->low, n, g->high);
            end_line(w, ";");
            text_free(&name);
        }
    }
}

static void print_local(printer *w, const tiny_body *b, unsigned number) {
    const tiny_local *l = &b->local[number];
    indent(w);
    if (!l->pointer)
        text_format(w->out, "%s a%u = %d", type_names[l->type], number, l->initial);
    else if (l->initial < 0)
        text_format(w->out, "%s *a%u = null", type_names[l->type], number);
    else if (w->p->global[l->initial].elements)
        text_format(w->out, "%s *a%u = &g%d[0]", type_names[l->type], number, l->initial);
    else
        text_format(w->out, "%s *a%u = &g%d", type_names[l->type], number, l->initial);
    end_line(w, ";");
}

static void print_body(printer *w, uint32_t number) {
    const tiny_body *b = &w->p->body[number];
    char name[16];
    body_name(w->p, number, name, sizeof name);
    switch ((body_role)b->role) {
    case BODY_MAIN: text_add(w->out, "main {"); break;
    case BODY_THREAD: text_format(w->out, "thread %s {", name); break;
    case BODY_UPDATE: text_format(w->out, "update %s {", name); break;
    case BODY_FUNCTION:
        text_format(w->out, "void %s(", name);
        if (b->parameter)
            text_format(w->out, "%s %sa0", type_names[b->local[0].type], b->local[0].pointer ? "*" : "");
        text_add(w->out, ") {");
        break;
    }
    end_line(w, "");
    w->depth = 1;
    if (b->role == BODY_MAIN) print_input_ranges(w);
    for (unsigned k = b->parameter; k < b->locals; k++) print_local(w, b, k);
    print_list(w, b->first);
    if (b->handler != TINY_NONE) {
        end_line(w, "catch:");
        print_list(w, b->handler);
    }
    w->depth = 0;
    end_line(w, "}");
}

void tiny_print(tiny_program *p, text *out) {
    printer w = {.p = p, .out = out, .line = 1};
    if (p->event_array) {
        text_format(out, "event e[%u]", p->events);
        end_line(&w, ";");
    }
    for (unsigned e = 0; e < p->events && !p->event_array; e++) {
        text_format(out, "event e%u", e);
        end_line(&w, ";");
    }
    for (unsigned g = 0; g < p->globals; g++) print_global(&w, g);
    static const body_role order[] = {BODY_FUNCTION, BODY_UPDATE, BODY_THREAD, BODY_MAIN};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (uint32_t b = 0; b < p->bodies; b++)
            if (p->body[b].role == order[k] && !p->body[b].absent) print_body(&w, b);
}
