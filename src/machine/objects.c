/* The life of objects: names, allocation, freeing, and which of them other threads can reach. */
#include "machine/internal.h"
#include "machine/place.h"

/* --- names ---------------------------------------------------------------------------------------------- */

static bool is_thread(uint32_t holder) {
    return holder < UINT32_C(1) << 31; /* others are made up by those who rename states */
}

/* What the key says: whoever is called so was made so, on every path. */
static made_as made_by_key(uint32_t holder, uint32_t count) {
    if (!is_thread(holder)) return (made_as){.heap = true, .local = true};
    return (made_as){.heap = count & 1, .local = !(count & 1), .owner = holder};
}

uint32_t memory_name_by_key(machine *m, uint32_t holder, uint32_t count) {
    uint64_t key = (uint64_t)holder << 32 | count;
    uint64_t known = map_get(&m->dynamic_names, key);
    if (known != MAP_NONE) return (uint32_t)known;
    uint32_t name = (uint32_t)(m->program->objects.size + m->dynamic_names.size);
    map_put(&m->dynamic_names, key, name);
    vec_push(&m->made, made_by_key(holder, count));
    assert(name < (UINT32_C(1) << FRAGMENT_SHIFT) - 1); /* as many as a pointer can name */
    assert(m->made.size == m->dynamic_names.size);
    return name;
}

uint32_t memory_dynamic_name(machine *m, uint32_t thread, uint32_t count, bool heap) {
    assert(is_thread(thread) && count < UINT32_C(1) << 31);
    return memory_name_by_key(m, thread, count << 1 | heap);
}

made_as made_by_name(const machine *m, uint32_t object) {
    size_t k = object - m->program->objects.size;
    assert(object >= m->program->objects.size);
    return k < m->made.size ? m->made.data[k] : (made_as){.heap = true, .local = true};
}

const term *next_input(machine *m, const context *c, uint32_t input_index, scalar_type type) {
    assert(input_index < m->program->inputs.size);
    uint64_t name = (uint64_t)c->thread << 32 | c->s->threads[c->thread]->inputs_made;
    return term_symbol(m->terms, type.width, name, m->program->inputs.data[input_index].name, input_index);
}

value fresh_input(machine *m, context *c, uint32_t input_index, scalar_type type) {
    const term *symbol = next_input(m, c, input_index, type);
    state_own_thread(c->s, c->thread)->inputs_made++;
    if (fixed_inputs(m)) {
        uint64_t number = 0;
        valuation_get(fixed_inputs(m), symbol, &number);
        symbol = term_const(m->terms, type.width, number);
    }
    return (value){symbol, 0};
}

static const uint64_t unknown_names = UINT64_C(1) << 61; /* apart from those of inputs and unset bytes */

const term *fresh_unknown(machine *m, context *c, unsigned width, const char *label) {
    uint32_t number = state_own_thread(c->s, c->thread)->unknowns_made++;
    return term_symbol(m->terms, width, unknown_names | (uint64_t)c->thread << 32 | number, label, NO_INDEX);
}

bool thread_has_asked(const thread_part *now, const thread_part *then) {
    return now->inputs_made != then->inputs_made || now->unknowns_made != then->unknowns_made;
}

/* --- making objects ------------------------------------------------------------------------------------- */

void memory_clear(const machine *m, memory_object *o) {
    for (uint32_t i = 0; i < o->cells; i++) {
        unsigned width = o->ragged ? 8 : o->shape->cell[i % o->shape->cells].type.width;
        o->cell[i] = (value){term_const(m->terms, width, 0), 0};
    }
}

static void leave_unset(memory_object *o) {
    for (uint32_t i = 0; i < o->cells; i++) o->cell[i] = (value){NULL, 0};
}

enum { MOST_SHAPED_CELLS = 1024 }; /* a C object of more cells is made as one piece and cut by its accesses */

/* Memory of bytes says nothing about what will be stored there. */
static bool has_structure(const machine *m, const layout *shape, uint32_t count) {
    if (!m->traits->memory_is_bytes) return true;
    bool bytes = shape->stride == 1 && shape->cells == 1;
    return !(bytes && count > 1) && (uint64_t)count * shape->cells <= MOST_SHAPED_CELLS;
}

static value make_object(run *r, context *c, uint32_t name, const layout *shape, uint32_t count,
                         object_kind kind) {
    memory_object *o = has_structure(r->m, shape, count) ? state_add_object(c->s, name, shape, count)
                                                         : state_add_blank_object(c->s, name, shape, count);
    note_birth(r->m, c->s, name);
    o->heap = kind.heap;
    o->site = kind.site;
    o->owner = c->thread;
    placement_choose(r->m, c->s, o, kind.type);
    if (kind.unset)
        leave_unset(o);
    else
        memory_clear(r->m, o);
    return (value){term_const(r->m->terms, r->m->program->pointer_bits, 0), name + 1};
}

value memory_allocate(run *r, context *c, const layout *shape, uint32_t count, object_kind kind) {
    thread_part *t = state_own_thread(c->s, c->thread);
    return make_object(r, c, memory_dynamic_name(r->m, c->thread, t->objects_made++, kind.heap), shape, count,
                       kind);
}

value memory_renew_local(run *r, context *c, uint32_t name, uint32_t function_index, uint32_t local) {
    assert(local < r->m->program->functions.data[function_index].locals.size);
    const local_object *l = &r->m->program->functions.data[function_index].locals.data[local];
    uint64_t site = place_of_local(function_index, local);
    return make_object(r, c, name, l->shape, l->count, (object_kind){false, l->unset, site, site});
}

value memory_allocate_local(run *r, context *c, uint32_t function_index, uint32_t local) {
    thread_part *t = state_own_thread(c->s, c->thread);
    uint32_t name = memory_dynamic_name(r->m, c->thread, t->objects_made++, false);
    return memory_renew_local(r, c, name, function_index, local);
}

enum { LARGEST_CELLS = 1 << 20, LARGEST_BYTES = 1 << 30, MOST_SIZES = 64 };

/* The number of what a frame makes (program.made_types); 0: it does not say. */
static uint32_t made_in_frame(const program *p, const frame *f) {
    if (!f->index) return 0;
    const instruction *i = &p->functions.data[f->function].blocks.data[f->block].code.data[f->index - 1];
    return i->kind == INSTR_CALL ? i->extra : 0;
}

static uint32_t made_type(const program *p, const thread_part *maker) {
    uint32_t depth = thread_visible_depth(p, maker);
    assert(depth == NO_INDEX || depth < maker->frame_count);
    return depth == NO_INDEX ? 0 : made_in_frame(p, &maker->frames[depth]);
}

/* The same, also where the library makes an object of the program. */
static uint32_t described_type(const program *p, const thread_part *maker) {
    uint32_t visible = thread_visible_depth(p, maker), type = 0;
    for (uint32_t depth = maker->frame_count; depth-- > 0 && !type;) {
        type = made_in_frame(p, &maker->frames[depth]);
        if (depth == visible) break;
    }
    return type;
}

/* Of what the program does not say, objects of one size are of one type. */
static uint64_t type_of_new(const program *p, const thread_part *maker, uint64_t bytes) {
    uint32_t made = made_type(p, maker);
    return made ? UINT64_C(1) << 63 | made : UINT64_C(1) << 62 | bytes;
}

/* Whether an object is what its maker says, from its first byte on: in front of an array of objects there may
 * be how many they are. */
static bool is_described_by(const memory_object *o, const layout *made) {
    uint64_t bytes = object_bytes(o);
    bool is_number = made->cells == 1 && !*made->cell[0].name;
    return o->heap == 1 + MADE_BY_NEW_ARRAY ? is_number && bytes % made->stride == 0 : bytes == made->stride;
}

static void note_maker(const program *p, const thread_part *maker, memory_object *o) {
    uint32_t depth = thread_visible_depth(p, maker), type = described_type(p, maker);
    o->made_in = depth == NO_INDEX ? NO_INDEX : maker->frames[depth].function;
    o->made_at = thread_position(p, maker);
    const layout *made = type && type <= p->made_types.size ? p->made_types.data[type - 1] : NULL;
    o->described = made && is_described_by(o, made) ? made : NULL;
}

/* Who gets at the object without an order may find what was there before the zeros. */
static void touch_zeros(run *r, context *c, const instruction *i, uint32_t name) {
    uint64_t bytes = object_bytes(state_object(c->s, name));
    if (bytes) memory_touch(r, c, i, ACCESS_WRITE, name, 0, (uint32_t)bytes);
}

access_result memory_new(run *r, context *c, const instruction *i, value count, value *out) {
    bool as_in_c = r->m->traits->memory_is_bytes;
    assert(i->shape && i->shape->cells && i->shape->stride);
    uint64_t most = LARGEST_CELLS / i->shape->cells;
    if (as_in_c) most = LARGEST_BYTES / i->shape->stride;
    uint64_t elements;
    access_result result =
        memory_exact_number(r, c, i, count, as_in_c ? MOST_SIZES : 0, &elements, REASON_OPEN_SIZE);
    if (result != ACCESS_DONE) return result;
    if (elements > most) {
        run_limit(r, c, REASON_LARGE_ALLOCATION, i->at);
        return ACCESS_ENDED;
    }
    bool in_frame = i->extra == ALLOC_FRAME_UNSET;
    const thread_part *maker = c->s->threads[c->thread];
    const frame *f = &maker->frames[maker->frame_count - 1];
    uint64_t site = place_of_alloc(f->function, f->block, f->index);
    uint64_t type = in_frame ? site : type_of_new(r->m->program, maker, elements * i->shape->stride);
    uint8_t heap = in_frame ? 0 : (uint8_t)(1 + i->maker);
    object_kind kind = {heap, i->extra != ALLOC_HEAP_ZERO, site, type};
    if (kind.heap) note_heap_made(r, c);
    *out = memory_allocate(r, c, i->shape, (uint32_t)elements, kind);
    if (kind.heap) note_maker(r->m->program, c->s->threads[c->thread], state_own_object(c->s, out->base - 1));
    c->instructions += state_object(c->s, out->base - 1)->cells / 64; /* memory counts as work */
    if (i->extra == ALLOC_HEAP_ZERO && r->how->early) touch_zeros(r, c, i, out->base - 1);
    assert(out->base && state_object(c->s, out->base - 1));
    if (in_frame) {
        thread_part *t = state_own_thread(c->s, c->thread);
        t->frames[t->frame_count - 1].allocates = true;
        state_own_object(c->s, out->base - 1)->frame = t->frame_count;
    }
    return ACCESS_DONE;
}

/* --- ending them ---------------------------------------------------------------------------------------- */

static void drop_object(run *r, context *c, uint32_t name) {
    assert(name >= c->s->static_count && state_object(c->s, name));
    bool seen = r->m->traits->sharing_is_known && state_object(c->s, name)->shared;
    if (seen) context_touch(r, c, ACCESS_WRITE, name);
    note_death(r->m, c->s, name);
    state_drop_object(c->s, name);
}

void release_frame_objects(run *r, context *c) {
    const thread_part *t = state_own_thread(c->s, c->thread);
    assert(t->frame_count);
    const frame *leaving = &t->frames[t->frame_count - 1];
    const function *f = &r->m->program->functions.data[leaving->function];
    if (f->locals.size && !r->m->traits->effects_are_exact)
        context_touch(r, c, ACCESS_WRITE, ACCESS_LOCALS + c->thread);
    for (size_t k = 0; k < f->locals.size; k++)
        drop_object(r, c, t->values[leaving->registers + f->registers.size + k].base - 1);
    if (!leaving->allocates) return;
    for (uint32_t k = c->s->dynamic_count; k-- > 0;) {
        const memory_object *o = c->s->dynamic[k].object;
        if (o->frame == t->frame_count && o->owner == c->thread) drop_object(r, c, c->s->dynamic[k].name);
    }
}

void release_thread_objects(run *r, context *c) {
    for (uint32_t name = 0; c->thread && name < c->s->static_count; name++) {
        if (r->m->program->objects.data[name].of_thread != c->thread) continue;
        memory_object *o = state_own_object(c->s, name);
        context_touch(r, c, ACCESS_WRITE, name);
        o->freed = true;
        memory_clear(r->m, o); /* nobody can tell states apart by what it held */
    }
}

access_result memory_free(run *r, context *c, const instruction *i, value address) {
    bool as_in_c = r->m->traits->memory_is_bytes;
    if (!address.base) {
        const term *zero = term_const(r->m->terms, address.bits->width, 0);
        switch (run_decide_way(r, c, term_eq(r->m->terms, address.bits, zero))) {
        case DECIDED_TRUE: return ACCESS_DONE;
        case DECIDED_NEITHER: run_end(r, c, STEP_ASSUMED_AWAY); return ACCESS_ENDED;
        case DECIDED_FALSE: return memory_violated(r, c, i, as_in_c ? CHECK_FREE : CHECK_NULL);
        }
    }
    check_kind wrong = as_in_c ? CHECK_FREE : CHECK_FREED;
    uint32_t name = value_object(address);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    if (!o || o->freed) {
        memory_touch_dead(r, c, i, address);
        return memory_violated(r, c, i, wrong);
    }
    if (!o->heap && i->extra != FREE_FRAME) return memory_violated(r, c, i, wrong);
    bool alive = true;
    if (o->summary && summary_is_alive(r, c, name, &alive) != ACCESS_DONE) return ACCESS_ENDED;
    if (!alive) {
        memory_touch_dead(r, c, i, address);
        return memory_violated(r, c, i, wrong);
    }
    const term *start = term_const(r->m->terms, address.bits->width, 0);
    switch (run_decide_way(r, c, term_eq(r->m->terms, address.bits, start))) {
    case DECIDED_TRUE: break;
    case DECIDED_NEITHER: run_end(r, c, STEP_ASSUMED_AWAY); return ACCESS_ENDED;
    case DECIDED_FALSE: return memory_violated(r, c, i, wrong);
    }
    if (o->heap && o->heap != 1 + i->maker && i->extra != FREE_FRAME) return memory_freed_otherwise(r, c, i);
    memory_touch(r, c, i, ACCESS_WRITE, name, 0, UINT32_MAX);
    if (o->heap) note_heap_freed(r, c);
    if (o->summary) {
        state_own_object(c->s, name)->perhaps_freed = true;
    } else if (name < c->s->static_count) {
        state_own_object(c->s, name)->freed = true;
    } else {
        if (o->heap) note_who_is_there(r, c, name);
        note_death(r->m, c->s, name);
        state_drop_object(c->s, name);
    }
    return ACCESS_DONE;
}

access_result memory_size(run *r, context *c, const instruction *i, value address, value *out) {
    unsigned width = r->m->program->pointer_bits;
    uint64_t bytes = 0;
    assert(address.bits);
    bool null = !address.base && term_is_const(address.bits) && !address.bits->value;
    if (!null) {
        uint32_t name;
        access_result result = memory_find_object(r, c, i, address, &name);
        if (result != ACCESS_DONE) return result;
        bytes = object_bytes(state_object(c->s, name));
    }
    *out = (value){term_const(r->m->terms, width, bytes), 0};
    return ACCESS_DONE;
}

/* --- sharing -------------------------------------------------------------------------------------------- */

bool memory_is_shared(const context *c, value address) {
    uint32_t name = value_object(address);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    return !o || o->shared;
}

static void reach(state *s, value v, object_names *found) {
    uint32_t name = value_object(v);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(s, name);
    if (!o || o->shared || name < s->static_count) return;
    state_own_object(s, name)->shared = true;
    vec_push(found, name);
}

void memory_publish(state *s, value v) {
    if (!v.base) return;
    object_names found = {0};
    reach(s, v, &found);
    while (found.size) {
        uint32_t name = vec_pop(&found);
        const memory_object *o = state_object(s, name);
        assert(o && o->shared);
        for (uint32_t k = 0; k < o->cells; k++) reach(s, o->cell[k], &found);
    }
    vec_free(&found);
}

/* --- looking without touching --------------------------------------------------------------------------- */

value memory_peek(machine *m, const state *s, uint32_t object, uint64_t offset, unsigned width) {
    value v = {NULL, 0};
    uint64_t bytes = (width + 7) / 8;
    const memory_object *o = state_object(s, object);
    if (!o || o->freed || o->summary || object_bytes(o) < bytes || offset > object_bytes(o) - bytes) return v;
    return cells_read(m, o, object, (uint32_t)offset, width, &v) == READ_DONE ? v : (value){NULL, 0};
}
