#include "term/evaluate.h"

#include "base/invariant.h"
#include "term/internal.h"

/* --- valuations ----------------------------------------------------------------------------------------- */

struct valuation {
    map index; /* symbol id -> place in values */
    VEC(uint64_t) values;
};

valuation *valuation_create(void) {
    return mem_zero(1, sizeof(valuation));
}

valuation *valuation_copy(const valuation *v) {
    valuation *copy = valuation_create();
    for (size_t k = 0; k < v->index.capacity; k++)
        if (v->index.slots[k].value != MAP_NONE)
            map_put(&copy->index, v->index.slots[k].key, v->index.slots[k].value);
    for (size_t k = 0; k < v->values.size; k++) vec_push(&copy->values, v->values.data[k]);
    return copy;
}

void valuation_destroy(valuation *v) {
    if (!v) return;
    map_free(&v->index);
    vec_free(&v->values);
    mem_free(v);
}

void valuation_set(valuation *v, const term *symbol, uint64_t value) {
    value &= term_mask(symbol->width);
    assert(symbol->op == TERM_SYMBOL);
    uint64_t place = map_get(&v->index, symbol->id);
    if (place != MAP_NONE) {
        v->values.data[place] = value;
        return;
    }
    map_put(&v->index, symbol->id, v->values.size);
    vec_push(&v->values, value);
}

bool valuation_get(const valuation *v, const term *symbol, uint64_t *value) {
    uint64_t place = map_get(&v->index, symbol->id);
    *value = place == MAP_NONE ? 0 : v->values.data[place];
    return place != MAP_NONE;
}

void valuation_clear(valuation *v) {
    map_clear(&v->index);
    vec_clear(&v->values);
}

/* --- evaluation ----------------------------------------------------------------------------------------- */

static void make_room_for_all_terms(terms *c) {
    size_t count = c->by_id.size;
    if (c->memo_stamp.size >= count) return;
    vec_reserve(&c->memo_value, count);
    vec_reserve(&c->memo_stamp, count);
    memset(c->memo_stamp.data + c->memo_stamp.size, 0,
           (c->memo_stamp.capacity - c->memo_stamp.size) * sizeof *c->memo_stamp.data);
    c->memo_stamp.size = c->memo_stamp.capacity;
}

void evaluation_start(terms *c) {
    if (++c->stamp) return;
    memset(c->memo_stamp.data, 0, c->memo_stamp.size * sizeof *c->memo_stamp.data);
    c->stamp = 1;
}

static bool is_known(const terms *c, const term *t) {
    assert(t->id < c->memo_stamp.size && c->stamp);
    return c->memo_stamp.data[t->id] == c->stamp;
}

static void remember(terms *c, const term *t, uint64_t value) {
    assert(value <= term_mask(t->width));
    c->memo_value.data[t->id] = value;
    c->memo_stamp.data[t->id] = c->stamp;
}

static uint64_t leaf_value(const term *t, const valuation *v) {
    uint64_t value = t->value;
    if (t->op == TERM_SYMBOL) valuation_get(v, t, &value);
    return value;
}

static bool push_unknown_operands(terms *c, const term *t) {
    bool complete = true;
    for (unsigned i = 0; i < t->arity; i++)
        if (!is_known(c, t->arg[i])) {
            vec_push(&c->work, t->arg[i]);
            complete = false;
        }
    return !complete;
}

uint64_t evaluation_value(terms *c, const term *t, const valuation *v) {
    if (!t->arity) return leaf_value(t, v);
    make_room_for_all_terms(c);
    size_t bottom = c->work.size;
    vec_push(&c->work, t);
    while (c->work.size > bottom) {
        const term *top = vec_last(&c->work);
        if (is_known(c, top)) {
            c->work.size--;
        } else if (!top->arity) {
            remember(c, top, leaf_value(top, v));
            c->work.size--;
        } else if (!push_unknown_operands(c, top)) {
            uint64_t args[3];
            for (unsigned i = 0; i < top->arity; i++) args[i] = c->memo_value.data[top->arg[i]->id];
            remember(c, top, term_apply(top->op, top->width, top->arg[0]->width, top->value, args));
            c->work.size--;
        }
    }
    assert(is_known(c, t));
    return c->memo_value.data[t->id];
}

uint64_t term_evaluate(terms *c, const term *t, const valuation *v) {
    evaluation_start(c);
    return evaluation_value(c, t, v);
}
