#include "report/explain/recorded.h"

#include "base/map.h"
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>

static const char *string_at(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static uint32_t number_at(const json_t *object, const char *key) {
    const json_t *n = json_object_get(object, key);
    json_int_t number = json_is_integer(n) ? json_integer_value(n) : 0;
    return number > 0 && number <= INT32_MAX ? (uint32_t)number : 0;
}

static void read_position(const json_t *from, recorded_place *out) {
    out->file = string_at(from, "file");
    out->at = (position){number_at(from, "line"), number_at(from, "column")};
}

static const char *read_drawn(const json_t *list, recorded_step *out) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        const char *name = string_at(one, "name"), *number = string_at(one, "number");
        char *end = NULL;
        errno = 0;
        uint64_t bits = number ? strtoull(number, &end, 10) : 0;
        if (!name || !number || !*number || *end || errno) return "a value that a step has drawn is broken";
        vec_push(&out->drawn, ((recorded_draw){name, bits}));
    }
    return NULL;
}

/* As in text.c: the first step of a thread often does nothing that anybody would see. */
static bool is_silent(const json_t *step) {
    static const char *const lists[] = {"inputs", "changes", "created", "waits"};
    static const char *const flags[] = {"thread_ended", "stuck", "looping"};
    const char *phase = string_at(step, "phase");
    bool silent = phase && !strcmp(phase, "run") && !json_is_object(json_object_get(step, "from")) &&
                  !string_at(step, "call");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        silent &= !json_array_size(json_object_get(step, lists[i]));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        silent &= !json_is_true(json_object_get(step, flags[i]));
    return silent;
}

static const char *read_step(const json_t *from, recorded_step *out) {
    const json_t *id = json_object_get(from, "id");
    out->place.thread = string_at(from, "thread");
    out->place.id = json_is_null(id) ? MACHINE_KERNEL : number_at(from, "id");
    if (!out->place.thread) return "a step without a thread";
    bool numbered = json_is_null(id) || (json_is_integer(id) && json_integer_value(id) >= 0);
    if (!numbered || !json_is_array(json_object_get(from, "drawn")))
        return "its steps do not say which threads make them and what they draw; write it again";
    read_position(json_object_get(from, "from"), &out->place);
    out->place.function = string_at(from, "function");
    out->place.source = string_at(from, "source");
    out->place.call = string_at(from, "call");
    out->choice = number_at(from, "choice");
    out->silent = is_silent(from);
    return read_drawn(json_object_get(from, "drawn"), out);
}

/* Where the thread stood since its last step, which is a wait if it waited. */
static void note_stop(const json_t *list, map *moved, size_t index, recorded_step *step) {
    uint64_t before = map_get(moved, step->place.id);
    map_put(moved, step->place.id, index);
    step->first = before == MAP_NONE;
    step->stopped = step->place;
    if (step->first) return;
    const json_t *last = json_array_get(list, before);
    read_position(json_object_get(last, "to"), &step->stopped);
    step->stopped.source = string_at(last, "to_source");
}

static const char *read_steps(const json_t *list, recorded_trace *out) {
    size_t i;
    json_t *one;
    map moved = {0};
    const char *error = json_is_array(list) ? NULL : "its trace has no steps";
    json_array_foreach(list, i, one) {
        if (error) break;
        recorded_step step = {0};
        error = read_step(one, &step);
        if (!error) note_stop(list, &moved, i, &step);
        vec_push(&out->steps, step);
    }
    map_free(&moved);
    return error;
}

static const char *read_threads(const json_t *list, recorded_trace *out) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        recorded_thread t = {number_at(one, "id"), number_at(one, "creator"), string_at(one, "function"),
                             number_at(one, "number")};
        if (!t.id || !t.function) return "a thread of its trace is broken";
        vec_push(&out->threads, t);
    }
    return NULL;
}

static const char *read_race(const json_t *list, recorded_trace *out) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        recorded_place p = {.id = number_at(one, "id"),
                            .thread = string_at(one, "thread"),
                            .source = string_at(one, "source")};
        read_position(json_object_get(one, "position"), &p);
        if (!p.thread) return "a racing access without a thread";
        out->raced_before |= json_is_integer(json_object_get(one, "step"));
        vec_push(&out->race, p);
    }
    return out->race.size && out->race.size != 2 ? "a race of other than two accesses" : NULL;
}

static const char *read_stops(const json_t *list, recorded_trace *out) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        const report_stop *s = report_stops;
        const char *name = json_string_value(one);
        while (s->name && (!name || strcmp(s->name, name))) s++;
        if (!s->name) return "it stops where this version knows nothing of";
        out->stops |= s->stop;
    }
    return NULL;
}

/* What a trace file says at once, a whole result says among its properties: the one with the same trace. */
static const json_t *violated_property(const json_t *root, const json_t *trace) {
    const json_t *list = json_object_get(root, "properties");
    size_t i;
    json_t *one;
    if (!json_is_array(list)) return json_object_get(root, "property");
    json_array_foreach(list, i, one) if (json_equal(json_object_get(one, "trace"), trace)) return one;
    return NULL;
}

static const char *read_trace(recorded_trace *out) {
    const json_t *trace = json_object_get(out->root, "trace");
    if (!json_is_object(out->root)) return "it is no JSON object";
    if (json_is_null(trace)) return "it has no counterexample: its trace is null";
    if (!json_is_object(trace)) return "it has no trace: give it what 'heddle check --trace' has written";
    const json_t *property = violated_property(out->root, trace);
    out->kind = string_at(property, "kind");
    out->text = string_at(property, "text");
    if (out->kind && !out->text) out->text = "";
    out->options = json_object_get(out->root, "options");
    out->inputs = json_object_get(out->root, "inputs");
    out->all = json_is_true(json_object_get(out->options, "all"));
    const char *error = read_steps(json_object_get(trace, "steps"), out);
    if (!error) error = read_threads(json_object_get(trace, "threads"), out);
    if (!error) error = read_race(json_object_get(trace, "race"), out);
    return error ? error : read_stops(json_object_get(trace, "stops"), out);
}

const char *recorded_read(const char *json, size_t length, recorded_trace *out) {
    json_error_t error;
    *out = (recorded_trace){.root = json_loadb(json, length, 0, &error)};
    return out->root ? read_trace(out) : "it is no JSON text, or not all of one";
}

void recorded_free(recorded_trace *t) {
    for (size_t i = 0; i < t->steps.size; i++) vec_free(&t->steps.data[i].drawn);
    vec_free(&t->steps);
    vec_free(&t->threads);
    vec_free(&t->race);
    json_decref(t->root);
}

size_t recorded_number(const recorded_trace *t, size_t step) {
    size_t before = 0, all = 0;
    for (size_t i = 0; i < t->steps.size; i++) {
        all += !t->steps.data[i].silent;
        before += i + 1 < step && !t->steps.data[i].silent;
    }
    return before < all ? before + 1 : all;
}
