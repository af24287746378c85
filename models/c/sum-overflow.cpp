// expect: unsafe --property overflow
// expect: safe --property overflow -DWIDE
//
// Two threads write down what they have, a third adds it up with the C++ library. The library's headers do the addition, so an overflow
// there is the program's own; it is told where the program calls them.

#include <climits>
#include <mutex>
#include <numeric>
#include <thread>

static std::mutex guard;
static int written[2];

static void write(int which, int amount) {
    std::lock_guard<std::mutex> held(guard);
    written[which] = amount;
}

int main() {
    std::thread first(write, 0, INT_MAX), second(write, 1, 1);
    first.join();
#ifdef WIDE
    second.join();
    long long sum = std::accumulate(written, written + 2, 0LL);
#else
    guard.lock();
    int sum = std::accumulate(written, written + 2, 0); // the second may have written, or not yet
    guard.unlock();
    second.join();
#endif
    return sum == 0;
}
