/* Typed expressions to instructions. Operands are evaluated from left to right. */
#include "base/hash.h"
#include "frontend/ivl/lower.h"

#include <inttypes.h>

/* --- blocks and registers ------------------------------------------------------------------------------- */

instruction *emit_instruction(lowering *l, instruction_kind kind, position at) {
    if (++l->instructions > IVL_MOST_INSTRUCTIONS && !l->too_large) {
        l->too_large = true;
        lower_error(l, at, "program too large (more than %d instructions)", IVL_MOST_INSTRUCTIONS);
    }
    return function_emit(l->p, l->function, l->block, kind, at);
}

uint32_t emit_new_block(lowering *l) {
    assert(l->live.size == l->p->functions.data[l->function].blocks.size); /* one for each */
    vec_push(&l->live, false);
    return function_add_block(l->p, l->function);
}

void emit_continue_in(lowering *l, uint32_t block) {
    assert(block < l->live.size);
    l->block = block;
}

bool emit_is_live(const lowering *l) {
    return l->live.data[l->block];
}

static void note_edge(lowering *l, uint32_t to) {
    l->live.data[to] = l->live.data[to] || l->live.data[l->block];
}

void emit_jump(lowering *l, uint32_t block, position at) {
    assert(block < l->live.size);
    note_edge(l, block);
    emit_instruction(l, INSTR_JUMP, at)->target[0] = block;
}

void emit_two_way(lowering *l, operand truth, uint32_t then, uint32_t otherwise, position at) {
    assert(truth.width == 1 && then < l->live.size && otherwise < l->live.size);
    note_edge(l, then);
    note_edge(l, otherwise);
    instruction *i = emit_instruction(l, INSTR_BRANCH, at);
    i->a = truth;
    i->target[0] = then;
    i->target[1] = otherwise;
}

/* Temporaries are never used again for another value: analyses that look at registers without regard to order
 * stay precise. */
uint32_t emit_temporary(lowering *l, scalar_type type) {
    return function_add_register(l->p, l->function, type, NULL);
}

/* The register that an instruction for e writes: the wanted one, or a temporary. */
static uint32_t destination_for(lowering *l, const expr *e, uint32_t wanted) {
    return wanted != NO_INDEX ? wanted : emit_temporary(l, type_scalar(e->type));
}

static operand in_register(const expr *e, uint32_t r) {
    return operand_register(r, e->type->width);
}

/* --- checks and inputs ---------------------------------------------------------------------------------- */

static uint64_t place_key(position at, unsigned kind) {
    return hash_pair((uint64_t)at.line << 32 | at.column, kind);
}

static uint32_t check_number(lowering *l, check_kind kind, const char *description, position at) {
    uint64_t key = place_key(at, kind), known = map_get(&l->checks, key);
    if (known != MAP_NONE && !strcmp(l->p->checks.data[known].text, description)) return (uint32_t)known;
    check entry = {.kind = kind,
                   .text = program_copy_text(l->p, description),
                   .thread_or_function = program_copy_text(l->p, l->where),
                   .at = at};
    vec_push(&l->p->checks, entry);
    map_put(&l->checks, key, l->p->checks.size - 1);
    return (uint32_t)(l->p->checks.size - 1);
}

/* Implicit checks of code that nothing reaches are no properties of the program; assertions are,
 * reached or not. */
void emit_check(lowering *l, check_kind kind, operand condition, const char *description, position at) {
    if (kind != CHECK_ASSERTION && !emit_is_live(l)) return;
    uint32_t number = check_number(l, kind, description, at);
    instruction *i = emit_instruction(l, INSTR_CHECK, at);
    i->a = condition;
    i->check = number;
}

void emit_impossible(lowering *l, position at, const char *format, ...) {
    text message = {0};
    va_list args;
    va_start(args, format);
    text_vformat(&message, format, args);
    va_end(args);
    impossible entry = {at, arena_string(&l->scratch, text_cstr(&message), message.size)};
    text_free(&message);
    instruction *i = emit_instruction(l, INSTR_CHECK, at);
    i->a = operand_const(1, 0);
    i->check = (uint32_t)l->impossibles.size;
    i->extra = 1;
    vec_push(&l->impossibles, entry);
}

void emit_report_impossible(lowering *l) {
    const function *f = &l->p->functions.data[l->function];
    bool is_tidy = l->d->errors == l->errors_before; /* without what cannot be reached */
    for (size_t b = 0; b < f->blocks.size && l->impossibles.size && is_tidy; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++) {
            const instruction *i = &f->blocks.data[b].code.data[k];
            if (i->kind != INSTR_CHECK || !i->extra) continue;
            lower_error(l, l->impossibles.data[i->check].at, "%s", l->impossibles.data[i->check].message);
        }
    vec_clear(&l->impossibles);
}

uint32_t emit_input_number(lowering *l, const char *name, const type *t, position at) {
    uint64_t key = place_key(at, 0), known = map_get(&l->inputs, key);
    if (known != MAP_NONE) return (uint32_t)known;
    input entry = {program_copy_text(l->p, name), type_scalar(t), at};
    vec_push(&l->p->inputs, entry);
    map_put(&l->inputs, key, l->p->inputs.size - 1);
    return (uint32_t)(l->p->inputs.size - 1);
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static operand emit_arith(lowering *l, arith op, operand a, operand b, operand c, uint32_t destination,
                          unsigned width, position at) {
    instruction *i = emit_instruction(l, INSTR_ARITH, at);
    i->arith = (uint8_t)op;
    i->a = a;
    i->b = b;
    i->c = c;
    i->dst = destination;
    return operand_register(destination, width);
}

static operand emit_comparison(lowering *l, arith op, operand a, operand b, position at) {
    uint32_t truth = emit_temporary(l, type_scalar(&type_bool));
    return emit_arith(l, op, a, b, operand_none(), truth, 1, at);
}

static operand value_of_arith(lowering *l, const expr *e, uint32_t wanted) {
    operand a = emit_value(l, e->a);
    operand b = e->b ? emit_value(l, e->b) : operand_none();
    operand c = e->c ? emit_value(l, e->c) : operand_none();
    if (expr_may_divide_by_zero(e)) {
        bool surely = expr_is_const(e->b);
        operand nonzero =
            surely ? operand_const(1, 0) : emit_comparison(l, ARITH_NE, b, operand_const(b.width, 0), e->at);
        emit_check(l, CHECK_DIVISION, nonzero, "division by zero", e->at);
        if (surely) return operand_const(e->type->width, 0); /* never read: the check has ended the path */
    }
    uint32_t destination = destination_for(l, e, wanted);
    return emit_arith(l, e->arith, a, b, c, destination, e->type->width, e->at);
}

static operand value_of_lazy_pair(lowering *l, const expr *e, uint32_t wanted) {
    uint32_t result = destination_for(l, e, wanted);
    uint32_t second = emit_new_block(l), decided = emit_new_block(l), after = emit_new_block(l);
    bool is_and = e->kind == EXPR_AND;
    emit_branch(l, e->a, is_and ? second : decided, is_and ? decided : second);
    emit_continue_in(l, second);
    emit_into(l, e->b, result);
    emit_jump(l, after, e->at);
    emit_continue_in(l, decided);
    instruction *i = emit_instruction(l, INSTR_MOVE, e->at);
    i->dst = result;
    i->a = operand_const(1, !is_and);
    emit_jump(l, after, e->at);
    emit_continue_in(l, after);
    return operand_register(result, 1);
}

static operand value_of_choice(lowering *l, const expr *e, uint32_t wanted) {
    uint32_t result = destination_for(l, e, wanted);
    uint32_t first = emit_new_block(l), second = emit_new_block(l), after = emit_new_block(l);
    emit_branch(l, e->a, first, second);
    emit_continue_in(l, first);
    emit_into(l, e->b, result);
    emit_jump(l, after, e->at);
    emit_continue_in(l, second);
    emit_into(l, e->c, result);
    emit_jump(l, after, e->at);
    emit_continue_in(l, after);
    return in_register(e, result);
}

void emit_branch(lowering *l, const expr *condition, uint32_t then, uint32_t otherwise) {
    if (expr_is_const(condition)) {
        emit_jump(l, condition->value ? then : otherwise, condition->at);
    } else if (condition->kind == EXPR_ARITH && condition->arith == ARITH_NOT) {
        emit_branch(l, condition->a, otherwise, then);
    } else if (condition->kind == EXPR_AND || condition->kind == EXPR_OR) {
        uint32_t second = emit_new_block(l);
        if (condition->kind == EXPR_AND)
            emit_branch(l, condition->a, second, otherwise);
        else
            emit_branch(l, condition->a, then, second);
        emit_continue_in(l, second);
        emit_branch(l, condition->b, then, otherwise);
    } else {
        emit_two_way(l, emit_value(l, condition), then, otherwise, condition->at);
    }
}

/* --- pointers ------------------------------------------------------------------------------------------- */

static operand emit_offset(lowering *l, operand pointer, operand count, uint32_t bytes, uint32_t wanted,
                           position at) {
    uint32_t destination = wanted != NO_INDEX ? wanted : emit_temporary(l, type_scalar(&type_null));
    instruction *i = emit_instruction(l, INSTR_OFFSET, at);
    i->a = pointer;
    i->b = count;
    i->extra = bytes;
    i->dst = destination;
    return operand_register(destination, 64);
}

static bool is_static(operand pointer) {
    return pointer.kind == OPERAND_OBJECT || pointer.kind == OPERAND_LOCAL;
}

operand emit_add_bytes(lowering *l, operand pointer, uint64_t bytes, position at) {
    if (!bytes) return pointer;
    if (!is_static(pointer))
        return emit_offset(l, pointer, operand_const(64, 1), (uint32_t)bytes, NO_INDEX, at);
    pointer.value += bytes;
    return pointer;
}

static operand value_of_step(lowering *l, const expr *e, uint32_t wanted) {
    operand first = emit_value(l, e->count_first ? e->b : e->a);
    operand second = emit_value(l, e->count_first ? e->a : e->b);
    operand pointer = e->count_first ? second : first, count = e->count_first ? first : second;
    if (count.kind == OPERAND_CONST && is_static(pointer)) {
        int64_t bytes, place;
        bool fits = !__builtin_mul_overflow((int64_t)count.value, (int64_t)e->extra, &bytes) &&
                    !__builtin_add_overflow((int64_t)pointer.value, bytes, &place) && place >= 0 &&
                    place < INT32_MAX;
        if (fits) {
            pointer.value = (uint64_t)place;
            return pointer;
        }
    }
    return emit_offset(l, pointer, count, e->extra, wanted, e->at);
}

/* An index below `count`, checked unless that is clear. False: it never is, and using it would
 * be an error. */
static bool emit_bounds_check(lowering *l, const expr *index, operand value, uint64_t count,
                              const char *name) {
    bool constant = value.kind == OPERAND_CONST;
    if (constant ? value.value < count : expr_most(index) < count) return true;
    if (constant) {
        emit_impossible(l, index->at, "index %" PRId64 " is outside of '%s', which has %" PRIu64 " elements",
                        expr_signed_value(index), name, count);
        return false;
    }
    text description = {0};
    text_format(&description, "index within %s", name);
    operand within = emit_comparison(l, ARITH_ULT, value, operand_const(value.width, count), index->at);
    emit_check(l, CHECK_BOUNDS, within, text_cstr(&description), index->at);
    text_free(&description);
    return true;
}

static operand pointer_to_element(lowering *l, const expr *e) {
    operand array = emit_pointer(l, e->a);
    operand index = emit_value(l, e->b);
    if (!emit_bounds_check(l, e->b, index, e->a->type->count, e->name)) return array;
    if (index.kind == OPERAND_CONST) return emit_add_bytes(l, array, index.value * e->extra, e->at);
    if (index.width < 64) {
        const type *wide = e->b->type->is_signed ? &type_long : &type_ulong;
        uint32_t destination = emit_temporary(l, type_scalar(wide));
        index = emit_arith(l, wide->is_signed ? ARITH_SEXT : ARITH_ZEXT, index, operand_none(),
                           operand_none(), destination, 64, e->at);
    }
    return emit_offset(l, array, index, e->extra, NO_INDEX, e->at);
}

operand emit_pointer(lowering *l, const expr *place) {
    switch (place->kind) {
    case EXPR_OBJECT: return operand_object(place->index, 0);
    case EXPR_LOCAL: return operand_local(place->index, 0);
    case EXPR_TARGET: return emit_value(l, place->a);
    case EXPR_MEMBER: return emit_add_bytes(l, emit_pointer(l, place->a), place->extra, place->at);
    default: return pointer_to_element(l, place);
    }
}

void emit_store(lowering *l, operand pointer, operand value, position at) {
    instruction *i = emit_instruction(l, INSTR_STORE, at);
    i->a = pointer;
    i->b = value;
}

/* --- values --------------------------------------------------------------------------------------------- */

static operand value_of_call(lowering *l, const expr *e, uint32_t wanted) {
    VEC(operand) args = {0};
    for (const expr *argument = e->a; argument; argument = argument->next)
        vec_push(&args, emit_value(l, argument));
    bool gives = e->type->kind != TYPE_VOID;
    uint32_t destination = gives ? destination_for(l, e, wanted) : NO_INDEX;
    const operand *copy = program_copy_operands(l->p, args.data, args.size);
    instruction *i = emit_instruction(l, INSTR_CALL, e->at);
    i->dst = destination;
    i->callee = e->symbol->place;
    i->args = copy;
    i->arg_count = (uint32_t)args.size;
    vec_free(&args);
    return gives ? in_register(e, destination) : operand_none();
}

static operand value_with(lowering *l, const expr *e, uint32_t wanted) {
    uint32_t destination;
    instruction *i;
    switch ((expr_kind)e->kind) {
    case EXPR_CONST: return operand_const(e->type->width, e->value);
    case EXPR_REGISTER: return in_register(e, e->index);
    case EXPR_LOAD: {
        operand pointer = emit_pointer(l, e->a);
        destination = destination_for(l, e, wanted);
        i = emit_instruction(l, INSTR_LOAD, e->at);
        i->a = pointer;
        break;
    }
    case EXPR_ADDRESS: return emit_pointer(l, e->a);
    case EXPR_ARITH: return value_of_arith(l, e, wanted);
    case EXPR_AND:
    case EXPR_OR: return value_of_lazy_pair(l, e, wanted);
    case EXPR_CHOICE: return value_of_choice(l, e, wanted);
    case EXPR_STEP: return value_of_step(l, e, wanted);
    case EXPR_CALL: return value_of_call(l, e, wanted);
    case EXPR_INPUT: {
        uint32_t number = emit_input_number(l, e->name, e->type, e->at);
        destination = destination_for(l, e, wanted);
        i = emit_instruction(l, INSTR_INPUT, e->at);
        i->extra = number;
        break;
    }
    case EXPR_NEW: {
        operand count = emit_value(l, e->a);
        uint32_t elements;
        bool is_array;
        const layout *shape = type_shape(l->p, e->type->element, &elements, &is_array);
        destination = destination_for(l, e, wanted);
        i = emit_instruction(l, INSTR_ALLOC, e->at);
        i->a = count;
        i->shape = shape;
        break;
    }
    default: /* EXPR_TIME: places are never values */
        destination = destination_for(l, e, wanted);
        i = emit_instruction(l, INSTR_TIME, e->at);
    }
    i->dst = destination;
    return in_register(e, destination);
}

operand emit_value(lowering *l, const expr *e) {
    return value_with(l, e, NO_INDEX);
}

void emit_into(lowering *l, const expr *e, uint32_t destination) {
    operand value = value_with(l, e, destination);
    if (value.kind == OPERAND_REGISTER && value.index == destination) return;
    instruction *i = emit_instruction(l, INSTR_MOVE, e->at);
    i->dst = destination;
    i->a = value;
}

/* --- events, threads, updates --------------------------------------------------------------------------- */

operand emit_reference(lowering *l, ast *reference) {
    const symbol *s = reference->symbol;
    operand nothing = operand_const(32, 0);
    if (!s) return nothing;
    const char *what = symbol_kind_name(s->kind);
    if (!s->is_array && reference->a)
        lower_error(l, reference->at, "the %s '%s' is not an array", what, s->name);
    if (s->is_array && !reference->a)
        lower_error(l, reference->at, "'%s' is an array of %ss: which one?", s->name, what);
    if (s->is_array != (reference->a != NULL)) return nothing;
    if (!reference->a) return operand_const(32, s->place);

    expr *index = elaborate_value(l, reference->a);
    if (!index) return nothing;
    if (!type_is_number(index->type)) {
        lower_error(l, reference->a->at, "an index must be a number");
        return nothing;
    }
    index = expr_convert(&l->scratch, index, type_promoted(index->type), reference->a->at);
    operand value = emit_value(l, index);
    if (!emit_bounds_check(l, index, value, s->count, s->name)) return nothing;
    if (value.kind == OPERAND_CONST) return operand_const(32, s->place + value.value);
    position at = reference->a->at;
    if (value.width > 32) {
        uint32_t narrow = emit_temporary(l, type_scalar(&type_uint));
        value = emit_arith(l, ARITH_TRUNC, value, operand_none(), operand_none(), narrow, 32, at);
    }
    if (!s->place) return value;
    uint32_t number = emit_temporary(l, type_scalar(&type_uint));
    return emit_arith(l, ARITH_ADD, value, operand_const(32, s->place), operand_none(), number, 32, at);
}
