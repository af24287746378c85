#include "cli/laboratory.h"

#include "base/text.h"
#include "cli/matrix.h"
#include "cli/plots.h"
#include "cli/records.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void free_words(word_list *w) {
    for (size_t i = 0; i < w->size; i++) mem_free(w->data[i]);
    vec_free(w);
}

/* --- programs ------------------------------------------------------------------------------------------- */

static word_list *found; /* nftw hands its function no data */

static int note_file(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)where;
    if (kind == FTW_F && heddle_language(path)) vec_push(found, mem_copy_string(path));
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_chosen(const matrix *m, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < m->patterns.size; i++)
        if (!fnmatch(m->patterns.data[i], name, 0) || !fnmatch(m->patterns.data[i], path, 0)) return true;
    return !m->patterns.size;
}

static word_list find_programs(const char *folder, const matrix *m) {
    enum { OPEN_FOLDERS = 16 };
    word_list all = {0}, chosen = {0};
    found = &all;
    nftw(folder, note_file, OPEN_FOLDERS, FTW_PHYS);
    found = NULL;
    if (all.size) qsort(all.data, all.size, sizeof *all.data, by_name);
    for (size_t i = 0; i < all.size; i++)
        if (is_chosen(m, all.data[i])) vec_push(&chosen, mem_copy_string(all.data[i]));
    free_words(&all);
    return chosen;
}

/* --- one run -------------------------------------------------------------------------------------------- */

static void add_option(word_list *command, const char *name, const char *value) {
    text word = {0};
    text_format(&word, "--%s=%s", name, value);
    vec_push(command, mem_copy_string(text_cstr(&word)));
    text_free(&word);
}

static bool is_switch(const char *name) {
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (!strcmp(o->name, name)) return o->kind == HEDDLE_OPTION_SWITCH;
    return false;
}

static void add_options(word_list *command, const settings *list) {
    for (size_t i = 0; i < list->size; i++)
        for (size_t k = 0; k < list->data[i].values.size; k++) {
            const char *value = list->data[i].values.data[k];
            bool on = !strcmp(value, "true"), off = !strcmp(value, "false");
            add_option(command, list->data[i].name,
                       is_switch(list->data[i].name) && on    ? "on"
                       : is_switch(list->data[i].name) && off ? "off"
                                                              : value);
        }
}

typedef struct experiment {
    const laboratory_request *wanted;
    matrix matrix;
    word_list programs;
    records records;
    size_t planned, done;
} experiment;

static char *spell_parameters(const matrix *m, size_t way) {
    text all = {0};
    for (size_t p = 0; p < m->sweep.size; p++)
        text_format(&all, "%s%s=%s", p ? " " : "", m->sweep.data[p].name, matrix_value(m, way, p));
    char *result = mem_copy_string(text_cstr(&all));
    text_free(&all);
    return result;
}

static word_list spell_command(const experiment *x, const char *program, const configuration *c, size_t way) {
    static const char *const first[] = {"heddle", "check", "--json", "--progress=never", "--color=never"};
    word_list command = {0};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(&command, mem_copy_string(first[i]));
    add_options(&command, &x->matrix.options);
    add_options(&command, &c->options);
    for (size_t p = 0; p < x->matrix.sweep.size; p++) {
        text value = {0};
        text_format(&value, "%s=%s", x->matrix.sweep.data[p].name, matrix_value(&x->matrix, way, p));
        add_option(&command, heddle_has_parameters(program) ? "set" : "define", text_cstr(&value));
        text_free(&value);
    }
    vec_push(&command, mem_copy_string(program));
    vec_push(&command, NULL);
    return command;
}

/* A signal may have been meant for this process alone. */
static void pass_signal(pid_t to, bool (*stopped)(void), bool *passed) {
    if (*passed || !stopped()) return;
    kill(to, SIGTERM);
    *passed = true;
}

static void read_all(int from, pid_t writer, bool (*stopped)(void), text *out) {
    enum { PATIENCE_MILLISECONDS = 100 };
    char part[4096];
    ssize_t got = 1;
    bool passed = false;
    struct pollfd p = {from, POLLIN, 0};
    while (got > 0 || (got < 0 && errno == EINTR)) {
        pass_signal(writer, stopped, &passed);
        got = 1;
        if (poll(&p, 1, PATIENCE_MILLISECONDS) <= 0) continue;
        got = read(from, part, sizeof part);
        if (got > 0) text_add_bytes(out, part, (size_t)got);
    }
}

/* What it prints, and its exit status; -1: it could not be run or did not exit. */
static int run_child(const word_list *command, bool (*stopped)(void), text *printed) {
    int ends[2];
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (pipe2(ends, O_CLOEXEC)) return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&child, "/proc/self/exe", &actions, NULL, command->data, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed) read_all(ends[0], child, stopped, printed);
    close(ends[0]);
    int status = -1;
    while (!failed && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return !failed && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *copy_of(const json_t *object, const char *key) {
    const char *s = json_string_value(json_object_get(object, key));
    return mem_copy_string(s ? s : "");
}

static uint64_t count_of(const json_t *statistics, const char *key) {
    json_int_t n = json_integer_value(json_object_get(statistics, key));
    return n > 0 ? (uint64_t)n : 0;
}

static void fill_record(record *r, int status, const char *printed) {
    json_error_t error;
    json_t *result = json_loads(printed, 0, &error), *statistics = json_object_get(result, "statistics");
    const char *wrong = status == HEDDLE_BAD_INPUT ? "bad input"
                        : status < 0               ? "ended by a signal"
                                                   : "internal error";
    bool verdict = status == HEDDLE_SAFE || status == HEDDLE_UNSAFE || status == HEDDLE_UNKNOWN;
    r->verdict = mem_copy_string(verdict ? heddle_verdict_name((heddle_verdict)status) : "error");
    r->reason = verdict ? copy_of(result, "reason") : mem_copy_string(wrong);
    r->engine = copy_of(result, "engine");
    r->por = copy_of(result, "por");
    r->match = copy_of(result, "match");
    r->seconds = json_number_value(json_object_get(statistics, "seconds"));
    r->cpu_seconds = json_number_value(json_object_get(statistics, "cpu_seconds"));
    r->transitions = count_of(statistics, "transitions");
    r->states = count_of(statistics, "states");
    r->solver_queries = count_of(statistics, "solver_queries");
    r->peak_memory_bytes = count_of(statistics, "peak_memory_bytes");
    json_decref(result);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static void say_progress(const experiment *x, const record *r) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%zu of %zu: %s %s %s", x->done, x->planned, r->program, r->configuration,
                r->parameters);
}

/* False: it could not be written, or somebody wants to stop. */
static bool run_one(experiment *x, FILE *file, const char *program, const configuration *c, size_t way,
                    unsigned repetition) {
    record r = {.program = mem_copy_string(program),
                .configuration = mem_copy_string(c->name),
                .parameters = spell_parameters(&x->matrix, way),
                .repetition = repetition};
    x->done++;
    if (records_find(&x->records, &r)) {
        record_free(&r);
        return true;
    }
    say_progress(x, &r);
    text printed = {0};
    word_list command = spell_command(x, program, c, way);
    int status = run_child(&command, x->wanted->stopped, &printed);
    free_words(&command);
    bool stopped = x->wanted->stopped(); /* the signal went to the child as well: its result is not one */
    if (!stopped) fill_record(&r, status, text_cstr(&printed));
    text_free(&printed);
    bool good = !stopped && records_append(file, &r);
    if (!stopped && !good) fprintf(stderr, "%s.csv: error: %s\n", x->wanted->name, strerror(errno));
    if (good)
        vec_push(&x->records, r);
    else
        record_free(&r);
    return good;
}

static bool run_all(experiment *x, FILE *file) {
    const matrix *m = &x->matrix;
    for (size_t p = 0; p < x->programs.size; p++)
        for (size_t way = 0; way < matrix_ways(m); way++)
            for (size_t c = 0; c < m->configurations.size; c++)
                for (unsigned n = 1; n <= m->repetitions; n++)
                    if (!run_one(x, file, x->programs.data[p], &m->configurations.data[c], way, n))
                        return false;
    return true;
}

/* The same program cannot be both. */
static size_t count_contradictions(const records *all) {
    size_t count = 0;
    for (size_t i = 0; i < all->size; i++)
        for (size_t k = 0; k < i; k++) {
            const record *a = &all->data[i], *b = &all->data[k];
            if (!record_is_decided(a) || !record_is_decided(b) || !strcmp(a->verdict, b->verdict)) continue;
            if (strcmp(a->program, b->program) || strcmp(a->parameters, b->parameters)) continue;
            fprintf(stderr, "heddle: internal error: %s %s is %s with %s and %s with %s\n", a->program,
                    a->parameters, a->verdict, a->configuration, b->verdict, b->configuration);
            count++;
        }
    return count;
}

static int conclude(const experiment *x) {
    size_t decided = 0, errors = 0;
    for (size_t i = 0; i < x->records.size; i++) {
        decided += record_is_decided(&x->records.data[i]);
        errors += !strcmp(x->records.data[i].verdict, "error");
    }
    printf("%zu runs, %zu decided", x->records.size, decided);
    if (errors) printf(", %zu error%s", errors, errors == 1 ? "" : "s");
    printf(": %s.csv\n", x->wanted->name);
    if (count_contradictions(&x->records)) return HEDDLE_INTERNAL_ERROR;
    return plots_write(x->wanted->name, &x->matrix, &x->records) ? 0 : HEDDLE_INTERNAL_ERROR;
}

static int carry_out(experiment *x) {
    text path = {0};
    text_format(&path, "%s.csv", x->wanted->name);
    bool good = records_read(text_cstr(&path), &x->records);
    FILE *file = good ? records_open(text_cstr(&path)) : NULL;
    text_free(&path);
    if (!file) return HEDDLE_BAD_INPUT;
    bool complete = run_all(x, file);
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    bool closed = !fclose(file);
    if (complete && closed) return conclude(x);
    return x->wanted->stopped() ? HEDDLE_UNKNOWN : HEDDLE_INTERNAL_ERROR;
}

int laboratory_run(const laboratory_request *q) {
    experiment x = {.wanted = q};
    int status = HEDDLE_BAD_INPUT;
    if (matrix_read(q->matrix, &x.matrix)) {
        x.programs = find_programs(q->folder, &x.matrix);
        x.planned =
            x.programs.size * matrix_ways(&x.matrix) * x.matrix.configurations.size * x.matrix.repetitions;
        if (x.programs.size)
            status = carry_out(&x);
        else
            fprintf(stderr, "%s: error: there is no program that the matrix wants\n", q->folder);
    }
    matrix_free(&x.matrix);
    free_words(&x.programs);
    records_free(&x.records);
    return status;
}
