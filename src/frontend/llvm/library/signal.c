/* signal. Asking for the default action or for none is no interruption; handlers are refused. Every signal
 * has its default action at first. */
#include "models.h"

typedef void (*handler)(int);

enum { SIGNALS = 65, SIGKILL = 9, SIGSTOP = 19, FIRST_OF_GLIBC = 32, LAST_OF_GLIBC = 33 };

static unsigned char is_ignored[SIGNALS];

static int may_be_set(int number) {
    int is_reserved = number >= FIRST_OF_GLIBC && number <= LAST_OF_GLIBC;
    return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP && !is_reserved;
}

handler signal(int number, handler action) {
    __UINTPTR_TYPE__ wanted = (__UINTPTR_TYPE__)action, error = (__UINTPTR_TYPE__)-1;
    if (wanted == error || !may_be_set(number)) {
        *__errno_location() = EINVAL;
        return (handler)error;
    }
    if (wanted > 1) __heddle_unsupported("signal");
    __heddle_atomic_begin();
    unsigned char old = is_ignored[number];
    is_ignored[number] = (unsigned char)wanted;
    __heddle_atomic_end();
    return (handler)(__UINTPTR_TYPE__)old;
}
