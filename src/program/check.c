/* Invariants of the representation. A violation names the function, block and instruction: it is a front
 * end's bug. */
#include "program/program.h"

typedef struct checker {
    const program *p;
    const function *f; /* being checked */
    size_t block, index;
    const instruction *i;
    diagnostics *d;
    bool good;
} checker;

static void complain(checker *c, const char *problem) {
    c->good = false;
    if (c->i)
        diag_report(c->d, DIAG_ERROR, c->i->at, "internal: function %s, block %zu, instruction %zu: %s",
                    c->f->name, c->block, c->index, problem);
    else if (c->f)
        diag_report(c->d, DIAG_ERROR, c->f->at, "internal: function %s: %s", c->f->name, problem);
    else
        diag_report(c->d, DIAG_ERROR, (position){0, 0}, "internal: %s", problem);
}

static bool require(checker *c, bool condition, const char *problem) {
    if (!condition) complain(c, problem);
    return condition;
}

/* --- tables --------------------------------------------------------------------------------------------- */

static bool type_is_valid(const checker *c, scalar_type type) {
    return type.width >= 1 && type.width <= 64 && type.view <= VIEW_POINTER &&
           (type.view != VIEW_POINTER || type.width == c->p->pointer_bits);
}

static void check_layout(checker *c, const layout *shape) {
    if (!require(c, shape && shape->cells && shape->cell && shape->stride, "layout without cells")) return;
    uint32_t end = 0;
    for (uint32_t k = 0; k < shape->cells; k++) {
        const cell_type *cell = &shape->cell[k];
        if (!require(c, type_is_valid(c, cell->type) && cell->name, "layout with an invalid cell")) return;
        if (!require(c, cell->offset >= end, "layout with overlapping or unordered cells")) return;
        end = cell->offset + (cell->type.width + 7u) / 8;
    }
    require(c, end <= shape->stride, "layout with a cell beyond its stride");
}

static void check_function_number(checker *c, uint32_t number, function_role role, const char *problem) {
    require(c, number < c->p->functions.size && c->p->functions.data[number].role == role, problem);
}

static const uint64_t largest_object = UINT64_C(1) << 31; /* bytes: offsets are 32 bits in many places */

static void check_size(checker *c, const layout *shape, uint32_t count) {
    require(c, !shape || (uint64_t)shape->stride * count < largest_object, "object of 2 GB or more");
}

static void check_tables(checker *c) {
    const program *p = c->p;
    require(c, p->pointer_bits == 32 || p->pointer_bits == 64, "pointers of neither 32 nor 64 bits");
    for (size_t o = 0; o < p->objects.size; o++) {
        check_layout(c, p->objects.data[o].shape);
        check_size(c, p->objects.data[o].shape, p->objects.data[o].count);
        require(c, p->objects.data[o].name && p->objects.data[o].count, "object without name or elements");
        require(c, p->objects.data[o].is_array || p->objects.data[o].count == 1,
                "several elements but not an array");
    }
    for (size_t t = 0; t < p->threads.size; t++) {
        require(c, p->threads.data[t].name, "thread without name");
        check_function_number(c, p->threads.data[t].function, t ? FUNCTION_THREAD : FUNCTION_MAIN,
                              "thread 0 must have a main function, the others thread functions");
    }
    require(c, p->threads.size, "no thread 0 (main)");
    for (size_t u = 0; u < p->updates.size; u++)
        check_function_number(c, p->updates.data[u].function, FUNCTION_UPDATE,
                              "update without update function");
    for (size_t k = 0; k < p->checks.size; k++)
        require(c,
                p->checks.data[k].text && p->checks.data[k].thread_or_function &&
                    p->checks.data[k].kind < CHECK_KINDS,
                "incomplete check entry");
    for (size_t k = 0; k < p->inputs.size; k++)
        require(c, p->inputs.data[k].name && type_is_valid(c, p->inputs.data[k].type),
                "incomplete input entry");
}

/* --- operands ------------------------------------------------------------------------------------------- */

static void check_operand(checker *c, operand o) {
    switch (o.kind) {
    case OPERAND_NONE: return;
    case OPERAND_REGISTER:
        if (require(c, o.index < c->f->registers.size, "register out of range"))
            require(c, o.width == c->f->registers.data[o.index].type.width,
                    "operand width differs from its register");
        return;
    case OPERAND_CONST:
        require(c, o.width >= 1 && o.width <= 64 && (o.width == 64 || o.value >> o.width == 0),
                "constant does not fit its width");
        return;
    case OPERAND_OBJECT: require(c, o.index < c->p->objects.size, "object out of range"); return;
    case OPERAND_LOCAL: require(c, o.index < c->f->locals.size, "local out of range"); return;
    case OPERAND_FUNCTION: require(c, o.index < c->p->functions.size, "function out of range"); return;
    default: complain(c, "unknown operand kind");
    }
}

static bool is_number(operand o, unsigned width) {
    return (o.kind == OPERAND_REGISTER || o.kind == OPERAND_CONST) && o.width == width;
}

static bool is_address(operand o) {
    return o.kind == OPERAND_OBJECT || o.kind == OPERAND_LOCAL || o.kind == OPERAND_FUNCTION;
}

static unsigned width_of(const checker *c, operand o) {
    return is_address(o) ? c->p->pointer_bits : o.width;
}

static bool is_pointer(const checker *c, operand o) {
    return o.kind != OPERAND_NONE && width_of(c, o) == c->p->pointer_bits;
}

static bool is_pointer_sized(const checker *c, operand o) {
    return is_number(o, c->p->pointer_bits);
}

static bool is_absent(operand o) {
    return o.kind == OPERAND_NONE;
}

/* Which of a, b, c and dst an instruction has; sync operands are told apart below. */
static void check_presence(checker *c) {
    enum { DST = 1, A = 2, B = 4, C = 8, DST_MAYBE = 16, A_MAYBE = 32, ARGS_MAYBE = 64, RANGE_MAYBE = 128 };
    static const uint8_t shape[INSTR_KINDS] = {
        [INSTR_MOVE] = DST | A,
        [INSTR_ARITH] = DST | A | B | C,
        [INSTR_OFFSET] = DST | A | B,
        [INSTR_INPUT] = DST | A_MAYBE | RANGE_MAYBE | ARGS_MAYBE,
        [INSTR_LOAD] = DST | A,
        [INSTR_STORE] = A | B,
        [INSTR_UPDATE] = A | B,
        [INSTR_HAVOC] = A,
        [INSTR_ALLOC] = DST | A,
        [INSTR_FREE] = A,
        [INSTR_SIZE] = DST | A,
        [INSTR_COPY] = A | B | C,
        [INSTR_FILL] = A | B | C,
        [INSTR_APART] = A | B | C,
        [INSTR_CALL] = DST_MAYBE | A_MAYBE | ARGS_MAYBE,
        [INSTR_RETURN] = A_MAYBE,
        [INSTR_JUMP] = 0,
        [INSTR_BRANCH] = A,
        [INSTR_ASSUME] = A,
        [INSTR_CHECK] = A,
        [INSTR_TIME] = DST,
        [INSTR_PRINT] = ARGS_MAYBE,
        [INSTR_UNSUPPORTED] = 0,
        [INSTR_SYNC] = DST_MAYBE | A_MAYBE | ARGS_MAYBE,
    };
    const instruction *i = c->i;
    uint8_t has = shape[i->kind];
    if (!(has & DST_MAYBE))
        require(c, (i->dst != NO_INDEX) == !!(has & DST), "result register missing or superfluous");
    if (i->dst != NO_INDEX) require(c, i->dst < c->f->registers.size, "result register out of range");
    if (i->kind == INSTR_ARITH || i->kind == INSTR_SYNC) return; /* depends on the operator */
    if (!(has & A_MAYBE)) require(c, !is_absent(i->a) == !!(has & A), "operand a missing or superfluous");
    if (has & RANGE_MAYBE) {
        require(c, is_absent(i->b) == is_absent(i->c), "half a range");
    } else {
        require(c, !is_absent(i->b) == !!(has & B), "operand b missing or superfluous");
        require(c, !is_absent(i->c) == !!(has & C), "operand c missing or superfluous");
    }
    if (!(has & ARGS_MAYBE)) require(c, i->arg_count == 0, "superfluous arguments");
}

/* --- instructions --------------------------------------------------------------------------------------- */

static unsigned result_width(const checker *c) {
    return c->i->dst < c->f->registers.size ? c->f->registers.data[c->i->dst].type.width : 0;
}

static void check_arith(checker *c) {
    const instruction *i = c->i;
    unsigned w = result_width(c), wa = width_of(c, i->a), wb = width_of(c, i->b);
    if (!require(c, i->arith < ARITH_COUNT && !is_absent(i->a), "incomplete arithmetic")) return;
    bool converts = i->arith >= ARITH_F_FROM_SIGNED && i->arith <= ARITH_F_CONVERT;
    bool unary = (i->arith >= ARITH_NOT && i->arith <= ARITH_TRUNC) || converts,
         select = i->arith == ARITH_SELECT;
    bool compares = (i->arith >= ARITH_EQ && i->arith <= ARITH_SLE) ||
                    (i->arith >= ARITH_FEQ && i->arith <= ARITH_FUNORDERED);
    bool equality = i->arith == ARITH_EQ || i->arith == ARITH_NE;
    require(c, is_absent(i->b) == unary && is_absent(i->c) == !select, "wrong number of operands");
    if (!equality && !program_kernel(c->p)->memory_is_bytes)
        require(c, i->a.kind <= OPERAND_CONST && i->b.kind <= OPERAND_CONST && i->c.kind <= OPERAND_CONST,
                "arithmetic on the address of an object");
    if (select)
        require(c, wa == 1 && wb == w && width_of(c, i->c) == w, "select: widths do not agree");
    else if (compares)
        require(c, wa == wb && w == 1, "comparison: widths do not agree");
    else if (i->arith == ARITH_ZEXT || i->arith == ARITH_SEXT)
        require(c, wa <= w, "extension to a smaller width");
    else if (i->arith == ARITH_TRUNC)
        require(c, wa >= w, "truncation to a larger width");
    else if (converts)
        require(c, wa && w, "conversion of nothing");
    else
        require(c, wa == w && (unary || wb == w), "arithmetic: widths do not agree");
}

static void check_update(checker *c) {
    const instruction *i = c->i;
    bool commutes = i->arith == ARITH_ADD || i->arith == ARITH_MUL || i->arith == ARITH_AND ||
                    i->arith == ARITH_OR || i->arith == ARITH_XOR;
    require(c, commutes, "update with an operator that does not commute");
    require(c, is_pointer(c, i->a) && !is_absent(i->b) && !is_address(i->b), "update: wrong operands");
}

static void check_call(checker *c) {
    const instruction *i = c->i;
    for (uint32_t k = 0; k < i->arg_count && i->args; k++) check_operand(c, i->args[k]);
    require(c, i->arg_count <= PROGRAM_MOST_ARGUMENTS && (i->args || !i->arg_count), "call: wrong arguments");
    bool of_monitor = i->callee < c->p->functions.size && c->p->functions.data[i->callee].observes;
    require(c, (i->callee == NO_INDEX) == is_pointer(c, i->a) || of_monitor,
            "call: callee and pointer to it do not agree");
    if (i->callee == NO_INDEX) return; /* the machine looks at what it finds there */
    if (!require(c, i->callee < c->p->functions.size, "callee out of range")) return;
    const function *callee = &c->p->functions.data[i->callee];
    require(c, callee->role == FUNCTION_PLAIN, "call of a thread, update or main");
    if (i->dst != NO_INDEX) require(c, result_width(c) == callee->result.width, "call: result width differs");
    if (!require(c, i->arg_count == callee->parameters && (i->args || !i->arg_count),
                 "call: wrong argument count"))
        return;
    for (uint32_t k = 0; k < i->arg_count; k++)
        if (k < callee->registers.size)
            require(c, width_of(c, i->args[k]) == callee->registers.data[k].type.width,
                    "call: argument width differs");
}

/* Those of kernels whose threads create each other. */
static void check_thread_sync(checker *c) {
    const instruction *i = c->i;
    bool no_a = is_absent(i->a), no_b = is_absent(i->b), no_c = is_absent(i->c), no_dst = i->dst == NO_INDEX;
    bool pointer_result = !no_dst && result_width(c) == c->p->pointer_bits;
    require(c, program_kernel(c->p)->creates_threads || i->sync == SYNC_SELF,
            "sync: not an operation of this kernel");
    require(c, i->arg_count == 0, "sync: superfluous arguments");
    switch ((sync_op)i->sync) {
    case SYNC_AWAIT: {
        bool compares = i->arith == ARITH_EQ || i->arith == ARITH_NE || i->arith == ARITH_SLT;
        require(c,
                compares && is_pointer(c, i->a) && !no_b && is_number(i->b, i->b.width) &&
                    is_number(i->c, i->b.width) && no_dst,
                "await: wrong operands");
        break;
    }
    case SYNC_CREATE:
        require(c, is_pointer(c, i->a) && is_pointer(c, i->b) && no_c && pointer_result,
                "create: wrong operands");
        break;
    case SYNC_JOIN:
        require(c, is_pointer(c, i->a) && no_b && no_c && (no_dst || pointer_result), "join: wrong operands");
        break;
    case SYNC_CLAIM:
        require(c, is_pointer(c, i->a) && i->b.kind == OPERAND_CONST && no_c && pointer_result,
                "claim: wrong operands");
        break;
    case SYNC_EXIT:
        require(c, (no_a || is_pointer(c, i->a)) && no_b && no_c && no_dst, "exit: wrong operands");
        break;
    case SYNC_SELF: require(c, no_a && no_b && no_c && pointer_result, "self: wrong operands"); break;
    case SYNC_ATOMIC_BEGIN:
        require(c, (no_a || is_pointer(c, i->a)) && no_b && no_c && no_dst, "section: wrong operands");
        break;
    default: require(c, no_a && no_b && no_c && no_dst, "sync: superfluous operand"); break;
    }
}

static bool names_thread(unsigned sync) {
    return sync == SYNC_SUSPEND || sync == SYNC_RESUME || sync == SYNC_DISABLE || sync == SYNC_ENABLE ||
           sync == SYNC_RUN_NOW || sync == SYNC_LISTEN;
}

/* Of an operation of the systemc kernel. */
static void check_sync_result(checker *c) {
    const instruction *i = c->i;
    bool no_dst = i->dst == NO_INDEX, timed = i->a.kind != OPERAND_NONE;
    unsigned width = no_dst ? 0 : result_width(c);
    switch ((sync_op)i->sync) {
    case SYNC_PENDING_NOW: require(c, width == c->p->pointer_bits, "pending_now: wrong result"); break;
    case SYNC_PENDING_LATER: require(c, width == 64, "pending_later: wrong result"); break;
    case SYNC_WAIT_ANY:
    case SYNC_WAIT_ALL:
        require(c, no_dst || (timed && width == c->p->pointer_bits), "wait: wrong result");
        break;
    default: require(c, no_dst, "sync: superfluous operand"); break;
    }
}

static void check_sync(checker *c) {
    const instruction *i = c->i;
    if (!require(c, i->sync < SYNC_OPS, "unknown sync operation")) return;
    if (i->sync >= SYNC_ATOMIC_BEGIN) {
        check_thread_sync(c);
        return;
    }
    require(c, program_kernel(c->p)->waits_for_events || i->sync == SYNC_END,
            "sync: not an operation of this kernel");
    bool waits = i->sync == SYNC_WAIT_ANY || i->sync == SYNC_WAIT_ALL,
         lists = waits || i->sync == SYNC_LISTEN;
    check_sync_result(c);
    require(c, is_absent(i->c), "sync: superfluous operand");
    if (lists && require(c, i->arg_count && i->args, "wait without events")) {
        for (uint32_t k = 0; k < i->arg_count; k++) {
            check_operand(c, i->args[k]);
            require(c, is_number(i->args[k], 32), "wait: event operand is not a number of width 32");
        }
    } else {
        require(c, lists || i->arg_count == 0, "sync: superfluous arguments");
    }
    size_t limit = names_thread(i->sync)            ? c->p->threads.size
                   : i->sync == SYNC_REQUEST_UPDATE ? c->p->updates.size
                                                    : c->p->events.size;
    bool in_range = i->a.kind != OPERAND_CONST || i->a.value < limit;
    switch ((sync_op)i->sync) {
    case SYNC_WAIT_ANY:
    case SYNC_WAIT_ALL:
    case SYNC_START:
        require(c, is_absent(i->a) || is_number(i->a, 64), "sync: time is not a number of width 64");
        require(c, is_absent(i->b) || (i->sync == SYNC_START && i->b.kind == OPERAND_CONST),
                "sync: superfluous operand");
        break;
    case SYNC_WAIT_TIME:
        require(c, is_number(i->a, 64) && is_absent(i->b), "wait_time: time is not a number of width 64");
        break;
    case SYNC_NOTIFY_AFTER:
        require(c, is_number(i->a, 32) && in_range && is_number(i->b, 64), "notify_after: wrong operands");
        break;
    case SYNC_NOTIFY:
    case SYNC_CANCEL:
    case SYNC_SUSPEND:
    case SYNC_RESUME:
    case SYNC_DISABLE:
    case SYNC_ENABLE:
    case SYNC_RUN_NOW:
    case SYNC_LISTEN:
    case SYNC_REQUEST_UPDATE:
        require(c, is_number(i->a, 32) && in_range && is_absent(i->b),
                "sync: operand is not a valid number of width 32");
        break;
    default: require(c, is_absent(i->a) && is_absent(i->b), "sync: superfluous operand"); break;
    }
    if (lists)
        for (uint32_t k = 0; k < i->arg_count && i->args; k++)
            require(c, i->args[k].kind != OPERAND_CONST || i->args[k].value < c->p->events.size,
                    "wait: no such event");
    if (i->sync == SYNC_START)
        require(c, c->f->role == FUNCTION_MAIN || c->f->role == FUNCTION_PLAIN, "start outside main");
}

static void check_target(checker *c, uint32_t target) {
    require(c, target < c->f->blocks.size, "jump to a missing block");
}

static void check_instruction(checker *c) {
    const instruction *i = c->i;
    if (!require(c, i->kind < INSTR_KINDS, "unknown instruction")) return;
    check_operand(c, i->a);
    check_operand(c, i->b);
    check_operand(c, i->c);
    check_presence(c);
    switch ((instruction_kind)i->kind) {
    case INSTR_MOVE: require(c, width_of(c, i->a) == result_width(c), "move: widths differ"); break;
    case INSTR_ARITH: check_arith(c); break;
    case INSTR_OFFSET:
        require(c, is_pointer(c, i->a) && is_pointer_sized(c, i->b) && result_width(c) == c->p->pointer_bits,
                "offset: wrong operands");
        break;
    case INSTR_INPUT:
        require(c, i->extra < c->p->inputs.size, "input number out of range");
        require(c, is_absent(i->a) || is_pointer(c, i->a), "input: its name is not a pointer");
        require(c, is_absent(i->b) || (is_number(i->b, result_width(c)) && is_number(i->c, result_width(c))),
                "input: its range has another width");
        require(c, i->arg_count <= 2, "input: by an unknown law");
        for (uint32_t k = 0; k < i->arg_count; k++) check_operand(c, i->args[k]);
        break;
    case INSTR_LOAD: require(c, is_pointer(c, i->a), "load: not a pointer"); break;
    case INSTR_STORE: require(c, is_pointer(c, i->a), "store: not a pointer"); break;
    case INSTR_UPDATE: check_update(c); break;
    case INSTR_HAVOC:
        require(c, is_pointer(c, i->a) && i->extra < c->p->inputs.size, "havoc: wrong operands");
        break;
    case INSTR_ALLOC:
        require(c, is_pointer_sized(c, i->a) && result_width(c) == c->p->pointer_bits,
                "alloc: wrong operands");
        require(c, i->extra <= ALLOC_FRAME_UNSET, "alloc: unknown kind");
        check_layout(c, i->shape);
        break;
    case INSTR_FREE: require(c, is_pointer(c, i->a), "free: not a pointer"); break;
    case INSTR_SIZE:
        require(c, is_pointer(c, i->a) && result_width(c) == c->p->pointer_bits, "size: wrong operands");
        break;
    case INSTR_APART:
    case INSTR_COPY:
        require(c, is_pointer(c, i->a) && is_pointer(c, i->b) && is_pointer_sized(c, i->c),
                "copy: wrong operands");
        break;
    case INSTR_FILL:
        require(c, is_pointer(c, i->a) && is_number(i->b, 8) && is_pointer_sized(c, i->c),
                "fill: wrong operands");
        break;
    case INSTR_CALL: check_call(c); break;
    case INSTR_RETURN:
        require(c, width_of(c, i->a) == c->f->result.width,
                "return: value does not agree with the function's result");
        break;
    case INSTR_JUMP: check_target(c, i->target[0]); break;
    case INSTR_BRANCH:
        check_target(c, i->target[0]);
        check_target(c, i->target[1]);
        require(c, is_number(i->a, 1), "branch: condition is not of width 1");
        break;
    case INSTR_ASSUME: require(c, is_number(i->a, 1), "assume: condition is not of width 1"); break;
    case INSTR_CHECK:
        require(c, is_number(i->a, 1), "check: condition is not of width 1");
        require(c, i->check < c->p->checks.size, "check number out of range");
        break;
    case INSTR_TIME: break;
    case INSTR_PRINT:
        require(c, i->extra < PRINT_FORMS, "print: unknown form");
        for (uint32_t k = 0; k < i->arg_count; k++) check_operand(c, i->args[k]);
        break;
    case INSTR_UNSUPPORTED: require(c, i->text, "unsupported: without a reason"); break;
    case INSTR_SYNC: check_sync(c); break;
    case INSTR_KINDS: break;
    }
}

static bool ends_block(const instruction *i) {
    return i->kind == INSTR_JUMP || i->kind == INSTR_BRANCH || i->kind == INSTR_RETURN ||
           (i->kind == INSTR_SYNC && i->sync == SYNC_END);
}

static void check_function(checker *c, const function *f) {
    c->f = f;
    c->i = NULL;
    require(c, f->blocks.size, "no entry block");
    require(c, f->parameters <= f->registers.size, "more parameters than registers");
    bool may_return = program_kernel(c->p)->main_returns && f->role == FUNCTION_MAIN;
    if (f->role != FUNCTION_PLAIN && !(may_return && !f->parameters))
        require(c, !f->parameters && !f->result.width, "thread, update or main with parameters or result");
    require(c, !f->result.width || type_is_valid(c, f->result), "invalid result type");
    for (size_t r = 0; r < f->registers.size; r++)
        require(c, type_is_valid(c, f->registers.data[r].type), "register with an invalid type");
    for (size_t l = 0; l < f->locals.size; l++) {
        check_layout(c, f->locals.data[l].shape);
        check_size(c, f->locals.data[l].shape, f->locals.data[l].count);
        require(c, f->locals.data[l].name && f->locals.data[l].count, "local without name or elements");
    }
    for (c->block = 0; c->block < f->blocks.size; c->block++) {
        const block *b = &f->blocks.data[c->block];
        c->i = NULL;
        require(c, b->code.size, "empty block");
        for (c->index = 0; c->index < b->code.size; c->index++) {
            c->i = &b->code.data[c->index];
            check_instruction(c);
            require(c, ends_block(c->i) == (c->index + 1 == b->code.size),
                    "block does not end with its only terminator");
        }
    }
    c->i = NULL;
}

bool program_check(const program *p, diagnostics *d) {
    checker c = {.p = p, .d = d, .good = true};
    check_tables(&c);
    for (size_t f = 0; f < p->functions.size; f++) check_function(&c, &p->functions.data[f]);
    return c.good;
}
