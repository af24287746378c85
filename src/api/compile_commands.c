#include "api/compile_commands.h"

#include "api/compiler_flags.h"
#include "base/memory.h"
#include "base/text.h"
#include "frontend/llvm/llvm.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef VEC(char *) words;

static void free_words(words *w) {
    for (size_t i = 0; i < w->size; i++) mem_free(w->data[i]);
    vec_free(w);
}

static char *take_text(text *t) {
    char *copy = mem_copy_string(text_cstr(t));
    text_free(t);
    return copy;
}

/* --- the command as words ------------------------------------------------------------------------------- */

/* One word of a command line, as a shell would take it; *at moves behind it. False: there is none left. */
static bool next_word(const char **at, char **out) {
    const char *s = *at + strspn(*at, " \t\n");
    if (!*s) return false;
    text word = {0};
    for (char quote = 0; *s && (quote || !strchr(" \t\n", *s)); s++) {
        if (*s == '\\' && s[1] && quote != '\'')
            text_char(&word, *++s);
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
        else
            text_char(&word, *s);
    }
    *at = s;
    *out = take_text(&word);
    return true;
}

static void split_command(const char *command, words *out) {
    char *word;
    while (next_word(&command, &word)) vec_push(out, word);
}

static void list_arguments(const json_t *arguments, words *out) {
    size_t i;
    json_t *one;
    json_array_foreach(arguments, i, one) if (json_is_string(one))
        vec_push(out, mem_copy_string(json_string_value(one)));
}

/* --- which of them matter ------------------------------------------------------------------------------- */

static char *absolute(const char *folder, const char *path) {
    text whole = {0};
    if (*path != '/') text_format(&whole, "%s/", folder);
    text_add(&whole, path);
    return take_text(&whole);
}

/* What -include names may be anywhere on the way of headers; the folder comes first. */
static char *included_file(const char *folder, const char *file) {
    char *there = absolute(folder, file);
    if (!access(there, R_OK)) return there;
    mem_free(there);
    return mem_copy_string(file);
}

static bool names_a_file(const char *word, size_t length) {
    return length == strlen("-include") &&
           (!strncmp(word, "-include", length) || !strncmp(word, "-imacros", length));
}

/* The flag with its value in one word, or in two where clang wants two. */
static void keep_flag(const char *word, compiler_flag f, const char *value, const char *folder,
                      compile_command *c) {
    char *shown = !f.is_path                   ? mem_copy_string(value)
                  : names_a_file(word, f.name) ? included_file(folder, value)
                                               : absolute(folder, value);
    bool in_two = f.is_path && !f.is_attached && f.name > strlen("-I");
    text name = {0}, whole = {0};
    text_add_bytes(&name, word, f.name);
    if (in_two)
        vec_push(&c->words, take_text(&name));
    else
        text_add(&whole, text_cstr(&name));
    text_add(&whole, shown);
    vec_push(&c->words, take_text(&whole));
    if (!in_two) text_free(&name);
    mem_free(shown);
}

/* -Xclang hands the next word on, as it does with the precompiled headers of CMake. */
static void forget_forwarding(words *all) {
    size_t kept = 0;
    for (size_t i = 0; i < all->size; i++)
        if (i && !strcmp(all->data[i], "-Xclang"))
            mem_free(all->data[i]);
        else
            all->data[kept++] = all->data[i];
    all->size = kept;
}

/* The ending of the file says the same. */
static bool is_usual_language(const char *file, const char *language) {
    const char *usual = llvm_language(file);
    return usual && !strcmp(usual, language);
}

static void refuse(compile_command *c, const char *word, const char *value) {
    if (c->refused) return;
    text said = {0};
    text_format(&said, "%s%s%s", word, *value ? " " : "", value);
    c->refused = take_text(&said);
}

/* Of the flags whose value decides; false: it is none of them. */
static bool take_special(const words *all, size_t *at, compile_command *c) {
    const char *word = all->data[*at], *next = *at + 1 < all->size ? all->data[*at + 1] : "";
    bool split = !strcmp(word, "-x") || !strcmp(word, "-target");
    const char *value = split ? next : strchr(word, '=') ? strchr(word, '=') + 1 : "";
    if (!strcmp(word, "-x")) {
        if (!is_usual_language(c->file, value)) refuse(c, word, value);
    } else if (!strcmp(word, "-target") || !strncmp(word, "--target=", 9)) {
        bool is_32 = !strncmp(value, "i386", 4) || !strncmp(value, "i686", 4);
        if (is_32) c->bits = 32;
        if (!is_32 && strncmp(value, "x86_64", 6)) refuse(c, word, split ? value : "");
    } else {
        if (*word == '@') refuse(c, word, "");
        return *word != '-' || !word[1];
    }
    *at += split;
    return true;
}

static void keep_what_matters(words *all, const char *folder, compile_command *c) {
    forget_forwarding(all);
    for (size_t i = 1; i < all->size; i++) { /* the first is the compiler */
        const char *word = all->data[i];
        if (take_special(all, &i, c)) continue;
        compiler_flag f = compiler_flag_read(word);
        const char *value = word + f.name;
        if (f.in_next_word) value = i + 1 < all->size ? all->data[++i] : "";
        switch (f.kind) {
        case FLAG_NO_EFFECT: break;
        case FLAG_KEPT: keep_flag(word, f, value, folder, c); break;
        case FLAG_32: c->bits = 32; break;
        case FLAG_64: c->bits = 64; break;
        case FLAG_REFUSED: refuse(c, word, ""); break;
        }
    }
}

/* --- the file ------------------------------------------------------------------------------------------- */

static char *real_path(const char *path) {
    char *real = realpath(path, NULL);
    char *copy = mem_copy_string(real ? real : path);
    free(real);
    return copy;
}

static void add_command(const json_t *entry, compile_commands *out) {
    const char *folder = json_string_value(json_object_get(entry, "directory"));
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *command = json_string_value(json_object_get(entry, "command"));
    if (!folder || !file) return;
    words all = {0};
    if (command)
        split_command(command, &all);
    else
        list_arguments(json_object_get(entry, "arguments"), &all);
    char *path = absolute(folder, file);
    compile_command c = {.file = real_path(path)};
    mem_free(path);
    keep_what_matters(&all, folder, &c);
    vec_push(out, c);
    free_words(&all);
}

const char *compile_commands_read(const char *path, compile_commands *out) {
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error), *entry;
    size_t i;
    bool is_list = json_is_array(all);
    if (is_list) json_array_foreach(all, i, entry) add_command(entry, out);
    json_decref(all);
    if (!all) return "the compile commands cannot be read, or are no JSON";
    return is_list ? NULL : "the compile commands are no list";
}

void compile_commands_free(compile_commands *c) {
    for (size_t i = 0; i < c->size; i++) {
        for (size_t k = 0; k < c->data[i].words.size; k++) mem_free(c->data[i].words.data[k]);
        vec_free(&c->data[i].words);
        mem_free(c->data[i].file);
        mem_free(c->data[i].refused);
    }
    vec_free(c);
}

const compile_command *compile_commands_find(const compile_commands *c, const char *file) {
    char *real = real_path(file);
    const compile_command *found = NULL;
    for (size_t i = 0; i < c->size && !found; i++)
        if (!strcmp(c->data[i].file, real)) found = &c->data[i];
    mem_free(real);
    return found;
}
