#include "cli/matrix.h"

#include "base/text.h"
#include "cli/toml.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WAYS = 1 << 20 };

static void free_words(word_list *w) {
    for (size_t i = 0; i < w->size; i++) mem_free(w->data[i]);
    vec_free(w);
}

static void free_settings(settings *s) {
    for (size_t i = 0; i < s->size; i++) {
        mem_free(s->data[i].name);
        free_words(&s->data[i].values);
    }
    vec_free(s);
}

void matrix_free(matrix *m) {
    free_words(&m->patterns);
    free_settings(&m->options);
    free_settings(&m->sweep);
    for (size_t i = 0; i < m->configurations.size; i++) {
        mem_free(m->configurations.data[i].name);
        free_settings(&m->configurations.data[i].options);
    }
    vec_free(&m->configurations);
    heddle_destroy(m->scratch);
}

/* --- reading -------------------------------------------------------------------------------------------- */

static void add_setting(settings *to, const toml_entry *e) {
    setting s = {.name = mem_copy_string(e->key)};
    for (size_t i = 0; i < e->count; i++) vec_push(&s.values, mem_copy_string(e->values[i]));
    vec_push(to, s);
}

static const heddle_option *find_option(const char *name) {
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (!strcmp(o->name, name) && o->commands & HEDDLE_FOR_CHECK) return o;
    return NULL;
}

/* A list of choices is one value. */
static void join_values(setting *s) {
    text all = {0};
    for (size_t i = 0; i < s->values.size; i++) text_format(&all, "%s%s", i ? "," : "", s->values.data[i]);
    free_words(&s->values);
    vec_push(&s->values, mem_copy_string(text_cstr(&all)));
    text_free(&all);
}

/* A value that no run would take is told before hundreds of them say so. */
static const char *take_option(matrix *m, settings *to, const toml_entry *e) {
    const heddle_option *o = find_option(e->key);
    if (!o) return "heddle check has no such option";
    bool is_repeatable = o->kind == HEDDLE_OPTION_TEXTS || o->kind == HEDDLE_OPTION_ASSIGNMENT;
    if (e->is_array && o->kind != HEDDLE_OPTION_CHOICES && !is_repeatable)
        return "this option takes one value";
    if (!m->scratch) m->scratch = heddle_create();
    add_setting(to, e);
    setting *made = &vec_last(to);
    if (e->is_array && o->kind == HEDDLE_OPTION_CHOICES) join_values(made);
    const char *wrong = NULL;
    for (size_t i = 0; i < made->values.size && !wrong && m->scratch; i++)
        wrong = heddle_set(m->scratch, e->key, made->values.data[i]);
    return wrong;
}

static const char *take_repetitions(matrix *m, const toml_entry *e) {
    char *end;
    long count = e->count == 1 ? strtol(e->values[0], &end, 10) : 0;
    if (strcmp(e->key, "count") || count < 1 || count > 10000 || *end)
        return "count = 1 or more should stand here";
    m->repetitions = (unsigned)count;
    return NULL;
}

static const char *take_pattern(matrix *m, const toml_entry *e) {
    if (strcmp(e->key, "match")) return "only match has a meaning here";
    for (size_t i = 0; i < e->count; i++) vec_push(&m->patterns, mem_copy_string(e->values[i]));
    return NULL;
}

static const char *take_configuration(matrix *m, const char *name, const toml_entry *e) {
    configuration *last = m->configurations.size ? &vec_last(&m->configurations) : NULL;
    if (e->key) return take_option(m, &last->options, e);
    for (size_t i = 0; i < m->configurations.size; i++)
        if (!strcmp(m->configurations.data[i].name, name)) return "this configuration stands here twice";
    vec_push(&m->configurations, ((configuration){.name = mem_copy_string(name)}));
    return NULL;
}

static const char *take(void *data, const toml_entry *e) {
    static const char prefix[] = "configuration.";
    matrix *m = data;
    if (!strncmp(e->table, prefix, sizeof prefix - 1))
        return take_configuration(m, e->table + sizeof prefix - 1, e);
    bool known = !strcmp(e->table, "programs") || !strcmp(e->table, "options") ||
                 !strcmp(e->table, "sweep") || !strcmp(e->table, "repetitions");
    if (!known)
        return "only [programs], [options], [configuration.NAME], [sweep] and [repetitions] have a meaning";
    if (!e->key) return NULL;
    if (!strcmp(e->table, "programs")) return take_pattern(m, e);
    if (!strcmp(e->table, "repetitions")) return take_repetitions(m, e);
    if (!strcmp(e->table, "options")) return take_option(m, &m->options, e);
    if (!e->count) return "a parameter needs values";
    if (e->count > MOST_WAYS / matrix_ways(m)) return "too many combinations";
    add_setting(&m->sweep, e);
    return NULL;
}

bool matrix_read(const char *path, matrix *out) {
    *out = (matrix){.repetitions = 1};
    if (!toml_read(path, take, out, stderr)) return false;
    if (!out->configurations.size) fprintf(stderr, "%s: error: there is no configuration\n", path);
    return out->configurations.size > 0;
}

/* --- combinations --------------------------------------------------------------------------------------- */

size_t matrix_ways(const matrix *m) {
    size_t ways = 1;
    for (size_t i = 0; i < m->sweep.size; i++) ways *= m->sweep.data[i].values.size;
    return ways;
}

const char *matrix_value(const matrix *m, size_t way, size_t parameter) {
    for (size_t i = m->sweep.size; --i > parameter;) way /= m->sweep.data[i].values.size;
    const word_list *values = &m->sweep.data[parameter].values;
    return values->data[way % values->size];
}
