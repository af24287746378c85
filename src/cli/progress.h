/* The progress line on standard error. It overwrites itself and is wiped before anything else is printed. */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include "heddle.h"

typedef struct progress_line {
    bool draws; /* else it only knows */
    bool shown;
    const char *limit; /* of the time, as it was given; NULL or "": none */
    double drawn_at;   /* seconds of the run */
} progress_line;

bool progress_is_wanted(const heddle *h); /* option `progress`, and whether standard error is a terminal */
void progress_draw(void *line, const heddle_progress *p);
void progress_wipe(progress_line *line);

#endif
