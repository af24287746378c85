/* Copying and filling ranges of bytes. */
#include "machine/internal.h"

enum { MOST_LENGTHS = 1024, MOST_UNSET = 1 << 16 };

/* The length, told apart into cases where it is open. None of it may reach behind the objects
 * of these addresses. */
static access_result exact_length(run *r, context *c, const instruction *i, value length,
                                  const value *addresses, unsigned count, uint64_t *out) {
    if (!length.base && term_is_const(length.bits)) {
        *out = length.bits->value;
        return ACCESS_DONE;
    }
    if (length.base) return memory_limit(r, c, i, REASON_OPEN_LENGTH);
    terms *terms = r->m->terms;
    unsigned width = length.bits->width;
    switch (run_decide_inside(r, c, term_eq(terms, length.bits, term_const(terms, width, 0)))) {
    case DECIDED_TRUE: *out = 0; return ACCESS_DONE;
    case DECIDED_NEITHER: return memory_infeasible(r, c);
    case DECIDED_FALSE: break;
    }
    uint64_t most = UINT64_MAX;
    for (unsigned k = 0; k < count; k++) {
        uint32_t name;
        access_result result = memory_find_object(r, c, i, addresses[k], &name);
        if (result != ACCESS_DONE) return result;
        uint64_t size = object_bytes(state_object(c->s, name));
        if (size < most) most = size;
    }
    switch (run_decide_inside(r, c, term_ule(terms, length.bits, term_const(terms, width, most)))) {
    case DECIDED_FALSE: return memory_violated(r, c, i, CHECK_BOUNDS);
    case DECIDED_NEITHER: return memory_infeasible(r, c);
    case DECIDED_TRUE: break;
    }
    return memory_exact_number(r, c, i, length, MOST_LENGTHS, out, REASON_OPEN_LENGTH);
}

static void publish_all(context *c, const laid_cells *cells) {
    for (size_t k = 0; k < cells->size; k++) memory_publish(c->s, cells->data[k].v);
}

static void note_copies(context *c, const laid_cells *cells) {
    for (size_t k = 0; k < cells->size; k++) summary_note_copy(c->s, cells->data[k].v);
}

access_result memory_copy(run *r, context *c, const instruction *i, value to, value from, value length) {
    uint64_t bytes;
    access_result result = exact_length(r, c, i, length, (value[]){to, from}, 2, &bytes);
    if (result != ACCESS_DONE || !bytes) return result;
    uint32_t target, target_low, source, source_low;
    result = memory_exact_place(r, c, i, from, bytes, &source, &source_low);
    if (result == ACCESS_DONE) result = memory_exact_place(r, c, i, to, bytes, &target, &target_low);
    if (result == ACCESS_DONE) result = memory_may_write(r, c, i, target);
    if (result != ACCESS_DONE) return result;
    uint32_t source_high = source_low + (uint32_t)bytes, target_high = target_low + (uint32_t)bytes;
    if (cells_unset_bytes(state_object(c->s, source), source_low, source_high) > MOST_UNSET)
        return memory_limit(r, c, i, REASON_UNSET_COPIED);

    memory_touch(r, c, i, ACCESS_READ, source, source_low, source_high);
    memory_touch(r, c, i, ACCESS_WRITE, target, target_low, target_high);
    /* A copied byte is the same unknown value as the original. */
    cells_settle(r->m, c->s, source, source_low, source_high);
    laid_cells cells = {0};
    cells_gather(r->m, state_object(c->s, source), source_low, source_high, &cells);
    assert(cells.size && cells.data[0].start == source_low);
    for (size_t k = 0; k < cells.size; k++)
        cells.data[k].start = cells.data[k].start - source_low + target_low;
    c->instructions += cells.size / 16;
    cells_place(r->m, c->s, target, target_high, &cells);
    note_copies(c, &cells);
    if (state_object(c->s, target)->shared) publish_all(c, &cells);
    vec_free(&cells);
    return ACCESS_DONE;
}

access_result memory_take(run *r, context *c, const instruction *i, value from, uint32_t bytes) {
    uint32_t source, low;
    access_result result = memory_exact_place(r, c, i, from, bytes, &source, &low);
    if (result != ACCESS_DONE) return result;
    cells_settle(r->m, c->s, source, low, low + bytes);
    laid_cells cells = {0};
    cells_gather(r->m, state_object(c->s, source), low, low + bytes, &cells);
    assert(cells.size && bytes && bytes <= 8 && !c->s->threads[c->thread]->held);
    thread_part *t = state_own_thread(c->s, c->thread);
    t->result = cells.data[0].v;
    t->held = cells.size > 1 ? cells.data[1].start - low : bytes;
    memory_touch(r, c, i, ACCESS_READ, source, low, low + t->held);
    vec_free(&cells);
    return ACCESS_DONE;
}

access_result memory_put(run *r, context *c, const instruction *i, value to) {
    uint32_t target, low, bytes = c->s->threads[c->thread]->held;
    assert(bytes && bytes <= 8); /* a piece was taken */
    access_result result = memory_exact_place(r, c, i, to, bytes, &target, &low);
    if (result == ACCESS_DONE) result = memory_may_write(r, c, i, target);
    if (result != ACCESS_DONE) return result;
    thread_part *t = state_own_thread(c->s, c->thread);
    laid_cells cells = {0};
    vec_push(&cells, ((laid_cell){t->result, low}));
    t->result = (value){NULL, 0};
    t->held = 0;
    memory_touch(r, c, i, ACCESS_WRITE, target, low, low + bytes);
    cells_place(r->m, c->s, target, low + bytes, &cells);
    note_copies(c, &cells);
    publish_all(c, &cells);
    vec_free(&cells);
    return ACCESS_DONE;
}

access_result memory_fill(run *r, context *c, const instruction *i, value to, value byte, value length) {
    uint64_t bytes;
    access_result result = exact_length(r, c, i, length, &to, 1, &bytes);
    if (result != ACCESS_DONE || !bytes) return result;
    if (byte.base) return memory_limit(r, c, i, REASON_POINTER_BYTE_FILLS);
    uint32_t target, low;
    result = memory_exact_place(r, c, i, to, bytes, &target, &low);
    if (result == ACCESS_DONE) result = memory_may_write(r, c, i, target);
    if (result != ACCESS_DONE) return result;
    uint32_t high = low + (uint32_t)bytes;
    memory_touch(r, c, i, ACCESS_WRITE, target, low, high);
    cells_fill(r->m, c->s, target, low, high, byte.bits);
    return ACCESS_DONE;
}
