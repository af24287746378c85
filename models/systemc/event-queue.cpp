// expect: safe
// expect: unsafe -DBUG
//
// Three requests to an interrupt line are under way at the same time, two of them for the same moment. An
// event queue delivers each of them. With BUG the line is a plain event, of which only the earliest
// notification is pending.

#include <cassert>
#include <systemc.h>

SC_MODULE(interrupts) {
#ifdef BUG
    sc_event line;
#else
    sc_event_queue line{"line"};
#endif
    int raised = 0, handled = 0;

    void raise() {
        line.notify(20, SC_NS);
        line.notify(10, SC_NS);
        line.notify(20, SC_NS);
        raised = 3;
        wait(15, SC_NS);
        assert(handled == 1);
        wait(10, SC_NS);
        assert(handled == raised);
    }
    void handle() {
        handled++;
    }

    SC_CTOR(interrupts) {
        SC_THREAD(raise);
        SC_METHOD(handle);
        sensitive << line;
        dont_initialize();
    }
};

int sc_main(int, char *[]) {
    interrupts i("interrupts");
    sc_start();
    return 0;
}
