#include "analysis/restart.h"

#include "analysis/flow.h"
#include "base/bits.h"
#include "base/memory.h"
#include "base/vec.h"

typedef struct block_restarts {
    uint32_t until; /* behind the last instruction of the block that may start a simulation */
    bool beyond;    /* blocks that come next may */
} block_restarts;

struct restarts {
    const program *p;
    const uint64_t *addressed;
    uint64_t *functions;     /* those that may start a simulation */
    block_restarts **blocks; /* of each of them */
};

/* Blocks that control may come to. */
static uint64_t *reached_blocks(const function *f) {
    uint64_t *reached = mem_zero(BITS_WORDS(f->blocks.size), sizeof *reached);
    VEC(uint32_t) open = {0};
    vec_push(&open, 0);
    bits_add(reached, 0);
    while (open.size) {
        uint32_t targets[2], count = block_targets(&f->blocks.data[vec_pop(&open)], targets);
        for (uint32_t k = 0; k < count; k++) {
            if (bits_has(reached, targets[k])) continue;
            bits_add(reached, targets[k]);
            vec_push(&open, targets[k]);
        }
    }
    vec_free(&open);
    return reached;
}

static bool call_may_start(const restarts *r, const instruction *call) {
    if (call->callee != NO_INDEX) return bits_has(r->functions, call->callee);
    for (uint32_t f = 0; f < r->p->functions.size; f++)
        if (bits_has(r->functions, f) && bits_has(r->addressed, f) &&
            r->p->functions.data[f].parameters == call->arg_count)
            return true;
    return false;
}

/* Behind the last instruction of the block that may start a simulation; 0: none does. */
static uint32_t starts_until(const restarts *r, uint32_t number, uint32_t block) {
    const function *f = &r->p->functions.data[number];
    const struct block *b = &f->blocks.data[block];
    for (uint32_t k = (uint32_t)b->code.size; k-- > 0;) {
        const instruction *i = &b->code.data[k];
        bool first = number == r->p->elaboration.resumed && block + 1 == f->blocks.size && k == 0;
        if (i->kind == INSTR_SYNC && i->sync == SYNC_START && !first) return k + 1;
        if (i->kind == INSTR_CALL && call_may_start(r, i)) return k + 1;
    }
    return 0;
}

static bool function_starts(const restarts *r, uint32_t number) {
    const function *f = &r->p->functions.data[number];
    if (!f->blocks.size) return false;
    uint64_t *reached = reached_blocks(f);
    bool starts = false;
    for (uint32_t b = 0; b < f->blocks.size && !starts; b++)
        starts = bits_has(reached, b) && starts_until(r, number, b) > 0;
    mem_free(reached);
    return starts;
}

static void find_functions(restarts *r) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t f = 0; f < r->p->functions.size; f++) {
            if (bits_has(r->functions, f) || !function_starts(r, f)) continue;
            bits_add(r->functions, f);
            changed = true;
        }
    }
}

static bool goes_to_one(const function *f, uint32_t block, const block_restarts *found) {
    uint32_t targets[2], count = block_targets(&f->blocks.data[block], targets);
    for (uint32_t k = 0; k < count; k++)
        if (found[targets[k]].until || found[targets[k]].beyond) return true;
    return false;
}

static block_restarts *find_blocks(const restarts *r, uint32_t number) {
    const function *f = &r->p->functions.data[number];
    block_restarts *found = mem_zero(f->blocks.size, sizeof *found);
    for (uint32_t b = 0; b < f->blocks.size; b++) found[b].until = starts_until(r, number, b);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = (uint32_t)f->blocks.size; b-- > 0;) {
            if (found[b].beyond || !goes_to_one(f, b, found)) continue;
            found[b].beyond = changed = true;
        }
    }
    return found;
}

restarts *restarts_compute(const program *p, const uint64_t *addressed) {
    restarts *r = mem_zero(1, sizeof *r);
    *r = (restarts){.p = p, .addressed = addressed};
    r->functions = mem_zero(BITS_WORDS(p->functions.size) + 1, sizeof *r->functions);
    r->blocks = mem_zero(p->functions.size + 1, sizeof *r->blocks);
    find_functions(r);
    for (uint32_t f = 0; f < p->functions.size; f++)
        if (bits_has(r->functions, f)) r->blocks[f] = find_blocks(r, f);
    return r;
}

void restarts_destroy(restarts *r) {
    for (size_t f = 0; f < r->p->functions.size; f++) mem_free(r->blocks[f]);
    mem_free(r->blocks);
    mem_free(r->functions);
    mem_free(r);
}

bool restarts_in_function(const restarts *r, uint32_t function) {
    return bits_has(r->functions, function);
}

bool restarts_from(const restarts *r, uint32_t function, uint32_t block, uint32_t index) {
    const block_restarts *found = r->blocks[function];
    return found && (found[block].beyond || index < found[block].until);
}
