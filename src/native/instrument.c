#include "native/instrument.h"

#include "frontend/llvm/compile.h"
#include "frontend/llvm/translate.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct hooks {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef placed_type, plain_type; /* void (int, int), void (void) */
    LLVMTypeRef result_type;             /* int64 (int, int, int64) */
    LLVMValueRef access, call, wait, done, result, section_begin, section_end;
} hooks;

/* --- what is replaced by the run-time ------------------------------------------------------------------- */

static const struct {
    const char *name, *by;
} replaced[] = {
    {"pthread_create", "__heddle_native_pthread_create"},
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
     "__heddle_native_start_thread"},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "__heddle_native_wait_with_lock"},
    {"_ZNSt18condition_variable10notify_oneEv", "__heddle_native_pthread_cond_signal"},
    {"_ZNSt18condition_variable10notify_allEv", "__heddle_native_pthread_cond_broadcast"},
    {"pthread_cond_wait", "__heddle_native_pthread_cond_wait"},
    {"pthread_cond_timedwait", "__heddle_native_pthread_cond_timedwait"},
    {"pthread_cond_signal", "__heddle_native_pthread_cond_signal"},
    {"pthread_cond_broadcast", "__heddle_native_pthread_cond_broadcast"},
    {"pthread_barrier_wait", "__heddle_native_pthread_barrier_wait"},
    {"__VERIFIER_atomic_begin", "__heddle_native_atomic_begin"},
    {"__VERIFIER_atomic_end", "__heddle_native_atomic_end"},
    {"__VERIFIER_error", "__heddle_native_error"},
    {"reach_error", "__heddle_native_error"},
    {"pthread_mutex_lock", "__heddle_native_pthread_mutex_lock"},
    {"pthread_mutex_trylock", "__heddle_native_pthread_mutex_trylock"},
    {"pthread_mutex_unlock", "__heddle_native_pthread_mutex_unlock"},
    {"pthread_mutex_destroy", "__heddle_native_pthread_mutex_destroy"},
    {"pthread_rwlock_rdlock", "__heddle_native_pthread_rwlock_rdlock"},
    {"pthread_rwlock_wrlock", "__heddle_native_pthread_rwlock_wrlock"},
    {"pthread_rwlock_unlock", "__heddle_native_pthread_rwlock_unlock"},
    {"pthread_rwlock_destroy", "__heddle_native_pthread_rwlock_destroy"},
    {"sem_wait", "__heddle_native_sem_wait"},
    {"sem_post", "__heddle_native_sem_post"},
    {"sem_destroy", "__heddle_native_sem_destroy"},
    {"malloc", "__heddle_native_malloc"},
    {"calloc", "__heddle_native_calloc"},
    {"realloc", "__heddle_native_realloc"},
    {"free", "__heddle_native_free"},
    {"_Znwm", "__heddle_native_new"},
    {"_Znam", "__heddle_native_new_array"},
    {"_ZdlPv", "__heddle_native_delete"},
    {"_ZdaPv", "__heddle_native_delete_array"},
    {"_ZdlPvm", "__heddle_native_delete"},
    {"_ZdaPvm", "__heddle_native_delete_array"},
    {"time", "__heddle_native_time"},
    {"clock_gettime", "__heddle_native_clock_gettime"},
    {"gettimeofday", "__heddle_native_gettimeofday"},
    {"timespec_get", "__heddle_native_timespec_get"},
    {"rand_r", "__heddle_native_rand_r"},
    {"getenv", "__heddle_native_getenv"},
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
        LLVMValueRef by = LLVMGetNamedFunction(module, replaced[i].by);
        if (!f || !LLVMIsDeclaration(f)) continue;
        if (by) /* two names of the same */
            LLVMReplaceAllUsesWith(f, by);
        else
            LLVMSetValueName2(f, replaced[i].by, strlen(replaced[i].by));
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

/* What the front end hides of C++: its headers, and the primitives of SymC++. Their insides are steps
 * of the call. */
static bool is_of_headers(LLVMValueRef f) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f),
                    file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    if (!file) return false;
    unsigned length;
    const char *name = LLVMDIFileGetFilename(file, &length), *slash = strrchr(name, '/');
    return debug_is_of_cxx(name) || (slash && !strcmp(slash, "/symcpp.h") && compile_is_own_header(name));
}

static bool is_library_call(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || !LLVMIsAFunction(callee)) return false;
    if (!LLVMIsDeclaration(callee)) return is_of_headers(callee);
    return !begins(name_of(callee), "llvm.") && !begins(name_of(callee), "__ubsan");
}

/* Calls in which others run: the run-time does their steps one by one. */
static bool waits_in_steps(LLVMValueRef call) {
    const char *name = name_of(LLVMGetCalledValue(call));
    return !strcmp(name, "pthread_cond_wait") || !strcmp(name, "pthread_cond_timedwait") ||
           !strcmp(name, "pthread_barrier_wait") ||
           !strcmp(name, "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
}

/* --- hooks ---------------------------------------------------------------------------------------------- */

static void call_plain(hooks *h, LLVMValueRef hook) {
    LLVMBuildCall2(h->builder, h->plain_type, hook, NULL, 0, "");
}

/* What a call of the library gives is what it gave in the recorded execution, if it is known. The builder
 * stands behind the call. */
static void feed_result(hooks *h, LLVMValueRef call, LLVMValueRef place[2]) {
    LLVMTypeRef type = LLVMTypeOf(call), wide = LLVMInt64TypeInContext(h->context);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return;
    bool narrow = LLVMGetIntTypeWidth(type) < 64;
    LLVMValueRef real = narrow ? LLVMBuildZExt(h->builder, call, wide, "") : call;
    LLVMValueRef arguments[] = {place[0], place[1], real};
    LLVMValueRef fed = LLVMBuildCall2(h->builder, h->result_type, h->result, arguments, 3, "");
    LLVMValueRef used = narrow ? LLVMBuildTrunc(h->builder, fed, type, "") : fed;
    LLVMReplaceAllUsesWith(call, used);
    if (narrow)
        LLVMSetOperand(real, 0, call);
    else
        LLVMSetOperand(fed, 2, call);
}

/* Behind what must be first in a block. */
static void stand_at_begin(hooks *h, LLVMBasicBlockRef block, LLVMMetadataRef location) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i)) i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(h->builder, i);
    LLVMSetCurrentDebugLocation2(h->builder, location);
}

/* The result of an invocation goes into a join where it arrives: nothing can stand in between. */
static bool is_joined(LLVMValueRef i) {
    return LLVMIsAInvokeInst(i) && LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetNormalDest(i)));
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
    if (LLVMIsAInvokeInst(i)) {
        stand_at_begin(h, LLVMGetUnwindDest(i), location);
        call_plain(h, h->done);
        stand_at_begin(h, LLVMGetNormalDest(i), location);
    } else if (LLVMGetNextInstruction(i)) {
        LLVMPositionBuilderBefore(h->builder, LLVMGetNextInstruction(i));
    } else {
        return;
    }
    LLVMSetCurrentDebugLocation2(h->builder, location);
    call_plain(h, h->done);
    if (hook == h->call && !is_joined(i)) feed_result(h, i, place);
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
    LLVMTypeRef wide = LLVMInt64TypeInContext(context);
    LLVMTypeRef two[] = {number, number}, three[] = {number, number, wide};
    hooks h = {.context = context, .builder = LLVMCreateBuilderInContext(context)};
    h.placed_type = LLVMFunctionType(nothing, two, 2, false);
    h.plain_type = LLVMFunctionType(nothing, NULL, 0, false);
    h.result_type = LLVMFunctionType(wide, three, 3, false);
    h.access = LLVMAddFunction(module, "__heddle_native_access", h.placed_type);
    h.call = LLVMAddFunction(module, "__heddle_native_call", h.placed_type);
    h.wait = LLVMAddFunction(module, "__heddle_native_wait", h.placed_type);
    h.done = LLVMAddFunction(module, "__heddle_native_done", h.plain_type);
    h.result = LLVMAddFunction(module, "__heddle_native_result", h.result_type);
    h.section_begin = LLVMAddFunction(module, "__heddle_native_section_begin", h.plain_type);
    h.section_end = LLVMAddFunction(module, "__heddle_native_section_end", h.plain_type);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || is_hook(name_of(f))) continue;
        if (watch_memory) watch_memory_of(context, f);
        if (!is_of_headers(f)) instrument_function(&h, f);
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
    mem_free(code.warnings);
    return good;
}
