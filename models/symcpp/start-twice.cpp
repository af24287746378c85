// expect: unsafe --property reach:runs==2
// expect: safe --property reach:runs==3
// expect: unsafe --property deadlock --blocked-at-exit -DWAIT
//
// A thread that is started twice runs once; two threads of one class run once each. Thread::Run does nothing. With
// WAIT a thread waits for a semaphore that nobody raises.

#include <symcpp.h>

int runs, never, mutex = 1;

class Worker : public Thread {
    void Run() override {
        await(&mutex);
        runs++;
        mutex = 1;
#ifdef WAIT
        await(&never);
#endif
    }
};

Worker one, two;
Thread idle;

int main() {
    one.Start();
    two.Start();
    one.Start();
    idle.Start();
}
