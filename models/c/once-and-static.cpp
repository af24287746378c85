// expect: safe --property assert,memory,race,deadlock
// expect: unsafe --property race -DRACE
//
// A variable of a function is initialised by whoever comes first, and the others wait; so is what std::call_once
// calls. With RACE threads also write to it afterwards.

#include <cassert>
#include <mutex>
#include <thread>

static int calls, made;
static std::once_flag once;

static int make() {
    return ++made;
}

static int &only() {
    static int value = make();
    return value;
}

static void use() {
    std::call_once(once, [](int by) { calls += by; }, 1);
    assert(calls == 1);
#ifdef RACE
    only()++;
#else
    assert(only() == 1);
#endif
}

int main() {
    std::thread other(use);
    use();
    other.join();
    assert(calls == 1 && made == 1);
}
