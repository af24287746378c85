#include "machine/state_check.h"

#include "machine/internal.h"

#include <stdio.h>
#include <string.h>

#define MUST(condition, words)                                                                               \
    do {                                                                                                     \
        if (!(condition)) return words;                                                                      \
    } while (0)

#define MUST_BE_FINE(call)                                                                                   \
    do {                                                                                                     \
        const char *broken_ = (call);                                                                        \
        if (broken_) return broken_;                                                                         \
    } while (0)

/* --- fields, by their types ------------------------------------------------------------------------------ */

/* A `bool` that is anything but 0 or 1 compares in ways of its own. */
static bool is_truth_value(const void *field) {
    uint8_t byte;
    memcpy(&byte, field, 1);
    return byte <= 1;
}

#define TYPED_FIELD(x, name)                                                                                 \
    MUST(_Generic((x)->name, bool : is_truth_value(&(x)->name), default : true), #name " is 0 or 1");
#define SIZED_ARRAY(x, name, count, capacity)                                                                \
    MUST((x)->count <= (x)->capacity, #count " is within its capacity");                                     \
    MUST((x)->name || !(x)->capacity, #name " has the room that it says");

static const char *check_fields_of_thread(const thread_part *t) {
#define FIELD(type, name, role) TYPED_FIELD(t, name)
#define VALUE(name, role)
#define ARRAY(element, name, count, capacity, role) SIZED_ARRAY(t, name, count, capacity)
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
    return NULL;
}

static const char *check_fields_of_frame(const frame *f) {
#define FIELD(type, name, role) TYPED_FIELD(f, name)
#include "machine/frame.def"
#undef FIELD
    return NULL;
}

static const char *check_fields_of_object(const memory_object *o) {
#define FIELD(type, name, role) TYPED_FIELD(o, name)
#define LAYOUT(name, role)
#define PLACE(name, role)
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE
    return NULL;
}

static bool is_time(const term *t) {
    return !t || t->width == 64;
}

static const char *check_fields_of_scheduler(const scheduler_part *s) {
#define FIELD(type, name, role)                     TYPED_FIELD(s, name)
#define TERM(name, role)                            MUST(is_time(s->name), #name " is a number of 64 bits");
#define ARRAY(element, name, count, capacity, role) SIZED_ARRAY(s, name, count, capacity)
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    return NULL;
}

/* --- values ---------------------------------------------------------------------------------------------- */

/* Objects that pointers name exist, or have existed on some path. */
static bool is_name(const machine *m, uint32_t name) {
    return name < m->program->objects.size + m->dynamic_names.size;
}

static const char *check_value(const machine *m, value v) {
    if (!v.bits) {
        MUST(!v.base || v.base == PADDING_BASE, "what has no bits is no pointer");
        return NULL;
    }
    MUST(v.bits->width >= 1 && v.bits->width <= 64, "a value has 1 to 64 bits");
    if (!v.base) return NULL;
    MUST(v.base != PADDING_BASE, "padding has no bits");
    MUST(v.bits->width == m->program->pointer_bits, "an offset is as wide as a pointer");
    uint32_t target = value_target(v);
    if (target >= FUNCTION_BASE)
        MUST(target - FUNCTION_BASE < m->program->functions.size, "a pointer to a function names one");
    else
        MUST(target && is_name(m, target - 1), "a pointer names an object that there is or was");
    MUST(!value_is_fragment(v) || value_fragment_index(v) < m->program->pointer_bits / 8u,
         "a byte of a pointer is one that it has");
    return NULL;
}

/* --- threads --------------------------------------------------------------------------------------------- */

static const char *check_registers(const thread_part *t, const frame *f, const function *of) {
    for (size_t k = 0; k < of->registers.size; k++) {
        value v = t->values[f->registers + k];
        MUST(!v.bits || value_is_fragment(v) || v.bits->width == of->registers.data[k].type.width,
             "a register holds values of its width");
        MUST(v.bits || !v.base, "a dead register is empty");
    }
    for (size_t k = 0; k < of->locals.size; k++) {
        value v = t->values[f->registers + of->registers.size + k];
        MUST(value_object(v) != NO_INDEX, "a frame has pointers to its locals");
    }
    return NULL;
}

static const char *check_frame(const machine *m, const thread_part *t, uint32_t depth) {
    const frame *f = &t->frames[depth];
    MUST_BE_FINE(check_fields_of_frame(f));
    MUST(f->function < m->program->functions.size, "a frame's function is one of the program");
    const function *of = &m->program->functions.data[f->function];
    MUST(f->block < of->blocks.size, "a frame's block is one of its function");
    MUST(f->index < of->blocks.data[f->block].code.size, "a frame stands at an instruction of its block");
    uint32_t end = depth + 1 < t->frame_count ? t->frames[depth + 1].registers : t->value_count;
    MUST(depth || !f->registers, "registers of the first frame come first");
    MUST(f->registers + of->registers.size + of->locals.size == end,
         "a frame has the registers and locals of its function");
    if (!depth) {
        MUST(f->result_register == NO_INDEX, "nobody takes the result of the first frame");
    } else {
        const function *caller = &m->program->functions.data[f[-1].function];
        MUST(f->result_register == NO_INDEX || f->result_register < caller->registers.size,
             "a result goes to a register of the caller");
    }
    return check_registers(t, f, of);
}

static const char *check_frames(const machine *m, const thread_part *t) {
    for (uint32_t depth = 0; depth < t->frame_count; depth++) MUST_BE_FINE(check_frame(m, t, depth));
    MUST(t->frame_count || !t->value_count, "without frames there are no registers");
    thread_data values = thread_values(t);
    for (uint32_t k = 0; k < THREAD_SPANS; k++)
        for (uint32_t i = 0; i < values.span[k].count; i++) MUST_BE_FINE(check_value(m, values.span[k].v[i]));
    return NULL;
}

static const char *check_spin(const spin_watch *w) {
    if (!w) return NULL;
    MUST(w->refs, "a spin watch belongs to somebody");
    MUST(w->anchor && w->anchor->head.refs, "a spin watch has an anchor");
    MUST(w->memory && w->memory->refs && !w->memory->thread_count, "a spin watch remembers objects alone");
    for (uint32_t k = 0; k < w->count; k++) MUST(w->read[k].width >= 1, "a watched cell has a width");
    return NULL;
}

static const char *check_preemptive_thread(const thread_part *t) {
    MUST(t->status != THREAD_WAITING && t->status != THREAD_STARTING, "nobody waits for events here");
    MUST(!t->wait_count && !t->suspended && !t->disabled && !t->interrupts,
         "nobody is controlled as in the other kernel");
    MUST(t->status != THREAD_UNBORN || !t->frame_count, "who is unborn has no frames");
    MUST(t->status != THREAD_ENDED || !t->frame_count, "who has ended has no frames");
    MUST(t->status == THREAD_UNBORN || t->status == THREAD_ENDED || t->frame_count,
         "who lives stands somewhere");
    bool inside = t->status == THREAD_RUNNABLE || t->status == THREAD_STUCK;
    MUST(!t->atomic_depth || inside, "only who lives is inside of a section");
    MUST(t->held <= 8, "a copy holds at most one cell");
    MUST(t->poise <= POISE_DEPENDS, "poise is one of those that there are");
    MUST(t->poise != POISE_GOES_ON || (t->status == THREAD_RUNNABLE && !t->spin),
         "who is poised to go on can");
    MUST(t->poise != POISE_OVER || t->status != THREAD_RUNNABLE, "who is over does not run");
    return check_spin(t->spin);
}

static const char *check_cooperative_thread(const machine *m, const state *s, uint32_t number) {
    const thread_part *t = s->threads[number];
    MUST(t->status <= THREAD_ENDED, "a status is one of the kernel's");
    MUST(!t->atomic_depth && !t->copied && !t->held && !t->spin,
         "nobody is interrupted as in the other kernel");
    MUST(t->status != THREAD_STARTING || !number, "only main starts simulations");
    MUST(number || t->status != THREAD_WAITING, "main waits for no events");
    MUST(!t->wait_count || t->status == THREAD_WAITING, "who does not wait has no list of events");
    for (uint32_t k = 0; k < t->wait_count; k++)
        MUST(t->waits[k].event < m->program->events.size, "an awaited event is one of the program");
    for (uint32_t k = 0; k < t->wait_count; k++)
        MUST(is_truth_value(&t->waits[k].arrived), "arrived is 0 or 1");
    MUST(t->wait_all || !t->wait_count || !t->waits[0].arrived, "only who waits for all notes arrivals");
    MUST(!t->resume_pending || t->suspended, "who is to be resumed is suspended");
    MUST(t->interrupts <= m->program->threads.size, "who goes on later is a thread of the program");
    MUST(t->interrupts != number + 1, "nobody interrupts itself");
    return NULL;
}

static const char *check_thread(const machine *m, const state *s, uint32_t number) {
    const thread_part *t = s->threads[number];
    MUST(t->head.refs, "a thread's part belongs to somebody");
    MUST_BE_FINE(check_fields_of_thread(t));
    MUST(t->status <= THREAD_DRAWING, "a status is one of those that there are");
    MUST_BE_FINE(check_frames(m, t));
    MUST(thread_cache_is_right(t, s->static_count), "what a thread's part keeps is what it would compute");
    return m->traits->preempts ? check_preemptive_thread(t) : check_cooperative_thread(m, s, number);
}

/* --- objects --------------------------------------------------------------------------------------------- */

static const char *check_ragged(const memory_object *o) {
    const uint32_t *starts = object_starts(o);
    uint64_t bytes = object_bytes(o);
    MUST(!o->cells == !bytes, "cells cover an object");
    for (uint32_t k = 0; k < o->cells; k++) {
        MUST(k ? starts[k] > starts[k - 1] : !starts[0], "cells follow each other from byte 0 on");
        MUST(starts[k] < bytes, "cells start within their object");
        cell_view view = object_cell_view(o, k);
        if (!view.v.bits) continue;
        uint32_t width = 8 * (view.high - view.low);
        MUST(value_is_fragment(view.v) ? width == 8 : view.v.bits->width == width || view.v.bits->width == 8,
             "a cell holds a number of its size, or a byte again and again");
        MUST(!view.v.base || value_is_fragment(view.v) || view.v.bits->width == width,
             "a pointer fills its cell");
    }
    return NULL;
}

static const char *check_shaped(const memory_object *o) {
    MUST(o->cells == (uint64_t)o->count * o->shape->cells, "cells are those of the shape");
    for (uint32_t k = 0; k < o->cells; k++) {
        value v = o->cell[k];
        MUST(!v.bits || v.bits->width == o->shape->cell[k % o->shape->cells].type.width,
             "a cell holds a value of its width");
        MUST(!value_is_fragment(v) || !v.bits, "bytes of a pointer have cells of their own");
    }
    return NULL;
}

static const char *check_summary(const memory_object *o) {
    MUST(o->ragged && o->heap, "a summary stands for heap objects");
    const uint32_t *starts = object_starts(o);
    for (uint32_t k = 1; k < o->cells; k++) MUST(starts[k - 1] <= starts[k], "candidates ascend by position");
    return NULL;
}

static const char *check_object(const machine *m, const state *s, const memory_object *o) {
    MUST(o->head.refs, "an object's part belongs to somebody");
    MUST_BE_FINE(check_fields_of_object(o));
    MUST(o->shape, "an object has a shape");
    MUST(o->cells <= o->capacity, "cells are within their capacity");
    MUST(object_bytes(o) <= UINT32_MAX, "bytes are counted in 32 bits");
    MUST(o->heap <= 1 + MADE_BY_NEW_ARRAY, "heap memory was made in one of the ways");
    MUST(o->summary || (!o->perhaps_freed), "only a summary is freed perhaps");
    MUST_BE_FINE(o->summary ? check_summary(o) : o->ragged ? check_ragged(o) : check_shaped(o));
    for (uint32_t k = 0; k < o->cells; k++) MUST_BE_FINE(check_value(m, o->cell[k]));
    MUST(object_cache_is_right(o, s->static_count), "what an object's part keeps is what it would compute");
    return NULL;
}

static const char *check_static_object(const machine *m, const state *s, uint32_t name) {
    const memory_object *o = s->objects[name];
    MUST_BE_FINE(check_object(m, s, o));
    const static_object *declared = &m->program->objects.data[name];
    MUST(o->source_name == name, "a static object has its own name");
    MUST(o->shape == declared->shape && o->count == declared->count, "a static object keeps its shape");
    MUST(!o->summary && !o->frame, "a static object is one, and belongs to no frame");
    MUST(o->shared || declared->is_constant, "what is not constant can be reached");
    return NULL;
}

static const char *check_dynamic_object(const machine *m, const state *s, uint32_t position) {
    uint32_t name = s->dynamic[position].name;
    const memory_object *o = s->dynamic[position].object;
    MUST(name >= s->static_count && is_name(m, name), "dynamic objects are named after those of the program");
    MUST(!position || s->dynamic[position - 1].name < name, "dynamic objects ascend by name");
    MUST_BE_FINE(check_object(m, s, o));
    MUST(o->source_name == NO_INDEX, "a dynamic object is none of the program");
    MUST(!o->freed, "a dynamic object that is freed is gone");
    MUST(o->owner < s->thread_count, "a dynamic object was made by a thread");
    MUST(!o->frame || !o->heap, "heap memory does not die with a frame");
    MUST(o->frame <= s->threads[o->owner]->frame_count, "an object of a frame goes with it");
    return NULL;
}

/* --- the scheduler --------------------------------------------------------------------------------------- */

static const char *check_pending(const machine *m, const scheduler_part *k) {
    for (uint32_t i = 0; i < k->pending_count; i++) {
        const notification *n = &k->pending[i];
        MUST(!i || k->pending[i - 1].target < n->target, "notifications ascend by target");
        MUST(n->target < m->program->events.size + m->program->threads.size,
             "a notification is of an event or a timer");
        MUST(is_time(n->due), "a due time has 64 bits");
    }
    for (uint32_t i = 0; i < k->update_count; i++) {
        MUST(!i || k->updates[i - 1] < k->updates[i], "updates ascend");
        MUST(k->updates[i] < m->program->updates.size, "an update is one of the program");
    }
    return NULL;
}

static const char *check_scheduler(const machine *m, const state *s) {
    const scheduler_part *k = s->scheduler;
    MUST(k && k->head.refs, "the scheduler's part belongs to somebody");
    MUST_BE_FINE(check_fields_of_scheduler(k));
    MUST(k->phase <= PHASE_DONE, "a phase is one of those that there are");
    MUST(k->time, "there is always a time");
    MUST(k->running == NO_INDEX || k->running < s->thread_count, "who runs is a thread");
    MUST(k->last_thread <= s->thread_count, "who ran last is a thread");
    MUST_BE_FINE(check_pending(m, k));
    MUST(scheduler_cache_is_right(k), "what the scheduler's part keeps is what it would compute");
    if (m->traits->preempts) {
        MUST(k->phase == PHASE_EVALUATE || k->phase == PHASE_DONE, "threads run until the program ends");
        MUST(!k->pending_count && !k->update_count && !k->limit, "nothing is scheduled");
        return NULL;
    }
    MUST(k->phase != PHASE_UPDATE || k->update_count > 1, "only an order that matters is a choice");
    MUST(!k->starved || k->phase == PHASE_MAIN || k->phase == PHASE_DONE,
         "a simulation starves when it ends");
    bool simulates = k->phase == PHASE_EVALUATE || k->phase == PHASE_UPDATE;
    bool starts = s->threads[0]->status == THREAD_STARTING;
    bool updates = s->threads[kernel_slot(m)]->frame_count; /* a step ended inside of one */
    MUST(starts || !simulates, "main is inside of `start` while there is a simulation");
    MUST(!starts || simulates || updates || k->phase == PHASE_DONE,
         "there is a simulation while main is inside of `start`");
    MUST(!k->limit || starts, "a limit is that of a simulation");
    return NULL;
}

/* --- the whole ------------------------------------------------------------------------------------------- */

static const char *check_path(const state *s) {
    MUST(!s->path_count || s->path, "conjuncts lie somewhere");
    if (!s->path) return NULL;
    MUST(s->path->refs, "a path condition belongs to somebody");
    MUST(s->path_count <= s->path->used && s->path->used <= s->path->capacity,
         "a state sees conjuncts that there are");
    for (uint32_t i = 0; i < s->path_count; i++) {
        MUST(s->path->conjunct[i]->width == 1, "a conjunct is true or false");
        MUST(!term_is_const(s->path->conjunct[i]), "a conjunct says something");
    }
    return NULL;
}

const char *state_broken_invariant(const machine *m, const state *s) {
    uint32_t threads = (uint32_t)m->program->threads.size;
    MUST(s->refs, "a state belongs to somebody");
    MUST(s->static_count == m->program->objects.size, "static objects are those of the program");
    MUST(is_truth_value(&s->uncertain), "uncertain is 0 or 1");
    if (m->traits->preempts)
        MUST(s->thread_count >= 1 && s->thread_count <= 1 + m->thread_numbers.size,
             "threads have numbers of the machine");
    else
        MUST(s->thread_count == threads + 1, "threads are those of the program, and the kernel's");
    for (uint32_t t = 0; t < s->thread_count; t++) MUST_BE_FINE(check_thread(m, s, t));
    for (uint32_t i = 0; i < s->static_count; i++) MUST_BE_FINE(check_static_object(m, s, i));
    MUST(s->dynamic_count <= s->dynamic_capacity, "dynamic objects have room");
    for (uint32_t i = 0; i < s->dynamic_count; i++) MUST_BE_FINE(check_dynamic_object(m, s, i));
    MUST_BE_FINE(check_scheduler(m, s));
    return check_path(s);
}

bool state_is_sound(const machine *m, const state *s) {
    const char *broken = state_broken_invariant(m, s);
    if (broken) fprintf(stderr, "heddle: broken invariant of a state: %s\n", broken);
    return !broken;
}
