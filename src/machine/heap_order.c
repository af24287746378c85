/* In which order threads free and make heap memory.
 *
 * Whether a new block may lie where a freed one was depends on which came first. Nobody can tell but by
 * comparing pointers, so explorers take freeing and making for independent of each other, and both for
 * invisible, until it is seen that this is wrong: pointers to different blocks were compared, and one thread
 * frees memory while another one makes some. Explorers begin again then, with both as visible operations that
 * conflict: freeing changes what making reads, a cell of no object (ACCESS_HEAP).
 *
 * The same happens where a replay, which knows the order, excludes what was found.
 *
 * Which block was compared with which is not asked: objects have other names in states that cover each other.
 * Threads do not. */
#include "machine/internal.h"
#include "machine/seen.h"
#include "machine/setup.h"

/* All other threads have ended and were joined, or do not exist yet: whatever they did happened before, and
 * whatever they will do happens later. */
static bool is_alone_for_sure(const context *c) {
    enum { JOINED = 1 }; /* library/thread.c */
    for (uint32_t t = 0; t < c->s->thread_count; t++) {
        const thread_part *other = c->s->threads[t];
        bool over = other->status == THREAD_ENDED && other->claimed == JOINED;
        if (t != c->thread && other->status != THREAD_UNBORN && !over) return false;
    }
    return true;
}

static void note_who(uint32_t *who, const context *c) {
    bool known = *who == SEEN_SEVERAL || *who == c->thread + 1;
    if (!known && !is_alone_for_sure(c)) seen_note_who(who, c->thread);
}

static void touch_heap(const run *r, context *c, access_kind kind) {
    if (!c->s->scheduler->heap_order || !r->how->effects || !r->m->traits->effects_are_exact) return;
    effect_add(&c->touched, heap_order_access(kind));
}

access heap_order_access(access_kind kind) {
    return (access){
        .kind = (uint8_t)kind, .op = kind == ACCESS_UPDATE ? ARITH_ADD : 0, .name = ACCESS_HEAP, .high = 1};
}

void note_heap_made(run *r, context *c) {
    note_who(&r->m->seen->heap_made_by, c);
    touch_heap(r, c, ACCESS_READ);
}

void note_heap_freed(run *r, context *c) {
    note_who(&r->m->seen->heap_freed_by, c);
    touch_heap(r, c, ACCESS_UPDATE); /* two that free do not mind each other */
}

/* Of an object that is gone nobody knows whether it was on the heap. */
static bool may_be_of_heap(const context *c, value v) {
    uint32_t name = value_object(v);
    if (name == NO_INDEX || name < c->s->static_count) return false;
    const memory_object *o = state_object(c->s, name);
    return !o || o->heap;
}

void note_blocks_compared(run *r, const context *c, const instruction *i, value a, value b) {
    machine_seen *seen = r->m->seen;
    bool followed = c->s->scheduler->heap_order;
    if (followed || seen->blocks_compared.met || !r->m->traits->memory_is_bytes) return;
    if (!may_be_of_heap(c, a) || !may_be_of_heap(c, b)) return;
    NOTE_FACT(r->m, blocks_compared);
    seen->blocks_compared.at = place_to_tell(r, c, i, "pointers to blocks of the heap are compared");
}

bool seen_heap_order_is_open(const machine_seen *seen) {
    if (!seen->blocks_compared.met) return false;
    if (seen->reuse_refuted.met) return true;
    bool both = seen->heap_freed_by != SEEN_NOBODY && seen->heap_made_by != SEEN_NOBODY;
    return both && (seen->heap_freed_by != seen->heap_made_by || seen->heap_made_by == SEEN_SEVERAL);
}
