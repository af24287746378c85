/* States with partly unknown memory, for explorers that abstract.
 *
 * In such a state control, scheduler, stacks, pointers and what pointers point to are exact. A number is a
 * constant, or the symbol of its own place ("the cell at byte 4 of this object", "register 3 of that frame"):
 * an unknown value. Conditions on such symbols are the state's path condition. machine_step from there gives
 * the successors of all states that the partly unknown one stands for.
 *
 * Dynamic objects are named after who holds them: the variable of a frame, or the place that made them and a
 * number. States that differ only in how often something was made before have equal names then. Of the heap
 * objects that one place made only some are told apart; those that are reached later are one object together,
 * a summary, which stands for any number of them (machine/summary.c).
 *
 * It knows nothing of predicates or refinement. */
#ifndef HEDDLE_PARTIAL_ABSTRACT_H
#define HEDDLE_PARTIAL_ABSTRACT_H

#include "machine/machine.h"
#include "machine/value.h"

enum { ABSTRACT_MOST_APART = 64 };

typedef struct rename_options {
    uint32_t apart; /* heap objects of one place that have names of their own, at most ABSTRACT_MOST_APART */
    bool ignore_time;     /* absolute time becomes 0 */
    uint32_t first_input; /* inputs are counted from here on */
} rename_options;

/* A new state equal to s but with names as above, and objects that nobody reaches dropped. NULL: `trouble` says
 * why there is no such state. */
state *abstract_rename(machine *m, const state *s, rename_options how, reason_kind *trouble);
bool abstract_has_summaries(const state *s);

/* What to keep of the number at a place: a constant that equals it on every path of the state, or NULL. */
typedef const term *(*abstract_keeps)(void *data, const term *place, const term *number);

/* Replaces every number of s (which must have no other owner) by the symbol of its place, except what is
 * kept. Pointers keep their object, and their offset if it is constant; null pointers and objects that are
 * never written stay. The path condition is not touched. NULL: done; else why not. */
reason_kind abstract_forget(machine *m, state *s, abstract_keeps keeps, void *data);

/* A time of the scheduler that is not exact, with which there is no such state; NULL: none. */
const term *abstract_open_time(const state *s);

/* One more condition of the path, or all of them replaced; s must have no other owner. */
void abstract_assume(state *s, const term *condition);
void abstract_assume_only(state *s, const term *const *conditions, uint32_t count);

bool abstract_is_heap(const state *s, uint32_t object); /* memory of the heap, that is still there */
uint32_t abstract_heap_objects(const state *s);         /* how many */
/* Every cell of it is the symbol of its own place. */
bool abstract_says_nothing(const state *s, uint32_t object);

bool abstract_is_place(const term *symbol); /* else it is an input, or an unset byte */

/* Whether it is a cell of memory; then the name of its first byte (names of further ones follow). */
uint64_t abstract_byte(uint32_t object, uint32_t byte); /* such a name */
uint32_t abstract_object_of(const term *place);         /* of a cell; NO_INDEX: it is none */
uint32_t abstract_function_of(const term *place);       /* of a register; NO_INDEX: it is none */
uint64_t abstract_variable(const term *place);          /* its name, of a register without thread and frame */
uint32_t abstract_owner(const state *s, const term *place); /* the thread whose variable it is, or NO_INDEX */
bool abstract_is_cell(const term *place, uint64_t *first_byte, uint32_t *bytes);

/* What s holds at the place of a symbol; of a pointer it is the offset. bits NULL: there is no such place, or
 * no number of that width. */
value abstract_value(machine *m, const state *s, const term *place);

/* Whether some byte at the place of a symbol was never written: nothing can be known of it. Its name goes
 * with the name of its object, which another object may have had before. */
bool abstract_is_unset(const state *s, const term *place);
bool abstract_is_unset_byte(const term *symbol); /* the unknown value of such a byte */

/* Another unknown value: names of unset bytes mean the same within one step only. */
const term *abstract_other_byte(machine *m, uint64_t number);

/* The ways in which the condition of a reach property can be true in s whatever its numbers are: the path
 * conditions of what is appended, on places by the names of s. False: there is no such property, or nobody
 * can be asked here. */
bool abstract_ask_monitor(machine *m, const state *s, successors *yes);

/* Equal in everything but numbers and path conditions; equal hashes are necessary. */
bool abstract_same_control(const state *a, const state *b);

/* The same without memory: how objects are cut into cells depends on how much is known where
 * they are accessed. */
bool abstract_same_stacks(const state *a, const state *b);
bool abstract_same_stops(const state *a, const state *b); /* nor what threads hold: only where they stand */
uint64_t abstract_control_hash(const state *s);

/* All numbers of a state, offsets of pointers included, in an order that is the same for states
 * of equal control. */
typedef VEC(const term *) number_list;
void abstract_numbers(const state *s, number_list *out);

/* Calls visit for each number at which two states of equal control differ; stops when it returns false, and
 * returns that. */
bool abstract_each_difference(const state *a, const state *b,
                              bool (*visit)(void *data, value in_a, value in_b), void *data);

/* The place of the running (or last moved) thread, and of all threads together: for scopes of precision. */
uint64_t abstract_location(const state *s, uint32_t thread);
uint64_t abstract_locations(const state *s);

void abstract_place_name(const machine *m, const term *place, text *out); /* "x", "buf[3]", "i of main" */

#endif
