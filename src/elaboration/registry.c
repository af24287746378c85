/* Processes, channel updates and events as the headers have listed them: see
 * include/systemc/sysc/intrinsics.h for the records. */
#include "elaboration/internal.h"

#include <stdio.h>
#include <string.h>

/* Offsets of what the records have in them, pointers being of 8 bytes or 4. */
typedef struct offsets {
    uint32_t pointer;
    uint32_t next, name, number; /* of a record */
    uint32_t sensitivity, order, resets, count, dont_initialize, is_method, is_spare,
        reset_count; /* of a process */
    uint32_t list;   /* bytes of a list in the registry */
} offsets;

static offsets offsets_of(const program *p) {
    uint32_t w = p->pointer_bits / 8;
    uint32_t process = w == 8 ? 24 : 12; /* where the derived part begins: tail padding may be used */
    offsets o = {.pointer = w, .next = 0, .name = w, .number = 2 * w, .list = w == 8 ? 24 : 12};
    o.sensitivity = process;
    o.order = process + w;
    o.resets = process + 2 * w;
    o.count = process + 3 * w;
    o.dont_initialize = process + 3 * w + 4;
    o.is_method = process + 3 * w + 8;
    o.is_spare = process + 3 * w + 12;
    o.reset_count = process + 3 * w + 16;
    return o;
}

typedef struct reader {
    freezing *f;
    offsets at;
    bool good;
} reader;

static value peek(reader *r, value base, uint32_t offset, unsigned width) {
    uint32_t object = value_object(base);
    if (object == NO_INDEX || !term_is_const(base.bits)) return (value){NULL, 0};
    return memory_peek(r->f->m, r->f->s, object, base.bits->value + offset, width);
}

static uint32_t number_at(reader *r, value base, uint32_t offset) {
    value v = peek(r, base, offset, 32);
    if (!v.bits || v.base || !term_is_const(v.bits)) {
        r->good = false;
        return 0;
    }
    return (uint32_t)v.bits->value;
}

static value pointer_at(reader *r, value base, uint32_t offset) {
    return peek(r, base, offset, r->at.pointer * 8);
}

static const char *text_at(reader *r, value from, const char *otherwise) {
    text out = {0};
    for (uint32_t k = 0; k < 4096; k++) {
        value v = peek(r, from, k, 8);
        if (!v.bits || v.base || !term_is_const(v.bits) || !v.bits->value) break;
        text_char(&out, (char)v.bits->value);
    }
    const char *kept = program_copy_text(r->f->p, out.size ? text_cstr(&out) : otherwise);
    text_free(&out);
    return kept;
}

/* --- functions ------------------------------------------------------------------------------------------ */

/* A function without parameters that calls `callee` with the record. */
static uint32_t function_for(reader *r, value record, uint32_t callee, const char *name, function_role role) {
    program *p = r->f->p;
    operand argument;
    if (callee == NO_INDEX || !freeze_operand(r->f, record, &argument)) {
        r->good = false;
        return 0;
    }
    position at = p->functions.data[callee].at;
    uint32_t f = program_add_function(p, name, role, at);
    p->functions.data[f].hidden = true;
    p->functions.data[f].file = p->functions.data[callee].file;
    function_add_block(p, f);
    const operand *args = program_copy_operands(p, &argument, 1);
    instruction *call = function_emit(p, f, 0, INSTR_CALL, at);
    call->callee = callee;
    call->args = args;
    call->arg_count = 1;
    function_emit(p, f, 0, INSTR_RETURN, at);
    return f;
}

static value record_in(reader *r, value previous, uint32_t list, bool first) {
    value registry = {term_const(r->f->c, r->f->p->pointer_bits, 0), r->f->p->elaboration.registry + 1};
    return first ? pointer_at(r, registry, list * r->at.list) : pointer_at(r, previous, r->at.next);
}

static uint32_t count_in(reader *r, uint32_t list) {
    value registry = {term_const(r->f->c, r->f->p->pointer_bits, 0), r->f->p->elaboration.registry + 1};
    return number_at(r, registry, list * r->at.list + 2 * r->at.pointer);
}

enum { PROCESSES, UPDATES, EVENTS, NAMED };

static const process_reset *resets_of(reader *r, value record, uint32_t count) {
    process_reset *out = arena_alloc(&r->f->p->memory, (count + 1) * sizeof *out);
    value list = pointer_at(r, record, r->at.resets);
    for (uint32_t k = 0; k < count && r->good; k++)
        out[k] = (process_reset){number_at(r, list, 8 * k), number_at(r, list, 8 * k + 4)};
    return out;
}

static void add_process(reader *r, value record) {
    program *p = r->f->p;
    const char *name = text_at(r, pointer_at(r, record, r->at.name), "process");
    uint32_t count = number_at(r, record, r->at.count);
    uint32_t *events = arena_alloc(&p->memory, (count + 1) * sizeof *events);
    uint32_t *order = arena_alloc(&p->memory, (count + 1) * sizeof *order);
    value list = pointer_at(r, record, r->at.sensitivity), order_list = pointer_at(r, record, r->at.order);
    for (uint32_t k = 0; k < count && r->good; k++) {
        events[k] = number_at(r, list, 4 * k);
        order[k] = number_at(r, order_list, 4 * k);
    }
    uint32_t reset_count = number_at(r, record, r->at.reset_count);
    const process_reset *resets = resets_of(r, record, reset_count);
    uint32_t f = function_for(r, record, p->elaboration.run_process, name, FUNCTION_THREAD);
    if (!r->good) return;
    thread_info made = {.name = name,
                        .function = f,
                        .at = p->functions.data[f].at,
                        .sensitivity = events,
                        .sensitivity_order = order,
                        .sensitivity_count = count,
                        .resets = resets,
                        .reset_count = reset_count,
                        .dont_initialize = number_at(r, record, r->at.dont_initialize),
                        .is_method = number_at(r, record, r->at.is_method),
                        .is_spare = number_at(r, record, r->at.is_spare)};
    vec_push(&p->threads, made);
}

static void add_update(reader *r, value record) {
    program *p = r->f->p;
    const char *name = text_at(r, pointer_at(r, record, r->at.name), "channel");
    uint32_t f = function_for(r, record, p->elaboration.run_update, name, FUNCTION_UPDATE);
    if (r->good) vec_push(&p->updates, ((update_info){name, f, p->functions.data[f].at}));
}

/* The object of the new program that a record is part of; NULL: none. */
static static_object *frozen_object(reader *r, value record) {
    operand frozen;
    if (!freeze_operand(r->f, record, &frozen) || frozen.kind != OPERAND_OBJECT) return NULL;
    return &r->f->p->objects.data[frozen.index];
}

/* Processes are objects on their own, of which the design sees nothing. */
static void hide_process(reader *r, value record) {
    static_object *o = frozen_object(r, record);
    if (o && o->heap) o->is_inner = true;
}

/* Whether the headers made up the name: prefix.event_NUMBER. */
static bool is_numbered(const char *name, size_t number) {
    char made[32];
    snprintf(made, sizeof made, "event_%zu", number);
    size_t length = strlen(name), end = strlen(made);
    return length >= end && !strcmp(name + length - end, made) &&
           (length == end || name[length - end - 1] == '.');
}

/* The outermost part of an element of an array that the design has given a name; NULL: none. */
static const char *element_name(reader *r, value record, uint64_t begin, uint64_t end) {
    uint32_t left = count_in(r, NAMED);
    value part = record_in(r, (value){NULL, 0}, NAMED, true), found = {NULL, 0};
    for (; r->good && left && value_object(part) != NO_INDEX && term_is_const(part.bits); left--) {
        bool is_inside =
            value_object(part) == value_object(record) && part.bits->value >= begin && part.bits->value < end;
        if (is_inside && (!found.bits || part.bits->value < found.bits->value)) found = part;
        part = record_in(r, part, NAMED, false);
    }
    return found.bits ? text_at(r, pointer_at(r, found, r->at.name), "element") : NULL;
}

/* What the design calls the event at this place of an object, without the object; false: there is none. It
 * begins with its record, and that with a pointer to the next one. */
static bool print_member(const layout *shape, uint64_t offset, text *out) {
    static const char first_cell[] = ".next";
    for (uint32_t k = 0; k < shape->cells; k++) {
        const char *name = shape->cell[k].name;
        size_t length = strlen(name), end = sizeof first_cell - 1;
        bool is_first = length >= end && !strcmp(name + length - end, first_cell);
        if (shape->cell[k].offset != offset || !is_first) continue;
        text_add_bytes(out, name, length - end);
        return true;
    }
    return false;
}

/* The event as the member that it is, as in "fifo.data_written_event"; NULL: not known. */
static const char *member_name(reader *r, value record) {
    const static_object *o = frozen_object(r, record);
    if (!o) return NULL;
    text whole = {0}, member = {0};
    const layout *shape = o->described ? o->described : o->shape;
    uint64_t offset = record.bits->value, element = offset / shape->stride;
    bool is_array = shape->stride != (uint64_t)o->shape->stride * o->count;
    bool is_known = print_member(shape, offset % shape->stride, &member);
    if (o->is_inner) {
        text_format(&whole, "%s.terminated_event", o->name);
    } else if (is_known && (member.size || is_array)) {
        const char *own =
            is_array ? element_name(r, record, element * shape->stride, (element + 1) * shape->stride) : NULL;
        text_add(&whole, own ? own : o->name);
        if (is_array && !own) text_format(&whole, "[%llu]", (unsigned long long)element);
        text_add_bytes(&whole, text_cstr(&member), member.size);
    }
    const char *kept = whole.size ? program_copy_text(r->f->p, text_cstr(&whole)) : NULL;
    text_free(&whole);
    text_free(&member);
    return kept;
}

static void add_event(reader *r, value record) {
    program *p = r->f->p;
    const char *name = text_at(r, pointer_at(r, record, r->at.name), "event");
    const char *member = is_numbered(name, p->events.size) ? member_name(r, record) : NULL;
    vec_push(&p->events, ((event_info){member ? member : name, {0, 0}}));
}

/* Records come in the order of their numbers. Some at the end may have none. */
static void read_list(reader *r, uint32_t list, uint32_t first_number, void (*add)(reader *r, value record)) {
    uint32_t count = count_in(r, list), seen = 0;
    value record = record_in(r, (value){NULL, 0}, list, true);
    for (; record.base && r->good && seen < count; seen++) {
        if (number_at(r, record, r->at.number) != first_number + seen) r->good = false;
        if (r->good) add(r, record);
        record = record_in(r, record, list, false);
    }
    if (record.base || !record.bits) r->good = false;
    if (list != EVENTS) {
        r->good &= seen == count;
        return;
    }
    for (; seen < count && r->good; seen++) vec_push(&r->f->p->events, ((event_info){"event", {0, 0}}));
}

static void note_name(reader *r, value record) {
    freezing *f = r->f;
    uint32_t object = value_object(record);
    uint64_t offset = record.bits->value, before = map_get(&f->labels, object);
    if (before != MAP_NONE && before >> 32 < offset) return;
    vec_push(&f->names, text_at(r, pointer_at(r, record, r->at.name), "object"));
    map_put(&f->labels, object, offset << 32 | (f->names.size - 1));
}

void find_names(freezing *f) {
    reader r = {f, offsets_of(f->p), true};
    uint32_t left = count_in(&r, NAMED);
    value record = record_in(&r, (value){NULL, 0}, NAMED, true);
    for (; r.good && left && value_object(record) != NO_INDEX && term_is_const(record.bits); left--) {
        note_name(&r, record);
        record = record_in(&r, record, NAMED, false);
    }
}

bool freeze_registry(freezing *f) {
    reader r = {f, offsets_of(f->p), true};
    read_list(&r, PROCESSES, 1, hide_process);
    read_list(&r, EVENTS, 0, add_event);
    read_list(&r, UPDATES, 0, add_update);
    read_list(&r, PROCESSES, 1, add_process);
    return r.good;
}
