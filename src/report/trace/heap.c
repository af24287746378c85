#include "report/trace/heap.h"

#include "base/intern.h"
#include "report/trace/value.h"

#include <stdlib.h>

typedef struct heap_object {
    uint32_t object;
    const layout *type; /* NULL: not known */
    unsigned trust;     /* in the type */
    heap_name name;     /* NULL: not decided */
} heap_object;

typedef struct variable_name { /* of pointers that frames have; the same name may be in several functions */
    uint32_t object;           /* NO_INDEX: none so far */
    bool ambiguous;
    unsigned weight; /* how many variables */
} variable_name;

typedef struct pointer_cell { /* of memory, with the object it was set to */
    uint32_t holder, offset, object;
    bool changed; /* it was something else afterwards */
    const char *name;
} pointer_cell;

struct heap_names {
    const program *program;
    terms *terms;
    const valuation *inputs;
    VEC(heap_object) objects; /* in order of appearance */
    map numbers;              /* object -> its index there */
    intern texts;
    VEC(variable_name) variables; /* by number of the text */
    map seen;                     /* variables of functions: function << 32 | register or local */
    VEC(pointer_cell) cells;
    map cell_numbers; /* holder << 32 | offset -> index of `cells` */
    map type_counts;  /* number of the text of a type's name -> objects called after it */
    size_t unnamed;
};

enum { MOST_LOOKED_AT = 1 << 12, LONGEST_NAME = 48 };

heap_names *heap_names_create(const program *p, terms *c, const valuation *inputs) {
    heap_names *h = mem_zero(1, sizeof *h);
    h->program = p;
    h->terms = c;
    h->inputs = inputs;
    return h;
}

void heap_names_destroy(heap_names *h) {
    if (!h) return;
    vec_free(&h->objects);
    map_free(&h->numbers);
    intern_free(&h->texts);
    vec_free(&h->variables);
    map_free(&h->seen);
    vec_free(&h->cells);
    map_free(&h->cell_numbers);
    map_free(&h->type_counts);
    mem_free(h);
}

static heap_object *object_of(heap_names *h, uint32_t object) {
    uint64_t known = map_get(&h->numbers, object);
    if (known != MAP_NONE) return &h->objects.data[known];
    map_put(&h->numbers, object, h->objects.size);
    vec_push(&h->objects, ((heap_object){.object = object}));
    return &vec_last(&h->objects);
}

/* --- types ---------------------------------------------------------------------------------------------- */

/* How much a declared type says of memory with so many bytes; 0: nothing. A structure of the very size says
 * most, and characters may be a way to look at bytes. */
static unsigned trust_in(const layout *type, uint64_t bytes) {
    if (!type || !type->stride || !type->cells || bytes < type->stride) return 0;
    bool is_structure = type->cells > 1 || *type->cell[0].name, fits = bytes % type->stride == 0;
    if (is_structure) return bytes == type->stride ? 5 : fits ? 4 : 2;
    if (!fits) return 0;
    return type->stride > 1 ? 3 : 1;
}

static void learn_type(heap_object *known, const memory_object *o, const layout *type) {
    enum { MADE_AS = 6 }; /* operator new says so */
    if (described_of(o) && !known->type) {
        known->type = described_of(o);
        known->trust = MADE_AS;
    }
    unsigned trust = trust_in(type, bytes_of(o));
    if (trust <= known->trust) return;
    known->type = type;
    known->trust = trust;
}

/* The heap object that a pointer means, at its beginning; NO_INDEX: none. */
static uint32_t pointed_at(heap_names *h, const state *s, value v, const memory_object **out) {
    if (!v.bits || !v.base || value_is_fragment(v)) return NO_INDEX;
    uint32_t object = value_object(v);
    if (object == NO_INDEX || object < static_count_of(s)) return NO_INDEX;
    const memory_object *o = state_object(s, object);
    if (!o || !heap_of(o)) return NO_INDEX;
    uint64_t offset = term_is_const(v.bits) ? v.bits->value : term_evaluate(h->terms, v.bits, h->inputs);
    *out = o;
    return offset ? NO_INDEX : object;
}

/* --- variables of frames -------------------------------------------------------------------------------- */

/* How a class of the C++ library keeps what it holds says nothing: a vector is called as its elements are.
 * NULL: no name for what is held. */
static const char *name_for_user(heap_names *h, const char *name) {
    static const char *const held[] = {"_M_start", "_M_ptr", "_M_p", "_M_head_impl"};
    const char *inside = strstr(name, "._M_"), *last = strrchr(name, '.');
    if (!inside) return strstr(name, ".__") ? NULL : name;
    for (size_t k = 0; k < sizeof held / sizeof *held; k++)
        if (!strcmp(last + 1, held[k]))
            return intern_text(&h->texts, intern_bytes(&h->texts, name, (size_t)(inside - name)));
    return NULL;
}

static void note_variable(heap_names *h, const char *given, uint64_t key, uint32_t object) {
    const char *name = name_for_user(h, given);
    if (!name || !strcmp(name, "this")) return;
    uint32_t text = intern_string(&h->texts, name);
    while (h->variables.size <= text) vec_push(&h->variables, ((variable_name){.object = NO_INDEX}));
    variable_name *v = &h->variables.data[text];
    v->ambiguous |= v->object != NO_INDEX && v->object != object;
    v->object = object;
    if (map_get(&h->seen, key) != MAP_NONE) return;
    map_put(&h->seen, key, 1);
    v->weight++;
}

static void learn_local(heap_names *h, const state *s, const local_object *local, const memory_object *o,
                        uint64_t key) {
    for (uint32_t k = 0; k < cells_of(o) && k < MOST_LOOKED_AT; k++) {
        cell_view piece = object_cell_view(o, k);
        const memory_object *there;
        uint32_t object = pointed_at(h, s, piece.v, &there);
        const cell_type *cell = object == NO_INDEX ? NULL : piece_cell(o, &piece);
        if (!cell || !cell->target) continue;
        text name = {0};
        piece_name_print(&(object_label){.name = local->name, .is_array = local->is_array}, o, &piece, &name);
        learn_type(object_of(h, object), there, cell->target);
        note_variable(h, text_cstr(&name), key | (uint64_t)piece.low << 16, object);
        text_free(&name);
    }
}

static void learn_frame(heap_names *h, const state *s, const thread_part *t, const frame *f) {
    const function *in = &h->program->functions.data[f->function];
    uint64_t key = (uint64_t)f->function << 40;
    if (in->hidden) return;
    for (uint32_t r = 0; r < in->registers.size; r++) {
        const register_info *info = &in->registers.data[r];
        const memory_object *there;
        if (!info->name || !info->target) continue;
        uint32_t object = pointed_at(h, s, values_of(t)[f->registers + r], &there);
        if (object == NO_INDEX) continue;
        learn_type(object_of(h, object), there, info->target);
        note_variable(h, info->name, key | r << 1, object);
    }
    for (uint32_t l = 0; l < in->locals.size; l++) {
        uint32_t object = frame_local_object(h->program, t, f, l);
        const memory_object *o = object == NO_INDEX ? NULL : state_object(s, object);
        if (o && in->locals.data[l].name) learn_local(h, s, &in->locals.data[l], o, key | l << 1 | 1);
    }
}

/* --- pointers in memory --------------------------------------------------------------------------------- */

static void note_cell(heap_names *h, uint32_t holder, uint32_t offset, uint32_t object, const char *name) {
    uint64_t key = (uint64_t)holder << 32 | offset, known = map_get(&h->cell_numbers, key);
    if (known != MAP_NONE) {
        pointer_cell *c = &h->cells.data[known];
        c->changed |= c->object != object;
        return;
    }
    if (object == NO_INDEX) return;
    map_put(&h->cell_numbers, key, h->cells.size);
    vec_push(&h->cells, ((pointer_cell){holder, offset, object, false, name}));
}

static void learn_memory(heap_names *h, const state *s, uint32_t holder, const memory_object *o) {
    for (uint32_t k = 0; k < cells_of(o) && k < MOST_LOOKED_AT; k++) {
        cell_view piece = object_cell_view(o, k);
        const memory_object *there;
        const cell_type *cell = piece_cell(o, &piece);
        if (!cell || !cell->target) continue;
        uint32_t object = pointed_at(h, s, piece.v, &there);
        if (object != NO_INDEX) learn_type(object_of(h, object), there, cell->target);
        text name = {0};
        object_label none = {
            .name = "", .is_array = holder < static_count_of(s) && h->program->objects.data[holder].is_array};
        if (object != NO_INDEX) piece_name_print(&none, o, &piece, &name);
        uint32_t kept = intern_string(&h->texts, text_cstr(&name));
        note_cell(h, holder, piece.low, object, intern_text(&h->texts, kept));
        text_free(&name);
    }
}

static void learn_heap(heap_names *h, const state *before, const state *s, bool *learned) {
    for (uint32_t i = 0; i < dynamic_count_of(s); i++) {
        const memory_object *o = dynamic_of(s, i).object;
        if (!heap_of(o)) continue;
        heap_object *known = object_of(h, dynamic_of(s, i).name);
        learn_type(known, o, NULL);
        bool is_new = described_of(o) != known->type;
        if (is_new) {
            object_describe(s, dynamic_of(s, i).name, known->type);
            *learned = true;
        }
        const memory_object *old = before ? state_object(before, dynamic_of(s, i).name) : NULL;
        if (described_of(o) && (is_new || old != o)) learn_memory(h, s, dynamic_of(s, i).name, o);
    }
}

void heap_names_learn(heap_names *h, const state *before, const state *s) {
    for (uint32_t i = 0; i < dynamic_count_of(s); i++) /* they are numbered as they were made */
        if (heap_of(dynamic_of(s, i).object)) object_of(h, dynamic_of(s, i).name);
    for (uint32_t t = 0; t < state_thread_count(s); t++) {
        const thread_part *now = thread_of(s, t);
        if (before && t < state_thread_count(before) && thread_of(before, t) == now) continue;
        for (uint32_t k = 0; k < frame_count_of(now); k++) learn_frame(h, s, now, &frames_of(now)[k]);
    }
    for (uint32_t i = 0; i < static_count_of(s); i++)
        if (!before || state_object(before, i) != state_object(s, i))
            learn_memory(h, s, i, state_object(s, i));
    bool learned = true; /* what is known of one object may tell what others are */
    for (unsigned round = 0; learned && round < MOST_LOOKED_AT; round++) {
        learned = false;
        learn_heap(h, before, s, &learned);
    }
}

void heap_names_describe(const heap_names *h, state *s) {
    for (uint32_t i = 0; i < dynamic_count_of(s); i++) {
        const memory_object *o = dynamic_of(s, i).object;
        uint64_t known = heap_of(o) ? map_get(&h->numbers, dynamic_of(s, i).name) : MAP_NONE;
        if (known != MAP_NONE) object_describe(s, dynamic_of(s, i).name, h->objects.data[known].type);
    }
}

/* --- names ---------------------------------------------------------------------------------------------- */

static void call_it(heap_names *h, uint32_t object, const char *name, bool is_pointer) {
    heap_object *o = object_of(h, object);
    if (o->name.name || strlen(name) > LONGEST_NAME) return;
    o->name = (heap_name){intern_text(&h->texts, intern_string(&h->texts, name)), is_pointer};
}

static void name_by_statics(heap_names *h) {
    for (size_t i = 0; i < h->cells.size; i++) {
        const pointer_cell *c = &h->cells.data[i];
        if (c->changed || c->holder >= h->program->objects.size) continue;
        const static_object *o = &h->program->objects.data[c->holder];
        text whole = {0};
        text_format(&whole, "%s%s", o->name, c->name);
        const char *name = name_for_user(h, text_cstr(&whole));
        if (o->at.line && name) call_it(h, c->object, name, true);
        text_free(&whole);
    }
}

static bool is_static_name(const program *p, const char *name) {
    for (size_t i = 0; i < p->objects.size; i++)
        if (!strcmp(p->objects.data[i].name, name)) return true;
    return false;
}

static void name_by_variables(heap_names *h) {
    for (size_t o = 0; o < h->objects.size; o++) {
        uint32_t best = NO_INDEX;
        if (h->objects.data[o].name.name) continue;
        for (uint32_t v = 0; v < h->variables.size; v++) {
            const variable_name *n = &h->variables.data[v];
            if (n->ambiguous || n->object != h->objects.data[o].object) continue;
            bool is_better = best == NO_INDEX || n->weight > h->variables.data[best].weight;
            if (is_better && !is_static_name(h->program, intern_text(&h->texts, v))) best = v;
        }
        if (best != NO_INDEX) call_it(h, h->objects.data[o].object, intern_text(&h->texts, best), true);
    }
}

/* Members of what has a name. */
static bool name_by_members(heap_names *h) {
    bool some = false;
    for (size_t i = 0; i < h->cells.size; i++) {
        const pointer_cell *c = &h->cells.data[i];
        if (c->changed || c->holder < h->program->objects.size) continue;
        heap_name holder = object_of(h, c->holder)->name;
        if (!holder.name || !holder.is_pointer || object_of(h, c->object)->name.name ||
            c->holder == c->object)
            continue;
        bool is_member = *c->name == '.';
        text whole = {0};
        text_format(&whole, "%s%s%s", holder.name, is_member ? "->" : "", c->name + is_member);
        const char *name = name_for_user(h, text_cstr(&whole));
        if (name) call_it(h, c->object, name, true);
        some |= object_of(h, c->object)->name.name != NULL;
        text_free(&whole);
    }
    return some;
}

static void name_by_type(heap_names *h, heap_object *o) {
    bool is_structure = o->type && o->type->type && (o->type->cells != 1 || *o->type->cell[0].name);
    text name = {0};
    if (is_structure) {
        uint32_t type = intern_string(&h->texts, o->type->type);
        uint64_t before = map_get(&h->type_counts, type), number = before == MAP_NONE ? 1 : before + 1;
        map_put(&h->type_counts, type, number);
        text_format(&name, "%s#%llu", o->type->type, (unsigned long long)number);
    } else {
        text_format(&name, "new%zu", ++h->unnamed);
    }
    o->name = (heap_name){intern_text(&h->texts, intern_string(&h->texts, text_cstr(&name))), false};
    text_free(&name);
}

void heap_names_decide(heap_names *h) {
    name_by_statics(h);
    name_by_variables(h);
    while (name_by_members(h)) {
    }
    for (size_t o = 0; o < h->objects.size; o++)
        if (!h->objects.data[o].name.name) name_by_type(h, &h->objects.data[o]);
}

heap_name heap_name_of(heap_names *h, uint32_t object) {
    heap_object *o = object_of(h, object);
    if (!o->name.name) name_by_type(h, o);
    return o->name;
}
