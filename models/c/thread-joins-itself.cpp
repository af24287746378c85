// expect: safe
// expect: unsafe -DUNEXPECTED
// expect: safe -DUNCAUGHT
//
// std::thread::join throws if the thread joins itself, or if there is none to be joined. What nobody catches ends the
// program.

#include <atomic>
#include <cassert>
#include <system_error>
#include <thread>

static std::atomic<std::thread *> self{nullptr};
static int caught;

int main() {
    std::thread nobody;
#ifdef UNCAUGHT
    nobody.join();
    assert(false);
#else
    try {
        nobody.detach();
    } catch (const std::system_error &) {
        caught++;
    }
    std::thread worker([] {
        while (!self.load()) {
        }
        try {
            self.load()->join();
        } catch (const std::runtime_error &) {
            caught++;
        }
    });
    self = &worker;
    worker.join();
#ifdef UNEXPECTED
    assert(caught == 0);
#else
    assert(caught == 2);
#endif
#endif
}
