/* Memory: allocas, loads, stores, address arithmetic, atomic operations. */
#include "frontend/llvm/translate.h"

/* Clang makes acquire of consume. */
static memory_order_kind access_order(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingNotAtomic: return ORDER_PLAIN;
    case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
    case LLVMAtomicOrderingAcquireRelease: return ORDER_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent: return ORDER_SEQ_CST;
    default: return ORDER_RELAXED;
    }
}

/* --- allocas -------------------------------------------------------------------------------------------- */

static void dynamic_alloca(body *b, LLVMValueRef i) {
    operand count = code_resize(b, value_scalar(b, LLVMGetOperand(i, 0)), b->t->pointer_bits, false);
    shape s = lltype_shape(b->t, LLVMGetAllocatedType(i), 1, false, NULL);
    if (s.count > 1)
        count = code_arith(b, ARITH_MUL, count.width, count, operand_const(count.width, s.count));
    uint32_t r = code_register(b, b->t->pointer_bits, NULL);
    instruction *made = code_add(b, INSTR_ALLOC);
    made->dst = r;
    made->a = count;
    made->shape = s.element;
    made->extra = ALLOC_FRAME_UNSET;
    value_define_scalar(b, i, operand_register(r, b->t->pointer_bits));
    lifetime_note_array(b, i, operand_register(r, b->t->pointer_bits));
}

void access_alloca(body *b, LLVMValueRef i) {
    if (variable_of(b, i) != NO_INDEX) return;
    LLVMValueRef count = LLVMGetOperand(i, 0);
    bool once = LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(b->llvm);
    if (!once || !LLVMIsAConstantInt(count)) {
        dynamic_alloca(b, i);
        return;
    }
    uint64_t n = LLVMConstIntGetZExtValue(count);
    shape s = lltype_shape(b->t, LLVMGetAllocatedType(i), n, n != 1, debug_alloca_type(b, i));
    if (s.count > MOST_OBJECT_CELLS / s.element->cells) {
        code_unsupported(b, "variable `%s`, which is too large", debug_alloca_name(b, i));
        return;
    }
    local_object local = {.name = debug_alloca_name(b, i),
                          .shape = s.element,
                          .count = (uint32_t)s.count,
                          .is_array = s.is_array,
                          .unset = true,
                          .is_made = LLVMGetSubprogram(b->llvm) && !debug_is_declared(b, i)};
    function *f = &b->t->p->functions.data[b->f];
    vec_push(&f->locals, local);
    value_define_scalar(b, i, operand_pointer(b->t, operand_local((uint32_t)(f->locals.size - 1), 0)));
}

/* --- loads and stores ----------------------------------------------------------------------------------- */

/* The value of a constant number that is read as a whole: options of the library are such. */
static LLVMValueRef constant_content(LLVMValueRef i) {
    LLVMValueRef global = LLVMGetOperand(i, 0);
    if (!LLVMIsAGlobalVariable(global) || LLVMGetVolatile(i) || LLVMIsDeclaration(global) ||
        !LLVMIsGlobalConstant(global) || LLVMGlobalGetValueType(global) != LLVMTypeOf(i))
        return NULL;
    LLVMValueRef content = LLVMGetInitializer(global);
    return LLVMIsAConstantInt(content) ? content : NULL;
}

/* Whether a static variable of C++ is initialised: who reads an old 0 there asks __cxa_guard_acquire, so that
 * an order that acquires is as good as any. */
static bool reads_guard(LLVMValueRef i) {
    size_t length;
    LLVMValueRef global = LLVMGetOperand(i, 0);
    return LLVMIsAGlobalVariable(global) && LLVMGetOrdering(i) == LLVMAtomicOrderingAcquire &&
           !strncmp(LLVMGetValueName2(global, &length), "_ZGV", 4);
}

void access_load(body *b, LLVMValueRef i) {
    uint32_t variable = variable_of(b, LLVMGetOperand(i, 0));
    if (variable != NO_INDEX) {
        value_define_scalar(b, i, operand_register(variable, value_width(b, i)));
        return;
    }
    LLVMValueRef constant = constant_content(i);
    if (constant) {
        value_define_scalar(b, i, constant_scalar(b, constant));
        return;
    }
    operand pointer = value_scalar(b, LLVMGetOperand(i, 0));
    memory_order_kind order = reads_guard(i) ? ORDER_SEQ_CST : access_order(LLVMGetOrdering(i));
    leaves types = {0};
    operands parts = {0};
    lltype_leaves(b->t, LLVMTypeOf(i), &types);
    for (size_t k = 0; k < types.size; k++) {
        operand at = code_offset(b, pointer, (int64_t)types.data[k].offset);
        operand part = code_load(b, at, types.data[k].type.width, order);
        vec_push(&parts, part);
    }
    value_define(b, i, parts.data, parts.size);
    vec_free(&types);
    vec_free(&parts);
}

/* Some values are those that they are made of and have the same register: the address of a first member. */
static bool is_operand_itself(const body *b, LLVMValueRef made, uint32_t r) {
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(made); k++) {
        uint64_t known = map_get(&b->parts, (uintptr_t)LLVMGetOperand(made, k));
        for (uint64_t p = 0; known != MAP_NONE && p < (known & 0xff); p++) {
            const operand *part = &b->list.data[(known >> 8) + p];
            if (part->kind == OPERAND_REGISTER && part->index == r) return true;
        }
    }
    return false;
}

/* The instruction just emitted can put its result into the variable itself. */
static bool redirect_result(body *b, LLVMValueRef stored, operand value, uint32_t variable) {
    LLVMUseRef use = LLVMGetFirstUse(stored);
    if (value.kind != OPERAND_REGISTER || !LLVMIsAInstruction(stored) || LLVMIsAPHINode(stored) ||
        LLVMGetNextUse(use))
        return false;
    block *code = &b->t->p->functions.data[b->f].blocks.data[b->block];
    if (!code->code.size) return false;
    instruction *last = &vec_last(&code->code);
    bool is_temporary = map_get(&b->variable_registers, value.index) == MAP_NONE;
    if (last->dst != value.index || !is_temporary || is_operand_itself(b, stored, value.index)) return false;
    last->dst = variable;
    return true;
}

/* To something that somebody declared: not to a temporary, nor to the place of a result. */
static bool is_assignment(body *b, LLVMValueRef store) {
    LLVMValueRef target = LLVMGetOperand(store, 1);
    return !LLVMIsAAllocaInst(target) || map_get(&b->declared, (uintptr_t)target) != MAP_NONE;
}

static void store_variable(body *b, LLVMValueRef i, uint32_t variable) {
    if (is_parameter_home(b, i)) return;
    LLVMValueRef stored = LLVMGetOperand(i, 0);
    operand value = value_scalar(b, stored);
    if (!redirect_result(b, stored, value, variable)) code_move_to(b, variable, value);
    if (is_assignment(b, i)) code_end_statement(b);
}

void access_store(body *b, LLVMValueRef i) {
    LLVMValueRef stored = LLVMGetOperand(i, 0);
    uint32_t variable = variable_of(b, LLVMGetOperand(i, 1));
    if (variable != NO_INDEX) {
        store_variable(b, i, variable);
        return;
    }
    operand pointer = value_scalar(b, LLVMGetOperand(i, 1));
    memory_order_kind order = access_order(LLVMGetOrdering(i));
    leaves types = {0};
    operands parts = {0};
    lltype_leaves(b->t, LLVMTypeOf(stored), &types);
    value_parts(b, stored, &parts);
    for (size_t k = 0; k < types.size && k < parts.size; k++) {
        operand at = code_offset(b, pointer, (int64_t)types.data[k].offset);
        operand part = parts.data[k];
        if (part.kind == OPERAND_NONE) part = code_input(b, "undefined", types.data[k].type);
        code_store(b, at, part, order);
    }
    if (is_assignment(b, i)) code_end_statement(b);
    vec_free(&types);
    vec_free(&parts);
}

/* --- addresses ------------------------------------------------------------------------------------------ */

static operand add_index(body *b, operand pointer, LLVMValueRef index, uint64_t size) {
    unsigned width = b->t->pointer_bits;
    if (!size) return pointer;
    if (LLVMIsAConstantInt(index))
        return code_offset(b, pointer, LLVMConstIntGetSExtValue(index) * (int64_t)size);
    operand steps = code_resize(b, value_scalar(b, index), width, true);
    if (steps.kind != OPERAND_CONST && steps.kind != OPERAND_REGISTER) steps = code_move(b, steps, width);
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_OFFSET);
    i->dst = r;
    i->a = pointer;
    i->b = steps;
    i->extra = (uint32_t)size;
    return operand_register(r, width);
}

void access_element(body *b, LLVMValueRef i) {
    operand pointer = value_scalar(b, LLVMGetOperand(i, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            pointer = code_offset(b, pointer, (int64_t)LLVMOffsetOfElement(b->t->data, type, member));
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        uint64_t size = lltype_size(b->t, type);
        if (size > UINT32_MAX) {
            code_unsupported(b, "an array with elements of %llu bytes", (unsigned long long)size);
            return;
        }
        pointer = add_index(b, pointer, index, size);
    }
    value_define_scalar(b, i, pointer);
}

/* --- atomic operations ---------------------------------------------------------------------------------- */

static void atomic(body *b, sync_op op) {
    code_sync(b, op, false, operand_none(), operand_none());
}

/* The new value; NONE if the operator is not modelled. */
static operand updated(body *b, LLVMAtomicRMWBinOp op, operand old, operand x) {
    unsigned width = x.width;
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return x;
    case LLVMAtomicRMWBinOpAdd: return code_arith(b, ARITH_ADD, width, old, x);
    case LLVMAtomicRMWBinOpSub: return code_arith(b, ARITH_SUB, width, old, x);
    case LLVMAtomicRMWBinOpAnd: return code_arith(b, ARITH_AND, width, old, x);
    case LLVMAtomicRMWBinOpNand:
        return code_unary(b, ARITH_NOT, width, code_arith(b, ARITH_AND, width, old, x));
    case LLVMAtomicRMWBinOpOr: return code_arith(b, ARITH_OR, width, old, x);
    case LLVMAtomicRMWBinOpXor: return code_arith(b, ARITH_XOR, width, old, x);
    case LLVMAtomicRMWBinOpMax: return code_select(b, code_arith(b, ARITH_SLT, 1, old, x), x, old);
    case LLVMAtomicRMWBinOpMin: return code_select(b, code_arith(b, ARITH_SLT, 1, x, old), x, old);
    case LLVMAtomicRMWBinOpUMax: return code_select(b, code_arith(b, ARITH_ULT, 1, old, x), x, old);
    case LLVMAtomicRMWBinOpUMin: return code_select(b, code_arith(b, ARITH_ULT, 1, x, old), x, old);
    default: return operand_none();
    }
}

/* The second half of a read-modify-write operation. */
static void store_modified(body *b, operand pointer, operand value, memory_order_kind order) {
    block *code = &b->t->p->functions.data[b->f].blocks.data[b->block];
    size_t before = code->code.size;
    code_store(b, pointer, value, order);
    code = &b->t->p->functions.data[b->f].blocks.data[b->block];
    for (size_t k = before; k < code->code.size; k++)
        if (code->code.data[k].kind == INSTR_STORE) code->code.data[k].modifies = true;
}

/* A commuting change whose old value nobody looks at. */
static bool update_in_place(body *b, LLVMValueRef i, operand pointer, operand x, memory_order_kind order) {
    arith op;
    switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpAdd: op = ARITH_ADD; break;
    case LLVMAtomicRMWBinOpSub: op = ARITH_ADD; break;
    case LLVMAtomicRMWBinOpAnd: op = ARITH_AND; break;
    case LLVMAtomicRMWBinOpOr: op = ARITH_OR; break;
    case LLVMAtomicRMWBinOpXor: op = ARITH_XOR; break;
    default: return false;
    }
    if (x.width < 8 || x.width & (x.width - 1) || !value_is_unread(b, i)) return false;
    if (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpSub)
        x = code_arith(b, ARITH_SUB, x.width, operand_const(x.width, 0), x);
    if (x.kind > OPERAND_CONST) x = code_move(b, x, x.width);
    instruction *update = code_add(b, INSTR_UPDATE);
    update->arith = (uint8_t)op;
    update->a = pointer;
    update->b = x;
    update->order = (uint8_t)order;
    return true;
}

void access_update(body *b, LLVMValueRef i) {
    operand pointer = value_scalar(b, LLVMGetOperand(i, 0)), x = value_scalar(b, LLVMGetOperand(i, 1));
    memory_order_kind order = access_order(LLVMGetOrdering(i));
    if (update_in_place(b, i, pointer, x, order)) return;
    atomic(b, SYNC_ATOMIC_BEGIN);
    operand old = code_load(b, pointer, x.width, order);
    operand new = updated(b, LLVMGetAtomicRMWBinOp(i), old, x);
    if (new.kind == OPERAND_NONE) {
        code_unsupported(b, "an atomic operation that is not modelled");
        return;
    }
    store_modified(b, pointer, new, order);
    atomic(b, SYNC_ATOMIC_END);
    value_define_scalar(b, i, old);
}

/* Whether the exchange happens, given that it may: a weak one may fail for no reason. */
static operand may_happen(body *b, LLVMValueRef i, operand equal) {
    if (!LLVMGetWeak(i) || !b->t->options->spurious_failure) return equal;
    uint32_t happens = code_register(b, 1, NULL), decide = code_new_block(b), decided = code_new_block(b);
    code_move_to(b, happens, equal);
    code_branch(b, equal, decide, decided);
    code_enter(b, decide);
    operand fails = code_input(b, "spurious failure", (scalar_type){1, VIEW_BOOL});
    instruction *unless = code_add(b, INSTR_ARITH);
    unless->arith = ARITH_NOT;
    unless->dst = happens;
    unless->a = fails;
    code_jump(b, decided);
    code_enter(b, decided);
    return operand_register(happens, 1);
}

void access_compare_exchange(body *b, LLVMValueRef i) {
    operand pointer = value_scalar(b, LLVMGetOperand(i, 0));
    operand expected = value_scalar(b, LLVMGetOperand(i, 1)), desired = value_scalar(b, LLVMGetOperand(i, 2));
    memory_order_kind order = access_order(LLVMGetCmpXchgSuccessOrdering(i));
    memory_order_kind on_failure = access_order(LLVMGetCmpXchgFailureOrdering(i));
    atomic(b, SYNC_ATOMIC_BEGIN);
    operand old = code_load(b, pointer, expected.width, on_failure); /* the store acquires on success */
    operand equal = may_happen(b, i, code_arith(b, ARITH_EQ, 1, old, expected));
    uint32_t write = code_new_block(b), after = code_new_block(b);
    code_branch(b, equal, write, after);
    code_enter(b, write);
    store_modified(b, pointer, desired, order);
    code_jump(b, after);
    code_enter(b, after);
    atomic(b, SYNC_ATOMIC_END);
    operand parts[] = {old, equal};
    value_define(b, i, parts, 2);
}

/* Between signal handlers and their thread nothing has to be ordered here. */
void access_fence(body *b, LLVMValueRef i) {
    if (LLVMIsAtomicSingleThread(i)) return;
    code_sync(b, SYNC_FENCE, false, operand_none(), operand_none());
    if (program_kernel(b->t->p)->accesses_may_race)
        code_last(b)->order = (uint8_t)access_order(LLVMGetOrdering(i));
}
