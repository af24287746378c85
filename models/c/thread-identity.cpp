// expect: safe
// expect: unsafe -DBUG
//
// Every thread has an identity of its own, main as well, and a thread object that stands for no thread has none of
// them. Threads may wait for main by its identity. With BUG main is expected to be nobody.

#include <cassert>
#include <pthread.h>
#include <thread>

static pthread_t main_thread;
static int written;

static void *wait_for_main(void *) {
    assert(!pthread_equal(pthread_self(), main_thread));
    pthread_join(main_thread, nullptr);
    assert(written == 1);
    return nullptr;
}

int main() {
    std::thread::id nobody;
    std::thread other([] {});
    assert(other.get_id() != nobody && other.get_id() != std::this_thread::get_id());
#ifdef BUG
    assert(std::this_thread::get_id() == nobody);
#else
    assert(std::this_thread::get_id() != nobody);
#endif
    other.join();
    assert(other.get_id() == nobody);
    main_thread = pthread_self();
    pthread_t last;
    pthread_create(&last, nullptr, wait_for_main, nullptr);
    written = 1;
    pthread_exit(nullptr);
}
