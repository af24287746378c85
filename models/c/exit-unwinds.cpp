// expect: safe --property assert,memory,leak
// expect: unsafe -DCOUNT=1
// expect: safe -DSWALLOW
//
// pthread_exit leaves the frames of its thread as an exception does: destructors run, catch (...) sees it pass, typed
// handlers do not, and the others go on. Who catches it and does not throw on ends the program.

#include <cassert>
#include <memory>
#include <pthread.h>
#include <thread>

#ifndef COUNT
#define COUNT 2
#endif

static int destroyed, seen;

struct counter {
    ~counter() { destroyed++; }
};

static void leave(int *result) {
    counter here;
    auto owned = std::make_unique<int>(1);
    try {
        pthread_exit(result);
    } catch (int) {
        assert(false);
    } catch (...) {
        seen++;
#ifndef SWALLOW
        throw;
#endif
    }
#ifdef SWALLOW
    assert(false);
#endif
}

static void *run(void *result) {
    counter outer;
    leave(static_cast<int *>(result));
    assert(false);
    return nullptr;
}

int main() {
    static int result;
    void *returned = nullptr;
    pthread_t thread;
    pthread_create(&thread, nullptr, run, &result);
    pthread_join(thread, &returned);
    assert(returned == &result && seen == 1);
    assert(destroyed == COUNT);
    std::thread last([] {
        counter inner;
        pthread_exit(nullptr);
    });
    last.join();
    assert(destroyed == 3);
}
