#include "api/inquiry.h"

#include "api/compile_commands.h"

static bool is_task(const source *s) {
    return file_kind_of(s->name) == FILE_TASK;
}

static bool is_certificate(const source *s) {
    return file_kind_of(s->name) == FILE_CERTIFICATE && !s->error;
}

static source copy_source(const source *s) {
    source copy = source_copy(s->name, s->text, s->length);
    copy.on_disk = s->on_disk;
    if (s->error) copy.error = mem_copy_string(s->error);
    return copy;
}

/* A name that a task gives, seen from where the user stands. */
static char *beside(const char *task_name, const char *name) {
    const char *slash = strrchr(task_name, '/');
    text path = {0};
    if (*name != '/' && slash) text_add_bytes(&path, task_name, (size_t)(slash - task_name) + 1);
    text_add(&path, name);
    char *result = mem_copy_string(text_cstr(&path));
    text_free(&path);
    return result;
}

/* --- properties ----------------------------------------------------------------------------------------- */

/* `complaints` gets what is wrong with the file, if it can be read at all. */
static bool read_specification(const char *path, inquiry *out, text *complaints) {
    source file = source_read(path);
    diagnostics d = {.file = file.name, .source = file.text};
    bool good = false;
    out->of_task = true;
    if (file.error)
        text_format(complaints, "%s: error: %s\n", file.name, file.error);
    else
        good = specification_parse(file.text, file.length, &d, &out->spec);
    diag_print(&d, complaints);
    diag_free(&d);
    if (good)
        vec_push(&out->others, file);
    else
        source_free(&file);
    return good;
}

/* The first property of the task that can be verified; complaints about the others count only if
 * there is none. */
static void choose_task_property(const task *t, const char *task_name, inquiry *out, text *errors) {
    text complaints = {0};
    bool found = false;
    for (size_t i = 0; i < t->properties.size && !found; i++) {
        char *path = beside(task_name, t->properties.data[i].file);
        found = read_specification(path, out, &complaints);
        if (found) out->expected = t->properties.data[i].expected;
        mem_free(path);
    }
    if (!t->properties.size)
        text_format(&complaints, "%s: error: the task names no property; give one by --spec\n", task_name);
    if (!found) text_add(errors, text_cstr(&complaints));
    text_free(&complaints);
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The verdict that the task expects for the property file that the user chose, recognised by its name. */
static expected_verdict find_expected(const task *t, const char *spec) {
    for (size_t i = 0; i < t->properties.size; i++)
        if (!strcmp(last_part(t->properties.data[i].file), last_part(spec)))
            return t->properties.data[i].expected;
    return EXPECTED_NOTHING;
}

static void choose_properties(const options *o, const task *t, const char *task_name, inquiry *out,
                              text *errors) {
    const char *spec = o->value[OPTION_SPEC].written;
    out->of_task = t;
    if (*spec && o->value[OPTION_PROPERTY].given) {
        text_add(errors, "heddle: error: 'spec' and 'property' exclude each other\n");
    } else if (*spec) {
        if (read_specification(spec, out, errors) && t) out->expected = find_expected(t, spec);
    } else if (t && !o->value[OPTION_PROPERTY].given) {
        choose_task_property(t, task_name, out, errors);
    } else {
        const option_value *asked = &o->value[OPTION_PROPERTY];
        unsigned properties = asked->choices;
        if (properties & PROPERTY_DEADLOCK && o->value[OPTION_LIVELOCK].on) properties |= PROPERTY_LIVELOCK;
        out->spec = specification_of_properties(properties);
        if (asked->list.size) specification_reach(&out->spec, asked->list.data[0]);
    }
}

/* --- files ---------------------------------------------------------------------------------------------- */

static void add_file(inquiry *q, const char *path) {
    vec_push(&q->sources, source_read(path));
}

static void open_task(const source *file, inquiry *q, task *t, text *errors) {
    diagnostics d = {.file = file->name, .source = file->text};
    if (task_parse(file->text, file->length, &d, t))
        for (size_t i = 0; i < t->inputs.size; i++) {
            char *path = beside(file->name, t->inputs.data[i]);
            add_file(q, path);
            mem_free(path);
        }
    diag_print(&d, errors);
    diag_free(&d);
    vec_push(&q->others, copy_source(file));
}

static void list_unreadable(const inquiry *q, text *errors) {
    for (size_t i = 0; i < q->sources.size; i++)
        if (q->sources.data[i].error)
            text_format(errors, "%s: error: %s\n", q->sources.data[i].name, q->sources.data[i].error);
}

static void complain_of_language(const char *name, text *errors) {
    text_format(errors, "%s: error: unknown language: the name should end in one of ", name);
    frontend_list_endings(errors);
    text_add(errors, " or .yml\n");
}

static void choose_language(inquiry *q, text *errors) {
    for (size_t i = 0; i < q->sources.size; i++) {
        const char *name = q->sources.data[i].name;
        const frontend *f = frontend_of(name);
        if (!f)
            complain_of_language(name, errors);
        else if (i && f != q->frontend)
            text_format(errors, "%s: error: files of different languages cannot be combined\n", name);
        else if (i && !f->several_files)
            text_format(errors, "heddle: error: %s %s program is one file\n", f->article, f->language);
        else
            q->frontend = f;
    }
}

/* Returns how many there are. */
static size_t take_certificate(const source *given, size_t count, inquiry *out, text *errors) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_certificate(&given[i])) continue;
        if (found++) text_format(errors, "%s: error: there is more than one certificate\n", given[i].name);
        out->has_certificate = true;
        out->certificate = out->others.size;
        vec_push(&out->others, copy_source(&given[i]));
    }
    return found;
}

/* The build says how wide things are. What is wrong with its file is told when the program is compiled. */
static void choose_built_model(const options *o, inquiry *out, text *errors) {
    const char *path = o->value[OPTION_COMPILE_COMMANDS].written;
    compile_commands all = {0};
    bool narrow = false, wide = false;
    if (*path && !compile_commands_read(path, &all))
        for (size_t i = 0; i < out->sources.size; i++) {
            const compile_command *c = compile_commands_find(&all, out->sources.data[i].name);
            narrow |= c && c->bits == 32;
            wide |= c && c->bits != 32;
        }
    if (narrow && wide)
        text_format(errors, "%s: error: some files are compiled with -m32 and some are not\n", path);
    out->data_model_32 |= narrow;
    compile_commands_free(&all);
}

bool inquiry_resolve(const options *o, const source *given, size_t count, inquiry *out, text *errors) {
    *out = (inquiry){0};
    task t = {0};
    const char *task_name = NULL;
    size_t programs = count - take_certificate(given, count, out, errors);
    if (!programs) text_add(errors, "heddle: error: no input file\n");
    for (size_t i = 0; i < count; i++) {
        if (is_certificate(&given[i])) continue;
        if (is_task(&given[i])) task_name = given[i].name;
        if (!is_task(&given[i]) || given[i].error)
            vec_push(&out->sources, copy_source(&given[i]));
        else if (programs > 1)
            text_format(errors, "%s: error: a task definition stands alone\n", given[i].name);
        else
            open_task(&given[i], out, &t, errors);
    }
    for (size_t i = 0; i < o->value[OPTION_STUBS].list.size; i++)
        add_file(out, o->value[OPTION_STUBS].list.data[i]);
    if (!errors->size) list_unreadable(out, errors);
    if (!errors->size) choose_language(out, errors);
    if (!errors->size) choose_properties(o, task_name ? &t : NULL, task_name, out, errors);
    /* SV-COMP's threads ran on 32 bits before tasks said so. */
    bool old_task = task_name && t.data_model != 64;
    out->data_model_32 =
        o->value[OPTION_DATA_MODEL].given ? o->value[OPTION_DATA_MODEL].choice == 1 : old_task;
    if (!errors->size && !o->value[OPTION_DATA_MODEL].given) choose_built_model(o, out, errors);
    task_free(&t);
    if (errors->size) inquiry_free(out);
    return !errors->size;
}

bool inquiry_has_witnesses(const inquiry *q) {
    if (!q->frontend->has_witnesses) return false;
    for (size_t i = 0; i < q->sources.size; i++)
        if (!q->frontend->has_witnesses(q->sources.data[i].name)) return false;
    return true;
}

void inquiry_free(inquiry *q) {
    for (size_t i = 0; i < q->sources.size; i++) source_free(&q->sources.data[i]);
    for (size_t i = 0; i < q->others.size; i++) source_free(&q->others.data[i]);
    vec_free(&q->sources);
    vec_free(&q->others);
    specification_free(&q->spec);
}
