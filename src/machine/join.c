#include "machine/join.h"

#include "base/memory.h"
#include "machine/state.h"
#include "machine/state_check.h"

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

static bool join_all(const joining *j) {
    const term *one_holds = term_const(j->c, 1, 0);
    for (size_t w = 0; w < j->count; w++) {
        j->conditions[w] = condition_of(j->c, j->ways[w]);
        one_holds = term_or(j->c, one_holds, j->conditions[w]);
    }
    bool good = join_values(j);
    uint32_t drawn = j->ways[0]->threads[0]->inputs_made;
    for (size_t w = 0; w < j->count && good; w++) {
        good = j->ways[w]->threads[0]->inputs_made == drawn && !j->ways[w]->uncertain;
        state_set_path(j->ways[w], &one_holds, term_is_const(one_holds) ? 0 : 1);
    }
    for (size_t w = 1; w < j->count && good; w++) good = state_identical(j->ways[0], j->ways[w]);
    return good;
}

state *machine_join(machine *m, const state *const *ways, size_t count) {
    joining j = {machine_terms(m), mem_zero(count, sizeof *j.ways), mem_zero(count, sizeof *j.conditions),
                 count};
    for (size_t w = 0; w < count; w++) j.ways[w] = state_clone(ways[w]);
    bool good = count == 1 || join_all(&j);
    state *joint = good ? state_share(j.ways[0]) : NULL;
    for (size_t w = 0; w < count; w++) state_release(m, j.ways[w]);
    mem_free(j.conditions);
    mem_free(j.ways);
    slow_assert(!joint || state_is_sound(m, joint));
    return joint;
}
