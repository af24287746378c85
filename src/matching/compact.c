#include "matching/compact.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "machine/relations.h"
#include "machine/state_check.h"

typedef struct stored {
    uint64_t signature;
    uint32_t predecessor; /* NO_INDEX: stored whole, as the difference to the empty state */
    uint32_t difference;  /* where it starts in the bytes of its chunk */
    visited_entry mark;
} stored;

enum {
    CHUNK = 256,       /* states */
    LEAST_STRIDE = 64, /* of differences between two states that are stored whole */
    FIRST_SLOTS = 64
};

typedef struct chunk { /* chunks never move, and a full one has no room to spare */
    stored state[CHUNK];
    VEC(uint8_t) bytes;
} chunk;

typedef struct place { /* where a cursor stands */
    cursor cursor;
    uint32_t index;  /* NO_INDEX: at the empty state */
    uint32_t length; /* differences from the state stored whole that it is behind */
} place;

struct compact {
    machine *machine;
    parts *parts;
    VEC(chunk *) chunks;
    uint32_t count;
    uint32_t *slots; /* by signature, open addressing: 1 + index, 0: empty */
    size_t slot_count;
    /* two, because a look for a state should not lead away from where states are added */
    place adding, looking;
    changes changes; /* buffers */
    VEC(uint32_t) way;
};

compact *compact_create(machine *m) {
    compact *c = mem_zero(1, sizeof *c);
    c->machine = m;
    c->parts = parts_create();
    c->slot_count = FIRST_SLOTS;
    c->slots = mem_zero(c->slot_count, sizeof *c->slots);
    uint32_t objects = (uint32_t)machine_program(m)->objects.size;
    c->adding.index = c->looking.index = NO_INDEX;
    cursor_open(&c->adding.cursor, objects);
    cursor_open(&c->looking.cursor, objects);
    return c;
}

void compact_destroy(compact *c) {
    if (!c) return;
    for (size_t i = 0; i < c->chunks.size; i++) {
        vec_free(&c->chunks.data[i]->bytes);
        mem_free(c->chunks.data[i]);
    }
    vec_free(&c->chunks);
    mem_free(c->slots);
    cursor_close(&c->adding.cursor);
    cursor_close(&c->looking.cursor);
    vec_free(&c->changes);
    vec_free(&c->way);
    parts_destroy(c->parts);
    mem_free(c);
}

static stored *at(const compact *c, uint32_t index) {
    assert(index / CHUNK < c->chunks.size);
    return &c->chunks.data[index / CHUNK]->state[index % CHUNK];
}

visited_entry *compact_entry(const compact *c, uint32_t index) {
    return &at(c, index)->mark;
}

size_t compact_count(const compact *c) {
    return c->count;
}

size_t compact_bytes(const compact *c) {
    size_t bytes = sizeof *c + c->slot_count * sizeof *c->slots + parts_bytes(c->parts);
    for (size_t i = 0; i < c->chunks.size; i++) bytes += sizeof(chunk) + c->chunks.data[i]->bytes.capacity;
    return bytes;
}

/* --- differences as bytes ------------------------------------------------------------------------------- */

static void put_number(chunk *k, uint32_t n) {
    for (; n >= 0x80; n >>= 7) vec_push(&k->bytes, (uint8_t)(n | 0x80));
    vec_push(&k->bytes, (uint8_t)n);
}

static uint32_t get_number(const uint8_t **from) {
    uint32_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*from)++;
        assert(shift < 32);
        n |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return n;
    }
}

/* Of a state stored whole everything was 0 before. */
static void put_changes(chunk *k, const changes *list, bool whole) {
    put_number(k, (uint32_t)list->size);
    for (size_t i = 0; i < list->size; i++) {
        put_number(k, list->data[i].place);
        put_number(k, list->data[i].after);
        if (!whole) put_number(k, list->data[i].before);
    }
}

/* Moves a cursor between a state and its predecessor, in one direction or the other. */
static void cross(compact *c, cursor *k, uint32_t index, bool forwards) {
    const stored *s = at(c, index);
    assert(index < c->count && s->difference < c->chunks.data[index / CHUNK]->bytes.size);
    assert(s->predecessor == NO_INDEX || s->predecessor < index);
    const uint8_t *from = c->chunks.data[index / CHUNK]->bytes.data + s->difference;
    for (uint32_t left = get_number(&from); left; left--) {
        change what = {.place = get_number(&from)};
        what.after = get_number(&from);
        if (s->predecessor != NO_INDEX) what.before = get_number(&from);
        if (forwards)
            cursor_redo(k, c->parts, &what);
        else
            cursor_undo(k, c->parts, &what);
    }
}

/* --- the way to a state --------------------------------------------------------------------------------- */

/* Predecessors have smaller indices, so of two states the one with the larger index is never a predecessor of
 * the other: going back from it until both are the same leads to the nearest common one. The way back is only
 * worth going if it is not longer than a new start from a state stored whole. */
static void move_to(compact *c, place *p, uint32_t target) {
    vec_clear(&c->way);
    uint32_t common = p->index, back = 0, forth = target;
    while (forth != common) {
        if (common != NO_INDEX && common > forth && back < LEAST_STRIDE) {
            common = at(c, common)->predecessor;
            back++;
            continue;
        }
        vec_push(&c->way, forth);
        forth = at(c, forth)->predecessor;
        if (forth == NO_INDEX) break;
    }
    if (forth == NO_INDEX) {
        cursor_clear(&p->cursor);
        p->index = NO_INDEX;
        p->length = 0;
    }
    while (p->index != forth) {
        assert(p->length);
        cross(c, &p->cursor, p->index, false);
        p->index = at(c, p->index)->predecessor;
        p->length--;
    }
    while (c->way.size) {
        p->index = vec_pop(&c->way);
        p->length = at(c, p->index)->predecessor == NO_INDEX ? 0 : p->length + 1;
        cross(c, &p->cursor, p->index, true);
    }
}

const cursor *compact_view(compact *c, uint32_t index) {
    move_to(c, &c->looking, index);
    assert(c->looking.index == index);
    return &c->looking.cursor;
}

/* --- adding --------------------------------------------------------------------------------------------- */

static void put_slot(compact *c, uint32_t index) {
    size_t mask = c->slot_count - 1, i = at(c, index)->signature & mask;
    assert(c->count <= c->slot_count);
    while (c->slots[i]) i = (i + 1) & mask;
    c->slots[i] = index + 1;
}

static void grow_slots(compact *c) {
    mem_free(c->slots);
    c->slot_count *= 2;
    c->slots = mem_zero(c->slot_count, sizeof *c->slots);
    for (uint32_t i = 0; i < c->count; i++) put_slot(c, i);
}

static chunk *open_chunk(compact *c) {
    if (c->count % CHUNK == 0) {
        if (c->chunks.size) {
            chunk *full = vec_last(&c->chunks);
            full->bytes.capacity = full->bytes.size;
            full->bytes.data = mem_grow(full->bytes.data, full->bytes.capacity);
        }
        vec_push(&c->chunks, mem_zero(1, sizeof(chunk)));
    }
    return vec_last(&c->chunks);
}

/* What is put together from what is stored is the state that was stored. */
FOR_ASSERTIONS static bool is_restored(compact *c, uint32_t index, const state *s) {
    state *restored = cursor_state(compact_view(c, index));
    bool same = state_identical(restored, s) && restored->uncertain == s->uncertain;
    for (uint32_t t = 0; t < s->thread_count && same; t++)
        same = threads_agree(restored->threads[t], s->threads[t], RELATION_COUNTED);
    same &= state_broken_invariant(c->machine, s) || state_is_sound(c->machine, restored);
    state_release(c->machine, restored);
    return same;
}

uint32_t compact_add(compact *c, state *s, uint64_t signature, uint32_t predecessor) {
    assert(predecessor == NO_INDEX || predecessor < c->count);
    place *p = &c->adding;
    if (predecessor != NO_INDEX) move_to(c, p, predecessor);
    size_t places = cursor_places(&p->cursor);
    if (p->length >= (places > LEAST_STRIDE ? places : LEAST_STRIDE)) {
        cursor_clear(&p->cursor);
        p->index = NO_INDEX;
    }
    cursor_compare(&p->cursor, c->parts, c->machine, s, &c->changes);
    uint32_t index = c->count;
    chunk *k = open_chunk(c);
    stored *now = &k->state[index % CHUNK];
    *now = (stored){.signature = signature,
                    .predecessor = p->index,
                    .difference = (uint32_t)k->bytes.size,
                    .mark = {.id = index}};
    put_changes(k, &c->changes, p->index == NO_INDEX);
    c->count++;
    for (size_t i = 0; i < c->changes.size; i++) cursor_redo(&p->cursor, c->parts, &c->changes.data[i]);
    p->length = p->index == NO_INDEX ? 0 : p->length + 1;
    p->index = index;
    slow_assert(is_restored(c, index, s));
    if (4 * (size_t)c->count > 3 * c->slot_count)
        grow_slots(c);
    else
        put_slot(c, index);
    return index;
}

/* --- by signature --------------------------------------------------------------------------------------- */

compact_probe compact_look(const compact *c, uint64_t signature) {
    return (compact_probe){signature, signature & (c->slot_count - 1)};
}

uint32_t compact_next(const compact *c, compact_probe *probe) {
    for (;;) {
        uint32_t found = c->slots[probe->at];
        if (!found) return NO_INDEX;
        probe->at = (probe->at + 1) & (c->slot_count - 1);
        if (at(c, found - 1)->signature == probe->signature) return found - 1;
    }
}
