// expect: safe --property assert,memory,race --engine search
// expect: unsafe --engine search -DBUG
//
// Main waits for a message, or until time is up. With BUG it believes that the message always comes in time.

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;
static int message;

int main() {
    std::thread sender([] {
        std::lock_guard<std::mutex> guard(lock);
        message = 7;
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        bool came = changed.wait_for(guard, std::chrono::milliseconds(10), [] { return ready; });
#ifdef BUG
        assert(came);
#endif
        assert(!came || message == 7);
    }
    sender.join();
}
