#include "report/formats/waypoints.h"

#include "report/source_text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

typedef struct collection {
    const report *r;
    const trace *t;
    waypoints *out;
    VEC(const char *) threads; /* by their numbers */
} collection;

void waypoints_free(waypoints *w) {
    for (size_t i = 0; i < w->list.size; i++) {
        mem_free(w->list.data[i].called);
        mem_free(w->list.data[i].value);
    }
    vec_free(&w->list);
}

static uint32_t number_of_thread(const collection *c, const char *name) {
    for (size_t i = 0; i < c->threads.size; i++)
        if (!strcmp(c->threads.data[i], name)) return (uint32_t)i;
    return NO_INDEX;
}

static const char *file_or_program(const collection *c, const char *file) {
    return file ? file : c->r->file;
}

/* --- statements ----------------------------------------------------------------------------------------- */

static const trace_step *earlier_step(const collection *c, size_t i) {
    for (size_t k = i; k-- > 0;)
        if (!strcmp(c->t->steps.data[k].thread, c->t->steps.data[i].thread)) return &c->t->steps.data[k];
    return NULL;
}

/* The first operation of a statement, not a later one: a thread that was deeper in calls, or in the same
 * line, may be in the middle of one. */
static bool begins_statement(const collection *c, size_t i) {
    const trace_step *s = &c->t->steps.data[i], *before = earlier_step(c, i);
    const char *file = file_or_program(c, s->file);
    if (!s->from.line || !source_begins_statement(c->r, file, s->from.line)) return false;
    if (!before || !before->from.line) return true;
    bool same_line = before->from.line == s->from.line && !strcmp(file_or_program(c, before->file), file);
    return !same_line && s->depth >= before->depth;
}

static void add_statement(collection *c, size_t i, uint32_t thread) {
    const trace_step *s = &c->t->steps.data[i];
    if (!begins_statement(c, i)) return;
    waypoint w = {.kind = WAYPOINT_PASS, .thread = thread, .file = file_or_program(c, s->file)};
    w.at.line = s->from.line;
    w.function = s->function;
    vec_push(&c->out->list, w);
}

/* --- values --------------------------------------------------------------------------------------------- */

/* "-7", "97 'a'", "true" as a C constant; NULL: it is no integer. */
static char *c_constant(const char *shown) {
    if (!strcmp(shown, "true") || !strcmp(shown, "false")) return mem_copy_string(*shown == 't' ? "1" : "0");
    const char *digits = shown + (*shown == '-');
    size_t length = strspn(digits, "0123456789");
    if (!length || (digits[length] && digits[length] != ' ')) return NULL;
    text constant = {0};
    errno = 0;
    if (*shown == '-' && strtoll(shown, NULL, 10) == LLONG_MIN)
        text_add(&constant, "(-9223372036854775807LL - 1)");
    else
        text_add_bytes(&constant, shown, (size_t)(digits - shown) + length);
    if (*shown != '-' && strtoull(shown, NULL, 10) > LLONG_MAX) text_char(&constant, 'U');
    char *result = mem_copy_string(text_cstr(&constant));
    text_free(&constant);
    return result;
}

static bool returns_integer(const char *name, size_t length) {
    static const char prefix[] = "__VERIFIER_nondet_";
    size_t skipped = sizeof prefix - 1;
    if (length <= skipped || strncmp(name, prefix, skipped)) return false;
    const char *type = name + skipped;
    return strncmp(type, "float", 5) && strncmp(type, "double", 6) && strncmp(type, "pointer", 7);
}

static char *copy_name(const char *s, size_t length) {
    char *name = mem_duplicate(s, length + 1);
    name[length] = 0;
    return name;
}

static void add_input(collection *c, const trace_input *input, uint32_t thread) {
    if (input->place) return;
    const char *file = file_or_program(c, input->file);
    waypoint w = {.kind = WAYPOINT_RETURN, .thread = thread, .file = file};
    size_t length = source_call(c->r, file, input->at, &w.at);
    if (!length) return;
    const char *name = source_line(c->r, file, input->at.line) + input->at.column - 1;
    w.value = returns_integer(name, length) ? c_constant(input->value) : NULL;
    if (!w.value) return;
    w.called = copy_name(name, length);
    vec_push(&c->out->list, w);
}

/* --- threads -------------------------------------------------------------------------------------------- */

/* A created thread is called as its function, with #2 for the second one. */
static void add_creation(collection *c, const trace_step *s, size_t i, uint32_t thread) {
    const trace_place *place = &s->created_at.data[i];
    const char *name = s->created.data[i];
    waypoint w = {.kind = WAYPOINT_CREATE, .thread = thread, .created = (uint32_t)c->threads.size};
    vec_push(&c->threads, name);
    w.file = file_or_program(c, place->file);
    w.at = place->at;
    w.function = *place->function ? place->function : NULL;
    w.called = copy_name(name, strcspn(name, "#"));
    position closing;
    w.at.column = source_call(c->r, w.file, place->at, &closing) ? closing.column : 0;
    if (w.at.column) w.at.line = closing.line;
    vec_push(&c->out->list, w);
}

/* What a step draws and creates, in the order in which it does. */
static void add_events(collection *c, const trace_step *s, uint32_t thread) {
    size_t input = 0, creation = 0;
    size_t creations = s->created_at.size < s->created.size ? s->created_at.size : s->created.size;
    while (input < s->inputs.size || creation < creations) {
        bool draws =
            input < s->inputs.size &&
            (creation == creations || s->inputs.data[input].moment < s->created_at.data[creation].moment);
        if (draws)
            add_input(c, &s->inputs.data[input++], thread);
        else
            add_creation(c, s, creation++, thread);
    }
}

/* --- the target ----------------------------------------------------------------------------------------- */

static void add_target(collection *c, const char *file, position at, const char *function, uint32_t thread) {
    waypoint w = {.kind = WAYPOINT_TARGET, .thread = thread, .file = file_or_program(c, file), .at = at};
    position closing;
    if (!source_call(c->r, w.file, at, &closing)) w.at.column = 0;
    w.function = function && *function ? function : NULL;
    vec_push(&c->out->list, w);
}

static bool add_targets(collection *c) {
    const trace *t = c->t;
    for (size_t i = 0; i < t->race.size; i++) {
        uint32_t thread = number_of_thread(c, t->race.data[i].thread);
        if (thread == NO_INDEX || !t->race.data[i].at.line) return false;
        add_target(c, t->race.data[i].file, t->race.data[i].at, NULL, thread);
    }
    if (t->race.size) return true;
    if (t->blocked.size || !t->steps.size || !t->violated_at.line) return false;
    uint32_t last = number_of_thread(c, vec_last(&t->steps).thread);
    if (last != NO_INDEX) add_target(c, t->violated_file, t->violated_at, t->violated_in, last);
    return last != NO_INDEX;
}

bool waypoints_collect(const report *r, waypoints *out) {
    *out = (waypoints){0};
    collection c = {.r = r, .t = r->trace, .out = out};
    bool good = r->trace->steps.size > 0;
    if (good) vec_push(&c.threads, r->trace->steps.data[0].thread);
    for (size_t i = 0; i < r->trace->steps.size && good; i++) {
        const trace_step *s = &r->trace->steps.data[i];
        uint32_t thread = number_of_thread(&c, s->thread);
        good = thread != NO_INDEX && s->created.size == s->created_at.size;
        if (!good) break;
        add_statement(&c, i, thread);
        add_events(&c, s, thread);
    }
    good = good && add_targets(&c);
    assert(!good || vec_last(&out->list).kind == WAYPOINT_TARGET);
    out->concurrent = c.threads.size > 1;
    vec_free(&c.threads);
    return good;
}
