/* pthread_spin_*: waiting is blocking, since every schedule is considered anyway. The cell holds the code of
 * the owner. */
#include "models.h"

static const unsigned destroyed = 1; /* no code of a thread */

/* Within an atomic section. */
static void must_be_usable(const unsigned *lock) {
    unsigned owner = __heddle_inspect(lock);
    unsigned is_code = (owner & 0xfff) == 0 && (owner >> 22 ^ (owner >> 12 & 1023)) == 1023;
    if (owner != 0 && !is_code) __heddle_misuse("the spin lock is initialised and not destroyed");
}

int pthread_spin_init(unsigned *lock, int shared) {
    (void)shared;
    __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_spin_destroy(unsigned *lock) {
    __heddle_atomic_begin();
    must_be_usable(lock);
    if (__heddle_inspect(lock) != 0) __heddle_misuse("the spin lock that is destroyed is not held");
    if (__heddle_check_misuse) *lock = destroyed;
    __heddle_atomic_end();
    return 0;
}

/* Who holds it already waits for ever. What is destroyed waits for nothing. */
int pthread_spin_lock(unsigned *lock) {
    unsigned mine = running_code();
    __heddle_await(lock, ~(mine | destroyed), 0);
    must_be_usable(lock);
    if (*lock == mine) {
        __heddle_misuse("the spin lock is not taken again by its owner");
        __heddle_await(lock, ~0u, 0);
        __heddle_atomic_end();
    }
    *lock = mine;
    __heddle_atomic_end();
    return 0;
}

int pthread_spin_trylock(unsigned *lock) {
    __heddle_atomic_begin();
    must_be_usable(lock);
    int is_free = __heddle_peek(lock) == 0;
    if (is_free) *lock |= running_code(); /* reading it orders */
    __heddle_atomic_end();
    return is_free ? 0 : EBUSY;
}

int pthread_spin_unlock(unsigned *lock) {
    __heddle_atomic_begin();
    must_be_usable(lock);
    if (*lock != running_code()) __heddle_misuse("the spin lock is released by the thread that holds it");
    *lock = 0;
    __heddle_atomic_end();
    return 0;
}
