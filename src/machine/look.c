#include "machine/look.h"

#include "machine/state.h"

const thread_part *thread_of(const state *s, uint32_t thread) {
    return s->threads[thread];
}

const scheduler_part *scheduler_of(const state *s) {
    return s->scheduler;
}

uint32_t static_count_of(const state *s) {
    return s->static_count;
}

uint32_t dynamic_count_of(const state *s) {
    return s->dynamic_count;
}

dynamic_object dynamic_of(const state *s, uint32_t index) {
    return s->dynamic[index];
}

uint64_t bytes_of(const memory_object *o) {
    return object_bytes(o);
}

void object_describe(const state *s, uint32_t name, const layout *type) {
    ((memory_object *)state_object(s, name))->described = type;
}

const notification *pending_for(const scheduler_part *k, uint32_t target) {
    return scheduler_find_pending(k, target);
}

const value *cell_of(const memory_object *o) {
    return o->cell;
}

#define ASK(result, name, part)                                                                              \
    result name##_of(const part *x) {                                                                        \
        return x->name;                                                                                      \
    }

#define FIELD(type, name, role) ASK(type, name, thread_part)
#define VALUE(name, role)       ASK(value, name, thread_part)
#define ARRAY(element, name, count, capacity, role)                                                          \
    ASK(const element *, name, thread_part)                                                                  \
    ASK(uint32_t, count, thread_part)
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY

#define FIELD(type, name, role) ASK(type, name, memory_object)
#define LAYOUT(name, role)      ASK(const layout *, name, memory_object)
#define PLACE(name, role)       ASK(position, name, memory_object)
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE

#define FIELD(type, name, role) ASK(type, name, scheduler_part)
#define TERM(name, role)        ASK(const term *, name, scheduler_part)
#define ARRAY(element, name, count, capacity, role)                                                          \
    ASK(const element *, name, scheduler_part)                                                               \
    ASK(uint32_t, count, scheduler_part)
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
