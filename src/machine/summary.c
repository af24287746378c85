/* Summaries: one object of a partly unknown state that stands for any number of heap objects of one size made
 * at one place, none of which is known apart from the others.
 *
 * Of each position it lists what is there in some of them, the candidates. A position is a range of bytes;
 * positions do not overlap. Its candidates are pointers with constant offsets, a few constants, and, beside
 * pointers only, any number. Bytes without a position hold any number, and no part of a pointer. An access is
 * to one of the objects, nobody knows which: reading may give each of the candidates, writing adds one.
 *
 * What cannot be told in these terms is a limit. Nothing of this is ever met without abstraction. Which
 * objects become one is decided outside (partial/abstract_names.c); that there are such objects is the
 * machine's to know, because every load, store and free in a step may be of one, and may fork on it. */
#include "machine/internal.h"

#include <stdlib.h>

enum { MOST_NUMBERS = 8, MOST_CANDIDATES = 128 }; /* of one position */

static const value any_number = {NULL, PADDING_BASE};

static bool is_any(value v) {
    return !v.bits;
}

static bool is_pointer(value v) {
    return v.bits && v.base;
}

/* --- positions ------------------------------------------------------------------------------------------ */

typedef struct span {
    uint32_t low, high;
} span;

typedef VEC(span) spans;

static bool same_span(span a, span b) {
    return a.low == b.low && a.high == b.high;
}

static bool spans_overlap(span a, span b) {
    return a.low < b.high && b.low < a.high;
}

laid_cells summary_cells(const memory_object *o) {
    laid_cells list = {0};
    for (uint32_t k = 0; k < o->cells; k++) vec_push(&list, ((laid_cell){o->cell[k], object_starts(o)[k]}));
    return list;
}

size_t summary_position_end(const laid_cells *list, size_t first) {
    assert(first < list->size);
    size_t end = first;
    while (end < list->size && list->data[end].start == list->data[first].start) end++;
    return end;
}

/* The bytes of the position that begins with this cell: any number comes last, beside pointers. */
static span span_at(const laid_cells *list, size_t first) {
    assert(first < list->size && list->data[first].v.bits); /* any number comes last */
    uint32_t low = list->data[first].start;
    return (span){low, low + list->data[first].v.bits->width / 8};
}

static bool has_pointer(const laid_cells *list, size_t first, size_t end) {
    for (size_t k = first; k < end; k++)
        if (is_pointer(list->data[k].v)) return true;
    return false;
}

/* Whether bytes of a pointer lie within, except as the whole position `whole`. */
static bool holds_pointers_in(const laid_cells *list, span within, bool except_whole) {
    for (size_t k = 0, end; k < list->size; k = end) {
        end = summary_position_end(list, k);
        span at = span_at(list, k);
        if (!spans_overlap(at, within) || (except_whole && same_span(at, within))) continue;
        if (has_pointer(list, k, end)) return true;
    }
    return false;
}

/* The first cell of just this position; NO_INDEX: there is none. */
static size_t find_position(const laid_cells *list, span wanted) {
    for (size_t k = 0; k < list->size; k = summary_position_end(list, k))
        if (same_span(span_at(list, k), wanted)) return k;
    return NO_INDEX;
}

bool summary_holds_pointers(const memory_object *o, uint32_t low, uint32_t high) {
    laid_cells list = summary_cells(o);
    bool some = holds_pointers_in(&list, (span){low, high}, false);
    vec_free(&list);
    return some;
}

/* --- one form for equal ones ---------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_cells(const void *one, const void *other) {
    const laid_cell *a = one, *b = other;
    int order = compare_numbers(a->start, b->start);
    if (!order) order = compare_numbers(a->v.base, b->v.base);
    if (!order && a->v.bits && b->v.bits) order = compare_numbers(a->v.bits->value, b->v.bits->value);
    return order;
}

static void drop_duplicates(laid_cells *list) {
    size_t kept = 0;
    for (size_t k = 0; k < list->size; k++)
        if (!kept || compare_cells(&list->data[kept - 1], &list->data[k])) list->data[kept++] = list->data[k];
    list->size = kept;
}

reason_kind summary_tidy(laid_cells *list) {
    if (list->size) qsort(list->data, list->size, sizeof *list->data, compare_cells);
    drop_duplicates(list);
    size_t kept = 0;
    for (size_t first = 0, end; first < list->size; first = end) {
        end = summary_position_end(list, first);
        size_t numbers = 0;
        bool any = is_any(list->data[end - 1].v), pointers = has_pointer(list, first, end);
        for (size_t k = first; k < end; k++) numbers += list->data[k].v.bits && !list->data[k].v.base;
        any |= numbers > MOST_NUMBERS;
        if (end - first > MOST_CANDIDATES && pointers) return REASON_SUMMARY_MANY_POINTERS;
        if (any && !pointers) continue;
        laid_cell at_last = {any_number, list->data[first].start};
        for (size_t k = first; k < end; k++) {
            bool counts = any ? is_pointer(list->data[k].v) : true;
            if (counts) list->data[kept++] = list->data[k];
        }
        if (any) list->data[kept++] = at_last; /* in place of a number or of itself */
    }
    list->size = kept;
    return REASON_NONE;
}

void summary_make(state *s, uint32_t name, const laid_cells *cells) {
    uint32_t before = state_object(s, name)->cells;
    memory_object *o = state_replace_cells(s, name, 0, before, cells->data, (uint32_t)cells->size);
    o->summary = true;
    o->always_concrete = false;
    o->owner = o->frame = 0;
}

void summary_note_copy(state *s, value v) {
    uint32_t name = value_object(v);
    const memory_object *o = name == NO_INDEX || name < s->static_count ? NULL : state_object(s, name);
    if (o && o->single) state_own_object(s, name)->single = false;
    if (o && !o->heap && !o->stored) state_own_object(s, name)->stored = true;
}

/* --- several objects become one ------------------------------------------------------------------------- */

static bool add_span(spans *list, span s) {
    for (size_t k = 0; k < list->size; k++)
        if (same_span(list->data[k], s)) return true;
    for (size_t k = 0; k < list->size; k++)
        if (spans_overlap(list->data[k], s)) return false;
    vec_push(list, s);
    return true;
}

static reason_kind find_pointers(const machine *m, const memory_object *o, spans *out) {
    uint32_t bytes = m->program->pointer_bits / 8;
    for (uint32_t k = 0; k < o->cells; k++) {
        value v = o->cell[k];
        if (!is_pointer(v)) continue;
        if (value_is_fragment(v)) return REASON_SUMMARY_TORN_POINTER;
        uint32_t low = o->summary ? object_starts(o)[k] : object_cell_view(o, k).low;
        if (!add_span(out, (span){low, low + bytes})) return REASON_SUMMARY_TORN_POINTER;
    }
    return REASON_NONE;
}

/* Positions of constants. What is not among them here is any number at last, whatever others hold. */
static void find_constants(const memory_object *o, spans *out) {
    enum { MOST_BYTES = 8 };
    if (o->summary) {
        laid_cells list = summary_cells(o);
        for (size_t k = 0; k < list.size; k = summary_position_end(&list, k))
            add_span(out, span_at(&list, k));
        vec_free(&list);
        return;
    }
    for (uint32_t k = 0; k < o->cells; k++) {
        cell_view view = object_cell_view(o, k);
        bool constant = view.v.bits && !view.v.base && term_is_const(view.v.bits);
        if (constant && view.high - view.low <= MOST_BYTES) add_span(out, (span){view.low, view.high});
    }
}

static reason_kind add_of_object(machine *m, const memory_object *o, uint32_t name, span at,
                                 laid_cells *out) {
    value v = any_number;
    switch (cells_read(m, o, name, at.low, 8 * (at.high - at.low), &v)) {
    case READ_TORN: return REASON_SUMMARY_TORN_POINTER;
    case READ_PADDING: v = any_number; break;
    case READ_DONE:
        if (v.base && value_is_fragment(v)) return REASON_SUMMARY_TORN_POINTER;
        if (v.base && !term_is_const(v.bits)) return REASON_SUMMARY_OPEN_OFFSET;
        if (!term_is_const(v.bits)) v = any_number;
        break;
    }
    vec_push(out, ((laid_cell){v, at.low}));
    return REASON_NONE;
}

static void add_of_summary(const memory_object *o, span at, laid_cells *out) {
    laid_cells list = summary_cells(o);
    size_t first = find_position(&list, at);
    if (first == NO_INDEX)
        vec_push(out, ((laid_cell){any_number, at.low}));
    else
        for (size_t k = first, end = summary_position_end(&list, first); k < end; k++)
            vec_push(out, list.data[k]);
    vec_free(&list);
}

/* Positions of pointers first: a constant that overlaps one of them otherwise is any number. Constants count
 * only where all objects have some: a summary says best where that is. */
static reason_kind find_positions(const machine *m, const state *s, const uint32_t *names, size_t count,
                                  spans *out) {
    const memory_object *model = state_object(s, names[0]);
    for (size_t k = 0; k < count; k++) {
        const memory_object *o = state_object(s, names[k]);
        if (o->shape != model->shape || o->count != model->count) return REASON_SUMMARY_SHAPES;
        reason_kind trouble = find_pointers(m, o, out);
        if (trouble) return trouble;
    }
    for (size_t k = 0; k < count && !model->summary; k++)
        if (state_object(s, names[k])->summary) model = state_object(s, names[k]);
    find_constants(model, out);
    return REASON_NONE;
}

reason_kind summary_merge(machine *m, const state *s, const uint32_t *names, size_t count, laid_cells *out) {
    spans positions = {0};
    reason_kind trouble = find_positions(m, s, names, count, &positions);
    for (size_t p = 0; p < positions.size && !trouble; p++)
        for (size_t k = 0; k < count && !trouble; k++) {
            const memory_object *o = state_object(s, names[k]);
            if (o->summary)
                add_of_summary(o, positions.data[p], out);
            else
                trouble = add_of_object(m, o, names[k], positions.data[p], out);
        }
    vec_free(&positions);
    return trouble;
}

/* --- one of several ------------------------------------------------------------------------------------- */

/* Questions that one instruction may ask. */
enum { WHETHER_ALIVE, WHICH_CANDIDATE };

/* The answer is a number that nobody knows. Its name stays the same until the instruction is over: whoever
 * goes another way executes it again, and finds the answer given. */
static const term *answer_to(const run *r, const context *c, uint32_t question) {
    static const uint64_t answers = UINT64_C(5) << 59; /* bits 61 and 59: see fresh_unknown */
    uint64_t number = c->s->threads[c->thread]->unknowns_made;
    uint64_t name = answers | (uint64_t)question << 48 | (uint64_t)c->thread << 32 | number;
    return term_symbol(r->m->terms, 64, name, "one of many", NO_INDEX);
}

static access_result choose(run *r, context *c, uint32_t question, uint64_t count, uint64_t *out) {
    const term *answer = answer_to(r, c, question);
    for (uint64_t k = 0; k + 1 < count; k++)
        switch (run_decide(r, c, term_eq(r->m->terms, answer, term_const(r->m->terms, 64, k)))) {
        case DECIDED_TRUE: *out = k; return ACCESS_DONE;
        case DECIDED_NEITHER: return memory_infeasible(r, c);
        case DECIDED_FALSE: break;
        }
    *out = count - 1;
    return ACCESS_DONE;
}

/* Notes a number on the way; a step that is led gets the one that is noted there. */
static access_result note_number(run *r, context *c, uint32_t question, uint64_t *number) {
    bool led = r->how->follow;
    const term *known = led ? answer_to(r, c, question) : term_const(r->m->terms, 64, *number);
    const term *noted = run_exact_number(r, c, known);
    if (!led) return ACCESS_DONE;
    if (!term_is_const(noted)) return memory_infeasible(r, c);
    *number = noted->value;
    return ACCESS_DONE;
}

access_result summary_ask(run *r, context *c, uint32_t question, uint64_t count, uint64_t *out) {
    c->asked = true;
    *out = 0;
    access_result result = r->how->follow ? ACCESS_DONE : choose(r, c, question, count, out);
    return result == ACCESS_DONE ? note_number(r, c, question, out) : result;
}

/* A step that is led reads what the other one read: how much is known of the summary may differ. */
access_result summary_ask_value(run *r, context *c, uint32_t question, const laid_cell *candidates,
                                size_t count, value *out) {
    uint64_t chosen = 0;
    c->asked = true;
    *out = any_number;
    access_result result = ACCESS_DONE;
    if (count && !r->how->follow) result = choose(r, c, question, count, &chosen);
    if (result != ACCESS_DONE) return result;
    if (count && !r->how->follow) *out = candidates[chosen].v;
    uint64_t base = out->base, number = out->bits ? out->bits->value : 0;
    result = note_number(r, c, question, &base);
    if (result == ACCESS_DONE && base != any_number.base) result = note_number(r, c, question + 1, &number);
    if (result != ACCESS_DONE) return result;
    *out =
        base == any_number.base ? any_number : (value){term_const(r->m->terms, 64, number), (uint32_t)base};
    return ACCESS_DONE;
}

access_result summary_is_alive(run *r, context *c, uint32_t name, bool *alive) {
    uint64_t dead = 0;
    access_result result = ACCESS_DONE;
    if (state_object(c->s, name)->perhaps_freed) result = summary_ask(r, c, WHETHER_ALIVE, 2, &dead);
    *alive = !dead;
    return result;
}

access_result summary_load(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                           unsigned width, value *out) {
    span at = {low, low + (width + 7) / 8};
    laid_cells list = summary_cells(state_object(c->s, name));
    if (holds_pointers_in(&list, at, true)) {
        vec_free(&list);
        return memory_limit(r, c, i, REASON_SUMMARY_TORN_POINTER);
    }
    size_t first = find_position(&list, at);
    size_t count = first == NO_INDEX ? 0 : summary_position_end(&list, first) - first;
    value v;
    access_result result =
        summary_ask_value(r, c, WHICH_CANDIDATE, count ? &list.data[first] : NULL, count, &v);
    vec_free(&list);
    if (result != ACCESS_DONE) return result;
    if (is_any(v))
        *out = (value){fresh_unknown(r->m, c, width, "one of many"), 0};
    else
        *out = (value){term_const(r->m->terms, width, v.bits->value), v.base};
    return ACCESS_DONE;
}

/* Constants that a write may hit in part are any number from now on. */
static void forget_constants(laid_cells *list, span within, bool except_whole) {
    size_t kept = 0;
    for (size_t first = 0, end; first < list->size; first = end) {
        end = summary_position_end(list, first);
        span at = span_at(list, first);
        bool stays = !spans_overlap(at, within) || (except_whole && same_span(at, within));
        for (size_t k = first; k < end && stays; k++) list->data[kept++] = list->data[k];
    }
    list->size = kept;
}

/* v may be there afterwards. Why not, or NULL. */
static reason_kind add_candidate(const run *r, laid_cells *list, span at, value v) {
    if (is_pointer(v) && (value_is_fragment(v) || at.high - at.low != r->m->program->pointer_bits / 8))
        return REASON_SUMMARY_TORN_POINTER;
    if (is_pointer(v) && !term_is_const(v.bits)) return REASON_SUMMARY_OPEN_OFFSET;
    if (holds_pointers_in(list, at, true)) return REASON_SUMMARY_TORN_POINTER;
    forget_constants(list, at, true);
    bool known = find_position(list, at) != NO_INDEX;
    if (!known && !is_pointer(v)) return REASON_NONE; /* it is any number there anyway */
    if (!known) vec_push(list, ((laid_cell){any_number, at.low}));
    if (v.bits && !term_is_const(v.bits)) v = any_number;
    if (v.bits && !v.base) v.bits = term_const(r->m->terms, 8 * (at.high - at.low), v.bits->value);
    vec_push(list, ((laid_cell){v, at.low}));
    return summary_tidy(list);
}

void summary_put_cells(state *s, uint32_t name, const laid_cells *list) {
    state_replace_cells(s, name, 0, state_object(s, name)->cells, list->data, (uint32_t)list->size);
}

access_result summary_store(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                            uint32_t high, value v) {
    laid_cells list = summary_cells(state_object(c->s, name));
    reason_kind trouble = add_candidate(r, &list, (span){low, high}, v);
    if (!trouble) summary_put_cells(c->s, name, &list);
    vec_free(&list);
    if (trouble) return memory_limit(r, c, i, trouble);
    if (is_pointer(v)) summary_note_copy(c->s, v);
    if (is_pointer(v) && state_object(c->s, name)->shared) memory_publish(c->s, v);
    return ACCESS_DONE;
}

access_result summary_overwrite(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                                uint32_t high) {
    laid_cells list = summary_cells(state_object(c->s, name));
    bool torn = holds_pointers_in(&list, (span){low, high}, false);
    forget_constants(&list, (span){low, high}, false);
    if (!torn) summary_put_cells(c->s, name, &list);
    vec_free(&list);
    return torn ? memory_limit(r, c, i, REASON_SUMMARY_TORN_POINTER) : ACCESS_DONE;
}
