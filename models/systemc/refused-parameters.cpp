// expect: safe
// expect: unsafe -DGENEROUS
// expect: unknown --property leak
// stimulus: slots 3
// stimulus: items 3
//
// sc_main refuses parameters that make no sense before it builds anything, as programs do that read them from a
// command line: there is no simulation then. With GENEROUS it takes more items than the store has room for in all.
// What is allocated when sc_main gives up is not looked at, so that leaks cannot be excluded.

#include <cassert>
#include <systemc.h>

#include "heddle_stimulus.h"

SC_MODULE(store) {
    SC_HAS_PROCESS(store);
    store(sc_module_name name, int slots, int items) : sc_module(name), slots(slots), items(items) {
        SC_THREAD(fill);
        SC_THREAD(drain);
    }

    const int slots, items;
    int held = 0;
    sc_event arrived;

    void fill() {
        for (int k = 0; k < items; k++) {
            held++;
            assert(held <= slots);
            arrived.notify(SC_ZERO_TIME);
            wait(1, SC_NS);
        }
    }
    void drain() {
        wait(arrived);
        wait(3, SC_NS);
        held = 0;
    }
};

int sc_main(int, char *[]) {
    int slots = heddle::input<int>("slots");
    if (slots < 2 || slots > 3) return 0;
    int items = heddle::input<int>("items");
#ifdef GENEROUS
    if (items < 0 || items > 4) return 0;
#else
    if (items < 0 || items > slots) return 0;
#endif
    store s("s", slots, items);
    sc_start();
    return 0;
}
