#include "term/internal.h"

/* A choice between truth values is a formula without a choice, where one of them is a number
 * or the condition. */
static const term *choice_of_truth(terms *c, const term *condition, const term *a, const term *b) {
    if (term_is_true(a) || a == condition) return term_or(c, condition, b);
    if (term_is_false(a)) return term_and(c, term_not(c, condition), b);
    if (term_is_true(b)) return term_or(c, term_not(c, condition), a);
    if (term_is_false(b) || b == condition) return term_and(c, condition, a);
    if (a->op == TERM_NOT && a->arg[0] == condition) return term_and(c, a, b);
    if (b->op == TERM_NOT && b->arg[0] == condition) return term_or(c, b, a);
    if (a == term_not(c, b)) return term_eq(c, condition, a);
    return NULL;
}

/* ite(x == y, x, y) is y whatever holds. */
static bool chooses_between_equals(const term *condition, const term *a, const term *b) {
    return condition->op == TERM_EQ && ((condition->arg[0] == a && condition->arg[1] == b) ||
                                        (condition->arg[0] == b && condition->arg[1] == a));
}

const term *term_ite(terms *c, const term *condition, const term *then, const term *otherwise) {
    if (term_is_const(condition)) return condition->value ? then : otherwise;
    unsigned width = then->width;
    const term *args[3] = {condition, then, otherwise};
    if (!c->simplify) return term_node(c, TERM_ITE, width, 0, 3, args);
    if (then == otherwise) return then;
    if (condition->op == TERM_NOT) return term_ite(c, condition->arg[0], otherwise, then);
    if (then->op == TERM_ITE && then->arg[0] == condition)
        return term_ite(c, condition, then->arg[1], otherwise);
    if (otherwise->op == TERM_ITE && otherwise->arg[0] == condition)
        return term_ite(c, condition, then, otherwise->arg[2]);
    if (chooses_between_equals(condition, then, otherwise)) return otherwise;
    if (width == 1) {
        const term *formula = choice_of_truth(c, condition, then, otherwise);
        if (formula) return formula;
    } else if (term_is_const(then) && term_is_const(otherwise)) {
        if (then->value == 1 && !otherwise->value) return term_zext(c, condition, width);
        if (!then->value && otherwise->value == 1) return term_zext(c, term_not(c, condition), width);
    }
    return term_node(c, TERM_ITE, width, 0, 3, args);
}
