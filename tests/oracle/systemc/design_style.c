/* What can be said how. */
#include "base/hash.h"
#include "design_internal.h"

static const char *const mutant_names[DESIGN_MUTANTS] = {"none",         "drops-cancel",  "delays-notify",
                                                         "begins-early", "any-for-all",   "loses-resume",
                                                         "knows-inputs", "controls-late", "disables-nothing"};

const char *design_mutant_name(design_mutant m) {
    return mutant_names[m];
}

const char *design_mutant_definition(design_mutant m) {
    return m == DESIGN_ANY_FOR_ALL        ? "-D__heddle_sc_wait_all=__heddle_sc_wait_any"
           : m == DESIGN_LOSES_RESUME     ? "-D__heddle_sc_resume=__heddle_sc_suspend"
           : m == DESIGN_CONTROLS_LATE    ? "-D__heddle_sc_run_now=__heddle_sc_enable"
           : m == DESIGN_DISABLES_NOTHING ? "-D__heddle_sc_disable=__heddle_sc_enable"
                                          : NULL;
}

/* --- questions about programs --------------------------------------------------------------------------- */

typedef bool (*stmt_test)(const tiny_program *p, const tiny_stmt *s, uint32_t body);

/* Some statement of the list up to `until`, inside of others too; the generator bounds the nesting. */
static bool some_statement(const tiny_program *p, uint32_t from, uint32_t until, stmt_test test,
                           uint32_t body) {
    for (uint32_t s = from; s != TINY_NONE && s != until; s = p->stmts.data[s].next) {
        const tiny_stmt *t = &p->stmts.data[s];
        if (t->kind == STMT_NOTHING) continue;
        if (test(p, t, body) || some_statement(p, t->body, TINY_NONE, test, body) ||
            some_statement(p, t->other, TINY_NONE, test, body))
            return true;
    }
    return false;
}

static bool some_in_body(const tiny_program *p, uint32_t b, stmt_test test, uint32_t body) {
    return some_statement(p, p->body[b].first, TINY_NONE, test, body) ||
           some_statement(p, p->body[b].handler, TINY_NONE, test, body);
}

static bool leaves_or_pauses(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    switch (s->kind) {
    case STMT_WAIT:
    case STMT_WAIT_TIME:
    case STMT_BREAK:
    case STMT_RETURN: return true;
    case STMT_SUSPEND: return (uint32_t)s->number == body;
    case STMT_CALL: return some_statement(p, p->body[s->number].first, TINY_NONE, leaves_or_pauses, body);
    default: return false;
    }
}

static uint32_t first_real(const tiny_program *p, uint32_t s) {
    while (s != TINY_NONE && p->stmts.data[s].kind == STMT_NOTHING) s = p->stmts.data[s].next;
    return s;
}

static uint32_t last_real(const tiny_program *p, uint32_t s) {
    uint32_t last = TINY_NONE;
    for (; s != TINY_NONE; s = p->stmts.data[s].next)
        if (p->stmts.data[s].kind != STMT_NOTHING) last = s;
    return last;
}

static bool is_wait(const tiny_program *p, uint32_t s) {
    return s != TINY_NONE && (p->stmts.data[s].kind == STMT_WAIT || p->stmts.data[s].kind == STMT_WAIT_TIME);
}

/* Methods begin anew each time: what a reset or an exception would do to them is something else. */
static bool restarts(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p;
    return (s->kind == STMT_RESET || s->kind == STMT_THROW || s->kind == STMT_SYNC_RESET) &&
           (uint32_t)s->number == body;
}

static bool is_restarted(const tiny_program *p, uint32_t body) {
    for (uint32_t b = 1; b < p->bodies; b++)
        if (!p->body[b].absent && some_in_body(p, b, restarts, body)) return true;
    return false;
}

design_method design_find_method(const tiny_program *p, uint32_t body) {
    design_method none = {TINY_NONE, TINY_NONE, false}, found = none;
    for (uint32_t s = p->body[body].first; s != TINY_NONE && found.loop == TINY_NONE;
         s = p->stmts.data[s].next)
        if (p->stmts.data[s].kind == STMT_FOREVER) found.loop = s;
    if (found.loop == TINY_NONE || is_restarted(p, body)) return none;
    if (some_statement(p, p->body[body].first, found.loop, leaves_or_pauses, body)) return none;
    uint32_t inside = p->stmts.data[found.loop].body;
    uint32_t first = first_real(p, inside), last = last_real(p, inside);
    found.waits_first = is_wait(p, first);
    found.wait = found.waits_first ? first : last;
    if (!is_wait(p, found.wait)) return none;
    uint32_t from = found.waits_first ? p->stmts.data[first].next : inside;
    uint32_t until = found.waits_first ? TINY_NONE : last;
    return some_statement(p, from, until, leaves_or_pauses, body) ? none : found;
}

/* Several events, of which all must come, cannot be said by sensitivity. */
static bool is_static_wait(const tiny_stmt *s) {
    bool one = !(s->events & (s->events - 1));
    return s->kind == STMT_WAIT && s->a == TINY_NONE && s->target == TINY_NONE && (!s->op || one);
}

static void join_heard(const tiny_program *p, uint32_t from, uint8_t *heard, bool *differs) {
    for (uint32_t s = from; s != TINY_NONE; s = p->stmts.data[s].next) {
        const tiny_stmt *t = &p->stmts.data[s];
        if (t->kind == STMT_NOTHING) continue;
        join_heard(p, t->body, heard, differs);
        join_heard(p, t->other, heard, differs);
        if (t->kind != STMT_WAIT) continue;
        if (!is_static_wait(t) || (*heard && *heard != t->events)) *differs = true;
        *heard = t->events;
    }
}

uint8_t design_heard_events(const tiny_program *p, uint32_t body) {
    uint8_t heard = 0;
    bool differs = false;
    join_heard(p, p->body[body].first, &heard, &differs);
    join_heard(p, p->body[body].handler, &heard, &differs);
    return differs ? 0 : heard;
}

/* Whether a statement notifies one of the events (as bits) at once. */
static bool notifies_some_at_once(const tiny_program *p, const tiny_stmt *s, uint32_t events) {
    (void)p;
    return s->kind == STMT_NOTIFY && (s->target != TINY_NONE || (events >> s->number & 1));
}

uint32_t design_first_wait(const tiny_program *p, uint32_t body, bool method) {
    uint32_t first = first_real(p, p->body[body].first);
    if (method) {
        design_method how = design_find_method(p, body);
        first = how.loop == first && how.waits_first ? how.wait : TINY_NONE;
    }
    if (first == TINY_NONE || !is_static_wait(&p->stmts.data[first]) || design_is_controlled(p, body))
        return TINY_NONE;
    for (uint32_t b = 0; b < p->bodies; b++)
        if (!p->body[b].absent && some_in_body(p, b, notifies_some_at_once, p->stmts.data[first].events))
            return TINY_NONE;
    return first;
}

bool design_is_limited(const tiny_program *p) {
    for (uint32_t s = p->body[0].first; s != TINY_NONE; s = p->stmts.data[s].next)
        if (p->stmts.data[s].kind == STMT_START && p->stmts.data[s].a != TINY_NONE) return true;
    return false;
}

static bool controls(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p;
    return (s->kind == STMT_SUSPEND || s->kind == STMT_RESUME || tiny_controls(s)) &&
           (uint32_t)s->number == body;
}

bool design_is_controlled(const tiny_program *p, uint32_t body) {
    for (uint32_t b = 0; b < p->bodies; b++)
        if (!p->body[b].absent && some_in_body(p, b, controls, body)) return true;
    return false;
}

uint32_t design_first_start(const tiny_program *p) {
    for (uint32_t s = p->body[0].first; s != TINY_NONE; s = p->stmts.data[s].next)
        if (p->stmts.data[s].kind == STMT_START) return s;
    return TINY_NONE;
}

/* --- what cannot be said -------------------------------------------------------------------------------- */

static bool stirs_kernel(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p, (void)body;
    return s->kind == STMT_NOTIFY || s->kind == STMT_NOTIFY_AFTER || s->kind == STMT_RESUME ||
           s->kind == STMT_REQUEST;
}

static bool notifies_at_once(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    if (s->kind == STMT_CALL)
        return some_statement(p, p->body[s->number].first, TINY_NONE, notifies_at_once, body);
    return s->kind == STMT_NOTIFY;
}

/* The library takes immediate notifications from processes alone. Before the simulation a
 * starter makes them. */
static bool notifies_wrongly(const tiny_program *p) {
    if (some_statement(p, design_first_start(p), TINY_NONE, notifies_at_once, 0)) return true;
    for (uint32_t b = 1; b < p->bodies; b++)
        if (p->body[b].role == BODY_UPDATE && !p->body[b].absent && some_in_body(p, b, notifies_at_once, b))
            return true;
    return false;
}

static bool stops(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p, (void)body;
    return s->kind == STMT_STOP;
}

/* The library does not simulate again after sc_stop. */
static bool may_start_after_stop(const tiny_program *p) {
    uint32_t first = design_first_start(p);
    bool again = false, stopped = false;
    for (uint32_t s = p->stmts.data[first].next; s != TINY_NONE; s = p->stmts.data[s].next)
        again |= p->stmts.data[s].kind == STMT_START;
    for (uint32_t b = 0; b < p->bodies; b++) stopped |= !p->body[b].absent && some_in_body(p, b, stops, b);
    return again && stopped;
}

static bool expr_has_input(const tiny_program *p, uint32_t e) {
    if (e == TINY_NONE) return false;
    const tiny_expr *x = &p->exprs.data[e];
    return x->kind == EXPR_INPUT || expr_has_input(p, x->a) || expr_has_input(p, x->b) ||
           expr_has_input(p, x->c);
}

static bool has_delay(const tiny_program *p, const tiny_stmt *s) {
    return s->kind == STMT_NOTIFY_AFTER &&
           (p->exprs.data[s->a].kind != EXPR_NUMBER || p->exprs.data[s->a].number != 0);
}

/* What the headers do not take before the simulation: control of processes, and notifications of which inputs
 * decide whether they are timed. */
static bool is_for_simulation(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)body;
    if (s->kind == STMT_SUSPEND || s->kind == STMT_RESUME) return true;
    return has_delay(p, s) && p->exprs.data[s->a].kind != EXPR_NUMBER;
}

static bool is_early(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)body;
    return s->kind == STMT_RANGE || expr_has_input(p, s->a) || expr_has_input(p, s->target) ||
           has_delay(p, s);
}

static bool some_update(const tiny_program *p, stmt_test test) {
    for (uint32_t b = 1; b < p->bodies; b++)
        if (p->body[b].role == BODY_UPDATE && !p->body[b].absent && some_in_body(p, b, test, b)) return true;
    return false;
}

static bool requests_update(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p, (void)body;
    return s->kind == STMT_REQUEST;
}

/* Some statement that is executed before the simulation. */
static bool some_before_start(const tiny_program *p, stmt_test test) {
    uint32_t first = p->body[0].first, start = design_first_start(p);
    return some_statement(p, first, start, test, 0) ||
           (some_statement(p, first, start, requests_update, 0) && some_update(p, test));
}

static bool needs_starter(const tiny_program *p) {
    return some_before_start(p, is_for_simulation) ||
           some_statement(p, p->body[0].first, design_first_start(p), notifies_at_once, 0);
}

static bool returns(const tiny_program *p, const tiny_stmt *s, uint32_t body) {
    (void)p, (void)body;
    return s->kind == STMT_RETURN;
}

/* main may end without a simulation. */
static bool gives_up(const tiny_program *p) {
    return some_statement(p, p->body[0].first, design_first_start(p), returns, 0);
}

/* `start T` is printed as a start that ends between two moments of the program (see print_start): what main
 * does then must not happen at such a time. */
const char *design_problem(const tiny_program *p) {
    bool behind_limit = false, stirred = false, somewhere = false;
    if (design_first_start(p) == TINY_NONE) return "no start";
    if (may_start_after_stop(p)) return "a start behind a stop";
    if (notifies_wrongly(p)) return "an immediate notification outside of processes";
    if (gives_up(p) && needs_starter(p)) return "main may end before what a process does for it";
    for (uint32_t s = p->body[0].first; s != TINY_NONE; s = p->stmts.data[s].next) {
        const tiny_stmt *t = &p->stmts.data[s];
        if (t->kind != STMT_START) {
            bool stirs = t->kind != STMT_NOTHING &&
                         (stirs_kernel(p, t, 0) || some_statement(p, t->body, TINY_NONE, stirs_kernel, 0) ||
                          some_statement(p, t->other, TINY_NONE, stirs_kernel, 0));
            stirred |= stirs && (behind_limit || somewhere);
            continue;
        }
        if (stirred) return "main acts between two starts";
        if (t->a != TINY_NONE && p->exprs.data[t->a].kind != EXPR_NUMBER) return "an unknown limit";
        bool limited = t->a != TINY_NONE && p->exprs.data[t->a].number >= 0;
        if (limited && somewhere) return "a limit behind an unlimited start";
        somewhere |= !limited && behind_limit;
        behind_limit |= limited;
    }
    return NULL;
}

/* --- styles --------------------------------------------------------------------------------------------- */

static bool is_known_before_start(const tiny_program *p) {
    for (unsigned g = 0; g < p->globals; g++)
        if (p->global[g].input) return false;
    return !some_before_start(p, is_early);
}

static bool has_functions(const tiny_program *p) {
    for (uint32_t b = 1; b < p->bodies; b++)
        if (p->body[b].role == BODY_FUNCTION && !p->body[b].absent) return true;
    return false;
}

static bool has_late_process(const tiny_program *p, bool methods) {
    for (uint32_t b = 1; b < p->bodies; b++) {
        if (p->body[b].role != BODY_THREAD || p->body[b].absent) continue;
        bool method = methods && design_find_method(p, b).loop != TINY_NONE;
        if (design_first_wait(p, b, method) != TINY_NONE) return true;
    }
    return false;
}

void design_choose_style(const tiny_program *p, uint64_t seed, bool wrong_indices, design_style *out) {
    random_source r = {hash_pair(seed, 0x5c)};
    design_signal signal = out->signal;
    bool early = out->early;
    *out = (design_style){.module_data = random_chance(&r, 65),
                          .parts = random_chance(&r, 50),
                          .ports = random_chance(&r, 60),
                          .assert_ends = random_chance(&r, 25),
                          .verifier_inputs = random_chance(&r, 40),
                          .methods = random_chance(&r, 60),
                          .sensitivity = random_chance(&r, 50),
                          .time_objects = random_chance(&r, 50),
                          .nanoseconds = random_chance(&r, 20),
                          .starter = random_chance(&r, 15),
                          .late = random_chance(&r, 60)};
    out->signal = signal;
    if (wrong_indices) out->module_data = false;
    out->early =
        !is_known_before_start(p) && !needs_starter(p) && (early || gives_up(p) || random_chance(&r, 70));
    out->starter =
        !out->early && !gives_up(p) && (out->starter || needs_starter(p) || !is_known_before_start(p));
    out->late &= !out->starter && has_late_process(p, out->methods);
    if (!out->module_data || !out->parts || !has_functions(p)) out->ports = false;
}

uint16_t design_methods(const tiny_program *p, const design_style *s) {
    uint16_t methods = 0;
    for (uint32_t b = 1; b < p->bodies && s->methods; b++)
        if (p->body[b].role == BODY_THREAD && !p->body[b].absent &&
            design_find_method(p, b).loop != TINY_NONE)
            methods |= (uint16_t)(1u << b);
    return methods;
}

void design_describe_style(const design_style *s, text *out) {
    const struct {
        bool is;
        const char *text;
    } words[] = {{s->signal.is_there, "a signal"},
                 {s->module_data, "data in a module"},
                 {s->parts, "parts"},
                 {s->ports, "ports"},
                 {s->assert_ends, "assert"},
                 {s->verifier_inputs, "nondet"},
                 {s->methods, "methods"},
                 {s->sensitivity, "sensitivity"},
                 {s->time_objects, "sc_time"},
                 {s->nanoseconds, "ns"},
                 {s->starter, "starter"},
                 {s->early, "early"},
                 {s->late, "late"}};
    const char *separator = "";
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].is) {
            text_format(out, "%s%s", separator, words[k].text);
            separator = ", ";
        }
    if (s->mutant) text_format(out, "%smutant %s", separator, design_mutant_name(s->mutant));
}
