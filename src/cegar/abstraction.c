/* From the end of a step to an abstract state: which predicates hold there, which constants are kept;
 * everything else about the data is forgotten. */
#include "cegar/internal.h"

typedef struct literal {
    const term *predicate;
    bool holds;
} literal;

typedef VEC(literal) literals;

typedef struct abstracting {
    cegar *x;
    state *s; /* with names of its own */
    uint64_t location;
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

static const term *kept_constant(void *data, const term *place, const term *number) {
    abstracting *a = data;
    if (!precision_is_tracked(a->x->precision, place)) return NULL;
    if (!term_is_const(number) && a->has_equal) number = substitution_apply(a->equal, number);
    if (!term_is_const(number)) return NULL;
    return precision_keeps(a->x->precision, place, number, a->location) ? number : NULL;
}

/* --- predicates ----------------------------------------------------------------------------------------- */

/* The predicate about the values that s holds at its places; NULL: s has no such places. */
static const term *predicate_in(cegar *x, const state *s, const term *predicate) {
    const term_support *symbols = predicate->support;
    bool there = true, same = true;
    substitution_clear(x->values);
    for (uint32_t i = 0; i < symbols->size && there; i++) {
        value v = abstract_value(x->machine, s, symbols->symbol[i]);
        there = v.bits != NULL;
        if (!there || v.bits == symbols->symbol[i]) continue;
        same = false;
        substitution_set(x->values, symbols->symbol[i], v.bits);
    }
    if (!there) return NULL;
    return same ? predicate : substitution_apply(x->values, predicate);
}

static bool path_says(const state *s, const term *t) {
    for (uint32_t i = 0; i < s->path_count; i++)
        if (state_path(s)[i] == t) return true;
    return false;
}

static bool cannot_be(cegar *x, const state *s, const term *t) {
    if (term_is_const(t)) return term_is_false(t);
    return solver_check_extension(machine_solver(x->machine), state_path(s), s->path_count, t) ==
           SOLVER_UNSAT;
}

typedef enum { HOLDS, FAILS, OPEN } truth;

static truth truth_of(cegar *x, const state *s, const term *t) {
    const term *not = term_not(machine_terms(x->machine), t);
    if (path_says(s, t)) return HOLDS;
    if (path_says(s, not )) return FAILS;
    if (cannot_be(x, s, not )) return HOLDS;
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
    state_set_path(s, conditions.data, (uint32_t)conditions.size);
    s->uncertain = false;
    vec_free(&conditions);
}

static const char *finish(abstracting *a, state *s, const literals *list, state_list *out) {
    const char *trouble = abstract_forget(a->x->machine, s, kept_constant, a);
    if (trouble) {
        state_release(a->x->machine, s);
        return trouble;
    }
    assume_literals(a->x, s, list);
    vec_push(out, s);
    return NULL;
}

/* --- combinations of predicates ------------------------------------------------------------------------- */

enum { MOST_CUBES = 64 };

typedef struct cube { /* predicates up to `next` are decided */
    state *s;
    literals list;
    size_t next;
} cube;

static cube with_literal(const cube *from, literal l, const term *condition) {
    cube c = {state_clone(from->s), {0}, from->next + 1};
    for (size_t i = 0; i < from->list.size; i++) vec_push(&c.list, from->list.data[i]);
    vec_push(&c.list, l);
    state_add_path(c.s, condition);
    return c;
}

/* One state for each combination of truth values that is possible; beyond some number open ones stay open. */
static const char *split(abstracting *a, const term_list *predicates, state_list *out) {
    VEC(cube) open = {0};
    terms *c = machine_terms(a->x->machine);
    const char *trouble = NULL;
    vec_push(&open, ((cube){a->s, {0}, 0}));
    while (open.size) {
        cube now = vec_pop(&open);
        while (now.next < predicates->size) {
            const term *p = predicates->data[now.next], *t = predicate_in(a->x, now.s, p);
            truth known = t ? truth_of(a->x, now.s, t) : OPEN;
            if (known != OPEN) {
                vec_push(&now.list, ((literal){p, known == HOLDS}));
            } else if (t && open.size + out->size < MOST_CUBES) {
                cube other = with_literal(&now, (literal){p, false}, term_not(c, t));
                vec_push(&open, other);
                vec_push(&now.list, ((literal){p, true}));
                state_add_path(now.s, t);
            }
            now.next++;
        }
        const char *wrong = finish(a, now.s, &now.list, out);
        if (wrong) trouble = wrong;
        vec_free(&now.list);
    }
    vec_free(&open);
    return trouble;
}

static void decide_each(abstracting *a, const term_list *predicates, literals *out) {
    for (size_t i = 0; i < predicates->size; i++) {
        const term *t = predicate_in(a->x, a->s, predicates->data[i]);
        truth known = t ? truth_of(a->x, a->s, t) : OPEN;
        if (known != OPEN) vec_push(out, ((literal){predicates->data[i], known == HOLDS}));
    }
}

const char *abstraction_of(cegar *x, const state *from, uint32_t moved, state_list *out) {
    const char *trouble;
    state *s = abstract_rename(x->machine, from, x->ignore_time, 0, &trouble);
    if (!s) return trouble;
    abstracting a = {.x = x, .s = s, .location = abstract_locations(s)};
    a.equal = substitution_create(machine_terms(x->machine));
    for (uint32_t i = 0; i < s->path_count; i++) learn_equality(&a, state_path(s)[i]);
    const term_list *predicates =
        precision_predicates(x->precision, precision_scope_of(x->precision, s, moved));
    if (predicates && x->options->abstraction.domain == DOMAIN_BOOLEAN) {
        trouble = split(&a, predicates, out);
    } else {
        literals decided = {0};
        if (predicates) decide_each(&a, predicates, &decided);
        trouble = finish(&a, s, &decided, out);
        vec_free(&decided);
    }
    substitution_destroy(a.equal);
    return trouble;
}
