#include "api/compiler_flags.h"
#include "api/run.h"
#include "strategy/explorers.h"
#include "strategy/overview.h"

#include <string.h>

const char *heddle_version(void) {
    return HEDDLE_VERSION;
}

const char *heddle_verdict_name(heddle_verdict v) {
    switch (v) {
    case HEDDLE_SAFE: return "safe";
    case HEDDLE_UNSAFE: return "unsafe";
    case HEDDLE_BAD_INPUT: return "bad input";
    case HEDDLE_UNKNOWN: return "unknown";
    case HEDDLE_INTERNAL_ERROR: break;
    }
    return "internal error";
}

/* --- the object ----------------------------------------------------------------------------------------- */

heddle *heddle_create(void) {
    heddle *h = mem_zero(1, sizeof *h);
    options_init(&h->options);
    atomic_init(&h->interrupted, false);
    return h;
}

void heddle_destroy(heddle *h) {
    if (!h) return;
    for (size_t i = 0; i < h->sources.size; i++) source_free(&h->sources.data[i]);
    vec_free(&h->sources);
    options_free(&h->options);
    text_free(&h->message);
    mem_free(h);
}

const char *heddle_set(heddle *h, const char *name, const char *value) {
    h->message.size = 0;
    return options_set(&h->options, name, value, &h->message) ? NULL : text_cstr(&h->message);
}

const char *heddle_get(const heddle *h, const char *name) {
    option_id id = option_find(name);
    return id == OPTION_COUNT ? NULL : h->options.value[id].written;
}

void heddle_add_file(heddle *h, const char *path) {
    vec_push(&h->sources, source_read(path));
}

void heddle_add_source(heddle *h, const char *name, const char *source, size_t length) {
    vec_push(&h->sources, source_copy(name, source, length));
}

void heddle_interrupt(heddle *h) {
    atomic_store_explicit(&h->interrupted, true, memory_order_relaxed);
}

void heddle_on_progress(heddle *h, void (*call)(void *data, const heddle_progress *p), void *data) {
    h->progress = call;
    h->progress_data = data;
}

bool heddle_knows_flag(const char *word, bool *in_two) {
    static const char other_meanings[] = "oTvSQps"; /* somebody might expect them of us */
    compiler_flag f = compiler_flag_read(word);
    if (strchr(other_meanings, word[1]) && (!word[2] || f.in_next_word || word[1] == 'o')) return false;
    *in_two = f.in_next_word;
    return f.kind == FLAG_KEPT || f.kind == FLAG_NO_EFFECT;
}

double heddle_get_seconds(const heddle *h, const char *name) {
    option_id id = option_find(name);
    return id == OPTION_COUNT ? 0 : h->options.value[id].seconds;
}

/* --- languages and engines ------------------------------------------------------------------------------ */

const char *heddle_language(const char *file) {
    const frontend *f = frontend_of(file);
    return f ? f->language : NULL;
}

/* "one file in IVL (.ivl)" */
static void describe_files(const frontend *f, text *out) {
    text_format(out, "%s in %s (", f->several_files ? "files" : "one file", f->language);
    for (const char *const *e = f->endings; *e; e++) text_format(out, "%s%s", e == f->endings ? "" : " ", *e);
    text_add(out, f->several_files ? "), which are linked" : ")");
}

char *heddle_languages(void) {
    text said = {0};
    for (const frontend *const *f = frontends; *f; f++) {
        text_add(&said, f == frontends ? "" : f[1] ? ", " : ", or ");
        describe_files(*f, &said);
    }
    char *result = strdup(text_cstr(&said));
    text_free(&said);
    return result;
}

bool heddle_has_parameters(const char *file) {
    const frontend *f = frontend_of(file);
    return f && f->parameters;
}

bool heddle_engine_has_choice(const char *engine, const char *option) {
    const explorer *e = explorers_find(engine);
    if (!e || e == &explorer_auto) return e != NULL; /* it takes whoever has what is asked for */
    switch (option_find(option)) {
    case OPTION_POR: return explorer_has_reductions(e);
    case OPTION_MATCH: return explorer_has_matchers(e);
    default: return false;
    }
}

char *heddle_engines(void) {
    text tables = {0};
    overview_print(&tables);
    char *said = strdup(text_cstr(&tables));
    text_free(&tables);
    return said;
}

/* --- stages --------------------------------------------------------------------------------------------- */

const char *heddle_stage_name(heddle_stage s) {
    static const char *const names[] = {[HEDDLE_COMPILING] = "compiling",
                                        [HEDDLE_ELABORATING] = "elaborating the design",
                                        [HEDDLE_ANALYSING] = "analysing",
                                        [HEDDLE_EXPLORING] = "exploring",
                                        [HEDDLE_SHRINKING] = "making the counterexample smaller",
                                        [HEDDLE_REPORTING] = "reporting"};
    return names[s];
}

void heddle_on_stage(heddle *h, void (*call)(void *data, heddle_stage s), void *data) {
    h->on_stage = call;
    h->stage_data = data;
}

bool run_was_interrupted(const heddle *h) {
    return atomic_load_explicit(&h->interrupted, memory_order_relaxed);
}

reason_kind run_why_stopped(const heddle *h) {
    return run_was_interrupted(h) ? REASON_INTERRUPTED : REASON_TIME;
}

void run_enter_stage(const heddle *h, heddle_stage s) {
    if (h->on_stage) h->on_stage(h->stage_data, s);
}

/* --- results -------------------------------------------------------------------------------------------- */

heddle_result *result_create(void) {
    heddle_result *r = mem_zero(1, sizeof *r);
    r->reason = mem_copy_string("");
    r->diagnostics = mem_copy_string("");
    r->svcomp = mem_copy_string("");
    r->text = mem_copy_string("");
    r->json = mem_copy_string("");
    return r;
}

void result_replace(char **slot, const char *by) {
    char *copy = mem_copy_string(by);
    mem_free(*slot);
    *slot = copy;
}

void heddle_result_destroy(heddle_result *r) {
    if (!r) return;
    mem_free(r->reason);
    mem_free(r->diagnostics);
    mem_free(r->svcomp);
    mem_free(r->text);
    mem_free(r->json);
    mem_free(r);
}

heddle_explanation heddle_result_explanation(const heddle_result *r) {
    return r->explanation;
}
bool heddle_result_ran_to_end(const heddle_result *r) {
    return r->ran_to_end;
}

heddle_verdict heddle_result_verdict(const heddle_result *r) {
    return r->verdict;
}
const char *heddle_result_reason(const heddle_result *r) {
    return r->reason;
}
const char *heddle_result_diagnostics(const heddle_result *r) {
    return r->diagnostics;
}
bool heddle_result_is_complete(const heddle_result *r) {
    return !r->incomplete;
}
const char *heddle_result_svcomp(const heddle_result *r) {
    return r->svcomp;
}
const char *heddle_result_text(const heddle_result *r) {
    return r->text;
}
const char *heddle_result_json(const heddle_result *r) {
    return r->json;
}

double heddle_result_statistic(const heddle_result *r, const char *name) {
    const counter_info *which = counter_find(name);
    return r->counted && which ? counter_value(&r->counters, which) : -1;
}
