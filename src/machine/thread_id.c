/* Identities of threads, as pthread_self and std::thread::id tell them.
 *
 * What an identity is as a number is not modelled: it is a pointer behind program.thread_origin, and the
 * offset says which thread it is of. Two threads that live at the same time have different identities. That
 * of a thread that was joined, or has ended after it was detached, may be given to one that is made later.
 *
 * Nothing that two threads may do in either order is looked at here: explorers take creating, joining and
 * comparing for independent of each other. A thread that joins somebody keeps this in mind (`recycles`) for
 * those that it creates from then on. If one thread was joined by another one than the one that created the
 * second, or threads are detached, their order is not known: machine_ids_come_again tells that they were
 * compared as if their identities were different. */
#include "machine/internal.h"
#include "machine/positions.h"
#include "machine/seen.h"

/* Names of unknown numbers (objects.c) that are not drawn by a thread, + the thread. */
static const uint64_t position_names = UINT64_C(3) << 60 | UINT64_C(1) << 32;

enum { MAIN_NUMBER = 1 << 30 }; /* offset of main's identity: library/models.h */
enum { THREAD_BITS = 16 };      /* of an identity as a number: no two have these the same */

bool value_is_thread_id(const machine *m, value v) {
    uint32_t origin = m->program->thread_origin;
    return origin != NO_INDEX && v.bits && v.base == FUNCTION_BASE + origin;
}

const term *thread_rank(terms *c, unsigned width, uint32_t thread) {
    return term_symbol(c, width, position_names | thread, "identity", NO_INDEX);
}

uint32_t thread_of_rank(const term *symbol) {
    bool is_position = symbol->op == TERM_SYMBOL && (symbol->value & ~(uint64_t)UINT32_MAX) == position_names;
    return is_position ? (uint32_t)symbol->value : NO_INDEX;
}

/* NO_INDEX: the identity of no thread, or nobody knows of which. */
static uint32_t thread_meant(const context *c, value id) {
    if (!term_is_const(id.bits) || !id.bits->value) return NO_INDEX;
    uint64_t number = id.bits->value == MAIN_NUMBER ? 0 : id.bits->value;
    return number < c->s->thread_count ? (uint32_t)number : NO_INDEX;
}

static const term *position_of(run *r, uint32_t thread) {
    unsigned width = r->m->program->pointer_bits - THREAD_BITS;
    const term *position = thread_rank(r->m->terms, width, thread);
    r->m->compares_positions = true;
    if (!r->how->inputs) return position;
    uint64_t known = thread;
    tell_place(r->m, position, known);
    valuation_get(r->how->inputs, position, &known);
    return term_const(r->m->terms, width, known);
}

/* Any number but 0, and different for all threads. */
static value as_number(run *r, const context *c, value v) {
    if (!value_is_thread_id(r->m, v)) return v;
    uint32_t thread = thread_meant(c, v);
    const term *which = term_const(r->m->terms, THREAD_BITS, (uint64_t)thread + 1);
    return (value){term_concat(r->m->terms, which, position_of(r, thread)), 0};
}

/* Who creates a thread lives at the same time. Main is there before everybody. */
static bool lives_before(const machine *m, uint32_t younger, uint32_t elder) {
    return younger && m->thread_births.data[younger - 1].creator != elder &&
           (!elder || m->thread_births.data[elder - 1].creator != younger);
}

static bool may_have_that_of(const machine *m, const state *s, uint32_t younger, uint32_t elder) {
    return lives_before(m, younger, elder) && s->threads[younger]->recycles &&
           s->threads[elder]->status == THREAD_ENDED;
}

static bool order_is_open(const machine *m, uint32_t younger, uint32_t elder) {
    if (!lives_before(m, younger, elder)) return false;
    uint64_t joiner = map_get(&m->met.joiners, elder);
    return m->met.detached.met ||
           (joiner != MAP_NONE && joiner != m->thread_births.data[younger - 1].creator);
}

void note_joined(machine *m, uint32_t thread, uint32_t by) {
    seen_note_joined(m->seen, thread, by);
}

static void note_comparison(run *r, const context *c, const instruction *i, uint32_t one, uint32_t other,
                            const char *asked) {
    if (!seen_knows_ids_compared(r->m->seen, one, other)) /* the place costs */
        seen_note_ids_compared(r->m->seen, (ids_compared){one, other, place_to_tell(r, c, i, asked)});
}

bool thread_ids_may_be_same(run *r, const context *c, const instruction *i, uint32_t one, uint32_t other,
                            const char *asked) {
    note_comparison(r, c, i, one, other, asked);
    return may_have_that_of(r->m, c->s, one, other) || may_have_that_of(r->m, c->s, other, one);
}

bool machine_ids_come_again(const machine *m, seen_place *at) {
    for (size_t i = 0; i < m->met.ids_compared.size; i++) {
        const ids_compared *p = &m->met.ids_compared.data[i];
        *at = p->at;
        if (order_is_open(m, p->one, p->other) || order_is_open(m, p->other, p->one)) return true;
    }
    return false;
}

/* Whether one thread was given the identity of the other. In a replay none ever comes again. */
static const term *whether_used_again(run *r, context *c, const instruction *i, uint32_t one,
                                      uint32_t other) {
    if (one == other) return term_true(r->m->terms);
    bool possible = thread_ids_may_be_same(r, c, i, one, other, "identities of threads are compared");
    if (!possible || r->how->inputs) return term_false(r->m->terms);
    return fresh_unknown(r->m, c, 1, "reused");
}

/* One order of all threads, which nobody knows and which stays. */
static const term *comes_before(run *r, uint32_t one, uint32_t other) {
    const term *here = position_of(r, one), *there = position_of(r, other);
    return other < one ? term_ult(r->m->terms, here, there) : term_ule(r->m->terms, here, there);
}

static const term *compare(run *r, context *c, const instruction *i, uint32_t one, uint32_t other) {
    terms *terms = r->m->terms;
    const term *same = whether_used_again(r, c, i, one, other), *before = term_false(terms);
    bool orders = i->arith != ARITH_EQ && i->arith != ARITH_NE;
    if (orders && one != other) before = term_and(terms, term_not(terms, same), comes_before(r, one, other));
    switch ((arith)i->arith) {
    case ARITH_EQ: return same;
    case ARITH_NE: return term_not(terms, same);
    case ARITH_ULT:
    case ARITH_SLT: return before;
    default: return term_or(terms, same, before);
    }
}

static bool is_comparison(arith op) {
    return op >= ARITH_EQ && op <= ARITH_SLE;
}

static bool keeps_its_operand(const instruction *i, unsigned width, value a) {
    bool converts = i->arith == ARITH_ZEXT || i->arith == ARITH_SEXT || i->arith == ARITH_TRUNC;
    return converts && width == a.bits->width;
}

static bool is_origin(const machine *m, value v) {
    return value_is_thread_id(m, v) && term_is_const(v.bits) && !v.bits->value;
}

static access_result number_of_thread(run *r, context *c, const instruction *i, value id, value *out) {
    if (!value_is_thread_id(r->m, id)) return memory_limit(r, c, i, REASON_JOIN_OF_NO_THREAD);
    *out = (value){id.bits, 0};
    return ACCESS_DONE;
}

/* The identity that an operand is, exact if the way of the step has told it. */
static value exact_id(run *r, context *c, value v) {
    if (v.bits && value_is_thread_id(r->m, v)) v.bits = c->needed = run_exact_thread(r, c, v.bits);
    return v;
}

access_result thread_id_arith(run *r, context *c, const instruction *i, unsigned width, value a, value b,
                              value *out) {
    if (keeps_its_operand(i, width, a)) {
        *out = a;
        return ACCESS_DONE;
    }
    a = exact_id(r, c, a);
    if (i->arith == ARITH_SUB && is_origin(r->m, b)) return number_of_thread(r, c, i, a, out);
    b = exact_id(r, c, b);
    bool a_is_one = value_is_thread_id(r->m, a), b_is_one = value_is_thread_id(r->m, b);
    bool stray = (a_is_one && thread_meant(c, a) == NO_INDEX) || (b_is_one && thread_meant(c, b) == NO_INDEX);
    bool of_pointer = (a.base && !a_is_one) || (b.base && !b_is_one);
    if (stray || of_pointer) return memory_limit(r, c, i, REASON_THREAD_ID_ARITHMETIC);
    const term *result;
    if (a_is_one && b_is_one && is_comparison(i->arith))
        result = compare(r, c, i, thread_meant(c, a), thread_meant(c, b));
    else
        result =
            arith_term(r->m->terms, i->arith, width, as_number(r, c, a).bits, as_number(r, c, b).bits, NULL);
    *out = (value){result, 0};
    return ACCESS_DONE;
}
