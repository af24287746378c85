#include "explore/laws.h"
#include "base/memory.h"
#include "base/vec.h"
#include "machine/state_check.h"
#include "machine/value.h"
#include "machine/watch.h"

/* Pairs of keys that may be equal or not are looked at for so many draws; behind them, those surely equal. */
enum { MOST_OPEN = 64 };

typedef VEC(const term *) conditions;

typedef struct draw {
    uint32_t input;
    const term *key;
    const term *high; /* NULL: a function of the key. Else high and number together never go back */
    const term *number;
    conditions under; /* what was assumed until then: tells the ways of a step apart */
} draw;

struct laws {
    machine *m;
    machine_watch watch;
    VEC(draw) drawn;
    size_t kept; /* of the steps before */
    conditions demanded;
};

static void note(void *data, const state *s, const value *given, uint32_t count, uint32_t input,
                 const term *number) {
    laws *l = data;
    for (uint32_t i = 0; i < count; i++)
        if (!given[i].bits || given[i].base)
            return; /* an address as a seed: taken for another one each time */
    draw d = {.input = input, .key = given[0].bits, .number = number};
    if (count > 1) d.high = given[1].bits;
    for (uint32_t i = 0; i < state_path_count(s); i++) vec_push(&d.under, state_path(s)[i]);
    vec_push(&l->drawn, d);
}

laws *laws_create(machine *m) {
    laws *l = mem_zero(1, sizeof *l);
    l->m = m;
    l->watch = (machine_watch){.data = l, .draws_by_law = note};
    return l;
}

const machine_watch *laws_watch(const laws *l) {
    return &l->watch;
}

void laws_destroy(laws *l) {
    for (size_t i = 0; i < l->drawn.size; i++) vec_free(&l->drawn.data[i].under);
    vec_free(&l->drawn);
    vec_free(&l->demanded);
    mem_free(l);
}

/* A condition that a stronger one has taken the place of is not found again. What is missed by that is found
 * when numbers take the place of the inputs. */
static bool lies_on_path(const draw *d, const state *taken) {
    for (size_t i = 0; i < d->under.size; i++)
        if (!state_assumes(taken, d->under.data[i])) return false;
    return true;
}

static const term *never_back(terms *t, const draw *a, const draw *b) {
    const term *not_less = term_and(t, term_eq(t, a->high, b->high), term_ule(t, a->number, b->number));
    return term_or(t, term_ult(t, a->high, b->high), not_less);
}

/* Equal keys: equal numbers, or later ones. */
static bool demand(laws *l, const draw *a, const draw *b, bool open) {
    terms *t = machine_terms(l->m);
    const term *equal = term_eq(t, a->key, b->key);
    if (!open && !term_is_true(equal)) return true;
    const term *then = a->high ? never_back(t, a, b) : term_eq(t, a->number, b->number);
    const term *whole = term_or(t, term_not(t, equal), then);
    if (term_is_false(whole)) return false;
    if (!term_is_true(whole)) vec_push(&l->demanded, whole);
    return true;
}

static bool demand_of_earlier(laws *l, const draw *d) {
    bool obeyed = true;
    for (size_t k = l->kept; k-- > 0;) {
        const draw *a = &l->drawn.data[k];
        if (a->input != d->input) continue;
        obeyed &= demand(l, a, d, l->kept < MOST_OPEN);
        if (a->high && a->key == d->key) break; /* what came before it is before this one, too */
    }
    return obeyed;
}

bool laws_follow(laws *l, const state *taken) {
    size_t end = l->drawn.size;
    bool obeyed = true;
    for (size_t i = l->kept; i < end; i++) {
        draw d = l->drawn.data[i];
        if (!lies_on_path(&d, taken)) {
            vec_free(&d.under);
            continue;
        }
        obeyed &= demand_of_earlier(l, &d);
        l->drawn.data[l->kept++] = d;
    }
    l->drawn.size = l->kept;
    return obeyed;
}

state *laws_conclude(laws *l, state *end) {
    if (!end || !l->demanded.size) return end;
    state *with = state_assume(end, l->demanded.data, (uint32_t)l->demanded.size);
    slow_assert(state_is_sound(l->m, with));
    state_release(l->m, end);
    return with;
}
