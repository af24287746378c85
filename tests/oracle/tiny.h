/* Tiny programs: the trees that the differential oracle generates.
 *
 * A tree is printed as IVL text for Heddle and interpreted directly by the reference, which therefore shares
 * neither front end nor machine with the product. Nodes live in two arrays and name each other by number, so
 * a program is copied and edited cheaply (shrinking needs that). This module never runs anything. */
#ifndef HEDDLE_TESTS_ORACLE_TINY_H
#define HEDDLE_TESTS_ORACLE_TINY_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    TINY_BOOL,
    TINY_CHAR,
    TINY_U8,
    TINY_SHORT,
    TINY_USHORT,
    TINY_INT,
    TINY_UINT,
    TINY_LONG,
    TINY_ULONG,
    TINY_TYPES
} tiny_type;

enum {
    TINY_MOST_GLOBALS = 4,
    TINY_MOST_EVENTS = 4,
    TINY_MOST_BODIES = 12,
    TINY_MOST_LOCALS = 4,
    TINY_MOST_ELEMENTS = 4
};
#define TINY_NONE UINT32_MAX

/* --- expressions ---------------------------------------------------------------------------------------- */

typedef enum tiny_expr_kind {
    EXPR_NUMBER,  /* number (an int) */
    EXPR_GLOBAL,  /* global `number` */
    EXPR_ELEMENT, /* element a of array global `number` */
    EXPR_LOCAL,   /* local `number` of the body */
    EXPR_POINTED, /* what a points to (a pointer local or global) */
    EXPR_IS_NULL, /* a == null */
    EXPR_TIME,    /* @time */
    EXPR_UNARY,   /* op a */
    EXPR_BINARY,  /* a op b */
    EXPR_SELECT,  /* a ? b : c */
    EXPR_CAST,    /* (type op) a */
    EXPR_INPUT,   /* a fresh value of type op; masked with `number` unless that is 0 */
} tiny_expr_kind;

typedef enum tiny_operator {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SHL,
    OP_SHR, /* those before OP_EQ may be assigning */
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_BOTH,
    OP_EITHER,
    OP_NOT,
    OP_NEGATE,
    OP_COMPLEMENT, /* unary */
    OPERATORS
} tiny_operator;

typedef struct tiny_expr {
    uint8_t kind, op;
    int32_t number;
    uint32_t a, b, c;
} tiny_expr;

/* --- statements ----------------------------------------------------------------------------------------- */

typedef enum tiny_stmt_kind {
    STMT_NOTHING, /* head of every list, and what is left of a deleted statement */
    STMT_ASSIGN,  /* target = a */
    STMT_UPDATE,  /* target op= a */
    STMT_RANGE,   /* target = ?(type), then assume number <= target <= more */
    STMT_POINT,   /* pointer target = address of a (global or element) */
    STMT_NEW,     /* pointer target = new (type op) */
    STMT_DELETE,  /* delete target */
    STMT_COPY,    /* pointer target = pointer a */
    STMT_IF,      /* a, body, other */
    STMT_FOR,     /* local `number` from 0 to `more` - 1: body */
    STMT_FOREVER, /* while (true) body */
    STMT_WHILE,   /* while (a) body */
    STMT_BREAK,
    STMT_RETURN,
    STMT_WAIT,         /* events (bit set) or event `target`; op: 0 any, 1 all; time-out a or TINY_NONE */
    STMT_WAIT_TIME,    /* a */
    STMT_NOTIFY,       /* event, at once */
    STMT_NOTIFY_AFTER, /* event, delay a */
    STMT_CANCEL,       /* event; of these three `number`, or `target` unless that is TINY_NONE */
    STMT_SUSPEND,      /* body `number` */
    STMT_RESUME,       /* body `number` */
    STMT_REQUEST,      /* body `number` */
    STMT_ASSERT,       /* a */
    STMT_ASSUME,       /* a */
    STMT_CALL,         /* body `number`, argument a or TINY_NONE */
    STMT_START,        /* limit a or TINY_NONE */
    STMT_STOP,
    /* What IVL does not have, but SystemC in C++ does; all name body `number`. */
    STMT_KILL,
    STMT_RESET,
    STMT_THROW,
    STMT_DISABLE,
    STMT_ENABLE,
    STMT_SYNC_RESET, /* op: on or off */
    STATEMENTS
} tiny_stmt_kind;

typedef struct tiny_stmt {
    uint8_t kind, op;
    uint8_t owner; /* body */
    uint8_t events;
    int32_t number, more;
    uint32_t target, a;         /* expressions */
    uint32_t body, other, next; /* statements */
    uint32_t line;              /* in the printed text */
} tiny_stmt;

/* --- programs ------------------------------------------------------------------------------------------- */

typedef struct tiny_global {
    uint8_t type, elements; /* elements 0: no array */
    bool pointer;           /* to a cell of that type, null at the start */
    bool input; /* every value from low to high is possible at the start; else low is the initial value */
    int32_t low, high;
} tiny_global;

typedef enum { BODY_MAIN, BODY_THREAD, BODY_FUNCTION, BODY_UPDATE } body_role;

typedef struct tiny_local {
    uint8_t type;
    bool pointer;
    int32_t initial; /* pointers: global pointed to, -1 null */
} tiny_local;

typedef struct tiny_body { /* number 0 is main */
    uint8_t role, locals;
    bool parameter; /* local 0 is a parameter (functions) */
    bool absent;    /* removed by shrinking */
    tiny_local local[TINY_MOST_LOCALS];
    uint32_t first;   /* statement: the head of its list */
    uint32_t handler; /* another list: what it does with an exception; TINY_NONE: it has none */
} tiny_body;

typedef struct tiny_program {
    uint8_t globals, events, bodies;
    bool event_array; /* e[0], e[1] … instead of e0, e1 … */
    tiny_global global[TINY_MOST_GLOBALS];
    tiny_body body[TINY_MOST_BODIES];
    VEC(tiny_expr) exprs;
    VEC(tiny_stmt) stmts;
} tiny_program;

void tiny_copy(tiny_program *to, const tiny_program *from); /* `to` holds nothing yet */
void tiny_free(tiny_program *p);

/* Prints the program, one statement per line, and notes the line of every statement. It is IVL unless
 * processes are controlled as in C++. */
void tiny_print(tiny_program *p, text *out);

/* --- building ------------------------------------------------------------------------------------------- */

uint32_t tiny_add_body(tiny_program *p, body_role role); /* with an empty list */
uint32_t tiny_list(tiny_program *p, uint32_t owner);     /* an empty list: its head */
bool tiny_controls(const tiny_stmt *s);                  /* one of those that IVL does not have */
uint32_t tiny_expr_add(tiny_program *p, tiny_expr_kind kind, unsigned op, int32_t number, uint32_t a,
                       uint32_t b);
/* Puts a statement behind `before` in its list; returns it. Nothing but kind and owner is set. */
uint32_t tiny_insert(tiny_program *p, uint32_t before, tiny_stmt_kind kind);

static inline tiny_stmt *tiny_at(tiny_program *p, uint32_t s) {
    return &p->stmts.data[s];
}

#endif
