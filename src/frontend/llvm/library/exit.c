/* The end of the program and what runs before it. Returning from main is calling exit, where something was
 * registered. Handlers run in reverse order of registration, in the thread that ends the program, then the
 * functions with the attribute `destructor`; abort, _exit and quick_exit run none. */
#include "models.h"

enum { MOST_HANDLERS = 32 };

struct handler {
    void (*plain)(void);           /* atexit, or ... */
    void (*with_argument)(void *); /* __cxa_atexit: destructors of C++ objects */
    void *argument;
};

static struct handler handlers[MOST_HANDLERS];
static unsigned registered;

static int add_handler(void (*plain)(void), void (*with_argument)(void *), void *argument) {
    __heddle_atomic_begin();
    if (registered == MOST_HANDLERS) __heddle_unsupported("more than 32 functions registered by atexit");
    handlers[registered].plain = plain;
    handlers[registered].with_argument = with_argument;
    handlers[registered].argument = argument;
    registered++;
    __heddle_atomic_end();
    return 0;
}

int atexit(void (*routine)(void)) {
    return add_handler(routine, NULL, NULL);
}

int __cxa_atexit(void (*routine)(void *), void *argument, void *library) {
    (void)library;
    return add_handler(NULL, routine, argument);
}

/* Takes the handler that was registered last; 0: there is none. */
static int take_handler(struct handler *taken) {
    __heddle_atomic_begin();
    int found = registered != 0;
    if (found) {
        registered--;
        taken->plain = handlers[registered].plain;
        taken->with_argument = handlers[registered].with_argument;
        taken->argument = handlers[registered].argument;
    }
    __heddle_atomic_end();
    return found;
}

void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));
void _Exit(int status) __attribute__((noreturn));
void quick_exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

void exit(int status) {
    (void)status;
    struct handler h = {0};
    while (take_handler(&h)) {
        if (h.plain)
            h.plain();
        else
            h.with_argument(h.argument);
    }
    __heddle_destructors();
    __heddle_exit();
}

void _exit(int status) {
    (void)status;
    __heddle_exit();
}

void _Exit(int status) {
    (void)status;
    __heddle_exit();
}

void quick_exit(int status) {
    (void)status;
    __heddle_exit();
}

void abort(void) {
    __heddle_exit();
}
