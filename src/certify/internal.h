/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_CERTIFY_INTERNAL_H
#define HEDDLE_CERTIFY_INTERNAL_H

#include "base/map.h"
#include "certify/certify.h"
#include "machine/relations.h"
#include "partial/abstract.h"

#define CERTIFICATE_FORMAT "heddle-certificate"
enum { CERTIFICATE_VERSION = 4 };

/* What steps may be cut at. */
enum {
    CERTIFICATE_STOPS =
        STOP_LOOP_HEAD | STOP_CALL | STOP_INSTRUCTION | STOP_JOIN | STOP_EVERY_JOIN | STOP_HEAP_ORDER
};

/* --- control.c: a state is its control and its numbers -------------------------------------------------- */

/* Everything of a state but its numbers and conditions, as one number. It only says which entries are worth
 * looking at: an entry is never believed because of it. */
uint64_t control_fingerprint(const state *s);

/* All numbers of a state, offsets of pointers included, in an order that is the same for states of equal
 * control. Objects that are never written are left out, as they tell no states apart, and summaries, which
 * belong to the control. */
void control_numbers(const program *p, const state *s, number_list *out);

/* Puts others in their place, as many. The state must have no other owner. */
void control_set_numbers(const program *p, state *s, const number_list *numbers);

/* What numbers are called if they are not known: the symbols of their places. Where numbers mostly are known
 * (pointers) there is a constant. NULL: done; else why not. */
reason_kind control_usual_numbers(machine *m, const state *s, number_list *out);

/* --- read.c --------------------------------------------------------------------------------------------- */

typedef VEC(const term *) term_list;

typedef struct number_at {
    uint32_t at; /* index in control_numbers */
    const term *number;
} number_at;

/* What a certificate says about data at one control: terms for all numbers, over symbols of places, and
 * conditions on these. It stands for the states that some values of the symbols give. */
typedef struct entry {
    VEC(number_at) constants;
    VEC(number_at) others; /* neither constant nor the usual symbol */
    term_list conditions;
    uint32_t next_alike; /* of the same pattern, with constants of the same hash */
} entry;

/* Entries of one control with constants at the same numbers. */
typedef struct entry_pattern {
    VEC(uint32_t) at;
    map entries; /* hash of the constants -> an entry, others by next_alike */
} entry_pattern;

typedef VEC(entry_pattern) entry_patterns;

struct certificate {
    unsigned stops;
    uint32_t apart; /* objects of one place, see rename_options */
    VEC(entry) entries;
    map by_control; /* fingerprint -> index into groups */
    VEC(entry_patterns) groups;
};

/* --- contain.c ------------------------------------------------------------------------------------------ */

typedef struct container_part {
    uint32_t entry;
    const term *condition; /* on the values of the present state: then it is within the entry */
} container_part;

typedef struct container {
    machine *machine;
    const certificate *certificate;
    VEC(number_list) usual; /* by group, of the last state that was looked for there */
    number_list numbers;    /* of the present state ... */
    number_list known;      /* ... with constants where its conditions leave no choice */
    number_list whole;      /* of the entry in question */
    substitution *values;   /* of the symbols of that entry, so that it becomes the present state */
    map valued;             /* id of a symbol -> 1: has a value there */
    substitution *equal;    /* symbols that are constants */
    term_list query;
    VEC(container_part) parts;
} container;

void container_open(container *x, machine *m, const certificate *c);
void container_close(container *x);

typedef struct contained_in {
    uint32_t entry;
    state *whole; /* all that the entry says at the control of s; owned by the caller */
} contained_in;

typedef VEC(contained_in) contained;

/* States of entries that together stand for all that s stands for, which must be renamed (abstract_rename).
 * False: there are none. */
bool container_find(container *x, const state *s, contained *out);

#endif
