/* Values that nobody looks at. Clang puts the result of every atomic operation into a temporary, and computes
 * the new value from it, whether or not the program asked: only if all of that goes nowhere is `x += 1` a
 * change that commutes with others like it. */
#include "frontend/llvm/translate.h"

enum { MOST_READERS = 32 }; /* instructions that are looked through */

typedef VEC(LLVMValueRef) values;

/* Arithmetic that cannot fail, so that leaving it out is not noticed. */
static bool only_computes(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub: return !LLVMGetNSW(i);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMICmp: return true;
    default: return false;
    }
}

/* A temporary of the compiler's; variables of the program are shown in traces. */
static bool is_temporary(body *b, LLVMValueRef pointer) {
    return variable_of(b, pointer) != NO_INDEX && !debug_register_name(b, pointer);
}

/* Adds what reads `value`; false if that could be noticed. */
static bool add_readers(body *b, LLVMValueRef value, values *readers) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (lifetime_is_mark(user)) continue;
        bool stores = LLVMIsAStoreInst(user) && is_temporary(b, LLVMGetOperand(user, 1));
        bool loads = LLVMIsALoadInst(user) && is_temporary(b, value);
        if (!stores && !loads && !only_computes(user)) return false;
        if (readers->size == MOST_READERS) return false;
        vec_push(readers, user);
    }
    return true;
}

bool value_is_unread(body *b, LLVMValueRef value) {
    values readers = {0};
    bool unread = add_readers(b, value, &readers);
    for (size_t k = 0; k < readers.size && unread; k++) {
        LLVMValueRef reader = readers.data[k];
        if (LLVMIsAStoreInst(reader)) { /* the loads, and other stores, which come back to here */
            LLVMValueRef temporary = LLVMGetOperand(reader, 1);
            bool seen = false;
            for (size_t before = 0; before < k; before++)
                seen |= LLVMIsAStoreInst(readers.data[before]) &&
                        LLVMGetOperand(readers.data[before], 1) == temporary;
            if (!seen) unread = add_readers(b, temporary, &readers);
        } else {
            unread = add_readers(b, reader, &readers);
        }
    }
    for (size_t k = 0; k < readers.size && unread; k++) map_put(&b->left_out, (uintptr_t)readers.data[k], 1);
    vec_free(&readers);
    return unread;
}
