/* What library models are written on: each of these is translated to instructions of the program
 * representation (intrinsics.c), nothing else in the models is special. Models include no system header, so
 * that they fit programs compiled against any libc, and are compiled once per data model.
 *
 * Accesses of a model order memory (function.hidden): two of them never race; what a model reads happened
 * before, and what it writes is handed on to whoever reads it, also behind further writes. Where POSIX
 * promises no such thing, as for a lock that was not got, it reads by __heddle_peek; atomic builtins are
 * taken by their order. A model that only does on the caller's behalf what the caller could have written
 * itself (strcpy, free, qsort) is marked CALLERS_ACCESS: its accesses are plain. */
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
/* 1: the program makes keys (pthread_key_create, tss_create), so threads start through a frame
 * that runs destructors. */
extern const unsigned __heddle_thread_keys;
extern const unsigned __heddle_check_misuse;   /* 1: misuses are violations, so nothing comes after one */
extern const unsigned __heddle_writers_first;  /* 1: the program has read-write locks that prefer writers */
extern const unsigned __heddle_detaches;       /* 1: it detaches threads */
extern const unsigned __heddle_cores;          /* how many the computer has; 0: any number */
extern const unsigned __heddle_unwinds;        /* 1: pthread_exit has C++ frames to leave */
extern const unsigned __heddle_nobody_catches; /* 1: no handler of the program could catch anything */
/* 1: the program throws C++ exceptions: each thread starts in a frame that has a record of them. */
extern const unsigned __heddle_throws;
extern const unsigned __heddle_sc_catches, __heddle_sc_catches_at_start; /* see handlers.h; for headers */
extern const unsigned __heddle_sc_has_rules; /* 1: a design says what becomes of reports; for headers */

/* How often the program can say a seed of rand (srand, srandom): never, once, or any number of times. */
extern const unsigned __heddle_seeds;
extern const unsigned __heddle_few_rand_r; /* 1: it calls rand_r a few times only */
extern const unsigned __heddle_few_clocks; /* 1: it asks for the time more than once, but not often */
extern const unsigned __heddle_clocks;     /* bit k: clock_gettime may be asked for clock k; and: */
enum { CLOCKS_STEADY = 1 << 16 };          /* std::chrono::steady_clock */
enum { SEEDS_NONE, SEEDS_ONCE, SEEDS_ANY };

void __heddle_atomic_begin(void); /* SYNC_ATOMIC_BEGIN */
void __heddle_atomic_end(void);   /* SYNC_ATOMIC_END */

/* SYNC_AWAIT: blocks until (*cell & mask) == value (or != value); then an atomic section begins, which the
 * caller ends. */
void __heddle_await(const unsigned *cell, unsigned mask, unsigned value);
void __heddle_await_not(const unsigned *cell, unsigned mask, unsigned value);
/* Until it is above the value, as signed numbers. */
void __heddle_await_above(const unsigned *cell, unsigned mask, unsigned value);

unsigned __heddle_peek(const unsigned *cell); /* LOAD that orders nothing */

/* The same where what is read decides nothing but whether an object is misused: whoever acquires or releases
 * does so besides, so that no conclusion about orders is drawn from it. */
unsigned __heddle_inspect(const unsigned *cell);
void __heddle_lost_order(void); /* SYNC_FENCE: the atomic operation that follows was declared weaker */

thread_number __heddle_create(void *(*start)(void *), void *argument); /* SYNC_CREATE: never 0 */
void *__heddle_join(thread_number thread);                             /* SYNC_JOIN */
thread_number __heddle_self(void);                                     /* SYNC_SELF: main is 0 */
void __heddle_threads(void); /* program.thread_origin: never called, identities of threads begin there */
thread_number __heddle_claim(thread_number thread, thread_number how); /* SYNC_CLAIM */
void __heddle_detach(void); /* SYNC_DETACH: some thread is free to go without being joined */
void __heddle_thread_exit(void *result) __attribute__((noreturn)); /* SYNC_EXIT */
void __heddle_exit(void) __attribute__((noreturn));                /* SYNC_END */
void *__heddle_exception_record(void);   /* the thread's struct exception_record (models.h) */
void __heddle_destructors(void);         /* calls the functions with the attribute `destructor` */
void __heddle_print(unsigned form, ...); /* PRINT: see print_form in program.h; the form is a constant */
enum { PRINT_HANDED = 14 };              /* as there: what native replay needs to hand out the same */
void __heddle_unsupported(const char *what) __attribute__((noreturn)); /* UNSUPPORTED: unknown from here */
void __heddle_unsupported_call(const char *what) __attribute__((noreturn)); /* UNSUPPORTED_CALL */
void __heddle_violation(const char *what) __attribute__((noreturn));        /* CHECK_ASSERTION that fails */
/* CHECK_MISUSE that fails, if misuses are asked for; else it is only noted, and the caller goes on. */
void __heddle_misuse(const char *rule);
void __heddle_invalid_free(void) __attribute__((noreturn)); /* CHECK_FREE that fails */
void __heddle_assume(int condition);                        /* ASSUME */
_Bool __heddle_input_1(const char *name);                   /* INPUT; name: for traces */
unsigned char __heddle_input_8(const char *name);
unsigned short __heddle_input_16(const char *name);
unsigned __heddle_input_32(const char *name);
unsigned long long __heddle_input_64(const char *name);
/* The bounds are signed numbers. */
unsigned long __heddle_input_word_between(const char *name, unsigned long low, unsigned long high);
/* The same by laws, which exploration does not know, but confirmation does (explore/laws.h): a function of
 * the key; the low part of a time that never goes back, the clock and the high part given. */
unsigned __heddle_input_32_of(const char *name, unsigned key);
unsigned __heddle_input_32_after(const char *name, unsigned clock, unsigned long high);
unsigned long long __heddle_input_64_after(const char *name, unsigned clock, unsigned long high);
/* SELECT: an unknown one of two numbers, without a decision; of two pointers, with one. */
unsigned char __heddle_select_8(_Bool condition, unsigned char yes, unsigned char no);
unsigned __heddle_select_32(_Bool condition, unsigned yes, unsigned no);
unsigned long __heddle_select_word(_Bool condition, unsigned long yes, unsigned long no);
/* ARITH_SAME_OBJECT: both are pointers, into the same object; may be a pointer in an integer. */
_Bool __heddle_same_object(unsigned long a, unsigned long b);
void __heddle_apart(const void *a, const void *b, size_t bytes); /* APART: a violation if they overlap */
void *__heddle_alloc(size_t bytes, int zero);                    /* ALLOC on the heap, zeroed or unset */
void __heddle_free(void *p);                                     /* FREE */
void *__heddle_new(size_t bytes); /* the same, unset, as heap_maker tells them apart */
void __heddle_delete(void *p);
void *__heddle_new_array(size_t bytes);
void __heddle_delete_array(void *p);
size_t __heddle_object_size(const void *p);                   /* SIZE */
void __heddle_copy(void *to, const void *from, size_t bytes); /* COPY: as memmove */
void __heddle_fill(void *to, int byte, size_t bytes);         /* FILL: as memset */

#endif
