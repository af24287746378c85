#include "analysis/distance.h"

#include "analysis/flow.h"
#include "base/memory.h"

typedef struct way_lengths {
    uint32_t check, end; /* to the nearest check, and to the function's end */
} way_lengths;

typedef struct function_ways {
    uint32_t *first; /* per block: index of its first instruction */
    way_lengths *at; /* per instruction, and one at the end of each block */
} function_ways;

struct distances {
    const program *p;
    function_ways *of;
};

static uint32_t sum(uint32_t a, uint32_t b) {
    return a > DISTANCE_NONE - b ? DISTANCE_NONE : a + b;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void lay_out(distances *d, uint32_t index) {
    const function *f = &d->p->functions.data[index];
    function_ways *ways = &d->of[index];
    uint32_t count = 0;
    ways->first = mem_alloc((f->blocks.size + 1) * sizeof *ways->first);
    for (size_t b = 0; b < f->blocks.size; b++) {
        ways->first[b] = count;
        count += (uint32_t)f->blocks.data[b].code.size + 1;
    }
    ways->at = mem_alloc((count + 1) * sizeof *ways->at);
    for (uint32_t k = 0; k <= count; k++) ways->at[k] = (way_lengths){DISTANCE_NONE, DISTANCE_NONE};
}

static way_lengths whole_function(const distances *d, uint32_t index) {
    return d->p->functions.data[index].blocks.size ? d->of[index].at[0] : (way_lengths){DISTANCE_NONE, 0};
}

static way_lengths before(const distances *d, const instruction *i, way_lengths after) {
    way_lengths w = {sum(after.check, 1), sum(after.end, 1)};
    if (i->kind == INSTR_CHECK) w.check = 0;
    if (i->kind == INSTR_RETURN) w = (way_lengths){DISTANCE_NONE, 1};
    if (i->kind == INSTR_CALL && i->callee != NO_INDEX) {
        way_lengths inside = whole_function(d, i->callee);
        w.check = least(sum(inside.check, 1), sum(w.check, inside.end));
        w.end = sum(w.end, inside.end);
    }
    /* Functions that are handed over are called, or started as threads, sooner or later. */
    for (uint32_t k = 0; i->kind == INSTR_CALL && k < i->arg_count; k++)
        if (i->args[k].kind == OPERAND_FUNCTION)
            w.check = least(w.check, sum(whole_function(d, i->args[k].index).check, 1));
    if (i->kind == INSTR_SYNC && i->sync == SYNC_CREATE && i->a.kind == OPERAND_FUNCTION)
        w.check = least(w.check, sum(whole_function(d, i->a.index).check, 1));
    if (i->kind == INSTR_SYNC && i->sync == SYNC_EXIT) w = (way_lengths){DISTANCE_NONE, DISTANCE_NONE};
    return w;
}

/* From the last block to the first; true if something got shorter. */
static bool go_through(distances *d, uint32_t index) {
    const function *f = &d->p->functions.data[index];
    function_ways *ways = &d->of[index];
    bool shorter = false;
    for (size_t b = f->blocks.size; b-- > 0;) {
        const block *code = &f->blocks.data[b];
        way_lengths *at = ways->at + ways->first[b];
        uint32_t targets[2], count = block_targets(code, targets);
        way_lengths w = {DISTANCE_NONE, DISTANCE_NONE};
        for (uint32_t k = 0; k < count; k++) {
            way_lengths there = ways->at[ways->first[targets[k]]];
            w = (way_lengths){least(w.check, there.check), least(w.end, there.end)};
        }
        at[code->code.size] = w;
        for (size_t k = code->code.size; k-- > 0;) {
            w = before(d, &code->code.data[k], w);
            assert(w.check <= at[k].check && w.end <= at[k].end); /* so that it comes to an end */
            shorter |= w.check < at[k].check || w.end < at[k].end;
            at[k] = w;
        }
    }
    return shorter;
}

distances *distances_compute(const program *p) {
    distances *d = mem_zero(1, sizeof *d);
    d->p = p;
    d->of = mem_zero(p->functions.size, sizeof *d->of);
    for (uint32_t k = 0; k < p->functions.size; k++) lay_out(d, k);
    bool shorter = true;
    while (shorter) {
        shorter = false;
        for (uint32_t k = 0; k < p->functions.size; k++) shorter |= go_through(d, k);
    }
    return d;
}

void distances_destroy(distances *d) {
    if (!d) return;
    for (size_t k = 0; k < d->p->functions.size; k++) {
        mem_free(d->of[k].first);
        mem_free(d->of[k].at);
    }
    mem_free(d->of);
    mem_free(d);
}

uint32_t distances_to_check(const distances *d, const call_site *stack, size_t depth) {
    uint32_t best = DISTANCE_NONE, behind = 0;
    for (size_t k = depth; k-- > 0;) {
        const function_ways *ways = &d->of[stack[k].function];
        way_lengths w = ways->at[ways->first[stack[k].block] + stack[k].index];
        best = least(best, sum(behind, w.check));
        behind = sum(behind, w.end);
    }
    return best;
}
