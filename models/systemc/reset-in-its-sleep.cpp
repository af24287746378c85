// expect: safe
// expect: safe -DKILL
// expect: unsafe -DONCE
//
// A process that has suspended itself stands in the call of suspend, not in a wait. Who resets it makes it begin anew
// at once, up to where it suspends itself again; who kills it makes it end there. In neither case does it go on behind
// the call. With ONCE somebody thinks that it does.

#include <cassert>
#include <systemc.h>

SC_MODULE(sleeper) {
    SC_CTOR(sleeper) {
        SC_THREAD(work);
        worker = sc_get_current_process_handle();
        SC_THREAD(supervise);
    }

    sc_process_handle worker;
    int rounds = 0;
    bool went_on = false;

    void work() {
        rounds++;
        worker.suspend();
        went_on = true;
    }

    void supervise() {
        wait(1, SC_NS);
        assert(rounds == 1 && !went_on);
#ifdef KILL
        worker.kill();
        assert(rounds == 1 && !went_on && worker.terminated());
#else
        worker.reset();
#ifdef ONCE
        assert(rounds == 1);
#endif
        assert(rounds == 2 && !went_on && !worker.terminated());
        worker.resume();
        wait(1, SC_NS);
        assert(rounds == 2 && went_on && worker.terminated());
#endif
    }
};

int sc_main(int, char *[]) {
    sleeper s("s");
    sc_start(10, SC_NS);
    return 0;
}
