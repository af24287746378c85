/* The options of Heddle: one table (see heddle_options in heddle.h) and the values that a user gave.
 *
 * Parsing, --help, the manual page and the JSON object `options` all come from the table, so an option is
 * added in one place. A value is checked when it is set; combinations are checked by whoever
 * runs the command. */
#ifndef HEDDLE_API_OPTIONS_H
#define HEDDLE_API_OPTIONS_H

#include "base/text.h"
#include "base/vec.h"
#include "heddle.h"

#include <jansson.h>

/* In the order of the table. */
typedef enum option_id {
    OPTION_PROPERTY,
    OPTION_SPEC,
    OPTION_ALL,
    OPTION_SET,
    OPTION_DATA_MODEL,
    OPTION_DEFINE,
    OPTION_INCLUDE,
    OPTION_STD,
    OPTION_FLAG,
    OPTION_STUBS,
    OPTION_ENTRY,
    OPTION_COMPILE_COMMANDS,
    OPTION_MEMORY_MODEL,
    OPTION_ATOMICITY,
    OPTION_SPURIOUS_WAKEUPS,
    OPTION_BLOCKED_AT_EXIT,
    OPTION_LIVELOCK,
    OPTION_CORES,
    OPTION_ENGINE,
    OPTION_POR,
    OPTION_MATCH,
    OPTION_ORDER,
    OPTION_WEIGHT,
    OPTION_GUIDE,
    OPTION_STOPS,
    OPTION_HEAP,
    OPTION_VISITED,
    OPTION_CHAIN,
    OPTION_STATE_TRACKING,
    OPTION_DOMAIN,
    OPTION_PRUNE,
    OPTION_SCOPE,
    OPTION_BLOCKS,
    OPTION_SEED,
    OPTION_SCHEDULE,
    OPTION_INPUTS,
    OPTION_DETERMINISTIC,
    OPTION_JOBS,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_MAX_TRANSITIONS,
    OPTION_MAX_STATES,
    OPTION_MAX_DEPTH,
    OPTION_UNWIND,
    OPTION_CONTEXT_BOUND,
    OPTION_SIM_TIME,
    OPTION_THREADS,
    OPTION_VISITED_MEMORY,
    OPTION_QUERY_TIME,
    OPTION_STEP_LIMIT,
    OPTION_PATH_LIMIT,
    OPTION_JSON,
    OPTION_TRACE,
    OPTION_WITNESS,
    OPTION_WITNESS_FORMAT,
    OPTION_SARIF,
    OPTION_JUNIT,
    OPTION_VCD,
    OPTION_HTML,
    OPTION_CERTIFICATE,
    OPTION_CERTIFY,
    OPTION_CROSS_CHECK,
    OPTION_VERDICT_LINE,
    OPTION_SHRINK,
    OPTION_REPLAY_BINARY,
    OPTION_STIMULUS,
    OPTION_PRINTED,
    OPTION_COMMAND,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_PROGRESS,
    OPTION_COLOR,
    OPTION_WHAT,
    OPTION_SMTLIB,
    OPTION_FAIL_ON,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_CACHE,
    OPTION_PROJECT,
    OPTION_TARGET,
    OPTION_MATRIX,
    OPTION_OUT,
    OPTION_CHECK_REDUCTION,
    OPTION_DUMP_TRACES,
    OPTION_SLEEP_SPINS,
    OPTION_SLICING,
    OPTION_MODEL_REUSE,
    OPTION_QUERY_CACHE,
    OPTION_INCREMENTAL,
    OPTION_Z3,
    OPTION_SIMPLIFY,
    OPTION_PATH_GC,
    OPTION_DEAD_CLEARING,
    OPTION_TIME_ABSTRACTION,
    OPTION_COUNT
} option_id;

typedef struct option_value {
    char *written;    /* by the user, or the preset */
    bool given;       /* by the user */
    bool on;          /* SWITCH */
    unsigned choice;  /* CHOICE: index into its values */
    unsigned choices; /* CHOICES: bit i for value i */
    uint64_t number;  /* NUMBER, and SIZE in bytes; 0 when there is none */
    double seconds;   /* DURATION; 0 when there is none */
    VEC(char *) list; /* TEXTS */
} option_value;

typedef struct assignment {
    char *name;
    int64_t value;
} assignment;

typedef struct options {
    option_value value[OPTION_COUNT];
    VEC(assignment) parameters; /* --set, without duplicate names: the last one counts */
} options;

void options_init(options *o); /* every preset */
void options_free(options *o);

/* Sets one option; "no-NAME" with a NULL value turns a switch off. False: `error` says why,
 * and nothing changed. */
bool options_set(options *o, const char *name, const char *value, text *error);

option_id option_find(const char *name); /* OPTION_COUNT: no such option */

/* { "por": "auto", "all": false, "time": null, … } with typed values. */
json_t *options_json(const options *o);

#endif
