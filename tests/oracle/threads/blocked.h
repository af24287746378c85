/* Which threads are blocked for ever, read off the graph of all states.
 *
 *     possible  a thread waits in some state and in all states that can come after it, and none of these ends
 *               the program
 *     certain   the same where nothing ever changes again: every thread stands still or goes round
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
    uint32_t waits;  /* bit set of threads: blocked in something else than a join */
    bool ends;       /* some step from here ends the program */
    bool plain;      /* every thread that can go on does one thing only, and goes on after it */
    uint64_t memory; /* hash of everything but the threads' own states */
} blocked_node;

typedef struct blocked_answer {
    bool certain, possible;
} blocked_answer;

/* edges: indices of nodes; those that are none lead out of the graph. */
blocked_answer blocked_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges);

#endif
