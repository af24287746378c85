#include "base/escape.h"
#include "report/formats/formats.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct vcd_name {
    const char *name; /* with dots */
    uint32_t signal;  /* number of its identifier */
    uint8_t width;
} vcd_name;

typedef struct waveform {
    const trace *t;
    text *out;
    VEC(vcd_name) names;
    VEC(const char *) threads; /* signal number = variables + its index */
    bool *shown;               /* for each variable */
    uint64_t ticks;            /* of one unit of the program's time */
} waveform;

/* --- declarations --------------------------------------------------------------------------------------- */

/* Identifiers are numbers in base 94, written with the printable characters. */
static void add_identifier(uint32_t number, text *out) {
    do {
        text_char(out, (char)('!' + number % 94));
        number /= 94;
    } while (number);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const vcd_name *)a)->name, ((const vcd_name *)b)->name);
}

/* Where the last component begins; a dot inside brackets divides nothing. */
static size_t scope_length(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

/* Leaves scopes until the rest is a prefix of `to`, then enters what is missing. `open` is the present scope,
 * components with a dot behind each. */
static void change_scope(text *open, const char *to, size_t length, text *out) {
    while (open->size && (open->size > length + 1 || strncmp(open->data, to, open->size - 1) ||
                          (open->size - 1 < length && to[open->size - 1] != '.'))) {
        do open->size--;
        while (open->size && open->data[open->size - 1] != '.');
        text_add(out, "$upscope $end\n");
    }
    while (open->size < length) {
        size_t part = strcspn(to + open->size, ".");
        if (open->size + part > length) part = length - open->size;
        char *copy = mem_duplicate(to + open->size, part + 1);
        copy[part] = 0;
        text_add(out, "$scope module ");
        escape_vcd(copy, out);
        text_add(out, " $end\n");
        text_format(open, "%s.", copy);
        mem_free(copy);
    }
}

static void declare(waveform *w, const vcd_name *v, const char *last) {
    text_format(w->out, "$var %s %u ", v->width > 1 ? "integer" : "wire", v->width);
    add_identifier(v->signal, w->out);
    text_char(w->out, ' ');
    escape_vcd(last, w->out);
    text_add(w->out, " $end\n");
}

static void declare_all(waveform *w) {
    text open = {0};
    qsort(w->names.data, w->names.size, sizeof *w->names.data, by_name);
    for (size_t i = 0; i < w->names.size; i++) {
        const vcd_name *v = &w->names.data[i];
        size_t length = scope_length(v->name);
        change_scope(&open, v->name, length, w->out);
        declare(w, v, v->name + length + (length > 0));
    }
    change_scope(&open, "", 0, w->out);
    assert(!open.size); /* whatever was entered was left */
    text_free(&open);
}

static uint32_t thread_signal(waveform *w, const char *thread) {
    size_t i = 0;
    while (i < w->threads.size && strcmp(w->threads.data[i], thread)) i++;
    if (i == w->threads.size) vec_push(&w->threads, thread);
    return (uint32_t)(w->t->variables.size + i);
}

/* --- time ----------------------------------------------------------------------------------------------- */

/* The longest row of steps at the same time. */
static uint64_t longest_row(const trace *t) {
    uint64_t longest = 0, row = 0;
    for (size_t i = 0; i < t->steps.size; i++) {
        row = i && t->steps.data[i].time == t->steps.data[i - 1].time ? row + 1 : 1;
        if (row > longest) longest = row;
    }
    return longest;
}

/* A unit of time becomes a power of ten of ticks, enough for all steps at one time; the scale says how long a
 * tick is, as far as the format can. */
static void choose_scale(waveform *w) {
    static const char *const units[] = {"1 fs", "10 fs", "100 fs", "1 ps", "10 ps", "100 ps",
                                        "1 ns", "10 ns", "100 ns", "1 us", "10 us", "100 us",
                                        "1 ms", "10 ms", "100 ms", "1 s"};
    enum { NANOSECOND = 6 };
    unsigned exponent = NANOSECOND;
    if (w->t->resolution) {
        exponent = 0;
        for (uint64_t r = w->t->resolution; r >= 10; r /= 10) exponent++;
    }
    unsigned digits = 0;
    bool timed = false;
    for (size_t i = 0; i < w->t->steps.size; i++) timed |= w->t->steps.data[i].time > 0;
    w->ticks = 1;
    for (uint64_t row = longest_row(w->t) + 1; timed && w->ticks < row; digits++) w->ticks *= 10;
    unsigned unit = exponent >= digits ? exponent - digits : 0;
    if (unit >= sizeof units / sizeof *units) unit = sizeof units / sizeof *units - 1;
    text_format(w->out, "$comment a step is a tick; %" PRIu64 " ticks are one unit of simulated time $end\n",
                w->ticks);
    text_format(w->out, "$timescale %s $end\n", units[unit]);
}

/* --- values --------------------------------------------------------------------------------------------- */

static void set_signal(waveform *w, uint32_t signal, uint8_t width, bool known, uint64_t value) {
    if (width > 1) text_char(w->out, 'b');
    if (!known) text_char(w->out, 'x');
    unsigned bit = width;
    while (known && bit > 1 && !(value >> (bit - 1) & 1)) bit--; /* readers put zeros before it */
    while (known && bit-- > 0) text_char(w->out, value >> bit & 1 ? '1' : '0');
    if (width > 1) text_char(w->out, ' ');
    add_identifier(signal, w->out);
    text_char(w->out, '\n');
}

static uint8_t shown_width(const trace_variable *v) {
    return v->type.view == VIEW_BOOL ? 1 : v->type.width;
}

static void dump_initial(waveform *w) {
    const trace *t = w->t;
    text_add(w->out, "#0\n$dumpvars\n");
    for (uint32_t i = 0; i < t->variables.size; i++) {
        const trace_variable *v = &t->variables.data[i];
        if (w->shown[i]) set_signal(w, i, shown_width(v), v->known, v->initial);
    }
    for (uint32_t i = 0; i < w->threads.size; i++) set_signal(w, (uint32_t)t->variables.size + i, 1, true, 0);
    text_add(w->out, "$end\n");
}

static void dump_steps(waveform *w) {
    uint32_t running = NO_INDEX;
    uint64_t row = 0, tick = 0;
    for (size_t i = 0; i < w->t->steps.size; i++) {
        const trace_step *s = &w->t->steps.data[i];
        row = i && s->time == w->t->steps.data[i - 1].time ? row + 1 : s->time ? 0 : 1;
        assert(!i || s->time * w->ticks + row > tick); /* readers want ascending ticks */
        tick = s->time * w->ticks + row;
        text_format(w->out, "#%" PRIu64 "\n", tick);
        uint32_t now = thread_signal(w, s->thread);
        if (running != NO_INDEX && running != now) set_signal(w, running, 1, true, 0);
        if (running != now) set_signal(w, now, 1, true, 1);
        running = now;
        for (size_t k = 0; k < s->samples.size; k++) {
            const trace_sample *sample = &s->samples.data[k];
            set_signal(w, sample->variable, shown_width(&w->t->variables.data[sample->variable]),
                       sample->known, sample->value);
        }
    }
    text_format(w->out, "#%" PRIu64 "\n", tick + 1);
    if (running != NO_INDEX) set_signal(w, running, 1, true, 0);
}

static void choose_variables(waveform *w) {
    const trace *t = w->t;
    w->shown = mem_zero(t->variables.size + 1, sizeof *w->shown);
    for (uint32_t i = 0; i < t->variables.size; i++) w->shown[i] = !t->variables.data[i].minor;
    for (size_t i = 0; i < t->steps.size; i++)
        for (size_t k = 0; k < t->steps.data[i].samples.size; k++)
            w->shown[t->steps.data[i].samples.data[k].variable] = true;
    for (uint32_t i = 0; i < t->variables.size; i++)
        if (w->shown[i])
            vec_push(&w->names,
                     ((vcd_name){t->variables.data[i].name, i, shown_width(&t->variables.data[i])}));
}

void vcd_print(const report *r, text *out) {
    waveform w = {.t = r->trace, .out = out};
    VEC(char *) made = {0};
    choose_variables(&w);
    for (size_t i = 0; i < w.t->steps.size; i++) thread_signal(&w, w.t->steps.data[i].thread);
    for (size_t i = 0; i < w.threads.size; i++) {
        text name = {0};
        text_format(&name, "%s.running", w.threads.data[i]);
        vec_push(&made, mem_copy_string(text_cstr(&name)));
        vec_push(&w.names, ((vcd_name){vec_last(&made), (uint32_t)(w.t->variables.size + i), 1}));
        text_free(&name);
    }
    text_format(out, "$version Heddle %s $end\n", r->version);
    choose_scale(&w);
    text_add(out, "$scope module ");
    escape_vcd(r->file, out);
    text_add(out, " $end\n");
    declare_all(&w);
    text_add(out, "$upscope $end\n$enddefinitions $end\n");
    dump_initial(&w);
    dump_steps(&w);
    for (size_t i = 0; i < made.size; i++) mem_free(made.data[i]);
    vec_free(&made);
    vec_free(&w.names);
    mem_free(w.shown);
    vec_free(&w.threads);
}
