#include "solver/query.h"

#include "base/invariant.h"

/* --- marks ---------------------------------------------------------------------------------------------- */

void marks_forget(marks *m) {
    if (++m->now) return;
    memset(m->stamp.data, 0, m->stamp.size * sizeof *m->stamp.data);
    m->now = 1;
}

void marks_put(marks *m, const term *t, uint32_t number) {
    assert(m->now); /* after marks_forget: 0 is what was never marked */
    if (t->id >= m->stamp.size) {
        vec_reserve(&m->stamp, t->id + 1);
        vec_reserve(&m->number, t->id + 1);
        memset(m->stamp.data + m->stamp.size, 0, (t->id + 1 - m->stamp.size) * sizeof *m->stamp.data);
        m->stamp.size = m->number.size = t->id + 1;
    }
    m->stamp.data[t->id] = m->now;
    m->number.data[t->id] = number;
}

bool marks_get(const marks *m, const term *t, uint32_t *number) {
    if (t->id >= m->stamp.size || m->stamp.data[t->id] != m->now) return false;
    *number = m->number.data[t->id];
    return true;
}

void marks_free(marks *m) {
    vec_free(&m->stamp);
    vec_free(&m->number);
}

/* --- conjuncts ------------------------------------------------------------------------------------------ */

/* A conjunct is marked with its place in the list, the operand of a negated one with NEGATED
 * and that place. */
static const uint32_t NEGATED = UINT32_C(1) << 31;

static bool add_conjunct(conjunct_list *list, marks *seen, const term *t, size_t owner, size_t clash[2]) {
    assert(t->width == 1 && t->op != TERM_AND && list->size < NEGATED);
    uint32_t number;
    if (term_is_true(t)) return true;
    if (term_is_false(t)) {
        clash[0] = clash[1] = owner;
        return false;
    }
    const term *atom = t->op == TERM_NOT ? t->arg[0] : t;
    uint32_t sign = t->op == TERM_NOT ? NEGATED : 0;
    if (marks_get(seen, atom, &number)) {
        if ((number & NEGATED) == sign) return true;
        clash[0] = list->data[number & ~NEGATED].owner;
        clash[1] = owner;
        return false;
    }
    marks_put(seen, atom, sign | (uint32_t)list->size);
    conjunct fresh = {t, owner, 0};
    vec_push(list, fresh);
    return true;
}

bool query_add(conjunct_list *list, marks *seen, const term *condition, size_t owner, size_t clash[2]) {
    if (condition->op != TERM_AND) return add_conjunct(list, seen, condition, owner, clash);
    VEC(const term *) open = {0};
    bool consistent = true;
    vec_push(&open, condition);
    while (open.size && consistent) {
        const term *t = vec_pop(&open);
        if (t->op == TERM_AND) {
            vec_push(&open, t->arg[1]);
            vec_push(&open, t->arg[0]);
        } else {
            consistent = add_conjunct(list, seen, t, owner, clash);
        }
    }
    vec_free(&open);
    return consistent;
}
