/* The beginning of an execution as a text that means the same in every process: from it another one can start.
 *
 *     0:0/0/1@9c1f… 0.1:0/1/2@04d2…
 *
 * Each step says whose it is (machine_print_thread), its choice, and a key of the way that it went
 * (step_way), with the number of the successor among those that went the same way and how many these were.
 * Indices of successors would be those of the process that wrote them, whose solver may have ruled out more
 * or less. It never says what was found: whoever follows it judges anew. */
#ifndef HEDDLE_EXPLORE_PREFIX_H
#define HEDDLE_EXPLORE_PREFIX_H

#include "base/text.h"
#include "explore/player.h"

/* Appends the text of a path, which belongs to steps with these options. False: it cannot be followed. */
bool prefix_print(machine *m, const path *steps, const step_options *how, text *out);

/* Leads the player along; its path is the same one, as it is called here. Only the last step may end in
 * something else than a next one. False: this is no such text, or it cannot be followed here; the player
 * stands where that was noticed. */
bool prefix_follow(player *p, const char *prefix);

#endif
