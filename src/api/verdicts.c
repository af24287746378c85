#include "api/verdicts.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "frontend/llvm/module.h"
#include "heddle.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT = 1 };

static void describe_build(const char *path, text *out) {
    struct stat info;
    if (!stat(path, &info))
        text_format(out, "%lld bytes of %lld.%09ld\n", (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

/* Two builds of one version may differ: the program, the library that it calls, the C front end. */
static void describe_program(text *out) {
    static const char here[] = "";
    text module = {0};
    Dl_info library;
    text_format(out, "heddle %s, cache %d\n", HEDDLE_VERSION, FORMAT);
    describe_build("/proc/self/exe", out);
    if (dladdr(here, &library) && library.dli_fname) describe_build(library.dli_fname, out);
    if (module_find(&module)) describe_build(text_cstr(&module), out);
    text_free(&module);
}

/* How a result is shown, or where things are kept, is no part of it. */
static bool is_about_showing(const char *name) {
    static const char *const names[] = {"cache",    "progress",       "json",    "fail-on",
                                        "baseline", "write-baseline", "project", "target"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

static void describe_options(const options *o, text *out) {
    json_t *all = options_json(o);
    for (const heddle_option *k = heddle_options(); k->name; k++)
        if (is_about_showing(k->name)) json_object_del(all, k->name);
    char *printed = json_dumps(all, JSON_SORT_KEYS);
    text_format(out, "%s\n", printed);
    free(printed);
    json_decref(all);
}

static void describe_files(const inquiry *q, text *out) {
    for (size_t i = 0; i < q->sources.size; i++)
        text_format(out, "%s %s\n", q->sources.data[i].sha256, q->sources.data[i].name);
    for (size_t i = 0; i < q->others.size; i++)
        text_format(out, "%s %s\n", q->others.data[i].sha256, q->others.data[i].name);
}

/* Only a run can write them; what it finds is kept all the same. */
static bool wants_files(const options *o) {
    for (const heddle_option *k = heddle_options(); k->name; k++) {
        option_id id = option_find(k->name);
        bool written =
            k->kind == HEDDLE_OPTION_FILE && !strcmp(k->group, heddle_options()[OPTION_TRACE].group);
        if (written && o->value[id].given) return true;
    }
    return o->value[OPTION_REPLAY_BINARY].on || o->value[OPTION_DUMP_TRACES].given;
}

verdicts_place verdicts_locate(const options *o, const inquiry *q, const char *digests) {
    const char *folder = o->value[OPTION_CACHE].written;
    if (!*folder) return (verdicts_place){0};
    text all = {0}, path = {0};
    describe_program(&all);
    describe_options(o, &all);
    describe_files(q, &all);
    text_add(&all, digests);
    char key[SHA256_HEX];
    sha256_hex(text_cstr(&all), all.size, key);
    text_format(&path, "%s/%s.json", folder, key);
    verdicts_place p = {mem_copy_string(text_cstr(&path)), !wants_files(o)};
    text_free(&all);
    text_free(&path);
    return p;
}

void verdicts_place_free(verdicts_place *p) {
    mem_free(p->path);
}

json_t *verdicts_find(const verdicts_place *p) {
    json_error_t error;
    json_t *found = p->path && p->may_answer ? json_load_file(p->path, 0, &error) : NULL;
    if (found && !json_is_object(found)) {
        json_decref(found);
        found = NULL;
    }
    return found;
}

static const char *make_folder_of(const char *path) {
    char *folder = mem_copy_string(path);
    *strrchr(folder, '/') = 0;
    const char *error = mkdir(folder, 0777) && errno != EEXIST ? strerror(errno) : NULL;
    mem_free(folder);
    return error;
}

const char *verdicts_store(const verdicts_place *p, const json_t *answer) {
    const char *error = make_folder_of(p->path);
    if (error) return error;
    char *printed = json_dumps(answer, JSON_INDENT(1));
    error = output_write(p->path, printed);
    free(printed);
    return error;
}
