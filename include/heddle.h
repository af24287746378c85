/* libheddle: verification of concurrent programs for every input and every schedule.
 *
 *     heddle *h = heddle_create();
 *     heddle_set(h, "por", "stub-min");          // any long option of `heddle check`, without the dashes
 *     heddle_add_file(h, "model.ivl");
 *     heddle_result *r = heddle_check(h);
 *     printf("%s\n", heddle_verdict_name(heddle_result_verdict(r)));
 *     heddle_result_destroy(r);
 *     heddle_destroy(h);
 *
 * The command line is written on this header alone. Nothing here prints, exits or keeps global state;
 * different `heddle` objects may be used by different threads at the same time. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_VERSION "0.1.0"

typedef struct heddle heddle;
typedef struct heddle_result heddle_result;

/* The process exit status of the command line. */
typedef enum {
    HEDDLE_SAFE = 0,
    HEDDLE_UNSAFE = 1,
    HEDDLE_BAD_INPUT = 2,
    HEDDLE_UNKNOWN = 3,
    HEDDLE_INTERNAL_ERROR = 4
} heddle_verdict;

const char *heddle_version(void);
/* "safe", "unsafe", "bad input", "unknown", "internal error" */
const char *heddle_verdict_name(heddle_verdict v);

heddle *heddle_create(void);
void heddle_destroy(heddle *h);

/* Sets an option by its long name. A switch takes "on" or "off"; "no-NAME" with a NULL value turns it off.
 * Repeatable options collect their values. NULL on success, else a message owned by h. */
const char *heddle_set(heddle *h, const char *name, const char *value);
/* As it was written, or the preset; NULL: no such option. */
const char *heddle_get(const heddle *h, const char *name);

/* Whether this is a flag of compilers that option `flag` takes; in_two: the next word is its value. */
bool heddle_knows_flag(const char *word, bool *in_two);

double heddle_get_seconds(const heddle *h, const char *name); /* of a duration; 0: none */

typedef enum {
    HEDDLE_OPTION_SWITCH,   /* on or off */
    HEDDLE_OPTION_CHOICE,   /* one of `values` */
    HEDDLE_OPTION_CHOICES,  /* several of `values`, separated by commas */
    HEDDLE_OPTION_NUMBER,   /* 0 or more */
    HEDDLE_OPTION_DURATION, /* 500ms, 60s, 2m, 1h; a bare number means seconds */
    HEDDLE_OPTION_SIZE,     /* 100K, 512M, 4G; a bare number means bytes */
    HEDDLE_OPTION_FILE,
    HEDDLE_OPTION_ASSIGNMENT, /* NAME=VALUE, repeatable */
    HEDDLE_OPTION_TEXT,       /* any text */
    HEDDLE_OPTION_TEXTS,      /* the same, repeatable; "" forgets those given so far */
} heddle_option_kind;

enum {
    HEDDLE_FOR_CHECK = 1,
    HEDDLE_FOR_SIMULATE = 2,
    HEDDLE_FOR_DUMP = 4,
    HEDDLE_FOR_COMPARE = 8,
    HEDDLE_FOR_EXPLAIN = 16
};

typedef struct heddle_option {
    const char *name; /* NULL ends the table */
    heddle_option_kind kind;
    unsigned commands;    /* HEDDLE_FOR_… */
    const char *argument; /* "FILE": what stands for the value in texts; NULL for a switch */
    const char *values;   /* "dfs|bfs"; NULL unless a choice */
    const char *preset;   /* as one would write it; "" when there is none */
    const char *group;    /* heading in texts; options of one group are neighbours */
    const char *help;
} heddle_option;
/* All of them: what --help, the manual page and the JSON object `options` are made from. */
const heddle_option *heddle_options(void);

/* What each engine can do and what may be asked of it, as tables in Markdown. To be freed with free(). */
char *heddle_engines(void);

/* Whether an engine leaves a choice there: of "por" or of "match". */
bool heddle_engine_has_choice(const char *engine, const char *option);

/* The language of a program, by the ending of its name; NULL: it is none. And whether it has parameters that
 * option `set` gives values. */
const char *heddle_language(const char *file);
bool heddle_has_parameters(const char *file);
/* All of them with their endings, as part of a sentence: "one file in IVL (.ivl), ...". To be
 * freed with free(). */
char *heddle_languages(void);

/* Files are read at once; an unreadable one makes the later call return HEDDLE_BAD_INPUT with a diagnostic.
 * The ending of the name says what it is: .ivl, .dl, .c .i .cpp .cc .cxx .ii .bc .ll (several of these are
 * linked), .yml (a task definition of SV-COMP, which names the files and properties), .json (a certificate to
 * confirm, with option certify). */
void heddle_add_file(heddle *h, const char *path);
/* The language follows from the name's extension. */
void heddle_add_source(heddle *h, const char *name, const char *source, size_t length);

/* May be called from a signal handler: the running check stops soon and reports what it knows. */
void heddle_interrupt(heddle *h);

typedef struct heddle_progress {
    uint64_t states, transitions, executions, depth, solver_queries;
    double seconds;
    size_t memory_bytes;
    uint64_t waiting;     /* states to go on from; 0: unknown */
    double done;          /* depth first: the share of all choices that was tried, an estimate; 0: unknown */
    const char *engine;   /* at work, or several at the same time ("dpor, cegar"); valid during the call */
    double whole_seconds; /* since the run began; `seconds`: since this engine did */
} heddle_progress;
void heddle_on_progress(heddle *h, void (*call)(void *data, const heddle_progress *p), void *data);

/* What a run is at, in this order. */
typedef enum {
    HEDDLE_COMPILING,
    HEDDLE_ELABORATING, /* a design is built */
    HEDDLE_ANALYSING,   /* what can be known before anything is executed */
    HEDDLE_EXPLORING,
    HEDDLE_SHRINKING, /* the verdict is there: counterexamples become smaller, and are replayed */
    HEDDLE_REPORTING
} heddle_stage;

const char *heddle_stage_name(heddle_stage s); /* "compiling", ... */
void heddle_on_stage(heddle *h, void (*call)(void *data, heddle_stage s), void *data);

/* The result of a check that was ended from outside, in another process: unknown, with what it was at and the
 * last progress that it told, if any. */
heddle_result *heddle_give_up(heddle *h, bool interrupted, heddle_stage s, const heddle_progress *so_far);

heddle_result *heddle_check(heddle *h);    /* never NULL */
heddle_result *heddle_simulate(heddle *h); /* one schedule (option seed), its trace in the text and JSON */
/* IR, segments, printed source or queries (option `what`) as text; HEDDLE_SAFE: it is there. */
heddle_result *heddle_dump(heddle *h);

/* Follows a counterexample, the text that option trace or json has written, on the present program: the same
 * schedule and the same inputs. Without files those of the trace are read; options that decide what the
 * program means are those of the trace unless set. The verdict is HEDDLE_UNSAFE if it fails, else
 * HEDDLE_UNKNOWN: one schedule proves nothing. */
typedef enum {
    HEDDLE_NOT_EXPLAINED, /* of all other results, and of bad input */
    HEDDLE_STILL_FAILS,
    HEDDLE_FAILS_OTHERWISE, /* another property is violated on the way */
    HEDDLE_FIXED_ALONG_SCHEDULE,
    HEDDLE_DIVERGES /* the schedule cannot be followed */
} heddle_explanation;
heddle_result *heddle_explain(heddle *h, const char *trace, size_t length);
heddle_explanation heddle_result_explanation(const heddle_result *r);

/* As a result names its files; false: it cannot be read. */
bool heddle_file_sha256(const char *path, char hex[65]);

void heddle_result_destroy(heddle_result *r);

heddle_verdict heddle_result_verdict(const heddle_result *r);
/* A simulation came to the end of the program and nothing failed. The verdict is HEDDLE_UNKNOWN nevertheless:
 * one schedule proves nothing. */
bool heddle_result_ran_to_end(const heddle_result *r);
const char *heddle_result_reason(const heddle_result *r);      /* of unknown; "" otherwise */
const char *heddle_result_diagnostics(const heddle_result *r); /* file:line:col: error: … lines; "" if none */
/* False: some file could not be written; the diagnostics say which. */
bool heddle_result_is_complete(const heddle_result *r);
const char *heddle_result_svcomp(const heddle_result *r); /* "false(unreach-call)": as BenchExec spells it */
const char *heddle_result_text(const heddle_result *r);   /* report for people */
/* One object, see docs/result.schema.json; "" for bad input and dumps. */
const char *heddle_result_json(const heddle_result *r);
/* By its JSON name; -1 if there is none. */
double heddle_result_statistic(const heddle_result *r, const char *name);

#ifdef __cplusplus
}
#endif
#endif
