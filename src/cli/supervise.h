/* Work in a process of its own, which is ended when it does not end itself: limits and signals hold whatever
 * it is at, in code of ours or of others.
 *
 * The process that does the work looks after limits itself and knows most about its answer, so it is given
 * time: a second after a signal, and some more than the limit. What it prints appears as it prints it. */
#ifndef HEDDLE_CLI_SUPERVISE_H
#define HEDDLE_CLI_SUPERVISE_H

#include "heddle.h"

typedef struct ended_work {
    bool interrupted; /* else its time was over */
    heddle_stage stage;
    const heddle_progress *so_far; /* the last that it noted; NULL: none */
} ended_work;

typedef struct supervision {
    heddle *h;               /* its option `time` is the limit, its stages are watched */
    int (*work)(void *data); /* gives the exit status; in the other process */
    int (*give_up)(void *data, const ended_work *ended); /* the same, for work that was ended; here */
    void *data;
} supervision;

int supervise(const supervision *s); /* the exit status */

/* In the process that works: what is printed from now on is the answer, and nobody else should give one. */
void supervise_answer(void);
void supervise_note(const heddle_progress *so_far); /* what may be told of the work if it is ended */

/* "heddle: time limit while compiling"; the exit status of commands that have no other answer. */
int supervise_say_ended(const ended_work *ended);

#endif
