/* Names of objects in partly unknown states: dynamic objects are called after who holds them, and what is too
 * much to be told apart becomes one summary (machine/summary.c). */
#include "partial/abstract.h"

#include "base/invariant.h"
#include "base/map.h"
#include "machine/naming.h"
#include "machine/state_check.h"
#include "machine/summary.h"

#include <stdlib.h>

enum { MOST_OF_ONE_SITE = ABSTRACT_MOST_APART };
#define HELD_BY_FRAME UINT32_C(0x80000000) /* + thread */
#define MADE_AT_SITE  UINT32_C(0xc0000000) /* + number of the site */
#define DANGLING      UINT32_C(0xe0000000)

/* In place of a running number: all further ones with so many elements, shared or not. */
#define SUMMARY_OF     UINT32_C(0x80000000)
#define SUMMARY_SHARED UINT32_C(0x40000000)

bool abstract_has_summaries(const state *s) {
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (s->dynamic[i].object->summary) return true;
    return false;
}

/* --- who is called what --------------------------------------------------------------------------------- */

typedef struct group { /* objects that become one summary */
    uint32_t name;
    object_names members;
} group;

typedef struct naming {
    machine *m;
    uint32_t apart;
    state *s;
    map renamed; /* old name -> new one */
    uint32_t dangling;
    bool changes;
    object_names reachable;
    VEC(group) groups;
    map pointed_to; /* name -> how many cells of memory have pointers to it; filled if there are groups */
} naming;

static void give_name(naming *n, uint32_t old, uint32_t holder, uint32_t count) {
    uint32_t name = machine_number_of_object(n->m, holder, count);
    map_put(&n->renamed, old, name);
    n->changes |= name != old;
}

/* NULL: done; else why not. */
static reason_kind name_locals(naming *n) {
    enum { LOCAL_BITS = 12, MOST_LOCALS = 1 << LOCAL_BITS, MOST_FRAMES = 1 << (32 - LOCAL_BITS) };
    for (uint32_t t = 0; t < n->s->thread_count; t++) {
        const thread_part *part = n->s->threads[t];
        for (uint32_t k = 0; k < part->frame_count; k++) {
            const frame *f = &part->frames[k];
            const function *of = &machine_program(n->m)->functions.data[f->function];
            if (of->locals.size > MOST_LOCALS || k >= MOST_FRAMES) return REASON_MANY_OBJECTS;
            for (uint32_t l = 0; l < of->locals.size; l++) {
                uint32_t name = value_object(part->values[f->registers + of->registers.size + l]);
                if (name != NO_INDEX) give_name(n, name, HELD_BY_FRAME | t, k << LOCAL_BITS | l);
            }
        }
    }
    return REASON_NONE;
}

static group *group_called(naming *n, uint32_t name) {
    for (size_t i = 0; i < n->groups.size; i++)
        if (n->groups.data[i].name == name) return &n->groups.data[i];
    vec_push(&n->groups, ((group){.name = name}));
    return &vec_last(&n->groups);
}

/* Only objects of one size become one, and only if all of them or none can be reached by other threads:
 * whether an access is seen depends on that. */
static reason_kind name_as_one_of_many(naming *n, uint32_t old, const memory_object *o, uint32_t site) {
    if (o->count >= SUMMARY_SHARED || o->freed) return REASON_MANY_OBJECTS;
    uint32_t count = SUMMARY_OF | (o->shared ? SUMMARY_SHARED : 0) | o->count;
    give_name(n, old, MADE_AT_SITE | site, count);
    vec_push(&group_called(n, (uint32_t)map_get(&n->renamed, old))->members, old);
    return REASON_NONE;
}

static reason_kind name_others(naming *n) {
    map counts = {0};
    reason_kind trouble = REASON_NONE;
    for (size_t i = 0; i < n->reachable.size && !trouble; i++) {
        uint32_t name = n->reachable.data[i];
        if (map_get(&n->renamed, name) != MAP_NONE) continue;
        const memory_object *o = state_object(n->s, name);
        uint32_t site = machine_number_of_site(n->m, o->site);
        uint64_t before = map_get(&counts, site), count = before == MAP_NONE ? 0 : before;
        if (o->summary || (o->heap && count >= n->apart)) {
            trouble = name_as_one_of_many(n, name, o, site);
        } else if (count >= MOST_OF_ONE_SITE) {
            trouble = REASON_MANY_OBJECTS;
        } else {
            map_put(&counts, site, count + 1);
            give_name(n, name, MADE_AT_SITE | site, (uint32_t)count);
        }
    }
    map_free(&counts);
    return trouble;
}

static void note_dangling(void *data, value v) {
    naming *n = data;
    uint32_t name = value_object(v);
    if (name == NO_INDEX || name < n->s->static_count || map_get(&n->renamed, name) != MAP_NONE) return;
    give_name(n, name, DANGLING, n->dangling++);
}

/* --- renaming ------------------------------------------------------------------------------------------- */

static bool rename_value(const naming *n, value *v) {
    uint32_t name = value_object(*v);
    if (name == NO_INDEX || name < n->s->static_count) return false;
    assert(map_get(&n->renamed, name) != MAP_NONE); /* also what is gone has a new name by now */
    uint32_t other = (uint32_t)map_get(&n->renamed, name);
    if (other == name) return false;
    v->base += other - name;
    return true;
}

static bool some_value_changes(const naming *n, const value *v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        value copy = v[i];
        if (rename_value(n, &copy)) return true;
    }
    return false;
}

static void rename_in_object(const naming *n, uint32_t name) {
    const memory_object *o = state_object(n->s, name);
    if (o->summary || !some_value_changes(n, o->cell, o->cells))
        return; /* summaries have new names in them */
    memory_object *own = state_own_object(n->s, name);
    for (uint32_t i = 0; i < own->cells; i++) rename_value(n, &own->cell[i]);
}

static void rename_in_thread(const naming *n, uint32_t thread) {
    const thread_part *t = n->s->threads[thread];
    if (!some_value_changes(n, t->values, t->value_count) && !some_value_changes(n, &t->result, 1)) return;
    thread_part *own = state_own_thread(n->s, thread);
    for (uint32_t i = 0; i < own->value_count; i++) rename_value(n, &own->values[i]);
    rename_value(n, &own->result);
}

static int compare_dynamic(const void *a, const void *b) {
    uint32_t x = ((const dynamic_object *)a)->name, y = ((const dynamic_object *)b)->name;
    return (x > y) - (x < y);
}

static void drop_unreachable(naming *n) {
    for (uint32_t i = n->s->dynamic_count; i-- > 0;)
        if (map_get(&n->renamed, n->s->dynamic[i].name) == MAP_NONE)
            state_drop_object(n->s, n->s->dynamic[i].name);
}

static const uint64_t by_summaries = UINT64_C(1) << 32; /* added for each summary that may point to it */

static void count_pointers(naming *n, const memory_object *o) {
    for (uint32_t i = 0; i < o->cells; i++) {
        uint32_t name = value_object(o->cell[i]);
        if (name == NO_INDEX || name < n->s->static_count) continue;
        uint64_t before = map_get(&n->pointed_to, name);
        map_put(&n->pointed_to, name, (before == MAP_NONE ? 0 : before) + (o->summary ? by_summaries : 1));
    }
}

static void count_all_pointers(naming *n) {
    for (uint32_t i = 0; i < n->s->static_count; i++) count_pointers(n, n->s->objects[i]);
    for (uint32_t i = 0; i < n->s->dynamic_count; i++) count_pointers(n, n->s->dynamic[i].object);
}

/* How many objects of a summary point to it cannot be seen: but if it was at most one before, and nobody has
 * stored such a pointer since then, it still is. */
static bool is_pointed_to_once(const naming *n, uint32_t name) {
    uint64_t count = map_get(&n->pointed_to, name);
    if (count == MAP_NONE) return true;
    return count < by_summaries ? count < 2 : state_object(n->s, name)->single;
}

/* It matters to summaries only. */
static void note_who_is_single(naming *n) {
    if (n->groups.size) count_all_pointers(n);
    for (uint32_t i = 0; i < n->s->dynamic_count; i++) {
        const memory_object *o = n->s->dynamic[i].object;
        if (!o->heap || o->summary) continue;
        bool single = n->groups.size && is_pointed_to_once(n, n->s->dynamic[i].name);
        if (single != o->single) state_own_object(n->s, n->s->dynamic[i].name)->single = single;
    }
}

FOR_ASSERTIONS static bool have_one_name(const naming *n, const group *g) {
    for (size_t i = 0; i < g->members.size; i++)
        if (map_get(&n->renamed, g->members.data[i]) != g->name) return false;
    return g->members.size > 0;
}

/* The summary takes the place of the first of them, which still has its old name. */
static reason_kind make_one_of(naming *n, const group *g) {
    slow_assert(have_one_name(n, g));
    laid_cells cells = {0};
    bool perhaps_freed = false, single = true;
    reason_kind trouble = summary_merge(n->m, n->s, g->members.data, g->members.size, &cells);
    for (size_t i = 0; i < cells.size; i++) rename_value(n, &cells.data[i].v);
    if (!trouble) trouble = summary_tidy(&cells);
    for (size_t i = 0; i < g->members.size; i++) {
        perhaps_freed |= state_object(n->s, g->members.data[i])->perhaps_freed;
        single &= state_object(n->s, g->members.data[i])->single;
    }
    if (!trouble) {
        summary_make(n->s, g->members.data[0], &cells);
        memory_object *o = state_own_object(n->s, g->members.data[0]);
        o->perhaps_freed = perhaps_freed;
        o->single = single;
        for (size_t i = 1; i < g->members.size; i++) state_drop_object(n->s, g->members.data[i]);
    }
    vec_free(&cells);
    return trouble;
}

static reason_kind rename_everything(naming *n) {
    state *s = n->s;
    reason_kind trouble = REASON_NONE;
    for (size_t i = 0; i < n->groups.size && !trouble; i++) trouble = make_one_of(n, &n->groups.data[i]);
    if (trouble) return trouble;
    for (uint32_t i = 0; i < s->static_count; i++) rename_in_object(n, i);
    for (uint32_t i = 0; i < s->dynamic_count; i++) rename_in_object(n, s->dynamic[i].name);
    for (uint32_t t = 0; t < s->thread_count; t++) rename_in_thread(n, t);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        s->dynamic[i].name = (uint32_t)map_get(&n->renamed, s->dynamic[i].name);
    if (s->dynamic_count) qsort(s->dynamic, s->dynamic_count, sizeof *s->dynamic, compare_dynamic);
    return REASON_NONE;
}

/* *again: objects became one, so others may be reached in another order now. */
static reason_kind rename_once(machine *m, state *s, uint32_t apart, bool *again) {
    naming n = {.m = m, .apart = apart, .s = s};
    state_reachable_objects(s, &n.reachable);
    reason_kind trouble = name_locals(&n);
    if (!trouble) trouble = name_others(&n);
    if (!trouble) {
        drop_unreachable(&n);
        state_each_value(s, &n.reachable, note_dangling, &n);
        note_who_is_single(&n);
    }
    if (!trouble && n.changes) trouble = rename_everything(&n);
    *again = n.changes && n.groups.size;
    map_free(&n.renamed);
    map_free(&n.pointed_to);
    vec_free(&n.reachable);
    for (size_t i = 0; i < n.groups.size; i++) vec_free(&n.groups.data[i].members);
    vec_free(&n.groups);
    return trouble;
}

static void forget_where_taken_from(state *s) {
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (s->dynamic[i].object->taken_from) state_own_object(s, s->dynamic[i].name)->taken_from = 0;
}

static reason_kind rename_objects(machine *m, state *s, uint32_t apart) {
    forget_where_taken_from(s);
    enum { MOST_ROUNDS = 8 }; /* names that do not settle are as good, but for finding states again */
    reason_kind trouble = REASON_NONE;
    bool again = true;
    for (unsigned round = 0; round < MOST_ROUNDS && again && !trouble; round++)
        trouble = rename_once(m, s, apart, &again);
    return trouble;
}

/* --- counts and time ------------------------------------------------------------------------------------ */

static void restart_counts(state *s, uint32_t first_input) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        const thread_part *part = s->threads[t];
        if (!part->objects_made && part->inputs_made == first_input && part->unknowns_made == first_input &&
            !part->spin)
            continue;
        thread_part *own = state_own_thread(s, t);
        own->objects_made = 0;
        own->inputs_made = own->unknowns_made = first_input;
        thread_set_spin(own, NULL);
    }
}

static bool is_open(const term *time) {
    return time && !term_is_const(time);
}

const term *abstract_open_time(const state *s) {
    const scheduler_part *k = s->scheduler;
    if (is_open(k->time)) return k->time;
    if (is_open(k->limit)) return k->limit;
    for (uint32_t i = 0; i < k->pending_count; i++)
        if (is_open(k->pending[i].due)) return k->pending[i].due;
    return NULL;
}

static void start_time_anew(machine *m, state *s) {
    uint64_t now = s->scheduler->time->value;
    if (!now) return;
    scheduler_part *k = state_own_scheduler(s);
    k->time = term_const(machine_terms(m), 64, 0);
    for (uint32_t i = 0; i < k->pending_count; i++)
        if (k->pending[i].due)
            k->pending[i].due = term_const(machine_terms(m), 64, k->pending[i].due->value - now);
}

state *abstract_rename(machine *m, const state *from, rename_options how, reason_kind *trouble) {
    assert(how.apart <= MOST_OF_ONE_SITE);
    state *s = state_clone(from);
    *trouble = abstract_open_time(s) ? REASON_OPEN_TIME : rename_objects(m, s, how.apart);
    if (*trouble) {
        state_free(s);
        return NULL;
    }
    restart_counts(s, how.first_input);
    if (how.ignore_time) start_time_anew(m, s);
    slow_assert(state_is_sound(m, s));
    return s;
}
