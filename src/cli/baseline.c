#include "cli/baseline.h"

#include "base/output.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 }; /* of the file; one without a number is as old */

static json_t *load(const char *path) {
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    json_t *accepted = json_object_get(all, "accepted"), *version = json_object_get(all, "version");
    if (!json_is_array(accepted) || (version && json_integer_value(version) != VERSION)) {
        json_decref(all);
        return NULL;
    }
    json_incref(accepted);
    json_decref(all);
    return accepted;
}

const char *baseline_check(const char *path) {
    json_t *accepted = load(path);
    json_decref(accepted);
    return accepted ? NULL : "not a baseline: a JSON object of version 1 with a list `accepted`";
}

/* --- findings ------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Both accesses with their files, whichever thread came first. */
static json_t *describe_race(const json_t *race) {
    char access[2][512] = {"", ""};
    const char *sorted[2] = {access[0], access[1]};
    for (size_t i = 0; i < 2; i++) {
        const json_t *one = json_array_get(race, i);
        snprintf(access[i], sizeof access[i], "%s %s in %s", text_of(one, "access"), text_of(one, "cell"),
                 text_of(json_object_get(one, "position"), "file"));
    }
    qsort(sorted, 2, sizeof *sorted, compare_texts);
    return json_sprintf("%s, %s", sorted[0], sorted[1]);
}

static json_t *describe(const json_t *property) {
    const json_t *race = json_object_get(json_object_get(property, "trace"), "race");
    json_t *said = json_array_size(race) == 2 ? describe_race(race) : json_string(text_of(property, "text"));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:O?}", "kind", text_of(property, "kind"), "file",
                     text_of(json_object_get(property, "position"), "file"), "function",
                     text_of(property, "in"), "text", said, "expression", text_of(property, "expression"),
                     "position", json_object_get(property, "position"));
}

static bool is_violated(const json_t *property) {
    return !strcmp(text_of(property, "verdict"), "unsafe");
}

/* Entries may have further keys, such as a note; those of older versions have no expression. */
static bool is_same(const json_t *finding, const json_t *entry) {
    static const char *const keys[] = {"kind", "file", "function", "text"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(text_of(finding, keys[i]), text_of(entry, keys[i]))) return false;
    const char *expression = text_of(entry, "expression");
    return !*expression || !strcmp(expression, text_of(finding, "expression"));
}

/* Explorers look for one race between two places and for one deadlock: an entry stands for all that
 * look like it. */
static bool stands_for_several(const json_t *finding) {
    const char *kind = text_of(finding, "kind");
    return !strcmp(kind, "race") || !strcmp(kind, "deadlock") || !strcmp(kind, "livelock");
}

/* Exploration goes on behind what somebody has stated, as if it were not there; everything else ends the
 * execution, or is looked for only once. */
static bool may_hide_others(const json_t *finding) {
    const char *kind = text_of(finding, "kind");
    return strcmp(kind, "assert") && strcmp(kind, "reach");
}

static bool is_at_same_place(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "position"), json_object_get(b, "position"));
}

/* The same check may be written in several places: each of them is a finding of its own. */
static bool is_listed(const json_t *list, const json_t *finding) {
    size_t i;
    json_t *entry;
    json_array_foreach(
        list, i, entry) if (is_same(finding, entry) &&
                            (stands_for_several(finding) || is_at_same_place(finding, entry))) return true;
    return false;
}

static json_t *list_findings(const json_t *result) {
    json_t *list = json_array(), *property;
    size_t i;
    json_array_foreach(json_object_get(result, "properties"), i, property) {
        if (!is_violated(property)) continue;
        json_t *finding = describe(property);
        if (!is_listed(list, finding)) json_array_append(list, finding);
        json_decref(finding);
    }
    return list;
}

#define REST "accept_rest" /* the key of an entry: what may be hidden behind it does not matter, either */

/* An entry accepts one finding: a second one that looks the same is new. */
static bool accept(json_t *accepted, const json_t *finding, bool *with_rest) {
    for (size_t i = 0; i < json_array_size(accepted); i++) {
        const json_t *entry = json_array_get(accepted, i);
        if (!is_same(finding, entry)) continue;
        *with_rest = json_is_true(json_object_get(entry, REST));
        if (!stands_for_several(finding)) json_array_remove(accepted, i);
        return true;
    }
    return false;
}

static json_t *parse_result(const heddle_result *r) {
    json_error_t error;
    return json_loads(heddle_result_json(r), 0, &error);
}

/* --- use ------------------------------------------------------------------------------------------------ */

baseline_verdict baseline_compare(const char *path, const heddle_result *r) {
    baseline_verdict v = {0};
    json_t *accepted = load(path), *result = parse_result(r), *findings = list_findings(result), *finding;
    size_t i;
    v.good = accepted && result;
    if (!v.good) fprintf(stderr, "%s: error: %s\n", path, baseline_check(path));
    json_array_foreach(findings, i, finding) {
        bool with_rest = false;
        if (accept(accepted, finding, &with_rest))
            v.accepted++;
        else
            v.others++;
        v.hiding += may_hide_others(finding) && !with_rest;
    }
    v.all_accepted =
        v.good && v.accepted && !v.others && !v.hiding && json_is_true(json_object_get(result, "complete"));
    json_decref(accepted);
    json_decref(result);
    json_decref(findings);
    return v;
}

bool baseline_write(const char *path, const heddle_result *r) {
    json_t *result = parse_result(r);
    json_t *findings = list_findings(result), *finding;
    size_t i;
    json_array_foreach(findings, i, finding) {
        json_object_del(finding, "position"); /* survives edits */
        if (may_hide_others(finding)) json_object_set_new(finding, REST, json_false());
    }
    json_t *all = json_pack("{s:i, s:o}", "version", VERSION, "accepted", findings);
    char *printed = json_dumps(all, JSON_INDENT(2));
    const char *error = printed ? output_write(path, printed) : "out of memory";
    if (error) fprintf(stderr, "%s: error: %s\n", path, error);
    free(printed);
    json_decref(result);
    json_decref(all);
    return !error;
}
