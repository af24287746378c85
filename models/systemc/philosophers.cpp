// expect: safe
// expect: unsafe --property deadlock
// expect: safe --property deadlock -DLAST_IS_LEFT_HANDED
// expect: safe --property deadlock -DLAST_IS_LEFT_HANDED -DSEATS=4
//
// Dining philosophers with a mutex for each fork. They take the left fork first, think for a moment, and can
// all hold one and wait for the other. One left-handed philosopher among them breaks the circle. Nobody ever
// eats with a fork that the neighbour uses.

#include <cassert>
#include <systemc.h>

#ifndef SEATS
#define SEATS 3
#endif

SC_MODULE(philosopher) {
    sc_port<sc_mutex_if> left{"left"}, right{"right"};
    bool is_left_handed = false, eats = false;
    const philosopher *neighbour = nullptr;

    void dine() {
        sc_port<sc_mutex_if> &first = is_left_handed ? right : left, &second = is_left_handed ? left : right;
        first->lock();
        wait(SC_ZERO_TIME);
        second->lock();
        eats = true;
        assert(!neighbour->eats);
        wait(1, SC_NS);
        eats = false;
        second->unlock();
        first->unlock();
    }
    SC_CTOR(philosopher) {
        SC_THREAD(dine);
    }
};

int sc_main(int, char *[]) {
    sc_vector<sc_mutex> forks("fork", SEATS);
    sc_vector<philosopher> guests("guest", SEATS);
    for (unsigned k = 0; k < SEATS; k++) {
        guests[k].left(forks[k]);
        guests[k].right(forks[(k + 1) % SEATS]);
        guests[k].neighbour = &guests[(k + 1) % SEATS];
    }
#ifdef LAST_IS_LEFT_HANDED
    guests[SEATS - 1].is_left_handed = true;
#endif
    sc_start();
    return 0;
}
