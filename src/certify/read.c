/* From the text of a certificate to entries. Whatever is not as it should be refuses the whole; nothing that
 * is read here is believed. */
#include "base/hash.h"
#include "certify/internal.h"
#include "machine/naming.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct reading {
    machine *machine;
    certificate *c;
    term_list terms;
    const char *trouble;
} reading;

static bool fail(reading *r, const char *trouble) {
    if (!r->trouble) r->trouble = trouble;
    return false;
}

static bool read_number(reading *r, const json_t *j, uint64_t below, uint64_t *out) {
    if (!json_is_integer(j)) return fail(r, "certificate: a number is missing");
    *out = (uint64_t)json_integer_value(j);
    return *out < below || fail(r, "certificate: a number is too large");
}

static bool read_any_number(reading *r, const json_t *j, uint64_t *out) {
    if (!json_is_integer(j)) return fail(r, "certificate: a number is missing");
    *out = (uint64_t)json_integer_value(j);
    return true;
}

/* NULL: there is no such list. */
static const json_t *list_of(reading *r, const json_t *object, const char *name) {
    const json_t *list = json_object_get(object, name);
    if (!json_is_array(list)) fail(r, "certificate: a list is missing");
    return json_is_array(list) ? list : NULL;
}

/* --- names ---------------------------------------------------------------------------------------------- */

static bool read_thread(reading *r, const json_t *j, machine_names *names) {
    uint64_t creator, count, function_index;
    bool good = read_number(r, json_array_get(j, 0), UINT32_MAX, &creator) &&
                read_number(r, json_array_get(j, 1), UINT32_MAX, &count) &&
                read_number(r, json_array_get(j, 2), UINT32_MAX, &function_index);
    if (good)
        vec_push(&names->threads,
                 ((thread_birth){(uint32_t)creator, (uint32_t)count, (uint32_t)function_index}));
    return good;
}

static bool read_names(reading *r, const json_t *root) {
    machine_names names = {0};
    const json_t *threads = list_of(r, root, "threads"), *objects = list_of(r, root, "objects"),
                 *sites = list_of(r, root, "sites");
    bool good = threads && objects && sites;
    for (size_t i = 0; good && i < json_array_size(threads); i++)
        good = read_thread(r, json_array_get(threads, i), &names);
    uint64_t name;
    for (size_t i = 0; good && i < json_array_size(objects); i++)
        if ((good = read_any_number(r, json_array_get(objects, i), &name))) vec_push(&names.objects, name);
    for (size_t i = 0; good && i < json_array_size(sites); i++)
        if ((good = read_any_number(r, json_array_get(sites, i), &name))) vec_push(&names.sites, name);
    if (good && !machine_names_restore(r->machine, &names))
        good = fail(r, "certificate: names do not fit the program");
    machine_names_free(&names);
    return good;
}

/* --- terms ---------------------------------------------------------------------------------------------- */

static unsigned arity_of(term_op op) {
    switch (op) {
    case TERM_CONST:
    case TERM_SYMBOL: return 0;
    case TERM_NOT:
    case TERM_EXTRACT:
    case TERM_ZEXT:
    case TERM_SEXT: return 1;
    case TERM_ITE: return 3;
    default: return 2;
    }
}

/* The rules of the table in term.h. */
static bool widths_fit(const term *like, const term *const *a) {
    switch (like->op) {
    case TERM_EXTRACT: return like->value < a[0]->width && like->value + like->width <= a[0]->width;
    case TERM_ZEXT:
    case TERM_SEXT: return a[0]->width <= like->width;
    case TERM_CONCAT: return a[0]->width + a[1]->width == like->width;
    case TERM_ITE: return a[0]->width == 1 && a[1]->width == like->width && a[2]->width == like->width;
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT: return like->width == 1 && a[0]->width == a[1]->width;
    case TERM_NOT: return a[0]->width == like->width;
    default: return a[0]->width == like->width && a[1]->width == like->width;
    }
}

static const term *read_leaf(reading *r, const term *like) {
    terms *c = machine_terms(r->machine);
    if (like->op == TERM_CONST) return term_const(c, like->width, like->value);
    const term *place = term_symbol(c, like->width, like->value & ~(UINT64_C(1) << 63), "place", NO_INDEX);
    if (!abstract_is_place(place)) fail(r, "certificate: a term is about something that is no place");
    return abstract_is_place(place) ? place : NULL;
}

static bool find_operator(const json_t *name, term_op *out) {
    if (!json_is_string(name)) return false;
    for (int op = 0; op < TERM_OPS; op++)
        if (!strcmp(term_op_name((term_op)op), json_string_value(name))) {
            *out = (term_op)op;
            return true;
        }
    return false;
}

static bool read_term(reading *r, const json_t *j) {
    term_op op;
    uint64_t width, number, at;
    const term *args[3] = {0}, *made;
    if (!find_operator(json_array_get(j, 0), &op)) return fail(r, "certificate: a term has no operator");
    if (!read_number(r, json_array_get(j, 1), 65, &width) ||
        !read_any_number(r, json_array_get(j, 2), &number))
        return false;
    if (!width) return fail(r, "certificate: a term has no width");
    term like = {.op = (uint8_t)op, .width = (uint8_t)width, .arity = (uint8_t)arity_of(op), .value = number};
    for (unsigned i = 0; i < like.arity; i++) {
        if (!read_number(r, json_array_get(j, 3 + i), r->terms.size, &at)) return false;
        args[i] = r->terms.data[at];
    }
    if (like.arity && !widths_fit(&like, args)) return fail(r, "certificate: widths of a term do not fit");
    made = like.arity ? term_rebuild(machine_terms(r->machine), &like, args) : read_leaf(r, &like);
    if (!made) return false;
    vec_push(&r->terms, made);
    return true;
}

static bool read_terms(reading *r, const json_t *root) {
    const json_t *list = list_of(r, root, "terms");
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(list); i++) good = read_term(r, json_array_get(list, i));
    return good;
}

/* --- entries -------------------------------------------------------------------------------------------- */

static bool read_constant(reading *r, const json_t *j, entry *e) {
    uint64_t at, width, number;
    if (!read_number(r, json_array_get(j, 0), UINT32_MAX, &at) ||
        !read_number(r, json_array_get(j, 1), 65, &width) ||
        !read_any_number(r, json_array_get(j, 2), &number))
        return false;
    if (!width) return fail(r, "certificate: a constant has no width");
    if (e->constants.size && vec_last(&e->constants).at >= at)
        return fail(r, "certificate: constants are not in order");
    const term *constant = term_const(machine_terms(r->machine), (unsigned)width, number);
    vec_push(&e->constants, ((number_at){(uint32_t)at, constant}));
    return true;
}

static bool read_other(reading *r, const json_t *j, entry *e) {
    uint64_t at, index;
    if (!read_number(r, json_array_get(j, 0), UINT32_MAX, &at) ||
        !read_number(r, json_array_get(j, 1), r->terms.size, &index))
        return false;
    vec_push(&e->others, ((number_at){(uint32_t)at, r->terms.data[index]}));
    return true;
}

static bool read_condition(reading *r, const json_t *j, entry *e) {
    uint64_t index;
    if (!read_number(r, j, r->terms.size, &index)) return false;
    const term *t = r->terms.data[index];
    if (t->width != 1) return fail(r, "certificate: a condition is no truth value");
    vec_push(&e->conditions, t);
    return true;
}

static bool read_entry(reading *r, const json_t *j, entry *e) {
    const json_t *constants = list_of(r, j, "constants"), *others = list_of(r, j, "others"),
                 *conditions = list_of(r, j, "conditions");
    bool good = constants && others && conditions;
    for (size_t i = 0; good && i < json_array_size(constants); i++)
        good = read_constant(r, json_array_get(constants, i), e);
    for (size_t i = 0; good && i < json_array_size(others); i++)
        good = read_other(r, json_array_get(others, i), e);
    for (size_t i = 0; good && i < json_array_size(conditions); i++)
        good = read_condition(r, json_array_get(conditions, i), e);
    return good;
}

static bool has_pattern(const entry_pattern *p, const entry *e) {
    if (p->at.size != e->constants.size) return false;
    for (size_t i = 0; i < p->at.size; i++)
        if (p->at.data[i] != e->constants.data[i].at) return false;
    return true;
}

static entry_pattern *pattern_of(entry_patterns *patterns, const entry *e) {
    for (size_t i = 0; i < patterns->size; i++)
        if (has_pattern(&patterns->data[i], e)) return &patterns->data[i];
    entry_pattern fresh = {0};
    for (size_t i = 0; i < e->constants.size; i++) vec_push(&fresh.at, e->constants.data[i].at);
    vec_push(patterns, fresh);
    return &vec_last(patterns);
}

static void add_entry(certificate *c, entry_patterns *patterns, entry e) {
    uint64_t h = e.constants.size;
    for (size_t i = 0; i < e.constants.size; i++) h = hash_pair(h, e.constants.data[i].number->value);
    entry_pattern *p = pattern_of(patterns, &e);
    uint64_t others = map_get(&p->entries, h);
    e.next_alike = others == MAP_NONE ? NO_INDEX : (uint32_t)others;
    assert(e.next_alike == NO_INDEX || e.next_alike < c->entries.size); /* older ones: lists come to an end */
    map_put(&p->entries, h, c->entries.size);
    vec_push(&c->entries, e);
}

static entry_patterns *group_of(certificate *c, uint64_t control) {
    uint64_t known = map_get(&c->by_control, control);
    if (known == MAP_NONE) {
        known = c->groups.size;
        vec_push(&c->groups, ((entry_patterns){0}));
        map_put(&c->by_control, control, known);
    }
    return &c->groups.data[known];
}

static bool read_group(reading *r, const json_t *j) {
    const char *control = json_string_value(json_object_get(j, "control"));
    const json_t *states = list_of(r, j, "states");
    if (!control || !states) return fail(r, "certificate: a control is missing");
    char *end;
    uint64_t fingerprint = strtoull(control, &end, 16);
    if (end == control || *end) return fail(r, "certificate: a control is no number");
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(states); i++) {
        entry e = {0};
        good = read_entry(r, json_array_get(states, i), &e);
        add_entry(r->c, group_of(r->c, fingerprint), e);
    }
    return good;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static bool read_head(reading *r, const json_t *root) {
    const char *format = json_string_value(json_object_get(root, "format"));
    uint64_t version, stops, apart;
    if (!format || strcmp(format, CERTIFICATE_FORMAT)) return fail(r, "certificate: it is no certificate");
    if (!read_any_number(r, json_object_get(root, "version"), &version)) return false;
    if (version != CERTIFICATE_VERSION) return fail(r, "certificate: it has another version");
    if (!read_any_number(r, json_object_get(root, "stops"), &stops)) return false;
    if (stops & ~(uint64_t)CERTIFICATE_STOPS) return fail(r, "certificate: steps stop where none can");
    r->c->stops = (unsigned)stops;
    if (!read_number(r, json_object_get(root, "apart"), ABSTRACT_MOST_APART + 1, &apart)) return false;
    if (!apart) return fail(r, "certificate: no objects are told apart");
    r->c->apart = (uint32_t)apart;
    return true;
}

static bool read_everything(reading *r, const json_t *root) {
    if (!read_head(r, root) || !read_names(r, root) || !read_terms(r, root)) return false;
    const json_t *groups = list_of(r, root, "invariant");
    bool good = groups != NULL;
    for (size_t i = 0; good && i < json_array_size(groups); i++)
        good = read_group(r, json_array_get(groups, i));
    return good;
}

FOR_ASSERTIONS static size_t count_alike(const certificate *c, const entry_pattern *p, uint64_t first) {
    size_t found = 0;
    for (uint32_t k = (uint32_t)first; k != NO_INDEX; k = c->entries.data[k].next_alike)
        found += has_pattern(p, &c->entries.data[k]);
    return found;
}

/* Each entry is found in one list, that of its control and of where it has constants. */
FOR_ASSERTIONS static bool all_can_be_found(const certificate *c) {
    size_t found = 0;
    for (size_t g = 0; g < c->groups.size; g++)
        for (size_t k = 0; k < c->groups.data[g].size; k++) {
            const entry_pattern *p = &c->groups.data[g].data[k];
            for (size_t i = 0; i < p->entries.capacity; i++)
                if (p->entries.slots[i].value != MAP_NONE)
                    found += count_alike(c, p, p->entries.slots[i].value);
        }
    return found == c->entries.size;
}

certificate *certificate_read(machine *m, const char *json, size_t length, const char **trouble) {
    json_t *root = json_loadb(json, length, 0, NULL);
    *trouble = "certificate: it is no JSON";
    if (!root) return NULL;
    reading r = {.machine = m, .c = mem_zero(1, sizeof(certificate))};
    bool good = read_everything(&r, root);
    assert(good == !r.trouble); /* who refuses says why */
    slow_assert(!good || all_can_be_found(r.c));
    if (!good) {
        *trouble = r.trouble;
        certificate_destroy(r.c);
        r.c = NULL;
    }
    vec_free(&r.terms);
    json_decref(root);
    return r.c;
}

void certificate_destroy(certificate *c) {
    if (!c) return;
    for (size_t i = 0; i < c->entries.size; i++) {
        vec_free(&c->entries.data[i].constants);
        vec_free(&c->entries.data[i].others);
        vec_free(&c->entries.data[i].conditions);
    }
    for (size_t i = 0; i < c->groups.size; i++) {
        entry_patterns *patterns = &c->groups.data[i];
        for (size_t k = 0; k < patterns->size; k++) {
            vec_free(&patterns->data[k].at);
            map_free(&patterns->data[k].entries);
        }
        vec_free(patterns);
    }
    vec_free(&c->entries);
    vec_free(&c->groups);
    map_free(&c->by_control);
    mem_free(c);
}

size_t certificate_states(const certificate *c) {
    return c->entries.size;
}
