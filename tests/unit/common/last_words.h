/* Mistakes that are made in a child process, which an assertion must end. Include what has cmocka before. */
#ifndef HEDDLE_TESTS_LAST_WORDS_H
#define HEDDLE_TESTS_LAST_WORDS_H

#define access access_of_files /* ours are of memory */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#undef access

typedef void mistake(void);

/* What the process says before it is ended; NULL: it is not. */
static inline const char *last_words(mistake *make) {
    static char said[4096];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        signal(SIGABRT, SIG_DFL); /* not that of the tests */
        dup2(ends[1], STDERR_FILENO);
        make();
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got;
         size + 1 < sizeof said && (got = read(ends[0], said + size, sizeof said - 1 - size)) > 0;)
        size += (size_t)got;
    said[size] = 0;
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? said : NULL;
}

#endif
