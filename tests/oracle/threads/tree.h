/* The tree of a small C program with threads: what the generator makes, the printer writes, the reference
 * executes and the shrinker edits.
 *
 * Expressions and statements are nodes of two pools; lists of statements are linked by `next`. Locals that no
 * pointer can reach (`v0`, `v1`, pointers `p0`, …) live in registers; `box` is the one local of a function
 * that has an address. All pointers of a program have one pointed type. Mutexes are of several kinds, one of
 * them a spin lock. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_TREE_H
#define HEDDLE_TESTS_ORACLE_THREADS_TREE_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define NONE UINT32_MAX

typedef enum { C_U8, C_S8, C_U16, C_S16, C_U32, C_S32, C_U64, C_S64, C_TYPES } c_type;

unsigned c_bits(c_type t);
bool c_is_signed(c_type t);
c_type c_promoted(c_type t);
c_type c_common(c_type a, c_type b); /* the usual arithmetic conversions */
int64_t c_convert(c_type t, int64_t value);

// clang-format off
typedef enum expr_kind {
    EXPR_NUMBER,  /* number */
    EXPR_LOCAL,   /* v<number> */
    EXPR_GLOBAL,  /* g<number> */
    EXPR_ELEMENT, /* a<number>[a] */
    EXPR_BOX,     /* box */
    EXPR_FOLLOW,  /* (a)[b], a a pointer */
    EXPR_NOT, EXPR_NEGATIVE, EXPR_COMPLEMENT,
    EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_REM, EXPR_AND, EXPR_OR, EXPR_XOR,
    EXPR_LESS, EXPR_ATMOST, EXPR_EQUAL, EXPR_DIFFERS,
    EXPR_BOTH, EXPR_EITHER,
    EXPR_IS_NULL, /* a == 0, a a pointer */
    /* pointers */
    EXPR_NULL, EXPR_POINTER_LOCAL /* p<number> */, EXPR_POINTER_GLOBAL /* q<number> */,
    EXPR_AT_GLOBAL /* &g<number> */, EXPR_AT_ELEMENT /* &a<number>[a] */, EXPR_AT_BOX, EXPR_STEP /* a + b */,
    EXPR_KINDS
} expr_kind;

typedef enum stmt_kind {
    STMT_NOTHING,
    STMT_ASSIGN,     /* target = a */
    STMT_CHANGE,     /* target op= a; op an expr_kind */
    STMT_POINT,      /* pointer target = pointer a */
    STMT_INPUT,      /* local target = unknown value below number (a power of two) */
    STMT_RANGE,      /* the same by an assumption, any number */
    STMT_IF,         /* a, body, other */
    STMT_WHILE,      /* a, body */
    STMT_FOR,        /* number rounds of body */
    STMT_LOCK /* target = */, STMT_UNLOCK, STMT_TRYLOCK /* target = */, /* mutex number */
    STMT_READ_LOCK, STMT_WRITE_LOCK, STMT_TRY_READ, STMT_TRY_WRITE, /* target = read-write lock number */
    STMT_RELEASE,    /* read-write lock number */
    STMT_MEET,       /* target = wait at barrier number */
    STMT_ONCE,       /* body op, once for number */
    STMT_WAIT /* condition number, mutex op */, STMT_SIGNAL, STMT_BROADCAST,
    STMT_DOWN, STMT_UP, STMT_TRYDOWN /* target = */,               /* semaphore */
    STMT_CREATE,     /* slot number: body op with argument a */
    STMT_JOIN,       /* slot number; target local or NONE gets the result */
    STMT_ATOMIC,     /* body in one go */
    STMT_FETCH,      /* target = fetch_and_op(&place, a); target may be NONE */
    STMT_EXCHANGE,   /* target = exchange(&place, a) */
    STMT_CAS,        /* target = compare_and_swap(&place, a, b); number: cas_style */
    STMT_LOAD,       /* target = atomic load of place */
    STMT_STORE,      /* atomic store of a to place */
    STMT_ASSUME,     /* a */
    STMT_ASSERT,     /* a; number: assert_style */
    STMT_ABORT, STMT_EXIT,
    STMT_RETURN,     /* a: result of the thread or function */
    STMT_LEAVE,      /* pthread_exit(a) */
    STMT_CALL,       /* target = function body number (a, pointer b); op: by the pointer h<number> */
    STMT_HOOK,       /* h<number> = function body op */
    STMT_COPY,       /* array number = array op, cell by cell */
    STMT_FILL,       /* array number = 0, cell by cell */
    STMT_MALLOC,     /* pointer target = number cells, all a */
    STMT_FREE,       /* pointer a */
    STMT_KINDS
} stmt_kind;
// clang-format on

typedef enum { ASSERT_GOES_ON, ASSERT_REACH, ASSERT_LIBRARY, ASSERT_STYLES } assert_style;

typedef enum {
    CAS_TRUTH,  /* target = whether it did */
    CAS_VALUE,  /* target = what was there */
    CAS_STRONG, /* target = whether it did, local op = what was there */
    CAS_WEAK,   /* the same, and it may fail for no reason (a spurious wake-up) */
    CAS_STYLES
} cas_style;

typedef enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_CHECKED, MUTEX_SPIN, MUTEX_KINDS } mutex_kind;

typedef struct expr {
    uint8_t kind;
    int32_t number;
    uint32_t a, b;
} expr;

typedef struct stmt {
    uint8_t kind, op;
    int32_t number;
    uint32_t target, place, a, b; /* expressions */
    uint32_t body, other;         /* first statements */
    uint32_t next;
    uint32_t line; /* set by the printer */
} stmt;

enum {
    MOST_GLOBALS = 4,
    MOST_ARRAYS = 2,
    MOST_POINTERS = 2, /* global ones, and local ones of a body */
    MOST_LOCALS = 4,
    MOST_BODIES = 8,
    MOST_MUTEXES = 3,
    MOST_RWLOCKS = 1,
    MOST_BARRIERS = 1,
    MOST_ONCES = 1,
    MOST_HOOKS = 1,
    MOST_CONDITIONS = 2,
    MOST_SEMAPHORES = 2,
    MOST_SLOTS = 3,            /* pthread_t variables of a body */
    LOOP_COUNTER = MOST_LOCALS /* locals behind the named ones, one for each loop depth */
};

typedef enum { BODY_MAIN, BODY_THREAD, BODY_FUNCTION, BODY_ONCE } body_role;

typedef struct body {
    body_role role;
    bool absent;
    uint32_t first; /* STMT_NOTHING */
    uint32_t slots;
    c_type local[MOST_LOCALS];
    bool takes_pointer; /* a thread: its argument is p0, not v0 */
    bool has_box;
    int32_t box_value;
} body;

typedef struct program_tree {
    uint32_t globals, arrays, pointers, mutexes, conditions, semaphores, bodies;
    uint32_t rwlocks, barriers, onces, hooks;
    c_type global[MOST_GLOBALS];
    bool atomic[MOST_GLOBALS]; /* _Atomic: every access is, and nothing points there */
    int32_t initial[MOST_GLOBALS];
    c_type array[MOST_ARRAYS];
    uint32_t length[MOST_ARRAYS];
    bool structures; /* arrays are the only members of structures of one type */
    mutex_kind mutex[MOST_MUTEXES];
    uint32_t needed[MOST_BARRIERS];
    uint32_t hook[MOST_HOOKS]; /* initial functions */
    int32_t permits[MOST_SEMAPHORES];
    c_type pointed;
    body body[MOST_BODIES]; /* 0 is main */
    VEC(expr) exprs;
    VEC(stmt) stmts;
} program_tree;

uint32_t tree_expr(program_tree *p, expr_kind kind, int32_t number, uint32_t a, uint32_t b);
uint32_t tree_stmt(program_tree *p, stmt_kind kind, uint32_t before); /* behind `before`, unless NONE */
stmt *tree_at(program_tree *p, uint32_t s);
uint32_t tree_body(program_tree *p, body_role role);
bool tree_is_pointer(const program_tree *p, uint32_t e);
c_type tree_type(const program_tree *p, uint32_t body, uint32_t e); /* of a number */
void tree_copy(program_tree *to, const program_tree *from);
void tree_free(program_tree *p);

/* The C text; fills in the lines of statements. */
void tree_print(program_tree *p, text *out);

#endif
