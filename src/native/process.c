#include "native/process.h"

#include "base/clock.h"
#include "base/vec.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Compilers look for their linkers there, and find none without it. */
static const char usual_path[] = "PATH=/usr/local/bin:/usr/bin:/bin";

enum { MOST_OUTPUT = 1 << 16, POLL_MILLISECONDS = 50 };

/* Until the child is gone or its time is up; the pipe may stay open in grandchildren. */
static bool collect(int from, pid_t child, double deadline, text *printed, int *status) {
    char chunk[4096];
    for (;;) {
        struct pollfd waiting = {.fd = from, .events = POLLIN};
        if (poll(&waiting, 1, POLL_MILLISECONDS) > 0) {
            ssize_t got = read(from, chunk, sizeof chunk);
            if (got > 0 && printed->size < MOST_OUTPUT) text_add_bytes(printed, chunk, (size_t)got);
            if (got > 0) continue;
        }
        if (waitpid(child, status, WNOHANG) == child) return true;
        if (clock_wall() > deadline) return false;
    }
}

process_end process_run(const char *const *words, const char *const *settings, double seconds,
                        text *printed) {
    process_end end = {.status = -1};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return end;
    VEC(char *) environment = {0}; /* of two settings of a name the first counts */
    for (; *settings; settings++) vec_push(&environment, (char *)*settings);
    for (char **e = environ; *e; e++) vec_push(&environment, *e);
    if (!getenv("PATH")) vec_push(&environment, (char *)usual_path);
    vec_push(&environment, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t child;
    end.ran = !posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environment.data);
    posix_spawn_file_actions_destroy(&actions);
    vec_free(&environment);
    close(ends[1]);
    int status = 0;
    if (end.ran && !collect(ends[0], child, clock_wall() + seconds, printed, &status)) {
        end.timed_out = true;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    close(ends[0]);
    if (end.ran && WIFEXITED(status)) end.status = WEXITSTATUS(status);
    if (end.ran && WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    return end;
}
