// expect: unsafe
// expect: safe -DFIXED
//
// A method counts the changes of a line and forgets dont_initialize: it runs once at the start without any
// change, and what the monitor reports is one too many. With FIXED it is not initialised.

#include <cassert>
#include <systemc.h>

SC_MODULE(change_counter) {
    sc_in<bool> line{"line"};
    int changes = 0;

    void count() {
        changes++;
    }
    SC_CTOR(change_counter) {
        SC_METHOD(count);
        sensitive << line;
#ifdef FIXED
        dont_initialize();
#endif
    }
};

SC_MODULE(driver) {
    sc_out<bool> line{"line"};

    void drive() {
        for (int k = 0; k < 4; k++) {
            wait(5, SC_NS);
            line.write(k % 2 == 0);
        }
        wait(5, SC_NS);
        line.write(false); // no change
    }
    SC_CTOR(driver) {
        SC_THREAD(drive);
    }
};

int sc_main(int, char *[]) {
    sc_signal<bool> line("line");
    driver d("driver");
    d.line(line);
    change_counter counter("counter");
    counter.line(line);
    sc_start();
    std::cout << counter.changes << " changes" << std::endl;
    assert(counter.changes == 4);
    return 0;
}
