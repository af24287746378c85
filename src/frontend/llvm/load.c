#include "frontend/llvm/load.h"

#include "base/map.h"
#include "base/sha256.h"
#include "base/vec.h"
#include "frontend/llvm/compile.h"
#include "frontend/llvm/findings.h"
#include "frontend/llvm/literals.h"
#include "frontend/llvm/model_options.h"
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
    model_options of_models = model_options_find(whole, options);
    if (!link_library(whole, d)) return NULL;
    model_options_set(&of_models, whole);
    return is_well_formed(whole, d) ? whole : NULL;
}
