/* Arithmetic in which an operand is a pointer, or an integer made from one.
 *
 * Where an object lies is not modelled. All that is known is that its address is as aligned as its cells
 * need, that live objects do not overlap, and that none lies in the first page or ends at the last byte of
 * the address space. What does not follow from that ends as a limit. */
#include "machine/internal.h"

enum { HEAP_ALIGNMENT = 16, FUNCTION_ALIGNMENT = 2, FIRST_PAGE = 4096 };

static access_result not_modelled(run *r, context *c, const instruction *i) {
    return memory_limit(r, c, i, REASON_UNKNOWN_ADDRESS);
}

static access_result number(value *out, const term *bits) {
    *out = (value){bits, 0};
    return ACCESS_DONE;
}

static bool is_plain(value v) {
    return !v.base;
}

static bool is_data_pointer(value v) {
    return v.base && v.base < FUNCTION_BASE;
}

/* Numbers that are no address of an object: those in the first page, and all ones. */
static bool is_no_address(value v) {
    return is_plain(v) && term_is_const(v.bits) &&
           (v.bits->value < FIRST_PAGE || v.bits->value == term_mask(v.bits->width));
}

/* Whether the offset is small enough that the address cannot have gone round the whole address space. */
static bool stays_near(run *r, const context *c, value v) {
    if (is_plain(v) || term_is_const(v.bits)) return true;
    terms *terms = r->m->terms;
    unsigned width = v.bits->width;
    const term *most = term_const(terms, width, UINT64_C(1) << (width - 3)), *least = term_neg(terms, most);
    const term *near = term_and(terms, term_sle(terms, least, v.bits), term_sle(terms, v.bits, most));
    return machine_ask(r->m, c->s, c->thread, term_not(terms, near)) == SOLVER_UNSAT;
}

/* The summary that it points into, or NULL. */
static const memory_object *pointed_summary(const context *c, value v) {
    uint32_t name = value_object(v);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    return o && o->summary ? o : NULL;
}

static bool may_be_gone(const context *c, uint32_t object) {
    const memory_object *o = state_object(c->s, object);
    return !o || o->perhaps_freed;
}

/* An object that is gone may have lain where another one was made. */
static bool may_lie_at_one_address(run *r, const context *c, const instruction *i, value a, value b) {
    if (!r->m->traits->memory_is_bytes) return false; /* addresses are never used again there */
    uint32_t one = value_object(a), other = value_object(b);
    bool both_dynamic = one != NO_INDEX && other != NO_INDEX && one >= c->s->static_count &&
                        other >= c->s->static_count && one != other;
    if (!both_dynamic || (r->m->traits->stacks_are_apart && lies_on_another_stack(r, c, i, one, other)))
        return false;
    return may_be_gone(c, one) || may_be_gone(c, other);
}

/* An object of which somebody may ask where it lies. */
static bool is_single_object(const context *c, value v) {
    return value_object(v) != NO_INDEX && !pointed_summary(c, v);
}

/* Either may happen. With other offsets the new object would have to lie across the old one: that is
 * followed, too, but a replay does not know how. */
static const term *whether_memory_was_reused(run *r, context *c, value a, value b) {
    if (a.bits == b.bits && is_single_object(c, a) && is_single_object(c, b))
        return lies_where_was(r, c, value_object(a), value_object(b));
    return r->how->inputs ? term_false(r->m->terms) : fresh_unknown(r->m, c, 1, "reused");
}

/* --- one past the end ----------------------------------------------------------------------------------- */

/* The live object that v points into or behind, if it has bytes; NULL: none. */
static const memory_object *object_before(const context *c, value v) {
    uint32_t name = value_object(v);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    return o && !o->freed && object_bytes(o) ? o : NULL;
}

/* Whether `a` is just behind its object, `b` is the start of its own, and that lies right there. */
static const term *meets(run *r, context *c, value a, value b) {
    terms *terms = r->m->terms;
    const memory_object *o = object_before(c, a);
    if (!o || !object_before(c, b)) return term_false(terms);
    unsigned width = a.bits->width;
    const term *at_end = term_eq(terms, a.bits, term_const(terms, width, object_bytes(o)));
    const term *at_start = term_eq(terms, b.bits, term_const(terms, width, 0));
    const term *there = term_and(terms, at_end, at_start);
    if (term_is_false(there)) return there;
    bool single = is_single_object(c, a) && is_single_object(c, b);
    const term *next = single           ? lies_right_behind(r, c, value_object(b), value_object(a))
                       : r->how->inputs ? term_false(terms)
                                        : fresh_unknown(r->m, c, 1, "next to each other");
    return term_and(terms, there, next);
}

static const term *whether_ends_meet(run *r, context *c, value a, value b) {
    if (!r->m->traits->memory_is_bytes || !is_data_pointer(a) || !is_data_pointer(b))
        return term_false(r->m->terms);
    return term_or(r->m->terms, meets(r, c, a, b), meets(r, c, b, a));
}

/* Two pointers into objects of one summary: these may be the same object or not. Different offsets are
 * different addresses as long as nothing was made where a freed object was. */
static const term *whether_same_of_many(run *r, context *c, const memory_object *o, value a, value b) {
    const term *same = fresh_unknown(r->m, c, 1, "same of many");
    return o->perhaps_freed ? same : term_and(r->m->terms, same, term_eq(r->m->terms, a.bits, b.bits));
}

static access_result compare_equal(run *r, context *c, const instruction *i, value a, value b, value *out) {
    terms *terms = r->m->terms;
    const term *same;
    if (a.base != b.base || pointed_summary(c, a)) note_blocks_compared(r, c, i, a, b);
    if (a.base == b.base && pointed_summary(c, a))
        same = whether_same_of_many(r, c, pointed_summary(c, a), a, b);
    else if (a.base == b.base)
        same = term_eq(terms, a.bits, b.bits);
    else if (may_lie_at_one_address(r, c, i, a, b))
        same = whether_memory_was_reused(r, c, a, b);
    else if (((a.base && b.base) || is_no_address(a) || is_no_address(b)) && stays_near(r, c, a) &&
             stays_near(r, c, b))
        same = whether_ends_meet(r, c, a, b);
    else
        return not_modelled(r, c, i);
    return number(out, i->arith == ARITH_EQ ? same : term_not(terms, same));
}

/* A pointer into a live object, or just behind it. */
static bool is_inside(const context *c, value v) {
    uint32_t name = value_object(v);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    return o && !o->freed && term_is_const(v.bits) && v.bits->value <= object_bytes(o);
}

/* Within an object the order of addresses is that of offsets, which are signed: a pointer may step
 * before its object. */
static access_result compare_order(run *r, context *c, const instruction *i, value a, value b, value *out) {
    terms *terms = r->m->terms;
    bool strict = i->arith == ARITH_ULT || i->arith == ARITH_SLT;
    bool is_signed = i->arith == ARITH_SLT || i->arith == ARITH_SLE;
    if (a.base == b.base && pointed_summary(c, a)) return memory_limit(r, c, i, REASON_SUMMARY_DISTANCE);
    if (a.base != b.base) note_blocks_compared(r, c, i, a, b);
    if (a.base == b.base)
        return number(out, strict ? term_slt(terms, a.bits, b.bits) : term_sle(terms, a.bits, b.bits));
    if (!is_signed && r->m->traits->memory_is_bytes && is_inside(c, a) && is_inside(c, b))
        return number(out, lies_before(r, c, value_object(a), value_object(b)));
    value outside = is_plain(a) ? a : b;
    bool near = stays_near(r, c, a) && stays_near(r, c, b);
    if (is_signed || !is_no_address(outside) || !near) return not_modelled(r, c, i);
    bool outside_is_low = outside.bits->value < FIRST_PAGE, outside_is_left = is_plain(a);
    return number(out, term_bool(terms, outside_is_low == outside_is_left));
}

static access_result subtract(run *r, context *c, const instruction *i, value a, value b, value *out) {
    const term *difference = term_sub(r->m->terms, a.bits, b.bits);
    if (a.base == b.base && pointed_summary(c, a)) return memory_limit(r, c, i, REASON_SUMMARY_DISTANCE);
    if (a.base == b.base) return number(out, difference);
    if (!is_plain(b)) return not_modelled(r, c, i);
    *out = (value){difference, a.base};
    return ACCESS_DONE;
}

/* What divides the address of the object that a pointer is into: malloc gives 16, others what their largest
 * cell needs. Functions lie at even addresses: the lowest bit of a pointer to a member says whether
 * it is virtual. */
static uint64_t alignment_of(const run *r, const context *c, value pointer) {
    if (value_function(pointer) != NO_INDEX) return FUNCTION_ALIGNMENT;
    uint32_t name = value_object(pointer);
    const memory_object *o = name == NO_INDEX ? NULL : state_object(c->s, name);
    if (!o) return 1;
    if (o->heap) return HEAP_ALIGNMENT;
    uint64_t most = 1;
    for (uint32_t k = 0; k < o->shape->cells; k++) {
        uint64_t bytes = scalar_bytes(o->shape->cell[k].type);
        if (bytes > most && bytes <= r->m->program->pointer_bits / 8) most = bytes;
    }
    while (o->shape->stride % most) most /= 2; /* packed */
    return most;
}

/* Bit operations that concern no more than the bits which alignment makes known. */
static access_result low_bits(run *r, context *c, const instruction *i, value a, value b, value *out) {
    value pointer = is_plain(a) ? b : a, mask = is_plain(a) ? a : b;
    if (is_plain(pointer) || !is_plain(mask) || !term_is_const(mask.bits)) return not_modelled(r, c, i);
    uint64_t bits = mask.bits->value, all = term_mask(mask.bits->width);
    uint64_t alignment = alignment_of(r, c, pointer);
    bool only_low = bits < alignment, all_but_low = bits >= all - (alignment - 1);
    terms *terms = r->m->terms;
    if (i->arith == ARITH_AND && only_low) return number(out, term_and(terms, pointer.bits, mask.bits));
    if (!(i->arith == ARITH_AND ? all_but_low : only_low)) return not_modelled(r, c, i);
    const term *moved = arith_term(terms, i->arith, mask.bits->width, pointer.bits, mask.bits, NULL);
    *out = (value){moved, pointer.base};
    return ACCESS_DONE;
}

static access_result remainder_of(run *r, context *c, const instruction *i, value a, value b, value *out) {
    bool known = is_data_pointer(a) && is_plain(b) && term_is_const(b.bits) && b.bits->value &&
                 alignment_of(r, c, a) % b.bits->value == 0;
    if (!known) return not_modelled(r, c, i);
    return number(out, term_urem(r->m->terms, a.bits, b.bits));
}

static access_result choose(run *r, context *c, const term *condition, value yes, value no, value *out) {
    switch (run_decide_way(r, c, condition)) {
    case DECIDED_TRUE: *out = yes; return ACCESS_DONE;
    case DECIDED_FALSE: *out = no; return ACCESS_DONE;
    case DECIDED_NEITHER: break;
    }
    run_drop(c);
    return ACCESS_ENDED;
}

/* Pointers into objects of one summary may point into the same one or not. */
static access_result compare_objects(run *r, context *c, value a, value b, value *out) {
    if (a.base == b.base && pointed_summary(c, a))
        return number(out, fresh_unknown(r->m, c, 1, "same of many"));
    return number(out, term_bool(r->m->terms, a.base == b.base));
}

access_result pointer_arith(run *r, context *c, const instruction *i, unsigned width, value a, value b,
                            value d, value *out) {
    if (i->arith == ARITH_SELECT) return choose(r, c, a.bits, b, d, out);
    if (i->arith == ARITH_SAME_OBJECT) return compare_objects(r, c, a, b, out);
    c->needed = term_is_const(a.bits) ? b.bits : a.bits;
    if ((a.base && value_is_fragment(a)) || (b.base && value_is_fragment(b)))
        return memory_limit(r, c, i, REASON_POINTER_BYTES);
    if (value_is_thread_id(r->m, a) || value_is_thread_id(r->m, b))
        return thread_id_arith(r, c, i, width, a, b, out);
    switch ((arith)i->arith) {
    case ARITH_EQ:
    case ARITH_NE: return compare_equal(r, c, i, a, b, out);
    case ARITH_ULT:
    case ARITH_ULE:
    case ARITH_SLT:
    case ARITH_SLE: return compare_order(r, c, i, a, b, out);
    case ARITH_ADD:
        if (a.base && b.base) return not_modelled(r, c, i);
        *out = (value){term_add(r->m->terms, a.bits, b.bits), a.base | b.base};
        return ACCESS_DONE;
    case ARITH_SUB: return subtract(r, c, i, a, b, out);
    case ARITH_AND:
    case ARITH_OR:
    case ARITH_XOR: return low_bits(r, c, i, a, b, out);
    case ARITH_UREM: return remainder_of(r, c, i, a, b, out);
    case ARITH_ZEXT:
    case ARITH_SEXT:
    case ARITH_TRUNC:
        if (width != a.bits->width) return not_modelled(r, c, i);
        *out = a;
        return ACCESS_DONE;
    default: return not_modelled(r, c, i);
    }
}
