#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double seconds_between_draws = 0.2;

enum { LONGEST_LINE = 400 };

bool progress_is_wanted(const heddle *h) {
    const char *when = heddle_get(h, "progress");
    return strcmp(when, "auto") ? !strcmp(when, "always") : isatty(STDERR_FILENO);
}

/* What goes beyond the end of the line would stay there when the next one is drawn. */
static size_t width_of_terminal(void) {
    struct winsize size = {0};
    bool known = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1;
    return known && size.ws_col <= LONGEST_LINE ? size.ws_col - 1u : LONGEST_LINE - 1u;
}

static void add(char line[LONGEST_LINE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char line[LONGEST_LINE], const char *format, ...) {
    size_t used = strlen(line);
    va_list args;
    va_start(args, format);
    vsnprintf(line + used, LONGEST_LINE - used, format, args);
    va_end(args);
}

/* An estimate says nothing before some of the work is done. */
static void add_what_is_left(char line[LONGEST_LINE], const heddle_progress *p) {
    static const double least_done = 0.001, least_seconds = 1;
    if (p->waiting) add(line, "  waiting %llu", (unsigned long long)p->waiting);
    if (p->done >= least_done && p->done < 1 && p->seconds >= least_seconds)
        add(line, "  about %.1f %% done, %.0f s to go", 100 * p->done, p->seconds * (1 - p->done) / p->done);
}

void progress_draw(void *data, const heddle_progress *p) {
    progress_line *line = data;
    if (p->whole_seconds >= line->drawn_at && p->whole_seconds - line->drawn_at < seconds_between_draws)
        return;
    line->drawn_at = p->whole_seconds;
    line->shown = true;
    double rate = p->seconds > 0 ? (double)p->transitions / p->seconds : 0;
    char said[LONGEST_LINE] = "";
    add(said, "%.0f s%s%s  %s%sstates %llu  transitions %llu (%.0f/s)  depth %llu", p->whole_seconds,
        line->limit && *line->limit ? " of " : "", line->limit ? line->limit : "", p->engine,
        *p->engine ? ": " : "", (unsigned long long)p->states, (unsigned long long)p->transitions, rate,
        (unsigned long long)p->depth);
    add_what_is_left(said, p);
    add(said, "  queries %llu  %.0f MB", (unsigned long long)p->solver_queries,
        (double)p->memory_bytes / 1e6);
    fprintf(stderr, "\r\033[K%.*s", (int)width_of_terminal(), said);
    fflush(stderr);
}

void progress_wipe(progress_line *line) {
    if (line->shown) fputs("\r\033[K", stderr);
    line->shown = false;
}
