// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
// simulation: endless
//
// A loop over a buffer: the writer starts two adders, each adds one to the data unless the result was
// already taken; the result goes into the buffer, the reader wakes the writer. One or both additions count,
// depending on the order. The value grows for ever from an arbitrary start. With BUG the writer believes
// that only one addition counts, either after the right check (1) or instead of it (2).
// Origin: toy-sym, toy-bug-1 and toy-bug-2 of models/ivl.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

#ifndef BUG
#define BUG 0
#endif

SC_MODULE(toy) {
    sc_buffer<unsigned> c{"c"}; // each value is news, the first one, too
    sc_event start_round, computed, was_read;
    unsigned d = 0; // value that the reader saw last
    unsigned data = 0;
    bool processed = false;

    void add_when_started() {
        for (;;) {
            wait(start_round);
            if (!processed) {
                data += 1;
                computed.notify();
            }
        }
    }

    void compute_1() {
        add_when_started();
    }
    void compute_2() {
        add_when_started();
    }

    void read() {
        for (;;) {
            wait(c.default_event());
            d = c.read();
            was_read.notify();
        }
    }

    void write_back() {
        d = heddle::input<unsigned>("start");
        c.write(d);
        for (;;) {
            wait(computed);
            c.write(data);
            processed = true;
        }
    }

    void write_loop() {
        wait(SC_ZERO_TIME); // the buffer gets its first value
        wait(SC_ZERO_TIME); // the reader sees it
        for (;;) {
            unsigned before = d;
            data = d;
            processed = false;
            start_round.notify();
            wait(was_read);
#if BUG != 2
            assert(d == before + 1 || d == before + 2);
#endif
#if BUG
            assert(d == before + 1);
#endif
        }
    }

    SC_CTOR(toy) {
        SC_THREAD(compute_1);
        SC_THREAD(compute_2);
        SC_THREAD(read);
        SC_THREAD(write_back);
        SC_THREAD(write_loop);
    }
};

int sc_main(int, char *[]) {
    toy top("top");
    sc_start();
    return 0;
}
