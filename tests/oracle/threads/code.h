/* A tree as flat code for the reference: three-address operations, each at most one access to memory.
 *
 * Operations from OP_LOAD on are scheduling points: whatever other threads could see, be hidden by or wait
 * for. Those before it touch registers of the running thread only. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_CODE_H
#define HEDDLE_TESTS_ORACLE_THREADS_CODE_H

#include "tree.h"

/* Registers of a frame. */
enum {
    REG_LOCALS = 0,
    REG_LOOPS = MOST_LOCALS,
    MOST_LOOPS = 3,
    REG_POINTERS = REG_LOOPS + MOST_LOOPS,
    REG_SLOTS = REG_POINTERS + MOST_POINTERS,
    REG_TEMPS = REG_SLOTS + MOST_SLOTS,
    MOST_REGISTERS = 48
};

/* Static objects, in this order: globals, arrays, pointers, pointers to functions. */
static inline uint32_t object_of_global(uint32_t k) {
    return k;
}
static inline uint32_t object_of_array(const program_tree *p, uint32_t k) {
    return p->globals + k;
}
static inline uint32_t object_of_pointer(const program_tree *p, uint32_t k) {
    return p->globals + p->arrays + k;
}
static inline uint32_t object_of_hook(const program_tree *p, uint32_t k) {
    return p->globals + p->arrays + p->pointers + k;
}

// clang-format off
typedef enum op_kind {
    OP_CONST,    /* dst = number */
    OP_MOVE,     /* dst = (type)a */
    OP_UNARY,    /* dst = sub a, in type */
    OP_BINARY,   /* dst = a sub b, in type */
    OP_JUMP,     /* target */
    OP_BRANCH,   /* target if a is zero */
    OP_STATIC,   /* dst = pointer to object number */
    OP_OWN_BOX,  /* dst = pointer to the frame's box */
    OP_STEP,     /* dst = pointer a moved by b */
    OP_CLEAR,    /* temporaries are forgotten */
    OP_CALL,     /* dst = body number, or that in c, (a, b) */
    OP_RETURN,   /* a; from a function without box */
    OP_MALLOC,   /* dst = number cells, all a */
    OP_LOAD,     /* dst = *a */
    OP_STORE,    /* *a = b, as type */
    OP_FETCH, OP_EXCHANGE, OP_CAS /* a: place, b, c; old; sub: weak */,
    OP_FREE, OP_DIVIDE /* as OP_BINARY */, OP_RETURN_BOX, OP_END_BOX, OP_END_THREAD /* a */, OP_END_PROGRAM,
    OP_INPUT     /* dst = any value below number                       */,
    OP_ASSUME, OP_ASSERT /* a; notes it and goes on */,
    OP_LOCK /* dst = */, OP_UNLOCK, OP_TRYLOCK, OP_READ_LOCK, OP_WRITE_LOCK, OP_TRY_READ, OP_TRY_WRITE, OP_RELEASE,
    OP_ARRIVE, OP_MET, OP_ONCE_BEGIN /* dst = whether it is to be done */, OP_ONCE_END,
    OP_ENTER_WAIT /* condition number, mutex b */, OP_WOKEN,
    OP_SIGNAL, OP_BROADCAST, OP_DOWN, OP_UP, OP_TRYDOWN,
    OP_CREATE,   /* slot dst: body number with argument a */
    OP_JOIN,     /* dst = result of the thread in a */
    OP_ATOMIC_BEGIN, OP_ATOMIC_END,
    OP_LEFT      /* behind a while loop: nothing */
} op_kind;
// clang-format on

typedef struct op {
    uint8_t kind, sub, type;
    bool atomic; /* memory: cannot race with other atomic ones */
    uint32_t dst, a, b, c, old;
    int32_t number;
    uint32_t target, line;
} op;

typedef VEC(op) ops;

typedef struct flat_loop {             /* of STMT_WHILE */
    uint32_t body, head, decided, end; /* its condition is from head to decided, all of it up to end */
    bool waits; /* certainly a loop that waits: it reads a global variable, and something comes behind it */
} flat_loop;

typedef struct flat_code {
    ops body[MOST_BODIES];
    VEC(flat_loop) loops;
    bool too_large; /* more registers than there are */
    bool has_inputs, has_heap;
} flat_code;

void code_make(const program_tree *p, flat_code *out); /* lines must be set */
void code_free(flat_code *c);

#endif
