#include "simulator/simulator_run.h"

#include "explore/player.h"
#include "machine/hangs.h"
#include "machine/setup.h"
#include "machine/watch.h"
#include "simulator/simulator_order.h"

#include <stdlib.h>

/* --- inputs --------------------------------------------------------------------------------------------- */

typedef struct given_value { /* of the text of the stimulus */
    const char *name;
    size_t length;
    uint64_t value;
    bool taken;
} given_value;

typedef struct course { /* of the run */
    player at;
    simulator_order *order;
    output out;
    valuation *inputs;
    VEC(given_value) given;
} course;

static uint64_t parse_value(const char *s, size_t length) {
    char copy[80] = "";
    memcpy(copy, s, length < sizeof copy - 1 ? length : sizeof copy - 1);
    if (!strcmp(copy, "true")) return 1;
    return *copy == '-' ? (uint64_t)strtoll(copy, NULL, 0) : strtoull(copy, NULL, 0);
}

static void parse_line(course *c, const char *line, size_t length) {
    static const char blank[] = " \t\r";
    const char *comment = memchr(line, '#', length), *end = comment ? comment : line + length;
    const char *word[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        while (line < end && strchr(blank, *line)) line++;
        for (word[k] = line; line < end && !strchr(blank, *line); line++) size[k]++;
    }
    if (size[1]) vec_push(&c->given, ((given_value){word[0], size[0], parse_value(word[1], size[1]), false}));
}

static void parse_stimulus(course *c, const char *s) {
    while (s && *s) {
        size_t length = strcspn(s, "\n");
        parse_line(c, s, length);
        s += length + (s[length] == '\n');
    }
}

static uint64_t take_value(course *c, const char *name) {
    for (size_t k = 0; k < c->given.size; k++) {
        given_value *v = &c->given.data[k];
        if (v->taken || strlen(name) != v->length || memcmp(v->name, name, v->length)) continue;
        v->taken = true;
        return v->value;
    }
    return 0;
}

static void draw(void *data, const state *s, value name, uint32_t input, const term *symbol) {
    course *c = data;
    text called = {0};
    output_read_text(c->at.m, s, name, &called);
    const char *declared = machine_program(c->at.m)->inputs.data[input].name;
    valuation_set(c->inputs, symbol, take_value(c, called.size ? text_cstr(&called) : declared));
    text_free(&called);
}

/* --- running -------------------------------------------------------------------------------------------- */

static void note(void *data, seen_kind what, uint32_t number, const term *due) {
    simulator_order_note(((course *)data)->order, what, number, due);
}

static void print(void *data, const state *s, print_form form, const value *given, uint32_t count) {
    output_print(&((course *)data)->out, s, form, given, count);
}

static void stop_for(simulator_run *r, reason why) {
    r->end = SIMULATOR_STOPS;
    r->why = why;
}

/* Whether the run is over behind this step. */
static bool is_over(machine *m, const simulator_request *wanted, const successor *s, simulator_run *r) {
    switch (s->end) {
    case STEP_FINISHED: return true;
    case STEP_ASSUMED_AWAY: stop_for(r, (reason){.kind = REASON_SIMULATOR_ASSUMPTION}); return true;
    case STEP_LIMIT:
        stop_for(r, s->why);
        r->place = s->place;
        r->file = s->file;
        return true;
    case STEP_VIOLATION:
        r->end = SIMULATOR_FAILS;
        r->check = s->check;
        r->place = s->place;
        r->file = s->file;
        return true;
    case STEP_STOPPED: break;
    }
    if (!(wanted->properties & PROPERTY_DEADLOCK) || !machine_deadlocked(m, s->to)) return false;
    r->end = SIMULATOR_FAILS;
    r->check = NO_INDEX;
    return true;
}

/* False: the run is over. */
static bool take_step(course *c, const simulator_request *wanted, simulator_run *r) {
    transition t;
    bool found = simulator_order_choose(c->order, c->at.now, &t);
    if (found) player_look(&c->at, t);
    if (simulator_order_is_lost(c->order)) stop_for(r, (reason){.kind = REASON_SIMULATOR_ORDER});
    if (!found || simulator_order_is_lost(c->order)) return false;
    if (c->at.next.size != 1) {
        stop_for(r, (reason){.kind = REASON_SIMULATOR_OPEN});
        return false;
    }
    const successor *only = &c->at.next.data[0];
    assert(!c->inputs || !state_path_count(only->to)); /* every input has its number */
    player_take(&c->at, only);
    if (is_over(c->at.m, wanted, only, r)) return false;
    simulator_order_go_on(c->order, c->at.now);
    return true;
}

void simulator_run_design(machine *m, const simulator_request *wanted, valuation *inputs,
                          simulator_run *out) {
    course c = {.order = simulator_order_create(m), .out = output_create(m), .inputs = inputs};
    machine_watch watch = {.data = &c, .happens = note, .prints = print, .draws = draw};
    const char *before = machine_program(m)->elaboration.printed;
    *out = (simulator_run){.end = SIMULATOR_ENDS, .check = NO_INDEX};
    if (before) text_add(&c.out.printed, before);
    parse_stimulus(&c, wanted->stimulus);
    c.at = player_begin(m, &(step_options){.inputs = inputs, .watch = &watch});
    bool goes_on = true;
    for (uint64_t steps = 0; goes_on; steps++) {
        bool interrupted = wanted->interrupted && wanted->interrupted(wanted->interrupted_data);
        if (steps == wanted->steps || interrupted) {
            stop_for(out, (reason){.kind = interrupted ? REASON_INTERRUPTED : REASON_STEP_COUNT});
            break;
        }
        goes_on = take_step(&c, wanted, out);
    }
    path_append(&out->path, &c.at.done);
    player_end(&c.at);
    simulator_order_destroy(c.order);
    vec_free(&c.given);
    out->printed = c.out.printed;
}

void simulator_run_free(simulator_run *r) {
    vec_free(&r->path);
    text_free(&r->printed);
}
