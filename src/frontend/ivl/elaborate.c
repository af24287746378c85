/* Syntax to typed expressions: names, types, conversions, constants. C++'s rules, minus what the language
 * does not have. */
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/lower.h"
#include "term/term.h"

static expr *elaborate(lowering *l, ast *e);

const char *elaborate_shown_type(lowering *l, const type *t) {
    text name = {0};
    type_print(t, &name);
    const char *copy = arena_string(&l->scratch, text_cstr(&name), name.size);
    text_free(&name);
    return copy;
}

static expr *fail(lowering *l, position at, const char *problem) {
    lower_error(l, at, "%s", problem);
    return NULL;
}

/* --- types ---------------------------------------------------------------------------------------------- */

const type *elaborate_type(lowering *l, type_name name) {
    const type *t = name.word == TOKEN_STRUCT
                        ? l->names->all.data[map_get(&l->structs, name.name)]->record->as_type
                        : type_of_word(name.word);
    for (unsigned k = 0; k < name.stars; k++) t = type_pointer_to(&l->types, t);
    return t;
}

const type *elaborate_array_type(lowering *l, const type *element, ast *dimensions, position at) {
    int64_t counts[8];
    unsigned depth = 0;
    uint64_t cells = type_cells(element);
    for (ast *size = dimensions; size; size = size->next) {
        if (depth == 8) return (const type *)fail(l, size->at, "more than 8 dimensions");
        if (!elaborate_constant(l, size, "array size", 1, IVL_MOST_CELLS, &counts[depth])) return NULL;
        cells *= (uint64_t)counts[depth++];
        if (cells > IVL_MOST_CELLS) {
            lower_error(l, at, "array too large (more than %d elements)", IVL_MOST_CELLS);
            return NULL;
        }
    }
    while (depth--) element = type_array_of(&l->types, element, (uint32_t)counts[depth]);
    return element;
}

const type *elaborate_variable_type(lowering *l, const ast *variable) {
    const type *base = elaborate_type(l, variable->type);
    if (base->kind == TYPE_VOID) return (const type *)fail(l, variable->type.at, "a variable cannot be void");
    if (base->kind == TYPE_STRUCT && !base->record->size) {
        lower_error(l, variable->type.at, "struct '%s' is not complete here", base->record->name);
        return NULL;
    }
    return elaborate_array_type(l, base, variable->list, variable->at);
}

/* --- constants ------------------------------------------------------------------------------------------ */

bool elaborate_constant(lowering *l, ast *e, const char *what, int64_t least, int64_t most, int64_t *out) {
    const char *outer = l->constant_of;
    l->constant_of = what;
    expr *value = elaborate_value(l, e);
    l->constant_of = outer;
    if (!value) return false;
    if (!expr_is_const(value) || !type_is_number(value->type)) {
        lower_error(l, e->at, "%s must be a constant", what);
        return false;
    }
    *out = expr_signed_value(value);
    bool wraps = !value->type->is_signed && value->value > INT64_MAX;
    if (*out < least || *out > most || wraps) {
        if (wraps || *out > most)
            lower_error(l, e->at, "%s is too large (at most %lld)", what, (long long)most);
        else
            lower_error(l, e->at, "%s is %lld but must be at least %lld", what, (long long)*out,
                        (long long)least);
        return false;
    }
    return true;
}

/* --- conversions ---------------------------------------------------------------------------------------- */

static expr *retyped(lowering *l, expr *e, const type *to) {
    expr *copy = arena_copy(&l->scratch, e, sizeof *e);
    copy->type = to;
    copy->next = NULL;
    return copy;
}

expr *convert_implicitly(lowering *l, expr *e, const type *to, position at) {
    if (!e) return NULL;
    const type *from = e->type;
    if (type_is_number(to) && type_is_number(from)) return expr_convert(&l->scratch, e, to, at);
    if (to->kind == TYPE_BOOL && type_is_pointer(from)) return expr_truth(&l->scratch, e, at);
    if (to->kind == TYPE_POINTER) {
        if (from->kind == TYPE_NULL || expr_is_literal_zero(e)) return expr_const(&l->scratch, to, 0, at);
        if (from->kind == TYPE_POINTER && (type_equal(from, to) || to->element->kind == TYPE_VOID))
            return retyped(l, e, to);
    }
    lower_error(l, at, "cannot convert '%s' to '%s'", elaborate_shown_type(l, from),
                elaborate_shown_type(l, to));
    return NULL;
}

static expr *elaborate_cast(lowering *l, ast *e) {
    expr *a = elaborate_value(l, e->a);
    const type *to = elaborate_type(l, e->type);
    if (!a) return NULL;
    if (to->kind == TYPE_POINTER && a->type->kind == TYPE_POINTER) return retyped(l, a, to);
    return convert_implicitly(l, a, to, e->at);
}

expr *elaborate_as(lowering *l, ast *e, const type *to) {
    expr *value = elaborate_value(l, e);
    return convert_implicitly(l, value, to, e->at);
}

expr *elaborate_condition(lowering *l, ast *e) {
    expr *value = elaborate_value(l, e);
    return value ? expr_truth(&l->scratch, value, e->at) : NULL;
}

expr *elaborate_time(lowering *l, ast *e) {
    expr *value = elaborate_value(l, e);
    if (!value) return NULL;
    if (!type_is_number(value->type)) return fail(l, e->at, "a time must be a number");
    return expr_widened(&l->scratch, value, e->at);
}

/* --- places --------------------------------------------------------------------------------------------- */

static expr *target_of(lowering *l, expr *pointer, position at) {
    const type *t = pointer->type;
    if (t->kind != TYPE_POINTER) {
        lower_error(l, at, "cannot dereference '%s'", elaborate_shown_type(l, t));
        return NULL;
    }
    if (t->element->kind == TYPE_VOID || (t->element->kind == TYPE_STRUCT && !t->element->record->size))
        return fail(l, at, "cannot dereference a pointer to an incomplete type");
    expr *place = expr_make(&l->scratch, EXPR_TARGET, t->element, at);
    place->a = pointer;
    place->careful = true;
    return place;
}

expr *elaborate_step(lowering *l, expr *pointer, expr *count, position at) {
    if (!type_is_number(count->type)) return fail(l, at, "only a number can be added to a pointer");
    uint32_t bytes = type_size(pointer->type->element);
    if (!bytes) return fail(l, at, "arithmetic on a pointer to an incomplete type");
    expr *e = expr_make(&l->scratch, EXPR_STEP, pointer->type, at);
    e->a = pointer;
    e->b = expr_widened(&l->scratch, count, at);
    e->extra = bytes;
    e->careful = pointer->careful || count->careful;
    return e;
}

static bool is_place_syntax(const ast *e) {
    return e->kind == AST_NAME || e->kind == AST_INDEX || e->kind == AST_FIELD || e->kind == AST_ARROW ||
           (e->kind == AST_UNARY && e->op == TOKEN_STAR);
}

static const char *shown_expression(lowering *l, const ast *e) {
    text shown = {0};
    ast_print_expression(l->file, e, &shown);
    const char *copy = arena_string(&l->scratch, text_cstr(&shown), shown.size);
    text_free(&shown);
    return copy;
}

static expr *place_of_name(lowering *l, ast *e) {
    const symbol *s = e->symbol;
    if (!s) return NULL;
    if (s->kind == SYMBOL_PARAM || s->kind == SYMBOL_REPLICA) {
        lower_error(l, e->at, "the %s '%s' is a constant", symbol_kind_name(s->kind), s->name);
        return NULL;
    }
    if (l->constant_of) {
        lower_error(l, e->at, "%s must be a constant; the variable '%s' is not one (a 'param' would be)",
                    l->constant_of, s->name);
        return NULL;
    }
    if (!s->type) return NULL; /* its declaration was wrong */
    expr_kind kind = s->kind == SYMBOL_GLOBAL ? EXPR_OBJECT : s->in_register ? EXPR_REGISTER : EXPR_LOCAL;
    expr *place = expr_make(&l->scratch, kind, s->type, e->at);
    place->index = s->place;
    place->name = s->name;
    return place;
}

static expr *element_of(lowering *l, expr *array, expr *index, ast *e) {
    expr *place = expr_make(&l->scratch, EXPR_ELEMENT, array->type->element, e->b->at);
    place->a = array;
    place->b = index;
    place->extra = type_size(array->type->element);
    place->name = shown_expression(l, e->a);
    place->careful = array->careful || index->careful || expr_needs_bounds_check(place);
    return place;
}

/* An array that is used as a value becomes a pointer to its first element. */
static expr *decayed(lowering *l, expr *array, position at) {
    if (array->type->element->kind == TYPE_ARRAY)
        return fail(l, at, "an array of arrays is not a value; index it further");
    expr *first = expr_make(&l->scratch, EXPR_ELEMENT, array->type->element, at);
    first->a = array;
    first->b = expr_const(&l->scratch, &type_int, 0, at);
    first->extra = type_size(first->type);
    first->name = "";
    expr *pointer = expr_make(&l->scratch, EXPR_ADDRESS, type_pointer_to(&l->types, first->type), at);
    pointer->a = first;
    pointer->careful = first->careful = array->careful;
    return pointer;
}

/* The value in a place; structs stay places, for the few uses that copy them. */
static expr *read_place(lowering *l, expr *place, position at) {
    if (place->kind == EXPR_REGISTER || place->type->kind == TYPE_STRUCT) return place;
    if (place->type->kind == TYPE_ARRAY) return decayed(l, place, at);
    expr *load = expr_make(&l->scratch, EXPR_LOAD, place->type, at);
    load->a = place;
    load->careful = place->careful;
    return load;
}

static expr *place_of_index(lowering *l, ast *e) {
    expr *base = is_place_syntax(e->a) ? elaborate_place(l, e->a) : elaborate_value(l, e->a);
    expr *index = elaborate_value(l, e->b);
    if (!base || !index) return NULL;
    if (!type_is_number(index->type)) return fail(l, e->b->at, "an index must be a number");
    index = expr_convert(&l->scratch, index, type_promoted(index->type), e->b->at);
    if (base->type->kind == TYPE_ARRAY) return element_of(l, base, index, e);
    if (base->type->kind != TYPE_POINTER) {
        lower_error(l, e->at, "'%s' is not an array or pointer", elaborate_shown_type(l, base->type));
        return NULL;
    }
    if (is_place_syntax(e->a)) base = read_place(l, base, e->a->at);
    expr *moved = elaborate_step(l, base, index, e->at);
    return moved ? target_of(l, moved, e->at) : NULL;
}

static expr *place_of_field(lowering *l, ast *e) {
    expr *base = NULL;
    if (e->kind == AST_FIELD) {
        if (!is_place_syntax(e->a)) return fail(l, e->at, "'.' needs a struct");
        base = elaborate_place(l, e->a);
    } else {
        expr *pointer = elaborate_value(l, e->a);
        base = pointer ? target_of(l, pointer, e->at) : NULL;
    }
    if (!base) return NULL;
    if (base->type->kind != TYPE_STRUCT) {
        lower_error(l, e->at, "'%s' has no fields%s", elaborate_shown_type(l, base->type),
                    e->kind == AST_FIELD && base->type->kind == TYPE_POINTER ? " (use '->')" : "");
        return NULL;
    }
    const record *r = base->type->record;
    for (size_t k = 0; k < r->fields.size; k++)
        if (r->fields.data[k].name == e->name) {
            expr *place = expr_make(&l->scratch, EXPR_MEMBER, r->fields.data[k].type, e->at);
            place->a = base;
            place->extra = r->fields.data[k].offset;
            place->careful = base->careful;
            return place;
        }
    lower_error(l, e->at, "struct '%s' has no field '%s'", r->name, ast_name(l->file, e));
    return NULL;
}

expr *elaborate_place(lowering *l, ast *e) {
    switch (e->kind) {
    case AST_NAME: return place_of_name(l, e);
    case AST_INDEX: return place_of_index(l, e);
    case AST_FIELD:
    case AST_ARROW: return place_of_field(l, e);
    case AST_UNARY:
        if (e->op == TOKEN_STAR) {
            expr *pointer = elaborate_value(l, e->a);
            return pointer ? target_of(l, pointer, e->at) : NULL;
        }
        break;
    default: break;
    }
    return fail(l, e->at, "this expression has no address and cannot be assigned to");
}

/* --- operators ------------------------------------------------------------------------------------------ */

static expr *elaborate_binary(lowering *l, ast *e) {
    expr *a = elaborate_value(l, e->a), *b = elaborate_value(l, e->b);
    if (!a || !b) return NULL;
    if (e->op == TOKEN_AND_AND || e->op == TOKEN_OR_OR) {
        a = expr_truth(&l->scratch, a, e->a->at);
        b = expr_truth(&l->scratch, b, e->b->at);
        return e->op == TOKEN_AND_AND ? expr_and(&l->scratch, a, b, e->at)
                                      : expr_or(&l->scratch, a, b, e->at);
    }
    return elaborate_arithmetic(l, e->op, a, b, e->at);
}

static expr *address_of(lowering *l, ast *e) {
    expr *place = elaborate_place(l, e->a);
    if (!place) return NULL;
    if (place->type->kind == TYPE_ARRAY)
        return fail(l, e->at, "take the address of the first element (&name[0]) instead");
    const type *pointer = type_pointer_to(&l->types, place->type);
    if (place->kind == EXPR_TARGET) return retyped(l, place->a, pointer);
    expr *address = expr_make(&l->scratch, EXPR_ADDRESS, pointer, e->at);
    address->a = place;
    address->careful = place->careful;
    return address;
}

static expr *elaborate_unary(lowering *l, ast *e) {
    if (e->op == TOKEN_AMPERSAND) return address_of(l, e);
    expr *a = elaborate_value(l, e->a);
    if (!a) return NULL;
    if (e->op == TOKEN_NOT) return expr_not(&l->scratch, expr_truth(&l->scratch, a, e->at), e->at);
    if (!type_is_number(a->type)) {
        lower_error(l, e->at, "operator %s cannot take '%s'", token_kind_name(e->op),
                    elaborate_shown_type(l, a->type));
        return NULL;
    }
    a = expr_convert(&l->scratch, a, type_promoted(a->type), e->at);
    if (e->op == TOKEN_PLUS) return a;
    return expr_arith(&l->scratch, e->op == TOKEN_MINUS ? ARITH_NEG : ARITH_NOT, a->type, a, NULL, e->at);
}

static expr *elaborate_conditional(lowering *l, ast *e) {
    expr *condition = elaborate_condition(l, e->a), *a = elaborate_value(l, e->b),
         *b = elaborate_value(l, e->c);
    if (!condition || !a || !b) return NULL;
    const type *t = a->type;
    if (type_is_number(a->type) && type_is_number(b->type)) {
        if (!type_equal(a->type, b->type)) t = type_common(a->type, b->type);
    } else if (a->type->kind == TYPE_NULL || expr_is_literal_zero(a)) {
        t = b->type;
    }
    a = convert_implicitly(l, a, t, e->b->at);
    b = convert_implicitly(l, b, t, e->c->at);
    return a && b ? expr_choose(&l->scratch, condition, a, b, e->at) : NULL;
}

/* --- the rest ------------------------------------------------------------------------------------------- */

static expr *elaborate_call(lowering *l, ast *e) {
    const symbol *callee = e->symbol;
    if (!callee) return NULL;
    if (l->constant_of) {
        lower_error(l, e->at, "%s must be a constant", l->constant_of);
        return NULL;
    }
    expr *call = expr_make(&l->scratch, EXPR_CALL, callee->type, e->at), **end = &call->a;
    call->symbol = callee;
    call->careful = true;
    ast *argument = e->list, *parameter = callee->declaration->list;
    bool good = callee->type != NULL;
    unsigned given = 0, wanted = 0;
    for (; argument; argument = argument->next, given++) {
        expr *value = elaborate_value(l, argument);
        if (parameter && parameter->symbol->type)
            value = convert_implicitly(l, value, parameter->symbol->type, argument->at);
        if (!value || !parameter) {
            good &= value != NULL;
            continue;
        }
        parameter = parameter->next;
        *end = retyped(l, value, value->type); /* chained: a shared node must not be in two lists */
        end = &(*end)->next;
    }
    for (const ast *q = callee->declaration->list; q; q = q->next) wanted++;
    if (given != wanted) {
        lower_error(l, e->at, "'%s' takes %u argument%s, not %u", callee->name, wanted,
                    wanted == 1 ? "" : "s", given);
        return NULL;
    }
    return good ? call : NULL;
}

static expr *elaborate_input(lowering *l, ast *e) {
    const type *t = elaborate_type(l, e->type);
    if (e->list) return fail(l, e->at, "?(type[n]) can only be the initial or assigned value of an array");
    if (!type_is_number(t)) {
        lower_error(l, e->at, "?(%s): only numbers and arrays of them can be inputs",
                    elaborate_shown_type(l, t));
        return NULL;
    }
    expr *input = expr_make(&l->scratch, EXPR_INPUT, t, e->at);
    input->name = l->input_name ? l->input_name : "input";
    input->careful = true;
    l->input_name = NULL;
    return input;
}

static expr *elaborate_new(lowering *l, ast *e) {
    const type *element = elaborate_type(l, e->type);
    if (!type_size(element)) return fail(l, e->at, "'new' needs a complete type");
    expr *count = e->a ? elaborate_value(l, e->a) : expr_const(&l->scratch, &type_int, 1, e->at);
    if (!count) return NULL;
    if (!type_is_number(count->type)) return fail(l, e->a->at, "the number of elements must be a number");
    if (expr_is_const(count) && (expr_is_negative(count) || count->value == 0 ||
                                 expr_signed_value(count) > (int64_t)(IVL_MOST_CELLS / type_cells(element))))
        return fail(l, e->a->at, "the number of elements must be positive and reasonable");
    expr *made = expr_make(&l->scratch, EXPR_NEW, type_pointer_to(&l->types, element), e->at);
    made->a = expr_widened(&l->scratch, count, e->at);
    made->careful = true;
    return made;
}

static expr *value_of_place(lowering *l, ast *e) {
    const symbol *s = e->kind == AST_NAME ? e->symbol : NULL;
    bool known = s && s->is_known && !(l->constant_of && s->kind == SYMBOL_GLOBAL);
    if (known) return expr_const(&l->scratch, s->type, s->value, e->at);
    expr *place = elaborate_place(l, e);
    return place ? read_place(l, place, e->at) : NULL;
}

static expr *elaborate_number(lowering *l, ast *e) {
    expr *number = expr_const(&l->scratch, type_of_word(e->type.word), e->value, e->at);
    number->extra = 1;
    return number;
}

static expr *elaborate(lowering *l, ast *e) {
    arena *m = &l->scratch;
    switch (e->kind) {
    case AST_NUMBER: return elaborate_number(l, e);
    case AST_CHARACTER: return expr_const(m, &type_char, e->value, e->at);
    case AST_TRUTH: return expr_const(m, &type_bool, e->value, e->at);
    case AST_NULL: return expr_const(m, &type_null, 0, e->at);
    case AST_NAME:
    case AST_INDEX:
    case AST_FIELD:
    case AST_ARROW: return value_of_place(l, e);
    case AST_UNARY: return e->op == TOKEN_STAR ? value_of_place(l, e) : elaborate_unary(l, e);
    case AST_BINARY: return elaborate_binary(l, e);
    case AST_CONDITIONAL: return elaborate_conditional(l, e);
    case AST_CALL: return elaborate_call(l, e);
    case AST_CAST: return elaborate_cast(l, e);
    case AST_INPUT: return elaborate_input(l, e);
    case AST_NEW: return elaborate_new(l, e);
    case AST_TIME: return expr_make(m, EXPR_TIME, &type_ulong, e->at);
    default: return fail(l, e->at, "a list of values can only be an initial value");
    }
}

expr *elaborate_call_statement(lowering *l, ast *e) {
    return elaborate_call(l, e);
}

expr *elaborate_value(lowering *l, ast *e) {
    expr *value = elaborate(l, e);
    if (!value || type_is_scalar(value->type)) return value;
    if (value->type->kind == TYPE_VOID)
        lower_error(l, e->at, "'%s' gives no value", ast_name(l->file, e));
    else
        lower_error(l, e->at, "a struct is not a value here (pass a pointer)");
    return NULL;
}
