// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
// expect: safe --property leak
// expect: unsafe -DUNLOCK_BY_HAND
//
// C++ exceptions: two threads that throw while they hold a lock. A lock_guard lets go of it on the way out; who
// unlocks by hand, behind the place that throws, keeps it for ever.

#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int taken, refused;

static void take(int amount) {
#ifdef UNLOCK_BY_HAND
    lock.lock();
#else
    std::lock_guard<std::mutex> guard(lock);
#endif
    if (taken + amount > 3) throw std::out_of_range("too much");
    taken += amount;
#ifdef UNLOCK_BY_HAND
    lock.unlock();
#endif
}

static void customer(int amount) {
    try {
        take(amount);
    } catch (const std::logic_error &) {
#ifdef UNLOCK_BY_HAND
        assert(lock.try_lock());
#endif
        std::lock_guard<std::mutex> guard(lock);
        refused++;
    }
}

int main() {
    std::thread a(customer, 2), b(customer, 3);
    a.join();
    b.join();
    assert(refused == 1 && (taken == 2 || taken == 3));
}
