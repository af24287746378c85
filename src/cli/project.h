/* heddle.toml: what a project has checked, target by target.
 *
 *     [defaults]              # options of every target
 *     time = "60s"
 *     [target.queue]
 *     files = ["queue.c", "queue_test.c"]
 *     define = ["CAPACITY=2"]
 *     expect = "safe"         # optional: any other verdict fails
 *
 * Keys are the long options of `heddle check`; `{target}` in a value stands for the target's name. Paths
 * count from the folder of the project file. Options of the command line come last and win. Folders of files
 * that are written are made; two targets never write the same file. */
#ifndef HEDDLE_CLI_PROJECT_H
#define HEDDLE_CLI_PROJECT_H

#include "cli/arguments.h"

typedef struct project_request {
    const char *path;
    const char *only; /* names, separated by commas; "": all */
    int argc;
    char **argv;
    const command *command;
    bool json;
    void (*begin)(heddle *h); /* told of each run, for signals */
    bool (*stopped)(void);    /* asked between them */
} project_request;

bool project_exists(const char *path);
int project_run(const project_request *q); /* the exit status: the worst of all targets */

#endif
