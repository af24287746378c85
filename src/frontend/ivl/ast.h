/* The syntax tree of IVL: what was written, without meaning. Nodes live in the arena of their file.
 *
 * All nodes have one shape, so that walks (printing, comparing, resolving names) stay short; the table beside
 * the kinds says which members a kind uses. The height of every expression and the nesting of every statement
 * is limited by the parser, so that recursive walks are safe. */
#ifndef HEDDLE_FRONTEND_IVL_AST_H
#define HEDDLE_FRONTEND_IVL_AST_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/*  kind             members               meaning
 *  ---------------  --------------------  ------------------------------------------------ */
typedef enum ast_kind {
    /* declarations */
    AST_PARAM,       /* name a                param name = a; */
    AST_EVENT,       /* name a?               event name[a]; */
    AST_STRUCT,      /* name list             struct name { VARIABLE... } */
    AST_VARIABLE,    /* type name list a?     type name[list]... = a;  a may be BRACES */
    AST_GROUP,       /* list                  several VARIABLE or several EVENT in one declaration */
    AST_FUNCTION,    /* type name list a      type name(PARAMETER...) a */
    AST_PARAMETER,   /* type name             `type name[]` has become a pointer */
    AST_THREAD,      /* name a? b             thread name[REPLICA] b */
    AST_UPDATE,      /* name a? b             update name[REPLICA] b */
    AST_REPLICA,     /* name a                [name : a] */
    AST_MAIN,        /* b */
    /* statements */
    AST_BLOCK,       /* list */
    AST_EMPTY,       /* - */
    AST_EXPRESSION,  /* a                     a; */
    AST_ASSIGN,      /* op a b?               a op b;  op is a token kind; ++ and -- have no b */
    AST_IF,          /* a b c?                if (a) b else c */
    AST_WHILE,       /* a b */
    AST_DO,          /* a b                   do b while (a); */
    AST_FOR,         /* a? b? c? d            for (a; b; c) d */
    AST_SWITCH,      /* a list                list of CASE */
    AST_CASE,        /* a? list               case a: list; without a: default */
    AST_BREAK,       /* - */
    AST_CONTINUE,    /* - */
    AST_RETURN,      /* a? */
    AST_GOTO,        /* name */
    AST_LABEL,       /* name a                name: a */
    AST_ASSERT,      /* a, text               text: the condition as written */
    AST_ASSUME,      /* a */
    AST_DELETE,      /* a */
    AST_WAIT,        /* op list a?            wait REFERENCE op REFERENCE..., a;  op: '|' or '&' */
    AST_DELAY,       /* a                     wait_time a; */
    AST_NOTIFY,      /* a b?                  notify REFERENCE, b; */
    AST_CANCEL,      /* a                     a is a REFERENCE, also below */
    AST_SUSPEND,     /* a */
    AST_RESUME,      /* a */
    AST_REQUEST,     /* a                     request_update a; */
    AST_START,       /* a? */
    AST_STOP,        /* - */
    /* expressions */
    AST_NUMBER,      /* value, type, op       op: the base it was written in */
    AST_CHARACTER,   /* value */
    AST_TRUTH,       /* value                 true, false */
    AST_NULL,        /* - */
    AST_NAME,        /* name */
    AST_UNARY,       /* op a                  op is a token kind: - + ! ~ & * */
    AST_BINARY,      /* op a b */
    AST_CONDITIONAL, /* a b c                 a ? b : c */
    AST_INDEX,       /* a b                   a[b] */
    AST_FIELD,       /* a name                a.name */
    AST_ARROW,       /* a name                a->name */
    AST_CALL,        /* name list             name(list) */
    AST_CAST,        /* type a                (type) a */
    AST_INPUT,       /* type list             ?(type[list]...) */
    AST_NEW,         /* type a?               new type[a] */
    AST_TIME,        /* -                     @time */
    AST_BRACES,      /* list                  { list }, only as initialiser */
    AST_REFERENCE,   /* name a?               name[a]: an event, thread or update */
    AST_KINDS
} ast_kind;
/* clang-format on */

#define NO_NAME UINT32_MAX

/* A type as written: a word (token kind), or a struct's name; then stars. */
typedef struct type_name {
    uint8_t word; /* TOKEN_BOOL .. TOKEN_VOID, or TOKEN_STRUCT */
    uint8_t stars;
    uint32_t name; /* of the struct */
    position at;
} type_name;

typedef struct ast {
    uint8_t kind, op;
    uint16_t height; /* of an expression */
    uint32_t name;   /* number in ast_file.names */
    position at;     /* where it begins; binary operators, indices, fields: where the operator stands */
    uint64_t value;
    type_name type;
    struct ast *a, *b, *c, *d;
    struct ast *list, *next; /* first element; next element of the list this node is in */
    const char *text;
    struct symbol *symbol; /* set by resolve.h: what `name` means */
} ast;

typedef struct ast_file {
    arena memory;
    intern names;
    ast *declarations; /* a list */
} ast_file;

void ast_file_free(ast_file *file);
const char *ast_name(const ast_file *file, const ast *node); /* "" when it has none */

/* Same program text up to white space, comments, redundant parentheses and the spelling of ++ and wait. */
bool ast_equal(const ast_file *file, const ast *a, const ast_file *other, const ast *b);

/* The text of a file in standard form. Reading it back gives an equal tree. */
void ast_print(const ast_file *file, text *out);

/* An expression on one line, as in ast_print. */
void ast_print_expression(const ast_file *file, const ast *e, text *out);

#endif
