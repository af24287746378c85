/* From the end of a step to an abstract state: which predicates hold there, which constants are kept;
 * everything else about the data is forgotten. */
#include "cegar/internal.h"
#include "machine/state_check.h"

typedef struct literal {
    const term *predicate;
    bool holds;
} literal;

typedef VEC(literal) literals;

typedef struct abstracting {
    cegar *x;
    state *s; /* with names of its own */
    uint64_t location;
    term_list decided;   /* predicates whose truth the solver finds out, ... */
    term_list kept;      /* ... and those that are only kept where nothing changed */
    term_list distances; /* of places */
    substitution *equal; /* symbols that the path condition says are constants */
    bool has_equal;
} abstracting;

/* --- constants ------------------------------------------------------------------------------------------ */

static void learn_equality(abstracting *a, const term *t) {
    terms *c = machine_terms(a->x->machine);
    bool negated = t->op == TERM_NOT;
    const term *inner = negated ? t->arg[0] : t;
    if (term_is_symbol(inner)) {
        substitution_set(a->equal, inner, term_bool(c, !negated));
        a->has_equal = true;
    } else if (t->op == TERM_EQ) {
        const term *number = term_is_const(t->arg[0]) ? t->arg[0] : t->arg[1];
        const term *symbol = t->arg[0] == number ? t->arg[1] : t->arg[0];
        if (!term_is_const(number) || !term_is_symbol(symbol)) return;
        substitution_set(a->equal, symbol, number);
        a->has_equal = true;
    }
}

static bool is_kept_of_heap(const abstracting *a, const term *place) {
    uint32_t name = a->x->heap_constants ? abstract_object_of(place) : NO_INDEX;
    return name != NO_INDEX && abstract_is_heap(a->s, name);
}

static const term *kept_constant(void *data, const term *place, const term *number) {
    abstracting *a = data;
    bool tracked = precision_is_tracked(a->x->precision, place);
    if (!tracked && !is_kept_of_heap(a, place)) return NULL;
    if (!term_is_const(number) && a->has_equal) number = substitution_apply(a->equal, number);
    if (!term_is_const(number)) return NULL;
    bool kept = tracked ? precision_keeps(a->x->precision, place, number, a->location)
                        : precision_keeps_of_heap(a->x->precision, place, number, a->location);
    return kept ? number : NULL;
}

/* --- predicates ----------------------------------------------------------------------------------------- */

/* The predicate about the values that s holds at its places; NULL: s has no such places. */
static const term *predicate_in(cegar *x, const state *s, const term *predicate) {
    const term_support *symbols = predicate->support;
    bool there = true, same = true;
    substitution_clear(x->values);
    for (uint32_t i = 0; i < symbols->size && there; i++) {
        value v = abstract_value(x->machine, s, symbols->symbol[i]);
        there = v.bits && !abstract_is_unset(s, symbols->symbol[i]);
        if (!there || v.bits == symbols->symbol[i]) continue;
        same = false;
        substitution_set(x->values, symbols->symbol[i], v.bits);
    }
    if (!there) return NULL;
    return same ? predicate : substitution_apply(x->values, predicate);
}

static bool cannot_be(cegar *x, const state *s, const term *t) {
    if (term_is_const(t)) return term_is_false(t);
    solver *solver = machine_solver(x->machine);
    bool before = solver_set_quick(solver, !x->thorough);
    bool never = solver_check_extension(solver, state_path(s), state_path_count(s), t) == SOLVER_UNSAT;
    solver_set_quick(solver, before);
    return never;
}

typedef enum { HOLDS, FAILS, OPEN } truth;

/* Without asking the solver: what was known before and has not changed since. */
static truth truth_at_once(cegar *x, const state *s, const term *t) {
    if (term_is_const(t)) return term_is_true(t) ? HOLDS : FAILS;
    if (state_assumes(s, t)) return HOLDS;
    return state_assumes(s, term_not(machine_terms(x->machine), t)) ? FAILS : OPEN;
}

static truth truth_of(cegar *x, const state *s, const term *t) {
    truth known = truth_at_once(x, s, t);
    if (known != OPEN) return known;
    if (cannot_be(x, s, term_not(machine_terms(x->machine), t))) return HOLDS;
    return cannot_be(x, s, t) ? FAILS : OPEN;
}

/* The literals as the path condition of a state of which the rest was forgotten. */
static void assume_literals(cegar *x, state *s, const literals *list) {
    term_list conditions = {0};
    terms *c = machine_terms(x->machine);
    for (size_t i = 0; i < list->size; i++) {
        const term *t = predicate_in(x, s, list->data[i].predicate);
        if (!t) continue;
        if (!list->data[i].holds) t = term_not(c, t);
        if (!term_is_const(t)) vec_push(&conditions, t);
    }
    abstract_assume_only(s, conditions.data, (uint32_t)conditions.size);
    vec_free(&conditions);
}

static reason_kind finish(abstracting *a, state *s, const literals *list, state_list *out) {
    reason_kind trouble = abstract_forget(a->x->machine, s, kept_constant, a);
    if (trouble) {
        state_release(a->x->machine, s);
        return trouble;
    }
    assume_literals(a->x, s, list);
    vec_push(out, s);
    return REASON_NONE;
}

/* --- combinations of predicates ------------------------------------------------------------------------- */

enum { MOST_CUBES = 64 };

typedef struct cube { /* predicates up to `next` are decided */
    state *s;
    literals list;
    size_t next;
} cube;

static cube with_literal(abstracting *a, const cube *from, literal l, const term *condition) {
    cube c = {state_assume(from->s, &condition, 1), {0}, from->next + 1};
    slow_assert(state_is_sound(a->x->machine, c.s));
    for (size_t i = 0; i < from->list.size; i++) vec_push(&c.list, from->list.data[i]);
    vec_push(&c.list, l);
    return c;
}

/* One state for each combination of truth values that is possible; beyond some number open ones stay open. */
static reason_kind split(abstracting *a, const literals *kept, state_list *out) {
    const term_list *predicates = &a->decided;
    VEC(cube) open = {0};
    terms *c = machine_terms(a->x->machine);
    reason_kind trouble = REASON_NONE;
    vec_push(&open, ((cube){a->s, {0}, 0}));
    while (open.size) {
        cube now = vec_pop(&open);
        while (now.next < predicates->size) {
            const term *p = predicates->data[now.next], *t = predicate_in(a->x, now.s, p);
            truth known = t ? truth_of(a->x, now.s, t) : OPEN;
            if (known != OPEN) {
                vec_push(&now.list, ((literal){p, known == HOLDS}));
            } else if (t && open.size + out->size < MOST_CUBES) {
                cube other = with_literal(a, &now, (literal){p, false}, term_not(c, t));
                vec_push(&open, other);
                vec_push(&now.list, ((literal){p, true}));
                abstract_assume(now.s, t);
            }
            now.next++;
        }
        for (size_t i = 0; i < kept->size; i++) vec_push(&now.list, kept->data[i]);
        reason_kind wrong = finish(a, now.s, &now.list, out);
        if (wrong) trouble = wrong;
        vec_free(&now.list);
    }
    vec_free(&open);
    return trouble;
}

static void decide_each(abstracting *a, literals *out) {
    for (size_t i = 0; i < a->decided.size; i++) {
        const term *t = predicate_in(a->x, a->s, a->decided.data[i]);
        truth known = t ? truth_of(a->x, a->s, t) : OPEN;
        if (known != OPEN) vec_push(out, ((literal){a->decided.data[i], known == HOLDS}));
    }
}

static void keep_each(abstracting *a, literals *out) {
    for (size_t i = 0; i < a->kept.size; i++) {
        const term *t = predicate_in(a->x, a->s, a->kept.data[i]);
        truth known = t ? truth_at_once(a->x, a->s, t) : OPEN;
        if (known != OPEN) vec_push(out, ((literal){a->kept.data[i], known == HOLDS}));
    }
}

/* --- distances ------------------------------------------------------------------------------------------ */

enum { MOST_ROUNDS = 4 };

static bool mentions(const term *t, const term *symbol) {
    for (uint32_t i = 0; t->support && i < t->support->size; i++)
        if (t->support->symbol[i] == symbol) return true;
    return false;
}

/* What a term is if equalities are used as often as needed: what replaces one symbol may have others. */
static const term *apply_equalities(substitution *equal, const term *t) {
    const term *before = NULL;
    for (unsigned i = 0; i < MOST_ROUNDS && t != before; i++) {
        before = t;
        t = substitution_apply(equal, t);
    }
    return t;
}

/* One symbol is replaced by what the path condition says it equals. */
static void use_equality(substitution *equal, const term *condition) {
    if (condition->op != TERM_EQ) return;
    for (int i = 0; i < 2; i++) {
        const term *symbol = condition->arg[i], *by = apply_equalities(equal, condition->arg[1 - i]);
        if (!term_is_symbol(symbol) || apply_equalities(equal, symbol) != symbol || mentions(by, symbol))
            continue;
        substitution_set(equal, symbol, by);
        return;
    }
}

/* Distances that are the same in all states, as long as there are not too many different ones. */
static void find_distances(abstracting *a, literals *out) {
    terms *c = machine_terms(a->x->machine);
    precision *p = a->x->precision;
    if (!a->distances.size) return;
    substitution *equal = substitution_create(c);
    for (uint32_t i = 0; i < state_path_count(a->s); i++) use_equality(equal, state_path(a->s)[i]);
    for (size_t i = 0; i < a->distances.size; i++) {
        const term *distance = a->distances.data[i];
        if (!precision_may_keep_distance(p, distance)) continue;
        const term *t = predicate_in(a->x, a->s, distance);
        if (t) t = apply_equalities(equal, t);
        if (t && term_is_const(t) && precision_keeps_distance(p, distance, t, a->location))
            vec_push(out, ((literal){term_eq(c, distance, t), true}));
    }
    substitution_destroy(equal);
}

/* --- which predicates ----------------------------------------------------------------------------------- */

static bool is_among(const term_list *list, size_t count, const term *t) {
    for (size_t i = 0; i < count; i++)
        if (list->data[i] == t) return true;
    return false;
}

/* Those of the scope that are in neither list yet. */
static void add_new(abstracting *a, uint64_t scope, term_list *out) {
    const term_list *list = precision_predicates(a->x->precision, scope);
    size_t decided = a->decided.size, kept = a->kept.size;
    for (size_t i = 0; list && i < list->size; i++) {
        const term *t = list->data[i];
        bool distance = t->width > 1;
        if (distance && !is_among(&a->distances, a->distances.size, t)) vec_push(&a->distances, t);
        if (distance || is_among(&a->decided, decided, t) || is_among(&a->kept, kept, t)) continue;
        vec_push(out, t);
    }
}

static void find_predicates(abstracting *a, uint32_t moved) {
    const cegar_variant *v = a->x->variant;
    scope_list scopes = {0};
    size_t decided = 1;
    if (v->scopes_in)
        decided = v->scopes_in(v->data, a->s, moved, &scopes);
    else
        vec_push(&scopes, precision_scope_of(a->x->precision, a->s, moved));
    assert(decided <= scopes.size);
    for (size_t i = 0; i < scopes.size; i++) add_new(a, scopes.data[i], i < decided ? &a->decided : &a->kept);
    vec_free(&scopes);
}

reason_kind abstraction_of(cegar *x, const state *from, uint32_t moved, state_list *out) {
    reason_kind trouble;
    state *s = abstract_rename(x->machine, from, names_of(x), &trouble);
    if (!s) return trouble;
    abstracting a = {.x = x, .s = s, .location = abstract_locations(s)};
    a.equal = substitution_create(machine_terms(x->machine));
    for (uint32_t i = 0; i < state_path_count(s); i++) learn_equality(&a, state_path(s)[i]);
    literals known = {0};
    find_predicates(&a, moved);
    keep_each(&a, &known);
    find_distances(&a, &known);
    if (a.decided.size && (x->splits || x->options->abstraction.domain == DOMAIN_BOOLEAN)) {
        trouble = split(&a, &known, out);
    } else {
        decide_each(&a, &known);
        trouble = finish(&a, s, &known, out);
    }
    vec_free(&known);
    vec_free(&a.decided);
    vec_free(&a.kept);
    vec_free(&a.distances);
    substitution_destroy(a.equal);
    return trouble;
}
