/* The fields of a state, each with its role, and what the roles mean.
 *
 * The parts of a state (state.h) are made of the tables thread.def, frame.def, object.def and so on, the state
 * itself of state.def, so a field without a role does not compile. Whoever compares or hashes them asks
 * relations.h, which is made of the same tables: nobody else lists fields.
 *
 *  relation   two parts agree if ...                                                  for
 *  ---------  ----------------------------------------------------------------------  ---------------------
 *  SAME       they are identical, names and all; running counts aside                 state_identical
 *  MATCHED    they may stand for each other once objects and inputs are renamed       pairs.h, state_hash
 *  STORED     one can take the place of the other in a table of parts                 matching/parts.h
 *  ABSTRACT   they are the same but for numbers, of which abstraction keeps a part    partial/abstract.h
 *  PROVED     the same, for certificates, which are read by another process           partial/control.h
 *  OWN        a thread is SAME as far as it has come by itself                        state_thread_key
 *  COUNTED    their running counts are the same, whatever else is                     matching/cursor.h
 *
 *  role       what it is                                                              in which relations
 *  ---------  ----------------------------------------------------------------------  ---------------------
 *  CONTROL    decides how the program goes on, besides values                         all but COUNTED
 *  HANDLED    the same, and others may change it while the thread goes on             all but OWN
 *  DATA       values: every relation has its own way with them                        as relations.h says
 *  SUMMARY    of objects that stand for many: none are in states that are matched     all but MATCHED
 *  CLOCK      simulated time, which MATCHED compares relative to now, if at all       all but MATCHED
 *  HINT       found out on the way; states that differ in it behave alike             SAME, STORED, ABSTRACT
 *  NAME       of a dynamic object: MATCHED finds out who stands for whom              all but MATCHED
 *  MAKER      who made it, which its name says as well                                STORED, ABSTRACT, PROVED
 *  BIRTHS     how many threads it has created: names of those still to come           ABSTRACT, PROVED, COUNTED
 *  FIXED      follows from CONTROL, or from what the program is                       STORED
 *  BOUND      counted for a bound (--unwind), which is a doubt when it is met         STORED
 *  NOTE       for reports alone                                                       STORED
 *  COUNT      running counts for names: whoever goes on from a state has them         COUNTED
 *  CACHE      what can be computed again, and how much room there is                  none
 *  ASIDE      kept beside the identity: the visited set looks at it itself            none */
#ifndef HEDDLE_MACHINE_FIELDS_H
#define HEDDLE_MACHINE_FIELDS_H

typedef enum state_relation {
    RELATION_SAME = 1,
    RELATION_MATCHED = 2,
    RELATION_STORED = 4,
    RELATION_ABSTRACT = 8,
    RELATION_PROVED = 16,
    RELATION_OWN = 32,
    RELATION_COUNTED = 64
} state_relation;

enum {
    ROLE_CONTROL = RELATION_SAME | RELATION_MATCHED | RELATION_STORED | RELATION_ABSTRACT | RELATION_PROVED |
                   RELATION_OWN,
    ROLE_HANDLED = ROLE_CONTROL & ~RELATION_OWN,
    ROLE_DATA = 0, /* not by the table */
    ROLE_SUMMARY = ROLE_CONTROL & ~RELATION_MATCHED,
    ROLE_CLOCK = ROLE_CONTROL & ~RELATION_MATCHED,
    ROLE_NAME = ROLE_CONTROL & ~RELATION_MATCHED,
    ROLE_HINT = RELATION_SAME | RELATION_STORED | RELATION_ABSTRACT,
    ROLE_MAKER = RELATION_STORED | RELATION_ABSTRACT | RELATION_PROVED,
    ROLE_BIRTHS = RELATION_ABSTRACT | RELATION_PROVED | RELATION_COUNTED,
    ROLE_FIXED = RELATION_STORED,
    ROLE_BOUND = RELATION_STORED,
    ROLE_NOTE = RELATION_STORED,
    ROLE_COUNT = RELATION_COUNTED,
    ROLE_CACHE = 0,
    ROLE_ASIDE = 0
};

#endif
