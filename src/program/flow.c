#include "program/flow.h"

uint32_t block_targets(const block *b, uint32_t out[2]) {
    const instruction *last = &vec_last(&b->code);
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

static void add_register(void *set, const operand *o) {
    if (o->kind == OPERAND_REGISTER) bits_add(set, o->index);
}

static void step_backwards(uint64_t *live, const instruction *i) {
    if (i->dst != NO_INDEX) bits_remove(live, i->dst);
    instruction_each_operand(i, add_register, live);
}

static void compute_liveness(const function *f, flow *out) {
    uint64_t *now = mem_zero(out->words, sizeof *now);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f->blocks.size; b-- > 0;) {
            const block *here = &f->blocks.data[b];
            uint32_t targets[2], count = block_targets(here, targets);
            memset(now, 0, out->words * sizeof *now);
            for (uint32_t k = 0; k < count; k++) bits_join(now, flow_live(out, targets[k], 0), out->words);
            for (size_t i = here->code.size; i-- > 0;) {
                step_backwards(now, &here->code.data[i]);
                uint64_t *row = out->live + (out->first[b] + i) * out->words;
                changed |= bits_join(row, now, out->words);
            }
        }
    }
    mem_free(now);
}

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

flow flow_compute(const function *f) {
    flow out = {.words = BITS_WORDS(f->registers.size)};
    out.first = mem_alloc((f->blocks.size + 1) * sizeof *out.first);
    uint32_t total = 0;
    for (size_t b = 0; b < f->blocks.size; b++) {
        out.first[b] = total;
        total += (uint32_t)f->blocks.data[b].code.size;
    }
    out.live = mem_zero((size_t)total * out.words + 1, sizeof *out.live);
    out.loop_heads = mem_zero(BITS_WORDS(f->blocks.size), sizeof *out.loop_heads);
    if (f->blocks.size) {
        compute_liveness(f, &out);
        find_loop_heads(f, &out);
    }
    return out;
}

void flow_free(flow *f) {
    mem_free(f->first);
    mem_free(f->live);
    mem_free(f->loop_heads);
    *f = (flow){0};
}
