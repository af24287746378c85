/* Local variables whose block is left, and what becomes of pointers to them.
 *
 * The object ends, and the variable gets another one, which is unset: the one that it will be when control
 * comes to the block again. If nothing points to the old one, and nobody looked at bytes of it that were
 * unset, then old and new cannot be told apart, and the old one is made unset instead of getting a new name:
 * a loop whose body has such variables comes back to the same state. */
#include "base/bits.h"
#include "machine/internal.h"

static bool holds_pointer_to(value v, uint32_t name) {
    return value_object(v) == name;
}

static bool cells_point_to(memory_object *o, uint32_t static_count, uint32_t name) {
    if (object_is_closed(o, static_count)) return false;
    for (uint32_t k = 0; k < o->cells; k++)
        if (holds_pointer_to(o->cell[k], name)) return true;
    return false;
}

/* Registers that are still read; the variables of a frame are not pointers to themselves. */
static bool frame_points_to(const machine *m, const thread_part *t, const frame *f, uint32_t next,
                            uint32_t name) {
    const uint64_t *live = flow_live(flows_of(m->flows, f->function), f->block, next);
    size_t registers = m->program->functions.data[f->function].registers.size;
    for (size_t k = 0; k < registers; k++)
        if (holds_pointer_to(t->values[f->registers + k], name) && bits_has(live, k)) return true;
    return false;
}

/* The running thread is just executing an instruction. */
static bool thread_points_to(const machine *m, const thread_part *t, bool runs, uint32_t name) {
    for (uint32_t k = 0; k < t->frame_count; k++) {
        const frame *f = &t->frames[k];
        if (frame_points_to(m, t, f, f->index + (runs && k + 1 == t->frame_count), name)) return true;
    }
    return holds_pointer_to(t->result, name);
}

static bool cells_of_memory_point_to(const state *s, uint32_t name) {
    for (uint32_t k = 0; k < s->static_count; k++)
        if (cells_point_to(s->objects[k], s->static_count, name)) return true;
    for (uint32_t k = 0; k < s->dynamic_count; k++)
        if (s->dynamic[k].name != name && cells_point_to(s->dynamic[k].object, s->static_count, name))
            return true;
    return false;
}

bool memory_is_pointed_to(const machine *m, const context *c, uint32_t name) {
    const state *s = c->s;
    const memory_object *o = state_object(s, name);
    assert(o);
    if (thread_points_to(m, s->threads[c->thread], true, name)) return true;
    for (uint32_t t = 0; o->shared && t < s->thread_count; t++)
        if (t != c->thread && thread_points_to(m, s->threads[t], false, name)) return true;
    return (o->shared || o->stored || o->heap) && cells_of_memory_point_to(s, name);
}

static bool is_untouched(const memory_object *o) {
    bool whole = !o->ragged || o->cells <= 1;
    for (uint32_t k = 0; whole && k < o->cells; k++) whole = !o->cell[k].bits && !o->cell[k].base;
    return whole && !o->shared && !o->stored && !o->settled;
}

/* Made static by elaboration, which gives it one name for ever. */
static access_result leave_static(run *r, context *c, const instruction *i, uint32_t name) {
    if (state_object(c->s, name)->settled) return memory_limit(r, c, i, REASON_REENTERED_BLOCK);
    memory_touch(r, c, i, ACCESS_WRITE, name, 0, UINT32_MAX);
    memory_object *o = state_own_object(c->s, name);
    for (uint32_t k = 0; k < o->cells; k++)
        if (o->cell[k].bits) o->cell[k] = (value){NULL, 0};
    return ACCESS_DONE;
}

access_result memory_leave_block(run *r, context *c, const instruction *i) {
    value address = operand_value(r->m, c, &i->a);
    uint32_t name = value_object(address);
    if (name < c->s->static_count) return leave_static(r, c, i, name);
    const memory_object *o = state_object(c->s, name);
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    uint32_t function_index = f->function, local = i->a.index;
    assert(o && i->a.kind == OPERAND_LOCAL &&
           local < r->m->program->functions.data[function_index].locals.size);
    size_t slot = f->registers + r->m->program->functions.data[function_index].registers.size + local;
    bool known = memory_is_pointed_to(r->m, c, name);
    if (!known && is_untouched(o)) return ACCESS_DONE;
    assert(!o->heap && o->owner == c->thread);
    bool anew = known || o->settled;
    memory_touch(r, c, i, ACCESS_WRITE, name, 0, UINT32_MAX);
    note_death(r->m, c->s, name);
    state_drop_object(c->s, name);
    value fresh = anew ? memory_allocate_local(r, c, function_index, local)
                       : memory_renew_local(r, c, name, function_index, local);
    state_own_thread(c->s, c->thread)->values[slot] = fresh;
    if (anew) c->wrote = true; /* coming back to the same values is not coming back to the same object */
    return ACCESS_DONE;
}
