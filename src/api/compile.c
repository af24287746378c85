#include "api/compile.h"

#include "api/compiler_flags.h"
#include "base/output.h"
#include "frontend/llvm/llvm.h"
#include "transform/reach.h"
#include "transform/statements.h"

#include <stdio.h>
#include <stdlib.h>

/* --- files ----------------------------------------------------------------------------------------------- */

static void add_word(text_list *w, const char *prefix, const char *s) {
    text word = {0};
    text_format(&word, "%s%s", prefix, s);
    vec_push(w, mem_copy_string(text_cstr(&word)));
    text_free(&word);
}

static void free_words(text_list *w) {
    for (size_t i = 0; i < w->size; i++) mem_free(w->data[i]);
    vec_free(w);
}

static void list_clang_arguments(const options *o, text_list *out) {
    for (size_t i = 0; i < o->value[OPTION_DEFINE].list.size; i++) { /* in one list: the last one counts */
        const char *macro = o->value[OPTION_DEFINE].list.data[i];
        add_word(out, strncmp(macro, "-U", 2) ? "-D" : "", macro);
    }
    for (size_t i = 0; i < o->value[OPTION_INCLUDE].list.size; i++)
        add_word(out, "-I", o->value[OPTION_INCLUDE].list.data[i]);
    if (*o->value[OPTION_STD].written) add_word(out, "-std=", o->value[OPTION_STD].written);
    const option_value *flags = &o->value[OPTION_FLAG];
    for (size_t i = 0; i < flags->list.size; i++) {
        compiler_flag f = compiler_flag_read(flags->list.data[i]);
        size_t words = f.in_next_word && i + 1 < flags->list.size ? 2 : 1;
        for (size_t k = 0; f.kind == FLAG_KEPT && k < words; k++) add_word(out, "", flags->list.data[i + k]);
        i += words - 1;
    }
}

/* Clang reads files: a source that exists in memory only becomes one of a temporary folder. */
static const char *copy_to_disk(c_request *r, const source *s) {
    if (!*r->folder) {
        strcpy(r->folder, "/tmp/heddle-XXXXXX");
        if (!mkdtemp(r->folder)) return "no temporary folder could be made";
    }
    const char *slash = strrchr(s->name, '/');
    text path = {0};
    text_format(&path, "%s/%s", r->folder, slash ? slash + 1 : s->name);
    vec_push(&r->made, mem_copy_string(text_cstr(&path)));
    vec_push(&r->files, mem_copy_string(text_cstr(&path)));
    const char *error = output_write_bytes(text_cstr(&path), s->text, s->length);
    text_free(&path);
    return error;
}

/* A flag that is not understood might make another program of it. */
static const char *refuse_flag(c_request *r, const char *flag, const char *file) {
    text said = {0};
    text_format(&said, "flag %s%s%s is not supported, and may change what the program means", flag,
                file ? " of " : "", file ? file : "");
    mem_free(r->complaint);
    r->complaint = mem_copy_string(text_cstr(&said));
    text_free(&said);
    return r->complaint;
}

static const char *check_flags(const options *o, c_request *r) {
    const option_value *flags = &o->value[OPTION_FLAG];
    for (size_t i = 0; i < flags->list.size; i++) {
        const char *word = flags->list.data[i];
        compiler_flag f = compiler_flag_read(word);
        if (*word != '-' || (f.kind != FLAG_KEPT && f.kind != FLAG_NO_EFFECT))
            return refuse_flag(r, word, NULL);
        i += f.in_next_word;
    }
    return NULL;
}

/* What the project's build says of each file. */
static const char *find_file_arguments(const options *o, c_request *r) {
    const char *path = o->value[OPTION_COMPILE_COMMANDS].written;
    if (!*path) return NULL;
    r->blamed = path;
    const char *error = compile_commands_read(path, &r->commands);
    if (error) return error;
    size_t known = 0;
    for (size_t i = 0; i < r->files.size; i++) {
        const compile_command *c = compile_commands_find(&r->commands, r->files.data[i]);
        vec_push(&r->of_files, c ? ((llvm_file_arguments){(const char *const *)c->words.data, c->words.size})
                                 : ((llvm_file_arguments){0}));
        known += c != NULL;
        if (c && c->refused) return refuse_flag(r, c->refused, r->files.data[i]);
    }
    r->how.of_files = r->of_files.data;
    return known ? NULL : "none of the files is among the compile commands";
}

const char *c_request_open(const options *o, const inquiry *q, c_request *r) {
    *r = (c_request){0};
    const char *error = NULL;
    for (size_t i = 0; i < q->sources.size && !error; i++) {
        const source *s = &q->sources.data[i];
        if (s->on_disk)
            vec_push(&r->files, mem_copy_string(s->name));
        else
            error = copy_to_disk(r, s);
    }
    list_clang_arguments(o, &r->arguments);
    const char *entry = *o->value[OPTION_ENTRY].written ? o->value[OPTION_ENTRY].written : q->spec.entry;
    r->how = (llvm_options){.data_model_32 = q->data_model_32,
                            .entry = entry ? entry : "main",
                            .arguments = (const char *const *)r->arguments.data,
                            .argument_count = r->arguments.size,
                            .check_overflow = q->spec.properties & PROPERTY_OVERFLOW,
                            .check_overlap = !q->of_task,
                            .check_misuse = q->spec.properties & PROPERTY_MISUSE,
                            .cores = (unsigned)o->value[OPTION_CORES].number,
                            .check_reach = q->spec.properties & PROPERTY_ASSERT,
                            .monitor = q->spec.reach,
                            .all = o->value[OPTION_ALL].on,
                            .assert_ends = q->spec.only_calls,
                            .spurious_wakeup = o->value[OPTION_SPURIOUS_WAKEUPS].on,
                            .spurious_failure = o->value[OPTION_SPURIOUS_WAKEUPS].on};
    if (!error) error = check_flags(o, r);
    return error ? error : find_file_arguments(o, r);
}

void c_request_close(c_request *r) {
    for (size_t i = 0; i < r->made.size; i++) remove(r->made.data[i]);
    if (*r->folder) remove(r->folder);
    free_words(&r->made);
    free_words(&r->files);
    free_words(&r->arguments);
    compile_commands_free(&r->commands);
    vec_free(&r->of_files);
    mem_free(r->complaint);
}

static bool watch_reach(program *p, const char *expression, diagnostics *d) {
    const char *reason = NULL;
    for (uint32_t f = 0; f < p->functions.size; f++)
        if (!strcmp(p->functions.data[f].name, LLVM_REACH_MONITOR)) {
            if (reach_watch(p, f, expression, &reason)) return true;
            diag_report(d, DIAG_ERROR, (position){0, 0}, "reach:%s cannot be asked: %s", expression, reason);
            return false;
        }
    diag_report(d, DIAG_ERROR, (position){0, 0}, "reach:%s needs a source file", expression);
    return false;
}

static program *translate_files(const frontend *f, const c_request *r, diagnostics *d) {
    VEC(frontend_text) texts = {0};
    for (size_t i = 0; i < r->files.size; i++) vec_push(&texts, ((frontend_text){.name = r->files.data[i]}));
    program *p = f->compile(&(frontend_request){.texts = texts.data, .count = texts.size, .c = &r->how}, d);
    vec_free(&texts);
    return p;
}

static program *compile_files(const options *o, const inquiry *q, compile_stop stop, text *digests,
                              diagnostics *d) {
    c_request r;
    program *p = NULL;
    const char *error = c_request_open(o, q, &r);
    r.how.digests = digests;
    r.how.interrupted = stop.should_stop;
    r.how.interrupted_data = stop.data;
    if (error)
        diag_report_on(d, r.blamed ? r.blamed : d->file, DIAG_ERROR, (position){0, 0}, "%s", error);
    else
        p = translate_files(q->frontend, &r, d);
    c_request_close(&r);
    enum { ATOMIC_OPERATIONS, ATOMIC_STATEMENTS } atomic = o->value[OPTION_ATOMICITY].choice;
    if (p && atomic == ATOMIC_STATEMENTS) statements_make_atomic(p);
    if (p && q->spec.reach && !watch_reach(p, q->spec.reach, d)) {
        program_destroy(p);
        return NULL;
    }
    return p;
}

/* --- all of them ---------------------------------------------------------------------------------------- */

typedef struct text_request { /* of a language whose front end reads no files */
    frontend_text text;
    VEC(frontend_setting) settings;
    frontend_request how;
} text_request;

static void text_request_open(const options *o, const inquiry *q, text_request *r) {
    const source *s = &q->sources.data[0];
    *r = (text_request){.text = {s->name, s->text, s->length}};
    for (size_t i = 0; i < o->parameters.size; i++)
        vec_push(&r->settings, ((frontend_setting){o->parameters.data[i].name, o->parameters.data[i].value}));
    r->how = (frontend_request){
        .texts = &r->text, .count = 1, .settings = r->settings.data, .setting_count = r->settings.size};
}

static program *compile_text(const options *o, const inquiry *q, diagnostics *d) {
    text_request r;
    text_request_open(o, q, &r);
    program *p = q->frontend->compile(&r.how, d);
    vec_free(&r.settings);
    return p;
}

static bool has_expressions(const frontend *f) {
    return f->expressions;
}
static bool can_print(const frontend *f) {
    return f->print;
}

static void complain(const char *before, frontend_trait has, const char *behind, diagnostics *d) {
    text those = {0};
    frontend_list_languages(has, &those);
    diag_report(d, DIAG_ERROR, (position){0, 0}, "%s%s%s", before, text_cstr(&those), behind);
    text_free(&those);
}

program *compile_program(const options *o, const inquiry *q, compile_stop stop, text *digests, text *errors) {
    const source *first = &q->sources.data[0];
    diagnostics d = {.file = first->name, .source = first->text};
    program *p = NULL;
    if (q->spec.reach && !q->frontend->expressions)
        complain("reach:EXPR can only be asked of programs in ", has_expressions, "", &d);
    else if (q->frontend->on_disk)
        p = compile_files(o, q, stop, digests, &d);
    else
        p = compile_text(o, q, &d);
    diag_print(&d, errors);
    diag_free(&d);
    return p;
}

bool compile_print(const options *o, const inquiry *q, text *out, text *errors) {
    const source *s = &q->sources.data[0];
    diagnostics d = {.file = s->name, .source = s->text};
    bool good = false;
    if (q->frontend->print) {
        text_request r;
        text_request_open(o, q, &r);
        good = q->frontend->print(&r.how, &d, out);
        vec_free(&r.settings);
    } else {
        complain("only ", can_print, " can be printed anew", &d);
    }
    diag_print(&d, errors);
    diag_free(&d);
    return good;
}
