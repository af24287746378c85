/* What parse_expression.c, parse_statement.c and parser.c share; the printer asks for ranks of operators. Not
 * for others. */
#ifndef HEDDLE_FRONTEND_IVL_PARSE_H
#define HEDDLE_FRONTEND_IVL_PARSE_H

#include "base/map.h"
#include "frontend/ivl/ast.h"
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/parser.h"

typedef struct parser {
    const char *source;
    token_list tokens;
    uint32_t next; /* token to be read */
    unsigned nesting;
    bool failing;  /* an error was reported; nothing more until the caller has found a place to go on */
    bool hopeless; /* there is no such place */
    bool good;
    ast_file *file;
    map struct_names; /* names declared as struct anywhere in the file */
    diagnostics *d;
} parser;

typedef struct ast_list { /* builds a chain through ast.next */
    ast *first, **end;
} ast_list;

static inline void list_append(ast_list *l, ast *node) {
    if (!node) return;
    if (!l->end) l->end = &l->first;
    *l->end = node;
    l->end = &node->next;
}

/* parser.c */
ast *parse_node(parser *p, ast_kind kind, position at);
const token *parse_token(const parser *p);                    /* the next one */
const token *parse_ahead(const parser *p, uint32_t distance); /* never past TOKEN_END */
bool parse_accept(parser *p, token_kind kind);
bool parse_expect(parser *p, token_kind kind, const char *after); /* "expected ';' after expression" */
uint32_t parse_name(parser *p, const char *what); /* NO_NAME after reporting "expected name of ..." */
void parse_error(parser *p, position at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool parse_enter(parser *p); /* one level deeper; false after reporting when it is too deep */
void parse_leave(parser *p);
void parse_recover(parser *p);                     /* skips to after ';' or a block, or to before '}' */
void parse_skip_braces(parser *p, uint32_t brace); /* after an error inside { }: goes on behind it */
bool parse_starts_type(const parser *p);
type_name parse_type_word(parser *p); /* without stars */
void parse_stars(parser *p, type_name *type);
ast *parse_dimensions(parser *p); /* { "[" constexpr "]" } */

/* parse_expression.c */
int parse_precedence(unsigned kind); /* of a binary operator, 1 binds least; 0: not one */
ast *parse_expression(parser *p);
ast *parse_initializer(parser *p); /* expression or braces */

/* parse_statement.c */
ast *parse_block(parser *p);
ast *parse_variables(parser *p, type_name type); /* after the type word: declarators and ';' */

#endif
