/* A child process with a time limit; never a shell. */
#ifndef HEDDLE_NATIVE_PROCESS_H
#define HEDDLE_NATIVE_PROCESS_H

#include "base/text.h"

#include <stdbool.h>

typedef struct process_end {
    bool ran; /* false: it could not be started */
    bool timed_out;
    int status; /* of exit; -1 if a signal ended it */
    int signal; /* 0: none */
} process_end;

/* `words` and `settings` (NAME=VALUE for its environment) end with NULL. Collects what it prints. */
process_end process_run(const char *const *words, const char *const *settings, double seconds, text *printed);

#endif
