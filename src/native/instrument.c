#include "native/instrument.h"

#include "frontend/llvm/compile.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct hooks {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef placed_type, plain_type; /* void (int, int), void (void) */
    LLVMValueRef access, call, wait, done, section_begin, section_end;
} hooks;

/* --- what is replaced by the run-time ------------------------------------------------------------------- */

static const struct {
    const char *name, *by;
} replaced[] = {
    {"pthread_create", "__heddle_native_pthread_create"},
    {"pthread_cond_wait", "__heddle_native_pthread_cond_wait"},
    {"pthread_cond_timedwait", "__heddle_native_pthread_cond_timedwait"},
    {"pthread_cond_signal", "__heddle_native_pthread_cond_signal"},
    {"pthread_cond_broadcast", "__heddle_native_pthread_cond_broadcast"},
    {"pthread_barrier_wait", "__heddle_native_pthread_barrier_wait"},
    {"__VERIFIER_atomic_begin", "__heddle_native_atomic_begin"},
    {"__VERIFIER_atomic_end", "__heddle_native_atomic_end"},
    {"__VERIFIER_error", "__heddle_native_error"},
    {"reach_error", "__heddle_native_error"},
    {"rand", "__heddle_native_rand"},
    {"random", "__heddle_native_random"},
};

static const char *name_of(LLVMValueRef f) {
    size_t length;
    return LLVMGetValueName2(f, &length);
}

static bool begins(const char *s, const char *prefix) {
    return !strncmp(s, prefix, strlen(prefix));
}

static void replace_functions(LLVMModuleRef module) {
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, replaced[i].name);
        if (f && LLVMIsDeclaration(f)) LLVMSetValueName2(f, replaced[i].by, strlen(replaced[i].by));
    }
}

/* --- which instructions --------------------------------------------------------------------------------- */

/* A variable that the front end keeps in a register: its address goes nowhere. */
static bool is_register(LLVMValueRef pointer) {
    if (!LLVMIsAAllocaInst(pointer)) return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(pointer));
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind && kind != LLVMFloatTypeKind &&
        kind != LLVMDoubleTypeKind)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(user),
             store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
        LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
        bool marker = callee && LLVMIsAFunction(callee) && begins(name_of(callee), "llvm.lifetime.");
        if (!load && !store && !marker) return false;
    }
    return true;
}

static bool is_access(LLVMValueRef i) {
    if (LLVMIsALoadInst(i)) return !is_register(LLVMGetOperand(i, 0));
    if (LLVMIsAStoreInst(i)) return !is_register(LLVMGetOperand(i, 1));
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) return true;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || !LLVMIsAFunction(callee)) return false;
    const char *name = name_of(callee);
    return begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove.") || begins(name, "llvm.memset.");
}

static bool is_library_call(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
           !begins(name_of(callee), "llvm.") && !begins(name_of(callee), "__ubsan");
}

/* Calls in which others run: the run-time does their steps one by one. */
static bool waits_in_steps(LLVMValueRef call) {
    const char *name = name_of(LLVMGetCalledValue(call));
    return !strcmp(name, "pthread_cond_wait") || !strcmp(name, "pthread_cond_timedwait") ||
           !strcmp(name, "pthread_barrier_wait");
}

/* --- hooks ---------------------------------------------------------------------------------------------- */

static void call_plain(hooks *h, LLVMValueRef hook) {
    LLVMBuildCall2(h->builder, h->plain_type, hook, NULL, 0, "");
}

static void surround(hooks *h, LLVMValueRef i, LLVMValueRef hook) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    unsigned line = location ? LLVMDILocationGetLine(location) : 0;
    if (!line) return;
    LLVMTypeRef number = LLVMInt32TypeInContext(h->context);
    LLVMValueRef place[] = {LLVMConstInt(number, line, 0),
                            LLVMConstInt(number, LLVMDILocationGetColumn(location), 0)};
    LLVMPositionBuilderBefore(h->builder, i);
    LLVMSetCurrentDebugLocation2(h->builder, location);
    LLVMBuildCall2(h->builder, h->placed_type, hook, place, 2, "");
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (!next) return;
    LLVMPositionBuilderBefore(h->builder, next);
    LLVMSetCurrentDebugLocation2(h->builder, location);
    call_plain(h, h->done);
}

/* A function whose name begins so is one atomic section. */
static void bracket_section(hooks *h, LLVMValueRef function) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef location =
        subprogram ? LLVMDIBuilderCreateDebugLocation(h->context, LLVMDISubprogramGetLine(subprogram), 1,
                                                      subprogram, NULL)
                   : NULL;
    LLVMPositionBuilderBefore(h->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(h->builder, location);
    call_plain(h, h->section_begin);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || !LLVMIsAReturnInst(last)) continue;
        LLVMPositionBuilderBefore(h->builder, last);
        LLVMSetCurrentDebugLocation2(h->builder, location);
        call_plain(h, h->section_end);
    }
}

static void instrument_function(hooks *h, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_access(i))
                surround(h, i, h->access);
            else if (is_library_call(i))
                surround(h, i, waits_in_steps(i) ? h->wait : h->call);
        }
    if (begins(name_of(function), "__VERIFIER_atomic_")) bracket_section(h, function);
}

static void watch_memory_of(LLVMContextRef context, LLVMValueRef function) {
    static const char name[] = "sanitize_address";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
}

static bool is_hook(const char *name) {
    return begins(name, "__heddle_native_");
}

static void instrument_module(LLVMContextRef context, LLVMModuleRef module, bool watch_memory) {
    LLVMTypeRef number = LLVMInt32TypeInContext(context), nothing = LLVMVoidTypeInContext(context);
    LLVMTypeRef two[] = {number, number};
    hooks h = {.context = context, .builder = LLVMCreateBuilderInContext(context)};
    h.placed_type = LLVMFunctionType(nothing, two, 2, false);
    h.plain_type = LLVMFunctionType(nothing, NULL, 0, false);
    h.access = LLVMAddFunction(module, "__heddle_native_access", h.placed_type);
    h.call = LLVMAddFunction(module, "__heddle_native_call", h.placed_type);
    h.wait = LLVMAddFunction(module, "__heddle_native_wait", h.placed_type);
    h.done = LLVMAddFunction(module, "__heddle_native_done", h.plain_type);
    h.section_begin = LLVMAddFunction(module, "__heddle_native_section_begin", h.plain_type);
    h.section_end = LLVMAddFunction(module, "__heddle_native_section_end", h.plain_type);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || is_hook(name_of(f))) continue;
        if (watch_memory) watch_memory_of(context, f);
        instrument_function(&h, f);
    }
    replace_functions(module);
    LLVMDisposeBuilder(h.builder);
}

static void keep_quiet(LLVMDiagnosticInfoRef info, void *data) {
    (void)info;
    (void)data;
}

bool instrument_file(const char *file, const llvm_options *options, bool watch_memory,
                     const char *bitcode_file, diagnostics *d) {
    bitcode code = {0};
    if (!compile_file(file, options, options->of_files, NULL, &code, d)) return false;
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, keep_quiet, NULL);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(code.bytes, code.size, file);
    LLVMModuleRef module = NULL;
    bool good = !LLVMParseBitcodeInContext2(context, buffer, &module);
    if (good) {
        instrument_module(context, module, watch_memory);
        good = !LLVMWriteBitcodeToFile(module, bitcode_file);
        LLVMDisposeModule(module);
    }
    if (!good) diag_report(d, DIAG_ERROR, (position){0, 0}, "%s: cannot be instrumented", file);
    LLVMDisposeMemoryBuffer(buffer);
    LLVMContextDispose(context);
    mem_free(code.bytes);
    return good;
}
