/* What the files of this folder share and nobody else sees: the context, raw node creation, the order of
 * operands and the flattened forms that the rewriting rules work on. */
#ifndef HEDDLE_TERM_INTERNAL_H
#define HEDDLE_TERM_INTERNAL_H

#include "base/arena.h"
#include "base/map.h"
#include "term/term.h"

typedef struct symbol_note {
    const char *label;
    uint32_t origin;
} symbol_note;

enum { RECENT_CONSTANTS = 1024 }; /* a power of two */

struct terms {
    arena memory;
    VEC(const term *) by_id;
    VEC(uint16_t) height; /* by id, saturating: leaves are 0 */
    const term **table;   /* open addressing by term.hash */
    size_t table_capacity;

    VEC(const term_support *) supports; /* by id; the first one is the empty set */
    map support_by_hash;                /* hash of the set -> id, linearly probed through the key */
    map support_unions;                 /* (id, id) -> id */

    VEC(symbol_note) notes;
    map note_of_symbol; /* term id -> index of notes */

    /* Constants by value and width: most are asked for again and again. */
    const term *recent[RECENT_CONSTANTS];

    bool simplify;
    map extracts; /* (id, lowest, width) -> result; pushing extracts down shared terms stays linear */
    map joins;    /* (id, id) -> concatenation of two choices, for the same reason */
    VEC(const term *) primed; /* by id, NULL where unknown */
    VEC(const term *) work;   /* stack of the iterative walks */
    VEC(uint64_t) memo_value; /* by id, valid where memo_stamp is current */
    VEC(uint32_t) memo_stamp;
    uint32_t stamp;
};

/* Rules that recurse into their operands stop at terms of this height, so that no input can exhaust the
 * stack. The test depends on the structure only, hence so does the result. */
enum { REWRITE_HEIGHT = 100 };

static inline bool term_is_shallow(const terms *c, const term *t) {
    return c->height.data[t->id] <= REWRITE_HEIGHT;
}

/* The node itself, shared but not simplified. Constants are folded by the callers. */
const term *term_node(terms *c, term_op op, unsigned width, uint64_t value, unsigned arity,
                      const term *const *args);
const term *term_unary(terms *c, term_op op, unsigned width, uint64_t value, const term *a);
const term *term_binary(terms *c, term_op op, unsigned width, const term *a, const term *b);
const term *term_commutative(terms *c, term_op op, unsigned width, const term *a, const term *b); /* sorts */

/* Folds when all operands are numbers; NULL otherwise. */
const term *term_fold_unary(terms *c, term_op op, unsigned width, uint64_t value, const term *a);
const term *term_fold_binary(terms *c, term_op op, unsigned width, const term *a, const term *b);

/* The order of operands: by shape, then hash, then structure. Zero only for the same term. */
int term_compare(const term *a, const term *b);
void term_sort(const term **list, size_t count);

const term_support *support_empty(terms *c);
const term_support *support_single(terms *c, const term *symbol);
const term_support *support_union(terms *c, const term_support *a, const term_support *b);

/* An upper bound of t as an unsigned number, from the outermost few operators. */
uint64_t term_upper_bound(const term *t);
static inline bool term_is_nonnegative(const term *t) {
    return term_upper_bound(t) <= term_mask(t->width) >> 1;
}

static inline bool term_is_ones(const term *t) {
    return term_is_const(t) && t->value == term_mask(t->width);
}
static inline bool term_is_zero(const term *t) {
    return term_is_const(t) && t->value == 0;
}
static inline bool term_is_choice_of_constants(const term *t) {
    return t->op == TERM_ITE && term_is_const(t->arg[1]) && term_is_const(t->arg[2]);
}

/* --- sums: factor * base + ... + constant, modulo 2^width ----------------------------------------------- */

/* Flattening beyond this many parts is given up: the operands are joined as they are. */
enum { FLAT_LIMIT = 64 };

typedef struct linear_part {
    const term *base; /* neither a number nor a sum nor a multiple */
    uint64_t factor;  /* not 0 */
} linear_part;

typedef struct linear {
    unsigned width, count;
    bool too_long;
    uint64_t constant;
    linear_part part[FLAT_LIMIT];
} linear;

void linear_start(linear *sum, unsigned width);
void linear_add(linear *sum, const term *t, uint64_t factor);
const term *linear_build(terms *c, const linear *sum); /* not for sums that are too long */

#endif
