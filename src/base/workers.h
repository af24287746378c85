/* Processes that each run a task on a copy of this one's memory and say something when they are done.
 *
 * A worker leads a process group, so that whatever it starts ends with it; it does not outlive this process.
 * What it says arrives whole or, if it was killed, possibly in part: the reader must be able to tell. */
#ifndef HEDDLE_BASE_WORKERS_H
#define HEDDLE_BASE_WORKERS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef VEC(char) bytes;
typedef void (*worker_task)(void *data, unsigned index, bytes *said);
typedef struct workers workers;

enum { NO_WORKER = UINT32_MAX };

/* A worker that could not be started has ended and said nothing. */
workers *workers_start(unsigned count, worker_task run, void *data);
void workers_end(workers *w); /* kills those that still run */

unsigned workers_wait(workers *w, double seconds); /* one that has ended since, told once; or NO_WORKER */
const bytes *workers_said(const workers *w, unsigned index);
bool workers_is_running(const workers *w, unsigned index);
bool workers_some_run(const workers *w);
void workers_interrupt(workers *w); /* as Ctrl-C does */

/* Memory that workers started later and this process all see. NULL: there is none. */
void *workers_share_memory(size_t size);
void workers_unshare_memory(void *memory, size_t size);

unsigned workers_cores(void); /* that this process may use */

#endif
