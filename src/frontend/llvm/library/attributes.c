/* pthread_attr_*: attributes of threads are plain memory of the program. Only whether a thread is detached
 * changes what it does; the rest is kept to be asked for. */
#include "models.h"

struct thread_attributes {
    unsigned state;
    unsigned detached, is_explicit;
    int policy, priority;
    size_t guard, stack_size; /* 0: as the system has it */
    void *stack;
};
enum { USABLE = 1 };

enum { PAGE = 4096, SMALLEST_STACK = 16384, MOST_PRIORITY = 99 };
enum { OTHER = 0, FIFO = 1, ROUND_ROBIN = 2, BATCH = 3, IDLE = 5 };

CALLERS_ACCESS static void must_be_usable(const struct thread_attributes *a) {
    if (a->state != USABLE) __heddle_misuse("the attributes of threads are initialised and not destroyed");
}

CALLERS_ACCESS int __model_asks_for_detached(const struct thread_attributes *a) {
    must_be_usable(a);
    return a->detached != 0;
}

int __model_is_priority(int policy, int priority) {
    switch (policy) {
    case FIFO:
    case ROUND_ROBIN: return priority >= 1 && priority <= MOST_PRIORITY;
    case OTHER:
    case BATCH:
    case IDLE: return priority == 0;
    default: return 0;
    }
}

CALLERS_ACCESS int pthread_attr_init(struct thread_attributes *a) {
    a->state = USABLE;
    a->detached = a->is_explicit = 0;
    a->policy = a->priority = 0;
    a->guard = PAGE;
    a->stack_size = 0;
    a->stack = NULL;
    return 0;
}

CALLERS_ACCESS int pthread_attr_destroy(struct thread_attributes *a) {
    must_be_usable(a);
    a->state = 0;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setdetachstate(struct thread_attributes *a, int detached) {
    if (detached != 0 && detached != 1) return EINVAL;
    must_be_usable(a);
    a->detached = (unsigned)detached;
    return 0;
}

CALLERS_ACCESS int pthread_attr_getdetachstate(const struct thread_attributes *a, int *detached) {
    must_be_usable(a);
    *detached = (int)a->detached;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setstacksize(struct thread_attributes *a, size_t size) {
    if (size < SMALLEST_STACK) return EINVAL;
    must_be_usable(a);
    a->stack_size = size;
    return 0;
}

/* What a thread has by default the system decides. */
CALLERS_ACCESS int pthread_attr_getstacksize(const struct thread_attributes *a, size_t *size) {
    must_be_usable(a);
    size_t present = a->stack_size;
    if (present == 0) {
        present = sizeof(size_t) == 8 ? (size_t)__heddle_input_64("size of a stack")
                                      : (size_t)__heddle_input_32("size of a stack");
        __heddle_assume(present >= SMALLEST_STACK);
    }
    *size = present;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setstack(struct thread_attributes *a, void *stack, size_t size) {
    if (size < SMALLEST_STACK) return EINVAL;
    must_be_usable(a);
    a->stack = (char *)stack + size;
    a->stack_size = size;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setguardsize(struct thread_attributes *a, size_t size) {
    must_be_usable(a);
    a->guard = size;
    return 0;
}

CALLERS_ACCESS int pthread_attr_getguardsize(const struct thread_attributes *a, size_t *size) {
    must_be_usable(a);
    *size = a->guard;
    return 0;
}

/* PTHREAD_SCOPE_SYSTEM is what there is. */
CALLERS_ACCESS int pthread_attr_setscope(struct thread_attributes *a, int scope) {
    if (scope != 0) return scope == 1 ? EOPNOTSUPP : EINVAL;
    must_be_usable(a);
    return 0;
}

CALLERS_ACCESS int pthread_attr_getscope(const struct thread_attributes *a, int *scope) {
    must_be_usable(a);
    *scope = 0;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setinheritsched(struct thread_attributes *a, int explicit) {
    if (explicit != 0 && explicit != 1) return EINVAL;
    must_be_usable(a);
    a->is_explicit = (unsigned)explicit;
    return 0;
}

CALLERS_ACCESS int pthread_attr_getinheritsched(const struct thread_attributes *a, int *explicit) {
    must_be_usable(a);
    *explicit = (int)a->is_explicit;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setschedpolicy(struct thread_attributes *a, int policy) {
    if (policy != OTHER && policy != FIFO && policy != ROUND_ROBIN) return EINVAL;
    must_be_usable(a);
    a->policy = policy;
    return 0;
}

CALLERS_ACCESS int pthread_attr_getschedpolicy(const struct thread_attributes *a, int *policy) {
    must_be_usable(a);
    *policy = a->policy;
    return 0;
}

CALLERS_ACCESS int pthread_attr_setschedparam(struct thread_attributes *a, const int *priority) {
    must_be_usable(a);
    if (!__model_is_priority(a->policy, *priority)) return EINVAL;
    a->priority = *priority;
    return 0;
}

CALLERS_ACCESS int pthread_attr_getschedparam(const struct thread_attributes *a, int *priority) {
    must_be_usable(a);
    *priority = a->priority;
    return 0;
}
