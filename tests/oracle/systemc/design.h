/* Tiny programs as SystemC designs in C++ that mean the same.
 *
 * One program can be written in many ways: the style says which one. Lines of statements are those of the IVL
 * text (#line), so that violations can be compared by line. Never runs anything. */
#ifndef HEDDLE_TESTS_ORACLE_SYSTEMC_DESIGN_H
#define HEDDLE_TESTS_ORACLE_SYSTEMC_DESIGN_H

#include "generator.h"
#include "tiny.h"

/* Designs that are known to mean something else, to show that the oracle would notice. */
typedef enum design_mutant {
    DESIGN_FAITHFUL,
    DESIGN_DROPS_CANCEL,
    DESIGN_DELAYS_NOTIFY, /* immediate notifications come one delta cycle later */
    DESIGN_BEGINS_EARLY,  /* processes run at first in spite of dont_initialize */
    DESIGN_ANY_FOR_ALL, /* the headers ask the kernel: a wait for all of several events ends with the first */
    DESIGN_LOSES_RESUME, /* as well */
    DESIGN_KNOWS_INPUTS, /* variables that are inputs hold their lowest value */
    /* in the headers: a process finds out about kill and reset when it wakes by itself */
    DESIGN_CONTROLS_LATE,
    DESIGN_DISABLES_NOTHING, /* as well */
    DESIGN_MUTANTS
} design_mutant;

const char *design_mutant_name(design_mutant m);
/* A definition for the compiler that makes the headers wrong; NULL: the text is what is
 * wrong, if anything. */
const char *design_mutant_definition(design_mutant m);

/* A variable that is a signal: in IVL a second one that holds the new value, an update that copies it and an
 * event that nobody else notifies. */
typedef struct design_signal {
    bool is_there;
    uint32_t global, next, event, update;
} design_signal;

/* Edits the program so that one of its variables is a signal, if one can be. Such programs are not shrunk. */
void design_add_signal(tiny_program *p, uint64_t seed, design_signal *out);

/* Puts statements in front of the first `start` that draw inputs, compute with them and branch on them. */
void design_add_beginning(tiny_program *p, uint64_t seed);

/* Makes threads kill, reset, disable each other, or throw exceptions into each other. */
void design_add_control(tiny_program *p, uint64_t seed);
bool design_has_control(const tiny_program *p); /* it cannot be said in IVL */

typedef struct design_style {
    design_signal signal;
    bool module_data;     /* data are members of a module, else they have namespace scope */
    bool parts;           /* processes are in several modules, with references to the data */
    bool ports;           /* parts call functions through a port */
    bool assert_ends;     /* assert, else __VERIFIER_assert, behind which execution goes on as in IVL */
    bool verifier_inputs; /* __VERIFIER_nondet_*, else heddle::input */
    bool methods;         /* threads that can be are method processes */
    bool sensitivity;     /* static where that is enough */
    bool time_objects;    /* sc_time(2, SC_PS), else two arguments */
    bool nanoseconds;
    bool late;    /* dont_initialize does the first wait of processes that begin with one */
    bool starter; /* what main does before `start` is done by a process, which then lets the others begin */
    bool early;   /* no starter: main itself draws inputs before sc_start */
    design_mutant mutant;
} design_style;

/* Any style that can say the program, with the signal and `early` that are in it if that can be. Where wrong
 * indices are used data have namespace scope: what lies behind an array inside of a module is a part
 * of the module. */
void design_choose_style(const tiny_program *p, uint64_t seed, bool wrong_indices, design_style *out);
void design_describe_style(const design_style *s, text *out);

uint16_t design_methods(const tiny_program *p, const design_style *s); /* bodies that are, as bits */

/* Why a program cannot be said with the library's sc_start, or NULL. */
const char *design_problem(const tiny_program *p);

/* The program must have been printed as IVL: lines are noted then. */
void design_print(const tiny_program *p, const design_style *style, text *out);

#endif
