/* The result of a run, as data: what is said, not how it is written (formats/formats.h).
 *
 * A report only borrows what it shows; it decides nothing: verdicts come from explore.h. */
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include "report/counters.h"
#include "report/invariants.h"
#include "report/trace/trace.h"

#include <jansson.h>

/* Of the JSON result and of what --trace writes: fields are added without a new number; a field that goes
 * away or changes its meaning needs one. */
enum { REPORT_SCHEMA = 1 };

typedef struct property { /* one thing that was verified */
    /* "assert", "division", "null", "bounds", "freed", "recursion", "free", "overflow", "leak",
     * "race", "misuse", "deadlock" */
    const char *kind;
    const char *text;  /* the asserted expression, or what is checked */
    const char *where; /* thread or function; "" for the program as a whole */
    const char *file;  /* in which `at` counts; NULL: that of the program */
    position at;
    verdict verdict;
    bool reached;       /* on some explored path; a safe property that was not is vacuous */
    bool is_written;    /* an assertion that somebody wrote, not a check that comes with the language */
    const trace *trace; /* NULL unless violated */
} property;

typedef VEC(property) property_list;

typedef struct report_file {
    const char *name, *sha256;
    size_t bytes;
    const char *text; /* for excerpts; NULL: not a program text */
} report_file;

typedef struct report_stop { /* how a stop_set is spelled */
    unsigned stop;
    const char *name;
} report_stop;

extern const report_stop report_stops[]; /* ends with a NULL name */

/* A line of a program text, without its end; NULL: not known. */
const char *report_source_line(const report_file *files, size_t count, const char *file, uint32_t line,
                               size_t *length);

/* The text of the line, of a long one the beginning; null: not known. */
json_t *report_line_json(const report_file *files, size_t count, const char *file, position at);

typedef struct report_native { /* the compiled program under the schedule and inputs of the counterexample */
    bool failed;               /* as predicted */
    const char *summary, *printed;
    size_t followed, operations; /* of the schedule */
} report_native;

/* A design in the order of the library's simulator, with the inputs of the counterexample. */
typedef struct report_simulator {
    bool known, fails;
    const char *summary, *printed;
} report_simulator;

typedef struct report_certificate { /* the proof of a safe answer, looked at independently */
    bool confirmed;
    size_t states;            /* of the certificate */
    const statistics *effort; /* of looking at it */
} report_certificate;

typedef struct report_note { /* what the reader of the verdict has to know beside it */
    const char *kind;        /* for programs: "race", "unreached", "endless", "assumed", "blocked" */
    char *text;              /* one sentence, without its full stop; owned by the report */
} report_note;

typedef struct report_task {   /* what a witness says of the task */
    const char *specification; /* formulas as SV-COMP writes them, one a line; NULL: no witness can say it */
    const char *data_model;    /* "LP64" or "ILP32" */
    bool has_witnesses;        /* for programs in C alone */
} report_task;

typedef struct report_explanation { /* what became of a recorded counterexample */
    const char *answer;
    size_t step; /* of the recorded trace, from 1; 0: none */
    const char *said;
} report_explanation;

typedef struct report {
    const char *version, *command;
    const char *file; /* name for source positions */
    const outcome *result;
    bool unseen;                 /* it was ended from outside: nothing is known of the program */
    bool one_schedule;           /* a simulation: it can refute, never prove */
    bool all_assumed_away;       /* every execution ends in a failed assumption */
    bool has_uncalled;           /* some assertion stands in a function that nobody calls */
    size_t library_checks;       /* made inside library models, which are not among the properties */
    const char *blocked_at_exit; /* a thread that was still blocked when the program ended, if that matters */
    const char *svcomp;          /* the verdict as BenchExec spells it */
    const report_task *task;     /* NULL: not known */
    const char *expected;        /* "true" or "false", as a task definition says; NULL: unknown */
    const report_simulator *simulator;     /* of the first violation; NULL: not a design in C++ */
    const report_native *native;           /* of the first violation; NULL: there was none */
    const report_certificate *certificate; /* NULL: nobody looked */
    const loop_invariants *invariants;     /* of a proof; NULL: none */
    const char *proof;                     /* the text of the certificate; NULL: there is none */
    const report_explanation *explanation; /* NULL: nobody asked */
    const attempt *given_up;
    size_t given_up_count;
    property_list properties;
    const missing_function *missing; /* that the program calls and lacks */
    size_t missing_count;
    VEC(report_note) notes;
    VEC(report_note) assumes; /* of the world outside, by a safe answer */
    const trace *trace;       /* of the first violation, or of the simulation; may be NULL */
    counters counters;
    const report_file *files;
    size_t file_count;
    size_t text_count;        /* of `files`: behind the inputs come headers that traces lead through */
    json_t *options, *bounds; /* owned by the report */
} report;

const char *report_kind_name(check_kind kind); /* property.kind */

/* Fills r->properties from the checks of m whose kind is among `selected` (PROPERTY_…). traces[i] belongs to
 * violation i of the result. */
void report_list_properties(report *r, const machine *m, unsigned selected, const trace *traces);

/* A line behind the verdict: `format` as for printf. */
void report_add_note(report *r, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a safe answer assumes, for which the program asks at a place. */
void report_add_assumption(report *r, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills r->notes: assertions that nobody reaches, executions that do not end, threads that are still blocked
 * when the program does. After the properties are listed. */
void report_write_notes(report *r, const machine *m);

/* "time limit (model.ivl:3:5)": why the verdict is neither safe nor unsafe; "" otherwise. The
 * first reason counts. */
void report_reason(const report *r, text *out);
const char *report_verdict_name(verdict v); /* "safe", "unsafe", "unknown", "internal error" */

/* Nothing was left out: what is not among the violations holds. */
bool report_is_complete(const report *r);

/* True when the verdict is safe but a property was never put to the test, or no execution
 * survives the assumptions. */
bool report_is_vacuous(const report *r);

/* One line: "Assertion violated: x == 1", "Data race: main reads x while t writes x". */
void property_headline(const property *p, text *out);

void report_free(report *r);

#endif
