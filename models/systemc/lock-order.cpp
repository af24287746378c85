// expect: safe
// expect: unsafe --property deadlock
// expect: safe --property deadlock -DORDERED
//
// Two direct memory access engines lock the source and the target bus of their transfer. They copy in
// opposite directions, each locks its source first, and can end with one bus each. With ORDERED both lock
// the first bus first.

#include <cassert>
#include <systemc.h>

struct bus : sc_channel {
    sc_mutex mutex{"mutex"};
    int word;

    bus(sc_module_name name, int first_word) : sc_channel(name), word(first_word) {}
};

struct copier : sc_module {
    bus &from, &to;
    bool goes_back;

    void copy() {
#ifdef ORDERED
        bus &first = goes_back ? to : from, &second = goes_back ? from : to;
#else
        bus &first = from, &second = to;
#endif
        first.mutex.lock();
        wait(1, SC_NS); // the bus answers
        second.mutex.lock();
        int read = from.word;
        wait(1, SC_NS);
        to.word = read;
        assert(from.word == to.word);
        second.mutex.unlock();
        first.mutex.unlock();
    }
    SC_HAS_PROCESS(copier);
    copier(sc_module_name name, bus &f, bus &t, bool back)
        : sc_module(name), from(f), to(t), goes_back(back) {
        SC_THREAD(copy);
    }
};

int sc_main(int, char *[]) {
    bus left("left", 1), right("right", 2);
    copier there("there", left, right, false), back("back", right, left, true);
    sc_start();
    return 0;
}
