// expect: safe --property assert,memory,deadlock
// expect: unsafe --property assert,memory,deadlock -DBUG
//
// What is no deadlock when the simulation has nothing left to do: a method that is not called any more, a
// queue of events that is empty, spawned processes that have ended, and a simulation that ends at a moment at
// which somebody is just about to go on. With BUG a process waits for the end of one that nobody wakes.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <systemc.h>

SC_MODULE(club) {
    sc_event_queue calls;
    sc_signal<int> guests;
    sc_event closes;
    int counted = 0;

    void count() { counted++; }
    void visit() {
        wait(closes);
        guests = guests + 1;
    }
    void host() {
        calls.notify(2, SC_NS);
        sc_process_handle guest = sc_spawn([this] { visit(); });
        wait(10, SC_NS);
#ifndef BUG
        closes.notify();
#endif
        wait(guest.terminated_event());
        wait(SC_ZERO_TIME);
        assert(guests == 1);
    }
    void doorman() { wait(closes); }
    SC_CTOR(club) {
        SC_METHOD(count);
        sensitive << calls << guests;
        SC_THREAD(host);
        SC_THREAD(doorman);
    }
};

int sc_main(int, char **) {
    club c("club");
    sc_start(10, SC_NS);
    sc_start();
    return 0;
}
