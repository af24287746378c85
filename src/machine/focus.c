/* One of many objects becomes an object of its own, when a pointer to it is read: what is read or written
 * there from now on is about the same object each time.
 *
 * Nobody knows which one it is, so it may hold whatever one of them holds, each case being a path of its own;
 * and every other pointer into the summary may be to it, or to another one; unless it is known that no two
 * cells of memory point to the same one: then it is registers alone that may. It is given up where there are
 * too many cases: the pointer stays one into the summary, which is as right.
 *
 * It is part of the machine because it happens in the middle of a load, and its cases are paths
 * of the step. */
#include "machine/internal.h"

enum { MOST_OTHERS = 4, MOST_CASES = 256, FIRST_QUESTION = 8 };

typedef struct holder {     /* of a pointer into the summary */
    uint32_t thread;        /* NO_INDEX: a cell */
    uint32_t object, index; /* of the cell; or of the value, the result coming last */
} holder;

typedef struct focus {
    run *r;
    context *c;
    uint32_t summary, fresh; /* names */
    bool single;
    VEC(holder) others;
    bool hidden;      /* bytes of such a pointer are somewhere */
    laid_cells cells; /* what one of many may hold, from now on */
} focus;

/* --- who else points there ------------------------------------------------------------------------------ */

static void look_at(focus *f, value v, holder at) {
    if (value_object(v) != f->summary) return;
    f->hidden |= value_is_fragment(v);
    vec_push(&f->others, at);
}

static void look_at_object(focus *f, uint32_t name, uint32_t except_cell) {
    const memory_object *o = state_object(f->c->s, name);
    for (uint32_t k = 0; k < o->cells && !o->summary; k++)
        if (k != except_cell) look_at(f, o->cell[k], (holder){NO_INDEX, name, k});
}

static void find_others(focus *f, uint32_t name, uint32_t except_cell) {
    const state *s = f->c->s;
    for (uint32_t i = 0; i < s->static_count && !f->single; i++)
        look_at_object(f, i, i == name ? except_cell : NO_INDEX);
    for (uint32_t i = 0; i < s->dynamic_count && !f->single; i++)
        look_at_object(f, s->dynamic[i].name, s->dynamic[i].name == name ? except_cell : NO_INDEX);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        const thread_part *part = s->threads[t];
        for (uint32_t k = 0; k < part->value_count; k++) look_at(f, part->values[k], (holder){t, 0, k});
        look_at(f, part->result, (holder){t, 0, part->value_count});
    }
}

/* --- what it may hold ----------------------------------------------------------------------------------- */

/* Objects of the summaries may point to the one that is told apart now. NULL, or why there are too many. */
static reason_kind add_pointers_to_it(laid_cells *cells, uint32_t summary, uint32_t fresh) {
    for (size_t k = 0, count = cells->size; k < count; k++) {
        laid_cell also = cells->data[k];
        if (value_object(also.v) != summary) continue;
        also.v.base = fresh + 1;
        vec_push(cells, also);
    }
    return summary_tidy(cells);
}

static uint64_t count_cases(const focus *f) {
    uint64_t cases = UINT64_C(1) << f->others.size;
    for (size_t k = 0, end; k < f->cells.size && cases <= MOST_CASES; k = end) {
        end = summary_position_end(&f->cells, k);
        cases *= end - k;
    }
    return cases;
}

/* --- what is changed ------------------------------------------------------------------------------------ */

static void point_to_it(focus *f, holder at) {
    if (at.thread == NO_INDEX) {
        state_own_object(f->c->s, at.object)->cell[at.index].base = f->fresh + 1;
        return;
    }
    thread_part *t = state_own_thread(f->c->s, at.thread);
    value *v = at.index < t->value_count ? &t->values[at.index] : &t->result;
    v->base = f->fresh + 1;
}

/* Whatever has no position is unset there: some number, which shows when it is read. */
static void make_object(focus *f, const laid_cells *content) {
    state *s = f->c->s;
    memory_object like = *state_object(s, f->summary);
    memory_object *o = state_add_blank_object(s, f->fresh, like.shape, like.count);
    o->heap = like.heap;
    o->shared = like.shared;
    o->site = like.site;
    o->single = like.single;
    o->owner = like.owner;
    o->made_in = like.made_in;
    o->made_at = like.made_at;
    o->described = like.described;
    o->taken_from = f->summary + 1;
    for (size_t k = 0; k < content->size; k++) {
        laid_cell cell = content->data[k];
        cells_write(f->r->m, s, f->fresh, cell.start, cell.v.bits->width, cell.v);
    }
    state_own_thread(s, f->c->thread)->objects_made++;
}

static void change_summaries(focus *f) {
    state *s = f->c->s;
    for (uint32_t i = 0; i < s->dynamic_count && !f->single; i++) {
        if (!s->dynamic[i].object->summary) continue;
        laid_cells cells = summary_cells(s->dynamic[i].object);
        add_pointers_to_it(&cells, f->summary, f->fresh);
        summary_put_cells(s, s->dynamic[i].name, &cells);
        vec_free(&cells);
    }
}

/* --- the whole ------------------------------------------------------------------------------------------ */

/* Asks first and changes afterwards. */
static access_result ask_everything(focus *f, bool *points_to_it, laid_cells *content) {
    uint32_t question = FIRST_QUESTION;
    access_result result = ACCESS_DONE;
    for (size_t k = 0; k < f->others.size && result == ACCESS_DONE; k++) {
        uint64_t answer = 0;
        result = summary_ask(f->r, f->c, question++, 2, &answer);
        points_to_it[k] = answer;
    }
    for (size_t k = 0, end; k < f->cells.size && result == ACCESS_DONE; k = end, question += 2) {
        end = summary_position_end(&f->cells, k);
        laid_cell chosen = {.start = f->cells.data[k].start};
        unsigned width = f->cells.data[k].v.bits->width;
        result = summary_ask_value(f->r, f->c, question, &f->cells.data[k], end - k, &chosen.v);
        if (!chosen.v.bits) continue;
        chosen.v.bits = term_const(f->r->m->terms, width, chosen.v.bits->value);
        vec_push(content, chosen);
    }
    return result;
}

static bool is_too_much(focus *f) {
    const state *s = f->c->s;
    /* Questions have numbers below 2048, see answer_to. */
    bool too_much = f->hidden || f->others.size > MOST_OTHERS || f->cells.size > MOST_CASES ||
                    count_cases(f) > MOST_CASES;
    for (uint32_t i = 0; i < s->dynamic_count && !too_much && !f->single; i++) {
        if (!s->dynamic[i].object->summary) continue;
        laid_cells cells = summary_cells(s->dynamic[i].object);
        too_much = add_pointers_to_it(&cells, f->summary, f->fresh) != REASON_NONE;
        vec_free(&cells);
    }
    return too_much;
}

static access_result tell_apart(focus *f, uint32_t name, uint32_t cell, value *v) {
    bool points_to_it[MOST_OTHERS] = {false};
    laid_cells content = {0};
    access_result result = ask_everything(f, points_to_it, &content);
    if (result == ACCESS_DONE) {
        make_object(f, &content);
        change_summaries(f);
        point_to_it(f, (holder){NO_INDEX, name, cell});
        for (size_t k = 0; k < f->others.size; k++)
            if (points_to_it[k]) point_to_it(f, f->others.data[k]);
        v->base = f->fresh + 1;
    }
    vec_free(&content);
    return result;
}

access_result summary_focus(run *r, context *c, uint32_t name, uint32_t low, value *v) {
    uint32_t target = value_object(*v);
    const memory_object *o = target == NO_INDEX ? NULL : state_object(c->s, target);
    if (!o || !o->summary || o->perhaps_freed || !object_bytes(o) || value_is_fragment(*v))
        return ACCESS_DONE;
    cell_view from = object_view(state_object(c->s, name), low);
    if (from.low != low || !value_equal(from.v, *v)) return ACCESS_DONE; /* put together from bytes */
    uint32_t fresh = memory_dynamic_name(r->m, c->thread, c->s->threads[c->thread]->objects_made, o->heap);
    focus f = {
        .r = r, .c = c, .summary = target, .fresh = fresh, .single = o->single, .cells = summary_cells(o)};
    find_others(&f, name, from.cell);
    bool too_much = (!f.single && add_pointers_to_it(&f.cells, target, fresh)) || is_too_much(&f);
    access_result result = too_much ? ACCESS_DONE : tell_apart(&f, name, from.cell, v);
    vec_free(&f.others);
    vec_free(&f.cells);
    return result;
}
