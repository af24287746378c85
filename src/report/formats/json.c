/* Keys appear in the order they are set here (jansson keeps it), so equal results give equal text. */
#include "report/advice.h"
#include "report/formats/formats.h"
#include "report/json_text.h"
#include "report/source_text.h"
#include "report/trace/sim_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *position_json(const char *file, position at) {
    return at.line ? json_pack("{s:o, s:i, s:i}", "file", json_safe_string(file), "line", (int)at.line,
                               "column", (int)at.column)
                   : json_null();
}

static json_t *names_json(char *const *names, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, json_safe_string(names[i]));
    return list;
}

static json_t *name_or_null(const char *name) {
    return name ? json_safe_string(name) : json_null();
}

/* --- traces --------------------------------------------------------------------------------------------- */

static json_t *inputs_json(const report *r, const trace_step *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->inputs.size; i++) {
        const trace_input *input = &s->inputs.data[i];
        const char *file = input->file ? input->file : r->file;
        json_t *known = input->need ? json_boolean(input->any) : json_null();
        json_t *matters = input->need ? json_boolean(!input->any) : json_null();
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_safe_string(input->name), "value",
                            json_safe_string(input->value), "position", position_json(file, input->at), "any",
                            known, "matters", matters, "need", name_or_null(input->need)));
    }
    return list;
}

static json_t *changes_json(const trace_step *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->changes.size; i++) {
        const trace_change *change = &s->changes.data[i];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:b, s:o}", "name", json_safe_string(change->name), "before",
                            name_or_null(change->before), "after", json_safe_string(change->after), "local",
                            change->in != NULL, "in", name_or_null(change->in)));
    }
    return list;
}

static json_t *values_json(const trace_value *values, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_safe_string(values[i].name), "value",
                                              json_safe_string(values[i].value)));
    return list;
}

/* The innermost call first. */
static json_t *stack_json(const report *r, const trace_stack *stack) {
    json_t *list = json_array();
    for (size_t i = 0; i < stack->size; i++) {
        const trace_frame *f = &stack->data[i];
        json_array_append_new(list, json_pack("{s:o, s:o}", "function", json_safe_string(f->function),
                                              "position", position_json(f->file ? f->file : r->file, f->at)));
    }
    return list;
}

static json_t *drawn_json(const trace_step *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->drawn.size; i++) {
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)s->drawn.data[i].number);
        json_array_append_new(
            list, json_pack("{s:o, s:s}", "name", json_safe_string(s->drawn.data[i].name), "number", number));
    }
    return list;
}
static const char *const switch_names[] = {[SWITCH_UNKNOWN] = "unknown",
                                           [SWITCH_FORCED] = "forced",
                                           [SWITCH_NECESSARY] = "necessary",
                                           [SWITCH_FREE] = "free",
                                           [SWITCH_NONE] = NULL};

/* "10 ns"; NULL: nothing is simulated. */
static json_t *when_json(const trace_step *s, uint64_t resolution) {
    if (!strcmp(s->phase, "run")) return json_null();
    text when = {0};
    sim_time_print(s->time, resolution, &when);
    json_t *object = json_string(text_cstr(&when));
    text_free(&when);
    return object;
}

static json_t *step_json(const report *r, const trace_step *s, uint64_t resolution) {
    const char *file = s->file ? s->file : r->file, *to_file = s->to_file ? s->to_file : r->file;
    return json_pack(
        "{s:o, s:s, s:I, s:I, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
        "thread", json_safe_string(s->thread), "phase", s->phase, "time", (json_int_t)s->time, "delta",
        (json_int_t)s->delta, "from", position_json(file, s->from), "to", position_json(to_file, s->to),
        "call", name_or_null(s->call), "thread_ended", s->thread_ended, "stuck", s->stuck, "looping",
        s->looping, "inputs", inputs_json(r, s), "changes", changes_json(s), "notified",
        names_json(s->notified.data, s->notified.size), "woken", names_json(s->woken.data, s->woken.size),
        "waits", names_json(s->waits.data, s->waits.size), "created",
        names_json(s->created.data, s->created.size), "joined", names_json(s->joined.data, s->joined.size),
        "reads", values_json(s->reads.data, s->reads.size), "printed", name_or_null(s->printed), "function",
        name_or_null(s->function), "source", report_line_json(r->files, r->text_count, file, s->from),
        "choice", (json_int_t)s->choice, "drawn", drawn_json(s), "id",
        s->id == MACHINE_KERNEL ? json_null() : json_integer((json_int_t)s->id), "to_source",
        report_line_json(r->files, r->text_count, to_file, s->to), "switch",
        name_or_null(switch_names[s->switched]), "when", when_json(s, resolution), "stack",
        stack_json(r, &s->stack));
}

static json_t *race_json(const report *r, const trace *t) {
    json_t *list = json_array();
    for (size_t i = 0; i < t->race.size; i++) {
        const trace_access *a = &t->race.data[i];
        const char *file = a->file ? a->file : r->file;
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "id", (json_int_t)a->id,
                                        "thread", json_safe_string(a->thread), "access", a->access, "cell",
                                        json_safe_string(a->cell), "position", position_json(file, a->at),
                                        "source", report_line_json(r->files, r->text_count, file, a->at),
                                        "stack", stack_json(r, &a->stack), "step",
                                        a->step ? json_integer((json_int_t)a->step) : json_null()));
    }
    return list;
}

static json_t *threads_json(const trace *t) {
    json_t *list = json_array();
    for (size_t i = 0; i < t->threads.size; i++) {
        const trace_thread *x = &t->threads.data[i];
        json_array_append_new(list, json_pack("{s:I, s:o, s:I, s:o, s:I}", "id", (json_int_t)x->id, "name",
                                              json_safe_string(x->name), "creator", (json_int_t)x->creator,
                                              "function", json_safe_string(x->function), "number",
                                              (json_int_t)x->number));
    }
    return list;
}

static json_t *stops_json(unsigned stops) {
    json_t *list = json_array();
    for (const report_stop *s = report_stops; s->name; s++)
        if (stops & s->stop) json_array_append_new(list, json_string(s->name));
    return list;
}

static json_t *cost_json(shrink_cost c) {
    return json_pack("{s:I, s:I}", "steps", (json_int_t)c.steps, "context_switches", (json_int_t)c.switches);
}

static json_t *shrunk_json(const trace *t, const char *file) {
    if (!t->is_shrunk) return json_null();
    text matters = {0};
    trace_print_matters(t, file, &matters);
    json_t *object = json_pack("{s:o, s:o, s:o}", "from", cost_json(t->first), "to", cost_json(t->now),
                               "summary", json_safe_string(text_cstr(&matters)));
    text_free(&matters);
    return object;
}

static json_t *trace_json(const report *r, const trace *t) {
    if (!t) return json_null();
    json_t *steps = json_array();
    for (size_t i = 0; i < t->steps.size; i++)
        json_array_append_new(steps, step_json(r, &t->steps.data[i], t->resolution));
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "steps", steps, "values",
        values_json(t->values.data, t->values.size), "blocked", names_json(t->blocked.data, t->blocked.size),
        "others", names_json(t->others.data, t->others.size), "lost", names_json(t->lost.data, t->lost.size),
        "race", race_json(r, t), "followed", t->followed, "threads", threads_json(t), "stops",
        stops_json(t->stops), "shrunk", shrunk_json(t, r->file), "stack", stack_json(r, &t->stack));
}

/* --- the whole ------------------------------------------------------------------------------------------ */

/* What stands at a violated check, for whoever wants to know it again when the lines have moved. */
static json_t *expression_json(const report *r, const property *p) {
    text said = {0};
    if (p->verdict == VERDICT_UNSAFE) source_statement(r, p->file ? p->file : r->file, p->at, &said);
    json_t *expression = said.size ? json_safe_string(text_cstr(&said)) : json_null();
    text_free(&said);
    return expression;
}

static json_t *property_json(const report *r, const property *p) {
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:b, s:o, s:o}", "kind", p->kind, "text",
                     json_safe_string(p->text), "in", json_safe_string(p->where), "position",
                     position_json(p->file ? p->file : r->file, p->at), "verdict",
                     report_verdict_name(p->verdict), "reached", p->reached, "expression",
                     expression_json(r, p), "trace", trace_json(r, p->trace));
}

static json_t *properties_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->properties.size; i++)
        json_array_append_new(list, property_json(r, &r->properties.data[i]));
    return list;
}

static json_t *counters_json(const report *r) {
    json_t *object = json_object();
    for (size_t i = 0; i < counter_count; i++) {
        double number = counter_value(&r->counters, &counter_table[i]);
        bool whole = counter_table[i].kind != COUNTER_SECONDS;
        json_object_set_new(object, counter_table[i].name,
                            whole ? json_integer((json_int_t)number) : json_real(number));
    }
    return object;
}

static json_t *doubts_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->result->doubts.size; i++) {
        const doubt *d = &r->result->doubts.data[i];
        const char *hint = advice_for(r, d);
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "reason",
                                              json_safe_string(reason_words(d->why)), "position",
                                              position_json(d->file ? d->file : r->file, d->at), "about",
                                              d->about ? json_safe_string(d->about) : json_null(), "hint",
                                              hint ? json_string(hint) : json_null()));
    }
    return list;
}

static json_t *note_json(const report_note *n) {
    return json_pack("{s:s, s:o}", "kind", n->kind, "text", json_safe_string(n->text));
}

static json_t *missing_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->missing_count; i++) {
        const missing_function *m = &r->missing[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "name", json_safe_string(m->name), "symbol",
                                              json_safe_string(m->symbol), "position",
                                              position_json(m->file ? m->file : r->file, m->at)));
    }
    return list;
}

static json_t *notes_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->notes.size; i++) json_array_append_new(list, note_json(&r->notes.data[i]));
    return list;
}

static json_t *assumes_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->assumes.size; i++) json_array_append_new(list, note_json(&r->assumes.data[i]));
    return list;
}

static json_t *files_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->file_count; i++)
        json_array_append_new(list, json_pack("{s:o, s:s, s:I}", "file", json_safe_string(r->files[i].name),
                                              "sha256", r->files[i].sha256, "bytes",
                                              (json_int_t)r->files[i].bytes));
    return list;
}

static json_t *native_json(const report_native *n) {
    if (!n) return json_null();
    return json_pack("{s:b, s:o, s:o, s:I, s:I}", "failed", n->failed, "summary",
                     json_safe_string(n->summary), "printed", json_safe_string(n->printed), "followed",
                     (json_int_t)n->followed, "operations", (json_int_t)n->operations);
}

static json_t *simulator_json(const report_simulator *s) {
    if (!s) return json_null();
    return json_pack("{s:o, s:o, s:o}", "fails", s->known ? json_boolean(s->fails) : json_null(), "summary",
                     json_safe_string(s->summary), "printed", json_safe_string(s->printed));
}

static json_t *certificate_json(const report_certificate *c) {
    if (!c) return json_null();
    return json_pack("{s:b, s:I, s:I, s:I, s:I, s:f}", "confirmed", c->confirmed, "states",
                     (json_int_t)c->states, "states_checked", (json_int_t)c->effort->states,
                     "transitions_checked", (json_int_t)c->effort->transitions, "solver_queries",
                     (json_int_t)c->effort->solver_queries, "seconds", c->effort->seconds);
}

static json_t *explanation_json(const report_explanation *e) {
    return json_pack("{s:s, s:o, s:o}", "answer", e->answer, "step",
                     e->step ? json_integer((json_int_t)e->step) : json_null(), "said",
                     json_safe_string(e->said));
}

static json_t *attempts_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->given_up_count; i++) {
        const attempt *a = &r->given_up[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:s, s:f}", "engine", name_or_null(a->engine),
                                              "por", name_or_null(a->por), "match", name_or_null(a->match),
                                              "reason", reason_words(a->why), "seconds", a->seconds));
    }
    return list;
}

static json_t *bands_json(const uint64_t *bands, unsigned count) {
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) json_array_append_new(list, json_integer((json_int_t)bands[i]));
    return list;
}

static json_t *shape_json(const search_shape *s) {
    unsigned count = shape_bands(s);
    if (!s->width || !count) return json_null();
    return json_pack("{s:I, s:o, s:o, s:o}", "depths_per_band", (json_int_t)s->width, "states",
                     bands_json(s->states, count), "enabled", bands_json(s->enabled, count), "explored",
                     bands_json(s->explored, count));
}

static char *dump_and_release(json_t *object) {
    assert(object); /* texts that are no UTF-8 would have spoilt it */
    char *printed = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(object);
    char *result = mem_copy_string(printed ? printed : "null");
    free(printed);
    return result;
}

json_t *report_json_object(const report *r) {
    text reason = {0};
    report_reason(r, &reason);
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(REPORT_SCHEMA));
    json_object_set_new(object, "verdict", json_string(report_verdict_name(outcome_verdict(r->result))));
    json_object_set_new(object, "reason", json_safe_string(text_cstr(&reason)));
    json_object_set_new(object, "complete", json_boolean(report_is_complete(r)));
    json_object_set_new(object, "vacuous", json_boolean(report_is_vacuous(r)));
    json_object_set_new(object, "blocked_at_exit", name_or_null(r->blocked_at_exit));
    json_object_set_new(object, "command", json_string(r->command));
    json_object_set_new(object, "cached", json_false());
    json_object_set_new(object, "engine", name_or_null(r->result->engine));
    json_object_set_new(object, "por", name_or_null(r->result->por));
    json_object_set_new(object, "match", name_or_null(r->result->match));
    json_object_set_new(object, "properties", properties_json(r));
    json_object_set_new(object, "doubts", doubts_json(r));
    json_object_set_new(object, "missing_functions", missing_json(r));
    json_object_set_new(object, "notes", notes_json(r));
    json_object_set_new(object, "assumes", assumes_json(r));
    json_object_set_new(object, "statistics", counters_json(r));
    json_object_set_new(object, "trace", trace_json(r, r->trace));
    json_object_set_new(object, "version", json_string(r->version));
    json_object_set(object, "options", r->options);
    json_object_set_new(object, "inputs", files_json(r));
    json_object_set(object, "bounds", r->bounds);
    json_object_set_new(object, "attempts", attempts_json(r));
    json_object_set_new(object, "svcomp", name_or_null(r->svcomp));
    json_object_set_new(object, "expected", name_or_null(r->expected));
    json_object_set_new(object, "simulator_order", simulator_json(r->simulator));
    json_object_set_new(object, "native", native_json(r->native));
    json_object_set_new(object, "certified",
                        r->certificate ? json_boolean(r->certificate->confirmed) : json_null());
    json_object_set_new(object, "certificate", certificate_json(r->certificate));
    json_object_set_new(object, "shape", shape_json(&r->result->stats.shape));
    if (r->explanation) json_object_set_new(object, "explanation", explanation_json(r->explanation));
    text_free(&reason);
    return object;
}

char *report_json(const report *r) {
    return dump_and_release(report_json_object(r));
}

/* What names of files begin with that do not begin at the root: `explain` may be called from elsewhere. */
static json_t *directory_json(void) {
    char *here = realpath(".", NULL);
    json_t *name = here ? json_safe_string(here) : json_null();
    free(here); /* allocated by the library */
    return name;
}

char *trace_file_json(const report *r) {
    json_t *object = json_object();
    json_t *violated = json_null();
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->trace && r->properties.data[i].trace == r->trace) {
            const property *p = &r->properties.data[i];
            violated = json_pack("{s:s, s:o, s:o, s:o}", "kind", p->kind, "text", json_safe_string(p->text),
                                 "in", json_safe_string(p->where), "position",
                                 position_json(p->file ? p->file : r->file, p->at));
        }
    json_object_set_new(object, "schema", json_integer(REPORT_SCHEMA));
    json_object_set_new(object, "version", json_string(r->version));
    json_object_set_new(object, "inputs", files_json(r));
    json_object_set_new(object, "directory", directory_json());
    json_object_set(object, "options", r->options);
    json_object_set_new(object, "property", violated);
    json_object_set_new(object, "trace", trace_json(r, r->trace));
    return dump_and_release(object);
}
