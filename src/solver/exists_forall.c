/* Is there an x with path1(x) such that no y has path2(y) and left(x) = right(y)?
 *
 * First, y is eliminated where an equation determines it. What is left falls apart into groups of conjuncts
 * that share no y. A group without y must follow from path1; a group without x must be satisfiable; for the
 * others a loop looks for an x that none of a growing list of choices y := term over x serves, and for a y
 * that serves this x. Each y that is found is generalised to such choices. */
#include "solver/internal.h"

#include "base/clock.h"
#include "solver/choices.h"
#include "solver/eliminate.h"
#include "solver/z3.h"
#include "term/smtlib.h"

enum { ROUNDS = 60 };

typedef struct problem {
    solver *s;
    sat_limits limits;
    elimination matrix; /* conjuncts over x and y; the y are bound */
    term_list premise;  /* path1 */
    term_list bound;    /* all y */
    const term *const *left, *const *right;
    size_t pairs;
} problem;

/* --- groups --------------------------------------------------------------------------------------------- */

static bool has_bound_symbol(const elimination *e, const term *t) {
    for (size_t i = 0; i < t->support->size; i++)
        if (elimination_is_bound(e, t->support->symbol[i])) return true;
    return false;
}

/* Gives conjuncts that share a bound symbol, directly or through others, the same number. */
static size_t *number_groups(const elimination *e) {
    size_t count = e->conjuncts.size, *group = mem_alloc(count * sizeof *group);
    map of_symbol = {0};
    for (size_t i = 0; i < count; i++) group[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            const term_support *symbols = e->conjuncts.data[i]->support;
            for (size_t k = 0; k < symbols->size; k++) {
                if (!elimination_is_bound(e, symbols->symbol[k])) continue;
                uint64_t known = map_get(&of_symbol, symbols->symbol[k]->id);
                if (known < group[i]) {
                    group[i] = known;
                    changed = true;
                } else if (known != group[i]) {
                    map_put(&of_symbol, symbols->symbol[k]->id, group[i]);
                    changed = true;
                }
            }
        }
    }
    map_free(&of_symbol);
    return group;
}

/* --- asking --------------------------------------------------------------------------------------------- */

/* A counterexample was found in the part of the premise it touches. It is one if the rest has
 * a solution too. */
static solver_answer confirmed_counterexample(problem *p) {
    return solver_ask(p->s, p->premise.data, p->premise.size, NULL, 0, &p->limits, NULL);
}

/* Does the premise imply this condition over x alone? SOLVER_UNSAT = yes, as long as the
 * premise has solutions. */
static solver_answer refutation_of(problem *p, const term *condition) {
    const term *negation = term_not(p->s->context, condition);
    return solver_ask(p->s, p->premise.data, p->premise.size, &negation, 1, &p->limits, NULL);
}

/* --- the loop for one group ----------------------------------------------------------------------------- */

/* Is there a y for this x? The x are fixed by equations, so that the encoding of the group is used again. */
static solver_answer find_response(problem *p, const choices *k, const valuation *x, valuation *y) {
    terms *c = p->s->context;
    term_list question = {0};
    for (size_t i = 0; i < k->group.size; i++) vec_push(&question, k->group.data[i]);
    for (size_t i = 0; i < k->free.size; i++) {
        uint64_t value;
        valuation_get(x, k->free.data[i], &value);
        vec_push(&question, term_eq(c, k->free.data[i], term_const(c, k->free.data[i]->width, value)));
    }
    solver_answer answer = solver_ask(p->s, question.data, question.size, NULL, 0, &p->limits, y);
    vec_free(&question);
    return answer;
}

static void exclude_served(problem *p, choices *k, term_list *unserved, size_t from) {
    for (size_t i = from; i < k->served.size; i++)
        vec_push(unserved, term_not(p->s->context, k->served.data[i]));
    p->s->statistics.instantiations += k->served.size - from;
}

/* The part of the premise that restricts the x of the group, directly or through other symbols. All of it
 * belongs to every challenge: an x outside the premise would not be a counterexample. */
static void push_connected_premise(const problem *p, const choices *k, term_list *out) {
    map reached = {0};
    bool *taken = mem_zero(p->premise.size, sizeof *taken);
    for (size_t i = 0; i < k->free.size; i++) map_put(&reached, k->free.data[i]->id, 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->premise.size; i++) {
            const term_support *symbols = p->premise.data[i]->support;
            bool connected = !symbols->size; /* a false premise must not get lost */
            for (size_t n = 0; n < symbols->size; n++)
                connected |= map_get(&reached, symbols->symbol[n]->id) != MAP_NONE;
            if (taken[i] || !connected) continue;
            taken[i] = changed = true;
            vec_push(out, p->premise.data[i]);
            for (size_t n = 0; n < symbols->size; n++) map_put(&reached, symbols->symbol[n]->id, 1);
        }
    }
    mem_free(taken);
    map_free(&reached);
}

static solver_answer play_rounds(problem *p, choices *k) {
    term_list unserved = {0};
    valuation *x = valuation_create(), *y = valuation_create();
    push_connected_premise(p, k, &unserved);
    choices_guess(k, p->left, p->right, p->pairs);
    exclude_served(p, k, &unserved, 0);
    solver_answer result = SOLVER_UNKNOWN;
    for (int round = 0; round < ROUNDS; round++) {
        valuation_clear(x);
        valuation_clear(y);
        solver_answer challenge = solver_ask(p->s, unserved.data, unserved.size, NULL, 0, &p->limits, x);
        if (challenge != SOLVER_SAT) {
            result = challenge;
            break;
        }
        solver_answer response = find_response(p, k, x, y);
        if (response != SOLVER_SAT) {
            result = response == SOLVER_UNSAT ? confirmed_counterexample(p) : SOLVER_UNKNOWN;
            break;
        }
        size_t before = k->served.size;
        choices_learn(k, x, y);
        exclude_served(p, k, &unserved, before);
    }
    valuation_destroy(x);
    valuation_destroy(y);
    vec_free(&unserved);
    return result;
}

/* --- the second opinion --------------------------------------------------------------------------------- */

static void write_assertion(smtlib_writer *w, const term *t, text *script) {
    smtlib_define(w, t, script);
    text_add(script, "(assert (= #b1 ");
    smtlib_reference(w, t, script);
    text_add(script, "))\n");
}

static void write_no_response(smtlib_writer *w, const term_list *group, const term_list *bound,
                              text *script) {
    for (size_t i = 0; i < group->size; i++) smtlib_define(w, group->data[i], script);
    text_add(script, "(assert (forall (");
    for (size_t i = 0; i < bound->size; i++) {
        text_char(script, '(');
        smtlib_symbol_name(bound->data[i], script);
        text_char(script, ' ');
        smtlib_sort(bound->data[i]->width, script);
        text_char(script, ')');
    }
    text_add(script, ") (not (and true");
    for (size_t i = 0; i < group->size; i++) {
        text_add(script, " (= #b1 ");
        smtlib_reference(w, group->data[i], script);
        text_char(script, ')');
    }
    text_add(script, "))))\n");
}

/* The whole question with its quantifier. */
static solver_answer ask_z3(problem *p, const term_list *group, const term_list *bound,
                            const sat_limits *limits) {
    text script = {0};
    text_add(&script, "(set-logic BV)\n");
    smtlib_writer *w = smtlib_writer_create(bound->data, bound->size);
    for (size_t i = 0; i < p->premise.size; i++) write_assertion(w, p->premise.data[i], &script);
    write_no_response(w, group, bound, &script);
    text_add(&script, "(check-sat)\n");
    solver_answer answer = z3_run(text_cstr(&script), limits, NULL);
    if (p->s->log) p->s->log(p->s->log_data, text_cstr(&script), answer);
    smtlib_writer_destroy(w);
    text_free(&script);
    return answer;
}

static solver_answer ask_z3_about_group(problem *p, const choices *k) {
    if (!p->s->options.z3 || p->limits.deadline <= 0) return SOLVER_UNKNOWN;
    solver_answer answer = ask_z3(p, &k->group, &k->bound, &p->limits);
    if (answer != SOLVER_UNKNOWN) p->s->statistics.by_z3++;
    return answer;
}

static solver_answer decide_group(problem *p, const size_t *group, size_t number) {
    choices k;
    choices_open(&k, p->s->context);
    for (size_t i = 0; i < p->matrix.conjuncts.size; i++)
        if (group[i] == number) choices_add(&k, &p->matrix, p->matrix.conjuncts.data[i]);
    solver_answer answer;
    if (!k.free.size) {
        answer = solver_ask(p->s, k.group.data, k.group.size, NULL, 0, &p->limits, NULL);
        if (answer == SOLVER_SAT)
            answer = SOLVER_UNSAT;
        else if (answer == SOLVER_UNSAT)
            answer = confirmed_counterexample(p);
    } else {
        answer = play_rounds(p, &k);
        if (answer == SOLVER_UNKNOWN) answer = ask_z3_about_group(p, &k);
    }
    choices_close(&k);
    return answer;
}

/* --- the question --------------------------------------------------------------------------------------- */

static solver_answer decide_without_bound(problem *p, const term *condition) {
    solver_answer answer = refutation_of(p, condition);
    return answer == SOLVER_SAT ? confirmed_counterexample(p) : answer;
}

/* A counterexample to one part is one to the whole; otherwise every part must be settled. */
static solver_answer decide_matrix(problem *p) {
    if (p->matrix.contradictory) return confirmed_counterexample(p);
    size_t *group = number_groups(&p->matrix);
    solver_answer answer = SOLVER_UNSAT;
    for (size_t i = 0; i < p->matrix.conjuncts.size && answer != SOLVER_SAT; i++) {
        const term *conjunct = p->matrix.conjuncts.data[i];
        if (group[i] != i) continue; /* decided with the first of its group */
        solver_answer part = has_bound_symbol(&p->matrix, conjunct) ? decide_group(p, group, i)
                                                                    : decide_without_bound(p, conjunct);
        if (part != SOLVER_UNSAT) answer = part;
    }
    mem_free(group);
    return answer;
}

static void take_bound_symbols(problem *p, const term *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < list[i]->support->size; k++) {
            const term *symbol = list[i]->support->symbol[k];
            if (elimination_is_bound(&p->matrix, symbol)) continue;
            map_put(&p->matrix.bound, symbol->id, 1);
            vec_push(&p->bound, symbol);
        }
}

static bool is_disjoint_from_bound(const problem *p, const term *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (has_bound_symbol(&p->matrix, list[i])) return false;
    return true;
}

/* For tests: the question as it was put, before any elimination. */
static void cross_check(problem *p, const term *const *path2, size_t count2, solver_answer answer) {
    if (!p->s->options.cross_check || answer == SOLVER_UNKNOWN) return;
    enum { SECONDS = 10 };
    term_list matrix = {0};
    for (size_t i = 0; i < count2; i++) vec_push(&matrix, path2[i]);
    for (size_t i = 0; i < p->pairs; i++) vec_push(&matrix, term_eq(p->s->context, p->left[i], p->right[i]));
    sat_limits limits = {.deadline = clock_wall() + SECONDS};
    solver_answer second = ask_z3(p, &matrix, &p->bound, &limits);
    if (second != SOLVER_UNKNOWN && second != answer) p->s->statistics.disagreements++;
    vec_free(&matrix);
}

solver_answer solver_subsumed(solver *s, const term *const *path1, size_t count1, const term *const *path2,
                              size_t count2, const term *const *left, const term *const *right,
                              size_t pairs) {
    double start = clock_wall();
    problem p = {.s = s, .limits = solver_limits(s), .left = left, .right = right, .pairs = pairs};
    s->statistics.exists_forall++;
    p.matrix.context = s->context;
    take_bound_symbols(&p, path2, count2);
    take_bound_symbols(&p, right, pairs);
    solver_answer answer = SOLVER_UNKNOWN;
    if (is_disjoint_from_bound(&p, path1, count1) && is_disjoint_from_bound(&p, left, pairs)) {
        for (size_t i = 0; i < count1; i++) vec_push(&p.premise, path1[i]);
        for (size_t i = 0; i < pairs; i++) elimination_add(&p.matrix, term_eq(s->context, left[i], right[i]));
        for (size_t i = 0; i < count2; i++) elimination_add(&p.matrix, path2[i]);
        elimination_run(&p.matrix);
        answer = decide_matrix(&p);
        cross_check(&p, path2, count2, answer);
    }
    vec_free(&p.premise);
    vec_free(&p.bound);
    elimination_free(&p.matrix);
    s->statistics.seconds += clock_wall() - start;
    return answer;
}
