/* What library models are written on: each of these is translated to instructions of the program
 * representation (intrinsics.c), nothing else in the models is special. Models include no system header, so
 * that they fit programs compiled against any libc, and are compiled once per data model.
 *
 * Accesses of a model order memory (function.hidden): two of them never race. A model that only does on the
 * caller's behalf what the caller could have written itself (strcpy, free, qsort) is marked CALLERS_ACCESS:
 * its accesses are plain. */
#ifndef HEDDLE_INTRINSICS_H
#define HEDDLE_INTRINSICS_H

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ thread_number;
#define NULL           ((void *)0)
#define CALLERS_ACCESS __attribute__((section("heddle.plain"))) /* on definitions; see above */

/* On the function with which a thread starts: it has a record of exceptions of its own. */
#define FIRST_FRAME __attribute__((section("heddle.first")))

/* On a function that is called through pointers to functions of any type, and fails. */
#define ANY_ARGUMENTS __attribute__((section("heddle.any")))

/* Options: constants of options.c whose initialisers the front end replaces before it translates. */
extern const unsigned __heddle_spurious_wakeup; /* 1: condition waits may return without a signal */
extern const unsigned __heddle_thread_keys;     /* 1: the program makes keys (pthread_key_create, tss_create),
                                                   so threads start through a frame that runs destructors */
extern const unsigned __heddle_throws; /* 1: the program throws C++ exceptions: each thread starts in a
                                          frame that has a record of them */

void __heddle_atomic_begin(void); /* SYNC_ATOMIC_BEGIN */
void __heddle_atomic_end(void);   /* SYNC_ATOMIC_END */

/* SYNC_AWAIT: blocks until (*cell & mask) == value (or != value); then an atomic section begins, which the
 * caller ends. */
void __heddle_await(const unsigned *cell, unsigned mask, unsigned value);
void __heddle_await_not(const unsigned *cell, unsigned mask, unsigned value);
void __heddle_await_above(const unsigned *cell, unsigned mask,
                          unsigned value); /* > value, as signed numbers */

thread_number __heddle_create(void *(*start)(void *), void *argument); /* SYNC_CREATE: never 0 */
void *__heddle_join(thread_number thread);                             /* SYNC_JOIN */
thread_number __heddle_self(void);                                     /* SYNC_SELF: main is 0 */
void __heddle_threads(void); /* program.thread_origin: never called, identities of threads begin there */
void __heddle_detach(void);  /* SYNC_DETACH: some thread is free to go without being joined */
void __heddle_thread_exit(void *result) __attribute__((noreturn)); /* SYNC_EXIT */
void __heddle_exit(void) __attribute__((noreturn));                /* SYNC_END */
void *__heddle_exception_record(void);   /* the thread's struct exception_record (models.h) */
void __heddle_destructors(void);         /* calls the functions with the attribute `destructor` */
void __heddle_print(unsigned form, ...); /* PRINT: see print_form in program.h; the form is a constant */
void __heddle_unsupported(const char *what) __attribute__((noreturn)); /* UNSUPPORTED: unknown from here */
void __heddle_violation(const char *what) __attribute__((noreturn));   /* CHECK_ASSERTION that fails */
void __heddle_invalid_free(void) __attribute__((noreturn));            /* CHECK_FREE that fails */
void __heddle_assume(int condition);                                   /* ASSUME */
_Bool __heddle_input_1(const char *name);                              /* INPUT; name: for traces */
unsigned char __heddle_input_8(const char *name);
unsigned short __heddle_input_16(const char *name);
unsigned __heddle_input_32(const char *name);
unsigned long long __heddle_input_64(const char *name);
void *__heddle_alloc(size_t bytes, int zero); /* ALLOC on the heap, zeroed or unset */
void __heddle_free(void *p);                  /* FREE */
void *__heddle_new(size_t bytes);             /* the same, unset, as heap_maker tells them apart */
void __heddle_delete(void *p);
void *__heddle_new_array(size_t bytes);
void __heddle_delete_array(void *p);
size_t __heddle_object_size(const void *p);                   /* SIZE */
void __heddle_copy(void *to, const void *from, size_t bytes); /* COPY: as memmove */
void __heddle_fill(void *to, int byte, size_t bytes);         /* FILL: as memset */

#endif
