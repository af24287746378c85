/* Names to symbols.
 *
 * Gives every use of a name in a syntax tree its symbol, and every symbol the facts that need the whole text:
 * whether it is assigned, whether its address is taken, what a function may call, wait for or start. Reports
 * unknown and doubly declared names, misplaced break, continue, goto, start and wait. It knows no types and
 * no values. */
#ifndef HEDDLE_FRONTEND_IVL_RESOLVE_H
#define HEDDLE_FRONTEND_IVL_RESOLVE_H

#include "frontend/ivl/ast.h"

typedef enum symbol_kind {
    SYMBOL_PARAM,
    SYMBOL_REPLICA, /* the index of a replicated thread or update */
    SYMBOL_GLOBAL,
    SYMBOL_LOCAL,
    SYMBOL_ARGUMENT, /* parameter of a function */
    SYMBOL_STRUCT,
    SYMBOL_EVENT,
    SYMBOL_FUNCTION,
    SYMBOL_THREAD,
    SYMBOL_UPDATE,
    SYMBOL_MAIN,
    SYMBOL_LABEL,
} symbol_kind;

typedef struct call_use {
    struct symbol *callee;
    position at;
} call_use;

typedef struct symbol {
    symbol_kind kind;
    uint32_t number; /* in symbols.all */
    uint32_t scope;  /* the scope it is declared in, each with its own number */
    const char *name;
    position at;
    ast *declaration;
    bool assigned;      /* apart from its initialiser */
    bool address_taken; /* may be reached through a pointer */
    bool in_switch;     /* a local that a case label can jump over */

    /* functions, threads, updates, main: what their text does */
    VEC(call_use) calls;
    position waits_at, starts_at; /* line 0: nowhere */
    bool has_labels;

    /* filled while lowering */
    const struct type *type;
    const struct record *record; /* structs */
    bool is_known;               /* its value is the constant `value` wherever it is read */
    uint64_t value;
    bool is_array;    /* events, threads, updates: used with an index */
    bool in_register; /* locals and arguments */
    bool initialized; /* globals: the initialiser is dealt with */
    /* Number of the object, register, local, function, block; of the first event, thread or update. */
    uint32_t place;
    uint32_t count; /* events, threads, updates: how many; labels: the generation whose block `place` is */
} symbol;

typedef struct symbols {
    arena memory;
    VEC(symbol *) all;
    symbol *main; /* always there; without declaration if the file has none */
} symbols;

bool ivl_resolve(ast_file *file, diagnostics *d, symbols *out);
void symbols_free(symbols *s);

/* main and updates must not wait, threads must not start, not even through a function. */
bool ivl_check_calls(const symbols *s, diagnostics *d);

const char *symbol_kind_name(symbol_kind kind); /* "variable", "event" */

#endif
