#include "partial/abstract.h"

#include "analysis/known.h"
#include "base/hash.h"
#include "machine/relations.h"
#include "machine/state.h"

/* --- names of places ------------------------------------------------------------------------------------ */

/* Names with bits 62 and 61; inputs have neither, unset bytes and other unknown numbers one of them.
 *
 *     bits 60 and 59 clear     the cell of object (bits 32 .. 58) at byte (bits 0 .. 30)
 *     bit 60                   register (17 bits) of function (18) in frame (12) of thread (12)
 *     bit 59                   result of thread (bits 0 .. 16)
 *     bit 31 (17 of registers and results)   its high bits: a pointer's offset, whose low bits are 0 */
enum {
    REGISTER_BITS = 17,
    CELL_SCALED = 31,
    REGISTER_SCALED = 17,
    FUNCTION_BITS = 18,
    DEPTH_BITS = 12,
    FUNCTION_SHIFT = REGISTER_BITS + 1,
    DEPTH_SHIFT = FUNCTION_SHIFT + FUNCTION_BITS,
    THREAD_SHIFT = DEPTH_SHIFT + DEPTH_BITS
};

static const uint64_t place_bits = UINT64_C(3) << 61, register_bit = UINT64_C(1) << 60,
                      result_bit = UINT64_C(1) << 59;

bool abstract_is_place(const term *symbol) {
    return term_is_symbol(symbol) && (symbol->value & place_bits) == place_bits &&
           !term_symbol_is_primed(symbol);
}

static uint64_t bits_of(uint64_t name, unsigned shift, unsigned count) {
    return name >> shift & ((UINT64_C(1) << count) - 1);
}

static const term *cell_place(machine *m, uint32_t object, uint32_t low, unsigned width) {
    assert(!(object >> 27) && !(low >> CELL_SCALED)); /* there are so many bits for them */
    return term_symbol(machine_terms(m), width, place_bits | (uint64_t)object << 32 | low, "cell", NO_INDEX);
}

/* NULL: the numbers do not fit. */
static const term *register_place(machine *m, uint32_t thread, uint32_t depth, uint32_t function_index,
                                  uint32_t reg, unsigned width) {
    if (thread >> 12 || depth >> DEPTH_BITS || function_index >> FUNCTION_BITS || reg >> REGISTER_BITS)
        return NULL;
    uint64_t name = place_bits | register_bit | (uint64_t)thread << THREAD_SHIFT |
                    (uint64_t)depth << DEPTH_SHIFT | (uint64_t)function_index << FUNCTION_SHIFT | reg;
    return term_symbol(machine_terms(m), width, name, "register", NO_INDEX);
}

static const term *result_place(machine *m, uint32_t thread, unsigned width) {
    assert(!(thread >> REGISTER_BITS));
    return term_symbol(machine_terms(m), width, place_bits | result_bit | thread, "result", NO_INDEX);
}

static bool is_scaled(const term *place) {
    uint64_t name = place->value;
    return name >> (name & (register_bit | result_bit) ? REGISTER_SCALED : CELL_SCALED) & 1;
}

/* The high bits of what a place holds. */
static const term *scaled_place(machine *m, const term *place, unsigned width) {
    bool cell = !(place->value & (register_bit | result_bit));
    uint64_t name = place->value | UINT64_C(1) << (cell ? CELL_SCALED : REGISTER_SCALED);
    return term_symbol(machine_terms(m), width, name, "offset", NO_INDEX);
}

/* What a place means if v is there. */
static value fitting(machine *m, value v, const term *place) {
    value none = {NULL, 0};
    if (!v.bits || value_is_fragment(v)) return none;
    if (!is_scaled(place)) return v.bits->width == place->width ? v : none;
    unsigned pointer_bits = machine_program(m)->pointer_bits;
    if (!v.base || v.bits->width != pointer_bits) return none;
    return (value){term_extract(machine_terms(m), v.bits, pointer_bits - place->width, place->width), v.base};
}

static value register_value(machine *m, const state *s, const term *place) {
    uint64_t name = place->value;
    uint32_t thread = (uint32_t)bits_of(name, THREAD_SHIFT, 12),
             depth = (uint32_t)bits_of(name, DEPTH_SHIFT, DEPTH_BITS);
    if (thread >= s->thread_count || depth >= s->threads[thread]->frame_count) return (value){NULL, 0};
    const thread_part *t = s->threads[thread];
    const frame *f = &t->frames[depth];
    if (f->function != bits_of(name, FUNCTION_SHIFT, FUNCTION_BITS)) return (value){NULL, 0};
    return fitting(m, t->values[f->registers + bits_of(name, 0, REGISTER_BITS)], place);
}

value abstract_value(machine *m, const state *s, const term *place) {
    uint64_t name = place->value;
    if (name & register_bit) return register_value(m, s, place);
    if (name & result_bit) {
        uint32_t thread = (uint32_t)bits_of(name, 0, REGISTER_BITS);
        return thread < s->thread_count ? fitting(m, s->threads[thread]->result, place) : (value){NULL, 0};
    }
    uint32_t object = (uint32_t)bits_of(name, 32, 27), low = (uint32_t)bits_of(name, 0, CELL_SCALED);
    unsigned width = is_scaled(place) ? machine_program(m)->pointer_bits : place->width;
    return fitting(m, memory_peek(m, s, object, low, width), place);
}

bool abstract_is_unset(const state *s, const term *place) {
    uint64_t first;
    uint32_t bytes;
    if (!abstract_is_cell(place, &first, &bytes)) return false;
    const memory_object *o = state_object(s, abstract_object_of(place));
    if (o && o->summary) return false; /* it has no places */
    uint64_t low = bits_of(first, 0, CELL_SCALED), size = o ? object_bytes(o) : 0;
    if (is_scaled(place)) bytes = 8;
    uint64_t high = low + bytes < size ? low + bytes : size;
    return low < high && cells_unset_bytes(o, (uint32_t)low, (uint32_t)high);
}

/* Names of unset bytes have bit 62 alone, and no more than 58 bits below. */
static const uint64_t unset_bit = UINT64_C(1) << 62, other_bit = UINT64_C(1) << 58;

bool abstract_is_unset_byte(const term *symbol) {
    return (symbol->value & (place_bits | other_bit)) == unset_bit;
}

const term *abstract_other_byte(machine *m, uint64_t number) {
    return term_symbol(machine_terms(m), 8, unset_bit | other_bit | number, "uninitialised", NO_INDEX);
}

uint32_t abstract_function_of(const term *place) {
    return place->value & register_bit ? (uint32_t)bits_of(place->value, FUNCTION_SHIFT, FUNCTION_BITS)
                                       : NO_INDEX;
}

uint64_t abstract_variable(const term *place) {
    uint64_t name = place->value;
    if (!(name & register_bit)) return name;
    return name & ~((UINT64_C(1) << 60) - (UINT64_C(1) << DEPTH_SHIFT));
}

uint32_t abstract_owner(const state *s, const term *place) {
    uint64_t name = place->value;
    if (name & register_bit) return (uint32_t)bits_of(name, THREAD_SHIFT, 12);
    if (name & result_bit) return (uint32_t)bits_of(name, 0, REGISTER_BITS);
    const memory_object *o = state_object(s, (uint32_t)bits_of(name, 32, 27));
    bool of_frame = o && o->source_name == NO_INDEX && !o->heap && !o->shared;
    return of_frame ? o->owner : NO_INDEX;
}

uint32_t abstract_object_of(const term *place) {
    return place->value & (register_bit | result_bit) ? NO_INDEX : (uint32_t)bits_of(place->value, 32, 27);
}

uint64_t abstract_byte(uint32_t object, uint32_t byte) {
    return place_bits | (uint64_t)object << 32 | byte;
}

bool abstract_is_cell(const term *place, uint64_t *first_byte, uint32_t *bytes) {
    if (place->value & (register_bit | result_bit)) return false;
    *first_byte = place->value & ~(UINT64_C(1) << CELL_SCALED);
    *bytes = (place->width + 7) / 8;
    return true;
}

void abstract_place_name(const machine *m, const term *place, text *out) {
    uint64_t name = place->value;
    if (name & register_bit) {
        const function *f = &machine_program(m)->functions.data[bits_of(name, FUNCTION_SHIFT, FUNCTION_BITS)];
        const char *written = f->registers.data[bits_of(name, 0, REGISTER_BITS)].name;
        text_format(out, "%s", written ? written : "");
        if (!written) text_format(out, "r%u", (unsigned)bits_of(name, 0, REGISTER_BITS));
        text_format(out, " of %s", f->name);
    } else if (name & result_bit) {
        text_format(out, "result of thread %u", (unsigned)bits_of(name, 0, REGISTER_BITS));
    } else {
        uint32_t object = (uint32_t)bits_of(name, 32, 27);
        if (object < machine_program(m)->objects.size)
            program_cell_name(machine_program(m), object, (uint32_t)bits_of(name, 0, CELL_SCALED), out);
        else
            text_format(out, "object %u byte %u", object, (unsigned)bits_of(name, 0, CELL_SCALED));
    }
    if (is_scaled(place)) text_add(out, " (offset)");
}

/* --- forgetting ----------------------------------------------------------------------------------------- */

typedef struct forgetting {
    machine *m;
    state *s;
    abstract_keeps keeps;
    void *data;
    reason_kind trouble;
} forgetting;

/* That an offset is aligned shows in its term and nowhere else. */
static const term *forgotten_offset(machine *m, const term *offset, const term *place) {
    uint64_t alignment = offset_alignment(offset);
    unsigned zeros = 0, width = offset->width;
    while (alignment >>= 1) zeros++;
    if (!zeros) return place;
    const term *high = scaled_place(m, place, width - zeros);
    return term_mul(machine_terms(m), term_zext(machine_terms(m), high, width),
                    term_const(machine_terms(m), width, UINT64_C(1) << zeros));
}

/* What a place holds afterwards. */
static value forgotten(forgetting *f, value v, const term *place, bool stays) {
    if (!v.bits || v.bits == place) return v;
    bool constant = term_is_const(v.bits);
    if (v.base && constant) return v;
    if (value_is_fragment(v)) {
        f->trouble = REASON_OPEN_OFFSET_TORN;
        return v;
    }
    if (!place) {
        f->trouble = REASON_LARGE_CONTROL;
        return v;
    }
    if (constant && stays) return v;
    if (v.base) return (value){forgotten_offset(f->m, v.bits, place), v.base};
    const term *kept = f->keeps ? f->keeps(f->data, place, v.bits) : NULL;
    assert(!kept || (term_is_const(kept) && kept->width == place->width));
    return (value){kept ? kept : place, 0};
}

/* What nobody writes is as good as constant. */
static bool is_still(const machine *m, uint32_t object, uint32_t low, unsigned width) {
    const segments *all = machine_segments(m);
    return all && all->still &&
           still_load(all->still, known_address(object, low), width).is != KNOWN_ANYTHING;
}

static value forgotten_cell(forgetting *f, const memory_object *o, uint32_t name, uint32_t cell) {
    value v = o->cell[cell];
    if (!v.bits || (v.base && term_is_const(v.bits))) return v;
    bool null =
        term_is_const(v.bits) && !v.bits->value && v.bits->width == machine_program(f->m)->pointer_bits;
    bool stays = o->ragged ? null : o->shape->cell[cell % o->shape->cells].type.view == VIEW_POINTER;
    stays |= name < f->s->static_count && machine_program(f->m)->objects.data[name].is_constant;
    uint32_t low = object_cell_view(o, cell).low;
    stays |= is_still(f->m, name, low, v.bits->width);
    return forgotten(f, v, cell_place(f->m, name, low, v.bits->width), stays);
}

static void forget_object(forgetting *f, uint32_t name) {
    const memory_object *o = state_object(f->s, name);
    memory_object *own = NULL;
    if (o->summary) return; /* constants in it are no numbers of places */
    for (uint32_t i = 0; i < o->cells; i++) {
        value v = forgotten_cell(f, o, name, i);
        if (value_equal(v, o->cell[i])) continue;
        if (!own) o = own = state_own_object(f->s, name);
        own->cell[i] = v;
    }
}

static void forget_thread(forgetting *f, uint32_t thread) {
    const thread_part *t = f->s->threads[thread];
    thread_part *own = NULL;
    for (uint32_t k = 0; k < t->frame_count; k++) {
        frame at = t->frames[k];
        const function *of = &machine_program(f->m)->functions.data[at.function];
        for (uint32_t i = 0; i < of->registers.size; i++) {
            value old = t->values[at.registers + i];
            if (!old.bits) continue;
            const term *place = register_place(f->m, thread, k, at.function, i, old.bits->width);
            value v = forgotten(f, old, place, of->registers.data[i].type.view == VIEW_POINTER);
            if (value_equal(v, old)) continue;
            if (!own) t = own = state_own_thread(f->s, thread);
            own->values[at.registers + i] = v;
        }
    }
    if (!t->result.bits) return;
    bool null = term_is_const(t->result.bits) && !t->result.bits->value;
    value v = forgotten(f, t->result, result_place(f->m, thread, t->result.bits->width), null);
    if (!value_equal(v, t->result)) state_own_thread(f->s, thread)->result = v;
}

reason_kind abstract_forget(machine *m, state *s, abstract_keeps keeps, void *data) {
    assert(s->refs == 1);
    forgetting f = {m, s, keeps, data, REASON_NONE};
    for (uint32_t i = 0; i < s->static_count; i++) forget_object(&f, i);
    for (uint32_t i = 0; i < s->dynamic_count; i++) forget_object(&f, s->dynamic[i].name);
    for (uint32_t t = 0; t < s->thread_count; t++) forget_thread(&f, t);
    return f.trouble;
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static bool same_thread(const thread_part *a, const thread_part *b) {
    return threads_agree(a, b, RELATION_ABSTRACT) && threads_values_agree(a, b, RELATION_ABSTRACT);
}

/* Of a summary everything is control: which constants it has is not up to the precision any more. */
static bool same_object(const memory_object *a, const memory_object *b) {
    return a == b ||
           (objects_agree(a, b, RELATION_ABSTRACT) &&
            values_agree(a->cell, b->cell, a->cells, a->summary ? RELATION_SAME : RELATION_ABSTRACT));
}

bool abstract_same_stacks(const state *a, const state *b) {
    if (a->thread_count != b->thread_count ||
        !schedulers_agree(a->scheduler, b->scheduler, RELATION_ABSTRACT))
        return false;
    for (uint32_t t = 0; t < a->thread_count; t++)
        if (!same_thread(a->threads[t], b->threads[t])) return false;
    return true;
}

bool abstract_same_stops(const state *a, const state *b) {
    if (a->thread_count != b->thread_count ||
        !schedulers_agree(a->scheduler, b->scheduler, RELATION_ABSTRACT))
        return false;
    for (uint32_t t = 0; t < a->thread_count; t++)
        if (!threads_same_control(a->threads[t], b->threads[t])) return false;
    return true;
}

bool abstract_same_control(const state *a, const state *b) {
    if (a->dynamic_count != b->dynamic_count || !abstract_same_stacks(a, b)) return false;
    for (uint32_t i = 0; i < a->static_count; i++)
        if (!same_object(a->objects[i], b->objects[i])) return false;
    for (uint32_t i = 0; i < a->dynamic_count; i++)
        if (a->dynamic[i].name != b->dynamic[i].name ||
            !same_object(a->dynamic[i].object, b->dynamic[i].object))
            return false;
    return true;
}

static uint64_t hash_frames(uint64_t h, const thread_part *t) {
    h = hash_pair(h, t->status | (uint64_t)t->frame_count << 8 | (uint64_t)t->atomic_depth << 40);
    for (uint32_t k = 0; k < t->frame_count; k++)
        h = hash_pair(
            h, hash_pair(t->frames[k].function, (uint64_t)t->frames[k].block << 32 | t->frames[k].index));
    return h;
}

uint64_t abstract_control_hash(const state *s) {
    uint64_t h = scheduler_mix(s->thread_count, s->scheduler, RELATION_ABSTRACT);
    for (uint32_t t = 0; t < s->thread_count; t++)
        h = thread_values_mix(thread_mix(hash_mix(h), s->threads[t], RELATION_ABSTRACT), s->threads[t],
                              RELATION_ABSTRACT);
    for (uint32_t i = 0; i < s->static_count; i++)
        h = values_mix(object_mix(h, s->objects[i], RELATION_ABSTRACT), s->objects[i]->cell,
                       s->objects[i]->cells, RELATION_ABSTRACT);
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        h = values_mix(object_mix(hash_pair(h, s->dynamic[i].name), o, RELATION_ABSTRACT), o->cell, o->cells,
                       o->summary ? RELATION_SAME : RELATION_ABSTRACT);
    }
    return hash_mix(h);
}

static void add_numbers(const value *v, uint32_t count, number_list *out) {
    for (uint32_t i = 0; i < count; i++)
        if (v[i].bits) vec_push(out, v[i].bits);
}

void abstract_numbers(const state *s, number_list *out) {
    vec_clear(out);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_data values = thread_values(s->threads[t]);
        for (uint32_t k = 0; k < THREAD_SPANS; k++) add_numbers(values.span[k].v, values.span[k].count, out);
    }
    for (uint32_t i = 0; i < s->static_count; i++)
        add_numbers(s->objects[i]->cell, s->objects[i]->cells, out);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (!s->dynamic[i].object->summary)
            add_numbers(s->dynamic[i].object->cell, s->dynamic[i].object->cells, out);
}

typedef bool (*difference_visitor)(void *data, value in_a, value in_b);

static bool values_differ(const value *a, const value *b, uint32_t count, difference_visitor visit,
                          void *data) {
    if (a == b) return true;
    for (uint32_t i = 0; i < count; i++)
        if (a[i].bits != b[i].bits && !visit(data, a[i], b[i])) return false;
    return true;
}

bool abstract_each_difference(const state *a, const state *b, difference_visitor visit, void *data) {
    slow_assert(abstract_same_control(a, b));
    bool goes_on = true;
    for (uint32_t t = 0; t < a->thread_count && goes_on; t++) {
        thread_data x = thread_values(a->threads[t]), y = thread_values(b->threads[t]);
        for (uint32_t k = 0; k < THREAD_SPANS && goes_on; k++)
            goes_on = values_differ(x.span[k].v, y.span[k].v, x.span[k].count, visit, data);
    }
    for (uint32_t i = 0; i < a->static_count && goes_on; i++)
        goes_on = values_differ(a->objects[i]->cell, b->objects[i]->cell, a->objects[i]->cells, visit, data);
    for (uint32_t i = 0; i < a->dynamic_count && goes_on; i++) {
        const memory_object *x = a->dynamic[i].object, *y = b->dynamic[i].object;
        goes_on = x->summary || values_differ(x->cell, y->cell, x->cells, visit, data);
    }
    return goes_on;
}

/* --- where threads stand -------------------------------------------------------------------------------- */

uint64_t abstract_location(const state *s, uint32_t thread) {
    return hash_frames(hash_pair(thread, 3), s->threads[thread]);
}

uint64_t abstract_locations(const state *s) {
    uint64_t h = hash_pair(s->scheduler->phase, s->scheduler->running);
    for (uint32_t t = 0; t < s->thread_count; t++) h = hash_frames(h, s->threads[t]);
    return h;
}

/* --- what explorers ask --------------------------------------------------------------------------------- */

void abstract_assume(state *s, const term *condition) {
    assert(s->refs == 1);
    state_add_path(s, condition);
}

void abstract_assume_only(state *s, const term *const *conditions, uint32_t count) {
    assert(s->refs == 1);
    state_set_path(s, conditions, count);
    s->uncertain = false;
}

bool abstract_is_heap(const state *s, uint32_t object) {
    const memory_object *o = state_object(s, object);
    return o && o->heap;
}

uint32_t abstract_heap_objects(const state *s) {
    uint32_t heap = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++) heap += s->dynamic[i].object->heap != 0;
    return heap;
}

static bool is_own_place(cell_view c, uint32_t name) {
    return c.v.bits && !c.v.base && abstract_is_place(c.v.bits) &&
           c.v.bits->value == abstract_byte(name, c.low) &&
           (uint64_t)(c.high - c.low) * 8 < (uint64_t)c.v.bits->width + 8;
}

bool abstract_says_nothing(const state *s, uint32_t object) {
    const memory_object *o = state_object(s, object);
    assert(o && !o->summary); /* what summaries say is not about places */
    for (uint32_t i = 0; i < o->cells; i++)
        if (!is_own_place(object_cell_view(o, i), object)) return false;
    return true;
}
