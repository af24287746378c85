/* Segments: the static transitions of a cooperative (systemc) program.
 *
 * A thread runs from one scheduling point to the next without interruption. A segment is such a piece,
 * identified by (thread, call string, instruction where it starts): next(s, T) of [1] in docs/algorithms.md.
 * For each segment this module computes what it may touch, which events it may start from waiting on, and from
 * these the dependence and can-enable relations that static reduction works with.
 *
 * Addresses and event numbers are followed through registers and calls by constant propagation; an unknown
 * pointer may be any object whose address is taken or any heap object; an index that is not constant means
 * the whole array. Everything is an over-approximation: it never forgets an access. Recursion that contains
 * scheduling points makes the thread's segments one. */
#ifndef HEDDLE_ANALYSIS_SEGMENT_H
#define HEDDLE_ANALYSIS_SEGMENT_H

#include "analysis/flow.h"
#include "program/effect.h"
#include "program/program.h"

typedef struct call_site { /* where a frame stands: the next instruction to execute when it is on top again */
    uint32_t function, block, index;
} call_site;

typedef VEC(call_site) call_sites; /* a stack, outermost call first */

typedef struct segment {
    uint32_t thread;
    call_site start;      /* innermost frame */
    uint64_t call_string; /* hash of the whole stack, outermost first; 0 for the catch-all segment */
    effect touches;       /* includes RUN of its thread and WAIT for the events it may end by waiting on */
    effect wakes_on;      /* events (as ACCESS_WAIT) whose immediate notification may enable it */
    bool may_loop;        /* contains a back edge or recursion */
    bool catch_all;       /* stands for every segment of its thread */
} segment;

typedef struct segments {
    VEC(segment) list;
    size_t words;         /* of one row of the bit matrices */
    uint64_t *dependent;  /* list.size rows: bit j of row i: i and j, of different threads, are dependent */
    uint64_t *can_enable; /* row i, bit j: i may enable j by an immediate notification */
    uint64_t *enabled_by; /* the transpose of can_enable */
    struct segment_index *index;
    VEC(effect) update_touches; /* of each channel update */
    struct still_memory *still; /* cells that no segment writes (known.h); NULL: nothing is known of them */
} segments;

/* `checks_cut`: implicit checks (division, bounds) end their path when violated and exploration goes on
 * elsewhere, so they hide later violations like assumptions do. */
segments *segments_compute(const program *p, flows *of, bool checks_cut);
void segments_destroy(segments *s);

/* No thread can run again before the scheduler has: immediate notifications lead from thread to thread, but
 * never back, and nobody resumes anybody. Every evaluation phase comes to an end then, after all that could
 * run have run. */
bool segments_phases_end(const segments *s, size_t threads);

/* No two channel updates touch the same thing in a way that shows their order. */
bool segments_updates_commute(const segments *s);

/* The segment that begins with this stack (sites outermost first). NO_INDEX: no execution comes to stand so,
 * but a state of which less is known may be imagined to. */
uint32_t segment_find(const segments *s, uint32_t thread, const call_site *stack, size_t depth);

static inline const uint64_t *segment_row(const segments *s, const uint64_t *matrix, uint32_t i) {
    return matrix + (size_t)i * s->words;
}

void segments_print(const program *p, const segments *s, text *out);

#endif
