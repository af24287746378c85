/* What the commands of the library share: from files and options to a program, from an outcome to a result.
 * Not for others. */
#ifndef HEDDLE_API_RUN_H
#define HEDDLE_API_RUN_H

#include "api/certification.h"
#include "api/session.h"
#include "heddle.h"
#include "report/report.h"

struct heddle {
    options options;
    VEC(source) sources;
    text message; /* of the last heddle_set that failed */
    atomic_bool interrupted;
    void (*progress)(void *data, const heddle_progress *p);
    void *progress_data;
    void (*on_stage)(void *data, heddle_stage s);
    void *stage_data;
    double begun; /* the run under way, on the wall clock: its time limit counts from here */
};

struct heddle_result {
    heddle_verdict verdict;
    char *reason, *diagnostics, *svcomp, *text, *json;
    counters counters;
    bool counted;
    bool incomplete; /* some file could not be written */
    bool broken_off; /* all violations are wanted, and there may be more */
    bool ran_to_end; /* of a simulation: nothing failed */
    heddle_explanation explanation;
};

/* Replaces a result that says why there was no program: nobody waited for it. */
void run_give_up(heddle *h, const char *command, heddle_result *r);

heddle_result *result_create(void); /* an internal error, until somebody knows better */
void result_replace(char **slot, const char *by);

/* --- heddle.c ------------------------------------------------------------------------------------------- */

bool run_was_interrupted(const heddle *h);
reason_kind run_why_stopped(const heddle *h);          /* by the user or by time */
void run_enter_stage(const heddle *h, heddle_stage s); /* tells whoever wants to know */

/* --- prepare.c: before a run ---------------------------------------------------------------------------- */

const char *run_written(const heddle *h, option_id id);

/* The compiled program, or NULL with the result saying why not. `q` is to be freed in any case. `digests`:
 * see compile.h. */
program *run_prepare(heddle *h, inquiry *q, text *digests, heddle_result *r);

/* --- answer.c: exploring -------------------------------------------------------------------------------- */

void run_explore(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof);
void run_find_answer(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof);
trace_request run_request_trace(const session *s, const outcome *o, const violation *v);

/* --- conclude.c: after a run ---------------------------------------------------------------------------- */

counters run_counters(const session *s, const outcome *o);

typedef VEC(report_file) report_files;
void run_list_files(const source *files, size_t count, bool programs, report_files *out);

/* Completes the report and turns it into the result. `traces` has one for each violation of the outcome. */
void run_fill_result(heddle *h, session *s, report *about, const trace *traces, heddle_result *r);

/* The result stands, but not all of it could be written where it was wanted. Frees the errors. */
void run_blame_outputs(heddle_result *r, text *errors);
void run_write_file(const char *path, const char *content, heddle_result *r);

#endif
