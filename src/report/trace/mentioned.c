/* The values of what the text of a violated check speaks of: variables, members, elements, what pointers
 * point to. The text is read as far as it is made of names, `.`, `->`, `[number or variable]` and `*`; the
 * rest is left out. */
#include "report/trace/replay.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_CELLS = 16 }; /* of a larger object nothing is shown: which cells matter is not known */

typedef struct meaning { /* of a part of the text */
    enum { MEANS_NOTHING, MEANS_VALUE, MEANS_MEMORY } kind;
    value v; /* MEANS_VALUE */
    scalar_type type;
    const layout *target;
    uint32_t object; /* MEANS_MEMORY: what is called `path` within the element that begins there */
    uint32_t begin;
    const layout *shape;
    bool is_array; /* all elements */
    text path;
} meaning;

typedef struct reading {
    replay *r;
    const state *s;
    const thread_part *t; /* NULL: nobody's variables */
} reading;

static void add_value(trace *t, char *name, char *shown) {
    bool is_known = !shown;
    for (size_t i = 0; i < t->values.size; i++) is_known |= !strcmp(t->values.data[i].name, name);
    if (!is_known) {
        vec_push(&t->values, ((trace_value){name, shown}));
        return;
    }
    mem_free(name);
    mem_free(shown);
}

/* --- words ---------------------------------------------------------------------------------------------- */

/* Letters of other alphabets are bytes above those of ASCII. */
static bool is_of_identifier(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t identifier_length(const char *c) {
    size_t length = 0;
    while (is_of_identifier(c[length])) length++;
    return isdigit((unsigned char)*c) ? 0 : length;
}

static const char *past_blanks(const char *c) {
    while (*c == ' ' || *c == '\t') c++;
    return c;
}

static bool is_word(const char *name, const char *word, size_t length) {
    return name && strlen(name) == length && !memcmp(name, word, length);
}

/* --- variables ------------------------------------------------------------------------------------------ */

static meaning memory_of(uint32_t object, const memory_object *o, bool is_array) {
    return (meaning){.kind = MEANS_MEMORY, .object = object, .shape = object_layout(o), .is_array = is_array};
}

/* Local variables hide global ones; of several scopes, the innermost is the last register of that name
 * with a value. */
static meaning local_meaning(const reading *x, const char *word, size_t length) {
    const frame *top = top_frame(x->t);
    const function *f = &x->r->p->functions.data[top->function];
    for (size_t i = f->registers.size; i-- > 0;) {
        const register_info *info = &f->registers.data[i];
        value v = values_of(x->t)[top->registers + i];
        if (v.bits && is_word(info->name, word, length))
            return (meaning){.kind = MEANS_VALUE, .v = v, .type = info->type, .target = info->target};
    }
    for (uint32_t i = 0; i < f->locals.size; i++) {
        uint32_t object = frame_local_object(x->r->p, x->t, top, i);
        const memory_object *o = object == NO_INDEX ? NULL : state_object(x->s, object);
        if (o && is_word(f->locals.data[i].name, word, length))
            return memory_of(object, o, f->locals.data[i].is_array);
    }
    return (meaning){0};
}

/* The object that a member function works on, and where it begins there; NULL: none. */
static const memory_object *own_object(const reading *x, uint32_t *name, uint64_t *begin) {
    meaning self = local_meaning(x, "this", 4);
    if (self.kind != MEANS_VALUE) return NULL;
    *name = value_object(self.v);
    *begin = value_number(&x->r->names, self.v.bits);
    return *name == NO_INDEX ? NULL : state_object(x->s, *name);
}

static bool ends_with_member(const char *name, const char *word, size_t length) {
    size_t whole = strlen(name);
    return whole > length && name[whole - length - 1] == '.' && !memcmp(name + whole - length, word, length);
}

/* A member of the object that a member function works on, if only one can be meant. */
static meaning member_meaning(const reading *x, const char *word, size_t length) {
    uint32_t name, found = 0;
    uint64_t begin;
    meaning member = {0};
    const memory_object *o = own_object(x, &name, &begin);
    for (uint32_t k = 0; o && k < cells_of(o); k++) {
        cell_view piece = object_cell_view(o, k);
        const cell_type *cell = piece.low >= begin ? piece_cell(o, &piece) : NULL;
        if (!cell || cell->role > CELL_PRESENT || !ends_with_member(cell->name, word, length)) continue;
        member = (meaning){.kind = MEANS_VALUE, .v = piece.v, .type = cell->type, .target = cell->target};
        found++;
    }
    return found == 1 ? member : (meaning){0};
}

static meaning global_meaning(const reading *x, const char *word, size_t length) {
    for (uint32_t i = 0; i < static_count_of(x->s); i++) {
        const static_object *o = &x->r->p->objects.data[i];
        if (is_word(o->name, word, length)) return memory_of(i, state_object(x->s, i), o->is_array);
    }
    return (meaning){0};
}

static meaning word_meaning(const reading *x, const char *word, size_t length) {
    meaning m = {0};
    if (x->t) m = local_meaning(x, word, length);
    if (!m.kind && x->t) m = member_meaning(x, word, length);
    return m.kind ? m : global_meaning(x, word, length);
}

/* --- from one part to the next -------------------------------------------------------------------------- */

static const cell_type *cell_called(const layout *shape, const char *path) {
    for (uint32_t k = 0; k < shape->cells; k++)
        if (!strcmp(shape->cell[k].name, path)) return &shape->cell[k];
    return NULL;
}

/* What is in a cell at this place; bits NULL: it is cut in another way. */
static cell_view read_cell(const reading *x, uint32_t object, uint32_t begin, const cell_type *cell) {
    const memory_object *o = state_object(x->s, object);
    uint32_t low = begin + cell->offset, high = low + scalar_bytes(cell->type);
    cell_view none = {.v = {NULL, 0}};
    if (!o || high > bytes_of(o)) return none;
    cell_view piece = piece_of_cell(&x->r->names, o, cell, low);
    return piece.low == low && piece.high == high ? piece : none;
}

/* Memory that is one scalar becomes its value. */
static bool become_value(const reading *x, meaning *m) {
    if (m->kind == MEANS_VALUE) return true;
    if (m->kind != MEANS_MEMORY || m->is_array) return false;
    const cell_type *cell = cell_called(m->shape, text_cstr(&m->path));
    cell_view piece = cell ? read_cell(x, m->object, m->begin, cell) : (cell_view){.v = {NULL, 0}};
    text_free(&m->path);
    if (!piece.v.bits) return false;
    *m = (meaning){.kind = MEANS_VALUE, .v = piece.v, .type = cell->type, .target = cell->target};
    return true;
}

/* From a pointer to the element that lies so many behind what it points to. */
static bool follow_pointer(const reading *x, meaning *m, uint64_t elements) {
    if (!become_value(x, m)) return false;
    uint32_t object = value_object(m->v);
    const memory_object *o = object == NO_INDEX ? NULL : state_object(x->s, object);
    const layout *shape = m->target;
    if (!o || freed_of(o) || !shape || !shape->cells) return false;
    uint64_t begin = value_number(&x->r->names, m->v.bits) + elements * shape->stride;
    if (begin >= bytes_of(o)) return false;
    *m = (meaning){.kind = MEANS_MEMORY, .object = object, .begin = (uint32_t)begin, .shape = shape};
    return true;
}

static bool index_into(const reading *x, meaning *m, uint64_t number) {
    if (m->kind == MEANS_MEMORY && m->is_array) {
        m->begin += (uint32_t)number * m->shape->stride;
        m->is_array = false;
        const memory_object *o = state_object(x->s, m->object);
        return o && m->begin < bytes_of(o);
    }
    bool is_pointer = m->kind == MEANS_VALUE || cell_called(m->shape, text_cstr(&m->path));
    if (is_pointer) return follow_pointer(x, m, number);
    text_format(&m->path, "[%llu]", (unsigned long long)number);
    return true;
}

/* The number in brackets, as far as it is one or a variable; behind it. NULL: it is more than that. */
static const char *read_index(const reading *x, const char *c, uint64_t *out) {
    c = past_blanks(c);
    size_t length = identifier_length(c);
    if (length) {
        meaning m = word_meaning(x, c, length);
        if (!become_value(x, &m) || m.v.base) return NULL;
        *out = value_number(&x->r->names, m.v.bits);
        c += length;
    } else {
        char *end;
        if (!isdigit((unsigned char)*c)) return NULL;
        *out = strtoull(c, &end, 0);
        c = end;
    }
    c = past_blanks(c);
    return *c == ']' ? c + 1 : NULL;
}

/* One more part: .x, ->x, [1]. Returns the place behind it; `c` itself: there is none; *good false: it means
 * nothing that is known. */
static const char *take_part(const reading *x, const char *c, meaning *m, bool *good) {
    size_t skip = *c == '.'                    ? 1
                  : c[0] == '-' && c[1] == '>' ? 2
                                               : 0,
           length = skip ? identifier_length(c + skip) : 0;
    uint64_t number;
    const char *behind;
    if (length && c[skip + length] == '(') { /* what is called is no member with a value */
        *good = false;
        return c;
    }
    if (length) {
        if (skip == 2 && !follow_pointer(x, m, 0)) *good = false;
        if (m->kind != MEANS_MEMORY || m->is_array) *good = false;
        if (*good) text_format(&m->path, ".%.*s", (int)length, c + skip);
        return c + skip + length;
    }
    if (*c != '[' || !(behind = read_index(x, c + 1, &number))) return c;
    *good = index_into(x, m, number);
    return behind;
}

/* --- values --------------------------------------------------------------------------------------------- */

static bool is_below(const char *name, const char *path, size_t length) {
    return !strncmp(name, path, length) && (!name[length] || name[length] == '.' || name[length] == '[');
}

static void add_cell(const reading *x, const meaning *m, uint32_t begin, const cell_type *cell, text *name) {
    const memory_object *o = state_object(x->s, m->object);
    cell_view piece = read_cell(x, m->object, begin, cell);
    uint32_t lock_begin;
    if (!piece.v.bits || cell->role == CELL_INNER || object_lock_at(o, piece.low, &lock_begin)) return;
    bool has_value = !(piece.v.bits->width == 8 && piece.high - piece.low > 1);
    if (has_value)
        add_value(x->r->out, mem_copy_string(text_cstr(name)), value_text(x->r, x->s, piece.v, cell->type));
}

static void add_memory(const reading *x, const meaning *m, const char *written, size_t length) {
    const memory_object *o = state_object(x->s, m->object);
    uint64_t elements = m->is_array ? bytes_of(o) / m->shape->stride : 1;
    uint32_t found = 0, path = (uint32_t)m->path.size;
    for (uint32_t k = 0; k < m->shape->cells; k++)
        found += is_below(m->shape->cell[k].name, text_cstr(&m->path), path);
    if (!found || found * elements > MOST_CELLS) return;
    for (uint64_t e = 0; e < elements; e++)
        for (uint32_t k = 0; k < m->shape->cells; k++) {
            const cell_type *cell = &m->shape->cell[k];
            if (!is_below(cell->name, text_cstr(&m->path), path)) continue;
            text name = {0};
            text_format(&name, "%.*s", (int)length, written);
            if (m->is_array) text_format(&name, "[%llu]", (unsigned long long)e);
            text_add(&name, cell->name + path);
            add_cell(x, m, m->begin + (uint32_t)e * m->shape->stride, cell, &name);
            text_free(&name);
        }
}

static void add_meaning(const reading *x, meaning *m, const char *written, size_t length) {
    if (m->kind == MEANS_MEMORY) add_memory(x, m, written, length);
    if (m->kind != MEANS_VALUE) return;
    char *name = mem_zero(length + 1, 1), *shown = value_text(x->r, x->s, m->v, m->type);
    memcpy(name, written, length);
    bool says_itself = !strcmp(name, shown); /* heap memory is called as the pointer to it */
    if (says_itself) {
        mem_free(name);
        mem_free(shown);
    } else {
        add_value(x->r->out, name, shown);
    }
}

/* An expression that begins with this word; returns the place behind what was understood. */
static const char *add_expression(const reading *x, const char *begin, size_t length, bool is_dereferenced) {
    meaning m = word_meaning(x, begin, length);
    const char *c = begin + length;
    bool good = m.kind != MEANS_NOTHING;
    while (good) {
        const char *next = take_part(x, c, &m, &good);
        if (next == c) break;
        if (m.kind == MEANS_VALUE && !good) break;
        c = next;
    }
    if (good) add_meaning(x, &m, begin, (size_t)(c - begin));
    if (good && is_dereferenced && follow_pointer(x, &m, 0)) {
        text written = {0};
        text_format(&written, "*%.*s", (int)(c - begin), begin);
        add_meaning(x, &m, text_cstr(&written), written.size);
        text_free(&written);
    }
    text_free(&m.path);
    return c;
}

void describe_violation(replay *r, const state *s, uint32_t thread) {
    if (thread == MACHINE_KERNEL)
        thread = (uint32_t)r->p->threads.size; /* the slot in which channel updates run */
    reading x = {r, s, NULL};
    if (thread < state_thread_count(s) && frame_count_of(thread_of(s, thread))) x.t = thread_of(s, thread);
    bool is_dereferenced = false;
    for (const char *c = r->violated->text; *c;) {
        size_t length = identifier_length(c), skipped = strspn(c, "0123456789"); /* 0x1f, 3UL: no names */
        while (skipped && is_of_identifier(c[skipped])) skipped++;
        if (length)
            c = add_expression(&x, c, length, is_dereferenced);
        else if (*c == '.' ||
                 (c[0] == '-' && c[1] == '>')) /* a member of something that was not understood */
            c += strspn(c, ".->") + identifier_length(c + strspn(c, ".->"));
        else
            c += skipped ? skipped : 1;
        is_dereferenced = c > r->violated->text && c[-1] == '*';
    }
}
