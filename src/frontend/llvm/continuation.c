/* Where control goes on behind a call that does not return, as if it did.
 *
 * Clang ends the block of `__assert_fail` with `unreachable`, so nothing in the code says what comes next. It
 * is where the other ways of the branches that lead to the call come together again. Blocks lie in the order
 * of the text: going on from the earliest of several, the first one that is left alone is that place. */
#include "frontend/llvm/translate.h"

#include <stdlib.h>

enum { MOST_BLOCKS = 1000 }; /* that one assertion's expression may have */

typedef VEC(uint32_t) numbers;

typedef struct outline { /* of the function: its blocks in order */
    VEC(LLVMBasicBlockRef) blocks;
    map number;
} outline;

static outline list_blocks(LLVMValueRef f) {
    outline o = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(&o.number, (uintptr_t)b, o.blocks.size);
        vec_push(&o.blocks, b);
    }
    return o;
}

static void add_once(numbers *list, uint32_t n) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == n) return;
    vec_push(list, n);
}

static numbers list_predecessors(const outline *o, LLVMBasicBlockRef block) {
    numbers list = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsATerminatorInst(user)) continue;
        uint64_t n = map_get(&o->number, (uintptr_t)LLVMGetInstructionParent(user));
        if (n != MAP_NONE) add_once(&list, (uint32_t)n);
    }
    return list;
}

static uint32_t take_earliest(numbers *list) {
    size_t best = 0;
    for (size_t i = 1; i < list->size; i++)
        if (list->data[i] < list->data[best]) best = i;
    uint32_t n = list->data[best];
    list->data[best] = vec_last(list);
    list->size--;
    return n;
}

/* Ways back belong to loops around the call, and lead nowhere that others could come together with. */
static void add_successors(const outline *o, uint32_t from, LLVMBasicBlockRef without, numbers *to) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(o->blocks.data[from]);
    for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
        uint32_t n = (uint32_t)map_get(&o->number, (uintptr_t)next);
        if (next != without && n > from) add_once(to, n);
    }
}

static bool has_phi(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && LLVMIsAPHINode(first);
}

static bool includes_any(const numbers *list, const numbers *wanted) {
    for (size_t i = 0; i < list->size; i++)
        for (size_t k = 0; k < wanted->size; k++)
            if (list->data[i] == wanted->data[k]) return true;
    return false;
}

/* Behind all of `from`, once they have come together. */
static LLVMBasicBlockRef find_meeting(const outline *o, const numbers *from, LLVMBasicBlockRef without) {
    numbers open = {0};
    LLVMBasicBlockRef found = NULL;
    for (size_t i = 0; i < from->size; i++) vec_push(&open, from->data[i]);
    for (size_t looks = 0; open.size && looks < MOST_BLOCKS && !found; looks++) {
        add_successors(o, take_earliest(&open), without, &open);
        if (open.size == 1 && !includes_any(&open, from)) found = o->blocks.data[open.data[0]];
    }
    vec_free(&open);
    return found && !has_phi(found) ? found : NULL;
}

LLVMBasicBlockRef continuation_find(LLVMBasicBlockRef block) {
    outline o = list_blocks(LLVMGetBasicBlockParent(block));
    numbers before = list_predecessors(&o, block);
    LLVMBasicBlockRef found = before.size ? find_meeting(&o, &before, block) : NULL;
    vec_free(&before);
    vec_free(&o.blocks);
    map_free(&o.number);
    return found;
}

static bool returns(LLVMValueRef call) {
    LLVMValueRef next = LLVMIsAInvokeInst(call) ? LLVMGetFirstInstruction(LLVMGetNormalDest(call))
                                                : LLVMGetNextInstruction(call);
    return next && !LLVMIsAUnreachableInst(next);
}

void continuation_go_on(body *b, LLVMValueRef call) {
    if (returns(call)) return;
    LLVMBasicBlockRef to = continuation_find(LLVMGetInstructionParent(call));
    if (!to) {
        code_unsupported_here(b, "what comes behind a violated assertion that ends the program");
        return;
    }
    code_jump(b, block_number(b, to));
    code_enter(b, code_new_block(b));
    b->ended = true;
}
