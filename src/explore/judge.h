/* What the end of a step means for the verdict: shared by all explorers, so that they agree on which
 * violations count, which are only doubts, and when a search may stop.
 *
 * A violation enters the outcome only after it was confirmed by replay; one that cannot be is a doubt. */
#ifndef HEDDLE_EXPLORE_JUDGE_H
#define HEDDLE_EXPLORE_JUDGE_H

#include "explore/explore.h"

typedef struct judge {
    machine *machine;
    const explore_options *options;
    step_options how; /* what the explorer steps with */
    outcome *out;
    bool stop; /* enough was found: set with the first violation unless all are wanted */
} judge;

judge judge_create(machine *m, const explore_options *options, outcome *out);

/* Appends the path from the initial state to where the judged step ended, that step included. Called only if
 * the path is needed. */
typedef void (*path_recorder)(void *data, path *out);

/* The execution ends with this outcome although other threads could go on: a violation, or the end of the
 * program that did not wait for them (exit_anywhere, or inside an atomic section). A violated assertion that
 * is passed over does not count: its step has another outcome for that. */
bool judge_cuts_off_others(const judge *j, const state *from, uint32_t thread, const successor *s);

/* A step ended: records a violation or a doubt. */
void judge_step_end(judge *j, const successor *s, path_recorder record, void *data);

/* A violation whose kind, check and threads are set. */
void judge_violation(judge *j, violation v, const successor *end, path_recorder record, void *data);

/* A doubt about the end of a step: where it was, which check, and who had called. */
void judge_doubt_end(judge *j, reason why, const successor *s);

/* A doubt about a violation that nobody could lead to; none, if another one of the same check was shown. */
void judge_doubt_violation(judge *j, const successor *s);

/* A doubt about what a thread would do next, which nobody looks at. */
void judge_doubt_next(judge *j, reason_kind why, const state *s, uint32_t thread);

/* A data race that nobody asked about: noted by the machine if a replay shows it. */
void judge_note_race(judge *j, violation v, path_recorder record, void *data);
/* The same if the first access came earlier: the states in which each of them was next. */
void judge_note_late_race(judge *j, violation v, const state *const at[2], path_recorder record, void *data);
bool judge_wants_race_note(const judge *j); /* false: nobody wants one, or it is there */

/* The doubt about a violation that a replay did not show. When time is up the solver answers nothing any
 * more, and checks that hold look as if they could fail. */
reason_kind judge_why_unconfirmed(const explore_options *o);

/* Records a deadlock or livelock if the state is one and they are asked for; `further`: also if that shows
 * only in what comes after it, which takes time (machine_blocked_for_ever). */
void judge_hangs(judge *j, const state *s, bool further, path_recorder record, void *data);

/* No thread moves in `s`. */
void judge_standstill(judge *j, const state *s, path_recorder record, void *data);

/* Sorts the trace classes of an outcome and removes duplicates. */
void judge_sort_traces(outcome *o);

#endif
