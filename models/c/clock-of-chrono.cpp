// expect: safe
// expect: unsafe -DSTANDS_STILL
// expect: safe -DSINCE_BOOT
//
// The steady clock of the C++ library is CLOCK_MONOTONIC of the system.

#include <cassert>
#include <chrono>
#include <ctime>

int main() {
#ifdef SINCE_BOOT
    const clockid_t clock = CLOCK_BOOTTIME;
#else
    const clockid_t clock = CLOCK_MONOTONIC;
#endif
    auto steady = std::chrono::steady_clock::now().time_since_epoch();
    timespec later;
    clock_gettime(clock, &later);
    auto since = std::chrono::seconds(later.tv_sec) + std::chrono::nanoseconds(later.tv_nsec);
#ifdef STANDS_STILL
    assert(steady == since);
#else
    assert(steady <= since);
#endif
    return 0;
}
