#include "frontend/llvm/load.h"

#include "base/map.h"
#include "base/sha256.h"
#include "base/vec.h"
#include "frontend/llvm/compile.h"
#include "frontend/llvm/findings.h"
#include "frontend/llvm/handlers.h"
#include "frontend/llvm/literals.h"
#include "frontend/llvm/translate.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

static const position nowhere = {0, 0};

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
    diagnostics *d = data;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *words = LLVMGetDiagInfoDescription(info);
    diag_report(d, DIAG_ERROR, nowhere, "%s", words);
    LLVMDisposeMessage(words);
}

static LLVMModuleRef parse(LLVMContextRef context, const void *bytes, size_t size, const char *name,
                           diagnostics *d) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, name);
    LLVMModuleRef module = NULL;
    unsigned before = d->errors;
    bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed && d->errors == before)
        diag_report(d, DIAG_ERROR, nowhere, "%s: not valid LLVM bitcode", name);
    if (!failed) LLVMSetIsNewDbgInfoFormat(module, 0); /* the LLVM-C interface walks intrinsics only */
    return failed ? NULL : module;
}

/* Takes `from` in any case. */
static bool link_into(LLVMModuleRef to, LLVMModuleRef from, const char *name, diagnostics *d) {
    unsigned before = d->errors;
    if (!LLVMLinkModules2(to, from)) return true;
    if (d->errors == before) diag_report(d, DIAG_ERROR, nowhere, "%s: cannot be linked", name);
    return false;
}

/* --- the user's files ----------------------------------------------------------------------------------- */

static void note_digest(text *digests, const bitcode *code) {
    char hex[SHA256_HEX];
    if (!digests) return;
    sha256_hex(code->bytes, code->size, hex);
    text_format(digests, "%s\n", hex);
}

static LLVMModuleRef load_file(LLVMContextRef context, const char *const *files, size_t number,
                               const llvm_options *options, diagnostics *d) {
    bitcode code = {0};
    const char *file = files[number];
    const llvm_file_arguments *own = options->of_files ? &options->of_files[number] : NULL;
    if (!compile_file(file, options, own, number ? NULL : options->monitor, &code, d)) return NULL;
    note_digest(options->digests, &code);
    LLVMModuleRef module = parse(context, code.bytes, code.size, file, d);
    if (module && code.warnings) findings_keep(module, code.warnings);
    mem_free(code.bytes);
    mem_free(code.warnings);
    return module;
}

static bool target_is_known(LLVMModuleRef module, const char *file, diagnostics *d) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(module);
    unsigned bytes = LLVMPointerSize(data);
    if (LLVMByteOrder(data) == LLVMLittleEndian && (bytes == 4 || bytes == 8)) return true;
    diag_report(d, DIAG_ERROR, nowhere, "%s: only little-endian targets with 32 or 64 bits are supported",
                file);
    return false;
}

static LLVMModuleRef load_and_link_files(LLVMContextRef context, const char *const *files, size_t count,
                                         const llvm_options *options, diagnostics *d) {
    LLVMModuleRef whole = NULL;
    for (size_t k = 0; k < count; k++) {
        LLVMModuleRef module = load_file(context, files, k, options, d);
        if (!module) return NULL;
        if (!target_is_known(module, files[k], d)) return NULL;
        if (!whole) {
            whole = module;
        } else {
            if (LLVMPointerSize(LLVMGetModuleDataLayout(whole)) !=
                LLVMPointerSize(LLVMGetModuleDataLayout(module))) {
                diag_report(d, DIAG_ERROR, nowhere, "%s: has another data model than %s", files[k], files[0]);
                return NULL;
            }
            if (!link_into(whole, module, files[k], d)) return NULL;
        }
    }
    return whole;
}

/* --- the library ---------------------------------------------------------------------------------------- */

static bool defined_as_other_kind(LLVMModuleRef user, const char *name) {
    LLVMValueRef variable = LLVMGetNamedGlobal(user, name);
    return (variable && !LLVMIsDeclaration(variable)) || LLVMGetNamedGlobalAlias(user, name, strlen(name));
}

/* A model gives way to a definition of the user's by being weak; to something of another kind, by being
 * private to the library. */
static void mark_as_library(LLVMModuleRef library, LLVMModuleRef user) {
    LLVMContextRef context = LLVMGetModuleContext(library);
    LLVMAttributeRef mark =
        LLVMCreateStringAttribute(context, LIBRARY_ATTRIBUTE, strlen(LIBRARY_ATTRIBUTE), "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
        if (LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
        LLVMSetLinkage(f, defined_as_other_kind(user, name) ? LLVMInternalLinkage : LLVMWeakAnyLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage) {
            size_t length;
            LLVMValueRef same = LLVMGetNamedFunction(user, LLVMGetValueName2(g, &length));
            LLVMSetLinkage(g, same && !LLVMIsDeclaration(same) ? LLVMInternalLinkage : LLVMWeakAnyLinkage);
        }
}

/* The models are compiled for one target; a module of another one with the same data model is as good. */
static void adopt_target(LLVMModuleRef library, LLVMModuleRef user) {
    LLVMSetTarget(library, LLVMGetTarget(user));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(user));
}

static bool link_library(LLVMModuleRef whole, diagnostics *d) {
    bool data_model_32 = LLVMPointerSize(LLVMGetModuleDataLayout(whole)) == 4;
    for (size_t k = 0; k < library_module_count; k++) {
        const library_module *model = &library_modules[k];
        if (model->data_model_32 != data_model_32) continue;
        LLVMModuleRef module = parse(LLVMGetModuleContext(whole), model->bytes, model->size, model->name, d);
        if (!module) return false;
        mark_as_library(module, whole);
        adopt_target(module, whole);
        if (!link_into(whole, module, model->name, d)) return false;
    }
    return true;
}

static void set_option(LLVMModuleRef whole, const char *name, unsigned value) {
    LLVMValueRef option = LLVMGetNamedGlobal(whole, name);
    if (!option || LLVMIsDeclaration(option)) return;
    LLVMSetInitializer(option, LLVMConstInt(LLVMGlobalGetValueType(option), value, 0));
}

bool option_is_on(LLVMModuleRef module, const char *name) {
    LLVMValueRef option = LLVMGetNamedGlobal(module, name);
    return option && !LLVMIsDeclaration(option) && !LLVMIsNull(LLVMGetInitializer(option));
}

static bool is_mentioned(LLVMModuleRef user, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(user, name);
    return f && LLVMGetFirstUse(f);
}

/* Whether control may come back to this block. */
static bool is_in_loop(LLVMBasicBlockRef block) {
    VEC(LLVMBasicBlockRef) work = {0};
    map seen = {0};
    bool again = false;
    vec_push(&work, block);
    while (work.size && !again) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(vec_pop(&work));
        for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            again |= next == block;
            if (map_get(&seen, (uintptr_t)next) != MAP_NONE) continue;
            map_put(&seen, (uintptr_t)next, 1);
            vec_push(&work, next);
        }
    }
    vec_free(&work);
    map_free(&seen);
    return again;
}

/* A call in main, outside of every loop, of a main that nobody calls. */
static bool happens_once(LLVMModuleRef user, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef main = LLVMGetNamedFunction(user, "main");
    if (LLVMGetBasicBlockParent(block) != main || LLVMGetFirstUse(main)) return false;
    return !is_in_loop(block);
}

/* Whether the program says seeds of rand: SEEDS_... of library/intrinsics.h. */
static unsigned count_seeds(LLVMModuleRef user) {
    static const char *const names[] = {"srand", "srandom"};
    enum { NONE, ONCE, ANY };
    unsigned often = NONE;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(user, names[k]);
        for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user_of_it = LLVMGetUser(use);
            bool once = often == NONE && LLVMIsACallInst(user_of_it) && LLVMGetCalledValue(user_of_it) == f &&
                        happens_once(user, user_of_it);
            often = once ? ONCE : ANY;
        }
    }
    return often;
}

/* The function is used outside of loops only, by functions of which the same is true. How often they are
 * called is not counted: this decides what is worth remembering, not what is right. */
static bool is_used_few_times(LLVMValueRef f, unsigned depth) {
    enum { MOST_CALLERS = 8 };
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef by = LLVMGetUser(use);
        if (depth == MOST_CALLERS || !LLVMIsAInstruction(by) || is_in_loop(LLVMGetInstructionParent(by)))
            return false;
        if (!is_used_few_times(LLVMGetBasicBlockParent(LLVMGetInstructionParent(by)), depth + 1))
            return false;
    }
    return true;
}

static bool calls_few_times(LLVMModuleRef user, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(user, name);
    return f && is_used_few_times(f, 0);
}

static bool creates_threads(LLVMModuleRef user) {
    static const char *const names[] = {
        "pthread_create", "thrd_create",
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is_mentioned(user, names[k])) return true;
    return false;
}

/* More than once: else there is nothing to remember. */
static bool asks_again(LLVMModuleRef user, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(user, name);
    LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL;
    if (!use) return false;
    return LLVMGetNextUse(use) || !LLVMIsACallInst(LLVMGetUser(use)) || !happens_once(user, LLVMGetUser(use));
}

/* Clocks that never go back are asked, and remembering what they showed makes no threads depend on each other
 * in loops. */
static bool asks_clocks_sometimes(LLVMModuleRef user) {
    static const char *const names[] = {"clock_gettime", "clock"};
    bool again = false, often = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        again |= asks_again(user, names[k]);
        often |= is_mentioned(user, names[k]) && !calls_few_times(user, names[k]);
    }
    return again && (!often || !creates_threads(user));
}

/* What SystemC's headers throw counts only if the design may catch it. */
static bool is_thrown(LLVMModuleRef user, bool catches_reports) {
    LLVMValueRef f = LLVMGetNamedFunction(user, "__cxa_throw");
    LLVMValueRef of_headers = catches_reports ? NULL : LLVMGetNamedFunction(user, "heddle_sc_throw");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef who = LLVMGetUser(use);
        if (!LLVMIsAInstruction(who)) return true;
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(who)) != of_headers) return true;
    }
    return is_mentioned(user, "__cxa_rethrow");
}

/* --- exceptions ----------------------------------------------------------------------------------------- */

/* Some function has something to do when frames are left. */
static bool has_landings(LLVMModuleRef user) {
    for (LLVMValueRef f = LLVMGetFirstFunction(user); f; f = LLVMGetNextFunction(f))
        if (LLVMHasPersonalityFn(f)) return true;
    return false;
}

/* Beside what clang makes to keep exceptions from leaving functions that throw nothing. */
static bool catches_something(LLVMModuleRef user) {
    LLVMValueRef begin = LLVMGetNamedFunction(user, "__cxa_begin_catch");
    for (LLVMUseRef use = begin ? LLVMGetFirstUse(begin) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef i = LLVMGetUser(use);
        if (!LLVMIsAInstruction(i)) return true;
        size_t length;
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
        if (strcmp(LLVMGetValueName2(f, &length), "__clang_call_terminate")) return true;
    }
    return false;
}

/* Functions of the C++ library that throw by themselves. */
static bool calls_what_throws(LLVMModuleRef user) {
    for (LLVMValueRef f = LLVMGetFirstFunction(user); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        bool throws = strstr(name, "__throw_") || !strcmp(name, "_ZNSt6thread4joinEv") ||
                      !strcmp(name, "_ZNSt6thread6detachEv");
        if (throws && LLVMGetFirstUse(f)) return true;
    }
    return false;
}

/* --- read-write locks that prefer writers -------------------------------------------------------------- */

/* glibc's own name for what a lock is made of. Programs never look inside, but initialisers do. */
static bool is_read_write_lock(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
    const char *name = LLVMGetStructName(type);
    return name && strstr(name, "__pthread_rwlock_arch_t");
}

static bool initialises_lock(LLVMValueRef constant) {
    if (!LLVMIsConstant(constant) || LLVMIsNull(constant)) return false;
    LLVMTypeRef type = LLVMTypeOf(constant);
    bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    if (is_read_write_lock(type)) return true;
    if (!is_array && LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
    uint64_t count = is_array ? LLVMGetArrayLength2(type) : LLVMCountStructElementTypes(type);
    if (is_array && LLVMIsAConstantDataSequential(constant)) return false;
    bool found = false;
    for (uint64_t k = 0; k < count && !found; k++) {
        LLVMValueRef element = LLVMGetAggregateElement(constant, (unsigned)k);
        found = element && initialises_lock(element);
    }
    return found;
}

static bool looks_into_lock(LLVMValueRef i) {
    return LLVMIsAGetElementPtrInst(i) && is_read_write_lock(LLVMGetGEPSourceElementType(i));
}

static bool function_looks_into_lock(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (looks_into_lock(i)) return true;
    return false;
}

/* Whether some lock of the program could prefer writers: it is made by an attribute, or by an initialiser
 * that is not all zero. One that is missed is found when it is used (library/rwlock.c). */
static bool has_locks_for_writers_first(LLVMModuleRef user) {
    if (is_mentioned(user, "pthread_rwlockattr_setkind_np")) return true;
    if (!LLVMGetTypeByName2(LLVMGetModuleContext(user), "struct.__pthread_rwlock_arch_t")) return false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(user); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && initialises_lock(LLVMGetInitializer(g))) return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(user); f; f = LLVMGetNextFunction(f))
        if (function_looks_into_lock(f)) return true;
    return false;
}

static bool is_well_formed(LLVMModuleRef module, diagnostics *d) {
    char *problem = NULL;
    bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &problem);
    if (broken) diag_report(d, DIAG_ERROR, nowhere, "the linked module is broken: %s", problem);
    LLVMDisposeMessage(problem);
    return !broken;
}

LLVMModuleRef load_program(LLVMContextRef context, const char *const *files, size_t file_count,
                           const llvm_options *options, diagnostics *d) {
    LLVMContextSetDiagnosticHandler(context, take_diagnostic, d);
    LLVMModuleRef whole = load_and_link_files(context, files, file_count, options, d);
    if (!whole) return NULL;
    literals_mark_ends(whole);
    bool makes_keys = is_mentioned(whole, "pthread_key_create") || is_mentioned(whole, "tss_create");
    handlers_found handlers = handlers_find(whole);
    bool has_rules = is_mentioned(whole, "heddle_sc_note_rules");
    unsigned seeds = count_seeds(whole);
    bool few_rand_r = calls_few_times(whole, "rand_r");
    bool few_clocks = asks_clocks_sometimes(whole);
    bool detaches = is_mentioned(whole, "pthread_detach") || is_mentioned(whole, "thrd_detach") ||
                    is_mentioned(whole, "_ZNSt6thread6detachEv") ||
                    is_mentioned(whole, "pthread_attr_setdetachstate");
    bool writers_first = has_locks_for_writers_first(whole);
    bool unwinds =
        (is_mentioned(whole, "pthread_exit") || is_mentioned(whole, "thrd_exit")) && has_landings(whole);
    bool catches = catches_something(whole);
    bool throws = unwinds || is_thrown(whole, handlers.of_reports) ||
                  (catches && calls_what_throws(whole) && !systemc_is_used(whole));
    if (!link_library(whole, d)) return NULL;
    set_option(whole, "__heddle_throws", throws);
    set_option(whole, "__heddle_sc_catches", handlers.of_reports);
    set_option(whole, "__heddle_sc_catches_at_start", handlers.at_start);
    set_option(whole, "__heddle_sc_has_rules", has_rules);
    set_option(whole, "__heddle_unwinds", unwinds);
    set_option(whole, "__heddle_nobody_catches", !catches);
    set_option(whole, "__heddle_spurious_wakeup", options->spurious_wakeup);
    set_option(whole, "__heddle_thread_keys", makes_keys);
    set_option(whole, "__heddle_seeds", seeds);
    set_option(whole, "__heddle_few_rand_r", few_rand_r);
    set_option(whole, "__heddle_few_clocks", few_clocks);
    set_option(whole, "__heddle_check_misuse", options->check_misuse);
    set_option(whole, "__heddle_detaches", detaches);
    set_option(whole, "__heddle_writers_first", writers_first);
    set_option(whole, "__heddle_cores", options->cores);
    return is_well_formed(whole, d) ? whole : NULL;
}
