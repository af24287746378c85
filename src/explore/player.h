/* A player leads the machine along one execution, one step after the other. Whoever follows a recorded path,
 * makes an execution of its own or looks at a step again stands on one.
 *
 * A step has two halves: player_look makes its successors, player_take goes to one of them. Which one is up
 * to whoever leads; the usual ways to choose are here: as it was recorded, the one that goes on, the only
 * one. What was taken is a path that another player can follow.
 *
 * With fixed inputs (step_options.inputs) there is nothing to choose: one successor is no violation, and
 * violations beside it were passed on the way (continue_after_violation). If all are violations the execution
 * ends there. Were there several others, what happens would depend on more than inputs.
 *
 * A player has one state and never goes back. It neither stores states nor judges them. */
#ifndef HEDDLE_EXPLORE_PLAYER_H
#define HEDDLE_EXPLORE_PLAYER_H

#include "machine/machine.h"

typedef struct player {
    machine *m;
    state *now;       /* where it stands: a reference */
    step_options how; /* of all steps; whoever leads may change them between two */
    successors next;  /* of the step that was looked at last */
    path done;        /* the steps that were taken */
} player;

player player_begin(machine *m, const step_options *how); /* at the initial state */
player player_begin_at(machine *m, const state *s, const step_options *how);
void player_end(player *p);
state *player_leave(player *p); /* ends it; where it stood is the caller's */

/* Begins again at s, for whoever goes many short ways. */
void player_move_to(player *p, const state *s);

/* --- the first half ------------------------------------------------------------------------------------- */

void player_look(player *p, transition by);
/* All that its next step may lead to: where no step was recorded, as behind the first piece of one. */
void player_look_at_thread(player *p, uint32_t thread);

/* --- one of p->next, or NULL ---------------------------------------------------------------------------- */

const successor *player_recorded(const player *p, path_step step); /* whatever it ends in */
const successor *player_going_on(const player *p);                 /* the first that stops at a next step */
const successor *player_only_way(const player *p);                 /* the same, if nothing else can happen */
/* With fixed inputs: where they lead, whatever it ends in. `others` (may be NULL): how many there are beside it
 * that are no violations, either. */
const successor *player_with_inputs(const player *p, size_t *others);
/* As in another execution: the first that stops at a next step with its thread as in `after`, which came behind
 * the step there. */
const successor *player_repeated(const player *p, const state *after);

/* --- the second half ------------------------------------------------------------------------------------ */

void player_take(player *p, const successor *chosen);

/* --- both ----------------------------------------------------------------------------------------------- */

/* Takes the step as it was recorded, or the first way of one that goes on. False: it does not lead on; nothing
 * was taken. */
bool player_follow(player *p, path_step step);
bool player_follow_path(player *p, const path *steps); /* false: some step does not lead on */
bool player_go_on(player *p, transition by);

/* Lets the thread go on until it cannot; false, and the player stands where it did: it can after so many
 * steps, or what it does is open. The steps made are counted. */
bool player_lead_to_sleep(player *p, uint32_t thread, uint64_t most, uint64_t *made);

#endif
