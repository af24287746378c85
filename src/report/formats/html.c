/* The page is src/report/formats/viewer, which the build puts into the library, with the result as JSON
 * inside. Whatever comes from the program or from file names is only in that JSON, where no `<` is left:
 * nothing of it can end the element or become markup. */
#include "report/formats/formats.h"
#include "report/json_text.h"

#include <stdlib.h>

extern const char viewer_html[], viewer_css[], viewer_model[], viewer_dom[], viewer_exploration[],
    viewer_lanes[], viewer_panes[], viewer_script[];

enum { MOST_INVARIANT_PLACES = 200, MOST_STATES_OF_A_PLACE = 20 };

/* --- what the page is about ----------------------------------------------------------------------------- */

static json_t *sources_json(const report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->text_count; i++)
        if (r->files[i].text)
            json_array_append_new(list, json_pack("{s:o, s:o}", "file", json_safe_string(r->files[i].name),
                                                  "text", json_safe_string(r->files[i].text)));
    return list;
}

static json_t *first_elements(const json_t *list, size_t most) {
    json_t *first = json_array();
    for (size_t i = 0; i < json_array_size(list) && i < most; i++)
        json_array_append(first, json_array_get(list, i));
    return first;
}

/* The conditions of each state, in the names of the source. */
static json_t *conditions_json(const json_t *states) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(states) && i < MOST_STATES_OF_A_PLACE; i++) {
        json_t *holds = json_object_get(json_array_get(states, i), "holds");
        if (holds) json_array_append(list, holds);
    }
    return list;
}

/* The readable part of a certificate: who stands where, and what holds there. */
static json_t *invariant_json(const report *r) {
    json_t *proof = r->proof ? json_loads(r->proof, 0, NULL) : NULL;
    if (!proof) return json_null();
    const json_t *all = json_object_get(proof, "invariant");
    json_t *places = json_array(), *shown = first_elements(all, MOST_INVARIANT_PLACES);
    for (size_t i = 0; i < json_array_size(shown); i++) {
        const json_t *entry = json_array_get(shown, i), *states = json_object_get(entry, "states");
        json_t *place = json_object();
        json_object_set(place, "at", json_object_get(entry, "at"));
        json_object_set_new(place, "states", json_integer((json_int_t)json_array_size(states)));
        json_object_set_new(place, "holds", conditions_json(states));
        json_array_append_new(places, place);
    }
    json_t *result = json_pack("{s:I, s:o}", "places", (json_int_t)json_array_size(all), "shown", places);
    json_object_set(result, "precision", json_object_get(proof, "precision"));
    json_decref(shown);
    json_decref(proof);
    return result;
}

static bool belongs_to_property(const report *r) {
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->properties.data[i].trace == r->trace) return true;
    return false;
}

static json_t *page_json(const report *r) {
    json_t *result = report_json_object(r);
    if (r->trace && belongs_to_property(r))
        json_object_set_new(result, "trace", json_null()); /* once is enough */
    return json_pack("{s:o, s:b, s:o, s:o}", "result", result, "one_schedule", r->one_schedule, "sources",
                     sources_json(r), "invariant", invariant_json(r));
}

static void print_data(const report *r, text *out) {
    json_t *page = page_json(r);
    char *printed = json_dumps(page, JSON_COMPACT | JSON_REAL_PRECISION(9));
    for (const char *s = printed ? printed : "null"; *s;) {
        size_t plain = strcspn(s, "<");
        text_add_bytes(out, s, plain);
        s += plain;
        if (*s) text_add(out, "\\u003c");
        s += *s != 0;
    }
    free(printed);
    json_decref(page);
}

/* --- the page ------------------------------------------------------------------------------------------- */

static void print_style(const report *r, text *out) {
    (void)r;
    text_add(out, viewer_css);
}

static void print_scripts(const report *r, text *out) {
    (void)r;
    const char *const scripts[] = {viewer_model, viewer_dom,   viewer_exploration,
                                   viewer_lanes, viewer_panes, viewer_script};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) text_add(out, scripts[i]);
}

void report_print_html(const report *r, text *out) {
    static const struct {
        const char *mark; /* where it goes in the page, in this order */
        void (*print)(const report *r, text *out);
    } parts[] = {
        {"/*{{style}}*/", print_style}, {"{{data}}", print_data}, {"/*{{scripts}}*/", print_scripts}};
    const char *rest = viewer_html;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *mark = strstr(rest, parts[i].mark);
        if (!mark) continue;
        text_add_bytes(out, rest, (size_t)(mark - rest));
        parts[i].print(r, out);
        rest = mark + strlen(parts[i].mark);
    }
    text_add(out, rest);
}
