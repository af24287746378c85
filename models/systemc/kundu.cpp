// expect: safe
// expect: safe -DSTEPS=3
// expect: unsafe -DBUG=1 -DSTEPS=2
// expect: unsafe -DBUG=2
//
// Two producers with period 2 and a consumer with period 1 share a buffer of two characters. A consumer that
// finds the buffer empty waits for the second producer. Whatever the order within a time step, the buffer is
// empty again before the next two characters come: no access is out of bounds. With BUG the second producer
// is missing and the first has period 1 (1), or both producers have period 1 (2): the third character has no
// place.
// Parameters: STEPS steps after which all processes end.
// Origin: kundu, kundu-bug-1 and kundu-bug-2 of models/ivl.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

#ifndef STEPS
#define STEPS 7
#endif
#ifndef BUG
#define BUG 0
#endif

struct buffer_if : virtual sc_interface {
    virtual char read(int place) const = 0;
    virtual void write(int place, char c) = 0;
};

struct buffer : sc_channel, buffer_if {
    explicit buffer(sc_module_name name) : sc_channel(name) {}
    char read(int place) const override {
        assert(place >= 0 && place < 2);
        return data[place];
    }
    void write(int place, char c) override {
        assert(place >= 0 && place < 2);
        data[place] = c;
    }

  private:
    char data[2] = {};
};

SC_MODULE(market) {
    sc_port<buffer_if> store{"store"};
    sc_event e;
    int num = 0;        // characters in the buffer
    int i = 0;          // steps of the consumer
    bool timer = false; // the consumer waits for an element

    void consumer() {
        while (i < STEPS) {
            if (num == 0) {
                timer = true;
                i += 1;
                wait(e);
            }
            num -= 1;
            assert(num >= 0);
            store->read(num);
            wait(1, SC_NS);
            i += 1;
        }
    }

    void producer_1() {
        while (i < STEPS) {
            store->write(num, heddle::input<char>("c1"));
            num += 1;
            wait(BUG ? 1 : 2, SC_NS);
        }
    }

    void producer_2() {
        while (i < STEPS) {
            store->write(num, heddle::input<char>("c2"));
            num += 1;
            if (timer) {
                timer = false;
                e.notify();
            }
            wait(BUG ? 1 : 2, SC_NS);
        }
    }

    SC_CTOR(market) {
        SC_THREAD(consumer);
        SC_THREAD(producer_1);
#if BUG != 1
        SC_THREAD(producer_2);
#endif
    }
};

int sc_main(int, char *[]) {
    buffer store("store");
    market m("market");
    m.store(store);
    sc_start();
    return 0;
}
