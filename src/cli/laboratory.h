/* `heddle compare DIR --matrix FILE`: programs × configurations × parameters × repetitions.
 *
 *     [programs]
 *     match = ["token-*.ivl"]       # of the names below DIR; all programs unless given
 *     [options]                     # of every run
 *     time = "10s"
 *     [configuration.stubborn]      # options of one configuration
 *     por = "stub-min"
 *     [sweep]                       # values of parameters (macros, in C), in all combinations
 *     N = [2, 3, 4]
 *     [repetitions]
 *     count = 3
 *
 * Every run is a process of its own. NAME.csv has a line for each, runs that hit a limit included, and lines
 * that are there already are not run again: an interrupted experiment goes on where it was. When all is there
 * NAME.tex and NAME-quantile.svg, NAME-scatter.svg and NAME-scaling.svg are made from it. */
#ifndef HEDDLE_CLI_LABORATORY_H
#define HEDDLE_CLI_LABORATORY_H

#include "heddle.h"

typedef struct laboratory_request {
    const char *folder, *matrix, *name;
    bool (*stopped)(void);
} laboratory_request;

/* 0: every run has a line now; 2: bad input; 3: interrupted; 4: a wrong or contradictory verdict, or nothing
 * could be written. */
int laboratory_run(const laboratory_request *q);

#endif
