#include "analysis/flow.h"
#include "base/invariant.h"

uint32_t block_targets(const block *b, uint32_t out[2]) {
    const instruction *last = &vec_last(&b->code); /* a block is never empty */
    assert(last->kind == INSTR_JUMP || last->kind == INSTR_BRANCH || last->kind == INSTR_RETURN ||
           last->kind == INSTR_SYNC);
    if (last->kind == INSTR_JUMP) {
        out[0] = last->target[0];
        return 1;
    }
    if (last->kind != INSTR_BRANCH) return 0;
    out[0] = last->target[0];
    out[1] = last->target[1];
    return 2;
}

void instruction_each_operand(const instruction *i, void (*visit)(void *data, const operand *o), void *data) {
    if (i->a.kind != OPERAND_NONE) visit(data, &i->a);
    if (i->b.kind != OPERAND_NONE) visit(data, &i->b);
    if (i->c.kind != OPERAND_NONE) visit(data, &i->c);
    for (uint32_t k = 0; k < i->arg_count; k++) visit(data, &i->args[k]);
}

/* --- which registers live across blocks ----------------------------------------------------------------- */

struct live_rows {
    map by_place; /* block << 32 | index -> pointer to the set */
};

typedef struct reading {
    flow *f;
    const uint64_t *written; /* earlier in the block */
} reading;

/* A register that is read before the block writes it comes from another block. */
static void note_cross(void *data, const operand *o) {
    reading *r = data;
    if (o->kind != OPERAND_REGISTER || bits_has(r->written, o->index)) return;
    if (r->f->cross[o->index] != NO_INDEX) return;
    assert(o->index < r->f->of->registers.size && r->f->cross_count < r->f->of->registers.size);
    r->f->cross_register[r->f->cross_count] = o->index;
    r->f->cross[o->index] = r->f->cross_count++;
}

static void find_cross_registers(flow *out) {
    size_t registers = out->of->registers.size;
    for (size_t r = 0; r < registers; r++) out->cross[r] = NO_INDEX;
    uint64_t *written = mem_zero(BITS_WORDS(registers) + 1, sizeof *written);
    reading r = {out, written};
    for (size_t b = 0; b < out->of->blocks.size; b++) {
        const block *here = &out->of->blocks.data[b];
        for (size_t i = 0; i < here->code.size; i++) {
            instruction_each_operand(&here->code.data[i], note_cross, &r);
            if (here->code.data[i].dst != NO_INDEX) bits_add(written, here->code.data[i].dst);
        }
        for (size_t i = 0; i < here->code.size; i++)
            if (here->code.data[i].dst != NO_INDEX) bits_remove(written, here->code.data[i].dst);
    }
    mem_free(written);
}

/* --- liveness ------------------------------------------------------------------------------------------- */

typedef struct cross_set {
    const flow *f;
    uint64_t *live;
} cross_set;

static void add_cross(void *data, const operand *o) {
    cross_set *s = data;
    if (o->kind == OPERAND_REGISTER && s->f->cross[o->index] != NO_INDEX)
        bits_add(s->live, s->f->cross[o->index]);
}

/* The set before a block, given the one behind it. */
static void through_block(const flow *f, const block *b, uint64_t *live) {
    cross_set s = {f, live};
    for (size_t i = b->code.size; i-- > 0;) {
        const instruction *n = &b->code.data[i];
        if (n->dst != NO_INDEX && f->cross[n->dst] != NO_INDEX) bits_remove(live, f->cross[n->dst]);
        instruction_each_operand(n, add_cross, &s);
    }
}

static void live_behind(const flow *f, uint32_t b, uint64_t *out) {
    uint32_t targets[2], count = block_targets(&f->of->blocks.data[b], targets);
    memset(out, 0, f->words * sizeof *out);
    for (uint32_t k = 0; k < count; k++) bits_join(out, f->live_in + targets[k] * f->words, f->words);
}

static void compute_liveness(flow *f) {
    uint64_t *now = mem_zero(f->words + 1, sizeof *now);
    for (bool changed = f->words > 0; changed;) {
        changed = false;
        for (size_t b = f->of->blocks.size; b-- > 0;) {
            live_behind(f, (uint32_t)b, now);
            through_block(f, &f->of->blocks.data[b], now);
            changed |= bits_join(f->live_in + b * f->words, now, f->words);
        }
    }
    mem_free(now);
}

/* A fixpoint: once more changes nothing. */
FOR_ASSERTIONS static bool is_settled(const flow *f) {
    uint64_t *now = mem_zero(f->words + 1, sizeof *now);
    bool settled = true;
    for (size_t b = 0; b < f->of->blocks.size && settled; b++) {
        live_behind(f, (uint32_t)b, now);
        through_block(f, &f->of->blocks.data[b], now);
        settled = !memcmp(now, f->live_in + b * f->words, f->words * sizeof *now);
    }
    mem_free(now);
    return settled;
}

static void add_register(void *set, const operand *o) {
    if (o->kind == OPERAND_REGISTER) bits_add(set, o->index);
}

static uint64_t *compute_row(const flow *f, uint32_t b, uint32_t index) {
    size_t registers = f->of->registers.size;
    uint64_t *row = mem_zero(BITS_WORDS(registers) + 1, sizeof *row),
             *behind = mem_zero(f->words + 1, sizeof *behind);
    live_behind(f, b, behind);
    for (uint32_t k = 0; k < f->cross_count; k++)
        if (bits_has(behind, k)) bits_add(row, f->cross_register[k]);
    const block *here = &f->of->blocks.data[b];
    for (size_t i = here->code.size; i-- > index;) {
        if (here->code.data[i].dst != NO_INDEX) bits_remove(row, here->code.data[i].dst);
        instruction_each_operand(&here->code.data[i], add_register, row);
    }
    mem_free(behind);
    return row;
}

const uint64_t *flow_live(const flow *f, uint32_t b, uint32_t index) {
    /* Its end is a jump or a return. */
    assert(b < f->of->blocks.size && index < f->of->blocks.data[b].code.size);
    uint64_t key = (uint64_t)b << 32 | index, known = map_get(&f->rows->by_place, key);
    if (known != MAP_NONE) return (const uint64_t *)(uintptr_t)known;
    uint64_t *row = compute_row(f, b, index);
    map_put(&f->rows->by_place, key, (uint64_t)(uintptr_t)row);
    return row;
}

/* --- loops ---------------------------------------------------------------------------------------------- */

typedef struct visit {
    uint32_t block, next;
} visit;

/* Depth-first over the blocks; an edge to a block on the stack is a back edge. */
static void find_loop_heads(const function *f, flow *out) {
    enum { NEW, OPEN, CLOSED };
    uint8_t *colour = mem_zero(f->blocks.size, 1);
    VEC(visit) stack = {0};
    vec_push(&stack, ((visit){0, 0}));
    colour[0] = OPEN;
    while (stack.size) {
        visit *top = &vec_last(&stack);
        uint32_t targets[2], count = block_targets(&f->blocks.data[top->block], targets);
        if (top->next == count) {
            colour[top->block] = CLOSED;
            stack.size--;
            continue;
        }
        uint32_t target = targets[top->next++];
        if (colour[target] == OPEN) bits_add(out->loop_heads, target);
        if (colour[target] != NEW) continue;
        colour[target] = OPEN;
        vec_push(&stack, ((visit){target, 0}));
    }
    vec_free(&stack);
    mem_free(colour);
}

static void find_joins(const function *f, flow *out) {
    uint64_t *entered = mem_zero(BITS_WORDS(f->blocks.size) + 1, sizeof *entered);
    for (size_t b = 0; b < f->blocks.size; b++) {
        uint32_t targets[2], count = block_targets(&f->blocks.data[b], targets);
        for (uint32_t k = 0; k < count; k++) {
            if (bits_has(entered, targets[k])) bits_add(out->joins, targets[k]);
            bits_add(entered, targets[k]);
        }
    }
    mem_free(entered);
}

flow flow_compute(const function *f) {
    flow out = {.of = f};
    out.cross = mem_alloc((f->registers.size + 1) * sizeof *out.cross);
    out.cross_register = mem_alloc((f->registers.size + 1) * sizeof *out.cross_register);
    find_cross_registers(&out);
    out.words = BITS_WORDS(out.cross_count);
    out.live_in = mem_zero(f->blocks.size * out.words + 1, sizeof *out.live_in);
    out.loop_heads = mem_zero(BITS_WORDS(f->blocks.size) + 1, sizeof *out.loop_heads);
    out.joins = mem_zero(BITS_WORDS(f->blocks.size) + 1, sizeof *out.joins);
    out.rows = mem_zero(1, sizeof *out.rows);
    if (f->blocks.size) {
        compute_liveness(&out);
        slow_assert(is_settled(&out));
        find_loop_heads(f, &out);
        find_joins(f, &out);
    }
    return out;
}

void flow_free(flow *f) {
    const map *rows = &f->rows->by_place;
    for (size_t i = 0; i < rows->capacity; i++)
        if (rows->slots[i].value != MAP_NONE) mem_free((uint64_t *)(uintptr_t)rows->slots[i].value);
    map_free(&f->rows->by_place);
    mem_free(f->rows);
    mem_free(f->cross);
    mem_free(f->cross_register);
    mem_free(f->live_in);
    mem_free(f->loop_heads);
    mem_free(f->joins);
    *f = (flow){0};
}

flows flows_open(const program *p) {
    return (flows){p, mem_zero(p->functions.size + 1, sizeof(flow))};
}

void flows_close(flows *f) {
    for (size_t k = 0; k < f->p->functions.size; k++)
        if (f->at[k].of) flow_free(&f->at[k]);
    mem_free(f->at);
    *f = (flows){0};
}

void flows_compute(flows *f, uint32_t function) {
    f->at[function] = flow_compute(&f->p->functions.data[function]);
}
