#include "api/compiler_flags.h"

#include <string.h>

typedef enum {
    WHOLE,    /* the word is the flag */
    BEGINS,   /* whatever comes behind it in the same word */
    VALUE,    /* a value, in the same word or in the next one */
    NEXT,     /* a value in the next word */
    ATTACHED, /* a value in the same word */
} flag_form;

typedef struct known_flag {
    const char *name;
    flag_form form;
    flag_kind kind;
    bool is_path;
} known_flag;

/* The first that fits counts. */
static const known_flag table[] = {
    /* the preprocessor */
    {"-D", VALUE, FLAG_KEPT, false},
    {"-U", VALUE, FLAG_KEPT, false},
    {"-undef", WHOLE, FLAG_KEPT, false},
    {"-I", VALUE, FLAG_KEPT, true},
    {"-include-pch", NEXT, FLAG_NO_EFFECT, true}, /* what it was made from is included as well */
    {"-include", VALUE, FLAG_KEPT, true},
    {"-imacros", VALUE, FLAG_KEPT, true},
    {"-isystem", VALUE, FLAG_KEPT, true},
    {"-isysroot", VALUE, FLAG_KEPT, true},
    {"-iquote", VALUE, FLAG_KEPT, true},
    {"-idirafter", VALUE, FLAG_KEPT, true},
    {"--sysroot=", ATTACHED, FLAG_KEPT, true},
    {"-nostdinc", BEGINS, FLAG_KEPT, false},
    {"-MF", VALUE, FLAG_NO_EFFECT, true},
    {"-MT", VALUE, FLAG_NO_EFFECT, false},
    {"-MQ", VALUE, FLAG_NO_EFFECT, false},
    {"-MJ", VALUE, FLAG_NO_EFFECT, true},
    {"-M", BEGINS, FLAG_NO_EFFECT, false},

    /* the language */
    {"-std=", ATTACHED, FLAG_KEPT, false},
    {"--std=", ATTACHED, FLAG_KEPT, false},
    {"-ansi", WHOLE, FLAG_KEPT, false},
    {"-trigraphs", WHOLE, FLAG_KEPT, false},
    {"-funsigned-char", WHOLE, FLAG_KEPT, false},
    {"-fsigned-char", WHOLE, FLAG_KEPT, false},
    {"-fno-unsigned-char", WHOLE, FLAG_KEPT, false},
    {"-fno-signed-char", WHOLE, FLAG_KEPT, false},
    {"-fshort-enums", WHOLE, FLAG_KEPT, false},
    {"-fno-short-enums", WHOLE, FLAG_KEPT, false},
    {"-fshort-wchar", WHOLE, FLAG_KEPT, false},
    {"-fpack-struct=", ATTACHED, FLAG_KEPT, false},
    {"-fwrapv", WHOLE, FLAG_KEPT, false},
    {"-fno-wrapv", WHOLE, FLAG_KEPT, false},
    {"-fno-strict-overflow", WHOLE, FLAG_KEPT, false},
    {"-fstrict-overflow", WHOLE, FLAG_KEPT, false},
    {"-fcommon", WHOLE, FLAG_KEPT, false},
    {"-fno-common", WHOLE, FLAG_KEPT, false},
    {"-fgnu89-inline", WHOLE, FLAG_KEPT, false},
    {"-fgnu-keywords", WHOLE, FLAG_KEPT, false},
    {"-fno-gnu-keywords", WHOLE, FLAG_KEPT, false},
    {"-fms-extensions", WHOLE, FLAG_KEPT, false},
    {"-fno-builtin", BEGINS, FLAG_KEPT, false},
    {"-fbuiltin", WHOLE, FLAG_KEPT, false},
    {"-ffreestanding", WHOLE, FLAG_KEPT, false},
    {"-fhosted", WHOLE, FLAG_KEPT, false},
    {"-fexceptions", WHOLE, FLAG_KEPT, false},
    {"-fno-exceptions", WHOLE, FLAG_KEPT, false},
    {"-frtti", WHOLE, FLAG_KEPT, false},
    {"-fno-rtti", WHOLE, FLAG_KEPT, false},
    {"-fthreadsafe-statics", WHOLE, FLAG_KEPT, false},
    {"-fno-threadsafe-statics", WHOLE, FLAG_KEPT, false},
    {"-fchar8_t", WHOLE, FLAG_KEPT, false},
    {"-fno-char8_t", WHOLE, FLAG_KEPT, false},
    {"-fsized-deallocation", WHOLE, FLAG_KEPT, false},
    {"-fno-sized-deallocation", WHOLE, FLAG_KEPT, false},
    {"-faligned-new", BEGINS, FLAG_KEPT, false},
    {"-fno-elide-constructors", WHOLE, FLAG_KEPT, false},
    {"-felide-constructors", WHOLE, FLAG_KEPT, false},
    {"-fpermissive", WHOLE, FLAG_NO_EFFECT, false},
    {"-fno-operator-names", WHOLE, FLAG_KEPT, false},
    {"-ftemplate-depth", BEGINS, FLAG_KEPT, false},
    {"-fconstexpr-", BEGINS, FLAG_KEPT, false},

    /* the machine */
    {"-m32", WHOLE, FLAG_32, false},
    {"-m64", WHOLE, FLAG_64, false},
    {"-march=", BEGINS, FLAG_KEPT, false},
    {"-mtune=", BEGINS, FLAG_NO_EFFECT, false},
    {"-mcpu=", BEGINS, FLAG_NO_EFFECT, false},
    {"-msse", BEGINS, FLAG_KEPT, false},
    {"-mno-sse", BEGINS, FLAG_REFUSED, false}, /* numbers of more digits than their type */
    {"-mavx", BEGINS, FLAG_KEPT, false},
    {"-mno-avx", BEGINS, FLAG_KEPT, false},
    {"-mpopcnt", WHOLE, FLAG_KEPT, false},
    {"-mcx16", WHOLE, FLAG_KEPT, false},
    {"-mcmodel=", BEGINS, FLAG_NO_EFFECT, false},
    {"-mno-red-zone", WHOLE, FLAG_NO_EFFECT, false},

    /* what is made of it, never what it means */
    {"-Ofast", WHOLE, FLAG_REFUSED, false}, /* rounding */
    {"-O", BEGINS, FLAG_NO_EFFECT, false},
    {"-g", BEGINS, FLAG_NO_EFFECT, false},
    {"-Wp,", BEGINS, FLAG_REFUSED, false},
    {"-Wa,", BEGINS, FLAG_NO_EFFECT, false},
    {"-W", BEGINS, FLAG_NO_EFFECT, false},
    {"-w", WHOLE, FLAG_NO_EFFECT, false},
    {"-pedantic", BEGINS, FLAG_NO_EFFECT, false},
    {"-c", WHOLE, FLAG_NO_EFFECT, false},
    {"-S", WHOLE, FLAG_NO_EFFECT, false},
    {"-o", VALUE, FLAG_NO_EFFECT, true},
    {"-pthread", WHOLE, FLAG_NO_EFFECT, false},
    {"-pipe", WHOLE, FLAG_NO_EFFECT, false},
    {"-p", WHOLE, FLAG_NO_EFFECT, false},
    {"-pg", WHOLE, FLAG_NO_EFFECT, false},
    {"-v", WHOLE, FLAG_NO_EFFECT, false},
    {"-Q", BEGINS, FLAG_NO_EFFECT, false},
    {"-save-temps", BEGINS, FLAG_NO_EFFECT, false},
    {"--coverage", WHOLE, FLAG_NO_EFFECT, false},
    {"-emit-pch", WHOLE, FLAG_NO_EFFECT, false},
    {"-l", VALUE, FLAG_NO_EFFECT, false},
    {"-L", VALUE, FLAG_NO_EFFECT, true},
    {"-T", VALUE, FLAG_NO_EFFECT, true},
    {"-Xlinker", NEXT, FLAG_NO_EFFECT, false},
    {"-shared", BEGINS, FLAG_NO_EFFECT, false},
    {"-static", BEGINS, FLAG_NO_EFFECT, false},
    {"-rdynamic", WHOLE, FLAG_NO_EFFECT, false},
    {"-nostdlib", BEGINS, FLAG_NO_EFFECT, false},
    {"-nodefaultlibs", WHOLE, FLAG_NO_EFFECT, false},
    {"-no-pie", WHOLE, FLAG_NO_EFFECT, false},
    {"-pie", WHOLE, FLAG_NO_EFFECT, false},
    {"-s", WHOLE, FLAG_NO_EFFECT, false},
    {"-stdlib=libstdc++", WHOLE, FLAG_NO_EFFECT, false},
    {"-fPIC", WHOLE, FLAG_NO_EFFECT, false},
    {"-fpic", WHOLE, FLAG_NO_EFFECT, false},
    {"-fPIE", WHOLE, FLAG_NO_EFFECT, false},
    {"-fpie", WHOLE, FLAG_NO_EFFECT, false},
};

/* Behind -f and -fno-: of these it does not matter whether they are on. */
static const char *const harmless[] = {"PIC",
                                       "pic",
                                       "PIE",
                                       "pie",
                                       "plt",
                                       "visibility",
                                       "stack-",
                                       "function-sections",
                                       "data-sections",
                                       "unique-",
                                       "diagnostics-",
                                       "color-diagnostics",
                                       "caret-diagnostics",
                                       "message-length",
                                       "show-",
                                       "macro-backtrace-limit",
                                       "template-backtrace-limit",
                                       "file-prefix-map",
                                       "debug-",
                                       "asynchronous-unwind-tables",
                                       "unwind-tables",
                                       "omit-frame-pointer",
                                       "optimize-sibling-calls",
                                       "semantic-interposition",
                                       "lto",
                                       "fat-lto-objects",
                                       "use-linker-plugin",
                                       "whole-program-vtables",
                                       "profile-",
                                       "test-coverage",
                                       "coverage-",
                                       "sanitize",
                                       "strict-aliasing",
                                       "delete-null-pointer-checks",
                                       "tree-",
                                       "ipa-",
                                       "inline",
                                       "align-",
                                       "unroll-",
                                       "vectorize",
                                       "slp-vectorize",
                                       "gcse",
                                       "reorder-",
                                       "schedule-",
                                       "peel-loops",
                                       "keep-",
                                       "ident",
                                       "verbose-asm",
                                       "integrated-",
                                       "pch-",
                                       "working-directory",
                                       "record-",
                                       "cf-protection",
                                       "trivial-auto-var-init",
                                       "zero-call-used-regs",
                                       "jump-tables",
                                       "split-",
                                       "fp-contract=off",
                                       "fp-contract=on",
                                       "math-errno",
                                       "trapping-math",
                                       "max-errors",
                                       "limit-debug-info",
                                       "standalone-debug",
                                       "eliminate-unused-debug-",
                                       "crash-diagnostics",
                                       "spell-checking"};

static bool begins_with(const char *word, const char *with) {
    return !strncmp(word, with, strlen(with));
}

static bool is_harmless(const char *word) {
    const char *name = begins_with(word, "-fno-") ? word + 5 : begins_with(word, "-f") ? word + 2 : NULL;
    for (size_t i = 0; name && i < sizeof harmless / sizeof *harmless; i++)
        if (begins_with(name, harmless[i])) return true;
    return false;
}

static bool fits(const known_flag *k, const char *word) {
    return k->form == WHOLE || k->form == NEXT ? !strcmp(word, k->name) : begins_with(word, k->name);
}

compiler_flag compiler_flag_read(const char *word) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const known_flag *k = &table[i];
        if (!fits(k, word)) continue;
        size_t length = strlen(k->name);
        bool takes_next = k->form == NEXT || (k->form == VALUE && !word[length]);
        return (compiler_flag){.kind = k->kind,
                               .name = length,
                               .in_next_word = takes_next,
                               .is_path = k->is_path,
                               .is_attached = k->form == ATTACHED};
    }
    return (compiler_flag){.kind = is_harmless(word) ? FLAG_NO_EFFECT : FLAG_REFUSED, .name = strlen(word)};
}
