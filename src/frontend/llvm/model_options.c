#include "frontend/llvm/model_options.h"

#include "base/map.h"
#include "base/vec.h"
#include "frontend/llvm/handlers.h"
#include "frontend/llvm/translate.h"

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

/* Clocks that never go back are asked, and more than once: else there is nothing to remember. And remembering
 * what they showed makes no threads depend on each other in loops. */
static bool asks_clocks_sometimes(LLVMModuleRef user) {
    static const char *const names[] = {"clock_gettime", "clock", "_ZNSt6chrono3_V212steady_clock3nowEv"};
    unsigned uses = 0;
    bool again = false, often = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(user, names[k]);
        for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef by = LLVMGetUser(use);
            again |= uses++ || !LLVMIsACallInst(by) || !happens_once(user, by);
        }
        often |= is_mentioned(user, names[k]) && !calls_few_times(user, names[k]);
    }
    return again && (!often || !creates_threads(user));
}

/* Which clocks may be asked: __heddle_clocks of library/intrinsics.h. */
static unsigned find_clocks(LLVMModuleRef user) {
    enum { CLOCKS = 16, STEADY = 1 << CLOCKS };
    unsigned found = is_mentioned(user, "_ZNSt6chrono3_V212steady_clock3nowEv") ? STEADY : 0;
    LLVMValueRef f = LLVMGetNamedFunction(user, "clock_gettime");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef by = LLVMGetUser(use);
        bool calls = LLVMIsACallInst(by) && LLVMGetCalledValue(by) == f && LLVMGetNumArgOperands(by) == 2;
        LLVMValueRef clock = calls ? LLVMIsAConstantInt(LLVMGetOperand(by, 0)) : NULL;
        if (!clock) return found | (STEADY - 1);
        unsigned long long number = LLVMConstIntGetZExtValue(clock);
        if (number < CLOCKS) found |= 1u << number;
    }
    return found;
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

/* --- read-write locks that prefer writers --------------------------------------------------------------- */

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

/* --- all of them ---------------------------------------------------------------------------------------- */

model_options model_options_find(LLVMModuleRef user, const llvm_options *options) {
    handlers_found handlers = handlers_find(user);
    bool unwinds =
        (is_mentioned(user, "pthread_exit") || is_mentioned(user, "thrd_exit")) && has_landings(user);
    bool catches = catches_something(user);
    return (model_options){
        .throws = unwinds || is_thrown(user, handlers.of_reports) ||
                  (catches && calls_what_throws(user) && !systemc_is_used(user)),
        .sc_catches = handlers.of_reports,
        .sc_catches_at_start = handlers.at_start,
        .sc_has_rules = is_mentioned(user, "heddle_sc_note_rules"),
        .unwinds = unwinds,
        .nobody_catches = !catches,
        .spurious_wakeup = options->spurious_wakeup,
        .thread_keys = is_mentioned(user, "pthread_key_create") || is_mentioned(user, "tss_create"),
        .seeds = count_seeds(user),
        .few_rand_r = calls_few_times(user, "rand_r"),
        .few_clocks = asks_clocks_sometimes(user),
        .clocks = find_clocks(user),
        .check_misuse = options->check_misuse,
        .detaches = is_mentioned(user, "pthread_detach") || is_mentioned(user, "thrd_detach") ||
                    is_mentioned(user, "_ZNSt6thread6detachEv") ||
                    is_mentioned(user, "pthread_attr_setdetachstate"),
        .writers_first = has_locks_for_writers_first(user),
        .cores = options->cores,
    };
}

static void set_option(LLVMModuleRef whole, const char *name, unsigned value) {
    LLVMValueRef option = LLVMGetNamedGlobal(whole, name);
    if (!option || LLVMIsDeclaration(option)) return;
    LLVMSetInitializer(option, LLVMConstInt(LLVMGlobalGetValueType(option), value, 0));
}

void model_options_set(const model_options *o, LLVMModuleRef whole) {
#define SET(name) set_option(whole, "__heddle_" #name, o->name);
    MODEL_OPTIONS(SET)
#undef SET
}

bool option_is_on(LLVMModuleRef module, const char *name) {
    LLVMValueRef option = LLVMGetNamedGlobal(module, name);
    return option && !LLVMIsDeclaration(option) && !LLVMIsNull(LLVMGetInitializer(option));
}
