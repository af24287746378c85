#include "cli/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct board { /* what the working process shows */
    _Atomic int stage;
    _Atomic bool answers;
    _Atomic bool notes; /* the rest is there */
    heddle_progress so_far;
    char engine[64]; /* of it */
} board;

static board *shown; /* the only way to it from a callback that the library calls */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* --- in the process that works -------------------------------------------------------------------------- */

static void show_stage(void *data, heddle_stage stage) {
    ((board *)data)->stage = (int)stage;
}

void supervise_answer(void) {
    if (shown) shown->answers = true;
}

void supervise_note(const heddle_progress *so_far) {
    if (!shown) return;
    shown->so_far = *so_far;
    strncpy(shown->engine, so_far->engine ? so_far->engine : "", sizeof shown->engine - 1);
    shown->notes = true;
}

static _Noreturn void work(const supervision *s, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(HEDDLE_INTERNAL_ERROR); /* too late */
    heddle_on_stage(s->h, show_stage, shown);
    int status = s->work(s->data);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "heddle: cannot write the result: %s\n", strerror(errno));
        status = HEDDLE_INTERNAL_ERROR;
    }
    exit(status);
}

/* --- in this one ---------------------------------------------------------------------------------------- */

static volatile sig_atomic_t signal_number;
static pid_t working; /* for the handler: 0: nobody */

/* Whoever sends a signal means the one who works. */
static void on_signal(int number) {
    int error = errno;
    signal_number = number;
    if (working > 0) kill(working, number);
    errno = error;
}

typedef struct old_handlers {
    struct sigaction interrupt, terminate;
} old_handlers;

static old_handlers take_signals(void) {
    old_handlers old;
    struct sigaction mine = {.sa_handler = on_signal};
    sigemptyset(&mine.sa_mask);
    sigaction(SIGINT, &mine, &old.interrupt);
    sigaction(SIGTERM, &mine, &old.terminate);
    return old;
}

static void give_back_signals(const old_handlers *old) {
    sigaction(SIGINT, &old->interrupt, NULL);
    sigaction(SIGTERM, &old->terminate, NULL);
}

/* What the dead have left behind belongs to us: clang, solvers, compiled programs. */
static void end_orphans(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    for (int rounds = 0; rounds < 100; rounds++) {
        FILE *f = fopen(path, "r");
        long pid;
        bool any = false;
        while (f && fscanf(f, "%ld", &pid) == 1) {
            any = true;
            kill((pid_t)pid, SIGKILL);
        }
        if (f) fclose(f);
        while (any && waitpid(-1, NULL, 0) > 0) continue;
        if (!any) return;
    }
}

static void end_work(pid_t child) {
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    end_orphans();
}

typedef struct patience {
    double limit; /* seconds of the run; 0: none */
    double begun;
    double signalled; /* when; 0: never */
} patience;

/* Whoever waits for more than the limit allows; an answer that is there is waited for. */
static const double after_signal = 0.8, answering_after_signal = 5, beyond_limit = 2, share_beyond = 0.1;

static double deadline(const patience *p) {
    bool answers = shown->answers || shown->stage >= HEDDLE_REPORTING;
    bool answered = answers || shown->stage >= HEDDLE_SHRINKING;
    double end = 0;
    if (p->limit > 0 && !answered) end = p->begun + p->limit * (1 + share_beyond) + beyond_limit;
    double told = p->signalled + (answers ? answering_after_signal : after_signal);
    if (p->signalled > 0 && (end <= 0 || told < end)) end = told;
    return end;
}

/* Until something happens, or for so long. */
static void wait_for(int child, double seconds) {
    if (child >= 0) {
        struct pollfd p = {child, POLLIN, 0};
        poll(&p, 1, (int)(1000 * seconds) + 1);
    } else {
        usleep(5000);
    }
}

typedef enum { ENDED, TOOK_TOO_LONG, WAS_TOLD } ending;

static ending watch(pid_t child, patience p, int *status) {
    static const double look_every = 0.1; /* stages change */
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    ending how = ENDED;
    while (how == ENDED && waitpid(child, status, WNOHANG) == 0) {
        if (signal_number && p.signalled <= 0) p.signalled = now();
        double end = deadline(&p);
        if (end > 0 && now() >= end)
            how = p.signalled > 0 ? WAS_TOLD : TOOK_TOO_LONG;
        else
            wait_for(descriptor, look_every);
    }
    if (descriptor >= 0) close(descriptor);
    return how;
}

static int status_of(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    int by = WTERMSIG(status);
    if (by == SIGINT || by == SIGTERM || by == SIGPIPE) { /* it did not want to wait, or nobody reads it */
        signal(by, SIG_DFL);
        raise(by);
    }
    fprintf(stderr, "heddle: internal error: the verifier was ended by signal %d%s; there is no verdict\n",
            by, by == SIGKILL ? ", perhaps because memory ran out" : "");
    return HEDDLE_INTERNAL_ERROR;
}

int supervise_say_ended(const ended_work *ended) {
    fprintf(stderr, "heddle: %s while %s\n", ended->interrupted ? "interrupted" : "time limit",
            heddle_stage_name(ended->stage));
    return HEDDLE_UNKNOWN;
}

static int give_up(const supervision *s, bool interrupted) {
    ended_work ended = {interrupted, (heddle_stage)shown->stage, NULL};
    shown->so_far.engine = shown->engine;
    if (shown->notes) ended.so_far = &shown->so_far;
    return s->give_up(s->data, &ended);
}

static int follow(const supervision *s, pid_t child) {
    int status = 0;
    ending how = watch(child, (patience){heddle_get_seconds(s->h, "time"), now(), 0}, &status);
    working = 0;
    if (how == ENDED) {
        end_orphans();
        return status_of(status);
    }
    bool answering = shown->answers;
    end_work(child);
    if (!answering) return give_up(s, how == WAS_TOLD);
    signal(signal_number, SIG_DFL); /* half an answer is none */
    raise(signal_number);
    return HEDDLE_INTERNAL_ERROR;
}

static int run_apart(const supervision *s) {
    pid_t parent = getpid();
    sigset_t both, before;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    signal_number = 0;
    sigprocmask(SIG_BLOCK, &both, &before); /* until it is known whom a signal is for */
    pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        work(s, parent);
    }
    if (child < 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return s->work(s->data);
    }
    working = child;
    old_handlers old = take_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    int status = follow(s, child);
    give_back_signals(&old);
    return status;
}

int supervise(const supervision *s) {
    void *memory = mmap(NULL, sizeof *shown, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return s->work(s->data);
    shown = memory;
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int status = run_apart(s);
    if (signal_number) raise(signal_number); /* whoever runs several things is to know */
    munmap(memory, sizeof *shown);
    shown = NULL;
    return status;
}
