#include "api/exports.h"
#include "api/run.h"
#include "base/output.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "report/formats/formats.h"

/* The result stands, but not all of it could be written where it was wanted. */
void run_blame_outputs(heddle_result *r, text *errors) {
    if (errors->size) {
        text all = {0};
        text_format(&all, "%s%s", r->diagnostics, text_cstr(errors));
        result_replace(&r->diagnostics, text_cstr(&all));
        text_free(&all);
        r->incomplete = true;
    }
    text_free(errors);
}

void run_write_file(const char *path, const char *content, heddle_result *r) {
    text errors = {0};
    const char *error = output_write(path, content);
    if (error) text_format(&errors, "%s: error: %s\n", path, error);
    run_blame_outputs(r, &errors);
}

counters run_counters(const session *s, const outcome *o) {
    return (counters){o->stats, *machine_stats(s->machine), *solver_stats(s->solver)};
}

void run_list_files(const source *files, size_t count, bool programs, report_files *out) {
    for (size_t i = 0; i < count; i++)
        vec_push(out, ((report_file){files[i].name, files[i].sha256, files[i].length,
                                     programs ? files[i].text : NULL}));
}

/* --- headers -------------------------------------------------------------------------------------------- */

enum { MOST_HEADERS = 50, LARGEST_HEADER = 4 << 20 };

typedef VEC(source) headers;

static bool is_listed(const report_files *files, const char *name) {
    for (size_t i = 0; i < files->size; i++)
        if (!strcmp(files->data[i].name, name)) return true;
    return false;
}

static void add_header(const char *name, const report_files *inputs, headers *out) {
    if (!name || is_listed(inputs, name) || out->size == MOST_HEADERS) return;
    for (size_t i = 0; i < out->size; i++)
        if (!strcmp(out->data[i].name, name)) return;
    vec_push(out, source_read(name));
}

/* The files that a trace leads through. */
static void add_headers(const trace *t, const report_files *inputs, headers *out) {
    for (size_t i = 0; i < t->steps.size; i++) {
        add_header(t->steps.data[i].file, inputs, out);
        add_header(t->steps.data[i].to_file, inputs, out);
    }
    for (size_t i = 0; i < t->race.size; i++) add_header(t->race.data[i].file, inputs, out);
    add_header(t->violated_file, inputs, out);
}

static void list_headers(const report *about, const trace *traces, headers *read, report_files *files) {
    for (size_t i = 0; traces && i < about->result->violations.size; i++)
        add_headers(&traces[i], files, read);
    if (about->trace) add_headers(about->trace, files, read);
    for (size_t i = 0; i < read->size; i++)
        if (!read->data[i].error && read->data[i].length <= LARGEST_HEADER)
            run_list_files(&read->data[i], 1, true, files);
}

static void free_headers(headers *read) {
    for (size_t i = 0; i < read->size; i++) source_free(&read->data[i]);
    vec_free(read);
}

/* What BenchExec calls the verdict: the first confirmed violation counts. */
static char *spell_for_benchexec(const session *s, const report *about) {
    const outcome *o = about->result;
    text said = {0};
    switch (outcome_verdict(about->result)) {
    case VERDICT_SAFE: text_add(&said, "true"); break;
    case VERDICT_UNKNOWN: text_add(&said, "unknown"); break;
    case VERDICT_ERROR: text_add(&said, "ERROR (internal error)"); break;
    case VERDICT_UNSAFE:
        for (size_t i = 0; i < o->violations.size && !said.size; i++) {
            const violation *v = &o->violations.data[i];
            check_kind k =
                v->kind == VIOLATION_CHECK ? machine_check(s->machine, v->check)->kind : CHECK_RACE;
            assert(specification_violated(&s->inquiry->spec, v->kind, k)); /* others were dropped */
            if (v->confirmed)
                text_format(&said, "false(%s)", specification_violated(&s->inquiry->spec, v->kind, k));
        }
    }
    assert(said.size);
    char *result = mem_copy_string(text_cstr(&said));
    text_free(&said);
    return result;
}

/* NULL: no witness can say it. A violation violates one property, a proof is of all. */
static char *spell_specification(const session *s, const report *about) {
    text formulas = {0};
    if (inquiry_has_witnesses(s->inquiry))
        specification_formulas(&s->inquiry->spec, about->svcomp, &formulas);
    char *result = formulas.size ? mem_copy_string(text_cstr(&formulas)) : NULL;
    text_free(&formulas);
    return result;
}

static const char *spell_expected(expected_verdict e) {
    return e == EXPECTED_TRUE ? "true" : e == EXPECTED_FALSE ? "false" : NULL;
}

/* What is proved of interleavings need not hold where the compiler and the processor may reorder accesses,
 * which they may as soon as there is a data race. */
static void note_race(const session *s, report *about) {
    const racing_places *race = &about->result->seen.race;
    if (!race->known || outcome_verdict(about->result) != VERDICT_SAFE) return;
    const char *file[2];
    for (int i = 0; i < 2; i++) {
        file[i] = s->program->functions.data[race->function[i]].file;
        if (!file[i]) file[i] = s->program->file;
    }
    report_add_note(about, "race",
                    "holds on sequentially consistent machines only: data race between %s:%u and %s:%u "
                    "(--property race shows it)",
                    file[0], race->at[0].line, file[1], race->at[1].line);
}

/* A model of the world outside that has one answer where there are more: the reader should know which. */
static void note_assumptions(const session *s, report *about) {
    static const struct {
        const char *kind, *text;
    } known[ASSUMPTION_KINDS] = {
        [ASSUMES_NO_ARGUMENTS] = {"arguments", "main has one argument, the name of the program (argc is 1)"},
        [ASSUMES_NO_ENVIRONMENT] = {"environment", "the environment is empty"},
        [ASSUMES_MEMORY] = {"memory", "allocations do not fail"},
        [ASSUMES_THREADS] = {"threads", "creating a thread does not fail"}};
    if (outcome_verdict(about->result) != VERDICT_SAFE || s->inquiry->of_task) return;
    for (int k = 0; k < ASSUMPTION_KINDS; k++) {
        const assumption *a = &s->program->assumptions[k];
        if (!a->is_made) continue;
        const char *file = s->program->functions.data[a->function].file;
        report_add_assumption(about, known[k].kind, "%s; %s:%u asks", known[k].text,
                              file ? file : s->program->file, a->at.line);
    }
}

/* Where nobody asks for misuses, what is undefined goes on as glibc has it. */
static void note_misuses(const session *s, report *about) {
    if (s->inquiry->spec.properties & PROPERTY_MISUSE) return;
    for (uint32_t i = 0; i < machine_check_count(s->machine); i++) {
        const check *c = machine_check(s->machine, i);
        if (c->kind == CHECK_MISUSE && seen_reached(&about->result->seen, i))
            report_add_note(about, "misuse",
                            "misuse of the library, taken as glibc does it: not everywhere does this hold: "
                            "%s (--property misuse shows it)",
                            c->text);
    }
}

/* Completes the report, whose counters are set, and turns it into the result. `traces` has one for each
 * violation of the outcome. */
void run_fill_result(heddle *h, session *s, report *about, const trace *traces, heddle_result *r) {
    assert(about->result->concluded);
    report_files files = {0};
    run_list_files(s->inquiry->sources.data, s->inquiry->sources.size, true, &files);
    run_list_files(s->inquiry->others.data, s->inquiry->others.size, false, &files);
    about->version = HEDDLE_VERSION;
    about->file = s->program->file;
    about->missing = s->program->missing.data;
    about->missing_count = s->program->missing.size;
    about->file_count = files.size;
    headers read = {0};
    list_headers(about, traces, &read, &files);
    about->files = files.data;
    about->text_count = files.size;
    about->options = options_json(&h->options);
    about->bounds = session_bounds_json(&h->options);
    about->expected = spell_expected(s->inquiry->expected);
    mem_free(r->svcomp);
    about->svcomp = r->svcomp = spell_for_benchexec(s, about);
    char *specification = spell_specification(s, about);
    report_task task = {specification, s->inquiry->data_model_32 ? "ILP32" : "LP64",
                        inquiry_has_witnesses(s->inquiry)};
    about->task = &task;
    report_list_properties(about, s->machine, s->inquiry->spec.properties, traces);
    note_race(s, about);
    note_assumptions(s, about);
    note_misuses(s, about);
    report_write_notes(about, s->machine);

    static const heddle_verdict public_verdict[] = {[VERDICT_SAFE] = HEDDLE_SAFE,
                                                    [VERDICT_UNSAFE] = HEDDLE_UNSAFE,
                                                    [VERDICT_UNKNOWN] = HEDDLE_UNKNOWN,
                                                    [VERDICT_ERROR] = HEDDLE_INTERNAL_ERROR};
    r->verdict = public_verdict[outcome_verdict(about->result)];
    r->counters = about->counters;
    r->counted = true;
    text said = {0};
    report_reason(about, &said);
    result_replace(&r->reason, text_cstr(&said));
    said.size = 0;
    const option_value *v = h->options.value;
    text_style style = {.colour = !strcmp(v[OPTION_COLOR].written, "always"),
                        .quiet = v[OPTION_QUIET].on,
                        .verbose = v[OPTION_VERBOSE].on,
                        .verdict_line = v[OPTION_VERDICT_LINE].on};
    report_print_text(about, style, &said);
    result_replace(&r->text, text_cstr(&said));
    text_free(&said);
    mem_free(r->json);
    r->json = report_json(about);
    text errors = {0};
    exports_write(&h->options, about, &errors);
    run_blame_outputs(r, &errors);
    about->task = NULL;
    mem_free(specification);
    report_free(about);
    free_headers(&read);
    vec_free(&files);
}
