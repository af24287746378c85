/* The command line: `heddle COMMAND [OPTION...] FILE...`. Which options exist is the
 * library's knowledge (heddle_options). */
#ifndef HEDDLE_CLI_ARGUMENTS_H
#define HEDDLE_CLI_ARGUMENTS_H

#include "heddle.h"

typedef struct command {
    const char *name;
    unsigned bit; /* HEDDLE_FOR_… */
    const char *files;
    const char *help;
} command;

extern const command commands[]; /* ends with a NULL name */
const command *command_find(const char *name);

typedef struct arguments {
    const command *command;
    enum {
        HELP_NONE,
        HELP_TEXT,
        HELP_ALL,
        HELP_MANUAL,
        HELP_MARKDOWN,
        HELP_ENGINES,
        HELP_BASH,
        HELP_ZSH,
        HELP_VERSION
    } help;
    const char *engine, *por, *match; /* `compare` takes lists, which the library does not know */
    const char *trace;                /* `explain`: its first file */
    const char **script;              /* `explain`: values of --command; to be freed */
    size_t script_count;
    int files, options;     /* how many; the trace and the script are none */
    const char *first_file; /* NULL: none */
} arguments;

/* Sets options and files of h. False: a message was printed to standard error. */
bool arguments_parse(int argc, char **argv, heddle *h, arguments *out);

#endif
