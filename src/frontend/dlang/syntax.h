/* A dlang program after its repetition blocks were written out: variables, and one tree of statements per
 * process.
 *
 * Names are resolved and the settings are applied. Nodes live in the arena of their file and have one shape;
 * the table beside the kinds says which members a kind uses. The parser limits the height of expressions and
 * the nesting of statements, so that recursive walks are safe. */
#ifndef HEDDLE_FRONTEND_DLANG_SYNTAX_H
#define HEDDLE_FRONTEND_DLANG_SYNTAX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "frontend/dlang/lexer.h"

enum {
    DLANG_MOST_BYTES = 4 << 20,
    DLANG_MOST_TOKENS = 1 << 18, /* after repetition blocks were written out */
    DLANG_MOST_PROCESSES = 999,  /* the machine's limit of threads, less one for the one that creates them */
    DLANG_MOST_LENGTH = 1 << 16, /* elements of one variable */
    DLANG_MOST_CELLS = 1 << 20,  /* of all variables and channels together */
    DLANG_MOST_CAPACITY = 1 << 12, /* of a bounded channel */
    DLANG_UNBOUNDED = 256,         /* messages that an unbounded channel can hold before we give up */
    DLANG_MOST_NESTING = 200,      /* blocks and parentheses inside each other */
    DLANG_MOST_HEIGHT = 1000,      /* operators in one chain a + b + c ... */
};

/* clang-format off */
/*  kind            members              meaning
 *  --------------  -------------------  ------------------------------------------------ */
typedef enum ast_kind {
    /* expressions */
    AST_NUMBER,     /* value */
    AST_PLACE,      /* variable a?          variable[a]: an element, or a channel */
    AST_UNARY,      /* op a                 op is a token kind: - ! */
    AST_BINARY,     /* op a b */
    AST_CAS,        /* a b c                cas(a, b, c): 1 if it swapped, else 0; also a statement */
    AST_LENGTH,     /* a                    length(a): messages waiting in channel a */
    /* statements */
    AST_ASSIGN,     /* a b                  a := b */
    AST_INDEXER,    /* list                 max, size, m, w, h, target, nprocs */
    AST_IF,         /* a, has b c           if a then { b } else { c }: lists of statements */
    AST_WHILE,      /* a b                  while a { b } */
    AST_ASSERT,     /* a */
    AST_SEND,       /* a b                  send(a, b): a is a channel */
    AST_RECEIVE,    /* a b                  receive(a, b): b is a place */
} ast_kind;
/* clang-format on */

enum { IF_THEN = 1, IF_ELSE = 2 }; /* ast.has: which branches are written, even if empty */

typedef struct ast {
    uint8_t kind, op, has;
    bool truth;         /* an expression with a truth value, not a number */
    bool parenthesised; /* as written; not part of the meaning */
    uint16_t height;
    uint32_t variable;
    position at; /* where it begins; binary operators: where the operator stands */
    int64_t value;
    struct ast *a, *b, *c;
    struct ast *list, *next; /* first element; next element of the list this node is in */
} ast;

typedef enum { VARIABLE_SHARED, VARIABLE_LOCAL, VARIABLE_CONST, VARIABLE_CHANNEL } variable_kind;

typedef struct variable {
    const char *name;
    variable_kind kind;
    uint32_t length;   /* elements; channels: how many */
    uint32_t given;    /* values written; the others are 0 */
    uint32_t capacity; /* channels; 0: unbounded */
    int64_t *values;   /* `length` of them, or NULL if all are 0 */
    position at;
} variable;

typedef struct process {
    const char *name; /* NULL: none was given */
    ast *body;        /* a list; may be empty */
    position at;
} process;

typedef struct dlang_file {
    arena memory;
    intern names;
    const char *name; /* of the system, or NULL */
    VEC(variable) variables;
    map by_name; /* number in `names` -> variable */
    VEC(process) processes;
} dlang_file;

void dlang_file_free(dlang_file *file);

/* The value of a operator b; false for a division by zero. Numbers are of 64 bits and wrap; division rounds
 * down and a remainder has the sign of b, as in Python, which the document compiles to. Comparisons give 0 or
 * 1. */
bool dlang_compute(unsigned op, int64_t a, int64_t b, int64_t *result);

static inline bool dlang_is_additive(unsigned op) {
    return op == TOKEN_PLUS || op == TOKEN_MINUS;
}
static inline bool dlang_is_arithmetic(unsigned op) {
    return op >= TOKEN_PLUS && op <= TOKEN_PERCENT;
}

/* Text in standard form; reading it back gives the same program. */
void dlang_print_file(const dlang_file *file, text *out);
void dlang_print_expression(const dlang_file *file, const ast *e, text *out);

#endif
