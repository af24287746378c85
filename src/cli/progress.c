#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double seconds_between_draws = 0.2;

bool progress_is_wanted(const heddle *h) {
    const char *when = heddle_get(h, "progress");
    return strcmp(when, "auto") ? !strcmp(when, "always") : isatty(STDERR_FILENO);
}

/* An estimate says nothing before some of the work is done. */
static void draw_what_is_left(const heddle_progress *p) {
    static const double least_done = 0.001, least_seconds = 1;
    if (p->waiting) fprintf(stderr, "  waiting %llu", (unsigned long long)p->waiting);
    if (p->done >= least_done && p->done < 1 && p->seconds >= least_seconds)
        fprintf(stderr, "  about %.1f %% done, %.0f s to go", 100 * p->done,
                p->seconds * (1 - p->done) / p->done);
}

void progress_draw(void *data, const heddle_progress *p) {
    progress_line *line = data;
    if (p->seconds >= line->drawn_at && p->seconds - line->drawn_at < seconds_between_draws) return;
    line->drawn_at = p->seconds;
    line->shown = true;
    double rate = p->seconds > 0 ? (double)p->transitions / p->seconds : 0;
    fprintf(stderr, "\r\033[K%.0f s%s%s  states %llu  transitions %llu (%.0f/s)  depth %llu", p->seconds,
            line->limit && *line->limit ? " of " : "", line->limit ? line->limit : "",
            (unsigned long long)p->states, (unsigned long long)p->transitions, rate,
            (unsigned long long)p->depth);
    draw_what_is_left(p);
    fprintf(stderr, "  queries %llu  %.0f MB", (unsigned long long)p->solver_queries,
            (double)p->memory_bytes / 1e6);
    fflush(stderr);
}

void progress_wipe(progress_line *line) {
    if (line->shown) fputs("\r\033[K", stderr);
    line->shown = false;
}
