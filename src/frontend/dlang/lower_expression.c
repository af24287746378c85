#include "frontend/dlang/lower.h"

static const scalar_type number_type = {NUMBER_BITS, VIEW_SIGNED}, truth_type = {1, VIEW_BOOL};

/* --- instructions --------------------------------------------------------------------------------------- */

instruction *dlang_emit(lowering *l, instruction_kind kind, position at) {
    return function_emit(l->p, l->function, l->block, kind, at);
}

/* A register may be used again only by a later statement: a state holds all registers of a thread, so few of
 * them make states small. */
operand dlang_temporary(lowering *l, unsigned width) {
    if (width == 1) {
        if (l->truths_used == l->truths.size)
            vec_push(&l->truths, function_add_register(l->p, l->function, truth_type, NULL));
        return operand_register(l->truths.data[l->truths_used++], 1);
    }
    if (l->numbers_used == l->numbers.size)
        vec_push(&l->numbers, function_add_register(l->p, l->function, number_type, NULL));
    return operand_register(l->numbers.data[l->numbers_used++], NUMBER_BITS);
}

operand dlang_emit_arith(lowering *l, arith op, operand a, operand b, position at) {
    assert(a.width == b.width || b.kind == OPERAND_NONE);
    bool compares = op >= ARITH_EQ && op <= ARITH_SLE;
    operand result = dlang_temporary(l, compares || a.width == 1 ? 1 : NUMBER_BITS);
    instruction *i = dlang_emit(l, INSTR_ARITH, at);
    i->arith = (uint8_t)op;
    i->dst = result.index;
    i->a = a;
    i->b = b;
    return result;
}

static operand choose(lowering *l, operand condition, operand yes, operand no, position at) {
    operand result = dlang_temporary(l, yes.width);
    instruction *i = dlang_emit(l, INSTR_ARITH, at);
    i->arith = ARITH_SELECT;
    i->dst = result.index;
    i->a = condition;
    i->b = yes;
    i->c = no;
    return result;
}

void dlang_emit_sync(lowering *l, sync_op op, position at) {
    dlang_emit(l, INSTR_SYNC, at)->sync = (uint8_t)op;
}

void dlang_emit_jump(lowering *l, uint32_t target, position at) {
    dlang_emit(l, INSTR_JUMP, at)->target[0] = target;
}

uint32_t dlang_emit_branch(lowering *l, operand condition, position at) {
    assert(condition.width == 1);
    uint32_t yes = function_add_block(l->p, l->function), no = function_add_block(l->p, l->function);
    instruction *i = dlang_emit(l, INSTR_BRANCH, at);
    i->a = condition;
    i->target[0] = yes;
    i->target[1] = no;
    l->block = yes;
    return no;
}

void dlang_emit_check(lowering *l, check_kind kind, operand condition, const char *description, position at) {
    assert(condition.width == 1);
    check c = {.kind = kind,
               .text = program_copy_text(l->p, description),
               .thread_or_function = l->p->functions.data[l->function].name,
               .at = at};
    vec_push(&l->p->checks, c);
    instruction *i = dlang_emit(l, INSTR_CHECK, at);
    i->a = condition;
    i->check = (uint32_t)(l->p->checks.size - 1);
}

/* --- places --------------------------------------------------------------------------------------------- */

static const variable *variable_of(const lowering *l, const ast *place) {
    return &l->file->variables.data[place->variable];
}

bool dlang_is_register(const lowering *l, const ast *place) {
    const variable *v = variable_of(l, place);
    return v->kind == VARIABLE_LOCAL && v->length == 1;
}

operand dlang_emit_offset(lowering *l, operand pointer, operand count, uint32_t bytes, position at) {
    if (count.kind == OPERAND_CONST && pointer.kind != OPERAND_REGISTER) {
        pointer.value += count.value * bytes;
        return pointer;
    }
    operand result = dlang_temporary(l, NUMBER_BITS);
    instruction *i = dlang_emit(l, INSTR_OFFSET, at);
    i->dst = result.index;
    i->a = pointer;
    i->b = count;
    i->extra = bytes;
    return result;
}

static bool certainly_within(operand index, uint32_t length) {
    return index.kind == OPERAND_CONST && index.value < length;
}

/* Also when it is constant, an index that is wrong is an error only of executions that use it. */
static operand checked_index(lowering *l, const ast *place) {
    const variable *v = variable_of(l, place);
    operand index = place->a ? dlang_emit_value(l, place->a) : number(0);
    if (certainly_within(index, v->length)) return index;
    operand within = index.kind == OPERAND_CONST
                         ? operand_const(1, 0)
                         : dlang_emit_arith(l, ARITH_ULT, index, number(v->length), place->at);
    text description = {0};
    text_format(&description, "index within %s", v->name);
    dlang_emit_check(l, CHECK_BOUNDS, within, text_cstr(&description), place->at);
    text_free(&description);
    return index.kind == OPERAND_CONST ? number(0) : index;
}

operand dlang_emit_pointer(lowering *l, const ast *place) {
    const variable *v = variable_of(l, place);
    operand index = checked_index(l, place);
    if (dlang_is_register(l, place)) return operand_none();
    uint32_t at = l->place[place->variable];
    if (v->kind == VARIABLE_LOCAL) return dlang_emit_offset(l, operand_local(at, 0), index, 8, place->at);
    uint32_t stride = l->p->objects.data[at].shape->stride;
    return dlang_emit_offset(l, operand_object(at, 0), index, stride, place->at);
}

operand dlang_emit_load(lowering *l, const ast *place, operand pointer) {
    if (dlang_is_register(l, place)) return operand_register(l->place[place->variable], NUMBER_BITS);
    operand result = dlang_temporary(l, NUMBER_BITS);
    instruction *i = dlang_emit(l, INSTR_LOAD, place->at);
    i->order = variable_of(l, place)->kind == VARIABLE_SHARED ? ORDER_SEQ_CST : ORDER_PLAIN;
    i->dst = result.index;
    i->a = pointer;
    return result;
}

void dlang_emit_store(lowering *l, const ast *place, operand pointer, operand value) {
    bool is_register = dlang_is_register(l, place);
    assert(value.width == NUMBER_BITS && (pointer.kind == OPERAND_NONE) == is_register);
    instruction *i = dlang_emit(l, is_register ? INSTR_MOVE : INSTR_STORE, place->at);
    if (is_register) {
        i->dst = l->place[place->variable];
        i->a = value;
    } else {
        i->order = variable_of(l, place)->kind == VARIABLE_SHARED ? ORDER_SEQ_CST : ORDER_PLAIN;
        i->a = pointer;
        i->b = value;
    }
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static operand value_of_place(lowering *l, const ast *e) {
    const variable *v = variable_of(l, e);
    if (v->kind != VARIABLE_CONST) return dlang_emit_load(l, e, dlang_emit_pointer(l, e));
    operand index = checked_index(l, e);
    if (index.kind == OPERAND_CONST) return number(v->values ? v->values[index.value] : 0);
    return dlang_emit_load(l, e,
                           dlang_emit_offset(l, operand_object(l->place[e->variable], 0), index, 8, e->at));
}

static operand is_nonzero(lowering *l, operand a, position at) {
    return dlang_emit_arith(l, ARITH_NE, a, number(0), at);
}

/* The machine's remainder has the sign of a and its quotient is cut off; ours have the sign of b and are
 * rounded down. They differ where a remainder is left whose sign is not that of b. */
static operand divide(lowering *l, const ast *e, operand a, operand b) {
    operand nonzero = b.kind == OPERAND_CONST ? operand_const(1, b.value != 0) : is_nonzero(l, b, e->at);
    if (b.kind != OPERAND_CONST || !b.value)
        dlang_emit_check(l, CHECK_DIVISION, nonzero, "division by zero", e->at);
    if (b.kind == OPERAND_CONST && !b.value) return number(0);
    operand rest = dlang_emit_arith(l, ARITH_SREM, a, b, e->at), off;
    if (b.kind == OPERAND_CONST) {
        bool positive = (int64_t)b.value > 0;
        off = dlang_emit_arith(l, ARITH_SLT, positive ? rest : number(0), positive ? number(0) : rest, e->at);
    } else {
        operand signs = dlang_emit_arith(l, ARITH_XOR, rest, b, e->at);
        operand differ = dlang_emit_arith(l, ARITH_SLT, signs, number(0), e->at);
        off = dlang_emit_arith(l, ARITH_AND, differ, is_nonzero(l, rest, e->at), e->at);
    }
    operand usual = e->op == TOKEN_PERCENT ? rest : dlang_emit_arith(l, ARITH_SDIV, a, b, e->at);
    operand other = e->op == TOKEN_PERCENT ? dlang_emit_arith(l, ARITH_ADD, rest, b, e->at)
                                           : dlang_emit_arith(l, ARITH_SUB, usual, number(1), e->at);
    return choose(l, off, other, usual, e->at);
}

static operand value_of_arithmetic(lowering *l, const ast *e, operand a, operand b) {
    switch (e->op) {
    case TOKEN_PLUS: return dlang_emit_arith(l, ARITH_ADD, a, b, e->at);
    case TOKEN_MINUS: return dlang_emit_arith(l, ARITH_SUB, a, b, e->at);
    case TOKEN_STAR: return dlang_emit_arith(l, ARITH_MUL, a, b, e->at);
    case TOKEN_EQUAL: return dlang_emit_arith(l, ARITH_EQ, a, b, e->at);
    case TOKEN_UNEQUAL: return dlang_emit_arith(l, ARITH_NE, a, b, e->at);
    case TOKEN_LESS: return dlang_emit_arith(l, ARITH_SLT, a, b, e->at);
    case TOKEN_LESS_EQUAL: return dlang_emit_arith(l, ARITH_SLE, a, b, e->at);
    case TOKEN_GREATER: return dlang_emit_arith(l, ARITH_SLT, b, a, e->at);
    case TOKEN_GREATER_EQUAL: return dlang_emit_arith(l, ARITH_SLE, b, a, e->at);
    default: return divide(l, e, a, b);
    }
}

/* && and || leave out their right side when the left side decides, with all that it would read or check. */
static operand value_of_connective(lowering *l, const ast *e) {
    operand left = dlang_emit_value(l, e->a);
    bool both = e->op == TOKEN_AND;
    if (left.kind == OPERAND_CONST) return !left.value == both ? left : dlang_emit_value(l, e->b);
    operand result = dlang_temporary(l, 1);
    uint32_t no = dlang_emit_branch(l, left, e->at), yes = l->block,
             end = function_add_block(l->p, l->function);
    l->block = both ? yes : no;
    operand right = dlang_emit_value(l, e->b);
    instruction *i = dlang_emit(l, INSTR_MOVE, e->at);
    i->dst = result.index;
    i->a = right;
    dlang_emit_jump(l, end, e->at);
    l->block = both ? no : yes;
    i = dlang_emit(l, INSTR_MOVE, e->at);
    i->dst = result.index;
    i->a = operand_const(1, !both);
    dlang_emit_jump(l, end, e->at);
    l->block = end;
    return result;
}

static operand value_of_binary(lowering *l, const ast *e) {
    if (e->op == TOKEN_AND || e->op == TOKEN_OR) return value_of_connective(l, e);
    operand a = dlang_emit_value(l, e->a), b = dlang_emit_value(l, e->b);
    int64_t value;
    if (a.kind == OPERAND_CONST && b.kind == OPERAND_CONST &&
        dlang_compute(e->op, (int64_t)a.value, (int64_t)b.value, &value))
        return operand_const(e->truth ? 1 : NUMBER_BITS, (uint64_t)value);
    return value_of_arithmetic(l, e, a, b);
}

static operand value_of_unary(lowering *l, const ast *e) {
    operand a = dlang_emit_value(l, e->a);
    if (a.kind == OPERAND_CONST)
        return e->truth ? operand_const(1, !a.value) : operand_const(NUMBER_BITS, 0 - a.value);
    if (!e->truth) return dlang_emit_arith(l, ARITH_SUB, number(0), a, e->at);
    return dlang_emit_arith(l, ARITH_XOR, a, operand_const(1, 1), e->at);
}

/* 1 if the place held the expected value and now holds the new one, else 0. A swap that fails only reads. */
static operand value_of_swap(lowering *l, const ast *e) {
    operand expected = dlang_emit_value(l, e->b), new_value = dlang_emit_value(l, e->c);
    operand pointer = dlang_emit_pointer(l, e->a), result = dlang_temporary(l, NUMBER_BITS);
    operand same = dlang_emit_arith(l, ARITH_EQ, dlang_emit_load(l, e->a, pointer), expected, e->at);
    uint32_t no = dlang_emit_branch(l, same, e->at), end = function_add_block(l->p, l->function);
    dlang_emit_store(l, e->a, pointer, new_value);
    for (int swapped = 1; swapped >= 0; swapped--) {
        instruction *i = dlang_emit(l, INSTR_MOVE, e->at);
        i->dst = result.index;
        i->a = number(swapped);
        dlang_emit_jump(l, end, e->at);
        l->block = swapped ? no : end;
    }
    return result;
}

static operand value_of_length(lowering *l, const ast *e) {
    operand pointer = dlang_emit_pointer(l, e->a), result = dlang_temporary(l, NUMBER_BITS);
    instruction *i = dlang_emit(l, INSTR_LOAD, e->at);
    i->order = ORDER_SEQ_CST;
    i->dst = result.index;
    i->a = pointer;
    return result;
}

operand dlang_emit_value(lowering *l, const ast *e) {
    switch ((ast_kind)e->kind) {
    case AST_NUMBER: return number(e->value);
    case AST_PLACE: return value_of_place(l, e);
    case AST_UNARY: return value_of_unary(l, e);
    case AST_BINARY: return value_of_binary(l, e);
    case AST_CAS: return value_of_swap(l, e);
    default: return value_of_length(l, e);
    }
}

unsigned dlang_shared_accesses(const lowering *l, const ast *e) {
    if (!e) return 0;
    unsigned inside =
        dlang_shared_accesses(l, e->a) + dlang_shared_accesses(l, e->b) + dlang_shared_accesses(l, e->c);
    bool shared = e->kind == AST_PLACE && variable_of(l, e)->kind == VARIABLE_SHARED;
    bool swaps = e->kind == AST_CAS && variable_of(l, e->a)->kind == VARIABLE_SHARED;
    return inside + shared + swaps + (e->kind == AST_LENGTH);
}
