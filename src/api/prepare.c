#include "api/choice.h"
#include "api/compile.h"
#include "api/exports.h"
#include "api/idle.h"
#include "api/run.h"
#include "base/clock.h"
#include "base/output.h"
#include "elaboration/elaborate.h"

#include <errno.h>
#include <sys/stat.h>

const char *run_written(const heddle *h, option_id id) {
    return h->options.value[id].written;
}

static void check_output(const char *path, text *errors) {
    const char *error = *path ? output_check(path) : NULL;
    if (error) text_format(errors, "%s: error: %s\n", path, error);
}

/* One that is not there is made. */
static void check_folder(const char *path, text *errors) {
    struct stat info;
    if (*path && !stat(path, &info) && !S_ISDIR(info.st_mode))
        text_format(errors, "%s: error: %s\n", path, strerror(ENOTDIR));
}

static void check_combinations(const heddle *h, text *errors) {
    const option_value *v = h->options.value;
    if (v[OPTION_DETERMINISTIC].on && (v[OPTION_TIME].given || v[OPTION_QUERY_TIME].given))
        text_add(errors,
                 "heddle: error: 'deterministic' excludes limits by the clock; use max-transitions or "
                 "max-states\n");
    if (v[OPTION_DETERMINISTIC].on && v[OPTION_Z3].given && v[OPTION_Z3].on)
        text_add(errors, "heddle: error: 'deterministic' excludes 'z3', which has no limit but the clock\n");
    if (v[OPTION_CROSS_CHECK].on && !v[OPTION_CERTIFY].on)
        text_add(errors, "heddle: error: 'cross-check' belongs to certify\n");
    exports_check(&h->options, errors);
    check_output(run_written(h, OPTION_CERTIFICATE), errors);
    check_output(run_written(h, OPTION_STIMULUS), errors);
    check_output(run_written(h, OPTION_DUMP_TRACES), errors);
    check_output(run_written(h, OPTION_WRITE_BASELINE), errors);
    check_folder(run_written(h, OPTION_CACHE), errors);
}

static const option_id outputs[] = {
    OPTION_TRACE, OPTION_WITNESS,     OPTION_SARIF,    OPTION_JUNIT,       OPTION_VCD,
    OPTION_HTML,  OPTION_CERTIFICATE, OPTION_STIMULUS, OPTION_DUMP_TRACES, OPTION_WRITE_BASELINE};

static bool is_read(const source *list, size_t count, const char *path) {
    for (size_t i = 0; i < count; i++)
        if (list[i].on_disk && output_is_same(path, list[i].name)) return true;
    return false;
}

/* Nothing that was read is written over, and nothing is written twice. */
static bool check_overwriting(const heddle *h, const inquiry *q, text *errors) {
    size_t before = errors->size;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *path = run_written(h, outputs[i]), *name = heddle_options()[outputs[i]].name;
        if (!*path) continue;
        if (is_read(q->sources.data, q->sources.size, path) || is_read(q->others.data, q->others.size, path))
            text_format(errors, "%s: error: --%s would write over an input\n", path, name);
        for (size_t k = 0; k < i; k++)
            if (*run_written(h, outputs[k]) && output_is_same(path, run_written(h, outputs[k])))
                text_format(errors, "%s: error: --%s and --%s write to the same file\n", path,
                            heddle_options()[outputs[k]].name, name);
    }
    return errors->size == before;
}

static bool check_witness(const heddle *h, const inquiry *q, text *errors) {
    const char *path = run_written(h, OPTION_WITNESS);
    bool fits = !*path || inquiry_has_witnesses(q);
    if (!fits) text_format(errors, "%s: error: only C programs have witnesses\n", path);
    return fits;
}

/* A front end that makes an invalid program, or options that do not fit it. */
static bool is_usable(const heddle *h, const program *p, heddle_result *r, text *errors) {
    diagnostics broken = {.file = p->file};
    text misfit = {0};
    bool valid = program_check(p, &broken), fits = choice_engine(&h->options, p, &misfit) != NULL;
    if (!valid) {
        diag_print(&broken, errors);
        result_replace(&r->reason, "the front end made an invalid program");
        r->verdict = HEDDLE_INTERNAL_ERROR;
    } else if (!fits) {
        text_format(errors, "heddle: error: %s\n", text_cstr(&misfit));
    }
    text_free(&misfit);
    diag_free(&broken);
    return valid && fits;
}

/* Compilers and elaboration are under the same limits as everything else. */
static bool should_stop(void *data) {
    const heddle *h = data;
    double limit = h->options.value[OPTION_TIME].seconds;
    return run_was_interrupted(h) || (limit > 0 && clock_wall() > h->begun + limit);
}

/* A design becomes the program that its elaboration leaves; that is work of its own, under the same limits. */
static bool elaborate_design(heddle *h, const inquiry *q, program *p, heddle_result *r, text *errors) {
    if (!p->elaboration.pending) return true;
    run_enter_stage(h, HEDDLE_ELABORATING);
    bool ends_matter = q->spec.properties & (PROPERTY_LEAK | PROPERTY_REACH);
    elaborate(p, ends_matter, should_stop, h);
    return is_usable(h, p, r, errors);
}

/* The compiled program, or NULL with the result saying why not. `q` is to be freed in any case. */
program *run_prepare(heddle *h, inquiry *q, text *digests, heddle_result *r) {
    h->begun = clock_wall();
    run_enter_stage(h, HEDDLE_COMPILING);
    text errors = {0};
    program *p = NULL;
    *q = (inquiry){0};
    r->verdict = HEDDLE_BAD_INPUT;
    check_combinations(h, &errors);
    bool resolved = !errors.size &&
                    inquiry_resolve(&h->options, h->sources.data, h->sources.size, q, &errors) &&
                    check_overwriting(h, q, &errors) && check_witness(h, q, &errors);
    if (resolved && q->has_certificate && !h->options.value[OPTION_CERTIFY].on)
        text_format(&errors, "%s: error: a certificate is checked with --certify\n",
                    q->others.data[q->certificate].name);
    else if (resolved)
        p = compile_program(&h->options, q, (compile_stop){should_stop, h}, digests, &errors);
    if (resolved && !p && should_stop(h)) { /* whatever went wrong, nobody waited for it */
        errors.size = 0;
        r->verdict = HEDDLE_UNKNOWN;
        result_replace(&r->reason, reason_words((reason){.kind = run_why_stopped(h)}));
        text_format(&errors, "heddle: %s while %s\n", r->reason, heddle_stage_name(HEDDLE_COMPILING));
    }
    if (p && !(is_usable(h, p, r, &errors) && elaborate_design(h, q, p, r, &errors))) {
        program_destroy(p);
        p = NULL;
    }
    if (p) idle_describe(&h->options, q, p, &errors);
    result_replace(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
    return p;
}
