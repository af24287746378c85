/* Loads and stores: checked on every access, symbolic offsets by case distinction over the cells of one
 * object. */
#include "base/hash.h"
#include "machine/internal.h"

/* --- names ---------------------------------------------------------------------------------------------- */

static uint32_t dynamic_name(machine *m, uint32_t thread, uint32_t count) {
    uint64_t key = (uint64_t)thread << 32 | count;
    uint64_t known = map_get(&m->dynamic_names, key);
    if (known != MAP_NONE) return (uint32_t)known;
    uint32_t name = (uint32_t)(m->program->objects.size + m->dynamic_names.size);
    map_put(&m->dynamic_names, key, name);
    return name;
}

void memory_clear(const machine *m, memory_object *o) {
    for (uint32_t i = 0; i < o->cells; i++) {
        unsigned width = o->shape->cell[i % o->shape->cells].type.width;
        o->cell[i] = (value){term_const(m->terms, width, 0), 0};
    }
}

value memory_allocate(run *r, context *c, const layout *shape, uint32_t count, bool heap) {
    thread_part *t = state_own_thread(c->s, c->thread);
    uint32_t name = dynamic_name(r->m, c->thread, t->objects_made++);
    memory_object *o = state_add_object(c->s, name, shape, count);
    o->heap = heap;
    o->owner = c->thread;
    memory_clear(r->m, o);
    return (value){term_const(r->m->terms, 64, 0), name + 1};
}

value fresh_input(machine *m, context *c, uint32_t input_index, scalar_type type) {
    thread_part *t = state_own_thread(c->s, c->thread);
    uint64_t name = (uint64_t)c->thread << 32 | t->inputs_made++;
    const term *symbol =
        term_symbol(m->terms, type.width, name, m->program->inputs.data[input_index].name, input_index);
    if (m->fixed_inputs) {
        uint64_t number = 0;
        valuation_get(m->fixed_inputs, symbol, &number);
        symbol = term_const(m->terms, type.width, number);
    }
    return (value){symbol, 0};
}

/* --- checks made by the machine itself ------------------------------------------------------------------ */

static uint32_t pointer_check(machine *m, const context *c, const instruction *i, check_kind kind) {
    static const char *const what[CHECK_KINDS] = {[CHECK_NULL] = "pointer is not null",
                                                  [CHECK_BOUNDS] = "pointer is within its object",
                                                  [CHECK_FREED] = "pointer is alive"};
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    uint64_t place = (uint64_t)f->function << 40 | (uint64_t)f->block << 20 | f->index;
    uint64_t key = hash_pair(place, kind);
    uint64_t known = map_get(&m->pointer_checks, key);
    if (known != MAP_NONE) return (uint32_t)known;
    vec_push(&m->checks, ((check){kind, what[kind], m->program->functions.data[f->function].name, i->at}));
    vec_push(&m->check_reached, true);
    map_put(&m->pointer_checks, key, m->checks.size - 1);
    return (uint32_t)(m->checks.size - 1);
}

static access_result violated(run *r, context *c, const instruction *i, check_kind kind) {
    if (r->m->options.checks_cut) context_touch(r, c, ACCESS_ASSUME, ACCESS_ANY);
    run_violate(r, c, pointer_check(r->m, c, i, kind), i->at);
    return ACCESS_ENDED;
}

/* --- where an address points ---------------------------------------------------------------------------- */

typedef struct target {
    uint32_t name;
    const memory_object *object;
    uint32_t cell;      /* exact address */
    const term *offset; /* symbolic address, else NULL */
} target;

static uint32_t cell_offset(const memory_object *o, uint32_t cell) {
    return cell / o->shape->cells * o->shape->stride + o->shape->cell[cell % o->shape->cells].offset;
}

static unsigned cell_width(const memory_object *o, uint32_t cell) {
    return o->shape->cell[cell % o->shape->cells].type.width;
}

static uint32_t find_cell(const memory_object *o, uint64_t offset) {
    uint32_t inside = (uint32_t)(offset % o->shape->stride);
    for (uint32_t k = 0; k < o->shape->cells; k++)
        if (o->shape->cell[k].offset == inside)
            return (uint32_t)(offset / o->shape->stride) * o->shape->cells + k;
    return NO_INDEX;
}

/* `offset == number`, on the index itself where the offset is an extended index times a constant plus a
 * constant: the products cannot wrap then. */
static const term *offset_is(terms *c, const term *offset, uint64_t number) {
    uint64_t constant = 0, scale = 1;
    const term *t = offset;
    if (t->op == TERM_ADD && term_is_const(t->arg[1])) {
        constant = t->arg[1]->value;
        t = t->arg[0];
    }
    if (t->op == TERM_MUL && term_is_const(t->arg[1])) {
        scale = t->arg[1]->value;
        t = t->arg[0];
    }
    bool narrow = (t->op == TERM_ZEXT || t->op == TERM_SEXT) && t->arg[0]->width <= 32 && scale > 0 &&
                  scale < UINT64_C(1) << 30;
    if (!narrow) return term_eq(c, offset, term_const(c, 64, number));
    int64_t distance = (int64_t)(number - constant), index = distance / (int64_t)scale;
    if (index * (int64_t)scale != distance) return term_false(c);
    unsigned width = t->arg[0]->width;
    uint64_t bits = (uint64_t)index & term_mask(width);
    int64_t back = t->op == TERM_SEXT ? term_signed(width, bits) : (int64_t)bits;
    return back == index ? term_eq(c, t->arg[0], term_const(c, width, bits)) : term_false(c);
}

/* Resolves an address for an access of `width` bits (0: the whole object). On ACCESS_DONE the target is
 * usable. */
static access_result resolve(run *r, context *c, const instruction *i, value address, unsigned width,
                             target *out) {
    if (!address.base) return violated(r, c, i, CHECK_NULL);
    out->name = address.base - 1;
    out->object = state_object(c->s, out->name);
    if (!out->object || out->object->freed) {
        context_touch(r, c, ACCESS_READ, ACCESS_ANY); /* whoever freed it might have come later */
        return violated(r, c, i, CHECK_FREED);
    }
    out->offset = NULL;
    out->cell = 0;
    if (!width) return ACCESS_DONE;
    uint64_t size = (uint64_t)out->object->count * out->object->shape->stride;
    if (term_is_const(address.bits)) {
        if (address.bits->value >= size) return violated(r, c, i, CHECK_BOUNDS);
        out->cell = find_cell(out->object, address.bits->value);
        if (out->cell == NO_INDEX || cell_width(out->object, out->cell) != width) {
            run_limit(r, c, "memory access that does not fit the type of the object", i->at);
            return ACCESS_ENDED;
        }
        return ACCESS_DONE;
    }
    switch (run_decide(r, c, term_ult(r->m->terms, address.bits, term_const(r->m->terms, 64, size)))) {
    case DECIDED_FALSE: return violated(r, c, i, CHECK_BOUNDS);
    case DECIDED_NEITHER: run_end(r, c, STEP_ASSUMED_AWAY); return ACCESS_ENDED;
    case DECIDED_TRUE: break;
    }
    out->offset = address.bits;
    return ACCESS_DONE;
}

/* A symbolic address that must become exact, because a pointer is read or written: tries the cells one by
 * one. */
static access_result make_exact(run *r, context *c, const instruction *i, target *t, unsigned width) {
    for (uint32_t k = 0; k < t->object->cells; k++) {
        if (cell_width(t->object, k) != width) continue;
        switch (run_decide(r, c, offset_is(r->m->terms, t->offset, cell_offset(t->object, k)))) {
        case DECIDED_TRUE:
            t->cell = k;
            t->offset = NULL;
            return ACCESS_DONE;
        case DECIDED_NEITHER: run_end(r, c, STEP_ASSUMED_AWAY); return ACCESS_ENDED;
        case DECIDED_FALSE: break;
        }
    }
    run_limit(r, c, "memory access that does not fit the type of the object", i->at);
    return ACCESS_ENDED;
}

static bool holds_pointers(const memory_object *o, unsigned width) {
    if (width != 64) return false;
    for (uint32_t k = 0; k < o->cells; k++)
        if (o->cell[k].base) return true;
    return false;
}

static void touch_memory(run *r, context *c, access_kind kind, uint8_t op, const target *t, unsigned width) {
    if (!r->how->effects) return;
    access a = {.kind = (uint8_t)kind, .op = op, .name = t->name, .low = 0, .high = UINT32_MAX};
    bool dynamic = t->name >= c->s->static_count;
    if (dynamic) a.name = t->object->heap ? ACCESS_HEAP : ACCESS_LOCALS + t->object->owner;
    if (!t->offset && width && !dynamic) {
        a.low = cell_offset(t->object, t->cell);
        a.high = a.low + (width + 7) / 8;
    }
    effect_add(&c->touched, a);
}

/* Whether every possible value of a symbolic offset hits a cell of this width: the machine does not model
 * misaligned access. */
static bool covers_all_elements(const memory_object *o, const term *offset, unsigned width) {
    uint64_t step = 0, constant = 0;
    const term *t = offset;
    while (t->op == TERM_ADD) {
        const term *last = t->arg[1];
        if (term_is_const(last))
            constant = last->value;
        else if (last->op == TERM_MUL && term_is_const(last->arg[1]))
            step |= last->arg[1]->value % o->shape->stride;
        else
            step |= 1 % o->shape->stride;
        t = t->arg[0];
    }
    if (t->op == TERM_MUL && term_is_const(t->arg[1]))
        step |= t->arg[1]->value % o->shape->stride;
    else
        step |= 1 % o->shape->stride;
    uint32_t cell = find_cell(o, constant % o->shape->stride);
    return step == 0 && cell != NO_INDEX && cell_width(o, cell) == width;
}

static access_result resolve_cell(run *r, context *c, const instruction *i, value address, unsigned width,
                                  bool pointer, target *t) {
    access_result result = resolve(r, c, i, address, width, t);
    if (result != ACCESS_DONE || !t->offset) return result;
    if (pointer || holds_pointers(t->object, width) || !covers_all_elements(t->object, t->offset, width))
        return make_exact(r, c, i, t, width);
    return ACCESS_DONE;
}

/* --- the operations ------------------------------------------------------------------------------------- */

access_result memory_load(run *r, context *c, const instruction *i, value address, unsigned width,
                          value *out) {
    target t;
    access_result result = resolve_cell(r, c, i, address, width, false, &t);
    if (result != ACCESS_DONE) return result;
    touch_memory(r, c, ACCESS_READ, 0, &t, width);
    if (!t.offset) {
        *out = t.object->cell[t.cell];
        return ACCESS_DONE;
    }
    const term *chosen = NULL;
    for (uint32_t k = t.object->cells; k-- > 0;) {
        if (cell_width(t.object, k) != width) continue;
        const term *here = t.object->cell[k].bits;
        const term *hit = offset_is(r->m->terms, t.offset, cell_offset(t.object, k));
        chosen = chosen ? term_ite(r->m->terms, hit, here, chosen) : here;
    }
    *out = (value){chosen, 0};
    return ACCESS_DONE;
}

/* Applies `op` (or plain storing, if ARITH_COUNT) to every cell the address may mean. */
static access_result write_cells(run *r, context *c, const instruction *i, value address, arith op, value v) {
    target t;
    unsigned width = v.bits->width;
    access_result result = resolve_cell(r, c, i, address, width, v.base != 0, &t);
    if (result != ACCESS_DONE) return result;
    bool update = op != ARITH_COUNT;
    touch_memory(r, c, update ? ACCESS_UPDATE : ACCESS_WRITE, update ? (uint8_t)op : 0, &t, width);
    memory_object *o = state_own_object(c->s, t.name);
    terms *terms = r->m->terms;
    if (!t.offset) {
        o->cell[t.cell] =
            update ? (value){arith_term(terms, op, width, o->cell[t.cell].bits, v.bits, NULL), 0} : v;
        return ACCESS_DONE;
    }
    for (uint32_t k = 0; k < o->cells; k++) {
        if (cell_width(o, k) != width) continue;
        const term *hit = offset_is(terms, t.offset, cell_offset(o, k));
        if (term_is_false(hit)) continue;
        const term *written = update ? arith_term(terms, op, width, o->cell[k].bits, v.bits, NULL) : v.bits;
        o->cell[k].bits = term_ite(terms, hit, written, o->cell[k].bits);
    }
    return ACCESS_DONE;
}

access_result memory_store(run *r, context *c, const instruction *i, value address, value v) {
    return write_cells(r, c, i, address, ARITH_COUNT, v);
}

access_result memory_update(run *r, context *c, const instruction *i, value address, arith op, value v) {
    return write_cells(r, c, i, address, op, v);
}

access_result memory_havoc(run *r, context *c, const instruction *i, value address) {
    target t;
    access_result result = resolve(r, c, i, address, 0, &t);
    if (result != ACCESS_DONE) return result;
    touch_memory(r, c, ACCESS_WRITE, 0, &t, 0);
    memory_object *o = state_own_object(c->s, t.name);
    for (uint32_t k = 0; k < o->cells; k++) {
        scalar_type type = o->shape->cell[k % o->shape->cells].type;
        if (type.view != VIEW_POINTER) o->cell[k] = fresh_input(r->m, c, i->extra, type);
    }
    return ACCESS_DONE;
}

access_result memory_free(run *r, context *c, const instruction *i, value address) {
    if (!address.base && term_is_const(address.bits) && !address.bits->value) return ACCESS_DONE;
    target t;
    access_result result = resolve(r, c, i, address, 0, &t);
    if (result != ACCESS_DONE) return result;
    bool whole = t.object->heap && term_is_const(address.bits) && !address.bits->value;
    if (!whole) return violated(r, c, i, CHECK_FREED);
    touch_memory(r, c, ACCESS_WRITE, 0, &t, 0);
    state_drop_object(c->s, t.name);
    return ACCESS_DONE;
}
