/* Variations: planned executions in which one dependency of an explored one is swapped.
 *
 * Swapping a constraint (a, b) leaves the system satisfiable for the events that need not come after a: the
 * maximal satisfiable prefix in the sense of the document, solved by going through the execution in its order
 * and leaving out what comes after a (a linear extension, its Listing 5.1). Then b follows. Nothing behind it
 * is planned, because b now reads other values and may be a branching.
 *
 * What was explored at a node is covered there. A variation that could begin with it, or that has nothing to
 * do with it, is omitted (the document's omission of empty solutions, its section 4.3, is the case where
 * nothing is left at all); else the variation contains an event that depends on it.
 *
 * Planned variations are kept as trees, so that common beginnings are executed once. A new one goes down
 * along planned steps that it agrees with. When these have executed something that depends on each covered
 * action, it is dropped: exploration below there leaves nothing out, so it will come across whatever the
 * variation is about. Else it is added, reduced to what b needs and what makes it differ from the covered and
 * the planned ones; other events would only keep plans apart that are the same in what matters. */
#include "lazypor/internal.h"

/* --- storage -------------------------------------------------------------------------------------------- */

/* A planned step without anything behind it. */
static uint32_t plan_step(lazypor *x, uint32_t step, uint32_t outcome) {
    uint32_t index = x->spare_plan;
    if (index == NO_INDEX) {
        index = (uint32_t)x->plans.size;
        vec_push(&x->plans, (plan){0});
    } else {
        x->spare_plan = x->plans.data[index].beside;
    }
    assert(index < x->plans.size && step < x->actions.size);
    x->plans.data[index] = (plan){step, outcome, NO_INDEX, NO_INDEX};
    return index;
}

void variation_forget_step(lazypor *x, uint32_t index) {
    assert(index < x->plans.size && index != x->spare_plan);
    x->plans.data[index].beside = x->spare_plan;
    x->spare_plan = index;
}

void variation_forget(lazypor *x, uint32_t tree) {
    while (tree != NO_INDEX) { /* what stands behind a step moves to its side, so that no stack is needed */
        uint32_t last = x->plans.data[tree].behind, beside = x->plans.data[tree].beside;
        uint32_t next = last == NO_INDEX ? beside : last;
        while (last != NO_INDEX && x->plans.data[last].beside != NO_INDEX) last = x->plans.data[last].beside;
        if (last != NO_INDEX) x->plans.data[last].beside = beside;
        variation_forget_step(x, tree);
        tree = next;
    }
}

/* --- agreement ------------------------------------------------------------------------------------------ */

typedef enum { CONTAINED, INDEPENDENT, CONTRADICTS } agreement;

/* How a step relates to what is left of the swapped execution, and which element of it decided. If its thread
 * has a step there, that one counts: with these inputs the thread does nothing else. */
static agreement agree(const lazypor *x, uint32_t step, uint32_t *decided) {
    const action *const *elements = x->elements.data, *now = &x->actions.data[step];
    uint32_t count = (uint32_t)x->elements.size, own = 0;
    while (own < count && (elements[own]->thread != now->thread || x->taken.data[own])) own++;
    if (own < count) now = elements[own];
    *decided = own;
    for (uint32_t i = 0; i < own; i++) {
        if (!actions_conflict(x, now, elements[i]) || x->taken.data[i]) continue;
        *decided = i;
        return CONTRADICTS;
    }
    return own < count ? CONTAINED : INDEPENDENT;
}

/* Whether an element would also be there if the execution went on otherwise behind the dependency. */
static bool is_certain(const lazypor *x, const dependency *d, uint32_t element) {
    assert(element <= x->sequence.size);
    return element == x->sequence.size || x->sequence.data[element] < d->second;
}

/* Adds an element of the sequence, and what must come before it, to the clock row of what is needed. */
static void need(lazypor *x, uint32_t element) {
    if (element == x->sequence.size) return; /* the swapped operation itself */
    const uint32_t *row = clock_row(x, x->sequence.data[element]);
    for (uint32_t t = 0; t < x->threads; t++)
        if (x->needed.data[t] < row[t]) x->needed.data[t] = row[t];
}

/* --- planning ------------------------------------------------------------------------------------------- */

/* All events that can come before the swapped operation. */
static void solve(lazypor *x, const dependency *d) {
    assert(d->first < d->second && d->second <= x->length && d->thread != x->events.data[d->first].thread);
    vec_clear(&x->sequence);
    for (uint32_t i = d->first + 1; i < x->length; i++)
        if (!comes_before(x, d->first, i)) vec_push(&x->sequence, i);
    vec_reserve(&x->taken, x->sequence.size + 1);
    memset(x->taken.data, 0, x->sequence.size + 1);
    x->swapped = operation_foresee(x, d);
    vec_clear(&x->elements);
    for (size_t i = 0; i < x->sequence.size; i++)
        vec_push(&x->elements, event_action(x, x->sequence.data[i]));
    vec_push(&x->elements, &x->actions.data[x->swapped]);
    vec_reserve(&x->needed, x->threads);
    memcpy(x->needed.data, constraints_past(x, d), x->threads * sizeof *x->needed.data);
}

/* Whether an action that was explored covers the swapped execution. Else it is open: a variation must contain
 * something that depends on it. */
static bool covers(lazypor *x, dependency *d, uint32_t explored) {
    uint32_t decided = 0;
    agreement a = agree(x, explored, &decided);
    if (a == CONTAINED) d->settled = is_certain(x, d, decided);
    if (a != CONTRADICTS) return true;
    need(x, decided);
    vec_push(&x->open, explored);
    return false;
}

static bool is_covered(lazypor *x, dependency *d) {
    const node *n = &x->nodes.data[d->first];
    vec_clear(&x->open);
    for (size_t i = 0; i < n->covered.size; i++)
        if (covers(x, d, n->covered.data[i])) return true;
    vec_push(&x->open, x->events.data[d->first].did); /* explored by the time the variation has its turn */
    return false;
}

static void close_those_that_depend_on(lazypor *x, const action *step) {
    size_t kept = 0;
    for (size_t i = 0; i < x->open.size; i++) {
        const action *open = &x->actions.data[x->open.data[i]];
        if (open->thread != step->thread && !actions_conflict(x, open, step))
            x->open.data[kept++] = x->open.data[i];
    }
    x->open.size = kept;
}

/* The first of some planned steps that agrees with the swapped execution, which is then taken from it. */
static uint32_t find_agreeing(lazypor *x, dependency *d, uint32_t tree) {
    for (; tree != NO_INDEX; tree = x->plans.data[tree].beside) {
        uint32_t decided = 0, step = x->plans.data[tree].step;
        agreement a = agree(x, step, &decided);
        d->settled &= a != INDEPENDENT && is_certain(x, d, decided);
        if (a == CONTRADICTS) need(x, decided);
        if (a == CONTRADICTS || (a == INDEPENDENT && x->forks)) continue; /* it may not be followed then */
        assert(a != CONTAINED || !x->taken.data[decided]);                /* no event is used twice */
        if (a == CONTAINED) x->taken.data[decided] = 1;
        close_those_that_depend_on(x, a == CONTAINED ? x->elements.data[decided] : &x->actions.data[step]);
        return tree;
    }
    return NO_INDEX;
}

static void link_at_end(lazypor *x, uint32_t *tree, uint32_t added) {
    while (*tree != NO_INDEX) tree = &x->plans.data[*tree].beside;
    *tree = added;
}

/* The rest of the swapped execution, as far as it is needed. */
static uint32_t plan_rest(lazypor *x, dependency *d) {
    uint32_t first = NO_INDEX, last = NO_INDEX;
    for (uint32_t i = 0; i <= x->sequence.size; i++) {
        bool is_swapped = i == x->sequence.size;
        bool needed = is_swapped || x->needed.data[x->elements.data[i]->thread] > x->sequence.data[i];
        if (x->taken.data[i] || !needed) continue;
        d->settled &= is_certain(x, d, i);
        uint32_t step = is_swapped ? x->swapped : x->events.data[x->sequence.data[i]].did;
        uint32_t added = plan_step(x, step, ANY_OUTCOME);
        if (last == NO_INDEX)
            first = added;
        else
            x->plans.data[last].behind = added;
        last = added;
    }
    assert(first != NO_INDEX); /* the swapped operation at least */
    return first;
}

void variation_plan(lazypor *x, dependency *d) {
    solve(x, d);
    if (is_covered(x, d)) return;
    d->settled = true;
    uint32_t below = NO_INDEX;
    for (uint32_t tree = x->nodes.data[d->first].planned; tree != NO_INDEX;) {
        uint32_t agreeing = find_agreeing(x, d, tree);
        if (agreeing == NO_INDEX) break;
        if (!x->open.size) return;
        below = agreeing;
        tree = x->plans.data[agreeing].behind;
    }
    uint32_t added = plan_rest(x, d);
    link_at_end(x, below == NO_INDEX ? &x->nodes.data[d->first].planned : &x->plans.data[below].behind,
                added);
}

/* --- several outcomes ----------------------------------------------------------------------------------- */

static uint32_t copy_tree(lazypor *x, uint32_t tree) {
    uint32_t copied = NO_INDEX;
    vec_clear(&x->copying);
    if (tree != NO_INDEX) vec_push(&x->copying, ((copy){tree, NO_INDEX, false}));
    while (x->copying.size) {
        copy next = vec_pop(&x->copying);
        plan original = x->plans.data[next.original];
        uint32_t added = plan_step(x, original.step, original.outcome);
        if (next.anchor == NO_INDEX)
            copied = added;
        else if (next.behind)
            x->plans.data[next.anchor].behind = added;
        else
            x->plans.data[next.anchor].beside = added;
        if (original.behind != NO_INDEX) vec_push(&x->copying, ((copy){original.behind, added, true}));
        if (original.beside != NO_INDEX) vec_push(&x->copying, ((copy){original.beside, added, false}));
    }
    return copied;
}

/* A plan does not say for which outcome it was made, so each gets all of it; where it cannot be followed, it
 * was made for another one. */
void variation_plan_outcomes(lazypor *x, uint32_t from, uint32_t taken, uint32_t count, uint32_t behind) {
    assert(taken < count && from < x->length);
    uint32_t did = x->events.data[from].did, rest = x->nodes.data[from].planned;
    x->nodes.data[from].planned = NO_INDEX;
    for (uint32_t other = 0; other < count; other++) {
        if (other == taken) continue;
        uint32_t added = plan_step(x, did, other), copied = copy_tree(x, behind);
        x->plans.data[added].behind = copied;
        link_at_end(x, &x->nodes.data[from].planned, added);
    }
    link_at_end(x, &x->nodes.data[from].planned, rest); /* while the outcomes of the step are at hand */
}
