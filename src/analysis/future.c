/* Rows are bit sets: what may be accessed, then what may be written, both over the abstract objects of
 * points_to.h, with one more bit for waiting for threads or ending the program. First a row for all that each
 * function does, then one for each block to the function's end, then one before each instruction; equal rows
 * are stored once. */
#include "analysis/future.h"
#include "analysis/flow.h"
#include "analysis/points_to.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"

typedef struct function_rows {
    uint32_t *first_instruction; /* per block: index in row; NULL: the function is never entered */
    uint32_t *row;               /* per instruction, block by block */
} function_rows;

struct futures {
    const program *p;
    const points_to *pointers;
    uint32_t join_bit;
    size_t words; /* of half a row */
    function_rows *of;
    VEC(uint64_t) rows;
    map known_rows; /* hash -> a row with that hash */
};

/* --- rows that take over from each other ---------------------------------------------------------------- */

typedef struct row_link {
    uint32_t to, next;
} row_link;

/* Row k is words 2 * words * k ... of `bits`; rows of `to` include the row that links there. */
typedef struct row_graph {
    size_t count, words; /* of a whole row */
    uint64_t *bits;
    uint32_t *first_link;
    VEC(row_link) links;
} row_graph;

static void row_graph_open(row_graph *g, size_t count, size_t words) {
    *g = (row_graph){.count = count, .words = words};
    g->bits = mem_zero(count * words, sizeof *g->bits);
    g->first_link = mem_alloc(count * sizeof *g->first_link);
    for (size_t k = 0; k < count; k++) g->first_link[k] = NO_INDEX;
}

static uint64_t *row_graph_at(const row_graph *g, size_t k) {
    return g->bits + k * g->words;
}

static void row_graph_link(row_graph *g, uint32_t from, uint32_t to) {
    assert(from < g->count && to < g->count);
    row_link link = {to, g->first_link[from]};
    g->first_link[from] = (uint32_t)g->links.size;
    vec_push(&g->links, link);
}

FOR_ASSERTIONS static bool includes(const uint64_t *whole, const uint64_t *part, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (part[w] & ~whole[w]) return false;
    return true;
}

FOR_ASSERTIONS static bool is_spread(const row_graph *g) {
    for (uint32_t from = 0; from < g->count; from++)
        for (uint32_t k = g->first_link[from]; k != NO_INDEX; k = g->links.data[k].next)
            if (!includes(row_graph_at(g, g->links.data[k].to), row_graph_at(g, from), g->words))
                return false;
    return true;
}

static void row_graph_spread(row_graph *g) {
    VEC(uint32_t) open = {0};
    bool *is_open = mem_alloc(g->count * sizeof *is_open);
    for (uint32_t k = 0; k < g->count; k++) {
        vec_push(&open, k);
        is_open[k] = true;
    }
    while (open.size) {
        uint32_t from = vec_pop(&open);
        is_open[from] = false;
        for (uint32_t k = g->first_link[from]; k != NO_INDEX; k = g->links.data[k].next) {
            uint32_t to = g->links.data[k].to;
            if (!bits_join(row_graph_at(g, to), row_graph_at(g, from), g->words) || is_open[to]) continue;
            vec_push(&open, to);
            is_open[to] = true;
        }
    }
    vec_free(&open);
    mem_free(is_open);
    slow_assert(is_spread(g));
}

static void row_graph_close(row_graph *g) {
    mem_free(g->bits);
    mem_free(g->first_link);
    vec_free(&g->links);
}

/* --- what an instruction does --------------------------------------------------------------------------- */

static void reads(const futures *f, uint32_t function, const operand *address, uint64_t *row) {
    points_to_join(f->pointers, function, address, row);
}

static void writes(const futures *f, uint32_t function, const operand *address, uint64_t *row) {
    points_to_join(f->pointers, function, address, row);
    points_to_join(f->pointers, function, address, row + f->words);
}

static bool enters_functions(const instruction *i) {
    return i->kind == INSTR_CALL || (i->kind == INSTR_SYNC && i->sync == SYNC_CREATE);
}

/* Without the functions it enters. */
static void add_own_effect(const futures *f, uint32_t function, const instruction *i, uint64_t *row) {
    switch ((instruction_kind)i->kind) {
    case INSTR_LOAD:
    case INSTR_SIZE: reads(f, function, &i->a, row); break;
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_HAVOC:
    case INSTR_FREE:
    case INSTR_FILL: writes(f, function, &i->a, row); break;
    case INSTR_COPY:
        writes(f, function, &i->a, row);
        reads(f, function, &i->b, row);
        break;
    case INSTR_RETURN:
        if (function == f->p->threads.data[0].function) bits_add(row, f->join_bit);
        break;
    case INSTR_SYNC:
        if (i->sync == SYNC_AWAIT) reads(f, function, &i->a, row);
        if (i->sync == SYNC_JOIN || i->sync == SYNC_CLAIM || i->sync == SYNC_END) bits_add(row, f->join_bit);
        break;
    default: break;
    }
}

static void add_written(const futures *f, uint64_t place, uint64_t *row) {
    uint32_t object = points_to_object_at(f->pointers, place);
    bits_add(row, object);
    bits_add(row + f->words, object);
}

/* The variables of the frame go when the function returns, or when the thread ends anywhere below it; so do
 * those of the thread then. */
static void add_end_of_frame(const futures *f, uint32_t function, uint64_t *row) {
    const struct function *of = &f->p->functions.data[function];
    for (uint32_t k = 0; k < of->locals.size; k++) add_written(f, place_of_local(function, k), row);
    for (uint32_t k = 0; k < f->p->objects.size; k++)
        if (f->p->objects.data[k].of_thread) {
            bits_add(row, k);
            bits_add(row + f->words, k);
        }
    for (uint32_t b = 0; b < of->blocks.size; b++)
        for (uint32_t k = 0; k < of->blocks.data[b].code.size; k++) {
            const instruction *i = &of->blocks.data[b].code.data[k];
            if (i->kind == INSTR_ALLOC && i->extra == ALLOC_FRAME_UNSET)
                add_written(f, place_of_alloc(function, b, k), row);
        }
}

/* --- whole functions ------------------------------------------------------------------------------------ */

static void add_function(const futures *f, uint32_t function, row_graph *whole, function_list *targets) {
    const struct function *of = &f->p->functions.data[function];
    uint64_t *row = row_graph_at(whole, function);
    add_end_of_frame(f, function, row);
    for (size_t b = 0; b < of->blocks.size; b++)
        for (size_t k = 0; k < of->blocks.data[b].code.size; k++) {
            const instruction *i = &of->blocks.data[b].code.data[k];
            add_own_effect(f, function, i, row);
            if (!enters_functions(i)) continue;
            vec_clear(targets);
            points_to_targets(f->pointers, function, i, targets);
            for (size_t n = 0; n < targets->size; n++) row_graph_link(whole, targets->data[n], function);
        }
}

static void compute_whole_functions(const futures *f, row_graph *whole) {
    function_list targets = {0};
    row_graph_open(whole, f->p->functions.size, 2 * f->words);
    for (uint32_t k = 0; k < f->p->functions.size; k++)
        if (points_to_reaches(f->pointers, k)) add_function(f, k, whole, &targets);
    row_graph_spread(whole);
    vec_free(&targets);
}

/* --- from an instruction to the end of its function ----------------------------------------------------- */

typedef struct function_walk {
    futures *f;
    const row_graph *whole;
    uint32_t function;
    const struct function *of;
    function_list targets;
} function_walk;

static void add_effect(function_walk *w, const instruction *i, uint64_t *row) {
    add_own_effect(w->f, w->function, i, row);
    if (!enters_functions(i)) return;
    vec_clear(&w->targets);
    points_to_targets(w->f->pointers, w->function, i, &w->targets);
    for (size_t n = 0; n < w->targets.size; n++)
        bits_join(row, row_graph_at(w->whole, w->targets.data[n]), w->whole->words);
}

static void compute_blocks(function_walk *w, row_graph *blocks) {
    row_graph_open(blocks, w->of->blocks.size, w->whole->words);
    for (uint32_t b = 0; b < blocks->count; b++) {
        const block *code = &w->of->blocks.data[b];
        for (size_t k = 0; k < code->code.size; k++)
            add_effect(w, &code->code.data[k], row_graph_at(blocks, b));
        uint32_t targets[2], count = block_targets(code, targets);
        for (uint32_t k = 0; k < count; k++) row_graph_link(blocks, targets[k], b);
    }
    row_graph_spread(blocks);
}

static uint32_t store_row(futures *f, const uint64_t *row) {
    size_t words = 2 * f->words;
    slow_assert(includes(row, row + f->words, f->words)); /* what may be written may be accessed */
    uint64_t hash = hash_bytes(row, words * sizeof *row), known = map_get(&f->known_rows, hash);
    if (known != MAP_NONE && !memcmp(f->rows.data + known * words, row, words * sizeof *row))
        return (uint32_t)known;
    uint32_t index = (uint32_t)(f->rows.size / words);
    for (size_t w = 0; w < words; w++) vec_push(&f->rows, row[w]);
    if (known == MAP_NONE) map_put(&f->known_rows, hash, index);
    return index;
}

/* Backwards through the block; the row is stored again only where it grows. */
static void store_rows_of_block(function_walk *w, const row_graph *blocks, uint32_t b, uint64_t *row,
                                uint64_t *before) {
    size_t bytes = w->whole->words * sizeof *row;
    const block *code = &w->of->blocks.data[b];
    uint32_t targets[2], count = block_targets(code, targets), *out = w->f->of[w->function].row;
    out += w->f->of[w->function].first_instruction[b];
    for (uint32_t k = 0; k < count; k++) bits_join(row, row_graph_at(blocks, targets[k]), w->whole->words);
    for (size_t k = code->code.size; k-- > 0;) {
        memcpy(before, row, bytes);
        add_effect(w, &code->code.data[k], row);
        bool as_after = k + 1 < code->code.size && !memcmp(before, row, bytes);
        out[k] = as_after ? out[k + 1] : store_row(w->f, row);
    }
}

static void compute_function(function_walk *w) {
    function_rows *rows = &w->f->of[w->function];
    uint32_t instructions = 0;
    rows->first_instruction = mem_alloc(w->of->blocks.size * sizeof *rows->first_instruction);
    for (size_t b = 0; b < w->of->blocks.size; b++) {
        rows->first_instruction[b] = instructions;
        instructions += (uint32_t)w->of->blocks.data[b].code.size;
    }
    rows->row = mem_alloc(instructions * sizeof *rows->row);

    row_graph blocks;
    compute_blocks(w, &blocks);
    size_t words = w->whole->words;
    uint64_t *frame = mem_zero(words, sizeof *frame), *row = mem_zero(2 * words, sizeof *row);
    add_end_of_frame(w->f, w->function, frame);
    for (uint32_t b = 0; b < w->of->blocks.size; b++) {
        memcpy(row, frame, words * sizeof *row);
        store_rows_of_block(w, &blocks, b, row, row + words);
    }
    mem_free(frame);
    mem_free(row);
    row_graph_close(&blocks);
}

futures *futures_compute(const program *p, const points_to *pointers) {
    futures *f = mem_zero(1, sizeof *f);
    f->p = p;
    f->pointers = pointers;
    f->join_bit = (uint32_t)points_to_objects(f->pointers);
    f->words = BITS_WORDS(f->join_bit + 1);
    f->of = mem_zero(p->functions.size, sizeof *f->of);
    row_graph whole;
    compute_whole_functions(f, &whole);
    function_walk w = {.f = f, .whole = &whole};
    for (w.function = 0; w.function < p->functions.size; w.function++) {
        w.of = &p->functions.data[w.function];
        if (points_to_reaches(f->pointers, w.function)) compute_function(&w);
    }
    vec_free(&w.targets);
    row_graph_close(&whole);
    return f;
}

void futures_destroy(futures *f) {
    if (!f) return;
    for (size_t k = 0; k < f->p->functions.size; k++) {
        mem_free(f->of[k].first_instruction);
        mem_free(f->of[k].row);
    }
    mem_free(f->of);
    vec_free(&f->rows);
    map_free(&f->known_rows);
    mem_free(f);
}

/* --- answers -------------------------------------------------------------------------------------------- */

/* `half`: 0 for what is accessed, 1 for what is written. */
static bool some_frame_has(const futures *f, const call_site *stack, size_t depth, size_t half,
                           uint32_t bit) {
    for (size_t k = 0; k < depth; k++) {
        const function_rows *rows = &f->of[stack[k].function];
        if (!rows->first_instruction) return true; /* said to be never entered: nothing is known */
        assert(stack[k].block < f->p->functions.data[stack[k].function].blocks.size &&
               stack[k].index <
                   f->p->functions.data[stack[k].function].blocks.data[stack[k].block].code.size);
        uint32_t row = rows->row[rows->first_instruction[stack[k].block] + stack[k].index];
        if (bits_has(f->rows.data + (2 * row + half) * f->words, bit)) return true;
    }
    return false;
}

bool futures_may_access(const futures *f, const call_site *stack, size_t depth, uint32_t object,
                        uint64_t place, bool only_writes) {
    uint32_t bit = object != NO_INDEX ? object : points_to_object_at(f->pointers, place);
    return bit == NO_INDEX || some_frame_has(f, stack, depth, only_writes, bit);
}

bool futures_may_join(const futures *f, const call_site *stack, size_t depth) {
    return some_frame_has(f, stack, depth, 0, f->join_bit);
}
