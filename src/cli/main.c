/* The command line of Heddle, written on heddle.h alone. */
#include "cli/arguments.h"
#include "cli/compare.h"
#include "cli/completion.h"
#include "cli/explain.h"
#include "cli/help.h"
#include "cli/laboratory.h"
#include "cli/project.h"
#include "cli/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- signals: the only global state, because a handler gets no other ------------------------------------ */

static heddle *volatile interruptible;
static volatile sig_atomic_t interrupted;

static bool was_interrupted(void) {
    return interrupted != 0;
}

static struct timespec interrupted_at;

static double seconds_since_interrupt(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - interrupted_at.tv_sec) +
           (double)(now.tv_nsec - interrupted_at.tv_nsec) / 1e9;
}

/* The first signal asks for a verdict on what is known; one that comes a second later or more, of somebody
 * who does not want to wait for it, ends the program at once. Signals often come in swarms, from a shell and
 * its make. */
static void on_interrupt(int number) {
    int error = errno;
    if (!interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &interrupted_at);
        interrupted = 1;
        if (interruptible) heddle_interrupt(interruptible);
    } else if (seconds_since_interrupt() >= 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = error;
}

static void on_crash(int number) {
    static const char message[] = "\nheddle: internal error: the verifier crashed; there is no verdict\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    (void)number;
    _exit(HEDDLE_INTERNAL_ERROR);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

static void catch_signals(heddle *h) {
    interruptible = h;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    signal(SIGXFSZ, SIG_IGN);     /* a file that may not grow is an error of writing it */
#ifndef SANITIZED                 /* a sanitizer reports crashes better */
    static char stack[64 * 1024]; /* the usual one may be what overflowed */
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, NULL);
#else
    (void)on_crash;
#endif
}

/* --- commands ------------------------------------------------------------------------------------------- */

static void begin(heddle *h) {
    interruptible = h;
}

/* Without files the project says what there is to check. */
static int run_project(int argc, char **argv, const heddle *h, const arguments *a) {
    if (!project_exists(heddle_get(h, "project"))) {
        fprintf(stderr, "heddle: 'check' needs a file, or a project file %s\nTry 'heddle --help'.\n",
                heddle_get(h, "project"));
        return HEDDLE_BAD_INPUT;
    }
    return project_run(&(project_request){.path = heddle_get(h, "project"),
                                          .only = heddle_get(h, "target"),
                                          .argc = argc,
                                          .argv = argv,
                                          .command = a->command,
                                          .json = !strcmp(heddle_get(h, "json"), "on"),
                                          .begin = begin,
                                          .stopped = was_interrupted});
}

static int run_compare(heddle *h, const arguments *a) {
    const char *matrix = heddle_get(h, "matrix");
    if (*matrix)
        return laboratory_run(
            &(laboratory_request){a->first_file, matrix, heddle_get(h, "out"), was_interrupted});
    run_settle_colour(h);
    return (int)compare_run(h, &(compare_request){.engines = a->engine,
                                                  .pors = a->por,
                                                  .matches = a->match,
                                                  .json = !strcmp(heddle_get(h, "json"), "on"),
                                                  .coloured = !strcmp(heddle_get(h, "color"), "always"),
                                                  .stopped = was_interrupted});
}

static int run(int argc, char **argv, heddle *h, const arguments *a) {
    if (a->command->bit == HEDDLE_FOR_COMPARE) return run_compare(h, a);
    if (a->command->bit == HEDDLE_FOR_EXPLAIN) return explain_command(h, a);
    if (!a->files) return run_project(argc, argv, h, a);
    return run_command(&(run_request){.h = h, .command = a->command});
}

static void print_help(const arguments *a) {
    switch (a->help) {
    case HELP_VERSION: printf("heddle %s\n", heddle_version()); break;
    case HELP_MANUAL: help_print_manual(stdout, a->command); break;
    case HELP_BASH: completion_print_bash(stdout); break;
    case HELP_ZSH: completion_print_zsh(stdout); break;
    case HELP_MARKDOWN: help_print_markdown(stdout); break;
    case HELP_ENGINES: help_print_engines(stdout); break;
    case HELP_TEXT: help_print(stdout, a->command, false); break;
    case HELP_ALL: help_print(stdout, a->command, true); break;
    case HELP_NONE: break;
    }
}

int main(int argc, char **argv) {
    heddle *h = heddle_create();
    arguments a;
    int status = HEDDLE_BAD_INPUT;
    if (arguments_parse(argc, argv, h, &a)) {
        if (a.help) {
            print_help(&a);
            status = 0;
        } else {
            catch_signals(h);
            status = run(argc, argv, h, &a);
        }
    }
    interruptible = NULL;
    heddle_destroy(h);
    free(a.script);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "heddle: cannot write the result: %s\n", strerror(errno));
        status = HEDDLE_INTERNAL_ERROR;
    }
    return status;
}
