/* What parser.c, parse_header.c, parse_expression.c and expand.c share. Not for others. */
#ifndef HEDDLE_FRONTEND_DLANG_PARSE_H
#define HEDDLE_FRONTEND_DLANG_PARSE_H

#include "base/map.h"
#include "frontend/dlang/dlang.h"
#include "frontend/dlang/parser.h"

typedef struct parser {
    token_list tokens; /* not owned */
    uint32_t next;     /* token to be read */
    unsigned nesting;
    bool failing; /* an error was reported: nothing more is read or reported */
    bool quiet;   /* looking ahead: errors are not reported */
    dlang_file *file;
    map constants; /* number in file->names -> index into constant_values: `const` numbers of the header */
    VEC(int64_t) constant_values;
    const dlang_setting *settings;
    size_t setting_count;
    uint64_t cells; /* of the variables so far */
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
ast *dlang_node(parser *p, ast_kind kind, position at);
const token *dlang_token(const parser *p); /* the next one */
const token *dlang_token_after(const parser *p);
bool dlang_accept(parser *p, token_kind kind);
bool dlang_expect(parser *p, token_kind kind, const char *after); /* "expected ')' after index" */
bool dlang_at_word(const parser *p, const char *word);            /* a name with this spelling */
void dlang_error(parser *p, position at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool dlang_enter(parser *p); /* one level deeper; false after reporting when it is too deep */
void dlang_leave(parser *p);
uint32_t dlang_intern(parser *p, const token *t);

/* parse_expression.c */
ast *dlang_parse_number(parser *p);  /* an expression that must be a number */
ast *dlang_parse_truth(parser *p);   /* an expression that must be a truth value */
ast *dlang_parse_place(parser *p);   /* something to assign to */
ast *dlang_parse_channel(parser *p); /* a channel; its index reads nothing shared */
ast *dlang_parse_swap(parser *p);    /* cas(...), the name not yet read */
bool dlang_parse_constant(parser *p, const char *what, int64_t *value); /* number, name or (expression) */

/* parse_header.c */
void dlang_parse_header(parser *p, int64_t *process_count, position *at);
void dlang_collect_constants(parser *p); /* before repetition blocks are written out */

#endif
