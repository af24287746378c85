/* The text of a certificate: what a reader needs, and beside it the same for people. */
#include "certify/internal.h"
#include "machine/naming.h"
#include "machine/place.h"
#include "machine/record.h"

#include <inttypes.h>
#include <jansson.h>

typedef struct written_group { /* states of one control */
    uint64_t control;
    text head;   /* where the threads are */
    text states; /* separated by commas */
} written_group;

struct certificate_writer {
    machine *machine;
    terms *labelled; /* terms once more, over symbols that are called what people call the places */
    map terms;       /* id of a term -> its index in the text */
    VEC(const term *) twins;
    text table;
    map by_control;
    VEC(written_group) groups;
    size_t states;
    invariant_kind of;
    number_list numbers, usual; /* of the present state */
    map noted;                  /* terms and places that are in one of these: */
    text variables, predicates; /* the precision, for people */
};

certificate_writer *certificate_writer_create(machine *m) {
    certificate_writer *w = mem_zero(1, sizeof *w);
    w->machine = m;
    w->labelled = terms_create();
    return w;
}

void certificate_writer_destroy(certificate_writer *w) {
    if (!w) return;
    for (size_t i = 0; i < w->groups.size; i++) {
        text_free(&w->groups.data[i].head);
        text_free(&w->groups.data[i].states);
    }
    vec_free(&w->groups);
    vec_free(&w->twins);
    vec_free(&w->numbers);
    vec_free(&w->usual);
    text_free(&w->table);
    text_free(&w->variables);
    text_free(&w->predicates);
    map_free(&w->noted);
    map_free(&w->terms);
    map_free(&w->by_control);
    terms_destroy(w->labelled);
    mem_free(w);
}

size_t certificate_writer_states(const certificate_writer *w) {
    return w->states;
}

/* All integers are written as signed ones of 64 bits: that is what JSON readers have. */

/* Names come from sources, which may be written in anything. */
static void add_string(text *out, const char *s) {
    text clean = {0};
    for (; *s; s++) text_char(&clean, (unsigned char)*s < 0x80 ? *s : '?');
    json_t *string = json_string(text_cstr(&clean));
    char *written = json_dumps(string, JSON_ENCODE_ANY);
    text_add(out, written);
    free(written);
    json_decref(string);
    text_free(&clean);
}

/* --- terms ---------------------------------------------------------------------------------------------- */

static bool is_written(const certificate_writer *w, const term *t) {
    return map_get(&w->terms, t->id) != MAP_NONE;
}

static const term *label_leaf(certificate_writer *w, const term *t) {
    if (term_is_const(t)) return term_const(w->labelled, t->width, t->value);
    text name = {0};
    abstract_place_name(w->machine, t, &name);
    const term *twin = term_symbol(w->labelled, t->width, t->value, text_cstr(&name), NO_INDEX);
    text_free(&name);
    return twin;
}

/* Its operands are written. */
static void write_term(certificate_writer *w, const term *t) {
    const term *twins[3] = {0};
    text_format(&w->table, "%s[\"%s\", %u, %" PRId64, w->twins.size ? ",\n    " : "",
                term_op_name((term_op)t->op), t->width, (int64_t)t->value);
    for (unsigned i = 0; i < t->arity; i++) {
        uint64_t at = map_get(&w->terms, t->arg[i]->id);
        assert(at < w->twins.size); /* readers know no term before it comes */
        text_format(&w->table, ", %" PRIu64, at);
        twins[i] = w->twins.data[at];
    }
    text_char(&w->table, ']');
    assert(w->terms.size == w->twins.size); /* each is there once */
    map_put(&w->terms, t->id, w->twins.size);
    vec_push(&w->twins, t->arity ? term_rebuild(w->labelled, t, twins) : label_leaf(w, t));
}

static uint64_t index_of_term(certificate_writer *w, const term *wanted) {
    VEC(const term *) open = {0};
    vec_push(&open, wanted);
    while (open.size) {
        const term *t = vec_last(&open);
        size_t before = open.size;
        for (unsigned i = 0; i < t->arity; i++)
            if (!is_written(w, t->arg[i])) vec_push(&open, t->arg[i]);
        if (open.size > before) continue;
        open.size--;
        if (!is_written(w, t)) write_term(w, t);
    }
    vec_free(&open);
    return map_get(&w->terms, wanted->id);
}

/* --- controls ------------------------------------------------------------------------------------------- */

static const char *describe_status(const thread_part *t) {
    switch (status_of(t)) {
    case THREAD_ENDED: return "ended";
    case THREAD_STUCK: return "stopped by an assumption";
    case THREAD_LOOPING: return "loops for ever";
    case THREAD_DRAWING: return "draws inputs in a loop for ever";
    case THREAD_HANGING: return "waits in a loop for ever";
    case THREAD_WAITING: return "waits";
    default: return NULL;
    }
}

static void describe_thread(certificate_writer *w, const state *s, uint32_t thread, text *out) {
    const program *p = machine_program(w->machine);
    const thread_part *t = s->threads[thread];
    const function *in = thread_visible_function(p, t);
    position at = thread_position(p, t);
    text_format(out, "%s:", machine_thread_name(w->machine, thread));
    if (in && at.line) text_format(out, " %s:%u:%u", in->file ? in->file : p->file, at.line, at.column);
    if (describe_status(t)) text_format(out, " %s", describe_status(t));
    if (s->scheduler->running == thread) text_add(out, " running");
}

static const char *phase_name(const scheduler_part *k) {
    static const char *const names[] = {[PHASE_MAIN] = "main",
                                        [PHASE_EVALUATE] = "evaluate",
                                        [PHASE_UPDATE] = "update",
                                        [PHASE_DONE] = "done"};
    return names[k->phase];
}

static void describe_scheduler(const state *s, text *out) {
    const scheduler_part *k = s->scheduler;
    text_format(out, "scheduler: %s", phase_name(k));
    for (uint32_t i = 0; i < k->pending_count; i++) {
        const notification *n = &k->pending[i];
        if (n->due)
            text_format(out, ", %u at %" PRIu64, n->target, n->due->value);
        else
            text_format(out, ", %u next", n->target);
    }
}

static void describe_control(certificate_writer *w, const state *s, text *out) {
    const kernel_traits *kernel = program_kernel(machine_program(w->machine));
    bool first = true;
    uint32_t count = s->thread_count - kernel->scheduler_moves; /* the last slot is the scheduler's */
    text line = {0};
    for (uint32_t t = 0; t < count; t++) {
        if (s->threads[t]->status == THREAD_UNBORN) continue;
        line.size = 0;
        describe_thread(w, s, t, &line);
        text_add(out, first ? "" : ", ");
        add_string(out, text_cstr(&line));
        first = false;
    }
    line.size = 0;
    describe_scheduler(s, &line);
    if (kernel->has_delta_cycles) text_add(out, ", "), add_string(out, text_cstr(&line));
    text_free(&line);
}

static written_group *group_of(certificate_writer *w, const state *s) {
    uint64_t control = control_fingerprint(s), known = map_get(&w->by_control, control);
    if (known == MAP_NONE) {
        written_group g = {.control = control};
        describe_control(w, s, &g.head);
        known = w->groups.size;
        vec_push(&w->groups, g);
        map_put(&w->by_control, control, known);
    }
    return &w->groups.data[known];
}

/* --- states --------------------------------------------------------------------------------------------- */

/* The precision, as far as the proof needs it. */
static void note(certificate_writer *w, const term *what, const char *name, text *list) {
    if (map_get(&w->noted, what->id) != MAP_NONE) return;
    map_put(&w->noted, what->id, 1);
    if (list->size) text_add(list, ", ");
    add_string(list, name);
}

static void say(text *said, const char *what) {
    text_format(said, "%s%s", said->size ? " && " : "", what);
}

static void write_constants(certificate_writer *w, text *out, text *said) {
    text line = {0};
    bool first = true;
    for (size_t i = 0; i < w->numbers.size; i++) {
        const term *t = w->numbers.data[i], *place = w->usual.data[i];
        if (!term_is_const(t)) continue;
        text_format(out, "%s[%zu, %u, %" PRId64 "]", first ? "" : ", ", i, t->width, (int64_t)t->value);
        first = false;
        if (!abstract_is_place(place)) continue;
        line.size = 0;
        abstract_place_name(w->machine, place, &line);
        note(w, place, text_cstr(&line), &w->variables);
        text_format(&line, " == %" PRId64, term_signed(t->width, t->value));
        say(said, text_cstr(&line));
    }
    text_free(&line);
}

/* Numbers that are open, and not simply called after their place. */
static void write_others(certificate_writer *w, text *out) {
    bool first = true;
    for (size_t i = 0; i < w->numbers.size; i++) {
        const term *t = w->numbers.data[i];
        if (term_is_const(t) || t == w->usual.data[i]) continue;
        text_format(out, "%s[%zu, %" PRIu64 "]", first ? "" : ", ", i, index_of_term(w, t));
        first = false;
    }
}

static void note_predicate(certificate_writer *w, const term *t) {
    if (t->op == TERM_NOT) t = t->arg[0];
    text line = {0};
    term_print(w->labelled, w->twins.data[index_of_term(w, t)], &line);
    note(w, t, text_cstr(&line), &w->predicates);
    text_free(&line);
}

static void write_conditions(certificate_writer *w, const state *s, text *out, text *said) {
    text line = {0};
    for (uint32_t i = 0; i < s->path_count; i++) {
        uint64_t index = index_of_term(w, state_path(s)[i]);
        text_format(out, "%s%" PRIu64, i ? ", " : "", index);
        line.size = 0;
        term_print(w->labelled, w->twins.data[index], &line);
        say(said, text_cstr(&line));
        note_predicate(w, state_path(s)[i]);
    }
    text_free(&line);
}

void certificate_writer_add(void *writer, const state *s, invariant_kind of) {
    certificate_writer *w = writer;
    /* All are of one exploration. */
    assert(!w->states || (w->of.stops == of.stops && w->of.apart == of.apart));
    assert(!abstract_open_time(s));
    w->of = of;
    written_group *g = group_of(w, s);
    text said = {0};
    control_numbers(machine_program(w->machine), s, &w->numbers);
    FOR_ASSERTIONS reason_kind trouble = control_usual_numbers(w->machine, s, &w->usual);
    assert(!trouble); /* what it cannot name was refused before */
    assert(w->usual.size == w->numbers.size);
    text_format(&g->states, "%s{\"constants\": [", g->states.size ? ",\n        " : "");
    write_constants(w, &g->states, &said);
    text_add(&g->states, "], \"others\": [");
    write_others(w, &g->states);
    text_add(&g->states, "], \"conditions\": [");
    write_conditions(w, s, &g->states, &said);
    text_add(&g->states, "], \"holds\": ");
    add_string(&g->states, said.size ? text_cstr(&said) : "true");
    text_char(&g->states, '}');
    text_free(&said);
    w->states++;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void write_names(const certificate_writer *w, text *out) {
    machine_names names = {0};
    machine_names_collect(w->machine, &names);
    text_add(out, "  \"threads\": [");
    for (size_t i = 0; i < names.threads.size; i++) {
        const thread_birth *t = &names.threads.data[i];
        text_format(out, "%s[%u, %u, %u]", i ? ", " : "", t->creator, t->count, t->function);
    }
    text_add(out, "],\n  \"objects\": [");
    for (size_t i = 0; i < names.objects.size; i++)
        text_format(out, "%s%" PRId64, i ? ", " : "", (int64_t)names.objects.data[i]);
    text_add(out, "],\n  \"sites\": [");
    for (size_t i = 0; i < names.sites.size; i++)
        text_format(out, "%s%" PRId64, i ? ", " : "", (int64_t)names.sites.data[i]);
    text_add(out, "],\n");
    machine_names_free(&names);
}

void certificate_write(const certificate_writer *w, const char *engine, text *out) {
    text_format(out,
                "{\n  \"format\": \"" CERTIFICATE_FORMAT "\",\n  \"version\": %d,\n  \"engine\": \"%s\",\n",
                CERTIFICATE_VERSION, engine);
    text_add(out, "  \"program\": ");
    add_string(out, machine_program(w->machine)->file);
    text_format(out, ",\n  \"stops\": %u,\n  \"apart\": %u,\n", w->of.stops, w->of.apart);
    write_names(w, out);
    text_format(out, "  \"precision\": {\"variables\": [%s],\n    \"predicates\": [%s]},\n",
                text_cstr(&w->variables), text_cstr(&w->predicates));
    text_add(out, "  \"terms\": [\n    ");
    text_add(out, text_cstr(&w->table));
    text_add(out, "],\n  \"invariant\": [");
    for (size_t i = 0; i < w->groups.size; i++) {
        const written_group *g = &w->groups.data[i];
        /* Each control once, with states. */
        assert(g->states.size && map_get(&w->by_control, g->control) == i);
        text_format(out, "%s\n    {\"control\": \"%016" PRIx64 "\",\n      \"at\": [", i ? "," : "",
                    g->control);
        text_add(out, text_cstr(&g->head));
        text_add(out, "],\n      \"states\": [\n        ");
        text_add(out, text_cstr(&g->states));
        text_add(out, "]}");
    }
    text_add(out, "]\n}\n");
}
