/* Which threads are blocked for ever, read off the graph of all states.
 *
 *     possible  a thread waits in some state and in all states that can come after it, and none of these ends
 *               the program
 *     certain   the same, and no step that can come after it is cut off by an assumption or a violation: such
 *               an execution is none, or its thread is stopped where it is
 *
 * A thread that waits for the end of another does not count: if that one goes round for ever it is no
 * deadlock, and else the other counts. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_BLOCKED_H
#define HEDDLE_TESTS_ORACLE_THREADS_BLOCKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct blocked_node {
    uint32_t first_edge, end_edge;
    uint32_t waits; /* bit set of threads: blocked in something else than a join */
    uint64_t stays; /* bit set of threads in loops, see reference.c */
    uint64_t looks; /* of these: it can go on in the condition of the loop */
    bool ends;      /* some step from here ends the program */
    bool cut;       /* some step from here is cut off */
} blocked_node;

typedef struct blocked_answer {
    bool certain, possible;
} blocked_answer;

/* edges: indices of nodes; those that are none lead out of the graph. */
blocked_answer blocked_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges);

/* Which threads go round for ever in loops: possible if one is in the loop in all states that can come, none
 * of which ends the program; certain if it is also one of `waits`, can come to the condition again from
 * everywhere, and nothing is cut off. */
blocked_answer rounds_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges,
                               uint64_t waits);

#endif
