/* The names that a machine gave to threads, dynamic objects and places that make objects.
 *
 * All of them are numbered in the order of discovery, so two machines of one program agree on them only if
 * the second is told what the first one found. What a name stands for never depends on its number: restored
 * names change nothing about what a program does. */
#ifndef HEDDLE_MACHINE_NAMING_H
#define HEDDLE_MACHINE_NAMING_H

#include "base/text.h"
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

/* "0.2.1" is the second thread that the third one created by main has created, whatever its number is here;
 * "3" a thread of the program's own, "scheduler" what MACHINE_KERNEL is. */
void machine_print_thread(const machine *m, uint32_t thread, text *out);
/* False: no such name is there, or nobody has met this thread here. */
bool machine_read_thread(const machine *m, const char **from, uint32_t *thread);

/* What its name says, as a number: the same in every process. */
uint64_t machine_thread_key(const machine *m, uint32_t thread);

/* The number that the thread has here, or gets now. */
uint32_t machine_number_of_thread(machine *m, thread_birth t);

/* The same for a dynamic object that goes by its holder and a number: the thread that makes it and its how
 * manyth, or what those who rename states make up, whose holders are no threads. */
uint32_t machine_number_of_object(machine *m, uint32_t holder, uint32_t count);

/* The same for a place that makes objects. */
uint32_t machine_number_of_site(machine *m, uint64_t site);

#endif
