/* Functions that break the model of threads in one address space, or interrupt them from outside: whoever
 * calls one learns which it was, and the answer is unknown rather than wrong. */
#include "models.h"

#define REFUSED(result, name, ...)                                                                           \
    result refused_##name(__VA_ARGS__) __asm__(#name);                                                       \
    result refused_##name(__VA_ARGS__) {                                                                     \
        __heddle_unsupported_call("call of `" #name "`, which is not modelled");                             \
    }

#pragma clang diagnostic ignored "-Wunused-parameter"

/* cancellation */
REFUSED(int, pthread_cancel, pthread_t thread)
REFUSED(void, __pthread_register_cancel, void *buffer)
REFUSED(void, __pthread_unregister_cancel, void *buffer)
REFUSED(void, __pthread_unwind_next, void *buffer)
REFUSED(void, _pthread_cleanup_push, void *buffer, void (*routine)(void *), void *argument)
REFUSED(void, _pthread_cleanup_pop, void *buffer, int execute)

/* signals */
REFUSED(int, sigaction, int number, const void *action, void *old)
REFUSED(int, kill, int process, int number)
REFUSED(int, raise, int number)
REFUSED(int, pthread_kill, pthread_t thread, int number)
REFUSED(int, pthread_sigmask, int how, const void *set, void *old)
REFUSED(int, sigprocmask, int how, const void *set, void *old)
REFUSED(int, sigwait, const void *set, int *number)
REFUSED(int, sigsuspend, const void *set)
REFUSED(int, pause, void)
REFUSED(unsigned, alarm, unsigned seconds)
REFUSED(int, setitimer, int which, const void *value, void *old)

/* processes */
REFUSED(int, fork, void)
REFUSED(int, vfork, void)
REFUSED(int, pthread_atfork, void (*prepare)(void), void (*parent)(void), void (*child)(void))
REFUSED(int, wait, int *status)
REFUSED(int, waitpid, int process, int *status, int options)
REFUSED(int, execve, const char *path, char *const *arguments, char *const *environment)
REFUSED(int, execvp, const char *path, char *const *arguments)
REFUSED(int, system, const char *command)
REFUSED(void *, mmap, void *at, size_t bytes, int protection, int flags, int file, long offset)

/* jumps out of frames */
REFUSED(int, setjmp, void *buffer)
REFUSED(int, _setjmp, void *buffer)
REFUSED(int, __sigsetjmp, void *buffer, int mask)
REFUSED(void, longjmp, void *buffer, int value)
REFUSED(void, _longjmp, void *buffer, int value)
REFUSED(void, siglongjmp, void *buffer, int value)

/* code from elsewhere, code at the end */
REFUSED(void *, dlopen, const char *name, int flags)
REFUSED(void *, dlsym, void *library, const char *name)
REFUSED(int, on_exit, void (*routine)(int, void *), void *argument)
REFUSED(int, at_quick_exit, void (*routine)(void))

/* semaphores by name */
REFUSED(void *, sem_open, const char *name, int flags)
REFUSED(int, sem_close, void *semaphore)
REFUSED(int, sem_unlink, const char *name)
