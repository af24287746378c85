#include "api/explain.h"

#include "base/clock.h"
#include "base/memory.h"

/* What the program means, what is asked of it, and which of its executions exist. Limits of a search and ways
 * to search are no part of that. */
static const option_id meaning[] = {
    OPTION_PROPERTY,        OPTION_SPEC,    OPTION_SET,          OPTION_ALL,        OPTION_DATA_MODEL,
    OPTION_DEFINE,          OPTION_INCLUDE, OPTION_STD,          OPTION_FLAG,       OPTION_COMPILE_COMMANDS,
    OPTION_STUBS,           OPTION_ENTRY,   OPTION_MEMORY_MODEL, OPTION_ATOMICITY,  OPTION_SPURIOUS_WAKEUPS,
    OPTION_BLOCKED_AT_EXIT, OPTION_CORES,   OPTION_THREADS,      OPTION_STEP_LIMIT, OPTION_SLEEP_SPINS,
};

static bool set_one(options *o, const char *name, const char *value, text *errors) {
    text why = {0};
    bool good = options_set(o, name, value, &why);
    if (!good) text_format(errors, "heddle: error: an option of the trace: %s\n", text_cstr(&why));
    text_free(&why);
    return good;
}

static bool set_number(options *o, const char *name, json_int_t number, text *errors) {
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    return set_one(o, name, digits, errors);
}

/* A list of choices is written with commas; a list of texts is given one by one. */
static bool set_list(options *o, const heddle_option *which, const json_t *list, text *errors) {
    text joined = {0};
    bool good = true;
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        const char *word = json_string_value(one);
        if (which->kind == HEDDLE_OPTION_CHOICES)
            text_format(&joined, "%s%s", i ? "," : "", word ? word : "");
        else
            good = good && word && set_one(o, which->name, word, errors);
    }
    if (which->kind == HEDDLE_OPTION_CHOICES) good = set_one(o, which->name, text_cstr(&joined), errors);
    text_free(&joined);
    return good;
}

static bool set_parameters(options *o, const char *name, json_t *object, text *errors) {
    const char *key;
    json_t *number;
    bool good = true;
    json_object_foreach(object, key, number) {
        text assignment = {0};
        text_format(&assignment, "%s=%lld", key, (long long)json_integer_value(number));
        good = good && set_one(o, name, text_cstr(&assignment), errors);
        text_free(&assignment);
    }
    return good;
}

static bool set_from_json(options *o, const heddle_option *which, json_t *value, text *errors) {
    switch (json_typeof(value)) {
    case JSON_STRING: return set_one(o, which->name, json_string_value(value), errors);
    case JSON_TRUE: return set_one(o, which->name, "on", errors);
    case JSON_FALSE: return set_one(o, which->name, "off", errors);
    case JSON_INTEGER: return set_number(o, which->name, json_integer_value(value), errors);
    case JSON_ARRAY: return set_list(o, which, value, errors);
    case JSON_OBJECT: return set_parameters(o, which->name, value, errors);
    default: return true;
    }
}

bool explain_take_options(options *o, const recorded_trace *from, text *errors) {
    json_t *present = options_json(o);
    bool good = true;
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning && good; i++) {
        const heddle_option *which = &heddle_options()[meaning[i]];
        json_t *recorded = json_object_get(from->options, which->name);
        bool said = o->value[meaning[i]].given || (meaning[i] == OPTION_SET && o->parameters.size);
        if (said || !recorded || json_equal(recorded, json_object_get(present, which->name))) continue;
        good = set_from_json(o, which, recorded, errors);
    }
    json_decref(present);
    return good;
}

bool explain_is_given_file(const recorded_trace *from, const char *file) {
    size_t i;
    json_t *one;
    const json_t *stubs = json_object_get(from->options, "stubs");
    json_array_foreach(stubs, i, one) {
        const char *stub = json_string_value(one);
        if (stub && !strcmp(stub, file)) return false;
    }
    bool any_task = false;
    json_array_foreach(from->inputs, i, one) {
        const char *name = json_string_value(json_object_get(one, "file"));
        any_task |= name && file_kind_of(name) == FILE_TASK;
    }
    return file_kind_of(file) == (any_task ? FILE_TASK : FILE_PROGRAM);
}

/* Whether the text of a result is that of a failure is for the outcome to say: it gets what was executed. */
static void enter_failure(retrace *told, outcome *out) {
    violation v = {.kind = told->failure, .check = told->check, .inputs = told->inputs, .confirmed = true};
    memcpy(v.racing, told->racing, sizeof v.racing);
    v.earlier = told->earlier;
    path_append(&v.path, &told->path);
    told->inputs = NULL;
    outcome_add_violation(out, v);
}

void explain_run(session *s, const recorded_trace *from, const report_file *files, size_t file_count,
                 outcome *out, retrace *told) {
    double begin = clock_wall(), cpu_begin = clock_cpu();
    retrace_request wanted = {.recorded = from,
                              .files = files,
                              .file_count = file_count,
                              .properties = s->inquiry->spec.properties,
                              .unasked = ~s->inquiry->spec.kinds,
                              .interrupted = control_should_stop,
                              .interrupted_data = &s->control};
    retrace_follow(s->machine, &wanted, told);
    if (told->answer == RETRACE_STILL_FAILS || told->answer == RETRACE_FAILS_OTHERWISE)
        enter_failure(told, out);
    out->engine = "replay";
    out->stops = from->stops;
    out->stats.transitions = out->stats.depth = told->path.size;
    out->stats.executions = 1;
    out->stats.seconds = clock_wall() - begin;
    out->stats.cpu_seconds = clock_cpu() - cpu_begin;
    out->stats.peak_memory_bytes = memory_peak();
    outcome_conclude(out);
}
