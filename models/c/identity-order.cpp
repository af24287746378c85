// expect: safe
// expect: unsafe -DFIRST
// expect: unsafe -DNUMBER
//
// Threads keep numbers by their identity in a map. There is some order of identities, and it stays, but which of two
// threads comes first is not said: FIRST is true on most machines, most of the time. What an identity is as a number is
// not said either.

#include <cassert>
#include <map>
#include <mutex>
#include <pthread.h>
#include <thread>

static std::mutex lock;
static std::map<std::thread::id, int> numbers;

static void keep(int number) {
    std::lock_guard<std::mutex> guard(lock);
    numbers[std::this_thread::get_id()] = number;
}

int main() {
    std::thread one(keep, 1), two(keep, 2);
    std::thread::id first = one.get_id(), second = two.get_id();
    assert(first != second && (first < second) != (second < first));
    one.join();
    two.join();
    assert(first != second); /* both lived at the same time */
    assert(numbers.size() == 2 && numbers[first] == 1 && numbers[second] == 2);
#ifdef FIRST
    assert(numbers.begin()->second == 1);
#endif
    unsigned long self = (unsigned long)pthread_self();
    assert(self && (int)self == (int)pthread_self());
#ifdef NUMBER
    assert(self % 3 != 1);
#endif
}
