/* Blocks of the source and the variables that live in them.
 *
 * Clang marks where the lifetime of a variable begins and ends (llvm.lifetime). Where control leaves the
 * block the object ends; where control comes there again it is another one, which nobody has set. Arrays of
 * unknown length have no marks: they end where the stack is cut back (llvm.stackrestore).
 *
 * Most variables need nothing of that, because nobody could tell: those that live in a register, those whose
 * block is entered once and whose address goes nowhere, and those that live as long as the function. */
#include "frontend/llvm/translate.h"

typedef VEC(LLVMValueRef) values;

static const char *intrinsic_name(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_call_of(LLVMValueRef i, const char *prefix) {
    return !strncmp(intrinsic_name(i), prefix, strlen(prefix));
}

bool lifetime_is_mark(LLVMValueRef i) {
    return is_call_of(i, "llvm.lifetime.");
}

LLVMValueRef lifetime_begins(LLVMValueRef i) {
    return is_call_of(i, "llvm.lifetime.start") ? LLVMGetOperand(i, 1) : NULL;
}

/* --- where a block is entered again --------------------------------------------------------------------- */

static bool comes_again(LLVMBasicBlockRef block) {
    map seen = {0};
    VEC(LLVMBasicBlockRef) open = {0};
    vec_push(&open, block);
    bool again = false;
    while (open.size && !again) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(vec_pop(&open));
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            again |= next == block;
            if (map_get(&seen, (uintptr_t)next) != MAP_NONE) continue;
            map_put(&seen, (uintptr_t)next, 1);
            vec_push(&open, next);
        }
    }
    vec_free(&open);
    map_free(&seen);
    return again;
}

static bool block_comes_again(body *b, LLVMBasicBlockRef block) {
    uint64_t known = map_get(&b->comes_again, (uintptr_t)block);
    if (known != MAP_NONE) return known;
    bool again = comes_again(block);
    map_put(&b->comes_again, (uintptr_t)block, again);
    return again;
}

bool lifetime_begins_again(body *b, LLVMValueRef alloca) {
    if (b->hidden) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (lifetime_begins(user) && block_comes_again(b, LLVMGetInstructionParent(user))) return true;
    }
    return false;
}

/* --- what a variable needs ------------------------------------------------------------------------------ */

static bool address_goes_elsewhere(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool only_accesses = LLVMIsALoadInst(user) ||
                             (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer) ||
                             is_call_of(user, "llvm.");
        bool only_moves = LLVMIsAGetElementPtrInst(user) && !address_goes_elsewhere(user);
        if (!only_accesses && !only_moves) return true;
    }
    return false;
}

/* A jump back to a label in front of its declaration leaves a variable of C as it is, until control comes to
 * the declaration; clang ends it there. */
static bool is_behind_label(body *b, LLVMMetadataRef variable) {
    unsigned line = LLVMDIVariableGetLine(variable);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->llvm); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_call_of(i, "llvm.dbg.label") && LLVMGetDebugLocLine(i) <= line &&
                debug_share_scope(b->t, LLVMValueAsMetadata(LLVMGetOperand(i, 0)), variable))
                return true;
    return false;
}

typedef enum {
    NEEDS_NOTHING = 1, /* it lives as long as the function, or nobody can tell */
    NEEDS_END,         /* it ends with its block */
    NEEDS_BEGINNING    /* it stays, but its declaration makes it any value */
} lifetime_need;

static lifetime_need need_of(body *b, LLVMValueRef alloca) {
    uint64_t declared = map_get(&b->declared, (uintptr_t)alloca);
    LLVMMetadataRef variable = declared == MAP_NONE ? NULL : (LLVMMetadataRef)(uintptr_t)declared;
    bool again = lifetime_begins_again(b, alloca);
    bool whole_function = variable && debug_is_of_whole_function(b->t, variable);
    if (!again && (whole_function || !address_goes_elsewhere(alloca))) return NEEDS_NOTHING;
    return variable && is_behind_label(b, variable) ? NEEDS_BEGINNING : NEEDS_END;
}

static void make_unknown(body *b, operand object, LLVMValueRef alloca) {
    input entry = {debug_alloca_name(b, alloca), {8, VIEW_UNSIGNED}, b->at};
    vec_push(&b->t->p->inputs, entry);
    instruction *i = code_add(b, INSTR_HAVOC);
    i->a = object;
    i->extra = (uint32_t)(b->t->p->inputs.size - 1);
}

static void end_variable(body *b, operand object) {
    instruction *i = code_add(b, INSTR_FREE);
    i->a = object;
    i->extra = FREE_BLOCK;
    i->order = ORDER_ASIDE; /* nobody wrote an access there that could race */
}

/* An exception that is caught in the same function may have left the block without coming to its end. */
static bool may_be_left_unmarked(const body *b) {
    return b->t->throws && LLVMHasPersonalityFn(b->llvm);
}

void lifetime_translate(body *b, LLVMValueRef mark) {
    LLVMValueRef alloca = LLVMGetOperand(mark, 1);
    if (b->hidden || !LLVMIsAAllocaInst(alloca) || variable_of(b, alloca) != NO_INDEX) return;
    operand object = value_scalar(b, alloca);
    if (object.kind != OPERAND_LOCAL) return;
    uint64_t known = map_get(&b->lifetimes, (uintptr_t)alloca);
    lifetime_need need = known == MAP_NONE ? need_of(b, alloca) : (lifetime_need)known;
    map_put(&b->lifetimes, (uintptr_t)alloca, need);
    bool begins = lifetime_begins(mark) != NULL;
    if (need == NEEDS_BEGINNING && begins) make_unknown(b, object, alloca);
    if (need == NEEDS_END && (!begins || may_be_left_unmarked(b))) end_variable(b, object);
}

/* --- arrays of unknown length --------------------------------------------------------------------------- */

/* What holds the place to which the stack is cut back. */
static LLVMValueRef kept_in(LLVMValueRef restore) {
    LLVMValueRef from = LLVMGetOperand(restore, 0);
    return LLVMIsALoadInst(from) ? LLVMGetOperand(from, 0) : from;
}

static bool is_made_here(LLVMValueRef alloca, LLVMBasicBlockRef entry) {
    return LLVMIsAAllocaInst(alloca) &&
           (LLVMGetInstructionParent(alloca) != entry || !LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)));
}

/* The arrays that are made on ways from `i` that do not come to a place which cuts the stack
 * back to `kept`. */
static void add_made_since(body *b, LLVMValueRef i, LLVMValueRef kept, values *made) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->llvm);
    map seen = {0};
    values open = {0};
    vec_push(&open, i);
    while (open.size) {
        LLVMValueRef at = vec_pop(&open);
        for (; at && !LLVMIsATerminatorInst(at); at = LLVMGetNextInstruction(at)) {
            if (is_call_of(at, "llvm.stackrestore") && kept_in(at) == kept) break;
            if (is_made_here(at, entry)) vec_push(made, at);
        }
        if (!at || !LLVMIsATerminatorInst(at)) continue;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(at); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(at, k);
            if (map_get(&seen, (uintptr_t)next) != MAP_NONE) continue;
            map_put(&seen, (uintptr_t)next, 1);
            vec_push(&open, LLVMGetFirstInstruction(next));
        }
    }
    vec_free(&open);
    map_free(&seen);
}

static void list_made_since(body *b, LLVMValueRef kept, values *made) {
    if (is_call_of(kept, "llvm.stacksave")) add_made_since(b, kept, kept, made);
    for (LLVMUseRef use = LLVMGetFirstUse(kept); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && is_call_of(LLVMGetOperand(user, 0), "llvm.stacksave"))
            add_made_since(b, user, kept, made);
    }
}

/* Each array that ends before its function has a register that says which one there is; 0: none. */
void lifetimes_find_arrays(body *b) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->llvm); block && !b->hidden;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!is_call_of(i, "llvm.stackrestore")) continue;
            values made = {0};
            list_made_since(b, kept_in(i), &made);
            for (size_t k = 0; k < made.size; k++) {
                if (map_get(&b->arrays, (uintptr_t)made.data[k]) != MAP_NONE) continue;
                uint32_t which = code_register(b, b->t->pointer_bits, NULL);
                code_move_to(b, which, operand_const(b->t->pointer_bits, 0));
                map_put(&b->arrays, (uintptr_t)made.data[k], which);
            }
            vec_free(&made);
        }
}

void lifetime_note_array(body *b, LLVMValueRef alloca, operand pointer) {
    uint64_t which = map_get(&b->arrays, (uintptr_t)alloca);
    if (which != MAP_NONE) code_move_to(b, (uint32_t)which, pointer);
}

void lifetime_end_arrays(body *b, LLVMValueRef restore) {
    if (b->hidden) return;
    values made = {0};
    list_made_since(b, kept_in(restore), &made);
    for (size_t k = 0; k < made.size; k++) {
        uint64_t which = map_get(&b->arrays, (uintptr_t)made.data[k]);
        if (which == MAP_NONE) continue;
        instruction *i = code_add(b, INSTR_FREE);
        i->a = operand_register((uint32_t)which, b->t->pointer_bits);
        i->extra = FREE_FRAME;
        i->order = ORDER_ASIDE;
        code_move_to(b, (uint32_t)which, operand_const(b->t->pointer_bits, 0));
    }
    vec_free(&made);
}

/* --- ways out of blocks --------------------------------------------------------------------------------- */

enum { MOST_ON_THE_WAY = 32 }; /* blocks of clang's that end variables, one after the other */

/* Nothing happens in it but ends of variables, and at most one question where the way goes on. */
static bool only_ends_variables(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool switches = LLVMIsASwitchInst(end);
    if (!switches && !(LLVMIsABranchInst(end) && !LLVMIsConditional(end))) return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        bool question = switches && LLVMIsALoadInst(i) && i == LLVMGetOperand(end, 0);
        if (!question && !lifetime_is_mark(i) && !is_call_of(i, "llvm.dbg.")) return false;
    }
    return true;
}

/* The number that the last store in the block gives to `variable`, or NULL. */
static LLVMValueRef last_number(LLVMBasicBlockRef block, LLVMValueRef variable) {
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)
            return LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ? LLVMGetOperand(i, 0) : NULL;
    return NULL;
}

static LLVMBasicBlockRef switch_target(LLVMValueRef end, LLVMValueRef number) {
    for (unsigned k = 1; k < LLVMGetNumSuccessors(end); k++)
        if (LLVMGetOperand(end, 2 * k) == number) return LLVMGetSuccessor(end, k);
    return LLVMGetSuccessor(end, 0);
}

/* Where the block `at`, which only ends variables, leads if one comes from `origin`; NULL: that is open. */
static LLVMBasicBlockRef next_on_way(body *b, LLVMBasicBlockRef origin, LLVMBasicBlockRef at) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
    if (!LLVMIsASwitchInst(end)) return LLVMGetSuccessor(end, 0);
    LLVMValueRef question = LLVMGetOperand(end, 0);
    if (!LLVMIsALoadInst(question) || LLVMGetInstructionParent(question) != at ||
        variable_of(b, LLVMGetOperand(question, 0)) == NO_INDEX)
        return NULL;
    LLVMValueRef number = last_number(origin, LLVMGetOperand(question, 0));
    return number ? switch_target(end, number) : NULL;
}

static void end_on_the_way(body *b, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (lifetime_is_mark(i)) {
            b->at = b->hidden ? (position){0, 0} : debug_position(i, b->at);
            lifetime_translate(b, i);
        }
}

void lifetimes_follow(body *b, LLVMBasicBlockRef *from, LLVMBasicBlockRef *to) {
    LLVMBasicBlockRef way[MOST_ON_THE_WAY], at = *to;
    size_t count = 0, decided = 0;
    while (count < MOST_ON_THE_WAY && at && only_ends_variables(at)) {
        way[count++] = at;
        bool asks = LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(at));
        at = next_on_way(b, *from, at);
        if (at && asks) decided = count;
    }
    if (!decided) return;
    LLVMBasicBlockRef origin = *from;
    for (size_t k = 0; k < decided; k++) {
        end_on_the_way(b, way[k]);
        *to = next_on_way(b, origin, way[k]);
        *from = way[k];
    }
}
