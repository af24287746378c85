// expect: safe
// expect: unsafe -DBUG
// expect: unsafe --property reach:rounds==THREADS
// expect: safe --property reach:inside>1
//
// THREADS threads around one semaphore: never are two inside. With BUG they do not wait for it.

#include <cassert>
#include <symcpp.h>

#ifndef THREADS
#define THREADS 3
#endif

int sem = 1, inside, rounds;

class Worker : public Thread {
    void Run() override {
#ifndef BUG
        await(&sem);
#endif
        inside++;
        assert(inside == 1);
        rounds++;
        inside--;
        sem = 1;
    }
};

Worker workers[THREADS];

int main() {
    for (Worker &worker : workers) worker.Start();
}
