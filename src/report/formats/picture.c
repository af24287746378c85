#include "report/formats/picture.h"

#include "base/escape.h"
#include "base/map.h"
#include "machine/place.h"
#include "machine/record.h"
#include "partial/abstract.h"
#include "report/trace/value.h"

#include <inttypes.h>

static const char too_many[] = "there are too many states for a picture (--max-states)";

/* --- labels --------------------------------------------------------------------------------------------- */

enum { MOST_VALUES = 12, MOST_CONDITIONS = 8 };

static void add_thread(machine *m, const state *s, uint32_t thread, text *out) {
    const thread_part *t = thread_of(s, thread);
    position at = thread_position(machine_program(m), t);
    if (status_of(t) == THREAD_UNBORN) return;
    text_format(out, "%s: ", machine_thread_name(m, thread));
    if (status_of(t) == THREAD_ENDED)
        text_add(out, "ended");
    else if (at.line)
        text_format(out, "%u:%u", at.line, at.column);
    else
        text_char(out, '-');
    text_char(out, '\n');
}

static bool is_shown(const program *p, uint32_t object) {
    const static_object *o = &p->objects.data[object];
    bool foreign = program_kernel(p)->has_library && (!o->at.line || o->name[0] == '"' || o->name[0] == '_');
    return !o->is_constant && !foreign;
}

static void add_values(machine *m, const state *s, text *out) {
    const program *p = machine_program(m);
    naming names = {.program = p, .terms = machine_terms(m)};
    uint32_t shown = 0;
    for (uint32_t i = 0; i < static_count_of(s) && shown <= MOST_VALUES; i++) {
        const memory_object *o = state_object(s, i);
        for (uint32_t cell = 0; is_shown(p, i) && cell < cells_of(o) && shown <= MOST_VALUES; cell++) {
            cell_view piece = object_cell_view(o, cell);
            if (!piece.v.bits || !term_is_const(piece.v.bits)) continue;
            if (shown++ == MOST_VALUES) {
                text_add(out, "...\n");
                break;
            }
            object_label of = object_label_of(&names, s, i);
            piece_name_print(&of, o, &piece, out);
            text_add(out, " = ");
            value_print(&names, s, piece.v, piece_type(o, &piece), out);
            text_char(out, '\n');
        }
    }
}

static const term *named_leaf(machine *m, terms *into, const term *t) {
    if (term_is_const(t)) return term_const(into, t->width, t->value);
    text name = {0};
    abstract_place_name(m, t, &name);
    const term *twin = term_symbol(into, t->width, t->value, text_cstr(&name), NO_INDEX);
    text_free(&name);
    return twin;
}

/* The same over symbols that are called what people call the places they stand for. */
static const term *name_places(machine *m, terms *into, const term *wanted) {
    VEC(const term *) open = {0};
    VEC(const term *) twins = {0};
    map known = {0}; /* id -> index of its twin */
    vec_push(&open, wanted);
    while (open.size) {
        const term *t = vec_last(&open), *args[3] = {0};
        size_t before = open.size;
        for (unsigned i = 0; i < t->arity; i++) {
            uint64_t at = map_get(&known, t->arg[i]->id);
            if (at == MAP_NONE)
                vec_push(&open, t->arg[i]);
            else
                args[i] = twins.data[at];
        }
        if (open.size > before) continue;
        open.size--;
        if (map_get(&known, t->id) != MAP_NONE) continue;
        map_put(&known, t->id, twins.size);
        vec_push(&twins, t->arity ? term_rebuild(into, t, args) : named_leaf(m, into, t));
    }
    const term *result = vec_last(&twins);
    map_free(&known);
    vec_free(&open);
    vec_free(&twins);
    return result;
}

static void add_conditions(machine *m, const state *s, text *out) {
    terms *named = terms_create();
    for (uint32_t i = 0; i < state_path_count(s) && i < MOST_CONDITIONS; i++) {
        term_print(named, name_places(m, named, state_path(s)[i]), out);
        text_char(out, '\n');
    }
    terms_destroy(named);
    if (state_path_count(s) > MOST_CONDITIONS) text_add(out, "...\n");
}

static void add_label(machine *m, const state *s, text *out) {
    text label = {0};
    const kernel_traits *kernel = program_kernel(machine_program(m));
    for (uint32_t t = 0; t < state_thread_count(s) - kernel->scheduler_moves; t++)
        add_thread(m, s, t, &label);
    if (kernel->has_delta_cycles)
        text_format(&label, "delta %" PRIu64 "\n", (uint64_t)delta_of(scheduler_of(s)));
    add_values(m, s, &label);
    add_conditions(m, s, &label);
    escape_dot(text_cstr(&label), out);
    text_free(&label);
}

static void begin_graph(machine *m, text *out) {
    text_add(out, "digraph ");
    escape_dot(machine_program(m)->file, out);
    text_add(out, " {\n  node [shape=box, style=rounded, fontname=monospace, fontsize=9];\n  edge "
                  "[fontname=monospace, fontsize=9];\n");
}

static void add_edge_label(machine *m, transition by, text *out) {
    text_add(out, "label=");
    escape_dot(by.thread == MACHINE_KERNEL ? "scheduler" : machine_thread_name(m, by.thread), out);
}

/* --- all states ----------------------------------------------------------------------------------------- */

typedef struct state_space {
    machine *machine;
    text *out;
    VEC(state *) states; /* node i */
    map by_hash;         /* hash -> the latest node with it */
    VEC(uint64_t) alike; /* node -> an earlier one with the same hash */
    uint64_t ends;       /* nodes that are no states: violations and ends */
    const char *trouble;
} state_space;

/* The time of the scheduler is part of the identity, so that clocks do not run in circles. */
static uint64_t node_of(state_space *x, state *s, bool *is_new) {
    uint64_t hash = state_hash(s, HASH_EXACT), first = map_get(&x->by_hash, hash);
    *is_new = false;
    for (uint64_t i = first; i != MAP_NONE; i = x->alike.data[i])
        if (state_identical(x->states.data[i], s)) return i;
    *is_new = true;
    map_put(&x->by_hash, hash, x->states.size);
    vec_push(&x->alike, first);
    vec_push(&x->states, state_share(s));
    return x->states.size - 1;
}

static void add_state_node(state_space *x, uint64_t node) {
    text_format(x->out, "  s%" PRIu64 " [label=", node);
    add_label(x->machine, x->states.data[node], x->out);
    text_format(x->out, "%s];\n", node ? "" : ", penwidth=2");
}

/* Violations and ends are nodes of their own. */
static void add_end(state_space *x, uint64_t from, transition by, const successor *to) {
    static const char *const names[] = {[STEP_ASSUMED_AWAY] = "assumed away", [STEP_FINISHED] = "end"};
    bool violates = to->end == STEP_VIOLATION;
    text label = {0};
    if (violates)
        text_format(&label, "violated: %s", machine_check(x->machine, to->check)->text);
    else
        text_add(&label, names[to->end]);
    text_format(x->out, "  e%" PRIu64 " [shape=%s, label=", x->ends, violates ? "octagon" : "plaintext");
    escape_dot(text_cstr(&label), x->out);
    text_format(x->out, "%s];\n  s%" PRIu64 " -> e%" PRIu64 " [", violates ? ", color=red" : "", from,
                x->ends);
    add_edge_label(x->machine, by, x->out);
    text_add(x->out, "];\n");
    text_free(&label);
    x->ends++;
}

static void add_successors(state_space *x, uint64_t from, transition by, const successors *list) {
    for (size_t i = 0; i < list->size && !x->trouble; i++) {
        const successor *to = &list->data[i];
        if (to->end == STEP_LIMIT) x->trouble = reason_words(to->why);
        if (to->end == STEP_LIMIT) continue;
        if (to->end != STEP_STOPPED) {
            add_end(x, from, by, to);
            continue;
        }
        bool is_new;
        uint64_t node = node_of(x, to->to, &is_new);
        if (is_new) add_state_node(x, node);
        text_format(x->out, "  s%" PRIu64 " -> s%" PRIu64 " [", from, node);
        add_edge_label(x->machine, by, x->out);
        text_add(x->out, "];\n");
    }
}

static void expand(state_space *x, uint64_t node) {
    step_options how = {0};
    successors list = {0};
    transitions enabled = {0};
    state *s = x->states.data[node];
    machine_enabled(x->machine, s, &enabled);
    for (size_t i = 0; i < enabled.size && !x->trouble; i++) {
        machine_step(x->machine, s, enabled.data[i], &how, &list);
        add_successors(x, node, enabled.data[i], &list);
        successors_clear(x->machine, &list);
    }
    vec_free(&enabled);
    successors_free(x->machine, &list);
}

const char *picture_state_space(machine *m, uint64_t most, bool (*interrupted)(void *data), void *data,
                                text *out) {
    state_space x = {.machine = m, .out = out};
    bool is_new;
    state *first = machine_initial(m, 0);
    begin_graph(m, out);
    node_of(&x, first, &is_new);
    state_release(m, first);
    add_state_node(&x, 0);
    for (uint64_t node = 0; node < x.states.size && !x.trouble; node++) {
        if (interrupted && interrupted(data)) x.trouble = "interrupted";
        if (x.states.size > most) x.trouble = too_many;
        if (!x.trouble) expand(&x, node);
    }
    text_add(out, "}\n");
    for (size_t i = 0; i < x.states.size; i++) state_release(m, x.states.data[i]);
    vec_free(&x.states);
    vec_free(&x.alike);
    map_free(&x.by_hash);
    return x.trouble;
}

/* --- abstract states ------------------------------------------------------------------------------------ */

void picture_begin(picture *p, machine *m, uint64_t most, text *out) {
    *p = (picture){.machine = m, .out = out, .most = most};
    begin_graph(m, out);
}

void picture_add_node(void *data, const abstract_node *n) {
    picture *p = data;
    if (p->nodes++ >= p->most) return;
    text_format(p->out, "  n%u [label=", n->number);
    add_label(p->machine, n->s, p->out);
    text_format(p->out, "%s];\n", n->covered_by != NO_INDEX ? ", color=gray" : "");
    if (n->parent != NO_INDEX) {
        text_format(p->out, "  n%u -> n%u [", n->parent, n->number);
        add_edge_label(p->machine, n->by, p->out);
        text_add(p->out, "];\n");
    }
    if (n->covered_by != NO_INDEX)
        text_format(p->out, "  n%u -> n%u [style=dashed, color=gray, constraint=false];\n", n->number,
                    n->covered_by);
}

const char *picture_end(picture *p) {
    text_add(p->out, "}\n");
    if (!p->nodes) return "there is no graph of abstract states";
    return p->nodes > p->most ? too_many : NULL;
}
