/* What a machine keeps of what it did, beside what was seen (seen.h): statistics, times, names and texts. */
#ifndef HEDDLE_MACHINE_RECORD_H
#define HEDDLE_MACHINE_RECORD_H

#include "base/text.h"
#include "machine/machine.h"

typedef struct machine_statistics { /* of all explorations together */
    uint64_t steps, instructions, forks;
} machine_statistics;

const machine_statistics *machine_stats(const machine *m);

/* What a copy of this machine did in another process counts here, too. */
void machine_add_statistics(machine *m, const machine_statistics *of_copy);

/* "3 threads; 90 % of the time in queries of the solver, most of it in 12 at q.c:9:5, the longest of 8.1 s
 * with 24 conditions of 5310 terms; of 120,000 rounds of loops about 80 % in the one at q.c:7:5": what it was
 * busy with. */
void machine_describe_work(const machine *m, text *out);
void machine_begin_work(machine *m);         /* of an explorer: what was asked before is not its own */
bool machine_asked_mostly(const machine *m); /* most of the time went to queries of the solver */

/* A copy that lives as long as the machine. */
const char *machine_keep_text(machine *m, const char *s);

/* "main", or the start function of a created thread with a number if it has several: "worker#2". */
const char *machine_thread_name(const machine *m, uint32_t thread);

/* What a created thread is to run, which does not depend on lines or on other threads: the function, the
 * class of an object that is called, "main::lambda". */
void machine_thread_task(const machine *m, uint32_t thread, text *out);

#endif
