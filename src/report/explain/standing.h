/* Whether a thread of the present program stands where a recorded one stood. Lines may have moved: a place is
 * its function, the code of its line, where on that line, and the library function that is called there; the
 * number of the line counts only if its text is not known. */
#ifndef HEDDLE_REPORT_EXPLAIN_STANDING_H
#define HEDDLE_REPORT_EXPLAIN_STANDING_H

#include "report/explain/recorded.h"
#include "report/report.h"
#include "report/trace/replay.h"

typedef struct standing {
    position at; /* line 0: before its first operation */
    char *file, *function, *call;
    char *source; /* NULL: not known */
} standing;

standing standing_of(replay *r, const report_file *files, size_t count, const state *s, uint32_t thread);
void standing_free(standing *s);

bool standing_is_at(const standing *s, const recorded_place *recorded);

/* "worker at prog.c:6:7 in worker: x = t + 1;" */
void standing_print(const standing *s, const char *thread, text *out);
void recorded_place_print(const recorded_place *p, text *out);

#endif
