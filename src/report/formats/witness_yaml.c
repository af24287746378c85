#include "base/escape.h"
#include "report/formats/waypoints.h"
#include "report/formats/witness.h"
#include "report/invariants.h"
#include "report/source_text.h"

static void add_pair(text *out, int indent, const char *key, const char *value) {
    text_format(out, "%*s%s: ", indent, "", key);
    escape_yaml(value, out);
    text_char(out, '\n');
}

static void add_input_files(const report *r, text *out) {
    text_add(out, "      input_files:\n");
    for (size_t i = 0; i < r->file_count; i++) {
        if (!r->files[i].text) continue;
        text_add(out, "        - ");
        escape_yaml(r->files[i].name, out);
        text_char(out, '\n');
    }
    text_add(out, "      input_file_hashes:\n");
    for (size_t i = 0; i < r->file_count; i++) {
        if (!r->files[i].text) continue;
        text_add(out, "        ");
        escape_yaml(r->files[i].name, out);
        text_add(out, ": ");
        escape_yaml(r->files[i].sha256, out);
        text_char(out, '\n');
    }
}

static void add_entry(const report *r, const char *type, const char *version, const witness_stamp *stamp,
                      text *out) {
    text_format(out, "- entry_type: %s\n  metadata:\n", type);
    add_pair(out, 4, "format_version", version);
    add_pair(out, 4, "uuid", stamp->uuid);
    add_pair(out, 4, "creation_time", stamp->time);
    text_add(out, "    producer:\n");
    add_pair(out, 6, "name", "Heddle");
    add_pair(out, 6, "version", r->version);
    text_add(out, "    task:\n");
    add_input_files(r, out);
    add_pair(out, 6, "specification", r->task->specification);
    add_pair(out, 6, "data_model", r->task->data_model);
    add_pair(out, 6, "language", "C");
}

/* --- violations ----------------------------------------------------------------------------------------- */

static void add_location(const waypoint *w, text *out) {
    text_add(out, "          location:\n");
    add_pair(out, 12, "file_name", w->file);
    text_format(out, "            line: %u\n", w->at.line);
    if (w->at.column) text_format(out, "            column: %u\n", w->at.column);
    if (w->function && *w->function) add_pair(out, 12, "function", w->function);
}

/* What a function returned is said in ACSL in version 2.0, and in C with additions from version 2.1 on. */
static const char *constraint_format(const waypoint *w, bool concurrent) {
    if (w->kind != WAYPOINT_RETURN) return "c_expression";
    return concurrent ? "ext_c_expression" : "acsl_expression";
}

static void add_constraint(const waypoint *w, bool concurrent, text *out) {
    text value = {0};
    if (w->kind == WAYPOINT_RETURN)
        text_format(&value, "\\result == %s", w->value);
    else
        text_add(&value, "1");
    text_add(out, "          constraint:\n");
    add_pair(out, 12, "value", text_cstr(&value));
    add_pair(out, 12, "format", constraint_format(w, concurrent));
    text_free(&value);
}

static void add_waypoint(const waypoint *w, bool concurrent, text *out) {
    static const char *const types[] = {[WAYPOINT_PASS] = "assumption",
                                        [WAYPOINT_CREATE] = "function_enter",
                                        [WAYPOINT_RETURN] = "function_return",
                                        [WAYPOINT_TARGET] = "target"};
    text_format(out, "      - waypoint:\n          type: %s\n          action: follow\n", types[w->kind]);
    if (concurrent) text_format(out, "          thread_id: %u\n", w->thread);
    if (w->kind == WAYPOINT_RETURN || w->kind == WAYPOINT_PASS) add_constraint(w, concurrent, out);
    add_location(w, out);
}

static const char *add_violation(const report *r, const witness_stamp *stamp, text *out) {
    waypoints w;
    bool good = waypoints_collect(r, &w);
    if (good) {
        add_entry(r, "violation_sequence", w.concurrent ? "2.2" : "2.0", stamp, out);
        text_add(out, "  content:\n");
        for (size_t i = 0; i < w.list.size; i++) {
            bool together = i && w.list.data[i].kind == WAYPOINT_TARGET &&
                            w.list.data[i - 1].kind == WAYPOINT_TARGET; /* of a race: in no order */
            if (!together) text_add(out, "    - segment:\n");
            add_waypoint(&w.list.data[i], w.concurrent, out);
        }
    }
    waypoints_free(&w);
    return good ? NULL : "the witness formats cannot express this violation";
}

/* --- proofs --------------------------------------------------------------------------------------------- */

static void add_invariants(const report *r, text *out) {
    text list = {0};
    for (size_t i = 0; r->invariants && i < r->invariants->list.size; i++) {
        const loop_invariant *v = &r->invariants->list.data[i];
        const char *file = v->file ? v->file : r->file;
        uint32_t column = source_loop(r, file, v->line);
        if (!column) continue;
        text_add(&list, "    - invariant:\n        type: loop_invariant\n        location:\n");
        add_pair(&list, 10, "file_name", file);
        text_format(&list, "          line: %u\n          column: %u\n", v->line, column);
        add_pair(&list, 10, "function", v->function);
        add_pair(&list, 8, "value", v->value);
        add_pair(&list, 8, "format", "c_expression");
    }
    text_format(out, "  content:%s%s", list.size ? "\n" : " []\n", text_cstr(&list));
    text_free(&list);
}

const char *witness_yaml(const report *r, const witness_stamp *stamp, text *out) {
    if (!r->task || !r->task->has_witnesses) return "only C programs have witnesses";
    if (!r->task->specification) return NULL; /* a deadlock: no format can say it */
    switch (outcome_verdict(r->result)) {
    case VERDICT_ERROR:
    case VERDICT_UNKNOWN: break;
    case VERDICT_UNSAFE: return r->trace ? add_violation(r, stamp, out) : "there is no trace";
    case VERDICT_SAFE: add_entry(r, "invariant_set", "2.0", stamp, out); add_invariants(r, out);
    }
    return NULL;
}
