#include "cli/project.h"

#include "cli/run.h"
#include "cli/toml.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TARGETS = 1024, LONGEST_VALUE = 8192 };

static const char defaults_table[] = "defaults", target_prefix[] = "target.";

typedef struct project {
    const project_request *wanted;
    char *names[MOST_TARGETS];
    size_t count;
    heddle *now; /* the target whose options are collected; NULL: names are */
    const char *name;
    bool defaults; /* these are read, not what it says itself */
    char *expect;
    size_t files;
    char **outputs; /* files that targets so far write */
    size_t output_count;
} project;

bool project_exists(const char *path) {
    return !access(path, F_OK);
}

/* --- names of targets ----------------------------------------------------------------------------------- */

static const char *target_of(const toml_entry *e) {
    size_t length = strlen(target_prefix);
    return strncmp(e->table, target_prefix, length) || !e->table[length] ? NULL : e->table + length;
}

static bool is_known(const project *p, const char *name) {
    for (size_t i = 0; i < p->count; i++)
        if (!strcmp(p->names[i], name)) return true;
    return false;
}

static bool is_plain(const char *name) {
    return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")];
}

/* The first reading: which targets there are, and that nothing else is. */
static const char *take_name(void *data, const toml_entry *e) {
    project *p = data;
    const char *name = target_of(e);
    if (!name && strcmp(e->table, defaults_table)) return "only [defaults] and [target.NAME] have a meaning";
    if (!name || e->key) return NULL;
    if (!is_plain(name)) return "names of targets are letters, digits, '-', '_' and '.'";
    if (p->count == MOST_TARGETS) return "too many targets";
    p->names[p->count++] = strdup(name);
    return NULL;
}

/* --- options of one target ------------------------------------------------------------------------------ */

/* With the name of the target for every {target}. False: it is too long. */
static bool fill_in(const char *value, const char *name, char out[LONGEST_VALUE]) {
    static const char mark[] = "{target}";
    size_t used = 0;
    while (*value) {
        bool marked = !strncmp(value, mark, sizeof mark - 1);
        const char *part = marked ? name : value;
        size_t length = marked ? strlen(name) : 1;
        if (used + length >= LONGEST_VALUE) return false;
        memcpy(out + used, part, length);
        used += length;
        value += marked ? sizeof mark - 1 : 1;
    }
    out[used] = 0;
    return true;
}

static const heddle_option *find_option(const char *name) {
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (!strcmp(o->name, name) && o->commands & HEDDLE_FOR_CHECK) return o;
    return NULL;
}

static bool is_repeatable(const heddle_option *o) {
    return o->kind == HEDDLE_OPTION_TEXTS || o->kind == HEDDLE_OPTION_ASSIGNMENT;
}

static const char *set_each(project *p, const toml_entry *e) {
    char value[LONGEST_VALUE];
    const char *error = NULL;
    for (size_t i = 0; i < e->count && !error; i++)
        error =
            fill_in(e->values[i], p->name, value) ? heddle_set(p->now, e->key, value) : "this is too long";
    return error;
}

static const char *set_list(project *p, const toml_entry *e) {
    char all[LONGEST_VALUE] = "";
    for (size_t i = 0; i < e->count; i++) {
        if (strlen(all) + strlen(e->values[i]) + 2 > sizeof all) return "this is too long";
        if (i) strcat(all, ",");
        strcat(all, e->values[i]);
    }
    return heddle_set(p->now, e->key, all);
}

static const char *set_option(project *p, const toml_entry *e) {
    const heddle_option *o = find_option(e->key);
    if (!o) return "heddle check has no such option";
    if (!strcmp(e->key, "project") || !strcmp(e->key, "target")) return "this belongs on the command line";
    if (e->is_array && o->kind == HEDDLE_OPTION_CHOICES) return set_list(p, e);
    if (e->is_array && !is_repeatable(o)) return "this option takes one value";
    return set_each(p, e);
}

static const char *take_file(project *p, const toml_entry *e) {
    for (size_t i = 0; i < e->count; i++) heddle_add_file(p->now, e->values[i]);
    p->files += e->count;
    return NULL;
}

static const char *take_expected(project *p, const toml_entry *e) {
    static const char *const verdicts[] = {"safe", "unsafe", "unknown"};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (e->count == 1 && !strcmp(e->values[0], verdicts[i])) {
            free(p->expect);
            p->expect = strdup(e->values[0]);
            return NULL;
        }
    return "safe, unsafe or unknown can be expected";
}

/* Two more readings for each target: the defaults, and what it says itself. */
static const char *take_option(void *data, const toml_entry *e) {
    project *p = data;
    const char *name = target_of(e);
    if (!e->key || !name != p->defaults || (name && strcmp(name, p->name))) return NULL;
    if (!strcmp(e->key, "files")) return p->defaults ? "files belong to a target" : take_file(p, e);
    if (!strcmp(e->key, "expect")) return take_expected(p, e);
    return set_option(p, e);
}

/* --- files that are written ----------------------------------------------------------------------------- */

static const char *const output_options[] = {"trace",       "witness",       "sarif",       "junit",
                                             "vcd",         "html",          "certificate", "stimulus",
                                             "dump-traces", "write-baseline"};

static void make_folders_of(const char *path) {
    char *folder = strdup(path);
    for (char *slash = folder; folder && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(folder, 0777); /* if it fails, so does the file, which says why */
        *slash = '/';
    }
    free(folder);
}

/* False: an earlier target writes there, too, and its result would be lost. */
static bool claim(project *p, const char *path) {
    if (!strncmp(path, "/dev/", 5)) return true;
    for (size_t i = 0; i < p->output_count; i++)
        if (!strcmp(p->outputs[i], path)) return false;
    char **more = realloc(p->outputs, (p->output_count + 1) * sizeof *more);
    char *copy = strdup(path);
    if (more) p->outputs = more;
    if (more && copy) p->outputs[p->output_count++] = copy;
    return more && copy;
}

/* Also those that the command line names, and so for every target. */
static bool prepare_outputs(project *p, const char *name) {
    char path[LONGEST_VALUE];
    for (size_t i = 0; i < sizeof output_options / sizeof *output_options; i++) {
        const char *given = heddle_get(p->now, output_options[i]);
        if (!given || !*given) continue;
        const char *error =
            fill_in(given, name, path) ? heddle_set(p->now, output_options[i], path) : "this is too long";
        if (!error && !claim(p, path)) error = "another target writes it: put {target} into its name";
        if (error)
            fprintf(stderr, "%s: error: --%s of target %s: %s\n", p->wanted->path, output_options[i], name,
                    error);
        if (error) return false;
        make_folders_of(path);
    }
    return true;
}

static void forget_outputs(project *p) {
    for (size_t i = 0; i < p->output_count; i++) free(p->outputs[i]);
    free(p->outputs);
}

/* --- running -------------------------------------------------------------------------------------------- */

static int check_target(project *p, const char *name) {
    arguments given;
    heddle *h = heddle_create();
    p->now = h;
    p->name = name;
    p->files = 0;
    int status = HEDDLE_BAD_INPUT;
    bool refused = true;
    p->defaults = true;
    bool good = toml_read(p->wanted->path, take_option, p, stderr);
    p->defaults = false;
    good = good && toml_read(p->wanted->path, take_option, p, stderr);
    if (good && !p->files)
        fprintf(stderr, "%s: error: target %s names no files\n", p->wanted->path, name);
    else if (good && arguments_parse(p->wanted->argc, p->wanted->argv, h, &given) &&
             prepare_outputs(p, name)) {
        p->wanted->begin(h);
        status = run_command(&(run_request){h, p->wanted->command, name, p->expect});
        p->wanted->begin(NULL);
        refused = false;
    }
    if (refused && p->wanted->json) run_print_refused(name);
    free(p->expect);
    p->expect = NULL;
    heddle_destroy(h);
    return status;
}

static bool is_wanted(const char *list, const char *name) {
    size_t length = strlen(name);
    if (!*list) return true;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (!at[length] || at[length] == ',')) return true;
    return false;
}

/* A name that no target has is a mistake: what was meant would not be checked. */
static bool all_wanted_are_known(const project *p) {
    for (const char *at = p->wanted->only; *at;) {
        size_t length = strcspn(at, ",");
        char *name = strndup(at, length);
        bool known = name && (!length || is_known(p, name));
        if (!known) fprintf(stderr, "%s: error: no such target: %s\n", p->wanted->path, name ? name : at);
        free(name);
        if (!known) return false;
        at += length + (at[length] == ',');
    }
    return true;
}

/* Which of two exit statuses says more. */
static int worse(int a, int b) {
    static const int rank[] = {[HEDDLE_SAFE] = 0,
                               [HEDDLE_UNKNOWN] = 1,
                               [HEDDLE_UNSAFE] = 2,
                               [HEDDLE_BAD_INPUT] = 3,
                               [HEDDLE_INTERNAL_ERROR] = 4};
    return rank[a] >= rank[b] ? a : b;
}

static int check_targets(project *p) {
    int status = HEDDLE_SAFE;
    size_t done = 0;
    if (!all_wanted_are_known(p)) return HEDDLE_BAD_INPUT;
    if (p->wanted->json) printf("{\"targets\": [\n");
    for (size_t i = 0; i < p->count && !p->wanted->stopped(); i++) {
        if (!is_wanted(p->wanted->only, p->names[i])) continue;
        if (done++ && p->wanted->json) fputs(",\n", stdout);
        status = worse(status, check_target(p, p->names[i]));
        fflush(stdout);
    }
    if (p->wanted->json) printf("]}\n");
    if (p->wanted->stopped()) return worse(status, HEDDLE_UNKNOWN);
    if (done) return status;
    fprintf(stderr, "%s: error: %s\n", p->wanted->path, p->count ? "no such target" : "there is no target");
    return HEDDLE_BAD_INPUT;
}

/* Paths count from the project file's folder. */
static bool go_there(project_request *q) {
    const char *slash = strrchr(q->path, '/');
    if (!slash) return true;
    char *folder = strndup(q->path, slash == q->path ? 1 : (size_t)(slash - q->path));
    bool good = folder && !chdir(folder);
    if (!good) fprintf(stderr, "%s: error: its folder cannot be entered\n", q->path);
    free(folder);
    q->path = slash + 1;
    return good;
}

int project_run(const project_request *q) {
    project_request here = *q;
    if (!go_there(&here)) return HEDDLE_BAD_INPUT;
    project *p = calloc(1, sizeof *p);
    if (!p) return HEDDLE_INTERNAL_ERROR;
    p->wanted = &here;
    int status = toml_read(here.path, take_name, p, stderr) ? check_targets(p) : HEDDLE_BAD_INPUT;
    forget_outputs(p);
    for (size_t i = 0; i < p->count; i++) free(p->names[i]);
    free(p);
    return status;
}
