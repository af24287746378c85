/* Modules, channels and sc_main around the statements of a tiny program. */
#include "design_internal.h"

#include <stdio.h>

enum { MOST_PARTS = 3 };

static bool is_there(const design_writer *w, uint32_t b, body_role role) {
    if (w->style->signal.is_there && b == w->style->signal.update) return false;
    return b < w->p->bodies && w->p->body[b].role == role && !w->p->body[b].absent;
}

static uint32_t part_of(uint32_t thread) {
    return thread % MOST_PARTS;
}

static bool has_part(const design_writer *w, uint32_t part) {
    for (uint32_t b = 1; b < w->p->bodies; b++)
        if (is_there(w, b, BODY_THREAD) && part_of(b) == part) return true;
    return false;
}

/* --- data and references to it -------------------------------------------------------------------------- */

static bool is_signal(const design_writer *w, unsigned global) {
    return w->style->signal.is_there && global == w->style->signal.global;
}

static bool is_hidden(const design_writer *w, unsigned global) {
    return w->style->signal.is_there && global == w->style->signal.next;
}

static void print_globals(design_writer *w) {
    for (unsigned k = 0; k < w->p->globals; k++) {
        const tiny_global *g = &w->p->global[k];
        if (is_hidden(w, k)) continue;
        design_indent(w);
        if (is_signal(w, k)) {
            text_format(w->out, "sc_signal<%s, SC_UNCHECKED_WRITERS> g%u{\"g%u\", %d};\n",
                        design_type_name(g->type), k, k, g->low);
            continue;
        }
        text_format(w->out, "%s %sg%u", design_type_name(g->type), g->pointer ? "*" : "", k);
        if (g->elements)
            text_format(w->out, "[%u] = {};\n", g->elements);
        else if (g->pointer)
            text_add(w->out, " = nullptr;\n");
        else
            text_format(w->out, " = %d;\n", g->input ? 0 : g->low);
    }
}

static void print_events(design_writer *w) {
    if (w->p->event_array) {
        design_indent(w);
        text_format(w->out, "sc_event e[%u];\n", w->p->events);
    }
    for (unsigned e = 0; e < w->p->events && !w->p->event_array; e++) {
        if (design_is_signal_event(w, e)) continue;
        design_indent(w);
        text_format(w->out, "sc_event e%u;\n", e);
    }
}

static void print_handles(design_writer *w) {
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (!is_there(w, b, BODY_THREAD) || !design_is_controlled(w->p, b)) continue;
        design_indent(w);
        text_format(w->out, "sc_process_handle h%u;\n", b);
    }
    if (!w->style->starter) return;
    design_indent(w);
    text_add(w->out, "sc_event begin;\n");
}

typedef enum { DATA_ONLY, WITH_PROCESSES } reference_kind;

typedef void (*name_visitor)(design_writer *w, const char *type, const char *name, unsigned elements);

static void each_name(design_writer *w, reference_kind what, name_visitor visit) {
    char name[16], type[64];
    for (unsigned k = 0; k < w->p->globals; k++) {
        const tiny_global *g = &w->p->global[k];
        snprintf(name, sizeof name, "g%u", k);
        if (is_hidden(w, k)) continue;
        if (is_signal(w, k))
            snprintf(type, sizeof type, "sc_signal<%s, SC_UNCHECKED_WRITERS>", design_type_name(g->type));
        else
            snprintf(type, sizeof type, "%s%s", design_type_name(g->type), g->pointer ? " *" : "");
        visit(w, type, name, g->elements);
    }
    if (w->p->event_array) visit(w, "sc_event", "e", w->p->events);
    for (unsigned e = 0; e < w->p->events && !w->p->event_array; e++) {
        if (design_is_signal_event(w, e)) continue;
        snprintf(name, sizeof name, "e%u", e);
        visit(w, "sc_event", name, 0);
    }
    if (what == DATA_ONLY) return;
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (is_there(w, b, BODY_THREAD) && design_is_controlled(w->p, b)) {
            snprintf(name, sizeof name, "h%u", b);
            visit(w, "sc_process_handle", name, 0);
        }
        if (!is_there(w, b, BODY_UPDATE)) continue;
        snprintf(name, sizeof name, "u%u", b);
        snprintf(type, sizeof type, "channel_%u", b);
        visit(w, type, name, 0);
    }
    if (w->style->starter) visit(w, "sc_event", "begin", 0);
}

static void declare_reference(design_writer *w, const char *type, const char *name, unsigned elements) {
    design_indent(w);
    if (elements)
        text_format(w->out, "%s (&%s)[%u];\n", type, name, elements);
    else
        text_format(w->out, "%s &%s;\n", type, name);
}

static void initialise_reference(design_writer *w, const char *type, const char *name, unsigned elements) {
    (void)type, (void)elements;
    text_format(w->out, ", %s(s.%s)", name, name);
}

static void bind_in_main(design_writer *w, const char *type, const char *name, unsigned elements) {
    (void)type, (void)elements;
    text_format(w->out, "    auto &%s = design.%s%s;\n", name, w->style->parts ? "s." : "", name);
}

/* --- channels and functions ----------------------------------------------------------------------------- */

static void print_body_from(design_writer *w, const tiny_body *b, uint32_t first) {
    w->depth++;
    for (unsigned k = b->parameter; k < b->locals; k++) design_print_local(w, b, k, "");
    bool catches = b->handler != TINY_NONE;
    w->depth += catches;
    if (catches) text_add(w->out, "        try {\n");
    design_print_list(w, first, TINY_NONE);
    if (catches) {
        text_add(w->out, "        } catch (int) {\n");
        design_print_list(w, b->handler, TINY_NONE);
        text_add(w->out, "        }\n");
        w->depth--;
    }
    w->depth--;
    design_indent(w);
    text_add(w->out, "}\n");
}

static void print_body(design_writer *w, const tiny_body *b) {
    print_body_from(w, b, b->first);
}

static void print_channel_classes(design_writer *w) {
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (!is_there(w, b, BODY_UPDATE)) continue;
        text_format(w->out, "struct channel_%u : sc_prim_channel {\n", b);
        w->depth = 1;
        if (w->style->module_data) {
            each_name(w, DATA_ONLY, declare_reference);
            text_format(w->out,
                        "    template <class S> channel_%u(const char *name, S &s) : sc_prim_channel(name)",
                        b);
            each_name(w, DATA_ONLY, initialise_reference);
            text_add(w->out, " {}\n");
        } else {
            text_format(w->out, "    channel_%u(const char *name) : sc_prim_channel(name) {}\n", b);
        }
        text_add(w->out, "    void request() { request_update(); }\n    void update() override {\n");
        print_body(w, &w->p->body[b]);
        w->depth = 0;
        text_add(w->out, "};\n");
    }
}

static void print_channels(design_writer *w) {
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (!is_there(w, b, BODY_UPDATE)) continue;
        design_indent(w);
        text_format(w->out, "channel_%u u%u{\"u%u\"%s};\n", b, b, b, w->style->module_data ? ", *this" : "");
    }
}

static void print_function_head(design_writer *w, uint32_t b) {
    const tiny_body *f = &w->p->body[b];
    design_indent(w);
    text_format(w->out, "%svoid f%u(", w->style->ports ? "virtual " : "", b);
    if (f->parameter)
        text_format(w->out, "%s %sa0", design_type_name(f->local[0].type), f->local[0].pointer ? "*" : "");
    text_add(w->out, ")");
}

static void print_functions(design_writer *w) {
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (!is_there(w, b, BODY_FUNCTION)) continue;
        print_function_head(w, b);
        text_add(w->out, " {\n");
        print_body(w, &w->p->body[b]);
    }
}

static void print_interface(design_writer *w) {
    text_add(w->out, "struct api_if : virtual sc_interface {\n");
    w->depth = 1;
    for (uint32_t b = 1; b < w->p->bodies; b++) {
        if (!is_there(w, b, BODY_FUNCTION)) continue;
        print_function_head(w, b);
        text_add(w->out, " = 0;\n");
    }
    w->depth = 0;
    text_add(w->out, "};\n");
}

/* --- processes ------------------------------------------------------------------------------------------ */

static bool is_method(const design_writer *w, uint32_t b, design_method *how) {
    *how = design_find_method(w->p, b);
    return w->style->methods && how->loop != TINY_NONE;
}

/* Processes that the starter lets begin are sensitive to that. */
static uint8_t heard_events(const design_writer *w, uint32_t b) {
    return w->style->sensitivity && !w->style->starter ? design_heard_events(w->p, b) : 0;
}

/* The wait that dont_initialize does; TINY_NONE: the process begins at once. */
static uint32_t wait_before_beginning(const design_writer *w, uint32_t b) {
    design_method how;
    return w->style->late ? design_first_wait(w->p, b, is_method(w, b, &how)) : TINY_NONE;
}

/* Unless it begins with its first wait, the first run goes up to there; what is kept from run to
 * run are members. */
static void print_method(design_writer *w, uint32_t b, const design_method *how) {
    const tiny_body *body = &w->p->body[b];
    char prefix[16];
    snprintf(prefix, sizeof prefix, "t%u_", b);
    for (unsigned k = 0; k < body->locals; k++) design_print_local(w, body, k, prefix);
    bool late = wait_before_beginning(w, b) != TINY_NONE;
    if (!late) text_format(w->out, "    bool t%u_begun = false;\n", b);
    text_format(w->out, "    void t%u() {\n", b);
    for (unsigned k = 0; k < body->locals; k++)
        text_format(w->out, "        auto &a%u = t%u_a%u;\n", k, b, k);
    if (!late) text_format(w->out, "        if (!t%u_begun) {\n            t%u_begun = true;\n", b, b);
    w->depth = 3;
    if (!late) design_print_list(w, body->first, how->loop);
    uint32_t inside = w->p->stmts.data[how->loop].body;
    if (late) {
        w->depth = 2;
        design_print_list(w, w->p->stmts.data[how->wait].next, TINY_NONE);
    } else if (how->waits_first) {
        text_add(w->out, "        } else {\n");
        design_print_list(w, w->p->stmts.data[how->wait].next, TINY_NONE);
        text_add(w->out, "        }\n");
    } else {
        text_add(w->out, "        }\n");
        w->depth = 2;
        design_print_list(w, inside, how->wait);
    }
    w->depth = 1;
    const tiny_stmt *wait = &w->p->stmts.data[how->wait];
    if (wait->kind == STMT_WAIT_TIME || !heard_events(w, b)) {
        text_format(w->out, "#line %u\n        next_trigger(", wait->line);
        design_print_trigger(w, wait);
        text_add(w->out, ");\n");
    }
    text_add(w->out, "    }\n");
}

static void print_process(design_writer *w, uint32_t b) {
    design_method how;
    if (is_method(w, b, &how)) {
        print_method(w, b, &how);
        return;
    }
    w->heard = heard_events(w, b);
    text_format(w->out, "    void t%u() {\n", b);
    uint32_t before = wait_before_beginning(w, b);
    const tiny_body *body = &w->p->body[b];
    print_body_from(w, body, before == TINY_NONE ? body->first : w->p->stmts.data[before].next);
    w->heard = 0;
}

static void print_sensitivity(design_writer *w, uint8_t heard) {
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++) {
        if (!(heard >> e & 1)) continue;
        if (design_is_signal_event(w, e))
            text_format(w->out, "        sensitive << g%u;\n", w->style->signal.global);
        else
            text_format(w->out,
                        w->p->event_array ? "        sensitive << e[%u];\n" : "        sensitive << e%u;\n",
                        e);
    }
}

static void print_creation(design_writer *w, uint32_t b) {
    design_method how;
    text_format(w->out, "        %s(t%u);\n", is_method(w, b, &how) ? "SC_METHOD" : "SC_THREAD", b);
    uint32_t before = wait_before_beginning(w, b);
    print_sensitivity(w, before == TINY_NONE ? heard_events(w, b) : w->p->stmts.data[before].events);
    if (w->style->starter) text_add(w->out, "        sensitive << begin;\n        dont_initialize();\n");
    if (before != TINY_NONE && w->style->mutant != DESIGN_BEGINS_EARLY)
        text_add(w->out, "        dont_initialize();\n");
    if (design_is_controlled(w->p, b))
        text_format(w->out, "        h%u = sc_get_current_process_handle();\n", b);
}

/* Processes of one part, or all of them (MOST_PARTS). */
static void print_processes(design_writer *w, uint32_t part) {
    for (uint32_t b = 1; b < w->p->bodies; b++)
        if (is_there(w, b, BODY_THREAD) && (part == MOST_PARTS || part_of(b) == part)) print_process(w, b);
}

static void print_creations(design_writer *w, uint32_t part) {
    for (uint32_t b = 1; b < w->p->bodies; b++)
        if (is_there(w, b, BODY_THREAD) && (part == MOST_PARTS || part_of(b) == part)) print_creation(w, b);
}

static void print_starter(design_writer *w) {
    if (!w->style->starter) return;
    text_add(w->out, "    void starter() {\n");
    w->depth = 2;
    design_print_input_ranges(w);
    design_print_list(w, w->p->body[0].first, design_first_start(w->p));
    w->depth = 1;
    text_add(w->out, "        begin.notify(SC_ZERO_TIME);\n    }\n");
}

/* --- modules -------------------------------------------------------------------------------------------- */

static void print_part(design_writer *w, uint32_t part) {
    bool refers = w->style->module_data;
    text_format(w->out, "SC_MODULE(part%u) {\n", part);
    w->depth = 1;
    if (refers) {
        text_add(w->out, "    shared &s;\n");
        if (w->style->ports) text_add(w->out, "    sc_port<api_if> api{\"api\"};\n");
        each_name(w, WITH_PROCESSES, declare_reference);
    }
    w->functions = !refers ? "" : w->style->ports ? "api->" : "s.";
    print_processes(w, part);
    w->functions = "";
    text_format(w->out, "    SC_HAS_PROCESS(part%u);\n    part%u(sc_module_name%s)", part, part,
                refers ? ", shared &s" : "");
    if (refers) {
        text_add(w->out, " : s(s)");
        each_name(w, WITH_PROCESSES, initialise_reference);
    }
    text_add(w->out, " {\n");
    print_creations(w, part);
    w->depth = 0;
    text_add(w->out, "    }\n};\n");
}

/* The module that holds data, or just processes. */
static void print_holder(design_writer *w, const char *name, bool processes) {
    text_format(w->out, "struct %s : sc_module%s {\n", name, w->style->ports ? ", api_if" : "");
    w->depth = 1;
    if (w->style->module_data) {
        print_globals(w);
        print_events(w);
        print_handles(w);
        print_channels(w);
        print_functions(w);
    }
    print_starter(w);
    if (processes) print_processes(w, MOST_PARTS);
    text_format(w->out, "    SC_CTOR(%s) {\n", name);
    if (w->style->starter) text_add(w->out, "        SC_THREAD(starter);\n");
    if (processes) print_creations(w, MOST_PARTS);
    w->depth = 0;
    text_add(w->out, "    }\n};\n");
}

static void print_whole(design_writer *w) {
    text_add(w->out, "struct top : sc_module {\n    shared s{\"shared\"};\n");
    for (uint32_t k = 0; k < MOST_PARTS; k++)
        if (has_part(w, k))
            text_format(w->out, "    part%u p%u{\"p%u\"%s};\n", k, k, k, w->style->module_data ? ", s" : "");
    text_add(w->out, "    SC_CTOR(top) {\n");
    for (uint32_t k = 0; k < MOST_PARTS && w->style->ports; k++)
        if (has_part(w, k)) text_format(w->out, "        p%u.api(s);\n", k);
    text_add(w->out, "    }\n};\n");
}

static void print_modules(design_writer *w) {
    print_holder(w, w->style->parts ? "shared" : "top", !w->style->parts);
    if (!w->style->parts) return;
    for (uint32_t k = 0; k < MOST_PARTS; k++)
        if (has_part(w, k)) print_part(w, k);
    print_whole(w);
}

/* For real.h, as the reference has them. */
static void print_finals(design_writer *w) {
    text_add(w->out, "#ifdef HEDDLE_ORACLE_FINALS\n    std::cout << \"finals\"");
    for (unsigned k = 0; k < w->p->globals; k++) {
        const tiny_global *g = &w->p->global[k];
        for (unsigned i = 0; i < (g->elements ? g->elements : 1u); i++) {
            if (is_hidden(w, k))
                text_add(w->out, " << \" ?\"");
            else if (g->pointer)
                text_add(w->out, " << \" 0\"");
            else
                text_format(w->out,
                            is_signal(w, k) ? " << ' ' << int64_t(g%u.read())" : " << ' ' << int64_t(g%u", k);
            if (is_hidden(w, k) || g->pointer || is_signal(w, k)) continue;
            if (g->elements) text_format(w->out, "[%u]", i);
            text_add(w->out, ")");
        }
    }
    text_add(w->out, " << std::endl;\n#endif\n");
}

static void print_main(design_writer *w) {
    text_add(w->out, "int sc_main(int, char *[]) {\n    top design(\"top\");\n");
    if (w->style->module_data) each_name(w, WITH_PROCESSES, bind_in_main);
    w->depth = 1;
    const tiny_body *b = &w->p->body[0];
    for (unsigned k = 0; k < b->locals; k++) design_print_local(w, b, k, "");
    if (!w->style->starter) design_print_input_ranges(w);
    design_print_list(w, w->style->starter ? design_first_start(w->p) : b->first, TINY_NONE);
    w->depth = 0;
    print_finals(w);
    text_add(w->out, "    return 0;\n}\n");
}

static const char prologue[] = "#include <systemc.h>\n"
                               "extern \"C\" {\n"
                               "void __VERIFIER_assert(int);\n"
                               "void __VERIFIER_assume(int);\n"
                               "bool __VERIFIER_nondet_bool();\n"
                               "char __VERIFIER_nondet_char();\n"
                               "unsigned char __VERIFIER_nondet_uchar();\n"
                               "short __VERIFIER_nondet_short();\n"
                               "unsigned short __VERIFIER_nondet_ushort();\n"
                               "int __VERIFIER_nondet_int();\n"
                               "unsigned __VERIFIER_nondet_uint();\n"
                               "long __VERIFIER_nondet_long();\n"
                               "unsigned long __VERIFIER_nondet_ulong();\n"
                               "}\n";

void design_print(const tiny_program *p, const design_style *style, text *out) {
    design_writer w = {.p = p, .style = style, .out = out, .limited = design_is_limited(p), .functions = ""};
    text_add(out, prologue);
    if (!style->module_data) {
        print_globals(&w);
        print_events(&w);
        print_handles(&w);
    }
    print_channel_classes(&w);
    if (!style->module_data) {
        print_channels(&w);
        print_functions(&w);
    }
    if (style->ports) print_interface(&w);
    print_modules(&w);
    print_main(&w);
}
