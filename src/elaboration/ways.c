/* Several ways to `start` that differ in numbers only become one: a number is that of the way whose
 * conditions hold. */
#include "elaboration/internal.h"

#include "base/memory.h"

static bool is_number(value v) {
    return v.bits && !v.base && !value_is_fragment(v);
}

/* What holds on this way and on no other. */
static const term *condition_of(terms *c, const state *s) {
    const term *all = term_const(c, 1, 1);
    for (uint32_t k = 0; k < s->path_count; k++) all = term_and(c, all, state_path(s)[k]);
    return all;
}

typedef struct joining {
    terms *c;
    state **ways;
    const term **conditions;
    size_t count;
} joining;

/* bits NULL: they cannot be one. */
static value joined(const joining *j, const value *of_ways) {
    value whole = of_ways[j->count - 1];
    for (size_t w = j->count - 1; w-- > 0;) {
        if (of_ways[w].bits == whole.bits && of_ways[w].base == whole.base) continue;
        if (!is_number(of_ways[w]) || !is_number(whole) || of_ways[w].bits->width != whole.bits->width)
            return (value){NULL, 0};
        whole.bits = term_ite(j->c, j->conditions[w], of_ways[w].bits, whole.bits);
    }
    return whole;
}

static bool are_alike(const joining *j, const value *of_ways) {
    for (size_t w = 1; w < j->count; w++)
        if (of_ways[w].bits != of_ways[0].bits || of_ways[w].base != of_ways[0].base) return false;
    return true;
}

static bool join_object(const joining *j, uint32_t name, value *of_ways) {
    uint32_t cells = state_object(j->ways[0], name)->cells;
    for (size_t w = 1; w < j->count; w++) {
        const memory_object *o = state_object(j->ways[w], name);
        if (!o || o->cells != cells) return false;
    }
    for (uint32_t k = 0; k < cells; k++) {
        for (size_t w = 0; w < j->count; w++) of_ways[w] = state_object(j->ways[w], name)->cell[k];
        if (are_alike(j, of_ways)) continue;
        value v = joined(j, of_ways);
        if (!v.bits) return false;
        for (size_t w = 0; w < j->count; w++) state_own_object(j->ways[w], name)->cell[k] = v;
    }
    return true;
}

/* Nobody reads a register that not every way has set. */
static bool one_is_unset(const joining *j, const value *of_ways) {
    for (size_t w = 0; w < j->count; w++)
        if (!of_ways[w].bits) return true;
    return false;
}

static bool join_registers(const joining *j, value *of_ways) {
    uint32_t count = j->ways[0]->threads[0]->value_count;
    for (size_t w = 1; w < j->count; w++)
        if (j->ways[w]->threads[0]->value_count != count) return false;
    for (uint32_t k = 0; k < count; k++) {
        for (size_t w = 0; w < j->count; w++) of_ways[w] = j->ways[w]->threads[0]->values[k];
        if (are_alike(j, of_ways)) continue;
        value v = joined(j, of_ways);
        if (!v.bits && !one_is_unset(j, of_ways)) return false;
        for (size_t w = 0; w < j->count; w++) state_own_thread(j->ways[w], 0)->values[k] = v;
    }
    return true;
}

static bool join_values(const joining *j) {
    const state *first = j->ways[0];
    value *of_ways = mem_zero(j->count, sizeof *of_ways);
    bool good = join_registers(j, of_ways);
    for (uint32_t k = 0; k < first->static_count && good; k++) good = join_object(j, k, of_ways);
    for (uint32_t k = 0; k < first->dynamic_count && good; k++)
        good = join_object(j, first->dynamic[k].name, of_ways);
    mem_free(of_ways);
    return good;
}

bool join_ways(terms *c, state **ways, size_t count) {
    if (count < 2) return true;
    const term **conditions = mem_zero(count, sizeof *conditions);
    const term *one_holds = term_const(c, 1, 0);
    for (size_t w = 0; w < count; w++) {
        conditions[w] = condition_of(c, ways[w]);
        one_holds = term_or(c, one_holds, conditions[w]);
    }
    joining j = {c, ways, conditions, count};
    bool good = join_values(&j);
    uint32_t drawn = ways[0]->threads[0]->inputs_made;
    for (size_t w = 0; w < count && good; w++) {
        good = ways[w]->threads[0]->inputs_made == drawn && !ways[w]->uncertain;
        state_set_path(ways[w], &one_holds, term_is_const(one_holds) ? 0 : 1);
    }
    for (size_t w = 1; w < count && good; w++) good = state_identical(ways[0], ways[w]);
    mem_free(conditions);
    return good;
}
