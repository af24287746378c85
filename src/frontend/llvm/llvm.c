#include "frontend/llvm/llvm.h"

#include "frontend/llvm/entry.h"
#include "frontend/llvm/module.h"

program *llvm_translate(const char *const *files, size_t file_count, const llvm_options *options,
                        diagnostics *d) {
    typeof(entry_translate) *translate = module_function("entry_translate", d);
    return translate ? translate(files, file_count, options, d) : NULL;
}

static program *compile(const frontend_request *r, diagnostics *d) {
    VEC(const char *) files = {0};
    for (size_t i = 0; i < r->count; i++) vec_push(&files, r->texts[i].name);
    program *p = llvm_translate(files.data, files.size, r->c, d);
    vec_free(&files);
    return p;
}

/* Designs include it by this name. */
static kernel_kind guess_kernel(const frontend_text *t) {
    return memmem(t->text, t->length, "systemc", strlen("systemc")) ? KERNEL_SYSTEMC : KERNEL_PREEMPTIVE;
}

const frontend frontend_llvm = {
    .language = "C or C++",
    .article = "a",
    .endings = llvm_endings,
    .compile = compile,
    .guess_kernel = guess_kernel,
    .has_witnesses = llvm_is_c,
    .several_files = true,
    .on_disk = true,
    .compiler_options = true,
    .expressions = true,
    .binaries = true,
    .may_race = true,
};
