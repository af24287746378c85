// expect: safe
// expect: unsafe -DBUG
//
// A fast source and a slow sink with a queue of two places between them. The source has to wait when the
// queue is full; whatever it sends arrives in the same order. With BUG the source does not look at the
// answer of nb_write and loses what does not fit.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum { ITEMS = 5 };

SC_MODULE(source) {
    sc_fifo_out<int> out{"out"};
    int sent[ITEMS] = {};

    void send() {
        for (int k = 0; k < ITEMS; k++) {
            sent[k] = heddle::input<int>("item");
#ifdef BUG
            out.nb_write(sent[k]);
#else
            while (!out.nb_write(sent[k])) wait(out.data_read_event());
#endif
            wait(1, SC_NS);
        }
    }
    SC_CTOR(source) {
        SC_THREAD(send);
    }
};

struct sink : sc_module {
    sc_fifo_in<int> in{"in"};
    const source &from;
    int received = 0;

    void receive() {
        for (;;) {
            int item = in.read();
            assert(received < ITEMS && item == from.sent[received]);
            received++;
            wait(3, SC_NS);
        }
    }
    SC_HAS_PROCESS(sink);
    sink(sc_module_name name, const source &s) : sc_module(name), from(s) { SC_THREAD(receive); }
};

int sc_main(int, char *[]) {
    sc_fifo<int> queue("queue", 2);
    source from("source");
    sink to("sink", from);
    from.out(queue);
    to.in(queue);
    sc_start();
    assert(to.received == ITEMS);
    return 0;
}
