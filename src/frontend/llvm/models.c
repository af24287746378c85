/* The intrinsics that library models are written on: see the table in library/intrinsics.h. */
#include "frontend/llvm/start.h"

#define PREFIX "__heddle_"

static operand scalar_argument(body *b, LLVMValueRef call, unsigned k) {
    return value_scalar(b, LLVMGetOperand(call, k));
}

static const char *text_argument(body *b, LLVMValueRef call, const char *otherwise) {
    const char *s = LLVMGetNumArgOperands(call) ? constant_string(b->t, LLVMGetOperand(call, 0)) : NULL;
    return s ? s : otherwise;
}

/* Processes wait for events only. What they find fulfilled they need not wait for. */
static void go_on_or_give_up(body *b, operand cell, operand mask, operand value, arith comparison) {
    operand now = code_load(b, cell, mask.width, ORDER_PLAIN);
    now = code_arith(b, ARITH_AND, mask.width, now, mask);
    uint32_t goes_on = code_new_block(b), blocks = code_new_block(b);
    operand fulfilled = comparison == ARITH_SLT ? code_arith(b, comparison, 1, value, now)
                                                : code_arith(b, comparison, 1, now, value);
    code_branch(b, fulfilled, goes_on, blocks);
    code_enter(b, blocks);
    code_add(b, INSTR_UNSUPPORTED)->text = "a process that blocks as threads do";
    code_dead_end(b);
    code_enter(b, goes_on);
}

static void await(body *b, LLVMValueRef call, arith comparison) {
    operand cell = scalar_argument(b, call, 0), mask = scalar_argument(b, call, 1),
            value = scalar_argument(b, call, 2);
    if (!program_kernel(b->t->p)->preempts) {
        go_on_or_give_up(b, cell, mask, value, comparison);
        return;
    }
    instruction *i = code_add(b, INSTR_SYNC);
    i->sync = SYNC_AWAIT;
    i->arith = (uint8_t)comparison;
    i->a = cell;
    i->b = mask;
    i->c = value;
}

static void allocate(body *b, LLVMValueRef call, enum alloc_kind kind, heap_maker maker) {
    unsigned width = b->t->pointer_bits;
    operand bytes = scalar_argument(b, call, 0);
    const layout *shape = program_scalar_layout(b->t->p, (scalar_type){8, VIEW_UNSIGNED});
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_ALLOC);
    i->dst = r;
    i->a = bytes;
    i->shape = shape;
    i->extra = kind;
    i->maker = (uint8_t)maker;
    value_define_scalar(b, call, operand_register(r, width));
}

static void allocate_as_malloc(body *b, LLVMValueRef call) {
    LLVMValueRef zero = LLVMGetOperand(call, 1);
    if (LLVMIsAConstantInt(zero))
        allocate(b, call, LLVMConstIntGetZExtValue(zero) ? ALLOC_HEAP_ZERO : ALLOC_HEAP_UNSET,
                 MADE_BY_MALLOC);
    else
        code_unsupported(b, "an allocation that is zeroed or not");
}

static void release(body *b, LLVMValueRef call, heap_maker maker) {
    operand pointer = scalar_argument(b, call, 0);
    instruction *i = code_add(b, INSTR_FREE);
    i->a = pointer;
    i->maker = (uint8_t)maker;
}

/* How it is claimed is a constant. */
static void claim(body *b, LLVMValueRef call) {
    operand thread = scalar_argument(b, call, 0);
    value_define_scalar(b, call, code_sync(b, SYNC_CLAIM, true, thread, scalar_argument(b, call, 1)));
}

static void object_size(body *b, LLVMValueRef call) {
    unsigned width = b->t->pointer_bits;
    operand pointer = scalar_argument(b, call, 0);
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_SIZE);
    i->dst = r;
    i->a = pointer;
    value_define_scalar(b, call, operand_register(r, width));
}

static void fill(body *b, LLVMValueRef call) {
    operand to = scalar_argument(b, call, 0), byte = code_resize(b, scalar_argument(b, call, 1), 8, false),
            bytes = scalar_argument(b, call, 2);
    instruction *i = code_add(b, INSTR_FILL);
    i->a = to;
    i->b = byte;
    i->c = bytes;
}

/* SV-COMP asks for valid accesses and has no rule for this. */
static void be_apart(body *b, LLVMValueRef call) {
    if (!b->t->options->check_overlap) return;
    operand one = scalar_argument(b, call, 0), other = scalar_argument(b, call, 1),
            bytes = scalar_argument(b, call, 2);
    instruction *i = code_add(b, INSTR_APART);
    i->a = one;
    i->b = other;
    i->c = bytes;
}

static void fail(body *b, check_kind kind, const char *what) {
    code_check(b, kind, operand_const(1, 0), what);
    if (check_is_stated(kind) && b->t->options->all)
        code_unsupported_here(b, "what comes behind a violation inside of a library function");
    else
        code_end(b);
}

static void report_error(body *b, const char *what) {
    fail(b, CHECK_ASSERTION, what);
    vec_last(&b->t->p->checks).is_report = true;
}

/* Where nobody asks for it, that the place was reached is noted, and the caller goes on. */
static void misuse(body *b, const char *rule) {
    if (b->t->options->check_misuse)
        fail(b, CHECK_MISUSE, rule);
    else
        code_check(b, CHECK_MISUSE, operand_const(1, 1), rule);
}

static void assume(body *b, LLVMValueRef call) {
    operand condition = scalar_argument(b, call, 0);
    condition = code_arith(b, ARITH_NE, 1, condition, operand_const(condition.width, 0));
    code_add(b, INSTR_ASSUME)->a = condition;
}

static void take_input(body *b, LLVMValueRef call, bool is_range) {
    unsigned width = value_width(b, call);
    scalar_type type = {(uint8_t)width, width == 1 ? VIEW_BOOL : VIEW_UNSIGNED};
    const char *name = text_argument(b, call, NULL);
    operand text = name ? operand_none() : scalar_argument(b, call, 0);
    enum { MOST_GIVEN = 2 };
    operand given[MOST_GIVEN];
    unsigned count = 0;
    for (unsigned k = 0; k + 1 < LLVMGetNumArgOperands(call) && k < MOST_GIVEN; k++)
        given[count++] = scalar_argument(b, call, k + 1);
    operand drawn = code_input(b, name ? name : "input", type);
    instruction *i = &vec_last(&b->t->p->functions.data[b->f].blocks.data[b->block].code);
    i->a = text; /* known when it runs */
    if (is_range) {
        i->b = given[0];
        i->c = given[1];
    } else if (count) {
        i->args = program_copy_operands(b->t->p, given, count);
        i->arg_count = count;
    }
    value_define_scalar(b, call, drawn);
}

/* The form is a constant. */
static void print(body *b, LLVMValueRef call) {
    LLVMValueRef form = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(form)) {
        code_unsupported(b, "the form of what is printed is not constant");
        return;
    }
    operands given = {0};
    for (unsigned k = 1; k < LLVMGetNumArgOperands(call); k++) vec_push(&given, scalar_argument(b, call, k));
    code_print(b, (print_form)LLVMConstIntGetZExtValue(form), given.data, given.size);
    vec_free(&given);
}

bool model_intrinsic_translate(body *b, LLVMValueRef call, const char *name) {
    if (strncmp(name, PREFIX, strlen(PREFIX))) return false;
    if (systemc_translate(b, call, name)) return true;
    name += strlen(PREFIX);
    operand none = operand_none();
    if (!strcmp(name, "atomic_begin"))
        code_sync(b, SYNC_ATOMIC_BEGIN, false, none, none);
    else if (!strcmp(name, "atomic_end"))
        code_sync(b, SYNC_ATOMIC_END, false, none, none);
    else if (!strcmp(name, "await"))
        await(b, call, ARITH_EQ);
    else if (!strcmp(name, "await_not"))
        await(b, call, ARITH_NE);
    else if (!strcmp(name, "await_above"))
        await(b, call, ARITH_SLT);
    else if (!strcmp(name, "create")) {
        operand start = scalar_argument(b, call, 0), argument = scalar_argument(b, call, 1);
        value_define_scalar(b, call, code_sync(b, SYNC_CREATE, true, start, argument));
    } else if (!strcmp(name, "join"))
        value_define_scalar(b, call, code_sync(b, SYNC_JOIN, true, scalar_argument(b, call, 0), none));
    else if (!strcmp(name, "self"))
        value_define_scalar(b, call, code_sync(b, SYNC_SELF, true, none, none));
    else if (!strcmp(name, "claim"))
        claim(b, call);
    else if (!strcmp(name, "detach"))
        code_sync(b, SYNC_DETACH, false, none, none);
    else if (!strcmp(name, "lost_order")) {
        code_sync(b, SYNC_FENCE, false, none, none);
        if (program_kernel(b->t->p)->accesses_may_race) code_last(b)->order = ORDER_NONE;
    } else if (!strcmp(name, "peek"))
        value_define_scalar(b, call, code_load(b, scalar_argument(b, call, 0), 32, ORDER_NONE));
    else if (!strcmp(name, "inspect"))
        value_define_scalar(b, call, code_load(b, scalar_argument(b, call, 0), 32, ORDER_ASIDE));
    else if (!strcmp(name, "thread_exit")) {
        code_sync(b, SYNC_EXIT, false, scalar_argument(b, call, 0), none);
        code_end(b);
    } else if (!strcmp(name, "destructors"))
        start_run_destructors(b);
    else if (!strcmp(name, "exception_record"))
        value_define_scalar(b, call,
                            b->exceptions.kind ? b->exceptions : operand_const(b->t->pointer_bits, 0));
    else if (!strcmp(name, "exit"))
        code_end(b);
    else if (!strcmp(name, "unsupported"))
        code_unsupported(b, "%s", text_argument(b, call, "a library function that is not modelled"));
    else if (!strcmp(name, "unsupported_call"))
        code_unsupported_call(b, "%s", text_argument(b, call, "a library function that is not modelled"));
    else if (!strcmp(name, "violation"))
        fail(b, CHECK_ASSERTION, text_argument(b, call, "library function used correctly"));
    else if (!strcmp(name, "error"))
        report_error(b, text_argument(b, call, "no error is reported"));
    else if (!strcmp(name, "misuse"))
        misuse(b, text_argument(b, call, "library function used correctly"));
    else if (!strcmp(name, "invalid_free"))
        fail(b, CHECK_FREE, "freed pointer is the start of a live heap object");
    else if (!strcmp(name, "print"))
        print(b, call);
    else if (!strcmp(name, "assume"))
        assume(b, call);
    else if (!strcmp(name, "same_object")) {
        operand x = scalar_argument(b, call, 0), y = scalar_argument(b, call, 1);
        value_define_scalar(b, call, code_arith(b, ARITH_SAME_OBJECT, 1, x, y));
    } else if (!strncmp(name, "select_", strlen("select_"))) {
        operand condition = scalar_argument(b, call, 0), yes = scalar_argument(b, call, 1);
        value_define_scalar(b, call, code_select(b, condition, yes, scalar_argument(b, call, 2)));
    } else if (!strncmp(name, "input_", strlen("input_")))
        take_input(b, call, !strcmp(name, "input_word_between"));
    else if (!strcmp(name, "alloc"))
        allocate_as_malloc(b, call);
    else if (!strcmp(name, "new"))
        allocate(b, call, ALLOC_HEAP_UNSET, MADE_BY_NEW);
    else if (!strcmp(name, "new_array"))
        allocate(b, call, ALLOC_HEAP_UNSET, MADE_BY_NEW_ARRAY);
    else if (!strcmp(name, "free"))
        release(b, call, MADE_BY_MALLOC);
    else if (!strcmp(name, "delete"))
        release(b, call, MADE_BY_NEW);
    else if (!strcmp(name, "delete_array"))
        release(b, call, MADE_BY_NEW_ARRAY);
    else if (!strcmp(name, "object_size"))
        object_size(b, call);
    else if (!strcmp(name, "apart"))
        be_apart(b, call);
    else if (!strcmp(name, "copy")) {
        operand to = scalar_argument(b, call, 0), from = scalar_argument(b, call, 1);
        code_copy(b, to, from, scalar_argument(b, call, 2));
    } else if (!strcmp(name, "fill"))
        fill(b, call);
    else
        code_unsupported(b, "the unknown intrinsic `" PREFIX "%s`", name);
    return true;
}
