/* One run of a command: a compiled program with the terms, solver and machine it runs on, set up as the
 * options say. */
#ifndef HEDDLE_API_SESSION_H
#define HEDDLE_API_SESSION_H

#include "api/inquiry.h"
#include "api/options.h"
#include "explore/explore.h"

#include <stdatomic.h>

typedef struct run_control { /* when to stop early */
    const atomic_bool *interrupted;
    double begun, deadline; /* on clock_wall; 0: none */
    double turn_end;        /* of the explorer whose turn it is: steps and queries end there, too; 0: none */
    double afterwards;      /* seconds that freeing everything will take */
    size_t most_bytes;      /* resident; 0: none */
    double next_look;       /* at the memory, on clock_wall: asking for it is slow */
    bool memory_is_up;
} run_control;

typedef struct session {
    const options *options;
    const inquiry *inquiry;
    run_control control;
    program *program;
    terms *terms;
    solver *solver;
    machine *machine;
    bool certifies; /* it confirms what somebody else found */
    bool borrows_program;
    bool stays_in_one_process;
} session;

/* Takes the program. */
void session_open(session *s, program *p, const options *o, const inquiry *q, const atomic_bool *interrupted,
                  double begun);
void session_close(session *s);

/* The same program once more, with terms, solver and machine of its own, to confirm what the first one found.
 * It must be closed before that one. */
void session_open_again(session *s, const session *first);

/* Why something that was told to stop was: a process of its own may have stopped before this one would. */
typedef enum { STOPPED_BY_USER, STOPPED_BY_TIME, STOPPED_BY_MEMORY } session_stop;
session_stop session_stopped_by(const session *s);
bool session_should_stop(void *session);             /* interrupted, or past the time limit */
bool session_time_is_up(const session *s);           /* and nobody pressed Ctrl-C */
void session_limit_turn(session *s, double seconds); /* from now on; 0: no more */
bool session_memory_is_up(const session *s);

explore_options session_explore_options(session *s); /* progress is left to the caller */

json_t *session_bounds_json(const options *o);

#endif
