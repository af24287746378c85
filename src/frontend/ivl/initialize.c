/* Variables: where they live and what they start with. */
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/lower.h"

enum { MOST_UNROLLED = 32 }; /* cells that are cleared one by one; more are cleared in a loop */

bool lower_count_cells(lowering *l, const type *t, position at) {
    l->cells += type_cells(t);
    if (l->cells <= IVL_MOST_CELLS) return true;
    lower_error(l, at, "variables too large (more than %d elements together)", IVL_MOST_CELLS);
    return false;
}

/* --- clearing and copying ------------------------------------------------------------------------------- */

static operand zero_of(scalar_type type) {
    return operand_const(type.width, 0);
}

static void clear_element(lowering *l, operand element, const layout *shape, position at) {
    for (uint32_t c = 0; c < shape->cells; c++) {
        emit_store(l, emit_add_bytes(l, element, shape->cell[c].offset, at), zero_of(shape->cell[c].type),
                   at);
    }
}

static void clear_in_loop(lowering *l, operand object, const layout *shape, uint32_t count, position at) {
    uint32_t k = emit_temporary(l, type_scalar(&type_ulong)),
             in_range = emit_temporary(l, type_scalar(&type_bool)),
             element = emit_temporary(l, type_scalar(&type_null));
    uint32_t head = emit_new_block(l), body = emit_new_block(l), after = emit_new_block(l);
    instruction *i = emit_instruction(l, INSTR_MOVE, at);
    i->dst = k;
    i->a = operand_const(64, 0);
    emit_jump(l, head, at);
    emit_continue_in(l, head);
    i = emit_instruction(l, INSTR_ARITH, at);
    i->arith = ARITH_ULT;
    i->dst = in_range;
    i->a = operand_register(k, 64);
    i->b = operand_const(64, count);
    emit_two_way(l, operand_register(in_range, 1), body, after, at);
    emit_continue_in(l, body);
    i = emit_instruction(l, INSTR_OFFSET, at);
    i->dst = element;
    i->a = object;
    i->b = operand_register(k, 64);
    i->extra = shape->stride;
    clear_element(l, operand_register(element, 64), shape, at);
    i = emit_instruction(l, INSTR_ARITH, at);
    i->arith = ARITH_ADD;
    i->dst = k;
    i->a = operand_register(k, 64);
    i->b = operand_const(64, 1);
    emit_jump(l, head, at);
    emit_continue_in(l, after);
}

static void clear_object(lowering *l, operand object, const type *t, position at) {
    uint32_t count;
    bool is_array;
    const layout *shape = type_shape(l->p, t, &count, &is_array);
    if ((uint64_t)count * shape->cells > MOST_UNROLLED && count > 1) {
        clear_in_loop(l, object, shape, count, at);
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        clear_element(l, emit_add_bytes(l, object, (uint64_t)k * shape->stride, at), shape, at);
}

void lower_copy(lowering *l, operand to, operand from, const type *t, position at) {
    const layout *shape = t->record->shape;
    for (uint32_t c = 0; c < shape->cells; c++) {
        uint32_t value = emit_temporary(l, shape->cell[c].type);
        operand source = emit_add_bytes(l, from, shape->cell[c].offset, at);
        instruction *i = emit_instruction(l, INSTR_LOAD, at);
        i->a = source;
        i->dst = value;
        emit_store(l, emit_add_bytes(l, to, shape->cell[c].offset, at),
                   operand_register(value, shape->cell[c].type.width), at);
    }
}

/* --- inputs --------------------------------------------------------------------------------------------- */

static void input_each_element(lowering *l, operand array, const type *element, uint64_t count,
                               uint32_t number, position at) {
    for (uint64_t k = 0; k < count && !l->too_large; k++) {
        uint32_t value = emit_temporary(l, type_scalar(element));
        instruction *i = emit_instruction(l, INSTR_INPUT, at);
        i->dst = value;
        i->extra = number;
        emit_store(l, emit_add_bytes(l, array, k * type_size(element), at),
                   operand_register(value, element->width), at);
    }
}

void lower_array_input(lowering *l, const expr *place, ast *e, const char *name) {
    const type *element = elaborate_type(l, e->type);
    if (!type_is_number(element)) {
        lower_error(l, e->at, "only numbers and arrays of them can be inputs");
        return;
    }
    const type *t = elaborate_array_type(l, element, e->list, e->at);
    if (!t) return;
    if (!type_equal(t, place->type)) {
        lower_error(l, e->at, "the input's type differs from the type of the array");
        return;
    }
    uint32_t number = emit_input_number(l, name, element, e->at);
    operand array = emit_pointer(l, place);
    if (place->kind == EXPR_OBJECT || place->kind == EXPR_LOCAL) {
        instruction *i = emit_instruction(l, INSTR_HAVOC, e->at);
        i->a = array;
        i->extra = number;
    } else { /* an array inside a struct: the rest of the object stays as it is */
        input_each_element(l, array, element, type_cells(t), number, e->at);
    }
}

/* --- initial values ------------------------------------------------------------------------------------- */

typedef struct filling { /* of one variable */
    operand object;
    bool cleared; /* its cells are known to be 0: zeros need not be stored */
} filling;

static void fill_scalar(lowering *l, const filling *f, uint32_t offset, const type *t, ast *e) {
    if (e->kind == AST_BRACES) {
        if (!e->list || e->list->next || e->list->kind == AST_BRACES) {
            lower_error(l, e->at, "expected one value");
            return;
        }
        e = e->list;
    }
    expr *value = elaborate_as(l, e, t);
    if (!value || (f->cleared && expr_is_const(value) && value->value == 0)) return;
    operand v = emit_value(l, value);
    emit_store(l, emit_add_bytes(l, f->object, offset, e->at), v, e->at);
}

/* Takes values for one variable or part of it from the list at *next, as C does: inner braces are optional.
 * The depth of the recursion is that of the type. */
static void fill(lowering *l, const filling *f, uint32_t offset, const type *t, ast **next) {
    ast *e = *next;
    if (!e || l->too_large) return;
    if (type_is_scalar(t)) {
        *next = e->next;
        fill_scalar(l, f, offset, t, e);
        return;
    }
    bool braced = e->kind == AST_BRACES;
    ast *inner = braced ? e->list : e;
    if (t->kind == TYPE_ARRAY) {
        for (uint32_t k = 0; k < t->count && inner; k++)
            fill(l, f, offset + k * type_size(t->element), t->element, &inner);
    } else {
        for (size_t k = 0; k < t->record->fields.size && inner; k++) {
            const field *member = &t->record->fields.data[k];
            fill(l, f, offset + member->offset, member->type, &inner);
        }
    }
    if (braced && inner) lower_error(l, inner->at, "too many initial values");
    *next = braced ? e->next : inner;
}

static void initialize_object(lowering *l, const filling *f, const type *t, ast *value, const expr *place,
                              const char *name) {
    if (!value) return;
    if (value->kind == AST_BRACES) {
        ast *only = value;
        fill(l, f, 0, t, &only);
    } else if (t->kind == TYPE_ARRAY) {
        if (value->kind == AST_INPUT && value->list)
            lower_array_input(l, place, value, name);
        else
            lower_error(l, value->at, "an array is initialised with { ... } or ?(type[n])");
    } else if (t->kind == TYPE_STRUCT) {
        expr *from = elaborate_place(l, value);
        if (from && !type_equal(from->type, t))
            lower_error(l, value->at, "the initial value is not of the same struct");
        else if (from)
            lower_copy(l, f->object, emit_pointer(l, from), t, value->at);
    } else {
        l->input_name = value->kind == AST_INPUT ? name : NULL;
        fill_scalar(l, f, 0, t, value);
        l->input_name = NULL;
    }
}

/* --- locals and globals --------------------------------------------------------------------------------- */

static void lower_register(lowering *l, symbol *s, ast *value) {
    s->in_register = true;
    s->place = function_add_register(l->p, l->function, type_scalar(s->type), s->name);
    bool always_passed = l->block == 0;
    if (!always_passed && (l->body->has_labels || s->in_switch)) vec_push(&l->late, s->place);
    if (value && value->kind == AST_BRACES && value->list && !value->list->next) value = value->list;
    l->input_name = value && value->kind == AST_INPUT ? s->name : NULL;
    expr *initial = value ? elaborate_as(l, value, s->type) : expr_const(&l->scratch, s->type, 0, s->at);
    l->input_name = NULL;
    if (initial) emit_into(l, initial, s->place);
}

void lower_local(lowering *l, ast *variable) {
    symbol *s = variable->symbol;
    const type *t = elaborate_variable_type(l, variable);
    s->type = NULL;
    if (!t || !lower_count_cells(l, t, variable->at)) return;
    s->type = t;
    if (type_is_scalar(t) && !s->address_taken) {
        lower_register(l, s, variable->a);
        return;
    }
    local_object object = {.name = program_copy_text(l->p, s->name)};
    object.shape = type_shape(l->p, t, &object.count, &object.is_array);
    vec_push(&l->p->functions.data[l->function].locals, object);
    s->in_register = false;
    s->place = (uint32_t)(l->p->functions.data[l->function].locals.size - 1);
    /* cells are 0 when the frame begins; they must become so again when the declaration is executed again */
    bool again = l->block != 0 && (l->loops || l->body->has_labels),
         stored_anyway = type_is_scalar(t) && variable->a;
    filling f = {operand_local(s->place, 0), !again || !stored_anyway};
    if (again && !stored_anyway) clear_object(l, f.object, t, variable->at);
    expr *place = expr_make(&l->scratch, EXPR_LOCAL, t, variable->at);
    place->index = s->place;
    initialize_object(l, &f, t, variable->a, place, s->name);
}

static bool all_values_constant(lowering *l, ast *value) {
    if (value->kind != AST_BRACES) {
        expr *e = elaborate_value(l, value);
        return e && expr_is_const(e);
    }
    bool constant = true;
    for (ast *inner = value->list; inner; inner = inner->next) constant &= all_values_constant(l, inner);
    return constant;
}

static bool is_array_input(const ast *value) {
    return value->kind == AST_INPUT && value->list;
}

/* A scalar that nobody changes after its constant initialiser is that constant wherever it is read. */
static void learn_value(lowering *l, symbol *s, ast *value) {
    if (!type_is_scalar(s->type) || s->assigned || s->address_taken) return;
    if (value && value->kind == AST_BRACES) return;
    expr *e = value ? elaborate_as(l, value, s->type) : expr_const(&l->scratch, s->type, 0, s->at);
    s->is_known = e && expr_is_const(e);
    s->value = s->is_known ? e->value : 0;
}

void lower_global_initializer(lowering *l, ast *variable, bool constants) {
    symbol *s = variable->symbol;
    if (!s->type || s->initialized) return;
    if (constants) {
        unsigned before = l->d->errors;
        ast *value = variable->a;
        bool constant =
            !value ||
            (!is_array_input(value) && s->type->kind != TYPE_STRUCT && all_values_constant(l, value)) ||
            (value->kind == AST_BRACES && all_values_constant(l, value));
        if (constant && l->d->errors == before) learn_value(l, s, value);
        s->initialized = constant || l->d->errors != before;
        if (l->d->errors != before || !constant) return;
        if (!s->assigned && !s->address_taken) l->p->objects.data[s->place].is_constant = true;
    }
    filling f = {operand_object(s->place, 0), true};
    expr *place = expr_make(&l->scratch, EXPR_OBJECT, s->type, variable->at);
    place->index = s->place;
    initialize_object(l, &f, s->type, variable->a, place, s->name);
}
