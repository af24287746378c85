/* Loads and stores: checked on every access, symbolic offsets by case distinction over the places
 * of one object. */
#include "base/hash.h"
#include "machine/internal.h"
#include "machine/place.h"
#include "machine/seen.h"
#include "machine/watch.h"

/* --- checks made by the machine itself ------------------------------------------------------------------ */

static const char *const to_a_function = "pointer is to data, not to a function";
static const char *const freed_otherwise =
    "memory is freed as it was made: malloc with free, new with delete, new[] with delete[]";

static uint32_t pointer_check(machine *m, const context *c, const instruction *i, check_kind kind,
                              const char *what) {
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    uint64_t place = (uint64_t)f->function << 40 | (uint64_t)f->block << 20 | f->index;
    uint64_t key = hash_pair(place, kind | (uint64_t)(what == to_a_function || what == freed_otherwise) << 8);
    uint64_t known = map_get(&m->pointer_checks, key);
    if (known == MAP_NONE) {
        known = m->checks.size;
        vec_push(&m->checks, ((check){.kind = kind,
                                      .text = what,
                                      .thread_or_function = m->program->functions.data[f->function].name,
                                      .at = i->at}));
        map_put(&m->pointer_checks, key, known);
    }
    seen_reach(m->seen, (uint32_t)known);
    return (uint32_t)known;
}

static access_result violated(run *r, context *c, const instruction *i, check_kind kind, const char *what) {
    if (r->m->options.checks_cut) context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);
    assert(what && kind < CHECK_KINDS);
    run_violate(r, c, pointer_check(r->m, c, i, kind, what), i->at);
    return ACCESS_ENDED;
}

access_result memory_violated(run *r, context *c, const instruction *i, check_kind kind) {
    static const char *const what[CHECK_KINDS] = {[CHECK_NULL] = "pointer is not null",
                                                  [CHECK_BOUNDS] = "pointer is within its object",
                                                  [CHECK_CONSTANT] = "object may be written",
                                                  [CHECK_FREED] = "pointer is alive",
                                                  [CHECK_OVERLAP] = "memory that is copied does not overlap",
                                                  [CHECK_FREE] =
                                                      "what is freed is the start of a live heap object"};
    return violated(r, c, i, kind, what[kind]);
}

access_result memory_freed_otherwise(run *r, context *c, const instruction *i) {
    return violated(r, c, i, CHECK_FREE, freed_otherwise);
}

access_result memory_limit(run *r, context *c, const instruction *i, reason_kind reason) {
    run_limit(r, c, reason, i->at);
    return ACCESS_ENDED;
}

access_result memory_infeasible(run *r, context *c) {
    run_end(r, c, STEP_ASSUMED_AWAY);
    return ACCESS_ENDED;
}

/* --- effects -------------------------------------------------------------------------------------------- */

bool access_is_plain(const function *f, const instruction *i) {
    return i->kind != INSTR_SYNC && i->order == ORDER_PLAIN && function_can_race(f);
}

/* Atomic sections of the program order what they touch, as those of models do. */
static uint8_t sync_of_plain(access_kind kind) {
    return kind == ACCESS_READ ? SYNC_ACQUIRES : SYNC_RELEASES | SYNC_MODIFIES;
}

uint8_t access_sync(const function *f, const instruction *i, access_kind kind, bool section) {
    if (i->order == ORDER_NONE || i->order == ORDER_ASIDE) return 0;
    if (i->order == ORDER_PLAIN || i->kind == INSTR_SYNC)
        return section || !access_is_plain(f, i) ? sync_of_plain(kind) : 0;
    bool modifies = i->modifies || i->kind == INSTR_UPDATE;
    bool acquires = order_acquires(i->order) && (kind != ACCESS_WRITE || modifies);
    bool releases = order_releases(i->order) && kind != ACCESS_READ;
    return (uint8_t)(SYNC_ATOMIC | (acquires ? SYNC_ACQUIRES : 0) | (releases ? SYNC_RELEASES : 0) |
                     (modifies && kind != ACCESS_READ ? SYNC_MODIFIES : 0));
}

static const function *function_of(const run *r, const context *c) {
    const thread_part *t = c->s->threads[c->thread];
    return &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
}

seen_place place_to_tell(const run *r, const context *c, const instruction *i, const char *done) {
    const thread_part *t = c->s->threads[c->thread];
    const program *p = r->m->program;
    const function *in = thread_visible_function(p, t);
    bool is_own = in && in == &p->functions.data[t->frames[t->frame_count - 1].function];
    text about = {0};
    text_add(&about, done);
    thread_print_callers(p, t, &about);
    seen_place found = {is_own && i->at.line ? i->at : thread_position(p, t), in ? in->file : NULL,
                        arena_string(&r->m->names, text_cstr(&about), about.size)};
    text_free(&about);
    return found;
}

static seen_place tell_access(const run *r, const context *c, const instruction *i, access_kind kind,
                              uint32_t name, const char *how) {
    const char *object = name < c->s->static_count ? r->m->program->objects.data[name].name : "memory";
    text done = {0};
    if (kind == ACCESS_FENCE)
        text_format(&done, "a fence %s", how);
    else
        text_format(&done, "an atomic %s of %s %s",
                    kind == ACCESS_READ    ? "read"
                    : kind == ACCESS_WRITE ? "write"
                                           : "update",
                    object, how);
    seen_place found = place_to_tell(r, c, i, text_cstr(&done));
    text_free(&done);
    return found;
}

static void note_weak_access(run *r, const context *c, const instruction *i, access_kind kind,
                             uint32_t name) {
    if (!NOTE_FACT(r->m, weak_access)) return;
    r->m->seen->weak_access.at =
        tell_access(r, c, i, kind, name, "whose order is weaker than sequentially consistent");
}

static void note_loose_access(run *r, const context *c, const instruction *i, access_kind kind,
                              uint32_t name) {
    if (!NOTE_FACT(r->m, loose_access)) return;
    r->m->seen->loose_access.at = tell_access(r, c, i, kind, name, "that orders nothing");
}

/* Orders of models are weak on purpose, and their updates look at nothing that happened before. */
static void note_order(run *r, const context *c, const instruction *i, access_kind kind, uint32_t name) {
    const memory_object *o = state_object(c->s, name);
    if (!r->m->traits->accesses_may_race || !o->shared || c->s->thread_count < 2 || i->order == ORDER_ASIDE)
        return;
    bool model = !function_can_race(function_of(r, c));
    uint8_t sync = access_sync(function_of(r, c), i, kind, false);
    if (i->order != ORDER_NONE && !model) note_weak_access(r, c, i, kind, name);
    bool lacks_acquire = !(sync & SYNC_ACQUIRES) && kind != ACCESS_WRITE && (kind == ACCESS_READ || !model);
    bool lacks_release = !(sync & SYNC_RELEASES) && kind != ACCESS_READ;
    if (lacks_acquire || lacks_release) note_loose_access(r, c, i, kind, name);
}

void memory_fence(run *r, context *c, const instruction *i) {
    if (i->order == ORDER_NONE && c->s->thread_count > 1) {
        note_weak_access(r, c, i, ACCESS_FENCE, NO_INDEX);
        note_loose_access(r, c, i, ACCESS_FENCE, NO_INDEX);
        NOTE_FACT(r->m, lost_order);
    }
    access a = {.kind = ACCESS_FENCE};
    if (order_acquires(i->order)) a.sync |= SYNC_ACQUIRES;
    if (order_releases(i->order)) a.sync |= SYNC_RELEASES;
    if (r->how->effects && a.sync) effect_add(&c->touched, a);
}

/* Before there are other threads everything happens before all that they do. */
static bool is_early(const run *r, const context *c, uint32_t name) {
    return r->how->early && name >= c->s->static_count && c->s->thread_count > 1;
}

static void make_early(const run *r, const context *c, access *a) {
    const machine_watch *w = r->how->watch;
    a->kind = a->kind == ACCESS_READ ? ACCESS_EARLY_READ : ACCESS_EARLY_WRITE;
    if (w && w->touches_early) w->touches_early(w->data, c->s, c->thread, a);
}

void memory_touch(run *r, context *c, const instruction *i, access_kind kind, uint32_t name, uint32_t low,
                  uint32_t high) {
    const memory_object *o = state_object(c->s, name);
    assert(o && low < high); /* what is touched exists */
    if (i->order != ORDER_PLAIN && i->order != ORDER_SEQ_CST) note_order(r, c, i, kind, name);
    if (!r->how->effects) return;
    access a = {.kind = (uint8_t)kind, .name = name, .low = low, .high = high};
    if (o->taken_from) a.name = o->taken_from - 1; /* what others call it */
    if (kind == ACCESS_UPDATE) a.op = i->arith;
    if (r->m->traits->effects_are_exact) {
        if (!o->shared && !is_early(r, c, name)) return;
        const function *f = function_of(r, c);
        a.plain = access_is_plain(f, i);
        a.section = c->s->threads[c->thread]->atomic_depth > 0;
        a.sync = access_sync(f, i, kind, a.section);
        if (!o->shared) make_early(r, c, &a);
    } else if (name >= c->s->static_count) {
        a.name = o->heap ? (uint32_t)ACCESS_HEAP : (uint32_t)ACCESS_LOCALS + o->owner;
        a.low = 0;
        a.high = UINT32_MAX;
    }
    effect_add(&c->touched, a);
}

/* Whoever ended the object's life might have come later. */
void memory_touch_dead(run *r, context *c, const instruction *i, value address) {
    (void)i;
    uint32_t name = value_object(address);
    context_touch(r, c, ACCESS_READ, r->m->traits->effects_are_exact && name != NO_INDEX ? name : ACCESS_ANY);
}

/* --- where an address points ---------------------------------------------------------------------------- */

typedef struct target {
    uint32_t name, bytes;
    uint32_t low;         /* exact address */
    const term *offset;   /* symbolic address, else NULL */
    progression possible; /* its values */
    bool may_be_outside;  /* asked: no violation then ... */
    bool outside;         /* ... but this, and only the name is known */
} target;

access_result memory_find_object(run *r, context *c, const instruction *i, value address, uint32_t *name) {
    if (value_is_fragment(address)) return memory_limit(r, c, i, REASON_POINTER_BYTES);
    if (!address.base) return memory_violated(r, c, i, CHECK_NULL);
    if (address.base >= FUNCTION_BASE) return violated(r, c, i, CHECK_NULL, to_a_function);
    *name = value_object(address);
    const memory_object *o = state_object(c->s, *name);
    if (!o || o->freed) {
        memory_touch_dead(r, c, i, address);
        return memory_violated(r, c, i, CHECK_FREED);
    }
    if (!o->summary) return ACCESS_DONE;
    bool alive;
    access_result result = summary_is_alive(r, c, *name, &alive);
    if (result != ACCESS_DONE || alive) return result;
    memory_touch_dead(r, c, i, address);
    return memory_violated(r, c, i, CHECK_FREED);
}

static access_result out_of_bounds(run *r, context *c, const instruction *i, target *t) {
    t->outside = true;
    return t->may_be_outside ? ACCESS_DONE : memory_violated(r, c, i, CHECK_BOUNDS);
}

/* Resolves an address for an access of some bytes, at least 1. On ACCESS_DONE the target is usable. */
static access_result resolve(run *r, context *c, const instruction *i, value address, uint64_t bytes,
                             target *out) {
    access_result result = memory_find_object(r, c, i, address, &out->name);
    if (result != ACCESS_DONE) return result;
    assert(bytes);
    uint64_t size = object_bytes(state_object(c->s, out->name));
    if (bytes > size) return out_of_bounds(r, c, i, out);
    out->bytes = (uint32_t)bytes;
    out->offset = NULL;
    uint64_t last = size - bytes;
    bool in_text = i->a.kind != OPERAND_REGISTER && i->kind != INSTR_COPY; /* exact in every state */
    if (!in_text) address.bits = run_exact_number(r, c, address.bits);
    if (term_is_const(address.bits)) {
        if (address.bits->value > last) return out_of_bounds(r, c, i, out);
        out->low = (uint32_t)address.bits->value;
        return ACCESS_DONE;
    }
    progression p = offset_progression(r, c, address.bits);
    assert(p.step);
    bool fits_anyway = p.first <= last && (last - p.first) % p.step == 0 && p.step >= bytes;
    uint64_t end = fits_anyway ? size : last + 1;
    terms *terms = r->m->terms;
    switch (
        run_decide_inside(r, c, term_ult(terms, address.bits, term_const(terms, address.bits->width, end)))) {
    case DECIDED_FALSE: return out_of_bounds(r, c, i, out);
    case DECIDED_NEITHER: return memory_infeasible(r, c);
    case DECIDED_TRUE: break;
    }
    p.count = p.first <= last ? (last - p.first) / p.step + 1 : 0;
    out->offset = address.bits;
    out->possible = p;
    return ACCESS_DONE;
}

static uint32_t possible_place(const target *t, uint64_t k) {
    assert(t->offset && k < t->possible.count);
    return (uint32_t)(t->possible.first + k * t->possible.step);
}

static uint32_t end_of_places(const target *t) {
    return possible_place(t, t->possible.count - 1) + t->bytes;
}

enum { MOST_PLACES = 1 << 20, MOST_TRIED_PLACES = 4096 };

/* A symbolic address that must become exact, because a pointer is read or written: tries the places
 * one by one. */
static access_result make_exact(run *r, context *c, const instruction *i, target *t) {
    if (r->how->follow) {
        const term *place = run_exact_number(r, c, t->offset);
        bool fits =
            term_is_const(place) && place->value + t->bytes <= object_bytes(state_object(c->s, t->name));
        if (!fits) return memory_infeasible(r, c);
        t->low = (uint32_t)place->value;
        t->offset = NULL;
        return ACCESS_DONE;
    }
    c->needed = t->offset;
    for (uint64_t k = 0; k < t->possible.count && k < MOST_TRIED_PLACES; k++) {
        uint32_t low = possible_place(t, k);
        if (run_is_interrupted(r))
            return memory_limit(r, c, i, REASON_INTERRUPTED); /* there may be very many */
        switch (run_decide(r, c, offset_equals(r->m->terms, t->offset, low))) {
        case DECIDED_TRUE:
            t->low = low;
            t->offset = NULL;
            run_exact_number(r, c, term_const(r->m->terms, 64, low));
            return ACCESS_DONE;
        case DECIDED_NEITHER: return memory_infeasible(r, c);
        case DECIDED_FALSE: break;
        }
    }
    return memory_limit(r, c, i, REASON_MANY_PLACES);
}

access_result memory_exact_place(run *r, context *c, const instruction *i, value address, uint64_t bytes,
                                 uint32_t *name, uint32_t *low) {
    target t = {0};
    access_result result = resolve(r, c, i, address, bytes, &t);
    if (result == ACCESS_DONE && state_object(c->s, t.name)->summary)
        return memory_limit(r, c, i, REASON_SUMMARY_COPIED);
    if (result == ACCESS_DONE && t.offset) result = make_exact(r, c, i, &t);
    *name = t.name;
    *low = t.low;
    return result;
}

/* Whether whatever the address means is a number, so that the possible places can be told apart in a term. */
static bool reads_numbers(run *r, const context *c, const target *t, unsigned width) {
    const memory_object *o = state_object(c->s, t->name);
    for (uint64_t k = 0; k < t->possible.count; k++) {
        value v;
        if (cells_read(r->m, o, t->name, possible_place(t, k), width, &v) != READ_DONE || v.base)
            return false;
    }
    return true;
}

static bool can_tell_apart(run *r, const context *c, const target *t, unsigned width) {
    const memory_object *o = state_object(c->s, t->name);
    if (o->summary)
        return t->possible.count && !summary_holds_pointers(o, possible_place(t, 0), end_of_places(t));
    return t->possible.count <= MOST_PLACES && reads_numbers(r, c, t, width);
}

static void touch_target(run *r, context *c, const instruction *i, access_kind kind, const target *t) {
    assert(!t->outside && t->bytes);
    if (!t->offset) {
        memory_touch(r, c, i, kind, t->name, t->low, t->low + t->bytes);
    } else if (r->m->traits->effects_are_exact) {
        /* Updates of unknown places need not hit the same bytes: they are writes. */
        uint32_t first = possible_place(t, 0), last = possible_place(t, t->possible.count - 1);
        access_kind really = kind == ACCESS_UPDATE ? ACCESS_WRITE : kind;
        memory_touch(r, c, i, really, t->name, first, last + t->bytes);
    } else {
        memory_touch(r, c, i, kind, t->name, 0, UINT32_MAX);
    }
}

/* --- loading -------------------------------------------------------------------------------------------- */

enum { MOST_UNSET = 1 << 16 };

static bool settles(run *r, context *c, uint32_t name, uint32_t low, uint32_t bytes) {
    const memory_object *o = state_object(c->s, name);
    assert(bytes && low + bytes <= object_bytes(o));
    cell_view view = object_view(o, low);
    if (view.v.bits && low + bytes <= view.high) return true;
    uint64_t unset = cells_unset_bytes(o, low, low + bytes);
    if (unset > MOST_UNSET) return false;
    if (unset) cells_settle(r->m, c->s, name, low, low + bytes);
    c->instructions += unset / 64;
    return true;
}

/* Padding has any value, and another one whenever it is looked at: whatever is stored to the structure may
 * change it. */
static const term *any_padding(run *r, context *c, unsigned width) {
    const term *unknown = fresh_unknown(r->m, c, width, "padding");
    if (!r->how->inputs) return unknown;
    uint64_t number = 0;
    valuation_get(r->how->inputs, unknown, &number);
    return term_const(r->m->terms, width, number);
}

static access_result load_exact(run *r, context *c, const instruction *i, const target *t, unsigned width,
                                value *out) {
    assert(!t->offset);
    touch_target(r, c, i, ACCESS_READ, t);
    if (state_object(c->s, t->name)->summary) return summary_load(r, c, i, t->name, t->low, width, out);
    settles(r, c, t->name, t->low, t->bytes);
    const memory_object *o = state_object(c->s, t->name);
    read_result result = cells_read(r->m, o, t->name, t->low, width, out);
    if (result == READ_PADDING)
        result = cells_read_with(r->m, o, t->name, t->low, width, any_padding(r, c, 8 * t->bytes), out);
    if (result != READ_DONE) return memory_limit(r, c, i, REASON_POINTER_BYTES);
    return out->base ? summary_focus(r, c, t->name, t->low, out) : ACCESS_DONE;
}

/* A pointer from anywhere could be one into any object, a number is at least only a number. */
static bool reads_a_number(const run *r, const context *c, const instruction *i) {
    if (!r->m->options.unknown_outside || !r->m->traits->unmodelled_is_any_number || r->how->inputs ||
        i->kind != INSTR_LOAD)
        return false;
    const thread_part *t = c->s->threads[c->thread];
    const function *f = &r->m->program->functions.data[t->frames[t->frame_count - 1].function];
    return f->registers.data[i->dst].type.view != VIEW_POINTER;
}

access_result memory_load(run *r, context *c, const instruction *i, value address, unsigned width,
                          value *out) {
    target t = {.may_be_outside = reads_a_number(r, c, i)};
    access_result result = resolve(r, c, i, address, (width + 7) / 8, &t);
    if (result != ACCESS_DONE) return result;
    if (t.outside) {
        memory_touch(r, c, i, ACCESS_READ, t.name, 0, UINT32_MAX);
        *out = (value){fresh_unknown(r->m, c, width, "outside"), 0};
        return ACCESS_DONE;
    }
    if (t.offset && !run_stays_open(r, c, can_tell_apart(r, c, &t, width))) {
        result = make_exact(r, c, i, &t);
        if (result != ACCESS_DONE) return result;
    }
    if (!t.offset) return load_exact(r, c, i, &t, width, out);
    if (state_object(c->s, t.name)->summary) {
        touch_target(r, c, i, ACCESS_READ, &t);
        *out = (value){fresh_unknown(r->m, c, width, "one of many"), 0};
        return ACCESS_DONE;
    }
    uint32_t first = possible_place(&t, 0), last = possible_place(&t, t.possible.count - 1);
    if (!settles(r, c, t.name, first, last - first + t.bytes))
        return memory_limit(r, c, i, REASON_UNSET_READ);
    touch_target(r, c, i, ACCESS_READ, &t);
    c->instructions += t.possible.count / 64;
    const memory_object *o = state_object(c->s, t.name);
    const term *chosen = NULL;
    for (uint64_t k = t.possible.count; k-- > 0;) {
        uint32_t place = possible_place(&t, k);
        value here = {NULL, 0};
        cells_read(r->m, o, t.name, place, width, &here);
        const term *hit = offset_equals(r->m->terms, t.offset, place);
        chosen = chosen ? term_ite(r->m->terms, hit, here.bits, chosen) : here.bits;
    }
    assert(chosen && chosen->width == width);
    *out = (value){chosen, 0};
    return ACCESS_DONE;
}

/* --- storing -------------------------------------------------------------------------------------------- */

/* Initialisers are code of the function that main begins with. */
static bool is_initialising(const run *r, const context *c) {
    const thread_part *t = c->s->threads[c->thread];
    return r->m->program->functions.data[t->frames[t->frame_count - 1].function].role == FUNCTION_MAIN;
}

access_result memory_may_write(run *r, context *c, const instruction *i, uint32_t name) {
    bool constant = name < c->s->static_count && r->m->program->objects.data[name].is_constant;
    if (!r->m->traits->constants_are_protected || !constant || is_initialising(r, c)) return ACCESS_DONE;
    return memory_violated(r, c, i, CHECK_CONSTANT);
}

/* `old op v` (v alone, if ARITH_COUNT); bits NULL if that is not modelled. */
static value combined(run *r, arith op, unsigned width, value old, value v) {
    if (op == ARITH_COUNT) return v;
    assert(op == ARITH_ADD || op == ARITH_MUL || op == ARITH_AND || op == ARITH_OR || op == ARITH_XOR);
    if (old.base || v.base) {
        bool moves =
            op == ARITH_ADD && !(old.base && v.base) && !value_is_fragment(old) && !value_is_fragment(v);
        if (!moves) return (value){NULL, 0};
        return (value){term_add(r->m->terms, old.bits, v.bits), old.base | v.base};
    }
    return (value){arith_term(r->m->terms, op, width, old.bits, v.bits, NULL), 0};
}

static access_result write_exact(run *r, context *c, const instruction *i, const target *t, arith op,
                                 unsigned width, value v) {
    assert(!t->offset && t->low + t->bytes <= object_bytes(state_object(c->s, t->name)));
    value written = v;
    if (op != ARITH_COUNT) {
        value old;
        read_result read = cells_read(r->m, state_object(c->s, t->name), t->name, t->low, width, &old);
        if (read != READ_DONE)
            return memory_limit(r, c, i, read == READ_TORN ? REASON_POINTER_BYTES : REASON_PADDING_READ);
        written = combined(r, op, width, old, v);
        if (!written.bits) return memory_limit(r, c, i, REASON_POINTER_ARITHMETIC);
    }
    touch_target(r, c, i, op == ARITH_COUNT ? ACCESS_WRITE : ACCESS_UPDATE, t);
    cells_write(r->m, c->s, t->name, t->low, width, written);
    if (written.base) summary_note_copy(c->s, written);
    if (written.base && state_object(c->s, t->name)->shared) memory_publish(c->s, written);
    return ACCESS_DONE;
}

/* One of many objects is written, which keeps what it was for all that is known. */
static access_result write_summary(run *r, context *c, const instruction *i, const target *t, arith op,
                                   value v) {
    assert(state_object(c->s, t->name)->summary);
    bool stores = op == ARITH_COUNT;
    if (!stores && v.base) return memory_limit(r, c, i, REASON_POINTER_ARITHMETIC);
    touch_target(r, c, i, stores ? ACCESS_WRITE : ACCESS_UPDATE, t);
    if (t->offset) return summary_overwrite(r, c, i, t->name, possible_place(t, 0), end_of_places(t));
    return stores ? summary_store(r, c, i, t->name, t->low, t->low + t->bytes, v)
                  : summary_overwrite(r, c, i, t->name, t->low, t->low + t->bytes);
}

/* Applies `op` (or plain storing, if ARITH_COUNT) to every place the address may mean. */
static access_result write_cells(run *r, context *c, const instruction *i, value address, arith op,
                                 unsigned width, value v) {
    target t = {0};
    access_result result = resolve(r, c, i, address, (width + 7) / 8, &t);
    if (result == ACCESS_DONE) result = memory_may_write(r, c, i, t.name);
    if (result != ACCESS_DONE) return result;
    if (t.offset && !run_stays_open(r, c, !v.base && can_tell_apart(r, c, &t, width))) {
        result = make_exact(r, c, i, &t);
        if (result != ACCESS_DONE) return result;
    }
    if (state_object(c->s, t.name)->summary) return write_summary(r, c, i, &t, op, v);
    if (!t.offset) return write_exact(r, c, i, &t, op, width, v);
    touch_target(r, c, i, op == ARITH_COUNT ? ACCESS_WRITE : ACCESS_UPDATE, &t);
    c->instructions += t.possible.count / 64;
    for (uint64_t k = 0; k < t.possible.count; k++) { /* one of them is hit: places may overlap */
        uint32_t place = possible_place(&t, k);
        const term *hit = offset_equals(r->m->terms, t.offset, place);
        if (term_is_false(hit)) continue;
        value old = {NULL, 0};
        cells_read(r->m, state_object(c->s, t.name), t.name, place, width, &old);
        const term *written = combined(r, op, width, old, v).bits;
        assert(!old.base && written->width == old.bits->width);
        value mixed = {term_ite(r->m->terms, hit, written, old.bits), 0};
        cells_write(r->m, c->s, t.name, place, width, mixed);
    }
    return ACCESS_DONE;
}

static unsigned operand_width(const run *r, const operand *o) {
    bool pointer = o->kind == OPERAND_OBJECT || o->kind == OPERAND_LOCAL || o->kind == OPERAND_FUNCTION;
    return pointer ? r->m->program->pointer_bits : o->width;
}

access_result memory_store(run *r, context *c, const instruction *i, value address, value v) {
    return write_cells(r, c, i, address, ARITH_COUNT, operand_width(r, &i->b), v);
}

access_result memory_update(run *r, context *c, const instruction *i, value address, arith op, value v) {
    return write_cells(r, c, i, address, op, operand_width(r, &i->b), v);
}

/* --- the whole object ----------------------------------------------------------------------------------- */

access_result memory_havoc(run *r, context *c, const instruction *i, value address) {
    uint32_t name;
    access_result result = memory_find_object(r, c, i, address, &name);
    if (result == ACCESS_DONE) result = memory_may_write(r, c, i, name);
    if (result != ACCESS_DONE) return result;
    if (state_object(c->s, name)->summary) return memory_limit(r, c, i, REASON_SUMMARY_ANY_CONTENT);
    const layout *shape = state_object(c->s, name)->shape;
    uint64_t cells = (uint64_t)state_object(c->s, name)->count * shape->cells;
    if (cells > r->m->traits->most_unknown_cells) return memory_limit(r, c, i, REASON_LARGE_UNKNOWN_CONTENT);
    memory_touch(r, c, i, ACCESS_WRITE, name, 0, UINT32_MAX);
    for (uint64_t k = 0; k < cells; k++) {
        const cell_type *cell = &shape->cell[k % shape->cells];
        uint32_t low = (uint32_t)(k / shape->cells) * shape->stride + cell->offset;
        if (cell->type.view == VIEW_POINTER) continue;
        const machine_watch *w = r->how->watch;
        if (w && w->finds) w->finds(w->data, i->extra, next_input(r->m, c, i->extra, cell->type));
        value fresh = fresh_input(r->m, c, i->extra, cell->type);
        cells_write(r->m, c->s, name, low, cell->type.width, fresh);
    }
    return ACCESS_DONE;
}
