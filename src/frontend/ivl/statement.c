/* Statements to blocks of instructions. */
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/lower.h"

static void lower_statement(lowering *l, ast *s);

void lower_statements(lowering *l, ast *first) {
    for (ast *s = first; s && !l->too_large; s = s->next) lower_statement(l, s);
}

/* --- assignments ---------------------------------------------------------------------------------------- */

static const char *input_name_for(lowering *l, const ast *place) {
    text name = {0};
    ast_print_expression(l->file, place, &name);
    const char *copy = arena_string(&l->scratch, text_cstr(&name), name.size);
    text_free(&name);
    return copy;
}

static void store_in_place(lowering *l, const expr *place, const expr *value, position at) {
    if (place->kind == EXPR_REGISTER) {
        emit_into(l, value, place->index);
        return;
    }
    operand v = emit_value(l, value);
    emit_store(l, emit_pointer(l, place), v, at);
}

static void lower_plain_assignment(lowering *l, ast *s, const expr *place) {
    if (place->type->kind == TYPE_ARRAY) {
        if (s->b->kind == AST_INPUT && s->b->list)
            lower_array_input(l, place, s->b, input_name_for(l, s->a));
        else
            lower_error(l, s->at, "an array cannot be assigned as a whole, except by ?(type[n])");
        return;
    }
    if (place->type->kind == TYPE_STRUCT) {
        expr *from = elaborate_place(l, s->b);
        if (!from) return;
        if (!type_equal(from->type, place->type)) {
            lower_error(l, s->b->at, "the two sides are not of the same struct");
            return;
        }
        operand source = emit_pointer(l, from);
        lower_copy(l, emit_pointer(l, place), source, place->type, s->at);
        return;
    }
    if (s->b->kind == AST_INPUT) l->input_name = input_name_for(l, s->a);
    expr *value = elaborate_as(l, s->b, place->type);
    l->input_name = NULL;
    if (value) store_in_place(l, place, value, s->at);
}

static unsigned operator_of_assignment(unsigned op) {
    switch (op) {
    case TOKEN_INCREMENT:
    case TOKEN_ADD_ASSIGN: return TOKEN_PLUS;
    case TOKEN_DECREMENT:
    case TOKEN_SUB_ASSIGN: return TOKEN_MINUS;
    case TOKEN_MUL_ASSIGN: return TOKEN_STAR;
    case TOKEN_DIV_ASSIGN: return TOKEN_SLASH;
    case TOKEN_REM_ASSIGN: return TOKEN_PERCENT;
    case TOKEN_AND_ASSIGN: return TOKEN_AMPERSAND;
    case TOKEN_OR_ASSIGN: return TOKEN_PIPE;
    case TOKEN_XOR_ASSIGN: return TOKEN_CARET;
    case TOKEN_SHL_ASSIGN: return TOKEN_SHL;
    default: return TOKEN_SHR;
    }
}

/* The right operand of `cell op= value` as an update at the cell's own width, with the operator; NULL if that
 * is not the same as C++'s computation at the promoted width. On numbers the low bits of + - * & | ^ depend
 * on low bits only. On bool, & looks at the lowest bit, | at all bits, and ^ is one only for values
 * 0 and 1. */
static expr *update_operand(lowering *l, unsigned op, const type *cell, expr *value, position at,
                            arith *out) {
    arena *m = &l->scratch;
    if (!type_is_number(cell) || !type_is_number(value->type)) return NULL;
    if (cell->kind == TYPE_BOOL) {
        expr *narrow = expr_narrow(m, value);
        if (op == TOKEN_AMPERSAND)
            return *out = ARITH_AND,
                   narrow ? narrow : expr_arith(m, ARITH_TRUNC, &type_bool, value, NULL, at);
        if (op == TOKEN_PIPE) return *out = ARITH_OR, expr_truth(m, value, at);
        return op == TOKEN_CARET ? *out = ARITH_XOR, narrow : NULL;
    }
    switch (op) {
    case TOKEN_PLUS:
    case TOKEN_MINUS: *out = ARITH_ADD; break;
    case TOKEN_STAR: *out = ARITH_MUL; break;
    case TOKEN_AMPERSAND: *out = ARITH_AND; break;
    case TOKEN_PIPE: *out = ARITH_OR; break;
    case TOKEN_CARET: *out = ARITH_XOR; break;
    default: return NULL;
    }
    expr *converted = expr_convert(m, value, cell, at);
    return op == TOKEN_MINUS ? expr_arith(m, ARITH_NEG, cell, converted, NULL, at) : converted;
}

/* cell = (type of cell)(cell op value); the place is evaluated once. */
static void lower_read_and_write(lowering *l, unsigned op, const expr *place, expr *value, position at) {
    if (place->kind == EXPR_REGISTER) {
        expr *old = arena_copy(&l->scratch, place, sizeof *place);
        expr *sum = elaborate_arithmetic(l, op, old, value, at);
        sum = convert_implicitly(l, sum, place->type, at);
        if (sum) emit_into(l, sum, place->index);
        return;
    }
    /* the value first, then the place: both go to registers that stand for them in the computation */
    expr *right = expr_make(&l->scratch, EXPR_REGISTER, value->type, at),
         *old = expr_make(&l->scratch, EXPR_REGISTER, place->type, at);
    if (expr_is_const(value) || value->kind == EXPR_REGISTER)
        right = value;
    else
        emit_into(l, value, right->index = emit_temporary(l, type_scalar(value->type)));
    operand cell = emit_pointer(l, place);
    old->index = emit_temporary(l, type_scalar(place->type));
    instruction *i = emit_instruction(l, INSTR_LOAD, at);
    i->a = cell;
    i->dst = old->index;
    expr *sum = elaborate_arithmetic(l, op, old, right, at);
    sum = convert_implicitly(l, sum, place->type, at);
    if (!sum) return;
    operand result = emit_value(l, sum);
    emit_store(l, cell, result, at);
}

static void lower_compound_assignment(lowering *l, ast *s, const expr *place) {
    if (!type_is_scalar(place->type)) {
        lower_error(l, s->at, "operator %s needs a number or pointer on its left", token_kind_name(s->op));
        return;
    }
    unsigned op = operator_of_assignment(s->op);
    expr *value = s->b ? elaborate_value(l, s->b) : expr_const(&l->scratch, &type_int, 1, s->at);
    if (!value) return;
    if (type_is_pointer(place->type) &&
        ((op != TOKEN_PLUS && op != TOKEN_MINUS) || !type_is_number(value->type))) {
        lower_error(l, s->at, "operator %s cannot be used on this pointer", token_kind_name(s->op));
        return;
    }
    arith update = ARITH_ADD;
    expr *by =
        place->kind == EXPR_REGISTER ? NULL : update_operand(l, op, place->type, value, s->at, &update);
    if (!by) {
        lower_read_and_write(l, op, place, value, s->at);
        return;
    }
    operand b = emit_value(l, by), cell = emit_pointer(l, place);
    instruction *i = emit_instruction(l, INSTR_UPDATE, s->at);
    i->arith = (uint8_t)update;
    i->a = cell;
    i->b = b;
}

static void lower_assignment(lowering *l, ast *s) {
    const expr *place = elaborate_place(l, s->a);
    if (!place) return;
    if (s->op == TOKEN_ASSIGN)
        lower_plain_assignment(l, s, place);
    else
        lower_compound_assignment(l, s, place);
}

/* --- control -------------------------------------------------------------------------------------------- */

/* Code behind a jump belongs to no path; it is still lowered, for its errors, into a block
 * that nothing reaches. */
static void start_unreachable(lowering *l) {
    emit_continue_in(l, emit_new_block(l));
}

static void branch_on(lowering *l, ast *condition, uint32_t then, uint32_t otherwise) {
    expr *truth = elaborate_condition(l, condition);
    if (!truth) truth = expr_const(&l->scratch, &type_bool, 1, condition->at); /* reported; go on */
    emit_branch(l, truth, then, otherwise);
}

static void lower_if(lowering *l, ast *s) {
    uint32_t after = emit_new_block(l);
    for (;;) {
        uint32_t then = emit_new_block(l), otherwise = s->c ? emit_new_block(l) : after;
        branch_on(l, s->a, then, otherwise);
        emit_continue_in(l, then);
        lower_statement(l, s->b);
        emit_jump(l, after, s->at);
        if (!s->c) break;
        emit_continue_in(l, otherwise);
        if (s->c->kind == AST_IF) {
            s = s->c;
            continue;
        }
        lower_statement(l, s->c);
        emit_jump(l, after, s->at);
        break;
    }
    emit_continue_in(l, after);
}

static void lower_loop_body(lowering *l, ast *body, uint32_t break_to, uint32_t continue_to) {
    uint32_t outer_break = l->break_to, outer_continue = l->continue_to;
    l->break_to = break_to;
    l->continue_to = continue_to;
    l->loops++;
    lower_statement(l, body);
    l->loops--;
    l->break_to = outer_break;
    l->continue_to = outer_continue;
}

static void lower_while(lowering *l, ast *s) {
    uint32_t head = emit_new_block(l), body = emit_new_block(l), after = emit_new_block(l);
    emit_jump(l, head, s->at);
    emit_continue_in(l, head);
    branch_on(l, s->a, body, after);
    emit_continue_in(l, body);
    lower_loop_body(l, s->b, after, head);
    emit_jump(l, head, s->at);
    emit_continue_in(l, after);
}

static void lower_do(lowering *l, ast *s) {
    uint32_t body = emit_new_block(l), condition = emit_new_block(l), after = emit_new_block(l);
    emit_jump(l, body, s->at);
    emit_continue_in(l, body);
    lower_loop_body(l, s->b, after, condition);
    emit_jump(l, condition, s->at);
    emit_continue_in(l, condition);
    branch_on(l, s->a, body, after);
    emit_continue_in(l, after);
}

static void lower_for(lowering *l, ast *s) {
    uint32_t head = emit_new_block(l), body = emit_new_block(l), step = emit_new_block(l),
             after = emit_new_block(l);
    if (s->a) lower_statement(l, s->a);
    emit_jump(l, head, s->at);
    emit_continue_in(l, head);
    if (s->b)
        branch_on(l, s->b, body, after);
    else
        emit_jump(l, body, s->at);
    emit_continue_in(l, body);
    lower_loop_body(l, s->d, after, step);
    emit_jump(l, step, s->at);
    emit_continue_in(l, step);
    if (s->c) lower_statement(l, s->c);
    emit_jump(l, head, s->at);
    emit_continue_in(l, after);
}

/* Compares with one case after the other, from the current block; ends it. */
static void select_case(lowering *l, ast *s, const expr *value, const uint32_t *blocks, uint32_t otherwise) {
    operand v = emit_value(l, value);
    map seen = {0};
    uint32_t k = 0;
    bool decided = false;
    for (ast *c = s->list; c; c = c->next, k++) {
        if (!c->a) {
            otherwise = blocks[k];
            continue;
        }
        int64_t number;
        if (!elaborate_constant(l, c->a, "case", INT64_MIN, INT64_MAX, &number)) continue;
        uint64_t wanted = expr_const(&l->scratch, value->type, (uint64_t)number, c->at)->value;
        if (map_get(&seen, wanted) != MAP_NONE) lower_error(l, c->at, "second case with this value");
        map_put(&seen, wanted, k);
        if (decided) continue;
        if (v.kind == OPERAND_CONST) {
            if (v.value != wanted) continue;
            emit_jump(l, blocks[k], c->at);
            decided = true;
            continue;
        }
        uint32_t equal = emit_temporary(l, type_scalar(&type_bool)), next = emit_new_block(l);
        instruction *i = emit_instruction(l, INSTR_ARITH, c->at);
        i->arith = ARITH_EQ;
        i->dst = equal;
        i->a = v;
        i->b = operand_const(v.width, wanted);
        emit_two_way(l, operand_register(equal, 1), blocks[k], next, c->at);
        emit_continue_in(l, next);
    }
    if (!decided) emit_jump(l, otherwise, s->at);
    map_free(&seen);
}

static void lower_switch(lowering *l, ast *s) {
    expr *value = elaborate_value(l, s->a);
    if (value && !type_is_number(value->type)) {
        lower_error(l, s->a->at, "switch needs a number");
        value = NULL;
    }
    if (!value) value = expr_const(&l->scratch, &type_int, 0, s->at);
    value = expr_convert(&l->scratch, value, type_promoted(value->type), s->at);
    VEC(uint32_t) blocks = {0};
    for (ast *c = s->list; c; c = c->next) vec_push(&blocks, emit_new_block(l));
    uint32_t after = emit_new_block(l), outer = l->break_to;
    select_case(l, s, value, blocks.data, after);
    start_unreachable(l);
    l->break_to = after;
    uint32_t k = 0;
    for (ast *c = s->list; c; c = c->next, k++) {
        emit_jump(l, blocks.data[k], c->at); /* falls through from the case before */
        emit_continue_in(l, blocks.data[k]);
        lower_statements(l, c->list);
    }
    emit_jump(l, after, s->at);
    l->break_to = outer;
    emit_continue_in(l, after);
    vec_free(&blocks);
}

static uint32_t block_of_label(lowering *l, symbol *label) {
    if (label->count != l->generation) {
        label->count = l->generation;
        label->place = emit_new_block(l);
        l->live.data[label->place] = true; /* where the jumps to it come from is not known yet */
    }
    return label->place;
}

static void lower_label(lowering *l, ast *s) {
    uint32_t block = block_of_label(l, s->symbol);
    emit_jump(l, block, s->at);
    emit_continue_in(l, block);
    lower_statement(l, s->a);
}

static void leave_to(lowering *l, uint32_t block, position at) {
    emit_jump(l, block, at);
    start_unreachable(l);
}

static void lower_return(lowering *l, ast *s) {
    operand value = operand_none();
    if (s->a && l->result->kind == TYPE_VOID) {
        lower_error(l, s->a->at, "%s '%s' returns no value", symbol_kind_name(l->body->kind), l->where);
        return;
    }
    if (!s->a && l->result->kind != TYPE_VOID) {
        lower_error(l, s->at, "the function '%s' must return a value", l->where);
        return;
    }
    if (s->a) {
        expr *e = elaborate_as(l, s->a, l->result);
        if (!e) return;
        value = emit_value(l, e);
    }
    emit_instruction(l, INSTR_RETURN, s->at)->a = value;
    start_unreachable(l);
}

/* --- scheduler ------------------------------------------------------------------------------------------ */

static void emit_sync(lowering *l, sync_op op, operand a, operand b, position at) {
    instruction *i = emit_instruction(l, INSTR_SYNC, at);
    i->sync = (uint8_t)op;
    i->a = a;
    i->b = b;
}

static operand delay_of(lowering *l, ast *e) {
    expr *time = elaborate_time(l, e);
    if (!time) return operand_const(64, 0);
    if (expr_is_const(time) && expr_is_negative(time)) emit_impossible(l, e->at, "negative delay");
    return emit_value(l, time);
}

static void lower_wait(lowering *l, ast *s) {
    VEC(operand) events = {0};
    for (ast *e = s->list; e; e = e->next) vec_push(&events, emit_reference(l, e));
    operand time = s->a ? delay_of(l, s->a) : operand_none();
    const operand *args = program_copy_operands(l->p, events.data, events.size);
    instruction *i = emit_instruction(l, INSTR_SYNC, s->at);
    i->sync = s->op == TOKEN_AMPERSAND ? SYNC_WAIT_ALL : SYNC_WAIT_ANY;
    i->a = time;
    i->args = args;
    i->arg_count = (uint32_t)events.size;
    vec_free(&events);
}

static void lower_notify(lowering *l, ast *s) {
    operand event = emit_reference(l, s->a);
    if (!s->b) {
        emit_sync(l, SYNC_NOTIFY, event, operand_none(), s->at);
        return;
    }
    operand delay = delay_of(l, s->b);
    emit_sync(l, SYNC_NOTIFY_AFTER, event, delay, s->at);
}

static void lower_start(lowering *l, ast *s) {
    operand limit = operand_none();
    if (s->a) {
        expr *time = elaborate_time(l, s->a);
        if (!time) return;
        limit = emit_value(l, time);
    }
    emit_sync(l, SYNC_START, limit, operand_none(), s->at);
}

/* --- the others ----------------------------------------------------------------------------------------- */

static void lower_assume(lowering *l, ast *s) {
    expr *truth = elaborate_condition(l, s->a);
    if (!truth || (expr_is_const(truth) && truth->value)) return;
    operand condition = emit_value(l, truth);
    emit_instruction(l, INSTR_ASSUME, s->at)->a = condition;
}

static void lower_assert(lowering *l, ast *s) {
    expr *truth = elaborate_condition(l, s->a);
    if (truth) emit_check(l, CHECK_ASSERTION, emit_value(l, truth), s->text, s->at);
}

static void lower_delete(lowering *l, ast *s) {
    expr *pointer = elaborate_value(l, s->a);
    if (!pointer) return;
    if (!type_is_pointer(pointer->type)) {
        lower_error(l, s->a->at, "delete needs a pointer");
        return;
    }
    operand value = emit_value(l, pointer);
    emit_instruction(l, INSTR_FREE, s->at)->a = value;
}

static void lower_expression(lowering *l, ast *s) {
    expr *e = s->a->kind == AST_CALL ? elaborate_call_statement(l, s->a) : elaborate_value(l, s->a);
    if (!e) return;
    if (!e->careful) diag_report(l->d, DIAG_WARNING, s->at, "this expression has no effect");
    emit_value(l, e);
}

static void lower_statement(lowering *l, ast *s) {
    if (l->too_large) return;
    switch (s->kind) {
    case AST_GROUP:
        for (ast *v = s->list; v; v = v->next) lower_local(l, v);
        break;
    case AST_BLOCK: lower_statements(l, s->list); break;
    case AST_EXPRESSION: lower_expression(l, s); break;
    case AST_ASSIGN: lower_assignment(l, s); break;
    case AST_IF: lower_if(l, s); break;
    case AST_WHILE: lower_while(l, s); break;
    case AST_DO: lower_do(l, s); break;
    case AST_FOR: lower_for(l, s); break;
    case AST_SWITCH: lower_switch(l, s); break;
    case AST_BREAK: leave_to(l, l->break_to, s->at); break;
    case AST_CONTINUE: leave_to(l, l->continue_to, s->at); break;
    case AST_GOTO: leave_to(l, block_of_label(l, s->symbol), s->at); break;
    case AST_LABEL: lower_label(l, s); break;
    case AST_RETURN: lower_return(l, s); break;
    case AST_ASSERT: lower_assert(l, s); break;
    case AST_ASSUME: lower_assume(l, s); break;
    case AST_DELETE: lower_delete(l, s); break;
    case AST_WAIT: lower_wait(l, s); break;
    case AST_DELAY: emit_sync(l, SYNC_WAIT_TIME, delay_of(l, s->a), operand_none(), s->at); break;
    case AST_NOTIFY: lower_notify(l, s); break;
    case AST_CANCEL: emit_sync(l, SYNC_CANCEL, emit_reference(l, s->a), operand_none(), s->at); break;
    case AST_SUSPEND: emit_sync(l, SYNC_SUSPEND, emit_reference(l, s->a), operand_none(), s->at); break;
    case AST_RESUME: emit_sync(l, SYNC_RESUME, emit_reference(l, s->a), operand_none(), s->at); break;
    case AST_REQUEST:
        emit_sync(l, SYNC_REQUEST_UPDATE, emit_reference(l, s->a), operand_none(), s->at);
        break;
    case AST_START: lower_start(l, s); break;
    case AST_STOP: emit_sync(l, SYNC_STOP, operand_none(), operand_none(), s->at); break;
    default: break;
    }
}
