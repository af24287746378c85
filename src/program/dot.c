#include "program/dot.h"

#include "base/escape.h"

#include <string.h>

enum { MOST_LINES = 40 }; /* of one block in a picture of the control flow */

static void begin_graph(const program *p, text *out) {
    text_add(out, "digraph ");
    escape_dot(p->file, out);
    text_add(out, " {\n  node [shape=box, fontname=monospace, fontsize=10];\n  edge [fontname=monospace, "
                  "fontsize=9];\n");
}

static void begin_function(const function *f, size_t number, text *out) {
    text_format(out, "  subgraph cluster_%zu {\n    label=", number);
    escape_dot(f->name, out);
    text_add(out, ";\n    style=rounded;\n");
}

/* Exits of a function are drawn by the shape of their block. */
static void add_block(size_t function, size_t block, const struct block *b, const char *label, text *out) {
    const instruction *last = &vec_last(&b->code);
    bool leaves = last->kind != INSTR_JUMP && last->kind != INSTR_BRANCH;
    text_format(out, "    f%zu_b%zu [label=", function, block);
    escape_dot(label, out);
    text_format(out, "%s%s];\n", leaves ? ", peripheries=2" : "", block ? "" : ", style=bold");
}

static void add_edges(size_t function, size_t block, const instruction *last, text *out) {
    if (last->kind == INSTR_JUMP)
        text_format(out, "    f%zu_b%zu -> f%zu_b%u;\n", function, block, function, last->target[0]);
    for (int way = 0; last->kind == INSTR_BRANCH && way < 2; way++)
        text_format(out, "    f%zu_b%zu -> f%zu_b%u [label=\"%s\"];\n", function, block, function,
                    last->target[way], way ? "no" : "yes");
}

static void add_function(const function *f, size_t number,
                         void (*label)(void *data, const block *b, text *out), void *data, text *out) {
    begin_function(f, number, out);
    for (size_t b = 0; b < f->blocks.size; b++) {
        text content = {0};
        label(data, &f->blocks.data[b], &content);
        add_block(number, b, &f->blocks.data[b], text_cstr(&content), out);
        text_free(&content);
    }
    for (size_t b = 0; b < f->blocks.size; b++) add_edges(number, b, &vec_last(&f->blocks.data[b].code), out);
    text_add(out, "  }\n");
}

/* --- lines ---------------------------------------------------------------------------------------------- */

typedef struct lines {
    const program *p;
    const function *f;
    dot_source source;
    void *data;
} lines;

static void add_line(const lines *l, uint32_t number, text *out) {
    size_t length = 0;
    const char *s =
        l->source ? l->source(l->data, l->f->file ? l->f->file : l->p->file, number, &length) : NULL;
    while (length && (*s == ' ' || *s == '\t')) s++, length--;
    text_format(out, "%u  %.*s\n", number, (int)length, s ? s : "");
}

static void label_lines(void *data, const block *b, text *out) {
    uint32_t shown = 0, count = 0;
    for (size_t k = 0; k < b->code.size && count < MOST_LINES; k++) {
        uint32_t line = b->code.data[k].at.line;
        if (!line || line == shown) continue;
        add_line(data, line, out);
        shown = line;
        count++;
    }
    if (count == MOST_LINES) text_add(out, "...\n");
}

void dot_print_control_flow(const program *p, dot_source source, void *data, text *out) {
    begin_graph(p, out);
    for (size_t f = 0; f < p->functions.size; f++) {
        lines l = {p, &p->functions.data[f], source, data};
        if (!l.f->hidden) add_function(l.f, f, label_lines, &l, out);
    }
    text_add(out, "}\n");
}

/* --- instructions --------------------------------------------------------------------------------------- */

static void label_instructions(void *data, const block *b, text *out) {
    const lines *l = data;
    for (size_t k = 0; k < b->code.size; k++) {
        program_print_instruction(l->p, l->f, &b->code.data[k], out);
        text_char(out, '\n');
    }
}

void dot_print_instructions(const program *p, text *out) {
    begin_graph(p, out);
    for (size_t f = 0; f < p->functions.size; f++) {
        lines l = {.p = p, .f = &p->functions.data[f]};
        add_function(l.f, f, label_instructions, &l, out);
    }
    text_add(out, "}\n");
}
