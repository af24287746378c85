#include "term/internal.h"

const term *term_rebuild(terms *c, const term *like, const term *const *args) {
    switch ((term_op)like->op) {
    case TERM_CONST:
    case TERM_SYMBOL:
    case TERM_OPS: return like;
    case TERM_NOT: return term_not(c, args[0]);
    case TERM_AND: return term_and(c, args[0], args[1]);
    case TERM_OR: return term_or(c, args[0], args[1]);
    case TERM_XOR: return term_xor(c, args[0], args[1]);
    case TERM_ADD: return term_add(c, args[0], args[1]);
    case TERM_MUL: return term_mul(c, args[0], args[1]);
    case TERM_UDIV: return term_udiv(c, args[0], args[1]);
    case TERM_UREM: return term_urem(c, args[0], args[1]);
    case TERM_SDIV: return term_sdiv(c, args[0], args[1]);
    case TERM_SREM: return term_srem(c, args[0], args[1]);
    case TERM_SHL: return term_shl(c, args[0], args[1]);
    case TERM_LSHR: return term_lshr(c, args[0], args[1]);
    case TERM_ASHR: return term_ashr(c, args[0], args[1]);
    case TERM_EQ: return term_eq(c, args[0], args[1]);
    case TERM_ULT: return term_ult(c, args[0], args[1]);
    case TERM_SLT: return term_slt(c, args[0], args[1]);
    case TERM_ITE: return term_ite(c, args[0], args[1], args[2]);
    case TERM_CONCAT: return term_concat(c, args[0], args[1]);
    case TERM_EXTRACT: return term_extract(c, args[0], (unsigned)like->value, like->width);
    case TERM_ZEXT: return term_zext(c, args[0], like->width);
    case TERM_SEXT: return term_sext(c, args[0], like->width);
    }
    return like;
}

/* --- substitution --------------------------------------------------------------------------------------- */

struct substitution {
    terms *context;
    /* term id -> id of what it becomes; the given symbols and, until they change, everything seen */
    map image;
    map touched; /* support id -> whether it contains a replaced symbol */
    VEC(const term *) symbols, by;
    bool stale; /* the memo belongs to an earlier set of replacements */
};

substitution *substitution_create(terms *c) {
    substitution *s = mem_zero(1, sizeof *s);
    s->context = c;
    return s;
}

void substitution_destroy(substitution *s) {
    if (!s) return;
    map_free(&s->image);
    map_free(&s->touched);
    vec_free(&s->symbols);
    vec_free(&s->by);
    mem_free(s);
}

void substitution_set(substitution *s, const term *symbol, const term *by) {
    assert(symbol->op == TERM_SYMBOL && symbol->width == by->width);
    s->stale = true;
    for (size_t i = 0; i < s->symbols.size; i++)
        if (s->symbols.data[i] == symbol) {
            s->by.data[i] = by;
            return;
        }
    vec_push(&s->symbols, symbol);
    vec_push(&s->by, by);
}

void substitution_clear(substitution *s) {
    vec_clear(&s->symbols);
    vec_clear(&s->by);
    s->stale = true;
}

static void forget_results(substitution *s) {
    map_clear(&s->image);
    map_clear(&s->touched);
    for (size_t i = 0; i < s->symbols.size; i++)
        map_put(&s->image, s->symbols.data[i]->id, s->by.data[i]->id);
    s->stale = false;
}

static bool contains_replaced_symbol(substitution *s, const term_support *support) {
    uint64_t known = map_get(&s->touched, support->id);
    if (known != MAP_NONE) return known;
    bool found = false;
    for (size_t i = 0; i < support->size && !found; i++)
        found = map_get(&s->image, support->symbol[i]->id) != MAP_NONE;
    map_put(&s->touched, support->id, found);
    return found;
}

static const term *image_of(substitution *s, const term *t) {
    if (!contains_replaced_symbol(s, t->support)) return t;
    uint64_t id = map_get(&s->image, t->id);
    return id == MAP_NONE ? NULL : s->context->by_id.data[id];
}

const term *substitution_apply(substitution *s, const term *t) {
    terms *c = s->context;
    if (s->stale) forget_results(s);
    size_t bottom = c->work.size;
    vec_push(&c->work, t);
    while (c->work.size > bottom) {
        const term *top = vec_last(&c->work), *args[3];
        size_t missing = 0;
        if (image_of(s, top)) {
            c->work.size--;
            continue;
        }
        for (unsigned i = 0; i < top->arity; i++)
            if (!(args[i] = image_of(s, top->arg[i]))) {
                vec_push(&c->work, top->arg[i]);
                missing++;
            }
        if (missing) continue;
        map_put(&s->image, top->id, term_rebuild(c, top, args)->id);
        c->work.size--;
    }
    assert(c->work.size == bottom && image_of(s, t)->width == t->width);
    return image_of(s, t);
}

/* --- primed twins --------------------------------------------------------------------------------------- */

static const uint64_t PRIME = UINT64_C(1) << 63;

bool term_symbol_is_primed(const term *symbol) {
    return symbol->value & PRIME;
}

static const term *primed_twin(const terms *c, const term *t) {
    if (!t->support->size) return t;
    return t->id < c->primed.size ? c->primed.data[t->id] : NULL;
}

static void remember_twin(terms *c, const term *t, const term *twin) {
    size_t count = c->by_id.size;
    if (c->primed.size < count) {
        vec_reserve(&c->primed, count);
        memset(c->primed.data + c->primed.size, 0, (count - c->primed.size) * sizeof *c->primed.data);
        c->primed.size = count;
    }
    c->primed.data[t->id] = twin;
}

static const term *twin_of_symbol(terms *c, const term *symbol) {
    return term_symbol(c, symbol->width, symbol->value ^ PRIME, term_symbol_label(c, symbol),
                       term_symbol_origin(c, symbol));
}

const term *term_primed(terms *c, const term *t) {
    size_t bottom = c->work.size;
    vec_push(&c->work, t);
    while (c->work.size > bottom) {
        const term *top = vec_last(&c->work), *args[3];
        size_t missing = 0;
        if (!primed_twin(c, top)) {
            for (unsigned i = 0; i < top->arity; i++)
                if (!(args[i] = primed_twin(c, top->arg[i]))) {
                    vec_push(&c->work, top->arg[i]);
                    missing++;
                }
            if (missing) continue;
            remember_twin(c, top, top->arity ? term_rebuild(c, top, args) : twin_of_symbol(c, top));
        }
        c->work.size--;
    }
    assert(primed_twin(c, t)->width == t->width);
    assert(primed_twin(c, t)->support->size == t->support->size); /* symbols are renamed one by one */
    return primed_twin(c, t);
}
