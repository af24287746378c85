#include "base/escape.h"
#include "report/formats/waypoints.h"
#include "report/formats/witness.h"

static const struct {
    const char *name, *kind, *type;
} keys[] = {{"witness-type", "graph", "string"}, {"sourcecodelang", "graph", "string"},
            {"producer", "graph", "string"},     {"specification", "graph", "string"},
            {"programfile", "graph", "string"},  {"programhash", "graph", "string"},
            {"architecture", "graph", "string"}, {"creationtime", "graph", "string"},
            {"entry", "node", "boolean"},        {"violation", "node", "boolean"},
            {"originfile", "edge", "string"},    {"startline", "edge", "int"},
            {"assumption", "edge", "string"},    {"assumption.resultfunction", "edge", "string"},
            {"enterFunction", "edge", "string"}, {"threadId", "edge", "string"},
            {"createThread", "edge", "string"}};

static void add_data(text *out, int indent, const char *key, const char *value) {
    text_format(out, "%*s<data key=\"%s\">", indent, "", key);
    escape_xml_text(value, out);
    text_add(out, "</data>\n");
}

static void add_number(text *out, const char *key, uint32_t number) {
    text_format(out, "      <data key=\"%s\">%u</data>\n", key, number);
}

static void add_keys(text *out) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        text_format(out, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"", keys[i].name,
                    keys[i].kind, keys[i].name, keys[i].type);
        bool is_flag = !strcmp(keys[i].type, "boolean");
        text_add(out, is_flag ? "><default>false</default></key>\n" : "/>\n");
    }
}

static void add_head(const report *r, const char *type, const witness_stamp *stamp, text *out) {
    text name = {0}, rule = {0};
    text_format(&name, "Heddle %s", r->version);
    const char *lines = r->task->specification;
    while (*lines) { /* each line is one formula */
        size_t length = strcspn(lines, "\n");
        text_format(&rule, "%sCHECK( init(main()), LTL(%.*s) )", rule.size ? "\n" : "", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
    text_add(out, "  <graph edgedefault=\"directed\">\n");
    add_data(out, 4, "witness-type", type);
    add_data(out, 4, "sourcecodelang", "C");
    add_data(out, 4, "producer", text_cstr(&name));
    add_data(out, 4, "specification", text_cstr(&rule));
    for (size_t i = 0; i < r->file_count; i++) {
        if (!r->files[i].text) continue;
        add_data(out, 4, "programfile", r->files[i].name);
        add_data(out, 4, "programhash", r->files[i].sha256);
        break; /* the format knows one file */
    }
    add_data(out, 4, "architecture", strcmp(r->task->data_model, "LP64") ? "32bit" : "64bit");
    add_data(out, 4, "creationtime", stamp->time);
    text_free(&name);
    text_free(&rule);
}

static void add_edge(const waypoint *w, size_t number, bool last, bool concurrent, text *out) {
    text_format(out, "    <edge source=\"N%zu\" target=\"N%zu\">\n", number, number + 1);
    add_data(out, 6, "originfile", w->file);
    add_number(out, "startline", w->at.line);
    if (concurrent) add_number(out, "threadId", w->thread);
    if (w->kind == WAYPOINT_CREATE) add_number(out, "createThread", w->created);
    if (w->kind == WAYPOINT_RETURN) {
        text value = {0};
        text_format(&value, "\\result == %s;", w->value);
        add_data(out, 6, "assumption", text_cstr(&value));
        add_data(out, 6, "assumption.resultfunction", w->called);
        text_free(&value);
    }
    text_format(out, "    </edge>\n    <node id=\"N%zu\">%s</node>\n", number + 1,
                last ? "<data key=\"violation\">true</data>" : "");
}

/* The function of a new thread is entered on an edge of its own behind the one that creates it. */
static void add_entering_edge(const waypoint *w, size_t number, text *out) {
    text_format(out, "    <edge source=\"N%zu\" target=\"N%zu\">\n", number, number + 1);
    add_number(out, "threadId", w->created);
    add_data(out, 6, "enterFunction", w->called);
    text_format(out, "    </edge>\n    <node id=\"N%zu\"></node>\n", number + 1);
}

/* main is the thread that is there from the beginning. */
static size_t add_beginning(bool concurrent, text *out) {
    if (!concurrent) return 0;
    text_add(out, "    <edge source=\"N0\" target=\"N1\">\n");
    add_number(out, "createThread", 0);
    text_add(out, "    </edge>\n    <node id=\"N1\"></node>\n");
    return 1;
}

static const char *add_violation(const report *r, const witness_stamp *stamp, text *out) {
    waypoints w;
    bool good = waypoints_collect(r, &w);
    if (good) {
        add_head(r, "violation_witness", stamp, out);
        text_add(out, "    <node id=\"N0\"><data key=\"entry\">true</data></node>\n");
        size_t node = add_beginning(w.concurrent, out);
        for (size_t i = 0; i < w.list.size; i++) {
            add_edge(&w.list.data[i], node++, i + 1 == w.list.size, w.concurrent, out);
            if (w.list.data[i].kind == WAYPOINT_CREATE) add_entering_edge(&w.list.data[i], node++, out);
        }
    }
    waypoints_free(&w);
    return good ? NULL : "the witness formats cannot express this violation";
}

const char *witness_graphml(const report *r, const witness_stamp *stamp, text *out) {
    if (!r->task || !r->task->has_witnesses) return "only C programs have witnesses";
    verdict v = outcome_verdict(r->result);
    if (!r->task->specification || v == VERDICT_UNKNOWN || v == VERDICT_ERROR)
        return NULL; /* no format can say that there is a deadlock */
    text body = {0};
    const char *error = NULL;
    if (v == VERDICT_SAFE) {
        add_head(r, "correctness_witness", stamp, &body);
        text_add(&body, "    <node id=\"N0\"><data key=\"entry\">true</data></node>\n");
    } else {
        error = r->trace ? add_violation(r, stamp, &body) : "there is no trace";
    }
    if (!error) {
        text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
                      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
        add_keys(out);
        text_add_bytes(out, text_cstr(&body), body.size);
        text_add(out, "  </graph>\n</graphml>\n");
    }
    text_free(&body);
    return error;
}
