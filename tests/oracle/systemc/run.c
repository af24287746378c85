#include "run.h"

#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- results -------------------------------------------------------------------------------------------- */

static void note_violation(run_result *r, uint32_t key) {
    size_t at = 0;
    while (at < r->violations.size && r->violations.data[at] < key) at++;
    if (at < r->violations.size && r->violations.data[at] == key) return;
    vec_push(&r->violations, key);
    for (size_t k = r->violations.size - 1; k > at; k--) r->violations.data[k] = r->violations.data[k - 1];
    r->violations.data[at] = key;
}

static bool is_header(const char *file) {
    const char *dot = file ? strrchr(file, '.') : NULL;
    return dot && (!strcmp(dot, ".h") || strstr(file, "/include/"));
}

static void read_property(run_result *r, json_t *property) {
    const char *verdict = json_string_value(json_object_get(property, "verdict"));
    const char *kind = json_string_value(json_object_get(property, "kind"));
    if (!verdict || !kind || strcmp(verdict, "unsafe")) return;
    if (!strcmp(kind, "deadlock")) {
        r->deadlock = true;
        return;
    }
    json_t *position = json_object_get(property, "position");
    uint32_t line = (uint32_t)json_integer_value(json_object_get(position, "line"));
    bool implicit = strcmp(kind, "assert") != 0;
    if (is_header(json_string_value(json_object_get(position, "file"))))
        r->elsewhere = true;
    else
        note_violation(r, 2 * line + implicit);
}

static void read_json(run_result *r, const char *text) {
    json_t *root = json_loads(text, 0, NULL), *property;
    size_t k;
    json_array_foreach(json_object_get(root, "properties"), k, property) read_property(r, property);
    r->doubts = json_array_size(json_object_get(root, "doubts")) > 0;
    json_decref(root);
}

static void set_options(heddle *h, const char *options) {
    while (*options) {
        char name[64], value[64];
        int length = 0;
        if (sscanf(options, " %63[^= ]=%63s%n", name, value, &length) != 2) break;
        const char *wrong = heddle_set(h, name, value);
        if (wrong) {
            fprintf(stderr, "%s=%s: %s\n", name, value, wrong);
            exit(2);
        }
        options += length;
    }
}

static void finish(heddle *h, run_result *out) {
    *out = (run_result){0};
    heddle_result *r = heddle_check(h);
    out->verdict = heddle_result_verdict(r);
    out->reason = mem_copy_string(heddle_result_reason(r));
    out->diagnostics = mem_copy_string(heddle_result_diagnostics(r));
    out->transitions = heddle_result_statistic(r, "transitions");
    out->states = heddle_result_statistic(r, "states");
    read_json(out, heddle_result_json(r));
    heddle_result_destroy(r);
    heddle_destroy(h);
}

void run_file(const char *path, const char *options, run_result *out) {
    heddle *h = heddle_create();
    set_options(h, options);
    heddle_add_file(h, path);
    finish(h, out);
}

void run_text(const char *name, const char *source, const char *options, run_result *out) {
    heddle *h = heddle_create();
    set_options(h, options);
    heddle_add_source(h, name, source, strlen(source));
    finish(h, out);
}

void run_free(run_result *r) {
    mem_free(r->reason);
    mem_free(r->diagnostics);
    vec_free(&r->violations);
}

/* --- clang ---------------------------------------------------------------------------------------------- */

static const char *const flags[] = {"clang-19",
                                    "-O1",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-Xclang",
                                    "-disable-lifetime-markers",
                                    "-fno-discard-value-names",
                                    "-w",
                                    "-g",
                                    "-U__OPTIMIZE__",
                                    "-ffp-contract=off",
                                    "-fno-stack-protector",
                                    "-std=gnu++17",
                                    "-include",
                                    "heddle_templates.h",
                                    "-isystem",
                                    HEDDLE_HEADERS "/systemc",
                                    "-isystem",
                                    HEDDLE_HEADERS "/cxx",
                                    "-isystem",
                                    HEDDLE_HEADERS "/stimulus"};

enum { FLAGS = sizeof flags / sizeof *flags, MOST_WORDS = FLAGS + 10 };

static bool run_clang(const run_compiler *c, const char *const *more, size_t count) {
    const char *words[MOST_WORDS + 1] = {0};
    size_t n = 0;
    for (size_t k = 0; k < FLAGS; k++) words[n++] = flags[k];
    if (c->definition) words[n++] = c->definition;
    for (size_t k = 0; k < count; k++) words[n++] = more[k];
    pid_t child;
    int status;
    if (posix_spawnp(&child, words[0], NULL, NULL, (char *const *)words, environ)) return false;
    while (waitpid(child, &status, 0) < 0) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_file(const char *path, const char *content) {
    FILE *f = fopen(path, "w");
    if (!f) return false;
    bool written = fputs(content, f) >= 0;
    return fclose(f) == 0 && written;
}

bool run_compiler_open(run_compiler *c, const char *definition) {
    *c = (run_compiler){.definition = definition};
    char name[] = "/tmp/heddle-designs-XXXXXX";
    if (!mkdtemp(name)) return false;
    text_add(&c->folder, name);
    text_format(&c->headers, "%s/systemc.pch", name);
    const char *words[] = {"-x", "c++-header", "-o", text_cstr(&c->headers),
                           HEDDLE_HEADERS "/systemc/systemc.h"};
    return run_clang(c, words, sizeof words / sizeof *words);
}

bool run_compile(run_compiler *c, const char *source, text *path) {
    text file = {0};
    text_format(&file, "%s/design.cpp", text_cstr(&c->folder));
    text_format(path, "%s/design.bc", text_cstr(&c->folder));
    const char *words[] = {"-include-pch",  text_cstr(&c->headers), "-c", "-emit-llvm", "-o",
                           text_cstr(path), text_cstr(&file)};
    bool good = write_file(text_cstr(&file), source) && run_clang(c, words, sizeof words / sizeof *words);
    unlink(text_cstr(&file));
    text_free(&file);
    return good;
}

void run_compiler_close(run_compiler *c) {
    text bitcode = {0};
    text_format(&bitcode, "%s/design.bc", text_cstr(&c->folder));
    unlink(text_cstr(&bitcode));
    unlink(text_cstr(&c->headers));
    rmdir(text_cstr(&c->folder));
    text_free(&bitcode);
    text_free(&c->folder);
    text_free(&c->headers);
}
