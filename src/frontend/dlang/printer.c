#include "frontend/dlang/syntax.h"

#include <inttypes.h>

static void indent(text *out, unsigned depth) {
    for (; depth; depth--) text_add(out, "    ");
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static int rank_of(const ast *e) {
    if (e->kind == AST_UNARY) return 5;
    if (e->kind != AST_BINARY) return 6;
    if (e->op == TOKEN_OR) return 1;
    if (e->op == TOKEN_AND) return 2;
    return e->truth ? 3 : 4;
}

static void print_operand(const dlang_file *file, const ast *e, bool parentheses, text *out) {
    if (parentheses) text_char(out, '(');
    dlang_print_expression(file, e, out);
    if (parentheses) text_char(out, ')');
}

/* Parentheses also where the reader, not the grammar, needs them: (a + b) * c. */
static void print_binary(const dlang_file *file, const ast *e, text *out) {
    int rank = rank_of(e), left = rank_of(e->a);
    bool mixed = left == 4 && rank == 4 && dlang_is_additive(e->a->op) && !dlang_is_additive(e->op);
    print_operand(file, e->a, left < rank || (rank == 3 && left == 3) || mixed, out);
    text_format(out, " %s ", dlang_token_spelling(e->op));
    print_operand(file, e->b, rank_of(e->b) <= rank, out);
}

void dlang_print_expression(const dlang_file *file, const ast *e, text *out) {
    switch ((ast_kind)e->kind) {
    case AST_NUMBER: text_format(out, "%" PRId64, e->value); break;
    case AST_PLACE:
        text_add(out, file->variables.data[e->variable].name);
        if (!e->a) break;
        text_char(out, '[');
        dlang_print_expression(file, e->a, out);
        text_char(out, ']');
        break;
    case AST_UNARY:
        text_add(out, dlang_token_spelling(e->op));
        print_operand(file, e->a, e->a->kind == AST_BINARY, out);
        break;
    case AST_BINARY: print_binary(file, e, out); break;
    case AST_CAS:
        text_add(out, "cas(");
        dlang_print_expression(file, e->a, out);
        text_add(out, ", ");
        dlang_print_expression(file, e->b, out);
        text_add(out, ", ");
        dlang_print_expression(file, e->c, out);
        text_char(out, ')');
        break;
    case AST_LENGTH:
        text_add(out, "length(");
        dlang_print_expression(file, e->a, out);
        text_char(out, ')');
        break;
    default: break;
    }
}

/* --- statements ----------------------------------------------------------------------------------------- */

static void print_statement(const dlang_file *file, const ast *s, unsigned depth, text *out);

static void print_statements(const dlang_file *file, const ast *s, unsigned depth, text *out) {
    for (; s; s = s->next) {
        indent(out, depth);
        print_statement(file, s, depth, out);
        text_char(out, '\n');
    }
}

static void print_block(const dlang_file *file, const ast *list, unsigned depth, text *out) {
    text_add(out, "{\n");
    print_statements(file, list, depth + 1, out);
    indent(out, depth);
    text_char(out, '}');
}

static void print_constant(int64_t value, text *out) {
    if (value == INT64_MIN) /* its digits alone are too large a number */
        text_format(out, "(%" PRId64 " - 1)", value + 1);
    else
        text_format(out, "%" PRId64, value);
}

static void print_indexer(const dlang_file *file, const ast *s, text *out) {
    static const char *const names[] = {"max", "size", "m", "w", "h", "target", "nprocs"};
    int k = 0;
    text_add(out, "indexer(");
    for (const ast *argument = s->list; argument; argument = argument->next, k++) {
        text_format(out, "%s%s=", k ? ", " : "", names[k]);
        if (argument->kind == AST_NUMBER)
            print_constant(argument->value, out);
        else
            dlang_print_expression(file, argument, out);
    }
    text_char(out, ')');
}

static void print_message(const dlang_file *file, const char *verb, const ast *s, text *out) {
    text_format(out, "%s(", verb);
    dlang_print_expression(file, s->a, out);
    text_add(out, ", ");
    dlang_print_expression(file, s->b, out);
    text_char(out, ')');
}

static void print_statement(const dlang_file *file, const ast *s, unsigned depth, text *out) {
    switch ((ast_kind)s->kind) {
    case AST_ASSIGN:
        dlang_print_expression(file, s->a, out);
        text_add(out, " := ");
        dlang_print_expression(file, s->b, out);
        break;
    case AST_IF:
        text_add(out, "if ");
        dlang_print_expression(file, s->a, out);
        if (s->has & IF_THEN) {
            text_add(out, " then ");
            print_block(file, s->b, depth, out);
        }
        if (s->has & IF_ELSE) {
            text_add(out, " else ");
            print_block(file, s->c, depth, out);
        }
        break;
    case AST_WHILE:
        text_add(out, "while ");
        dlang_print_expression(file, s->a, out);
        text_char(out, ' ');
        print_block(file, s->b, depth, out);
        break;
    case AST_ASSERT:
        text_add(out, "assert ");
        dlang_print_expression(file, s->a, out);
        break;
    case AST_SEND: print_message(file, "send", s, out); break;
    case AST_RECEIVE: print_message(file, "receive", s, out); break;
    case AST_INDEXER: print_indexer(file, s, out); break;
    default: dlang_print_expression(file, s, out);
    }
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void print_declaration(const variable *v, text *out) {
    static const char *const words[] = {[VARIABLE_SHARED] = "",
                                        [VARIABLE_LOCAL] = "local ",
                                        [VARIABLE_CONST] = "const ",
                                        [VARIABLE_CHANNEL] = "channel "};
    text_format(out, ",\n %s%s %u", words[v->kind], v->name, v->length);
    if (v->capacity) text_format(out, " %u", v->capacity);
    for (uint32_t k = 0; k < v->given; k++) {
        text_char(out, ' ');
        print_constant(v->values ? v->values[k] : 0, out);
    }
}

void dlang_print_file(const dlang_file *file, text *out) {
    text_char(out, '<');
    if (file->name) text_format(out, "\"%s\" ", file->name);
    text_format(out, "%zu", file->processes.size);
    for (size_t v = 0; v < file->variables.size; v++) print_declaration(&file->variables.data[v], out);
    text_add(out, ">\n");
    for (size_t k = 0; k < file->processes.size; k++) {
        const process *one = &file->processes.data[k];
        text_char(out, '\n');
        if (one->name) text_format(out, "\"%s\" ", one->name);
        text_add(out, "[\n");
        print_statements(file, one->body, 1, out);
        text_add(out, "]\n");
    }
}
