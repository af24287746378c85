/* What stands beside a verdict because it says less than it seems to. Nothing here changes the verdict, and
 * nothing is said that was not proved: after a limit, what was not seen may still happen. */
#include "machine/record.h"
#include "machine/seen.h"
#include "report/report.h"

enum { MOST_UNREACHED = 5 };

static void add_note(report *r, const char *kind, text *line) {
    report_add_note(r, kind, "%s", text_cstr(line));
    text_free(line);
}

static void print_at(const report *r, const char *file, position at, text *out) {
    text_format(out, "%s:%u:%u", file ? file : r->file, at.line, at.column);
}

/* --- assertions that nobody reaches --------------------------------------------------------------------- */

static bool is_same_place(const property *a, const property *b) {
    bool same_file = a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file));
    return same_file && a->at.line == b->at.line && a->at.column == b->at.column;
}

/* A template or a macro has several checks at one place: whoever reaches one of them has been there. */
static bool is_reached_elsewhere(const report *r, const property *p) {
    for (size_t i = 0; p->at.line && i < r->properties.size; i++)
        if (r->properties.data[i].reached && is_same_place(p, &r->properties.data[i])) return true;
    return false;
}

static bool is_listed_before(const report *r, size_t index) {
    const property *p = &r->properties.data[index];
    for (size_t i = 0; p->at.line && i < index; i++)
        if (!r->properties.data[i].reached && is_same_place(p, &r->properties.data[i])) return true;
    return false;
}

static bool is_unreached(const report *r, const property *p) {
    return p->is_written && !p->reached && !is_reached_elsewhere(r, p);
}

bool report_is_vacuous(const report *r) {
    if (outcome_verdict(r->result) != VERDICT_SAFE) return false;
    bool vacuous = r->all_assumed_away || r->has_uncalled;
    for (size_t i = 0; i < r->properties.size && !vacuous; i++)
        vacuous = is_unreached(r, &r->properties.data[i]);
    return vacuous;
}

static void note_unreached(report *r) {
    size_t unreached = 0;
    for (size_t i = 0; i < r->properties.size; i++) {
        const property *p = &r->properties.data[i];
        if (!is_unreached(r, p) || is_listed_before(r, i)) continue;
        if (unreached++ >= MOST_UNREACHED) continue;
        text line = {0};
        text_add(&line, "assertion ");
        if (p->at.line)
            print_at(r, p->file, p->at, &line);
        else
            text_add(&line, p->where);
        text_format(&line, " is never reached: %s", p->text);
        add_note(r, "unreached", &line);
    }
    if (unreached <= MOST_UNREACHED) return;
    text line = {0};
    size_t more = unreached - MOST_UNREACHED;
    text_format(&line, "%zu more %s never reached", more, more == 1 ? "is" : "are");
    add_note(r, "unreached", &line);
}

static void note_uncalled(report *r, const program *p) {
    if (!p->uncalled.size) return;
    const uncalled_check *first = &p->uncalled.data[0];
    text line = {0};
    text_add(&line, "assertion ");
    print_at(r, first->file, first->at, &line);
    text_format(&line, " is never reached, as nobody calls its function: %s", first->text);
    if (p->uncalled.size > 1) text_format(&line, " (and %zu more)", p->uncalled.size - 1);
    add_note(r, "unreached", &line);
}

/* --- executions without end ----------------------------------------------------------------------------- */

static void print_standing(const report *r, const machine *m, const blocked_thread *b, text *out) {
    text_format(out, "%s %s", machine_thread_name(m, b->thread),
                b->spins ? "goes round in a loop for ever" : "waits for ever");
    if (!b->at.line) return;
    text_add(out, ", at ");
    print_at(r, b->file, b->at, out);
}

/* Abstraction does not follow executions to their end once nothing can be violated any more. */
static bool follows_to_the_end(const report *r) {
    return r->result->explored != EXPLORED_ABSTRACT_STATES;
}

static void note_endless(report *r, const machine *m) {
    const machine_seen *seen = &r->result->seen;
    bool should_end = program_kernel(machine_program(m))->should_end;
    if (!should_end || !follows_to_the_end(r) || seen->program_ended.met || r->all_assumed_away) return;
    text line = {0};
    text_add(&line, "no execution reaches the end of the program");
    if (seen->stands_still.known) {
        text_add(&line, "; in one, ");
        print_standing(r, m, &seen->stands_still, &line);
    }
    add_note(r, "endless", &line);
}

/* A thread that still waits when the program ends is no deadlock unless asked for: many a worker does. */
static void note_blocked_at_exit(report *r) {
    const blocked_thread *b = &r->result->seen.blocked_at_exit;
    if (!r->blocked_at_exit || outcome_verdict(r->result) == VERDICT_UNSAFE) return;
    text line = {0};
    text_format(&line, "%s %s when the program ends", r->blocked_at_exit,
                b->spins ? "still goes round in a loop that waits" : "is still blocked");
    if (b->at.line) {
        text_add(&line, ", at ");
        print_at(r, b->file, b->at, &line);
    }
    text_add(&line, " (--blocked-at-exit makes it a violation)");
    add_note(r, "blocked", &line);
}

void report_write_notes(report *r, const machine *m) {
    if (outcome_verdict(r->result) == VERDICT_SAFE) {
        if (r->all_assumed_away) report_add_note(r, "assumed", "every execution ends in a failed assumption");
        r->has_uncalled = machine_program(m)->uncalled.size > 0;
        note_unreached(r);
        note_uncalled(r, machine_program(m));
        note_endless(r, m);
    }
    note_blocked_at_exit(r);
}
