/* How states move by the rules of a kernel: one table of functions for each, found by the kernel of the
 * program and kept in the machine. The files of this folder call them through it and ask the traits of the
 * program (program/kernel.h) for what is no move; none of them asks which kernel it is. Not for others: they
 * ask the machine.
 *
 * A function may be absent only where a trait says so, which stands beside it. */
#ifndef HEDDLE_MACHINE_KERNEL_H
#define HEDDLE_MACHINE_KERNEL_H

#include "machine/hangs.h"
#include "machine/internal.h"

typedef struct kernel {
    const char *name; /* kernel_traits.rules of the programs that it is for */

    /* --- of states --- */
    void (*begin)(machine *m, state *s); /* the initial state, of which main's first instruction comes next */
    void (*enabled)(machine *m, const state *s, transitions *out);
    void (*pending)(machine *m, const state *s, uint32_t thread, pending *out);
    /* How many transitions the thread has, enabled or not: transition.choice is below it. At least one, and one
     * inside a step. `enabled` has all of them, one behind the other, or none. */
    uint32_t (*choices)(const machine *m, const state *s, uint32_t thread);
    /* Whether the step is one at all, also if `enabled` keeps it for later. */
    bool (*can_step)(machine *m, const state *s, transition t);
    bool (*deadlocked)(machine *m, const state *s);

    /* --- of steps; each that gives nothing back, or false, has consumed the context --- */
    void (*begin_step)(run *r, context *c, transition t);
    sync_result (*sync)(run *r, context *c, const instruction *i); /* and moves its thread behind it */
    bool (*stops)(run *r, context *c); /* the step ends here, and what it leaves is seen to; or not yet */
    void (*thread_returns)(run *r, context *c, value result); /* from where it began */
    void (*goes_round)(run *r, context *c, position at);      /* for ever: it came back to where it was */

    /* --- with kernel_traits.preempts --- */
    bool (*stops_before)(run *r, context *c, const instruction *i); /* i is visible and comes too late */
    piece (*next_piece)(machine *m, const context *c, const instruction *i, value length);

    /* --- with kernel_traits.others_go_on_without --- */
    void (*stick)(run *r, context *c); /* its thread goes no further, others do */

    /* --- with kernel_traits.waits_for_events --- */
    bool (*is_blocked)(const machine *m, const state *s, uint32_t thread); /* see machine_is_blocked */

    /* --- with kernel_traits.threads_hang_apart --- */
    bool (*is_at_program_end)(const machine *m, const state *s, uint32_t thread);

    /* --- with kernel_traits.loops_can_wait --- */
    void (*enter_loop_head)(run *r, context *c);
    bool (*sleeps)(machine *m, const state *s, uint32_t thread);
    hang_answer (*livelocked)(machine *m, const state *s);
} kernel;

extern const kernel systemc_kernel, preemptive_kernel;

const kernel *kernel_of(kernel_kind kind);

/* `stick` of the kernel; consumes the context. */
void run_stick(run *r, context *c);

#endif
