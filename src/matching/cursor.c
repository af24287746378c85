#include "matching/cursor.h"

#include "base/invariant.h"
#include "machine/hangs.h"
#include "machine/relations.h"

typedef enum {
    OTHER_SCHEDULER,
    OTHER_PATH,
    OTHER_UNCERTAIN,
    OTHER_FACT /* + thread * FACTS + which */
} other_place;

enum { FACTS = 1 + THREAD_COUNTS };

static uint32_t place_of(place_kind kind, uint32_t index) {
    return index * PLACE_KINDS + kind;
}

void cursor_open(cursor *c, uint32_t static_count) {
    *c = (cursor){.view = {.refs = 1, .static_count = static_count}};
    c->view.objects = mem_zero(static_count ? static_count : 1, sizeof *c->view.objects);
}

void cursor_close(cursor *c) {
    mem_free(c->view.threads);
    mem_free(c->view.objects);
    mem_free(c->view.dynamic);
    vec_free(&c->facts);
}

/* Of the parts of a state, those that are exchanged; lives are of replays, which nobody remembers. */
void cursor_clear(cursor *c) {
    ALL_PARTS_OF_STATES
    state *v = &c->view;
    v->thread_count = v->dynamic_count = v->path_count = 0;
    v->uncertain = false;
    v->scheduler = NULL;
    v->path = NULL;
    memset(v->objects, 0, v->static_count * sizeof *v->objects);
    vec_clear(&c->facts);
}

bool cursor_asleep(const cursor *c, uint32_t thread) {
    return thread < c->facts.size && c->facts.data[thread].asleep;
}

size_t cursor_places(const cursor *c) {
    return c->view.thread_count + c->view.static_count + c->view.dynamic_count;
}

/* --- exchanging ----------------------------------------------------------------------------------------- */

static void set_thread(cursor *c, uint32_t index, thread_part *t) {
    state *v = &c->view;
    if (!t) {
        if (index < v->thread_count) v->thread_count = index;
        return;
    }
    if (index >= c->thread_capacity) {
        c->thread_capacity = 2 * index + 4;
        v->threads = mem_grow(v->threads, c->thread_capacity * sizeof *v->threads);
    }
    if (index >= v->thread_count) v->thread_count = index + 1;
    v->threads[index] = t;
}

static void set_dynamic(cursor *c, uint32_t name, memory_object *o) {
    state *v = &c->view;
    assert(name >= v->static_count);
    uint32_t at = state_dynamic_position(v, name);
    dynamic_object *here = v->dynamic + at;
    if (at < v->dynamic_count && here->name == name) {
        here->object = o;
        if (!o) memmove(here, here + 1, (--v->dynamic_count - at) * sizeof *here);
        return;
    }
    if (!o) return;
    if (v->dynamic_count == v->dynamic_capacity) {
        v->dynamic_capacity = 2 * v->dynamic_capacity + 4;
        v->dynamic = mem_grow(v->dynamic, v->dynamic_capacity * sizeof *v->dynamic);
        here = v->dynamic + at;
    }
    memmove(here + 1, here, (v->dynamic_count++ - at) * sizeof *here);
    *here = (dynamic_object){name, o};
    assert(!at || here[-1].name < name);
    assert(at + 1 == v->dynamic_count || name < here[1].name);
}

static void set_fact(cursor *c, uint32_t index, uint32_t number) {
    while (c->facts.size <= index / FACTS) vec_push(&c->facts, ((thread_facts){0}));
    thread_facts *f = &c->facts.data[index / FACTS];
    if (index % FACTS)
        f->counts.made[index % FACTS - 1] = number;
    else
        f->asleep = number;
}

static void set_other(cursor *c, const parts *p, uint32_t index, uint32_t number) {
    state *v = &c->view;
    switch (index) {
    case OTHER_SCHEDULER: v->scheduler = parts_get(p, number); break;
    case OTHER_PATH:
        v->path = parts_get(p, number);
        v->path_count = v->path ? v->path->used : 0;
        break;
    case OTHER_UNCERTAIN: v->uncertain = number; break;
    default: set_fact(c, index - OTHER_FACT, number); break;
    }
}

static void set(cursor *c, const parts *p, uint32_t place, uint32_t number) {
    ALL_PARTS_OF_STATES
    uint32_t index = place / PLACE_KINDS;
    switch ((place_kind)(place % PLACE_KINDS)) {
    case PLACE_THREAD: set_thread(c, index, parts_get(p, number)); break;
    case PLACE_OBJECT:
        assert(index < c->view.static_count);
        c->view.objects[index] = parts_get(p, number);
        break;
    case PLACE_DYNAMIC: set_dynamic(c, index, parts_get(p, number)); break;
    default: set_other(c, p, index, number); break;
    }
}

void cursor_redo(cursor *c, const parts *p, const change *what) {
    set(c, p, what->place, what->after);
}

void cursor_undo(cursor *c, const parts *p, const change *what) {
    set(c, p, what->place, what->before);
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static void note(changes *out, uint32_t place, uint32_t before, uint32_t after) {
    if (before != after) vec_push(out, ((change){place, before, after}));
}

static thread_facts facts_here(const cursor *c, uint32_t thread) {
    return thread < c->facts.size ? c->facts.data[thread] : (thread_facts){0};
}

static bool same_counts(const thread_counts *a, const thread_counts *b) {
    return !memcmp(a, b, sizeof *a);
}

static void note_facts(const cursor *c, uint32_t thread, const thread_facts *now, changes *out) {
    thread_facts here = facts_here(c, thread);
    uint32_t place = OTHER_FACT + thread * FACTS;
    note(out, place_of(PLACE_OTHER, place), here.asleep, now->asleep);
    for (uint32_t k = 1; k < FACTS; k++)
        note(out, place_of(PLACE_OTHER, place + k), here.counts.made[k - 1], now->counts.made[k - 1]);
}

state *cursor_state(const cursor *c) {
    assert(c->view.scheduler && c->view.thread_count);
    state *s = state_clone(&c->view);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_counts kept = facts_here(c, t).counts, borrowed = counts_of(s->threads[t]);
        if (!same_counts(&borrowed, &kept)) thread_set_counts(state_own_thread(s, t), &kept);
    }
    return s;
}

/* States share what is in the table, so that the next comparison sees at once what has not changed. */
static void share_thread(thread_part **slot, thread_part *kept) {
    if (*slot == kept || (*slot)->spin || !threads_agree(*slot, kept, RELATION_COUNTED)) return;
    slow_assert(threads_identical(*slot, kept));
    kept->head.refs++;
    thread_release(*slot);
    *slot = kept;
}

static void share_object(memory_object **slot, memory_object *kept) {
    if (*slot == kept) return;
    slow_assert(objects_identical(*slot, kept));
    kept->head.refs++;
    object_release(*slot);
    *slot = kept;
}

static void share_scheduler(scheduler_part **slot, scheduler_part *kept) {
    if (*slot == kept || !schedulers_agree(*slot, kept, RELATION_COUNTED)) return;
    slow_assert(schedulers_identical(*slot, kept));
    kept->head.refs++;
    scheduler_release(*slot);
    *slot = kept;
}

static void share_path(state *s, path_part *kept) {
    if (s->path == kept) return;
    if (kept) kept->refs++;
    path_release(s->path);
    s->path = kept;
}

static void compare_threads(const cursor *c, parts *p, machine *m, state *s, changes *out) {
    const state *v = &c->view;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_facts now = {.asleep = s->threads[t]->spin && machine_sleeps(m, s, t),
                            .counts = counts_of(s->threads[t])};
        note_facts(c, t, &now, out);
        thread_part *here = t < v->thread_count ? v->threads[t] : NULL;
        if (here == s->threads[t]) continue;
        uint32_t number = parts_of_thread(p, s->threads[t]);
        note(out, place_of(PLACE_THREAD, t), here ? parts_of_thread(p, here) : 0, number);
        share_thread(&s->threads[t], parts_get(p, number));
    }
    for (uint32_t t = s->thread_count; t < v->thread_count; t++) {
        note_facts(c, t, &(thread_facts){0}, out);
        note(out, place_of(PLACE_THREAD, t), parts_of_thread(p, v->threads[t]), 0);
    }
}

static void compare_object(parts *p, uint32_t place, memory_object *here, memory_object **slot,
                           changes *out) {
    if (here == *slot) return;
    uint32_t number = parts_of_object(p, *slot);
    note(out, place, here ? parts_of_object(p, here) : 0, number);
    share_object(slot, parts_get(p, number));
}

/* Both lists ascend by name. */
static void compare_dynamic(const cursor *c, parts *p, state *s, changes *out) {
    const state *v = &c->view;
    uint32_t i = 0, k = 0;
    while (i < v->dynamic_count || k < s->dynamic_count) {
        const dynamic_object *old = i < v->dynamic_count ? &v->dynamic[i] : NULL;
        dynamic_object *now = k < s->dynamic_count ? &s->dynamic[k] : NULL;
        if (old && (!now || old->name < now->name)) {
            note(out, place_of(PLACE_DYNAMIC, old->name), parts_of_object(p, old->object), 0);
            i++;
            continue;
        }
        bool both = old && old->name == now->name;
        compare_object(p, place_of(PLACE_DYNAMIC, now->name), both ? old->object : NULL, &now->object, out);
        i += both;
        k++;
    }
}

void cursor_compare(const cursor *c, parts *p, machine *m, state *s, changes *out) {
    ALL_PARTS_OF_STATES
    const state *v = &c->view;
    assert(s->static_count == v->static_count);
    vec_clear(out);
    compare_threads(c, p, m, s, out);
    for (uint32_t i = 0; i < s->static_count; i++)
        compare_object(p, place_of(PLACE_OBJECT, i), v->objects[i], &s->objects[i], out);
    compare_dynamic(c, p, s, out);
    uint32_t scheduler = parts_of_scheduler(p, s->scheduler), path = parts_of_path(p, s->path, s->path_count);
    note(out, place_of(PLACE_OTHER, OTHER_SCHEDULER), v->scheduler ? parts_of_scheduler(p, v->scheduler) : 0,
         scheduler);
    note(out, place_of(PLACE_OTHER, OTHER_PATH), parts_of_path(p, v->path, v->path_count), path);
    note(out, place_of(PLACE_OTHER, OTHER_UNCERTAIN), v->uncertain, s->uncertain);
    share_scheduler(&s->scheduler, parts_get(p, scheduler));
    share_path(s, parts_get(p, path));
}
