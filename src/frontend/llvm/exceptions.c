/* C++ exceptions. An exception in flight is a pointer in a record of the thread's first frame; every function
 * gets the address of that record as a hidden parameter. After a call through which an exception may come,
 * the caller looks there: an invoke goes to its landing pad, a plain call leaves the function at once. What
 * is thrown and who catches it is decided by models (library/exceptions.c); here is only how control moves.
 *
 * Programs that throw nothing have neither records nor tests (translation.throws). As the standard allows,
 * the stack is unwound even if nobody catches. */
#include "frontend/llvm/translate.h"

enum {
    RECORD_WORDS = 3, /* struct exception_record of library/models.h */
    IN_FLIGHT = 0,    /* offset in it */
    CAUGHT_BY_ALL = 1 /* selectors: of catch (...); those of types are greater; 0: only cleaning up */
};

/* --- the record ----------------------------------------------------------------------------------------- */

void exceptions_open_record(body *b) {
    unsigned width = b->t->pointer_bits;
    b->exceptions = code_local(b, ".exceptions", LLVMPointerTypeInContext(b->t->context, 0), RECORD_WORDS);
    for (unsigned k = 0; k < RECORD_WORDS; k++)
        code_store(b, code_offset(b, b->exceptions, k * width / 8), operand_const(width, 0), ORDER_PLAIN);
}

static operand in_flight(body *b) {
    return code_load(b, code_offset(b, b->exceptions, IN_FLIGHT), b->t->pointer_bits, ORDER_PLAIN);
}

static void set_in_flight(body *b, operand exception) {
    code_store(b, code_offset(b, b->exceptions, IN_FLIGHT), exception, ORDER_PLAIN);
}

/* --- leaving -------------------------------------------------------------------------------------------- */

/* Does not come back if it was pthread_exit that left all frames. */
static void leave_last_frame(body *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->t->module, "__model_leave_last_frame");
    operands args = {0};
    vec_push(&args, in_flight(b));
    set_in_flight(b, operand_const(b->t->pointer_bits, 0));
    call_function(b, function_number(b->t, f), &args, NULL);
    vec_free(&args);
}

/* An exception that leaves a thread ends the program; SystemC's simulator reports it as an error. The result
 * is looked at by nobody. */
static void leave_function(body *b) {
    unsigned width = b->t->p->functions.data[b->f].result.width;
    if (b->is_first_frame && program_kernel(b->t->p)->has_simulator)
        code_check(b, CHECK_ASSERTION, operand_const(1, 0), "no exception leaves a process");
    if (b->is_first_frame) {
        if (b->t->unwinds) leave_last_frame(b);
        code_dead_end(b);
        return;
    }
    if (b->atomic) code_sync(b, SYNC_ATOMIC_END, false, operand_none(), operand_none());
    code_add(b, INSTR_RETURN)->a = width ? operand_const(width, 0) : operand_none();
}

/* Goes on in a new block unless something is in flight; then to `thrown`. */
static void branch_if_thrown(body *b, uint32_t thrown, uint32_t otherwise) {
    operand nothing = operand_const(b->t->pointer_bits, 0);
    code_branch(b, code_arith(b, ARITH_NE, 1, in_flight(b), nothing), thrown, otherwise);
}

void exceptions_pass_on(body *b) {
    uint32_t thrown = code_new_block(b), otherwise = code_new_block(b);
    branch_if_thrown(b, thrown, otherwise);
    code_enter(b, thrown);
    leave_function(b);
    code_enter(b, otherwise);
}

static bool has_mark(LLVMValueRef call, LLVMValueRef callee, unsigned kind) {
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return LLVMGetCallSiteEnumAttribute(call, whole, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, whole, kind));
}

/* pthread_exit also leaves functions of C, of which clang says that nothing is thrown through them. */
bool exceptions_may_come(const body *b, LLVMValueRef call, LLVMValueRef callee) {
    return b->t->throws && (b->t->unwinds || !has_mark(call, callee, b->t->nounwind_attribute));
}

void exceptions_invoke(body *b, LLVMValueRef i, uint32_t normal, uint32_t landing) {
    if (exceptions_may_come(b, i, LLVMGetCalledValue(i)))
        branch_if_thrown(b, landing, normal);
    else
        code_jump(b, normal);
}

void exceptions_resume(body *b, LLVMValueRef i) {
    operands parts = {0};
    value_parts(b, LLVMGetOperand(i, 0), &parts);
    if (b->t->throws && parts.size && parts.data[0].kind != OPERAND_NONE) {
        set_in_flight(b, parts.data[0]);
        leave_function(b);
    } else {
        code_unsupported(b, "C++ exceptions");
    }
    vec_free(&parts);
}

/* --- landing pads --------------------------------------------------------------------------------------- */

static uint64_t selector_of(translation *t, LLVMValueRef type) {
    if (LLVMIsNull(type)) return CAUGHT_BY_ALL;
    uint64_t known = map_get(&t->type_selectors, (uintptr_t)type);
    if (known != MAP_NONE) return known;
    uint64_t made = t->type_selectors.size + CAUGHT_BY_ALL + 1;
    map_put(&t->type_selectors, (uintptr_t)type, made);
    return made;
}

operand exceptions_selector(body *b, LLVMValueRef type) {
    return operand_const(32, selector_of(b->t, type));
}

/* Whether a clause for this type catches the exception, of width 1. */
static operand catches(body *b, operand exception, LLVMValueRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(b->t->module, "__model_catches");
    operands args = {0}, result = {0};
    vec_push(&args, exception);
    vec_push(&args, value_scalar(b, type));
    call_function(b, function_number(b->t, f), &args, &result);
    operand yes = code_arith(b, ARITH_NE, 1, result.data[0], operand_const(32, 0));
    vec_free(&args);
    vec_free(&result);
    return yes;
}

static bool clauses_are_modelled(const body *b, LLVMValueRef i) {
    LLVMValueRef f = LLVMGetNamedFunction(b->t->module, "__model_catches");
    bool good = b->t->throws && f && !LLVMIsDeclaration(f) && value_width(b, i) == 0;
    for (unsigned k = 0; k < LLVMGetNumClauses(i) && good; k++)
        good = LLVMGetTypeKind(LLVMTypeOf(LLVMGetClause(i, k))) == LLVMPointerTypeKind;
    return good;
}

void exceptions_land(body *b, LLVMValueRef i) {
    if (!clauses_are_modelled(b, i)) {
        code_unsupported(b, "C++ exceptions: a list of the types that may be thrown");
        return;
    }
    operand exception = in_flight(b);
    set_in_flight(b, operand_const(b->t->pointer_bits, 0));
    uint32_t selector = code_register(b, 32, NULL), landed = code_new_block(b);
    bool all_caught = false;
    for (unsigned k = 0; k < LLVMGetNumClauses(i) && !all_caught; k++) {
        LLVMValueRef type = LLVMGetClause(i, k);
        uint32_t caught = code_new_block(b), next = code_new_block(b);
        code_branch(b, catches(b, exception, type), caught, next);
        code_enter(b, caught);
        code_move_to(b, selector, exceptions_selector(b, type));
        code_jump(b, landed);
        code_enter(b, next);
        all_caught = LLVMIsNull(type);
    }
    if (LLVMIsCleanup(i)) {
        code_move_to(b, selector, operand_const(32, 0));
        code_jump(b, landed);
    } else {
        set_in_flight(b, exception);
        leave_function(b);
    }
    code_enter(b, landed);
    operand parts[] = {exception, operand_register(selector, 32)};
    value_define(b, i, parts, 2);
}
