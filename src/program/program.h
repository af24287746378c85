/* The program representation that every front end produces and every explorer runs on.
 *
 * A program is a set of static objects, functions, threads and (for the systemc kernel) events and channel
 * updates. A function is a list of basic blocks of three-address instructions over virtual registers. Memory
 * is objects of typed cells; a pointer is (object, byte offset). Source positions and names are kept for
 * every trace that a user reads.
 *
 * Invariants are checked by program_check; nothing else re-checks them. This folder never
 * executes anything. */
#ifndef HEDDLE_PROGRAM_PROGRAM_H
#define HEDDLE_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/kernel.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_INDEX UINT32_MAX

/* --- types and memory ----------------------------------------------------------------------------------- */

/* How the bits of a scalar are read by people. Semantics never depends on it: signedness is
 * in the operators. */
typedef enum { VIEW_UNSIGNED, VIEW_SIGNED, VIEW_BOOL, VIEW_CHAR, VIEW_POINTER } scalar_view;

typedef struct scalar_type {
    uint8_t width; /* bits, 1..64; pointers program.pointer_bits */
    uint8_t view;  /* scalar_view */
} scalar_type;

/* What a cell is to the reader of a report. Of a part of a part the greater one counts. */
typedef enum {
    CELL_PLAIN,
    CELL_PRESENT, /* the present value of a signal */
    CELL_NEXT,    /* what it will be after the update */
    CELL_WORD,    /* one of those that make a long number */
    CELL_INNER    /* how a design library does its work: not shown */
} cell_role;

typedef struct layout layout;

/* One cell of a layout. An access that does not hit exactly one cell splits the cells it touches into bytes
 * (in that object, from then on). */
typedef struct cell_type {
    uint32_t offset; /* bytes from the start of the element */
    scalar_type type;
    const char *name;     /* ".field" or "[2].x" below the element, "" for a scalar element */
    uint8_t role;         /* cell_role */
    const layout *target; /* of a pointer: what it is said to point to, for reports; NULL: not known */
} cell_type;

/* What library models keep their state in. How, is theirs to know (report/trace/lock.c); readers are told
 * who holds it. */
typedef enum {
    LOCK_MUTEX,
    LOCK_READ_WRITE,
    LOCK_SPIN,
    LOCK_SEMAPHORE,
    LOCK_CONDITION,
    LOCK_BARRIER
} lock_kind;

typedef struct lock_place { /* within an element of a layout */
    uint32_t offset, bytes;
    uint8_t kind;     /* lock_kind */
    const char *name; /* below the element, as those of cells */
} lock_place;

/* The shape of an object: `count` equal elements of `stride` bytes, each with `cells` cells
 * ascending by offset. */
struct layout {
    uint32_t stride;
    uint32_t cells;
    const cell_type *cell;
    const char *type; /* its name in the source, for reports; NULL: none */
    const lock_place *lock;
    uint32_t locks;
};

/* What a piece of an object holds when the program starts. */
typedef enum {
    INITIAL_NUMBER,   /* value, of width bits; more bytes than that: the same byte again and again */
    INITIAL_OBJECT,   /* pointer to static object `index`, byte offset `value` */
    INITIAL_FUNCTION, /* pointer to function `index` */
    INITIAL_UNSET,    /* unknown bytes */
    INITIAL_PADDING   /* bytes between fields */
} initial_kind;

typedef struct initial_cell {
    uint32_t start; /* first byte; it ends where the next one starts */
    uint8_t kind, width;
    uint32_t index;
    uint64_t value;
} initial_cell;

/* A static object: lives from start to end. Cells start as 0 (null for pointers) and initialisers are code
 * that main runs before anything else, unless there is an image: then the object is cut and filled
 * as it says. */
typedef struct static_object {
    const char *name;
    const layout *shape;
    uint32_t count; /* elements */
    bool is_array;  /* shown as name[i] even when count is 1 */
    /* Never written after initialisation by construction (parameters): invisible to reduction. */
    bool is_constant;
    bool is_inner; /* of a design library's own: not shown */
    position at;
    /* Made on the heap before the program starts, by what (1 + heap_maker): may be freed; 0: not. */
    uint8_t heap;
    uint32_t of_thread;        /* goes when this thread ends (a thread_local variable); 0: it stays */
    const initial_cell *image; /* NULL: none */
    uint32_t image_cells;
    bool image_is_ragged;    /* else its cells are those of the shape */
    const layout *described; /* heap: what was made, as in program.made_types */
} static_object;

/* --- operands and instructions -------------------------------------------------------------------------- */

typedef enum {
    OPERAND_NONE,
    OPERAND_REGISTER, /* index = register */
    OPERAND_CONST,    /* value, modulo 2^width; a null pointer is CONST 0 of width 64 */
    OPERAND_OBJECT,   /* pointer to static object `index`, byte offset `value` */
    OPERAND_LOCAL,    /* pointer to the frame's local object `index`, byte offset `value` */
    OPERAND_FUNCTION, /* pointer to function `index`. The width of a pointer operand is not looked at */
} operand_kind;

typedef struct operand {
    uint8_t kind, width;
    uint32_t index;
    uint64_t value;
} operand;

/* Arithmetic of INSTR_ARITH and INSTR_UPDATE; semantics as in term.h, at the width of the operands.
 * Division or remainder by zero never reaches the machine: front ends put a CHECK before it. */
// clang-format off
typedef enum arith {
    ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_UDIV, ARITH_SDIV, ARITH_UREM, ARITH_SREM,
    ARITH_AND, ARITH_OR, ARITH_XOR, ARITH_SHL, ARITH_LSHR, ARITH_ASHR, /* shift amounts have the width of a */
    ARITH_EQ, ARITH_NE,                                                /* width 1; also on pointers */
    ARITH_SAME_OBJECT,                                                 /* width 1; of pointers, else 0 */
    ARITH_ULT, ARITH_ULE, ARITH_SLT, ARITH_SLE,                        /* width 1 */
    ARITH_NOT, ARITH_NEG,                                              /* unary; NOT is bitwise */
    ARITH_ZEXT, ARITH_SEXT, ARITH_TRUNC,                               /* unary; to the width of dst */
    ARITH_SELECT,                                                      /* a ? b : c, a of width 1 */
    /* IEEE 754 on bit patterns of 32 or 64 bits, to nearest. Computed on known numbers; an unknown one ends
     * the path as unknown. */
    ARITH_FADD, ARITH_FSUB, ARITH_FMUL, ARITH_FDIV, ARITH_FREM, ARITH_FPOW,
    ARITH_FEQ, ARITH_FLT, ARITH_FLE, ARITH_FUNORDERED,                 /* width 1; the first three ordered */
    ARITH_F_FROM_SIGNED, ARITH_F_FROM_UNSIGNED,                        /* unary: integer to float */
    ARITH_F_TO_SIGNED, ARITH_F_TO_UNSIGNED, ARITH_F_CONVERT,           /* unary: to integer; between floats */
    ARITH_COUNT
} arith;

/*  instruction      operands            meaning
 *  ---------------  ------------------  ------------------------------------------------------------------ */
typedef enum instruction_kind {
    INSTR_MOVE,   /* dst, a              dst = a (an integer or a pointer) */
    INSTR_ARITH,  /* dst, arith, a b c   dst = arith(a, b, c) */
    INSTR_OFFSET, /* dst, a, b, extra    dst = pointer a + signed b (width of a pointer) * extra bytes */
    INSTR_INPUT,  /* dst, extra, a? b? c? dst = fresh unknown value; extra = index of the input; a: pointer */
                  /*                     to the text that traces call it by; b, c: the least and the */
                  /*                     greatest it can be, signed, b <= c. Laws of what is drawn here */
                  /*                     (explore/laws.h): with one argument it is a function of it; with */
                  /*                     two, the second and it are a time that never goes back, by the */
                  /*                     clock that the first says */
    INSTR_LOAD,   /* dst, a              dst = cell at pointer a, of dst's width */
    INSTR_STORE,  /* a, b                cell at pointer a = b */
    INSTR_UPDATE, /* arith, a, b         cell at a = cell arith b, a commuting write: the old value goes */
                  /*                     nowhere else. ADD MUL AND OR XOR only; `x -= e` is ADD of -e */
    INSTR_HAVOC,  /* a, extra            every cell of the object a points to becomes a fresh input */
    INSTR_ALLOC,  /* dst, a, shape,      dst = new object of a (width of a pointer) elements; extra says */
                  /* extra               where and with what content (alloc_kind) */
    INSTR_FREE,   /* a, extra            ends the life of the object at a, of the kind that extra says */
                  /*                     (free_kind); null is allowed */
    INSTR_SIZE,   /* dst, a              dst = bytes of the object a points into, 0 for null */
    INSTR_COPY,   /* a, b, c             c bytes (width of a pointer) from pointer b to pointer a, as if */
                  /*                     through a buffer; pointers inside stay pointers */
    INSTR_FILL,   /* a, b, c             c bytes from pointer a on become b (width 8) */
    INSTR_APART,  /* a, b, c             CHECK_OVERLAP: c bytes from pointer a on and from pointer b on are */
                  /*                     disjoint */
    INSTR_CALL,   /* dst?, callee, args  call of a known function; callee NO_INDEX: of the one a points to, */
                  /*                     which must take as many arguments of the same widths. Of a monitor */
                  /*                     (reach.h), a?: 0 instead unless others can reach what a points to */
    INSTR_RETURN, /* a?                  leaves the function; from a thread's first one: ends the thread */
    INSTR_JUMP,   /* target[0] */
    INSTR_BRANCH, /* a, target[0], [1]   a of width 1: target[0] if true */
    INSTR_ASSUME, /* a                   ends the path silently unless a (width 1); a visible operation */
    INSTR_CHECK,  /* a, check            property check[check] is violated unless a (width 1) */
    INSTR_TIME,   /* dst                 dst = simulation time, as number of dst's width */
    INSTR_PRINT,  /* extra, args         tells a watcher what the program prints (print_form); no effect */
    INSTR_UNSUPPORTED, /* text, extra    what lies beyond is not modelled: the path ends as unknown; extra: */
                       /*                unsupported_flag */
    INSTR_SYNC,   /* sync, a b c, args   see sync_op */
    INSTR_KINDS
} instruction_kind;

typedef enum unsupported_flag {
    UNSUPPORTED_ONLY_HERE = 1, /* preemptive: other threads also go on without this one */
    UNSUPPORTED_CALL = 2       /* of a function: a definition of the user's would take its place */
} unsupported_flag;

/* Operations on the scheduler. S marks those after which the thread may have to stop (a scheduling point).
 * Which of them depend on each other is said once, in effect.h. Those up to STOP belong to the systemc
 * kernel, those from ATOMIC_BEGIN on to the preemptive one.
 *
 *  operation               operands    meaning
 *  ----------------------  ----------  ------------------------------------------------------------------- */
typedef enum sync_op {
    SYNC_WAIT_ANY,       /* S args; a?  wait until one of the events args is notified, or for time a. dst? */
                         /*             (a pointer's width) = a wait_end */
    SYNC_WAIT_ALL,       /* S args; a?  until all of the events were notified since, or for time a; dst? */
    SYNC_WAIT_TIME,      /* S a         wait for time a (width 64); 0 = until the next delta cycle */
    SYNC_WAIT_STATIC,    /* S -         wait until one of the events of thread_info.sensitivity is notified */
    SYNC_NOTIFY,         /*   a         immediate: wakes the waiters of event a now, cancels a pending one */
    SYNC_NOTIFY_AFTER,   /*   a, b      delta if b (width 64) is 0, else timed; the earliest pending stays */
    SYNC_CANCEL,         /*   a         removes the pending notification of event a */
    SYNC_SUSPEND,        /* S a         thread a does not run until resumed; S only if a is the runner */
    SYNC_RESUME,         /*   a         lifts the suspension of thread a in the next delta notification; */
                         /*             C++: at once */
    SYNC_DISABLE,        /*   a         nothing wakes thread a until it is enabled; it still runs if woken */
    SYNC_ENABLE,         /*   a */
    SYNC_RUN_NOW,        /*   a         thread a runs, whatever it waits for, until it waits again or ends; */
                         /*             then this one goes on */
    SYNC_REQUEST_UPDATE, /*   a         update a runs in the next update phase, once */
    SYNC_LISTEN,         /*   a args    thread a, which waits, waits for one of the events args from now on */
    SYNC_PENDING_NOW,    /*   dst       dst (width of a pointer) = 1 if anything is left to do at this time */
    SYNC_PENDING_LATER,  /*   dst       dst (width 64) = time until the next timed notification; none: ~0 */
    SYNC_START,          /* S a? b?     main only: simulate, for time a (signed; negative: no limit); with */
                         /*             the constant b time does not go on when nothing happens any more */
    SYNC_STOP,           /*   -         the simulation ends after this evaluation phase */
    SYNC_END,            /* S -         the whole program ends here (exit): a visible end of the path */
    SYNC_ATOMIC_BEGIN,   /*   a?        until the matching end no other thread runs; nests. a: nobody can */
                         /*             tell unless others can reach what it points to */
    SYNC_ATOMIC_END,     /*   - */
    SYNC_AWAIT,          /* S arith, a  blocks until arith(cell at pointer a & b, c) holds (EQ or NE; SLT: */
                         /*   b, c      arith(c, cell & b)), then begins an atomic section. Inside one it */
                         /*             is interrupted until then */
    SYNC_CREATE,         /*   dst a b   new thread that calls the function a points to with argument b; dst */
                         /*             (width of a pointer) = its number, never 0 */
    SYNC_JOIN,           /* S dst? a    blocks until thread number a has ended; dst = what it returned */
    SYNC_EXIT,           /* S a?        the thread ends here with result a */
    SYNC_SELF,           /*   dst       dst (width of a pointer) = number of the running thread; main: 0; */
                         /*             systemc: also channel updates */
    SYNC_DETACH,         /*   -         some thread will not be joined: its identity may come again */
    SYNC_FENCE,          /*   -         orders atomic accesses before and behind it (order); of ORDER_NONE: */
                         /*             an atomic operation follows whose declared order is lost */
    SYNC_CLAIM,          /*   dst a b   dst (width of a pointer) = how thread number a was claimed, 0 at */
                         /*             first; from now on as the constant b says, unless that is 0. No */
                         /*             scheduling point: stands behind a join or in an atomic section */
    SYNC_OPS
} sync_op;
// clang-format on

/* How a wait with a time-out ended; at once: event and time-out came together, in no order. */
typedef enum { WAIT_ENDED_BY_EVENT, WAIT_ENDED_BY_TIME, WAIT_ENDED_AT_ONCE } wait_end;

enum { PROGRAM_MOST_ARGUMENTS = 64 }; /* of a call */

/* INSTR_PRINT: what the arguments are. include/cxx/heddle_print.h has the same numbers. */
typedef enum print_form {
    PRINT_SETTING,   /* print_setting, number: how the stream shows what comes next */
    PRINT_RAW,       /* pointer, bytes */
    PRINT_WORD,      /* the same, as wide as was asked for */
    PRINT_STRING,    /* pointer to a text with an end */
    PRINT_CHARACTER, /* number */
    PRINT_BOOL,      /* number */
    PRINT_SIGNED,    /* number of 64 bits, and the same in the width of its type without a sign */
    PRINT_UNSIGNED,  /* number of 64 bits */
    PRINT_FLOATING,  /* bits of a double */
    PRINT_WIDE,      /* pointer to words of 32 bits, their count, bits of the type, whether it has a sign */
    PRINT_LOGIC,     /* pointer to words of 32 bits, to others (null: none) that tell Z and X apart, bits */
    PRINT_TIME,      /* number, femtoseconds of its unit */
    PRINT_FORMATTED, /* pointer to a format, what it speaks of */
    PRINT_LISTED,    /* pointer to a format, pointer to a va_list of 64 bits with all arguments in memory */
    PRINT_HANDED,    /* numbers that a library function hands out: for native replay, nothing is printed */
    PRINT_FORMS
} print_form;

typedef enum print_setting {
    PRINT_SET_FLAGS,   /* print_flag: add these ... */
    PRINT_CLEAR_FLAGS, /* ... and remove those */
    PRINT_WIDTH,
    PRINT_FILL,
    PRINT_PRECISION
} print_setting;

typedef enum print_flag { /* those of std::ios_base in include/cxx/heddle_streams.h */
                          PRINT_DEC = 1,
                          PRINT_OCT = 2,
                          PRINT_HEX = 4,
                          PRINT_SHOWBASE = 8,
                          PRINT_UPPERCASE = 16,
                          PRINT_BOOLALPHA = 32,
                          PRINT_LEFT = 64,
                          PRINT_INTERNAL = 256,
                          PRINT_SHOWPOS = 512,
                          PRINT_FIXED = 1024,
                          PRINT_SCIENTIFIC = 2048,
                          PRINT_SHOWPOINT = 4096
} print_flag;

/* INSTR_ALLOC: where, and what its cells hold. */
enum alloc_kind {
    ALLOC_HEAP_ZERO,  /* new, calloc */
    ALLOC_HEAP_UNSET, /* malloc: each byte is one unknown value */
    ALLOC_FRAME_UNSET /* alloca: lives until the function returns */
};

/* INSTR_ALLOC on the heap, INSTR_FREE: what is made in one way is not to be freed in another. */
typedef enum {
    MADE_BY_MALLOC /* and in languages that have one way */,
    MADE_BY_NEW,
    MADE_BY_NEW_ARRAY
} heap_maker;

/* INSTR_FREE: what ends. */
enum free_kind {
    FREE_HEAP,
    FREE_FRAME, /* an array of a block that is left, or what a frame held before elaboration made it static */
    /* A local variable whose block is left. Its name stands for another one from then on, unset, which is
     * what the variable is when control comes there again. */
    FREE_BLOCK
};

/* What LOAD, STORE, UPDATE and SYNC_FENCE declare about order, as in C. The machine is sequentially
 * consistent for all of them; what an order promises matters to data races (explore/happens.h). */
typedef enum {
    /* Can race; in a function that cannot (function_can_race), what it reads happened before and what it
     * writes is handed on. */
    ORDER_PLAIN,
    ORDER_NONE, /* of library models: cannot race, and nothing happens before anything by it */
    /* The same, and no order that matters goes with it: the end of a variable, a look at whether an
     * object is misused. */
    ORDER_ASIDE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SEQ_CST,
    ORDER_KINDS
} memory_order_kind;

static inline bool order_acquires(unsigned order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}
static inline bool order_releases(unsigned order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

/* Event operands are numbers below the count of events (width 32); so are thread and update operands. */

typedef struct instruction {
    uint8_t kind;        /* instruction_kind */
    uint8_t arith;       /* arith, for ARITH and UPDATE */
    uint8_t sync;        /* sync_op, for SYNC */
    uint8_t order;       /* memory_order_kind, for LOAD, STORE, UPDATE, SYNC_FENCE */
    bool modifies;       /* STORE: what was read before in the same atomic section, as UPDATE does */
    bool ends_statement; /* of the source: see statements.h */
    uint8_t maker;       /* heap_maker, for ALLOC and FREE */
    uint32_t dst;        /* register, or NO_INDEX */
    operand a, b, c;
    uint32_t target[2]; /* blocks */
    uint32_t callee;    /* function */
    uint32_t check;     /* index into program.checks */
    uint32_t decides;   /* BRANCH: 1 + the check that fails at one of its targets (decisive.h); 0: none */
    /* OFFSET: bytes per step; INPUT, HAVOC: index into program.inputs; ALLOC: alloc_kind; CALL of operator
     * new: number of the type that is made, 0: not known; PRINT: print_form. */
    uint32_t extra;
    const layout *shape; /* ALLOC */
    const char *text;    /* UNSUPPORTED: what it is */
    const operand *args; /* CALL, PRINT, SYNC waits, INPUT */
    uint32_t arg_count;
    position at;
} instruction;

/* A check that always fails: a place that must not be reached. */
static inline bool instruction_always_fails(const instruction *i) {
    return i->kind == INSTR_CHECK && i->a.kind == OPERAND_CONST && !i->a.value;
}

/* --- functions ------------------------------------------------------------------------------------------ */

typedef struct register_info {
    scalar_type type;
    const char *name;     /* source variable, or NULL for a temporary */
    const layout *target; /* of a pointer: what it is declared to point to, for reports; NULL: not known */
} register_info;

typedef struct local_object { /* an address-taken, array or struct variable of a frame */
    const char *name;
    const layout *shape;
    uint32_t count;
    bool is_array;
    bool unset;   /* each byte is one unknown value on entry; else cells start as 0 */
    bool is_made; /* by the compiler: no variable of the source, not shown */
} local_object;

typedef struct block {
    VEC(instruction) code; /* never empty; the last one, and only it, is JUMP, BRANCH, RETURN or SYNC_END */
} block;

typedef enum { FUNCTION_PLAIN, FUNCTION_THREAD, FUNCTION_UPDATE, FUNCTION_MAIN } function_role;

typedef struct function {
    const char *name;
    function_role role;
    uint32_t parameters; /* registers 0 .. parameters-1 */
    scalar_type result;  /* width 0: none */
    VEC(register_info) registers;
    VEC(local_object) locals;
    VEC(block) blocks;   /* block 0 is the entry */
    bool hidden;         /* of a library: its accesses order memory, and traces show the caller instead */
    bool callers_access; /* hidden: but what it accesses is the caller's doing and can race */
    /* may be called as a function of any type: it fails without a look at its arguments */
    bool takes_anything;
    bool observes;    /* a monitor (reach.h): where it cannot read, it returns 0 */
    const char *file; /* in which its positions count; NULL: program.file */
    position at;
} function;

/* A function of the C++ library's headers: traces show its caller, but what it does is not a model of it. */
static inline bool function_is_of_cxx(const function *f) {
    return f->hidden && f->callers_access && f->file;
}

static inline bool function_can_race(const function *f) {
    return !f->hidden || f->callers_access;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

typedef enum {
    CHECK_ASSERTION,
    CHECK_DIVISION,
    CHECK_NULL,
    CHECK_BOUNDS,
    CHECK_FREED,
    CHECK_RECURSION,
    CHECK_FREE,     /* free of something that is not the start of a live heap object, or was made otherwise */
    CHECK_OVERFLOW, /* signed overflow; front ends make these only when asked */
    CHECK_LEAK,     /* heap object still alive at the end of the program */
    CHECK_CONSTANT, /* write to a constant object, such as a string literal */
    CHECK_RACE,     /* two unordered accesses, one a write, not both atomic */
    CHECK_REACH,    /* a condition that is true, see reach.h */
    CHECK_OVERLAP,  /* a library function was given overlapping memory that it must not be given */
    CHECK_MISUSE,   /* a call of the library that its rules leave undefined */
    CHECK_KINDS
} check_kind;

/* What somebody stated about this program, rather than what every program has to keep to. */
static inline bool check_is_stated(check_kind kind) {
    return kind == CHECK_ASSERTION || kind == CHECK_REACH;
}

typedef struct check { /* one property of the program text */
    check_kind kind;
    /* The asserted expression as written, or what is checked: "division by zero", "index within buf" */
    const char *text;
    const char *thread_or_function; /* where it stands */
    position at;
    bool is_report; /* an error that is reported where this stands: nobody getting there is the point */
} check;

typedef struct uncalled_check { /* an assertion of the sources in a function that nobody calls */
    const char *text, *file;    /* file NULL: program.file */
    position at;
} uncalled_check;

typedef struct input { /* one place in the text where unknown values come from */
    const char *name;  /* the variable it initialises if there is one, else "input" */
    scalar_type type;
    position at;
} input;

typedef struct process_reset { /* systemc: by a signal */
    uint32_t event; /* an edge that resets at once; the process is sensitive to it; NO_INDEX: none does */
    bool by_port;   /* a port was named and not the signal: the library's simulator lists those later */
} process_reset;

typedef struct thread_info {
    const char *name; /* replicated threads: "copy[2]" */
    uint32_t function;
    position at;
    const uint32_t *sensitivity;       /* systemc: events, for SYNC_WAIT_STATIC */
    const uint32_t *sensitivity_order; /* of each, where the library's simulator lists it; NULL: all alike */
    uint32_t sensitivity_count;
    const process_reset *resets;
    uint32_t reset_count;
    bool dont_initialize; /* systemc: does not run before one of them is notified */
    bool is_method;       /* systemc: the library's simulator runs it before those that are not */
    bool is_spare;        /* systemc: has nothing to do while it waits for one of them */
} thread_info;

typedef struct event_info {
    const char *name; /* "E[3]" */
    position at;
} event_info;

typedef struct update_info {
    const char *name;
    uint32_t function;
    position at;
} update_info;

typedef struct missing_function { /* the program calls it, and nobody has a body for it */
    const char *name;             /* as its author would say it */
    const char *symbol;           /* as the linker says it */
    const char *stub;             /* a definition in C to be filled in */
    const char *file;             /* of the first call; NULL: the program's */
    position at;
} missing_function;

/* A program whose kernel elaborates: its threads, events and updates are made by main before it calls `start`:
 * elaboration/elaborate.h executes that part and leaves a program that has them. */
typedef struct elaboration_info {
    bool pending;                     /* `start` cannot be executed yet */
    uint32_t registry;                /* static object: include/systemc/sysc/intrinsics.h */
    uint32_t run_process, run_update; /* functions of one argument, the record; NO_INDEX: none */
    uint32_t resumed;    /* afterwards: the function whose last block begins with the first `start` */
    const char *printed; /* afterwards: what main has printed until then; NULL: nothing */
    const char *busy;    /* it was broken off: what it was at; NULL: it was not */
} elaboration_info;

/* What models assume of the world outside, where the program asks about it. */
typedef enum {
    ASSUMES_NO_ARGUMENTS,   /* main has one argument, its name */
    ASSUMES_NO_ENVIRONMENT, /* there are no variables of the environment */
    ASSUMES_MEMORY,         /* there is always memory */
    ASSUMES_THREADS,        /* there are always resources for another thread */
    ASSUMPTION_KINDS
} assumption_kind;

typedef struct assumption {
    bool is_made;
    uint32_t function; /* the first place that asks */
    position at;
} assumption;

typedef struct program {
    kernel_kind kernel;
    elaboration_info elaboration;
    uint8_t pointer_bits; /* 32 or 64 */
    /* Function behind which the identities of threads lie: a pointer to it, moved by a number other than 0,
     * is one. NO_INDEX: the program has none. */
    uint32_t thread_origin;
    const char *file; /* name as given by the user */
    arena memory;     /* owns every name, layout and operand list */
    VEC(static_object) objects;
    VEC(function) functions;
    /* Thread 0 is main, the others in order of declaration. Preemptive: only main, the others are
     * made by SYNC_CREATE. */
    VEC(thread_info) threads;
    VEC(event_info) events;
    VEC(update_info) updates;
    VEC(check) checks;
    VEC(missing_function) missing;
    VEC(uncalled_check) uncalled;
    VEC(input) inputs;
    /* What operator new makes, by the number that calls of it have in `extra`, from 1: how reports name the
     * bytes. NULL: not known. */
    VEC(const layout *) made_types;
    assumption assumptions[ASSUMPTION_KINDS];
} program;

program *program_create(kernel_kind kernel, const char *file);
void program_destroy(program *p);

static inline const kernel_traits *program_kernel(const program *p) {
    return &kernel_dialects[p->kernel];
}

/* --- building ------------------------------------------------------------------------------------------- */

/* The function has no blocks yet. */
uint32_t program_add_function(program *p, const char *name, function_role role, position at);
uint32_t function_add_register(program *p, uint32_t f, scalar_type type, const char *name);
uint32_t function_add_block(program *p, uint32_t f);
/* The new instruction is zeroed, with dst = NO_INDEX, and stays where it is until the next emit. */
instruction *function_emit(program *p, uint32_t f, uint32_t block, instruction_kind kind, position at);
const operand *program_copy_operands(program *p, const operand *args, size_t count);
const layout *program_scalar_layout(program *p, scalar_type type);
const char *program_copy_text(program *p, const char *s);

static inline instruction instruction_blank(instruction_kind kind, position at) {
    return (instruction){.kind = (uint8_t)kind, .dst = NO_INDEX, .callee = NO_INDEX, .at = at};
}

static inline instruction instruction_section(sync_op op, operand about, position at) {
    instruction mark = instruction_blank(INSTR_SYNC, at);
    mark.sync = (uint8_t)op;
    mark.a = about;
    return mark;
}

static inline operand operand_none(void) {
    return (operand){OPERAND_NONE, 0, 0, 0};
}
static inline operand operand_register(uint32_t r, unsigned width) {
    return (operand){OPERAND_REGISTER, (uint8_t)width, r, 0};
}
static inline operand operand_const(unsigned width, uint64_t value) {
    return (operand){OPERAND_CONST, (uint8_t)width, 0, value};
}
static inline operand operand_object(uint32_t object, uint64_t offset) {
    return (operand){OPERAND_OBJECT, 64, object, offset};
}
static inline operand operand_local(uint32_t local, uint64_t offset) {
    return (operand){OPERAND_LOCAL, 64, local, offset};
}
static inline operand operand_function(uint32_t function) {
    return (operand){OPERAND_FUNCTION, 64, function, 0};
}

uint32_t scalar_bytes(scalar_type type); /* 1, 2, 4 or 8 */

/* --- reading -------------------------------------------------------------------------------------------- */

/* Readable listing of the whole program (`heddle dump`). */
void program_print(const program *p, text *out);
void program_print_instruction(const program *p, const function *f, const instruction *i, text *out);

/* Reports violated invariants of the representation through d; true when there are none. A failure is a bug
 * of a front end. */
bool program_check(const program *p, diagnostics *d);

/* "buf[3].x": the name of a cell of a static object. */
void program_cell_name(const program *p, uint32_t object, uint32_t offset, text *out);

#endif
