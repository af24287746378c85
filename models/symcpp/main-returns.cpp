// expect: safe
// expect: unsafe --property reach:ran
// expect: unsafe -DBLOCKED --property deadlock
//
// The end of main is the end of its thread and of nothing else: static objects are not destroyed under threads that
// still run, and a thread that waits for ever is one whether main has ended or not.

#include <cassert>
#include <symcpp.h>

int ran, never;

class Worker : public Thread {
    void Run() override {
#ifdef BLOCKED
        await(&never);
#endif
        ran = 1;
    }
};

class Check {
  public:
    ~Check() { assert(ran); }
};

Worker worker;
Check check;

int main() { worker.Start(); }
