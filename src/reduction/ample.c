#include "reduction/ample.h"

#include "base/invariant.h"

struct ample {
    machine *machine;
    unsigned stops;
    const futures *futures;
    successors next;          /* of the step that is tried */
    VEC(call_sites) standing; /* of each thread in the present state */
};

ample *ample_create(machine *m, unsigned stops) {
    ample *a = mem_zero(1, sizeof *a);
    a->machine = m;
    a->stops = stops;
    a->futures = analyses_futures(machine_analyses(m));
    return a;
}

void ample_destroy(ample *a) {
    if (!a) return;
    successors_free(a->machine, &a->next);
    for (size_t i = 0; i < a->standing.size; i++) vec_free(&a->standing.data[i]);
    vec_free(&a->standing);
    mem_free(a);
}

static void look_where_threads_stand(ample *a, const state *s) {
    while (a->standing.size < state_thread_count(s)) vec_push(&a->standing, ((call_sites){0}));
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        call_sites *sites = &a->standing.data[t];
        vec_clear(sites);
        if (state_thread_status(s, t) == THREAD_RUNNABLE) state_stack(s, t, sites);
    }
}

static bool others_may_claim(const ample *a, const state *s, uint32_t thread) {
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        const call_sites *sites = &a->standing.data[t];
        if (t != thread && sites->size && futures_may_join(a->futures, sites->data, sites->size)) return true;
    }
    return false;
}

static bool others_may_touch(const ample *a, const state *s, uint32_t thread, const state *after,
                             const access *touched) {
    if (touched->kind == ACCESS_CLAIM) return others_may_claim(a, s, thread);
    if (touched->kind > ACCESS_UPDATE)
        return false; /* other thread operations never disable or change others */
    if (touched->name == ACCESS_ANY) return true;
    object_origin from;
    if (!state_origin(s, touched->name, &from) && !state_origin(after, touched->name, &from)) return true;
    bool only_writes = touched->kind == ACCESS_READ;
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        const call_sites *sites = &a->standing.data[t];
        if (t != thread && sites->size &&
            futures_may_access(a->futures, sites->data, sites->size, from.object, from.site, only_writes))
            return true;
    }
    return false;
}

static bool is_clear(const ample *a, const state *s, uint32_t thread, const state *after, const effect *e) {
    for (size_t i = 0; i < e->size; i++)
        if (others_may_touch(a, s, thread, after, &e->data[i])) return false;
    return true;
}

static bool is_enough(ample *a, const state *s, transition t) {
    pending first;
    machine_pending(a->machine, s, t.thread, &first);
    if (!is_clear(a, s, t.thread, s, first.next)) return false; /* cheaper than executing it */
    step_options how = {.effects = true, .stops = a->stops};
    successors_clear(a->machine, &a->next);
    machine_step(a->machine, s, t, &how, &a->next);
    bool enough = a->next.size > 0;
    for (size_t i = 0; i < a->next.size && enough; i++) {
        const successor *n = &a->next.data[i];
        bool whole = n->end == STEP_STOPPED && !state_is_inside_step(n->to);
        enough = whole && is_clear(a, s, t.thread, n->to, &n->touched);
    }
    return enough;
}

/* What one thread may do is a set only with all its choices. */
static bool is_only_choice(const transitions *enabled, uint32_t index) {
    for (size_t i = 0; i < enabled->size; i++)
        if (i != index && enabled->data[i].thread == enabled->data[index].thread) return false;
    return true;
}

uint32_t ample_find(ample *a, const state *s, const transitions *enabled) {
    assert(enabled->size && !state_is_inside_step(s)); /* else its thread alone can go on */
    if (enabled->size == 1) return 0;
    if (machine_exits_anywhere(a->machine))
        return NO_INDEX; /* the end of the program can come before any step */
    look_where_threads_stand(a, s);
    for (uint32_t i = 0; i < enabled->size; i++)
        if (is_only_choice(enabled, i) && is_enough(a, s, enabled->data[i])) return i;
    return NO_INDEX;
}
