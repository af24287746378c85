/* The precision: places whose constants are kept (everywhere), and predicates that are decided
 * (within a scope). */
#include "base/hash.h"
#include "cegar/internal.h"

/* Different constants of one place at one location. A counter is better left to predicates. */
enum { MOST_CONSTANTS = 10, FEW_CONSTANTS = 8 /* that nobody asked for */ };

enum { GIVEN_UP_UNASKED = 1, GIVEN_UP = 2 };

struct precision {
    const program *program;
    abstraction_options how;
    bool threads_come; /* later: until then there is only main */
    uint32_t version;
    size_t predicates;
    /* Names of registers (in all threads: what matters in one of them matters in those like it) and of bytes
     * of memory: cells may be cut otherwise later. */
    map tracked;
    map unasked;           /* the same, of locks and other cells that order memory: they matter mostly */
    map given_up;          /* by id of the place */
    map allowed;           /* by id of the place: how many constants, if not MOST_CONSTANTS */
    map constants, counts; /* (place, location, constant) -> 1; (place, location) -> how many */
    map scopes;            /* scope -> index of its list */
    map known;             /* (scope, predicate) -> 1 */
    map mentioned;         /* objects of which something was ever to be known */
    VEC(term_list) lists;
};

precision *precision_create(machine *m, const abstraction_options *how) {
    precision *p = mem_zero(1, sizeof *p);
    p->how = *how;
    p->program = machine_program(m);
    p->threads_come = program_kernel(p->program)->creates_threads;
    return p;
}

void precision_destroy(precision *p) {
    map_free(&p->tracked);
    map_free(&p->unasked);
    map_free(&p->given_up);
    map_free(&p->allowed);
    map_free(&p->constants);
    map_free(&p->counts);
    map_free(&p->scopes);
    map_free(&p->known);
    map_free(&p->mentioned);
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

bool precision_mentions(const precision *p, uint32_t object) {
    return map_get(&p->mentioned, object) != MAP_NONE;
}

static void mention(precision *p, const term *place) {
    uint32_t object = abstract_object_of(place);
    if (object != NO_INDEX) map_put(&p->mentioned, object, 1);
}

/* --- constants ------------------------------------------------------------------------------------------ */

static void set_tracked(precision *p, const term *place, bool on) {
    uint64_t first = abstract_variable(place);
    uint32_t bytes = 1;
    abstract_is_cell(place, &first, &bytes);
    for (uint32_t i = 0; i < bytes; i++) {
        if (on)
            map_put(&p->tracked, first + i, 1);
        else
            map_remove(&p->tracked, first + i);
    }
}

static bool has_some_byte(const map *names, const term *place) {
    uint64_t first = abstract_variable(place);
    uint32_t bytes = 1;
    abstract_is_cell(place, &first, &bytes);
    for (uint32_t i = 0; i < bytes; i++)
        if (map_get(names, first + i) != MAP_NONE) return true;
    return false;
}

static bool is_given_up(const precision *p, const term *place, uint64_t at_least) {
    uint64_t how = map_get(&p->given_up, place->id);
    assert(how == MAP_NONE || how == GIVEN_UP || how == GIVEN_UP_UNASKED);
    return how != MAP_NONE && how >= at_least;
}

/* Library models deal in numbers of threads and states of locks. */
static bool is_tracked_unasked(const precision *p, const term *place) {
    if (p->how.domain == DOMAIN_CARTESIAN || p->how.domain == DOMAIN_BOOLEAN ||
        is_given_up(p, place, GIVEN_UP_UNASKED))
        return false;
    uint32_t function_index = abstract_function_of(place);
    if (function_index != NO_INDEX) {
        const function *f = &p->program->functions.data[function_index];
        return f->hidden && !function_is_of_cxx(f);
    }
    return has_some_byte(&p->unasked, place);
}

bool precision_is_tracked(const precision *p, const term *place) {
    return has_some_byte(&p->tracked, place) || is_tracked_unasked(p, place);
}

bool precision_may_track(const precision *p, const term *place) {
    return p->how.domain == DOMAIN_EXPLICIT ||
           (p->how.domain == DOMAIN_PRODUCT && !is_given_up(p, place, GIVEN_UP));
}

static uint64_t most_constants(const precision *p, const term *number) {
    uint64_t allowed = map_get(&p->allowed, number->id);
    return allowed == MAP_NONE ? MOST_CONSTANTS : allowed;
}

bool precision_track(precision *p, const term *place) {
    if (precision_is_tracked(p, place) || is_given_up(p, place, GIVEN_UP)) return false;
    set_tracked(p, place, true);
    mention(p, place);
    p->version++;
    return true;
}

/* A number that was given up may have more constants; false: it was not, or has had enough. */
static bool allow_more(precision *p, const term *number, uint64_t most) {
    enum { TIMES = 4 };
    if (!is_given_up(p, number, GIVEN_UP) || most_constants(p, number) > most / TIMES) return false;
    map_put(&p->allowed, number->id, most_constants(p, number) * TIMES);
    map_remove(&p->given_up, number->id);
    p->version++;
    return true;
}

bool precision_track_again(precision *p, const term *place, uint64_t most) {
    return allow_more(p, place, most) && precision_track(p, place);
}

bool precision_keep_distance_again(precision *p, const term *distance) {
    enum { MOST_EVER = 100000 };
    return allow_more(p, distance, MOST_EVER);
}

void precision_track_unasked(precision *p, const effect *touched) {
    enum { MOST_BYTES = 8 };
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        bool cell = a->kind <= ACCESS_UPDATE && !a->plain && a->name < p->program->objects.size;
        if (!cell || a->high - a->low > MOST_BYTES) continue;
        for (uint32_t byte = a->low; byte < a->high; byte++) {
            uint64_t name = abstract_byte(a->name, byte);
            if (map_get(&p->unasked, name) != MAP_NONE) continue;
            map_put(&p->unasked, name, 1);
            map_put(&p->mentioned, a->name, 1);
            p->version++;
        }
    }
}

static bool give_up(precision *p, const term *place) {
    bool asked = has_some_byte(&p->tracked, place);
    if (asked) set_tracked(p, place, false);
    map_put(&p->given_up, place->id, asked ? GIVEN_UP : GIVEN_UP_UNASKED);
    p->version++;
    return false;
}

/* Whether there are not too many different ones there. */
static bool is_one_of_few(precision *p, const term *number, const term *constant, uint64_t location,
                          uint64_t most) {
    uint64_t at = hash_pair(hash_pair(number->id, most), location), one = hash_pair(at, constant->value);
    if (map_get(&p->constants, one) != MAP_NONE) return true;
    uint64_t before = map_get(&p->counts, at), count = before == MAP_NONE ? 1 : before + 1;
    if (count > most) return false;
    map_put(&p->constants, one, 1);
    assert(count <= most);
    map_put(&p->counts, at, count);
    return true;
}

bool precision_keeps(precision *p, const term *place, const term *constant, uint64_t location) {
    if (!precision_is_tracked(p, place)) return false;
    if (p->how.domain == DOMAIN_EXPLICIT) return true;
    uint64_t most = has_some_byte(&p->tracked, place) ? most_constants(p, place) : FEW_CONSTANTS;
    return is_one_of_few(p, place, constant, location, most) || give_up(p, place);
}

bool precision_keeps_of_heap(precision *p, const term *place, const term *constant, uint64_t location) {
    if (is_given_up(p, place, GIVEN_UP_UNASKED)) return false;
    return is_one_of_few(p, place, constant, location, FEW_CONSTANTS) || give_up(p, place);
}

bool precision_keeps_distance(precision *p, const term *distance, const term *constant, uint64_t location) {
    if (is_given_up(p, distance, GIVEN_UP)) return false;
    if (is_one_of_few(p, distance, constant, location, most_constants(p, distance))) return true;
    map_put(&p->given_up, distance->id, GIVEN_UP);
    p->version++;
    return false;
}

bool precision_may_keep_distance(const precision *p, const term *distance) {
    return !is_given_up(p, distance, GIVEN_UP);
}

/* --- predicates ----------------------------------------------------------------------------------------- */

static const term_list *list_of(const precision *p, uint64_t scope) {
    uint64_t index = map_get(&p->scopes, scope);
    assert(index == MAP_NONE || index < p->lists.size);
    return index == MAP_NONE ? NULL : &p->lists.data[index];
}

bool precision_add(precision *p, uint64_t scope, const term *predicate) {
    if (predicate->op == TERM_NOT && predicate->width == 1) predicate = predicate->arg[0];
    if (term_is_const(predicate)) return false;
    uint64_t key = hash_pair(scope, predicate->id);
    if (map_get(&p->known, key) != MAP_NONE) return false;
    map_put(&p->known, key, 1);
    if (!list_of(p, scope)) {
        vec_push(&p->lists, ((term_list){0}));
        map_put(&p->scopes, scope, p->lists.size - 1);
    }
    assert(predicate->support->size && list_of(p, scope)); /* it is about something */
    term_list *list = &p->lists.data[map_get(&p->scopes, scope)];
    vec_push(list, predicate);
    for (uint32_t i = 0; i < predicate->support->size; i++) mention(p, predicate->support->symbol[i]);
    p->predicates++;
    p->version++;
    assert(p->predicates == p->known.size); /* precision only grows */
    return true;
}

const term_list *precision_predicates(const precision *p, uint64_t scope) {
    return list_of(p, scope);
}

uint64_t precision_scope_of(const precision *p, const state *s, uint32_t moved) {
    bool alone = p->threads_come && state_thread_count(s) == 1;
    bool has_thread = moved < state_thread_count(s);
    switch (p->how.scope) {
    case SCOPE_GLOBAL: return 0;
    case SCOPE_LOCATION: return abstract_locations(s);
    case SCOPE_THREAD: return has_thread ? hash_pair(moved, 5) : 1;
    case SCOPE_AUTO: break;
    }
    return alone ? abstract_locations(s) : 0;
}
