/* Linked with a user's program to make it follow a recorded schedule. Not part of Heddle itself: it is
 * compiled together with each program, behind a generated file that defines the tables below.
 *
 * Every access to memory and every call of the program is bracketed by hooks (instrument.c). A thread whose
 * next recorded operation is the one it has come to waits for its turn; everything else passes. Locks are the
 * real ones: the schedule only decides who comes when. Condition variables and barriers are replaced
 * by the schedule. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY, CALL, SECTION };
enum { STEP_BY_STEP = 1 }; /* a call that takes its further steps itself */
enum { END_CHECK, END_DEADLOCK, END_RACE };
enum { STATUS_RACE = 97, STATUS_DEADLOCK = 98, STATUS_ERROR = 96, STATUS_SANITIZER = 99 };

struct operation {
    int thread, kind, line, column;
    int skip;      /* arrivals at this place since the thread's last operation that are not it */
    int continued; /* a further step of the same call */
    long result;   /* of the call */
};
struct creation {
    int creator, count, created;
};
struct drawn { /* by a call at this place, or its result */
    int thread, line, column;
    unsigned long long value;
};

struct block { /* made by a call at this place */
    int thread, line, column;
    int slot; /* -1: anywhere */
};
struct slot { /* an address at which several blocks lay, one behind the other */
    char *memory;
    unsigned long long bytes;
};

extern const struct block heddle_blocks[];
extern const int heddle_block_count;
extern struct slot heddle_slots[];
extern const int heddle_slot_count;
extern const int heddle_keeps_freed; /* no other block gets an address again */
extern const struct operation heddle_operations[];
extern const int heddle_operation_count;
extern const struct creation heddle_creations[];
extern const int heddle_creation_count;
extern const struct drawn heddle_drawn[];
extern const int heddle_drawn_count;
extern const struct drawn heddle_handed[]; /* what functions of the library hand out through pointers */
extern const int heddle_handed_count;
extern const struct drawn heddle_results[];
extern const int heddle_result_count;
extern const int heddle_tails[],
    heddle_tail_count; /* by thread: what it still passes after its last operation */
extern const int heddle_end,
    heddle_racing_first; /* the last two operations are only approached, not executed */

extern const int heddle_watches_misuse;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn;             /* operations that are over */
static int arrived_at_race;  /* bit per racing thread */
static atomic_int lost;      /* the schedule was given up */
static atomic_long activity; /* anything that any thread did */
static volatile int *log_of_progress;

static __thread int me, my_next = -1, my_skipped, my_children, my_drawn, my_handed, my_results, in_section,
                        has_turn, begun;
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

/* The values of one place come in order; those in between were drawn by functions that need none here. */
static int find(const struct drawn *list, int count, int *from, int line, int column,
                unsigned long long *value) {
    for (int i = *from; i < count; i++) {
        if (list[i].thread != me || list[i].line != line || list[i].column != column) continue;
        *from = i + 1;
        *value = list[i].value;
        return 1;
    }
    return 0;
}

static int try_draw(unsigned long long *value) {
    return find(heddle_drawn, heddle_drawn_count, &my_drawn, my_line, my_column, value);
}

static unsigned long long draw(void) {
    unsigned long long value = 0;
    try_draw(&value);
    return value;
}

unsigned long long __heddle_native_result(int line, int column, unsigned long long real) {
    unsigned long long value = real;
    if (begun) find(heddle_results, heddle_result_count, &my_results, line, column, &value);
    return value;
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

/* An assumption that does not hold stops its thread. */
__attribute__((weak)) void __VERIFIER_assume(int condition) {
    while (!condition) pause();
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* A block that lay where one was which had been freed gets its address here, too. */

static __thread int my_blocks;

static struct slot *slot_of_new(void) {
    for (int i = my_blocks; i < heddle_block_count; i++) {
        const struct block *b = &heddle_blocks[i];
        if (b->thread != me || b->line != my_line || b->column != my_column) continue;
        my_blocks = i + 1;
        return b->slot < 0 ? 0 : &heddle_slots[b->slot];
    }
    return 0;
}

static struct slot *slot_at(const void *p) {
    for (int i = 0; p && i < heddle_slot_count; i++)
        if (heddle_slots[i].memory == p) return &heddle_slots[i];
    return 0;
}

/* Of the address sanitizer and of C++, if they are there. */
__attribute__((weak)) void __asan_poison_memory_region(void const volatile *, size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(void const volatile *, size_t);
__attribute__((weak)) void *_Znwm(size_t);
__attribute__((weak)) void *_Znam(size_t);
__attribute__((weak)) void _ZdlPv(void *);
__attribute__((weak)) void _ZdaPv(void *);

/* NULL: anywhere. */
static void *allocate_in_slot(size_t bytes) {
    struct slot *s = begun && heddle_slot_count ? slot_of_new() : 0;
    if (!s || s->bytes < bytes) return 0;
    pthread_mutex_lock(&lock);
    if (!s->memory) s->memory = malloc(s->bytes ? s->bytes : 1);
    pthread_mutex_unlock(&lock);
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(s->memory, bytes);
    return s->memory;
}

/* Whether that is all. */
static int keeps(const void *p) {
    const struct slot *s = slot_at(p);
    if (s && __asan_poison_memory_region) __asan_poison_memory_region(s->memory, s->bytes);
    return s || (heddle_keeps_freed && !__asan_poison_memory_region);
}

void *__heddle_native_malloc(size_t bytes) {
    void *made = allocate_in_slot(bytes);
    return made ? made : malloc(bytes);
}
void *__heddle_native_calloc(size_t count, size_t bytes) {
    size_t total;
    void *made = __builtin_mul_overflow(count, bytes, &total) ? 0 : allocate_in_slot(total);
    return made ? memset(made, 0, total) : calloc(count, bytes);
}
void __heddle_native_free(void *p) {
    if (!keeps(p)) free(p);
}
void *__heddle_native_new(size_t bytes) {
    void *made = allocate_in_slot(bytes);
    return made ? made : _Znwm(bytes);
}
void *__heddle_native_new_array(size_t bytes) {
    void *made = allocate_in_slot(bytes);
    return made ? made : _Znam(bytes);
}
void __heddle_native_delete(void *p) {
    if (!keeps(p)) _ZdlPv(p);
}
void __heddle_native_delete_array(void *p) {
    if (!keeps(p)) _ZdaPv(p);
}
void *__heddle_native_realloc(void *p, size_t bytes) {
    if (!heddle_slot_count && !heddle_keeps_freed) return realloc(p, bytes);
    const struct slot *old = slot_at(p);
    if (!bytes && p) {
        __heddle_native_free(p);
        return 0;
    }
    void *made = allocate_in_slot(bytes);
    if (made && made == p) return p; /* it stays where it is */
    size_t had = old ? old->bytes : p ? malloc_usable_size(p) : 0;
    if (!made) made = malloc(bytes);
    if (made && p) memcpy(made, p, had < bytes ? had : bytes);
    __heddle_native_free(p);
    return made;
}

/* --- clocks and random numbers -------------------------------------------------------------------------- */

/* What these write was recorded; what they give comes by __heddle_native_result. Where nothing was recorded
 * they are the system's. */

static int is_handed(unsigned long long *value) {
    return find(heddle_handed, heddle_handed_count, &my_handed, my_line, my_column, value);
}

static int hand_out_time(long *seconds, long *parts) {
    unsigned long long whole, part = 0;
    if (!is_handed(&whole)) return 0;
    is_handed(&part);
    *seconds = (long)whole;
    *parts = (long)part;
    return 1;
}

time_t __heddle_native_time(time_t *result) {
    unsigned long long now;
    if (!is_handed(&now)) return time(result);
    if (result) *result = (time_t)now;
    return (time_t)now;
}

int __heddle_native_clock_gettime(clockid_t clock, struct timespec *result) {
    return hand_out_time(&result->tv_sec, &result->tv_nsec) ? 0 : clock_gettime(clock, result);
}
int __heddle_native_timespec_get(struct timespec *result, int base) {
    return hand_out_time(&result->tv_sec, &result->tv_nsec) ? base : timespec_get(result, base);
}
int __heddle_native_gettimeofday(struct timeval *result, struct timezone *zone) {
    int status = gettimeofday(result, zone);
    if (result) hand_out_time(&result->tv_sec, &result->tv_usec);
    return status;
}
int __heddle_native_rand_r(unsigned *seed) {
    unsigned long long drawn;
    if (!try_draw(&drawn)) return rand_r(seed);
    *seed = (unsigned)drawn;
    return (int)(draw() & 0x7fffffff);
}

/* Nothing is set where programs are verified. */
char *__heddle_native_getenv(const char *name) {
    (void)name;
    return NULL;
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

/* Of C++: an object with a virtual function, owned by whom the reference is to. */
struct thread_state {
    void (**table)(struct thread_state *);
};
enum { DELETE_STATE = 1, RUN_STATE = 2 };

static void *run_thread_state(void *given) {
    struct thread_state *s = given;
    s->table[RUN_STATE](s);
    s->table[DELETE_STATE](s);
    return NULL;
}

void __heddle_native_start_thread(pthread_t *thread, struct thread_state **s, void (*depend)(void)) {
    struct thread_state *given = *s;
    (void)depend;
    *s = NULL;
    __heddle_native_pthread_create(thread, NULL, run_thread_state, given);
}

/* --- SymC++ --------------------------------------------------------------------------------------------- */

/* Its threads go on when main has returned. */
static void go_on(void) {
    while (!lost && (turn < heddle_operation_count || heddle_end == END_DEADLOCK)) usleep(100000);
    sleep(1);
}

__attribute__((weak)) void symcpp_start(int *started, void *(*f)(void *), void *thread) {
    static atomic_int registered;
    if (!atomic_exchange(&registered, 1)) atexit(go_on);
    if ((*started)++) return;
    pthread_t number;
    __heddle_native_pthread_create(&number, NULL, f, thread);
}

__attribute__((weak)) void symcpp_await(int *semaphore) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int taken = *(volatile int *)semaphore > 0;
        if (taken) *semaphore = 0;
        pthread_mutex_unlock(&lock);
        if (taken) return;
        usleep(1000);
    }
}

/* What they give comes by __heddle_native_result. */
__attribute__((weak)) int symcpp_nondet(int low, int high) {
    return low <= high ? low : 0;
}
__attribute__((weak)) int symcpp_nondet_explicit(int low, int high) {
    return low <= high ? low : 0;
}

/* --- locks that are gone -------------------------------------------------------------------------------- */

/* The address sanitizer, if it is there, does not look into what these functions access. */
extern void *__asan_region_is_poisoned(void *begin, size_t size) __attribute__((weak));

static void check_alive(void *object, size_t size, const char *function) {
    if (!__asan_region_is_poisoned || !__asan_region_is_poisoned(object, size)) return;
    fprintf(stderr, "heddle: %s: the object is not there any more, or never was\n", function);
    _exit(STATUS_SANITIZER);
}

/* What pthread_mutex_destroy of glibc leaves behind. */
static void check_mutex(pthread_mutex_t *m, const char *function) {
    check_alive(m, sizeof *m, function);
#ifdef __GLIBC__
    if (!heddle_watches_misuse || m->__data.__kind != -1) return;
    fprintf(stderr, "heddle: %s: the mutex was destroyed\n", function);
    _exit(STATUS_SANITIZER);
#endif
}

#define ON_MUTEX(name)                                                                                       \
    int __heddle_native_##name(pthread_mutex_t *m) {                                                         \
        check_mutex(m, #name);                                                                               \
        return name(m);                                                                                      \
    }
#define ON_OBJECT(name, type)                                                                                \
    int __heddle_native_##name(type *object) {                                                               \
        check_alive(object, sizeof *object, #name);                                                          \
        return name(object);                                                                                 \
    }
ON_MUTEX(pthread_mutex_lock)
ON_MUTEX(pthread_mutex_trylock)
ON_MUTEX(pthread_mutex_unlock)
ON_MUTEX(pthread_mutex_destroy)
ON_OBJECT(pthread_rwlock_rdlock, pthread_rwlock_t)
ON_OBJECT(pthread_rwlock_wrlock, pthread_rwlock_t)
ON_OBJECT(pthread_rwlock_unlock, pthread_rwlock_t)
ON_OBJECT(pthread_rwlock_destroy, pthread_rwlock_t)
ON_OBJECT(sem_wait, sem_t)
ON_OBJECT(sem_post, sem_t)
ON_OBJECT(sem_destroy, sem_t)

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

/* The wait of a condition variable: the mutex is given back with its first step and taken again
 * with its last. */
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
struct unique_lock { /* of C++ */
    pthread_mutex_t *mutex;
    _Bool owns;
};
void __heddle_native_wait_with_lock(pthread_cond_t *c, struct unique_lock *l) {
    __heddle_native_pthread_cond_wait(c, l->mutex);
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
