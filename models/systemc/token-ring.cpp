// expect: safe
// expect: safe -DSTATIONS=3
// expect: safe -DSTATIONS=6
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=1 -DSTATIONS=9
// expect: unsafe -DBUG=2
// expect: unsafe -DBUG=2 -DSTATIONS=9
// simulation: endless
//
// The master sends an arbitrary token around a ring of STATIONS transmitters, each adds one and passes it on
// by an immediate notification. When a transmitter has not yet reached its wait, the token is lost and the
// simulation ends; otherwise every round brings a fresh token. With BUG the master expects one increment too
// many (1), or a transmitter adds two to a positive token (2).
// Origin: token-ring, token-ring-bug and token-ring-bug2 of models/ivl.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

#ifndef STATIONS
#define STATIONS 1
#endif
#ifndef BUG
#define BUG 0
#endif

struct ring_if : virtual sc_interface {
    virtual void wake() = 0;
};

// What circulates: all stations see it.
struct ring_state {
    int token = 0;
};

struct station : sc_module, ring_if {
    sc_port<ring_if> next{"next"};

    station(sc_module_name name, ring_state &state) : sc_module(name), ring(state) {}
    void wake() override { woken.notify(); }

  protected:
    ring_state &ring;
    sc_event woken;
};

struct master : station {
    SC_HAS_PROCESS(master);
    master(sc_module_name name, ring_state &state) : station(name, state) { SC_THREAD(send); }

    void send() {
        for (;;) {
            ring.token = heddle::input<int>("token");
            unsigned sent = ring.token;
            next->wake();
            wait(woken);
            assert(unsigned(ring.token) == sent + STATIONS + (BUG == 1));
        }
    }
};

struct transmitter : station {
    SC_HAS_PROCESS(transmitter);
    transmitter(sc_module_name name, ring_state &state) : station(name, state) { SC_THREAD(transmit); }

    void transmit() {
        for (;;) {
            wait(woken);
            if (BUG != 2 || ring.token <= 0)
                ring.token = int(unsigned(ring.token) + 1);
            else
                ring.token = int(unsigned(ring.token) + 2);
            next->wake();
        }
    }
};

int sc_main(int, char *[]) {
    ring_state state;
    master first("master", state);
    sc_vector<transmitter> others("transmit", STATIONS,
                                  [&](const char *name, size_t) { return new transmitter(name, state); });
    station *last = &first;
    for (transmitter &t : others) {
        last->next(t);
        last = &t;
    }
    last->next(first);
    sc_start();
    return 0;
}
