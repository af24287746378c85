// expect: safe
// expect: unsafe -DBUG
//
// An arbiter grants a bus to one of three clients in turn: the search for a request begins behind the client
// that was served last. Requests are arbitrary. At most one grant is given, only to who asked, and nobody
// who keeps asking is passed over three times. With BUG the search always begins with the first client,
// which starves the others.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum { CLIENTS = 3, CYCLES = 4 };

SC_MODULE(arbiter) {
    sc_in_clk clock{"clock"};
    sc_vector<sc_in<bool>> request{"request", CLIENTS};
    sc_vector<sc_out<bool>> grant{"grant", CLIENTS};
    int last = CLIENTS - 1;

    void decide() {
        int winner = -1;
#ifdef BUG
        int first = 0;
#else
        int first = (last + 1) % CLIENTS;
#endif
        for (int k = 0; k < CLIENTS && winner < 0; k++)
            if (request[(first + k) % CLIENTS].read()) winner = (first + k) % CLIENTS;
        for (int k = 0; k < CLIENTS; k++) grant[k].write(k == winner);
        if (winner >= 0) last = winner;
    }
    SC_CTOR(arbiter) {
        SC_METHOD(decide);
        dont_initialize();
        sensitive << clock.pos();
    }
};

SC_MODULE(clients) {
    sc_in_clk clock{"clock"};
    sc_vector<sc_out<bool>> request{"request", CLIENTS};
    sc_vector<sc_in<bool>> grant{"grant", CLIENTS};

    void ask() {
        int waits[CLIENTS] = {};
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            bool asks[CLIENTS];
            for (int k = 0; k < CLIENTS; k++) {
                asks[k] = heddle::input<bool>("request");
                request[k].write(asks[k]);
            }
            wait();
            int grants = 0;
            for (int k = 0; k < CLIENTS; k++) {
                grants += grant[k].read();
                assert(asks[k] || !grant[k].read());
                waits[k] = asks[k] && !grant[k].read() ? waits[k] + 1 : 0;
                assert(waits[k] < CLIENTS);
            }
            assert(grants == (asks[0] || asks[1] || asks[2]));
        }
        sc_stop();
    }
    SC_CTOR(clients) {
        SC_THREAD(ask);
        sensitive << clock.neg();
    }
};

int sc_main(int, char *[]) {
    sc_clock clock("clock", 10, SC_NS);
    sc_vector<sc_signal<bool>> request("request", CLIENTS), grant("grant", CLIENTS);
    arbiter a("arbiter");
    a.clock(clock);
    a.request(request);
    a.grant(grant);
    clients c("clients");
    c.clock(clock);
    c.request(request);
    c.grant(grant);
    sc_start();
    return 0;
}
