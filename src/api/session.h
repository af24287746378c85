/* One run of a command: a compiled program with the terms, solver and machine it runs on, set up as the
 * options say. */
#ifndef HEDDLE_API_SESSION_H
#define HEDDLE_API_SESSION_H

#include "api/inquiry.h"
#include "api/options.h"
#include "explore/explorer.h"
#include "strategy/strategy.h"

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

explore_options session_explore_options(session *s); /* progress is left to the caller */
strategy session_strategy(session *s);

json_t *session_bounds_json(const options *o);

#endif
