#include "term/internal.h"

#include "base/hash.h"

#include <string.h>

terms *terms_create(void) {
    terms *c = mem_zero(1, sizeof *c);
    c->simplify = true;
    support_empty(c);
    return c;
}

void terms_destroy(terms *c) {
    if (!c) return;
    arena_free(&c->memory);
    vec_free(&c->by_id);
    vec_free(&c->height);
    mem_free(c->table);
    vec_free(&c->supports);
    map_free(&c->support_by_hash);
    map_free(&c->support_unions);
    vec_free(&c->notes);
    map_free(&c->note_of_symbol);
    map_free(&c->extracts);
    map_free(&c->joins);
    vec_free(&c->primed);
    vec_free(&c->work);
    vec_free(&c->memo_value);
    vec_free(&c->memo_stamp);
    mem_free(c);
}

size_t terms_count(const terms *c) {
    return c->by_id.size;
}

size_t terms_bytes(const terms *c) {
    size_t per_term = sizeof *c->by_id.data + sizeof *c->height.data;
    size_t maps = c->support_by_hash.capacity + c->support_unions.capacity + c->note_of_symbol.capacity +
                  c->extracts.capacity + c->joins.capacity;
    return c->memory.total + c->by_id.capacity * per_term + c->table_capacity * sizeof *c->table +
           maps * sizeof(map_slot) + c->primed.capacity * sizeof *c->primed.data +
           c->memo_value.capacity * (sizeof *c->memo_value.data + sizeof *c->memo_stamp.data);
}

void terms_set_simplify(terms *c, bool on) {
    c->simplify = on;
}

/* --- order ---------------------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_heads(const term *a, const term *b) {
    int order = compare_numbers(a->op, b->op);
    if (!order) order = compare_numbers(a->width, b->width);
    if (!order) order = compare_numbers(a->value, b->value);
    return order ? order : compare_numbers(a->arity, b->arity);
}

/* Only reached when two different terms have the same two hashes. Different terms differ somewhere, so
 * following any pair of different operands ends at a difference. */
static int compare_structures(const term *a, const term *b) {
    for (;;) {
        int order = compare_heads(a, b);
        if (order) return order;
        unsigned i = 0;
        while (i < a->arity && a->arg[i] == b->arg[i]) i++;
        assert(i < a->arity); /* else there are two nodes for one term */
        const term *next = a->arg[i];
        b = b->arg[i];
        a = next;
    }
}

int term_compare(const term *a, const term *b) {
    if (a == b) return 0;
    int order = compare_numbers(a->shape, b->shape);
    if (!order) order = compare_numbers(a->hash, b->hash);
    return order ? order : compare_structures(a, b);
}

FOR_ASSERTIONS static bool is_sorted(const term *const *list, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (term_compare(list[i - 1], list[i]) > 0) return false;
    return true;
}

/* Insertion sort: the lists are short and mostly sorted already. */
void term_sort(const term **list, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const term *t = list[i];
        size_t j = i;
        for (; j > 0 && term_compare(list[j - 1], t) > 0; j--) list[j] = list[j - 1];
        list[j] = t;
    }
    slow_assert(is_sorted(list, count));
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

/* The top bits of a shape rank the operators: symbols first, numbers last. */
enum { RANK_BITS = 5 };

static uint64_t rank_of(term_op op) {
    return op == TERM_SYMBOL ? 0 : op == TERM_CONST ? 31 : op;
}

static uint64_t ranked(term_op op, uint64_t hash) {
    return rank_of(op) << (64 - RANK_BITS) | hash >> RANK_BITS;
}

static void grow_table(terms *c) {
    size_t capacity = c->table_capacity ? 2 * c->table_capacity : 1024;
    const term **table = mem_zero(capacity, sizeof *table);
    for (size_t i = 0; i < c->by_id.size; i++) {
        const term *t = c->by_id.data[i];
        size_t at = t->hash & (capacity - 1);
        while (table[at]) at = (at + 1) & (capacity - 1);
        table[at] = t;
    }
    mem_free(c->table);
    c->table = table;
    c->table_capacity = capacity;
}

static bool is_node(const term *t, term_op op, unsigned width, uint64_t value, unsigned arity,
                    const term *const *args) {
    if (t->op != op || t->width != width || t->value != value || t->arity != arity) return false;
    for (unsigned i = 0; i < arity; i++)
        if (t->arg[i] != args[i]) return false;
    return true;
}

static const term_support *support_of_node(terms *c, const term *t) {
    if (t->op == TERM_SYMBOL) return support_single(c, t);
    const term_support *all = support_empty(c);
    for (unsigned i = 0; i < t->arity; i++) all = support_union(c, all, t->arg[i]->support);
    return all;
}

static uint16_t height_of_node(const terms *c, const term *t) {
    uint16_t height = 0;
    for (unsigned i = 0; i < t->arity; i++) {
        uint16_t below = c->height.data[t->arg[i]->id];
        if (below >= height) height = below == UINT16_MAX ? below : below + 1;
    }
    return height;
}

/* What the operands of each operator are like. */
FOR_ASSERTIONS static bool fits_operator(term_op op, unsigned width, uint64_t value, unsigned arity,
                                         const term *const *args) {
    switch (op) {
    case TERM_CONST: return !arity && value <= term_mask(width);
    case TERM_SYMBOL: return !arity;
    case TERM_NOT: return arity == 1 && args[0]->width == width;
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
    case TERM_ADD:
    case TERM_MUL:
    case TERM_UDIV:
    case TERM_UREM:
    case TERM_SDIV:
    case TERM_SREM:
    case TERM_SHL:
    case TERM_LSHR:
    case TERM_ASHR: return arity == 2 && args[0]->width == width && args[1]->width == width;
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT: return arity == 2 && width == 1 && args[0]->width == args[1]->width;
    case TERM_ITE:
        return arity == 3 && args[0]->width == 1 && args[1]->width == width && args[2]->width == width;
    case TERM_CONCAT: return arity == 2 && args[0]->width + args[1]->width == width;
    case TERM_EXTRACT: return arity == 1 && value + width <= args[0]->width;
    case TERM_ZEXT:
    case TERM_SEXT: return arity == 1 && args[0]->width < width;
    case TERM_OPS: break;
    }
    return false;
}

FOR_ASSERTIONS static bool belong_to(const terms *c, unsigned arity, const term *const *args) {
    for (unsigned i = 0; i < arity; i++)
        if (args[i]->id >= c->by_id.size || c->by_id.data[args[i]->id] != args[i]) return false;
    return true;
}

const term *term_node(terms *c, term_op op, unsigned width, uint64_t value, unsigned arity,
                      const term *const *args) {
    assert(width >= 1 && width <= 64);
    assert(fits_operator(op, width, value, arity, args));
    assert(belong_to(c, arity, args));
    if (4 * (c->by_id.size + 1) > 3 * c->table_capacity) grow_table(c);
    uint64_t head = hash_pair(op | (uint64_t)width << 8, value);
    uint64_t hash = head, shape = op == TERM_SYMBOL ? hash_mix(width) : head;
    for (unsigned i = 0; i < arity; i++) {
        hash = hash_pair(hash, args[i]->hash);
        shape = hash_pair(shape, args[i]->shape);
    }
    size_t at = hash & (c->table_capacity - 1);
    for (const term *t; (t = c->table[at]); at = (at + 1) & (c->table_capacity - 1))
        if (t->hash == hash && is_node(t, op, width, value, arity, args)) return t;

    term *t = arena_alloc(&c->memory, sizeof *t + arity * sizeof *args);
    *t = (term){.op = (uint8_t)op,
                .width = (uint8_t)width,
                .arity = (uint8_t)arity,
                .id = (uint32_t)c->by_id.size,
                .hash = hash,
                .shape = ranked(op, shape),
                .value = value};
    for (unsigned i = 0; i < arity; i++) t->arg[i] = args[i];
    t->support = support_of_node(c, t);
    c->table[at] = t;
    vec_push(&c->by_id, t);
    vec_push(&c->height, height_of_node(c, t));
    assert(c->by_id.size == c->height.size && c->by_id.size < c->table_capacity);
    return t;
}

const term *term_unary(terms *c, term_op op, unsigned width, uint64_t value, const term *a) {
    return term_node(c, op, width, value, 1, &a);
}

const term *term_binary(terms *c, term_op op, unsigned width, const term *a, const term *b) {
    return term_node(c, op, width, 0, 2, (const term *const[]){a, b});
}

const term *term_commutative(terms *c, term_op op, unsigned width, const term *a, const term *b) {
    assert(term_op_commutes(op));
    return term_compare(a, b) <= 0 ? term_binary(c, op, width, a, b) : term_binary(c, op, width, b, a);
}

const term *term_fold_unary(terms *c, term_op op, unsigned width, uint64_t value, const term *a) {
    if (!term_is_const(a)) return NULL;
    return term_const(c, width, term_apply(op, width, a->width, value, &a->value));
}

const term *term_fold_binary(terms *c, term_op op, unsigned width, const term *a, const term *b) {
    if (!term_is_const(a) || !term_is_const(b)) return NULL;
    return term_const(c, width, term_apply(op, width, a->width, 0, (uint64_t[]){a->value, b->value}));
}

/* --- leaves --------------------------------------------------------------------------------------------- */

const term *term_const(terms *c, unsigned width, uint64_t value) {
    assert(width >= 1 && width <= 64);
    value &= term_mask(width);
    const term **recent = &c->recent[(value ^ width << 4) & (RECENT_CONSTANTS - 1)];
    if (*recent && (*recent)->value == value && (*recent)->width == width) return *recent;
    return *recent = term_node(c, TERM_CONST, width, value, 0, NULL);
}

const term *term_true(terms *c) {
    return term_const(c, 1, 1);
}
const term *term_false(terms *c) {
    return term_const(c, 1, 0);
}
const term *term_bool(terms *c, bool value) {
    return term_const(c, 1, value);
}

const term *term_symbol(terms *c, unsigned width, uint64_t name, const char *label, uint32_t origin) {
    size_t before = c->by_id.size;
    const term *symbol = term_node(c, TERM_SYMBOL, width, name, 0, NULL);
    if (c->by_id.size > before) {
        symbol_note note = {label ? arena_string(&c->memory, label, strlen(label)) : NULL, origin};
        map_put(&c->note_of_symbol, symbol->id, c->notes.size);
        vec_push(&c->notes, note);
    }
    return symbol;
}

static symbol_note note_of(const terms *c, const term *symbol) {
    assert(symbol->op == TERM_SYMBOL && map_get(&c->note_of_symbol, symbol->id) < c->notes.size);
    return c->notes.data[map_get(&c->note_of_symbol, symbol->id)];
}

const char *term_symbol_label(const terms *c, const term *symbol) {
    const char *label = note_of(c, symbol).label;
    return label ? label : "";
}

uint32_t term_symbol_origin(const terms *c, const term *symbol) {
    return note_of(c, symbol).origin;
}
