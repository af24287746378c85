/* What the heap memory of one trace is, and what it is called.
 *
 * Nobody declares heap memory: what it holds is known from the pointers to it, as the source declares them,
 * and so is a name. `pool` is one if every variable of that name points to nothing else all the time; a
 * global pointer or a member that is set once is one, too; otherwise memory is called after its type: job#1,
 * job#2. Names must last for a whole trace, so all of its states are looked at before the first
 * is asked for. */
#ifndef HEDDLE_REPORT_TRACE_HEAP_H
#define HEDDLE_REPORT_TRACE_HEAP_H

#include "machine/look.h"

typedef struct heap_names heap_names;

typedef struct heap_name {
    const char *name;
    bool is_pointer; /* it is what points there: name->member. Else it is the memory itself: name.member */
} heap_name;

heap_names *heap_names_create(const program *p, terms *c, const valuation *inputs);
void heap_names_destroy(heap_names *h); /* NULL is allowed */

/* The next state; `before` is the one before it, of which all is known (NULL: none). */
void heap_names_learn(heap_names *h, const state *before, const state *s);
void heap_names_decide(heap_names *h); /* all states were seen */

/* Tells the heap objects of a state what they hold (memory_object.described), which is no part
 * of its identity. */
void heap_names_describe(const heap_names *h, state *s);

/* An object that was never seen gets the next number. */
heap_name heap_name_of(heap_names *h, uint32_t object);

#endif
