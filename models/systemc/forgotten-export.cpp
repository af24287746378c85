// expect: safe
// expect: unsafe -DBUG
//
// A meter shows its reading through an export, and nobody looks at it yet. With BUG the export is not bound to
// what it shows, which ends elaboration with an error although it is never used.

#include <cassert>
#include <systemc.h>

SC_MODULE(meter) {
    sc_export<sc_signal_in_if<int>> reading;
    sc_signal<int> sum;

    void count() {
        for (int k = 1; k <= 3; k++) {
            sum = sum + k;
            wait(1, SC_NS);
        }
        assert(sum == 6);
    }
    SC_CTOR(meter) {
#ifndef BUG
        reading(sum);
#endif
        SC_THREAD(count);
    }
};

int sc_main(int, char **) {
    meter m("meter");
    sc_start();
    return 0;
}
