#include "transform/tidy.h"

#include "analysis/flow.h"

static instruction *terminator(function *f, uint32_t b) {
    return &vec_last(&f->blocks.data[b].code);
}

static unsigned successors(const instruction *i) {
    return i->kind == INSTR_BRANCH ? 2 : i->kind == INSTR_JUMP ? 1 : 0;
}

/* Targets of back edges of a depth-first walk. */
static bool *find_heads(function *f) {
    bool *heads = mem_zero(f->blocks.size, sizeof *heads);
    /* 0: never entered, 1: done; else 2 + successors. */
    uint8_t *left = mem_zero(f->blocks.size, sizeof *left);
    VEC(uint32_t) path = {0};
    vec_push(&path, 0);
    left[0] = (uint8_t)(2 + successors(terminator(f, 0)));
    while (path.size) {
        uint32_t b = vec_last(&path);
        if (left[b] == 2) {
            left[b] = 1;
            (void)vec_pop(&path);
            continue;
        }
        uint32_t to = terminator(f, b)->target[--left[b] - 2];
        heads[to] |= left[to] > 1;
        if (left[to]) continue;
        left[to] = (uint8_t)(2 + successors(terminator(f, to)));
        vec_push(&path, to);
    }
    vec_free(&path);
    mem_free(left);
    return heads;
}

static bool only_jumps(function *f, uint32_t b) {
    return f->blocks.data[b].code.size == 1 && terminator(f, b)->kind == INSTR_JUMP &&
           !terminator(f, b)->ends_statement;
}

/* The head of a loop that begins with another loop: without it the two would look like one, which is left
 * where only the inner one is. */
static bool keeps_loops_apart(function *f, uint32_t b, const bool *heads) {
    if (!heads[b]) return false;
    uint32_t to = terminator(f, b)->target[0];
    for (size_t steps = 0; only_jumps(f, to) && !heads[to] && steps <= f->blocks.size; steps++)
        to = terminator(f, to)->target[0];
    return to != b && heads[to];
}

static bool is_passed(function *f, uint32_t b, const bool *heads) {
    return only_jumps(f, b) && !keeps_loops_apart(f, b, heads);
}

/* The block in which something happens after a jump to b; an endless chain of jumps ends anywhere
 * in its cycle. */
static uint32_t real_target(function *f, uint32_t b, uint32_t *known, const bool *heads) {
    uint32_t end = b;
    for (size_t steps = 0; is_passed(f, end, heads) && known[end] == NO_INDEX && steps <= f->blocks.size;
         steps++)
        end = terminator(f, end)->target[0];
    if (known[end] != NO_INDEX) end = known[end];
    for (uint32_t k = b; k != end && known[k] == NO_INDEX; k = terminator(f, k)->target[0]) known[k] = end;
    return known[b] = end;
}

static void shorten_jumps(function *f) {
    uint32_t *known = mem_alloc(f->blocks.size * sizeof *known);
    bool *heads = find_heads(f);
    memset(known, 0xff, f->blocks.size * sizeof *known);
    for (uint32_t b = 0; b < f->blocks.size; b++) {
        instruction *last = terminator(f, b);
        for (unsigned k = 0; k < successors(last); k++)
            last->target[k] = real_target(f, last->target[k], known, heads);
        if (last->kind == INSTR_BRANCH && last->target[0] == last->target[1]) {
            last->kind = INSTR_JUMP;
            last->a = operand_none();
            last->target[1] = 0;
        }
    }
    mem_free(heads);
    mem_free(known);
}

/* How many reachable blocks lead to each block; the entry counts as one more for itself. */
static uint32_t *count_ways(function *f) {
    uint32_t *ways = mem_zero(f->blocks.size, sizeof *ways);
    VEC(uint32_t) work = {0};
    vec_push(&work, 0);
    ways[0] = 1;
    while (work.size) {
        const instruction *last = terminator(f, vec_pop(&work));
        for (unsigned k = 0; k < successors(last); k++)
            if (ways[last->target[k]]++ == 0) vec_push(&work, last->target[k]);
    }
    vec_free(&work);
    return ways;
}

static void append_block(function *f, uint32_t to, uint32_t from) {
    assert(to != from && terminator(f, to)->kind == INSTR_JUMP && terminator(f, to)->target[0] == from);
    block *first = &f->blocks.data[to], *second = &f->blocks.data[from];
    (void)vec_pop(&first->code);
    for (size_t k = 0; k < second->code.size; k++) vec_push(&first->code, second->code.data[k]);
    vec_clear(&second->code);
}

/* Joins each block with the one it jumps to if no other leads there. */
static void join_straight_pieces(function *f, uint32_t *ways) {
    for (uint32_t b = 0; b < f->blocks.size; b++) {
        if (!ways[b]) continue;
        for (;;) {
            const instruction *last = terminator(f, b);
            uint32_t next = last->target[0];
            if (last->kind != INSTR_JUMP || next == b || ways[next] != 1 || next == 0) break;
            append_block(f, b, next);
            ways[next] = 0;
        }
    }
}

/* Reachable blocks so that each one stands behind those that lead to it, back edges aside;
 * first successors first. */
static uint32_t *reading_order(function *f, const uint32_t *ways, uint32_t *count) {
    uint32_t *order = mem_alloc(f->blocks.size * sizeof *order),
             *next = mem_zero(f->blocks.size, sizeof *next);
    uint32_t free_place = 0;
    for (uint32_t b = 0; b < f->blocks.size; b++) free_place += ways[b] != 0;
    *count = free_place;
    VEC(uint32_t) path = {0};
    vec_push(&path, 0);
    /* 0: never entered; else 1 + successors left to visit, the last one first. */
    next[0] = 1 + successors(terminator(f, 0));
    while (path.size) {
        uint32_t b = vec_last(&path);
        if (next[b] == 1) {
            order[--free_place] = b;
            (void)vec_pop(&path);
            continue;
        }
        uint32_t to = terminator(f, b)->target[--next[b] - 1];
        if (next[to]) continue;
        next[to] = 1 + successors(terminator(f, to));
        vec_push(&path, to);
    }
    assert(!free_place && order[0] == 0); /* each has its place, and the entry comes first */
    vec_free(&path);
    mem_free(next);
    return order;
}

static void keep_reachable(function *f, const uint32_t *ways) {
    uint32_t kept, *order = reading_order(f, ways, &kept),
                   *renamed = mem_alloc(f->blocks.size * sizeof *renamed);
    block *blocks = mem_alloc(kept * sizeof *blocks);
    for (uint32_t b = 0; b < f->blocks.size; b++)
        if (!ways[b]) vec_free(&f->blocks.data[b].code);
    for (uint32_t k = 0; k < kept; k++) {
        blocks[k] = f->blocks.data[order[k]];
        renamed[order[k]] = k;
    }
    memcpy(f->blocks.data, blocks, kept * sizeof *blocks);
    f->blocks.size = kept;
    for (uint32_t b = 0; b < kept; b++) {
        instruction *last = terminator(f, b);
        for (unsigned k = 0; k < successors(last); k++) last->target[k] = renamed[last->target[k]];
    }
    mem_free(blocks);
    mem_free(renamed);
    mem_free(order);
}

/* Blocks end, lead to each other, and each but the first is led to. */
FOR_ASSERTIONS static bool is_tidy(function *f) {
    uint32_t *ways = count_ways(f);
    bool tidy = true;
    for (uint32_t b = 0; b < f->blocks.size && tidy; b++) {
        const instruction *last = terminator(f, b);
        tidy = ways[b] && (successors(last) || last->kind == INSTR_RETURN || last->kind == INSTR_SYNC);
        for (unsigned k = 0; k < successors(last); k++) tidy &= last->target[k] < f->blocks.size;
    }
    mem_free(ways);
    return tidy;
}

/* Everybody writes a register before reading it, except for what the caller passes. */
FOR_ASSERTIONS static bool only_parameters_come_in(const function *f) {
    flow of = flow_compute(f);
    bool good = true;
    for (uint32_t k = 0; k < of.cross_count; k++)
        good &= !bits_has(of.live_in, k) || of.cross_register[k] < f->parameters;
    flow_free(&of);
    return good;
}

void tidy_function(program *p, uint32_t number) {
    function *f = &p->functions.data[number];
    shorten_jumps(f);
    uint32_t *ways = count_ways(f);
    join_straight_pieces(f, ways);
    keep_reachable(f, ways);
    mem_free(ways);
    slow_assert(is_tidy(f));
    slow_assert(only_parameters_come_in(f));
}
