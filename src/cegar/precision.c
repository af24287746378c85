/* The precision: places whose constants are kept (everywhere), and predicates that are decided (within a
 * scope). */
#include "base/hash.h"
#include "cegar/internal.h"

/* Different constants of one place at one location. A counter is better left to predicates. */
enum { MOST_CONSTANTS = 40 };

struct precision {
    abstraction_options how;
    bool cooperative;
    uint32_t version;
    size_t predicates;
    map tracked;  /* names of registers and of bytes of memory: cells may be cut otherwise later */
    map given_up; /* by id of the place */
    map constants, counts; /* (place, location, constant) -> 1; (place, location) -> how many */
    map scopes;            /* scope -> index of its list */
    map known;             /* (scope, predicate) -> 1 */
    VEC(term_list) lists;
};

precision *precision_create(machine *m, const abstraction_options *how) {
    precision *p = mem_zero(1, sizeof *p);
    p->how = *how;
    p->cooperative = machine_program(m)->kernel == KERNEL_SYSTEMC;
    return p;
}

void precision_destroy(precision *p) {
    map_free(&p->tracked);
    map_free(&p->given_up);
    map_free(&p->constants);
    map_free(&p->counts);
    map_free(&p->scopes);
    map_free(&p->known);
    for (size_t i = 0; i < p->lists.size; i++) vec_free(&p->lists.data[i]);
    vec_free(&p->lists);
    mem_free(p);
}

uint32_t precision_version(const precision *p) {
    return p->version;
}

size_t precision_size(const precision *p) {
    return p->tracked.size + p->predicates;
}

/* --- constants ------------------------------------------------------------------------------------------ */

static void set_tracked(precision *p, const term *place, bool on) {
    uint64_t first = place->value;
    uint32_t bytes = 1;
    abstract_is_cell(place, &first, &bytes);
    for (uint32_t i = 0; i < bytes; i++) {
        if (on)
            map_put(&p->tracked, first + i, 1);
        else
            map_remove(&p->tracked, first + i);
    }
}

bool precision_is_tracked(const precision *p, const term *place) {
    uint64_t first = place->value;
    uint32_t bytes = 1;
    abstract_is_cell(place, &first, &bytes);
    for (uint32_t i = 0; i < bytes; i++)
        if (map_get(&p->tracked, first + i) != MAP_NONE) return true;
    return false;
}

bool precision_may_track(const precision *p, const term *place) {
    return p->how.domain == DOMAIN_EXPLICIT ||
           (p->how.domain == DOMAIN_PRODUCT && map_get(&p->given_up, place->id) == MAP_NONE);
}

bool precision_track(precision *p, const term *place) {
    if (precision_is_tracked(p, place) || map_get(&p->given_up, place->id) != MAP_NONE) return false;
    set_tracked(p, place, true);
    p->version++;
    return true;
}

bool precision_keeps(precision *p, const term *place, const term *constant, uint64_t location) {
    if (!precision_is_tracked(p, place)) return false;
    if (p->how.domain == DOMAIN_EXPLICIT) return true;
    uint64_t at = hash_pair(place->id, location), one = hash_pair(at, constant->value);
    if (map_get(&p->constants, one) != MAP_NONE) return true;
    uint64_t before = map_get(&p->counts, at), count = before == MAP_NONE ? 1 : before + 1;
    if (count > MOST_CONSTANTS) {
        set_tracked(p, place, false);
        map_put(&p->given_up, place->id, 1);
        p->version++;
        return false;
    }
    map_put(&p->constants, one, 1);
    map_put(&p->counts, at, count);
    return true;
}

/* --- predicates ----------------------------------------------------------------------------------------- */

static const term_list *list_of(const precision *p, uint64_t scope) {
    uint64_t index = map_get(&p->scopes, scope);
    return index == MAP_NONE ? NULL : &p->lists.data[index];
}

bool precision_add(precision *p, uint64_t scope, const term *predicate) {
    if (predicate->op == TERM_NOT) predicate = predicate->arg[0];
    if (term_is_const(predicate)) return false;
    uint64_t key = hash_pair(scope, predicate->id);
    if (map_get(&p->known, key) != MAP_NONE) return false;
    map_put(&p->known, key, 1);
    if (!list_of(p, scope)) {
        vec_push(&p->lists, ((term_list){0}));
        map_put(&p->scopes, scope, p->lists.size - 1);
    }
    term_list *list = &p->lists.data[map_get(&p->scopes, scope)];
    vec_push(list, predicate);
    p->predicates++;
    p->version++;
    return true;
}

const term_list *precision_predicates(const precision *p, uint64_t scope) {
    return list_of(p, scope);
}

uint64_t precision_scope_of(const precision *p, const state *s, uint32_t moved) {
    bool alone = !p->cooperative && s->thread_count == 1;
    bool has_thread = moved < s->thread_count;
    switch (p->how.scope) {
    case SCOPE_GLOBAL: return 0;
    case SCOPE_LOCATION: return abstract_locations(s);
    case SCOPE_THREAD: return has_thread ? hash_pair(moved, 5) : 1;
    case SCOPE_AUTO: break;
    }
    return alone ? abstract_locations(s) : 0;
}
