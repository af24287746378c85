/* Where a thread stands, as its user sees it: in the innermost function of the program itself. Functions of
 * library models are hidden; the outermost of them is what the program called. */
#ifndef HEDDLE_MACHINE_PLACE_H
#define HEDDLE_MACHINE_PLACE_H

#include "base/text.h"
#include "machine/look.h"

/* Depth of the innermost frame of the program itself; NO_INDEX if there is none. */
uint32_t thread_visible_depth(const program *p, const thread_part *t);

/* At the wait it waits in, at the call that it is inside of, else at what it does next; line 0: nowhere. */
position thread_position(const program *p, const thread_part *t);

/* Who runs in the middle of a step of this thread: itself, or a thread that it has made to run. */
uint32_t thread_in_control(const state *s, uint32_t thread);

/* ", called from push at q.c:3:5, called from main at 63:9": who has called that function. */
void thread_print_callers(const program *p, const thread_part *t, text *out);

void state_print_callers(const machine *m, const state *s, uint32_t thread, text *out);

/* The function of that position; NULL: it is in library code only. */
const function *thread_visible_function(const program *p, const thread_part *t);

/* The file of that function; NULL: the program's, or there is none. */
const char *state_file(const machine *m, const state *s, uint32_t thread);

#endif
