/* Overflows of constant expressions.
 *
 * Clang computes constant expressions itself. Where it writes code for them, it also writes the condition
 * under which they have a result (compile.c), and that is translated like any other. Of enumerators, static
 * initialisers, labels of a switch and the like there is no code: clang's own warning is the finding then, a
 * violation before main. Where a warning stands in a function without such a condition (in a list of
 * initialisers that became one constant, or in code that clang left out), nobody knows whether control comes
 * there: whoever enters the function meets a place that is not modelled. */
#include "frontend/llvm/findings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define WARNINGS "heddle.warnings"

typedef struct finding {
    char *file; /* owned */
    unsigned line, column;
    char *text; /* owned */
} finding;

/* --- from clang's messages to the module ---------------------------------------------------------------- */

static bool is_of_interest(const char *line, size_t length) {
    static const char *const kinds[] = {"[-Winteger-overflow]",     "[-Wshift-count-overflow]",
                                        "[-Wshift-count-negative]", "[-Wshift-overflow]",
                                        "[-Wshift-negative-value]", "[-Wshift-sign-overflow]"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t size = strlen(kinds[k]);
        if (length > size && !memcmp(line + length - size, kinds[k], size)) return true;
    }
    return false;
}

void findings_keep(LLVMModuleRef module, const char *messages) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    for (const char *line = messages; line && *line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (is_of_interest(line, length)) {
            LLVMMetadataRef words = LLVMMDStringInContext2(context, line, length);
            LLVMMetadataRef node = LLVMMDNodeInContext2(context, &words, 1);
            LLVMAddNamedMetadataOperand(module, WARNINGS, LLVMMetadataAsValue(context, node));
        }
        line = end ? end + 1 : NULL;
    }
}

/* "file:line:column: warning: text [-Wkind]" */
static bool parse(const char *words, size_t length, finding *out) {
    static const char mark[] = ": warning: ";
    char *line = mem_alloc(length + 1);
    memcpy(line, words, length);
    line[length] = 0;
    char *text = strstr(line, mark), *column = NULL, *row = NULL;
    if (text) {
        *text = 0;
        column = strrchr(line, ':');
    }
    if (column) {
        *column = 0;
        row = strrchr(line, ':');
    }
    bool good = row != NULL;
    if (good) {
        *row = 0;
        char *kind = strrchr(text + sizeof mark - 1, '[');
        if (kind && kind > text + sizeof mark) kind[-1] = 0;
        out->line = (unsigned)strtoul(row + 1, NULL, 10);
        out->column = (unsigned)strtoul(column + 1, NULL, 10);
        out->file = mem_duplicate(line, strlen(line) + 1);
        out->text = mem_duplicate(text + sizeof mark - 1, strlen(text + sizeof mark - 1) + 1);
    }
    mem_free(line);
    return good;
}

/* --- which of them are code ----------------------------------------------------------------------------- */

static bool is_condition(LLVMContextRef context, LLVMValueRef i) {
    static const char mark[] = "nosanitize";
    return LLVMIsATerminatorInst(i) &&
           LLVMGetMetadata(i, LLVMGetMDKindIDInContext(context, mark, sizeof mark - 1));
}

/* Clang keeps a path as it was written, or below the folder in which it ran. */
static bool is_named(const char *path, const char *above, size_t above_length, const char *name,
                     size_t length) {
    size_t whole = strlen(path);
    if (whole == length && !memcmp(path, name, length)) return true;
    return above && above_length && whole == above_length + 1 + length && path[above_length] == '/' &&
           !memcmp(path, above, above_length) && !memcmp(path + above_length + 1, name, length);
}

static bool has_condition(const translation *t, const finding *f) {
    for (LLVMValueRef g = LLVMGetFirstFunction(t->module); g; g = LLVMGetNextFunction(g))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(g); block;
             block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
            unsigned length;
            if (!end || LLVMGetDebugLocLine(end) != f->line || LLVMGetDebugLocColumn(end) != f->column ||
                !is_condition(t->context, end))
                continue;
            const char *file = LLVMGetDebugLocFilename(end, &length);
            unsigned above_length = 0;
            const char *above = LLVMGetDebugLocDirectory(end, &above_length);
            if (file && is_named(f->file, above, above_length, file, length)) return true;
        }
    return false;
}

/* --- where the others stand ----------------------------------------------------------------------------- */

enum { MOST_NESTING = 64 };

typedef enum { OPENS_DECLARATIONS, OPENS_FUNCTION, OPENS_ENUMERATORS, OPENS_VALUES, OPENS_BLOCK } opening;

typedef struct reader { /* of the text in front of a finding */
    opening nest[MOST_NESTING];
    unsigned depth;
    const char *statement; /* its first character */
    bool in_function;
} reader;

static const char *skip_quoted(const char *c, const char *end) {
    for (char quote = *c++; c < end && *c != quote; c++) c += *c == '\\';
    return c;
}

static const char *skip_comment(const char *c, const char *end) {
    if (c[1] == '/') {
        while (c < end && *c != '\n') c++;
        return c;
    }
    for (c += 2; c + 1 < end && !(c[0] == '*' && c[1] == '/');) c++;
    return c + 1;
}

static bool has_word(const char *from, const char *to, const char *word) {
    size_t size = strlen(word);
    for (const char *c = from; c + size <= to; c++) {
        bool starts = c == from || !(isalnum((unsigned char)c[-1]) || c[-1] == '_');
        bool ends = c + size == to || !(isalnum((unsigned char)c[size]) || c[size] == '_');
        if (starts && ends && !memcmp(c, word, size)) return true;
    }
    return false;
}

static opening what_opens(const reader *r, const char *brace) {
    const char *last = brace;
    while (last > r->statement && isspace((unsigned char)last[-1])) last--;
    bool value = last > r->statement && strchr("=,({", last[-1]);
    if (r->depth && r->nest[r->depth - 1] == OPENS_VALUES) return OPENS_VALUES;
    if (value) return OPENS_VALUES;
    if (has_word(r->statement, brace, "enum") && !memchr(r->statement, '(', (size_t)(brace - r->statement)))
        return OPENS_ENUMERATORS;
    if (r->in_function) return OPENS_BLOCK;
    bool called = memchr(r->statement, '(', (size_t)(brace - r->statement)) != NULL;
    return called ? OPENS_FUNCTION : OPENS_DECLARATIONS;
}

/* Reads up to `end`; the nesting there is left in *r. False: it is too deep. */
static bool read_text(reader *r, const char *from, const char *end) {
    r->statement = from;
    for (const char *c = from; c < end; c++) {
        bool comment = *c == '/' && c + 1 < end && (c[1] == '/' || c[1] == '*');
        if (*c == '"' || *c == '\'') {
            c = skip_quoted(c, end);
        } else if (comment) {
            c = skip_comment(c, end);
        } else if (*c == '#' && (c == from || c[-1] == '\n')) {
            while (c < end && *c != '\n') c += *c == '\\' ? 2 : 1;
            r->statement = c;
        } else if (*c == '{') {
            if (r->depth == MOST_NESTING) return false;
            opening o = what_opens(r, c);
            r->nest[r->depth++] = o;
            r->in_function |= o == OPENS_FUNCTION;
            if (o != OPENS_VALUES) r->statement = c + 1;
        } else if (*c == '}') {
            opening o = r->depth ? r->nest[--r->depth] : OPENS_BLOCK;
            if (o == OPENS_FUNCTION) r->in_function = false;
            if (o != OPENS_VALUES && o != OPENS_ENUMERATORS) r->statement = c + 1;
        } else if (*c == ';') {
            r->statement = c + 1;
        }
    }
    return true;
}

/* Computed before the program runs, wherever it stands. */
static bool is_static(const reader *r, const char *at) {
    static const char *const words[] = {"static", "case", "constexpr", "_Static_assert", "static_assert"};
    if (!r->in_function || (r->depth && r->nest[r->depth - 1] == OPENS_ENUMERATORS)) return true;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (has_word(r->statement, at, words[k])) return true;
    return false;
}

static char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    text all = {0};
    char some[4096];
    for (size_t got; file && (got = fread(some, 1, sizeof some, file)) > 0;)
        text_format(&all, "%.*s", (int)got, some);
    if (file) fclose(file);
    char *copy = file ? mem_duplicate(text_cstr(&all), all.size + 1) : NULL;
    *size = all.size;
    text_free(&all);
    return copy;
}

static bool stands_in_static(const finding *f) {
    size_t size;
    char *source = read_file(f->file, &size);
    if (!source) return false;
    const char *at = source;
    for (unsigned line = 1; line < f->line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    reader r = {0};
    bool found = at && at + f->column <= source + size && read_text(&r, source, at + f->column - 1) &&
                 is_static(&r, at + f->column - 1);
    mem_free(source);
    return found;
}

/* --- what becomes of them ------------------------------------------------------------------------------- */

/* A function of its own, because positions count in the file of a function. */
static void violate_at_start(body *start, const finding *f) {
    translation *t = start->t;
    position at = {f->line, f->column};
    uint32_t number = program_add_function(t->p, "constant expression", FUNCTION_PLAIN, at);
    vec_push(&t->signatures, ((signature){.callable = true}));
    t->p->functions.data[number].file = strcmp(f->file, t->p->file) ? program_copy_text(t->p, f->file) : NULL;
    body b = {.t = t, .f = number, .at = at};
    code_enter(&b, code_new_block(&b));
    code_check(&b, CHECK_OVERFLOW, operand_const(1, 0), f->text);
    code_add(&b, INSTR_RETURN);
    function_body_free(&b);
    instruction *call = code_add(start, INSTR_CALL);
    call->callee = number;
}

/* The function that begins last in front of it. */
static uint32_t function_around(const translation *t, const finding *f) {
    uint32_t found = NO_INDEX;
    unsigned best = 0;
    for (LLVMValueRef g = LLVMGetFirstFunction(t->module); g; g = LLVMGetNextFunction(g)) {
        LLVMMetadataRef place = LLVMGetSubprogram(g);
        uint64_t number = map_get(&t->functions, (uintptr_t)g);
        unsigned line = place ? LLVMDISubprogramGetLine(place) : 0;
        if (!line || line > f->line || line < best || LLVMIsDeclaration(g)) continue;
        LLVMMetadataRef file = LLVMDIScopeGetFile(place);
        unsigned length = 0;
        const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
        unsigned above_length = 0;
        const char *above = file ? LLVMDIFileGetDirectory(file, &above_length) : "";
        if (!is_named(f->file, above, above_length, name, length)) continue;
        best = line;
        found = number == MAP_NONE ? NO_INDEX : (uint32_t)number;
    }
    return found;
}

static void doubt_in_function(translation *t, uint32_t number, const finding *f) {
    text what = {0};
    text_format(&what, "a constant expression without a result: %s", f->text);
    block *entry = &t->p->functions.data[number].blocks.data[0];
    instruction doubt = instruction_blank(INSTR_UNSUPPORTED, (position){f->line, f->column});
    doubt.text = program_copy_text(t->p, text_cstr(&what));
    vec_push(&entry->code, doubt);
    memmove(entry->code.data + 1, entry->code.data, (entry->code.size - 1) * sizeof doubt);
    entry->code.data[0] = doubt;
    text_free(&what);
}

void findings_translate(body *start) {
    translation *t = start->t;
    unsigned count = LLVMGetNamedMetadataNumOperands(t->module, WARNINGS);
    if (!count || !t->options->check_overflow) return;
    LLVMValueRef *nodes = mem_alloc(count * sizeof(LLVMValueRef));
    LLVMGetNamedMetadataOperands(t->module, WARNINGS, nodes);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef words;
        unsigned length;
        finding f = {0};
        LLVMGetMDNodeOperands(nodes[k], &words);
        const char *line = LLVMGetMDString(words, &length);
        if (!parse(line, length, &f)) continue;
        uint32_t around;
        if (has_condition(t, &f))
            ;
        else if (stands_in_static(&f))
            violate_at_start(start, &f);
        else if ((around = function_around(t, &f)) != NO_INDEX)
            doubt_in_function(t, around, &f);
        mem_free(f.file);
        mem_free(f.text);
    }
    mem_free(nodes);
}
