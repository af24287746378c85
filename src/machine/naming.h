/* The names that a machine gave to threads, dynamic objects and places that make objects.
 *
 * All of them are numbered in the order of discovery, so two machines of one program agree on them only if
 * the second is told what the first one found. What a name stands for never depends on its number: restored
 * names change nothing about what a program does. */
#ifndef HEDDLE_MACHINE_NAMING_H
#define HEDDLE_MACHINE_NAMING_H

#include "machine/machine.h"

typedef struct thread_birth {
    uint32_t creator, count; /* its how manyth creation */
    uint32_t function;       /* where it begins */
} thread_birth;

typedef VEC(thread_birth) thread_births;

typedef struct machine_names { /* each in the order of its numbers */
    thread_births threads;     /* from thread 1 on */
    VEC(uint64_t) objects;     /* holder << 32 | count */
    VEC(uint64_t) sites;       /* see analysis/future.h */
} machine_names;

void machine_names_collect(const machine *m, machine_names *out);

/* Only for a machine that has named nothing yet. False: it has, or these are no such names. */
bool machine_names_restore(machine *m, const machine_names *names);
void machine_names_free(machine_names *n);

/* The number that the thread has here, or gets now. */
uint32_t machine_number_of_thread(machine *m, thread_birth t);

/* The same for a dynamic object that goes by its holder and a number: the thread that makes it and its how
 * manyth, or what those who rename states make up, whose holders are no threads. */
uint32_t machine_number_of_object(machine *m, uint32_t holder, uint32_t count);

/* The same for a place that makes objects. */
uint32_t machine_number_of_site(machine *m, uint64_t site);

/* How many objects of one such place have names of their own in states that are renamed. The machine keeps
 * the number for whoever renames, and looks at it nowhere; 0: nobody said. */
void machine_tell_apart(machine *m, uint32_t objects);
uint32_t machine_told_apart(const machine *m);

#endif
