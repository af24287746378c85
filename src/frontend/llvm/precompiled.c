#include "frontend/llvm/precompiled.h"

#include "frontend/llvm/compile.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct mapped { /* a file as a whole; empty ones have no bytes */
    const char *bytes;
    size_t size;
    time_t changed;
} mapped;

static bool map_file(const char *file, mapped *out) {
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    bool good = fd >= 0 && !fstat(fd, &info) && S_ISREG(info.st_mode);
    if (good) {
        *out = (mapped){NULL, (size_t)info.st_size, info.st_mtime};
        void *bytes = out->size ? mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
        good = bytes != MAP_FAILED;
        if (good) out->bytes = bytes;
    }
    if (fd >= 0) close(fd);
    return good;
}

static void unmap_file(mapped *m) {
    if (m->bytes) munmap((void *)m->bytes, m->size);
}

/* --- what the design begins with ------------------------------------------------------------------------ */

typedef struct reader {
    const char *at, *end;
} reader;

static bool begins_with(const reader *r, const char *word) {
    size_t length = strlen(word);
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, word, length);
}

static void skip_behind(reader *r, const char *word) {
    while (r->at < r->end && !begins_with(r, word)) r->at++;
    r->at += r->at < r->end ? strlen(word) : 0;
}

static void skip_space_and_comments(reader *r) {
    for (;;) {
        while (r->at < r->end && isspace((unsigned char)*r->at)) r->at++;
        if (begins_with(r, "//"))
            skip_behind(r, "\n");
        else if (begins_with(r, "/*"))
            skip_behind(r, "*/");
        else
            return;
    }
}

/* The name in `#include <NAME>` if that is what comes next. */
static bool read_include(reader *r, const char **name, size_t *length) {
    skip_space_and_comments(r);
    if (!begins_with(r, "#include <")) return false;
    skip_behind(r, "<");
    *name = r->at;
    while (r->at < r->end && *r->at != '>' && *r->at != '\n') r->at++;
    *length = (size_t)(r->at - *name);
    return begins_with(r, ">") && r->at++;
}

static bool is_word(const char *name, size_t length, const char *word) {
    return length == strlen(word) && !memcmp(name, word, length);
}

/* Headers of C and C++ may come in any order: those before are read behind the precompiled ones. */
static bool is_standard(const char *name, size_t length) {
    static const char *const known[] = {
        "algorithm", "array",    "assert.h", "cassert",    "cmath",   "cstdint",   "cstdio",
        "cstdlib",   "cstring",  "deque",    "functional", "iomanip", "iostream",  "list",
        "map",       "memory",   "queue",    "set",        "sstream", "stdexcept", "stdint.h",
        "stdio.h",   "stdlib.h", "string",   "string.h",   "utility", "vector"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (is_word(name, length, known[k])) return true;
    return false;
}

static bool begins_with_systemc(const char *file) {
    mapped source;
    if (!map_file(file, &source)) return false;
    reader r = {source.bytes, source.bytes + source.size};
    const char *name;
    size_t length;
    bool found = false;
    while (!found && read_include(&r, &name, &length)) {
        found = is_word(name, length, "systemc.h") || is_word(name, length, "systemc");
        if (!found && !is_standard(name, length)) break;
    }
    unmap_file(&source);
    return found;
}

/* --- what the headers are ------------------------------------------------------------------------------- */

static bool is_letter(char c) {
    return c == '_' || isalnum((unsigned char)c);
}

static bool mentions(const mapped *text, const char *name, size_t length) {
    const char *end = text->bytes + text->size;
    for (const char *at = text->bytes; at && at < end; at++) {
        at = memmem(at, (size_t)(end - at), name, length);
        if (!at) return false;
        bool begins = at == text->bytes || !is_letter(at[-1]);
        if (begins && (at + length == end || !is_letter(at[length]))) return true;
    }
    return false;
}

/* No younger than the precompiled ones, and without a word of the macros. */
static bool header_fits(const char *file, time_t compiled, const llvm_options *options) {
    mapped header;
    if (!map_file(file, &header)) return false;
    bool fits = header.changed <= compiled;
    for (size_t k = 0; k < options->argument_count && fits; k++) {
        const char *macro = options->arguments[k] + strlen("-D");
        fits = !mentions(&header, macro, strcspn(macro, "=("));
    }
    unmap_file(&header);
    return fits;
}

/* Of a rule of make, `TARGET: FILE...`: paths in it have no blanks, or nothing is found
 * under their pieces. */
static bool headers_fit(const char *rule, time_t compiled, const llvm_options *options) {
    mapped list;
    if (!map_file(rule, &list)) return false;
    char *words = mem_alloc(list.size + 1);
    memcpy(words, list.bytes ? list.bytes : "", list.size);
    words[list.size] = 0;
    unmap_file(&list);
    char *rest = strchr(words, ':'), *context = NULL;
    bool fits = rest != NULL;
    for (char *word = fits ? strtok_r(rest + 1, " \\\n", &context) : NULL; word && fits;
         word = strtok_r(NULL, " \\\n", &context))
        fits = header_fits(word, compiled, options);
    mem_free(words);
    return fits;
}

/* -------------------------------------------------------------------------------------------------------- */

/* Whatever else is said to clang, or in its environment, may change what the headers are. */
static bool only_defines_macros(const llvm_options *options, const llvm_file_arguments *own) {
    static const char *const folders[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        if (getenv(folders[k])) return false;
    if (options->data_model_32 || options->all || options->check_overflow || (own && own->count))
        return false;
    for (size_t k = 0; k < options->argument_count; k++) {
        const char *word = options->arguments[k];
        if (strncmp(word, "-D", 2) || !is_letter(word[2])) return false;
    }
    return true;
}

/* Beside the module, as the headers are. */
static bool find_precompiled(text *out) {
    static const char headers[] = "include/";
    if (!compile_own_folder(out)) return false;
    text_shorten(out, out->size - (sizeof headers - 1));
    text_add(out, "precompiled/systemc.pch");
    return !access(text_cstr(out), R_OK);
}

bool precompiled_serves(const char *file, const llvm_options *options, const llvm_file_arguments *own,
                        text *out) {
    struct stat info;
    text rule = {0};
    bool serves = only_defines_macros(options, own) && find_precompiled(out) &&
                  !stat(text_cstr(out), &info) && begins_with_systemc(file);
    if (serves) {
        text_format(&rule, "%s.d", text_cstr(out));
        serves = headers_fit(text_cstr(&rule), info.st_mtime, options);
    }
    text_free(&rule);
    if (!serves) text_free(out);
    return serves;
}
