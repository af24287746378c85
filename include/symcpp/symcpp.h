// SymC++: C++ with threads that are objects, a binary semaphore, and inputs.
//
// A thread is an object of a class derived from Thread; it begins to execute Run() when somebody calls
// Start(). Any int is a semaphore for await(). An input is drawn by symcpp_nondet. Everything else is C++.
//
//     int sem, buf;
//     class Sensor : public Thread {
//         void Run() override { while (true) { await(&sem); buf = symcpp_nondet(0, 1000); sem = 1; } }
//     };
#ifndef HEDDLE_SYMCPP_H
#define HEDDLE_SYMCPP_H

extern "C" {
void symcpp_start(int *started, void *(*run)(void *), void *thread);
void symcpp_await(int *semaphore);

// Any value from `low` to `high`; 0 if there is none. One unknown, or, with SYMCPP_EXPLICIT, one branch for
// each value.
#ifdef SYMCPP_EXPLICIT
int symcpp_nondet(int low, int high) __asm__("symcpp_nondet_explicit");
#else
int symcpp_nondet(int low, int high);
#endif

// The same, always with one branch for each value: for choices between things, not numbers.
int symcpp_choose(int low, int high) __asm__("symcpp_nondet_explicit");
}

class Thread {
  public:
    // Nothing is destroyed when main returns: threads are static objects and go on.
    Thread() : symcpp_started(0) {}

    // From now on the thread executes Run(), once: starting it again has no effect.
    void Start() { symcpp_start(&symcpp_started, symcpp_run, this); }

    virtual void Run() {}

    // Waits until *semaphore is positive and sets it to 0, in one step.
    void await(int *semaphore) { symcpp_await(semaphore); }

  private:
    static void *symcpp_run(void *thread) {
        static_cast<Thread *>(thread)->Run();
        return nullptr;
    }

    int symcpp_started;
};

#endif
