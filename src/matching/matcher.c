#include "matching/matcher.h"

#include "base/hash.h"
#include "machine/pairs.h"
#include "machine/positions.h"
#include "machine/renaming.h"
#include "machine/state.h"
#include "matching/assumptions.h"

enum { FEW_ASSUMPTIONS = 3 }; /* tried by `auto` before exact subsumption */

typedef VEC(const term *) terms_list;

struct matcher {
    const machine *machine;
    terms *terms;
    solver *solver;
    match_options options;
    match_statistics stats;
    value_pairs pairs;
    renaming *renaming;
    assumptions *assumptions;
    substitution *substitution;
    equalities map;
    terms_list left, right, path_left, path_right, disjuncts, left_symbols, right_symbols;
};

matcher *matcher_create(machine *m, const match_options *options) {
    matcher *x = mem_zero(1, sizeof *x);
    x->machine = m;
    x->terms = machine_terms(m);
    x->solver = machine_solver(m);
    x->options = *options;
    if (!x->options.most_assumptions) x->options.most_assumptions = 50;
    x->pairs.ignore_time = options->ignore_time;
    x->renaming = renaming_create(x->terms);
    x->assumptions = assumptions_create(x->terms, false, ACCEPT_ALL);
    x->substitution = substitution_create(x->terms);
    return x;
}

void matcher_destroy(matcher *x) {
    if (!x) return;
    pairs_free(&x->pairs);
    renaming_destroy(x->renaming);
    assumptions_destroy(x->assumptions);
    substitution_destroy(x->substitution);
    vec_free(&x->map);
    vec_free(&x->left);
    vec_free(&x->right);
    vec_free(&x->path_left);
    vec_free(&x->path_right);
    vec_free(&x->disjuncts);
    vec_free(&x->left_symbols);
    vec_free(&x->right_symbols);
    mem_free(x);
}

const match_statistics *matcher_stats(const matcher *x) {
    return &x->stats;
}

/* --- hashing -------------------------------------------------------------------------------------------- */

static uint64_t path_hash(const state *s, bool by_shape) {
    uint64_t h = s->path_count;
    for (uint32_t i = 0; i < s->path_count; i++)
        h += hash_mix(by_shape ? s->path->conjunct[i]->shape : s->path->conjunct[i]->hash);
    return h;
}

static uint64_t time_hash(const matcher *x, const state *s) {
    if (x->options.ignore_time) return 0;
    scheduler_times times = times_of(s->scheduler);
    uint64_t h = 0;
    for (uint32_t k = 0; k < OWN_TIMES; k++) {
        const term *time = *time_at(times.own[k], 0);
        h = hash_pair(h, time && term_is_const(time) ? time->value : 1);
    }
    return h;
}

/* What a method needs equal decides what may be hashed: the solver's methods can match a number
 * with an unknown. */
uint64_t matcher_hash(matcher *x, const state *s) {
    uint64_t h;
    switch (x->options.kind) {
    case MATCH_CEQ:
    case MATCH_PESM: h = hash_pair(state_hash(s, HASH_EXACT), path_hash(s, false)); break;
    case MATCH_ESM: h = hash_pair(state_hash(s, HASH_CONCRETE), s->path_count); break;
    case MATCH_APPROXIMATE: h = state_hash(s, HASH_CONCRETE); break;
    case MATCH_ESM_HASH: h = hash_pair(state_hash(s, HASH_SHAPE), path_hash(s, true)); break;
    default: h = state_hash(s, HASH_CONTROL); break;
    }
    return hash_pair(h, time_hash(x, s));
}

/* --- identity and renaming ------------------------------------------------------------------------------ */

static bool paths_are_identical(const state *a, const state *b) {
    if (a->path_count != b->path_count) return false;
    for (uint32_t i = 0; i < a->path_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < b->path_count && !found; j++)
            found = a->path->conjunct[i] == b->path->conjunct[j];
        if (!found) return false;
    }
    return true;
}

static bool identical(const matcher *x, const state *s, const state *old) {
    for (size_t i = 0; i < x->pairs.list.size; i++)
        if (x->pairs.list.data[i].left != x->pairs.list.data[i].right) return false;
    return paths_are_identical(s, old);
}

static bool renamed(matcher *x, const state *s, const state *old) {
    return renaming_match(x->renaming, &x->pairs, state_path(s), s->path_count, state_path(old),
                          old->path_count);
}

/* Symbolic in the same places: which values they have, and under which condition, is not looked at. */
static bool alike(const matcher *x) {
    for (size_t i = 0; i < x->pairs.list.size; i++)
        if (term_is_const(x->pairs.list.data[i].left) || term_is_const(x->pairs.list.data[i].right))
            return false;
    return true;
}

/* --- solver methods ------------------------------------------------------------------------------------- */

/* The old state with its inputs renamed apart. Without that, an assumption could identify inputs of both
 * states crosswise and "prove" nonsense. */
static void rename_apart(matcher *x, const state *s, const state *old) {
    vec_clear(&x->left);
    vec_clear(&x->right);
    vec_clear(&x->path_left);
    vec_clear(&x->path_right);
    for (size_t i = 0; i < x->pairs.list.size; i++) {
        vec_push(&x->left, x->pairs.list.data[i].left);
        vec_push(&x->right, term_primed(x->terms, x->pairs.list.data[i].right));
    }
    for (uint32_t i = 0; i < s->path_count; i++) vec_push(&x->path_left, s->path->conjunct[i]);
    for (uint32_t i = 0; i < old->path_count; i++)
        vec_push(&x->path_right, term_primed(x->terms, old->path->conjunct[i]));
}

static const term *conjunction(matcher *x, const term *const *list, size_t count, bool substituted) {
    const term *all = term_true(x->terms);
    for (size_t i = 0; i < count; i++)
        all = term_and(x->terms, all, substituted ? substitution_apply(x->substitution, list[i]) : list[i]);
    return all;
}

/* Is ¬F unsatisfiable under the equality assumption now in the substitution?
 *   covers (CV):  ¬F = path1 ∧ (¬path2 ∨ some value differs)
 *   equal  (EQ):  ¬F = (path1 ≠ path2) ∨ some value differs */
static bool proved_under_assumption(matcher *x, bool equivalence) {
    terms *c = x->terms;
    const term *path1 = conjunction(x, x->path_left.data, x->path_left.size, false);
    const term *path2 = conjunction(x, x->path_right.data, x->path_right.size, true);
    const term *differs = equivalence ? term_ne(c, path1, path2) : term_not(c, path2);
    for (size_t i = 0; i < x->left.size; i++)
        differs = term_or(c, differs,
                          term_ne(c, x->left.data[i], substitution_apply(x->substitution, x->right.data[i])));
    if (term_is_false(differs)) return true;
    if (equivalence) return solver_check(x->solver, &differs, 1) == SOLVER_UNSAT;
    vec_clear(&x->disjuncts);
    for (size_t i = 0; i < x->path_left.size; i++) vec_push(&x->disjuncts, x->path_left.data[i]);
    vec_push(&x->disjuncts, differs);
    return solver_check(x->solver, x->disjuncts.data, x->disjuncts.size) == SOLVER_UNSAT;
}

/* The basic guess: every input of the old state stands for the input of the same name. */
static void assume_same_names(matcher *x, const state *old) {
    substitution_clear(x->substitution);
    for (size_t i = 0; i < x->pairs.list.size + old->path_count; i++) {
        const term *t = i < x->pairs.list.size ? x->pairs.list.data[i].right
                                               : old->path->conjunct[i - x->pairs.list.size];
        for (uint32_t k = 0; t->support && k < t->support->size; k++)
            substitution_set(x->substitution, term_primed(x->terms, t->support->symbol[k]),
                             t->support->symbol[k]);
    }
}

static void add_symbols(const term *const *list, size_t count, terms_list *out) {
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; list[i]->support && k < list[i]->support->size; k++)
            vec_push(out, list[i]->support->symbol[k]);
}

/* Constraints from every pair of values and, as one more pair, from the two path conditions: leaving those
 * out would allow maps that mix up inputs the paths tell apart. */
static bool collect_constraints(matcher *x, const term *const *right_path, size_t right_count, bool apart) {
    assumptions_reset(x->assumptions);
    vec_clear(&x->left_symbols);
    vec_clear(&x->right_symbols);
    add_symbols(x->path_left.data, x->path_left.size, &x->left_symbols);
    add_symbols(right_path, right_count, &x->right_symbols);
    bool accepted = assumptions_add_sets(x->assumptions, x->left_symbols.data, x->left_symbols.size,
                                         x->right_symbols.data, x->right_symbols.size);
    for (size_t i = 0; i < x->left.size && accepted; i++) {
        const term *right = apart ? x->right.data[i] : x->pairs.list.data[i].right;
        accepted = assumptions_add(x->assumptions, x->left.data[i]->support, right->support);
    }
    return accepted;
}

/* Tries the candidate maps one by one. Shared inputs stand for themselves unless the renamed-apart candidates
 * (`apart`) say otherwise; in either case the formula itself is over inputs renamed apart, so a candidate is
 * only a guess and cannot make the answer wrong. */
static bool proved_by_candidates(matcher *x, const state *old, bool equivalence, bool apart, size_t most) {
    bool possible = apart ? collect_constraints(x, x->path_right.data, x->path_right.size, true)
                          : collect_constraints(x, state_path(old), old->path_count, false);
    for (size_t tried = 0; possible && tried < most && assumptions_next(x->assumptions, &x->map); tried++) {
        assume_same_names(x, old);
        for (size_t i = 0; i < x->map.size; i++) {
            const term *right = x->map.data[i].right;
            substitution_set(x->substitution, apart ? right : term_primed(x->terms, right),
                             x->map.data[i].left);
        }
        if (proved_under_assumption(x, equivalence)) return true;
    }
    return false;
}

static bool proved_under_some_assumption(matcher *x, const state *old, bool equivalence, size_t most) {
    assume_same_names(x, old);
    return proved_under_assumption(x, equivalence) ||
           proved_by_candidates(x, old, equivalence, false, most) ||
           proved_by_candidates(x, old, equivalence, true, most);
}

static bool exactly_subsumed(matcher *x) {
    return solver_subsumed(x->solver, x->path_left.data, x->path_left.size, x->path_right.data,
                           x->path_right.size, x->left.data, x->right.data, x->left.size) == SOLVER_UNSAT;
}

/* --- putting it together -------------------------------------------------------------------------------- */

static bool matched_by(matcher *x, uint64_t *how) {
    (*how)++;
    x->stats.matched++;
    return true;
}

static bool solver_match(matcher *x, const state *s, const state *old) {
    x->stats.solver_attempts++;
    rename_apart(x, s, old);
    switch (x->options.kind) {
    case MATCH_SBC_EQ: return proved_under_some_assumption(x, old, true, x->options.most_assumptions);
    case MATCH_SBC_CV: return proved_under_some_assumption(x, old, false, x->options.most_assumptions);
    case MATCH_ESS: return exactly_subsumed(x);
    case MATCH_AUTO:
        return proved_by_candidates(x, old, false, false, FEW_ASSUMPTIONS) || exactly_subsumed(x);
    default: return false;
    }
}

bool matcher_covers(matcher *x, const state *s, const state *old) {
    x->stats.attempts++;
    x->pairs.positions = machine_compares_positions(x->machine);
    if (!pairs_collect(x->terms, s, old, &x->pairs)) return false;
    if (identical(x, s, old)) return matched_by(x, &x->stats.by_identity);
    match_kind kind = x->options.kind;
    if (kind == MATCH_CEQ || kind == MATCH_PESM) return false;
    if (kind == MATCH_APPROXIMATE) return alike(x) && matched_by(x, &x->stats.by_approximation);
    if (renamed(x, s, old)) return matched_by(x, &x->stats.by_renaming);
    if (kind == MATCH_ESM || kind == MATCH_ESM_HASH) return false;
    return solver_match(x, s, old) && matched_by(x, &x->stats.by_solver);
}

bool time_is_irrelevant(const program *p) {
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *k = &p->functions.data[f].blocks.data[b];
            for (size_t i = 0; i < k->code.size; i++) {
                const instruction *n = &k->code.data[i];
                if (n->kind == INSTR_TIME) return false;
                bool limited = n->kind == INSTR_SYNC && n->sync == SYNC_START && n->a.kind != OPERAND_NONE;
                bool surely_negative = n->a.kind == OPERAND_CONST && (int64_t)n->a.value < 0;
                if (limited && !surely_negative) return false;
            }
        }
    return true;
}
