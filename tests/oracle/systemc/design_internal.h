/* What the files that print designs share. */
#ifndef HEDDLE_TESTS_ORACLE_SYSTEMC_DESIGN_INTERNAL_H
#define HEDDLE_TESTS_ORACLE_SYSTEMC_DESIGN_INTERNAL_H

#include "design.h"

typedef struct design_writer {
    const tiny_program *p;
    const design_style *style;
    text *out;
    unsigned depth;
    bool limited;          /* some `start` has a limit */
    const char *functions; /* how functions are reached: "", "s." or "api->" */
    uint8_t heard;         /* events of the static sensitivity of the process; 0: none */
    bool odd;              /* main's time is behind the limit of a `start` */
} design_writer;

/* A thread that never waits but at one place of its endless loop, first or last in it. */
typedef struct design_method {
    uint32_t loop, wait; /* statements; loop TINY_NONE: it is none */
    bool waits_first;
} design_method;

design_method design_find_method(const tiny_program *p, uint32_t body);
/* Events (as bits) such that every wait of the body is for any of them and nothing else; 0:
 * there are none. */
uint8_t design_heard_events(const tiny_program *p, uint32_t body);
/* The wait that a process begins with and that dont_initialize can do for it; TINY_NONE: there is none. What
 * it is for nobody notifies at once: a process that has not begun by then would miss that. Neither does
 * anybody suspend it. */
uint32_t design_first_wait(const tiny_program *p, uint32_t body, bool method);
bool design_is_limited(const tiny_program *p);
bool design_is_controlled(const tiny_program *p, uint32_t body); /* somebody suspends, kills … it */
uint32_t design_first_start(const tiny_program *p);              /* a statement of main, or TINY_NONE */

/* design_statement.c */
void design_print_list(design_writer *w, uint32_t from, uint32_t until); /* until: exclusive */
void design_print_trigger(design_writer *w, const tiny_stmt *wait);      /* the arguments of a wait */
void design_print_local(design_writer *w, const tiny_body *b, unsigned number, const char *prefix);
void design_print_input_ranges(design_writer *w);
void design_indent(design_writer *w);
const char *design_type_name(unsigned type);
bool design_is_signal_event(const design_writer *w, unsigned event);

#endif
