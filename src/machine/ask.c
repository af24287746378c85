/* What explorers ask of states (machine.h): the only way in which they look into them. */
#include "machine/internal.h"

#include "base/hash.h"
#include "machine/relations.h"
#include "machine/state_check.h"

uint32_t state_thread_count(const state *s) {
    return s->thread_count;
}

thread_stand state_thread(const state *s, uint32_t thread) {
    if (thread >= s->thread_count) return (thread_stand){.status = THREAD_UNBORN};
    const thread_part *t = s->threads[thread];
    return (thread_stand){.status = t->status,
                          .in_section = t->atomic_depth != 0,
                          .watched = t->spin != NULL,
                          .depth = t->frame_count,
                          .inputs_made = t->inputs_made};
}

thread_status state_thread_status(const state *s, uint32_t thread) {
    return thread < s->thread_count ? s->threads[thread]->status : THREAD_UNBORN;
}

bool state_thread_sleeps(const state *s, uint32_t thread) {
    if (thread >= s->thread_count) return false;
    const spin_watch *w = s->threads[thread]->spin;
    return w && w->waiting;
}

bool state_made_threads(const state *before, const state *after, uint32_t thread) {
    assert(thread < before->thread_count && thread < after->thread_count);
    return before->threads[thread]->threads_made != after->threads[thread]->threads_made;
}

void state_stack(const state *s, uint32_t thread, call_sites *out) {
    const thread_part *t = s->threads[thread];
    vec_clear(out);
    for (uint32_t k = 0; k < t->frame_count; k++)
        vec_push(out, ((call_site){t->frames[k].function, t->frames[k].block, t->frames[k].index}));
}

call_site state_innermost(const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const frame *f = &t->frames[t->frame_count - 1];
    return (call_site){f->function, f->block, f->index};
}

const instruction *machine_next_instruction(const machine *m, const state *s, uint32_t thread) {
    if (!s->threads[thread]->frame_count) return NULL;
    call_site at = state_innermost(s, thread);
    return &m->program->functions.data[at.function].blocks.data[at.block].code.data[at.index];
}

bool state_same_thread(const state *a, const state *b, uint32_t thread) {
    return thread < a->thread_count && thread < b->thread_count &&
           threads_identical(a->threads[thread], b->threads[thread]);
}

uint64_t state_thread_key(const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    return hash_mix(whole_thread_mix(thread, t, RELATION_OWN));
}

void state_add_watched(const state *s, uint32_t thread, effect *out) {
    if (thread < s->thread_count) thread_add_watched(s->threads[thread], out);
}

/* --- the scheduler -------------------------------------------------------------------------------------- */

bool state_is_inside_step(const state *s) {
    return s->scheduler->running != NO_INDEX;
}

sim_phase state_phase(const state *s) {
    return s->scheduler->phase;
}

const term *state_time(const state *s) {
    return s->scheduler->time;
}

/* --- path conditions ------------------------------------------------------------------------------------ */

uint32_t state_path_count(const state *s) {
    return s->path_count;
}

const term *const *state_path(const state *s) {
    return s->path ? (const term *const *)s->path->conjunct : NULL;
}

bool state_assumes(const state *s, const term *condition) {
    for (uint32_t i = 0; i < s->path_count; i++)
        if (s->path->conjunct[i] == condition) return true;
    return false;
}

bool state_is_uncertain(const state *s) {
    return s->uncertain;
}

state *state_assume(const state *s, const term *const *more, uint32_t count) {
    state *with = state_clone(s);
    for (uint32_t i = 0; i < count; i++) state_add_path(with, more[i]);
    return with;
}

/* --- memory --------------------------------------------------------------------------------------------- */

bool state_origin(const state *s, uint32_t object, object_origin *out) {
    const memory_object *o = state_object(s, object);
    if (o) *out = (object_origin){object < s->static_count ? object : NO_INDEX, o->site};
    return o != NULL;
}

bool state_same_object(const state *a, const state *b, uint32_t object) {
    return state_object(a, object) == state_object(b, object);
}

bool state_same_private_memory(const state *a, const state *b, uint32_t thread) {
    for (uint32_t i = 0; i < b->dynamic_count; i++) {
        const memory_object *o = b->dynamic[i].object;
        if (o->owner == thread && !o->shared && state_object(a, b->dynamic[i].name) != o) return false;
    }
    return true;
}

static void visit_cells(uint32_t name, const memory_object *o, cell_visitor visit, void *data) {
    for (uint32_t i = 0; i < o->cells; i++) visit(data, name, i, o->cell[i]);
}

void state_each_changed_cell(const state *before, const state *s, cell_visitor visit, void *data) {
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!before || before->objects[i] != s->objects[i]) visit_cells(i, s->objects[i], visit, data);
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const dynamic_object *o = &s->dynamic[i];
        if (!before || state_object(before, o->name) != o->object)
            visit_cells(o->name, o->object, visit, data);
    }
}

bool state_known_cell(const state *s, const access *cell, uint64_t *key) {
    const memory_object *o = state_object(s, cell->name);
    if (!o || cell->low >= object_bytes(o)) return false;
    cell_view view = object_view(o, (uint32_t)cell->low);
    if (view.low != cell->low || view.high != cell->high) return false;
    if (view.v.bits && !term_is_const(view.v.bits)) return false;
    *key = hash_pair(view.v.base, view.v.bits ? view.v.bits->hash : 0);
    return true;
}

/* --- one thread as in one state, all else as in another ------------------------------------------------- */

/* The parts are borrowed, and the buffer is the machine's: good until the next mixture. */
static state borrow_mixture(machine *m, const state *memory, const state *control, uint32_t thread) {
    uint32_t count =
        control->thread_count > memory->thread_count ? control->thread_count : memory->thread_count;
    vec_clear(&m->mixed_threads);
    for (uint32_t t = 0; t < count; t++) {
        bool from_control = t == thread || t >= memory->thread_count;
        vec_push(&m->mixed_threads, (from_control ? control : memory)->threads[t]);
    }
    state mixed = *memory;
    mixed.threads = m->mixed_threads.data;
    mixed.thread_count = count;
    return mixed;
}

state *machine_mix(machine *m, const state *memory, const state *control, uint32_t thread) {
    state mixed = borrow_mixture(m, memory, control, thread);
    slow_assert(state_is_sound(m, &mixed));
    return state_clone(&mixed);
}

bool machine_would_go_on(machine *m, const state *memory, const state *control, uint32_t thread) {
    state mixed = borrow_mixture(m, memory, control, thread);
    pending p = {0};
    machine_pending(m, &mixed, thread, &p);
    return p.enabled;
}
