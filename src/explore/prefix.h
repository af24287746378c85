/* The beginning of an execution as a text that means the same in every process: from it another one can start.
 *
 *     0:0/0@9c1f… 0.1:0/1@04d2…
 *
 * Each step says whose it is (machine_print_thread), its choice, which of its successors was taken, and a key
 * of the way that it went there (step_way). The key decides: indices are those of the process that wrote
 * them, whose solver may have ruled out more or less. It never says what was found: whoever
 * follows it judges anew. */
#ifndef HEDDLE_EXPLORE_PREFIX_H
#define HEDDLE_EXPLORE_PREFIX_H

#include "base/text.h"
#include "explore/player.h"

/* Appends the text of a path, which belongs to steps with these options. False: it cannot be followed. */
bool prefix_print(machine *m, const path *steps, const step_options *how, text *out);

/* Leads the player along; its path is the same one, as it is called here. Only the last step may end in
 * something else than a next one. False: this is no such text, or it cannot be followed here. */
bool prefix_follow(player *p, const char *prefix);

#endif
