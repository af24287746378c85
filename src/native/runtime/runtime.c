/* Linked with a user's program to make it follow a recorded schedule. Not part of Heddle itself: it is
 * compiled together with each program, behind a generated file that defines the tables below.
 *
 * Every access to memory and every call of the program is bracketed by hooks (instrument.c). A thread whose
 * next recorded operation is the one it has come to waits for its turn; everything else passes. Locks are the
 * real ones: the schedule only decides who comes when. Condition variables and barriers are replaced by the
 * schedule. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY, CALL, SECTION };
enum { STEP_BY_STEP = 1 }; /* a call that takes its further steps itself */
enum { END_CHECK, END_DEADLOCK, END_RACE };
enum { STATUS_RACE = 97, STATUS_DEADLOCK = 98, STATUS_ERROR = 96 };

struct operation {
    int thread, kind, line, column;
    int skip;      /* arrivals at this place since the thread's last operation that are not it */
    int continued; /* a further step of the same call */
    long result;   /* of the call */
};
struct creation {
    int creator, count, created;
};
struct drawn { /* by a call at this place */
    int thread, line, column;
    unsigned long long value;
};

extern const struct operation heddle_operations[];
extern const int heddle_operation_count;
extern const struct creation heddle_creations[];
extern const int heddle_creation_count;
extern const struct drawn heddle_drawn[];
extern const int heddle_drawn_count;
extern const int heddle_tails[],
    heddle_tail_count; /* by thread: what it still passes after its last operation */
extern const int heddle_end,
    heddle_racing_first; /* the last two operations are only approached, not executed */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn;             /* operations that are over */
static int arrived_at_race;  /* bit per racing thread */
static atomic_int lost;      /* the schedule was given up */
static atomic_long activity; /* anything that any thread did */
static volatile int *log_of_progress;

static __thread int me, my_next = -1, my_skipped, my_children, my_drawn, in_section, has_turn, begun;
static __thread int my_current = -1;
static __thread int my_line, my_column; /* of the last call */

static int next_of(int thread, int from) {
    while (from < heddle_operation_count && heddle_operations[from].thread != thread) from++;
    return from;
}

static void begin_thread(int number) {
    me = number;
    my_next = next_of(number, 0);
    begun = 1;
}

/* In a deadlock of some threads others go on: then it is enough that the program does not end. */
static void *watch(void *unused) {
    long before = -1;
    for (int quiet = 0, behind = 0;;) {
        usleep(100000);
        long now = atomic_load(&activity);
        quiet = now == before ? quiet + 1 : 0;
        before = now;
        pthread_mutex_lock(&lock);
        int over = turn + 1 >= heddle_operation_count; /* the last one may be a step of a call that blocks */
        pthread_mutex_unlock(&lock);
        behind = over && heddle_end == END_DEADLOCK ? behind + 1 : 0;
        if (quiet < 20 && behind < 30) continue;
        pthread_mutex_lock(&lock);
        if (behind) {
            fprintf(stderr, quiet < 20 ? "heddle: deadlock: the program goes on, but does not end\n"
                                       : "heddle: deadlock: no thread makes progress\n");
            _exit(STATUS_DEADLOCK);
        }
        atomic_store(&lost, 1);
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&lock);
        quiet = 0;
    }
    return unused;
}

__attribute__((constructor)) static void begin_program(void) {
    const char *name = getenv("HEDDLE_PROGRESS");
    int file = name ? open(name, O_RDWR) : -1;
    static int nowhere;
    log_of_progress = &nowhere;
    if (file >= 0) log_of_progress = mmap(0, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    begin_thread(0);
    pthread_t watcher;
    pthread_create(&watcher, 0, watch, 0);
}

static void finish_turn(void) {
    pthread_mutex_lock(&lock);
    turn++;
    *log_of_progress = turn;
    has_turn = 0;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
}

/* After the last operation its own thread has some time to fail before the others go on. */
static void let_it_fail(int thread) {
    if (thread != heddle_operations[heddle_operation_count - 1].thread && heddle_end == END_CHECK)
        usleep(500000);
}

static void wait_for_turn(int operation) {
    pthread_mutex_lock(&lock);
    while (turn != operation && !lost) pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&activity, 1);
    has_turn = 1;
}

static void wait_for_the_end(void) {
    pthread_mutex_lock(&lock);
    while (turn < heddle_operation_count && !lost) pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
    if (heddle_operation_count) let_it_fail(me);
}

static void approach_race(int operation) {
    pthread_mutex_lock(&lock);
    while (turn < heddle_racing_first && !lost) pthread_cond_wait(&moved, &lock);
    arrived_at_race |= 1 << (operation - heddle_racing_first);
    if (arrived_at_race == 3) {
        fprintf(stderr, "heddle: data race: two threads are before unordered accesses to the same memory\n");
        *log_of_progress = heddle_operation_count;
        _exit(STATUS_RACE);
    }
    while (!lost) pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
}

static int is_the_next(int kind, int line, int column) {
    if (my_next >= heddle_operation_count) return 0;
    const struct operation *o = &heddle_operations[my_next];
    return o->kind == kind && (kind == SECTION || (o->line == line && o->column == column));
}

/* Steps of one place that are a single access here. */
static void pass_parts(int kind, int line, int column) {
    while (my_current >= 0 && my_next < heddle_operation_count && !is_the_next(kind, line, column)) {
        const struct operation *o = &heddle_operations[my_next], *last = &heddle_operations[my_current];
        if (o->kind != MEMORY || o->line != last->line || o->column != last->column) return;
        wait_for_turn(my_next);
        finish_turn();
        my_next = next_of(me, my_next + 1);
        my_skipped = 0;
    }
}

static void arrive(int kind, int line, int column, int how) {
    atomic_fetch_add(&activity, 1);
    if (!begun || lost || in_section || has_turn) return;
    pass_parts(kind, line, column);
    if (my_next >= heddle_operation_count) {
        int tail = me >= 0 && me < heddle_tail_count ? heddle_tails[me] : 0;
        if (my_skipped++ >= tail) wait_for_the_end();
        return;
    }
    if (!is_the_next(kind, line, column) || my_skipped++ < heddle_operations[my_next].skip) return;
    if (heddle_end == END_RACE && my_next >= heddle_racing_first) approach_race(my_next);
    my_skipped = 0;
    for (;;) { /* all steps of a call but the last pass here */
        my_current = my_next;
        my_next = next_of(me, my_next + 1);
        wait_for_turn(my_current);
        if (my_next >= heddle_operation_count || !heddle_operations[my_next].continued) return;
        if (kind != CALL || how == STEP_BY_STEP) return;
        finish_turn();
    }
}

static void leave(void) {
    atomic_fetch_add(&activity, 1);
    if (has_turn && !in_section) finish_turn();
}

void __heddle_native_access(int line, int column) {
    arrive(MEMORY, line, column, 0);
}
void __heddle_native_call(int line, int column) {
    my_line = line;
    my_column = column;
    arrive(CALL, line, column, 0);
}
void __heddle_native_wait(int line, int column) {
    arrive(CALL, line, column, STEP_BY_STEP);
}
void __heddle_native_done(void) {
    leave();
}
void __heddle_native_section_begin(void) {
    arrive(SECTION, 0, 0, 0);
    in_section++;
}
void __heddle_native_section_end(void) {
    if (in_section && !--in_section) leave();
}

/* --- SV-COMP -------------------------------------------------------------------------------------------- */

void __heddle_native_atomic_begin(void) {
    in_section++;
}
void __heddle_native_atomic_end(void) {
    __heddle_native_section_end();
}

__attribute__((noreturn)) void __heddle_native_error(void) {
    fprintf(stderr, "heddle: the error function is called\n");
    _exit(STATUS_ERROR);
}

/* The values of one place are drawn in order. */
static unsigned long long draw(void) {
    for (; my_drawn < heddle_drawn_count; my_drawn++) {
        const struct drawn *d = &heddle_drawn[my_drawn];
        if (d->thread == me && d->line == my_line && d->column == my_column)
            return heddle_drawn[my_drawn++].value;
    }
    return 0;
}

#define DRAW(name, type)                                                                                     \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) {                                              \
        return (type)draw();                                                                                 \
    }
DRAW(bool, _Bool)
DRAW(char, char)
DRAW(uchar, unsigned char)
DRAW(short, short)
DRAW(ushort, unsigned short)
DRAW(int, int)
DRAW(uint, unsigned)
DRAW(unsigned, unsigned)
DRAW(long, long)
DRAW(ulong, unsigned long)
DRAW(longlong, long long)
DRAW(ulonglong, unsigned long long)
DRAW(size_t, size_t)
DRAW(u8, unsigned char)
DRAW(u16, unsigned short)
DRAW(u32, unsigned)
DRAW(pointer, void *)
int __heddle_native_rand(void) {
    return (int)draw();
}
long __heddle_native_random(void) {
    return (long)draw();
}

/* An assumption that does not hold stops its thread. */
__attribute__((weak)) void __VERIFIER_assume(int condition) {
    while (!condition) pause();
}

/* --- threads -------------------------------------------------------------------------------------------- */

struct start {
    void *(*function)(void *);
    void *argument;
    int number;
};

static void *run(void *data) {
    struct start s = *(struct start *)data;
    free(data);
    begin_thread(s.number);
    void *result = s.function(s.argument);
    my_next = heddle_operation_count;
    atomic_fetch_add(&activity, 1);
    return result;
}

int __heddle_native_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *),
                                   void *argument) {
    struct start *s = malloc(sizeof *s);
    *s = (struct start){f, argument, -1};
    for (int i = 0; i < heddle_creation_count; i++)
        if (heddle_creations[i].creator == me && heddle_creations[i].count == my_children)
            s->number = heddle_creations[i].created;
    my_children++;
    return pthread_create(t, a, run, s);
}

static long recorded(void) {
    return my_current >= 0 ? heddle_operations[my_current].result : 0;
}

static void take_all_steps(void) {
    while (my_next < heddle_operation_count && heddle_operations[my_next].continued && !lost) {
        if (has_turn) finish_turn();
        my_current = my_next;
        my_next = next_of(me, my_next + 1);
        wait_for_turn(my_current);
    }
}

/* The wait of a condition variable: the mutex is given back with its first step and taken again with its
 * last. */
int __heddle_native_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
    if (my_next >= heddle_operation_count && has_turn) { /* it never comes back */
        finish_turn();
        return pthread_cond_wait(c, m);
    }
    pthread_mutex_unlock(m);
    take_all_steps();
    if (my_next >= heddle_operation_count && has_turn)
        finish_turn(); /* others may have to give the mutex back */
    pthread_mutex_lock(m);
    return (int)recorded();
}
int __heddle_native_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
    (void)t;
    return __heddle_native_pthread_cond_wait(c, m);
}
int __heddle_native_pthread_cond_signal(pthread_cond_t *c) {
    if (lost || turn >= heddle_operation_count) return pthread_cond_signal(c);
    return 0;
}
int __heddle_native_pthread_cond_broadcast(pthread_cond_t *c) {
    if (lost || turn >= heddle_operation_count) return pthread_cond_broadcast(c);
    return 0;
}
int __heddle_native_pthread_barrier_wait(pthread_barrier_t *b) {
    (void)b;
    if (my_next >= heddle_operation_count && has_turn) {
        finish_turn();
        for (;;) pause();
    }
    take_all_steps();
    return (int)recorded();
}
