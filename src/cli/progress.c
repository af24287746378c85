#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double seconds_between_draws = 0.2;

bool progress_is_wanted(const heddle *h) {
    const char *when = heddle_get(h, "progress");
    return strcmp(when, "auto") ? !strcmp(when, "always") : isatty(STDERR_FILENO);
}

void progress_draw(void *data, const heddle_progress *p) {
    progress_line *line = data;
    if (p->seconds >= line->drawn_at && p->seconds - line->drawn_at < seconds_between_draws) return;
    line->drawn_at = p->seconds;
    line->shown = true;
    double rate = p->seconds > 0 ? (double)p->transitions / p->seconds : 0;
    fprintf(stderr,
            "\r\033[Kstates %llu  transitions %llu  depth %llu  %.0f/s  queries %llu  %.0f MB  %.0f s",
            (unsigned long long)p->states, (unsigned long long)p->transitions, (unsigned long long)p->depth,
            rate, (unsigned long long)p->solver_queries, (double)p->memory_bytes / 1e6, p->seconds);
    fflush(stderr);
}

void progress_wipe(progress_line *line) {
    if (line->shown) fputs("\r\033[K", stderr);
    line->shown = false;
}
