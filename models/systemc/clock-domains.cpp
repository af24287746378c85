// expect: safe
// expect: unsafe -DBUG
//
// Two domains with clocks of 6 and 10 ns: a word of two bits goes from the fast one to the slow one. The
// sender keeps the word stable until the request, which passes two registers of the slow domain, is
// acknowledged the same way. With BUG the sender does not wait for the acknowledgement: the slow domain
// never sees the request.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(synchronizer) {
    sc_in_clk clock{"clock"};
    sc_in<bool> in{"in"};
    sc_out<bool> out{"out"};
    bool middle = false;

    void shift() {
        out.write(middle);
        middle = in.read();
    }
    SC_CTOR(synchronizer) {
        SC_METHOD(shift);
        dont_initialize();
        sensitive << clock.pos();
    }
};

SC_MODULE(sender) {
    sc_in_clk clock{"clock"};
    sc_in<bool> acknowledge{"acknowledge"};
    sc_out<bool> request{"request"};
    sc_out<sc_uint<2>> word{"word"};
    unsigned sent[2] = {};

    void send() {
        for (int k = 0; k < 2; k++) {
            sent[k] = heddle::input<unsigned>("word") & 3;
            word.write(sent[k]);
            request.write(k == 0);
            wait();
#ifndef BUG
            while (acknowledge.read() != (k == 0)) wait();
#endif
        }
    }
    SC_CTOR(sender) {
        SC_THREAD(send);
        sensitive << clock.pos();
    }
};

struct receiver : sc_module {
    sc_in_clk clock{"clock"};
    sc_in<bool> request{"request"};
    sc_in<sc_uint<2>> word{"word"};
    sc_out<bool> acknowledge{"acknowledge"};
    const sender &from;
    int received = 0;

    void receive() {
        for (int k = 0; k < 2; k++) {
            while (request.read() != (k == 0)) wait();
            assert(word.read() == from.sent[k]);
            received++;
            acknowledge.write(k == 0);
            wait();
        }
        sc_stop();
    }
    SC_HAS_PROCESS(receiver);
    receiver(sc_module_name name, const sender &s) : sc_module(name), from(s) {
        SC_THREAD(receive);
        sensitive << clock.pos();
    }
};

int sc_main(int, char *[]) {
    sc_clock fast("fast", 6, SC_NS), slow("slow", 10, SC_NS, 0.5, 1, SC_NS);
    sc_signal<bool> request("request"), seen_request("seen_request"), answer("answer"),
        seen_answer("seen_answer");
    sc_signal<sc_uint<2>> word("word");
    sender s("sender");
    s.clock(fast);
    s.acknowledge(seen_answer);
    s.request(request);
    s.word(word);
    synchronizer there("there"), back("back");
    there.clock(slow);
    there.in(request);
    there.out(seen_request);
    back.clock(fast);
    back.in(answer);
    back.out(seen_answer);
    receiver r("receiver", s);
    r.clock(slow);
    r.request(seen_request);
    r.word(word);
    r.acknowledge(answer);
    sc_start(100, SC_NS);
    assert(r.received == 2);
    return 0;
}
