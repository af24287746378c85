#include "base/invariant.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "report/report.h"

const report_stop report_stops[] = {{STOP_LOOP_HEAD, "loop-heads"},     {STOP_CALL, "calls"},
                                    {STOP_INSTRUCTION, "instructions"}, {STOP_JOIN, "joins-after-forks"},
                                    {STOP_EVERY_JOIN, "all-joins"},     {STOP_STATEMENT, "statements"},
                                    {STOP_HEAP_ORDER, "heap"},          {0, NULL}};

const char *report_kind_name(check_kind kind) {
    static const char *const names[CHECK_KINDS] = {
        [CHECK_ASSERTION] = "assert",    [CHECK_DIVISION] = "division", [CHECK_NULL] = "null",
        [CHECK_BOUNDS] = "bounds",       [CHECK_CONSTANT] = "constant", [CHECK_FREED] = "freed",
        [CHECK_RECURSION] = "recursion", [CHECK_FREE] = "free",         [CHECK_OVERFLOW] = "overflow",
        [CHECK_OVERLAP] = "overlap",     [CHECK_LEAK] = "leak",         [CHECK_RACE] = "race",
        [CHECK_REACH] = "reach",         [CHECK_MISUSE] = "misuse"};
    return names[kind];
}

bool report_is_complete(const report *r) {
    assert(!r->one_schedule || !r->result->complete); /* it can refute, never prove */
    return outcome_is_exhaustive(r->result);
}

static const violation *find_violation(const outcome *o, violation_kind kind, uint32_t check, size_t *index) {
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        if (v->confirmed && v->kind == kind && (kind != VIOLATION_CHECK || v->check == check)) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

static void judge(const report *r, property *p, violation_kind kind, uint32_t check, const trace *traces) {
    size_t index;
    p->verdict = outcome_verdict_of(r->result, kind, check);
    if (!find_violation(r->result, kind, check, &index)) return;
    p->reached = true;
    p->trace = traces ? &traces[index] : NULL;
}

/* Checks of library models are of interest only when violated, and then where the program called them. */
static const function *function_of_check(const program *p, const check *c) {
    for (size_t i = 0; c->thread_or_function && *c->thread_or_function && i < p->functions.size; i++)
        if (!strcmp(p->functions.data[i].name, c->thread_or_function)) return &p->functions.data[i];
    return NULL;
}

static void move_to_caller(property *p) {
    if (!p->trace || !p->trace->steps.size) return;
    if (!p->trace->violated_at.line) { /* nobody called: an exception has left all functions of the program */
        const trace_step *last = &vec_last(&p->trace->steps);
        p->at = last->from;
        p->file = last->file;
        p->where = last->thread;
        return;
    }
    p->at = p->trace->violated_at;
    p->file = p->trace->violated_file;
    p->where = p->trace->violated_in;
}

/* What calls main is no text. */
static bool is_written(const program *p, const check *c, const function *of) {
    bool in_start = program_kernel(p)->start_calls_main && of && of->role == FUNCTION_MAIN && !c->at.line;
    return c->kind == CHECK_ASSERTION && !in_start;
}

/* A check that always fails marks a place that must not be reached: not to have been there is the point.
 * Where a branch decides whether it fails it is an assertion like any other, unless it is a report. */
static void mark_error_places(const program *p, bool *marks) {
    bool *decided = mem_zero(p->checks.size + 1, sizeof *decided);
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *code = &p->functions.data[f].blocks.data[b];
            for (size_t k = 0; k < code->code.size; k++) {
                const instruction *i = &code->code.data[k];
                if (i->kind == INSTR_BRANCH && i->decides) decided[i->decides - 1] = true;
                if (instruction_always_fails(i)) marks[i->check] = true;
            }
        }
    for (size_t i = 0; i < p->checks.size; i++) marks[i] &= !decided[i] || p->checks.data[i].is_report;
    mem_free(decided);
}

static void list_checks(report *r, const machine *m, unsigned selected, const trace *traces) {
    const program *program = machine_program(m);
    bool *error_place = mem_zero(machine_check_count(m) + 1, sizeof *error_place);
    mark_error_places(program, error_place);
    for (uint32_t i = 0; i < machine_check_count(m); i++) {
        const check *c = machine_check(m, i);
        if (!(property_of_check(c->kind) & selected)) continue;
        property p = {.kind = report_kind_name(c->kind),
                      .text = c->text,
                      .where = c->thread_or_function ? c->thread_or_function : "",
                      .at = c->at,
                      .reached = seen_reached(&r->result->seen, i) || error_place[i]};
        judge(r, &p, VIOLATION_CHECK, i, traces);
        const function *of = function_of_check(program, c);
        bool in_library = of && of->hidden;
        p.file = of ? of->file : NULL;
        p.is_written = is_written(program, c, of);
        bool anywhere = in_library || c->kind == CHECK_REACH;
        if (anywhere && p.verdict == VERDICT_UNSAFE) move_to_caller(&p);
        r->library_checks += in_library && p.reached;
        if (!in_library || p.verdict == VERDICT_UNSAFE) vec_push(&r->properties, p);
    }
    mem_free(error_place);
}

/* One property; a row more for each further place at which it is violated. */
static void list_whole(report *r, violation_kind kind, const char *name, const char *said,
                       const trace *traces) {
    property p = {.kind = name, .text = said, .where = "", .reached = true};
    judge(r, &p, kind, 0, traces);
    vec_push(&r->properties, p);
    const outcome *o = r->result;
    size_t first = 0;
    if (!find_violation(o, kind, 0, &first)) return;
    for (size_t i = first + 1; i < o->violations.size; i++) {
        if (o->violations.data[i].kind != kind || !o->violations.data[i].confirmed) continue;
        p.trace = traces ? &traces[i] : NULL;
        vec_push(&r->properties, p);
    }
}

/* Whoever reads the list finds what was violated. */
FOR_ASSERTIONS static bool shows_violation(const report *r) {
    for (size_t i = 0; i < r->properties.size; i++)
        if (r->properties.data[i].verdict == VERDICT_UNSAFE) return true;
    return false;
}

void report_list_properties(report *r, const machine *m, unsigned selected, const trace *traces) {
    const kernel_traits *kernel = program_kernel(machine_program(m));
    list_checks(r, m, selected, traces);
    const blocked_thread *blocked = &r->result->seen.blocked_at_exit;
    if (selected & (blocked->spins ? PROPERTY_LIVELOCK : PROPERTY_DEADLOCK) && blocked->known)
        r->blocked_at_exit = machine_thread_name(m, blocked->thread);
    if (selected & PROPERTY_DEADLOCK)
        list_whole(r, VIOLATION_DEADLOCK, "deadlock", kernel->no_deadlock, traces);
    if (selected & PROPERTY_LIVELOCK && kernel->loops_can_wait)
        list_whole(r, VIOLATION_LIVELOCK, "livelock", "no thread goes round for ever in a loop that waits",
                   traces);
    if (selected & PROPERTY_RACE)
        list_whole(r, VIOLATION_RACE, "race",
                   "no two threads access memory at the same time, one of them writing", traces);
    assert(outcome_verdict(r->result) != VERDICT_UNSAFE || shows_violation(r));
}

const char *report_verdict_name(verdict v) {
    static const char *const names[] = {[VERDICT_SAFE] = "safe",
                                        [VERDICT_UNSAFE] = "unsafe",
                                        [VERDICT_UNKNOWN] = "unknown",
                                        [VERDICT_ERROR] = "internal error"};
    return names[v];
}

void report_reason(const report *r, text *out) {
    verdict v = outcome_verdict(r->result);
    if (v == VERDICT_ERROR) {
        text_add(out, "steps declared independent do not commute");
    } else if (v == VERDICT_UNKNOWN) {
        if (r->result->doubts.size && !r->one_schedule) {
            const doubt *d = &r->result->doubts.data[0];
            text_add(out, reason_words(d->why));
            if (d->at.line)
                text_format(out, " (%s:%u:%u)", d->file ? d->file : r->file, d->at.line, d->at.column);
        } else {
            text_add(out, r->one_schedule ? "one schedule only" : "the exploration did not finish");
        }
    }
}

static report_note written(const char *kind, const char *format, va_list given) {
    char said[1024];
    vsnprintf(said, sizeof said, format, given);
    return (report_note){kind, mem_copy_string(said)};
}

void report_add_note(report *r, const char *kind, const char *format, ...) {
    va_list given;
    va_start(given, format);
    vec_push(&r->notes, written(kind, format, given));
    va_end(given);
}

void report_add_assumption(report *r, const char *kind, const char *format, ...) {
    va_list given;
    va_start(given, format);
    vec_push(&r->assumes, written(kind, format, given));
    va_end(given);
}

void report_free(report *r) {
    vec_free(&r->properties);
    for (size_t i = 0; i < r->notes.size; i++) mem_free(r->notes.data[i].text);
    vec_free(&r->notes);
    for (size_t i = 0; i < r->assumes.size; i++) mem_free(r->assumes.data[i].text);
    vec_free(&r->assumes);
    json_decref(r->options);
    json_decref(r->bounds);
}

static void list_accesses(const trace *t, text *out) {
    for (size_t i = 0; t && i < t->race.size; i++)
        text_format(out, "%s%s %s %s", i ? " while " : ": ", t->race.data[i].thread, t->race.data[i].access,
                    t->race.data[i].cell);
}

static void list_blocked(const trace *t, text *out) {
    for (size_t i = 0; t && i < t->blocked.size; i++)
        text_format(out, "%s%s", i ? "; " : ": ", t->blocked.data[i]);
}

void property_headline(const property *p, text *out) {
    if (!strcmp(p->kind, "race")) {
        text_add(out, "Data race");
        list_accesses(p->trace, out);
    } else if (!strcmp(p->kind, "deadlock")) {
        text_add(out, "Deadlock");
        list_blocked(p->trace, out);
    } else if (!strcmp(p->kind, "livelock")) {
        text_add(out, "Livelock");
        list_blocked(p->trace, out);
    } else {
        text_format(out, "%s: %s",
                    !strcmp(p->kind, "assert")  ? "Assertion violated"
                    : !strcmp(p->kind, "reach") ? "Reached"
                                                : "Check violated",
                    p->text);
    }
}
