#include "api/task.h"

#include <ctype.h>

/* --- lines ---------------------------------------------------------------------------------------------- */

typedef struct line {
    position at;
    unsigned indent; /* of the key, or of the value if there is none */
    bool item;       /* a list element begins here */
    text key, value; /* empty: none */
} line;

typedef struct reader {
    const char *next, *end;
    uint32_t number;
    diagnostics *errors;
} reader;

static void line_free(line *l) {
    text_free(&l->key);
    text_free(&l->value);
}

/* A scalar: quoted, or up to the end or a comment. False: the quotes are not closed or
 * something follows them. */
static bool read_scalar(const char *s, const char *end, text *out) {
    while (s < end && *s == ' ') s++;
    if (s < end && (*s == '\'' || *s == '"')) {
        char quote = *s++;
        const char *close = memchr(s, quote, (size_t)(end - s));
        if (!close) return false;
        text_add_bytes(out, s, (size_t)(close - s));
        for (s = close + 1; s < end && *s == ' ';) s++;
        return s == end || *s == '#';
    }
    const char *stop = s;
    while (stop < end && !(*stop == '#' && (stop == s || stop[-1] == ' '))) stop++;
    while (stop > s && isspace((unsigned char)stop[-1])) stop--;
    text_add_bytes(out, s, (size_t)(stop - s));
    return true;
}

/* Where a key ends: at a colon before a blank or the end of the line. */
static const char *end_of_key(const char *s, const char *end) {
    const char *c = s;
    while (c < end && (isalnum((unsigned char)*c) || *c == '_' || *c == '-')) c++;
    return c > s && c < end && *c == ':' && (c + 1 == end || c[1] == ' ') ? c : NULL;
}

static bool is_blank(const char *s, const char *end) {
    while (s < end && *s == ' ') s++;
    return s == end || *s == '#' || (end - s == 3 && !memcmp(s, "---", 3));
}

/* The next line that says something; false at the end and after an error. */
static bool read_line(reader *r, line *out) {
    while (r->next < r->end) {
        const char *begin = r->next, *end = memchr(begin, '\n', (size_t)(r->end - begin));
        if (!end) end = r->end;
        r->next = end < r->end ? end + 1 : end;
        r->number++;
        if (end > begin && end[-1] == '\r') end--;
        if (is_blank(begin, end)) continue;
        const char *s = begin;
        while (s < end && *s == ' ') s++;
        *out = (line){.at = {r->number, (uint32_t)(s - begin) + 1}};
        if (*s == '-' && s + 1 < end && s[1] == ' ') {
            out->item = true;
            for (s++; s < end && *s == ' ';) s++;
        }
        out->indent = (unsigned)(s - begin);
        const char *colon = end_of_key(s, end);
        if (colon) text_add_bytes(&out->key, s, (size_t)(colon - s));
        if (memchr(s, '\t', (size_t)(end - s)) || memchr(s, 0, (size_t)(end - s)) ||
            !read_scalar(colon ? colon + 1 : s, end, &out->value)) {
            diag_report(r->errors, DIAG_ERROR, out->at, "this is not a line of a task definition");
            line_free(out);
            return false;
        }
        return true;
    }
    return false;
}

/* --- meaning -------------------------------------------------------------------------------------------- */

typedef enum { SECTION_NONE, SECTION_INPUTS, SECTION_PROPERTIES, SECTION_OPTIONS, SECTION_OTHER } section;

typedef struct building {
    diagnostics *errors;
    task *out;
    section in;
    bool has_version;
    unsigned item_indent; /* of the list elements of the present section */
} building;

static bool key_is(const line *l, const char *name) {
    return !strcmp(text_cstr(&l->key), name);
}

static void complain(building *b, const line *l, const char *what) {
    diag_report(b->errors, DIAG_ERROR, l->at, "%s", what);
}

static void add_input(building *b, const char *name, size_t length) {
    char *copy = mem_alloc(length + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    vec_push(&b->out->inputs, copy);
}

/* `[a.c, 'b.c']` or one name. */
static void add_inputs(building *b, const line *l) {
    const char *s = text_cstr(&l->value);
    size_t length = strlen(s);
    if (*s != '[') {
        add_input(b, s, length);
        return;
    }
    if (s[length - 1] != ']') {
        complain(b, l, "a list in brackets must end on its line");
        return;
    }
    const char *end = s + length - 1;
    for (s++; s < end;) {
        const char *comma = memchr(s, ',', (size_t)(end - s)), *stop = comma ? comma : end;
        text name = {0};
        if (!read_scalar(s, stop, &name) || !name.size)
            complain(b, l, "a file name is expected");
        else
            add_input(b, name.data, name.size);
        text_free(&name);
        s = stop + 1;
    }
}

static void begin_section(building *b, const line *l) {
    bool empty = !l->value.size;
    b->item_indent = 0;
    b->in = SECTION_OTHER;
    if (key_is(l, "format_version")) {
        char major = text_cstr(&l->value)[0];
        if (major != '1' && major != '2')
            complain(b, l, "only formats 1.0 and 2.x of task definitions are known");
        b->has_version = true;
    } else if (key_is(l, "input_files")) {
        b->in = SECTION_INPUTS;
        if (!empty) add_inputs(b, l);
    } else if (key_is(l, "properties")) {
        b->in = SECTION_PROPERTIES;
        if (!empty && strcmp(l->value.data, "[]")) complain(b, l, "properties are a list");
    } else if (key_is(l, "options")) {
        b->in = SECTION_OPTIONS;
    } else if (!key_is(l, "required_files") && !key_is(l, "additional_information")) {
        diag_report(b->errors, DIAG_ERROR, l->at, "unknown key '%s'", text_cstr(&l->key));
    }
}

static void read_expected(building *b, const line *l, task_property *p) {
    if (!strcasecmp(text_cstr(&l->value), "true"))
        p->expected = EXPECTED_TRUE;
    else if (!strcasecmp(text_cstr(&l->value), "false"))
        p->expected = EXPECTED_FALSE;
    else
        complain(b, l, "expected_verdict is true or false");
}

static void read_property(building *b, const line *l) {
    if (l->item) vec_push(&b->out->properties, (task_property){0});
    if (!b->out->properties.size || !l->key.size) {
        complain(b, l, "a property is expected: '- property_file: NAME'");
        return;
    }
    task_property *p = &vec_last(&b->out->properties);
    const char *value = text_cstr(&l->value);
    if (key_is(l, "property_file") && l->value.size && !p->file)
        p->file = mem_copy_string(value);
    else if (key_is(l, "expected_verdict"))
        read_expected(b, l, p);
    else if (key_is(l, "subproperty") && !p->subproperty)
        p->subproperty = mem_copy_string(value);
    else
        diag_report(b->errors, DIAG_ERROR, l->at, "'%s' is not expected here", text_cstr(&l->key));
}

static void read_option(building *b, const line *l) {
    const char *value = text_cstr(&l->value);
    if (key_is(l, "language") && !b->out->language) {
        if (strcmp(value, "C")) complain(b, l, "only tasks in language C can be verified");
        b->out->language = mem_copy_string(value);
    } else if (key_is(l, "data_model")) {
        b->out->data_model = !strcmp(value, "ILP32") ? 32 : !strcmp(value, "LP64") ? 64 : 0;
        if (!b->out->data_model) complain(b, l, "data_model is ILP32 or LP64");
    }
}

static void read_nested(building *b, const line *l) {
    switch (b->in) {
    case SECTION_INPUTS:
        if (l->item && !l->key.size && l->value.size)
            add_inputs(b, l);
        else
            complain(b, l, "a list element '- FILE' is expected");
        break;
    case SECTION_PROPERTIES: read_property(b, l); break;
    case SECTION_OPTIONS: read_option(b, l); break;
    case SECTION_OTHER: break; /* whatever a key contains that is of no interest here */
    case SECTION_NONE: complain(b, l, "a key is expected"); break;
    }
}

static void check_complete(building *b) {
    position whole = {0, 0};
    if (b->errors->errors) return;
    if (!b->has_version)
        diag_report(b->errors, DIAG_ERROR, whole, "this is no task definition: format_version is missing");
    else if (!b->out->inputs.size)
        diag_report(b->errors, DIAG_ERROR, whole, "the task names no input files");
    for (size_t i = 0; i < b->out->properties.size; i++)
        if (!b->out->properties.data[i].file)
            diag_report(b->errors, DIAG_ERROR, whole, "property %zu of the task has no property_file", i + 1);
}

bool task_parse(const char *source, size_t length, diagnostics *d, task *out) {
    *out = (task){0};
    reader r = {.next = source, .end = source + length, .errors = d};
    building b = {.errors = d, .out = out};
    line l;
    while (!d->errors && read_line(&r, &l)) {
        bool top = !l.item && l.indent == 0 && l.key.size;
        if (top)
            begin_section(&b, &l);
        else
            read_nested(&b, &l);
        line_free(&l);
    }
    check_complete(&b);
    if (d->errors) task_free(out);
    return !d->errors;
}

void task_free(task *t) {
    for (size_t i = 0; i < t->inputs.size; i++) mem_free(t->inputs.data[i]);
    for (size_t i = 0; i < t->properties.size; i++) {
        mem_free(t->properties.data[i].file);
        mem_free(t->properties.data[i].subproperty);
    }
    vec_free(&t->inputs);
    vec_free(&t->properties);
    mem_free(t->language);
    t->language = NULL;
    t->data_model = 0;
}
