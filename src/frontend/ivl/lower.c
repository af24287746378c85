/* The whole file: parameters, types, objects, events, functions, threads, updates, main. */
#include "frontend/ivl/lower.h"

#include "frontend/ivl/lexer.h"
#include "transform/tidy.h"

/* Every declaration of one kind, also those that stand in a group. */
#define for_each_declaration(l, d, wanted)                                                                   \
    for (ast *top_ = (l)->file->declarations; top_; top_ = top_->next)                                       \
        for (ast *d = top_->kind == AST_GROUP ? top_->list : top_; d;                                        \
             d = top_->kind == AST_GROUP ? d->next : NULL)                                                   \
            if (d->kind == (wanted))

/* --- parameters ----------------------------------------------------------------------------------------- */

static const ivl_setting *setting_of(const char *name, const ivl_setting *settings, size_t count) {
    while (count--)
        if (!strcmp(settings[count].name, name)) return &settings[count];
    return NULL;
}

static void lower_params(lowering *l, const ivl_setting *settings, size_t count) {
    for_each_declaration(l, d, AST_PARAM) {
        int64_t value = 0;
        elaborate_constant(l, d->a, "parameter", INT32_MIN, INT32_MAX, &value);
        const ivl_setting *given = setting_of(d->symbol->name, settings, count);
        if (given) value = given->value;
        if (given && (value < INT32_MIN || value > INT32_MAX))
            lower_error(l, (position){0, 0}, "value of parameter '%s' does not fit an int", given->name);
        d->symbol->is_known = true;
        d->symbol->type = &type_int;
        d->symbol->value = (uint32_t)value;
    }
}

static void check_settings(lowering *l, const ivl_setting *settings, size_t count) {
    for (size_t k = 0; k < count; k++) {
        bool known = false;
        for_each_declaration(l, d, AST_PARAM) known |= !strcmp(d->symbol->name, settings[k].name);
        if (!known)
            lower_error(l, (position){0, 0}, "there is no parameter '%s' to be set", settings[k].name);
    }
}

/* --- structs -------------------------------------------------------------------------------------------- */

static const char *name_of_field(const void *file, uint32_t name) {
    return intern_text(&((const ast_file *)file)->names, name);
}

static void introduce_structs(lowering *l) {
    for_each_declaration(l, d, AST_STRUCT) {
        record *r = arena_zero(&l->types, sizeof *r);
        type *t = arena_zero(&l->types, sizeof *t);
        *t = (type){.kind = TYPE_STRUCT, .record = r};
        r->name = d->symbol->name;
        r->as_type = t;
        d->symbol->record = r;
        map_put(&l->structs, d->name, d->symbol->number);
    }
}

static void complete_struct(lowering *l, ast *d) {
    record *r = (record *)d->symbol->record;
    uint64_t cells = 0;
    for (ast *member = d->list; member; member = member->next) {
        const type *t = elaborate_variable_type(l, member);
        if (!t) return;
        cells += type_cells(t);
        const type *element = t;
        while (element->kind == TYPE_ARRAY) element = element->element;
        if (element->kind == TYPE_STRUCT && element->record->depth >= r->depth)
            r->depth = element->record->depth + 1;
        field f = {member->name, t, 0};
        vec_push(&r->fields, f);
    }
    if (!cells)
        lower_error(l, d->at, "struct '%s' has no fields", r->name);
    else if (cells > IVL_MOST_RECORD_CELLS || r->depth > IVL_MOST_RECORD_DEPTH)
        lower_error(l, d->at, "struct '%s' is too large", r->name);
    else
        record_complete(l->p, r, name_of_field, l->file);
}

static void lower_structs(lowering *l) {
    introduce_structs(l);
    for_each_declaration(l, d, AST_STRUCT) complete_struct(l, d);
}

/* --- events, globals, signatures ------------------------------------------------------------------------ */

/* The number of copies of a replicated thing; 0 after reporting. */
static uint32_t instances_of(lowering *l, ast *count, const char *what) {
    int64_t n = 1;
    if (count && !elaborate_constant(l, count, what, 0, IVL_MOST_INSTANCES, &n)) return 0;
    l->instances += (uint64_t)n;
    if (l->instances <= IVL_MOST_INSTANCES) return (uint32_t)n;
    if (count)
        lower_error(l, count->at, "more than %d threads, updates and events", IVL_MOST_INSTANCES);
    else if (l->instances == IVL_MOST_INSTANCES + 1)
        lower_error(l, (position){0, 0}, "more than %d threads, updates and events", IVL_MOST_INSTANCES);
    return 0;
}

static const char *instance_name(lowering *l, const symbol *s, uint32_t k) {
    if (!s->is_array) return program_copy_text(l->p, s->name);
    text name = {0};
    text_format(&name, "%s[%u]", s->name, k);
    const char *copy = program_copy_text(l->p, text_cstr(&name));
    text_free(&name);
    return copy;
}

static void lower_events(lowering *l) {
    for_each_declaration(l, d, AST_EVENT) {
        symbol *s = d->symbol;
        s->is_array = d->a != NULL;
        s->count = instances_of(l, d->a, "number of events");
        s->place = (uint32_t)l->p->events.size;
        for (uint32_t k = 0; k < s->count; k++) {
            event_info event = {instance_name(l, s, k), d->at};
            vec_push(&l->p->events, event);
        }
    }
}

static void lower_globals(lowering *l) {
    for_each_declaration(l, d, AST_VARIABLE) {
        symbol *s = d->symbol;
        const type *t = elaborate_variable_type(l, d);
        if (!t || !lower_count_cells(l, t, d->at)) continue;
        s->type = t;
        s->place = (uint32_t)l->p->objects.size;
        static_object object = {.name = program_copy_text(l->p, s->name), .at = d->at};
        object.shape = type_shape(l->p, t, &object.count, &object.is_array);
        vec_push(&l->p->objects, object);
    }
}

static void lower_signature(lowering *l, ast *d) {
    symbol *s = d->symbol;
    const type *result = elaborate_type(l, d->type);
    bool good = result->kind != TYPE_STRUCT;
    if (!good)
        lower_error(l, d->type.at, "a function cannot return a struct (return a pointer, or pass one)");
    for (ast *q = d->list; q; q = q->next) {
        q->symbol->type = elaborate_type(l, q->type);
        if (type_is_scalar(q->symbol->type)) continue;
        if (q->symbol->type->kind == TYPE_STRUCT)
            lower_error(l, q->type.at, "a struct cannot be passed by value (pass a pointer)");
        else
            lower_error(l, q->type.at, "a function's parameter cannot be void");
        q->symbol->type = NULL;
        good = false;
    }
    s->type = good ? result : NULL;
    s->place = program_add_function(l->p, s->name, FUNCTION_PLAIN, d->at);
    if (good && result->kind != TYPE_VOID) l->p->functions.data[s->place].result = type_scalar(result);
    for (ast *q = d->list; q && good; q = q->next) {
        q->symbol->place =
            function_add_register(l->p, s->place, type_scalar(q->symbol->type), q->symbol->name);
        assert(q->symbol->place == l->p->functions.data[s->place].parameters); /* arguments come first */
        l->p->functions.data[s->place].parameters++;
    }
}

/* --- threads and updates -------------------------------------------------------------------------------- */

static void introduce_threads(lowering *l) {
    symbol *main = l->names->main;
    main->place = 0;
    thread_info first = {.name = program_copy_text(l->p, "main"),
                         .function = program_add_function(l->p, "main", FUNCTION_MAIN, main->at),
                         .at = main->at};
    vec_push(&l->p->threads, first);
    for_each_declaration(l, d, AST_THREAD) {
        symbol *s = d->symbol;
        s->is_array = d->a != NULL;
        s->count = instances_of(l, d->a ? d->a->a : NULL, "number of threads");
        s->place = (uint32_t)l->p->threads.size;
        for (uint32_t k = 0; k < s->count; k++) {
            thread_info thread = {.name = instance_name(l, s, k), .at = d->at};
            thread.function = program_add_function(l->p, thread.name, FUNCTION_THREAD, d->at);
            vec_push(&l->p->threads, thread);
        }
    }
}

static void introduce_updates(lowering *l) {
    for_each_declaration(l, d, AST_UPDATE) {
        symbol *s = d->symbol;
        s->is_array = d->a != NULL;
        s->count = instances_of(l, d->a ? d->a->a : NULL, "number of updates");
        s->place = (uint32_t)l->p->updates.size;
        for (uint32_t k = 0; k < s->count; k++) {
            update_info update = {instance_name(l, s, k), 0, d->at};
            update.function = program_add_function(l->p, update.name, FUNCTION_UPDATE, d->at);
            vec_push(&l->p->updates, update);
        }
    }
}

/* --- bodies --------------------------------------------------------------------------------------------- */

static void begin_body(lowering *l, symbol *body, uint32_t function, const type *result) {
    l->errors_before = l->d->errors;
    l->body = body;
    l->generation++;
    l->where = body->name;
    l->result = result;
    l->function = function;
    l->loops = 0;
    vec_clear(&l->live);
    vec_clear(&l->late);
    emit_continue_in(l, emit_new_block(l));
    l->live.data[0] = true;
}

/* Parameters arrive in registers; one whose address is taken moves into memory. */
static void place_arguments(lowering *l, ast *parameters) {
    for (ast *q = parameters; q; q = q->next) {
        symbol *s = q->symbol;
        s->in_register = true;
        if (!s->type || !s->address_taken) continue;
        operand value = operand_register(s->place, s->type->width);
        local_object object = {.name = program_copy_text(l->p, s->name)};
        object.shape = type_shape(l->p, s->type, &object.count, &object.is_array);
        vec_push(&l->p->functions.data[l->function].locals, object);
        s->in_register = false;
        s->place = (uint32_t)(l->p->functions.data[l->function].locals.size - 1);
        emit_store(l, operand_local(s->place, 0), value, q->at);
    }
}

static void clear_late_registers(lowering *l) {
    function *f = &l->p->functions.data[l->function];
    block *entry = &f->blocks.data[0];
    size_t added = l->late.size, before = entry->code.size;
    if (!added) return;
    vec_reserve(&entry->code, before + added);
    memmove(entry->code.data + added, entry->code.data, before * sizeof *entry->code.data);
    entry->code.size += added;
    for (size_t k = 0; k < added; k++) {
        uint32_t r = l->late.data[k];
        entry->code.data[k] = (instruction){.kind = INSTR_MOVE,
                                            .dst = r,
                                            .at = f->at,
                                            .a = operand_const(f->registers.data[r].type.width, 0)};
    }
}

static void end_body(lowering *l, position at) {
    bool gives = l->result->kind != TYPE_VOID;
    if (gives && emit_is_live(l))
        diag_report(l->d, DIAG_WARNING, at, "the function '%s' may end without return; its value is 0 then",
                    l->where);
    emit_instruction(l, INSTR_RETURN, at)->a = gives ? operand_const(l->result->width, 0) : operand_none();
    clear_late_registers(l);
    if (l->d->errors == l->errors_before) tidy_function(l->p, l->function); /* else nobody will read it */
    emit_report_impossible(l);
    assert(!l->loops && !l->constant_of && !l->input_name); /* whatever was entered was left */
    arena_free(&l->scratch);
}

static void lower_function(lowering *l, ast *d) {
    if (!d->symbol->type) return;
    begin_body(l, d->symbol, d->symbol->place, d->symbol->type);
    place_arguments(l, d->list);
    lower_statements(l, d->a->list);
    end_body(l, d->at);
}

static void lower_process(lowering *l, ast *d, uint32_t first_function) {
    for (uint32_t k = 0; k < d->symbol->count && !l->too_large; k++) {
        unsigned before = l->d->errors;
        if (d->a) {
            d->a->symbol->is_known = true;
            d->a->symbol->type = &type_int;
            d->a->symbol->value = k;
        }
        begin_body(l, d->symbol, first_function + k, &type_void);
        lower_statements(l, d->b->list);
        end_body(l, d->at);
        if (l->d->errors != before) return; /* the other copies have the same errors */
    }
}

static void lower_main(lowering *l) {
    symbol *main = l->names->main;
    begin_body(l, main, l->p->threads.data[0].function, &type_void);
    for (int constants = 1; constants >= 0; constants--)
        for_each_declaration(l, d, AST_VARIABLE) lower_global_initializer(l, d, constants);
    if (main->declaration)
        lower_statements(l, main->declaration->b->list);
    else
        emit_instruction(l, INSTR_SYNC, main->at)->sync = SYNC_START;
    end_body(l, main->at);
}

static void lower_bodies(lowering *l) {
    lower_main(l); /* first: it finds out which globals are constants */
    for_each_declaration(l, d, AST_FUNCTION) lower_function(l, d);
    for_each_declaration(l, d, AST_THREAD) if (d->symbol->count)
        lower_process(l, d, l->p->threads.data[d->symbol->place].function);
    for_each_declaration(l, d, AST_UPDATE) if (d->symbol->count)
        lower_process(l, d, l->p->updates.data[d->symbol->place].function);
}

static void free_lowering(lowering *l) {
    for (size_t k = 0; k < l->names->all.size; k++)
        if (l->names->all.data[k]->record) vec_free(&((record *)l->names->all.data[k]->record)->fields);
    arena_free(&l->types);
    arena_free(&l->scratch);
    map_free(&l->structs);
    map_free(&l->checks);
    map_free(&l->inputs);
    vec_free(&l->live);
    vec_free(&l->late);
    vec_free(&l->impossibles);
}

bool ivl_lower(program *p, ast_file *file, symbols *names, const ivl_setting *settings, size_t setting_count,
               diagnostics *d) {
    lowering l = {.p = p, .file = file, .names = names, .d = d};
    unsigned before = d->errors;
    check_settings(&l, settings, setting_count);
    lower_params(&l, settings, setting_count);
    if (d->errors == before) {
        lower_structs(&l);
        lower_events(&l);
        lower_globals(&l);
        for_each_declaration(&l, f, AST_FUNCTION) lower_signature(&l, f);
        introduce_threads(&l);
        introduce_updates(&l);
    }
    if (d->errors == before) lower_bodies(&l);
    free_lowering(&l);
    return d->errors == before;
}
