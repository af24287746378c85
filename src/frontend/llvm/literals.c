#include "frontend/llvm/literals.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

static bool is_literal(LLVMValueRef i) {
    size_t length;
    const char *name = LLVMIsAAllocaInst(i) ? LLVMGetValueName2(i, &length) : "";
    return !strncmp(name, ".compoundliteral", strlen(".compoundliteral"));
}

/* --- blocks of the source ------------------------------------------------------------------------------- */

/* NULL: nobody knows; as marks and declarations of variables, which stand at the borders of blocks. */
static LLVMMetadataRef scope_of(LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i) || LLVMIsAPHINode(i)) return NULL;
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    return location ? LLVMDILocationGetScope(location) : NULL;
}

static LLVMMetadataRef parent_of(LLVMContextRef context, LLVMMetadataRef block) {
    enum { PARENT = 1 }; /* among operands of a DILexicalBlock */
    LLVMValueRef parent = LLVMGetOperand(LLVMMetadataAsValue(context, block), PARENT);
    return parent ? LLVMValueAsMetadata(parent) : NULL;
}

static bool is_block(LLVMMetadataRef scope) {
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
}

static bool lies_in(LLVMContextRef context, LLVMMetadataRef scope, LLVMMetadataRef block) {
    while (scope && scope != block && is_block(scope)) scope = parent_of(context, scope);
    return scope == block;
}

/* The block that a literal stands in; NULL: it lives as long as its function. */
static LLVMMetadataRef block_of(LLVMValueRef literal) {
    for (LLVMUseRef use = LLVMGetFirstUse(literal); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMMetadataRef scope = LLVMIsAInstruction(user) ? scope_of(user) : NULL;
        if (scope) return is_block(scope) ? scope : NULL;
    }
    return NULL;
}

/* --- ends ----------------------------------------------------------------------------------------------- */

typedef enum { NOWHERE, INSIDE, OUTSIDE } where;

typedef struct marker {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMValueRef end; /* llvm.lifetime.end */
    LLVMTypeRef type;
} marker;

static where place_of(const marker *m, LLVMValueRef i, LLVMMetadataRef block) {
    LLVMMetadataRef scope = scope_of(i);
    return !scope ? NOWHERE : lies_in(m->context, scope, block) ? INSIDE : OUTSIDE;
}

static where last_place(const marker *m, LLVMBasicBlockRef code, LLVMMetadataRef block) {
    where found = NOWHERE;
    for (LLVMValueRef i = LLVMGetLastInstruction(code); i && found == NOWHERE;
         i = LLVMGetPreviousInstruction(i))
        found = place_of(m, i, block);
    return found;
}

/* Some way into the code comes from inside the block. */
static bool is_entered_from(const marker *m, LLVMBasicBlockRef code, LLVMMetadataRef block) {
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(code)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) && last_place(m, LLVMGetInstructionParent(user), block) == INSIDE)
            return true;
    }
    return false;
}

static void mark_end(const marker *m, LLVMValueRef literal, LLVMValueRef before) {
    LLVMPositionBuilderBefore(m->builder, before);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(before));
    LLVMValueRef arguments[] = {LLVMConstInt(LLVMInt64TypeInContext(m->context), (uint64_t)-1, 1), literal};
    LLVMBuildCall2(m->builder, m->type, m->end, arguments, 2, "");
}

/* Wherever control has left the block. Outside of it nobody can have a use for the literal, so that a mark on
 * the way of others does no harm. */
static void mark_ends(const marker *m, LLVMValueRef f, LLVMValueRef literal, LLVMMetadataRef block) {
    for (LLVMBasicBlockRef code = LLVMGetFirstBasicBlock(f); code; code = LLVMGetNextBasicBlock(code)) {
        where before = is_entered_from(m, code, block) ? INSIDE : NOWHERE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(code); i; i = LLVMGetNextInstruction(i)) {
            where now = place_of(m, i, block);
            if (before == INSIDE && now == OUTSIDE) mark_end(m, literal, i);
            if (now != NOWHERE) before = now;
        }
    }
}

static void mark_function(const marker *m, LLVMValueRef f) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        LLVMMetadataRef block = is_literal(i) ? block_of(i) : NULL;
        if (block) mark_ends(m, f, i, block);
    }
}

void literals_mark_ends(LLVMModuleRef user) {
    static const char name[] = "llvm.lifetime.end";
    LLVMContextRef context = LLVMGetModuleContext(user);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    unsigned number = LLVMLookupIntrinsicID(name, strlen(name));
    marker m = {.context = context, .builder = LLVMCreateBuilderInContext(context)};
    m.end = LLVMGetIntrinsicDeclaration(user, number, &pointer, 1);
    m.type = LLVMIntrinsicGetType(context, number, &pointer, 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(user); f; f = LLVMGetNextFunction(f))
        if (LLVMCountBasicBlocks(f) && LLVMGetSubprogram(f)) mark_function(&m, f);
    LLVMDisposeBuilder(m.builder);
}
