/* Locks in words. How they lie in memory is what the models of the library say: see
 * frontend/llvm/library/models.h, rwlock.c, barrier.c. */
#include "machine/record.h"
#include "report/trace/replay.h"

enum { CODE_SHIFT = 22, COMPLEMENT_SHIFT = 12, CODE_MASK = 1023, WORD = 4, WAITER_BITS = 64 };

const lock_place *object_lock_at(const memory_object *o, uint32_t byte, uint32_t *begin) {
    const layout *shape = object_layout(o);
    if (!shape->locks || !shape->stride) return NULL;
    uint32_t within = byte % shape->stride;
    for (uint32_t k = 0; k < shape->locks; k++) {
        const lock_place *lock = &shape->lock[k];
        assert(lock->offset + (uint64_t)lock->bytes <= shape->stride);
        if (within < lock->offset || within >= lock->offset + lock->bytes) continue;
        *begin = byte - within + lock->offset;
        return lock;
    }
    return NULL;
}

/* The 32 bits there; false: they are not known, as of memory that nobody has set. */
static bool read_word(replay *r, const memory_object *o, uint32_t at, uint32_t *out) {
    if (at + WORD > bytes_of(o)) return false;
    cell_view piece = object_view(o, at);
    if (!piece.v.bits || piece.v.base || at + WORD > piece.high) return false;
    uint64_t number = value_number(&r->names, piece.v.bits);
    bool repeats = piece.v.bits->width == 8 && piece.high - piece.low > 1;
    if (!repeats && piece.high - piece.low > 8) return false;
    *out = repeats ? (uint32_t)number * 0x01010101u : (uint32_t)(number >> 8 * (at - piece.low));
    return true;
}

/* The thread whose code it is; NO_INDEX: none. */
static uint32_t thread_of_code(uint32_t code) {
    uint32_t thread = code >> CODE_SHIFT, complement = code >> COMPLEMENT_SHIFT & CODE_MASK;
    bool is_code = complement == (~thread & CODE_MASK) && !(code & ((1u << COMPLEMENT_SHIFT) - 1));
    return is_code ? thread : NO_INDEX;
}

static bool print_holder(replay *r, const char *how, uint32_t code, text *out) {
    uint32_t thread = thread_of_code(code);
    if (thread == NO_INDEX) return false;
    text_format(out, "%s by %s", how, machine_thread_name(r->m, thread));
    return true;
}

static bool print_mutex(replay *r, const memory_object *o, uint32_t at, text *out) {
    uint32_t owner, count;
    if (!read_word(r, o, at, &owner)) return false;
    if (!owner) {
        text_add(out, "free");
        return true;
    }
    if (!print_holder(r, "locked", owner, out)) return false;
    if (read_word(r, o, at + WORD, &count) && count) text_format(out, ", %u times", count + 1);
    return true;
}

static bool print_read_write(replay *r, const memory_object *o, uint32_t at, text *out) {
    uint32_t writer, holders;
    if (!read_word(r, o, at, &writer) || !read_word(r, o, at + WORD, &holders)) return false;
    if (writer) return print_holder(r, "locked for writing", writer, out);
    if (holders)
        text_format(out, "locked for reading by %u thread%s", holders, holders == 1 ? "" : "s");
    else
        text_add(out, "free");
    return true;
}

static bool print_spin(replay *r, const memory_object *o, uint32_t at, uint64_t key, text *out) {
    uint32_t taken;
    if (!read_word(r, o, at, &taken)) return false;
    uint64_t owner = taken ? map_get(&r->spin_owners, key) : MAP_NONE;
    text_add(out, taken ? "locked" : "free");
    if (owner != MAP_NONE) text_format(out, " by %s", machine_thread_name(r->m, (uint32_t)owner));
    return true;
}

static bool print_condition(replay *r, const memory_object *o, uint32_t at, text *out) {
    uint32_t first = at + (r->p->pointer_bits == 64 ? 10 : 9) * WORD, words[2], waiting = 0;
    if (!read_word(r, o, first, &words[0]) || !read_word(r, o, first + WORD, &words[1])) return false;
    for (uint32_t t = 0; t < WAITER_BITS; t++) {
        if (!(words[t / 32] >> t % 32 & 1)) continue;
        text_format(out, "%s%s", waiting++ ? ", " : "", machine_thread_name(r->m, t));
    }
    text_add(out, !waiting ? "nobody waits" : waiting == 1 ? " waits" : " wait");
    return true;
}

static bool print_barrier(replay *r, const memory_object *o, uint32_t at, text *out) {
    uint32_t needed, arrived;
    if (!read_word(r, o, at, &needed) || !read_word(r, o, at + WORD, &arrived)) return false;
    text_format(out, "%u of %u arrived", arrived, needed);
    return true;
}

static bool print_semaphore(replay *r, const memory_object *o, uint32_t at, text *out) {
    uint32_t left;
    if (!read_word(r, o, at, &left)) return false;
    text_format(out, "%u", left);
    return true;
}

char *lock_words(replay *r, uint32_t object, const memory_object *o, const lock_place *lock, uint32_t begin) {
    text said = {0};
    bool known = false;
    switch ((lock_kind)lock->kind) {
    case LOCK_MUTEX: known = print_mutex(r, o, begin, &said); break;
    case LOCK_READ_WRITE: known = print_read_write(r, o, begin, &said); break;
    case LOCK_SPIN: known = print_spin(r, o, begin, (uint64_t)object << 32 | begin, &said); break;
    case LOCK_SEMAPHORE: known = print_semaphore(r, o, begin, &said); break;
    case LOCK_CONDITION: known = print_condition(r, o, begin, &said); break;
    case LOCK_BARRIER: known = print_barrier(r, o, begin, &said); break;
    }
    if (known) return take_text(&said);
    text_free(&said);
    return NULL;
}

void lock_note_taken(replay *r, uint32_t object, const lock_place *lock, uint32_t begin) {
    if (lock->kind == LOCK_SPIN) map_put(&r->spin_owners, (uint64_t)object << 32 | begin, r->moves);
}

char *lock_name(const object_label *of, const memory_object *o, const lock_place *lock, uint32_t begin) {
    text whole = {0};
    label_part_print(of, o, begin, lock->name, &whole);
    char *name = take_text(&whole), *inside = strstr(name, "._M_"); /* a class of the C++ library around it */
    if (inside) *inside = 0;
    return name;
}
