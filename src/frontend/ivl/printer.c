/* Syntax tree to text in standard form: four spaces, one statement per line, only the parentheses
 * that are needed. */
#include "frontend/ivl/ast.h"

#include "frontend/ivl/lexer.h"
#include "frontend/ivl/parse.h"

#include <inttypes.h>

typedef struct printer {
    const ast_file *file;
    text *out;
    unsigned indent;
} printer;

/* --- expressions ---------------------------------------------------------------------------------------- */

/* Between them binary operators: parse_precedence, 1 to 10. */
enum { BINDS_CONDITIONAL = 0, BINDS_UNARY = 11, BINDS_POSTFIX = 12 };

static void print_expression(printer *p, const ast *e, int binds_at_least);

static int binding(const ast *e) {
    switch (e->kind) {
    case AST_CONDITIONAL: return BINDS_CONDITIONAL;
    case AST_BINARY: return parse_precedence(e->op);
    case AST_UNARY:
    case AST_CAST: return BINDS_UNARY;
    default: return BINDS_POSTFIX;
    }
}

static void print_list(printer *p, const ast *first) {
    for (const ast *e = first; e; e = e->next) {
        if (e != first) text_add(p->out, ", ");
        print_expression(p, e, BINDS_CONDITIONAL);
    }
}

static void print_type_word(printer *p, type_name type) {
    if (type.word == TOKEN_STRUCT)
        text_format(p->out, "struct %s", intern_text(&p->file->names, type.name));
    else
        text_add(p->out, token_spelling(type.word));
}

static void print_stars(printer *p, type_name type) {
    for (unsigned k = 0; k < type.stars; k++) text_char(p->out, '*');
}

static void print_type(printer *p, type_name type) {
    print_type_word(p, type);
    print_stars(p, type);
}

static void print_dimensions(printer *p, const ast *first) {
    for (const ast *e = first; e; e = e->next) {
        text_char(p->out, '[');
        print_expression(p, e, BINDS_CONDITIONAL);
        text_char(p->out, ']');
    }
}

static void print_binary_digits(text *out, uint64_t value) {
    text_add(out, "0b");
    int bit = 63;
    while (bit > 0 && !(value >> bit & 1)) bit--;
    for (; bit >= 0; bit--) text_char(out, value >> bit & 1 ? '1' : '0');
}

/* The suffix makes the number's type explicit where value and base alone would not give it. */
static void print_number(printer *p, const ast *e) {
    switch (e->op) {
    case 16: text_format(p->out, "0x%" PRIx64, e->value); break;
    case 8: text_format(p->out, "0%" PRIo64, e->value); break;
    case 2: print_binary_digits(p->out, e->value); break;
    default: text_format(p->out, "%" PRIu64, e->value);
    }
    if (e->type.word == TOKEN_UINT) text_char(p->out, 'u');
    if (e->type.word == TOKEN_LONG) text_char(p->out, 'l');
    if (e->type.word == TOKEN_ULONG) text_add(p->out, "ul");
}

static void print_character(text *out, unsigned value) {
    if (value == '\\' || value == '\'')
        text_format(out, "'\\%c'", value);
    else if (value >= ' ' && value < 127)
        text_format(out, "'%c'", value);
    else
        text_format(out, "'\\x%02x'", value);
}

static void print_unary(printer *p, const ast *e) {
    text_add(p->out, token_spelling(e->op));
    /* --x, ++x and &&x would be read as other tokens */
    bool glues = e->a->kind == AST_UNARY && e->a->op == e->op &&
                 (e->op == TOKEN_MINUS || e->op == TOKEN_PLUS || e->op == TOKEN_AMPERSAND);
    print_expression(p, e->a, glues ? BINDS_POSTFIX : BINDS_UNARY);
}

static void print_call(printer *p, const ast *e) {
    text_format(p->out, "%s(", ast_name(p->file, e));
    print_list(p, e->list);
    text_char(p->out, ')');
}

static void print_bare(printer *p, const ast *e) {
    text *out = p->out;
    switch (e->kind) {
    case AST_NUMBER: print_number(p, e); break;
    case AST_CHARACTER: print_character(out, (unsigned)e->value); break;
    case AST_TRUTH: text_add(out, e->value ? "true" : "false"); break;
    case AST_NULL: text_add(out, "null"); break;
    case AST_TIME: text_add(out, "@time"); break;
    case AST_NAME: text_add(out, ast_name(p->file, e)); break;
    case AST_UNARY: print_unary(p, e); break;
    case AST_BINARY:
        print_expression(p, e->a, parse_precedence(e->op));
        text_format(out, " %s ", token_spelling(e->op));
        print_expression(p, e->b, parse_precedence(e->op) + 1);
        break;
    case AST_CONDITIONAL:
        print_expression(p, e->a, BINDS_CONDITIONAL + 1);
        text_add(out, " ? ");
        print_expression(p, e->b, BINDS_CONDITIONAL);
        text_add(out, " : ");
        print_expression(p, e->c, BINDS_CONDITIONAL);
        break;
    case AST_INDEX:
        print_expression(p, e->a, BINDS_POSTFIX);
        text_char(out, '[');
        print_expression(p, e->b, BINDS_CONDITIONAL);
        text_char(out, ']');
        break;
    case AST_FIELD:
    case AST_ARROW:
        print_expression(p, e->a, BINDS_POSTFIX);
        text_format(out, "%s%s", e->kind == AST_FIELD ? "." : "->", ast_name(p->file, e));
        break;
    case AST_CALL: print_call(p, e); break;
    case AST_CAST:
        text_char(out, '(');
        print_type(p, e->type);
        text_char(out, ')');
        print_expression(p, e->a, BINDS_UNARY);
        break;
    case AST_INPUT:
        text_add(out, "?(");
        print_type(p, e->type);
        print_dimensions(p, e->list);
        text_char(out, ')');
        break;
    case AST_NEW:
        text_add(out, "new ");
        print_type(p, e->type);
        if (e->a) {
            text_char(out, '[');
            print_expression(p, e->a, BINDS_CONDITIONAL);
            text_char(out, ']');
        }
        break;
    case AST_BRACES:
        text_char(out, '{');
        print_list(p, e->list);
        text_char(out, '}');
        break;
    case AST_REFERENCE:
        text_add(out, ast_name(p->file, e));
        if (e->a) {
            text_char(out, '[');
            print_expression(p, e->a, BINDS_CONDITIONAL);
            text_char(out, ']');
        }
        break;
    default: break;
    }
}

static void print_expression(printer *p, const ast *e, int binds_at_least) {
    /* new int[2][0] would be read as two sizes: new is never the left side of a postfix
     * without parentheses */
    bool wrap = binding(e) < binds_at_least || (e->kind == AST_NEW && binds_at_least == BINDS_POSTFIX);
    if (wrap) text_char(p->out, '(');
    print_bare(p, e);
    if (wrap) text_char(p->out, ')');
}

/* --- statements ----------------------------------------------------------------------------------------- */

static void print_statement(printer *p, const ast *s);

static void begin_line(printer *p) {
    for (unsigned k = 0; k < p->indent; k++) text_add(p->out, "    ");
}

static void print_with(printer *p, const char *word, const ast *expression) {
    text_add(p->out, word);
    if (expression) {
        text_char(p->out, ' ');
        print_expression(p, expression, BINDS_CONDITIONAL);
    }
    text_char(p->out, ';');
}

static void print_variables(printer *p, const ast *group) {
    print_type_word(p, group->list->type);
    for (const ast *v = group->list; v; v = v->next) {
        text_add(p->out, v == group->list ? " " : ", ");
        print_stars(p, v->type);
        text_add(p->out, ast_name(p->file, v));
        print_dimensions(p, v->list);
        if (v->a) {
            text_add(p->out, " = ");
            print_expression(p, v->a, BINDS_CONDITIONAL);
        }
    }
    text_char(p->out, ';');
}

static void print_events(printer *p, const ast *group) {
    text_add(p->out, "event ");
    for (const ast *e = group->list; e; e = e->next) {
        text_format(p->out, "%s%s", e == group->list ? "" : ", ", ast_name(p->file, e));
        if (e->a) print_dimensions(p, e->a);
    }
    text_char(p->out, ';');
}

static void print_group(printer *p, const ast *group) {
    if (group->list->kind == AST_EVENT)
        print_events(p, group);
    else
        print_variables(p, group);
}

static void print_simple(printer *p, const ast *s) {
    print_expression(p, s->a, BINDS_CONDITIONAL);
    if (s->kind == AST_EXPRESSION) return;
    if (s->b) text_char(p->out, ' ');
    text_add(p->out, token_spelling(s->op));
    if (!s->b) return;
    text_char(p->out, ' ');
    print_expression(p, s->b, BINDS_CONDITIONAL);
}

static void print_block(printer *p, const ast *block) {
    text_add(p->out, "{\n");
    p->indent++;
    for (const ast *s = block->list; s; s = s->next) {
        begin_line(p);
        print_statement(p, s);
        text_char(p->out, '\n');
    }
    p->indent--;
    begin_line(p);
    text_char(p->out, '}');
}

/* A statement under a control statement: a block on the same line, others on their own. */
static void print_body(printer *p, const ast *body) {
    if (body->kind == AST_BLOCK) {
        text_char(p->out, ' ');
        print_block(p, body);
        return;
    }
    text_char(p->out, '\n');
    p->indent++;
    begin_line(p);
    print_statement(p, body);
    p->indent--;
}

static void print_head(printer *p, const char *word, const ast *condition) {
    text_format(p->out, "%s (", word);
    print_expression(p, condition, BINDS_CONDITIONAL);
    text_char(p->out, ')');
}

static void print_if(printer *p, const ast *s) {
    for (;;) {
        print_head(p, "if", s->a);
        print_body(p, s->b);
        if (!s->c) return;
        if (s->b->kind == AST_BLOCK) {
            text_add(p->out, " else");
        } else {
            text_char(p->out, '\n');
            begin_line(p);
            text_add(p->out, "else");
        }
        if (s->c->kind != AST_IF) break;
        text_char(p->out, ' ');
        s = s->c;
    }
    print_body(p, s->c);
}

static void print_for(printer *p, const ast *s) {
    text_add(p->out, "for (");
    if (!s->a)
        text_char(p->out, ';');
    else if (s->a->kind == AST_GROUP)
        print_group(p, s->a);
    else
        print_simple(p, s->a), text_char(p->out, ';');
    if (s->b) {
        text_char(p->out, ' ');
        print_expression(p, s->b, BINDS_CONDITIONAL);
    }
    text_char(p->out, ';');
    if (s->c) {
        text_char(p->out, ' ');
        print_simple(p, s->c);
    }
    text_char(p->out, ')');
    print_body(p, s->d);
}

static void print_switch(printer *p, const ast *s) {
    print_head(p, "switch", s->a);
    text_add(p->out, " {\n");
    for (const ast *c = s->list; c; c = c->next) {
        begin_line(p);
        if (c->a) {
            text_add(p->out, "case ");
            print_expression(p, c->a, BINDS_CONDITIONAL);
            text_add(p->out, ":\n");
        } else {
            text_add(p->out, "default:\n");
        }
        p->indent++;
        for (const ast *inner = c->list; inner; inner = inner->next) {
            begin_line(p);
            print_statement(p, inner);
            text_char(p->out, '\n');
        }
        p->indent--;
    }
    begin_line(p);
    text_char(p->out, '}');
}

static void print_wait(printer *p, const ast *s) {
    text_add(p->out, "wait ");
    for (const ast *e = s->list; e; e = e->next) {
        if (e != s->list) text_format(p->out, " %s ", token_spelling(s->op));
        print_bare(p, e);
    }
    if (s->a) {
        text_add(p->out, ", ");
        print_expression(p, s->a, BINDS_CONDITIONAL);
    }
    text_char(p->out, ';');
}

static void print_statement(printer *p, const ast *s) {
    text *out = p->out;
    switch (s->kind) {
    case AST_GROUP: print_group(p, s); break;
    case AST_BLOCK: print_block(p, s); break;
    case AST_EMPTY: text_char(out, ';'); break;
    case AST_EXPRESSION:
    case AST_ASSIGN: print_simple(p, s), text_char(out, ';'); break;
    case AST_IF: print_if(p, s); break;
    case AST_WHILE:
        print_head(p, "while", s->a);
        print_body(p, s->b);
        break;
    case AST_DO:
        text_add(out, "do");
        print_body(p, s->b);
        text_char(out, ' ');
        print_head(p, "while", s->a);
        text_char(out, ';');
        break;
    case AST_FOR: print_for(p, s); break;
    case AST_SWITCH: print_switch(p, s); break;
    case AST_BREAK: text_add(out, "break;"); break;
    case AST_CONTINUE: text_add(out, "continue;"); break;
    case AST_STOP: text_add(out, "stop;"); break;
    case AST_GOTO: text_format(out, "goto %s;", ast_name(p->file, s)); break;
    case AST_LABEL:
        text_format(out, "%s: ", ast_name(p->file, s));
        print_statement(p, s->a);
        break;
    case AST_RETURN: print_with(p, "return", s->a); break;
    case AST_START: print_with(p, "start", s->a); break;
    case AST_ASSERT: print_with(p, "assert", s->a); break;
    case AST_ASSUME: print_with(p, "assume", s->a); break;
    case AST_DELETE: print_with(p, "delete", s->a); break;
    case AST_DELAY: print_with(p, "wait_time", s->a); break;
    case AST_CANCEL: print_with(p, "cancel", s->a); break;
    case AST_SUSPEND: print_with(p, "suspend", s->a); break;
    case AST_RESUME: print_with(p, "resume", s->a); break;
    case AST_REQUEST: print_with(p, "request_update", s->a); break;
    case AST_WAIT: print_wait(p, s); break;
    case AST_NOTIFY:
        text_add(out, "notify ");
        print_bare(p, s->a);
        if (s->b) {
            text_add(out, ", ");
            print_expression(p, s->b, BINDS_CONDITIONAL);
        }
        text_char(out, ';');
        break;
    default: break;
    }
}

/* --- declarations --------------------------------------------------------------------------------------- */

static void print_struct(printer *p, const ast *d) {
    text_format(p->out, "struct %s {\n", ast_name(p->file, d));
    for (const ast *f = d->list; f; f = f->next) {
        text_add(p->out, "    ");
        print_type_word(p, f->type);
        text_char(p->out, ' ');
        print_stars(p, f->type);
        text_add(p->out, ast_name(p->file, f));
        print_dimensions(p, f->list);
        text_add(p->out, ";\n");
    }
    text_add(p->out, "};");
}

static void print_function(printer *p, const ast *d) {
    print_type(p, d->type);
    text_format(p->out, " %s(", ast_name(p->file, d));
    for (const ast *q = d->list; q; q = q->next) {
        if (q != d->list) text_add(p->out, ", ");
        print_type_word(p, q->type);
        text_char(p->out, ' ');
        print_stars(p, q->type);
        text_add(p->out, ast_name(p->file, q));
    }
    text_add(p->out, ") ");
    print_block(p, d->a);
}

static void print_process(printer *p, const ast *d, const char *word) {
    text_format(p->out, "%s %s", word, ast_name(p->file, d));
    if (d->a) {
        text_format(p->out, "[%s : ", ast_name(p->file, d->a));
        print_expression(p, d->a->a, BINDS_CONDITIONAL);
        text_char(p->out, ']');
    }
    text_char(p->out, ' ');
    print_block(p, d->b);
}

static void print_declaration(printer *p, const ast *d) {
    switch (d->kind) {
    case AST_PARAM:
        text_format(p->out, "param %s = ", ast_name(p->file, d));
        print_expression(p, d->a, BINDS_CONDITIONAL);
        text_char(p->out, ';');
        break;
    case AST_GROUP: print_group(p, d); break;
    case AST_STRUCT: print_struct(p, d); break;
    case AST_FUNCTION: print_function(p, d); break;
    case AST_THREAD: print_process(p, d, "thread"); break;
    case AST_UPDATE: print_process(p, d, "update"); break;
    case AST_MAIN:
        text_add(p->out, "main ");
        print_block(p, d->b);
        break;
    default: break;
    }
    text_char(p->out, '\n');
}

static bool has_body(const ast *d) {
    return d->kind >= AST_FUNCTION || d->kind == AST_STRUCT;
}

void ast_print(const ast_file *file, text *out) {
    printer p = {file, out, 0};
    for (const ast *d = file->declarations; d; d = d->next) {
        print_declaration(&p, d);
        if (d->next && (has_body(d) || has_body(d->next))) text_char(out, '\n');
    }
}

void ast_print_expression(const ast_file *file, const ast *e, text *out) {
    printer p = {file, out, 0};
    print_expression(&p, e, BINDS_CONDITIONAL);
}
