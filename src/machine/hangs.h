/* Who is blocked, or goes round in a loop that waits, for ever. */
#ifndef HEDDLE_MACHINE_HANGS_H
#define HEDDLE_MACHINE_HANGS_H

#include "analysis/loops.h"
#include "machine/machine.h"

/* Systemc: the simulation ended with nothing pending although some thread still waits. Preemptive: some
 * thread is blocked for ever, whatever the others do; none was stopped by an assumption, and nobody can end
 * the program (unless blocked_at_exit). The others may stand still, spin, or go on. */
bool machine_deadlocked(machine *m, const state *s);

/* Preemptive: some thread goes round for ever in a loop that waits (analysis/loops.h), whatever the others do;
 * as above none was stopped by an assumption, and nobody can end the program. PERHAPS: it draws inputs on its
 * way, and whether they can lead it out is not known. */
typedef enum { HANG_NOT, HANG_PERHAPS, HANG_CERTAIN } hang_answer;
hang_answer machine_livelocked(machine *m, const state *s);
/* Whether it stands in a loop that waits, and sleeps there or goes round without telling anybody. */
bool machine_spins_in_vain(machine *m, const state *s, uint32_t thread);
/* Who may be blocked, or go round in a loop that waits, for ever. */
typedef struct suspect {
    uint32_t thread;
    bool spins;      /* goes round: */
    loop_place loop; /* here */
} suspect;
typedef VEC(suspect) suspects;

/* Preemptive: those that wait, or (`spin`) that are in loops that wait. Who joins a thread is none unless
 * that one joins him: to wait for the end of somebody who goes on is no deadlock. */
void machine_list_blocked(machine *m, const state *s, suspects *out);
void machine_list_waiting(machine *m, const state *s, suspects *out);

/* Whether the suspect stays where it is whatever happens, by a look at all that can happen. PERHAPS: that is
 * too much, or depends on what is not known. */
hang_answer machine_stays_for_ever(machine *m, const state *s, const suspect *who);

/* The answers of machine_deadlocked and machine_livelocked, and where somebody else still moves but may not
 * be able to help, those of machine_stays_for_ever. */
hang_answer machine_blocked_for_ever(machine *m, const state *s);
hang_answer machine_spins_for_ever(machine *m, const state *s);

/* The loops that wait and have a frame of the thread in them, the outermost first. */
void machine_waiting_loops(machine *m, const state *s, uint32_t thread, loop_places *out);
/* Whether there are such. */
bool machine_is_in_waiting_loop(machine *m, const state *s, uint32_t thread);

/* Systemc: the thread waits or is suspended, in the midst of what it does. Methods are called when there is
 * something to do, and spare processes wait for work. */
bool machine_is_blocked(const machine *m, const state *s, uint32_t thread);

/* Whether threads that go round in vain sleep (machine_options.sleep_spins), and whether this one does. */
bool machine_lets_spins_sleep(const machine *m);
bool machine_sleeps(machine *m, const state *s, uint32_t thread);

#endif
