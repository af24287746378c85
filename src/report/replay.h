/* What the files that build traces share. Not for others. */
#ifndef HEDDLE_REPORT_REPLAY_H
#define HEDDLE_REPORT_REPLAY_H

#include "report/trace.h"
#include "report/value.h"

typedef struct replay {
    machine *m;
    const program *p;
    naming names;
    const check *violated; /* what the last step must violate, or NULL */
    unsigned stops;
    trace *out;
} replay;

/* --- describe.c: one step, read off the states before and after it -------------------------------------- */
void describe_step(replay *r, const state *before, const state *after, uint32_t thread, trace_step *step);
void describe_notified(replay *r, const effect *touched, trace_step *step);

/* --- situation.c: the state at the end of a trace ------------------------------------------------------- */
void describe_violation(replay *r, const state *s, uint32_t thread);
void describe_deadlock(replay *r, const state *s);

/* --- shared helpers, in describe.c ---------------------------------------------------------------------- */
char *take_text(text *t); /* its characters; the text is empty afterwards */
char *value_text(replay *r, const state *s, value v, scalar_type type);
char *cell_text(const char *base, bool is_array, const layout *shape, uint32_t cell);
position thread_position(const program *p, const thread_part *t);
static inline const frame *top_frame(const thread_part *t) {
    return &t->frames[t->frame_count - 1];
}

#endif
