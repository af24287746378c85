#include "base/escape.h"
#include "base/sha256.h"
#include "report/formats/formats.h"
#include "report/json_text.h"
#include "report/source_text.h"

#include <stdlib.h>

static const struct {
    const char *kind, *id, *name, *text;
} rules[] = {
    {"assert", "HED001", "AssertionHolds", "An assertion holds, and an error function is never called."},
    {"division", "HED002", "NoDivisionByZero", "Nothing is divided by zero."},
    {"null", "HED003", "NoNullAccess", "No null pointer is followed."},
    {"bounds", "HED004", "AccessWithinBounds", "Memory is accessed within the bounds of its objects."},
    {"freed", "HED005", "NoUseAfterFree", "Memory is not used after it was freed."},
    {"recursion", "HED006", "NoEndlessRecursion", "Recursion stays within the depth that is checked."},
    {"free", "HED007", "OnlyAllocatedIsFreed", "Only allocated memory is freed, and once."},
    {"overflow", "HED008", "NoSignedOverflow", "Signed arithmetic does not overflow."},
    {"leak", "HED009", "NoLeak", "All memory is freed at the end of the program."},
    {"constant", "HED010", "ConstantsAreNotWritten", "Constant objects are not written."},
    {"race", "HED011", "NoDataRace", "Accesses of different threads to the same memory are ordered."},
    {"deadlock", "HED012", "NoDeadlock", "No thread is blocked for ever."},
    {"livelock", "HED014", "NoLivelock", "No thread goes round for ever in a loop that waits."},
    {"reach", "HED013", "NotReachable", "The given condition is never true."},
    {"overlap", "HED014", "NoOverlap", "Functions that copy memory are given memory that does not overlap."},
    {"misuse", "HED015", "LibraryUsedAsDefined",
     "Threads, locks and the like are used as their rules define."},
};

enum { RULES = sizeof rules / sizeof *rules };

static size_t rule_of(const char *kind) {
    size_t i = 0;
    while (i + 1 < RULES && strcmp(rules[i].kind, kind)) i++;
    return i;
}

static json_t *message_json(const char *said) {
    return json_pack("{s:o}", "text", json_safe_string(said));
}

/* --- places --------------------------------------------------------------------------------------------- */

static json_t *artifact_json(const char *file) {
    text uri = {0};
    escape_uri(file, &uri);
    json_t *object = json_pack("{s:s}", "uri", text_cstr(&uri));
    text_free(&uri);
    return object;
}

static json_t *location_json(const report *r, const char *file, position at) {
    if (!file) file = r->file;
    json_t *region = json_pack("{s:i}", "startLine", (int)at.line);
    if (at.column) json_object_set_new(region, "startColumn", json_integer(source_utf16_column(r, file, at)));
    return json_pack("{s:{s:o, s:o}}", "physicalLocation", "artifactLocation", artifact_json(file), "region",
                     region);
}

static void name_function(json_t *location, const char *function) {
    if (function && *function)
        json_object_set_new(
            location, "logicalLocations",
            json_pack("[{s:o, s:s}]", "fullyQualifiedName", json_safe_string(function), "kind", "function"));
}

/* The place itself comes first, then the calls that lead to it. */
static json_t *stack_json(const report *r, json_t *where, const trace_stack *stack) {
    json_t *frames = json_pack("[{s:O}]", "location", where);
    for (size_t i = 0; i < stack->size; i++) {
        const trace_frame *f = &stack->data[i];
        json_t *caller = json_pack("{s:o}", "location", location_json(r, f->file, f->at));
        text said = {0};
        text_format(&said, "called from %s", f->function);
        json_object_set_new(json_object_get(caller, "location"), "message", message_json(text_cstr(&said)));
        name_function(json_object_get(caller, "location"), f->function);
        json_array_append_new(frames, caller);
        text_free(&said);
    }
    return json_pack("{s:o}", "frames", frames);
}

/* --- code flows ----------------------------------------------------------------------------------------- */

static void tell_values(text *out, const char *what, const char *name, const char *value) {
    text_format(out, "%s%s%s = %s", out->size ? "; " : "", what, name, value);
}

static void tell_step(const trace_step *s, text *out) {
    if (s->call) text_add(out, s->call);
    for (size_t i = 0; i < s->inputs.size; i++)
        tell_values(out, "input ", s->inputs.data[i].name, s->inputs.data[i].value);
    for (size_t i = 0; i < s->reads.size; i++)
        tell_values(out, "reads ", s->reads.data[i].name, s->reads.data[i].value);
    for (size_t i = 0; i < s->changes.size; i++)
        tell_values(out, "", s->changes.data[i].name, s->changes.data[i].after);
    for (size_t i = 0; i < s->notified.size; i++)
        text_format(out, "%snotifies %s", out->size ? "; " : "", s->notified.data[i]);
    for (size_t i = 0; i < s->created.size; i++)
        text_format(out, "%screates %s", out->size ? "; " : "", s->created.data[i]);
    for (size_t i = 0; i < s->waits.size; i++)
        text_format(out, "%swaits for %s", out->size ? "; " : "", s->waits.data[i]);
    if (s->thread_ended) text_format(out, "%sends", out->size ? "; " : "");
    if (!out->size) text_add(out, s->from.line ? "goes on" : "begins");
}

static json_t *state_json(const trace_step *s) {
    json_t *object = json_object();
    for (size_t i = 0; i < s->changes.size; i++) {
        json_t *name = json_safe_string(s->changes.data[i].name);
        json_object_set_new(object, json_string_value(name), message_json(s->changes.data[i].after));
        json_decref(name);
    }
    return object;
}

static json_t *flow_location_json(const report *r, const trace *t, size_t i) {
    const trace_step *s = &t->steps.data[i];
    position at = s->from.line ? s->from : s->to;
    const char *file = s->from.line ? s->file : s->to_file;
    text said = {0};
    tell_step(s, &said);
    json_t *where = at.line ? location_json(r, file, at) : json_object();
    json_object_set_new(where, "message", message_json(text_cstr(&said)));
    name_function(where, s->function);
    text_free(&said);
    json_t *object = json_pack("{s:o, s:i, s:s}", "location", where, "executionOrder", (int)i + 1,
                               "importance", i + 1 == t->steps.size ? "essential" : "important");
    if (s->changes.size) json_object_set_new(object, "state", state_json(s));
    if (s->stack.size) json_object_set_new(object, "stack", stack_json(r, where, &s->stack));
    return object;
}

static bool is_listed(json_t *flows, const char *thread) {
    size_t i;
    json_t *flow, *name = json_safe_string(thread);
    bool found = false;
    json_array_foreach(flows, i, flow) found |= json_equal(json_object_get(flow, "id"), name);
    json_decref(name);
    return found;
}

static json_t *thread_flow_json(const report *r, const trace *t, const char *thread) {
    json_t *places = json_array();
    for (size_t i = 0; i < t->steps.size; i++)
        if (!strcmp(t->steps.data[i].thread, thread))
            json_array_append_new(places, flow_location_json(r, t, i));
    text said = {0};
    text_format(&said, "thread %s", thread);
    json_t *flow = json_pack("{s:o, s:o, s:o}", "id", json_safe_string(thread), "message",
                             message_json(text_cstr(&said)), "locations", places);
    text_free(&said);
    return flow;
}

static json_t *code_flow_json(const report *r, const trace *t) {
    json_t *flows = json_array();
    for (size_t i = 0; i < t->steps.size; i++)
        if (!is_listed(flows, t->steps.data[i].thread))
            json_array_append_new(flows, thread_flow_json(r, t, t->steps.data[i].thread));
    return json_pack("{s:o, s:o}", "message", message_json("how it happens"), "threadFlows", flows);
}

/* --- results -------------------------------------------------------------------------------------------- */

/* The same finding has the same fingerprint when lines above it come or go. */
static json_t *fingerprint_json(const report *r, const property *p) {
    text content = {0};
    char digest[SHA256_HEX];
    text_format(&content, "%s|%s|%s|%s", p->kind, p->file ? p->file : r->file, p->where, p->text);
    sha256_hex(text_cstr(&content), content.size, digest);
    text_free(&content);
    return json_pack("{s:s}", "heddleProperty/v1", digest);
}

static json_t *related_json(const report *r, const trace *t) {
    json_t *list = json_array();
    for (size_t i = 0; i < t->race.size; i++) {
        const trace_access *a = &t->race.data[i];
        if (!a->at.line) continue;
        text said = {0};
        text_format(&said, "%s %s %s", a->thread, a->access, a->cell);
        json_t *where = location_json(r, a->file, a->at);
        json_object_set_new(where, "id", json_integer((json_int_t)i + 1));
        json_object_set_new(where, "message", message_json(text_cstr(&said)));
        json_array_append_new(list, where);
        text_free(&said);
    }
    return list;
}

/* A code host shows a finding at a line: that of the property, or where the trace ends. */
static json_t *place_of(const report *r, const property *p) {
    const trace *t = p->trace;
    position at = p->at;
    const char *file = p->file, *function = p->where;
    if (!at.line && t && t->race.size) {
        at = t->race.data[0].at;
        file = t->race.data[0].file;
    }
    for (size_t i = t ? t->steps.size : 0; !at.line && i-- > 0;) {
        const trace_step *s = &t->steps.data[i];
        at = s->to.line ? s->to : s->from;
        file = s->to.line ? s->to_file : s->file;
        function = s->function;
    }
    if (!at.line) at = (position){1, 1};
    json_t *where = location_json(r, file, at);
    name_function(where, function);
    return where;
}

static json_t *result_json(const report *r, const property *p) {
    size_t rule = rule_of(p->kind);
    text said = {0};
    property_headline(p, &said);
    json_t *object =
        json_pack("{s:s, s:i, s:s, s:s, s:o, s:[o], s:o}", "ruleId", rules[rule].id, "ruleIndex", (int)rule,
                  "kind", "fail", "level", "error", "message", message_json(text_cstr(&said)), "locations",
                  place_of(r, p), "partialFingerprints", fingerprint_json(r, p));
    if (p->trace && p->trace->stack.size) {
        json_t *where = place_of(r, p);
        json_object_set_new(object, "stacks", json_pack("[o]", stack_json(r, where, &p->trace->stack)));
        json_decref(where);
    }
    if (p->trace && p->trace->race.size)
        json_object_set_new(object, "relatedLocations", related_json(r, p->trace));
    if (p->trace && p->trace->steps.size)
        json_object_set_new(object, "codeFlows", json_pack("[o]", code_flow_json(r, p->trace)));
    text_free(&said);
    return object;
}

/* --- the run -------------------------------------------------------------------------------------------- */

static json_t *rules_json(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < RULES; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", rules[i].id,
                                              "name", rules[i].name, "shortDescription", "text",
                                              rules[i].text, "defaultConfiguration", "level", "error",
                                              "properties", "kind", rules[i].kind));
    return list;
}

static json_t *notifications_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->result->doubts.size; i++) {
        const doubt *d = &r->result->doubts.data[i];
        text said = {0};
        text_format(&said, "unknown: %s", reason_words(d->why));
        json_t *note = json_pack("{s:s, s:o, s:{s:s}}", "level", "note", "message",
                                 message_json(text_cstr(&said)), "descriptor", "id", "unknown");
        if (d->at.line)
            json_object_set_new(note, "locations", json_pack("[o]", location_json(r, d->file, d->at)));
        json_array_append_new(list, note);
        text_free(&said);
    }
    return list;
}

static json_t *artifacts_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->file_count; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:{s:s}}", "location", artifact_json(r->files[i].name), "length",
                            (json_int_t)r->files[i].bytes, "hashes", "sha-256", r->files[i].sha256));
    return list;
}

void sarif_print(const report *r, text *out) {
    json_t *results = json_array();
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->properties.data[i].verdict == VERDICT_UNSAFE)
            json_array_append_new(results, result_json(r, &r->properties.data[i]));
    json_t *notifications = json_pack("[{s:s, s:{s:s}}]", "id", "unknown", "shortDescription", "text",
                                      "Why the verdict is unknown.");
    json_t *driver =
        json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", "Heddle", "version", r->version, "semanticVersion",
                  r->version, "rules", rules_json(), "notifications", notifications);
    json_t *invocation =
        json_pack("{s:b, s:o, s:{s:s}}", "executionSuccessful", outcome_verdict(r->result) != VERDICT_ERROR,
                  "toolExecutionNotifications", notifications_json(r), "properties", "verdict",
                  report_verdict_name(outcome_verdict(r->result)));
    json_t *run =
        json_pack("{s:{s:o}, s:[o], s:o, s:o, s:s}", "tool", "driver", driver, "invocations", invocation,
                  "artifacts", artifacts_json(r), "results", results, "columnKind", "utf16CodeUnits");
    json_t *log = json_pack("{s:s, s:s, s:[o]}", "$schema",
                            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                            "sarif-schema-2.1.0.json",
                            "version", "2.1.0", "runs", run);
    char *printed = json_dumps(log, JSON_INDENT(1));
    text_add(out, printed ? printed : "{}");
    text_char(out, '\n');
    free(printed);
    json_decref(log);
}
