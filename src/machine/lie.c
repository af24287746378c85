/* Where objects lie: which of two comes first, which lies right behind another, and which lies where one was
 * that is gone.
 *
 * All that is an unknown number for each object, its position. The order of positions is that of addresses;
 * of two live objects that have the same one, the one with the lower name lies first. Of objects that did not
 * live at the same time the same position means the same address. One that lies right behind another has the
 * next position. Whoever asks gets a condition on these numbers: both answers are followed, and from then on
 * the answer stays, as a conjunct of the path.
 *
 * That two objects have lived at the same time is known where one of them is freed: if somebody still has a
 * pointer to it, then its position is none of those of the objects that are there, as far as this follows
 * from the order of its own thread, whatever other threads do. What does not follow is left open; a concrete
 * replay, which knows one order of everything, says no where two objects did live at the same time. */
#include "machine/internal.h"
#include "machine/positions.h"
#include "machine/setup.h"
#include "machine/watch.h"

/* Names of unknown numbers (objects.c) that are not drawn by a thread, + the object. */
static const uint64_t position_names = UINT64_C(3) << 60;

enum { POSITION_BITS = 32, MOST_APART = 64 /* objects that a freed one is known to differ from */ };

const term *object_position(terms *c, uint32_t object) {
    return term_symbol(c, POSITION_BITS, position_names | object, "lies at", NO_INDEX);
}

uint32_t object_of_position(const term *symbol) {
    bool is_position = symbol->op == TERM_SYMBOL && symbol->width == POSITION_BITS &&
                       (symbol->value & ~(uint64_t)UINT32_MAX) == position_names;
    return is_position ? (uint32_t)symbol->value : NO_INDEX;
}

bool machine_compares_positions(const machine *m) {
    return m->compares_positions;
}

void tell_place(const machine *m, const term *symbol, uint64_t preset) {
    const machine_watch *w = step_watch(m);
    if (w && w->places) w->places(w->data, symbol, preset);
}

static const term *told(const run *r, const context *c, uint32_t one, uint32_t other, lie_kind how,
                        const term *answer) {
    const machine_watch *w = r->how->watch;
    if (term_is_true(answer) && w && w->lies) w->lies(w->data, c->s, one, other, how);
    if (how == LIES_BEFORE && term_is_false(answer) && w && w->lies) w->lies(w->data, c->s, other, one, how);
    return answer;
}

/* The allocator of a replay goes upwards where nobody cares, and leaves gaps. */
static const term *position_of(run *r, uint32_t object) {
    const term *position = object_position(r->m->terms, object);
    uint64_t known = 2 * (uint64_t)object;
    r->m->compares_positions = true;
    if (!r->how->inputs) return position;
    tell_place(r->m, position, known);
    valuation_get(r->how->inputs, position, &known);
    return term_const(r->m->terms, POSITION_BITS, known);
}

/* None of the live objects that were asked for before lies where `object` lies. */
static const term *is_not_taken(run *r, const context *c, uint32_t object) {
    const state *s = c->s;
    terms *terms = r->m->terms;
    const term *all = term_true(terms);
    if (!state_object(s, object)) return all;
    for (uint32_t i = 0; i < s->path_count; i++) {
        const term_support *symbols = s->path->conjunct[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            uint32_t other = object_of_position(symbols->symbol[k]);
            if (other == NO_INDEX || other == object || !state_object(s, other)) continue;
            const term *same = term_eq(terms, position_of(r, object), symbols->symbol[k]);
            all = term_and(terms, all, term_not(terms, same));
        }
    }
    return all;
}

/* That no two live objects lie at the same place needs to be said only once somebody looks behind ends: then
 * of all that were asked for on this path, ... */
static void keep_all_apart(run *r, context *c) {
    if (c->s->scheduler->behind_ends) return;
    state_own_scheduler(c->s)->behind_ends = true;
    if (r->how->inputs) return;
    VEC(const term *) apart = {0};
    for (uint32_t i = 0; i < c->s->path_count; i++) {
        const term_support *symbols = c->s->path->conjunct[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            uint32_t object = object_of_position(symbols->symbol[k]);
            if (object != NO_INDEX) vec_push(&apart, is_not_taken(r, c, object));
        }
    }
    for (size_t i = 0; i < apart.size; i++) path_assume(c->s, apart.data[i]);
    vec_free(&apart);
}

/* ... and of each that is asked for from then on. */
static void keep_apart(run *r, context *c, uint32_t one, uint32_t other) {
    if (r->how->inputs || !c->s->scheduler->behind_ends) return;
    path_assume(c->s, term_and(r->m->terms, is_not_taken(r, c, one), is_not_taken(r, c, other)));
}

const term *lies_before(run *r, context *c, uint32_t one, uint32_t other) {
    terms *terms = r->m->terms;
    bool turned = other < one;
    if (r->how->addresses != ADDRESSES_OPEN)
        return term_bool(terms, turned == (r->how->addresses == ADDRESSES_DOWNWARDS));
    const term *here = position_of(r, one), *there = position_of(r, other);
    keep_apart(r, c, one, other);
    const term *before = turned ? term_ult(terms, here, there) : term_ule(terms, here, there);
    return told(r, c, one, other, LIES_BEFORE, before);
}

const term *lies_right_behind(run *r, context *c, uint32_t one, uint32_t other) {
    terms *terms = r->m->terms;
    if (r->how->addresses != ADDRESSES_OPEN) return fresh_unknown(r->m, c, 1, "next to each other");
    keep_all_apart(r, c);
    const term *next = term_add(terms, position_of(r, other), term_const(terms, POSITION_BITS, 1));
    const term *zero = term_const(terms, POSITION_BITS, 0); /* none lies behind the last one */
    const term *there = term_and(terms, term_eq(terms, position_of(r, one), next),
                                 term_not(terms, term_eq(terms, next, zero)));
    if (r->how->inputs) return told(r, c, one, other, LIES_RIGHT_BEHIND, there);
    return term_and(terms, there, term_and(terms, is_not_taken(r, c, one), is_not_taken(r, c, other)));
}

/* --- stacks --------------------------------------------------------------------------------------------- */

static made_as kind_of(const machine *m, const state *s, uint32_t object) {
    const memory_object *o = state_object(s, object);
    return o ? (made_as){o->heap, !o->heap, o->owner} : made_by_name(m, object);
}

bool lies_on_another_stack(run *r, const context *c, const instruction *i, uint32_t one, uint32_t other) {
    if (one < c->s->static_count || other < c->s->static_count) return false;
    made_as a = kind_of(r->m, c->s, one), b = kind_of(r->m, c->s, other);
    if ((a.heap && a.local) || (b.heap && b.local)) return false; /* it may have been either */
    if (a.heap || b.heap) return a.heap != b.heap;
    uint32_t threads = c->s->thread_count;
    if (a.owner == b.owner || a.owner >= threads || b.owner >= threads) return false;
    return !thread_ids_may_be_same(r, c, i, a.owner, b.owner, "variables of different threads are compared");
}

/* --- memory that is used again -------------------------------------------------------------------------- */

const term *lies_where_was(run *r, context *c, uint32_t one, uint32_t other) {
    terms *terms = r->m->terms;
    if (r->how->addresses != ADDRESSES_OPEN) return fresh_unknown(r->m, c, 1, "reused");
    const term *here = position_of(r, one), *there = position_of(r, other);
    const term *same = term_eq(terms, here, there);
    if (r->how->inputs) {
        bool so = here->value == there->value && did_lie_there(r->m, c->s, here->value, one, other);
        return told(r, c, one, other, LIES_WHERE_WAS, term_bool(terms, so));
    }
    same = term_and(terms, same, is_not_taken(r, c, one));
    return term_and(terms, same, is_not_taken(r, c, other));
}

static bool is_alone(const state *s) {
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->status != THREAD_UNBORN && s->threads[t]->status != THREAD_ENDED && t)
            return false;
    return true;
}

/* Nobody else can have freed it in an order of steps that differs from this one only where that does not
 * matter, and this thread made it before. */
static bool lives_surely(const context *c, const memory_object *o) {
    return o->owner == c->thread && (!o->shared || is_alone(c->s));
}

static bool can_be_told_apart(const context *c, const memory_object *o) {
    return o->heap && !o->freed && !o->summary && (c->s->scheduler->heap_order || lives_surely(c, o));
}

void note_who_is_there(run *r, context *c, uint32_t freed) {
    const machine *m = r->m;
    bool asked = (m->compares_pointers || c->s->scheduler->heap_order) && !fixed_inputs(m) &&
                 r->how->addresses == ADDRESSES_OPEN;
    if (!asked || !memory_is_pointed_to(m, c, freed)) return;
    terms *terms = m->terms;
    const term *position = position_of(r, freed);
    uint32_t apart = 0;
    for (uint32_t k = c->s->dynamic_count; k-- > 0 && apart < MOST_APART;) {
        uint32_t name = c->s->dynamic[k].name;
        if (name == freed || !can_be_told_apart(c, c->s->dynamic[k].object)) continue;
        path_assume(c->s, term_not(terms, term_eq(terms, position, position_of(r, name))));
        apart++;
    }
}

/* Whether the program itself compares pointers with each other, rather than with null only. Iterators of the
 * library do so all the time, within one object. */
bool program_compares_pointers(const program *p) {
    for (size_t n = 0; n < p->functions.size; n++) {
        const function *f = &p->functions.data[n];
        if (f->hidden) continue;
        for (size_t b = 0; b < f->blocks.size; b++)
            for (size_t k = 0; k < f->blocks.data[b].code.size; k++) {
                const instruction *i = &f->blocks.data[b].code.data[k];
                bool compares = i->kind == INSTR_ARITH && (i->arith == ARITH_EQ || i->arith == ARITH_NE);
                if (compares && i->a.kind == OPERAND_REGISTER && i->b.kind == OPERAND_REGISTER &&
                    i->a.width == p->pointer_bits)
                    return true;
            }
    }
    return false;
}
