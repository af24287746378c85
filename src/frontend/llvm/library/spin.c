/* pthread_spin_*: waiting is blocking, since every schedule is considered anyway. */
#include "models.h"

int pthread_spin_init(unsigned *lock, int shared) {
    (void)shared;
    __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_spin_destroy(unsigned *lock) {
    (void)lock;
    return 0;
}

int pthread_spin_lock(unsigned *lock) {
    __heddle_await(lock, ~0u, 0);
    *lock = 1;
    __heddle_atomic_end();
    return 0;
}

int pthread_spin_trylock(unsigned *lock) {
    return __atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST) ? EBUSY : 0;
}

int pthread_spin_unlock(unsigned *lock) {
    __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST);
    return 0;
}
