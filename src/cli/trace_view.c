#include "cli/trace_view.h"

#include "heddle.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 256 << 20 }; /* reading /dev/zero must end */

/* The whole file with a final 0, or NULL and why not. */
static char *read_whole(const char *path, size_t *length, const char **error) {
    struct stat info;
    size_t room = 1 << 16;
    FILE *f = fopen(path, "rb");
    *length = 0;
    *error = f ? NULL : strerror(errno);
    if (f && !fstat(fileno(f), &info) && S_ISDIR(info.st_mode)) *error = strerror(EISDIR);
    char *text = *error ? NULL : malloc(room);
    while (text && !*error) {
        size_t got = fread(text + *length, 1, room - *length - 1, f);
        *length += got;
        if (ferror(f)) *error = strerror(errno);
        if (*length > LARGEST_FILE) *error = "larger than 256 MB";
        if (!got || *error) break;
        if (*length + 1 < room) continue;
        char *more = realloc(text, room *= 2);
        if (!more) *error = "out of memory";
        text = more ? more : text;
    }
    if (f) fclose(f);
    if (!text && !*error) *error = "out of memory";
    if (text) text[*length] = 0;
    if (*error) {
        free(text);
        text = NULL;
    }
    return text;
}

const char *view_text(const json_t *object, const char *key) {
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

const json_t *view_list(const json_t *object, const char *key) {
    const json_t *list = json_object_get(object, key);
    return json_is_array(list) ? list : NULL;
}

const json_t *trace_view_step(const trace_view *v, size_t index) {
    return json_array_get(v->steps, index);
}

const char *trace_view_thread(const trace_view *v, size_t index) {
    return view_text(trace_view_step(v, index), "thread");
}

viewed_place view_place(const json_t *object, const char *key) {
    const json_t *p = json_object_get(object, key), *line = json_object_get(p, "line"),
                 *column = json_object_get(p, "column");
    json_int_t at = json_integer_value(line), on = json_integer_value(column);
    bool good = at > 0 && at < 1 << 30 && on >= 0 && on < 1 << 30;
    return good ? (viewed_place){view_text(p, "file"), (int)at, (int)on} : (viewed_place){"", 0, 0};
}

/* --- files ---------------------------------------------------------------------------------------------- */

static viewed_file *find_file(trace_view *v, const char *name) {
    for (size_t i = 0; i < v->file_count; i++)
        if (!strcmp(v->files[i].name, name)) return &v->files[i];
    viewed_file *more = realloc(v->files, (v->file_count + 1) * sizeof *more);
    if (!more) return NULL;
    v->files = more;
    const char *error;
    size_t length;
    more[v->file_count] = (viewed_file){.name = name, .text = read_whole(name, &length, &error)};
    return &v->files[v->file_count++];
}

static void forget_files(trace_view *v) {
    for (size_t i = 0; i < v->file_count; i++) free(v->files[i].text);
    free(v->files);
    v->files = NULL;
    v->file_count = 0;
}

static void look_at_files(trace_view *v) {
    size_t i;
    json_t *one;
    const json_t *list = view_list(v->root, "inputs");
    json_array_foreach(list, i, one) {
        const char *name = view_text(one, "file"), *then = view_text(one, "sha256");
        char now[65];
        viewed_file *f = *name ? find_file(v, name) : NULL;
        if (!f) continue;
        f->listed = true;
        f->changed = !heddle_file_sha256(name, now) || strcmp(now, then);
    }
}

/* All files of the recorded program that have names relative to `folder` are there; false: there are none. */
static bool has_sources(const trace_view *v, const char *folder, bool *any) {
    size_t i;
    json_t *one;
    const json_t *list = view_list(v->root, "inputs");
    *any = false;
    json_array_foreach(list, i, one) {
        const char *name = view_text(one, "file");
        char path[PATH_MAX];
        if (!*name || *name == '/') continue;
        *any = true;
        int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (length >= (int)sizeof path || access(path, R_OK)) return false;
    }
    return *any;
}

/* The folder of the trace file, or one above it. False: not there either. */
static bool find_above(const trace_view *v, const char *file, char folder[PATH_MAX]) {
    bool any;
    if (!realpath(file, folder)) return false;
    for (char *slash; (slash = strrchr(folder, '/')) && slash != folder;) {
        *slash = 0;
        if (has_sources(v, folder, &any)) return true;
    }
    return false;
}

void trace_view_enter_folder(trace_view *v, const char *file) {
    char above[PATH_MAX];
    const char *recorded = view_text(v->root, "directory"), *folder = NULL;
    bool any;
    if (has_sources(v, ".", &any) || !any) return;
    if (*recorded == '/' && has_sources(v, recorded, &any))
        folder = recorded;
    else if (find_above(v, file, above))
        folder = above;
    if (!folder || chdir(folder)) return;
    forget_files(v);
    look_at_files(v);
}

bool trace_view_sources_changed(const trace_view *v) {
    for (size_t i = 0; i < v->file_count; i++)
        if (v->files[i].listed && v->files[i].changed) return true;
    return false;
}

const char *trace_view_line(trace_view *v, const char *file, int line, size_t *length) {
    const viewed_file *f = *file && line > 0 ? find_file(v, file) : NULL;
    const char *s = f ? f->text : NULL;
    for (int n = 1; s && n < line; n++) {
        s = strchr(s, '\n');
        if (s) s++;
    }
    if (s && !*s && line > 1) s = NULL;
    *length = s ? strcspn(s, "\r\n") : 0;
    return s;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

/* A trace file names its property; a whole result has it among its properties, with the same trace. */
static const json_t *find_property(const trace_view *v) {
    const json_t *list = view_list(v->root, "properties");
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) if (json_equal(json_object_get(one, "trace"), v->trace)) return one;
    return json_object_get(v->root, "property");
}

/* As reports have it: the first step of a thread often does nothing that anybody would see. */
static bool is_silent(const json_t *step) {
    static const char *const lists[] = {"inputs", "changes", "created", "waits"};
    static const char *const flags[] = {"thread_ended", "stuck", "looping"};
    bool silent = !strcmp(view_text(step, "phase"), "run") && !view_place(step, "from").line &&
                  !*view_text(step, "call");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        silent &= !json_array_size(view_list(step, lists[i]));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        silent &= !json_is_true(json_object_get(step, flags[i]));
    return silent;
}

/* Steps have the numbers that they have in reports. */
static void list_steps(trace_view *v, const json_t *all) {
    size_t i;
    json_t *one;
    v->steps = json_array();
    json_array_foreach(all, i, one) if (!is_silent(one)) json_array_append(v->steps, one);
    v->count = json_array_size(v->steps);
}

const char *trace_view_open(const char *path, trace_view *v) {
    const char *error;
    json_error_t broken;
    *v = (trace_view){0};
    v->json = read_whole(path, &v->length, &error);
    if (!v->json) return error;
    v->root = json_loadb(v->json, v->length, 0, &broken);
    if (!v->root) return "not a JSON text, or not all of one";
    v->trace = json_object_get(v->root, "trace");
    if (json_is_null(v->trace)) return "there is no counterexample in it: its trace is null";
    const json_t *steps = view_list(v->trace, "steps");
    if (!steps) return "there is no trace in it: 'heddle check --trace FILE' writes one";
    list_steps(v, steps);
    for (size_t i = 0; i < v->count; i++)
        if (!*trace_view_thread(v, i)) return "a step of its trace has no thread";
    v->property = find_property(v);
    look_at_files(v);
    return NULL;
}

void trace_view_close(trace_view *v) {
    forget_files(v);
    free(v->json);
    json_decref(v->steps);
    json_decref(v->root);
}
