/* Resolved syntax tree to program: what elaborate.c and operators.c (types and constants), emit.c (expressions
 * to instructions), initialize.c (declarations), statement.c and lower.c (the whole file) share. Not for
 * others.
 *
 * A replicated thread is lowered once per copy with its index as a constant, so types are checked and
 * constants folded per copy. */
#ifndef HEDDLE_FRONTEND_IVL_LOWER_H
#define HEDDLE_FRONTEND_IVL_LOWER_H

#include "base/map.h"
#include "frontend/ivl/expr.h"
#include "frontend/ivl/ivl.h"

enum {
    IVL_MOST_INSTANCES = 10000,      /* replicated threads, updates and events together */
    IVL_MOST_INSTRUCTIONS = 1000000, /* of the whole program */
};

typedef struct impossible { /* something that must not be executed */
    position at;
    const char *message;
} impossible;

typedef struct lowering {
    program *p;
    ast_file *file;
    symbols *names;
    diagnostics *d;
    arena types;        /* for the whole file */
    arena scratch;      /* typed expressions of one body */
    map structs;        /* name -> number of the symbol */
    map checks, inputs; /* position -> entry: copies of one text share their entries */
    uint64_t cells, instructions, instances;
    bool too_large;

    /* the body being lowered */
    symbol *body;
    uint32_t generation; /* counts bodies, copies included */
    const char *where;   /* its name without index, for checks */
    const type *result;  /* void for threads, updates, main */
    uint32_t function, block;
    VEC(bool) live;     /* blocks that can be reached as far as seen */
    VEC(uint32_t) late; /* named registers that a jump may reach without passing their declaration */
    VEC(impossible) impossibles;
    unsigned errors_before; /* the present body began */
    uint32_t break_to, continue_to;
    unsigned loops;
    const char *input_name;  /* of the next ?(type), or NULL */
    const char *constant_of; /* not NULL: an expression that must be constant, e.g. "array size" */
} lowering;

#define lower_error(l, at, ...) diag_report((l)->d, DIAG_ERROR, at, __VA_ARGS__)

/* --- elaborate.c: all return NULL after reporting ------------------------------------------------------- */

expr *elaborate_value(lowering *l, ast *e);              /* a scalar */
expr *elaborate_place(lowering *l, ast *e);              /* also arrays and structs */
expr *elaborate_as(lowering *l, ast *e, const type *to); /* a value, converted implicitly */
expr *elaborate_call_statement(lowering *l, ast *e);     /* may give nothing */
expr *elaborate_condition(lowering *l, ast *e);          /* a truth value */
expr *elaborate_time(lowering *l, ast *e);               /* 64 bits */
expr *elaborate_step(lowering *l, expr *pointer, expr *count, position at); /* pointer + count */
bool elaborate_constant(lowering *l, ast *e, const char *what, int64_t least, int64_t most, int64_t *out);
expr *convert_implicitly(lowering *l, expr *e, const type *to, position at);
const type *elaborate_type(lowering *l, type_name name); /* void included */
const type *elaborate_variable_type(lowering *l, const ast *variable);
const type *elaborate_array_type(lowering *l, const type *element, ast *dimensions, position at);
const char *elaborate_shown_type(lowering *l, const type *t);

/* --- operators.c ---------------------------------------------------------------------------------------- */

/* `a op b` as written, op being a token kind. */
expr *elaborate_arithmetic(lowering *l, unsigned op, expr *a, expr *b, position at);

/* --- emit.c --------------------------------------------------------------------------------------------- */

instruction *emit_instruction(lowering *l, instruction_kind kind, position at);
uint32_t emit_new_block(lowering *l);
void emit_continue_in(lowering *l, uint32_t block);
void emit_jump(lowering *l, uint32_t block, position at);
void emit_two_way(lowering *l, operand truth, uint32_t then, uint32_t otherwise, position at);
bool emit_is_live(const lowering *l);
uint32_t emit_temporary(lowering *l, scalar_type type);

operand emit_value(lowering *l, const expr *e);
void emit_into(lowering *l, const expr *e, uint32_t destination);
operand emit_pointer(lowering *l, const expr *place);
operand emit_add_bytes(lowering *l, operand pointer, uint64_t bytes, position at);
void emit_store(lowering *l, operand pointer, operand value, position at);
void emit_branch(lowering *l, const expr *condition, uint32_t then, uint32_t otherwise);
void emit_check(lowering *l, check_kind kind, operand condition, const char *description, position at);
/* A constant that is wrong if it is used, like an index beyond its array: an error of the text exactly if it
 * can be reached in the finished function, because in one copy of a thread the code may be cut off by a
 * condition over its index. */
void emit_impossible(lowering *l, position at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void emit_report_impossible(lowering *l);
uint32_t emit_input_number(lowering *l, const char *name, const type *t, position at);
operand emit_reference(lowering *l, ast *reference); /* number of an event, thread or update */

/* --- initialize.c --------------------------------------------------------------------------------------- */

/* Gives a variable of the body its register or local object and its initial value. */
void lower_local(lowering *l, ast *variable);
/* Code for a global's initialiser: in a first round of all globals those with constant values, in a second
 * the others. */
void lower_global_initializer(lowering *l, ast *variable, bool constants);
void lower_copy(lowering *l, operand to, operand from, const type *record, position at);
void lower_array_input(lowering *l, const expr *place, ast *input, const char *name);
bool lower_count_cells(lowering *l, const type *t, position at); /* false after reporting */

/* --- lower.c -------------------------------------------------------------------------------------------- */

/* Fills the empty program; false after reporting. */
bool ivl_lower(program *p, ast_file *file, symbols *names, const ivl_setting *settings, size_t setting_count,
               diagnostics *d);

/* --- statement.c ---------------------------------------------------------------------------------------- */

void lower_statements(lowering *l, ast *first);

#endif
