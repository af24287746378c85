// expect: unsafe
// expect: unsafe --engine search --por dpor
// expect: unsafe --engine search --por dpor-hbr
// expect: unsafe --engine search --por dpor-stub
// expect: unsafe --engine search --por dpor -DHOW=2
// expect: unsafe --engine search --por dpor-stub -DHOW=2
// expect: unsafe --engine search --por dpor -DHOW=3
// expect: unsafe --engine search --por none -DHOW=3
// expect: safe -DORDERED
// expect: safe --engine search --por dpor -DORDERED
//
// One process keeps another one from running: it kills (HOW=1), suspends (2) or resets it (3). That is too late if the other one has run before, which no step
// of it behind the first one's tells. With ORDERED the other one waits until the next delta cycle.

#include <cassert>
#include <systemc.h>

#ifndef HOW
#define HOW 1
#endif

SC_MODULE(plant) {
    sc_process_handle burner;
    bool is_off = false;

    void switch_off() {
        is_off = true;
#if HOW == 1
        burner.kill();
#elif HOW == 2
        burner.suspend();
#else
        burner.reset();
#endif
    }
    void burn() {
#ifdef ORDERED
        wait(SC_ZERO_TIME);
#endif
        assert(is_off);
    }
    SC_CTOR(plant) {
        SC_THREAD(switch_off);
        SC_THREAD(burn);
        burner = sc_get_current_process_handle();
    }
};

int sc_main(int, char *[]) {
    plant p("plant");
    sc_start();
    return 0;
}
